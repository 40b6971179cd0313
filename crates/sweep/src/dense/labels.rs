//! The labels of 512 positions, and how moves decide them.

use super::block::{BLOCKS, Block};
use crate::rules::Outcome;
use crate::simd::Boards;

/// The labels of 512 positions. If the rules cannot draw, a position is lost unless it is won, and `losses` is unused.
#[derive(Clone, Copy)]
pub(super) struct Labels<V> {
    /// Wins for the player to move.
    pub(super) wins: V,
    /// Losses for the player to move.
    pub(super) losses: V,
}

/// A summary of the moves from 512 positions.
#[derive(Clone, Copy)]
pub(super) struct LabelMoves<V> {
    /// Positions with a winning move.
    pub(super) wins: V,
    /// Positions with a move that does not lose. Gathered only if the rules can draw.
    pub(super) safe: V,
}

/// A summary of the moves from each block of a tile.
pub(super) type TileMoves<V> = [LabelMoves<V>; BLOCKS];

/// The positions of a block that moves do not decide, because the game has ended or there is no move.
#[derive(Clone, Copy)]
pub(super) struct Fixed<V> {
    /// The other positions, which moves decide.
    pub(super) open: V,
    /// The labels of the positions that moves do not decide.
    pub(super) labels: Labels<V>,
}

impl<V: Boards> Labels<V> {
    /// No position is labelled.
    #[inline(always)]
    pub(super) fn none(token: V::Token) -> Self {
        Self { wins: V::none(token), losses: V::none(token) }
    }

    /// `true` if both are equal.
    #[inline(always)]
    pub(super) fn same<const DRAWS: bool>(self, other: Self) -> bool {
        self.wins.same(other.wins) && (!DRAWS || self.losses.same(other.losses))
    }
}

impl<V: Boards> LabelMoves<V> {
    /// No move yet.
    #[inline(always)]
    pub(super) fn none(token: V::Token) -> Self {
        Self { wins: V::none(token), safe: V::none(token) }
    }

    /// Adds a move that is legal in the positions of `mask`. `successors` are the labels for the other player after it.
    #[inline(always)]
    pub(super) fn add<const DRAWS: bool>(&mut self, mask: V, successors: Labels<V>) {
        if DRAWS {
            self.wins = self.wins.or_and(mask, successors.losses);
            self.safe = self.safe.or_without(mask, successors.wins);
        } else {
            self.wins = self.wins.or_without(mask, successors.wins);
        }
    }

    /// The labels, if moves decide all of them. `every` is every position.
    #[inline(always)]
    pub(super) fn labels(self, every: V) -> Labels<V> {
        Labels { wins: self.wins, losses: every.without(self.safe) }
    }
}

impl<V: Boards> Fixed<V> {
    /// Moves decide everything.
    #[inline(always)]
    pub(super) fn none(token: V::Token) -> Self {
        Self { open: V::load_block(token, &Block::ONES), labels: Labels::none(token) }
    }

    /// Overwrites the labels of the positions of `which` with `outcome`.
    #[inline(always)]
    pub(super) fn fix(&mut self, which: V, outcome: Outcome) {
        let Labels { wins, losses } = self.labels;
        self.open = self.open.without(which);
        self.labels = match outcome {
            Outcome::Win => Labels { wins: wins.or(which), losses: losses.without(which) },
            Outcome::Draw => Labels { wins: wins.without(which), losses: losses.without(which) },
            Outcome::Loss => Labels { wins: wins.without(which), losses: losses.or(which) },
        };
    }

    /// The labels of all positions, with `moves` as the moves of the undecided ones.
    #[inline(always)]
    pub(super) fn complete(self, moves: LabelMoves<V>) -> Labels<V> {
        let Self { open, labels } = self;
        Labels { wins: labels.wins.or_and(open, moves.wins), losses: labels.losses.or_without(open, moves.safe) }
    }
}
