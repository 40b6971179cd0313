//! The checksums of a table's blocks: checked all at once, or each one when its block is first read.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::TableFault;
use super::section::{BLOCK, HASH, Section};

/// A file and its sections.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    sections: &'a [Section],
    file: &'a [u8],
}

impl<'a> Blocks<'a> {
    pub(super) const fn new(sections: &'a [Section], file: &'a [u8]) -> Self {
        Self { sections, file }
    }

    /// The number of checksummed blocks in all sections.
    pub(crate) fn count(&self) -> u64 {
        self.sections.iter().map(Section::blocks).sum()
    }

    /// The number of bytes in all sections.
    pub(crate) fn bytes(&self) -> u64 {
        self.sections.iter().map(|section| section.bytes).sum()
    }

    /// The blocks of section `number`, counted over all sections, and their bytes.
    pub(super) fn of_section(&self, number: usize) -> (Range<u64>, u64) {
        let first = self.sections[..number].iter().map(Section::blocks).sum();
        let section = &self.sections[number];
        (first..first + section.blocks(), section.bytes)
    }

    /// Checks that the lists of checksums have the digests given in the header, and that there is nothing between the
    /// sections.
    pub(crate) fn check_lists(&self) -> Result<(), TableFault> {
        let mut end = None;
        for section in self.sections {
            let list = &self.file[section.checksums() as usize..section.end() as usize];
            let between = &self.file[end.unwrap_or(section.start) as usize..section.start as usize];
            if blake3::hash(list).as_bytes() != &section.digest || between.iter().any(|&byte| byte != 0) {
                return Err(TableFault::ChecksumList);
            }
            end = Some(section.end());
        }
        Ok(())
    }

    /// Checks that block `block`, counted over all sections, has the checksum given in its list.
    pub(crate) fn check(&self, block: u64) -> Result<(), TableFault> {
        let mut block = block;
        for section in self.sections {
            if block < section.blocks() {
                return self.check_in(section, block);
            }
            block -= section.blocks();
        }
        Ok(())
    }

    fn check_in(&self, section: &Section, block: u64) -> Result<(), TableFault> {
        let start = section.start + block * BLOCK;
        let end = (start + BLOCK).min(section.checksums());
        let expected = (section.checksums() + block * HASH) as usize;
        let found = blake3::hash(&self.file[start as usize..end as usize]);
        if found.as_bytes() == &self.file[expected..expected + HASH as usize] {
            Ok(())
        } else {
            Err(TableFault::BlockChecksum { start, end: end - 1 })
        }
    }
}

/// One bit per block: whether its checksum was checked and is right.
pub(super) struct CheckedBlocks(Box<[AtomicU64]>);

impl CheckedBlocks {
    /// No block is checked yet.
    pub(super) fn new(blocks: Blocks<'_>) -> Self {
        Self((0..blocks.count().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Checks the block that contains the byte at `offset` in section `section`, unless it was checked before.
    pub(super) fn check(&self, blocks: Blocks<'_>, section: usize, offset: usize) -> Result<(), TableFault> {
        let before: u64 = blocks.sections[..section].iter().map(Section::blocks).sum();
        self.check_block(blocks, before + offset as u64 / BLOCK)
    }

    /// Checks block `block`, counted over all sections, unless it was checked before.
    pub(super) fn check_block(&self, blocks: Blocks<'_>, block: u64) -> Result<(), TableFault> {
        let (word, bit) = (&self.0[(block / 64) as usize], 1 << (block % 64));
        // Two threads may both check a block; neither treats it as right before its own check.
        if word.load(Ordering::Relaxed) & bit == 0 {
            blocks.check(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Like [`check`](Self::check), for every block that overlaps `bytes`.
    pub(super) fn check_range(
        &self,
        blocks: Blocks<'_>,
        section: usize,
        bytes: Range<usize>,
    ) -> Result<(), TableFault> {
        let last = (blocks.sections[section].bytes as usize).saturating_sub(1);
        let mut offset = bytes.start.min(last);
        while offset < bytes.end.min(last + 1) {
            self.check(blocks, section, offset)?;
            offset = (offset / BLOCK as usize + 1) * BLOCK as usize;
        }
        Ok(())
    }
}
