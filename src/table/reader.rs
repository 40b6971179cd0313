//! Reading a table.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::header::{BLOCK, Coverage, HASH, Header, Section};
use super::storage::{self, Storage};
use super::{TableError, TableFault};
use crate::label::{Probe, Value};
use crate::plane::{Counts, Layout, Planes, Shape};
use crate::reachable::{Level, Levels};
use crate::rules::{Descriptor, Node, Outcome, Position, Rules};

/// A solved game, open for probing. Cheap to open, safe to share between threads.
///
/// Iterating the P-positions of a table takes three lines:
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use tablegen::{rules::Mode, table::Table};
/// let table = Table::open("tactics-4x4-run4-misere.tb")?;
/// let (planes, layout) = table.planes().ok_or("a table of every position")?;
/// for index in planes.wins(Mode(0)).iter_zeros() {
///     println!("{:#06x}", layout.board(index as u64));
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
        let words = self.blocks().div_ceil(64);
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

    /// Outcomes counted when it was written, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.header.counts
    }

    /// Outcomes counted over every position it holds.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.header.counts.iter().copied().sum()
    }

    /// Bytes of the whole file.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.storage.bytes().len() as u64
    }

    /// The planes of outcomes, for callers who want bits by the million, and which bit belongs to which board; `None`
    /// in a table of [reached](Self::reached) positions. Their bytes are not checked.
    #[must_use]
    pub fn planes(&self) -> Option<(Planes<'_>, &Layout)> {
        match &self.header.coverage {
            Coverage::Every(layout) => Some((self.all_planes(), layout)),
            Coverage::Reached { .. } => None,
        }
    }

    /// The positions of a table that holds only those that play can reach; `None` in a table of every position. Their
    /// bytes are not checked.
    #[must_use]
    pub fn reached(&self) -> Option<Reached<'_>> {
        match &self.header.coverage {
            Coverage::Every(_) => None,
            Coverage::Reached { levels, roots } => {
                Some(Reached { levels, roots, keys: self.section(0), outcomes: self.section(1) })
            }
        }
    }

    fn all_planes(&self) -> Planes<'_> {
        Planes::new(self.shape, self.section(0))
            .unwrap_or_else(|| unreachable!("decode compared the section with the shape"))
    }

    /// The bytes of section `number`.
    #[inline]
    pub(super) fn section(&self, number: usize) -> &[u8] {
        let section = &self.header.sections[number];
        &self.storage.bytes()[section.start as usize..(section.start + section.bytes) as usize]
    }

    /// The outcome of `position` for the player to move: an index, a load and a bit; in a table of reached positions a
    /// bucket and what stands in it.
    ///
    /// # Errors
    /// Where the table has no such position ([`TableFault::NotReached`] where only play does not lead there), or is
    /// damaged where it was read.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Outcome, TableError> {
        self.look_up(position).map_err(|fault| self.error(fault))
    }

    #[inline]
    fn look_up(&self, position: Position) -> Result<Outcome, TableFault> {
        let rules = self.rules();
        if !rules.has(position) {
            return Err(TableFault::NoSuchPosition { position, modes: rules.modes().len(), cells: rules.cells() });
        }
        match &self.header.coverage {
            Coverage::Every(layout) => {
                let planes = self.all_planes();
                let index = layout.index(position.board);
                if let Some(checked) = &self.checked {
                    for offset in planes.touched(position.mode, index) {
                        self.check_once(checked, 0, offset)?;
                    }
                }
                Ok(planes.outcome(position.mode, index)?)
            }
            Coverage::Reached { levels, .. } => self.look_up_reached(levels, position),
        }
    }

    #[inline]
    fn look_up_reached(&self, levels: &Levels, position: Position) -> Result<Outcome, TableFault> {
        let Some(number) = levels.of_filled(position.board.count()) else {
            return Err(TableFault::NotReached { position });
        };
        let Some(level) = levels.level(number, self.section(0), self.section(1)) else {
            return Err(TableFault::Malformed("its sections are shorter than its levels"));
        };
        if let Some(checked) = &self.checked {
            self.check_look_up(checked, levels, number, &level, position)?;
        }
        let Some(index) = level.find(position)? else { return Err(TableFault::NotReached { position }) };
        level.outcome(index).ok_or(TableFault::NoOutcome { position })
    }

    /// Checks the blocks that looking `position` up reads: the directory first, so that what it says of the rest is
    /// true.
    fn check_look_up(
        &self,
        checked: &CheckedBlocks,
        levels: &Levels,
        number: usize,
        level: &Level<'_>,
        position: Position,
    ) -> Result<(), TableFault> {
        let (keys, outcomes) = levels.offsets(number).unwrap_or_default();
        self.check_range(checked, 0, offset(level.directory_bytes(position), keys as usize))?;
        self.check_range(checked, 0, offset(level.bucket_bytes(position), keys as usize))?;
        let Some(index) = level.find(position)? else { return Ok(()) };
        self.check_once(checked, 1, (outcomes + level.outcome_byte(index)) as usize)
    }

    /// As [`outcome`](Self::outcome), `None` standing for a position that the table does not hold because play cannot
    /// reach it.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome), but for that.
    pub fn find(&self, position: Position) -> Result<Option<Outcome>, TableError> {
        match self.look_up(position) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(TableFault::NotReached { .. }) => Ok(None),
            Err(fault) => Err(self.error(fault)),
        }
    }

    /// All labels of `position`; one that the table does not hold is `None`.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn value(&self, position: Position) -> Result<Value, TableError> {
        self.outcome(position).map(Value::from)
    }

    /// The value of `node` and of every legal move there, best first.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn probe(&self, node: impl Into<Node>) -> Result<Probe, TableError> {
        self.rules().probe(node.into(), |position| self.value(position))
    }

    pub(super) fn error(&self, fault: TableFault) -> TableError {
        TableError { path: self.path.clone(), fault }
    }

    /// Number of checksummed blocks, of all sections.
    pub(super) fn blocks(&self) -> u64 {
        self.header.sections.iter().map(Section::blocks).sum()
    }

    /// Bytes of all sections.
    pub(super) fn section_bytes(&self) -> u64 {
        self.header.sections.iter().map(|section| section.bytes).sum()
    }

    /// Whether the lists of checksums have the digests that the header gives, and nothing stands between the sections.
    pub(super) fn check_list(&self) -> Result<(), TableFault> {
        let file = self.storage.bytes();
        let mut end = None;
        for section in &self.header.sections {
            let list = &file[section.checksums() as usize..section.end() as usize];
            let between = &file[end.unwrap_or(section.start) as usize..section.start as usize];
            if blake3::hash(list).as_bytes() != &section.digest || between.iter().any(|&byte| byte != 0) {
                return Err(TableFault::ChecksumList);
            }
            end = Some(section.end());
        }
        Ok(())
    }

    /// Whether block `block`, counted over all sections, has the checksum that the list gives.
    pub(super) fn check_block(&self, block: u64) -> Result<(), TableFault> {
        let mut block = block;
        for section in &self.header.sections {
            if block < section.blocks() {
                return self.check_block_of(section, block);
            }
            block -= section.blocks();
        }
        Ok(())
    }

    fn check_block_of(&self, section: &Section, block: u64) -> Result<(), TableFault> {
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

    /// Checks the block of the byte at `offset` in section `section`, where that was not done before.
    fn check_once(&self, checked: &CheckedBlocks, section: usize, offset: usize) -> Result<(), TableFault> {
        let before: u64 = self.header.sections[..section].iter().map(Section::blocks).sum();
        let block = before + offset as u64 / BLOCK;
        let (word, bit) = (&checked.0[(block / 64) as usize], 1 << (block % 64));
        // Two threads may both check a block; neither is told that it holds before it does.
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.check_block(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }

    fn check_range(&self, checked: &CheckedBlocks, section: usize, bytes: Range<usize>) -> Result<(), TableFault> {
        let last = (self.header.sections[section].bytes as usize).saturating_sub(1);
        let mut offset = bytes.start.min(last);
        while offset < bytes.end.min(last + 1) {
            self.check_once(checked, section, offset)?;
            offset = (offset / BLOCK as usize + 1) * BLOCK as usize;
        }
        Ok(())
    }
}

/// The positions of a table that holds only those that play can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    levels: &'a Levels,
    roots: &'a [Position],
    keys: &'a [u8],
    outcomes: &'a [u8],
}

impl<'a> Reached<'a> {
    /// How many positions there are of each number of filled cells.
    #[must_use]
    pub const fn levels(&self) -> &'a Levels {
        self.levels
    }

    /// The positions that play was followed from, sorted.
    #[must_use]
    pub const fn roots(&self) -> &'a [Position] {
        self.roots
    }

    /// Level `number`, counted from the one with the fewest filled cells.
    #[must_use]
    pub fn level(&self, number: usize) -> Option<Level<'a>> {
        self.levels.level(number, self.keys, self.outcomes)
    }

    /// Every position and its outcome, the fewest filled cells first.
    ///
    /// Each item is an error where the bytes there are damaged.
    pub fn positions(self) -> impl Iterator<Item = Result<(Position, Outcome), TableFault>> + 'a {
        (0..).map_while(move |number| self.level(number)).flat_map(|level| {
            level.positions(0, level.size().count).map(move |found| {
                let (index, position) = found?;
                level.outcome(index).map(|outcome| (position, outcome)).ok_or(TableFault::NoOutcome { position })
            })
        })
    }
}

fn offset(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Table");
        debug.field("rules", &self.rules().name()).field("path", &self.path).finish_non_exhaustive()
    }
}
