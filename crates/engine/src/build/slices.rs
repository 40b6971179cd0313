//! Builds slice by slice, for games that do not fit into memory, with symmetry, or by several ranks.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::build::order::{Order, Sharing, SliceOrder, holds};
use crate::build::plan::Plan;
use crate::build::team::{RankFacts, Team, TeamError};
use crate::build::work::How;
use crate::plan::compress::memory_bytes;
use crate::plan::memory_budget::{Allowance, Limit, Shortage, baseline_bytes};
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::SearchEffort;
use crate::{EngineError, UnfinishedError};
use tablegen_games::Game;
use tablegen_index::compressed::Compression;
use tablegen_labels::LabelSet;
use tablegen_ranks::{DistributedSlices, SliceHome, SliceHomes};
use tablegen_rules::{Descriptor, Position};
use tablegen_solvers::{Kernel, Options, SliceOptions, SlicePlan, SolveError, StoreFault, Swept, Watch};
use tablegen_tables::table::{
    BuildSpec, SliceCheckpoints, TOKEN, Table, Unfinished, checkpoint_folder, remove_checkpoints,
};

/// Memory of such a build besides the labels and what every build takes: the schedule, the checksums, the writing
/// thread, and compressing by default.
const BESIDE: u64 = 3 << 20;

/// A build slice by slice.
pub(crate) struct Slices {
    plan: SlicePlan,
    folder: PathBuf,
    descriptor: Descriptor,
    /// The starts of reachability; empty without reachability bits.
    starts: Vec<Position>,
    labels: LabelSet,
    compression: Option<Compression>,
    /// Slices are stored uncompressed until all are finished.
    raw: bool,
    /// The number of stored positions.
    positions: u64,
    /// True if only representatives of symmetry classes are stored.
    folds: bool,
    /// The ranks that sweep together, if there are several.
    together: Option<Together>,
}

/// Ranks that sweep together.
#[derive(Clone)]
struct Together {
    team: Team,
    /// The memory of each rank, in bytes, for slices in transit.
    transit_bytes: u64,
}

