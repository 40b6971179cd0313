//! The work of a build, settled before it starts: one variant for each way to make a table.

use std::path::Path;

use super::disk::DiskNeed;
use super::labelled::Labelled;
use super::levels::Levels;
use super::machine::{can_map, is_one_disk};
use super::memory_budget::{check_extending_memory, check_room};
use super::planes::Planes;
use super::replaced::{NotExtended, extend};
use super::settled::Build;
use super::slices::Slices;
use super::target::nearest_folder;
use super::{BuildOptions, Engine, EngineError};
use tablegen_games::Game;
use tablegen_index::compressed::Compression;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solve::{Alone, LevelStore, Marked, Method, Options, Watch, solve, solve_distributed, solve_marked};
use tablegen_tables::table::{Table, checkpoint_bytes};

/// The work of a build.
pub(super) enum Work {
    /// Solve every label in memory.
    InMemory {
        /// The reachability bits, if they were computed to choose the solver.
        marked: Option<Box<Marked>>,
    },
    /// Solve the labels that an older table lacks, and copy the others.
    AddLabels(Box<Table>),
    /// Sweep slice by slice. Finished slices are checkpoints.
    BySlice(Box<Slices>),
    /// Find and label the reachable positions level by level. Finished levels are checkpoints.
    ByLevel(Box<Levels>),
}

/// The facts about a build from which its work is settled.
pub(super) struct Settling<'a> {
    pub(super) engine: &'a Engine,
    pub(super) game: &'a dyn Game,
    pub(super) method: Method,
    pub(super) options: &'a BuildOptions,
    pub(super) labels: LabelSet,
    pub(super) group: &'a Group,
    /// The planes of a dense or two-colour table.
    pub(super) planes: Option<&'a Planes<'a>>,
    pub(super) path: &'a Path,
}

impl Settling<'_> {
    /// Settles the work. `kept` is the older table, if only labels are missing in it. `marked` has the reachability
    /// bits, if choosing the solver computed them.
    ///
    /// # Errors
    /// If memory is too small, or there are checkpoints of another build.
    pub(super) fn settle(&self, kept: Option<Table>, marked: Option<Marked>) -> Result<Work, EngineError> {
        if let Some(slices) = self.slices()? {
            return Ok(Work::BySlice(Box::new(slices)));
        }
        if let Some(table) = kept {
            return Ok(Work::AddLabels(Box::new(table)));
        }
        if self.method == Method::Sparse
            && let Some(levels) = self.levels()?
        {
            return Ok(Work::ByLevel(Box::new(levels)));
        }
        Ok(Work::InMemory { marked: marked.map(Box::new) })
    }

    /// The slices by which a dense or two-colour table is swept; `None` if it is swept in memory.
    fn slices(&self) -> Result<Option<Slices>, EngineError> {
        let Some(planes) = self.planes else { return Ok(None) };
        let Self { engine, options, labels, .. } = *self;
        // A build by slices completes its table on disk and then maps it. The engine's access or a limit on address space
        // may rule that out.
        let can_grow = engine.access.maps() && can_map(planes.file_bytes(labels));
        match planes.check_memory(labels, options.memory) {
            Ok(()) if planes.symmetry().is_trivial() && (engine.team.is_none() || !can_grow || !planes.divides()) => {
                return Ok(None);
            }
            Err(shortage) if !can_grow => return Err(shortage.into()),
            Ok(()) | Err(_) => {}
        }
        let what = (labels, planes.domain(), self.compression(planes));
        let (scratch, team) = (options.scratch.as_deref(), engine.team.as_ref());
        Slices::settle(self.game, what, options.memory, self.path, scratch, options.restart, team).map(Some)
    }

    fn levels(&self) -> Result<Option<Levels>, EngineError> {
        let (what, scratch) = ((self.labels, self.group), self.options.scratch.as_deref());
        Levels::settle(self.game, what, self.path, scratch, self.options.restart, self.engine.team.as_ref())
    }

    fn compression(&self, planes: &Planes<'_>) -> Option<Compression> {
        self.options.compress.of_new(self.method, planes.every_bytes(self.labels))
    }

    /// The disk space that `work` takes; `None` if only solving tells.
    ///
    /// # Errors
    /// If there is less.
    pub(super) fn disk(&self, work: &Work) -> Result<Option<DiskNeed>, EngineError> {
        let Self { game, labels, path, .. } = *self;
        let folder = nearest_folder(path);
        match (work, self.planes) {
            (Work::BySlice(slices), Some(planes)) => {
                let (compresses, kept) = (slices.compresses_slices(game), checkpoint_bytes(slices.folder()));
                planes.check_disk(&nearest_folder(slices.folder()), labels, kept, compresses)?;
                if self.options.scratch.as_deref().is_some_and(|scratch| !is_one_disk(scratch, &folder)) {
                    // The finished table will be copied from the scratch folder's disk to this one.
                    planes.check_disk(&folder, labels, 0, compresses)?;
                }
                Ok(planes.disk(slices.folder(), labels, kept, compresses))
            }
            (_, Some(planes)) => {
                planes.check_disk(&folder, labels, 0, false)?;
                Ok(planes.disk(path, labels, 0, self.compression(planes).is_some()))
            }
            (Work::AddLabels(table), None) => {
                let bytes = table.file_bytes_with(&game.descriptor(), labels).unwrap_or(u64::MAX);
                check_extending_memory(game.rules(), bytes, self.options.memory)?;
                check_room(&folder, bytes)?;
                Ok(Some(DiskNeed::new(path, bytes, 0, self.method, false)))
            }
            // The number of reachable positions is not known yet.
            (Work::InMemory { .. } | Work::ByLevel(_) | Work::BySlice(_), None) => Ok(None),
        }
    }
}

