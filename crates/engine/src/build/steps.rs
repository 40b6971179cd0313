//! A build, step by step: plan it, solve it, save it. Each step returns a value that the next one consumes.

use std::path::Path;

use crate::build::older::{labels_kept, reached};
use crate::build::plan::Plan;
use crate::build::slices::remove_unfinished;
use crate::build::values::{VALUE, check_values, find_values};
use crate::build::work::{BuildWork, BuiltLabels, How};
use crate::labels::checked_labels;
use crate::names::target::{check_place, lock_table, nearest_folder, prepare_folder, resolve};
use crate::plan::disk::DiskNeed;
use crate::plan::memory_budget::{check_room, sparse_baseline_bytes};
use crate::plan::regions::region_group;
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::{SearchEffort, group};
use crate::{BuildOptions, Choice, Engine, EngineError, LevelFacts, OpenTable, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::{Counts, LabelSet};
use tablegen_solvers::{Method, SolvedValues, Watch};
use tablegen_tables::table::{BuildLock, Table, TableError};
use tablegen_work::atomic_file::{folder_of, remove_abandoned};

/// A build that is ready to start, with its game, solver, output file and memory settled.
pub struct BuildPlan<'e> {
    plan: Plan<'e>,
    work: BuildWork,
    disk: Option<DiskNeed>,
    /// The lock of the table, held until the table is saved, so that no other build writes it.
    lock: BuildLock,
}

/// A build that is solved but not saved yet.
pub struct Solved<'e> {
    plan: Plan<'e>,
    labels: BuiltLabels,
    values: Option<SolvedValues>,
    how: How,
    lock: BuildLock,
}

/// A saved build. The memory used for solving is released.
pub struct Built {
    /// The table and its game.
    pub open: OpenTable,
    /// The solver, and the reason for choosing it.
    pub choice: Choice,
    /// How its labels were built.
    pub how: How,
}

impl Built {
    /// The names of the labels that were solved, with the values of boards if these were found.
    #[must_use]
    pub fn solved(&self) -> Vec<&'static str> {
        self.solved_labels().chain(self.how.value_time.map(|_| VALUE)).collect()
    }

    /// The names of the labels of positions that were solved.
    fn solved_labels(&self) -> impl Iterator<Item = &'static str> {
        // The labels of a game whose positions may repeat differ from those asked for.
        self.open.table.labels().names().filter(|label| !self.how.kept.contains(label))
    }

    /// The positions that were labelled in a second; 0 if all labels were kept, or if the build resumed: how many
    /// positions an earlier one labelled is not known.
    #[must_use]
    pub fn positions_per_second(&self) -> f64 {
        let How { slices, levels, positions, solve_time, .. } = &self.how;
        let of_slices = slices.as_ref().is_some_and(|slices| slices.resumed > 0);
        let resumed = of_slices || *levels != LevelFacts::default() || self.how.resumed_regions > 0;
        if self.solved_labels().next().is_none() || resumed {
            return 0.0;
        }
        *positions as f64 / solve_time.as_secs_f64().max(1e-9)
    }
}

impl Engine {
    /// Plans a build of `game`: settles everything that the build depends on. It solves nothing and writes no table. It
    /// only removes the leftovers of killed builds from the table's folder, and creates the standard folder if that is
    /// missing.
    ///
    /// The plan holds a lock on the table. The build may keep labels of an older table, so that table must not change.
    ///
    /// # Errors
    /// If another process builds the table; if the game does not have the labels; if the path cannot be a table, holds
    /// something that must not be replaced, or cannot be written to; or if memory or disk space is too small, as far as
    /// that is known before solving.
    pub fn plan(&self, game: Box<dyn Game>, options: &BuildOptions) -> Result<BuildPlan<'_>, EngineError> {
        let rules = game.rules();
        let asked = checked_labels(game.as_ref(), options.labels)?;
        let path = match &options.output {
            Some(file) => file.clone(),
            None => self.dirs().file(rules.name())?,
        };
        check_place(&path)?;
        let path = resolve(&path);
        // Lock before reading the older table. A folder that does not exist holds none.
        let locked = if folder_of(&path).is_dir() { Some(lock_table(&path)?) } else { None };
        let older = if options.force { None } else { self.check_content(&path, rules)? };
        let labels = match &older {
            Some(table) => asked.union(labels_kept(table, game.as_ref())),
            None if options.force => asked,
            None => asked.union(self.hidden_labels(&path, game.as_ref())?),
        };
        let values = options.values || older.as_ref().is_some_and(|table| table.values().is_some());
        // Start threads before measuring memory: they use address space, which may be limited.
        self.start_threads()?;
        let reached = older.as_ref().and_then(|table| reached(table, game.as_ref()));
        let chosen = self.choose_knowing(game.as_ref(), options.method, reached, None)?;
        let choice = chosen.choice;
        let group = match choice.method {
            Method::Sparse | Method::Cyclic => group(game.as_ref(), options.symmetry)?,
            Method::Regions => region_group(game.as_ref(), options.symmetry)?,
            Method::Dense | Method::Coloured => Group::trivial().clone(),
        };
        let mut plan = Plan { engine: self, game, choice, group, labels, values, path, options: options.clone() };
        let (game, path) = (plan.game.as_ref(), &plan.path);
        let kept = older.filter(|table| plan.only_adds_to(table));
        // Kept labels stay in their old form, so the build cannot start to use symmetry.
        let asked = match (options.symmetry, &kept) {
            (UseSymmetry::Auto, Some(_)) => UseSymmetry::Never,
            (asked, _) => asked,
        };
        let sweep = SweepPlan::of(game, plan.choice.method, chosen.frame, labels)?;
        let sweep = sweep.map(|sweep| sweep.folded_by(self, asked, SearchEffort::Build)).transpose()?;
        if let Some(folder) = &options.scratch
            && let Err(source) = std::fs::read_dir(folder)
        {
            return Err(EngineError::Io { what: "use the scratch folder", path: folder.clone(), source });
        }
        let work = plan.settle(sweep.as_ref(), kept, chosen.marked)?;
        if values {
            check_values(&plan)?;
            if matches!(work, BuildWork::BySlice(_)) {
                return Err(EngineError::ValuesBySlice { name: game.rules().name().into() });
            }
        }
        remove_abandoned(folder_of(path));
        let disk = plan.disk(sweep.as_ref(), &work)?;
        prepare_folder(path, options.output.is_none())?;
        let lock = match locked {
            Some(lock) => lock,
            None => {
                let lock = lock_table(path)?;
                // Another build has created the folder and the table in the meantime.
                if path.exists() {
                    drop((lock, sweep));
                    return self.plan(plan.game, options);
                }
                lock
            }
        };
        if options.restart && !matches!(work, BuildWork::BySlice(_)) {
            remove_unfinished(path, options.scratch.as_deref());
        }
        if let Some(group) = sweep.map(|sweep| sweep.symmetry().clone()) {
            plan.group = group;
        }
        Ok(BuildPlan { plan, work, disk, lock })
    }
}

