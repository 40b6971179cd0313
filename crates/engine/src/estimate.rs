//! Estimates of the size of a game and the cost of a build.
//!
//! An estimate takes about two seconds: numbers that take longer to find are left out, or estimated themselves.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::choice::bounded;
use super::compress::Compress;
use super::disk::DiskNeed;
use super::labels::check_labels;
use super::machine::can_map;
use super::memory_budget::{Resource, Shortage, allowance, baseline_bytes, room_left, sparse_memory_bytes};
use super::roots::roots;
use super::slices::fitting;
use super::symmetry::{SearchEffort, group, most_orbits};
use super::target::nearest_folder;
use super::{Choice, Engine, EngineError, Reachable, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::domain::Domain;
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_solve::{
    ColouredTask, MemoryProbe, Method, Options, Progress, ReachableCount, SolveError, Watch, colourings_time,
    count_reachable, sampled_count, sweep_time,
};
use tablegen_tables::table::file_bytes;

/// Maximum number of reachable positions to count. It is lowered if positions have hundreds of moves, or if counting
/// takes longer than a moment.
pub const COUNTED: u64 = 1 << 24;
/// The time after which counting stops, once it has counted `ALWAYS_COUNTED` positions. These are counted on any
/// machine.
const COUNTING_TIME: Duration = Duration::from_millis(1500);
const ALWAYS_COUNTED: u64 = 1 << 18;
/// The least bytes of memory that a sparse build holds for a position.
const LEAST_HELD_BYTES: u64 = 4;
/// If the estimate exceeds the counting limit by more than this factor, nothing is counted.
const TOO_MANY: u64 = 2;

/// The size of a game's table, and the resources for building it. A size is `None` if it is unknown or too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The solver that a build would use, and the reason for choosing it.
    pub choice: Choice,
    /// The labels of each position.
    pub labels: LabelSet,
    /// The size of the table in bytes if its labels are not compressed.
    pub file_bytes: Option<u64>,
    /// A build compresses its labels by default, so that the table is smaller.
    pub compressed: bool,
    /// The need of disk space in the first folder of tables, if the size is known.
    pub disk: Option<DiskNeed>,
    /// The peak memory of a build in bytes.
    pub memory_bytes: Option<u64>,
    /// The number of reachable positions, if the table would be sparse.
    pub reachable: Option<Reachable>,
    /// The symmetries, if the table would hold only representatives, and the number of representatives if they were
    /// counted.
    pub symmetry: Option<(Group, Option<u64>)>,
    /// The number of colourings, if the table would be a two-colour table.
    pub colourings: Option<u64>,
    /// The number of slices and of slice cells, if the game would be solved slice by slice.
    pub slices: Option<(u64, u32)>,
    /// The expected time of the sweeps on this machine, without writing the table; `None` for a sparse table.
    pub sweep_time: Option<Duration>,
    /// The resource that this machine lacks; `None` if no shortage is known.
    pub shortage: Option<Shortage>,
}

impl Engine {
    /// Estimates the size of `game` with `labels`, for the solver `asked` for or the one that a build would use.
    /// Nothing is solved. Reachable positions are counted up to [`COUNTED`].
    ///
    /// # Errors
    /// If the game does not have the labels, or counting fails for lack of memory or threads.
    pub fn estimate(&self, game: &dyn Game, asked: Option<Method>, labels: LabelSet) -> Result<Estimate, EngineError> {
        self.estimate_watched(game, (asked, UseSymmetry::Auto), labels, None)
    }

