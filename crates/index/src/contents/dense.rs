//! A label of every (mode, board).

use super::ByteLabels;
use crate::compressed::{BlockFault, Bytes};
use crate::label::{LabelKind, Width, add_each};
use crate::plane::{Layout, PlaneFault, Planes, Shape};
use crate::rules::{Board, Mode, Outcome, Position};
use rayon::prelude::*;

/// The labels of every (mode, board): planes, and the layout that defines which bit belongs to which board.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    layout: &'a Layout,
    planes: Planes<'a>,
    reach: Option<Reach<'a>>,
    bytes: ByteLabels<'a>,
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

    /// Returns whether play reaches index `index` in `mode`.
    #[inline]
    pub fn has(&self, mode: Mode, index: u64) -> Result<bool, BlockFault> {
        self.marks.plane(mode, false).bit(index)
    }
}

impl<'a> Dense<'a> {
    /// Outcomes of `shape` in the order of `layout`, and the boards that are reachable from `starts`, if they are marked.
    pub(super) fn new(
        layout: &'a Layout,
        starts: &'a [Position],
        shape: Shape,
        outcomes: Bytes<'a>,
        reached: Option<Bytes<'a>>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        let planes =
            |shape, bytes| Planes::of(shape, bytes).unwrap_or_else(|| unreachable!("the bytes have the shape"));
        let marks = |bytes| planes(Shape::new(shape.cells(), shape.modes(), Width::One), bytes);
        let reach = reached.map(|bytes| Reach { roots: starts, marks: marks(bytes) });
        Self { layout, planes: planes(shape, outcomes), reach, bytes }
    }

    /// Which boards play reaches, if they are marked.
    #[must_use]
    pub const fn reach(&self) -> Option<Reach<'a>> {
        self.reach
    }

    /// Returns whether `position` counts: play reaches it, or it is not known which positions play reaches.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn is_counted(&self, position: Position) -> Result<bool, BlockFault> {
        self.reach.map_or(Ok(true), |reach| reach.has(position.mode, self.layout.index(position.board)))
    }

    /// How many of the boards that play reaches have each code of `kind`, a label of one byte, if they are marked.
    pub(super) fn codes_reached(&self, kind: LabelKind) -> Result<Option<Vec<u64>>, BlockFault> {
        let Some(reach) = self.reach else { return Ok(None) };
        codes_among(self.bytes.of(kind).unwrap_or(Bytes::Plain(&[])), &reach.marks).map(Some)
    }

    /// The same with the labels of one byte that are in `more` as well.
    pub(crate) fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// The labels of one byte, in planes of this layout: a plane for each mode.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// Bytes of a label of one byte that belong to no position.
    pub(crate) fn padding(&self) -> u64 {
        let modes = u64::from(self.planes.shape().modes());
        (self.byte_at(Mode(1), 0) as u64).saturating_mul(modes).saturating_sub(self.count())
    }

    /// The index of the label of `position` in the labels of one byte.
    #[inline]
    pub fn byte(&self, position: Position) -> usize {
        self.byte_at(position.mode, self.layout.index(position.board))
    }

    /// The index of the label at `index` in `mode` in the labels of one byte.
    #[inline]
    pub const fn byte_at(&self, mode: Mode, index: u64) -> usize {
        let shape = self.planes.shape();
        let plane = Shape::new(shape.cells(), shape.modes(), Width::Eight).plane_bytes();
        match plane {
            Some(plane) => mode.0 as usize * plane as usize + index as usize,
            None => usize::MAX,
        }
    }

    /// The bytes of the outcomes that a look-up of `position` reads.
    pub fn touched(&self, position: Position) -> impl Iterator<Item = usize> + use<> {
        self.planes.touched(position.mode, self.layout.index(position.board))
    }

    /// Which bit of a plane belongs to which board.
    #[must_use]
    pub const fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The outcomes as bit planes.
    #[must_use]
    pub const fn planes(&self) -> Planes<'a> {
        self.planes
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

    /// The outcome of `position` for the player to move.
    ///
    /// # Errors
    /// If it is marked both a win and a loss, or cannot be unpacked: the bytes are damaged.
    ///
    /// # Panics
    /// If the rules lack that position.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, PlaneFault> {
        self.planes.outcome(position.mode, self.layout.index(position.board))
    }
}

/// How many of the boards that are marked in `marks` have each code in `bytes`: a label of one byte, in planes of their layout.
pub fn codes_among(bytes: Bytes<'_>, marks: &Planes<'_>) -> Result<Vec<u64>, BlockFault> {
    /// Bytes of marks that one task counts: their labels are a whole number of blocks, where they are compressed.
    const PIECE: usize = 1 << 17;
    let none = || vec![0u64; 256];
    let of_mode = |(mode, labels): (Mode, Bytes<'_>)| {
        let of_piece = |(marks, labels): (Bytes<'_>, Bytes<'_>)| {
            let mut codes = none();
            let (marks, labels) = (marks.all()?, labels.all()?);
            for (word, labels) in marks.as_chunks::<8>().0.iter().zip(labels.chunks(64)) {
                let mut marks = u64::from_le_bytes(*word);
                while marks != 0 {
                    codes[usize::from(labels[marks.trailing_zeros() as usize])] += 1;
                    marks &= marks - 1;
                }
            }
            Ok(codes)
        };
        let pieces = marks.plane(mode, false).par_pieces(PIECE).zip(labels.par_pieces(PIECE * 8));
        pieces.map(of_piece).try_reduce(none, |a, b| Ok(add_each(a, b)))
    };
    let modes = marks.shape().modes();
    let labels = bytes.pieces((bytes.len() / modes as usize).max(1));
    let mut labels = (0..modes as u16).map(Mode).zip(labels);
    labels.try_fold(none(), |all, labels| Ok(add_each(all, of_mode(labels)?)))
}
