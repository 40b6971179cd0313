//! A label of every (mode, board).

use crate::plane::{Conflict, Layout, Planes};
use crate::rules::{Board, Mode, Outcome, Position};

/// The labels of every (mode, board): planes, and the layout that defines which bit belongs to which board.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    layout: &'a Layout,
    planes: Planes<'a>,
}

impl<'a> Dense<'a> {
    /// The planes in the order of `layout`, which must have the same number of cells.
    pub(crate) const fn new(layout: &'a Layout, planes: Planes<'a>) -> Self {
        Self { layout, planes }
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
