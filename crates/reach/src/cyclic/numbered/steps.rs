//! Moves as changes of planes, forward and undone.
//!
//! A move changes the same cells wherever it is legal, except that it may fill cells that are already filled. So the same change makes
//! and undoes it. The masks also tell by how many filled cells each plane grows or shrinks. Moves that agree in this are of one
//! *kind*: from one region, all moves of a kind lead to one region.

use std::collections::HashMap;

use super::move_filters::{Cells, MoveFilters};
use super::planes::{Content, Planes};
use crate::rules::{Board, Mode, Move, Outcome, Rules};
use crate::simd::Portable;
use crate::sparse::moves::ALL;

/// A move as a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveStep {
    /// The squares and cells that the move changes.
    pub(super) change: Content,
    /// The cells that the move fills whether they are empty or not.
    pub(super) open: u64,
    /// Its kind if all `open` cells are filled already; each open cell that it fills makes it the next kind.
    pub(super) kind: u32,
}

/// The modes and the change of counts that moves of one kind share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Kind {
    pub(super) mode: u16,
    pub(super) next: u16,
    /// The change of the number of filled cells in each plane.
    pub(super) more: [i32; 3],
}

/// Moves, with the tests whether they can be made, or undone, at a board.
pub(super) struct Tested {
    pub(super) tests: MoveFilters,
    pub(super) steps: Vec<MoveStep>,
}

/// The moves from a mode, and the ends of play there.
pub(super) struct Ahead {
    /// The moves, in the game's order.
    pub(super) moves: Tested,
    pub(super) ends: MoveFilters,
    /// The outcome of each terminal pattern; the first that matches decides.
    pub(super) outcomes: Vec<Outcome>,
    /// The outcome for a player without a move.
    pub(super) terminal: Outcome,
}

/// The moves of some rules.
pub(super) struct Steps {
    pub(super) kinds: Vec<Kind>,
    /// The moves from each mode.
    pub(super) ahead: Vec<Ahead>,
    /// The moves that lead to each mode: first those after which the other player moves, then the others.
    pub(super) back: Vec<[Tested; 2]>,
    /// True if a player ever moves again.
    pub(super) has_again: bool,
    /// True if a move ever fills cells that may be filled already.
    pub(super) has_open: bool,
}

impl Steps {
    pub(super) fn new(rules: &Rules, planes: &Planes) -> Self {
        let (mut kinds, mut known) = (Vec::new(), HashMap::new());
        let mut step = |m: &Move| {
            // The partner of a filled cell is always empty, even if the move does not ask for that.
            let empty = m.empty | Board::from_word(planes.partners(Portable, m.full.low_word())) & !m.full;
            let open = m.fills & !empty & !m.full;
            let of = |cells: Board| planes.split(Portable, cells.low_word());
            let (filled, emptied) = (of(m.fills & empty), of(m.clears));
            let [first, second, single] = filled.counts().map(|count| count as i32);
            let less = emptied.counts().map(|count| count as i32);
            let more = [first - less[0], second - less[1], single - less[2]];
            // A move fills a cell of a square only if it is empty. So open cells lie outside of squares.
            let open = of(open).single;
            let kind = Kind { mode: m.mode.0, next: m.next.0, more };
            let number = *known.entry((kind, open.count_ones())).or_insert_with(|| {
                let number = kinds.len() as u32;
                let each = |filled: u32| Kind { more: [more[0], more[1], more[2] + filled as i32], ..kind };
                kinds.extend((0..=open.count_ones()).map(each));
                number
            });
            MoveStep { change: of(m.fills & empty | m.clears), open, kind: number }
        };
        let modes = rules.modes().len();
        let mut room = 2 * ALL;
        let ahead = (0..modes).map(|mode| {
            let mode = Mode(mode as u16);
            let (moves, ends) = (rules.moves_of(mode), rules.ends_of(mode));
            let tests: Vec<Cells> = moves.iter().map(|m| (m.empty, m.full)).collect();
            let patterns: Vec<Cells> = ends.iter().map(|end| (end.empty, end.pattern)).collect();
            let tests = MoveFilters::new(&tests, planes, &mut room);
            Ahead {
                moves: Tested { tests, steps: moves.iter().map(&mut step).collect() },
                ends: MoveFilters::new(&patterns, planes, &mut room),
                outcomes: ends.iter().map(|end| end.outcome).collect(),
                terminal: rules.terminal_in(mode).on(Board::EMPTY),
            }
        });
        let ahead: Vec<Ahead> = ahead.collect();
        let mut lists: Vec<[(Vec<Cells>, Vec<MoveStep>); 2]> = (0..modes).map(|_| Default::default()).collect();
        let mut has_again = false;
        for m in rules.moves() {
            let is_again = !rules.turns_over(m.mode, m.next);
            // The partners of cells that the move needs filled are empty before the move. If it does not fill them, they are still empty
            // afterwards.
            let partners = Board::from_word(planes.partners(Portable, m.full.low_word()));
            if !partners.is_disjoint(m.full) {
                continue;
            }
            let empty = m.clears | (m.empty | partners) & !m.fills;
            let full = m.fills | m.full & !m.clears;
            if !empty.is_disjoint(full) {
                continue;
            }
            has_again |= is_again;
            let (tests, steps) = &mut lists[usize::from(m.next.0)][usize::from(is_again)];
            tests.push((empty, full));
            steps.push(step(m));
        }
        let mut back = |(tests, steps): (Vec<Cells>, Vec<MoveStep>)| {
            let tests = MoveFilters::new(&tests, planes, &mut room);
            Tested { tests, steps }
        };
        let back = lists.into_iter().map(|lists| lists.map(&mut back)).collect();
        let steps = ahead.iter().flat_map(|ahead: &Ahead| &ahead.moves.steps);
        let has_open = steps.into_iter().any(|step| step.open != 0);
        Self { kinds, ahead, back, has_again, has_open }
    }
}
