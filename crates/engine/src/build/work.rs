//! The work of a build, one variant for each way to make a table, and the labels that it makes.

use std::path::Path;
use std::time::Duration;

use crate::build::levels::Levels;
use crate::build::older::{NotExtended, extend};
use crate::build::plan::Plan;
use crate::build::regions::{BuiltRegions, RegionFolder};
use crate::build::slices::{Slices, SweptSlices};
use crate::plan::cost::SolverTraits;
use crate::{EngineError, LevelFacts, SliceFacts};
use tablegen_labels::Counts;
use tablegen_solvers::{
    LevelStore, Marked, PlaneKind, Solution, SolvedValues, TrafficTotals, Watch, solve, solve_marked,
    solve_with_checkpoints,
};
use tablegen_tables::table::{Extended, LevelCheckpoints, SaveTable, Table};

/// The work of a build.
pub(crate) enum BuildWork {
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
    /// Label regions, group by group. Finished regions are checkpoints.
    ByRegion(Box<RegionFolder>),
}

/// The labels of a build that is solved and not yet saved.
pub(crate) enum BuiltLabels {
    /// In memory.
    Solution {
        solution: Box<Solution>,
        /// The checkpoints, if there are any. While they are open, they keep other processes from building the table.
        checkpoints: Option<Box<LevelCheckpoints>>,
    },
    /// The labels of an older table, and the labels that it lacked.
    Extended(Box<Extended>),
    /// Solved slice by slice, and already in the file.
    BySlice(Box<SweptSlices>),
    /// Solved region by region, and in the checkpoints.
    ByRegion(Box<BuiltRegions>),
}

/// How the labels of a table were built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// The program that computed the labels: a kernel, or the sparse solver.
    pub program: &'static str,
    /// The number of positions with labels; under symmetry, of representatives.
    pub positions: u64,
    /// The labels that were copied from the replaced table: not solved, but checked byte for byte.
    pub kept: Vec<&'static str>,
    /// The damage that kept labels of the replaced table from being copied, if any.
    pub damage: Option<String>,
    /// Facts about the slices, if the game was solved slice by slice.
    pub slices: Option<SliceFacts>,
    /// The levels resumed from the checkpoints of an earlier build.
    pub levels: LevelFacts,
    /// The number of regions resumed from the checkpoints of an earlier build.
    pub resumed_regions: u64,
    /// Facts about the ranks, if several ranks built it.
    pub ranks: Option<RankFacts>,
    /// The time spent on labelling.
    pub solve_time: Duration,
    /// The time spent on the values of boards, if they were found.
    pub value_time: Option<Duration>,
    /// The number of threads used.
    pub threads: usize,
}

/// Facts about a build by several ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankFacts {
    /// The number of ranks.
    pub ranks: usize,
    /// The number of ranks that did not see the folder of the table.
    pub without_folder: usize,
    /// How much they sent each other.
    pub traffic: TrafficTotals,
    /// Bytes of slices that ranks had to request according to the plan, which assumes that no slice was finished
    /// before.
    pub planned_bytes: u64,
}

impl How {
    fn of(solution: &Solution) -> Self {
        let (program, positions) = (solution.program(), solution.contents().count());
        Self { program, positions, solve_time: solution.solve_time(), ..Self::default() }
    }
}

impl BuildWork {
    /// The folder of the checkpoints, if the work writes any.
    pub(crate) fn checkpoints(&self) -> Option<&Path> {
        match self {
            Self::BySlice(slices) => Some(slices.folder()),
            Self::ByLevel(levels) => Some(levels.folder()),
            Self::ByRegion(regions) => Some(regions.folder()),
            Self::InMemory { .. } | Self::AddLabels(_) => None,
        }
    }

    /// Does the work of `plan` on all threads.
    ///
    /// # Errors
    /// If memory is insufficient, checkpoints cannot be written, or `progress` stops the work.
    pub(crate) fn run(self, plan: &Plan<'_>, progress: Option<Watch<'_>>) -> Result<(BuiltLabels, How), EngineError> {
        if let (Self::InMemory { .. } | Self::AddLabels(_), Some(team)) = (&self, &plan.engine.team) {
            team.say("only rank 0 does this work; the other ranks wait");
        }
        let (solution, how) = match self {
            Self::BySlice(slices) => {
                let (swept, how) = slices.solve(plan, progress)?;
                return Ok((BuiltLabels::BySlice(Box::new(swept)), how));
            }
            Self::ByLevel(levels) => return by_level(plan, &levels, progress),
            Self::ByRegion(regions) => {
                let (built, how) = regions.solve(plan, progress)?;
                return Ok((BuiltLabels::ByRegion(Box::new(built)), how));
            }
            Self::InMemory { marked } => in_memory(plan, marked, progress)?,
            Self::AddLabels(table) => match plan.run(progress).with_options(|options| extend(*table, options)) {
                Ok(extended) => {
                    let (program, positions) = (extended.program(), extended.count());
                    let (kept, solve_time) = (extended.table().labels().names().collect(), extended.solve_time());
                    let how = How { program, positions, kept, solve_time, ..How::default() };
                    return Ok((BuiltLabels::Extended(Box::new(extended)), how));
                }
                Err(NotExtended::Damaged(why)) => {
                    let (solution, how) = in_memory(plan, None, progress)?;
                    (solution, How { damage: Some(why), ..how })
                }
                Err(NotExtended::Failed(error)) => return Err(error),
            },
        };
        Ok((BuiltLabels::Solution { solution: Box::new(solution), checkpoints: None }, how))
    }
}

