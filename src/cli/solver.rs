//! The names of the solvers, and of the settings for symmetry and compression, on the command line.

use clap::ValueEnum;
use tablegen::engine::{self, UseSymmetry};
use tablegen::solve::Method;

/// The solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Solver {
    /// Label every board
    Dense,
    /// Label every colouring of every occupied set, in a game of two colours
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

/// The use of symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Symmetry {
    /// A sparse table if solving takes no longer, another table from 1 GiB on
    Auto,
    /// No table
    None,
    /// Every table whose solver can use a symmetry of the game
    Always,
}

impl Symmetry {
    /// The option as typed, after a blank; empty for the default.
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

/// The compression of labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Compress {
    /// Tables of 1 GiB or more, unless they are sparse
    Auto,
    /// Every table
    On,
    /// No table
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
