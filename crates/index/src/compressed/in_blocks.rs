//! Bytes that are read block by block: compressed in memory, or in a file.

use std::ops::Range;
use std::sync::Arc;

use super::block::decompress;
use super::cache::Cache;
use super::form::ENTRY;
use super::{Entry, Form};

/// A block that cannot be read, because its bytes or those of the index are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("block {block} of the section at byte {section} of the file {what}")]
pub struct BlockFault {
    /// The offset of its section in the file.
    pub section: u64,
    /// The number of the block.
    pub block: u64,
    pub(super) what: &'static str,
}

/// A section of a file whose blocks are read when they are needed.
pub trait BlockFile: Send + Sync {
    /// Reads block `number` into `raw`, which has the block's size, and compares it with its checksum. Data that later
    /// reads need again, such as the index, may be kept in `cache`, under the section's own number.
    ///
    /// # Errors
    /// A description of the damage.
    fn read(&self, number: u64, raw: &mut [u8], cache: &Cache) -> Result<(), &'static str>;
}

/// A section of an open table that is read block by block. Recently read blocks are cached.
#[derive(Clone, Copy)]
pub struct InBlocks<'a> {
    raw: u64,
    block: u32,
    from: Source<'a>,
    /// Offset of the section in its file.
    start: u64,
    /// The number of the section in its table.
    number: u32,
    cache: &'a Cache,
}

/// The source of the blocks.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// Compressed blocks and their index, in memory.
    Memory(Form, &'a [u8]),
    File(&'a dyn BlockFile),
}

impl<'a> InBlocks<'a> {
    /// Section `number` of a table, in memory. `area` holds its compressed blocks and their index, begins at byte
    /// `start` of the file, and has the size of `form`.
    pub const fn compressed(form: Form, area: &'a [u8], start: u64, number: u32, cache: &'a Cache) -> Self {
        Self { raw: form.raw(), block: form.block(), from: Source::Memory(form, area), start, number, cache }
    }

    /// Section `number` of a table, which begins at byte `start` of `file` and has `raw` bytes in blocks of `block` bytes.
    pub const fn in_file(
        file: &'a dyn BlockFile,
        raw: u64,
        block: u32,
        start: u64,
        number: u32,
        cache: &'a Cache,
    ) -> Self {
        Self { raw, block, from: Source::File(file), start, number, cache }
    }

    /// The number of bytes in the section.
    pub(super) const fn len(&self) -> u64 {
        self.raw
    }

    /// The number of the block with the byte at `at`, and the offset of the byte in the block.
    pub(super) fn place(&self, at: u64) -> (u64, usize) {
        let size = u64::from(self.block);
        (at / size, (at % size) as usize)
    }

    /// The range of uncompressed bytes in block `number`.
    fn range_of(&self, number: u64) -> Range<u64> {
        let first = number.saturating_mul(self.block.into()).min(self.raw);
        first..(first + u64::from(self.block)).min(self.raw)
    }

    /// Reads block `number` into `raw`, which has the block's size.
    fn read_into(&self, number: u64, raw: &mut [u8]) -> Result<(), BlockFault> {
        let read = match self.from {
            Source::Memory(form, area) => match compressed(&form, area, number) {
                None => Err("lies outside the section"),
                Some(compressed) => decompress(compressed, raw).ok_or("does not decompress to its size"),
            },
            Source::File(file) => file.read(number, raw, self.cache),
        };
        read.map_err(|what| BlockFault { section: self.start, block: number, what })
    }

    /// Block `number`: from the cache, or read and then cached.
    pub(super) fn block(&self, number: u64) -> Result<Arc<Vec<u8>>, BlockFault> {
        let key = (self.number, number);
        if let Some(block) = self.cache.with(key, Arc::clone) {
            return Ok(block);
        }
        let size = self.range_of(number);
        let mut raw = vec![0; (size.end - size.start) as usize];
        self.read_into(number, &mut raw)?;
        let block = Arc::new(raw);
        self.cache.keep(key, &block);
        Ok(block)
    }

    /// The `N` bytes at `at`, which must exist.
    #[inline]
    pub(super) fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], BlockFault> {
        let (number, inside) = self.place(at);
        let of_block = |block: &Arc<Vec<u8>>| block.get(inside..)?.first_chunk().copied();
        let of_block = match self.cache.with((self.number, number), of_block) {
            Some(found) => found,
            None => of_block(&self.block(number)?),
        };
        match of_block {
            Some(array) => Ok(array),
            // The bytes span two blocks.
            None => {
                let mut array = [0; N];
                self.range_into(at, &mut array)?;
                Ok(array)
            }
        }
    }

    /// Fills `out` with the bytes from `at` on. Whole blocks are read directly into `out`. Other blocks are cached,
    /// because the rest of them is likely to be read next.
    pub(super) fn range_into(&self, at: u64, out: &mut [u8]) -> Result<(), BlockFault> {
        let (mut at, mut out) = (at, out);
        while !out.is_empty() {
            let (number, inside) = self.place(at);
            let block = self.range_of(number);
            let length = out.len().min((block.end - at) as usize);
            let (first, rest) = out.split_at_mut(length);
            if length as u64 == block.end - block.start {
                self.read_into(number, first)?;
            } else {
                first.copy_from_slice(&self.block(number)?[inside..inside + length]);
            }
            (at, out) = (block.end, rest);
        }
        Ok(())
    }
}

impl std::fmt::Debug for InBlocks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InBlocks").field("raw", &self.raw).field("start", &self.start).finish_non_exhaustive()
    }
}

/// The compressed bytes of block `number` in `area`, the blocks and index of a section of this form; `None` if the
/// block's index entry is invalid.
fn compressed<'a>(form: &Form, area: &'a [u8], number: u64) -> Option<&'a [u8]> {
    let at = usize::try_from(form.stored() + number.checked_mul(ENTRY)?).ok()?;
    let entry = Entry::decode(area.get(at..)?.first_chunk()?);
    let range = entry.range_in(form, number)?;
    area.get(range.start as usize..range.end as usize)
}
