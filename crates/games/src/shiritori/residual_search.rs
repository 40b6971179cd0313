//! Search for positions that are not in the table because the net does not contain all unused words.
//!
//! Once a word that had cancelled is used, its partner has lost its counterpart, and the net of the unused words is no
//! longer part of the net from which the table was made. It is a net of its own, with the outcome of the true game (see
//! [`net`](super::net)), and its [`core()`] is searched. As soon as the edges that the table's net lacks are used up, the
//! search has reached the table and stops. The reply that restores the pairing uses up such an edge at once. Before
//! anything is searched, the table itself is asked.
//!
//! A board of the core is looked up together with edges that the core does not contain: these are as in the root
//! position, as far as the table has them. The result is exact if the core of all these edges is the core that is
//! searched. If it is not, the table is used for estimates only.

use super::core::{Core, core};
use super::net::{Counts, Net, net, take, total};
use crate::rules::{Board, MAX_CELLS, Mode, Node, Outcome, Position};
use crate::search::{Guide, Search};
use crate::{Ask, Play};

/// A map from the boards of one net to those of another.
pub(super) struct Embedding {
    /// Cells of edges that the other net lacks. They must be used.
    excess: Board,
    /// Cells of the other net whose edges this one lacks. They are used from the start.
    base: Board,
    /// For each byte of a board and each of its values, the cells of the other net.
    cells: Vec<[Board; 256]>,
}

impl Embedding {
    /// The map from the boards of `from` to those of `to`. `rest` says how many edges are unused of the kinds that `from`
    /// lacks.
    fn new(from: &Net, rest: &Counts, to: &Net) -> Self {
        let (mut excess, mut base) = (Board::EMPTY, Board::EMPTY);
        let mut target = [Board::EMPTY; MAX_CELLS as usize];
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

    /// The board of the other net for `board`, without the edges that the other net lacks.
    fn nearest(&self, board: Board) -> Board {
        let bytes = self.cells.iter().zip(board.le_bytes());
        bytes.fold(self.base, |union, (cells, byte)| union | cells[usize::from(byte)])
    }
}

/// A guide that looks up, in the table of one net, the positions of another.
struct Tabled<'a, 'b> {
    embedding: Embedding,
    /// Whether the boards of the table have the same outcomes as those searched, and are not just similar.
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

    /// A few more edges seldom change who wins.
    fn estimate(&mut self, position: Position) -> Option<Outcome> {
        (self.ask.look_up)(Position { board: self.embedding.nearest(position.board), ..position })
    }
}

/// A core is searched if it has at most this many words more than a board has cells.
const MOST_BEYOND: u64 = 64;

/// The outcome of the net `left` for the player who must answer `letter`. `table` is the net of the table. `None` if the
/// limit was reached, or if the core has so many edges that it would be.
pub(super) fn search(left: &Counts, letter: u16, table: &Net, play: Play, ask: &mut Ask<'_>) -> Option<Outcome> {
    let open = match play {
        Play::Normal => match core(left, letter) {
            Core::Settled(outcome) => return Some(outcome),
            Core::Open(open) => open,
        },
        // Letters are settled under normal play only.
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

/// Searches a core with more edges than a board has cells: word by word, until the rest fits.
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
    // A word after which others cancel leaves the fewest.
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

/// Whether `open`, the core of `left`, is also the core of `open` together with the other edges of `left` that `table`
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