/// What a sweep needs besides the slices.
#[derive(Clone, Copy)]
struct SliceRun<'a> {
    game: &'a dyn Game,
    kernel: Option<Kernel>,
    progress: Option<Watch<'a>>,
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
    /// Plans the slices of the build `plan`, which does `sweep`.
    ///
    /// # Errors
    /// If memory or disk is too small, or there is an unfinished table from which it cannot resume, unless it starts
    /// over.
    pub(crate) fn settle(plan: &Plan<'_>, sweep: &SweepPlan<'_>) -> Result<Self, EngineError> {
        let (options, team, game) = (&plan.options, plan.engine.team.as_ref(), plan.game.as_ref());
        let compression = sweep.compression(options.compress);
        let Fitting { plan: slicing, max_bytes, .. } = match team {
            Some(team) => fitting_together(sweep, options.memory, team)?,
            None => fitting(sweep, compression, options.memory, SearchEffort::Build)?,
        };
        let folder = checkpoint_folder(&plan.path, options.scratch.as_deref());
        let mut slices = Self::new(sweep, slicing, folder, compression);
        slices.share(team, max_bytes);
        if options.restart {
            remove_checkpoints(&slices.folder).map_err(EngineError::Write)?;
        }
        match Unfinished::of(&slices.folder, &slices.spec(game), &slices.plan).map_err(EngineError::Write)? {
            Unfinished::Same { raw, .. } if !raw && team.is_some() && slices.compresses_slices_alone(game) => {
                let reason = "one process began it, and only one process can resume it";
                return Err(UnfinishedError { folder: slices.folder, reason }.into());
            }
            Unfinished::Same { raw, cells } => {
                slices.raw |= raw;
                if cells != slices.plan.slice_cells() {
                    // The build resumes with the slices of the unfinished table, if they fit into memory.
                    let same = sweep.slices_with(cells, max_bytes);
                    slices.plan = same.ok_or_else(|| UnfinishedError {
                        folder: slices.folder.clone(),
                        reason: "its slices need more memory than this build may use",
                    })?;
                }
            }
            Unfinished::None => {}
            Unfinished::Other => return Err(UnfinishedError::of_another(slices.folder).into()),
        }
        Ok(slices)
    }

    fn new(sweep: &SweepPlan<'_>, plan: SlicePlan, folder: PathBuf, compression: Option<Compression>) -> Self {
        Self {
            plan,
            folder,
            descriptor: sweep.game.descriptor(),
            starts: sweep.starts().to_vec(),
            labels: sweep.labels,
            compression,
            raw: false,
            positions: sweep.stored_positions(),
            folds: !sweep.symmetry().is_trivial(),
            together: None,
        }
    }

    /// Shares the slices among the ranks of `team`, if there are several, each of which sweeps in `max_bytes` bytes.
    fn share(&mut self, team: Option<&Team>, max_bytes: u64) {
        let transit_bytes = max_bytes / PLANNED * IN_TRANSIT;
        self.together = team.map(|team| Together { team: team.clone(), transit_bytes });
        self.raw = team.is_some();
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
    pub(crate) fn compresses_slices(&self, game: &dyn Game) -> bool {
        self.spec(game).compression_of_slices(&self.plan).is_some()
    }

    /// The folder of the unfinished table.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sweeps all slices that are not finished.
    ///
    /// # Errors
    /// If another process builds the table, memory or disk is too small, or `progress` stops the work.
    pub(crate) fn solve(self, plan: &Plan<'_>, progress: Option<Watch<'_>>) -> Result<(SweptSlices, How), EngineError> {
        let run = SliceRun { game: plan.game.as_ref(), kernel: plan.engine.kernel, progress };
        let checkpoints =
            SliceCheckpoints::open(&self.folder, &self.spec(run.game), &self.plan).map_err(EngineError::Write)?;
        let resumed = checkpoints.resumed();
        let (checkpoints, swept, ranks) = match &self.together {
            Some(together) => {
                self.solve_together(checkpoints, run, together).map_err(|error| together.team.explain(error))?
            }
            None => {
                let options = SliceOptions { roots: &self.starts, kernel: run.kernel, progress };
                let swept = self.plan.solve(run.game.rules(), &options, &checkpoints)?;
                (checkpoints, swept, None)
            }
        };
        let parts = self.plan.slices() * self.plan.plane_kinds().len() as u64;
        let (slices, slice_cells) = (self.plan.slices(), self.plan.slice_cells());
        let slices = Some(SliceFacts { slices, slice_cells, parts, resumed });
        let (program, positions, solve_time) = (swept.kernel, self.positions, swept.sweep_time);
        let how = How { program, positions, solve_time, slices, ranks, ..How::default() };
        Ok((SweptSlices { slices: self, checkpoints, swept }, how))
    }

    /// Sweeps all slices that are not finished, together with the other ranks.
    fn solve_together(
        &self,
        mut checkpoints: SliceCheckpoints,
        run: SliceRun<'_>,
        together: &Together,
    ) -> Result<(SliceCheckpoints, Swept, Option<RankFacts>), EngineError> {
        let team = &together.team;
        // All ranks rely on the finished slices, so they are checked once, before the sweep.
        checkpoints.check().map_err(|fault| match fault {
            StoreFault::Io(error) => SolveError::Store(error),
            StoreFault::Damaged => unreachable!("the check discards damaged slices"),
        })?;
        let finished = checkpoints.all_finished();
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let token = format!("{:x}", fastrand::u128(..));
        let file = folder.join(TOKEN);
        fs::write(&file, &token).map_err(|source| EngineError::Io { what: "write to", path: file.clone(), source })?;
        let order = SliceOrder {
            colours: self.plan.has_colours(),
            folds: self.folds,
            labels: self.labels,
            compression: self.compression,
            cells: self.plan.slice_cells(),
            sharing: Sharing { folder, token },
            finished: finished.clone(),
        };
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
        let limit = together.transit_bytes;
        let shared = DistributedSlices::new(&team.cluster, (home, &homes), &self.plan, finished, limit);
        let swept = self.sweep_together(&shared, run, team)?;
        let (checkpoints, traffic) = shared.into_parts();
        let checkpoints = checkpoints.unwrap_or_else(|| unreachable!("rank 0 has the folder"));
        let (ranks, without_folder) = (team.cluster.size(), without_folder.len());
        let planned_bytes = self.plan.transfers(ranks).iter().map(|asked| asked.bytes).sum();
        Ok((checkpoints, swept, Some(RankFacts { ranks, without_folder, traffic, planned_bytes })))
    }

    /// Sweeps this rank's share of the slices.
    fn sweep_together(
        &self,
        shared: &DistributedSlices<'_>,
        run: SliceRun<'_>,
        team: &Team,
    ) -> Result<Swept, EngineError> {
        let swept = team.watching(run.progress, |watch| {
            let options = SliceOptions { roots: &self.starts, kernel: run.kernel, progress: Some(watch) };
            shared.serving(|store| self.plan.solve(run.game.rules(), &options, store))
        });
        Ok(swept?)
    }

    /// The build that rank 0 orders the other ranks to join.
    ///
    /// # Errors
    /// If this rank has too little memory for the slices.
    pub(crate) fn of_order(sweep: &SweepPlan<'_>, order: &SliceOrder, team: &Team) -> Result<Self, EngineError> {
        let unlimited = || Allowance { bytes: u64::MAX, limit: Limit::Available };
        let allowance = team.memory.clone().unwrap_or_else(unlimited);
        let max_bytes = allowance.bytes.saturating_sub(baseline_bytes() + BESIDE) / PARTS * PLANNED;
        // Rank 0 found that they fit, but this process may use slightly more memory for other things.
        let plan = sweep.slices_with(order.cells, max_bytes);
        let plan = plan.or_else(|| sweep.slices_with(order.cells, allowance.bytes));
        let plan = plan.ok_or_else(|| allowance.shortage(sweep.game.rules(), None))?;
        let mut slices = Self::new(sweep, plan, order.sharing.folder.clone(), order.compression);
        slices.share(Some(team), max_bytes);
        Ok(slices)
    }

    /// Sweeps this rank's share of the slices, on order of rank 0.
    ///
    /// # Errors
    /// If sweeping fails.
    pub(crate) fn help(
        self,
        game: &dyn Game,
        order: &SliceOrder,
        kernel: Option<Kernel>,
        scratch: Option<&Path>,
    ) -> Result<(), EngineError> {
        let Some(Together { team, transit_bytes }) = &self.together else { return Ok(()) };
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
        let finished = order.finished.clone();
        let shared = DistributedSlices::new(&team.cluster, (home, &homes), &self.plan, finished, *transit_bytes);
        self.sweep_together(&shared, SliceRun { game, kernel, progress: None }, team)?;
        Ok(())
    }
}

