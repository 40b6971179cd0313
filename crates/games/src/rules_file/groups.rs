//! Groups: sets of squares that count when one player's pieces fill them, such as the mills of Morris games or the
//! sides of a box. A move can require that it completes a number of groups, or that the piece it takes is in no full
//! group.
//!
//! A mask cannot express that a group is *not* full, since this means that some square of it is not filled. So the move
//! becomes several moves, one for each such square:
//!
//! ```text
//! not all of a, b, c filled    =    a free    or    b free    or    c free
//! ```
//!
//! A square that is filled in both colours is blocked: it has no piece. So "a has no piece" is one case or two, see
//! `Squares::no_piece`.
//!
//! Several of these moves may be legal on one board, with the same result. Testing only for the first unfilled square
//! would make them exclusive, but would destroy the symmetries of the rules.

use std::ops::RangeInclusive;

use super::area;
use super::each::{self, EachTable};
use super::error::Read;
use super::pattern::Pattern;
use super::placement::{Budget, Pieces, Placement};
use super::source::{Item, Mistakes};
use super::squares::Setup;
use super::stamp;
use crate::rules::Board;

/// The keys of `[[group]]`.
pub(super) const KEYS: [&[&str]; 3] = [&["each", "squares", "completer"], &stamp::KEYS, &area::KEYS];
/// The most groups.
const MOST: usize = 256;
/// The largest number of groups that a move may touch: every subset of them becomes a case.
const MOST_TOUCHED: usize = 8;

/// The groups of a file.
#[derive(Default)]
pub(super) struct Groups {
    all: Vec<Vec<usize>>,
    /// The groups whose completer takes a piece: their cells in each colour, in ascending order.
    taking: [Vec<Board>; 2],
}

/// Reads every `[[group]]`.
pub(super) fn read(item: Option<Item<'_>>, of_file: Setup<'_>, budget: &mut Budget, mistakes: &Mistakes<'_>) -> Groups {
    let mut groups = Groups::default();
    for EachTable { table, mut keys, values } in each::tables(item, "[[group]]", &KEYS, of_file.values, budget) {
        let setup = Setup { values: values.as_ref().unwrap_or(of_file.values), ..of_file };
        let squares = setup.squares;
        let mut group = || -> Read<()> {
            let takes = keys.take("completer");
            if let Some(item) = takes {
                item.word(&["takes"])?;
                item.ensure(squares.colours() == 2, "a [board] with `colours`", "none")?;
                item.ensure(
                    !squares.has_blocks,
                    "a game in which no square is blocked",
                    "moves or a start that block",
                )?;
            }
            let mut found: Vec<Vec<usize>> = Vec::new();
            if let Some(pattern) = Pattern::take(&mut keys, setup, true)? {
                let placements = pattern.placements(Pieces { squares, colour: 0 }, budget)?;
                found.extend(placements.iter().map(|placement| squares.touched(placement.fills)));
            } else {
                let item = keys.need("squares", "the squares of the group, or `shape`, or `line`")?;
                found.push(setup.choose(item)?);
            }
            for mut group in found.into_iter().filter(|group| !group.is_empty()) {
                // A group is a set: `squares` may name its squares in any order, and more than once.
                group.sort_unstable();
                group.dedup();
                if takes.is_some() {
                    for (colour, taking) in (0..).zip(&mut groups.taking) {
                        let cells: Board = group.iter().filter_map(|&square| squares.cell(square, colour)).collect();
                        if let Err(place) = taking.binary_search(&cells) {
                            taking.insert(place, cells);
                        }
                    }
                }
                if !groups.all.contains(&group) {
                    groups.all.push(group);
                }
            }
            let count = groups.all.len();
            table.ensure(count <= MOST, format!("at most {MOST} groups in all"), count.to_string())
        };
        if mistakes.keep(group()).is_some() {
            keys.finish();
        } else if budget.is_spent() || mistakes.are_enough() {
            break;
        }
    }
    groups
}

impl Groups {
    /// The squares of each group.
    pub(super) fn all(&self) -> &[Vec<usize>] {
        &self.all
    }

    /// The cells in `colour` of each group whose completer takes a piece, in ascending order.
    pub(super) fn taking(&self, colour: u32) -> &[Board] {
        &self.taking[colour as usize]
    }

