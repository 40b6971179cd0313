//! A build, step by step: plan it, solve it, save it. Each step returns a value that the next one consumes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::choice::marks_boards;
use super::kept::{NotExtended, extend, labels_kept, lacks_labels_alone, reached};
use super::labels::check_labels;
use super::planes::Planes;
use super::room::{check_extending_memory, check_room, room_left, sparse_max_bytes};
use super::symmetry::group;
use super::target::{check_place, nearest_folder, prepare_folder, resolve};
use super::{Choice, Engine, EngineError, OpenTable, UseSymmetry};
use crate::atomic_file::{folder_of, remove_abandoned};
use crate::contents::Contents;
use crate::game::Game;
use crate::label::{Counts, LabelKind, LabelSet};
use crate::rules::Descriptor;
use crate::solve::{Marked, Method, Options, Room, Solution, Watch, solve, solve_marked};
use crate::symmetry::Group;
use crate::table::{Extended, Table, TableError};

/// The options of a build, besides the game.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The file to write; if it is `None`, the file named after the game in the first folder of tables.
    pub output: Option<PathBuf>,
    /// The solver; if it is `None`, the one that suits the game and its size.
    pub method: Option<Method>,
    /// Whether the sparse solver makes use of the game's symmetries.
    pub symmetry: UseSymmetry,
    /// The labels to store; the outcome is always among them. So are those of an older table that is replaced, unless it is
    /// replaced by force.
    pub labels: LabelSet,
    /// Maximum memory to use; if it is `None`, three quarters of the available memory.
    pub memory: Option<u64>,
    /// Whether to replace any existing file, whatever it is, and keep nothing of it.
    pub force: bool,
}

/// A build that is ready to start: the game, the solver, the output file and the memory are settled.
pub struct BuildPlan<'e> {
    engine: &'e Engine,
    game: Box<dyn Game>,
    choice: Choice,
    group: Option<Group>,
    /// What play reaches, if it was marked to choose the solver.
    marked: Option<Marked>,
    labels: LabelSet,
    path: PathBuf,
    memory: Option<u64>,
    kept: Option<Table>,
}

/// A build that is solved and not yet saved.
pub struct Solved<'e> {
    plan: BuildPlan<'e>,
    work: Work,
    threads: usize,
    damage: Option<String>,
}

/// What was solved.
enum Work {
    /// Every label.
    Whole(Box<Solution>),
    /// Those that the table to be replaced lacks.
    Added(Box<Extended>),
}

/// A saved build; the memory used for solving is released.
pub struct Built {
    /// The table and its game.
    pub open: OpenTable,
    /// The solver, and the reason for choosing it.
    pub choice: Choice,
    /// The program that labelled it: a kernel, or the sparse solver.
    pub program: &'static str,
    /// The number of positions with labels; up to symmetry, of orbits.
    pub positions: u64,
    /// The labels that were kept from the table that was there before: not solved, and checked byte for byte.
    pub kept: Vec<LabelKind>,
    /// The labels that were solved.
    pub solved: Vec<LabelKind>,
    /// Why labels of the table that was there before were not kept, if they could have been but for that.
    pub damage: Option<String>,
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
    /// If the game does not have the labels; if the path cannot be a table, holds something that should not be replaced, or
    /// cannot be written to; or if memory or disk space is too small, as far as that can be known at this point.
    pub fn plan(&self, game: Box<dyn Game>, options: &BuildOptions) -> Result<BuildPlan<'_>, EngineError> {
        let rules = game.rules();
        check_labels(game.as_ref(), options.labels)?;
        let path = match &options.output {
            Some(file) => file.clone(),
            None => self.dirs().file(rules.name())?,
        };
        check_place(&path)?;
        let path = resolve(&path);
        let older = if options.force { None } else { self.check_content(&path, rules)? };
        let labels = match &older {
            Some(table) => options.labels.union(labels_kept(table, game.as_ref())),
            None => options.labels,
        };
        // Before memory is measured: threads take some of the address space, which may be limited.
        self.start_threads()?;
        let reached = older.as_ref().and_then(|table| reached(table, game.as_ref()));
        let (choice, marked) = self.choose_knowing(game.as_ref(), options.method, reached, None)?;
        let group = match choice.method {
            Method::Sparse => group(game.as_ref(), options.symmetry)?,
            Method::Dense | Method::Coloured => None,
        };
        let solver = (choice.method, group.as_ref());
        let kept = older.filter(|table| lacks_labels_alone(table, game.as_ref(), solver, labels));
        let planes = Planes::of(game.as_ref(), choice.method)?;
        if let Some(planes) = &planes {
            planes.check_memory(labels, options.memory)?;
        }
        remove_abandoned(folder_of(&path));
        let folder = nearest_folder(&path);
        match (&planes, &kept) {
            (Some(planes), _) => planes.check_disk(&folder, labels)?,
            (None, Some(table)) => {
                let bytes = table.file_bytes_with(&game.descriptor(), labels).unwrap_or(u64::MAX);
                check_extending_memory(rules, bytes, options.memory)?;
                check_room(&folder, bytes)?;
            }
            // How much play can reach is not known yet.
            (None, None) => {}
        }
        drop(planes);
        prepare_folder(&path, options.output.is_none())?;
        let memory = options.memory;
        Ok(BuildPlan { engine: self, game, choice, group, marked, labels, path, memory, kept })
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

