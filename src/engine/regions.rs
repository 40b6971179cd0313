//! A build that does not fit into memory: by regions, in a folder in which its table grows.

use std::path::{Path, PathBuf};

use super::EngineError;
use super::choice::marks_boards;
use super::room::{Limit, Resource, Shortage, allowance, baseline_bytes};
use crate::coloured::Frame;
use crate::game::Game;
use crate::label::LabelSet;
use crate::packed::Packing;
use crate::rules::{Descriptor, Position, Rules};
use crate::solve::{
    ColouredPlan, ColouredTask, Division, Kernel, Options, RegionOptions, RegionPlan, RegionTask, Swept, Watch,
};
use crate::symmetry::Fold;
use crate::table::{Growing, Growth, Table, TableError, TableFault, Unfinished, growing_folder, remove_growing};

/// Memory of a build by regions besides labels and what any build takes: the schedule, the checksums and the thread that
/// writes.
const BESIDE: u64 = 3 << 20;

/// What is divided into regions.
#[derive(Clone, Copy)]
pub(super) enum Divided<'a> {
    /// Every board; up to symmetry, if some stand for others.
    Boards(Option<&'a Fold>),
    /// Every colouring, which lie where this frame says.
    Colourings(&'a Frame),
}

/// What is solved by regions.
enum Task<'a> {
    Boards(RegionTask<'a>),
    Colourings(ColouredTask<'a>),
}

impl<'a> Task<'a> {
    fn new(rules: &'a Rules, divided: Divided<'a>, labels: LabelSet) -> Self {
        match divided {
            Divided::Boards(fold) => Self::Boards(RegionTask { rules, fold, labels, marks: marks_boards(rules) }),
            Divided::Colourings(frame) => Self::Colourings(ColouredTask { rules, frame, labels }),
        }
    }

    /// The regions that fit into `max_bytes` bytes of labels.
    fn plan(&self, max_bytes: u64) -> Option<Division> {
        match self {
            Self::Boards(task) => RegionPlan::new(task, max_bytes).map(Division::Boards),
            Self::Colourings(task) => ColouredPlan::new(task, max_bytes).map(Box::new).map(Division::Colourings),
        }
    }

    /// The regions that so many cells name, if they fit.
    fn plan_with(&self, cells: u32, max_bytes: u64) -> Option<Division> {
        match self {
            Self::Boards(task) => RegionPlan::with_region_cells(task, cells, max_bytes).map(Division::Boards),
            Self::Colourings(task) => {
                ColouredPlan::with_top_squares(task, cells, max_bytes).map(Box::new).map(Division::Colourings)
            }
        }
    }

    /// The least memory for labels with which it is solved.
    fn least_bytes(&self) -> Option<u64> {
        match self {
            Self::Boards(task) => RegionPlan::least_bytes(task),
            Self::Colourings(task) => ColouredPlan::least_bytes(task),
        }
    }
}

/// A build by regions.
pub(super) struct Regions {
    plan: Division,
    folder: PathBuf,
    descriptor: Descriptor,
    /// From where play is followed, if what it reaches is marked.
    roots: Option<Vec<Position>>,
    labels: LabelSet,
    packing: Option<Packing>,
}

/// How a build goes by regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionFacts {
    /// The number of regions.
    pub regions: u64,
    /// How many cells name a region.
    pub cells: u32,
    /// How many sheets of regions there are: each label of each region, and what play reaches of it.
    pub sheets: u64,
    /// How many of these an earlier process had finished.
    pub resumed: u64,
}

/// What an unfinished table in the folder means to this build.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", folder.display())]
pub struct UnfinishedError {
    /// The folder.
    pub folder: PathBuf,
    /// Why it cannot be gone on with.
    pub reason: &'static str,
}

impl Regions {
    /// The regions of a build of `game`, `divided`, with `labels`, packed if `packs` is set, within `memory`, whose table will be at
    /// `path`. It grows in `scratch`, or beside that.
    ///
    /// # Errors
    /// If memory or disk are too small for it, or an unfinished table is there that it cannot go on with; unless `restart` is set.
    pub(super) fn settle(
        game: &dyn Game,
        (labels, divided, packs): (LabelSet, Divided<'_>, bool),
        memory: Option<u64>,
        path: &Path,
        scratch: Option<&Path>,
        restart: bool,
    ) -> Result<Self, EngineError> {
        let rules = game.rules();
        let Fitting { plan, max_bytes } = fitting(game, (labels, divided), memory)?;
        let folder = growing_folder(path, scratch);
        let marks = matches!(divided, Divided::Colourings(_)) || marks_boards(rules);
        let roots = marks.then(|| rules.starts_and(&game.roots()));
        let packing = packs.then(Packing::default);
        let mut regions = Self { plan, folder, descriptor: game.descriptor(), roots, labels, packing };
        if restart {
            remove_growing(&regions.folder).map_err(EngineError::Write)?;
        }
        match Unfinished::of(&regions.folder, &regions.growth(game), &regions.plan).map_err(EngineError::Write)? {
            Unfinished::Same(cells) if cells != regions.plan.region_cells() => {
                // It goes on with the regions that it has, if they fit into memory.
                let same = Task::new(rules, divided, labels).plan_with(cells, max_bytes);
                regions.plan = same.ok_or_else(|| UnfinishedError {
                    folder: regions.folder.clone(),
                    reason: "the unfinished table there has regions that take more memory",
                })?;
            }
            Unfinished::None | Unfinished::Same(_) => {}
            Unfinished::Other => {
                let reason = "the unfinished table there is of other rules, options or another version";
                return Err(UnfinishedError { folder: regions.folder, reason }.into());
            }
        }
        Ok(regions)
    }

    fn growth<'a>(&'a self, game: &'a dyn Game) -> Growth<'a> {
        let (rules, descriptor, roots) = (game.rules(), &self.descriptor, self.roots.as_deref());
        Growth { rules, descriptor, roots, labels: self.labels, packing: self.packing }
    }

    /// Whether its regions are packed as they are finished.
    pub(super) fn grows_packed(&self, game: &dyn Game) -> bool {
        self.growth(game).packing_of_regions(&self.plan).is_some()
    }

    /// The folder in which the table grows.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sweeps what is not finished.
    ///
    /// # Errors
    /// If another process builds the table, memory or disk are too small, or `progress` stops the work.
    pub(super) fn solve(
        self,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
    ) -> Result<Grown, EngineError> {
        let growing = Growing::open(&self.folder, &self.growth(game), &self.plan).map_err(EngineError::Write)?;
        let resumed = growing.resumed();
        let roots = self.roots.as_deref().unwrap_or_default();
        let options = RegionOptions { roots, kernel, progress };
        let swept = self.plan.solve(game.rules(), &options, &growing)?;
        Ok(Grown { regions: self, growing, swept, resumed })
    }
}

/// The regions of a game that fit into memory.
pub(super) struct Fitting {
    pub(super) plan: Division,
    /// Bytes that solving may take.
    max_bytes: u64,
}

impl Fitting {
    /// Peak memory of a build in bytes.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.plan.memory_bytes() + baseline_bytes() + BESIDE
    }
}

/// The regions by which `game`, `divided`, is solved with `labels` within `memory`; without a limit, within what a build takes
/// unasked.
///
/// # Errors
/// If there is too little memory for any regions.
pub(super) fn fitting(
    game: &dyn Game,
    (labels, divided): (LabelSet, Divided<'_>),
    memory: Option<u64>,
) -> Result<Fitting, Shortage> {
    let rules = game.rules();
    let task = Task::new(rules, divided, labels);
    let (available, limit) = allowance(memory).unwrap_or((u64::MAX, Limit::Machine));
    let others = baseline_bytes() + BESIDE;
    let max_bytes = available.saturating_sub(others);
    if let Some(plan) = task.plan(max_bytes) {
        return Ok(Fitting { plan, max_bytes });
    }
    let needed = task.least_bytes().and_then(|needed| needed.checked_add(others));
    let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
    Err(Shortage { resource, name, needed, available, limit, largest_board: None })
}

/// A table all of whose regions are finished.
pub(super) struct Grown {
    regions: Regions,
    growing: Growing,
    pub(super) swept: Swept,
    resumed: u64,
}

impl Grown {
    /// How it was made.
    pub(super) fn facts(&self) -> RegionFacts {
        let plan = &self.regions.plan;
        let sheets = plan.regions() * plan.sheets().len() as u64;
        RegionFacts { regions: plan.regions(), cells: plan.region_cells(), sheets, resumed: self.resumed }
    }

    /// The number of positions that are stored.
    pub(super) fn stored_positions(&self, rules: &Rules) -> u64 {
        match &self.regions.plan {
            Division::Boards(plan) => plan.fold().map_or(rules.positions() as u64, Fold::stored_positions),
            Division::Colourings(plan) => plan.frame().stored_positions(),
        }
    }

    /// Completes the table and gives it its name. If it is to be packed and is not yet, because its regions are smaller than blocks, it is
    /// written anew.
    ///
    /// # Errors
    /// If it cannot be written. Regions that are finished stay so.
    pub(super) fn finish(
        self,
        game: &dyn Game,
        path: &Path,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let Self { regions, growing, swept, .. } = self;
        let packing = regions.packing.filter(|_| growing.packing().is_none());
        let complete = growing.complete(&swept, &regions.growth(game), &regions.plan).map_err(EngineError::Write)?;
        let Some(packing) = packing else { return complete.place(path).map_err(EngineError::Write) };
        // SAFETY: the folder is locked as long as `complete` is there, and nobody else writes what is in it.
        let table = unsafe { Table::map(complete.table()) }.map_err(EngineError::Read)?;
        let whole = table.extended(&Options { labels: regions.labels, progress, ..Options::default() })?;
        whole.save_packed(&regions.descriptor, path, Some(packing), temporary, progress).map_err(EngineError::Write)?;
        drop(whole);
        complete.remove();
        Ok(())
    }
}

/// Removes what is left of an unfinished table at `path`, now that the table is whole; unless somebody else makes it grow.
pub(super) fn remove_unfinished(path: &Path, scratch: Option<&Path>) {
    let _ = remove_growing(&growing_folder(path, scratch));
}

impl From<UnfinishedError> for EngineError {
    fn from(error: UnfinishedError) -> Self {
        Self::Unfinished(error)
    }
}

/// Whether `error` says that another process builds the table.
pub(super) const fn is_busy(error: &TableError) -> bool {
    matches!(error.fault, TableFault::Busy { .. })
}
