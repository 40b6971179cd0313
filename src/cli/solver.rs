//! The solvers, whether they make use of symmetries, and whether labels are packed, by their names on the command line.

use clap::ValueEnum;
use tablegen::engine::{self, UseSymmetry};
use tablegen::solve::Method;

/// The solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Solver {
    /// Label every board
    Dense,
    /// Label every colouring of a game of two colours
    TwoColour,
    /// Label the reachable positions
    Sparse,
    /// Label the reachable positions of a game in which positions may repeat
    Cyclic,
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Dense => Self::Dense,
            Solver::Sparse => Self::Sparse,
            Solver::TwoColour => Self::Coloured,
            Solver::Cyclic => Self::Cyclic,
        }
    }
}

/// Whether symmetries are made use of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Symmetry {
    /// Where that takes no longer
    Auto,
    /// Never
    None,
    /// Wherever the game has any
    Always,
}

impl Symmetry {
    /// The argument that says it, after a blank; nothing for what is done without being asked for.
    pub(super) const fn typed(self) -> &'static str {
        match self {
            Self::Auto => "",
            Self::None => " --symmetry none",
            Self::Always => " --symmetry always",
        }
    }
}

impl From<Symmetry> for UseSymmetry {
    fn from(symmetry: Symmetry) -> Self {
        match symmetry {
            Symmetry::Auto => Self::Auto,
            Symmetry::None => Self::Never,
            Symmetry::Always => Self::Always,
        }
    }
}

/// Whether labels are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Compress {
    /// Tables of a GiB or more, unless they are sparse
    Auto,
    /// Any table
    On,
    /// None
    Off,
}

impl From<Compress> for engine::Compress {
    fn from(compress: Compress) -> Self {
        match compress {
            Compress::Auto => Self::Auto,
            Compress::On => Self::Always,
            Compress::Off => Self::Never,
        }
    }
}
