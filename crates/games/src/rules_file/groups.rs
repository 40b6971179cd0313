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
//! Several of these moves may be legal on one board, with the same result. Testing only for the first unfilled square
//! would make them exclusive, but would destroy the symmetries of the rules.

use super::RulesFileError;
use super::each;
use super::expression::Values;
use super::pattern::Pattern;
use super::placement::{Budget, Placement};
use super::source::{Item, Mistakes};
use super::squares::Squares;
use crate::rules::Board;

/// The keys of `[[group]]`.
pub(super) const KEYS: [&str; 11] =
    ["each", "shape", "turns", "flips", "line", "along", "on", "rows", "cols", "first_on", "squares"];
/// The most groups.
const MOST: usize = 256;
/// The largest number of groups that a move may touch: every subset of them becomes a case.
const MOST_TOUCHED: usize = 8;

/// The groups of a file.
#[derive(Default)]
pub(super) struct Groups(Vec<Vec<usize>>);

impl Groups {
    /// The squares of each group.
    pub(super) fn all(&self) -> &[Vec<usize>] {
        &self.0
    }
}

/// Reads every `[[group]]`.
pub(super) fn read(
    item: Option<Item<'_>>,
    squares: &Squares,
    values: &Values,
    budget: &mut Budget,
    mistakes: &Mistakes<'_>,
) -> Groups {
    let mut groups = Groups::default();
    for each::Table { table, mut keys, values } in each::tables(item, "[[group]]", &KEYS, values, budget) {
        let values = &values;
        let mut group = || -> Result<(), RulesFileError> {
            let mut found: Vec<Vec<usize>> = Vec::new();
            if let Some((pattern, item)) = Pattern::take(&mut keys, squares, values, true)? {
                let of = |placement: &Placement| {
                    let is_in =
                        |&square: &usize| squares.cell(square, 0).is_some_and(|cell| placement.fills.contains(cell));
                    squares.all().iter().copied().filter(is_in).collect()
                };
                found.extend(pattern.placements(squares, 0, item, budget)?.iter().map(of));
            } else {
                let item = keys.need("squares", "the squares of the group, or `shape`, or `line`")?;
                found.push(squares.choose(item, values)?);
            }
            for group in found.into_iter().filter(|group| !group.is_empty()) {
                if !groups.0.contains(&group) {
                    groups.0.push(group);
                }
            }
            if groups.0.len() > MOST {
                return Err(table.found(format!("at most {MOST} groups in all"), groups.0.len().to_string()));
            }
            Ok(())
        };
        if mistakes.keep(group()).is_some() {
            keys.finish();
        }
    }
    groups
}

impl Groups {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves that replace `placement`, of a player of colour `mover`, if it must complete `least` to `most` groups.
    pub(super) fn completed(
        &self,
        placement: Placement,
        (least, most): (u32, u32),
        (squares, mover): (&Squares, u32),
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Placement>, RulesFileError> {
        let mine = |square: usize| squares.cell(square, mover).unwrap_or_default();
        let arrives = |square: usize| placement.fills.contains(mine(square));
        let touched: Vec<&Vec<usize>> =
            self.0.iter().filter(|group| group.iter().any(|&square| arrives(square))).collect();
        if touched.len() > MOST_TOUCHED {
            let found = touched.len().to_string();
            return Err(item.found(format!("moves that touch at most {MOST_TOUCHED} groups"), found));
        }
        let mut all = Vec::new();
        for full in 0..1_u32 << touched.len() {
            if !(least..=most).contains(&full.count_ones()) {
                continue;
            }
            let mut found = vec![placement];
            for (number, group) in touched.iter().enumerate() {
                let rest: Board =
                    group.iter().filter(|&&square| !arrives(square)).map(|&square| mine(square)).collect();
                found = with_group(&found, rest, full >> number & 1 == 1);
                budget.spend(item, 1 + found.len())?;
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// The moves that replace `placement`, which takes a piece of colour `taken`. The piece must be in no full group,
    /// unless all pieces of that colour are in full groups. The player has at most `most` such pieces.
    pub(super) fn outside_groups(
        &self,
        placement: Placement,
        most: u32,
        (squares, taken): (&Squares, u32),
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Placement>, RulesFileError> {
        let yours = |square: usize| squares.cell(square, taken).unwrap_or_default();
        let of = |group: &[usize]| group.iter().map(|&square| yours(square)).collect::<Board>();
        let all_cells = of(squares.all());
        let piece = placement.clears & all_cells;
        if piece.count() != 1 {
            return Err(item.found("a shape that takes one piece", piece.count().to_string()));
        }
        // The taken piece is on the board before the move, so only the other squares decide whether a group is full.
        let mut found = vec![placement];
        for group in self.0.iter().map(|group| of(group)).filter(|group| group.contains(piece)) {
            found = with_group(&found, group & !piece, false);
            budget.spend(item, 1 + found.len())?;
        }
        // All boards on which every piece is in a full group: unions of groups.
        let mut unions = vec![Board::EMPTY];
        for group in self.0.iter().map(|group| of(group)) {
            for number in 0..unions.len() {
                let union = unions[number] | group;
                if union.count() <= most && !unions.contains(&union) {
                    unions.push(union);
                }
            }
            budget.spend(item, unions.len() * unions.len())?;
        }
        let of_union = |union: &Board| Placement {
            full: placement.full | *union,
            empty: placement.empty | all_cells & !*union,
            ..placement
        };
        let whole = unions.iter().filter(|union| union.contains(piece)).map(of_union);
        found.extend(whole.filter(|placement| placement.empty.is_disjoint(placement.full)));
        Ok(found)
    }
}

/// The moves that replace `found` if the cells `rest` must all be filled after the move, or must not all be filled.
fn with_group(found: &[Placement], rest: Board, is_full: bool) -> Vec<Placement> {
    let one = |placement: &Placement| {
        // Cells that the move empties, or needs empty and leaves empty, are not filled after the move.
        let free = placement.clears | placement.empty & !placement.fills;
        let (stays_free, filled) = (!free.is_disjoint(rest), rest & placement.full);
        let with = |full: Board, empty: Board| Placement {
            full: placement.full | full,
            empty: placement.empty | empty,
            ..*placement
        };
        if is_full {
            let full = (!stays_free).then(|| with(rest, Board::EMPTY));
            return full.into_iter().collect::<Vec<_>>();
        }
        if stays_free {
            return vec![*placement];
        }
        let open = rest & !filled;
        open.bits().map(|bit| with(Board::EMPTY, Board::bit(bit))).collect()
    };
    found.iter().flat_map(one).collect()
}
