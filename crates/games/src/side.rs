//! The two players of a game whose modes say who is to move.

use crate::rules::Mode;

/// The sides, in the order of the modes.
pub(super) const SIDES: [Side; 2] = [Side::First, Side::Second];

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    First,
    Second,
}

impl Side {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    pub(super) const fn mode(self) -> Mode {
        match self {
            Self::First => Mode(0),
            Self::Second => Mode(1),
        }
    }

    pub(super) fn of_mode(mode: Mode) -> Self {
        if mode == Self::First.mode() { Self::First } else { Self::Second }
    }

    /// `first` or `second`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}
