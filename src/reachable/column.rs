//! One label of the positions of a level, in the order of its keys.

use crate::label::Width;
use crate::rules::Outcome;

/// The labels of one kind for the positions of one level. Each has as many bits as the width gives, lowest bits
/// first. They are read in place from their bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    width: Width,
    count: u64,
    bytes: &'a [u8],
}

impl<'a> Column<'a> {
    pub(super) const fn new(width: Width, count: u64, bytes: &'a [u8]) -> Self {
        Self { width, count, bytes }
    }

    /// The number at `index`; `None` if the index is out of range.
    #[inline]
    #[must_use]
    pub(crate) fn number(&self, index: u64) -> Option<u8> {
        if index >= self.count {
            return None;
        }
        let byte = *self.bytes.get(self.byte(index) as usize)?;
        Some(match self.width {
            Width::One => byte >> (index % 8) & 1,
            Width::Two => byte >> (2 * (index % 4)) & 3,
            Width::Eight => byte,
        })
    }

    /// The outcome at `index` in a column of outcomes; `None` if the bits do not represent one, or the index is out
    /// of range.
    #[inline]
    #[must_use]
    pub(crate) fn outcome(&self, index: u64) -> Option<Outcome> {
        self.width.outcome(self.number(index)?)
    }

    /// The byte that holds the label at `index`.
    #[inline]
    pub(crate) const fn byte(&self, index: u64) -> u64 {
        index * self.width.bits() as u64 / 8
    }

    /// Whether every bit after the last label is zero.
    pub(crate) fn is_padded(&self) -> bool {
        let used = self.count * u64::from(self.width.bits()) % 8;
        used == 0 || self.bytes.last().is_none_or(|last| last >> used == 0)
    }
}

/// The number of bytes for the labels of `count` positions.
pub(crate) const fn column_bytes(width: Width, count: u64) -> u64 {
    (count * width.bits() as u64).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_every_width() {
        let bytes = [0b1110_0100, 0b0000_0010];
        let numbers = |width, count| {
            let column = Column::new(width, count, &bytes[..column_bytes(width, count) as usize]);
            ((0..=count).map(|index| column.number(index)).collect::<Vec<_>>(), column.is_padded())
        };
        let some = |numbers: &[u8]| numbers.iter().map(|&n| Some(n)).chain([None]).collect::<Vec<_>>();
        assert_eq!(numbers(Width::One, 5), (some(&[0, 0, 1, 0, 0]), false));
        assert_eq!(numbers(Width::Two, 5), (some(&[0, 1, 2, 3, 2]), true));
        assert_eq!(numbers(Width::Eight, 2), (some(&[0b1110_0100, 2]), true));
    }
}
