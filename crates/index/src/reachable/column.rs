//! One label of the positions of a level, in the order of its keys.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, Width};
use crate::rules::Outcome;

/// The labels of one kind for the positions of one level. Each takes [`Width::bits`] bits, lowest bits
/// first. They are read in place from their bytes.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    width: Width,
    count: u64,
    bytes: Bytes<'a>,
}

/// The reason why a column could not be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountFault {
    /// The bits at this index do not represent an outcome.
    NoOutcome(u64),
    /// A compressed block cannot be decompressed.
    Block(BlockFault),
}

impl<'a> Column<'a> {
    pub(crate) const fn new(width: Width, count: u64, bytes: Bytes<'a>) -> Self {
        Self { width, count, bytes }
    }

    /// The number at `index`; `None` if the index is out of range.
    ///
    /// # Errors
    /// If the block with the number cannot be decompressed.
    #[inline]
    pub fn number(&self, index: u64) -> Result<Option<u16>, BlockFault> {
        if index >= self.count {
            return Ok(None);
        }
        let at = self.byte(index) as usize;
        if self.width == Width::Sixteen {
            return Ok(self.bytes.array(at)?.map(u16::from_le_bytes));
        }
        let byte = self.bytes.get(at)?;
        Ok(byte
            .map(|byte| match self.width {
                Width::One => byte >> (index % 8) & 1,
                Width::Two => byte >> (2 * (index % 4)) & 3,
                Width::Eight | Width::Sixteen => byte,
            })
            .map(u16::from))
    }

    /// The outcome at `index` in a column of outcomes; `None` if the bits do not represent one, or the index is out
    /// of range.
    ///
    /// # Errors
    /// As [`number`](Self::number).
    #[inline]
    pub fn outcome(&self, index: u64) -> Result<Option<Outcome>, BlockFault> {
        // The number of an outcome has two bits.
        Ok(self.number(index)?.and_then(|number| self.width.outcome(number as u8)))
    }

