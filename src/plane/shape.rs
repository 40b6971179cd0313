//! Which planes a game has, where each lies, and how an outcome is read from them.

use bitvec::prelude::{BitSlice, Lsb0};

use crate::rules::{Mode, Outcome, Rules};

/// One plane as bits: bit `i` is the position with index `i`. Bytes, so that it reads the same on every machine.
pub type Bits = BitSlice<u8, Lsb0>;

/// The sizes of a game's planes.
///
/// Every mode has a `win` plane; where the rules can draw, a `loss` plane follows it. In rules that cannot draw what is
/// not a win is a loss. The planes stand one behind the other, mode by mode:
///
/// ```text
/// cannot draw:   win 0 | win 1 | win 2 …          can draw:   win 0 | loss 0 | win 1 | loss 1 …
/// ```
///
/// A plane is padded with zeros to whole blocks of 512 positions (64 bytes), the unit of the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    cells: u32,
    modes: u32,
    draws: bool,
}

/// How many positions have each outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Wins for the player to move.
    pub win: u64,
    /// Draws.
    pub draw: u64,
    /// Losses for the player to move.
    pub loss: u64,
}

/// A position that is marked a win and a loss at once, which no solver writes: the bytes are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the position with index {index} in mode {} is marked a win and a loss at once", mode.0)]
pub struct Conflict {
    /// The mode.
    pub mode: Mode,
    /// The index.
    pub index: u64,
}

/// Bytes of a block: 512 positions.
pub(crate) const BLOCK_BYTES: u64 = 64;

impl Shape {
    /// The shape of a board of `cells` cells with `modes` modes, and with `loss` planes where `draws`.
    #[must_use]
    pub const fn new(cells: u32, modes: u32, draws: bool) -> Self {
        Self { cells, modes, draws }
    }

    /// The shape that the tables of `rules` have.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        Self::new(rules.cells(), rules.modes().len() as u32, rules.can_draw())
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

    /// Whether there are `loss` planes.
    #[must_use]
    pub const fn draws(&self) -> bool {
        self.draws
    }

    /// The number of planes.
    #[must_use]
    pub const fn planes(&self) -> u64 {
        self.modes as u64 * (1 + self.draws as u64)
    }

    /// Bytes of one plane, its padding included.
    #[must_use]
    pub const fn plane_bytes(&self) -> u64 {
        match self.cells {
            0..=9 => BLOCK_BYTES,
            cells => 1 << (cells - 3),
        }
    }

    /// Bytes of all planes; `None` where a `u64` cannot say it.
    #[must_use]
    pub const fn bytes(&self) -> Option<u64> {
        self.plane_bytes().checked_mul(self.planes())
    }

    /// Which plane, counted from the first, holds `mode`'s wins (or losses).
    #[must_use]
    pub const fn plane(&self, mode: Mode, loss: bool) -> u64 {
        mode.0 as u64 * (1 + self.draws as u64) + loss as u64
    }
}

impl Counts {
    /// All positions.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Counts one more position.
    pub const fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.win += 1,
            Outcome::Draw => self.draw += 1,
            Outcome::Loss => self.loss += 1,
        }
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { win: self.win + more.win, draw: self.draw + more.draw, loss: self.loss + more.loss }
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, more| sum + more)
    }
}

/// The sums, mode by mode.
pub(crate) fn add_by_mode(a: Vec<Counts>, b: Vec<Counts>) -> Vec<Counts> {
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The planes of a solved game, wherever their bytes lie.
#[derive(Clone, Copy)]
pub struct Planes<'a> {
    shape: Shape,
    plane_bytes: usize,
    bytes: &'a [u8],
}

impl<'a> Planes<'a> {
    /// Reads `bytes` as the planes of `shape`; `None` where there are not exactly as many as the shape needs.
    #[must_use]
    pub fn new(shape: Shape, bytes: &'a [u8]) -> Option<Self> {
        let fits = shape.bytes() == Some(bytes.len() as u64);
        let plane_bytes = usize::try_from(shape.plane_bytes()).ok()?;
        fits.then_some(Self { shape, plane_bytes, bytes })
    }

