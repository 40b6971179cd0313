//! The keys of one level: find a position by its code, or enumerate positions by their indices.

use std::ops::Range;

use super::levels::Form;
use super::{Codes, KeyBytes, KeyWord, LevelSize};
use crate::rules::{Position, Potential};

/// The positions of one level, read in place from their keys `K`. A level is usually the set of positions with one
/// number of filled cells. No data structure is built, and the bytes are not trusted: damaged bytes give [`Misplaced`]
/// and never a panic.
#[derive(Clone, Copy, Debug)]
pub struct Level<'a, K = &'a [u8]> {
    codes: &'a Codes,
    potential: &'a Potential,
    size: LevelSize,
    form: Form,
    keys: K,
}

/// Keys that no solver writes, which means that the bytes are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the keys of the positions with {filled} filled cells contradict each other near position {index}")]
pub struct Misplaced {
    /// The level, by its number of filled cells.
    pub filled: u32,
    /// The index in the level at which the damage was found.
    pub index: u64,
}

impl<'a, K: KeyBytes> Level<'a, K> {
    pub(super) const fn new(codes: &'a Codes, potential: &'a Potential, size: LevelSize, form: Form, keys: K) -> Self {
        Self { codes, potential, size, form, keys }
    }

    /// The level's number of filled cells and its number of positions.
    #[must_use]
    pub const fn size(&self) -> LevelSize {
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
    fn directory(&self, bucket: usize) -> Result<u64, K::ReadFault> {
        Ok(self.keys.array(4 * bucket)?.map_or(u32::MAX, u32::from_le_bytes).into())
    }

    /// Offset of the stored rest of the code of the position with index `index`.
    #[inline]
    fn rest_offset(&self, index: u64) -> usize {
        self.form.directory_bytes() as usize + index as usize * self.form.rest_bytes
    }

    /// The stored bits of the code of the position with index `index`.
    #[inline]
    fn rest(&self, index: u64) -> Result<u128, K::ReadFault> {
        let start = self.rest_offset(index);
        let bits = if self.form.rest_bytes <= 8 {
            self.keys.array(start)?.map_or(u64::MAX, u64::from_le_bytes).into()
        } else {
            self.keys.array(start)?.map_or(u128::MAX, u128::from_le_bytes)
        };
        Ok(bits & self.rest_mask())
    }

    /// The index of `position`, a position of this level; `None` if it is not stored, and so not reachable.
    ///
    /// # Errors
    /// If the directory is damaged, or cannot be read.
    #[inline(always)]
    pub fn find(&self, position: Position) -> Result<Option<u64>, K::Fault> {
        self.find_code(self.codes.code(position))
    }

    #[inline(always)]
    fn find_code(&self, code: u128) -> Result<Option<u64>, K::Fault> {
        Ok(self.find_in(self.bucket(code)?, code)?)
    }

    /// The bucket of `code`: the range of indices that contains its position, if that is stored.
    ///
    /// # Errors
    /// If the directory is damaged, or cannot be read.
    #[inline(always)]
    pub fn bucket(&self, code: u128) -> Result<Range<u64>, K::Fault> {
        let bucket = (code >> self.form.rest_bits) as usize;
        let (first, end) = (self.directory(bucket)?, self.directory(bucket + 1)?);
        if first > end || end > self.size.count {
            return Err(self.misplaced(first).into());
        }
        Ok(first..end)
    }

    /// The index of the position with `code`, searched for in its `bucket`.
    ///
    /// # Errors
    /// If the bucket cannot be read.
    #[inline(always)]
    pub fn find_in(&self, bucket: Range<u64>, code: u128) -> Result<Option<u64>, K::ReadFault> {
        if self.form.rest_bytes <= 8 {
            // This loop of a probe does the same as the code below, in one machine word. It goes through the whole
            // bucket, whose length the directory gives. So the processor never mispredicts a branch while it waits for
            // the rests.
            let (wanted, mask) = ((code & self.rest_mask()) as u64, self.rest_mask() as u64);
            let width = self.form.rest_bytes;
            let words = self.keys.stretch(self.rest_offset(bucket.start)..self.rest_offset(bucket.end) + 8)?;
            let words = words.as_deref().unwrap_or_default();
            let mut found = u64::MAX;
            for index in bucket.clone() {
                let at = (index - bucket.start) as usize * width;
                let Some(word) = words.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) else { break };
                let rest = u64::from_le_bytes(word) & mask;
                found = if rest == wanted { index } else { found };
            }
            return Ok((found != u64::MAX).then_some(found));
        }
        let wanted = code & self.rest_mask();
        for index in bucket {
            let rest = self.rest(index)?;
            if rest >= wanted {
                return Ok((rest == wanted).then_some(index));
            }
        }
        Ok(None)
    }

