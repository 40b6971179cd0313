//! Reading a table.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::blocks::{Blocks, CheckedBlocks};
use super::header::Header;
use super::on_disk::{FileOnDisk, SectionOnDisk};
use super::section::{Content, Section, figures_of, section_of};
use super::storage::{self, Backing, Storage};
use super::{TableError, TableFault};
use crate::compressed::{Bytes, Cache, Compression, InBlocks};
use crate::contents::{ByteLabels, Contents, LabelBytes, Sections};
use crate::label::{Counts, LabelKind, LabelSet, Width};
use crate::plane::Shape;
use crate::rules::{Descriptor, Rules};

/// A solved game, open for probing. Threads can share it.
///
/// Iterating the P-positions of a dense table takes four lines:
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # mod tablegen { pub use tablegen_rules as rules; pub use tablegen_tables::*; }
/// # use tablegen::{rules::Mode, table::Table};
/// let table = Table::open("tactics-4x4-run4-misere.tb")?;
/// let Some(dense) = table.contents().every_board() else { return Ok(()) };
/// for index in dense.planes().wins(Mode(0))?.iter_zeros() {
///     println!("{:#06x}", dense.position(Mode(0), index as u64).board);
/// }
/// # Ok(()) }
/// ```
///
/// # Reading, mapping, or neither
///
/// [`open`](Self::open) reads the file into memory, and later changes to the file do not matter. [`map`](Self::map)
/// maps the file: it opens a table of any size at once and shares its memory with other processes. But the caller must
/// know that the file does not change. Probes cost the same, since both look up a slice of bytes; only opening differs.
/// Medians on two cores of an AMD EPYC (Zen 4), the file in the page cache:
///
/// | table | open | map | an outcome at random, read | mapped |
/// |---|--:|--:|--:|--:|
/// | Tactics 4x4, dense, 12 KiB | 24 µs | 32 µs | 14 ns | 10 ns |
/// | Tactics 5x6, dense, 128 MiB | 98 ms | 48 µs | 92 ns | 93 ns |
/// | the hard word list, sparse, 103 MiB | 81 ms | 28 µs | 322 ns | 287 ns |
///
/// [`open_by_block`](Self::open_by_block) leaves the table in its file, and is as safe as `open`. A lookup in a block
/// that was read before takes 20 to 160 ns more than from memory. Otherwise the block is read and hashed. That takes
/// about 11 µs in a dense table, and 23 µs in a sparse one, where two blocks are read (`benches/by_block.rs`, on the
/// same machine under load).
///
/// `open` is the library's default: it is safe, and small tables open as fast. The commands map the file, and handle
/// the signal that a file cut short would raise. The server opens tables by block.
pub struct Table {
    storage: Backing,
    /// The sections of a table that is read block by block; empty otherwise.
    on_disk: Vec<SectionOnDisk>,
    path: Option<PathBuf>,
    pub(super) header: Header,
    counts: Vec<Counts>,
    every: Option<Vec<Counts>>,
    orbits: Option<Vec<Counts>>,
    pub(super) shape: Shape,
    pub(super) checked: Option<CheckedBlocks>,
    /// Recently read blocks of sections that are compressed or stay in their file.
    cache: Cache,
}

