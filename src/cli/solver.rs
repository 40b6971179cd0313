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
    /// If it costs no time, or if the table has 1 GiB or more
    Auto,
    /// Never
    None,
    /// Whenever the rules have a symmetry that the solver can use
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
    /// If the table has 1 GiB or more and is dense or two-colour
    Auto,
    /// Always
    On,
    /// Always, to a smaller file that takes longer to build and to read
    Small,
    /// Never: the labels are stored as they are
    Off,
}

impl From<Compress> for engine::Compress {
    fn from(compress: Compress) -> Self {
        match compress {
            Compress::Auto => Self::Auto,
            Compress::On => Self::Always,
            Compress::Small => Self::Small,
            Compress::Off => Self::Never,
        }
    }
}
