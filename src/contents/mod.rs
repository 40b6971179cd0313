//! What a solved game holds, in memory or in a table: a label of every (mode, board), or of what play can reach.
//!
//! Both solvers fill it, a table stores it, and every reader matches on it: there is no third case and no case to forget.

mod dense;
mod sparse;

use crate::plane::Conflict;
use crate::rules::{Outcome, Position};

pub use crate::reachable::{LevelSize, Misplaced};
pub use dense::Dense;
pub use sparse::Sparse;

/// The labels of a solved game, borrowed from wherever they lie.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// Every board in every mode has its labels.
    Dense(Dense<'a>),
    /// The positions that play can reach have theirs, and no others.
    Sparse(Sparse<'a>),
}

/// Bytes that no solver writes: they are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelFault {
    /// Both a win and a loss.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Keys of positions that make no sense.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// Bits that stand for no outcome.
    #[error("mode {} and board {:#x} have an outcome that is none", position.mode.0, position.board)]
    NoOutcome {
        /// The position.
        position: Position,
    },
}

impl Contents<'_> {
    /// How many positions have labels.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Dense(dense) => dense.count(),
            Self::Sparse(sparse) => sparse.count(),
        }
    }

    /// The position of rank `rank`, from 0 up to [`count`](Self::count): an order in which moves lead to larger ranks.
    ///
    /// # Errors
    /// If the keys there are damaged, or there is no such rank.
    pub fn unrank(&self, rank: u64) -> Result<Position, LabelFault> {
        match self {
            Self::Dense(dense) => Ok(dense.unrank(rank)),
            Self::Sparse(sparse) => sparse.unrank(rank),
        }
    }

    /// The outcome of `position`, a position of the rules, for the player to move; `None` if it is not held, and so not
    /// reachable.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn outcome(&self, position: Position) -> Result<Option<Outcome>, LabelFault> {
        match self {
            Self::Dense(dense) => Ok(Some(dense.outcome(position)?)),
            Self::Sparse(sparse) => sparse.outcome(position),
        }
    }
}
