//! The sizes of the parts of a compressed section.

use std::ops::Range;

/// Bytes of a checksum.
pub(super) const HASH: u64 = 32;
/// Bytes of an entry of the index: offset, length, checksum.
pub const ENTRY: u64 = 8 + 4 + HASH;
/// Entries of a page.
pub const PAGE: u64 = 1024;
/// Default size of a block in bytes; `docs/contributors/performance.md` has the measurements.
pub const DEFAULT_BLOCK: u32 = 1 << 15;
/// The allowed sizes of a block, which are powers of two. They bound the memory for decompressing a block of any file.
const SIZES: std::ops::RangeInclusive<u32> = 1 << 10..=1 << 20;

/// The sizes of the parts of a compressed section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    raw: u64,
    block: u32,
    stored: u64,
}

impl Form {
    /// The form of `raw` bytes in blocks of `block` bytes, which take `stored` bytes after compression. `None` if
    /// `block` is not an allowed size, or if `stored` is impossible: each block takes at least one byte, and at most
    /// its uncompressed size.
    #[must_use]
    pub fn new(raw: u64, block: u32, stored: u64) -> Option<Self> {
        let form = Self { raw, block, stored };
        let is_so = SIZES.contains(&block) && block.is_power_of_two() && (form.blocks()..=raw).contains(&stored);
        is_so.then_some(form)
    }

    /// The number of uncompressed bytes.
    #[must_use]
    pub const fn raw(&self) -> u64 {
        self.raw
    }

    /// The bytes of a block; the last may be shorter.
    #[must_use]
    pub const fn block(&self) -> u32 {
        self.block
    }

    /// The bytes of all compressed blocks.
    #[must_use]
    pub const fn stored(&self) -> u64 {
        self.stored
    }

    /// The number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.raw.div_ceil(self.block as u64)
    }

    /// The uncompressed bytes of block `number`.
    #[must_use]
    pub fn range(&self, number: u64) -> Range<u64> {
        let first = number.saturating_mul(self.block.into()).min(self.raw);
        first..(first + u64::from(self.block)).min(self.raw)
    }

    /// The number of pages of the index.
    #[must_use]
    pub const fn pages(&self) -> u64 {
        self.blocks().div_ceil(PAGE)
    }

    /// The size of the index, which follows the blocks: its entries, and a hash of each page of entries.
    #[must_use]
    pub const fn index_bytes(&self) -> u64 {
        self.blocks() * ENTRY + self.pages() * HASH
    }

    /// All bytes in the file: blocks and index.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.stored + self.index_bytes()
    }

    /// The range of page `number` of the index, counted from the start of the first block.
    pub fn page(&self, number: u64) -> Range<u64> {
        let end = ((number + 1) * PAGE).min(self.blocks());
        self.stored + number * PAGE * ENTRY..self.stored + end * ENTRY
    }

    /// The page that has the entry of block `number`.
    pub const fn page_of(&self, number: u64) -> u64 {
        number / PAGE
    }

    /// The range of the list of the pages' hashes, counted from the start of the first block.
    pub const fn list(&self) -> Range<u64> {
        let first = self.stored + self.blocks() * ENTRY;
        first..first + self.pages() * HASH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        // 2,500 blocks of 1 KiB, the last one of 500 bytes, on three pages.
        let form = Form::new((2499 << 10) + 500, 1 << 10, 70_000).unwrap();
        assert_eq!((form.blocks(), form.pages(), form.stored()), (2500, 3, 70_000));
        assert_eq!(
            [0, 2, 2499].map(|number| form.range(number)),
            [0..1024, 2048..3072, 2499 << 10..(2499 << 10) + 500]
        );
        let pages = [0, 1, 2].map(|number| form.page(number));
        let at = |entry: u64| 70_000 + 44 * entry;
        assert_eq!(pages, [at(0)..at(1024), at(1024)..at(2048), at(2048)..at(2500)]);
        assert_eq!([0, 1023, 1024, 2499].map(|number| form.page_of(number)), [0, 0, 1, 2]);
        assert_eq!(form.list(), at(2500)..at(2500) + 96);
        assert_eq!((form.index_bytes(), form.bytes()), (44 * 2500 + 96, 70_000 + 44 * 2500 + 96));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let is_possible = |block, stored| Form::new(10_000, block, stored).is_some();
        assert!([1 << 10, 1 << 20].iter().all(|&block| is_possible(block, 10_000)));
        assert!([1 << 9, 1 << 21, 3 << 10].iter().all(|&block| !is_possible(block, 10_000)));
        assert_eq!([9, 10, 10_000, 10_001].map(|stored| is_possible(1 << 10, stored)), [false, true, true, false]);
    }
}
