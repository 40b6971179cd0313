//! Outcomes read from bit planes.

use std::borrow::Cow;
use std::ops::ControlFlow;

use bitvec::prelude::{BitSlice, BitVec, Lsb0};
use rayon::prelude::*;

use super::Shape;
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, Width};
use crate::rules::{Mode, Outcome};

/// One plane as bits: bit `i` is the position with index `i`. It is a slice of bytes, so that it reads the same on
/// every machine.
pub type Bits = BitSlice<u8, Lsb0>;

/// A position that is marked both a win and a loss. No solver writes this: the bytes are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("position {index} of mode {} is marked as a win and as a loss", mode.0)]
pub struct Conflict {
    /// The mode.
    pub mode: Mode,
    /// The index.
    pub index: u64,
}

/// Why an outcome cannot be read from planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlaneFault {
    /// It is marked a win and a loss.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// It lies in a packed block that cannot be unpacked.
    #[error(transparent)]
    Block(#[from] BlockFault),
}

/// The planes of a solved game, wherever their bytes are.
#[derive(Clone, Copy)]
pub struct Planes<'a> {
    shape: Shape,
    plane_bytes: usize,
    bytes: Bytes<'a>,
}

impl<'a> Planes<'a> {
    /// Reads `bytes` as the outcomes of `shape`; `None` if their number is not exactly what the shape needs, or its
    /// width is not that of outcomes.
    #[must_use]
    pub fn new(shape: Shape, bytes: &'a [u8]) -> Option<Self> {
        Self::of(shape, Bytes::Plain(bytes))
    }

    /// As [`new`](Self::new), of bytes that may be compressed.
    #[must_use]
    pub fn of(shape: Shape, bytes: Bytes<'a>) -> Option<Self> {
        Self::in_planes_of(shape, shape.plane_bytes()?, bytes)
    }

    /// As [`of`](Self::of), in planes of `plane_bytes` bytes, which hold only some of the boards.
    pub(crate) fn in_planes_of(shape: Shape, plane_bytes: u64, bytes: Bytes<'a>) -> Option<Self> {
        let all = plane_bytes.checked_mul(shape.planes());
        let fits = all == Some(bytes.len() as u64) && shape.width() != Width::Eight;
        fits.then_some(Self { shape, plane_bytes: usize::try_from(plane_bytes).ok()?, bytes })
    }

