//! Letters that are settled, and the core that is left to search.
//!
//! A letter with no word left is *lost* for who must answer it; a letter with a word to a lost one is *won*; a letter
//! all of whose words lead to won ones is lost; and so on until nothing follows. What is not settled is *open*.
//!
//! **Theorem** (normal play). Who first has to answer a won letter wins, who first has to answer a lost one loses; and
//! the outcome at an open letter is that of the words from open to open letters alone, the *core*.
//!
//! *Proof.* Number the letters in the order they are settled: a won letter has a word to a lost one settled earlier, and
//! all words of a lost one lead to won ones settled earlier. Up to its first settled letter, play uses no word of a
//! settled letter. From there on the winner goes from won to lost letters settled earlier, the other can only go to won
//! ones settled earlier still: no letter comes twice, so no word on the way was used, and the winner always has one. An
//! open letter has no word to a lost one, and a word to a won one loses, as being stuck does: it may be struck out. ∎
//!
//! Words that no walk from the letter to follow can reach do not matter either, and are left out of the core.

use std::collections::{BTreeMap, BTreeSet};

use super::net::Counts;
use crate::rules::Outcome;

/// What is left of a net, seen from one letter.
pub(super) enum Core {
    /// The letter is settled.
    Settled(Outcome),
    /// These words decide.
    Open(Counts),
}

/// The core of `net` with `letter` to follow, under normal play.
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

/// The letters of `net`, and `letter`, that are settled: each with what it is for who must answer it.
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
            // The worst of what is left to the opponent; an open letter is no loss.
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

/// The letters that a walk from `letter` reaches.
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
        // 3 has no word; 2 leads to it; 1 leads to 2 alone; 0 to 1 and into a ring of its own, 4 5 6.
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
