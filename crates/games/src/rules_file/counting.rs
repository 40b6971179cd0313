//! The condition `neighbours = { Y = [1, 2] }`: how many neighbours of a new piece have a sign.
//!
//! A mask says of each square that it has the sign, or that it has not. So the move becomes one move for each way in which enough
//! neighbours have it, and no two of them are legal on one board.

use std::ops::RangeInclusive;

use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::range;
use super::source::Item;
use super::squares::Setup;
use super::stamp::Sign;

/// The signs that can be counted, on boards of one colour and of two.
const SIGNS: [&[(&str, Sign)]; 2] =
    [&[("o", Sign::Free), ("F", Sign::Filled)], &[("o", Sign::Free), ("M", Sign::Mine), ("Y", Sign::Yours)]];

/// Numbers of neighbours by their sign.
pub(super) struct Counts<'a> {
    item: Item<'a>,
    of_signs: Vec<(Sign, RangeInclusive<u32>)>,
}

impl<'a> Counts<'a> {
    /// Reads a table from signs to a number, or to the least and the most.
    pub(super) fn read(item: Item<'a>, setup: Setup<'_>) -> Read<Self> {
        let known = SIGNS[setup.squares.colours() as usize - 1];
        let mut of_signs = Vec::new();
        for (key, item) in item.any_keys("`neighbours`")?.rest() {
            let Some(&(_, sign)) = known.iter().find(|(character, _)| *character == key) else {
                let known: Vec<&str> = known.iter().map(|(character, _)| *character).collect();
                return Err(item.found(format!("one of the signs {}", known.join(" ")), format!("{key:?}")));
            };
            let range = range::bounds(item, setup.values, 8, "a number of neighbours")?;
            of_signs.push((sign, range));
        }
        Ok(Self { item, of_signs })
    }

    /// The moves that replace `placement`, whose new pieces have these neighbours, for the player with the pieces `mover`.
    pub(super) fn cases(
        &self,
        placement: Placement,
        neighbours: &[usize],
        mover: Pieces<'_>,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        let squares = mover.squares;
        let signs: &[Sign] = match squares.colours() {
            1 => &[Sign::Free, Sign::Filled],
            _ if squares.has_blocks => &[Sign::Free, Sign::Mine, Sign::Yours, Sign::Blocked],
            _ => &[Sign::Free, Sign::Mine, Sign::Yours],
        };
        // For each case so far, how many neighbours have each sign of `self`.
        let mut cases = vec![(placement, vec![0; self.of_signs.len()])];
        for (number, &square) in neighbours.iter().enumerate() {
            let left = (neighbours.len() - number - 1) as u32;
            budget.spend(self.item, cases.len() * signs.len())?;
            let mut longer = Vec::new();
            for (placement, counts) in &cases {
                for &sign in signs {
                    let counts: Vec<u32> = self
                        .of_signs
                        .iter()
                        .zip(counts)
                        .map(|((of, _), &count)| count + u32::from(*of == sign))
                        .collect();
                    let may_fit = self
                        .of_signs
                        .iter()
                        .zip(&counts)
                        .all(|((_, range), &count)| count <= *range.end() && count + left >= *range.start());
                    let mut placement = *placement;
                    if may_fit && placement.add(mover, square, sign).is_some() && placement.is_possible() {
                        longer.push((placement, counts));
                    }
                }
            }
            cases = longer;
        }
        let fits = |counts: &[u32]| self.of_signs.iter().zip(counts).all(|((_, range), count)| range.contains(count));
        Ok(cases.into_iter().filter(|(_, counts)| fits(counts)).map(|(placement, _)| placement).collect())
    }
}
