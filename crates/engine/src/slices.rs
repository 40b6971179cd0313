//! Builds slice by slice, for games that do not fit into memory, with symmetry, or by several ranks.

use std::fs;
use std::path::{Path, PathBuf};

use super::compress::memory_bytes;
use super::memory_budget::{Limit, Resource, Shortage, allowance, baseline_bytes, whole_bytes};
use super::order::{Order, Sharing, SliceOrder, holds};
use super::planes::Planes;
use super::sliced::Task;
use super::symmetry::SearchEffort;
use super::team::{RankFacts, Team, TeamError};
use super::{EngineError, UnfinishedError};
use tablegen_games::Game;
use tablegen_index::compressed::Compression;
use tablegen_index::domain::Domain;
use tablegen_index::symmetry::Fold;
use tablegen_labels::LabelSet;
use tablegen_ranks::{DistributedSlices, SliceHome, SliceHomes};
use tablegen_rules::{Descriptor, Position, Rules};
use tablegen_solve::{Kernel, Method, Options, SliceOptions, Slicing, SolveError, StoreFault, Swept, Watch};
use tablegen_tables::table::{
    BuildSpec, SliceCheckpoints, TOKEN, Table, Unfinished, checkpoint_folder, remove_checkpoints,
};

/// Memory of such a build besides the labels and what every build takes: the schedule, the checksums, the writing
/// thread, and compressing by default.
const BESIDE: u64 = 3 << 20;

/// A build slice by slice.
pub(super) struct Slices {
    plan: Slicing,
    folder: PathBuf,
    descriptor: Descriptor,
    /// The starts of reachability; empty without reachability bits.
    starts: Vec<Position>,
    labels: LabelSet,
    compression: Option<Compression>,
    /// Slices are stored uncompressed until all are finished.
    raw: bool,
    /// The ranks that sweep together, if there are several, and the memory of each, in bytes, for transfers.
    team: Option<(Team, u64)>,
}

/// Facts about a build slice by slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceFacts {
    /// The number of slices.
    pub slices: u64,
    /// The number of slice cells: cells whose values select a slice.
    pub slice_cells: u32,
    /// The number of pairs of a slice and a plane kind: a label, or the reachability bits.
    pub parts: u64,
    /// The number of these pairs that an earlier process had finished.
    pub resumed: u64,
}

impl Slices {
    /// Plans the slices of a build of `game`, whose table will be at `path`. `domain` has the positions of the sweep,
    /// with `labels`, within `memory`, with this compression of the labels. Checkpoints go to `scratch`, or to the folder of
    /// `path`.
    ///
    /// # Errors
    /// If memory or disk is too small, or there is an unfinished table from which it cannot resume, unless `restart` is
    /// set.
    pub(super) fn settle(
        game: &dyn Game,
        (labels, domain, compression): (LabelSet, &Domain, Option<Compression>),
        memory: Option<u64>,
        path: &Path,
        scratch: Option<&Path>,
        restart: bool,
        team: Option<&Team>,
    ) -> Result<Self, EngineError> {
        let rules = game.rules();
        let Fitting { plan, max_bytes, .. } = match team {
            Some(team) => fitting_together(game, (labels, domain), memory, team)?,
            None => fitting(game, (labels, domain, compression), memory, SearchEffort::Build)?,
        };
        let team = team.map(|team| (team.clone(), max_bytes / PLANNED * IN_TRANSIT));
        let folder = checkpoint_folder(path, scratch);
        let (descriptor, raw) = (game.descriptor(), team.is_some());
        let starts = domain.starts().to_vec();
        let mut slices = Self { plan, folder, descriptor, starts, labels, compression, raw, team };
        if restart {
            remove_checkpoints(&slices.folder).map_err(EngineError::Write)?;
        }
        match Unfinished::of(&slices.folder, &slices.spec(game), &slices.plan).map_err(EngineError::Write)? {
            Unfinished::Same { raw, .. } if !raw && slices.team.is_some() && slices.compresses_slices_alone(game) => {
                let reason = "one process began it, and only one process can resume it";
                return Err(UnfinishedError { folder: slices.folder, reason }.into());
            }
            Unfinished::Same { raw, cells } => {
                slices.raw |= raw;
                if cells != slices.plan.slice_cells() {
                    // The build resumes with the slices of the unfinished table, if they fit into memory.
                    let same = Task::new(rules, domain, labels).plan_with(cells, max_bytes);
                    slices.plan = same.ok_or_else(|| UnfinishedError {
                        folder: slices.folder.clone(),
                        reason: "its slices need more memory than this build may use",
                    })?;
                }
            }
            Unfinished::None => {}
            Unfinished::Other => {
                let reason = "expected the same rules, options and version, found others";
                return Err(UnfinishedError { folder: slices.folder, reason }.into());
            }
        }
        Ok(slices)
    }