    /// The symmetries by which one position of each orbit is solved, if there are any.
    #[must_use]
    pub const fn symmetry(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// The labels that the table will hold.
    #[must_use]
    pub const fn labels(&self) -> LabelSet {
        self.labels
    }

    /// The table that is replaced, if its labels are kept and only those that it lacks are solved.
    #[must_use]
    pub const fn kept(&self) -> Option<&Table> {
        self.kept.as_ref()
    }

    /// The file that will be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Solves the game on all threads ([`Engine::start_threads`]), or what the table that is there lacks. If that table
    /// turns out to be damaged, everything is solved.
    ///
    /// # Errors
    /// If memory is insufficient, the system cannot start the threads, or `progress` stops the work.
    pub fn solve(mut self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let threads = self.engine.start_threads()?;
        let roots = self.game.roots();
        let (method, kernel) = (self.choice.method, self.engine.kernel);
        let max_bytes = match method {
            Method::Dense | Method::Coloured => self.memory,
            Method::Sparse => sparse_max_bytes(self.memory),
        };
        let room = room_left(self.memory);
        let (labels, room) = (self.labels, Some(&room as Room<'_>));
        let symmetry = self.group.clone();
        let symmetry = symmetry.as_ref();
        let marks = marks_boards(self.game.rules());
        let options = Options {
            method,
            labels,
            roots: &roots,
            symmetry,
            marks,
            max_bytes,
            room,
            kernel,
            progress,
            ..Options::default()
        };
        let mut damage = None;
        if let Some(table) = self.kept.take() {
            match extend(table, &options) {
                Ok(extended) => {
                    let work = Work::Added(Box::new(extended));
                    return Ok(Solved { plan: self, work, threads, damage });
                }
                Err(NotExtended::Damaged(why)) => damage = Some(why),
                Err(NotExtended::Failed(error)) => return Err(error),
            }
        }
        let solution = match self.marked.take() {
            Some(marked) => solve_marked(marked, &options)?,
            None => solve(self.game.rules(), &options)?,
        };
        let work = Work::Whole(Box::new(solution));
        Ok(Solved { plan: self, work, threads, damage })
    }
}

impl Work {
    fn contents(&self) -> Contents<'_> {
        match self {
            Self::Whole(solution) => solution.contents(),
            Self::Added(extended) => extended.contents(),
        }
    }

    fn counts(&self) -> &[Counts] {
        match self {
            Self::Whole(solution) => solution.counts_by_mode(),
            Self::Added(extended) => extended.counts_by_mode(),
        }
    }

    fn program(&self) -> &'static str {
        match self {
            Self::Whole(solution) => solution.program(),
            Self::Added(extended) => extended.program(),
        }
    }

    fn solve_time(&self) -> Duration {
        match self {
            Self::Whole(solution) => solution.solve_time(),
            Self::Added(extended) => extended.solve_time(),
        }
    }

    /// The labels that were there before.
    fn kept(&self) -> Vec<LabelKind> {
        match self {
            Self::Whole(_) => Vec::new(),
            Self::Added(extended) => extended.table().labels().iter().collect(),
        }
    }

    fn file_bytes(&self, descriptor: &Descriptor) -> u64 {
        match self {
            Self::Whole(solution) => solution.file_bytes(descriptor),
            Self::Added(extended) => extended.file_bytes(descriptor),
        }
    }

    fn save(
        &self,
        descriptor: &Descriptor,
        path: &Path,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        match self {
            Self::Whole(solution) => solution.save_with(descriptor, path, temporary, progress),
            Self::Added(extended) => extended.save_with(descriptor, path, temporary, progress),
        }
    }
}

impl Solved<'_> {
    /// The labels, those that were kept among them.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        self.work.contents()
    }

    /// The counts of outcomes over all positions with labels.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.work.counts().iter().copied().sum()
    }

    /// Why labels of the table that is there were not kept, if they could have been but for that.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Writes the table, releases the memory and opens the written file. `temporary` is called with the name of the
    /// file that is written before it is renamed.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. No file is left in that
    /// case.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { plan, work, threads, damage } = self;
        let descriptor = plan.game.descriptor();
        if plan.choice.method == Method::Sparse {
            // The size was not known before.
            check_room(&nearest_folder(&plan.path), work.file_bytes(&descriptor))?;
        }
        work.save(&descriptor, &plan.path, temporary, progress).map_err(EngineError::Write)?;
        let (program, positions, solve_time) = (work.program(), work.contents().count(), work.solve_time());
        let kept = work.kept();
        let solved = plan.labels.iter().filter(|label| !kept.contains(label)).collect();
        drop(work);
        // Those of builds that were killed during this one.
        remove_abandoned(folder_of(&plan.path));
        let open = plan.engine.open(&plan.path)?;
        Ok(Built { open, choice: plan.choice, program, positions, kept, solved, damage, solve_time, threads })
    }
}
