//! The contents of a solved game, in memory or in a table: a label of every (mode, board), or of the reachable
//! positions.
//!
//! Both solvers produce it, a table stores it, and every reader matches on it, so there is no third case and none can
//! be forgotten.

mod dense;
mod sparse;

use crate::plane::Conflict;
use crate::rules::{Outcome, Position};

pub use crate::reachable::{LevelSize, Misplaced};
pub use dense::Dense;
pub use sparse::Sparse;

/// The labels of a solved game, borrowed from wherever they are.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// Labels of every board in every mode.
    Dense(Dense<'a>),
    /// Labels of only those positions that play can reach.
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
    /// Bits that do not represent an outcome.
    #[error("mode {} and board {:#x} have bits that are not an outcome", position.mode.0, position.board)]
    NoOutcome {
        /// The position.
        position: Position,
    },
}

impl Contents<'_> {
    /// The number of positions with labels.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Dense(dense) => dense.count(),
            Self::Sparse(sparse) => sparse.count(),
        }
    }

    /// The position of rank `rank`, from 0 up to but not including [`count`](Self::count), in an order in which moves
    /// lead to larger ranks.
    ///
    /// # Errors
    /// If the keys there are damaged, or there is no such rank.
    pub fn unrank(&self, rank: u64) -> Result<Position, LabelFault> {
        match self {
            Self::Dense(dense) => Ok(dense.unrank(rank)),
            Self::Sparse(sparse) => sparse.unrank(rank),
        }
    }

    /// The outcome of `position`, a position of the rules, for the player to move; `None` if it is not stored, and so
    /// not reachable.
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
