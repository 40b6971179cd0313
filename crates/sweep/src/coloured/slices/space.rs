//! Slices of colourings: their dependencies and their sizes.

use super::super::plan::{Plan, Play};
use super::super::set_order::Cut;
use crate::colourings::{Frame, MOST_LISTED};
use crate::label::{LabelKind, Width};

use crate::slices::{BOOKKEEPING, CountingTime, Dependencies, Folding, PlaneKind, SliceMove, SliceSpace};

/// The most slices.
const MOST_SLICES: u128 = 1 << 16;
/// The most top squares for which cuts are compared in a moment.
const AT_ONCE: u32 = 12;
/// Bytes of bookkeeping for a slice that is not a representative.
const ELSEWHERE: u64 = 1 << 7;

/// A cut of the colourings into slices. The *top squares*, the squares with the highest numbers, are the slice squares:
/// a slice is all occupied sets that agree on them.
#[derive(Clone, Debug)]
pub(crate) struct ColouringSlices {
    frame: Frame,
    pub(super) cut: Cut,
    draws: bool,
    /// The width of scores.
    scores: Width,
    /// Outcomes are derived from scores.
    derives_outcomes: bool,
    dependencies: Dependencies,
    /// The swept slices, in ascending order: those that have possible sets, and up to symmetry represent a class.
    swept: Vec<u64>,
}

impl ColouringSlices {
    /// The slices of `frame`, whose moves are in `plan`, by `top` top squares. `None` if there are too many bytes for a
    /// number.
    pub(crate) fn new(plan: &Plan, frame: &Frame, top: u32, plane_kinds: &[PlaneKind]) -> Option<Self> {
        let cut = Cut::new(frame, top);
        let is_swept = |slice: &u64| frame.fold().is_none_or(|fold| fold.stores(top, *slice));
        let swept = cut.all().filter(is_swept).collect();
        let dependencies = dependencies(plan, &cut);
        let Plan { draws, scores, has_gains: derives_outcomes, .. } = *plan;
        let slices = Self { frame: frame.clone(), draws, scores, derives_outcomes, dependencies, swept, cut };
        // Eight times all planes is more than any sum of the plan, so these sums cannot overflow.
        let sized = |&plane_kind: &PlaneKind| {
            let words = frame.offsets().words().checked_mul(slices.word_bytes(plane_kind))?;
            words.checked_mul(slices.planes(plane_kind))?.checked_mul(8)
        };
        plane_kinds.iter().all(|plane_kind| sized(plane_kind).is_some()).then_some(slices)
    }

    /// The possible numbers of top squares. Up to symmetry, symmetries must permute these squares among themselves.
    pub(crate) fn tops(frame: &Frame) -> impl Iterator<Item = u32> {
        let fold = frame.fold();
        tops(frame, MOST_SLICES).filter(move |&top| fold.is_none_or(|fold| fold.allows(top)))
    }

    /// The frame, which locates the label of each position.
    pub(crate) const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Bytes of 64 labels in a plane of one kind.
    pub(super) const fn word_bytes(&self, plane_kind: PlaneKind) -> u64 {
        match plane_kind {
            PlaneKind::Outcomes | PlaneKind::Reached => 8,
            PlaneKind::Label(LabelKind::Score) => 8 * self.scores.bits() as u64,
            PlaneKind::Label(_) => 64,
        }
    }

    /// The first word of `slice` in a plane of the whole game, and the number of its words.
    pub(super) fn words(&self, slice: u64) -> (usize, usize) {
        let words = self.cut.words(&self.frame, slice);
        (words.start as usize, (words.end - words.start) as usize)
    }
}

impl SliceSpace for ColouringSlices {
    fn cells(&self) -> u32 {
        self.cut.top()
    }

    fn slices(&self) -> u64 {
        self.swept.len() as u64
    }

    fn swept(&self) -> Vec<u64> {
        self.swept.clone()
    }

    fn needed(&self, slice: u64, plane_kind: PlaneKind) -> Vec<u64> {
        if plane_kind == PlaneKind::Outcomes && self.derives_outcomes {
            return Vec::new();
        }
        let mut needed = self.dependencies.needed(slice, plane_kind == PlaneKind::Reached);
        needed.retain(|&other| self.cut.has(other));
        needed
    }

