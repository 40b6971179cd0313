//! The solvers, and the settings for symmetry and compression, in words of the command line.

use clap::builder::TypedValueParser;
use tablegen::engine::{Compress, UseSymmetry};
use tablegen::solve::Method;

use super::one_of::{Word, one_of};

/// A solver in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Solver {
    pub(super) method: Method,
    help: &'static str,
    /// The work whose time a build reports.
    pub(super) work: &'static str,
    /// The name of the cells that select a slice.
    pub(super) slice_cell: &'static str,
    /// The positions among which the reachable ones are, if these are not all positions.
    pub(super) among: Option<&'static str>,
    /// The memory of its labels, in words.
    pub(super) takes: &'static str,
    /// A size that an estimate does not find.
    pub(super) unknown_size: &'static str,
}

const SWEEP: Solver = Solver {
    method: Method::Dense,
    help: "Label every board",
    work: "the sweep",
    slice_cell: "cell",
    among: None,
    takes: "labels",
    unknown_size: "more than any machine has",
};

const SEARCH: Solver = Solver {
    method: Method::Sparse,
    help: "Label the reachable positions",
    work: "finding and labelling",
    takes: "memory",
    unknown_size: "unknown until it is built",
    ..SWEEP
};

static SOLVERS: [Solver; 5] = [
    SWEEP,
    Solver {
        method: Method::Coloured,
        help: "Label every colouring of every occupied set, in a game of two colours",
        work: "both sweeps",
        slice_cell: "square",
        among: Some("colourings"),
        ..SWEEP
    },
    SEARCH,
    Solver {
        method: Method::Cyclic,
        help: "Label the reachable positions of a game in which positions may repeat",
        ..SEARCH
    },
    Solver {
        method: Method::Regions,
        help: "Label every board with the numbers of pieces that play may reach, in a game whose pieces move",
        work: "labelling",
        takes: "labels",
        unknown_size: "more than any machine has",
        ..SEARCH
    },
];

impl From<Method> for &'static Solver {
    fn from(method: Method) -> Self {
        let found = SOLVERS.iter().find(|solver| solver.method == method);
        found.unwrap_or_else(|| unreachable!("every solver has words"))
    }
}

const SYMMETRY: [Word<UseSymmetry>; 3] = [
    ("auto", UseSymmetry::Auto, "If it costs no time, or if the table has 1 GiB or more"),
    ("none", UseSymmetry::Never, "Never"),
    ("always", UseSymmetry::Always, "Whenever the rules have a symmetry that the solver can use"),
];

const COMPRESS: [Word<Compress>; 4] = [
    ("auto", Compress::Auto, "If the table has 1 GiB or more and is dense, two-colour or by regions"),
    ("on", Compress::Always, "Always"),
    ("small", Compress::Small, "Always, to a smaller file that takes longer to build and to read"),
    ("off", Compress::Never, "Never: the labels are stored as they are"),
];

/// The parser of `--solver`.
pub(super) fn solvers() -> impl TypedValueParser<Value = &'static Solver> {
    one_of(SOLVERS.iter().map(|solver| (solver.method.name(), solver, solver.help)).collect())
}

/// The parser of `--symmetry`.
pub(super) fn symmetry() -> impl TypedValueParser<Value = UseSymmetry> {
    one_of(SYMMETRY.to_vec())
}

/// The parser of `--compress`.
pub(super) fn compress() -> impl TypedValueParser<Value = Compress> {
    one_of(COMPRESS.to_vec())
}

/// The option `--symmetry` as typed, after a blank; empty for the default.
pub(super) fn typed_symmetry(symmetry: UseSymmetry) -> String {
    let typed = SYMMETRY.iter().find(|(_, value, _)| *value == symmetry && symmetry != UseSymmetry::default());
    typed.map_or_else(String::new, |(word, ..)| format!(" --symmetry {word}"))
}
