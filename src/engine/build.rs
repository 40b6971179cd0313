//! A build, step by step: plan it, solve it, save it. Each step returns a value that the next one consumes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::choice::marks_boards;
use super::compress::Compress;
use super::disk::DiskNeed;
use super::kept::{NotExtended, extend, labels_kept, lacks_labels_alone, reached};
use super::labels::check_labels;
use super::levels::Levels;
use super::machine::{can_map, is_one_disk};
use super::memory_budget::{check_extending_memory, check_room, room_left, sparse_max_bytes};
use super::planes::Planes;
use super::regions::{Regions, remove_unfinished};
use super::symmetry::{Care, group};
use super::target::{check_place, lock_table, nearest_folder, prepare_folder, resolve};
use super::work::Work;
use super::{Choice, Engine, EngineError, LevelFacts, OpenTable, RankFacts, RegionFacts, UseSymmetry};
use tablegen_core::atomic_file::{folder_of, remove_abandoned};
use tablegen_core::label::{Counts, LabelKind, LabelSet};
use tablegen_core::symmetry::Group;
use tablegen_games::Game;
use tablegen_solve::{
    Alone, LevelStore, Marked, MemoryProbe, Method, Options, Watch, solve, solve_distributed, solve_marked,
};
use tablegen_tables::table::{BuildLock, GrowingLevels, Table, TableError, kept_bytes};

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

/// A build that is ready to start, with its game, solver, output file and memory settled.
pub struct BuildPlan<'e> {
    engine: &'e Engine,
    game: Box<dyn Game>,
    choice: Choice,
    group: Option<Group>,
    /// The reachability bits, if they were computed to choose the solver.
    marked: Option<Marked>,
    labels: LabelSet,
    path: PathBuf,
    memory: Option<u64>,
    scratch: Option<PathBuf>,
    compress: Compress,
    kept: Option<Table>,
    regions: Option<Regions>,
    /// The checkpoints of a sparse build.
    levels: Option<Levels>,
    /// The lock of the table, held until the table is saved, so that no other build writes it.
    lock: BuildLock,
    disk: Option<DiskNeed>,
}

