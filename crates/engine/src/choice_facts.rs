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

/// The number of positions of a game, of its reachable positions, and the cost of each solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// All positions: every board in every mode.
    pub all: u128,
    /// The number of colourings, in a game of two colours.
    pub colourings: Option<u128>,
    /// The number of reachable positions.
    pub reached: Reachable,
    /// The solvers that can solve the game, with the least work first.
    pub costs: Vec<SolverCost>,
}

/// The expected cost of solving a game's outcomes with a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverCost {
    /// The solver.
    pub method: Method,
    /// The work, in a unit that is the same for all solvers of a machine.
    pub work: u128,
    /// Bytes of labels, in memory or on disk; `None` if they exceed a `u64`. A sparse build holds them in memory, with the positions.
    pub bytes: Option<u64>,
}

impl Figures {
    /// The solvers other than `method`, each with its work as a multiple of the work of `method`.
    pub fn instead(&self, method: Method) -> impl Iterator<Item = (&SolverCost, f64)> {
        let own = self.costs.iter().find(|cost| cost.method == method).map_or(1, |cost| cost.work);
        let others = self.costs.iter().filter(move |cost| cost.method != method);
        others.map(move |cost| (cost, cost.work as f64 / own.max(1) as f64))
    }
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

    /// An unknown number: the positions cannot be counted, because they have no codes.
    #[must_use]
    pub const fn unknown() -> Self {
        Self { positions: None, at_least: 0, about: None }
    }

    /// Returns whether not even a lower bound is known.
    pub(super) const fn is_unknown(self) -> bool {
        self.at_least == 0
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