    fn stored(&self, slice: u64) -> u64 {
        self.frame.fold().map_or(slice, |fold| fold.image(self.cut.top(), slice).0)
    }

    fn rank_of(&self, slice: u64) -> u64 {
        let rank = self.swept.binary_search(&slice);
        rank.unwrap_or_else(|_| unreachable!("slice {slice} is swept")) as u64
    }

    fn folding(&self) -> Option<Folding<'_>> {
        self.frame.fold().map(|fold| Folding {
            classes: fold.slice_classes(),
            stored: fold.stored(),
            more: self.cut.top() - fold.top_squares(),
        })
    }

    fn positions(&self) -> u64 {
        self.frame.stored_positions()
    }

    fn positions_of(&self, slice: u64) -> u64 {
        self.frame.count_with(self.cut.below(), slice)
    }

    fn planes(&self, plane_kind: PlaneKind) -> u64 {
        let slots = u64::from(self.frame.slots());
        match plane_kind {
            PlaneKind::Outcomes => slots * (1 + u64::from(self.draws)),
            PlaneKind::Label(_) | PlaneKind::Reached => slots,
        }
    }

    fn plane_bytes(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        self.words(slice).1 as u64 * self.word_bytes(plane_kind)
    }

    /// The planes of `slice`, and as much again for its ongoing positions or for compressing it. Then come the planes of
    /// `before`, which are being written, with their compressed form, and the planes of a second kind that are counted
    /// with its own, and the scores from which outcomes are derived. Last comes a representative while its image is made.
    fn beside(&self, plane_kind: PlaneKind, slice: u64, before: Option<u64>, needed: &[u64]) -> u64 {
        let own = self.bytes(plane_kind, slice);
        let before = before.map_or(0, |before| self.bytes(plane_kind, before));
        let among = match plane_kind {
            PlaneKind::Outcomes if self.derives_outcomes => {
                self.bytes(PlaneKind::Label(LabelKind::Score), slice) + self.bytes(PlaneKind::Reached, slice)
            }
            PlaneKind::Reached if self.derives_outcomes => 0,
            PlaneKind::Outcomes => 0,
            PlaneKind::Label(_) => self.bytes(PlaneKind::Reached, slice),
            PlaneKind::Reached => self.bytes(PlaneKind::Outcomes, slice),
        };
        let folds = self.frame.fold().is_some();
        let loaded = needed.iter().filter(|_| folds).map(|&other| self.bytes(plane_kind, other));
        2 * (own + before) + among + loaded.max().unwrap_or(0)
    }

    fn largest(&self) -> u64 {
        self.swept.iter().copied().max_by_key(|&slice| self.words(slice).1).unwrap_or(0)
    }

    fn all_bytes(&self, plane_kind: PlaneKind) -> u64 {
        self.frame.offsets().words().saturating_mul(self.word_bytes(plane_kind) * self.planes(plane_kind))
    }

    fn bookkeeping(&self, plane_kinds: u64) -> u64 {
        // Slices that are not swept have a base alone.
        let others = (self.cut.slices() as u64 - self.slices()) * ELSEWHERE;
        self.slices() * plane_kinds * BOOKKEEPING + others
    }

    fn counting_time(&self) -> CountingTime {
        if self.cut.top() <= AT_ONCE { CountingTime::Moment } else { CountingTime::Long }
    }
}

/// The numbers of top squares that make at most `most` slices, without symmetry.
pub(super) fn tops(frame: &Frame, most: u128) -> impl Iterator<Item = u32> + Clone {
    let (sets, size) = (frame.sets(), frame.size());
    let is_possible = move |top: &u32| sets.splits_at(size - top) && sets.count(size - top, size) <= most;
    (0..=size.min(MOST_LISTED)).filter(is_possible)
}

/// The dependencies between the slices of `cut`, by the moves that fill top squares.
pub(super) fn dependencies(plan: &Plan, cut: &Cut) -> Dependencies {
    let slice_move = |play: &Play| SliceMove {
        empty: cut.slice(play.when.free),
        full: cut.slice(play.when.occupied),
        fills: cut.slice(play.takes),
        maybe: cut.slice(play.maybe),
    };
    Dependencies::new(plan.moves.iter().flatten().map(slice_move))
}