    fn spec<'a>(&'a self, game: &'a dyn Game) -> BuildSpec<'a> {
        let (rules, descriptor, starts) = (game.rules(), &self.descriptor, self.starts.as_slice());
        BuildSpec { rules, descriptor, starts, labels: self.labels, compression: self.compression, raw: self.raw }
    }

    /// True if slices would be compressed as they are finished if one process swept them.
    fn compresses_slices_alone(&self, game: &dyn Game) -> bool {
        BuildSpec { raw: false, ..self.spec(game) }.compression_of_slices(&self.plan).is_some()
    }

    /// True if slices are compressed as they are finished.
    pub(super) fn compresses_slices(&self, game: &dyn Game) -> bool {
        self.spec(game).compression_of_slices(&self.plan).is_some()
    }

    /// The folder of the unfinished table.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sweeps all slices that are not finished.
    ///
    /// # Errors
    /// If another process builds the table, memory or disk is too small, or `progress` stops the work.
    pub(super) fn solve(
        self,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
    ) -> Result<SweptSlices, EngineError> {
        let checkpoints =
            SliceCheckpoints::open(&self.folder, &self.spec(game), &self.plan).map_err(EngineError::Write)?;
        if let Some((team, limit)) = self.team.clone() {
            let solved = self.solve_together(checkpoints, game, kernel, progress, &team, limit);
            return solved.map_err(|error| team.explain(error));
        }
        let resumed = checkpoints.resumed();
        let options = SliceOptions { roots: &self.starts, kernel, progress };
        let swept = self.plan.solve(game.rules(), &options, &checkpoints)?;
        Ok(SweptSlices { slices: self, checkpoints, swept, resumed, ranks: None })
    }

    /// Sweeps all slices that are not finished, together with the other ranks.
    fn solve_together(
        self,
        mut checkpoints: SliceCheckpoints,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
        team: &Team,
        limit: u64,
    ) -> Result<SweptSlices, EngineError> {
        // All ranks rely on the finished slices, so they are checked once, before the sweep.
        checkpoints.check().map_err(|fault| match fault {
            StoreFault::Io(error) => SolveError::Store(error),
            StoreFault::Damaged => unreachable!("the check discards damaged slices"),
        })?;
        let (resumed, finished) = (checkpoints.resumed(), checkpoints.all_finished());
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let token = format!("{:x}", fastrand::u128(..));
        let file = folder.join(TOKEN);
        fs::write(&file, &token).map_err(|source| EngineError::Io { what: "write to", path: file.clone(), source })?;
        let (method, folds) = match &self.plan {
            Slicing::Boards(plan) => (Method::Dense, plan.fold().is_some()),
            Slicing::Colourings(plan) => (Method::Coloured, plan.frame().fold().is_some()),
        };
        let (labels, compression, cells) = (self.labels, self.compression, self.plan.slice_cells());
        let sharing = Sharing { folder, token };
        let order = SliceOrder { method, folds, labels, compression, cells, sharing, finished: finished.clone() };
        team.order(&Order::Slices(order));
        let home = SliceHome::folder(&team.cluster, checkpoints);
        let homes = SliceHomes::gather(&team.cluster, &home).map_err(TeamError::from);
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
        let shared = DistributedSlices::new(&team.cluster, (home, &homes), (game.rules(), &self.plan), finished, limit);
        let swept = self.sweep_together(&shared, game, kernel, progress, team)?;
        let (checkpoints, traffic) = shared.into_parts();
        let checkpoints = checkpoints.unwrap_or_else(|| unreachable!("rank 0 has the folder"));
        let planned = self.plan.transfers(game.rules(), team.cluster.size())?;
        let planned_bytes = planned.iter().map(|asked| asked.bytes).sum();
        let ranks = Some(RankFacts {
            ranks: team.cluster.size(),
            without_folder: without_folder.len(),
            traffic,
            planned_bytes,
        });
        Ok(SweptSlices { slices: self, checkpoints, swept, resumed, ranks })
    }

    /// Sweeps this rank's share of the slices.
    fn sweep_together(
        &self,
        shared: &DistributedSlices<'_>,
        game: &dyn Game,
        kernel: Option<Kernel>,
        progress: Option<Watch<'_>>,
        team: &Team,
    ) -> Result<Swept, EngineError> {
        let swept = team.watching(progress, |watch| {
            let options = SliceOptions { roots: &self.starts, kernel, progress: Some(watch) };
            shared.serving(|store| self.plan.solve(game.rules(), &options, store))
        });
        Ok(swept?)
    }

