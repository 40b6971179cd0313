//! Slices of boards: their dependencies and their size.
//!
//! A move fills cells, so it leads to a slice with a larger number. From the largest number down, each slice finds its
//! successors finished. Marking goes the other way.
//!
//! Up to symmetry, the representative of a class of slices is the slice with the least number. The order stays the
//! same. Let a move lead from a representative `u` to `v`, and let `g` map `v` to its representative. `v` has all cells
//! of `u` and more, so `g(v)` has all cells of `g(u)` and more, and a larger number. `u` has the least number of its
//! images, `g(u)` among them. So `g(v)` is finished before `u`.

use crate::dense::block::TILE;
use crate::dense::part::Cut;
use crate::domain::Domain;
use crate::plane::{Layout, Shape};
use crate::rules::{Move, Position, Rules};
use crate::slices::{BOOKKEEPING, CountingTime, Dependencies, Folding, PlaneKind, SliceMove, SliceSpace};
use crate::symmetry::Fold;

/// The most slice cells: a million slices, whose schedule takes a few hundred megabytes and seconds.
const MOST_UPPER: u32 = 20;
/// The most slice cells for which dependencies are counted exactly and loads are compared: more would take too long.
const COUNTED_UPPER: u32 = 14;
/// Buffers in memory besides a slice's dependencies: its own planes, its ongoing positions or the planes that are
/// counted with its own, and two buffers that are being written.
const BESIDE: u64 = 4;

/// A cut of all boards into slices of one size.
#[derive(Clone, Debug)]
pub(crate) struct BoardSlices {
    pub(super) layout: Layout,
    pub(super) fold: Option<Fold>,
    pub(super) cut: Cut,
    dependencies: Dependencies,
    /// Positions of the whole game.
    positions: u128,
    /// The shape of the planes of each kind of a slice.
    shapes: Vec<(PlaneKind, Shape)>,
    /// Bytes of a buffer, which holds the largest planes of one kind of a slice.
    buffer_bytes: u64,
    /// Outcomes are derived from scores.
    derives_outcomes: bool,
}

impl BoardSlices {
    /// The least number of cells of a game solved by slices: a slice is a tile at least.
    pub(crate) const LEAST_CELLS: u32 = TILE;

    /// The possible numbers of slice cells of `rules`. The other cells must fill a tile. Up to symmetry, symmetries must
    /// permute the slice cells among themselves.
    pub(crate) fn uppers(rules: &Rules, fold: Option<&Fold>) -> impl Iterator<Item = u32> {
        let most = rules.cells().checked_sub(TILE).map(|most| most.min(MOST_UPPER));
        most.into_iter().flat_map(|most| 0..=most).filter(move |&upper| fold.is_none_or(|fold| fold.allows(upper)))
    }

    /// The slices of `rules`, whose boards are indices of `layout`, by `upper` slice cells. `None` if the planes of a
    /// slice have too many bytes for a number.
    pub(crate) fn new(
        rules: &Rules,
        layout: &Layout,
        fold: Option<&Fold>,
        upper: u32,
        plane_kinds: &[PlaneKind],
    ) -> Option<Self> {
        let cut = Cut::new(rules.cells(), upper);
        let shape = |&plane_kind: &PlaneKind| (plane_kind, plane_kind.shape(rules, cut.cells()));
        let shapes: Vec<_> = plane_kinds.iter().map(shape).collect();
        let bytes = shapes.iter().map(|(_, shape)| shape.bytes()).collect::<Option<Vec<u64>>>()?;
        Some(Self {
            layout: layout.clone(),
            fold: fold.cloned(),
            cut,
            dependencies: dependencies(rules, cut),
            positions: rules.positions(),
            shapes,
            buffer_bytes: bytes.into_iter().max()?,
            derives_outcomes: rules.has_gains(),
        })
    }

    /// The positions that are stored, with these `starts` of reachability.
    pub(crate) fn domain(&self, starts: Vec<Position>) -> Domain {
        match &self.fold {
            Some(fold) => Domain::folded(fold.clone(), starts),
            None => Domain::dense(self.layout.clone(), starts),
        }
    }

    /// The shape of the planes of one kind of a slice.
    pub(super) fn shape(&self, plane_kind: PlaneKind) -> Shape {
        let found = self.shapes.iter().find(|(found, _)| *found == plane_kind);
        found.unwrap_or_else(|| unreachable!("a plane kind of the plan")).1
    }

    /// Buffers in memory besides a slice's dependencies. Up to symmetry, one more holds a representative while its
    /// image is made. One more holds the scores from which outcomes are derived, while they are counted among reachable positions.
    fn buffers_beside(&self) -> u64 {
        BESIDE + u64::from(self.fold.is_some() || self.derives_outcomes)
    }
}

