//! A label of every (mode, board).

use super::ByteLabels;
use crate::label::Width;
use crate::plane::{Conflict, Layout, Planes, Shape};
use crate::rules::{Board, Mode, Outcome, Position};

/// The labels of every (mode, board): planes, and the layout that defines which bit belongs to which board.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    layout: &'a Layout,
    planes: Planes<'a>,
    bytes: ByteLabels<'a>,
}

impl<'a> Dense<'a> {
    /// The planes in the order of `layout`, which must have the same number of cells.
    pub(crate) const fn new(layout: &'a Layout, planes: Planes<'a>, bytes: ByteLabels<'a>) -> Self {
        Self { layout, planes, bytes }
    }

    /// The same with the labels of one byte that are in `more` as well.
    pub(crate) const fn with(self, more: ByteLabels<'a>) -> Self {
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

    /// Where the labels of one byte have that of `position`.
    #[inline]
    pub(crate) fn byte(&self, position: Position) -> usize {
        self.byte_at(position.mode, self.layout.index(position.board))
    }

    /// Where the labels of one byte have that of index `index` in `mode`.
    #[inline]
    pub(crate) const fn byte_at(&self, mode: Mode, index: u64) -> usize {
        let shape = self.planes.shape();
        let plane = Shape::new(shape.cells(), shape.modes(), Width::Eight).plane_bytes();
        match plane {
            Some(plane) => mode.0 as usize * plane as usize + index as usize,
            None => usize::MAX,
        }
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
        Position::new(Mode((rank % modes) as u16), Board(rank / modes))
    }

    /// The outcome of `position` for the player to move.
    ///
    /// # Errors
    /// If it is marked both a win and a loss: the bytes are damaged.
    ///
    /// # Panics
    /// If the rules have no such position.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, Conflict> {
        self.planes.outcome(position.mode, self.layout.index(position.board))
    }
}
