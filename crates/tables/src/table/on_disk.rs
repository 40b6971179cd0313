//! Tables that stay in their file: a block is read when it is needed, and compared with its checksum.
//!
//! Answers come from a private copy that was checked. So if the file is cut short or overwritten, a lookup reports a
//! fault, and never a wrong answer or a signal.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::TableFault;
use super::file::{open, read_at};
use super::section::{BLOCK, HASH, Section};
use crate::compressed::{BlockFile, Cache, ENTRY, Entry, PAGE, decompress};

/// The file of an open table.
pub(super) struct FileOnDisk {
    file: File,
    length: u64,
}

impl FileOnDisk {
    /// Opens the regular file at `path`.
    pub(super) fn open(path: &Path) -> Result<Self, TableFault> {
        let file = open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    /// The file's length when it was opened.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The bytes of `range`, which must lie within the file's original length.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, TableFault> {
        let length = (range.end - range.start) as usize;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(io::Error::from)?;
        bytes.resize(length, 0);
        match read_at(&self.file, &mut bytes, range.start) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(TableFault::Length { expected: self.length, found: self.file.metadata()?.len() })
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// A section of a file on disk.
pub(super) struct SectionOnDisk {
    file: Arc<FileOnDisk>,
    section: Section,
    /// The key of the pages of the section's index in the cache.
    index: u32,
    /// The checksums that follow the section, once read. They are checked as a whole against their digest.
    list: OnceLock<Box<[u8]>>,
}

/// Marks the cache keys of index pages; keys of the section's own blocks do not have this bit.
const INDEX: u32 = 1 << 31;

impl SectionOnDisk {
    /// Section `number` of a table.
    pub(super) fn new(file: &Arc<FileOnDisk>, section: &Section, number: usize) -> Self {
        let (file, section, index) = (Arc::clone(file), section.clone(), number as u32 | INDEX);
        Self { file, section, index, list: OnceLock::new() }
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), &'static str> {
        read_at(&self.file.file, bytes, at).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => "was cut off",
            _ => "cannot be read",
        })
    }

    fn read_checked(&self, at: u64, bytes: &mut [u8], checksum: &[u8]) -> Result<(), &'static str> {
        self.read_at(at, bytes)?;
        if blake3::hash(bytes).as_bytes() == checksum { Ok(()) } else { Err("does not match its checksum") }
    }

    /// Checksum `number` of the list that follows the section.
    fn listed(&self, number: u64) -> Result<&[u8], &'static str> {
        let list = match self.list.get() {
            Some(list) => list,
            None => {
                let mut list = vec![0; (self.section.end() - self.section.checksums()) as usize];
                self.read_checked(self.section.checksums(), &mut list, &self.section.digest)
                    .map_err(|_| "cannot be checked: the list of checksums is damaged")?;
                self.list.get_or_init(|| list.into())
            }
        };
        let at = (number * HASH) as usize;
        list.get(at..at + HASH as usize).ok_or("has no checksum")
    }

    /// The index entry of block `number` of a compressed section. The index page is checked when it is first read, and
    /// kept in `cache`.
    fn entry(&self, number: u64, page: Range<u64>, cache: &Cache) -> Result<Entry, &'static str> {
        let at = ((number % PAGE) * ENTRY) as usize;
        let of_page = |page: &Arc<Vec<u8>>| page.get(at..)?.first_chunk().map(Entry::decode);
        let key = (self.index, number / PAGE);
        let found = match cache.with(key, of_page) {
            Some(found) => found,
            None => {
                let mut bytes = vec![0; (page.end - page.start) as usize];
                self.read_checked(self.section.start + page.start, &mut bytes, self.listed(number / PAGE)?)
                    .map_err(|_| "cannot be found: the index is damaged")?;
                let bytes = Arc::new(bytes);
                cache.keep(key, &bytes);
                of_page(&bytes)
            }
        };
        found.ok_or("is not in the index")
    }
}

impl BlockFile for SectionOnDisk {
    fn read(&self, number: u64, raw: &mut [u8], cache: &Cache) -> Result<(), &'static str> {
        let Some(form) = self.section.packed else {
            return self.read_checked(self.section.start + number * BLOCK, raw, self.listed(number)?);
        };
        let entry = self.entry(number, form.page(form.page_of(number)), cache)?;
        let range = entry.range_in(&form, number).ok_or("lies outside the section")?;
        let mut compressed = vec![0; (range.end - range.start) as usize];
        self.read_checked(self.section.start + range.start, &mut compressed, &entry.checksum)?;
        decompress(&compressed, raw).ok_or("does not decompress to its size")
    }
}
