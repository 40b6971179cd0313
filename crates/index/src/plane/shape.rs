//! Which planes a label has, and how large they are.

use crate::label::{Label, Width};
use crate::rules::{Mode, Outcome, Rules};

/// The sizes of the planes that hold one label of every (mode, board).
///
/// A label of one bit has one plane for each mode. A label of two bits has two: for outcomes in rules that can draw,
/// these are `win` and `loss`. In rules that cannot draw, every position that is not a win is a loss. A label of one
/// byte has one plane of bytes for each mode. The planes follow each other, mode by mode:
///
/// ```text
/// one bit:   win 0 | win 1 | win 2 …          two bits:   win 0 | loss 0 | win 1 | loss 1 …
/// ```
///
/// A plane is padded with zeros to a multiple of 64 bytes, the block size of the kernels.
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
        let cells_a_byte = match self.width {
            Width::One | Width::Two => 3,
            Width::Eight | Width::Sixteen => 0,
        };
        let bits = self.cells.saturating_sub(cells_a_byte);
        if bits >= u64::BITS {
            return None;
        }
        let bytes = 1u64 << bits;
        Some(if bytes < BLOCK_BYTES { BLOCK_BYTES } else { bytes })
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
    }
}