/// A build that is solved but not saved yet.
pub struct Solved<'e> {
    plan: BuildPlan<'e>,
    work: Work,
    threads: usize,
    damage: Option<String>,
    /// Facts about the ranks, if several ranks solved it.
    ranks: Option<RankFacts>,
    /// The checkpoints. While they are open, they keep other processes from building the table.
    growing: Option<GrowingLevels>,
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
    pub regions: Option<RegionFacts>,
    /// The levels resumed from the checkpoints of an earlier build.
    pub levels: LevelFacts,
    /// Facts about the ranks, if several ranks built it.
    pub ranks: Option<RankFacts>,
    /// The time spent on labelling.
    pub solve_time: Duration,
    /// The number of threads used.
    pub threads: usize,
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
        // Start threads before measuring memory: they use address space, which may be limited.
        self.start_threads()?;
        let reached = older.as_ref().and_then(|table| reached(table, game.as_ref()));
        let (choice, marked) = self.choose_knowing(game.as_ref(), options.method, reached, None)?;
        let group = match choice.method {
            Method::Sparse | Method::Cyclic => group(game.as_ref(), options.symmetry)?,
            Method::Dense | Method::Coloured => None,
        };
        let solver = (choice.method, group.as_ref());
        let repacks = |table: &Table| options.compress.repacks(table);
        let kept = older.filter(|table| lacks_labels_alone(table, game.as_ref(), solver, labels, repacks(table)));
        // Kept labels stay in their old form, so the build cannot start to use symmetry.
        let asked = match (options.symmetry, &kept) {
            (UseSymmetry::Auto, Some(_)) => UseSymmetry::Never,
            (asked, _) => asked,
        };
        let planes = self.planes(game.as_ref(), choice.method, asked, labels, Care::Build)?;
        let symmetry = planes.as_ref().and_then(Planes::symmetry);
        let group = group.or_else(|| symmetry.cloned());
        let (scratch, restart) = (options.scratch.as_deref(), options.restart);
        if let Some(folder) = scratch
            && let Err(source) = std::fs::read_dir(folder)
        {
            return Err(EngineError::Io { what: "use the scratch folder", path: folder.to_owned(), source });
        }
        let packs = planes.as_ref().is_some_and(|all| options.compress.packs(choice.method, all.every_bytes(labels)));
        let short = planes.as_ref().and_then(|planes| planes.check_memory(labels, options.memory).err());
        // A build by slices completes its table on disk and then maps it. `self.access` or a limit on address space may
        // rule that out.
        let can_grow = self.access.maps() && can_map(planes.as_ref().and_then(|all| all.file_bytes(labels)));
        let divides = planes.as_ref().is_some_and(Planes::divides);
        let regions = match (short, &planes) {
            (None, _) if symmetry.is_none() && (self.team.is_none() || !can_grow || !divides) => None,
            (Some(shortage), _) if !can_grow => return Err(shortage.into()),
            (_, None) => None,
            (_, Some(planes)) => {
                let what = (labels, planes.divided(), packs);
                Some(Regions::settle(game.as_ref(), what, options.memory, &path, scratch, restart, self.team.as_ref())?)
            }
        };
        let kept = kept.filter(|_| regions.is_none());
        let marked = marked.filter(|_| regions.is_none());
        let levels = match (choice.method, &kept) {
            (Method::Sparse, None) => {
                Levels::settle(game.as_ref(), (labels, group.as_ref()), &path, scratch, restart, self.team.as_ref())?
            }
            _ => None,
        };
        remove_abandoned(folder_of(&path));
        let folder = nearest_folder(&path);
        let disk = match (&planes, &regions, &kept) {
            (Some(planes), Some(regions), _) => {
                let (packs, kept) = (regions.grows_packed(game.as_ref()), kept_bytes(regions.folder()));
                planes.check_disk(&nearest_folder(regions.folder()), labels, kept, packs)?;
                if scratch.is_some_and(|scratch| !is_one_disk(scratch, &folder)) {
                    // The finished table will be copied from the scratch folder's disk to this one.
                    planes.check_disk(&folder, labels, 0, packs)?;
                }
                planes.disk(regions.folder(), labels, kept, packs)
            }
            (Some(planes), None, _) => {
                planes.check_disk(&folder, labels, 0, false)?;
                planes.disk(&path, labels, 0, packs)
            }
            (None, _, Some(table)) => {
                let bytes = table.file_bytes_with(&game.descriptor(), labels).unwrap_or(u64::MAX);
                check_extending_memory(rules, bytes, options.memory)?;
                check_room(&folder, bytes)?;
                Some(DiskNeed::new(&path, bytes, choice.method, false))
            }
            // The number of reachable positions, and so the size, is not known yet.
            (None, _, None) => None,
        };
        drop(planes);
        prepare_folder(&path, options.output.is_none())?;
        let lock = match locked {
            Some(lock) => lock,
            None => {
                let lock = lock_table(&path)?;
                // Another build created the folder and the table in between: plan again.
                if path.exists() {
                    drop(lock);
                    return self.plan(game, options);
                }
                lock
            }
        };
        if restart && regions.is_none() {
            remove_unfinished(&path, scratch);
        }
        let (memory, scratch, compress) = (options.memory, options.scratch.clone(), options.compress);
        Ok(BuildPlan {
            engine: self,
            game,
            choice,
            group,
            marked,
            labels,
            path,
            memory,
            scratch,
            compress,
            kept,
            regions,
            levels,
            lock,
            disk,
        })
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

    /// The symmetries, if only representatives are solved.
    #[must_use]
    pub const fn symmetry(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// The labels that the table will hold.
    #[must_use]
    pub const fn labels(&self) -> LabelSet {
        self.labels
    }

    /// The table to be replaced, if its labels are kept and only missing labels are solved.
    #[must_use]
    pub const fn kept(&self) -> Option<&Table> {
        self.kept.as_ref()
    }

    /// The folder with the checkpoints, if the build has any. After an interruption they stay there, and the same build
    /// resumes from them.
    #[must_use]
    pub fn growing(&self) -> Option<&Path> {
        self.regions.as_ref().map(Regions::folder).or_else(|| self.levels.as_ref().map(Levels::folder))
    }

    /// The disk space that the table needs; `None` if it is known only after solving.
    #[must_use]
    pub const fn disk(&self) -> Option<&DiskNeed> {
        self.disk.as_ref()
    }

    /// The file that will be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Solves the game on all threads ([`Engine::start_threads`]), or only the labels that the existing table lacks. If
    /// that table turns out to be damaged, everything is solved.
    ///
    /// # Errors
    /// If memory is insufficient, the system cannot start the threads, or `progress` stops the work.
    pub fn solve(mut self, progress: Option<Watch<'_>>) -> Result<Solved<'e>, EngineError> {
        let threads = self.engine.start_threads()?;
        let (method, kernel) = (self.choice.method, self.engine.kernel);
        if let Some(regions) = self.regions.take() {
            let grown = regions.solve(self.game.as_ref(), kernel, progress)?;
            let ranks = grown.ranks;
            return Ok(Solved {
                plan: self,
                work: Work::Grown(Box::new(grown)),
                threads,
                damage: None,
                ranks,
                growing: None,
            });
        }
        let growing = self.levels.as_ref().map(|levels| levels.open(self.game.as_ref())).transpose()?;
        let store = growing.as_ref().map(|growing| growing as &dyn LevelStore);
        if let Some(team) = &self.engine.team {
            let solved = match store {
                Some(_) => {
                    team.solve_positions(self.game.as_ref(), self.group.as_ref(), self.labels, progress, store)?
                }
                None => None,
            };
            if let Some((solution, ranks)) = solved {
                let work = Work::Whole(Box::new(solution));
                return Ok(Solved { plan: self, work, threads, damage: None, ranks: Some(ranks), growing });
            }
            team.say("rank 0 alone does this; the other ranks wait");
        }
        let roots = self.game.roots();
        let max_bytes = match method {
            Method::Dense | Method::Coloured => self.memory,
            Method::Sparse | Method::Cyclic => sparse_max_bytes(self.memory),
        };
        let room = room_left(self.memory);
        let (labels, room) = (self.labels, Some(&room as MemoryProbe<'_>));
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
        if let Some(store) = store {
            // The checkpoints were written by several ranks: this process resumes as their only rank.
            let solution = solve_distributed(self.game.rules(), &options, &Alone, Some(store))?;
            let work = solution.map(|solution| Work::Whole(Box::new(solution)));
            let work = work.unwrap_or_else(|| unreachable!("one process is the first"));
            return Ok(Solved { plan: self, work, threads, damage: None, ranks: None, growing });
        }
        let mut damage = None;
        if let Some(table) = self.kept.take() {
            match extend(table, &options) {
                Ok(extended) => {
                    let work = Work::Added(Box::new(extended));
                    return Ok(Solved { plan: self, work, threads, damage, ranks: None, growing: None });
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
        Ok(Solved { plan: self, work, threads, damage, ranks: None, growing: None })
    }
}

impl Solved<'_> {
    /// The counts of outcomes over all positions with labels.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.work.counts().into_iter().sum()
    }

    /// The damage that kept labels of the existing table from being copied, if any.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Writes the table, releases the memory and opens the written file. `temporary` is called with the name of the
    /// temporary file, which is renamed at the end.
    ///
    /// # Errors
    /// If there is no room for the table, it cannot be written, or `progress` stops the work. Then no file is left.
    pub fn save(self, temporary: impl FnOnce(&Path), progress: Option<Watch<'_>>) -> Result<Built, EngineError> {
        let Self { plan, work, threads, damage, ranks, growing } = self;
        let (found, labelled) = growing.as_ref().map_or((0, 0), GrowingLevels::resumed);
        let levels = LevelFacts { found, labelled };
        if plan.choice.method.is_of_reachable()
            && let Some(bytes) = work.file_bytes(&plan.game.descriptor())
        {
            // The size of a sparse table is known only now.
            check_room(&nearest_folder(&plan.path), bytes)?;
        }
        let (program, positions, solve_time) = (work.program(), work.positions(plan.game()), work.solve_time());
        let (kept, regions) = (work.kept(), work.regions());
        let solved = plan.labels.iter().filter(|label| !kept.contains(label)).collect();
        plan.lock.check().map_err(|fault| EngineError::Write(TableError { path: Some(plan.path.clone()), fault }))?;
        work.save(plan.game(), &plan.path, plan.compress, temporary, progress)?;
        growing.into_iter().for_each(GrowingLevels::over);
        if regions.is_none() {
            remove_unfinished(&plan.path, plan.scratch.as_deref());
        }
        // Temporary files of other builds that were killed during this one.
        remove_abandoned(folder_of(&plan.path));
        let open = plan.engine.open(&plan.path)?;
        let choice = plan.choice;
        Ok(Built {
            open,
            choice,
            program,
            positions,
            kept,
            solved,
            damage,
            regions,
            levels,
            ranks,
            solve_time,
            threads,
        })
    }
}