impl SliceSpace for BoardSlices {
    fn cells(&self) -> u32 {
        self.cut.upper()
    }

    fn slices(&self) -> u64 {
        let stored = |fold: &Fold| (fold.stored().len() as u64) << (self.cut.upper() - fold.slice_cells());
        self.fold.as_ref().map_or(self.cut.slices(), stored)
    }

    fn swept(&self) -> Vec<u64> {
        swept(self.cut, self.fold.as_ref())
    }

    fn needed(&self, slice: u64, plane_kind: PlaneKind) -> Vec<u64> {
        if plane_kind == PlaneKind::Outcomes && self.derives_outcomes {
            return Vec::new();
        }
        self.dependencies.needed(slice, plane_kind == PlaneKind::Reached)
    }

    fn most_needed(&self) -> Option<u64> {
        let marks = self.shapes.iter().any(|(plane_kind, _)| *plane_kind == PlaneKind::Reached);
        (self.cut.upper() > COUNTED_UPPER).then(|| self.dependencies.bound(marks) as u64)
    }

    fn stored(&self, slice: u64) -> u64 {
        self.fold.as_ref().map_or(slice, |fold| fold.image(self.cut.upper(), slice).0)
    }

    fn is_as_stored(&self, slice: u64) -> bool {
        self.fold.as_ref().is_none_or(|fold| fold.image(self.cut.upper(), slice).1.moves_nothing())
    }

    fn rank_of(&self, slice: u64) -> u64 {
        let rank = self.fold.as_ref().map_or(Some(slice), |fold| fold.rank(self.cut.upper(), slice));
        rank.unwrap_or_else(|| unreachable!("slice {slice} is swept"))
    }

    fn folding(&self) -> Option<Folding<'_>> {
        self.fold.as_ref().map(|fold| Folding {
            classes: fold.slice_classes(),
            stored: fold.stored(),
            more: self.cut.upper() - fold.slice_cells(),
        })
    }

    fn positions(&self) -> u64 {
        self.positions_of(0) * self.slices()
    }

    fn positions_of(&self, _: u64) -> u64 {
        (self.positions >> self.cut.upper()) as u64
    }

    fn planes(&self, plane_kind: PlaneKind) -> u64 {
        self.shape(plane_kind).planes()
    }

    /// One slice is the whole board, whose planes may be padded.
    fn plane_bytes(&self, plane_kind: PlaneKind, _: u64) -> u64 {
        self.shape(plane_kind).plane_bytes().unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    fn are_equal(&self) -> bool {
        true
    }

    fn room(&self, _: PlaneKind, _: u64) -> u64 {
        self.buffer_bytes
    }

    fn beside(&self, _: PlaneKind, _: u64, _: Option<u64>, _: &[u64]) -> u64 {
        self.buffers_beside().saturating_mul(self.buffer_bytes)
    }

    fn largest(&self) -> u64 {
        0
    }

    /// Up to symmetry, it takes no longer to make an image again than to get more memory from the system.
    fn all_bytes(&self, _: PlaneKind) -> u64 {
        if self.fold.is_some() { self.slices().saturating_mul(self.buffer_bytes) } else { u64::MAX }
    }

    fn of_whole_buffers(&self, max_bytes: u64) -> u64 {
        max_bytes / self.buffer_bytes * self.buffer_bytes
    }

    fn bookkeeping(&self, plane_kinds: u64) -> u64 {
        self.cut.slices() * plane_kinds * BOOKKEEPING
    }

    fn counting_time(&self) -> CountingTime {
        if self.cut.upper() <= COUNTED_UPPER { CountingTime::Moment } else { CountingTime::TooLong }
    }
}

/// The dependencies between slices by the moves of `rules`, whose boards are indices.
pub(super) fn dependencies(rules: &Rules, cut: Cut) -> Dependencies {
    Dependencies::new(rules.moves().iter().map(|m: &Move| {
        let [empty, full, fills] = [m.empty, m.full, m.fills & !m.full].map(|cells| cut.slice(cells));
        SliceMove { empty, full, fills, maybe: fills & !empty }
    }))
}

/// The swept slices, in ascending order: the representatives of `fold`, or all.
pub(super) fn swept(cut: Cut, fold: Option<&Fold>) -> Vec<u64> {
    let is_swept = |slice: &u64| fold.is_none_or(|fold| fold.rank(cut.upper(), *slice).is_some());
    (0..cut.slices()).filter(is_swept).collect()
}
