//! The net of a list of words: what is left when all that cancels is struck out.
//!
//! Words are edges of a directed multigraph whose vertices are letters; saying one walks along it, once. Under normal
//! play, where who cannot answer loses:
//!
//! **Theorem.** Let `G` be words and `x` the letter to follow. Let `e` and `f` be two of the words such that `f` leads
//! back where `e` came from: `e = a…b` and `f = b…a`, or both loops at `a`. Then `(G, x)` and `(G − {e, f}, x)` have the
//! same outcome.
//!
//! *Proof.* Let `W` be the player who wins `(G − {e, f}, x)`, with a strategy `S`. In `(G, x)` let `W` play by `S`, and
//! say neither `e` nor `f` unprompted. While neither is said, the words and the letter are those of a play by `S`, so
//! `W` has an answer whenever it is `W`'s turn. Where the opponent says `e`, leaving the letter `b` (for loops `a`), `W`
//! says `f`; where the opponent says `f`, `W` says `e`. Either way the letter is again the one the opponent had to
//! answer, it is the opponent's turn again, and the words left are those of `G − {e, f}` as before: play goes on by `S`.
//! So `W` always has an answer. Words run out; `W` is not the one who is stuck. ∎
//!
//! Applied until nothing cancels: of the words a…b and b…a only the *difference* of their numbers is left, of loops one
//! or none. It does not matter which words are struck out or in what order, so after any words were said, those left
//! have a net of their own with the outcome of the true game. What is not kept is how long play takes: the loser may say
//! a struck-out word at any time.
//!
//! **Misère play** (who cannot answer wins) has no such theorem: `W` must not always have an answer. Take the words 0…1,
//! 1…0 and a loop 1…1, and the letter 0. Without the pair whoever is to answer is stuck, and wins. With it they must say
//! 0…1; the opponent says the loop; 1…0 is forced; the opponent is stuck and wins. So misère play keeps every word.
//!
//! Equal edges are interchangeable in either play: a permutation of them changes nothing. Of equal words the k-th is
//! said after the k−1 before it.

use std::collections::BTreeMap;

use crate::game::{Graph, Play};
use crate::rules::{Board, MAX_CELLS};

/// From which letter to which.
pub(super) type Ends = (u16, u16);
/// How many words there are with the same ends. None is stored as nothing.
pub(super) type Counts = BTreeMap<Ends, u32>;

/// What is left of `words` when all that cancels under `play` is struck out.
pub(super) fn net(words: &Counts, play: Play) -> Counts {
    match play {
        Play::Misere => words.clone(),
        Play::Normal => {
            let left = |(&(from, to), &count): (&Ends, &u32)| {
                let back = words.get(&(to, from)).copied().unwrap_or(0);
                let left = if from == to { count % 2 } else { count.saturating_sub(back) };
                (left > 0).then_some(((from, to), left))
            };
            words.iter().filter_map(left).collect()
        }
    }
}

/// Takes one word with these ends away. Whether there was one.
pub(super) fn take(words: &mut Counts, ends: Ends) -> bool {
    let Some(count) = words.get_mut(&ends) else { return false };
    *count -= 1;
    if *count == 0 {
        words.remove(&ends);
    }
    true
}

/// The number of words.
pub(super) fn total(words: &Counts) -> u64 {
    words.values().map(|&count| u64::from(count)).sum()
}

/// Words as the edges of a graph of letters, sorted by their ends: the cells of those with the same ends stand side by
/// side, and are filled in their order.
pub(super) struct Net {
    pub(super) counts: Counts,
    pub(super) graph: Graph,
}

impl Net {
    /// The graph of the words `counts`; `None` where they are more than a board has cells.
    pub(super) fn new(counts: Counts, letters: Vec<String>) -> Option<Self> {
        if total(&counts) > u64::from(MAX_CELLS) {
            return None;
        }
        let edges = counts.iter().flat_map(|(&(from, to), &count)| {
            std::iter::repeat_n((usize::from(from), usize::from(to)), count as usize)
        });
        let graph = Graph::of_ends(letters, edges).interchangeable();
        Some(Self { counts, graph })
    }

    /// How many words have these ends.
    pub(super) fn copies(&self, ends: Ends) -> u32 {
        self.counts.get(&ends).copied().unwrap_or(0)
    }

    /// The cells of the first `used` words with these ends.
    pub(super) fn used(&self, ends: Ends, used: u32) -> Board {
        let cells = self.graph.cells_between(usize::from(ends.0), usize::from(ends.1));
        cells.take(used as usize).collect()
    }

    /// The board on which just `left` is left to use; `None` where `left` is no part of these words.
    pub(super) fn board_of(&self, left: &Counts) -> Option<Board> {
        if left.keys().any(|ends| !self.counts.contains_key(ends)) {
            return None;
        }
        let used = |(&ends, &copies): (&Ends, &u32)| {
            let left = left.get(&ends).copied().unwrap_or(0);
            Some(self.used(ends, copies.checked_sub(left)?))
        };
        self.counts.iter().map(used).collect()
    }
}
