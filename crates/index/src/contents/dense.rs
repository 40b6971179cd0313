//! A label of every (mode, board). A table up to symmetry reads like a table of all boards.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{ByteLabels, FilledCounts, LabelFault, LabelForm};
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, LabelKind, Width, add_each};
use crate::plane::{Layout, PlaneFault, Planes, Shape, of_planes};
use crate::rules::{Board, Mode, Outcome, Position};
use crate::symmetry::Fold;

/// The labels of every (mode, board): planes of all boards, or of the slices that a fold stores, and the layout that
/// defines which bit belongs to which board.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    layout: &'a Layout,
    fold: Option<&'a Fold>,
    planes: Planes<'a>,
    reach: Option<Reach<'a>>,
    bytes: ByteLabels<'a>,
    /// The number of places in a plane of a label of one byte or two.
    byte_plane: u64,
}

/// Which boards play reaches, and from where it was followed.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    roots: &'a [Position],
    marks: Planes<'a>,
}

impl<'a> Reach<'a> {
    /// The positions that play is followed from, the starts of the rules among them: sorted, each once.
    #[must_use]
    pub const fn roots(&self) -> &'a [Position] {
        self.roots
    }

    /// Planes in which a bit is set, as a win is, where play reaches the board.
    #[must_use]
    pub const fn marks(&self) -> Planes<'a> {
        self.marks
    }
}

/// Consecutive places of a plane whose labels count equally often: a stored slice, or the whole plane.
struct Slice {
    /// The number of slices before it.
    rank: u64,
    /// The number of slices that it represents.
    weight: u64,
    /// The number of its slice cells that are filled.
    filled: usize,
}

