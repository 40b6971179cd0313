//! Estimates of the size of a game and the cost of a build.
//!
//! An estimate takes about two seconds: numbers that take longer to find are left out, or estimated themselves.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::build::slices::fitting;
use crate::build::values::value_bytes;
use crate::labels::checked_labels;
use crate::names::target::nearest_folder;
use crate::plan::choice::{Chosen, bounded, within_limit};
use crate::plan::compress::Compress;
use crate::plan::cost::SolverTraits;
use crate::plan::disk::DiskNeed;
use crate::plan::machine::can_map;
use crate::plan::memory_budget::{Allowance, Shortage, baseline_bytes, sparse_baseline_bytes, sparse_memory_bytes};
use crate::plan::options::SolverRun;
use crate::plan::regions::{RegionPlan, region_group};
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::{SearchEffort, group, most_orbits};
use crate::plan::trial::trial;
use crate::roots::roots;
use crate::{Choice, Engine, EngineError, EstimateOptions, Reachable};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solvers::{
    Method, Options, Progress, ReachableCount, SolveError, Watch, check_method, check_region_labels, count_reachable,
    sampled_count,
};
use tablegen_tables::table::file_bytes;

/// Maximum number of reachable positions to count. It is lowered if positions have hundreds of moves, or if counting
/// takes longer than a moment.
pub const COUNTED: u64 = 1 << 24;
/// The time after which counting stops, once it has counted `ALWAYS_COUNTED` positions, or fewer of a game with many moves or terminal
/// patterns. These are counted on any machine.
const COUNTING_TIME: Duration = Duration::from_millis(1500);
const ALWAYS_COUNTED: u64 = 1 << 18;
/// If the estimate exceeds the counting limit by more than this factor, nothing is counted.
const TOO_MANY: u64 = 2;

/// The size of a game's table, and the resources for building it. A size is `None` if it is unknown or too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The solver that a build would use, and the reason for choosing it.
    pub choice: Choice,
    /// The labels of each position.
    pub labels: LabelSet,
    /// The positions of the table.
    pub positions: EstimatedPositions,
    /// The symmetries, if the table would hold only representatives.
    pub symmetry: Option<Group>,
    /// The size of the table in bytes if its labels are not compressed.
    pub file_bytes: Option<u64>,
    /// The need of disk space in the first folder of tables, if the size is known.
    pub disk: Option<DiskNeed>,
    /// The numbers of values, if the table would have them. The list of different values takes more, which is not known before.
    pub values: Option<NumberBytes>,
    /// The peak memory of a build in bytes, without the list of different values.
    pub memory_bytes: Option<u64>,
    /// The resource that this machine lacks; `None` if no shortage is known.
    pub shortage: Option<Shortage>,
}

/// The size of the numbers of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberBytes {
    /// Every board has one: so many bytes.
    OfEvery(u64),
    /// The boards that play reaches have one, and are not counted.
    OfReached,
}

/// The positions of a table that is not built yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EstimatedPositions {
    /// Every board or every colouring.
    Swept {
        /// The number of colourings, in a two-colour table.
        colourings: Option<u64>,
        /// A build compresses its labels by default, so that the table is smaller.
        compressed: bool,
        /// The number of slices and of slice cells, if the game would be solved slice by slice.
        slices: Option<(u64, u32)>,
        /// The expected time of the sweeps on this machine, without writing the table.
        time: Duration,
    },
    /// Every board with the numbers of pieces that play may reach.
    Numbered {
        /// The count of numbers: of boards, up to symmetry.
        numbers: u64,
        /// The number of boards, in all modes.
        boards: u64,
        /// The number of regions, without those where a number of pieces ends the game.
        regions: u64,
        /// A build compresses its labels by default, so that the table is smaller.
        compressed: bool,
        /// The size of the table in bytes, before compression, if one byte suffices for the plies of a label. It equals the size of the
        /// estimate if the number of bytes is known.
        least_file_bytes: Option<u64>,
        /// The expected time of solving on this machine, without writing the table.
        time: Duration,
    },
    /// The reachable positions.
    Found {
        /// Their number.
        reachable: Reachable,
        /// The number of representatives, if the table would hold only these and they were counted.
        representatives: Option<u64>,
    },
}

impl Engine {
    /// Estimates the size of `game`, for the solver that `options` name or the one that a build would use. Nothing is
    /// solved. Reachable positions are counted up to [`COUNTED`]. `progress` is called with the progress of counting and
    /// may stop it.
    ///
    /// # Errors
    /// If the game does not have the labels or values, counting fails for lack of memory or threads, or the work is stopped.
    pub fn estimate(
        &self,
        game: &dyn Game,
        options: &EstimateOptions,
        progress: Option<Watch<'_>>,
    ) -> Result<Estimate, EngineError> {
        // Measured before the labels are estimated, which itself uses memory.
        let of_values = options.values.then(baseline_bytes);
        let mut estimate = self.estimate_labels(game, options, progress)?;
        if let Some(baseline) = of_values {
            let bytes = value_bytes(game, &estimate.choice)?;
            estimate.values = Some(bytes.map_or(NumberBytes::OfReached, NumberBytes::OfEvery));
            // Values are found when the labels are written.
            if let Some(needed) = bytes.map(|bytes| sparse_memory_bytes(bytes, baseline)) {
                estimate.memory_bytes = estimate.memory_bytes.map(|of_labels| of_labels.max(needed));
                let fitting = Allowance::of(self.memory).check(game.rules(), Some(needed));
                estimate.shortage = estimate.shortage.or(fitting.err());
            }
        }
        Ok(estimate)
    }

