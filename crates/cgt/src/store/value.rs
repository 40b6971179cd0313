//! Numbers of values.

/// The number of a value in its [`Store`](super::Store). Options have smaller numbers than the values that have them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Value(u32);

impl Value {
    /// The game 0, in which neither player has a move.
    pub const ZERO: Self = Self(0);

    /// The value with a number, for example from a table. Only the store that gave the number knows it.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
