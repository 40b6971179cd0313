//! A build, step by step: plan it, solve it, save it. Each step returns a value that the next one consumes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::labels::check_labels;
use super::room::{check_dense_memory, check_disk, check_room, room_left, sparse_max_bytes};
use super::target::{check_place, nearest_folder, prepare_folder, resolve};
use super::{Choice, Engine, EngineError, OpenTable};
use crate::atomic_file::{folder_of, remove_abandoned};
use crate::game::Game;
use crate::label::LabelSet;
use crate::solve::{Method, Options, Room, Solution, Watch, solve};
use crate::table::dense_file_bytes;

/// The options of a build, besides the game.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The file to write; if it is `None`, the file named after the game in the first folder of tables.
    pub output: Option<PathBuf>,
    /// The solver; if it is `None`, the one that suits the game and its size.
    pub method: Option<Method>,
    /// The labels to store; the outcome is always among them.
    pub labels: LabelSet,
    /// Maximum memory to use; if it is `None`, three quarters of the available memory.
    pub memory: Option<u64>,
    /// Whether to replace any existing file, whatever it is.
    pub force: bool,
}

/// A build that is ready to start: the game, the solver, the output file and the memory are settled.
pub struct BuildPlan<'e> {
    engine: &'e Engine,
    game: Box<dyn Game>,
    choice: Choice,
    labels: LabelSet,
    path: PathBuf,
    memory: Option<u64>,
}

/// A build that is solved and not yet saved.
pub struct Solved<'e> {
    plan: BuildPlan<'e>,
    solution: Solution,
    threads: usize,
}

/// A saved build; the memory used for solving is released.
pub struct Built {
    /// The table and its game.
    pub open: OpenTable,
    /// The solver, and the reason for choosing it.
    pub choice: Choice,
    /// The program that labelled it: a kernel, or the sparse solver.
    pub program: &'static str,
    /// The number of positions with labels.
    pub positions: u64,
    /// How long labelling took.
    pub solve_time: Duration,
    /// The number of threads that shared the work.
    pub threads: usize,
}

impl Engine {
    /// Settles everything that a build of `game` depends on. Nothing is solved and no table is written. Only an
    /// abandoned temporary file in the table's folder is removed, and the standard folder is created if it is
    /// missing.
    ///
    /// # Errors
    /// If the game does not have the labels, the path cannot be a table, holds something that should not be replaced, or cannot be written to; or if
    /// memory or disk space is too small, as far as that can be known at this point.
    pub fn plan(&self, game: Box<dyn Game>, options: &BuildOptions) -> Result<BuildPlan<'_>, EngineError> {
        let (rules, labels) = (game.rules(), options.labels);
        check_labels(game.as_ref(), labels)?;
        let path = match &options.output {
            Some(file) => file.clone(),
            None => self.dirs().file(rules.name())?,
        };
        check_place(&path)?;
        let path = resolve(&path);
        if !options.force {
            self.check_content(&path, rules)?;
        }
        // Before memory is measured: threads take some of the address space, which may be limited.
        self.start_threads()?;
        let choice = self.choose(game.as_ref(), options.method)?;
        if choice.method == Method::Dense {
            check_dense_memory(rules, labels, options.memory)?;
        }
        remove_abandoned(folder_of(&path));
        if choice.method == Method::Dense {
            let file_bytes = dense_file_bytes(rules, &game.descriptor(), labels);
            check_disk(&nearest_folder(&path), file_bytes, rules, labels)?;
        }
        prepare_folder(&path, options.output.is_none())?;
        Ok(BuildPlan { engine: self, game, choice, labels, path, memory: options.memory })
    }
}

impl<'e> BuildPlan<'e> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// The solver, and the reason for choosing it.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The file that will be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Solves the game on all threads ([`Engine::start_threads`]).
    ///
    /// # Errors
    /// If memory is insufficient, the system cannot start the threads, or `progress` stops the work.
    pub fn solve(self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let threads = self.engine.start_threads()?;
        let roots = self.game.roots();
        let (method, kernel) = (self.choice.method, self.engine.kernel);
        let max_bytes = match method {
            Method::Dense => self.memory,
            Method::Sparse => sparse_max_bytes(self.memory),
        };
        let room = room_left(self.memory);
        let (labels, room) = (self.labels, Some(&room as Room<'_>));
        let options =
            Options { method, labels, roots: &roots, max_bytes, room, kernel, progress, ..Options::default() };
        let solution = solve(self.game.rules(), &options)?;
        Ok(Solved { plan: self, solution, threads })
    }
}

impl Solved<'_> {
    /// The labels.
    #[must_use]
    pub const fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Writes the table, releases the memory and opens the written file. `temporary` is called with the name of the
    /// file that is written before it is renamed.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. No file is left in that
    /// case.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { plan, solution, threads } = self;
        let descriptor = plan.game.descriptor();
        if plan.choice.method == Method::Sparse {
            // The size was not known before.
            check_room(&nearest_folder(&plan.path), solution.file_bytes(&descriptor))?;
        }
        solution.save_with(&descriptor, &plan.path, temporary, progress).map_err(EngineError::Write)?;
        let (program, positions, solve_time) = (solution.program(), solution.count(), solution.solve_time());
        drop(solution);
        // Those of builds that were killed during this one.
        remove_abandoned(folder_of(&plan.path));
        let open = plan.engine.open(&plan.path)?;
        Ok(Built { open, choice: plan.choice, program, positions, solve_time, threads })
    }
}