    /// The estimate without values.
    fn estimate_labels(
        &self,
        game: &dyn Game,
        options: &EstimateOptions,
        progress: Option<Watch<'_>>,
    ) -> Result<Estimate, EngineError> {
        let asked = checked_labels(game, options.labels)?;
        let begun = Instant::now();
        let Chosen { choice, frame, marked } = self.choose_knowing(game, options.method, None, progress)?;
        drop(marked);
        // The cyclic solver derives outcomes from remoteness, and its table keeps both unless best play is too long.
        let labels = match SolverTraits::of(choice.method).adds_labels {
            true => asked,
            false => asked.union(LabelSet::BEST_PLAY),
        };
        let options = EstimateOptions { labels, ..*options };
        if choice.method == Method::Regions {
            return self.estimate_regions(game, choice, &options, progress);
        }
        match SweepPlan::of(game, choice.method, frame, labels)? {
            Some(sweep) => {
                let sweep = sweep.folded_by(self, options.symmetry, SearchEffort::Estimate)?;
                self.estimate_sweep(&sweep, choice)
            }
            None => {
                let always = bounded(game.rules(), ALWAYS_COUNTED);
                let deadline = CountingDeadline::new(begun + COUNTING_TIME, always, progress);
                self.estimate_search(game, choice, &options, &deadline)
            }
        }
    }

    /// A file in the first folder of tables.
    fn example(&self) -> Option<PathBuf> {
        self.dirs().folders().first().map(|folder| folder.join("table"))
    }

    fn estimate_sweep(&self, sweep: &SweepPlan<'_>, choice: Choice) -> Result<Estimate, EngineError> {
        self.start_threads()?;
        let (place, compression) = (self.example(), sweep.compression(Compress::Auto));
        let compressed = compression.is_some();
        // Games with symmetry are solved slice by slice, whether they fit into memory or not.
        let fitting = match (sweep.check_memory(self.memory), sweep.symmetry().is_trivial()) {
            (Ok(()), true) => Ok(None),
            (Err(shortage), true) if !can_map(sweep.file_bytes) => Err(shortage),
            _ => fitting(sweep, compression, self.memory, SearchEffort::Estimate).map(Some),
        };
        let by_slice = fitting.as_ref().ok().and_then(Option::as_ref);
        let slices = by_slice.map(|fitting| (fitting.plan.slices(), fitting.plan.slice_cells()));
        let memory_bytes = match &fitting {
            Ok(Some(fitting)) => Some(fitting.memory_bytes()),
            Ok(None) => sweep.memory_bytes(),
            // The least memory with which a build would start.
            Err(shortage) => shortage.needed,
        };
        // A lack of disk comes first: a build needs less memory if its slices are smaller.
        let compresses_slices = compressed && !matches!(fitting, Ok(None));
        let check_disk = |place: &PathBuf| sweep.check_disk(&nearest_folder(place), 0, compresses_slices);
        let shortage = place.as_ref().map_or(Ok(()), check_disk).and(fitting.map(drop)).err();
        let disk = place.and_then(|place| sweep.disk(&place, 0, compressed));
        // Measured last, because it uses memory.
        let time = sweep.time(self.kernel)?;
        Ok(Estimate {
            choice,
            labels: sweep.labels,
            positions: EstimatedPositions::Swept { colourings: sweep.colourings(), compressed, slices, time },
            symmetry: used(sweep.symmetry()),
            file_bytes: sweep.file_bytes,
            disk,
            values: None,
            memory_bytes,
            shortage,
        })
    }