    /// The moves that replace `placement`, of the player with these pieces, if it must complete a `number` of groups:
    /// fill squares of groups that are then full and were not full before.
    pub(super) fn completed(
        &self,
        placement: Placement,
        number: &RangeInclusive<u32>,
        player: Pieces<'_>,
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        let is_touched = |group: &&Vec<usize>| group.iter().any(|&square| player.arrives(&placement, square));
        let touched: Vec<&Vec<usize>> = self.all.iter().filter(is_touched).collect();
        if touched.len() > MOST_TOUCHED {
            let found = touched.len().to_string();
            return Err(item.found(format!("moves that touch at most {MOST_TOUCHED} groups"), found));
        }
        let mut all = Vec::new();
        for full in 0..1_u32 << touched.len() {
            if !number.contains(&full.count_ones()) {
                continue;
            }
            let mut found = vec![placement];
            for (number, group) in touched.iter().enumerate() {
                let is_completed = full >> number & 1 == 1;
                let cases = |found: &Placement| {
                    if is_completed { player.completing(found, group) } else { player.not_completing(found, group) }
                };
                found = found.iter().flat_map(cases).collect();
                budget.spend(item, 1 + found.len())?;
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// The moves that replace `placement`, which takes one of the pieces `taken`. The piece must be in no full group,
    /// unless all pieces of that colour are in full groups. The player has at most `most` such pieces.
    pub(super) fn outside_groups(
        &self,
        placement: Placement,
        most: u32,
        taken: Pieces<'_>,
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        let squares = taken.squares;
        let of = |group: &[usize]| group.iter().map(|&square| taken.cell(square)).collect::<Board>();
        let all_cells = of(squares.all());
        let piece = placement.clears & all_cells;
        item.ensure(piece.count() == 1, "a shape that takes one piece", piece.count().to_string())?;
        let mut found = vec![placement];
        for group in self.all.iter().filter(|group| of(group).contains(piece)) {
            // The taken piece is on the board before the move, so only the other squares decide whether a group is
            // full.
            let others: Vec<usize> = group.iter().copied().filter(|&square| taken.cell(square) != piece).collect();
            found = found.iter().flat_map(|found| taken.lacking(found, &others)).collect();
            budget.spend(item, 1 + found.len())?;
        }
        // All boards on which every piece is in a full group: unions of groups.
        let mut unions = vec![Board::EMPTY];
        for group in self.all.iter().map(|group| of(group)) {
            for number in 0..unions.len() {
                let union = unions[number] | group;
                if union.count() <= most && !unions.contains(&union) {
                    unions.push(union);
                }
            }
            budget.spend(item, unions.len() * unions.len())?;
        }
        for union in unions.into_iter().filter(|union| union.contains(piece)) {
            let mut whole = vec![placement];
            for &square in squares.all() {
                let is_in = union.contains(taken.cell(square));
                let cases = if is_in {
                    vec![squares.piece(square, taken.colour)]
                } else {
                    squares.no_piece(square, taken.colour)
                };
                whole = whole.iter().flat_map(|whole| cases.iter().filter_map(|case| whole.with(*case))).collect();
                budget.spend(item, whole.len())?;
            }
            found.extend(whole);
        }
        Ok(found)
    }
}

impl Pieces<'_> {
    fn cell(self, square: usize) -> Board {
        self.squares.cell(square, self.colour).unwrap_or_default()
    }

    /// The cell of `square` in the other colour, if there is one.
    fn other(self, square: usize) -> Board {
        if self.squares.colours() == 2 {
            self.squares.cell(square, 1 - self.colour).unwrap_or_default()
        } else {
            Board::EMPTY
        }
    }

    /// Returns whether the move puts a piece on `square`. A block is no piece.
    fn arrives(self, placement: &Placement, square: usize) -> bool {
        let other = self.other(square);
        placement.fills.contains(self.cell(square)) && (other.is_empty() || !placement.fills.contains(other))
    }

    /// Returns whether the conditions of the move exclude that `square`, where no piece arrives, has a piece after it.
    fn lacks(self, placement: &Placement, square: usize) -> bool {
        let (mine, other) = (self.cell(square), self.other(square));
        let stays_other = self.squares.has_blocks && (placement.full & !placement.clears).contains(other);
        (placement.clears | placement.empty).contains(mine) || stays_other && !other.is_empty()
    }

    /// The cases in which some square of `others`, where no piece arrives, has no piece.
    fn lacking(self, placement: &Placement, others: &[usize]) -> Vec<Placement> {
        if others.iter().any(|&square| self.lacks(placement, square)) {
            return vec![*placement];
        }
        // On a square that must have a piece, no case fits.
        let is_open = |square: &usize| {
            let [filled, empty] = self.squares.piece(*square, self.colour);
            !(placement.full.contains(filled) && placement.empty.contains(empty))
        };
        let cases = others.iter().rev().copied().filter(is_open);
        cases
            .flat_map(|square| self.squares.no_piece(square, self.colour))
            .filter_map(|case| placement.with(case))
            .collect()
    }

    /// The squares of `group` where a piece arrives, and the others.
    fn parts(self, placement: &Placement, group: &[usize]) -> (Vec<usize>, Vec<usize>) {
        group.iter().partition(|&&square| self.arrives(placement, square))
    }

    /// The cases in which the move completes `group`: the other squares have pieces, and some square was free where a
    /// piece arrives.
    fn completing(self, placement: &Placement, group: &[usize]) -> Vec<Placement> {
        let (arriving, others) = self.parts(placement, group);
        if others.iter().any(|&square| self.lacks(placement, square)) {
            return Vec::new();
        }
        let pieces = others.iter().map(|&square| self.squares.piece(square, self.colour));
        let all = pieces.fold([Board::EMPTY; 2], |all, piece| [all[0] | piece[0], all[1] | piece[1]]);
        let Some(placement) = placement.with(all) else { return Vec::new() };
        if arriving.iter().any(|&square| placement.empty.contains(self.cell(square))) {
            return vec![placement];
        }
        arriving.iter().rev().filter_map(|&square| placement.with([Board::EMPTY, self.cell(square)])).collect()
    }

    /// The cases in which the move does not complete `group`: some other square has no piece, or all squares where a
    /// piece arrives were filled before.
    fn not_completing(self, placement: &Placement, group: &[usize]) -> Vec<Placement> {
        let (arriving, others) = self.parts(placement, group);
        let mut cases = self.lacking(placement, &others);
        if cases[..] != [*placement] {
            let filled = arriving.iter().map(|&square| self.cell(square)).collect();
            cases.extend(placement.with([filled, Board::EMPTY]));
        }
        cases
    }
}
