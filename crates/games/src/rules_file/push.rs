//! Pushes: a line of squares moves on by one. The piece on its first square leaves the board, and a piece of the mover
//! enters at its last square from beyond the edge.
//!
//! ```text
//!         a b c d                          a b c d
//!       1 . X O O    d1 comes out: no     1 X . X O     and X comes in at a1: `d1>a1`, if d1 is free or X's own
//! ```
//!
//! With `enters = false` nothing enters, as where the lowest piece of a column is popped out. Then a piece must leave.
//!
//! The result of a push depends on the contents of the line. So each possible content becomes a move of its own.

use super::area::Area;
use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::source::{Item, Keys};
use super::squares::{Setup, Squares};
use super::stamp::{self, Stamp};
use crate::rules::Board;

/// The longest line: each square of it has up to three contents.
const MOST: usize = 8;

/// The lines of a `push`.
pub(super) struct Push<'a> {
    lines: Vec<Stamp>,
    /// The area in which the first square of a line must lie, where a piece leaves the board.
    area: Area,
    /// True if a piece of the mover enters at the last square.
    enters: bool,
    item: Item<'a>,
}

impl<'a> Push<'a> {
    /// Takes the keys of a push, if there is one.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>) -> Read<Option<Self>> {
        let Some(item) = keys.take("push") else { return Ok(None) };
        let lines = stamp::lines(item, keys, setup, false)?;
        if let Some(line) = lines.iter().find(|line| !(2..=MOST).contains(&line.len())) {
            return Err(item.found(format!("lines of 2 to {MOST} squares"), line.len().to_string()));
        }
        let enters = keys.take("enters").map_or(Ok(true), |item| item.flag())?;
        Ok(Some(Self { lines, area: Area::take(keys, setup)?, enters, item }))
    }

    /// The lines on the board, each from the square where a piece leaves to the square where a piece enters.
    fn placed(&self, squares: &Squares) -> Vec<Vec<usize>> {
        let mut placed = Vec::new();
        for (&anchor, line) in squares.all().iter().flat_map(|square| self.lines.iter().map(move |line| (square, line)))
        {
            let line: Option<Vec<usize>> =
                line.iter().map(|&(rows, cols, _)| squares.beside(anchor, rows, cols)).collect();
            let Some(mut line) = line else { continue };
            for _ in 0..2 {
                let step = squares.step(line[line.len() - 2], line[line.len() - 1]);
                let is_edge = squares.beyond(line[line.len() - 1], step).next().is_none();
                if is_edge && self.area.admits(&line[..1]) {
                    placed.push(line.clone());
                }
                line.reverse();
            }
        }
        placed
    }

    /// The moves of the player with the pieces `mover`.
    pub(super) fn placements(&self, mover: Pieces<'_>, budget: &mut Budget) -> Read<Vec<Placement>> {
        let (squares, mut all) = (mover.squares, Vec::new());
        let colours = squares.colours() as usize;
        let mine = if colours == 2 { mover.colour as usize } else { 0 };
        for line in self.placed(squares) {
            // Each square is free, or filled in one of the colours.
            let contents = (colours + 1).pow(line.len() as u32);
            budget.spend(self.item, contents * line.len())?;
            for content in 0..contents {
                let at = |index: usize| match content / (colours + 1).pow(index as u32) % (colours + 1) {
                    0 => None,
                    colour => Some(colour - 1),
                };
                if at(0).map_or(!self.enters, |colour| colour != mine) {
                    continue;
                }
                let ends = self.enters.then(|| [line[0], line[line.len() - 1]]);
                let mut placement = Placement { ends, ..Placement::default() };
                for (index, &square) in line.iter().enumerate() {
                    let after = if index + 1 < line.len() { at(index + 1) } else { self.enters.then_some(mine) };
                    for colour in 0..colours {
                        let cell = squares.cell(square, colour as u32).unwrap_or_default();
                        let (was, is) = (at(index) == Some(colour), after == Some(colour));
                        let add = |to: &mut Board, it: bool| *to |= if it { cell } else { Board::EMPTY };
                        add(&mut placement.full, was);
                        add(&mut placement.empty, !was);
                        add(&mut placement.fills, is && !was);
                        add(&mut placement.clears, was && !is);
                    }
                }
                all.push(placement);
            }
        }
        Ok(all)
    }
}