/// A rank's memory is divided into `PARTS` parts: `PLANNED` parts for the slices that it sweeps, the rest for slices in
/// transit.
const PARTS: u64 = 3;
const PLANNED: u64 = 2;
const IN_TRANSIT: u64 = PARTS - PLANNED;

/// A slicing of a game that fits into memory.
pub(crate) struct Fitting {
    pub(crate) plan: SlicePlan,
    /// Bytes that solving may take.
    max_bytes: u64,
    /// Bytes of the process besides, when the plan was made.
    others: u64,
}

impl Fitting {
    /// Peak memory of a build in bytes.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.plan.memory_bytes() + self.others
    }
}

/// The slicing of `sweep` with which a build solves it within `memory`, and compresses labels as it goes. Without a limit,
/// it uses the default allowance.
///
/// # Errors
/// If memory is too small for any slicing.
pub(crate) fn fitting(
    sweep: &SweepPlan<'_>,
    compression: Option<Compression>,
    memory: Option<u64>,
    effort: SearchEffort,
) -> Result<Fitting, Shortage> {
    let allowance = Allowance::of(memory);
    let others = baseline_bytes() + BESIDE + compression.map_or(0, memory_bytes);
    let max_bytes = allowance.bytes.saturating_sub(others);
    if let Some(plan) = sweep.slices(max_bytes, effort) {
        return Ok(Fitting { plan, max_bytes, others });
    }
    // The smallest boards have no slices.
    let by_slice = sweep.least_slice_bytes().and_then(|needed| needed.checked_add(others));
    Err(allowance.shortage(sweep.game.rules(), by_slice.or_else(|| sweep.least_memory_bytes())))
}

