//! The solvers, by their names on the command line.

use clap::ValueEnum;
use tablegen::solve::Method;

/// The solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Solver {
    /// Every board in every mode, many at a time
    Dense,
    /// Only the positions that play can reach
    Sparse,
    /// Every colouring of a game of two colours, many at a time
    Coloured,
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Dense => Self::Dense,
            Solver::Sparse => Self::Sparse,
            Solver::Coloured => Self::Coloured,
        }
    }
}
