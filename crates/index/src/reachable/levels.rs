//! The number of positions in each level, and the offset of each level.

use std::ops::Range;

use super::column::{Column, column_bytes};
use super::{Codes, KeyBytes, Level};
use crate::compressed::Bytes;
use crate::label::Width;
use crate::rules::{Position, Potential, Rules};

/// Maximum number of positions of one level: the directory counts them in 32 bits.
pub const MOST_IN_LEVEL: u64 = u32::MAX as u64;

/// Bytes after the rests, so that a rest can be read as whole words.
const PADDING: u64 = 16;

/// The number of positions with one number of filled cells, or on one level of another [`Potential`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LevelSize {
    /// The number of filled cells, or the level of the potential.
    pub filled: u32,
    /// The number of positions; at least one.
    pub count: u64,
}

/// The offsets of the levels of a game: in the bytes of all keys, and in the bytes of each label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    codes: Codes,
    potential: Potential,
    extents: Vec<Extent>,
    /// For each level of the potential, its index in `extents` plus one; 0 if the level has no positions.
    by_level: Vec<u16>,
    keys: u64,
    /// Bytes of a whole column for each width.
    columns: [u64; WIDTHS.len()],
}

/// A level and the offsets of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    size: LevelSize,
    form: Form,
    /// The number of positions in the levels before it.
    first: u64,
    /// Offset of its keys.
    keys: u64,
    /// Offset of its labels in a column, for each width.
    columns: [u64; WIDTHS.len()],
}

const WIDTHS: [Width; 4] = [Width::One, Width::Two, Width::Eight, Width::Sixteen];

/// The way in which the codes of a level are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// Bits of a code that choose the bucket: enough to leave 4 to 7 positions per bucket, but never all bits.
    pub(super) bucket_bits: u32,
    /// Bits of a code that are stored.
    pub(super) rest_bits: u32,
    /// Bytes that hold these bits.
    pub(super) rest_bytes: usize,
}

impl Form {
    pub(super) fn new(codes: &Codes, count: u64) -> Self {
        let bucket_bits = (count / 4).checked_ilog2().unwrap_or(0).min(codes.bits() - 1);
        let rest_bits = codes.bits() - bucket_bits;
        Self { bucket_bits, rest_bits, rest_bytes: rest_bits.div_ceil(8) as usize }
    }

    /// Bytes of the directory: the start of each bucket, and the end of the last one.
    pub(super) const fn directory_bytes(self) -> u64 {
        4 * ((1 << self.bucket_bits) + 1)
    }
}

impl Levels {
    /// The levels of `rules` under `potential`, with these `sizes`, the lowest level first.
    ///
    /// `None` if a level is out of order or empty, has more than [`MOST_IN_LEVEL`] positions or more positions than
    /// there are boards, or does not exist in the potential; or if codes would have more than [`Codes::MOST_BITS`] bits.
    #[must_use]
    pub fn new(rules: &Rules, potential: &Potential, sizes: &[LevelSize]) -> Option<Self> {
        let codes = Codes::of(rules);
        if codes.bits() > Codes::MOST_BITS {
            return None;
        }
        let (potential, by_level) = (potential.clone(), vec![0; potential.most() as usize + 1]);
        let mut levels = Self { codes, potential, extents: Vec::new(), by_level, keys: 0, columns: [0; WIDTHS.len()] };
        let (mut first, mut least) = (0, 0);
        for &size in sizes {
            let fits =
                (least..=levels.potential.most()).contains(&size.filled) && (1..=MOST_IN_LEVEL).contains(&size.count);
            if !fits || u128::from(size.count) > rules.positions() {
                return None;
            }
            let form = Form::new(&codes, size.count);
            levels.extents.push(Extent { size, form, first, keys: levels.keys, columns: levels.columns });
            levels.by_level[size.filled as usize] = levels.extents.len() as u16;
            levels.keys += key_bytes(&codes, size.count);
            for (bytes, width) in levels.columns.iter_mut().zip(WIDTHS) {
                *bytes += column_bytes(width, size.count);
            }
            first += size.count;
            least = size.filled + 1;
        }
        Some(levels)
    }

