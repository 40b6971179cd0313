//! A build, step by step: plan it, solve it, save it. Each step is a value that the next one takes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::room::{check_dense_memory, check_disk, check_room, sparse_max_bytes};
use super::target::{check_place, nearest_folder, prepare_folder, resolve};
use super::{Choice, Engine, EngineError, OpenTable, choose};
use crate::atomic_file::{folder_of, remove_abandoned};
use crate::game::Game;
use crate::solve::{Method, Options, Solution, Watch, solve};
use crate::table::dense_file_bytes;

/// What is asked of a build, beside the game.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The file to write; if it is `None`, the one for the game's name in the first folder of tables.
    pub output: Option<PathBuf>,
    /// The solver; if it is `None`, the one that the game and its size suggest.
    pub method: Option<Method>,
    /// Most memory to use; if it is `None`, what is available.
    pub memory: Option<u64>,
    /// Whether to replace whatever file is there.
    pub force: bool,
}

/// A build that can begin: game, solver, place and room are settled.
pub struct BuildPlan<'e> {
    engine: &'e Engine,
    game: Box<dyn Game>,
    choice: Choice,
    path: PathBuf,
    memory: Option<u64>,
}

/// A build that is solved and not yet saved.
pub struct Solved<'e> {
    plan: BuildPlan<'e>,
    solution: Solution,
    threads: usize,
}

/// A build that is saved, the memory it was solved in given back.
pub struct Built {
    /// The table and its game.
    pub open: OpenTable,
    /// The solver, and why it was the one.
    pub choice: Choice,
    /// What labelled it: a kernel, or the sparse solver.
    pub program: &'static str,
    /// Positions that have labels.
    pub positions: u64,
    /// How long labelling took.
    pub solve_time: Duration,
    /// How many threads shared the work.
    pub threads: usize,
}

impl Engine {
    /// Settles everything that a build of `game` depends on. Nothing is solved and nothing is written, but that an
    /// abandoned temporary file in the table's folder is removed, and the standard folder made if it is missing.
    ///
    /// # Errors
    /// If the place is no place for a table, holds something that should not be replaced, or cannot be written to; if
    /// memory or disk are too small, as far as that can be known now.
    pub fn plan(&self, game: Box<dyn Game>, options: &BuildOptions) -> Result<BuildPlan<'_>, EngineError> {
        let rules = game.rules();
        let path = match &options.output {
            Some(file) => file.clone(),
            None => self.dirs().file(rules.name())?,
        };
        check_place(&path)?;
        let path = resolve(&path);
        if !options.force {
            self.check_content(&path, rules)?;
        }
        let choice = choose(game.as_ref(), options.method, options.memory);
        if choice.method == Method::Dense {
            check_dense_memory(rules, options.memory)?;
        }
        remove_abandoned(folder_of(&path));
        if choice.method == Method::Dense {
            check_disk(&nearest_folder(&path), dense_file_bytes(rules, &game.descriptor()), rules)?;
        }
        prepare_folder(&path, options.output.is_none())?;
        Ok(BuildPlan { engine: self, game, choice, path, memory: options.memory })
    }
}

impl<'e> BuildPlan<'e> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// The solver, and why it is the one.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The file that will be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Solves the game on every thread there is ([`Engine::start_threads`]).
    ///
    /// # Errors
    /// If memory does not suffice, the system gives no threads, or `progress` stops the work.
    pub fn solve(self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let threads = self.engine.start_threads()?;
        let roots = self.game.roots();
        let (method, kernel) = (self.choice.method, self.engine.kernel);
        let max_bytes = match method {
            Method::Dense => self.memory,
            Method::Sparse => sparse_max_bytes(self.memory),
        };
        let options = Options { method, roots: &roots, max_bytes, kernel, progress, ..Options::default() };
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

    /// Writes the table, gives the memory back and opens what was written. `temporary` is told the name of the file that
    /// is written before it is renamed.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. No file is left then.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { plan, solution, threads } = self;
        let descriptor = plan.game.descriptor();
        if plan.choice.method == Method::Sparse {
            // How large it is was not known before.
            check_room(&nearest_folder(&plan.path), solution.file_bytes(&descriptor))?;
        }
        solution.save_with(&descriptor, &plan.path, temporary, progress).map_err(EngineError::Write)?;
        let (program, positions, solve_time) = (solution.program(), solution.count(), solution.solve_time());
        drop(solution);
        let open = plan.engine.open(&plan.path)?;
        Ok(Built { open, choice: plan.choice, program, positions, solve_time, threads })
    }
}