    /// The shape of the planes.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// All planes, as they are stored.
    #[must_use]
    pub const fn bytes(&self) -> Bytes<'a> {
        self.bytes
    }

    /// The number of positions with labels in a plane; the other bits are padding.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        let (all, bits) = (1 << self.shape.cells(), self.plane_bytes as u64 * 8);
        if all < bits { all } else { bits }
    }

    /// The plane of `mode`'s wins: bit `i` is set if the position with index `i` is a win for the player to move. A packed
    /// plane is unpacked as a whole.
    ///
    /// # Errors
    /// If a block of it cannot be unpacked.
    ///
    /// # Panics
    /// If the mode does not exist.
    pub fn wins(&self, mode: Mode) -> Result<Cow<'a, Bits>, BlockFault> {
        self.bits(mode, false)
    }

    /// The plane of `mode`'s losses if the rules can draw. If they cannot, every position that is not a win is a
    /// loss.
    ///
    /// # Errors
    /// As [`wins`](Self::wins).
    ///
    /// # Panics
    /// If the mode does not exist.
    pub fn losses(&self, mode: Mode) -> Result<Option<Cow<'a, Bits>>, BlockFault> {
        self.shape.draws().then(|| self.bits(mode, true)).transpose()
    }

    fn bits(&self, mode: Mode, loss: bool) -> Result<Cow<'a, Bits>, BlockFault> {
        let positions = self.positions();
        Ok(match self.plane(mode, loss).all()? {
            Cow::Borrowed(plane) => Cow::Borrowed(&Bits::from_slice(plane)[..positions as usize]),
            Cow::Owned(plane) => {
                let mut bits = BitVec::from_vec(plane);
                bits.truncate(positions as usize);
                Cow::Owned(bits)
            }
        })
    }

    /// The bytes of the plane of `mode`'s wins or losses, including padding.
    pub fn plane(&self, mode: Mode, loss: bool) -> Bytes<'a> {
        let start = self.shape.plane(mode, loss) as usize * self.plane_bytes;
        self.bytes.part(start..start + self.plane_bytes)
    }

    /// The outcome at `index` in `mode`, for the player to move.
    ///
    /// # Errors
    /// If the position is marked both a win and a loss, or cannot be unpacked: the bytes are damaged.
    ///
    /// # Panics
    /// If the mode or the index does not exist.
    #[inline]
    pub fn outcome(&self, mode: Mode, index: u64) -> Result<Outcome, PlaneFault> {
        let bit = |loss| {
            let byte = self.shape.plane(mode, loss) as usize * self.plane_bytes + (index >> 3) as usize;
            Ok::<_, BlockFault>(self.bytes.byte(byte)? >> (index & 7) & 1 == 1)
        };
        let outcome = self.shape.outcome(bit(false)?, self.shape.draws() && bit(true)?);
        outcome.ok_or_else(|| Conflict { mode, index }.into())
    }

    /// The number of positions with each outcome, mode by mode; counted on all cores of the current rayon pool if
    /// there are many.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn counts(&self) -> Result<Vec<Counts>, BlockFault> {
        let counts = self.counts_watched(&|_| ControlFlow::Continue(()))?;
        Ok(counts.unwrap_or_else(|| unreachable!("nobody stops it")))
    }

    /// As [`counts`](Self::counts), calling `counted` with the number of bytes just counted; `None` if it breaks.
    pub fn counts_watched(
        &self,
        counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Option<Vec<Counts>>, BlockFault> {
        let positions = 1u64 << self.shape.cells();
        let of_mode = |mode| {
            let ones = |loss| count_ones(self.plane(mode, loss), positions, counted);
            let Some(win) = ones(false)? else { return Ok(None) };
            Ok(Some(if self.shape.draws() {
                let Some(loss) = ones(true)? else { return Ok(None) };
                Counts { win, draw: positions.saturating_sub(win + loss), loss }
            } else {
                Counts { win, draw: 0, loss: positions - win }
            }))
        };
        (0..self.shape.modes() as u16).map(|mode| of_mode(Mode(mode))).collect()
    }

    /// As [`counts`](Self::counts), of the positions that are set in `among`, planes of one bit of the same board.
    pub fn counts_among(&self, among: &Planes<'_>) -> Result<Vec<Counts>, BlockFault> {
        let positions = 1u64 << self.shape.cells();
        let of_mode = |mode| {
            let among = among.plane(mode, false);
            let all = count_common(among, among, positions)?;
            let win = count_common(self.plane(mode, false), among, positions)?;
            let loss =
                if self.shape.draws() { count_common(self.plane(mode, true), among, positions)? } else { all - win };
            Ok(Counts { win, draw: all.saturating_sub(win + loss), loss })
        };
        (0..self.shape.modes() as u16).map(|mode| of_mode(Mode(mode))).collect()
    }

    /// The offsets of the bytes from which the outcome at `index` in `mode` is read.
    pub fn touched(&self, mode: Mode, index: u64) -> impl Iterator<Item = usize> + use<> {
        let (shape, plane_bytes) = (self.shape, self.plane_bytes);
        let planes = shape.plane(mode, false)..=shape.plane(mode, shape.draws());
        planes.map(move |plane| plane as usize * plane_bytes + (index >> 3) as usize)
    }
}

/// The number of set bits among the first `positions` bits of a plane, which consists of whole words; `None` if
/// `counted`, which is called with the bytes of each piece, breaks.
fn count_ones(
    plane: Bytes<'_>,
    positions: u64,
    counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<Option<u64>, BlockFault> {
    /// Bytes that one task counts.
    const PIECE: usize = 1 << 20;
    let of_words = |bytes: &[u8]| {
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum::<u64>()
    };
    let of_piece = |piece: Bytes<'_>| {
        let ones = of_words(&piece.all().map_err(Some)?);
        if counted(piece.len() as u64).is_continue() { Ok(ones) } else { Err(None) }
    };
    if positions < plane.len() as u64 * 8 {
        // Padding does not count, whatever it holds.
        let ones = Bits::from_slice(&plane.all()?)[..positions as usize].count_ones() as u64;
        return Ok(counted(plane.len() as u64).is_continue().then_some(ones));
    }
    or_stopped(match plane.len() {
        ..=PIECE => of_piece(plane),
        _ => plane.par_pieces(PIECE).map(of_piece).try_reduce(|| 0, |a, b| Ok(a + b)),
    })
}