/// Finds and labels the reachable positions level by level, together with the other ranks if there are any.
fn by_level(plan: &Plan<'_>, levels: &Levels, progress: Option<Watch<'_>>) -> Result<(BuiltLabels, How), EngineError> {
    let checkpoints = Box::new(levels.open(plan)?);
    let store: &dyn LevelStore = checkpoints.as_ref();
    let run = plan.run(progress);
    let (solution, ranks) = match &plan.engine.team {
        Some(team) => {
            let solved = team.solve_positions(&run, Some(store))?;
            let (solution, ranks) = solved.unwrap_or_else(|| unreachable!("rank 0 receives the solution"));
            (solution, Some(ranks))
        }
        None => (run.with_options(|options| solve_with_checkpoints(plan.game.rules(), options, store))?, None),
    };
    let (found, labelled) = checkpoints.resumed();
    let how = How { levels: LevelFacts { found, labelled }, ranks, ..How::of(&solution) };
    Ok((BuiltLabels::Solution { solution: Box::new(solution), checkpoints: Some(checkpoints) }, how))
}

fn in_memory(
    plan: &Plan<'_>,
    marked: Option<Box<Marked>>,
    progress: Option<Watch<'_>>,
) -> Result<(Solution, How), EngineError> {
    let solution = plan.run(progress).with_options(|options| match marked {
        Some(marked) => solve_marked(*marked, options),
        None => solve(plan.game.rules(), options),
    })?;
    let how = How::of(&solution);
    Ok((solution, how))
}

impl BuiltLabels {
    /// The counts of outcomes, mode by mode.
    pub(crate) fn counts(&self) -> Vec<Counts> {
        match self {
            Self::Solution { solution, .. } => solution.counts_by_mode().to_vec(),
            Self::Extended(extended) => extended.counts_by_mode().to_vec(),
            Self::BySlice(slices) => {
                let reached = slices.swept.counts(PlaneKind::Reached);
                reached.or_else(|| slices.swept.counts(PlaneKind::Outcomes)).unwrap_or_default()
            }
            Self::ByRegion(regions) => regions.counts(),
        }
    }

    /// The size of the file without values; `None` if the file is already written.
    pub(crate) fn file_bytes(&self, plan: &Plan<'_>) -> Option<u64> {
        let descriptor = plan.game.descriptor();
        match self {
            Self::Solution { solution, .. } => Some(solution.file_bytes(&descriptor)),
            Self::Extended(extended) => Some(extended.file_bytes(&descriptor)),
            Self::ByRegion(regions) => regions.file_bytes(plan),
            Self::BySlice(_) => None,
        }
    }

    /// Writes the table of `plan` with `values`.
    pub(crate) fn save(
        self,
        plan: &Plan<'_>,
        values: Option<SolvedValues>,
        file_bytes: Option<u64>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let (descriptor, path, compress) = (plan.game.descriptor(), &plan.path, plan.options.compress);
        let packing = compress.of_new(SolverTraits::of(plan.choice.method), file_bytes);
        let given = values.as_ref().map(SolvedValues::values);
        let saved = match self {
            Self::Solution { solution, checkpoints } => {
                let table = solution.new_table(&descriptor).packed(packing).with_values(given);
                let saved = table.save(path, temporary, progress);
                if let (Ok(()), Some(checkpoints)) = (&saved, checkpoints) {
                    checkpoints.close();
                }
                saved
            }
            Self::Extended(extended) => {
                let packing = compress.of_kept(packing, extended.table().packing());
                extended.new_table(&descriptor).packed(packing).with_values(given).save(path, temporary, progress)
            }
            // The slices are already compressed, or `finish` compresses them.
            Self::BySlice(slices) => return slices.finish(plan, temporary, progress),
            Self::ByRegion(regions) => return regions.save(plan, file_bytes, temporary, progress),
        };
        saved.map_err(EngineError::Write)
    }
}
