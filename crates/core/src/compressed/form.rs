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