    /// The positions with indices from `first` up to but not including `end`, in order, each with its index.
    ///
    /// The iterator ends after an error: the directory is damaged, a code is out of order or invalid, the position
    /// belongs to another level, or the keys cannot be read.
    pub fn positions(
        self,
        first: u64,
        end: u64,
    ) -> impl Iterator<Item = Result<(u64, Position), K::Fault>> + use<'a, K> {
        let mut bucket = None;
        let mut before = None;
        let mut failed = false;
        let mut next = move |index| {
            let mut at = bucket.map_or_else(|| self.bucket_of(index), Ok)?;
            let code = self.next_code(&mut at, index)?;
            bucket = Some(at);
            let code = code.filter(|&code| before.is_none_or(|before| before < code));
            before = code;
            let position = code.and_then(|code| self.codes.position(code));
            let position = position.filter(|position| self.potential.level(*position) == self.size.filled);
            position.map(|position| (index, position)).ok_or_else(|| self.misplaced(index).into())
        };
        (first..end.min(self.size.count)).map_while(move |index| {
            let found = (!failed).then(|| next(index));
            failed = !matches!(found, Some(Ok(_)));
            found
        })
    }

    /// The position with index `index`.
    ///
    /// # Errors
    /// If its key is damaged, or the index is out of range.
    pub(crate) fn position(&self, index: u64) -> Result<Position, K::Fault> {
        let only = self.positions(index, index.saturating_add(1)).next();
        only.unwrap_or_else(|| Err(self.misplaced(index).into())).map(|(_, position)| position)
    }

    /// The bucket that holds index `index`, if the directory is valid.
    fn bucket_of(&self, index: u64) -> Result<usize, K::ReadFault> {
        let (mut low, mut high) = (0usize, 1usize << self.form.bucket_bits);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.directory(middle + 1)? <= index { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// The code at `index`; moves `bucket` forward to the bucket that contains it.
    fn next_code(&self, bucket: &mut usize, index: u64) -> Result<Option<u128>, K::ReadFault> {
        while *bucket < 1 << self.form.bucket_bits && self.directory(*bucket + 1)? <= index {
            *bucket += 1;
        }
        let inside = *bucket < 1 << self.form.bucket_bits && self.directory(*bucket)? <= index;
        inside.then(|| Ok((*bucket as u128) << self.form.rest_bits | self.rest(index)?)).transpose()
    }

    /// Checks that the directory begins at 0, never decreases and ends at the number of positions, and that every
    /// unused bit is zero. Together with the checks of [`positions`](Self::positions), this ensures that these
    /// positions have no other encoding.
    ///
    /// # Errors
    /// If that does not hold, or the keys cannot be read.
    pub fn check(&self) -> Result<(), K::Fault> {
        let buckets = 1usize << self.form.bucket_bits;
        let mut before = self.directory(0)?;
        let begins_at_none = before == 0;
        for bucket in 1..=buckets {
            let first = self.directory(bucket)?;
            if first < before {
                return Err(self.misplaced(before).into());
            }
            before = first;
        }
        let whole = begins_at_none && before == self.size.count;
        let unused = self.keys.stretch(self.rest_offset(self.size.count)..self.keys.len())?;
        let is_unused = unused.is_none_or(|unused| unused.iter().all(|&byte| byte == 0));
        for index in 0..self.size.count {
            if self.spare_bits(index)? != 0 {
                return Err(self.misplaced(self.size.count).into());
            }
        }
        if whole && is_unused { Ok(()) } else { Err(self.misplaced(self.size.count).into()) }
    }

    /// The unused high bits of the stored rest at `index`.
    fn spare_bits(&self, index: u64) -> Result<u8, K::ReadFault> {
        let used = self.form.rest_bits % 8;
        if used == 0 {
            return Ok(0);
        }
        let last =
            self.keys.array(self.rest_offset(index) + self.form.rest_bytes - 1)?.map_or(0, |[byte]: [u8; 1]| byte);
        Ok(last >> used)
    }

    /// The byte range, in the keys, of the directory entries for the bucket of `position`.
    pub fn directory_bytes(&self, position: Position) -> Range<usize> {
        let bucket = (self.codes.code(position) >> self.form.rest_bits) as usize;
        4 * bucket..4 * bucket + 8
    }

    /// The byte range, in the keys, of the bucket of `position`, if the directory is valid.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn bucket_bytes(&self, position: Position) -> Result<Range<usize>, K::ReadFault> {
        let bucket = (self.codes.code(position) >> self.form.rest_bits) as usize;
        let end = self.directory(bucket + 1)?.min(self.size.count);
        Ok(self.rest_offset(self.directory(bucket)?.min(end))..self.rest_offset(end))
    }
}

