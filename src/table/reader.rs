//! Reading a table.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::header::{BLOCK, HASH, Header};
use super::storage::{self, Storage};
use super::{TableError, TableFault};
use crate::plane::{Counts, Layout, Planes, Shape};
use crate::rules::{Descriptor, Outcome, Place, Position, Probe, Rules, Value};

/// A solved game, open for probing. Cheap to open, safe to share between threads.
///
/// Iterating the P-positions of a table takes three lines:
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use tablegen::{rules::Mode, table::Table};
/// let table = Table::open("tactics-4x4-run4-misere.tb")?;
/// for index in table.planes().wins(Mode(0)).iter_zeros() {
///     println!("{:#06x}", table.layout().board(index as u64));
/// }
/// # Ok(()) }
/// ```
pub struct Table {
    storage: Box<dyn Storage>,
    path: Option<PathBuf>,
    header: Header,
    shape: Shape,
    checked: Option<CheckedBlocks>,
}

/// One bit a block: whether its checksum was found to hold.
struct CheckedBlocks(Box<[AtomicU64]>);

impl Table {
    /// Maps the table at `path`.
    ///
    /// Checks the magic, the version, the length, the header's checksum and the hash of the rules: work that does not
    /// grow with the table. Labels are not read; a changed label is found by [`verify_bytes`](super::verify_bytes), or
    /// at once where the table is [`checked`](Self::checked).
    ///
    /// The file must not be written to or cut short in place while it is open: the mapping would change with it.
    /// Replacing it by renaming, as [`Draft::save`](super::Draft::save) does, is safe.
    ///
    /// # Errors
    /// Where the file cannot be read, is no table, or is damaged in what is checked.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref();
        let at = TableError::at(path);
        let map = storage::map(path).map_err(&at)?;
        let mut table = Self::from_storage(Box::new(map)).map_err(&at)?;
        table.path = Some(path.to_owned());
        Ok(table)
    }

    /// Reads a table from bytes in memory, or from any other [`Storage`].
    ///
    /// # Errors
    /// Where the bytes are no table, or are damaged in what [`open`](Self::open) checks.
    pub fn from_bytes(storage: impl Storage + 'static) -> Result<Self, TableError> {
        Ok(Self::from_storage(Box::new(storage))?)
    }

    fn from_storage(storage: Box<dyn Storage>) -> Result<Self, TableFault> {
        let header = Header::decode(storage.bytes())?;
        let shape = Shape::of(&header.rules);
        Ok(Self { storage, path: None, header, shape, checked: None })
    }

    /// The same table, checking the checksum of each block of 64 KiB when it is first read: no answer then comes from
    /// a byte that changed. It costs some 13 µs a block, once.
    ///
    /// # Errors
    /// Where the list of checksums itself is damaged.
    pub fn checked(mut self) -> Result<Self, TableError> {
        self.check_list().map_err(|fault| self.error(fault))?;
        let words = self.header.outcome.blocks().div_ceil(64);
        self.checked = Some(CheckedBlocks((0..words).map(|_| AtomicU64::new(0)).collect()));
        Ok(self)
    }

    /// The file it was opened from, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.header.rules
    }

    /// BLAKE3 of the rules, as [`rules_hash`](super::rules_hash) gives it.
    #[must_use]
    pub fn rules_hash(&self) -> blake3::Hash {
        blake3::Hash::from_bytes(self.header.rules_hash)
    }

    /// What the game calls itself and its parameters.
    #[must_use]
    pub const fn descriptor(&self) -> &Descriptor {
        &self.header.descriptor
    }

    /// Name and version of the program that wrote it.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.header.tool
    }

    /// Which bit of a plane belongs to which board.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.header.layout
    }

    /// Outcomes counted when it was written, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.header.counts
    }

    /// Outcomes counted over every (mode, board).
    #[must_use]
    pub fn counts(&self) -> Counts {
        let add = |a: Counts, b: &Counts| Counts { win: a.win + b.win, draw: a.draw + b.draw, loss: a.loss + b.loss };
        self.header.counts.iter().fold(Counts::default(), add)
    }

    /// Bytes of the whole file.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.storage.bytes().len() as u64
    }

    /// The planes of outcomes, for callers who want bits by the million. Their bytes are not checked.
    #[must_use]
    pub fn planes(&self) -> Planes<'_> {
        Planes::new(self.shape, self.section())
            .unwrap_or_else(|| unreachable!("decode compared the section with the shape"))
    }

    /// The bytes of the outcome section.
    pub(super) fn section(&self) -> &[u8] {
        let section = &self.header.outcome;
        &self.storage.bytes()[section.start as usize..(section.start + section.bytes) as usize]
    }

    /// The outcome of `position` for the player to move: an index, a load and a bit.
    ///
    /// # Errors
    /// Where the table has no such position, or is damaged where it was read.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, TableError> {
        self.look_up(position).map_err(|fault| self.error(fault))
    }

    fn look_up(&self, position: Position) -> Result<Outcome, TableFault> {
        let rules = self.rules();
        if !rules.has(position) {
            return Err(TableFault::NoSuchPosition { position, modes: rules.modes.len(), cells: rules.cells });
        }
        let planes = self.planes();
        let index = self.header.layout.index(position.board);
        if let Some(checked) = &self.checked {
            for offset in planes.touched(position.mode, index) {
                self.check_once(checked, offset as u64 / BLOCK)?;
            }
        }
        Ok(planes.outcome(position.mode, index)?)
    }

    /// All labels of `position`; one that the table does not hold is `None`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn value(&self, position: Position) -> Result<Value, TableError> {
        self.outcome(position).map(Value::from)
    }

    /// The value of `place` and of every legal move there, best first.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn probe(&self, place: impl Into<Place>) -> Result<Probe, TableError> {
        self.rules().probe(place.into(), |position| self.value(position))
    }

    pub(super) fn error(&self, fault: TableFault) -> TableError {
        TableError { path: self.path.clone(), fault }
    }

    /// Number of checksummed blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.header.outcome.blocks()
    }

    /// Whether the list of checksums has the digest that the header gives.
    pub(super) fn check_list(&self) -> Result<(), TableFault> {
        let section = &self.header.outcome;
        let list = &self.storage.bytes()[section.checksums() as usize..section.end() as usize];
        if blake3::hash(list).as_bytes() == &section.digest { Ok(()) } else { Err(TableFault::ChecksumList) }
    }

    /// Whether block `block` has the checksum that the list gives.
    pub(super) fn check_block(&self, block: u64) -> Result<(), TableFault> {
        let section = &self.header.outcome;
        let start = section.start + block * BLOCK;
        let end = (start + BLOCK).min(section.checksums());
        let expected = (section.checksums() + block * HASH) as usize;
        let file = self.storage.bytes();
        let found = blake3::hash(&file[start as usize..end as usize]);
        if found.as_bytes() == &file[expected..expected + HASH as usize] {
            Ok(())
        } else {
            Err(TableFault::BlockChecksum { start, end: end - 1 })
        }
    }

    fn check_once(&self, checked: &CheckedBlocks, block: u64) -> Result<(), TableFault> {
        let (word, bit) = (&checked.0[(block / 64) as usize], 1 << (block % 64));
        // Two threads may both check a block; neither is told that it holds before it does.
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.check_block(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Table");
        debug.field("rules", &self.rules().name).field("path", &self.path).finish_non_exhaustive()
    }
}