impl<'e> BuildPlan<'e> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.plan.game.as_ref()
    }

    /// The solver, and the reason for choosing it.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.plan.choice
    }

    /// The symmetries of the game up to which positions are solved.
    #[must_use]
    pub const fn symmetry(&self) -> &Group {
        &self.plan.group
    }

    /// The labels that the table will hold.
    #[must_use]
    pub const fn labels(&self) -> LabelSet {
        self.plan.labels
    }

    /// The table that is replaced, if its labels are kept and only the labels that it lacks are solved.
    #[must_use]
    pub const fn kept(&self) -> Option<&Table> {
        match &self.work {
            BuildWork::AddLabels(table) => Some(table),
            _ => None,
        }
    }

    /// The folder of the checkpoints, if the build writes any. If the build is stopped, they stay there, and the same
    /// build resumes from them.
    #[must_use]
    pub fn checkpoints(&self) -> Option<&Path> {
        self.work.checkpoints()
    }

    /// The disk space that the table takes; `None` if only solving tells.
    #[must_use]
    pub const fn disk(&self) -> Option<&DiskNeed> {
        self.disk.as_ref()
    }

    /// The file that will be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.plan.path
    }

    /// Solves the game on all threads ([`Engine::start_threads`]), or the labels that the replaced table lacks. If that
    /// table turns out to be damaged, solves everything.
    ///
    /// # Errors
    /// If memory is insufficient, the system cannot start the threads, or `progress` stops the work.
    pub fn solve(self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let Self { plan, work, disk: _, lock } = self;
        let threads = plan.engine.start_threads()?;
        // An older table keeps its values together with its labels.
        let keeps = matches!(&work, BuildWork::AddLabels(table) if table.values().is_some());
        // Before the work, which itself uses memory.
        let beside = sparse_baseline_bytes(plan.game.rules());
        let (labels, how) = work.run(&plan, progress).map_err(|error| plan.error_in_all(error, beside))?;
        let keeps = keeps && matches!(labels, BuiltLabels::Extended(_));
        let values = (plan.values && !keeps).then(|| find_values(&plan, progress)).transpose()?;
        let how = How { value_time: values.as_ref().map(SolvedValues::solve_time), threads, ..how };
        Ok(Solved { plan, labels, values, how, lock })
    }
}

impl Solved<'_> {
    /// The counts of outcomes over all positions with labels.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.labels.counts().into_iter().sum()
    }

    /// The damage that kept labels of the replaced table from being copied, if any.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.how.damage.as_deref()
    }

    /// Writes the table, releases the memory and opens the written file. `temporary` is called with the name of the
    /// temporary file, before it is renamed.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. No file is left in that
    /// case.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { plan, labels, values, how, lock } = self;
        let path = &plan.path;
        let of_values = values.as_ref().map_or(0, SolvedValues::byte_count);
        let file_bytes = labels.file_bytes(&plan).map(|bytes| bytes + of_values);
        if (plan.choice.method.is_of_reachable() || plan.choice.method == Method::Regions)
            && let Some(bytes) = file_bytes
        {
            // The size was not known before.
            check_room(&nearest_folder(path), bytes)?;
        }
        lock.check().map_err(|fault| EngineError::Write(TableError { path: Some(path.clone()), fault }))?;
        labels.save(&plan, values, file_bytes, temporary, progress)?;
        if how.slices.is_none() {
            remove_unfinished(path, plan.options.scratch.as_deref());
        }
        // Temporary files of other builds that were killed during this one.
        remove_abandoned(folder_of(path));
        let table = plan.engine.access.open(path)?;
        Ok(Built { open: OpenTable { game: plan.game.into(), table }, choice: plan.choice, how })
    }
}
