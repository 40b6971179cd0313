//! Slices that several ranks sweep together.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use super::order::{Order, Sharing, SliceOrder, holds};
use super::team::{Team, TeamError};
use crate::build::slices::{BESIDE, Fitting, SliceRun, Slices};
use crate::plan::memory_budget::{Allowance, Limit, Shortage, baseline_bytes};
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::SearchEffort;
use crate::{EngineError, RankFacts};
use tablegen_ranks::{DistributedSlices, SliceHome, SliceHomes, SliceKey};
use tablegen_solvers::{Kernel, SliceOptions, SlicePlan, SolveError, StoreFault, Swept};
use tablegen_tables::table::{SliceCheckpoints, TOKEN};

/// A rank's memory is divided into `PARTS` parts: `PLANNED` parts for the slices that it sweeps, the rest for slices in
/// transit.
const PARTS: u64 = 3;
const PLANNED: u64 = 2;
const IN_TRANSIT: u64 = PARTS - PLANNED;

/// Ranks that sweep together.
#[derive(Clone)]
pub(crate) struct Together {
    team: Team,
    /// The memory of each rank, in bytes, for slices in transit.
    transit_bytes: u64,
    /// True if only representatives of symmetry classes are stored.
    folds: bool,
}

impl Team {
    /// The slicing with which the ranks sweep together in the shortest time.
    ///
    /// # Errors
    /// If memory is too small for any slicing.
    pub(crate) fn fitting(&self, sweep: &SweepPlan<'_>, memory: Option<u64>) -> Result<Fitting, Shortage> {
        let ranks = self.cluster.size();
        let allowance = self.memory.clone().unwrap_or_else(|| Allowance::of(memory));
        let others = baseline_bytes() + BESIDE;
        let max_bytes = allowance.bytes.saturating_sub(others) / PARTS * PLANNED;
        let beside = self.slice_cost();
        // As many slice cells as keep the schedules small in memory.
        let most_cells = (10 + ranks.ilog2()).min(18);
        let mut best: Option<(u128, SlicePlan)> = None;
        let _ = SlicePlan::each_up_to(&sweep.task(), most_cells, max_bytes).try_for_each(|plan| {
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
        Err(allowance.shortage(sweep.game.rules(), needed))
    }

    /// The ranks as they do `sweep`, each with `max_bytes` bytes for the slices that it sweeps.
    pub(crate) fn together(&self, sweep: &SweepPlan<'_>, max_bytes: u64) -> Together {
        let transit_bytes = max_bytes / PLANNED * IN_TRANSIT;
        Together { team: self.clone(), transit_bytes, folds: !sweep.symmetry().is_trivial() }
    }

    /// Sweeps this rank's share of the slices that rank 0 orders.
    ///
    /// # Errors
    /// If this rank has too little memory for the slices, or sweeping fails.
    pub(super) fn help_sweep(
        &self,
        sweep: &SweepPlan<'_>,
        order: &SliceOrder,
        kernel: Option<Kernel>,
        scratch: Option<&Path>,
    ) -> Result<(), EngineError> {
        let unlimited = || Allowance { bytes: u64::MAX, limit: Limit::Available };
        let allowance = self.memory.clone().unwrap_or_else(unlimited);
        let max_bytes = allowance.bytes.saturating_sub(baseline_bytes() + BESIDE) / PARTS * PLANNED;
        // Rank 0 found that they fit, but this process may use slightly more memory for other things.
        let plan = sweep.slices_with(order.cells, max_bytes);
        let plan = plan.or_else(|| sweep.slices_with(order.cells, allowance.bytes));
        let plan = plan.ok_or_else(|| allowance.shortage(sweep.game.rules(), None))?;
        let together = self.together(sweep, max_bytes);
        let folder = &order.sharing.folder;
        let slices = Slices::new(sweep, plan, folder.clone(), order.compression, Some(together.clone()));
        let home = if holds(&folder.join(TOKEN), &order.sharing.token) {
            SliceHome::in_folder(&self.cluster, folder, &slices.spec(sweep.game), &slices.plan, &order.finished)
                .map_err(EngineError::Write)?
        } else {
            let path = scratch.map_or_else(std::env::temp_dir, Path::to_path_buf);
            let failed = |source| EngineError::Io { what: "write to", path: path.clone(), source };
            SliceHome::in_spill_file(scratch).map_err(failed)?
        };
        let homes = SliceHomes::gather(&self.cluster, &home).map_err(TeamError::from)?;
        let run = SliceRun { game: sweep.game, kernel, progress: None };
        together.share(&slices, home, &homes, order.finished.clone(), run)?;
        Ok(())
    }
}

impl Together {
    /// Sweeps all `slices` that are not finished. Only rank 0 calls it.
    ///
    /// # Errors
    /// If the job fails, or a rank cannot sweep.
    pub(crate) fn sweep(
        &self,
        slices: &Slices,
        checkpoints: SliceCheckpoints,
        run: SliceRun<'_>,
    ) -> Result<(SliceCheckpoints, Swept, RankFacts), EngineError> {
        self.sweep_as_first(slices, checkpoints, run).map_err(|error| self.team.explain(error))
    }

    fn sweep_as_first(
        &self,
        slices: &Slices,
        mut checkpoints: SliceCheckpoints,
        run: SliceRun<'_>,
    ) -> Result<(SliceCheckpoints, Swept, RankFacts), EngineError> {
        let team = &self.team;
        // All ranks rely on the finished slices, so they are checked once, before the sweep.
        checkpoints.check().map_err(|fault| match fault {
            StoreFault::Io(error) => SolveError::Store(error),
            StoreFault::Damaged => unreachable!("the check discards damaged slices"),
        })?;
        let finished = checkpoints.all_finished();
        let folder = std::path::absolute(&slices.folder).unwrap_or_else(|_| slices.folder.clone());
        let token = format!("{:x}", fastrand::u128(..));
        let file = folder.join(TOKEN);
        fs::write(&file, &token).map_err(|source| EngineError::Io { what: "write to", path: file.clone(), source })?;
        let order = SliceOrder {
            colours: slices.plan.has_colours(),
            folds: self.folds,
            labels: slices.labels,
            compression: slices.compression,
            cells: slices.plan.slice_cells(),
            sharing: Sharing { folder, token },
            finished: finished.clone(),
        };
        team.order(&Order::Slices(order));
        let home = SliceHome::folder(&team.cluster, checkpoints);
        let homes = SliceHomes::gather(&team.cluster, &home).map_err(TeamError::from);
        let _ = fs::remove_file(&file);
        let homes = homes?;
        let (ranks, without_folder) = (team.cluster.size(), homes.without_folder());
        if let Some(first) = without_folder.first() {
            let others = match without_folder.len() {
                1 => format!("rank {first} does"),
                several => format!("{several} of {ranks} ranks, rank {first} among them, do"),
            };
            team.say(&format!("{others} not see {}: rank 0 writes the table for them", slices.folder.display()));
        }
        let (swept, shared) = self.share(slices, home, &homes, finished, run)?;
        let (checkpoints, traffic) = shared.into_parts();
        let checkpoints = checkpoints.unwrap_or_else(|| unreachable!("rank 0 has the folder"));
        let planned_bytes = slices.plan.transfers(ranks).iter().map(|asked| asked.bytes).sum();
        let facts = RankFacts { ranks, without_folder: without_folder.len(), traffic, planned_bytes };
        Ok((checkpoints, swept, facts))
    }

    /// Sweeps this rank's share of the slices, and keeps it in `home`.
    fn share(
        &self,
        slices: &Slices,
        home: SliceHome,
        homes: &SliceHomes,
        finished: Vec<SliceKey>,
        run: SliceRun<'_>,
    ) -> Result<(Swept, DistributedSlices<'_>), EngineError> {
        let shared =
            DistributedSlices::new(&self.team.cluster, home, homes, &slices.plan, finished, self.transit_bytes);
        let swept = self.team.watching(run.progress, |watch| {
            let options = SliceOptions { roots: &slices.starts, kernel: run.kernel, progress: Some(watch) };
            shared.serving(|store| slices.plan.solve(run.game.rules(), &options, store))
        });
        Ok((swept?, shared))
    }
}
