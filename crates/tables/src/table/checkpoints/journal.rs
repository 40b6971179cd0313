//! The journal of an unfinished table: which slices are finished, their counts, and the checksums of their bytes.
//!
//! ```text
//! 32 bytes   identity: BLAKE3 of everything that determines the table's bytes
//!      4     slice cells; the highest bit is set if slices are stored uncompressed although the table will be compressed
//! records, one for each plane kind of a slice, in the order in which they were finished:
//!      4     bytes of the rest of the record, without its checksum
//!      2     plane kind: kind and label, encoded as in a section of the table
//!      8     rank of the slice
//!      4     figures: how many, then 8 bytes each
//!      4     checksums: how many, then 32 bytes each
//!      8     offset of its compressed blocks in the table; 0 if they are not compressed
//!      4     their lengths: how many, then 4 bytes each
//!     32     BLAKE3 of the slice's edges: its bytes in blocks of other slices
//!     32     checksum: BLAKE3 of the identity, the slice cells and the record up to here
//! ```
//!
//! A record is written after the bytes that it describes are on disk. A damaged record is skipped, and its slice is
//! swept again. If two records describe the same slice, the later one counts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::label::LabelSet;
use crate::solve::PlaneKind;
use crate::table::codec::{Decoder, Encoder};

const HASH: usize = 32;
/// An upper bound of a record's bytes, to reject damaged lengths.
const LONGEST: usize = 1 << 30;

/// A finished plane kind of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) plane_kind: PlaneKind,
    /// The number of swept slices with smaller numbers.
    pub(super) rank: u64,
    /// The counts made while the slice was swept.
    pub(super) tally: Vec<u64>,
    /// The checksums of its units; if compressed, of its blocks.
    pub(super) checksums: Vec<[u8; HASH]>,
    /// Its blocks, if they lie one after the other: compressed blocks of a slice, or the bytes of a level. `None` if each bit
    /// plane lies at its own place in the table.
    pub(super) blocks: Option<StoredBlocks>,
}

/// Blocks that lie one after the other in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoredBlocks {
    /// The offset of the first block in the table.
    pub(super) offset: u64,
    /// The length of each block.
    pub(super) lengths: Vec<u32>,
    /// The checksum of the slice's edges: its bytes in blocks of other slices.
    pub(super) edges: [u8; HASH],
}

impl StoredBlocks {
    /// The number of bytes in all blocks.
    pub(super) fn bytes(&self) -> u64 {
        self.lengths.iter().copied().map(u64::from).sum()
    }
}

/// The identity of the table that a journal belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Subject {
    /// BLAKE3 of everything that determines the table's bytes.
    pub(super) identity: [u8; HASH],
    pub(super) slice_cells: u32,
    /// Slices are stored uncompressed, even if the table will be compressed.
    pub(super) raw: bool,
}

/// The bit that encodes `raw` in the number of slice cells.
const RAW: u32 = 1 << 31;

/// Bytes of a journal before its first record.
const HEAD: usize = HASH + 4;

/// A journal, open for appending.
pub(super) struct Journal {
    file: File,
    subject: Subject,
}

impl Subject {
    fn encode(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..HASH].copy_from_slice(&self.identity);
        let raw = if self.raw { RAW } else { 0 };
        head[HASH..].copy_from_slice(&(self.slice_cells | raw).to_le_bytes());
        head
    }

    /// The subject of the journal at `path`; `None` if there is no journal.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn of(path: &Path) -> io::Result<Option<Self>> {
        let mut head = [0; HEAD];
        match File::open(path).and_then(|mut file| file.read_exact(&mut head)) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        let (identity, cells) = (head.first_chunk().copied(), head.last_chunk().copied());
        let of = |(identity, cells)| {
            let cells = u32::from_le_bytes(cells);
            Self { identity, slice_cells: cells & !RAW, raw: cells & RAW != 0 }
        };
        Ok(identity.zip(cells).map(of))
    }
}

impl Journal {
    /// Opens or creates the journal at `path`, which is about `subject`. Also returns the records that are in it.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(super) fn open(path: &Path, subject: Subject) -> io::Result<(Self, Vec<Record>)> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let (mut bytes, head) = (Vec::new(), subject.encode());
        file.read_to_end(&mut bytes)?;
        let (records, end) = if bytes.starts_with(&head) { records(&bytes, &head) } else { (Vec::new(), 0) };
        // Cuts off a record that a killed process left incomplete.
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        if end == 0 {
            file.write_all(&head)?;
            file.sync_data()?;
        }
        Ok((Self { file, subject }, records))
    }

    /// Appends `records`, and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written. A record that was written in part is skipped by the next process.
    pub(super) fn add<'r>(&mut self, records: impl IntoIterator<Item = &'r Record>) -> io::Result<()> {
        let head = self.subject.encode();
        let bytes: Vec<u8> = records.into_iter().flat_map(|record| record.encode(&head)).collect();
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }
}

/// The records in the bytes of a journal, and the offset at which the last complete record ends.
fn records(bytes: &[u8], head: &[u8; HEAD]) -> (Vec<Record>, u64) {
    let (mut records, mut at) = (Vec::new(), HEAD);
    while let Some(length) = bytes[at..].first_chunk().map(|length| u32::from_le_bytes(*length) as usize) {
        let end = at + 4 + length + HASH;
        if length > LONGEST || end > bytes.len() {
            break;
        }
        records.extend(Record::decode(&bytes[at..end], head));
        at = end;
    }
    (records, at as u64)
}

/// The two bytes that represent a plane kind.
pub const fn plane_kind_numbers(plane_kind: PlaneKind) -> [u8; 2] {
    match plane_kind.label() {
        Some(kind) => [1, kind.number()],
        None => [5, 0],
    }
}

