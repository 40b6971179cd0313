//! Limits of the arithmetic, and the errors when it exceeds them.

use crate::dyadic::Overflow;

/// Most values that a store can hold: a comparison packs two numbers of values and its result into 64 bits.
pub const MOST_VALUES: u32 = 1 << 31;
/// Most options of one player, and most moves to the end of a game.
pub const MOST_OPTIONS: usize = u16::MAX as usize;

/// How far a computation may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most values in a store.
    pub values: u32,
    /// Most steps of one operation. A step compares two values, adds two values or treats one option.
    pub steps: u64,
    /// Most characters in a name.
    pub characters: usize,
}

impl Default for Limits {
    /// Limits that a sum of a few board games stays below. An operation that reaches them takes seconds and at most a
    /// few gigabytes.
    fn default() -> Self {
        Self { values: 1 << 24, steps: 1 << 26, characters: 1 << 20 }
    }
}

/// The reason why an operation stopped. The store is as sound as before; it may have gained values.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store would exceed [`Limits::values`].
    #[error("cannot store the game: expected at most {limit} values, found more; try a smaller game")]
    Values {
        /// The limit.
        limit: u32,
    },
    /// The options of all values together, or of one value, are too many to number.
    #[error("cannot store the game: expected at most {limit} options {of}, found more; try a smaller game")]
    Options {
        /// The limit.
        limit: usize,
        /// Whose options these are.
        of: &'static str,
    },
    /// The longest play of the game is too long.
    #[error("cannot store the game: expected at most {limit} moves to its end, found more; try a smaller game", limit = MOST_OPTIONS)]
    Birthday,
    /// The operation would take more steps than [`Limits::steps`].
    #[error("cannot finish the computation: expected at most {limit} steps, found more; try a smaller game")]
    Steps {
        /// The limit.
        limit: u64,
    },
    /// The name would exceed [`Limits::characters`].
    #[error("cannot write the name: expected at most {limit} characters, found more; try a smaller game")]
    Characters {
        /// The limit.
        limit: usize,
    },
    /// A number does not fit.
    #[error(transparent)]
    Number(#[from] Overflow),
    /// Stored options are not a sequence of distinct canonical forms.
    #[error("cannot read value {value}: expected {expected}, found {found}")]
    Unsound {
        /// The number of the value.
        value: u32,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// The text does not name a game.
    #[error("cannot read the game at column {column}: expected {expected}, found {found}")]
    Text {
        /// The place in the text, in characters, counted from 1.
        column: usize,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
}

impl Error {
    /// True if a limit of the calculator stopped the operation.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self,
            Self::Values { .. } | Self::Options { .. } | Self::Birthday | Self::Steps { .. } | Self::Characters { .. }
        )
    }
}