impl<'a> Dense<'a> {
    /// Outcomes of `shape`, which is that of all boards, in the order of `layout`, and the boards that are reachable from
    /// `starts`, if they are marked. With `fold`, which has this layout, the bytes belong to its stored slices.
    pub(super) fn new(
        layout: &'a Layout,
        fold: Option<&'a Fold>,
        starts: &'a [Position],
        shape: Shape,
        outcomes: Bytes<'a>,
        reached: Option<Bytes<'a>>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        let planes = |shape: Shape, bytes| {
            let plane = fold.map_or(shape.plane_bytes(), |fold| fold.plane_bytes(shape.width()));
            let planes = plane.and_then(|plane| Planes::in_planes_of(shape, plane, bytes));
            planes.unwrap_or_else(|| unreachable!("the bytes have the shape"))
        };
        let of_width = |width| Shape::new(shape.cells(), shape.modes(), width);
        let reach = reached.map(|bytes| Reach { roots: starts, marks: planes(of_width(Width::One), bytes) });
        let byte_plane = fold.map_or(of_width(Width::Eight).plane_bytes(), |fold| fold.plane_bytes(Width::Eight));
        let byte_plane = byte_plane.unwrap_or(u64::MAX);
        Self { layout, fold, planes: planes(shape, outcomes), reach, bytes, byte_plane }
    }

    /// Which bit of a plane of all boards belongs to which board.
    #[must_use]
    pub const fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// Which slices are stored; `None` if all boards are.
    #[must_use]
    pub const fn fold(&self) -> Option<&'a Fold> {
        self.fold
    }

    /// The outcomes as bit planes.
    #[must_use]
    pub const fn planes(&self) -> Planes<'a> {
        self.planes
    }

    /// Which boards play reaches, if they are marked.
    #[must_use]
    pub const fn reach(&self) -> Option<Reach<'a>> {
        self.reach
    }

    /// The labels of one byte or two, in planes of this layout: a plane for each mode.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// The same with the labels of bytes that are in `more` as well.
    pub(crate) fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// The number of positions: 2^cells in each mode.
    #[must_use]
    pub const fn count(&self) -> u64 {
        (self.planes.shape().modes() as u64) << self.planes.shape().cells()
    }

    /// The position of rank `rank`: by board number, then by mode.
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Position {
        let modes = u64::from(self.planes.shape().modes());
        Position::new(Mode((rank % modes) as u16), Board::from_word(rank / modes))
    }

    /// The mode and the index in its planes at which the label of `position` is stored.
    #[inline]
    #[must_use]
    pub fn place(&self, position: Position) -> (Mode, u64) {
        match self.fold {
            None => (position.mode, self.layout.index(position.board)),
            Some(fold) => fold.place(position),
        }
    }

    /// The position whose label is stored at `index` in the planes of `mode`.
    #[must_use]
    pub fn position(&self, mode: Mode, index: u64) -> Position {
        match self.fold {
            None => Position::new(mode, self.layout.board(index)),
            Some(fold) => fold.position(mode, index),
        }
    }

    /// The index of the label of `position` in the labels of one byte or two.
    #[inline]
    #[must_use]
    pub fn index(&self, position: Position) -> usize {
        let (mode, index) = self.place(position);
        self.index_at(mode, index)
    }

    /// The index of the label at `index` in `mode` in the labels of one byte or two.
    #[inline]
    #[must_use]
    pub const fn index_at(&self, mode: Mode, index: u64) -> usize {
        (mode.0 as u64).saturating_mul(self.byte_plane).saturating_add(index) as usize
    }

    /// The bytes of the outcomes that a look-up of `position` reads.
    pub fn touched(&self, position: Position) -> impl Iterator<Item = usize> + use<> {
        let (mode, index) = self.place(position);
        self.planes.touched(mode, index)
    }

    /// The outcome of `position` for the player to move.
    ///
    /// # Errors
    /// If it is marked both a win and a loss, or cannot be unpacked: the bytes are damaged.
    ///
    /// # Panics
    /// If the rules lack that position.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, PlaneFault> {
        let (mode, index) = self.place(position);
        self.planes.outcome(mode, index)
    }

    /// Returns whether `position` counts: play reaches it, or it is not known which positions play reaches.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    #[inline]
    pub fn is_counted(&self, position: Position) -> Result<bool, BlockFault> {
        let Some(reach) = self.reach else { return Ok(true) };
        let (mode, index) = self.place(position);
        reach.marks.plane(mode, false).bit(index)
    }

    /// The slices of a plane.
    fn slices(&self) -> Vec<Slice> {
        let Some(fold) = self.fold else { return vec![Slice { rank: 0, weight: 1, filled: 0 }] };
        let slices = (0..).zip(fold.slice_classes().weights()).zip(fold.stored());
        slices.map(|((rank, weight), slice)| Slice { rank, weight, filled: slice.count_ones() as usize }).collect()
    }

    /// The number of cells that vary within a slice.
    fn slice_cells(&self) -> u32 {
        self.layout.cells() - self.fold.map_or(0, Fold::slice_cells)
    }

    /// The part of `plane` that belongs to `slice`.
    fn part<'b>(&self, plane: Bytes<'b>, slice: &Slice) -> Bytes<'b> {
        let size = plane.len() / self.fold.map_or(1, |fold| fold.stored().len());
        let start = slice.rank as usize * size;
        plane.part(start..start + size)
    }

    /// The number of positions that count with each [place](crate::label::Label::place) of `kind`, which is not the outcome.
    pub(super) fn codes(&self, kind: LabelKind) -> Result<Vec<u64>, BlockFault> {
        let form = self.bytes.form(kind);
        let mut sum = form.no_counts();
        let Some(labels) = self.bytes.of(kind) else { return Ok(sum) };
        let start = |mode| self.bytes.offset(kind, self.index_at(mode, 0));
        for slice in self.slices() {
            for mode in (0..self.planes.shape().modes() as u16).map(Mode) {
                let labels = self.part(labels.part(start(mode)..start(Mode(mode.0 + 1))), &slice);
                let codes = match self.reach {
                    // A plane is padded with zeros.
                    None => form.counts(labels, (labels.len() as u64).saturating_sub(1 << self.slice_cells()))?,
                    Some(reach) => codes_marked(labels, self.part(reach.marks.plane(mode, false), &slice), form)?,
                };
                sum.iter_mut().zip(codes).for_each(|(sum, count)| *sum += slice.weight * count);
            }
        }
        Ok(sum)
    }

    /// The outcomes of all positions that count, by their number of filled cells; `None` if `counted`, which is called with the bytes
    /// just counted, breaks.
    pub(super) fn by_fill_count(
        &self,
        counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Option<Vec<FilledCounts>>, LabelFault> {
        let (shape, cells) = (self.planes.shape(), self.slice_cells());
        let mut sums = vec![Counts::default(); shape.cells() as usize + 1];
        for slice in self.slices() {
            for mode in (0..shape.modes() as u16).map(Mode) {
                let part = |plane| self.part(plane, &slice);
                let losses = shape.draws().then(|| part(self.planes.plane(mode, true)));
                let marks = self.reach.map(|reach| part(reach.marks.plane(mode, false)));
                let wins = part(self.planes.plane(mode, false));
                let counts = of_planes(cells, mode, wins, [losses, marks], counted)?;
                let Some(counts) = counts else { return Ok(None) };
                for (sum, counts) in sums[slice.filled..].iter_mut().zip(counts) {
                    *sum = *sum + counts.times(slice.weight);
                }
            }
        }
        let found = (0..).zip(sums).map(|(filled, counts)| FilledCounts { filled, counts });
        Ok(Some(found.filter(|filled| filled.counts.total() > 0).collect()))
    }
}

/// How many of the boards that are marked in `marks` have each place in `bytes`: labels of `form`, in planes of their layout.
pub fn codes_among(bytes: Bytes<'_>, marks: &Planes<'_>, form: LabelForm) -> Result<Vec<u64>, BlockFault> {
    let modes = marks.shape().modes();
    let labels = bytes.pieces((bytes.len() / modes as usize).max(1));
    let mut planes = labels.zip((0..modes as u16).map(|mode| marks.plane(Mode(mode), false)));
    planes.try_fold(form.no_counts(), |all, (labels, marks)| Ok(add_each(all, codes_marked(labels, marks, form)?)))
}

/// How many of `labels`, of `form`, have each place, as far as their bits in `marks` are set.
fn codes_marked(labels: Bytes<'_>, marks: Bytes<'_>, form: LabelForm) -> Result<Vec<u64>, BlockFault> {
    /// Bytes of marks that one task counts: their labels are a whole number of blocks, where they are compressed.
    const PIECE: usize = 1 << 17;
    let of_piece = |(marks, labels): (Bytes<'_>, Bytes<'_>)| {
        let mut counts = form.no_counts();
        let (marks, labels) = (marks.all()?, labels.all()?);
        let marks = marks.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
        form.count_marked(&labels, marks, 1, &mut counts);
        Ok(counts)
    };
    let pieces = marks.par_pieces(PIECE).zip(labels.par_pieces(PIECE * 8 * form.bytes()));
    pieces.map(of_piece).try_reduce(|| form.no_counts(), |a, b| Ok(add_each(a, b)))
}
