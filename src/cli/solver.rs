//! The solvers as the command line names them.

use clap::ValueEnum;
use tablegen::solve::Method;

/// The two solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Solver {
    /// Every board in every mode, many at a time
    Dense,
    /// The positions that play can reach, and no others
    Sparse,
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Dense => Self::Dense,
            Solver::Sparse => Self::Sparse,
        }
    }
}