/// Like [`fitting`], for slices that the ranks of `team` sweep together: the slicing with the shortest time.
fn fitting_together(sweep: &SweepPlan<'_>, memory: Option<u64>, team: &Team) -> Result<Fitting, Shortage> {
    /// Most slice cells that are tried, for `ranks` ranks: as many as keep the schedules small in memory.
    fn most_cells(ranks: usize) -> u32 {
        (10 + ranks.ilog2()).min(18)
    }
    let (rules, ranks) = (sweep.game.rules(), team.cluster.size());
    let allowance = team.memory.clone().unwrap_or_else(|| Allowance::of(memory));
    let others = baseline_bytes() + BESIDE;
    let max_bytes = allowance.bytes.saturating_sub(others) / PARTS * PLANNED;
    let beside = team.slice_cost();
    let mut best: Option<(u128, SlicePlan)> = None;
    sweep.try_slices(most_cells(ranks), max_bytes, |plan| {
        let span = plan.makespan(beside, ranks);
        let least = u128::from(plan.slices()) * u128::from(beside) / ranks as u128;
        match &best {
            Some((shortest, _)) if span >= *shortest => {
                // More slices only take longer.
                return if least > *shortest { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
            _ => best = Some((span, plan)),
        }
        ControlFlow::Continue(())
    });
    if let Some(plan) = best.map(|(_, plan)| plan).or_else(|| sweep.slices(max_bytes, SearchEffort::Build)) {
        return Ok(Fitting { plan, max_bytes, others });
    }
    let needed = sweep.least_slice_bytes().and_then(|needed| (needed / PLANNED * PARTS).checked_add(others));
    Err(allowance.shortage(rules, needed))
}

/// A table whose slices are all finished.
pub(crate) struct SweptSlices {
    slices: Slices,
    checkpoints: SliceCheckpoints,
    pub(crate) swept: Swept,
}

impl SweptSlices {
    /// Completes the table of `plan` and gives it its name. If it is to be compressed but its slices could not be, because
    /// they are smaller than blocks, the table is written a second time.
    ///
    /// # Errors
    /// If it cannot be written. Finished slices stay finished.
    pub(crate) fn finish(
        self,
        plan: &Plan<'_>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let (Self { slices, checkpoints, swept }, path) = (self, &plan.path);
        let compression = slices.compression.filter(|_| checkpoints.compression().is_none());
        let spec = slices.spec(plan.game.as_ref());
        let complete = checkpoints.complete(&swept, &spec, &slices.plan).map_err(EngineError::Write)?;
        let Some(compression) = compression else {
            return complete.place(path, temporary).map_err(EngineError::Write);
        };
        // SAFETY: the folder is locked as long as `complete` exists, so no other process writes there.
        let table = unsafe { Table::map(complete.table()) }.map_err(EngineError::Read)?;
        let whole = table.extended(&Options { labels: slices.labels, progress, ..Options::default() })?;
        let packed = whole.new_table(&slices.descriptor).packed(Some(compression));
        packed.save(path, temporary, progress).map_err(EngineError::Write)?;
        drop(whole);
        complete.remove();
        Ok(())
    }
}

/// Removes the unfinished table for `path` after the table is complete, unless another process is building it.
pub(crate) fn remove_unfinished(path: &Path, scratch: Option<&Path>) {
    let _ = remove_checkpoints(&checkpoint_folder(path, scratch));
}
