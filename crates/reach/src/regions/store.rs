//! Labels of finished regions, which later groups read.

use std::sync::Arc;

use crate::rules::Outcome;

/// The outcome and the plies of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    pub(super) outcome: Outcome,
    pub(super) plies: u16,
}

impl Label {
    /// The plies of a draw by repetition.
    pub(super) const REPETITION: u16 = u16::MAX;
}

/// The labels of a region, by rank.
pub struct RegionLabels {
    /// Two bits each, 32 in a word: 0 is a loss, 1 a draw, 2 a win.
    pub outcomes: Box<[u64]>,
    /// Plies to the end; 65,535 is a draw by repetition.
    pub plies: Box<[u16]>,
}

/// The labels of the regions that are in memory, by the place of the region in the list.
pub(super) struct Known(Vec<Option<Arc<RegionLabels>>>);

impl Known {
    pub(super) fn new(regions: usize) -> Self {
        Self(vec![const { None }; regions])
    }

    pub(super) fn put(&mut self, region: usize, labels: Arc<RegionLabels>) {
        self.0[region] = Some(labels);
    }

    pub(super) fn drop(&mut self, region: usize) {
        self.0[region] = None;
    }

    /// The label of the position of `rank` in a region that is in memory.
    #[inline(always)]
    pub(super) fn label(&self, region: u32, rank: u32) -> Label {
        let labels = self.0[region as usize].as_ref().unwrap_or_else(|| unreachable!("regions led to are in memory"));
        let outcome = match labels.outcomes[(rank >> 5) as usize] >> (2 * (rank & 31)) & 3 {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        };
        Label { outcome, plies: labels.plies[rank as usize] }
    }
}
