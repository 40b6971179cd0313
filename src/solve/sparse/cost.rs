//! The memory that a flood and the labels after it take.

use super::ordered::TASK;
use crate::label::{LabelKind, LabelSet, Width};
use crate::reachable::{Codes, LevelSize, column_bytes, key_bytes};
use crate::rules::Rules;

/// So many parts of eight are lost to the allocator, as measured.
const SLACK: u64 = 3;

/// `bytes` as the system counts them: the allocator rounds up, and keeps some of what it has been given back.
pub(super) const fn with_slack(bytes: u64) -> u64 {
    bytes + bytes / 8 * SLACK
}

/// What a position takes, step by step.
pub(super) struct Cost {
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
    pub(super) fn of<W>(rules: &Rules, labels: LabelSet) -> Self {
        let codes = Codes::of(rules);
        let passes = labels.others().filter(|&kind| kind != LabelKind::Remoteness).count();
        Self {
            codes,
            key: size_of::<W>() as u64,
            packed: if codes.bits() <= 64 { 8 } else { 16 },
            widths: labels.iter().map(|label| label.width(rules)).collect(),
            is_kept: passes > 0,
            span: rules.moves().iter().map(|m| m.fills.count()).max().unwrap_or(0).max(1),
        }
    }

    /// The maximum number of cells that a move fills, at least one.
    pub(super) const fn span(&self) -> u32 {
        self.span
    }

    /// Bytes that labelling levels of `sizes` takes at its peak: the keys of the levels that are not done, the labels that
    /// moves from a level lead to, the level while it is sorted, and what is done. The allocator still has what the flood
    /// took for its largest level.
    pub(super) fn of_labelling(&self, sizes: &[LevelSize]) -> u64 {
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
