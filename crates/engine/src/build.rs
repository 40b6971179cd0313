//! A build, step by step: plan it, solve it, save it. Each step returns a value that the next one consumes.

use std::path::Path;
use std::time::Duration;

use super::disk::DiskNeed;
use super::labelled::{Facts, Labelled};
use super::labels::check_labels;
use super::memory_budget::check_room;
use super::replaced::{labels_kept, lacks_labels_alone, reached};
use super::settled::Build;
use super::slices::remove_unfinished;
use super::symmetry::{SearchEffort, group};
use super::target::{check_place, lock_table, nearest_folder, prepare_folder, resolve};
use super::valued::{check_values, find_values};
use super::work::{Settling, Work};
use super::{BuildOptions, Choice, Engine, EngineError, LevelFacts, OpenTable, RankFacts, SliceFacts, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::{Counts, LabelKind, LabelSet};
use tablegen_solve::{SolvedValues, Watch};
use tablegen_tables::table::{Table, TableError};
use tablegen_work::atomic_file::{folder_of, remove_abandoned};

/// A build that is ready to start, with its game, solver, output file and memory settled.
pub struct BuildPlan<'e> {
    build: Build<'e>,
    work: Work,
    disk: Option<DiskNeed>,
}

/// A build that is solved but not saved yet.
pub struct Solved<'e> {
    build: Build<'e>,
    labelled: Labelled,
    values: Option<SolvedValues>,
    threads: usize,
}

/// A saved build. The memory used for solving is released.
pub struct Built {
    /// The table and its game.
    pub open: OpenTable,
    /// The solver, and the reason for choosing it.
    pub choice: Choice,
    /// The program that computed the labels: a kernel, or the sparse solver.
    pub program: &'static str,
    /// The number of positions with labels; under symmetry, of representatives.
    pub positions: u64,
    /// The labels that were copied from the replaced table: not solved, but checked byte for byte.
    pub kept: Vec<LabelKind>,
    /// The labels that were solved.
    pub solved: Vec<LabelKind>,
    /// The damage that kept labels of the replaced table from being copied, if any.
    pub damage: Option<String>,
    /// Facts about the slices, if the game was solved slice by slice.
    pub slices: Option<SliceFacts>,
    /// The levels resumed from the checkpoints of an earlier build.
    pub levels: LevelFacts,
    /// Facts about the ranks, if several ranks built it.
    pub ranks: Option<RankFacts>,
    /// The time spent on labelling.
    pub solve_time: Duration,
    /// The time spent on the values of boards, if they were found.
    pub value_time: Option<Duration>,
    /// The number of threads used.
    pub threads: usize,
}

impl Built {
    /// The positions that were labelled in a second; 0 if all labels were kept, or if the build resumed: how many
    /// positions an earlier one labelled is not known.
    #[must_use]
    pub fn positions_per_second(&self) -> f64 {
        let resumed =
            self.slices.as_ref().is_some_and(|slices| slices.resumed > 0) || self.levels != LevelFacts::default();
        if self.solved.is_empty() || resumed {
            return 0.0;
        }
        self.positions as f64 / self.solve_time.as_secs_f64().max(1e-9)
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
        check_labels(game.as_ref(), options.labels)?;
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
            Some(table) => options.labels.union(labels_kept(table, game.as_ref())),
            None if options.force => options.labels,
            None => options.labels.union(self.hidden_labels(&path, game.as_ref())?),
        };
        let values = options.values || older.as_ref().is_some_and(|table| table.values().is_some());
        // Start threads before measuring memory: they use address space, which may be limited.
        self.start_threads()?;
        let reached = older.as_ref().and_then(|table| reached(table, game.as_ref()));
        let (choice, marked) = self.choose_knowing(game.as_ref(), options.method, reached, None)?;
        let group = group(game.as_ref(), choice.method, options.symmetry)?;
        let solver = (choice.method, &group);
        let recompresses = |table: &Table| options.compress.recompresses(table) || values && table.values().is_none();
        let kept = older.filter(|table| lacks_labels_alone(table, game.as_ref(), solver, labels, recompresses(table)));
        // Kept labels stay in their old form, so the build cannot start to use symmetry.
        let asked = match (options.symmetry, &kept) {
            (UseSymmetry::Auto, Some(_)) => UseSymmetry::Never,
            (asked, _) => asked,
        };
        let planes = self.planes(game.as_ref(), choice.method, asked, labels, SearchEffort::Build)?;
        let group = planes.as_ref().map_or(group, |planes| planes.symmetry().clone());
        if let Some(folder) = &options.scratch
            && let Err(source) = std::fs::read_dir(folder)
        {
            return Err(EngineError::Io { what: "use the scratch folder", path: folder.clone(), source });
        }
        let settling = Settling {
            engine: self,
            game: game.as_ref(),
            method: choice.method,
            options,
            labels,
            group: &group,
            planes: planes.as_ref(),
            path: &path,
        };
        let work = settling.settle(kept, marked)?;
        if values {
            check_values(game.as_ref(), choice.method, options.memory, &path)?;
            if matches!(work, Work::BySlice(_)) {
                return Err(EngineError::ValuesBySlice { name: rules.name().into() });
            }
        }
        remove_abandoned(folder_of(&path));
        let disk = settling.disk(&work)?;
        drop(planes);
        prepare_folder(&path, options.output.is_none())?;
        let lock = match locked {
            Some(lock) => lock,
            None => {
                let lock = lock_table(&path)?;
                // Another build has created the folder and the table in the meantime.
                if path.exists() {
                    drop(lock);
                    return self.plan(game, options);
                }
                lock
            }
        };
        if options.restart && !matches!(work, Work::BySlice(_)) {
            remove_unfinished(&path, options.scratch.as_deref());
        }
        let options = options.clone();
        let build = Build { engine: self, game, choice, group, labels, values, path, options, lock };
        Ok(BuildPlan { build, work, disk })
    }
}

