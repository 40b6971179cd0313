//! The options of builds, of solving in memory and of estimates, and the options that they give the solvers.

use std::path::PathBuf;

use crate::plan::compress::Compress;
use crate::plan::memory_budget::{room_left, sparse_max_bytes};
use crate::roots::marks_boards;
use crate::{Engine, SearchLimit, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Method, Options, Solver, Watch};

/// The options of a build, other than the game.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The file to write; `None` for the file named after the game in the first folder of tables.
    pub output: Option<PathBuf>,
    /// The solver; `None` for the one that suits the game and its size.
    pub method: Option<Method>,
    /// The use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// The labels to store, besides the outcome, which is always stored. Unless `force` is set, the build adds the
    /// labels of an older table that it replaces, and of an embedded table that the new table hides.
    pub labels: LabelSet,
    /// Store the value of each board as well, as a combinatorial game. Unless `force` is set, a build keeps the values of an older table.
    pub values: bool,
    /// The compression of the labels.
    pub compress: Compress,
    /// Maximum memory to use; `None` for three quarters of the available memory. Boards and colourings that do not fit
    /// are solved slice by slice.
    pub memory: Option<u64>,
    /// The folder for checkpoints; `None` for the folder of the table.
    pub scratch: Option<PathBuf>,
    /// Discard the checkpoints of an earlier build and start over.
    pub restart: bool,
    /// Replace any existing file, whatever it is, and keep none of its labels.
    pub force: bool,
}

/// Options of solving in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveOptions {
    /// The labels, besides the outcome, which is always there. `None` means all labels of the game, without remoteness
    /// if play can last more plies than that label holds.
    pub labels: Option<LabelSet>,
    /// Find the value of each board as well. If no labels are named, those of a small partizan game are found unasked.
    pub values: bool,
    /// The solver; `None` for the one that suits the game and its size.
    pub method: Option<Method>,
    /// The use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// The limit of a search that answers a position that the table does not hold.
    pub limit: SearchLimit,
}

/// Options of an estimate: the build that is estimated.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimateOptions {
    /// The solver; `None` for the one that a build would use.
    pub method: Option<Method>,
    /// The use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// The labels, besides the outcome.
    pub labels: LabelSet,
    /// True if the table would have the values of its boards as well.
    pub values: bool,
}

/// The work of a solver.
#[derive(Clone, Copy)]
pub(crate) struct SolverRun<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) game: &'a dyn Game,
    pub(crate) method: Method,
    pub(crate) labels: LabelSet,
    pub(crate) symmetry: &'a Group,
    /// Maximum memory to use; `None` for three quarters of the available memory.
    pub(crate) memory: Option<u64>,
    /// The labels will be held twice: as solved, and as the bytes of a table. So reachable positions may take half the
    /// memory. A sweep was checked before.
    pub(crate) twice: bool,
    /// Maximum number of positions to find.
    pub(crate) most: Option<u64>,
    pub(crate) progress: Option<Watch<'a>>,
}

impl<'a> SolverRun<'a> {
    /// The work on the reachable positions of `game`, in all memory.
    pub(crate) fn of_reachable(engine: &'a Engine, game: &'a dyn Game, symmetry: &'a Group, labels: LabelSet) -> Self {
        let method = Method::of_reachable(game.rules());
        Self { engine, game, method, labels, symmetry, memory: None, twice: false, most: None, progress: None }
    }

    /// Calls `solve` with the options of a solver.
    pub(crate) fn with_options<T>(&self, solve: impl FnOnce(&Options<'_>) -> T) -> T {
        let share = if self.twice { 2 } else { 1 };
        let max_bytes = match self.method.is_of_reachable() {
            true => Some(sparse_max_bytes(self.game.rules(), self.memory) / share),
            false if self.method == Method::Regions => Some(sparse_max_bytes(self.game.rules(), self.memory) / share),
            false => self.memory.filter(|_| !self.twice),
        };
        let (roots, left) = (self.game.roots(), room_left(self.memory));
        let room = || left().map(|bytes| bytes / share);
        let (kernel, symmetry) = (self.engine.kernel, self.symmetry);
        solve(&Options {
            solver: match self.method {
                Method::Dense => Solver::Dense { marks: marks_boards(self.game), kernel, layout: None },
                Method::Coloured => Solver::Coloured { kernel },
                Method::Sparse => Solver::Sparse { symmetry },
                Method::Cyclic => Solver::Cyclic { symmetry },
                Method::Regions => Solver::Regions { symmetry },
            },
            labels: self.labels,
            roots: &roots,
            max_bytes,
            room: Some(&room),
            max_positions: self.most,
            progress: self.progress,
        })
    }
}
