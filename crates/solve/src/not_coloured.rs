//! Why a game has no two-colour table.

use crate::SolveError;
use crate::rules::{Rules, SweepObstacle};

/// A reason why a game cannot have a two-colour table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotColoured {
    /// No two cells exclude each other.
    #[error("no two of its cells exclude each other")]
    NoPairs,
    /// The game has more squares or positions than can be numbered.
    #[error("it has too many squares or colourings")]
    TooLarge,
    /// The rules have a feature that no sweep supports.
    #[error("{0}")]
    SweepObstacle(SweepObstacle),
    /// A move fills many squares whether they are free or not.
    #[error("one of its moves fills many cells whether they are empty or not")]
    Unasked,
}

impl NotColoured {
    /// The solver's error for `rules`.
    pub fn error(self, rules: &Rules) -> SolveError {
        SolveError::NotColoured { name: rules.name().into(), reason: self }
    }
}
