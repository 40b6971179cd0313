//! A build that does not fit into memory: by regions, in a folder in which its table grows.

use std::fs;
use std::path::{Path, PathBuf};

use super::choice::marks_boards;
use super::divided::{Divided, Task};
use super::memory_budget::{Limit, Resource, Shortage, allowance, baseline_bytes};
use super::order::{Order, RegionOrder, Sharing, holds};
use super::planes::Planes;
use super::symmetry::Care;
use super::team::{RankFacts, Team, TeamError};
use super::{EngineError, UnfinishedError};
use tablegen_core::label::LabelSet;
use tablegen_core::packed::Packing;
use tablegen_core::rules::{Descriptor, Position, Rules};
use tablegen_core::symmetry::Fold;
use tablegen_games::Game;
use tablegen_solve::{Kernel, Method, Options, SliceOptions, Slicing, SolveError, StoreFault, Swept, Watch};
use tablegen_tables::cluster::{DistributedRegions, RegionHome, RegionHomes};
use tablegen_tables::table::{Growing, Growth, TOKEN, Table, Unfinished, growing_folder, remove_growing};

/// Memory of a build by regions besides labels and what any build takes: the schedule, the checksums and the thread that
/// writes.
const BESIDE: u64 = 3 << 20;

/// A build by regions.
pub(super) struct Regions {
    plan: Slicing,
    folder: PathBuf,
    descriptor: Descriptor,
    /// From where play is followed, if what it reaches is marked.
    roots: Option<Vec<Position>>,
    labels: LabelSet,
    packing: Option<Packing>,
    /// Whether regions are kept as they are until all are finished.
    raw: bool,
    /// The ranks that sweep together, if there are several, and bytes of memory of each for what they send each other.
    team: Option<(Team, u64)>,
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
        team: Option<&Team>,
    ) -> Result<Self, EngineError> {
        let rules = game.rules();
        let Fitting { plan, max_bytes } = match team {
            Some(team) => fitting_together(game, (labels, divided), memory, team)?,
            None => fitting(game, (labels, divided), memory, Care::Build)?,
        };
        let team = team.map(|team| (team.clone(), max_bytes / PLANNED * IN_TRANSIT));
        let folder = growing_folder(path, scratch);
        let marks = matches!(divided, Divided::Colourings(_)) || marks_boards(rules);
        let roots = marks.then(|| rules.starts_and(&game.roots()));
        let packing = packs.then(Packing::default);
        let (descriptor, raw) = (game.descriptor(), team.is_some());
        let mut regions = Self { plan, folder, descriptor, roots, labels, packing, raw, team };
        if restart {
            remove_growing(&regions.folder).map_err(EngineError::Write)?;
        }
        match Unfinished::of(&regions.folder, &regions.growth(game), &regions.plan).map_err(EngineError::Write)? {
            Unfinished::Same { raw, .. } if !raw && regions.team.is_some() && regions.grows_packed_alone(game) => {
                let reason = "the unfinished table there was begun by one process, and one alone can resume it";
                return Err(UnfinishedError { folder: regions.folder, reason }.into());
            }
            Unfinished::Same { raw, cells } => {
                regions.raw |= raw;
                if cells != regions.plan.slice_cells() {
                    // It goes on with the regions that it has, if they fit into memory.
                    let same = Task::new(rules, divided, labels).plan_with(cells, max_bytes);
                    regions.plan = same.ok_or_else(|| UnfinishedError {
                        folder: regions.folder.clone(),
                        reason: "the unfinished table there has regions that take more memory",
                    })?;
                }
            }
            Unfinished::None => {}
            Unfinished::Other => {
                let reason = "the unfinished table there is of other rules, options or another version";
                return Err(UnfinishedError { folder: regions.folder, reason }.into());
            }
        }
        Ok(regions)
    }

    fn growth<'a>(&'a self, game: &'a dyn Game) -> Growth<'a> {
        let (rules, descriptor, roots) = (game.rules(), &self.descriptor, self.roots.as_deref());
        Growth { rules, descriptor, roots, labels: self.labels, packing: self.packing, raw: self.raw }
    }

    /// Whether its regions would be packed as they are finished if one process swept them.
    fn grows_packed_alone(&self, game: &dyn Game) -> bool {
        Growth { raw: false, ..self.growth(game) }.packing_of_regions(&self.plan).is_some()
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
        if let Some((team, limit)) = self.team.clone() {
            let solved = self.solve_together(growing, game, kernel, progress, &team, limit);
            return solved.map_err(|error| team.explain(error));
        }
        let resumed = growing.resumed();
        let roots = self.roots.as_deref().unwrap_or_default();
        let options = SliceOptions { roots, kernel, progress };
        let swept = self.plan.solve(game.rules(), &options, &growing)?;
        Ok(Grown { regions: self, growing, swept, resumed, ranks: None })
    }

    /// Sweeps what is not finished, together with the other ranks.
    fn solve_together(
        self,
        mut growing: Growing,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
        team: &Team,
        limit: u64,
    ) -> Result<Grown, EngineError> {
        // All ranks rely on what is finished: it is looked at once, before.
        growing.check().map_err(|fault| match fault {
            StoreFault::Io(error) => SolveError::Store(error),
            StoreFault::Damaged => unreachable!("what is damaged is forgotten"),
        })?;
        let (resumed, finished) = (growing.resumed(), growing.all_finished());
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let token = format!("{:x}", fastrand::u128(..));
        let file = folder.join(TOKEN);
        fs::write(&file, &token).map_err(|source| EngineError::Io { what: "write to", path: file.clone(), source })?;
        let (method, folds) = match &self.plan {
            Slicing::Boards(plan) => (Method::Dense, plan.fold().is_some()),
            Slicing::Colourings(plan) => (Method::Coloured, plan.frame().fold().is_some()),
        };
        let (labels, packs, cells) = (self.labels, self.packing.is_some(), self.plan.slice_cells());
        let sharing = Sharing { folder, token };
        let order = RegionOrder { method, folds, labels, packs, cells, sharing, finished: finished.clone() };
        team.order(&Order::Regions(order));
        let home = RegionHome::folder(&team.cluster, growing);
        let homes = RegionHomes::gather(&team.cluster, &home).map_err(TeamError::from);
        let _ = fs::remove_file(&file);
        let homes = homes?;
        let without_folder = homes.without_folder();
        if let Some(first) = without_folder.first() {
            let of = team.cluster.size();
            let others = match without_folder.len() {
                1 => format!("rank {first} does"),
                several => format!("{several} of {of} ranks, rank {first} among them, do"),
            };
            team.say(&format!("{others} not see {}: rank 0 writes the table for them", self.folder.display()));
        }
        let shared =
            DistributedRegions::new(&team.cluster, (home, &homes), (game.rules(), &self.plan), finished, limit);
        let swept = self.sweep_together(&shared, game, kernel, progress, team)?;
        let (growing, traffic) = shared.into_parts();
        let growing = growing.unwrap_or_else(|| unreachable!("rank 0 has the folder"));
        let planned = self.plan.transfers(game.rules(), team.cluster.size())?;
        let planned_bytes = planned.iter().map(|asked| asked.bytes).sum();
        let ranks = Some(RankFacts {
            ranks: team.cluster.size(),
            without_folder: without_folder.len(),
            traffic,
            planned_bytes,
        });
        Ok(Grown { regions: self, growing, swept, resumed, ranks })
    }

    /// Sweeps this rank's share.
    fn sweep_together(
        &self,
        shared: &DistributedRegions<'_>,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
        team: &Team,
    ) -> Result<Swept, EngineError> {
        let roots = self.roots.as_deref().unwrap_or_default();
        let swept = team.watching(progress, |watch| {
            let options = SliceOptions { roots, kernel, progress: Some(watch) };
            shared.serving(|store| self.plan.solve(game.rules(), &options, store))
        });
        Ok(swept?)
    }

    /// The regions that rank 0 orders the others to sweep.
    ///
    /// # Errors
    /// If this rank has too little memory for them.
    pub(super) fn of_order(
        game: &dyn Game,
        order: &RegionOrder,
        planes: &Planes<'_>,
        team: &Team,
    ) -> Result<Self, EngineError> {
        let rules = game.rules();
        let (available, limit) = team.memory.clone().unwrap_or((u64::MAX, Limit::Machine));
        let max_bytes = available.saturating_sub(baseline_bytes() + BESIDE) / PARTS * PLANNED;
        let task = Task::new(rules, planes.divided(), order.labels);
        // Rank 0 has found that they fit; what else this process has in memory may differ a little.
        let plan = task.plan_with(order.cells, max_bytes).or_else(|| task.plan_with(order.cells, available));
        let plan = plan.ok_or_else(|| {
            let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
            Shortage { resource, name, needed: None, available, limit, largest_board: None }
        })?;
        let marks = order.method == Method::Coloured || marks_boards(rules);
        let roots = marks.then(|| rules.starts_and(&game.roots()));
        let packing = order.packs.then(Packing::default);
        let (folder, descriptor, labels) = (order.sharing.folder.clone(), game.descriptor(), order.labels);
        let team = Some((team.clone(), max_bytes / PLANNED * IN_TRANSIT));
        Ok(Self { plan, folder, descriptor, roots, labels, packing, raw: true, team })
    }

    /// Sweeps this rank's share of them.
    ///
    /// # Errors
    /// If it cannot.
    pub(super) fn help(
        self,
        game: &dyn Game,
        order: &RegionOrder,
        kernel: Option<Kernel>,
        scratch: Option<&Path>,
        team: &Team,
    ) -> Result<(), EngineError> {
        let limit = self.team.as_ref().map_or(0, |(_, limit)| *limit);
        let sees = holds(&self.folder.join(TOKEN), &order.sharing.token);
        let home = if sees {
            RegionHome::in_folder(&team.cluster, &self.folder, &self.growth(game), &self.plan, &order.finished)
                .map_err(EngineError::Write)?
        } else {
            let path = scratch.map_or_else(std::env::temp_dir, Path::to_path_buf);
            let failed = |source| EngineError::Io { what: "write to", path: path.clone(), source };
            RegionHome::in_spill_file(scratch).map_err(failed)?
        };
        let homes = RegionHomes::gather(&team.cluster, &home).map_err(TeamError::from)?;
        let what = (game.rules(), &self.plan);
        let shared = DistributedRegions::new(&team.cluster, (home, &homes), what, order.finished.clone(), limit);
        self.sweep_together(&shared, game, kernel, None, team)?;
        Ok(())
    }
}

