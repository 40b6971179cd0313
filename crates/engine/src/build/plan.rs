//! The decisions of a build before it starts, and the work that follows from them.

use std::path::PathBuf;

use crate::build::levels::Levels;
use crate::build::regions::RegionFolder;
use crate::build::slices::Slices;
use crate::build::work::BuildWork;
use crate::names::target::nearest_folder;
use crate::plan::choice::SAMPLE_ERROR;
use crate::plan::disk::DiskNeed;
use crate::plan::machine::is_one_disk;
use crate::plan::memory_budget::{Allowance, check_extending_memory, check_room, sparse_memory_bytes};
use crate::plan::options::SolverRun;
use crate::plan::regions::RegionPlan;
use crate::plan::sweep::SweepPlan;
use crate::{BuildOptions, Choice, Engine, EngineError, UnfinishedError};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Marked, Method, SolveError, Watch, check_region_labels};
use tablegen_tables::table::{Table, checkpoint_bytes, checkpoint_folder, has_checkpoints};

/// The facts that hold from the plan of a build to its table.
pub(crate) struct Plan<'e> {
    pub(crate) engine: &'e Engine,
    pub(crate) game: Box<dyn Game>,
    pub(crate) choice: Choice,
    pub(crate) group: Group,
    /// The labels of the table: those asked for, and those kept.
    pub(crate) labels: LabelSet,
    /// True if the table will have the values of boards.
    pub(crate) values: bool,
    pub(crate) path: PathBuf,
    pub(crate) options: BuildOptions,
}

