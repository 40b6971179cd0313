//! The move `outflanks`: a piece arrives, and turns over every line of the other side's pieces between it and another piece
//! of the mover, as in Reversi.
//!
//! In each direction, the squares next to the new piece decide what happens. Each case is a set of conditions, and no two
//! cases hold at once:
//!
//! ```text
//!     X Y Y M        the line turns over: here two pieces, or one, or three, ...
//!     X y            the neighbour is not of the other side: nothing turns over
//!     X Y Y o        the line ends at a free square
//!     X Y Y #        the line ends at the edge
//!     X Y Y *        the line ends at a blocked square, perhaps at its first
//! ```
//!
//! A move has one case for each direction, and so the moves of a square are all combinations of cases in which some line turns
//! over. On large boards they are too many. Then each square has one move, and the lines that may turn over are listed beside it.

use super::area::Area;
use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::reader::MOST_MOVES;
use super::source::{Item, Keys};
use super::squares::{Offset, Setup, Squares};
use super::stamp::{self, Sign};
use crate::rules::Line;

/// Maximum number of moves of a player that are listed one by one. Usually there are four modes: two players, each after a move
/// and after a pass.
const MOST_LISTED: usize = MOST_MOVES / 4;

/// The move `outflanks`.
pub(super) struct Outflank<'a> {
    /// One step in each direction.
    steps: Vec<Offset>,
    area: Area,
    item: Item<'a>,
}

/// A case of one direction: signs of squares, and whether a line turns over.
struct Case {
    signs: Vec<(usize, Sign)>,
    turns_over: bool,
}

impl<'a> Outflank<'a> {
    /// Takes the keys of the move, if the table has it.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>) -> Read<Option<Self>> {
        let Setup { squares, values } = setup;
        let Some(item) = keys.take("outflanks") else { return Ok(None) };
        item.ensure(item.flag()?, "true", "false")?;
        if squares.colours() == 1 || squares.is_graph() {
            return Err(item.found("a [board] of squares with `colours`", "another board"));
        }
        let directions = stamp::directions(keys, values, &["rows", "columns", "diagonals"])?;
        let steps = directions.into_iter().map(|(rows, cols)| Offset { rows, cols });
        let steps = steps.flat_map(|step| [step, step.back()]).collect();
        Ok(Some(Self { steps, area: Area::take(keys, setup)?, item }))
    }

    /// The squares where the new piece may lie.
    fn places<'s>(&'s self, squares: &'s Squares) -> impl Iterator<Item = usize> + 's {
        squares.all().iter().copied().filter(|&square| self.area.admits(&[square]))
    }

    /// The moves of the player with the pieces `mover`. Lists of lines are added to `lists`.
    pub(super) fn placements(
        &self,
        mover: Pieces<'_>,
        lists: &mut Vec<Vec<Line>>,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        // Where nothing blocks squares, the cases with blocked squares are listed if there is room. Without them, positions with
        // blocked squares are refused.
        for with_blocks in [true, false].into_iter().filter(|with_blocks| *with_blocks || !mover.squares.has_blocks) {
            if let Some(all) = self.listed(mover, with_blocks, budget)? {
                return Ok(all);
            }
        }
        self.with_lines(mover, lists, budget)
    }

    /// A move for each combination of cases; `None` if they are too many. `with_blocks` adds the cases in which a line meets
    /// a blocked square.
    fn listed(&self, mover: Pieces<'_>, with_blocks: bool, budget: &mut Budget) -> Read<Option<Vec<Placement>>> {
        let squares = mover.squares;
        // They are counted first: on large boards, most of the work would be in vain.
        let (mut of_squares, mut count, mut steps) = (Vec::new(), 0, 0);
        for square in self.places(squares) {
            let of_step = |&step: &Offset| cases(squares, square, step, with_blocks);
            let directions: Vec<Vec<Case>> = self.steps.iter().map(of_step).collect();
            budget.spend(self.item, directions.iter().map(Vec::len).sum())?;
            let combinations = |is_counted: fn(&&Case) -> bool| {
                let counts = directions.iter().map(|cases| cases.iter().filter(is_counted).count());
                counts.fold(1, |all: usize, count| all.saturating_mul(count))
            };
            let all = combinations(|_| true);
            if all > MOST_LISTED - count {
                return Ok(None);
            }
            (count, steps) = (count + all - combinations(|case| !case.turns_over), steps + all);
            of_squares.push((square, directions));
        }
        budget.spend(self.item, steps)?;
        let mut all = Vec::with_capacity(count);
        for (square, directions) in of_squares {
            let mut found = vec![(arrives(mover, square), false)];
            for cases in &directions {
                let with = |&(placement, turned): &(Placement, bool), case: &Case| {
                    Some((case.added(placement, mover)?, turned || case.turns_over))
                };
                found = found.iter().flat_map(|it| cases.iter().filter_map(move |case| with(it, case))).collect();
            }
            all.extend(found.into_iter().filter(|&(_, turned)| turned).map(|(placement, _)| placement));
        }
        Ok(Some(all))
    }

    /// One move for each square, with the lines that may turn over.
    fn with_lines(&self, mover: Pieces<'_>, lists: &mut Vec<Vec<Line>>, budget: &mut Budget) -> Read<Vec<Placement>> {
        let (squares, mut all) = (mover.squares, Vec::new());
        for square in self.places(squares) {
            let cases: Vec<Case> = self.steps.iter().flat_map(|&step| cases(squares, square, step, false)).collect();
            budget.spend(self.item, cases.len())?;
            let line = |case: &Case| {
                let Placement { empty, full, fills, clears, .. } =
                    case.added(Placement::default(), mover).filter(|_| case.turns_over)?;
                Some(Line { empty, full, fills, clears })
            };
            let lines: Vec<Line> = cases.iter().filter_map(line).collect();
            if lines.is_empty() {
                continue;
            }
            // A player has the same lines in each mode.
            let known = lists.iter().position(|list| *list == lines);
            let number = known.unwrap_or(lists.len());
            if known.is_none() {
                lists.push(lines);
            }
            all.push(Placement { lines: Some(number as u16), ..arrives(mover, square) });
        }
        Ok(all)
    }
}