/// The counts. An error without a value means that counting was stopped, which gives `None`.
pub(super) fn or_stopped<T>(counted: Result<T, Option<BlockFault>>) -> Result<Option<T>, BlockFault> {
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(None) => Ok(None),
        Err(Some(fault)) => Err(fault),
    }
}

/// The number of bits that are set in both planes, among their first `positions` bits.
fn count_common(a: Bytes<'_>, b: Bytes<'_>, positions: u64) -> Result<u64, BlockFault> {
    const PIECE: usize = 1 << 20;
    if positions < a.len() as u64 * 8 {
        let bit = |plane: &[u8], index: u64| plane[(index / 8) as usize] >> (index % 8) & 1 == 1;
        let (a, b) = (a.all()?, b.all()?);
        return Ok((0..positions).filter(|&index| bit(&a, index) && bit(&b, index)).count() as u64);
    }
    let of_piece = |(a, b): (Bytes<'_>, Bytes<'_>)| {
        let (a, b) = (a.all()?, b.all()?);
        let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
        let common = |(a, b): (&[u8; 8], &[u8; 8])| (u64::from_le_bytes(*a) & u64::from_le_bytes(*b)).count_ones();
        Ok(words.map(|words| u64::from(common(words))).sum::<u64>())
    };
    a.par_pieces(PIECE).zip(b.par_pieces(PIECE)).map(of_piece).try_reduce(|| 0, |a, b| Ok(a + b))
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
    fn outcomes_are_read_from_one_plane_or_two() {
        let mut bytes = [0u8; 128];
        bytes[0] = 0b0101;
        bytes[64] = 0b0110;
        let two = Planes::new(Shape::new(2, 1, Width::Two), &bytes).unwrap();
        let outcomes = [0, 1, 2, 3].map(|i| two.outcome(Mode(0), i));
        let conflict = PlaneFault::Conflict(Conflict { mode: Mode(0), index: 2 });
        assert_eq!(outcomes, [Ok(Outcome::Win), Ok(Outcome::Loss), Err(conflict), Ok(Outcome::Draw)]);
        assert_eq!(two.losses(Mode(0)).unwrap().unwrap().iter_ones().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(two.touched(Mode(0), 3).collect::<Vec<_>>(), [0, 64]);

        let one = Planes::new(Shape::new(2, 2, Width::One), &bytes).unwrap();
        assert_eq!([0, 1].map(|i| one.outcome(Mode(1), i)), [Ok(Outcome::Loss), Ok(Outcome::Win)]);
        assert_eq!(one.wins(Mode(1)).unwrap().len(), 4);
        assert!(one.losses(Mode(0)).unwrap().is_none());
        assert_eq!(one.touched(Mode(1), 3).collect::<Vec<_>>(), [64]);
        assert_eq!(one.counts().unwrap()[1], Counts { win: 2, draw: 0, loss: 2 });
        assert_eq!(two.counts().unwrap(), [Counts { win: 2, draw: 0, loss: 2 }]);
        assert!(Planes::new(Shape::new(2, 3, Width::One), &bytes).is_none());
    }

    #[test]
    fn padding_does_not_count() {
        // 2^8 positions fill the first half of a plane.
        let (mut bytes, mut marks) = ([0u8; 128], [0u8; 64]);
        for padding in [&mut bytes[32..64], &mut marks[32..]] {
            padding.fill(u8::MAX);
        }
        bytes[96..].fill(u8::MAX);
        (bytes[0], bytes[64], marks[0]) = (0b0101, 0b1010, 0b0011);
        let planes = Planes::new(Shape::new(8, 1, Width::Two), &bytes).unwrap();
        let among = Planes::new(Shape::new(8, 1, Width::One), &marks).unwrap();
        assert_eq!(planes.counts().unwrap(), [Counts { win: 2, draw: 252, loss: 2 }]);
        assert_eq!(planes.counts_among(&among).unwrap(), [Counts { win: 1, draw: 0, loss: 1 }]);
    }
}
