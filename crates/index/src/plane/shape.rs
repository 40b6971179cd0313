//! Which planes a label has, and how large they are.

use crate::label::{Label, Width};
use crate::rules::{Mode, Outcome, Rules};

/// The sizes of the planes that hold one label of every (mode, board).
///
/// A label of one bit has one plane for each mode. A label of two bits has two: for outcomes in rules that can draw,
/// these are `win` and `loss`. In rules that cannot draw, every position that is not a win is a loss. A label of one
/// byte or two has one plane for each mode. The planes follow each other, mode by mode:
///
/// ```text
/// one bit:   win 0 | win 1 | win 2 …          two bits:   win 0 | loss 0 | win 1 | loss 1 …
/// ```
///
/// A plane is padded with zeros to 512 bits or to 64 labels: the kernels work on as many at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    cells: u32,
    modes: u32,
    width: Width,
}

/// Bytes of a block: 512 positions.
pub(crate) const BLOCK_BYTES: u64 = 64;

impl Shape {
    /// The shape of a label of `width` on a board of `cells` cells with `modes` modes.
    #[must_use]
    pub const fn new(cells: u32, modes: u32, width: Width) -> Self {
        Self { cells, modes, width }
    }

    /// The shape of the outcomes of `rules`.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        Self::of_width(rules, Outcome::width(rules))
    }

    /// The shape of a label of `width` in a dense table of `rules`.
    #[must_use]
    pub fn of_width(rules: &Rules, width: Width) -> Self {
        Self::new(rules.cells(), rules.modes().len() as u32, width)
    }

    /// Cells of the board.
    #[must_use]
    pub const fn cells(&self) -> u32 {
        self.cells
    }

    /// Number of modes.
    #[must_use]
    pub const fn modes(&self) -> u32 {
        self.modes
    }

    /// The width of a label.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// Returns whether there are `loss` planes.
    #[must_use]
    pub const fn draws(&self) -> bool {
        matches!(self.width, Width::Two)
    }

    /// The outcome that the bits of a position in its planes say; `None` if they say both a win and a loss. Without `loss` planes
    /// the second is false.
    #[inline]
    pub(crate) const fn outcome(&self, win: bool, loss: bool) -> Option<Outcome> {
        match (win, loss) {
            (true, false) => Some(Outcome::Win),
            (false, false) if self.draws() => Some(Outcome::Draw),
            (false, _) => Some(Outcome::Loss),
            (true, true) => None,
        }
    }

    /// The number of planes per mode.
    #[must_use]
    pub const fn planes_a_mode(&self) -> u64 {
        if self.draws() { 2 } else { 1 }
    }

    /// The number of planes.
    #[must_use]
    pub const fn planes(&self) -> u64 {
        self.modes as u64 * self.planes_a_mode()
    }

    /// Bytes of one plane, including padding; `None` if the number does not fit a `u64`.
    #[must_use]
    pub const fn plane_bytes(&self) -> Option<u64> {
        // The number of positions as a power of two, and the bits or bytes of each.
        let (least, bits) = match self.width {
            Width::One | Width::Two => (BLOCK_BYTES.trailing_zeros() + 3, 1),
            Width::Eight | Width::Sixteen => (BLOCK_BYTES.trailing_zeros(), self.width.bits()),
        };
        let positions = if self.cells < least { least } else { self.cells };
        let log = positions + bits.trailing_zeros() - 3;
        if log < u64::BITS { Some(1 << log) } else { None }
    }

    /// Bytes of all planes; `None` if the number does not fit a `u64`.
    #[must_use]
    pub const fn bytes(&self) -> Option<u64> {
        match self.plane_bytes() {
            Some(bytes) => bytes.checked_mul(self.planes()),
            None => None,
        }
    }

    /// The number of the plane, counted from 0, that holds `mode`'s wins (or losses).
    #[must_use]
    pub const fn plane(&self, mode: Mode, loss: bool) -> u64 {
        mode.0 as u64 * self.planes_a_mode() + loss as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(Shape::new(1, 1, Width::One).bytes(), Some(64));
        assert_eq!(Shape::new(9, 2, Width::Two).bytes(), Some(256));
        assert_eq!(Shape::new(36, 1, Width::One).bytes(), Some(8 << 30));
        assert_eq!(Shape::new(28, 7, Width::One).bytes(), Some(7 << 25));
        assert_eq!(Shape::new(64, 8, Width::One).bytes(), None);
        assert_eq!(Shape::new(64, 1, Width::Eight).bytes(), None);
        assert_eq!(
            (Shape::new(4, 2, Width::Eight).bytes(), Shape::new(16, 1, Width::Eight).bytes()),
            (Some(128), Some(1 << 16))
        );
        let words = |cells| Shape::new(cells, 2, Width::Sixteen).bytes();
        assert_eq!([4, 6, 16, 62, 63].map(words), [Some(256), Some(256), Some(1 << 18), None, None]);
        assert_eq!(Shape::new(62, 1, Width::Sixteen).bytes(), Some(1 << 63));
    }
}
