//! The memory that a flood and the labels after it take.

use super::ordered::TASK;
use crate::label::{LabelKind, LabelSet, Width};
use crate::reachable::{Codes, LevelSize, column_bytes, key_bytes};
use crate::rules::{Potential, Rules};
use crate::solve::{Options, SolveError, UpTo};

/// So many parts of eight are lost to the allocator, as measured.
const SLACK: u64 = 3;

/// `bytes` as the system counts them: the allocator rounds up, and keeps some of what it has been given back.
pub(in crate::solve) const fn with_slack(bytes: u64) -> u64 {
    bytes + bytes / 8 * SLACK
}

/// The maximum number of levels that a move rises.
pub(in crate::solve) fn span(rules: &Rules, potential: &Potential) -> u32 {
    rules.moves().iter().map(|m| potential.rises(m).1.max(0) as u32).max().unwrap_or(0)
}

/// The labels that are found by a pass each: the first one says outcomes as well.
pub(super) fn passes(labels: LabelSet) -> Vec<LabelKind> {
    let first = if labels.contains(LabelKind::Remoteness) { LabelKind::Remoteness } else { LabelKind::Outcome };
    [first].into_iter().chain(labels.others().filter(|&kind| kind != first)).collect()
}

/// What a position takes, step by step.
pub(in crate::solve) struct Cost {
    codes: Codes,
    /// Bytes of a key, and of a code with its label while a level is sorted.
    key: u64,
    packed: u64,
    widths: Vec<Width>,
    /// Whether the keys of all levels are needed until the end, since another label follows.
    is_kept: bool,
    span: u32,
}

impl Cost {
    /// For the labels of `rules`, whose keys are words `W`.
    pub(in crate::solve) fn of<W>(rules: &Rules, potential: &Potential, labels: LabelSet) -> Self {
        let codes = Codes::of(rules);
        Self {
            codes,
            key: size_of::<W>() as u64,
            packed: if codes.bits() <= 64 { 8 } else { 16 },
            widths: labels.iter().map(|label| label.width(rules)).collect(),
            is_kept: passes(labels).len() > 1,
            span: span(rules, potential).max(1),
        }
    }

    /// The maximum number of levels that a move rises, at least one.
    pub(in crate::solve) const fn span(&self) -> u32 {
        self.span
    }

    /// Bytes that labelling levels of `sizes` takes at its peak: the keys of the levels that are not done, the labels that
    /// moves from a level lead to, the level while it is sorted, and what is done. The allocator still has what the flood
    /// took for its largest level.
    pub(in crate::solve) fn of_labelling(&self, sizes: &[LevelSize]) -> u64 {
        let done = |size: &LevelSize| {
            key_bytes(&self.codes, size.count)
                + self.widths.iter().map(|&width| column_bytes(width, size.count)).sum::<u64>()
        };
        let raw = |sizes: &[LevelSize]| sizes.iter().map(|size| size.count * self.key).sum::<u64>();
        let at = |number: usize| {
            let size = sizes[number];
            let (below, after) = (&sizes[..=number], &sizes[number + 1..]);
            let near = after.iter().filter(|after| after.filled <= size.filled + self.span);
            let tables: u64 = near.map(|size| super::table::bytes(size.count)).sum();
            raw(if self.is_kept { sizes } else { below })
                + tables
                + size.count * (2 * self.packed + 2)
                + size.count.min(rayon::current_num_threads() as u64 * TASK as u64) * (self.packed + 2)
                + sizes[number..].iter().map(done).sum::<u64>()
        };
        let largest = sizes.iter().map(|size| size.count * self.key).max().unwrap_or(0);
        (0..sizes.len()).map(at).max().unwrap_or(0) + largest
    }
}

/// What a flood has taken, and whether there is enough for its next step.
pub(in crate::solve) struct MemoryWatch {
    /// What the system had left at first, if it says.
    left: Option<u64>,
    peak: u64,
}

impl MemoryWatch {
    pub(in crate::solve) fn new(options: &Options<'_>) -> Self {
        Self { left: options.room.and_then(|room| room()), peak: 0 }
    }

    /// The largest number of bytes that was counted, or that the system has.
    pub(in crate::solve) const fn peak(&self) -> u64 {
        self.peak
    }

    /// Stops if what is `needed`, of which `held` bytes are there, might be more memory than is allowed, or than the system
    /// has left. The error says how many positions have been found, and which.
    pub(in crate::solve) fn check(
        &mut self,
        options: &Options<'_>,
        held: u64,
        needed: u64,
        (positions, up_to): (u64, UpTo),
    ) -> Result<(), SolveError> {
        let needed = with_slack(needed);
        self.peak = self.peak.max(needed);
        match options.max_bytes {
            Some(allowed) if needed > allowed => {
                return Err(SolveError::SparseMemory { allowed, needed, positions, up_to });
            }
            _ => {}
        }
        // What the system counts has the slack in it.
        let to_come = needed.saturating_sub(with_slack(held)) / 2;
        let left = options.room.and_then(|room| room());
        // As much must be left in a build for it to come as far as this.
        let taken = self.left.zip(left).map_or(0, |(first, left)| first.saturating_sub(left) + to_come);
        self.peak = self.peak.max(taken);
        match left {
            Some(left) if to_come > left => Err(SolveError::NoRoom { needed: to_come, left, positions, up_to }),
            _ => Ok(()),
        }
    }
}
