//! Moves as changes of planes, ahead and back.
//!
//! A move changes the same cells wherever it is legal, except that it may fill cells that are filled already. So it is undone by
//! the change that makes it, and says by itself to how many more or fewer filled cells of each plane it leads: moves that do so alike
//! are a *kind*, and from one region all moves of a kind lead to one region.

use std::collections::HashMap;

use super::bits::Portable;
use super::move_filters::{Cells, MoveFilters};
use super::planes::{Content, Planes};
use crate::rules::{Board, Mode, Move, Outcome, Rules};
use crate::solve::sparse::moves::ALL;

/// A move as a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The squares and cells that it changes.
    pub(super) change: Content,
    /// The cells that it fills, whether they were filled or not.
    pub(super) open: u64,
    /// Its kind if it fills none of these; each that it fills makes it the next one.
    pub(super) kind: u32,
}

/// From where a move leads where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Kind {
    pub(super) mode: u16,
    pub(super) next: u16,
    /// How many more cells are filled of each plane afterwards.
    pub(super) more: [i32; 3],
}

/// Moves, and what a board is asked before they are made, or undone.
pub(super) struct Tested {
    pub(super) tests: MoveFilters,
    pub(super) steps: Vec<Step>,
}

/// The moves from a mode, and how play ends there.
pub(super) struct Ahead {
    /// In the game's order.
    pub(super) moves: Tested,
    pub(super) ends: MoveFilters,
    /// The outcome of each end; the first that is met decides.
    pub(super) outcomes: Vec<Outcome>,
    /// The outcome for a player without a move.
    pub(super) terminal: Outcome,
}

/// The moves of some rules.
pub(super) struct Steps {
    pub(super) kinds: Vec<Kind>,
    /// Those of each mode.
    pub(super) ahead: Vec<Ahead>,
    /// Those that lead to each mode, where the other player moves on, and where the same one does.
    pub(super) back: Vec<[Tested; 2]>,
    /// True if a player ever moves on.
    pub(super) has_again: bool,
    /// True if a move ever fills cells that may be filled already.
    pub(super) has_open: bool,
}

impl Steps {
    pub(super) fn new(rules: &Rules, planes: &Planes) -> Self {
        let (mut kinds, mut known) = (Vec::new(), HashMap::new());
        let mut step = |m: &Move| {
            // What shares a square with a filled cell is empty, whether the move asks for that or not.
            let empty = m.empty | Board::from_word(planes.partners(Portable, m.full.low_word())) & !m.full;
            let open = m.fills & !empty & !m.full;
            let of = |cells: Board| planes.split(Portable, cells.low_word());
            let (filled, emptied) = (of(m.fills & empty), of(m.clears));
            let [first, second, single] = filled.counts().map(|count| count as i32);
            let less = emptied.counts().map(|count| count as i32);
            let more = [first - less[0], second - less[1], single - less[2]];
            // No cell of a square is filled unless it was empty.
            let open = of(open).single;
            let kind = Kind { mode: m.mode.0, next: m.next.0, more };
            let number = *known.entry((kind, open.count_ones())).or_insert_with(|| {
                let number = kinds.len() as u32;
                let each = |filled: u32| Kind { more: [more[0], more[1], more[2] + filled as i32], ..kind };
                kinds.extend((0..=open.count_ones()).map(each));
                number
            });
            Step { change: of(m.fills & empty | m.clears), open, kind: number }
        };
        let modes = rules.modes().len();
        let mut room = 2 * ALL;
        let ahead = (0..modes).map(|mode| {
            let mode = Mode(mode as u16);
            let (moves, ends) = (rules.moves_of(mode), rules.ends_of(mode));
            let tests: Vec<Cells> = moves.iter().map(|m| (m.empty, m.full)).collect();
            let patterns: Vec<Cells> = ends.iter().map(|end| (Board::EMPTY, end.pattern)).collect();
            let tests = MoveFilters::new(&tests, planes, &mut room);
            Ahead {
                moves: Tested { tests, steps: moves.iter().map(&mut step).collect() },
                ends: MoveFilters::new(&patterns, planes, &mut room),
                outcomes: ends.iter().map(|end| end.outcome).collect(),
                terminal: rules.terminal_in(mode),
            }
        });
        let ahead: Vec<Ahead> = ahead.collect();
        let mut lists: Vec<[(Vec<Cells>, Vec<Step>); 2]> = (0..modes).map(|_| Default::default()).collect();
        let mut has_again = false;
        for m in rules.moves() {
            let is_again = !rules.turns_over(m.mode, m.next);
            // Before the move, the partners of what it needs filled are empty: if it leaves them so, they are afterwards.
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
        let mut back = |(tests, steps): (Vec<Cells>, Vec<Step>)| {
            let tests = MoveFilters::new(&tests, planes, &mut room);
            Tested { tests, steps }
        };
        let back = lists.into_iter().map(|lists| lists.map(&mut back)).collect();
        let steps = ahead.iter().flat_map(|ahead: &Ahead| &ahead.moves.steps);
        let has_open = steps.into_iter().any(|step| step.open != 0);
        Self { kinds, ahead, back, has_again, has_open }
    }
}