    /// The build that rank 0 orders the other ranks to join.
    ///
    /// # Errors
    /// If this rank has too little memory for the slices.
    pub(super) fn of_order(
        game: &dyn Game,
        order: &SliceOrder,
        planes: &Planes<'_>,
        team: &Team,
    ) -> Result<Self, EngineError> {
        let rules = game.rules();
        let (available, limit) = team.memory.clone().unwrap_or((u64::MAX, Limit::Available));
        let max_bytes = available.saturating_sub(baseline_bytes() + BESIDE) / PARTS * PLANNED;
        let task = Task::new(rules, planes.domain(), order.labels);
        // Rank 0 found that they fit, but this process may use slightly more memory for other things.
        let plan = task.plan_with(order.cells, max_bytes).or_else(|| task.plan_with(order.cells, available));
        let plan = plan.ok_or_else(|| {
            let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
            Shortage { resource, name, needed: None, available, limit, largest_board: None }
        })?;
        let (labels, compression) = (order.labels, order.compression);
        let (folder, descriptor) = (order.sharing.folder.clone(), game.descriptor());
        let team = Some((team.clone(), max_bytes / PLANNED * IN_TRANSIT));
        let starts = planes.domain().starts().to_vec();
        Ok(Self { plan, folder, descriptor, starts, labels, compression, raw: true, team })
    }

    /// Sweeps this rank's share of the slices, on order of rank 0.
    ///
    /// # Errors
    /// If sweeping fails.
    pub(super) fn help(
        self,
        game: &dyn Game,
        order: &SliceOrder,
        kernel: Option<Kernel>,
        scratch: Option<&Path>,
        team: &Team,
    ) -> Result<(), EngineError> {
        let limit = self.team.as_ref().map_or(0, |(_, limit)| *limit);
        let sees = holds(&self.folder.join(TOKEN), &order.sharing.token);
        let home = if sees {
            SliceHome::in_folder(&team.cluster, &self.folder, &self.spec(game), &self.plan, &order.finished)
                .map_err(EngineError::Write)?
        } else {
            let path = scratch.map_or_else(std::env::temp_dir, Path::to_path_buf);
            let failed = |source| EngineError::Io { what: "write to", path: path.clone(), source };
            SliceHome::in_spill_file(scratch).map_err(failed)?
        };
        let homes = SliceHomes::gather(&team.cluster, &home).map_err(TeamError::from)?;
        let what = (game.rules(), &self.plan);
        let shared = DistributedSlices::new(&team.cluster, (home, &homes), what, order.finished.clone(), limit);
        self.sweep_together(&shared, game, kernel, None, team)?;
        Ok(())
    }
}

/// A rank's memory is divided into `PARTS` parts: `PLANNED` parts for the slices that it sweeps, the rest for slices in
/// transit.
const PARTS: u64 = 3;
const PLANNED: u64 = 2;
const IN_TRANSIT: u64 = PARTS - PLANNED;

/// A slicing of a game that fits into memory.
pub(super) struct Fitting {
    pub(super) plan: Slicing,
    /// Bytes that solving may take.
    max_bytes: u64,
    /// Bytes of the process besides, when the plan was made.
    others: u64,
}

impl Fitting {
    /// Peak memory of a build in bytes.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.plan.memory_bytes() + self.others
    }
}

/// The slicing of `game` with which a build solves `labels` of the positions of `domain` within `memory`, and compresses them as it goes.
/// Without a limit, it uses the default allowance.
///
/// # Errors
/// If memory is too small for any slicing.
pub(super) fn fitting(
    game: &dyn Game,
    (labels, domain, compression): (LabelSet, &Domain, Option<Compression>),
    memory: Option<u64>,
    effort: SearchEffort,
) -> Result<Fitting, Shortage> {
    let rules = game.rules();
    let task = Task::new(rules, domain, labels);
    let (available, limit) = allowance(memory).unwrap_or((u64::MAX, Limit::Available));
    let others = baseline_bytes() + BESIDE + compression.map_or(0, memory_bytes);
    let max_bytes = available.saturating_sub(others);
    let plan = match effort {
        SearchEffort::Build => task.plan(max_bytes),
        SearchEffort::Estimate => task.plan_soon(max_bytes),
    };
    if let Some(plan) = plan {
        return Ok(Fitting { plan, max_bytes, others });
    }
    // The smallest boards have no slices.
    let by_slice = task.least_bytes().and_then(|needed| needed.checked_add(others));
    let needed = by_slice.or_else(|| whole_bytes(rules, domain, labels));
    let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
    Err(Shortage { resource, name, needed, available, limit, largest_board: None })
}

