//! The keys of one level: positions are found by their codes and enumerated by their indices.

use std::ops::Range;

use super::levels::Form;
use super::{Codes, LevelSize, Word};
use crate::rules::{Position, Potential};

/// The positions with one number of filled cells, or on one level of another potential, read in place from their keys. Nothing is built and nothing is
/// trusted: bytes that make no sense give [`Misplaced`] and never a panic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<'a> {
    codes: &'a Codes,
    potential: &'a Potential,
    size: LevelSize,
    form: Form,
    keys: &'a [u8],
}

/// Keys that no solver writes: the bytes are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the keys of the positions with {filled} filled cells contradict each other near number {index}")]
pub struct Misplaced {
    /// The level, by its number of filled cells.
    pub filled: u32,
    /// The index in the level at which the damage was found.
    pub index: u64,
}

impl<'a> Level<'a> {
    pub(super) const fn new(
        codes: &'a Codes,
        potential: &'a Potential,
        size: LevelSize,
        form: Form,
        keys: &'a [u8],
    ) -> Self {
        Self { codes, potential, size, form, keys }
    }

    /// Its number of filled cells and its number of positions.
    #[must_use]
    pub(crate) const fn size(&self) -> LevelSize {
        self.size
    }

    const fn misplaced(&self, index: u64) -> Misplaced {
        Misplaced { filled: self.size.filled, index }
    }

    const fn rest_mask(&self) -> u128 {
        (1 << self.form.rest_bits) - 1
    }

    /// Entry `bucket` of the directory: the index of the first position in that bucket or a later one.
    #[inline]
    fn directory(&self, bucket: usize) -> u64 {
        let bytes = self.keys.get(4 * bucket..4 * bucket + 4).and_then(|bytes| bytes.try_into().ok());
        u64::from(bytes.map_or(u32::MAX, u32::from_le_bytes))
    }

    /// Offset of the stored rest of the code of the position with index `index`.
    #[inline]
    fn rest_offset(&self, index: u64) -> usize {
        self.form.directory_bytes() as usize + index as usize * self.form.rest_bytes
    }

    /// The stored bits of the code of the position with index `index`.
    #[inline]
    fn rest(&self, index: u64) -> u128 {
        let start = self.rest_offset(index);
        if self.form.rest_bytes <= 8 {
            let bytes = self.keys.get(start..start + 8).and_then(|bytes| bytes.try_into().ok());
            return u128::from(bytes.map_or(u64::MAX, u64::from_le_bytes)) & self.rest_mask();
        }
        let bytes = self.keys.get(start..start + 16).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(u128::MAX, u128::from_le_bytes) & self.rest_mask()
    }

    /// The index of `position`, a position of the game with as many filled cells as this level; `None` if it is not
    /// stored, and so not reachable.
    ///
    /// # Errors
    /// If the directory makes no sense.
    #[inline(always)]
    pub(crate) fn find(&self, position: Position) -> Result<Option<u64>, Misplaced> {
        self.find_code(self.codes.code(position))
    }

    #[inline(always)]
    fn find_code(&self, code: u128) -> Result<Option<u64>, Misplaced> {
        Ok(self.find_in(self.bucket(code)?, code))
    }

    /// The bucket of `code`: the range of indices that its position is in, if it is stored.
    ///
    /// # Errors
    /// If the directory makes no sense.
    #[inline(always)]
    pub(crate) fn bucket(&self, code: u128) -> Result<Range<u64>, Misplaced> {
        let bucket = (code >> self.form.rest_bits) as usize;
        let (first, end) = (self.directory(bucket), self.directory(bucket + 1));
        if first > end || end > self.size.count {
            return Err(self.misplaced(first));
        }
        Ok(first..end)
    }

    /// The first byte of the keys in `bucket`. To read it brings them into the cache.
    #[inline(always)]
    pub(crate) fn first_byte(&self, bucket: &Range<u64>) -> u8 {
        self.keys.get(self.rest_offset(bucket.start)).copied().unwrap_or(0)
    }