impl<'e> BuildPlan<'e> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.build.game.as_ref()
    }

    /// The solver, and the reason for choosing it.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.build.choice
    }

    /// The symmetries of the game up to which positions are solved.
    #[must_use]
    pub const fn symmetry(&self) -> &Group {
        &self.build.group
    }

    /// The labels that the table will hold.
    #[must_use]
    pub const fn labels(&self) -> LabelSet {
        self.build.labels
    }

    /// The table that is replaced, if its labels are kept and only the labels that it lacks are solved.
    #[must_use]
    pub const fn kept(&self) -> Option<&Table> {
        match &self.work {
            Work::AddLabels(table) => Some(table),
            Work::InMemory { .. } | Work::BySlice(_) | Work::ByLevel(_) => None,
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
        &self.build.path
    }

    /// Solves the game on all threads ([`Engine::start_threads`]), or the labels that the replaced table lacks. If that
    /// table turns out to be damaged, solves everything.
    ///
    /// # Errors
    /// If memory is insufficient, the system cannot start the threads, or `progress` stops the work.
    pub fn solve(self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let Self { build, work, disk: _ } = self;
        let threads = build.engine.start_threads()?;
        // An older table keeps its values together with its labels.
        let keeps = matches!(&work, Work::AddLabels(table) if table.values().is_some());
        let labelled = work.run(&build, progress)?;
        let keeps = keeps && matches!(labelled, Labelled::Extended(_));
        let values = (build.values && !keeps).then(|| find_values(&build, progress)).transpose()?;
        Ok(Solved { build, labelled, values, threads })
    }
}

impl Solved<'_> {
    /// The counts of outcomes over all positions with labels.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.labelled.counts().into_iter().sum()
    }

    /// The damage that kept labels of the replaced table from being copied, if any.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.labelled.damage()
    }

    /// Writes the table, releases the memory and opens the written file. `temporary` is called with the name of the
    /// temporary file, before it is renamed.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. No file is left in that
    /// case.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { build: Build { engine, game, choice, path, options, lock, .. }, labelled, values, threads } = self;
        if choice.method.is_of_reachable()
            && let Some(bytes) = labelled.file_bytes(&game.descriptor())
        {
            // The size was not known before.
            check_room(&nearest_folder(&path), bytes + values.as_ref().map_or(0, SolvedValues::byte_count))?;
        }
        let value_time = values.as_ref().map(SolvedValues::solve_time);
        let Facts { program, positions, solve_time, kept, damage, slices, levels, ranks } =
            labelled.facts(game.as_ref());
        lock.check().map_err(|fault| EngineError::Write(TableError { path: Some(path.clone()), fault }))?;
        labelled.save(game.as_ref(), &path, (options.compress, values), temporary, progress)?;
        if slices.is_none() {
            remove_unfinished(&path, options.scratch.as_deref());
        }
        // Temporary files of other builds that were killed during this one.
        remove_abandoned(folder_of(&path));
        let open = engine.open(&path)?;
        // The labels of a game whose positions may repeat differ from those asked for.
        let solved = open.table.labels().iter().filter(|label| !kept.contains(label)).collect();
        Ok(Built {
            open,
            choice,
            program,
            positions,
            kept,
            solved,
            damage,
            slices,
            levels,
            ranks,
            solve_time,
            value_time,
            threads,
        })
    }
}
