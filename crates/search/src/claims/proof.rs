//! A proof that no game can be drawn, which all positions of a search share.

use super::descent::Player;
use super::sets::one_is_filled;
use crate::budget::Budget;

/// The most steps of an attempt. Empty boards of Hex take 21,000 steps with 5x5 hexagons and 1.6 million steps, half a second, with 6x6 hexagons.
const STEPS: u32 = 1 << 21;
/// The part of the work of a search that an attempt may take.
const PART: u64 = 2;
/// After this many further pieces, an attempt may succeed where another failed: each piece halves the full boards that can follow.
const FURTHER: u32 = 4;

/// An attempt to prove, for a position, that no full board that can follow lacks a set of either side.
pub(super) struct Proof {
    /// The pieces of the players of modes 0 and 1.
    pieces: [u64; 2],
    /// True if it succeeded.
    is_found: bool,
    /// The most work that it could take.
    most: u64,
}

impl Proof {
    /// Returns whether there is a proof for the position with these players of modes 0 and 1. Makes another attempt unless `proof` tells.
    pub(super) fn renewed(proof: &mut Option<Self>, first: &Player, second: &Player, budget: &mut Budget<'_>) -> bool {
        let (pieces, most) = ([first.pieces, second.pieces], budget.left() / PART);
        if let Some(known) = proof.as_ref().filter(|known| known.tells(pieces, most)) {
            return known.is_found;
        }
        let (mut steps, mut left) = (0, most);
        let is_found = one_is_filled(&first.sets, &second.sets, &mut |sets| {
            (steps, left) = (steps + 1, left.saturating_sub(sets as u64));
            steps <= STEPS && left > 0 && budget.work(sets).is_some()
        });
        *proof = Some(Self { pieces, is_found, most });
        is_found
    }

    /// Returns whether another attempt for the position with these `pieces`, which may take `most` work, would be in vain.
    fn tells(&self, pieces: [u64; 2], most: u64) -> bool {
        let count = |pieces: [u64; 2]| pieces.map(u64::count_ones).iter().sum::<u32>();
        let follows = self.pieces.iter().zip(pieces).all(|(before, after)| before & !after == 0);
        let is_alike = count(pieces) < count(self.pieces) + FURTHER && most / PART <= self.most;
        follows && (self.is_found || is_alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Effort;

    #[test]
    fn the_moves_of_a_position_share_a_proof() {
        // Two of three squares, for either player: no full board lacks both.
        let families = [[0b011, 0b101, 0b110], [0b011, 0b101, 0b110]];
        let with = |pieces: [u64; 2]| [0, 1].map(|side| Player::new(&families[side], pieces[side], pieces[1 - side]));
        let mut calls = 0;
        let mut work = |proof: &mut Option<Proof>, pieces: [u64; 2], limit: u64, stops: bool| {
            let [first, second] = with(pieces);
            let mut continues = |_| {
                calls += 1;
                !stops
            };
            let effort = Effort::default();
            let budget = &mut Budget::new(Some(&mut continues), effort, effort.end(limit));
            (Proof::renewed(proof, &first, &second, budget), budget.effort.work > 0)
        };
        let mut proof = None;
        assert_eq!(work(&mut proof, [0, 0], 1, true), (false, true));
        // A move later, with the same limit, it is not tried again; with a higher one it is.
        assert_eq!(work(&mut proof, [0b1, 0], 1, false), (false, false));
        assert_eq!(work(&mut proof, [0b1, 0], 100, false), (true, true));
        // Found for one move, it holds after it, and not after another one.
        assert_eq!(work(&mut proof, [0b1, 0b10], 1, false), (true, false));
        assert_eq!(work(&mut proof, [0b10, 0], 100, false), (true, true));
        assert!(calls > 0);
    }
}