    /// The index of the position with `code`, which is looked for in its `bucket`.
    #[inline(always)]
    pub(crate) fn find_in(&self, bucket: Range<u64>, code: u128) -> Option<u64> {
        if self.form.rest_bytes <= 8 {
            // The same as below in one machine word; this is the loop of a probe. It goes through the whole bucket,
            // whose length the directory gives, so the processor never mispredicts a branch while it waits for the
            // rests.
            let (wanted, mask) = ((code & self.rest_mask()) as u64, self.rest_mask() as u64);
            let width = self.form.rest_bytes;
            let words = self.keys.get(self.rest_offset(bucket.start)..self.rest_offset(bucket.end) + 8);
            let words = words.unwrap_or_default();
            let mut found = u64::MAX;
            for index in bucket.clone() {
                let at = (index - bucket.start) as usize * width;
                let Some(word) = words.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) else { break };
                let rest = u64::from_le_bytes(word) & mask;
                found = if rest == wanted { index } else { found };
            }
            return (found != u64::MAX).then_some(found);
        }
        let wanted = code & self.rest_mask();
        let mut rests = bucket.map(|index| (index, self.rest(index)));
        rests.find(|&(_, rest)| rest >= wanted).filter(|&(_, rest)| rest == wanted).map(|(index, _)| index)
    }

    /// The positions with indices from `first` up to but not including `end`, in order, each with its index.
    ///
    /// A [`Misplaced`] ends it: if the directory makes no sense, a code is out of order or is none, or the
    /// position belongs to another level.
    pub(crate) fn positions(
        self,
        first: u64,
        end: u64,
    ) -> impl Iterator<Item = Result<(u64, Position), Misplaced>> + 'a {
        let mut codes = self.bucket_of(first);
        let mut before = None;
        let mut failed = false;
        (first..end.min(self.size.count)).map_while(move |index| {
            if failed {
                return None;
            }
            let found = self.next_code(&mut codes, index).filter(|&code| before.is_none_or(|before| before < code));
            before = found;
            let position = found.and_then(|code| self.codes.position(code));
            let position = position.filter(|position| self.potential.level(*position) == self.size.filled);
            failed = position.is_none();
            Some(position.map(|position| (index, position)).ok_or(self.misplaced(index)))
        })
    }

    /// Where the codes from index `first` are read.
    pub(crate) fn cursor(&self, first: u64) -> Cursor {
        Cursor { bucket: self.bucket_of(first), index: first }
    }

    /// Writes to `codes`, which is emptied, up to `most` codes from `cursor` on, before index `end`. The keys must be sound:
    /// nothing is checked.
    pub(crate) fn read<W: Word>(&self, cursor: &mut Cursor, end: u64, most: usize, codes: &mut Vec<W>) {
        codes.clear();
        let end = end.min(self.size.count).min(cursor.index.saturating_add(most as u64));
        while cursor.index < end {
            let next = self.directory(cursor.bucket + 1);
            let bucket = W::raised(cursor.bucket, self.form.rest_bits);
            let to = next.min(end);
            codes.extend((cursor.index..to).map(|index| bucket | W::of(self.rest(index))));
            cursor.index = to.max(cursor.index);
            cursor.bucket += usize::from(next <= cursor.index);
        }
    }

    /// The position with index `index`.
    ///
    /// # Errors
    /// If its key makes no sense, or there is no such index.
    pub(crate) fn position(&self, index: u64) -> Result<Position, Misplaced> {
        let only = self.positions(index, index.saturating_add(1)).next();
        only.unwrap_or(Err(self.misplaced(index))).map(|(_, position)| position)
    }

    /// The bucket that holds index `index`, provided that the directory makes sense.
    fn bucket_of(&self, index: u64) -> usize {
        let (mut low, mut high) = (0usize, 1usize << self.form.bucket_bits);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.directory(middle + 1) <= index { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The code at `index`; moves `bucket` forward to the bucket that contains it.
    fn next_code(&self, bucket: &mut usize, index: u64) -> Option<u128> {
        while *bucket < 1 << self.form.bucket_bits && self.directory(*bucket + 1) <= index {
            *bucket += 1;
        }
        let inside = *bucket < 1 << self.form.bucket_bits && self.directory(*bucket) <= index;
        inside.then(|| (*bucket as u128) << self.form.rest_bits | self.rest(index))
    }

    /// Checks that the directory begins at 0, never decreases and ends at the number of positions, and that every
    /// unused bit is zero. Together with the checks of [`positions`](Self::positions), this ensures that the bytes
    /// are the only ones that represent these positions.
    ///
    /// # Errors
    /// If that does not hold.
    pub(crate) fn check(&self) -> Result<(), Misplaced> {
        let buckets = 1usize << self.form.bucket_bits;
        let rising = (0..buckets).find(|&bucket| self.directory(bucket) > self.directory(bucket + 1));
        if let Some(bucket) = rising {
            return Err(self.misplaced(self.directory(bucket)));
        }
        let whole = self.directory(0) == 0 && self.directory(buckets) == self.size.count;
        let unused = self.keys.get(self.rest_offset(self.size.count)..).unwrap_or_default();
        let rest_bytes_are_full = (0..self.size.count).all(|index| self.spare_bits(index) == 0);
        if whole && rest_bytes_are_full && unused.iter().all(|&byte| byte == 0) {
            Ok(())
        } else {
            Err(self.misplaced(self.size.count))
        }
    }

    /// The bits of the stored rest at `index` that are above those of a code.
    fn spare_bits(&self, index: u64) -> u8 {
        let used = self.form.rest_bits % 8;
        let last = self.keys.get(self.rest_offset(index) + self.form.rest_bytes - 1).copied().unwrap_or(0);
        if used == 0 { 0 } else { last >> used }
    }

    /// The range of bytes of the keys that says where the bucket of `position` is.
    pub(crate) fn directory_bytes(&self, position: Position) -> Range<usize> {
        let bucket = (self.codes.code(position) >> self.form.rest_bits) as usize;
        4 * bucket..4 * bucket + 8
    }

    /// The range of bytes of the keys that contains the bucket of `position`, if the directory makes sense.
    pub(crate) fn bucket_bytes(&self, position: Position) -> Range<usize> {
        let bucket = (self.codes.code(position) >> self.form.rest_bits) as usize;
        let end = self.directory(bucket + 1).min(self.size.count);
        self.rest_offset(self.directory(bucket).min(end))..self.rest_offset(end)
    }
}

/// A place among the codes of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    bucket: usize,
    index: u64,
}
