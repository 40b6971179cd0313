//! Search for positions that are not in the table because the net does not contain all unused words.
//!
//! If a player uses a word that had cancelled, its partner no longer cancels. Then the net of the unused words may not
//! be part of the table's net. This other net still has the outcome of the true game (see [`net`](super::net)), so the
//! search explores its [`core()`]. It stops at positions of the table, which it reaches once play has used all edges
//! that the table's net lacks. The opponent can use such an edge at once, by a reply that restores the pairing. A
//! position that the table holds needs no search.
//!
//! To look up a board of the core, the search adds edges that the core lacks. It takes them from the root position, as
//! far as the table has them. The result is exact if the core of all these edges is the searched core. Otherwise the
//! table only provides estimates.

use super::core::{Core, core};
use super::net::{Counts, Net, net, take, total};
use crate::rules::{Board, MAX_CELLS, Mode, Node, Outcome, Position};
use crate::search::{Guide, Search};
use crate::{Ask, Play};

/// A map from boards of one net to boards of another.
pub(super) struct Embedding {
    /// Cells of edges that the other net lacks. These edges must be used before a lookup is exact.
    excess: Board,
    /// Cells of the other net whose edges this net lacks. They count as used from the start.
    base: Board,
    /// The cells of the other net for each byte of a board and each value of the byte.
    cells: Vec<[Board; 256]>,
}

impl Embedding {
    /// The map from boards of `from` to boards of `to`. `rest` counts the unused edges of the kinds that `from` lacks.
    fn new(from: &Net, rest: &Counts, to: &Net) -> Self {
        let (mut excess, mut base) = (Board::EMPTY, Board::EMPTY);
        let mut target = vec![Board::EMPTY; from.graph.edges().len()];
        for (&ends, &copies) in &from.counts {
            let others = to.copies(ends);
            let (surplus, missing) = (copies.saturating_sub(others), others.saturating_sub(copies));
            excess |= from.used(ends, surplus);
            base |= to.used(ends, missing);
            for copy in surplus..copies {
                let cell = from.used(ends, copy + 1) & !from.used(ends, copy);
                let other = copy - surplus + missing;
                let its_own = to.used(ends, other + 1) & !to.used(ends, other);
                cell.bits().for_each(|bit| target[bit as usize] = its_own);
            }
        }
        for (&ends, &copies) in to.counts.iter().filter(|(ends, _)| !from.counts.contains_key(ends)) {
            let left = rest.get(&ends).copied().unwrap_or(0);
            base |= to.used(ends, copies.saturating_sub(left));
        }
        let of_byte = |cells: &[Board]| {
            std::array::from_fn(|value| {
                let used = cells.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
                used.map(|(_, &cell)| cell).collect()
            })
        };
        Self { excess, base, cells: target.chunks(8).map(of_byte).collect() }
    }

    /// The board of the other net for `board`; `None` if edges are unused that the other net lacks.
    fn exact(&self, board: Board) -> Option<Board> {
        board.contains(self.excess).then(|| self.nearest(board))
    }

    /// The board of the other net for `board`, ignoring edges that the other net lacks.
    fn nearest(&self, board: Board) -> Board {
        let bytes = self.cells.iter().zip(board.le_bytes());
        bytes.fold(self.base, |union, (cells, byte)| union | cells[usize::from(byte)])
    }
}

/// A search guide that looks up positions of one net in the table of another.
struct Tabled<'a, 'b> {
    embedding: Embedding,
    /// True if the outcomes of the table's boards are exact for the searched boards, false if they are estimates.
    exact: bool,
    ask: &'a mut Ask<'b>,
}

impl Guide for Tabled<'_, '_> {
    fn known(&mut self, position: Position) -> Option<Outcome> {
        let board = self.embedding.exact(position.board).filter(|_| self.exact)?;
        (self.ask.look_up)(Position { board, ..position })
    }

    fn estimates(&self) -> bool {
        true
    }

    /// The estimate ignores a few edges, which seldom change the winner.
    fn estimate(&mut self, position: Position) -> Option<Outcome> {
        (self.ask.look_up)(Position { board: self.embedding.nearest(position.board), ..position })
    }
}

/// The largest number of words beyond the cells of a board with which a core is still searched.
const MOST_BEYOND: u64 = 64;

/// The outcome of the net `left` for the player who must answer `letter`. `table` is the net of the table. `None` if
/// the search reached its limit, or if the core has too many edges for any limit.
pub(super) fn search(left: &Counts, letter: u16, table: &Net, play: Play, ask: &mut Ask<'_>) -> Option<Outcome> {
    let open = match play {
        Play::Normal => match core(left, letter) {
            Core::Settled(outcome) => return Some(outcome),
            Core::Open(open) => open,
        },
        // Letters settle under normal play only.
        Play::Misere if left.is_empty() => return Some(play.terminal()),
        Play::Misere => left.clone(),
    };
    if total(&open) > u64::from(MAX_CELLS) {
        return beyond(&open, letter, table, play, ask);
    }
    let exact = open == *left || same_core(left, &open, letter, table);
    let net = Net::new(open, table.graph.vertices().to_vec())?;
    let rules = net.graph.rules("left", play, Some(usize::from(letter))).ok()?;
    let mut search = Search::new(&rules).limit(ask.limit);
    let start = Position::new(Mode(letter), Board::EMPTY);
    let mut guide = Tabled { embedding: Embedding::new(&net, left, table), exact, ask };
    let outcome = search.outcome_with(Node::At(start), &mut guide).ok();
    ask.limit = ask.limit.saturating_sub(search.expanded());
    outcome
}

/// Searches a core with more edges than a board has cells: one word at a time, until the rest fits.
fn beyond(open: &Counts, letter: u16, table: &Net, play: Play, ask: &mut Ask<'_>) -> Option<Outcome> {
    if total(open) > u64::from(MAX_CELLS) + MOST_BEYOND {
        return None;
    }
    let replies = open.range((letter, 0)..=(letter, u16::MAX)).map(|(&ends, _)| {
        let mut after = open.clone();
        take(&mut after, ends);
        (ends.1, net(&after, play))
    });
    let mut replies: Vec<(u16, Counts)> = replies.collect();
    // The words that leave the fewest others come first.
    replies.sort_by_key(|(_, after)| total(after));
    let mut outcome = Some(play.terminal());
    for (next, after) in replies {
        ask.limit = ask.limit.checked_sub(1)?;
        match search(&after, next, table, play, ask) {
            Some(Outcome::Loss) => return Some(Outcome::Win),
            Some(_) => {}
            None => outcome = None,
        }
    }
    outcome
}

/// Returns whether `open`, the core of `left`, is still the core after adding the other edges of `left` that `table`
/// has.
fn same_core(left: &Counts, open: &Counts, letter: u16, table: &Net) -> bool {
    let mut seen = open.clone();
    for (&ends, &count) in left.iter().filter(|(ends, _)| !open.contains_key(ends)) {
        let held = table.copies(ends).min(count);
        if held > 0 {
            seen.insert(ends, held);
        }
    }
    matches!(core(&seen, letter), Core::Open(of_seen) if of_seen == *open)
}
