//! Builds slice by slice, for games that do not fit into memory, with symmetry, or by several ranks.

use std::path::{Path, PathBuf};

use crate::build::plan::Plan;
use crate::build::ranks::Together;
use crate::build::work::How;
use crate::plan::compress::memory_bytes;
use crate::plan::memory_budget::{Allowance, Shortage, baseline_bytes};
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::SearchEffort;
use crate::{EngineError, UnfinishedError};
use tablegen_games::Game;
use tablegen_index::compressed::Compression;
use tablegen_labels::LabelSet;
use tablegen_rules::{Descriptor, Position};
use tablegen_solvers::{Kernel, Options, SliceOptions, SlicePlan, Swept, Watch};
use tablegen_tables::table::{BuildSpec, SliceCheckpoints, Table, Unfinished, checkpoint_folder, remove_checkpoints};

/// Memory of such a build besides the labels and what every build takes: the schedule, the checksums, the writing
/// thread, and compressing by default.
pub(crate) const BESIDE: u64 = 3 << 20;

/// A build slice by slice.
pub(crate) struct Slices {
    pub(crate) plan: SlicePlan,
    pub(crate) folder: PathBuf,
    descriptor: Descriptor,
    /// The starts of reachability; empty without reachability bits.
    pub(crate) starts: Vec<Position>,
    pub(crate) labels: LabelSet,
    pub(crate) compression: Option<Compression>,
    /// Slices are stored uncompressed until all are finished.
    raw: bool,
    /// The number of stored positions.
    positions: u64,
    /// The ranks that sweep together, if there are several.
    pub(crate) together: Option<Together>,
}

/// What a sweep needs besides the slices.
#[derive(Clone, Copy)]
pub(crate) struct SliceRun<'a> {
    pub(crate) game: &'a dyn Game,
    pub(crate) kernel: Option<Kernel>,
    pub(crate) progress: Option<Watch<'a>>,
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
            Some(team) => team.fitting(sweep, options.memory)?,
            None => fitting(sweep, compression, options.memory, SearchEffort::Build)?,
        };
        let folder = checkpoint_folder(&plan.path, options.scratch.as_deref());
        let together = team.map(|team| team.together(sweep, max_bytes));
        let mut slices = Self::new(sweep, slicing, folder, compression, together);
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

    pub(crate) fn new(
        sweep: &SweepPlan<'_>,
        plan: SlicePlan,
        folder: PathBuf,
        compression: Option<Compression>,
        together: Option<Together>,
    ) -> Self {
        Self {
            plan,
            folder,
            descriptor: sweep.game.descriptor(),
            starts: sweep.starts().to_vec(),
            labels: sweep.labels,
            compression,
            raw: together.is_some(),
            positions: sweep.stored_positions(),
            together,
        }
    }

    pub(crate) fn spec<'a>(&'a self, game: &'a dyn Game) -> BuildSpec<'a> {
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
                let (checkpoints, swept, ranks) = together.sweep(&self, checkpoints, run)?;
                (checkpoints, swept, Some(ranks))
            }
            None => {
                let options = SliceOptions { roots: &self.starts, kernel: run.kernel, progress: run.progress };
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
}

/// A slicing of a game that fits into memory.
pub(crate) struct Fitting {
    pub(crate) plan: SlicePlan,
    /// Bytes that solving may take.
    pub(crate) max_bytes: u64,
    /// Bytes of the process besides, when the plan was made.
    pub(crate) others: u64,
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
