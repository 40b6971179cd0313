//! A game in words: where its squares lie, and what its patterns are.

use super::kind::Kind;
use super::layout::{Layout, Sides};
use super::threats::Threats;

/// A game in words.
pub(super) struct Game {
    pub(super) layout: Layout,
    pub(super) threats: Threats,
    /// For each bit, the number of patterns through its square.
    pub(super) weights: [i32; 64],
}

impl Game {
    pub(super) fn new(kind: &Kind) -> Self {
        let layout = Layout::new(kind);
        let of = |squares: &Vec<usize>| squares.iter().fold(0, |all, &square| all | 1 << layout.bits[square]);
        let patterns: Vec<u64> = kind.patterns.iter().map(of).collect();
        let threats = Threats::new(&patterns, layout.board, layout.supported);
        let mut weights = [0; 64];
        for &bit in &layout.bits {
            weights[bit as usize] = patterns.iter().filter(|&pattern| pattern >> bit & 1 == 1).count() as i32;
        }
        Self { layout, threats, weights }
    }

    /// The empty squares that complete a pattern for the player with pieces `own`.
    #[inline(always)]
    pub(super) fn wins(&self, own: u64, occupied: u64) -> u64 {
        self.threats.completing(own) & self.layout.board & !occupied
    }

    /// The number of empty squares.
    #[inline(always)]
    pub(super) const fn empty(&self, occupied: u64) -> i32 {
        self.layout.squares as i32 - occupied.count_ones() as i32
    }

    /// The value of a full board, or of a position in which the player to move wins at once. A player who has a complete pattern already
    /// wins by any move.
    pub(super) fn at_once(&self, sides: Sides) -> Option<i32> {
        let occupied = sides.occupied();
        let playable = self.layout.playable(occupied);
        if playable == 0 {
            return Some(self.layout.full);
        }
        let wins = self.wins(sides.own, occupied) & playable != 0 || self.threats.fit_into(sides.own);
        wins.then(|| self.empty(occupied))
    }
}