    /// The sizes of all levels, the lowest first.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = LevelSize> + '_ {
        self.extents.iter().map(|extent| extent.size)
    }

    /// The number of all positions.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.extents.last().map_or(0, |extent| extent.first + extent.size.count)
    }

    /// Bytes of the keys of all levels.
    #[must_use]
    pub const fn key_bytes(&self) -> u64 {
        self.keys
    }

    /// Bytes of a label of `width` in all levels.
    #[must_use]
    pub const fn column_bytes(&self, width: Width) -> u64 {
        self.columns[width as usize]
    }

    /// The potential that defines the levels.
    pub const fn potential(&self) -> &Potential {
        &self.potential
    }

    /// The number of the level, counted from 0, that is level `level` of the potential.
    #[inline]
    #[must_use]
    pub fn of_level(&self, level: u32) -> Option<usize> {
        let number = *self.by_level.get(level as usize)?;
        usize::from(number).checked_sub(1)
    }

    /// The number of the level, counted from 0, that `position` belongs to.
    #[inline]
    #[must_use]
    pub fn of(&self, position: Position) -> Option<usize> {
        self.of_level(self.potential.level(position))
    }

    /// Level `number`, read from the keys of all levels; `None` if the level does not exist or `keys` is too short.
    #[inline]
    #[must_use]
    pub fn level<'a, K: KeyBytes>(&'a self, number: usize, keys: K) -> Option<Level<'a, K>> {
        let extent = self.extents.get(number)?;
        let end = self.extents.get(number + 1).map_or(self.keys, |next| next.keys);
        Some(Level::new(
            &self.codes,
            &self.potential,
            extent.size,
            extent.form,
            keys.get_part(extent.keys as usize..end as usize)?,
        ))
    }

    /// The range of offsets of the labels of level `number` in a column of `width`.
    #[inline]
    #[must_use]
    pub fn column_range(&self, number: usize, width: Width) -> Option<Range<u64>> {
        let start = self.extents.get(number)?.columns[width as usize];
        let end =
            self.extents.get(number + 1).map_or(self.columns[width as usize], |next| next.columns[width as usize]);
        Some(start..end)
    }

    /// The labels of level `number` in `column`, which holds the labels of all levels. `None` if the level does not
    /// exist or `column` is too short.
    #[inline]
    #[must_use]
    pub(crate) fn column<'a>(&self, number: usize, width: Width, column: Bytes<'a>) -> Option<Column<'a>> {
        let range = self.column_range(number, width)?;
        let fits = range.start <= range.end && range.end <= column.len() as u64;
        let bytes = fits.then(|| column.part(range.start as usize..range.end as usize))?;
        Some(Column::new(width, self.extents[number].size.count, bytes))
    }

    /// The labels of level `number`, read from the bytes of that level alone.
    pub fn standalone_column<'a>(&self, number: usize, width: Width, bytes: &'a [u8]) -> Column<'a> {
        Column::new(width, self.extents[number].size.count, Bytes::Plain(bytes))
    }

    /// The level of the position with rank `rank` among all levels, and its index in that level.
    #[must_use]
    pub(crate) fn unrank(&self, rank: u64) -> Option<(usize, u64)> {
        let number = self.extents.partition_point(|extent| extent.first <= rank).checked_sub(1)?;
        let extent = self.extents[number];
        (rank < extent.first + extent.size.count).then_some((number, rank - extent.first))
    }

    /// The rank, among the positions of all levels, of the position with index `index` in level `number`.
    #[must_use]
    pub fn rank_of(&self, number: usize, index: u64) -> Option<u64> {
        self.extents.get(number).map(|extent| extent.first + index)
    }

    /// Offset of the keys of level `number`.
    #[must_use]
    pub fn key_offset(&self, number: usize) -> Option<u64> {
        self.extents.get(number).map(|extent| extent.keys)
    }
}

/// Bytes of a level's keys: its directory, its rests, and at least 16 bytes of padding up to a multiple of 16.
pub fn key_bytes(codes: &Codes, count: u64) -> u64 {
    let form = Form::new(codes, count);
    let used = form.directory_bytes() + count * form.rest_bytes as u64;
    used.next_multiple_of(PADDING) + PADDING
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesSpec;

    fn sizes(list: &[(u32, u64)]) -> Vec<LevelSize> {
        list.iter().map(|&(filled, count)| LevelSize { filled, count }).collect()
    }

    #[test]
    fn impossible_levels_are_rejected() {
        let rules = RulesSpec::new("r", 5).build().unwrap();
        let new = |list| Levels::new(&rules, &Potential::filled(&rules), &sizes(list));
        assert!(new(&[]).is_some() && new(&[(0, 1), (3, 10), (5, 1)]).is_some());
        for list in [&[(0, 0)][..], &[(6, 1)], &[(1, 1), (1, 1)], &[(2, 1), (1, 1)], &[(2, 33)], &[(2, u64::MAX)]] {
            assert!(new(list).is_none(), "{list:?}");
        }
        let rules = RulesSpec::new("r", 64).build().unwrap();
        assert!(Levels::new(&rules, &Potential::filled(&rules), &sizes(&[(2, 1 << 32)])).is_none());
    }

    #[test]
    fn offsets_of_levels_are_consecutive() {
        let rules = RulesSpec::new("r", 20).build().unwrap();
        let levels = Levels::new(&rules, &Potential::filled(&rules), &sizes(&[(0, 1), (3, 100), (7, 1000)])).unwrap();
        assert_eq!(levels.count(), 1101);
        assert_eq!(
            [0, 1, 3, 7, 20, 65, 999].map(|f| levels.of_level(f)),
            [Some(0), None, Some(1), Some(2), None, None, None]
        );
        assert_eq!(
            [0, 1, 100, 101, 1100, 1101].map(|i| levels.unrank(i)),
            [Some((0, 0)), Some((1, 0)), Some((1, 99)), Some((2, 0)), Some((2, 999)), None]
        );
        // 1000 positions: 2^7 buckets of about 7; 13 of 20 bits are stored, in 2 bytes.
        assert_eq!(key_bytes(&levels.codes, 1000), (4 * 129 + 2000u64).next_multiple_of(16) + 16);
        assert_eq!(WIDTHS.map(|width| levels.column_bytes(width)), [1 + 13 + 125, 1 + 25 + 250, 1101, 2202]);
        assert_eq!(levels.column_range(1, Width::Two), Some(1..26));
        let fits = |bytes: &[u8]| levels.column(1, Width::Two, Bytes::Plain(bytes)).is_some();
        assert!(fits(&[0; 26]) && !fits(&[0; 25]));
    }
}