/// The plane kind that two bytes represent.
pub fn plane_kind_of(numbers: [u8; 2]) -> Option<PlaneKind> {
    PlaneKind::all(LabelSet::ALL, true).find(|&plane_kind| plane_kind_numbers(plane_kind) == numbers)
}

impl Record {
    /// A record of bit planes at their own places, whose checksums are not computed yet.
    pub(super) const fn in_place(plane_kind: PlaneKind, rank: u64, tally: Vec<u64>) -> Self {
        Self { plane_kind, rank, tally, checksums: Vec::new(), blocks: None }
    }

    /// The number of bytes in blocks that lie one after the other.
    pub(super) fn block_bytes(&self) -> u64 {
        self.blocks.as_ref().map_or(0, StoredBlocks::bytes)
    }

    /// The offset of these blocks in the table.
    pub(super) fn offset(&self) -> u64 {
        self.blocks.as_ref().map_or(0, |blocks| blocks.offset)
    }

    /// The record's bytes in the journal of `subject`.
    pub(super) fn bytes(&self, subject: &Subject) -> Vec<u8> {
        self.encode(&subject.encode())
    }

    /// The record that `bytes` consist of, in the journal of `subject`; `None` if they are damaged.
    pub(super) fn of(bytes: &[u8], subject: &Subject) -> Option<Self> {
        Self::decode(bytes, &subject.encode())
    }

    fn encode(&self, head: &[u8; HEAD]) -> Vec<u8> {
        let mut e = Encoder::default();
        e.u32(0);
        e.bytes.extend(plane_kind_numbers(self.plane_kind));
        e.u64(self.rank);
        e.u32(self.tally.len() as u32);
        self.tally.iter().for_each(|&figure| e.u64(figure));
        e.u32(self.checksums.len() as u32);
        e.bytes.extend(self.checksums.as_flattened());
        let blocks = self.blocks.as_ref();
        let lengths = blocks.map_or(&[][..], |blocks| &blocks.lengths);
        e.u64(self.offset());
        e.u32(lengths.len() as u32);
        lengths.iter().for_each(|&length| e.u32(length));
        e.bytes.extend(blocks.map_or([0; HASH], |blocks| blocks.edges));
        let length = (e.bytes.len() - 4) as u32;
        e.bytes[..4].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(head, &e.bytes);
        e.bytes.extend(checksum);
        e.bytes
    }

    /// The record that `bytes` consist of; `None` if they are damaged.
    fn decode(bytes: &[u8], head: &[u8; HEAD]) -> Option<Self> {
        let (record, expected) = bytes.split_last_chunk::<HASH>()?;
        if &checksum(head, record) != expected {
            return None;
        }
        let mut d = Decoder::new(&record[4..]);
        let plane_kind = plane_kind_of(d.array().ok()?)?;
        let rank = d.u64().ok()?;
        let tally = d.list(Decoder::u64).ok()?;
        let checksums = d.list(Decoder::array).ok()?;
        let (offset, lengths) = (d.u64().ok()?, d.list(Decoder::u32).ok()?);
        let edges = d.array().ok()?;
        let is_in_place = offset == 0 && lengths.is_empty() && edges == [0; HASH];
        let blocks = (!is_in_place).then_some(StoredBlocks { offset, lengths, edges });
        d.rest().is_empty().then_some(Self { plane_kind, rank, tally, checksums, blocks })
    }
}

fn checksum(head: &[u8; HEAD], record: &[u8]) -> [u8; HASH] {
    *blake3::Hasher::new().update(head).update(record).finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: Subject = Subject { identity: [7; HASH], slice_cells: 12, raw: true };

    fn some() -> Vec<Record> {
        let plane_kinds = PlaneKind::all(LabelSet::ALL, true);
        let record = |(number, plane_kind): (u64, PlaneKind)| Record {
            plane_kind,
            rank: 1 << (number * 9),
            tally: (0..number).collect(),
            checksums: vec![[number as u8; HASH]; number as usize],
            blocks: (number != 1).then(|| StoredBlocks {
                offset: number * 1000,
                lengths: (0..number as u32).collect(),
                edges: [number as u8 + 9; HASH],
            }),
        };
        (0..).zip(plane_kinds).map(record).collect()
    }

    fn open(path: &Path) -> (Journal, Vec<Record>) {
        Journal::open(path, SUBJECT).unwrap()
    }

    #[test]
    fn records_survive_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, none) = open(&path);
        assert!(none.is_empty());
        journal.add(&some()[..2]).unwrap();
        drop(journal);
        let (mut journal, found) = open(&path);
        assert_eq!(found, some()[..2]);
        journal.add(&some()[2..]).unwrap();
        assert_eq!(open(&path).1, some());
        assert_eq!(Subject::of(&path).unwrap(), Some(SUBJECT));
        assert_eq!(Subject::of(&folder.path().join("none")).unwrap(), None);
    }

    /// A journal cut short anywhere keeps its complete records, and more can be added. With any one bit flipped, all
    /// records but one survive, or all records before the damaged one.
    #[test]
    fn damage_loses_records_but_invents_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        open(&path).0.add(&some()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in HEAD..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, found) = open(&path);
            assert!(found.len() < some().len() && some().starts_with(&found), "{length}");
            journal.add(some().last()).unwrap();
            assert_eq!(open(&path).1.len(), found.len() + 1);
        }
        for bit in HEAD * 8..whole.len() * 8 {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, damaged).unwrap();
            let found = open(&path).1;
            assert!(found.len() < some().len() && found.iter().all(|record| some().contains(record)), "{bit}");
        }
    }
}
