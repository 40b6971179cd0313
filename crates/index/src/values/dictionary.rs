//! The dictionary of a table: each value once, with its options as numbers of the dictionary.
//!
//! An entry of 16 bytes for each value comes first: the number of boards with the value (64 bits), and where its Left options and its Right
//! options end (32 bits each), counted in options from the start of the list of all options. The Left options of a value begin where the
//! options of the value before it end. The list of all options follows, 32 bits each. All numbers are little-endian.

use std::ops::Range;

use crate::compressed::{BlockFault, Bytes};

const ENTRY: usize = 16;
const OPTION: usize = size_of::<u32>();

/// The dictionary of values, borrowed from wherever it is.
#[derive(Clone, Copy, Debug)]
pub struct Dictionary<'a> {
    bytes: Bytes<'a>,
    values: u32,
    options: u32,
}

/// A value of a dictionary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of boards with this value.
    pub boards: u64,
    /// The Left options and the Right options: smaller numbers, in ascending order.
    pub options: [Vec<u32>; 2],
}

impl<'a> Dictionary<'a> {
    /// A dictionary of `values` values, which have `options` options in all.
    #[must_use]
    pub const fn new(bytes: Bytes<'a>, values: u32, options: u32) -> Self {
        Self { bytes, values, options }
    }

    /// Bytes of a dictionary of `values` values, which have `options` options in all.
    #[must_use]
    pub const fn byte_count(values: u32, options: u32) -> u64 {
        values as u64 * ENTRY as u64 + options as u64 * OPTION as u64
    }

    /// The number of values.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.values
    }

    /// The number of options of all values together.
    #[must_use]
    pub const fn options(&self) -> u32 {
        self.options
    }

    /// True if there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values == 0
    }

    /// All bytes.
    #[must_use]
    pub const fn bytes(&self) -> Bytes<'a> {
        self.bytes
    }

    /// The range of bytes of the entry of `value` and of the entry before it.
    #[must_use]
    pub const fn entry_bytes(&self, value: u32) -> Range<usize> {
        let value = value as usize;
        value.saturating_sub(1) * ENTRY..(value + 1) * ENTRY
    }

    /// The range of bytes of the options of `value`; `None` if the entry is damaged or missing.
    ///
    /// # Errors
    /// If a compressed block cannot be read.
    pub fn option_bytes(&self, value: u32) -> Result<Option<Range<usize>>, BlockFault> {
        let ends = self.ends(value)?;
        let start = self.values as usize * ENTRY;
        Ok(ends.map(|[first, _, end]| start + first * OPTION..start + end * OPTION))
    }

    /// The entry of `value`; `None` if it is damaged or missing.
    ///
    /// # Errors
    /// If a compressed block cannot be read.
    pub fn entry(&self, value: u32) -> Result<Option<Entry>, BlockFault> {
        let boards = self.bytes.array(value as usize * ENTRY)?.map(u64::from_le_bytes);
        let (Some(boards), Some(ends), Some(range)) = (boards, self.ends(value)?, self.option_bytes(value)?) else {
            return Ok(None);
        };
        let bytes = self.bytes.range(range)?;
        let all: Vec<u32> = bytes.as_chunks().0.iter().map(|&option| u32::from_le_bytes(option)).collect();
        let (lefts, rights) = all.split_at(ends[1] - ends[0]);
        let is_sound = |list: &[u32]| list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|&last| last < value);
        Ok((is_sound(lefts) && is_sound(rights)).then(|| Entry { boards, options: [lefts.to_vec(), rights.to_vec()] }))
    }

    /// The place at which the options of `value` begin, and the places at which Left's and Right's options end.
    fn ends(&self, value: u32) -> Result<Option<[usize; 3]>, BlockFault> {
        if value >= self.values {
            return Ok(None);
        }
        let at = value as usize * ENTRY;
        let number = |at| Ok(self.bytes.array(at)?.map_or(u32::MAX, u32::from_le_bytes) as usize);
        let first = if value == 0 { 0 } else { number(at - OPTION)? };
        let ends = [first, number(at + 8)?, number(at + 12)?];
        Ok((ends.is_sorted() && ends[2] <= self.options as usize).then_some(ends))
    }
}

/// The bytes of a dictionary with these `entries`, and the number of options in all; `None` if there are too many options to number.
#[must_use]
pub fn write_dictionary<'v>(entries: impl Iterator<Item = (u64, &'v [u32], &'v [u32])>) -> Option<(Vec<u8>, u32)> {
    let (mut table, mut list) = (Vec::new(), Vec::new());
    let mut end = 0u32;
    for (boards, lefts, rights) in entries {
        table.extend(boards.to_le_bytes());
        for options in [lefts, rights] {
            end = end.checked_add(u32::try_from(options.len()).ok()?)?;
            table.extend(end.to_le_bytes());
            options.iter().for_each(|option| list.extend(option.to_le_bytes()));
        }
    }
    table.append(&mut list);
    Some((table, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_written_and_damage_is_found() {
        // 0, 1 and * = {0|0}.
        let none: &[u32] = &[];
        let entries = [(5, none, none), (2, &[0], none), (1, &[0], &[0])];
        let (bytes, options) = write_dictionary(entries.into_iter()).unwrap();
        assert_eq!((bytes.len() as u64, options), (Dictionary::byte_count(3, 3), 3));
        let read = |bytes: &[u8], value| Dictionary::new(Bytes::Plain(bytes), 3, 3).entry(value).unwrap();
        for (value, (boards, lefts, rights)) in (0..).zip(entries) {
            let expected = Entry { boards, options: [lefts.to_vec(), rights.to_vec()] };
            assert_eq!(read(&bytes, value), Some(expected));
        }
        assert_eq!(read(&bytes, 3), None);
        let whole = Dictionary::new(Bytes::Plain(&bytes), 3, 3);
        assert_eq!((whole.len(), whole.options(), whole.is_empty(), whole.bytes().len()), (3, 3, false, 60));
        assert!(Dictionary::new(Bytes::Plain(&[]), 0, 0).is_empty());
        assert_eq!([0, 1, 2].map(|value| whole.entry_bytes(value)), [0..16, 0..32, 16..48]);
        assert_eq!(
            [0, 1, 2, 3].map(|value| whole.option_bytes(value).unwrap()),
            [Some(48..48), Some(48..52), Some(52..60), None]
        );
        // An end beyond the list, and an option that is no smaller number.
        for (at, byte) in [(16 + 12, 9), (48, 1)] {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            assert_eq!(read(&bytes, 1), None, "{at}");
        }
        // Options that are not in ascending order, or not different.
        for (lefts, is_sound) in [([0, 1], true), ([1, 0], false), ([0, 0], false)] {
            let entries = [(5, none, none), (2, none, none), (1, &lefts, none)];
            let (bytes, options) = write_dictionary(entries.into_iter()).unwrap();
            let entry = Dictionary::new(Bytes::Plain(&bytes), 3, options).entry(2).unwrap();
            assert_eq!(entry.is_some(), is_sound, "{lefts:?}");
        }
    }
}