impl Work {
    /// The folder of the checkpoints, if the work writes any.
    pub(super) fn checkpoints(&self) -> Option<&Path> {
        match self {
            Self::BySlice(slices) => Some(slices.folder()),
            Self::ByLevel(levels) => Some(levels.folder()),
            Self::InMemory { .. } | Self::AddLabels(_) => None,
        }
    }

    /// Does the work of `build` on all threads.
    ///
    /// # Errors
    /// If memory is insufficient, checkpoints cannot be written, or `progress` stops the work.
    pub(super) fn run(self, build: &Build<'_>, progress: Option<Watch<'_>>) -> Result<Labelled, EngineError> {
        let game = build.game.as_ref();
        match self {
            Self::BySlice(slices) => {
                let swept = slices.solve(game, build.engine.kernel, progress)?;
                Ok(Labelled::BySlice(Box::new(swept)))
            }
            Self::ByLevel(levels) => by_level(build, &levels, progress),
            Self::InMemory { marked } => {
                build.say_alone();
                in_memory(build, marked, None, progress)
            }
            Self::AddLabels(table) => {
                build.say_alone();
                match build.with_options(progress, |options| extend(*table, options)) {
                    Ok(extended) => Ok(Labelled::Extended(Box::new(extended))),
                    Err(NotExtended::Damaged(why)) => in_memory(build, None, Some(why), progress),
                    Err(NotExtended::Failed(error)) => Err(error),
                }
            }
        }
    }
}

/// Finds and labels the reachable positions level by level, together with the other ranks if there are any.
fn by_level(build: &Build<'_>, levels: &Levels, progress: Option<Watch<'_>>) -> Result<Labelled, EngineError> {
    let game = build.game.as_ref();
    let checkpoints = levels.open(game)?;
    let store: &dyn LevelStore = &checkpoints;
    if let Some(team) = &build.engine.team {
        let solved = team.solve_positions(game, &build.group, build.labels, progress, Some(store))?;
        let (solution, ranks) = solved.unwrap_or_else(|| unreachable!("rank 0 receives the solution"));
        return Ok(Labelled::ByLevel {
            solution: Box::new(solution),
            checkpoints: Box::new(checkpoints),
            ranks: Some(ranks),
        });
    }
    // One process resumes as the only rank.
    let solve = |options: &Options<'_>| solve_distributed(game.rules(), options, &Alone, Some(store));
    let solution = build.with_options(progress, solve)?;
    let solution = solution.unwrap_or_else(|| unreachable!("a single process is rank 0"));
    Ok(Labelled::ByLevel { solution: Box::new(solution), checkpoints: Box::new(checkpoints), ranks: None })
}

fn in_memory(
    build: &Build<'_>,
    marked: Option<Box<Marked>>,
    damage: Option<String>,
    progress: Option<Watch<'_>>,
) -> Result<Labelled, EngineError> {
    let solve = |options: &Options<'_>| match marked {
        Some(marked) => solve_marked(*marked, options),
        None => solve(build.game.rules(), options),
    };
    let solution = build.with_options(progress, solve)?;
    Ok(Labelled::InMemory { solution: Box::new(solution), damage })
}