/// Like [`fitting`], for slices that the ranks of `team` sweep together: the slicing with the shortest time.
fn fitting_together(
    game: &dyn Game,
    (labels, domain): (LabelSet, &Domain),
    memory: Option<u64>,
    team: &Team,
) -> Result<Fitting, Shortage> {
    /// Most slice cells that are tried, for `ranks` ranks: as many as keep the schedules small in memory.
    fn most_cells(ranks: usize) -> u32 {
        (10 + ranks.ilog2()).min(18)
    }
    let (rules, ranks) = (game.rules(), team.cluster.size());
    let task = Task::new(rules, domain, labels);
    let (available, limit) = team.memory.clone().or_else(|| allowance(memory)).unwrap_or((u64::MAX, Limit::Available));
    let others = baseline_bytes() + BESIDE;
    let max_bytes = available.saturating_sub(others) / PARTS * PLANNED;
    let beside = team.slice_cost();
    let mut best: Option<(u128, Slicing)> = None;
    for plan in task.plans_up_to(most_cells(ranks), max_bytes) {
        let span = plan.makespan(rules, beside, ranks);
        let least = u128::from(plan.slices()) * u128::from(beside) / ranks as u128;
        if best.as_ref().is_none_or(|(shortest, _)| span < *shortest) {
            best = Some((span, plan));
        } else if best.as_ref().is_some_and(|(shortest, _)| least > *shortest) {
            // More slices only take longer.
            break;
        }
    }
    if let Some(plan) = best.map(|(_, plan)| plan).or_else(|| task.plan(max_bytes)) {
        return Ok(Fitting { plan, max_bytes, others });
    }
    let needed = task.least_bytes().and_then(|needed| (needed / PLANNED * PARTS).checked_add(others));
    let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
    Err(Shortage { resource, name, needed, available, limit, largest_board: None })
}

/// A table whose slices are all finished.
pub(super) struct SweptSlices {
    slices: Slices,
    checkpoints: SliceCheckpoints,
    pub(super) swept: Swept,
    resumed: u64,
    /// Facts about the ranks, if there were several.
    pub(super) ranks: Option<RankFacts>,
}

impl SweptSlices {
    /// Facts about the build.
    pub(super) fn facts(&self) -> SliceFacts {
        let plan = &self.slices.plan;
        let parts = plan.slices() * plan.plane_kinds().len() as u64;
        SliceFacts { slices: plan.slices(), slice_cells: plan.slice_cells(), parts, resumed: self.resumed }
    }

    /// The number of positions that are stored.
    pub(super) fn stored_positions(&self, rules: &Rules) -> u64 {
        match &self.slices.plan {
            Slicing::Boards(plan) => plan.fold().map_or(rules.positions() as u64, Fold::stored_positions),
            Slicing::Colourings(plan) => plan.frame().stored_positions(),
        }
    }

    /// Completes the table and gives it its name. If it is to be compressed but its slices could not be, because they
    /// are smaller than blocks, the table is written a second time.
    ///
    /// # Errors
    /// If it cannot be written. Finished slices stay finished.
    pub(super) fn finish(
        self,
        game: &dyn Game,
        path: &Path,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let Self { slices, checkpoints, swept, .. } = self;
        let compression = slices.compression.filter(|_| checkpoints.compression().is_none());
        let complete = checkpoints.complete(&swept, &slices.spec(game), &slices.plan).map_err(EngineError::Write)?;
        let Some(compression) = compression else {
            return complete.place(path, temporary).map_err(EngineError::Write);
        };
        // SAFETY: the folder is locked as long as `complete` exists, so no other process writes there.
        let table = unsafe { Table::map(complete.table()) }.map_err(EngineError::Read)?;
        let whole = table.extended(&Options { labels: slices.labels, progress, ..Options::default() })?;
        whole
            .save_packed(&slices.descriptor, path, Some(compression), temporary, progress)
            .map_err(EngineError::Write)?;
        drop(whole);
        complete.remove();
        Ok(())
    }
}

/// Removes the unfinished table for `path` after the table is complete, unless another process is building it.
pub(super) fn remove_unfinished(path: &Path, scratch: Option<&Path>) {
    let _ = remove_checkpoints(&checkpoint_folder(path, scratch));
}