    /// The sizes.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// All planes, as they are stored.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The plane of `mode`'s wins: bit `i` is set where the position with index `i` is a win for the player to move.
    ///
    /// # Panics
    /// Where there is no such mode.
    #[must_use]
    pub fn wins(&self, mode: Mode) -> &'a Bits {
        self.bits(self.shape.plane(mode, false))
    }

    /// The plane of `mode`'s losses, where the rules can draw. Where they cannot, a loss is what is not a win.
    ///
    /// # Panics
    /// Where there is no such mode.
    #[must_use]
    pub fn losses(&self, mode: Mode) -> Option<&'a Bits> {
        self.shape.draws.then(|| self.bits(self.shape.plane(mode, true)))
    }

    fn bits(&self, plane: u64) -> &'a Bits {
        let start = plane as usize * self.plane_bytes;
        &BitSlice::from_slice(&self.bytes[start..start + self.plane_bytes])[..1 << self.shape.cells]
    }

    /// The outcome at `index` in `mode`, for the player to move.
    ///
    /// # Errors
    /// Where the position is marked a win and a loss at once: the bytes are damaged.
    ///
    /// # Panics
    /// Where there is no such mode or index.
    pub fn outcome(&self, mode: Mode, index: u64) -> Result<Outcome, Conflict> {
        let bit = |loss| {
            let byte = self.shape.plane(mode, loss) as usize * self.plane_bytes + (index >> 3) as usize;
            self.bytes[byte] >> (index & 7) & 1 == 1
        };
        match (bit(false), self.shape.draws && bit(true)) {
            (true, false) => Ok(Outcome::Win),
            (false, false) if self.shape.draws => Ok(Outcome::Draw),
            (false, _) => Ok(Outcome::Loss),
            (true, true) => Err(Conflict { mode, index }),
        }
    }

    /// The bytes of the planes that the outcome at `index` in `mode` is read from, by their offsets.
    pub(crate) fn touched(&self, mode: Mode, index: u64) -> impl Iterator<Item = usize> + use<> {
        let (shape, plane_bytes) = (self.shape, self.plane_bytes);
        let planes = shape.plane(mode, false)..=shape.plane(mode, shape.draws);
        planes.map(move |plane| plane as usize * plane_bytes + (index >> 3) as usize)
    }
}

impl std::fmt::Debug for Planes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planes").field("shape", &self.shape).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(Shape::new(1, 1, false).bytes(), Some(64));
        assert_eq!(Shape::new(9, 2, true).bytes(), Some(256));
        assert_eq!(Shape::new(36, 1, false).bytes(), Some(8 << 30));
        assert_eq!(Shape::new(28, 7, false).bytes(), Some(7 << 25));
        assert_eq!(Shape::new(64, 8, false).bytes(), None);
    }

    #[test]
    fn outcomes_are_read_from_one_plane_or_two() {
        let mut bytes = [0u8; 128];
        bytes[0] = 0b0101;
        bytes[64] = 0b0110;
        let two = Planes::new(Shape::new(2, 1, true), &bytes).unwrap();
        let outcomes = [0, 1, 2, 3].map(|i| two.outcome(Mode(0), i));
        let conflict = Conflict { mode: Mode(0), index: 2 };
        assert_eq!(outcomes, [Ok(Outcome::Win), Ok(Outcome::Loss), Err(conflict), Ok(Outcome::Draw)]);
        assert_eq!(two.losses(Mode(0)).unwrap().iter_ones().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(two.touched(Mode(0), 3).collect::<Vec<_>>(), [0, 64]);

        let one = Planes::new(Shape::new(2, 2, false), &bytes).unwrap();
        assert_eq!([0, 1].map(|i| one.outcome(Mode(1), i)), [Ok(Outcome::Loss), Ok(Outcome::Win)]);
        assert_eq!(one.wins(Mode(1)).len(), 4);
        assert!(one.losses(Mode(0)).is_none());
        assert_eq!(one.touched(Mode(1), 3).collect::<Vec<_>>(), [64]);
        assert!(Planes::new(Shape::new(2, 3, false), &bytes).is_none());
    }
}
