//! The contents of a solved game, in memory or in a table: a label of every (mode, board), or of the reachable
//! positions.
//!
//! Both solvers produce it, a table stores it, and every reader matches on it, so there is no third case and none can
//! be forgotten.

mod by_filled;
mod bytes;
mod dense;
mod sparse;

use crate::label::{Label, LabelKind, LabelSet, Nimber, Remoteness, Value, Width};
use crate::plane::Conflict;
use crate::rules::{Outcome, Position};

pub use crate::reachable::{LevelSize, Misplaced};
pub use by_filled::FilledCounts;
pub use bytes::ByteLabels;
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
    /// A byte that does not represent a label.
    #[error("mode {} and board {:#x} have {number} as {label}, which is none", position.mode.0, position.board)]
    NoLabel {
        /// The position.
        position: Position,
        /// The label.
        label: LabelKind,
        /// The byte.
        number: u8,
    },
    /// Bits that do not represent an outcome.
    #[error("mode {} and board {:#x} have bits that are not an outcome", position.mode.0, position.board)]
    NoOutcome {
        /// The position.
        position: Position,
    },
}

impl<'a> Contents<'a> {
    /// The same with the labels of one byte that are in `more` as well.
    pub(crate) const fn with(self, more: ByteLabels<'a>) -> Self {
        match self {
            Self::Dense(dense) => Self::Dense(dense.with(more)),
            Self::Sparse(sparse) => Self::Sparse(sparse.with(more)),
        }
    }
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

    /// The labels of each position.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.bytes().labels()
    }

    /// The bytes of the labels of one byte.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'_> {
        match self {
            Self::Dense(dense) => dense.bytes(),
            Self::Sparse(sparse) => sparse.bytes(),
        }
    }

    /// Bytes of each label of one byte that belong to no position: a plane is padded with zeros.
    pub(crate) fn padding(&self) -> u64 {
        match self {
            Self::Dense(dense) => dense.padding(),
            Self::Sparse(_) => 0,
        }
    }

    /// Where the labels of one byte have that of `position`; `None` if it is not stored.
    pub(crate) fn byte(&self, position: Position) -> Result<Option<usize>, LabelFault> {
        Ok(match self {
            Self::Dense(dense) => Some(dense.byte(position)),
            Self::Sparse(sparse) => sparse.find(position)?.map(|(rank, _)| rank as usize),
        })
    }

    /// All labels of `position`, a position of the rules; `None` if it is not stored, and so not reachable.
    ///
    /// # Errors
    /// If the bytes they are read from are damaged.
    pub fn value(&self, position: Position) -> Result<Option<Value>, LabelFault> {
        let (at, outcome) = match self {
            Self::Dense(dense) => (dense.byte(position), dense.outcome(position)?),
            Self::Sparse(sparse) => match sparse.find(position)? {
                Some((rank, outcome)) => (rank as usize, outcome),
                None => return Ok(None),
            },
        };
        let remoteness = read::<Remoteness>(self.bytes(), at, position)?;
        let nimber = read::<Nimber>(self.bytes(), at, position)?;
        let (remoteness, nimber) = (remoteness.map(|label| label.plies.into()), nimber.map(|label| label.0.into()));
        Ok(Some(Value { outcome, remoteness, nimber }))
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

/// The label `L` at byte `at`, which is that of `position`; `None` if there is no such label.
pub(crate) fn read<L: Label>(bytes: ByteLabels<'_>, at: usize, position: Position) -> Result<Option<L>, LabelFault> {
    let Some(&number) = bytes.of(L::KIND).and_then(|bytes| bytes.get(at)) else { return Ok(None) };
    let label = L::decode(number, Width::Eight);
    label.map(Some).ok_or(LabelFault::NoLabel { position, label: L::KIND, number })
}
