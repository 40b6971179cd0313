//! Boards that are equal sums of parts.

use crate::parts::{all_parts, come_apart};
use crate::rules::{Board, Move, Rules};
use crate::{partisan, sums};

/// Numbers for the sums that the boards of a game are. Boards with equal numbers are equal as games, wherever their parts lie.
pub struct SumKeys {
    moves: Vec<Move>,
}

impl SumKeys {
    /// The numbers for `rules`; `None` unless a player without a move loses and positions often come apart.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<Self> {
        let start = rules.start_positions().into_iter().next()?;
        let impartial = || sums::kind::moves(rules).filter(|moves| come_apart(moves, start, sums::kind::LEAST));
        let moves = impartial().or_else(|| partisan::kind::moves(rules))?;
        Some(Self { moves: moves.to_vec() })
    }

    /// The numbers of the parts of `board`, in order. Different sums have different numbers, as far as 128 bits of each part can tell.
    #[must_use]
    pub fn of_board(&self, board: Board) -> Vec<u128> {
        let mut keys: Vec<u128> = all_parts(&self.moves, board).into_iter().map(|part| part.key).collect();
        keys.sort_unstable();
        keys
    }
}
