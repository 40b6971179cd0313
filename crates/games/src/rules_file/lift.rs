//! The move `lifts`: the mover takes up a piece of several squares and lays it down elsewhere, perhaps turned over, as
//! in the L-game.
//!
//! The shape has a placement for each orientation and place. A move leads from one placement, all of whose squares are
//! the mover's, to another, whose other squares are free.

use std::collections::BTreeSet;

use super::area::Area;
use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::reader::MOST_MOVES;
use super::source::{Item, Keys};
use super::squares::Setup;
use super::stamp::{self, Sign, Stamp};

/// The move `lifts`.
pub(super) struct Lift<'a> {
    stamps: Vec<Stamp>,
    area: Area,
    item: Item<'a>,
}

impl<'a> Lift<'a> {
    /// Takes the keys of the move, if the table has it.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>) -> Read<Option<Self>> {
        let Some(item) = keys.take("lifts") else { return Ok(None) };
        let stamps = stamp::drawn(item, keys, setup, true)?;
        if setup.squares.is_graph() && stamps.iter().any(|stamp| stamp.len() > 1) {
            return Err(item.found("\"X\", since the board is a graph,", item.described()));
        }
        if stamps.iter().flatten().any(|(.., sign)| *sign != Sign::Fill) {
            return Err(item.found("a drawing with the signs X .", "another sign"));
        }
        Ok(Some(Self { stamps, area: Area::take(keys, setup)?, item }))
    }

    /// The moves of the player with the pieces `mover`.
    pub(super) fn placements(&self, mover: Pieces<'_>, budget: &mut Budget) -> Read<Vec<Placement>> {
        let squares = mover.squares;
        let place = |anchor: usize, stamp: &Stamp| -> Option<BTreeSet<usize>> {
            stamp.iter().map(|&(rows, cols, _)| squares.beside(anchor, rows, cols)).collect()
        };
        let anchors = squares.all().iter();
        let places: Vec<BTreeSet<usize>> =
            anchors.flat_map(|&anchor| self.stamps.iter().filter_map(move |stamp| place(anchor, stamp))).collect();
        if places.len() * places.len() > 2 * MOST_MOVES {
            return Err(self.item.found(format!("at most {MOST_MOVES} moves in all"), "more; make the board smaller"));
        }
        let lies_in_area = |place: &BTreeSet<usize>| self.area.admits(&place.iter().copied().collect::<Vec<_>>());
        let mut all = Vec::new();
        for from in &places {
            for to in places.iter().filter(|to| *to != from && lies_in_area(to)) {
                budget.spend(self.item, from.len() + to.len())?;
                let mut placement = Placement::default();
                for &square in from.union(to) {
                    let sign = match (from.contains(&square), to.contains(&square)) {
                        (true, true) => Sign::Mine,
                        (true, false) => Sign::Leave,
                        _ => Sign::Fill,
                    };
                    let _ = placement.add(mover, square, sign);
                    placement.be_alone(mover, square, sign);
                }
                all.push(placement);
            }
        }
        Ok(all)
    }
}
