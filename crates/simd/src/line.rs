//! A line: 64 positions that follow each other, a byte each; and what a move does within one.

/// Index bits inside a line.
pub const LINE: u32 = 6;
/// Positions of a line.
pub const LANES: usize = 1 << LINE;

/// A line: a byte for each of 64 positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Line(pub [u8; LANES]);

impl Line {
    /// `byte` in the lanes of `lanes`, 0 in the others.
    pub fn of_lanes(lanes: u64, byte: u8) -> Self {
        Self(std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { byte } else { 0 }))
    }
}

/// The part of a move that concerns the six cells within a line.
#[derive(Clone, Debug)]
pub struct LaneMove {
    /// The cells it fills. The successor of lane `j` is lane `j | up`.
    pub up: u8,
    /// The lanes in which it is legal.
    pub legal: u64,
    /// For each lane, the lane of its successor.
    pub from: Line,
    /// The code of an illegal move in the lanes without the move; 0 in the others.
    pub illegal: Line,
}

/// The lanes with no cell of `empty` filled and every cell of `full`.
pub fn lanes(empty: u64, full: u64) -> u64 {
    (0..LANES as u64).filter(|lane| lane & empty == 0 && lane & full == full).fold(0, |lanes, lane| lanes | 1 << lane)
}

impl LaneMove {
    /// A move that needs the cells `empty` empty and `full` filled, and fills `up`. Cells outside the line are ignored.
    /// `illegal` is the code for lanes without the move.
    pub fn new(empty: u64, full: u64, up: u64, illegal: u8) -> Self {
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
