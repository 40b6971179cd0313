//! The net of a list of words: the words that are left after all cancelling pairs are removed.
//!
//! Words are the edges of a directed multigraph whose vertices are letters. To say a word is to walk along its edge, at
//! most once. Under normal play, a player without an answer loses:
//!
//! **Theorem.** Let `G` be a set of words and `x` the current letter. Let `e` and `f` be two of the words that go
//! opposite ways: `e = a…b` and `f = b…a`, or both are loops at `a`. Then `(G, x)` and `(G − {e, f}, x)` have the same
//! outcome.
//!
//! *Proof.* Let `W` be the player who wins `(G − {e, f}, x)` with a strategy `S`. In `(G, x)`, `W` plays by `S` and
//! says `e` or `f` only in reply to the other. Before either is said, the unused words and the letter belong to a play
//! by `S`, so `W` has an answer on every turn. If the opponent says `e`, the letter is `b` (`a` for loops) and `W`
//! replies `f`. If the opponent says `f`, `W` replies `e`. Either way the opponent must again answer the same letter as
//! before. The unused words of `G − {e, f}` have not changed, so `W` continues by `S`. Hence `W` always has an answer.
//! The words run out, so the opponent is the player without an answer. ∎
//!
//! The theorem is applied until nothing cancels. If there are m words `a…b` and n words `b…a`, the net keeps |m − n| words
//! of the more frequent kind. It keeps one loop at a letter if their number is odd, otherwise none. The result depends
//! neither on the removed words nor on the order. So the unused words of any position have a net, which has the outcome
//! of the true game. The length of play is not preserved, because the loser can say a removed word at any time.
//!
//! The theorem does not hold in **misère play**, in which a player without an answer wins: the winner must at some time
//! have no answer. Take the words `0…1`, `1…0` and a loop `1…1`, and the letter 0. Without the pair the player to move
//! cannot answer, and wins. With the pair that player must say `0…1`. The opponent says the loop, `1…0` is forced, and
//! the opponent cannot answer and wins. So in misère play the net keeps every word.
//!
//! Words with the same ends are interchangeable in both kinds of play, because permuting them changes nothing. Play
//! uses them in their order.

use std::collections::BTreeMap;

use crate::rules::{Board, MAX_CELLS};
use crate::{Graph, Play};

/// The first and the last letter of a word.
pub(super) type Ends = (u16, u16);
/// The number of words for each pair of ends. Ends without words have no entry.
pub(super) type Counts = BTreeMap<Ends, u32>;

/// The words that remain of `words` after all pairs that cancel under `play` are removed.
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

/// Removes one word with these ends. Returns false if there was none.
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

/// A net as a graph of letters. Its edges are sorted by their ends, so that parallel edges have adjacent cells. Play
/// fills these cells in order.
pub(super) struct Net {
    pub(super) counts: Counts,
    pub(super) graph: Graph,
}

impl Net {
    /// The net with these words; `None` if they are more than the cells of a board.
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

    /// The number of words with these ends.
    pub(super) fn copies(&self, ends: Ends) -> u32 {
        self.counts.get(&ends).copied().unwrap_or(0)
    }

    /// The cells of the first `used` words with these ends.
    pub(super) fn used(&self, ends: Ends, used: u32) -> Board {
        let cells = self.graph.cells_between(usize::from(ends.0), usize::from(ends.1));
        cells.take(used as usize).collect()
    }

    /// The board on which exactly the words `left` are unused; `None` if the net does not contain all of them.
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
