//! A line: the codes of 64 positions that follow each other; and what a move does within one.

use super::lane::Lane;

/// Index bits inside a line.
pub const LINE: u32 = 6;
/// Positions of a line.
pub const LANES: usize = 1 << LINE;

/// A line: a code for each of 64 positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Line<T = u8>(pub [T; LANES]);

impl<T: Lane> Line<T> {
    /// `code` in the lanes of `lanes`, 0 in the others.
    pub fn of_lanes(lanes: u64, code: T) -> Self {
        Self(std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { code } else { T::ZERO }))
    }
}

/// The part of a move that concerns the six cells within a line.
#[derive(Clone, Debug)]
pub struct LaneMove<T = u8> {
    /// The cells it fills. The successor of lane `j` is lane `j | up`.
    pub up: u8,
    /// The lanes in which it is legal.
    pub legal: u64,
    /// For each lane, the lane of its successor.
    pub from: Line,
    /// The code of an illegal move in the lanes without the move; 0 in the others.
    pub illegal: Line<T>,
}

/// The lanes with no cell of `empty` filled and every cell of `full`.
pub fn lanes(empty: u64, full: u64) -> u64 {
    (0..LANES as u64).filter(|lane| lane & empty == 0 && lane & full == full).fold(0, |lanes, lane| lanes | 1 << lane)
}

impl<T: Lane> LaneMove<T> {
    /// A move that needs the cells `empty` empty and `full` filled, and fills `up`. Cells outside the line are ignored.
    /// `illegal` is the code for lanes without the move.
    pub fn new(empty: u64, full: u64, up: u64, illegal: T) -> Self {
        let low = (LANES - 1) as u64;
        let (up, legal) = ((up & low) as u8, lanes(empty & low, full & low));
        Self {
            up,
            legal,
            from: Line(std::array::from_fn(|lane| lane as u8 | up)),
            illegal: Line::of_lanes(!legal, illegal),
        }
    }

    /// `true` if the move concerns cells outside the line alone, so that each lane keeps its place.
    pub const fn is_plain(&self) -> bool {
        self.up == 0 && self.legal == u64::MAX
    }
}
