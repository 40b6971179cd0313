//! Positions that no table holds: words left over that the net had struck out.
//!
//! Once a struck-out word was said, its partner is left without one, and the net of the words that are left is no part
//! of the net the table was made from. It is a net of its own, though, with the outcome of the true game (see
//! [`net`](super::net)), and its [`core()`] decides: that is searched. As soon as the edges that the table's net lacks are
//! used up, the search stands in the table and stops. The pairing reply uses such an edge at once, and what the table
//! holds is seen before anything is searched.
//!
//! A board of the core is looked up with the edges that the core leaves out as they are at the root, as far as the table
//! has them. That is exact where the core of these edges is the core searched; where it is not, the table is not asked.

use super::core::{Core, core};
use super::net::{Counts, Net, net, take, total};
use crate::game::{Ask, Play};
use crate::rules::{Board, MAX_CELLS, Mode, Node, Outcome, Position};
use crate::solve::{Guide, Search};

/// How boards of one net are boards of another.
pub(super) struct Embedding {
    /// Cells that must be used: edges which the other net lacks.
    excess: Board,
    /// The other net's cells that this one does not have: used from the start.
    base: Board,
    /// For each value of each byte of a board, the cells of the other net.
    cells: Vec<[u64; 256]>,
}

impl Embedding {
    /// How boards of `from` are boards of `to`, in which of each class that `from` lacks as many edges are left as `rest`
    /// says.
    fn new(from: &Net, rest: &Counts, to: &Net) -> Self {
        let (mut excess, mut base) = (Board::EMPTY, Board::EMPTY);
        let mut target = [Board::EMPTY; 64];
        for (&ends, &copies) in &from.counts {
            let others = to.copies(ends);
            let (surplus, missing) = (copies.saturating_sub(others), others.saturating_sub(copies));
            excess |= from.used(ends, surplus);
            base |= to.used(ends, missing);
            for copy in surplus..copies {
                let cell = from.used(ends, copy + 1) & !from.used(ends, copy);
                let place = copy - surplus + missing;
                target[cell.0.trailing_zeros() as usize] = to.used(ends, place + 1) & !to.used(ends, place);
            }
        }
        for (&ends, &copies) in to.counts.iter().filter(|(ends, _)| !from.counts.contains_key(ends)) {
            let left = rest.get(&ends).copied().unwrap_or(0);
            base |= to.used(ends, copies.saturating_sub(left));
        }
        let of_byte = |cells: &[Board]| {
            std::array::from_fn(|value| {
                let used = cells.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
                used.fold(0, |sum, (_, cell)| sum | cell.0)
            })
        };
        Self { excess, base, cells: target.chunks(8).map(of_byte).collect() }
    }

    /// The other net's board for `board`; `None` where edges are left that it lacks.
    fn exact(&self, board: Board) -> Option<Board> {
        board.contains(self.excess).then(|| self.nearest(board))
    }

    /// The other net's board for `board` without the edges that it lacks.
    fn nearest(&self, board: Board) -> Board {
        let bytes = board.0.to_le_bytes();
        let cells = self.cells.iter().zip(bytes).fold(0, |sum, (cells, byte)| sum | cells[usize::from(byte)]);
        Board(cells) | self.base
    }
}

/// What the table tells a search of another net.
struct Tabled<'a, 'b> {
    embedding: Embedding,
    /// Whether the table's boards have the outcomes of those searched, and do not only resemble them.
    exact: bool,
    ask: &'a mut Ask<'b>,
}

impl Guide for Tabled<'_, '_> {
    fn leaf(&mut self, position: Position) -> Option<Outcome> {
        let board = self.embedding.exact(position.board).filter(|_| self.exact)?;
        (self.ask.look_up)(Position { board, ..position })
    }

    fn guesses(&self) -> bool {
        true
    }

    /// A few edges more seldom change who wins.
    fn promise(&mut self, position: Position) -> Option<Outcome> {
        (self.ask.look_up)(Position { board: self.embedding.nearest(position.board), ..position })
    }
}

/// Most words more than a board has cells, in a core that is still searched.
const MOST_BEYOND: u64 = 64;

/// Searches what `left`, with the letter `letter` to follow, is worth; `table` is the net of the table. `None` where the
/// limit was reached, or so many edges of the core are left that it would be.
pub(super) fn search(left: &Counts, letter: u16, table: &Net, play: Play, ask: &mut Ask<'_>) -> Option<Outcome> {
    let open = match play {
        Play::Normal => match core(left, letter) {
            Core::Settled(outcome) => return Some(outcome),
            Core::Open(open) => open,
        },
        // What settles letters is a theorem of normal play.
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

/// Searches a core of more edges than a board has cells: word by word, until what is left fits.
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
    // A word that cancels with another one leaves fewest.
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

/// Whether `open`, the core of `left`, is the core as well of `open` with those other edges of `left` that `table` has.
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
