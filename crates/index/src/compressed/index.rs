//! The index of a compressed section. It is written block by block in any order, and read entry by entry.

use std::ops::Range;

use super::form::{ENTRY, HASH, PAGE};
use super::{CompressedBlock, Form};

/// The offset, the length and the checksum of a compressed block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The offset of its first byte in the section.
    pub offset: u64,
    /// The number of its bytes.
    pub length: u32,
    /// The BLAKE3 hash of its bytes.
    pub checksum: [u8; 32],
}

impl Entry {
    /// The entry that `bytes` encode.
    pub fn decode(bytes: &[u8; ENTRY as usize]) -> Self {
        let (offset, rest) = bytes.split_first_chunk().unwrap_or_else(|| unreachable!("there are 44 bytes"));
        let (length, rest) = rest.split_first_chunk().unwrap_or_else(|| unreachable!("there are 36 bytes left"));
        let checksum = rest.try_into().unwrap_or_else(|_| unreachable!("32 bytes are left"));
        Self { offset: u64::from_le_bytes(*offset), length: u32::from_le_bytes(*length), checksum }
    }

    /// The range of block `number`, whose entry this is, in a section of this form. `None` if the entry is invalid:
    /// blocks lie before the index, and are not longer than their uncompressed size.
    pub fn range_in(&self, form: &Form, number: u64) -> Option<Range<u64>> {
        let (size, end) = (form.range(number), self.offset.checked_add(self.length.into())?);
        let is_so = end <= form.stored() && (1..=size.end - size.start).contains(&self.length.into());
        is_so.then_some(self.offset..end)
    }

    fn encode(&self) -> [u8; ENTRY as usize] {
        let mut bytes = [0; ENTRY as usize];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.checksum);
        bytes
    }
}

/// The index of a section that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    raw: u64,
    block: u32,
    entries: Vec<u8>,
    placed: u64,
    stored: u64,
}

impl Index {
    /// The index of a section of `raw` bytes in blocks of `block` bytes, with no block placed yet.
    ///
    /// # Panics
    /// If `block` is not an allowed size.
    #[must_use]
    pub fn new(raw: u64, block: u32) -> Self {
        let form = Form::new(raw, block, raw).unwrap_or_else(|| panic!("blocks of {block} bytes"));
        Self { raw, block, entries: vec![0; (form.blocks() * ENTRY) as usize], placed: 0, stored: 0 }
    }

    /// Records that block `number` lies at offset `offset` of the section.
    ///
    /// # Panics
    /// If the block does not exist or is already placed.
    pub fn place(&mut self, number: u64, offset: u64, block: &CompressedBlock) {
        self.place_entry(number, Entry { offset, length: block.bytes.len() as u32, checksum: block.checksum });
    }

    /// Like [`place`](Self::place), for a block whose length and checksum are given.
    ///
    /// # Panics
    /// As [`place`](Self::place).
    pub fn place_entry(&mut self, number: u64, entry: Entry) {
        let at = number as usize * ENTRY as usize;
        let place = &mut self.entries[at..at + ENTRY as usize];
        assert!(place.iter().all(|&byte| byte == 0), "block {number} has been placed");
        place.copy_from_slice(&entry.encode());
        self.placed += 1;
        self.stored += u64::from(entry.length);
    }

    /// The size of all blocks placed so far, which is the offset of the next block if blocks are written one after the
    /// other.
    #[must_use]
    pub const fn stored(&self) -> u64 {
        self.stored
    }

    /// The form of the section, the bytes of the index, and their digest.
    ///
    /// # Panics
    /// If a block is missing.
    #[must_use]
    pub fn finish(self) -> (Form, Vec<u8>, [u8; 32]) {
        let form = Form::new(self.raw, self.block, self.stored).filter(|form| form.blocks() == self.placed);
        let form = form.unwrap_or_else(|| panic!("{} blocks were placed", self.placed));
        let mut bytes = self.entries;
        let page = (PAGE * ENTRY) as usize;
        let list: Vec<u8> = bytes.chunks(page).flat_map(|page| *blake3::hash(page).as_bytes()).collect();
        debug_assert_eq!(list.len() as u64, form.pages() * HASH);
        bytes.extend(&list);
        (form, bytes, *blake3::hash(&list).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_before_the_index_and_are_not_longer_than_their_bytes() {
        let form = Form::new(10_000, 4096, 9000).unwrap();
        for (number, most) in [(0, 4096), (1, 4096), (2, 10_000 - 2 * 4096)] {
            let range = |offset, length| Entry { offset, length, checksum: [0; 32] }.range_in(&form, number);
            let last = 9000 - u64::from(most);
            assert_eq!((range(0, most), range(last, most)), (Some(0..most.into()), Some(last..9000)));
            assert_eq!([range(0, 0), range(0, most + 1), range(last + 1, most)], [None, None, None]);
        }
    }
}
