//! The core of a net: the words that still need a search after settled letters are removed.
//!
//! A letter with no word left is *lost* for the player who must answer it. A letter with a word to a lost letter is
//! *won*. A letter whose words all lead to won letters is lost. These rules are applied until nothing changes. Letters
//! with a label are then *settled*, the other letters are *open*.
//!
//! **Theorem** (normal play). The first player to answer a settled letter wins if the letter is won, and loses if it is
//! lost. The outcome at an open letter depends only on the words between open letters, the *core*.
//!
//! *Proof.* Number the letters in the order in which they are settled. A won letter has a word to a lost letter with a
//! smaller number. All words of a lost letter lead to won letters with smaller numbers. Before play reaches its first
//! settled letter, it uses no word that begins with a settled letter. From then on the winner moves from won letters to
//! lost letters with smaller numbers, and the opponent can only move to won letters with still smaller numbers. So no
//! letter occurs twice, no word on the way has been used before, and the winner always has a word. An open letter has no
//! word to a lost letter. A word from it to a won letter loses, just as having no word does, so it can be removed. ∎
//!
//! Words that no walk from the current letter can reach do not matter either, so the core does not contain them.

use std::collections::{BTreeMap, BTreeSet};

use super::net::Counts;
use crate::rules::Outcome;

/// The part of a net that needs a search from one letter.
pub(super) enum Core {
    /// No search is needed: the letter is settled.
    Settled(Outcome),
    /// These words, which decide the outcome.
    Open(Counts),
}

/// The core of `net` for the player who must answer `letter`, under normal play.
pub(super) fn core(net: &Counts, letter: u16) -> Core {
    let settled = settled(net, letter);
    if let Some(&outcome) = settled.get(&letter) {
        return Core::Settled(outcome);
    }
    let open = |&(from, to): &(u16, u16)| !settled.contains_key(&from) && !settled.contains_key(&to);
    let mut core: Counts = net.iter().filter(|(ends, _)| open(ends)).map(|(&ends, &count)| (ends, count)).collect();
    let reached = reached(&core, letter);
    core.retain(|ends, _| reached.contains(&ends.0));
    Core::Open(core)
}

/// The settled letters of `net` and `letter`, each with the outcome for the player who must answer it.
fn settled(net: &Counts, letter: u16) -> BTreeMap<u16, Outcome> {
    let letters: BTreeSet<u16> = net.keys().flat_map(|ends| [ends.0, ends.1]).chain([letter]).collect();
    let mut settled = BTreeMap::new();
    loop {
        let before = settled.len();
        for &letter in &letters {
            if settled.contains_key(&letter) {
                continue;
            }
            let mut after = net.range((letter, 0)..=(letter, u16::MAX)).map(|(ends, _)| settled.get(&ends.1));
            // An open letter counts neither as a win nor as a loss of the opponent.
            if after.clone().any(|outcome| outcome == Some(&Outcome::Loss)) {
                settled.insert(letter, Outcome::Win);
            } else if after.all(|outcome| outcome == Some(&Outcome::Win)) {
                settled.insert(letter, Outcome::Loss);
            }
        }
        if settled.len() == before {
            return settled;
        }
    }
}

/// The letters that a walk from `letter` can reach.
fn reached(net: &Counts, letter: u16) -> BTreeSet<u16> {
    let mut reached = BTreeSet::from([letter]);
    let mut open = vec![letter];
    while let Some(from) = open.pop() {
        for &(_, to) in net.range((from, 0)..=(from, u16::MAX)).map(|(ends, _)| ends) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(ends: &[(u16, u16)]) -> Counts {
        ends.iter().map(|&ends| (ends, 1)).collect()
    }

    #[test]
    fn letters_settle_backward() {
        // 3 has no word; 2 leads to 3; 1 leads to 2 only; 0 leads to 1 and into a ring of open letters, 4 5 6.
        let chain = [(2, 3), (1, 2), (0, 1), (0, 4), (4, 5), (5, 6), (6, 4), (4, 2)];
        let of = |letter| match core(&net(&chain), letter) {
            Core::Settled(outcome) => Some(outcome),
            Core::Open(_) => None,
        };
        use Outcome::{Loss, Win};
        assert_eq!([0, 1, 2, 3, 9].map(of), [Some(Win), Some(Loss), Some(Win), Some(Loss), Some(Loss)]);
        let Core::Open(ring) = core(&net(&chain), 4) else { panic!("the ring is open") };
        assert_eq!(ring, net(&[(4, 5), (5, 6), (6, 4)]));
    }
}
