//! The solver that was chosen, and the figures that decided.

use tablegen_solve::Method;

/// A solver, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The solver.
    pub method: Method,
    /// The reason, in a few words.
    pub reason: String,
    /// The numbers that decided, if any did.
    pub figures: Option<Figures>,
}

/// The number of positions of a game, and of its reachable positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// All positions: every board in every mode.
    pub all: u128,
    /// The number of colourings, in a game of two colours.
    pub colourings: Option<u128>,
    /// The number of reachable positions.
    pub reached: Reachable,
}

/// The number of reachable positions, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// The exact number; `None` if counting stopped early.
    pub positions: Option<u64>,
    /// A lower bound.
    pub at_least: u64,
    /// An estimate from a sample, if counting stopped early and a sample was taken.
    pub about: Option<u64>,
}

impl Reachable {
    /// An exact number.
    #[must_use]
    pub const fn exactly(positions: u64) -> Self {
        Self { positions: Some(positions), at_least: positions, about: None }
    }

    /// A number greater than `counted`.
    #[must_use]
    pub const fn more_than(counted: u64) -> Self {
        Self { positions: None, at_least: counted.saturating_add(1), about: None }
    }

    /// A number greater than `counted`, with the estimate `about`, if given. A lower estimate is raised to the lower
    /// bound.
    #[must_use]
    pub fn estimated(counted: u64, about: Option<u64>) -> Self {
        let at_least = counted.saturating_add(1);
        Self { about: about.map(|about| about.max(at_least)), ..Self::more_than(counted) }
    }

    /// The best known value: the exact number, else the estimate, else the lower bound.
    pub(super) fn likely(self) -> u64 {
        self.positions.or(self.about).unwrap_or(self.at_least)
    }
}
