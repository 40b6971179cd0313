//! Frames of large boards, in which the colours of some squares belong to the occupied set.
//!
//! The colourings of a set lie together, and a set of n two-colour squares has 2^n of them. For 36 squares they fill 8 GiB in
//! each bit plane, and no slice of the table would be smaller. So some squares are *split*: each becomes two squares of one cell.
//! A set then says which of the two is occupied, and slices by split squares fix their colours. Squares that are filled in an
//! order are split together, because only then few sets are possible: a split column of six squares that fills from the bottom has
//! 2^7 - 1 contents, where the whole column has 7.
//!
//! ```text
//! columns      0 1 2 3 4 5     six columns of six squares: 7^6 sets, with up to 2^36 colourings
//! split            2 3         columns 2 and 3 are split: 7^4 * 127^2 sets, with up to 2^24 colourings
//! ```

use std::cmp::Reverse;

use super::fold::SquareSymmetry;
use super::sets::{groups_of, steps, touched};
use super::{Frame, Square, Squares};
use crate::rules::{Position, Rules};
use crate::symmetry::Group;

/// The most two-colour squares of a board of which none is split.
const MOST_PAIRS: u32 = 32;
/// The two-colour squares that are left if some are split, at most: 8 MiB of colourings in a bit plane of one set.
const LEFT: u32 = 26;

impl Frame {
    /// The frame of `rules` with `squares`, which must be squares of the rules. Squares of large boards are split, if that leaves
    /// few enough sets. `group` has symmetries that map squares to squares: it maps split squares to split squares. `None` if there are
    /// too many squares or sets. Reachability starts from the starts of the rules and from `roots`.
    #[must_use]
    pub fn split(rules: &Rules, squares: &Squares, roots: &[Position], group: &Group) -> Option<Self> {
        let split = (squares.pairs() > MOST_PAIRS).then(|| squares.split(rules, group, LEFT));
        // If every square depends on every other, all are split, which may be too many.
        split.and_then(|split| Self::of(rules, &split, roots)).or_else(|| Self::of(rules, squares, roots))
    }
}

impl Squares {
    /// The same squares of `rules`, some of them split, so that at most `left` two-colour squares are left. The split ones come last.
    /// `group` has symmetries that map squares to squares: it maps split squares to split squares.
    #[must_use]
    pub fn split(&self, rules: &Rules, group: &Group, left: u32) -> Self {
        let pairs = self.set_of(|square| square.second.is_some());
        let mut choices = choices(rules, self, group);
        let (mut split, mut last) = (0, Vec::new());
        // The first of the smallest choices that suffice is split. If none suffices, the first of the largest is split, and so on.
        while let Some(more) = (pairs & !split).count_ones().checked_sub(left).filter(|&more| more > 0) {
            let size = |choice: u64| (choice & pairs).count_ones();
            let are_enough = choices.iter().copied().filter(|&choice| size(choice) >= more);
            let largest = || choices.iter().copied().rev().max_by_key(|&choice| size(choice));
            let Some(choice) = are_enough.min_by_key(|&choice| size(choice)).or_else(largest) else { break };
            choices.retain(|&other| other != choice);
            split |= choice;
            let squares = (0..).zip(self.list()).filter(|(number, _)| choice >> number & 1 == 1);
            let cells = squares.flat_map(|(_, square)| [Some(square.first), square.second].into_iter().flatten());
            last.extend(cells.map(|first| Square { first, second: None }));
        }
        let kept = (0..).zip(self.list()).filter(|(number, _)| split >> number & 1 == 0).map(|(_, square)| *square);
        Self::from_list(kept.chain(last).collect())
    }
}

