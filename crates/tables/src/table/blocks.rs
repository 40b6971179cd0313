//! The checksums of a table's blocks: checked all at once, or each one when its block is first read.
//!
//! A *unit* is the smallest range with a checksum of its own: a block of a section, or a page of the index of a
//! compressed section. An index page holds the checksums of compressed blocks. A section's units are numbered with its
//! pages first, then its blocks.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::TableFault;
use super::section::{BLOCK, HASH, Section};
use super::storage::Backing;
use crate::compressed::{ENTRY, Entry, Form, PAGE};

/// A file and its sections.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    sections: &'a [Section],
    file: &'a Backing,
}

/// One unit: its range in the file, and its checksum.
struct Unit {
    bytes: Range<u64>,
    checksum: [u8; HASH as usize],
}

/// The number of pages in the section's index; 0 if the section is not compressed.
fn pages(section: &Section) -> u64 {
    section.packed.map_or(0, |form| form.pages())
}

fn units(section: &Section) -> u64 {
    pages(section) + section.blocks()
}

/// The number of bytes in all units.
fn unit_bytes(section: &Section) -> u64 {
    section.packed.map_or(section.bytes, |form| form.bytes())
}

impl<'a> Blocks<'a> {
    pub(super) const fn new(sections: &'a [Section], file: &'a Backing) -> Self {
        Self { sections, file }
    }

    /// The number of units in all sections.
    pub(crate) fn count(&self) -> u64 {
        self.sections.iter().map(units).sum()
    }

    /// The number of bytes in all sections.
    pub(crate) fn bytes(&self) -> u64 {
        self.sections.iter().map(unit_bytes).sum()
    }

    /// The range of unit numbers of section `number`, counted over all sections, and the number of bytes in those
    /// units.
    pub(super) fn of_section(&self, number: usize) -> (Range<u64>, u64) {
        let first = self.sections[..number].iter().map(units).sum();
        let section = &self.sections[number];
        (first..first + units(section), unit_bytes(section))
    }

    /// Checks that each list of checksums has the digest given in the header, and that only zeros lie between sections.
    /// A compressed section's list covers the pages of its index.
    pub(crate) fn check_lists(&self) -> Result<(), TableFault> {
        let mut end = None;
        for section in self.sections {
            let list = section.checksums()..section.end();
            self.file.expect(list.clone());
            let list = self.file.read(list)?;
            let between = self.file.read(end.unwrap_or(section.start)..section.start)?;
            if blake3::hash(&list).as_bytes() != &section.digest || between.iter().any(|&byte| byte != 0) {
                return Err(TableFault::ChecksumList);
            }
            end = Some(section.end());
        }
        Ok(())
    }