    /// Like [`estimate`](Self::estimate), with a choice about symmetries, and with a function that is called with the
    /// progress of counting and may stop it.
    ///
    /// # Errors
    /// As [`estimate`](Self::estimate), and if the work is stopped.
    pub fn estimate_watched(
        &self,
        game: &dyn Game,
        (asked, symmetry): (Option<Method>, UseSymmetry),
        labels: LabelSet,
        progress: Option<Watch<'_>>,
    ) -> Result<Estimate, EngineError> {
        check_labels(game, labels)?;
        let begun = Instant::now();
        let (rules, descriptor) = (game.rules(), game.descriptor());
        let choice = self.choose_watched(game, asked, progress)?;
        // The cyclic solver derives outcomes from remoteness, and its table keeps both unless best play is too long.
        let labels = if choice.method == Method::Cyclic { labels.with(LabelKind::Remoteness) } else { labels };
        let place = self.dirs().folders().first().map(|folder| folder.join("table"));
        if let Some(planes) = self.planes(game, choice.method, symmetry, labels, SearchEffort::Estimate)? {
            self.start_threads()?;
            let file_bytes = planes.file_bytes(labels);
            let compression = Compress::Auto.of_new(choice.method, planes.every_bytes(labels));
            let compressed = compression.is_some();
            // Games with symmetry are solved slice by slice, whether they fit into memory or not.
            let fitting = match (planes.check_memory(labels, self.memory), planes.symmetry().is_trivial()) {
                (Ok(()), true) => Ok(None),
                (Err(shortage), true) if !can_map(file_bytes) => Err(shortage),
                _ => {
                    fitting(game, (labels, planes.domain(), compression), self.memory, SearchEffort::Estimate).map(Some)
                }
            };
            let by_slice = fitting.as_ref().ok().and_then(Option::as_ref);
            let slices = by_slice.map(|fitting| (fitting.plan.slices(), fitting.plan.slice_cells()));
            let memory_bytes = match &fitting {
                Ok(Some(fitting)) => Some(fitting.memory_bytes()),
                Ok(None) => planes.memory_bytes(labels),
                // The least memory with which a build would start.
                Err(shortage) => shortage.needed,
            };
            // A lack of disk comes first: a build needs less memory if its slices are smaller.
            let compresses_slices = compressed && !matches!(fitting, Ok(None));
            let of_disk = place
                .as_ref()
                .map_or(Ok(()), |place| planes.check_disk(&nearest_folder(place), labels, 0, compresses_slices));
            let shortage = of_disk.and(fitting.map(drop));
            let disk = place.and_then(|place| planes.disk(&place, labels, 0, compressed));
            let (shortage, colourings) = (shortage.err(), planes.colourings());
            // Measured last, because it uses memory. Only representatives of slices are swept.
            let sweep_time = self.sweep_time(game, planes.domain(), labels)?.mul_f64(planes.stored_part());
            let (reachable, symmetry) = (None, used(planes.symmetry()).map(|group| (group, None)));
            return Ok(Estimate {
                choice,
                labels,
                file_bytes,
                compressed,
                disk,
                memory_bytes,
                reachable,
                symmetry,
                colourings,
                slices,
                sweep_time: Some(sweep_time),
                shortage,
            });
        }
        self.start_threads()?;
        // Measured before counting, which itself uses memory.
        let baseline = baseline_bytes();
        let followed = game.roots();
        let group = group(game, choice.method, symmetry)?;
        let most = most_orbits(&group, bounded(rules, COUNTED));
        let (max_positions, room) = (Some(most), room_left(None));
        let room = Some(&room as MemoryProbe<'_>);
        let deadline = CountingDeadline {
            until: begun + COUNTING_TIME,
            is_over: AtomicBool::new(false),
            counted: AtomicU64::new(0),
        };
        let watch = |now: Progress| deadline.watch(now, progress);
        let limits = Options { max_positions, room, progress: Some(&watch), ..Options::default() };
        let options = Options { roots: &followed, symmetry: &group, labels, ..limits };
        let known = choice.figures.as_ref().map(|figures| figures.reached);
        let about = match known.and_then(|reached| reached.positions.or(reached.about)) {
            Some(about) => Some(about),
            None => sampled_count(rules, &roots(game), progress)?,
        };
        // Do not start to count if there are far too many. The number of representatives is at least the positions
        // divided by the order of the group.
        let orbits = about.map(|about| about / group.order());
        let counting =
            orbits.is_none_or(|orbits| orbits / TOO_MANY <= most).then(|| count_reachable(rules, &options)).transpose();
        let (count, counted) = match counting {
            Ok(Some(count)) => (Some(count), 0),
            Ok(None) => (None, known.map_or(0, |reached| reached.at_least.saturating_sub(1))),
            Err(SolveError::MaxPositions { .. }) => (None, most),
            Err(SolveError::Cancelled) if deadline.is_over() => (None, deadline.counted.load(Ordering::Relaxed)),
            Err(error) => return Err(error.into()),
        };
        let reachable = match &count {
            Some(count) => Reachable::exactly(count.positions),
            None => Reachable::estimated(counted, about),
        };
        let file_bytes = count.as_ref().and_then(|count| file_bytes(rules, &descriptor, &count.domain, labels));
        let memory_bytes = count.as_ref().map(|count| sparse_memory_bytes(count.peak_bytes, baseline));
        // If the positions were not counted, the estimate of their number may still show that they do not fit.
        let least = || reachable.about.and_then(|about| (about / group.order()).checked_mul(LEAST_HELD_BYTES));
        let needed = memory_bytes.or_else(least);
        let shortage = needed.zip(allowance(self.memory)).filter(|(needed, (had, _))| needed > had);
        let shortage = shortage.map(|(needed, (available, limit))| Shortage {
            resource: Resource::Memory,
            name: Some(rules.name().into()),
            needed: Some(needed),
            available,
            limit,
            largest_board: None,
        });
        let disk = place.zip(file_bytes).map(|(place, bytes)| DiskNeed::new(&place, bytes, 0, Method::Sparse, false));
        let symmetry = used(&group).map(|group| (group, count.as_ref().map(ReachableCount::stored)));
        Ok(Estimate {
            choice,
            labels,
            file_bytes,
            compressed: false,
            disk,
            memory_bytes,
            reachable: Some(reachable),
            symmetry,
            colourings: None,
            slices: None,
            sweep_time: None,
            shortage,
        })
    }

    /// The expected time, on this machine, of the sweeps of `game` that solve `labels` of `domain`.
    fn sweep_time(&self, game: &dyn Game, domain: &Domain, labels: LabelSet) -> Result<Duration, EngineError> {
        self.start_threads()?;
        let rules = game.rules();
        if let Domain::Coloured(frame) = domain {
            return Ok(colourings_time(&ColouredTask { rules, frame, labels }, self.kernel)?);
        }
        // Computing reachability bits takes about as long as labelling outcomes.
        let marks = domain.is_marked().then_some(LabelKind::Outcome);
        Ok(sweep_time(rules, labels.iter().chain(marks), self.kernel)?)
    }
}

/// The symmetries to report, if there are any.
fn used(group: &Group) -> Option<Group> {
    (!group.is_trivial()).then(|| group.clone())
}

/// The time that an estimate has for counting.
struct CountingDeadline {
    until: Instant,
    is_over: AtomicBool,
    /// The number of positions counted so far.
    counted: AtomicU64,
}

impl CountingDeadline {
    /// Stops the work when the time is over, or when `progress` does.
    fn watch(&self, now: Progress, progress: Option<Watch<'_>>) -> ControlFlow<()> {
        self.counted.store(now.done, Ordering::Relaxed);
        if now.done >= ALWAYS_COUNTED && Instant::now() >= self.until {
            self.is_over.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        progress.map_or(ControlFlow::Continue(()), |progress| progress(now))
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