/// Sets of squares that can only be split together: squares that are filled in an order, and their images under symmetry. Those with the
/// most squares of terminal patterns come first.
fn choices(rules: &Rules, squares: &Squares, group: &Group) -> Vec<u64> {
    let mut choices = groups_of(squares.list().len() as u32, &steps(rules, squares));
    for map in group.generators().iter().filter_map(|symmetry| SquareSymmetry::new(symmetry, squares)) {
        let mut number = 0;
        while let Some(&choice) = choices.get(number) {
            let image = map.of_set(choice);
            let (with, without): (Vec<u64>, Vec<u64>) =
                choices.iter().partition(|&&other| other & (choice | image) != 0);
            if with.len() > 1 {
                choices = without;
                choices.push(with.into_iter().fold(0, |all, one| all | one));
                number = 0;
            } else {
                number += 1;
            }
        }
    }
    // If split squares complete a terminal pattern, labels of whole slices are equal and compress well.
    let patterns: Vec<u64> = rules.ends().iter().map(|end| touched(squares, end.pattern)).collect();
    let parts = |choice: u64| patterns.iter().map(|pattern| (pattern & choice).count_ones()).sum::<u32>();
    choices.sort_by_cached_key(|&choice| (Reverse(parts(choice)), choice.trailing_zeros()));
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colourings::sets::tests::dropping;
    use crate::rules::{Board, End, Mode, Move, Outcome, RulesSpec, Symmetry};

    /// Columns are split whole, as few as suffice, those of the most patterns first, and with each column its mirror image.
    #[test]
    fn columns_are_split_whole() {
        for (columns, rows, mirrored, split) in
            [(6, 6, true, vec![2, 3]), (6, 6, false, vec![2, 3]), (7, 5, true, vec![2, 4]), (7, 6, true, vec![2, 4, 3])]
        {
            // Four pieces in the lowest row.
            let four = |first| (first..first + 4).map(|column| Board::bit(column * rows)).collect();
            let end =
                |first| End { mode: Mode(1), pattern: four(first), outcome: Outcome::Loss.into(), empty: Board::EMPTY };
            let ends = (0..columns - 3).map(end).collect();
            let rules = RulesSpec { ends, ..dropping(columns, rows, false) }.build().unwrap();
            let squares = Squares::of(&rules, &[]);
            let cells = (0..2 * columns * rows).map(|cell| {
                let (square, colour) = (cell % (columns * rows), cell / (columns * rows));
                ((columns - 1 - square / rows) * rows + square % rows + colour * columns * rows) as u8
            });
            let mirror = Symmetry::new(cells.collect(), vec![0, 1]).unwrap();
            let mirrors = if mirrored { vec![mirror] } else { Vec::new() };
            let group = Group::new(&rules, &rules.start_positions(), &mirrors).unwrap();
            let found = squares.split(&rules, &group, LEFT);
            assert!(Squares::new(found.list().to_vec(), &rules, &[]).is_ok());
            let singles = &found.list()[found.pairs() as usize..];
            let mut of: Vec<u32> = singles.iter().map(|square| u32::from(square.first) / rows % columns).collect();
            of.dedup();
            assert_eq!(of, split, "{columns}x{rows}");
            assert_eq!(singles.len() as u32, 2 * rows * split.len() as u32);
        }
    }

    /// If a move names all squares, they can only be split together, and then there are too many.
    #[test]
    fn boards_that_cannot_be_split_stay_whole() {
        let mut spec = dropping(6, 6, false);
        let first = Board::full(36);
        spec.moves.push(Move { empty: Board::full(72), mode: Mode(0), next: Mode(1), ..Move::fill(first) });
        let rules = spec.build().unwrap();
        let squares = Squares::of(&rules, &[]);
        assert_eq!(squares.split(&rules, Group::trivial(), LEFT).list().len(), 72);
        assert_eq!(Frame::split(&rules, &squares, &[], Group::trivial()), Frame::of(&rules, &squares, &[]));
    }

    /// The positions are the same, and there are as many of them.
    #[test]
    fn a_large_board_has_small_sets() {
        let rules = dropping(6, 6, false).build().unwrap();
        let squares = Squares::of(&rules, &[]);
        let (split, whole) = (Frame::split(&rules, &squares, &[], Group::trivial()), Frame::of(&rules, &squares, &[]));
        let (split, whole) = (split.unwrap(), whole.unwrap());
        assert_eq!((split.squares().pairs(), whole.squares().pairs()), (24, 36));
        assert_eq!(split.count(), whole.count());
        assert_eq!(split.offsets().sets(), 7u64.pow(4) * 127u64.pow(2));
        let mut draw = fastrand::Rng::with_seed(6);
        for _ in 0..1000 {
            let position = whole.unrank(draw.u64(..whole.count().unwrap())).and_then(|place| whole.position(place));
            let place = position.and_then(|position| split.place(position)).unwrap();
            assert_eq!(split.position(place), position);
            assert_eq!(split.place_at(split.bit(place)), Some(place));
            assert_eq!(split.modes_at(place.set.count_ones()), [Mode((place.set.count_ones() % 2) as u16)]);
        }
    }

    #[test]
    fn no_more_squares_are_split_than_needed() {
        let rules = dropping(2, 3, false).build().unwrap();
        let squares = Squares::of(&rules, &[]);
        assert_eq!([6, 5, 3, 2].map(|left| squares.split(&rules, Group::trivial(), left).pairs()), [6, 3, 3, 0]);
        // None of 32 squares is split.
        let rules = dropping(4, 8, false).build().unwrap();
        let squares = Squares::of(&rules, &[]);
        assert_eq!(Frame::split(&rules, &squares, &[], Group::trivial()), Frame::of(&rules, &squares, &[]));
    }
}