    /// The number of positions with each outcome, in a column of outcomes. Counts on all cores of the current rayon
    /// pool if there are many. If the bits at some index do not represent an outcome, that index is the error.
    /// `counted` is called with the number of bytes just counted; if it breaks, the result is `None`.
    pub(crate) fn counts(
        &self,
        counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Option<Counts>, CountFault> {
        /// Bytes that one task counts.
        const PIECE: usize = 1 << 20;
        /// The low bit of each pair.
        const LOW: u64 = u64::MAX / 3;
        let used = self.count * u64::from(self.width.bits());
        let of_piece = |(number, piece): (usize, Bytes<'_>)| {
            let piece = piece.all().map_err(|fault| Some(CountFault::Block(fault)))?;
            let first = (number * PIECE) as u64 * 8;
            // The number of wins and of draws; a column without draws has none.
            let mut counts = [0, 0];
            for (at, word) in piece.chunks(8).enumerate() {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                let begins = first + at as u64 * 64;
                // Padding does not count, whatever it contains.
                let word = u64::from_le_bytes(bytes) & low_bits(used - begins.min(used));
                match self.width {
                    Width::One => counts[0] += u64::from(word.count_ones()),
                    Width::Two | Width::Eight | Width::Sixteen => {
                        let (wins, draws) = (word >> 1 & LOW, word & LOW);
                        if wins & draws != 0 {
                            let index = (begins + u64::from((wins & draws).trailing_zeros())) / 2;
                            return Err(Some(CountFault::NoOutcome(index)));
                        }
                        counts[0] += u64::from(wins.count_ones());
                        counts[1] += u64::from(draws.count_ones());
                    }
                }
            }
            if counted(piece.len() as u64).is_continue() { Ok(counts) } else { Err(None) }
        };
        let sum = |a: [u64; 2], b: [u64; 2]| Ok([a[0] + b[0], a[1] + b[1]]);
        match self.bytes.par_pieces(PIECE).enumerate().map(of_piece).try_reduce(|| [0, 0], sum) {
            Ok([win, draw]) => Ok(Some(Counts { win, draw, loss: self.count - win - draw })),
            Err(None) => Ok(None),
            Err(Some(fault)) => Err(fault),
        }
    }

    /// The first byte of the label at `index`.
    #[inline]
    pub const fn byte(&self, index: u64) -> u64 {
        index * self.width.bits() as u64 / 8
    }

    /// True if every bit after the last label is zero.
    ///
    /// # Errors
    /// As [`number`](Self::number).
    pub fn is_padded(&self) -> Result<bool, BlockFault> {
        let used = self.count * u64::from(self.width.bits()) % 8;
        let last = self.bytes.len().checked_sub(1).map(|last| self.bytes.byte(last)).transpose()?;
        Ok(used == 0 || last.is_none_or(|last| last >> used == 0))
    }
}

/// A word whose lowest `bits` bits are set, or all if there are more.
const fn low_bits(bits: u64) -> u64 {
    if bits < 64 { (1 << bits) - 1 } else { u64::MAX }
}

/// Writes the `number` of the label of `width` at `index` to `column`, which has zeros there.
#[inline]
pub fn write_number(column: &mut [u8], width: Width, index: u64, number: u16) {
    let bit = index * u64::from(width.bits());
    let at = (bit / 8) as usize;
    let [low, high] = number.to_le_bytes();
    column[at] |= low << (bit % 8);
    if width == Width::Sixteen {
        column[at + 1] |= high;
    }
}

/// The number of bytes for the labels of `count` positions.
pub const fn column_bytes(width: Width, count: u64) -> u64 {
    (count * width.bits() as u64).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn labels_of_every_width() {
        let bytes = [0b1110_0100, 0b0000_0010];
        let numbers = |width, count| {
            let column = Column::new(width, count, Bytes::Plain(&bytes[..column_bytes(width, count) as usize]));
            ((0..=count).map(|index| column.number(index).unwrap()).collect::<Vec<_>>(), column.is_padded().unwrap())
        };
        let some = |numbers: &[u16]| numbers.iter().map(|&n| Some(n)).chain([None]).collect::<Vec<_>>();
        assert_eq!(numbers(Width::One, 5), (some(&[0, 0, 1, 0, 0]), false));
        assert_eq!(numbers(Width::Two, 5), (some(&[0, 1, 2, 3, 2]), true));
        assert_eq!(numbers(Width::Eight, 2), (some(&[0b1110_0100, 2]), true));
        assert_eq!(numbers(Width::Sixteen, 1), (some(&[0x02e4]), true));
        for (width, count, most) in
            [(Width::One, 5, 1), (Width::Two, 5, 2), (Width::Eight, 2, 255), (Width::Sixteen, 3, 60_000)]
        {
            let mut column = vec![0; column_bytes(width, count) as usize];
            let number = |index: u64| (most + index as u16) % (most + 1);
            (0..count).for_each(|index| write_number(&mut column, width, index, number(index)));
            let column = Column::new(width, count, Bytes::Plain(&column));
            assert!((0..count).all(|index| column.number(index) == Ok(Some(number(index)))), "{width:?}");
        }
    }

    #[test]
    fn counts_equal_counting_one_by_one() {
        let mut random = fastrand::Rng::with_seed(3);
        for (width, count) in
            [1, 7, 31, 32, 33, 1000, 5_000_001].into_iter().flat_map(|n| [(Width::One, n), (Width::Two, n)])
        {
            let mut column = vec![0u8; column_bytes(width, count) as usize];
            let mut set = |index, number| {
                let bit = index * u64::from(width.bits());
                column[bit as usize / 8] |= number << (bit % 8);
            };
            let mut plain = Counts::default();
            for index in 0..count {
                let number = random.u8(..if width == Width::One { 2 } else { 3 });
                plain.add(width.outcome(number).unwrap());
                set(index, number);
            }
            // Whatever the padding contains, it does not count.
            let padding = (count..).take_while(|index| index * u64::from(width.bits()) % 8 != 0);
            padding.for_each(|index| set(index, if width == Width::One { 1 } else { 3 }));
            let told = AtomicU64::new(0);
            let counted = |bytes| {
                told.fetch_add(bytes, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            assert_eq!(
                Column::new(width, count, Bytes::Plain(&column)).counts(&counted),
                Ok(Some(plain)),
                "{width:?} {count}"
            );
            assert_eq!(told.into_inner(), column.len() as u64);
            assert_eq!(Column::new(width, count, Bytes::Plain(&column)).counts(&|_| ControlFlow::Break(())), Ok(None));
            if width == Width::Two {
                let last = count - 1;
                column[last as usize / 4] |= 3 << (2 * (last % 4));
                let counts = Column::new(width, count, Bytes::Plain(&column)).counts(&|_| ControlFlow::Continue(()));
                assert_eq!(counts, Err(CountFault::NoOutcome(last)));
            }
        }
        let column = [0, 0b0011_0000];
        assert_eq!(
            Column::new(Width::Two, 8, Bytes::Plain(&column)).counts(&|_| ControlFlow::Continue(())),
            Err(CountFault::NoOutcome(6))
        );
        // Invalid bits in the padding are ignored.
        let counts = Column::new(Width::Two, 6, Bytes::Plain(&column)).counts(&|_| ControlFlow::Continue(()));
        assert_eq!(counts, Ok(Some(Counts { win: 0, draw: 0, loss: 6 })));
    }
}