    /// Checks that the blocks of each compressed section lie side by side and leave no byte of it uncovered.
    pub(crate) fn check_places(&self) -> Result<(), TableFault> {
        for section in self.sections {
            let Some(form) = section.packed else { continue };
            let fault = TableFault::Blocks { start: section.start };
            let mut places = Vec::new();
            places.try_reserve_exact(form.blocks() as usize).map_err(io::Error::from)?;
            for page in 0..form.pages() {
                let page = self.file.read(within(section, form.page(page)))?;
                let entries = page.as_chunks().0.iter().map(Entry::decode);
                places.extend(entries.map(|entry| (entry.offset, u64::from(entry.length))));
            }
            places.sort_unstable();
            let next =
                |end: u64, &(offset, length): &(u64, u64)| if offset == end { end.checked_add(length) } else { None };
            if places.iter().try_fold(0, next) != Some(form.stored()) {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Checks the checksum of unit `unit`, counted over all sections. A block's checksum is in the list or in the
    /// block's index entry; a page's checksum is in the list.
    pub(crate) fn check(&self, unit: u64) -> Result<(), TableFault> {
        self.unit(unit)?.map_or(Ok(()), |unit| self.compare(&unit))
    }

    /// Like [`check`](Self::check), for a unit that no other thread reads: asks the system to read ahead.
    fn check_alone(&self, unit: u64) -> Result<(), TableFault> {
        let Some(unit) = self.unit(unit)? else { return Ok(()) };
        self.file.expect(unit.bytes.clone());
        self.compare(&unit)
    }

    /// Unit `unit`, counted over all sections; `None` if there are fewer.
    fn unit(&self, unit: u64) -> Result<Option<Unit>, TableFault> {
        let mut unit = unit;
        for section in self.sections {
            if unit < units(section) {
                let unit = match section.packed {
                    None => self.block(section, unit)?,
                    Some(form) if unit < form.pages() => self.page(section, &form, unit)?,
                    Some(form) => self.packed_block(section, &form, unit - form.pages())?,
                };
                return Ok(Some(unit));
            }
            unit -= units(section);
        }
        Ok(None)
    }

    /// Checksum `number` of the list that follows a section.
    fn listed(&self, section: &Section, number: u64) -> Result<[u8; HASH as usize], TableFault> {
        let at = section.checksums() + number * HASH;
        let bytes = self.file.read(at..at + HASH)?;
        Ok(std::array::from_fn(|byte| bytes[byte]))
    }

    fn block(&self, section: &Section, block: u64) -> Result<Unit, TableFault> {
        let start = section.start + block * BLOCK;
        let end = (start + BLOCK).min(section.checksums());
        Ok(Unit { bytes: start..end, checksum: self.listed(section, block)? })
    }

    fn page(&self, section: &Section, form: &Form, page: u64) -> Result<Unit, TableFault> {
        Ok(Unit { bytes: within(section, form.page(page)), checksum: self.listed(section, page)? })
    }

    fn packed_block(&self, section: &Section, form: &Form, block: u64) -> Result<Unit, TableFault> {
        let start = form.page(form.page_of(block)).start + block % PAGE * ENTRY;
        let bytes = self.file.read(within(section, start..start + ENTRY))?;
        let entry = Entry::decode(bytes.first_chunk().unwrap_or_else(|| unreachable!("it has the bytes of an entry")));
        let range = entry.range_in(form, block).ok_or(TableFault::Blocks { start: section.start })?;
        Ok(Unit { bytes: within(section, range), checksum: entry.checksum })
    }

    /// Checks that `unit` has its checksum.
    fn compare(&self, unit: &Unit) -> Result<(), TableFault> {
        let Range { start, end } = unit.bytes;
        let found = blake3::hash(&self.file.read(start..end)?);
        if found.as_bytes() == &unit.checksum { Ok(()) } else { Err(TableFault::BlockChecksum { start, end: end - 1 }) }
    }
}

/// The range in the file of `range`, which is counted from the first byte of `section`.
fn within(section: &Section, range: Range<u64>) -> Range<u64> {
    section.start + range.start..section.start + range.end
}

/// One bit per unit, set once its checksum was found right.
pub(super) struct CheckedBlocks(Box<[AtomicU64]>);

impl CheckedBlocks {
    /// No block is checked yet.
    pub(super) fn new(blocks: Blocks<'_>) -> Self {
        Self((0..blocks.count().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Checks the block that contains the byte at `offset` in section `section`, unless that was done before. In a
    /// compressed section, checks first the index page that has the block's checksum.
    pub(super) fn check(&self, blocks: Blocks<'_>, section: usize, offset: usize) -> Result<(), TableFault> {
        let before: u64 = blocks.sections[..section].iter().map(units).sum();
        let section = &blocks.sections[section];
        let block = offset as u64 / section.block();
        if let Some(form) = section.packed {
            self.check_unit(blocks, before + form.page_of(block))?;
        }
        self.check_unit(blocks, before + pages(section) + block)
    }

    /// Checks unit `unit`, counted over all sections, unless it was checked before.
    pub(super) fn check_unit(&self, blocks: Blocks<'_>, unit: u64) -> Result<(), TableFault> {
        let (word, bit) = (&self.0[(unit / 64) as usize], 1 << (unit % 64));
        // Two threads may both check a block; neither treats it as right before its own check.
        if word.load(Ordering::Relaxed) & bit == 0 {
            blocks.check_alone(unit)?;
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
        let (last, size) = {
            let section = &blocks.sections[section];
            ((section.bytes as usize).saturating_sub(1), section.block() as usize)
        };
        let mut offset = bytes.start.min(last);
        while offset < bytes.end.min(last + 1) {
            self.check(blocks, section, offset)?;
            offset = (offset / size + 1) * size;
        }
        Ok(())
    }
}