/// Of so many parts of the memory of a rank, how many are for the regions that it sweeps, and how many for those that come and go.
const PARTS: u64 = 3;
const PLANNED: u64 = 2;
const IN_TRANSIT: u64 = PARTS - PLANNED;

/// The regions of a game that fit into memory.
pub(super) struct Fitting {
    pub(super) plan: Slicing,
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
    care: Care,
) -> Result<Fitting, Shortage> {
    let rules = game.rules();
    let task = Task::new(rules, divided, labels);
    let (available, limit) = allowance(memory).unwrap_or((u64::MAX, Limit::Machine));
    let others = baseline_bytes() + BESIDE;
    let max_bytes = available.saturating_sub(others);
    let plan = match care {
        Care::Build => task.plan(max_bytes),
        Care::Estimate => task.plan_soon(max_bytes),
    };
    if let Some(plan) = plan {
        return Ok(Fitting { plan, max_bytes });
    }
    let needed = task.least_bytes().and_then(|needed| needed.checked_add(others));
    let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
    Err(Shortage { resource, name, needed, available, limit, largest_board: None })
}

/// As [`fitting`], for regions that the ranks of `team` sweep together: those that are soonest swept.
fn fitting_together(
    game: &dyn Game,
    (labels, divided): (LabelSet, Divided<'_>),
    memory: Option<u64>,
    team: &Team,
) -> Result<Fitting, Shortage> {
    /// Most region cells that are tried, with so many ranks: as many regions as their schedules take little memory for.
    fn most_cells(ranks: usize) -> u32 {
        (10 + ranks.ilog2()).min(18)
    }
    let (rules, ranks) = (game.rules(), team.cluster.size());
    let task = Task::new(rules, divided, labels);
    let (available, limit) = team.memory.clone().or_else(|| allowance(memory)).unwrap_or((u64::MAX, Limit::Machine));
    let others = baseline_bytes() + BESIDE;
    let max_bytes = available.saturating_sub(others) / PARTS * PLANNED;
    let beside = team.region_cost();
    let mut best: Option<(u128, Slicing)> = None;
    for plan in task.plans_up_to(most_cells(ranks), max_bytes) {
        let span = plan.makespan(rules, beside, ranks);
        let least = u128::from(plan.slices()) * u128::from(beside) / ranks as u128;
        if best.as_ref().is_none_or(|(shortest, _)| span < *shortest) {
            best = Some((span, plan));
        } else if best.as_ref().is_some_and(|(shortest, _)| least > *shortest) {
            // More of them take longer, whatever is in them.
            break;
        }
    }
    if let Some(plan) = best.map(|(_, plan)| plan).or_else(|| task.plan(max_bytes)) {
        return Ok(Fitting { plan, max_bytes });
    }
    let needed = task.least_bytes().and_then(|needed| (needed / PLANNED * PARTS).checked_add(others));
    let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
    Err(Shortage { resource, name, needed, available, limit, largest_board: None })
}

/// A table all of whose regions are finished.
pub(super) struct Grown {
    regions: Regions,
    growing: Growing,
    pub(super) swept: Swept,
    resumed: u64,
    /// How the ranks built it, if there were several.
    pub(super) ranks: Option<RankFacts>,
}

impl Grown {
    /// How it was made.
    pub(super) fn facts(&self) -> RegionFacts {
        let plan = &self.regions.plan;
        let sheets = plan.slices() * plan.plane_kinds().len() as u64;
        RegionFacts { regions: plan.slices(), cells: plan.slice_cells(), sheets, resumed: self.resumed }
    }

    /// The number of positions that are stored.
    pub(super) fn stored_positions(&self, rules: &Rules) -> u64 {
        match &self.regions.plan {
            Slicing::Boards(plan) => plan.fold().map_or(rules.positions() as u64, Fold::stored_positions),
            Slicing::Colourings(plan) => plan.frame().stored_positions(),
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