impl Plan<'_> {
    /// The work of the solver.
    pub(crate) fn run<'a>(&'a self, progress: Option<Watch<'a>>) -> SolverRun<'a> {
        SolverRun {
            engine: self.engine,
            game: self.game.as_ref(),
            method: self.choice.method,
            labels: self.labels,
            symmetry: &self.group,
            memory: self.options.memory,
            twice: false,
            most: None,
            progress,
        }
    }

    /// The `error` of a build whose process has `beside` bytes besides the positions. If it is a lack of memory for positions, it becomes one of
    /// the build as a whole.
    pub(crate) fn error_in_all(&self, error: EngineError, beside: u64) -> EngineError {
        let EngineError::Solve(SolveError::SparseMemory { needed, positions, up_to, .. }) = error else { return error };
        let needed = sparse_memory_bytes(needed, beside);
        let shortage = Allowance::of(self.options.memory).shortage(self.game.rules(), Some(needed));
        EngineError::PositionMemory { shortage, positions, up_to }
    }

    /// Settles the work. `sweep` is that of a dense or two-colour table. `kept` is the older table, if only labels are
    /// missing in it. `marked` has the reachability bits, if choosing the solver computed them.
    ///
    /// # Errors
    /// If memory is too small, or there are checkpoints from which the build does not resume, unless it starts over.
    pub(crate) fn settle(
        &self,
        sweep: Option<&SweepPlan<'_>>,
        kept: Option<Table>,
        marked: Option<Marked>,
    ) -> Result<BuildWork, EngineError> {
        let folder = checkpoint_folder(&self.path, self.options.scratch.as_deref());
        let is_begun = !self.options.restart && has_checkpoints(&folder);
        let work = self.work(sweep, kept, marked, is_begun)?;
        match work.checkpoints() {
            None if is_begun => Err(UnfinishedError::of_another(folder).into()),
            _ => Ok(work),
        }
    }

    /// The work. If there are checkpoints (`is_begun`), a sweep resumes from them, even if it fits in memory.
    fn work(
        &self,
        sweep: Option<&SweepPlan<'_>>,
        kept: Option<Table>,
        marked: Option<Marked>,
        is_begun: bool,
    ) -> Result<BuildWork, EngineError> {
        if let Some(sweep) = sweep {
            let is_sliced = self.is_sliced(sweep)?;
            match (is_sliced || is_begun).then(|| Slices::settle(self, sweep)) {
                // A board that is too small for slices has no such checkpoints.
                Some(Err(EngineError::Shortage(_))) if !is_sliced => {}
                Some(slices) => return Ok(BuildWork::BySlice(Box::new(slices?))),
                None => {}
            }
        }
        if let Some(table) = kept {
            return Ok(BuildWork::AddLabels(Box::new(table)));
        }
        if self.choice.method == Method::Regions {
            check_region_labels(self.game.rules(), self.labels)?;
            let regions = RegionPlan::new(self.game.as_ref(), &self.group)?;
            return Ok(match RegionFolder::settle(self, &regions)? {
                Some(folder) => BuildWork::ByRegion(Box::new(folder)),
                None => BuildWork::InMemory { marked: None },
            });
        }
        if sweep.is_none() {
            if let Some(levels) = Levels::settle(self)? {
                return Ok(BuildWork::ByLevel(Box::new(levels)));
            }
            self.check_sample()?;
        }
        Ok(BuildWork::InMemory { marked: marked.map(Box::new) })
    }

    /// Checks that the positions do not need far more memory than there is, if a sample of them was taken to choose the solver.
    ///
    /// # Errors
    /// If they do, even if the sample is far off.
    fn check_sample(&self) -> Result<(), EngineError> {
        let allowance = Allowance::of(self.options.memory);
        let sampled = self.choice.figures.as_ref().map(|figures| figures.reached);
        match sampled.and_then(|reached| reached.held_bytes(&self.group)) {
            Some(held) if held / SAMPLE_ERROR > allowance.bytes => {
                Err(allowance.shortage(self.game.rules(), Some(held)).into())
            }
            _ => Ok(()),
        }
    }

    /// True if the table is swept slice by slice.
    fn is_sliced(&self, sweep: &SweepPlan<'_>) -> Result<bool, EngineError> {
        let (engine, can_grow) = (self.engine, sweep.can_grow(self.engine));
        match sweep.check_memory(self.options.memory) {
            Ok(()) => Ok(!sweep.symmetry().is_trivial() || (engine.team.is_some() && can_grow && sweep.divides())),
            Err(shortage) if !can_grow => Err(shortage.into()),
            Err(_) => Ok(true),
        }
    }

    /// The disk space that `work` takes; `None` if only solving tells.
    ///
    /// # Errors
    /// If there is less.
    pub(crate) fn disk(
        &self,
        sweep: Option<&SweepPlan<'_>>,
        work: &BuildWork,
    ) -> Result<Option<DiskNeed>, EngineError> {
        let folder = nearest_folder(&self.path);
        match (work, sweep) {
            (BuildWork::BySlice(slices), Some(sweep)) => {
                let compresses = slices.compresses_slices(self.game.as_ref());
                let kept = checkpoint_bytes(slices.folder());
                sweep.check_disk(&nearest_folder(slices.folder()), kept, compresses)?;
                if self.options.scratch.as_deref().is_some_and(|scratch| !is_one_disk(scratch, &folder)) {
                    // The finished table will be copied from the scratch folder's disk to this one.
                    sweep.check_disk(&folder, 0, compresses)?;
                }
                Ok(sweep.disk(slices.folder(), kept, compresses))
            }
            (_, Some(sweep)) => {
                sweep.check_disk(&folder, 0, false)?;
                Ok(sweep.disk(&self.path, 0, sweep.compression(self.options.compress).is_some()))
            }
            (BuildWork::AddLabels(table), None) => {
                let bytes = table.file_bytes_with(&self.game.descriptor(), self.labels).unwrap_or(u64::MAX);
                check_extending_memory(self.game.rules(), bytes, self.options.memory)?;
                check_room(&folder, bytes)?;
                Ok(Some(DiskNeed::new(&self.path, bytes, 0, None)))
            }
            (BuildWork::InMemory { .. } | BuildWork::ByRegion(_), None) if self.choice.method == Method::Regions => {
                let plan = RegionPlan::new(self.game.as_ref(), &self.group)?;
                Ok(plan.file_bytes().map(|bytes| plan.disk(&self.path, bytes, self.options.compress)))
            }
            // The number of reachable positions is not known yet.
            (_, None) => Ok(None),
        }
    }
}