/// Functions for the solvers, which have the keys in memory.
impl Level<'_> {
    /// The first byte of the keys in `bucket`. Reading it brings the bucket into the processor's cache.
    #[inline(always)]
    pub fn first_byte(&self, bucket: &Range<u64>) -> u8 {
        self.keys.get(self.rest_offset(bucket.start)).copied().unwrap_or(0)
    }

    /// A cursor for reading codes from index `first` on.
    pub fn cursor(&self, first: u64) -> Cursor {
        let Ok(bucket) = self.bucket_of(first);
        Cursor { bucket, index: first }
    }

    /// Replaces the contents of `codes` with up to `most` codes from `cursor` on, before index `end`. The keys are not
    /// checked.
    pub fn read<W: KeyWord>(&self, cursor: &mut Cursor, end: u64, most: usize, codes: &mut Vec<W>) {
        codes.clear();
        let end = end.min(self.size.count).min(cursor.index.saturating_add(most as u64));
        while cursor.index < end {
            let Ok(next) = self.directory(cursor.bucket + 1);
            let bucket = W::raised(cursor.bucket, self.form.rest_bits);
            let to = next.min(end);
            codes.extend((cursor.index..to).map(|index| {
                let Ok(rest) = self.rest(index);
                bucket | W::of(rest)
            }));
            cursor.index = to.max(cursor.index);
            cursor.bucket += usize::from(next <= cursor.index);
        }
    }
}

/// A place among the codes of a level.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    bucket: usize,
    index: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::{Levels, append_keys};
    use crate::rules::{Board, Mode, RulesSpec};

    /// The level of the boards with four of eight filled cells, its positions by their codes, and its keys: 17 entries of
    /// the directory, 70 rests of four bits each, and padding.
    fn four_of_eight() -> (Levels, Vec<Position>, Vec<u8>) {
        four_of_eight_with(|_| true)
    }

    /// The same, for those whose code is accepted.
    fn four_of_eight_with(has: impl Fn(u128) -> bool) -> (Levels, Vec<Position>, Vec<u8>) {
        let rules = RulesSpec::new("r", 8).build().unwrap();
        let codes = Codes::of(&rules);
        let boards = (0..1u64 << 8).filter(|board| board.count_ones() == 4);
        let mut positions: Vec<_> = boards.map(|board| Position::new(Mode(0), Board::from_word(board))).collect();
        positions.retain(|&position| has(codes.code(position)));
        positions.sort_unstable_by_key(|&position| codes.code(position));
        let mut keys = Vec::new();
        append_keys(&mut keys, &codes, std::slice::from_ref(&positions), |_, it| codes.code(it)).unwrap();
        let size = LevelSize { filled: 4, count: positions.len() as u64 };
        (Levels::new(&rules, &Potential::filled(&rules), &[size]).unwrap(), positions, keys)
    }

    #[test]
    fn positions_are_found_through_their_bucket() {
        let (levels, positions, keys) = four_of_eight();
        let level = levels.level(0, &keys[..]).unwrap();
        for (index, &position) in (0..).zip(&positions) {
            assert_eq!((level.find(position), level.position(index)), (Ok(Some(index)), Ok(position)));
            let entries = keys[level.directory_bytes(position)].as_chunks().0.iter();
            let bucket: Vec<u64> = entries.map(|&entry| u32::from_le_bytes(entry).into()).collect();
            assert_eq!(level.bucket(level.codes.code(position)), Ok(bucket[0]..bucket[1]));
        }
    }

    #[test]
    fn buckets_may_be_empty() {
        let (levels, positions, keys) = four_of_eight_with(|code| code >> 6 != 0b01);
        let level = levels.level(0, &keys[..]).unwrap();
        assert!(level.check().is_ok());
        assert!((0..).zip(&positions).all(|(index, &position)| level.find(position) == Ok(Some(index))));
    }

    /// The level has no other 70 positions, so no other bytes are right.
    #[test]
    fn a_changed_bit_is_noticed() {
        let (levels, positions, keys) = four_of_eight();
        let read = |keys: &[u8]| -> Result<Vec<Position>, Misplaced> {
            let level = levels.level(0, keys).unwrap();
            level.check()?;
            level.positions(0, 70).map(|found| found.map(|(_, position)| position)).collect()
        };
        assert_eq!(read(&keys), Ok(positions));
        for bit in 0..8 * keys.len() {
            let mut keys = keys.clone();
            keys[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&keys).is_err(), "{bit}");
        }
    }

    /// Only positions whose bucket begins or ends at the damaged entry of the directory are not found.
    #[test]
    fn a_damaged_directory_is_an_error() {
        let (levels, positions, keys) = four_of_eight();
        for entry in 0..=16 {
            let mut keys = keys.clone();
            keys[4 * entry] = 71;
            let level = levels.level(0, &keys[..]).unwrap();
            for (index, &position) in (0..).zip(&positions) {
                let bucket = level.codes.code(position) as usize >> 4;
                let is_damaged = entry == bucket || entry == bucket + 1;
                assert_eq!(level.find(position).ok(), (!is_damaged).then_some(Some(index)), "{entry}");
            }
            assert!(entry > 0 || level.position(0).is_err());
            assert!(level.check().is_err());
        }
    }
}