    fn estimate_regions(
        &self,
        game: &dyn Game,
        choice: Choice,
        options: &EstimateOptions,
        progress: Option<Watch<'_>>,
    ) -> Result<Estimate, EngineError> {
        check_method(game.rules(), choice.method)?;
        check_region_labels(game.rules(), options.labels)?;
        let threads = self.start_threads()?;
        let group = region_group(game, options.symmetry)?;
        let plan = RegionPlan::new(game, &group)?;
        let index = plan.regions();
        // Before the trial, which itself uses memory.
        let (memory_bytes, shortage) = match plan.is_quick(self.memory) {
            true => (plan.memory_bytes(), None),
            false => (plan.least_memory_bytes(), plan.check_least_memory(self.memory).err()),
        };
        let trial = trial(game.rules(), index, threads, progress)?;
        let least_file_bytes = plan.file_bytes_with(trial.longest);
        let file_bytes = if trial.is_whole { least_file_bytes } else { plan.file_bytes() };
        let disk = self.example().zip(file_bytes).map(|(place, bytes)| plan.disk(&place, bytes, Compress::Auto));
        let positions = EstimatedPositions::Numbered {
            numbers: index.numbers(),
            boards: index.boards_by_mode(game.rules().modes().len()).iter().fold(0, |all, &of| all.saturating_add(of)),
            regions: index.regions().iter().filter(|region| region.ended.is_none()).count() as u64,
            compressed: disk.as_ref().is_some_and(|disk| disk.compressed.is_some()),
            least_file_bytes,
            time: trial.time,
        };
        Ok(Estimate {
            choice,
            labels: options.labels,
            positions,
            symmetry: used(&group),
            file_bytes,
            disk,
            values: None,
            memory_bytes: Some(memory_bytes),
            shortage,
        })
    }

    fn estimate_search(
        &self,
        game: &dyn Game,
        choice: Choice,
        options: &EstimateOptions,
        deadline: &CountingDeadline<'_>,
    ) -> Result<Estimate, EngineError> {
        self.start_threads()?;
        let (rules, labels) = (game.rules(), options.labels);
        let group = group(game, options.symmetry)?;
        // Measured before counting, which itself uses memory, and after the search for symmetries, with which a build begins too.
        let baseline = sparse_baseline_bytes(rules);
        let most = most_orbits(&group, bounded(rules, COUNTED));
        let watch = |now: Progress| deadline.watch(now);
        let known = choice.figures.as_ref().map(|figures| figures.reached);
        let about = match known.and_then(Reachable::known) {
            Some(about) => Some(about),
            None => sampled_count(rules, &roots(game), deadline.progress)?,
        };
        // Do not start to count if there are far too many. The number of representatives is at least the positions
        // divided by the order of the group.
        let is_worth_counting = about.is_none_or(|about| about / group.order() / TOO_MANY <= most);
        let run = SolverRun {
            most: Some(most),
            progress: Some(&watch),
            ..SolverRun::of_reachable(self, game, &group, labels)
        };
        let count = |options: &Options<'_>| count_reachable(rules, &Options { max_bytes: None, ..*options });
        let (count, counted) = match is_worth_counting.then(|| within_limit(run.with_options(count))) {
            None => (None, known.map_or(0, |reached| reached.at_least().saturating_sub(1))),
            Some(Ok(Some(count))) => (Some(count), 0),
            Some(Ok(None)) => (None, most),
            Some(Err(SolveError::Cancelled)) if deadline.is_over() => (None, deadline.counted.load(Ordering::Relaxed)),
            Some(Err(error)) => return Err(error.into()),
        };
        let reachable = match &count {
            Some(count) => Reachable::Exactly(count.positions),
            None => Reachable::more_than(counted, about),
        };
        let file_bytes = count.as_ref().and_then(|count| file_bytes(rules, &game.descriptor(), &count.domain, labels));
        let memory_bytes = count.as_ref().map(|count| sparse_memory_bytes(count.peak_bytes, baseline));
        // If the positions were not counted, the estimate of their number may still show that they do not fit.
        let needed = memory_bytes.or_else(|| reachable.held_bytes(&group));
        let shortage = needed.and_then(|needed| Allowance::of(self.memory).check(rules, Some(needed)).err());
        let disk = self.example().zip(file_bytes).map(|(place, bytes)| DiskNeed::new(&place, bytes, 0, None));
        let symmetry = used(&group);
        let representatives = symmetry.as_ref().and(count.as_ref().map(ReachableCount::stored));
        let positions = EstimatedPositions::Found { reachable, representatives };
        Ok(Estimate { choice, labels, positions, symmetry, file_bytes, disk, values: None, memory_bytes, shortage })
    }
}

/// The symmetries to report, if there are any.
fn used(group: &Group) -> Option<Group> {
    (!group.is_trivial()).then(|| group.clone())
}

/// The time that an estimate has for counting.
struct CountingDeadline<'a> {
    until: Instant,
    /// The number of positions that are counted whatever the time.
    always: u64,
    progress: Option<Watch<'a>>,
    is_over: AtomicBool,
    /// The number of positions counted so far.
    counted: AtomicU64,
}

impl<'a> CountingDeadline<'a> {
    const fn new(until: Instant, always: u64, progress: Option<Watch<'a>>) -> Self {
        Self { until, always, progress, is_over: AtomicBool::new(false), counted: AtomicU64::new(0) }
    }

    /// Stops the work when the time is over, or when `progress` does.
    fn watch(&self, now: Progress) -> ControlFlow<()> {
        self.counted.store(now.done, Ordering::Relaxed);
        if now.done >= self.always && Instant::now() >= self.until {
            self.is_over.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        self.progress.map_or(ControlFlow::Continue(()), |progress| progress(now))
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
