//! A build region by region: finished regions are checkpoints on disk, and memory holds one group of regions at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::build::plan::Plan;
use crate::build::work::How;
use crate::plan::cost::SolverTraits;
use crate::plan::regions::RegionPlan;
use crate::{EngineError, EngineError::Write, UnfinishedError};
use tablegen_index::domain::Domain;
use tablegen_labels::{Counts, LabelSet};
use tablegen_solvers::{Method, SolveError, Watch, solve_regions_to};
use tablegen_tables::table::{
    RegionBuildSpec, RegionCheckpoints, RegionSections, RegionTallies, TableError, Unfinished, checkpoint_folder,
    file_bytes, remove_checkpoints,
};
use tablegen_work::progress::{Meter, Phase};

/// A build with checkpoints.
pub(crate) struct RegionFolder {
    folder: PathBuf,
    domain: Domain,
}

/// The finished regions of a build.
pub(crate) struct BuiltRegions {
    checkpoints: RegionCheckpoints,
    domain: Domain,
    tallies: RegionTallies,
}

impl RegionFolder {
    /// Settles where the build `plan` of `regions` keeps finished regions; `None` if it is quick and fits in memory, and there are none to
    /// resume from. If it starts over, old ones are removed.
    ///
    /// # Errors
    /// If memory does not hold the largest group of regions.
    pub(crate) fn settle(plan: &Plan<'_>, regions: &RegionPlan<'_>) -> Result<Option<Self>, EngineError> {
        let folder = checkpoint_folder(&plan.path, plan.options.scratch.as_deref());
        if plan.options.restart {
            remove_checkpoints(&folder).map_err(Write)?;
        }
        let domain = regions.domain().clone();
        let descriptor = plan.game.descriptor();
        let spec = RegionBuildSpec { rules: plan.game.rules(), descriptor: &descriptor, domain: &domain };
        let found = Unfinished::of_regions(&folder, &spec).map_err(Write)?;
        let has_some = matches!(found, Unfinished::Same { .. });
        if regions.is_quick(plan.options.memory) && !has_some {
            return Ok(None);
        }
        regions.check_least_memory(plan.options.memory)?;
        if matches!(found, Unfinished::Other) {
            return Err(UnfinishedError::of_another(folder).into());
        }
        Ok(Some(Self { folder, domain }))
    }

    /// The folder with the checkpoints.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Solves the regions that are not finished, and counts the labels.
    ///
    /// # Errors
    /// If memory or disk space is insufficient, checkpoints cannot be written or were changed, or the work is stopped.
    pub(crate) fn solve(
        self,
        plan: &Plan<'_>,
        progress: Option<Watch<'_>>,
    ) -> Result<(BuiltRegions, How), EngineError> {
        let begun = Instant::now();
        let Self { folder, domain } = self;
        let (rules, descriptor) = (plan.game.rules(), plan.game.descriptor());
        let spec = RegionBuildSpec { rules, descriptor: &descriptor, domain: &domain };
        let mut checkpoints = RegionCheckpoints::open(&folder, &spec).map_err(Write)?;
        let Domain::Regions { regions, starts, group, .. } = &domain else { unreachable!("the domain is by regions") };
        plan.run(progress).with_options(|options| solve_regions_to(rules, regions, options, &mut checkpoints))?;
        let (regions, starts, group, longest) =
            (Arc::clone(regions), starts.clone(), group.clone(), checkpoints.longest());
        let positions = regions.numbers();
        let domain = Domain::Regions { regions, starts, group, longest };
        let solve_time = begun.elapsed();
        let tallies = {
            let sections = RegionSections::new(&checkpoints, &domain);
            let mut meter = Meter::new(progress, Phase::Count, domain.label_bytes(rules, tablegen_labels::Width::Two));
            let tallies = sections.tallies(rules, |bytes| meter.add(bytes));
            let tallies = tallies.map_err(|fault| Write(TableError { path: Some(folder.clone()), fault }))?;
            let is_stopped = meter.finish().is_break();
            tallies.filter(|_| !is_stopped).ok_or(SolveError::Cancelled)?
        };
        let program = Method::Regions.name();
        let resumed_regions = checkpoints.resumed();
        let how = How { program, positions, solve_time, resumed_regions, ..How::default() };
        Ok((BuiltRegions { checkpoints, domain, tallies }, how))
    }
}

impl BuiltRegions {
    /// The counts of outcomes, mode by mode.
    pub(crate) fn counts(&self) -> Vec<Counts> {
        self.tallies.counts().to_vec()
    }

    /// The size of the file.
    pub(crate) fn file_bytes(&self, plan: &Plan<'_>) -> Option<u64> {
        file_bytes(plan.game.rules(), &plan.game.descriptor(), &self.domain, LabelSet::BEST_PLAY)
    }

    /// Writes the table of `plan`, and removes the checkpoints.
    ///
    /// # Errors
    /// If it cannot be written, or `progress` stops the work. The checkpoints stay then.
    pub(crate) fn save(
        self,
        plan: &Plan<'_>,
        file_bytes: Option<u64>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let Self { checkpoints, domain, tallies } = self;
        let packing = plan.options.compress.of_new(SolverTraits::of(Method::Regions), file_bytes);
        let descriptor = plan.game.descriptor();
        let sections = RegionSections::new(&checkpoints, &domain);
        let table = sections.new_table(plan.game.rules(), &descriptor, &tallies).packed(packing);
        table.save(&plan.path, temporary, progress).map_err(Write)?;
        drop(sections);
        checkpoints.remove();
        Ok(())
    }
}
