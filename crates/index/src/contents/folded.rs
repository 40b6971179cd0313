//! The contents of a dense table up to symmetry: one slice of each symmetry class is stored.

use std::ops::ControlFlow;

use super::{ByteLabels, FilledCounts, LabelFault, codes, codes_among};
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, LabelKind, Width};
use crate::plane::{Conflict, PlaneFault, Planes, Shape, of_planes};
use crate::rules::{Board, Mode, Outcome, Position};
use crate::symmetry::Fold;

/// The labels of every (mode, board): planes of the slices that are stored. It is read as if every board had its own.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a> {
    fold: &'a Fold,
    outcomes: Bytes<'a>,
    /// The shape of the outcomes of the whole board.
    shape: Shape,
    reach: Option<(&'a [Position], Bytes<'a>)>,
    bytes: ByteLabels<'a>,
}

impl<'a> Folded<'a> {
    /// Outcomes, whose `shape` is that of the whole board, and what play from some roots reaches, if that is marked.
    pub const fn new(
        fold: &'a Fold,
        shape: Shape,
        outcomes: Bytes<'a>,
        reach: Option<(&'a [Position], Bytes<'a>)>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        Self { fold, outcomes, shape, reach, bytes }
    }

    /// The same with the labels of one byte that are in `more` as well.
    pub(crate) fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// Which slices are stored.
    #[must_use]
    pub const fn fold(&self) -> &'a Fold {
        self.fold
    }

    /// The shape of the outcomes of every board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The roots, if there are reachability bits: sorted and without duplicates.
    #[must_use]
    pub fn roots(&self) -> Option<&'a [Position]> {
        self.reach.map(|(roots, _)| roots)
    }

    /// The labels of one byte, in planes of the stored slices: a plane for each mode.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// The stored outcomes.
    pub const fn outcomes(&self) -> Bytes<'a> {
        self.outcomes
    }

    /// The stored reachability bits, if there are any.
    pub fn reached(&self) -> Option<Bytes<'a>> {
        self.reach.map(|(_, marks)| marks)
    }

    /// The number of positions: 2^cells in each mode.
    #[must_use]
    pub const fn count(&self) -> u64 {
        (self.shape.modes() as u64) << self.shape.cells()
    }

    /// The position of rank `rank`: by board number, then by mode.
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Position {
        let modes = u64::from(self.shape.modes());
        Position::new(Mode((rank % modes) as u16), Board::from_word(rank / modes))
    }

    /// Bytes of a plane of labels of `width`.
    fn plane(&self, width: Width) -> u64 {
        self.fold.plane_bytes(width).unwrap_or(u64::MAX)
    }

    /// The index of the label of `position` in the labels of one byte.
    #[inline]
    pub fn byte(&self, position: Position) -> usize {
        let (mode, index) = self.fold.place(position);
        (u64::from(mode.0) * self.plane(Width::Eight) + index) as usize
    }

    /// The bytes of the outcomes that a look-up of `position` reads.
    pub fn touched(&self, position: Position) -> impl Iterator<Item = usize> + use<'_> {
        let ((mode, index), plane) = (self.fold.place(position), self.plane(Width::One));
        let planes = self.shape.plane(mode, false)..=self.shape.plane(mode, self.shape.draws());
        planes.map(move |number| (number * plane + (index >> 3)) as usize)
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
        let ((mode, index), plane) = (self.fold.place(position), self.plane(Width::One));
        let bit = |loss| self.outcomes.bit(self.shape.plane(mode, loss) * plane * 8 + index);
        let outcome = self.shape.outcome(bit(false)?, self.shape.draws() && bit(true)?);
        outcome.ok_or_else(|| Conflict { mode, index }.into())
    }

    /// Returns whether `position` counts: it is reachable, or there are no reachability bits.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn is_counted(&self, position: Position) -> Result<bool, BlockFault> {
        let Some((_, marks)) = self.reach else { return Ok(true) };
        let (mode, index) = self.fold.place(position);
        marks.bit(u64::from(mode.0) * self.plane(Width::One) * 8 + index)
    }

    /// The number of counted positions with each code of `kind`, a label of one byte.
    pub(super) fn codes(&self, kind: LabelKind) -> Result<Vec<u64>, BlockFault> {
        let labels = self.bytes.of(kind).unwrap_or(Bytes::Plain(&[]));
        let one = Shape::new(self.shape.cells() - self.fold.slice_cells(), 1, Width::One);
        let mut sum = vec![0u64; 256];
        for (rank, weight) in (0..).zip(self.fold.slice_classes().weights()) {
            for mode in 0..u64::from(self.shape.modes()) {
                let labels = self.part(labels, u64::from(self.shape.modes()), mode, rank);
                let codes = match self.marks(mode, rank).and_then(|marks| Planes::of(one, marks)) {
                    None => codes(labels, 0)?,
                    Some(marks) => codes_among(labels, &marks)?,
                };
                sum.iter_mut().zip(codes).for_each(|(sum, count)| *sum += weight * count);
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
        let (planes, draws) = (self.shape.planes(), self.shape.draws());
        let mut sums = vec![Counts::default(); self.shape.cells() as usize + 1];
        for ((rank, weight), slice) in (0..).zip(self.fold.slice_classes().weights()).zip(self.fold.stored()) {
            for mode in (0..self.shape.modes() as u16).map(Mode) {
                let outcomes = |loss| self.part(self.outcomes, planes, self.shape.plane(mode, loss), rank);
                let others = [draws.then(|| outcomes(true)), self.marks(mode.0.into(), rank)];
                let cells = self.shape.cells() - self.fold.slice_cells();
                let counts = of_planes(cells, mode, outcomes(false), others, counted)?;
                let Some(counts) = counts else { return Ok(None) };
                for (sum, counts) in sums[slice.count_ones() as usize..].iter_mut().zip(counts) {
                    let [win, draw, loss] = [counts.win, counts.draw, counts.loss].map(|count| count * weight);
                    *sum = *sum + Counts { win, draw, loss };
                }
            }
        }
        let found = (0..).zip(sums).map(|(filled, counts)| FilledCounts { filled, counts });
        Ok(Some(found.filter(|filled| filled.counts.total() > 0).collect()))
    }

    /// The part of a stored slice in plane `number` of `all`, which has `planes` planes.
    fn part(&self, all: Bytes<'a>, planes: u64, number: u64, rank: u64) -> Bytes<'a> {
        let slice = all.len() / planes as usize / self.fold.stored().len();
        let start = (number as usize * self.fold.stored().len() + rank as usize) * slice;
        all.part(start..start + slice)
    }

    /// The reachability bits of a stored slice in a mode, if there are any.
    fn marks(&self, mode: u64, rank: u64) -> Option<Bytes<'a>> {
        self.reach.map(|(_, marks)| self.part(marks, self.shape.modes().into(), mode, rank))
    }
}
