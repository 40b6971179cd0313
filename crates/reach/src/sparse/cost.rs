//! Estimates of the memory that a flood and the labelling after it take.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::passes::passes;
use crate::label::{LabelSet, Width};
use crate::reachable::{Codes, LevelSize, Levels, column_bytes, key_bytes};
use crate::rules::{Potential, Rules};
use crate::{MemoryProbe, Options, SolveError, UpTo};

/// Positions that one task of sorting a level partitions into shards.
pub(super) const PARTITIONED: usize = 1 << 15;

/// Measured overhead of the allocator, in eighths.
const SLACK: u64 = 3;

/// The memory that the system counts for `bytes` bytes. The allocator rounds up, and does not return all freed memory to the system.
pub(crate) const fn with_slack(bytes: u64) -> u64 {
    bytes + bytes / 8 * SLACK
}

/// The maximum number of levels that a move rises.
pub(crate) fn span(rules: &Rules, potential: &Potential) -> u32 {
    rules.moves().iter().map(|m| potential.rises(m).1.max(0) as u32).max().unwrap_or(0)
}

/// The bytes that a position takes in each step.
pub(crate) struct Cost {
    codes: Codes,
    /// Bytes of a key, and of a code with its label while a level is sorted.
    key: u64,
    packed: u64,
    widths: Vec<Width>,
    /// True if all keys stay in memory during the first pass, because another pass follows.
    keeps_keys: bool,
    span: u32,
}

impl Cost {
    /// The cost of `labels` of `rules`, with keys of type `W`.
    pub(crate) fn of<W>(rules: &Rules, potential: &Potential, labels: LabelSet) -> Self {
        let codes = Codes::of(rules);
        Self {
            codes,
            key: size_of::<W>() as u64,
            packed: if codes.bits() <= 64 { 8 } else { 16 },
            widths: labels.widths(rules).collect(),
            keeps_keys: passes(labels).len() > 1,
            span: span(rules, potential).max(1),
        }
    }

    /// The maximum number of levels that a move rises, at least one.
    pub(crate) const fn span(&self) -> u32 {
        self.span
    }

    /// Peak number of bytes for labelling levels of these `sizes`: the keys of levels to be labelled, the tables of the
    /// levels that moves lead to, the buffers that sort a level, and the finished columns. The allocator may still hold
    /// the memory of the flood's largest level.
    pub(crate) fn of_labelling(&self, sizes: &[LevelSize]) -> u64 {
        let done = |size: &LevelSize| {
            key_bytes(&self.codes, size.count)
                + self.widths.iter().map(|&width| column_bytes(width, size.count)).sum::<u64>()
        };
        // The sums over the first levels, since a game may have thousands of levels.
        let sums = |of: &dyn Fn(&LevelSize) -> u64| {
            let mut sums = vec![0];
            sums.extend(sizes.iter().scan(0, |sum, size| {
                *sum += of(size);
                Some(*sum)
            }));
            sums
        };
        let raw = sums(&|size| size.count * self.key);
        let (tables, done) = (sums(&|size| super::table::bytes(size.count)), sums(&done));
        let all = sizes.len();
        let at = |number: usize| {
            let size = sizes[number];
            let near = sizes.partition_point(|after| after.filled <= size.filled + self.span);
            raw[if self.keeps_keys { all } else { number + 1 }]
                + (tables[near] - tables[number + 1])
                + size.count * (2 * self.packed + 2)
                + size.count.min(rayon::current_num_threads() as u64 * PARTITIONED as u64) * (self.packed + 2)
                + (done[all] - done[number])
        };
        let largest = sizes.iter().map(|size| size.count * self.key).max().unwrap_or(0);
        (0..sizes.len()).map(at).max().unwrap_or(0) + largest
    }
}

/// How far a solver has come, for the error if it stops.
#[derive(Clone, Copy)]
pub(crate) struct SoFar {
    /// The number of positions found.
    pub(crate) positions: u64,
    pub(crate) up_to: UpTo,
}

impl SoFar {
    /// All positions of `levels`.
    pub(crate) fn all(rules: &Rules, levels: &Levels) -> Self {
        Self { positions: levels.count(), up_to: UpTo::all(rules, levels.potential()) }
    }

    /// The error if the system refuses memory.
    pub(crate) const fn refused(self) -> SolveError {
        SolveError::Refused { positions: self.positions, up_to: self.up_to }
    }

    /// The error if `needed` bytes would be held, and `allowed` may be.
    pub(crate) const fn over(self, allowed: u64, needed: u64) -> SolveError {
        SolveError::SparseMemory { allowed, needed, positions: self.positions, up_to: self.up_to }
    }

    /// The error if `needed` more bytes are needed, and the system has `left` bytes.
    pub(crate) const fn no_room(self, needed: u64, left: u64) -> SolveError {
        SolveError::NoRoom { needed, left, positions: self.positions, up_to: self.up_to }
    }
}