/// A piece of the mover arrives at `square`.
fn arrives(mover: Pieces<'_>, square: usize) -> Placement {
    let mut placement = Placement::default();
    let _ = placement.add(mover, square, Sign::Fill);
    placement
}

impl Case {
    /// `placement` with the conditions and changes of the case; `None` if the board lacks a square.
    fn added(&self, mut placement: Placement, mover: Pieces<'_>) -> Option<Placement> {
        for &(at, sign) in &self.signs {
            placement.add(mover, at, sign)?;
            // Then no two cases hold on any board.
            placement.be_alone(mover, at, sign);
        }
        Some(placement)
    }
}

/// The cases of the line that begins beside `square`; `with_blocks` adds those in which it meets a blocked square.
fn cases(squares: &Squares, square: usize, step: Offset, with_blocks: bool) -> Vec<Case> {
    let line: Vec<usize> = squares.beyond(square, step).collect();
    let signs = |first: Sign, count: usize, last: Option<Sign>| -> Vec<(usize, Sign)> {
        let signs = line.iter().copied().zip(std::iter::repeat_n(first, count));
        signs.chain(line.get(count).copied().zip(last)).collect()
    };
    // Nothing can turn over on a single square, so it does not matter.
    if line.len() < 2 {
        return vec![Case { signs: Vec::new(), turns_over: false }];
    }
    let mut cases = vec![Case { signs: signs(Sign::NotYours, 1, None), turns_over: false }];
    for count in 1..line.len() {
        cases.push(Case { signs: signs(Sign::Capture, count, Some(Sign::Mine)), turns_over: true });
        cases.push(Case { signs: signs(Sign::Yours, count, Some(Sign::Free)), turns_over: false });
    }
    cases.push(Case { signs: signs(Sign::Yours, line.len(), None), turns_over: false });
    if with_blocks {
        let blocked = |count| Case { signs: signs(Sign::Yours, count, Some(Sign::Blocked)), turns_over: false };
        cases.extend((0..line.len()).map(blocked));
    }
    cases
}