impl Table {
    /// Reads the table at `path` into memory.
    ///
    /// Checks the magic, the version, the length, the header's checksum and the hash of the rules. Labels are not
    /// checked; a changed label is found by [`verify::bytes`](crate::verify::bytes), or immediately if the table is
    /// [`checked`](Self::checked).
    ///
    /// # Errors
    /// If the file cannot be read, does not fit into memory, is not a table, or one of these checks fails.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref();
        let bytes = storage::read(path).map_err(TableError::at(path))?;
        Self::at(path, Backing::Memory(Box::new(bytes)))
    }

    /// Maps the table at `path`. It makes the same checks as [`open`](Self::open); the time does not depend on the
    /// table's size.
    ///
    /// # Safety
    /// The file must not be written to or truncated while the table is open. Answers would change with it, and reading
    /// past the new end would end the process with a signal. Replacing the file by renaming another over it, as
    /// [`SaveTable::save`](super::SaveTable::save) does, is safe.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref();
        // SAFETY: the caller's promise is the one that `storage::map` requires.
        let map = unsafe { storage::map(path) }.map_err(TableError::at(path))?;
        Self::at(path, Backing::Memory(Box::new(map)))
    }

    /// Opens the table at `path` and leaves it in its file. A block is read when it is needed, compared with its
    /// checksum, and cached for a while. It makes the same checks as [`open`](Self::open); the time does not depend on
    /// the table's size.
    ///
    /// It is safe whatever happens to the file. If the file is cut short or overwritten, lookups in the changed parts
    /// are errors, and all others are right. Use [`open`](Self::open) to read the whole table.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_by_block(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref();
        let file = FileOnDisk::open(path).map_err(TableError::at(path))?;
        Self::at(path, Backing::File(Arc::new(file)))
    }

    /// Reads a table from bytes in memory, or from any other [`Storage`].
    ///
    /// # Errors
    /// If the bytes are not a table, or fail a check that [`open`](Self::open) makes.
    pub fn from_bytes(storage: impl Storage + 'static) -> Result<Self, TableError> {
        Ok(Self::from_storage(Backing::Memory(Box::new(storage)))?)
    }

    fn at(path: &Path, storage: Backing) -> Result<Self, TableError> {
        let table = Self::from_storage(storage).map_err(TableError::at(path))?;
        Ok(Self { path: Some(path.to_owned()), ..table })
    }

    fn from_storage(storage: Backing) -> Result<Self, TableFault> {
        // The header is small compared with what the system would read ahead.
        storage.read_at_random(true);
        let header = Header::decode(&storage)?;
        storage.read_at_random(false);
        let (counts, shape) = (header.counts(), Shape::of(&header.rules));
        let (every, orbits) = (header.every(), header.orbits());
        let (checked, cache) = (None, Cache::default());
        let on_disk = match &storage {
            Backing::Memory(_) => Vec::new(),
            Backing::File(file) => {
                let section = |(number, section)| SectionOnDisk::new(file, section, number);
                header.sections.iter().enumerate().map(section).collect()
            }
        };
        Ok(Self { storage, on_disk, path: None, header, counts, every, orbits, shape, checked, cache })
    }

    /// The same table, with the checksum of each block checked when it is first read, so that no answer comes from a
    /// changed byte. This costs about 13 µs per block of 64 KiB, once.
    ///
    /// # Errors
    /// If the list of checksums itself is damaged.
    pub fn checked(mut self) -> Result<Self, TableError> {
        // A table that is read block by block is always checked, including its lists of checksums.
        if self.on_disk.is_empty() {
            self.storage.read_at_random(true);
            self.blocks().check_lists().map_err(|fault| self.error(fault))?;
            self.checked = Some(CheckedBlocks::new(self.blocks()));
        }
        Ok(self)
    }

    /// Calls `read`, which reads labels in random order, and returns its result.
    pub(crate) fn at_random<T>(&self, read: impl FnOnce() -> T) -> T {
        self.storage.read_at_random(true);
        let found = read();
        self.storage.read_at_random(self.checked.is_some());
        found
    }

    /// The path that the table was opened from, if any.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.header.rules
    }

    /// BLAKE3 of the rules in hexadecimal, as [`rules_hash`](super::rules_hash) computes it.
    #[must_use]
    pub fn rules_hash(&self) -> String {
        blake3::Hash::from_bytes(self.header.rules_hash).to_hex().to_string()
    }

    /// The name of the game's family and its parameters.
    #[must_use]
    pub const fn descriptor(&self) -> &Descriptor {
        &self.header.descriptor
    }

    /// True if positions may repeat and best play from some of them lasts more plies than
    /// [`Remoteness::MOST_REPEATING`](crate::label::Remoteness::MOST_REPEATING). Then the table has outcomes alone, whatever
    /// labels were asked for.
    #[must_use]
    pub fn lacks_plies(&self) -> bool {
        self.may_repeat() && !self.labels().contains(LabelKind::Remoteness)
    }

    /// Name and version of the program that wrote it.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.header.tool
    }

    /// The kinds of labels in the table.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.bytes().labels()
    }

    /// The counts over all boards or colourings, mode by mode, reachable or not; `None` in a table without reachability
    /// bits.
    #[must_use]
    pub fn every_by_mode(&self) -> Option<&[Counts]> {
        self.every.as_deref()
    }

    /// The counts of representatives by their mode, in a sparse table up to symmetry; `None` in any other table.
    #[must_use]
    pub fn orbits_by_mode(&self) -> Option<&[Counts]> {
        self.orbits.as_deref()
    }

    /// The counts of outcomes at the time of writing, mode by mode. They cover the reachable positions if the table has
    /// reachability bits, and all its positions otherwise.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.counts
    }

    /// The counts of outcomes, summed over the modes of [`counts_by_mode`](Self::counts_by_mode).
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.iter().copied().sum()
    }

    /// The size of the whole file in bytes.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.storage.len()
    }

    /// The labels, for callers that read millions of them. Checksums are not checked.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        let reached = self.domain().is_marked().then(|| self.section(1));
        Contents::new(self.domain(), self.shape, Sections { reached, others: self.bytes(), ..self.outcomes() })
    }

    /// The outcomes alone.
    #[inline]
    pub(super) fn outcome_contents(&self) -> Contents<'_> {
        Contents::new(self.domain(), self.shape, self.outcomes())
    }

    /// The sections that a look-up of an outcome reads.
    #[inline]
    fn outcomes(&self) -> Sections<'_> {
        let (keys, outcomes) = match self.domain().key_bytes() {
            Some(_) => (self.section(0), self.section(1)),
            None => (Bytes::Plain(&[]), self.section(0)),
        };
        Sections { keys, outcomes, reached: None, others: ByteLabels::default() }
    }

    /// The labels other than the outcome.
    #[inline]
    pub(super) fn bytes(&self) -> ByteLabels<'_> {
        ByteLabels::new(|kind| {
            let number = self.section_of(kind)?;
            let Section { content, figures, .. } = &self.header.sections[number];
            Some(LabelBytes::new(self.section(number), content.width()?, figures.len()))
        })
    }

    /// The number of the section that holds `kind`.
    pub(super) fn section_of(&self, kind: LabelKind) -> Option<usize> {
        section_of(&self.header.sections, kind)
    }

    pub(super) const fn width(&self) -> Width {
        self.shape.width()
    }

    /// A copy of the table's file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn file_content(&self) -> Result<Vec<u8>, TableError> {
        let read = self.storage.read(0..self.storage.len()).map(std::borrow::Cow::into_owned);
        read.map_err(|fault| self.error(fault))
    }

    /// The bytes of section `number`.
    #[inline]
    pub(super) fn section(&self, number: usize) -> Bytes<'_> {
        let section = &self.header.sections[number];
        let storage = match &self.storage {
            Backing::Memory(storage) => storage.bytes(),
            Backing::File(_) => {
                let (file, block) = (&self.on_disk[number], section.block() as u32);
                let section = InBlocks::in_file(file, section.bytes, block, section.start, number as u32, &self.cache);
                return Bytes::in_blocks(section);
            }
        };
        match section.packed {
            None => Bytes::Plain(&storage[section.start as usize..(section.start + section.bytes) as usize]),
            Some(form) => {
                let area = &storage[section.start as usize..section.end() as usize];
                Bytes::in_blocks(InBlocks::compressed(form, area, section.start, number as u32, &self.cache))
            }
        }
    }

    /// The compression of its labels, if any. Only the block size is stored; the level is the default, whatever it was.
    #[must_use]
    pub fn packing(&self) -> Option<Compression> {
        let form = self.header.sections.iter().find_map(|section| section.packed)?;
        Some(Compression { block: form.block(), ..Compression::default() })
    }

    /// The size of its keys and labels in the file, compressed if they are, with their checksums.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.header.sections.iter().map(|section| section.end() - section.start).sum()
    }

    /// The size of its keys and labels before compression, without checksums.
    #[must_use]
    pub fn raw_bytes(&self) -> u64 {
        self.header.sections.iter().map(|section| section.bytes).sum()
    }

    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks::new(&self.header.sections, &self.storage)
    }

    /// The units that hold label `kind`, counted over all sections, and their bytes; empty if the table does not hold
    /// it.
    pub fn blocks_of(&self, kind: LabelKind) -> (Range<u64>, u64) {
        self.section_of(kind).map_or((0..0, 0), |number| self.blocks().of_section(number))
    }

    /// Checks the checksums of all blocks that a lookup of `kind` reads, on all cores of the current rayon pool. A
    /// [`checked`](Self::checked) table skips blocks that were checked before.
    ///
    /// # Errors
    /// If a block was changed.
    pub fn check_label(&self, kind: LabelKind) -> Result<(), TableError> {
        let common = if self.domain().key_bytes().is_some() { 0..2 } else { 0..1 };
        self.check_sections(common.chain(self.section_of(kind)))
    }

    /// Checks the checksums of the reachability bits, if the table has them.
    ///
    /// # Errors
    /// As [`check_label`](Self::check_label).
    pub fn check_reachability(&self) -> Result<(), TableError> {
        let marks = self.header.sections.iter().position(|section| section.content == Content::Reached);
        self.check_sections(marks.into_iter())
    }

    /// Checks the checksums of sections, by their numbers.
    fn check_sections(&self, sections: impl Iterator<Item = usize>) -> Result<(), TableError> {
        let mut blocks: Vec<u64> = sections.flat_map(|number| self.blocks().of_section(number).0).collect();
        blocks.sort_unstable();
        blocks.dedup();
        // Index pages come before the blocks whose checksums they hold, but threads may check them in any order. That
        // is fine: the call succeeds only if both the page and the block are right.
        let check = |block| match &self.checked {
            Some(checked) => checked.check_unit(self.blocks(), block),
            None => self.blocks().check(block),
        };
        blocks.into_par_iter().try_for_each(check).map_err(|fault| self.error(fault))
    }

    /// The number of blocks that [`check_label`](Self::check_label) checks.
    #[must_use]
    pub fn blocks_to_check(&self, kind: LabelKind) -> u64 {
        let (of_label, _) = self.blocks_of(kind);
        self.blocks_of(LabelKind::Outcome).0.end.max(of_label.end)
    }

    /// The number of positions with each label of `kind`, which is not the outcome, by the [place](crate::label::Label::place) of the
    /// label; empty if the table does not hold it. Labels of one byte have 256 places, for their codes.
    #[must_use]
    pub fn codes(&self, kind: LabelKind) -> &[u64] {
        if kind == LabelKind::Outcome { &[] } else { figures_of(&self.header.sections, kind) }
    }

    /// The number of bits of a label of `kind`.
    #[must_use]
    pub fn label_width(&self, kind: LabelKind) -> Width {
        self.domain().width(self.rules(), kind)
    }

    /// The error that this table has `fault`.
    #[must_use]
    pub fn error(&self, fault: TableFault) -> TableError {
        TableError { path: self.path.clone(), fault }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Table");
        debug.field("rules", &self.rules().name()).field("path", &self.path).finish_non_exhaustive()
    }
}