/// The bytes that the threads of a step hold together. Each thread counts memory before it allocates it.
pub(crate) struct Budget<'a> {
    allowed: u64,
    room: Option<MemoryProbe<'a>>,
    held: AtomicU64,
    /// All bytes ever allocated.
    taken: AtomicU64,
}

/// Bytes to allocate before the system is asked again how much memory is left.
const ASK: u64 = 1 << 20;

/// The reason why memory cannot be allocated.
#[derive(Debug)]
pub(crate) enum Full {
    /// `needed` bytes would be held in total, which is more than allowed.
    Allowed { needed: u64 },
    /// `needed` bytes are needed, and the system has `left` bytes left.
    NoRoom { needed: u64, left: u64 },
    /// The system refused the allocation.
    Refused,
}

impl From<TryReserveError> for Full {
    fn from(_: TryReserveError) -> Self {
        Self::Refused
    }
}

impl<'a> Budget<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Self {
        let (allowed, room) = (options.max_bytes.unwrap_or(u64::MAX), options.room);
        Self { allowed, room, held: AtomicU64::new(0), taken: AtomicU64::new(0) }
    }

    /// Counts `bytes` bytes that are about to be allocated.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Full> {
        let needed = with_slack(self.held.fetch_add(bytes, Relaxed) + bytes);
        if needed > self.allowed {
            return Err(Full::Allowed { needed });
        }
        let taken = self.taken.fetch_add(bytes, Relaxed);
        // Ask again after every `ASK` bytes. Freed memory does not always return to the system, and some allocated
        // memory was not yet touched at the last call.
        if taken / ASK == (taken + bytes) / ASK {
            return Ok(());
        }
        let needed = bytes.max(ASK);
        match self.room.and_then(|room| room()) {
            Some(left) if left < needed => Err(Full::NoRoom { needed, left }),
            _ => Ok(()),
        }
    }

    /// Counts `bytes` bytes that were freed.
    pub(crate) fn give(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Relaxed);
    }

    pub(crate) fn held(&self) -> u64 {
        self.held.load(Relaxed)
    }

    /// Appends `value` to `list`, whose capacity grows by half.
    #[inline(always)]
    pub(crate) fn push<T>(&self, list: &mut Vec<T>, value: T) -> Result<(), Full> {
        if list.len() == list.capacity() {
            self.grow(list, (list.len() / 2).max(16))?;
        }
        list.push(value);
        Ok(())
    }

    /// Increases the capacity of `list`, which is too small, to hold `more` further values.
    #[cold]
    pub(crate) fn grow<T>(&self, list: &mut Vec<T>, more: usize) -> Result<(), Full> {
        self.take(((list.len() + more - list.capacity()) * size_of::<T>()) as u64)?;
        Ok(list.try_reserve_exact(more)?)
    }

    /// The error of a step that ran out of memory.
    pub(crate) const fn error(&self, full: Full, so_far: SoFar) -> SolveError {
        match full {
            Full::Allowed { needed } => so_far.over(self.allowed, needed),
            Full::NoRoom { needed, left } => so_far.no_room(needed, left),
            Full::Refused => so_far.refused(),
        }
    }
}

/// Watches the memory of a flood, and stops it before it takes too much.
pub(crate) struct MemoryWatch {
    /// Bytes that the system had available at the start, if known.
    left: Option<u64>,
    peak: u64,
}

impl MemoryWatch {
    pub(crate) fn new(options: &Options<'_>) -> Self {
        Self { left: options.room.and_then(|room| room()), peak: 0 }
    }

    /// Peak number of bytes, as estimated or as reported by the system.
    pub(crate) const fn peak(&self) -> u64 {
        self.peak
    }

    /// An error if the `needed` bytes, of which the flood already holds `held`, may exceed the limit or the available
    /// memory.
    pub(crate) fn check(
        &mut self,
        options: &Options<'_>,
        held: u64,
        needed: u64,
        so_far: SoFar,
    ) -> Result<(), SolveError> {
        let needed = with_slack(needed);
        self.peak = self.peak.max(needed);
        match options.max_bytes {
            Some(allowed) if needed > allowed => return Err(so_far.over(allowed, needed)),
            _ => {}
        }
        // The system counts the slack of `held` already, and also the buffers of the step before, which this step reuses: about half of it.
        let to_come = needed.saturating_sub(with_slack(held)) / 2;
        let left = options.room.and_then(|room| room());
        // A build needs this memory to come this far.
        let taken = self.left.zip(left).map_or(0, |(first, left)| first.saturating_sub(left) + to_come);
        self.peak = self.peak.max(taken);
        match left {
            Some(left) if to_come > left => Err(so_far.no_room(to_come, left)),
            _ => Ok(()),
        }
    }
}
