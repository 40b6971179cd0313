//! The journal of a table that grows: which regions are finished, what was counted in them, and the checksums of their bytes.
//!
//! ```text
//! 32 bytes   identity: BLAKE3 of all that the table's bytes follow from
//!      4     region cells; the highest bit is set if regions are not packed as they are finished, although the table will be
//! records, one for each sheet of a region, in the order in which they were finished:
//!      4     bytes of what follows up to the checksum
//!      2     sheet: kind and label, as a section of the table has them
//!      8     rank of the region
//!      4     figures: how many, then 8 bytes each
//!      4     checksums: how many, then 32 bytes each
//!      8     offset of its packed blocks in the table; 0 if they are not packed
//!      4     their lengths: how many, then 4 bytes each
//!     32     BLAKE3 of what other regions' blocks have of it
//!     32     checksum: BLAKE3 of the identity, the region cells and the record up to here
//! ```
//!
//! A record is written after what it tells is on disk. One that is damaged is passed over: its region is swept again. If two
//! tell of the same region, the later one counts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::label::LabelKind;
use crate::solve::PlaneKind;
use crate::table::codec::{Decoder, Encoder, VERSION};

const HASH: usize = 32;
/// Most bytes of a record: more than any has.
const LONGEST: usize = 1 << 30;

/// A sheet of a region that is finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) sheet: PlaneKind,
    /// How many of the regions that are swept have smaller numbers.
    pub(super) rank: u64,
    /// What was counted in it.
    pub(super) tally: Vec<u64>,
    /// The checksums of its bytes, unit by unit; packed, of its blocks.
    pub(super) checksums: Vec<[u8; HASH]>,
    /// Where its packed blocks lie in the table, one after the other, and how long each is.
    pub(super) offset: u64,
    pub(super) lengths: Vec<u32>,
    /// The checksum of its edges: of what it has in the blocks of other regions.
    pub(super) edges: [u8; HASH],
}

/// What a journal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Subject {
    /// BLAKE3 of all that the table's bytes follow from.
    pub(super) identity: [u8; HASH],
    pub(super) region_cells: u32,
    /// Whether regions are kept as they are, whatever the table will be.
    pub(super) raw: bool,
}

/// The bit beside the number of region cells that says so.
const RAW: u32 = 1 << 31;

/// Bytes of a journal before its records.
const HEAD: usize = HASH + 4;

/// A journal, open for more.
pub(super) struct Journal {
    file: File,
    subject: Subject,
}

impl Subject {
    fn encode(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..HASH].copy_from_slice(&self.identity);
        let raw = if self.raw { RAW } else { 0 };
        head[HASH..].copy_from_slice(&(self.region_cells | raw).to_le_bytes());
        head
    }

    /// What the journal at `path` is about, if one was begun there.
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
            Self { identity, region_cells: cells & !RAW, raw: cells & RAW != 0 }
        };
        Ok(identity.zip(cells).map(of))
    }
}

impl Journal {
    /// Opens the journal at `path`, which is about `subject`, or begins it. Returns the records that are in it as well.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(super) fn open(path: &Path, subject: Subject) -> io::Result<(Self, Vec<Record>)> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let (mut bytes, head) = (Vec::new(), subject.encode());
        file.read_to_end(&mut bytes)?;
        let (records, end) = if bytes.starts_with(&head) { records(&bytes, &head) } else { (Vec::new(), 0) };
        // What a killed process was writing.
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        if end == 0 {
            file.write_all(&head)?;
            file.sync_data()?;
        }
        Ok((Self { file, subject }, records))
    }

    /// Adds `records`, and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written. A part of them may be: a later process passes it over.
    pub(super) fn add<'r>(&mut self, records: impl IntoIterator<Item = &'r Record>) -> io::Result<()> {
        let head = self.subject.encode();
        let bytes: Vec<u8> = records.into_iter().flat_map(|record| record.encode(&head)).collect();
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }
}

/// The records in the bytes of a journal, and where the last whole one ends.
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

/// The two bytes by which a sheet is named.
pub const fn sheet_numbers(sheet: PlaneKind) -> [u8; 2] {
    match sheet {
        PlaneKind::Label(LabelKind::Outcome) => [1, 1],
        PlaneKind::Label(LabelKind::Remoteness) => [1, 2],
        PlaneKind::Label(LabelKind::Nimber) => [1, 3],
        PlaneKind::Reached => [5, 0],
    }
}

/// The sheet that two bytes name.
pub fn sheet_of(numbers: [u8; 2]) -> Option<PlaneKind> {
    let labels = LabelKind::ALL.into_iter().map(PlaneKind::Label);
    labels.chain([PlaneKind::Reached]).find(|&sheet| sheet_numbers(sheet) == numbers)
}

impl Record {
    /// The bytes of its packed blocks.
    pub(super) fn packed_bytes(&self) -> u64 {
        self.lengths.iter().copied().map(u64::from).sum()
    }

    /// Its bytes in the journal of `subject`.
    pub(super) fn bytes(&self, subject: &Subject) -> Vec<u8> {
        self.encode(&subject.encode())
    }

    /// The record in `bytes`, which are all of one in the journal of `subject`, if they are whole.
    pub(super) fn of(bytes: &[u8], subject: &Subject) -> Option<Self> {
        Self::decode(bytes, &subject.encode())
    }

    fn encode(&self, head: &[u8; HEAD]) -> Vec<u8> {
        let mut e = Encoder::new(VERSION);
        e.u32(0);
        e.bytes.extend(sheet_numbers(self.sheet));
        e.u64(self.rank);
        e.u32(self.tally.len() as u32);
        self.tally.iter().for_each(|&figure| e.u64(figure));
        e.u32(self.checksums.len() as u32);
        e.bytes.extend(self.checksums.as_flattened());
        e.u64(self.offset);
        e.u32(self.lengths.len() as u32);
        self.lengths.iter().for_each(|&length| e.u32(length));
        e.bytes.extend(self.edges);
        let length = (e.bytes.len() - 4) as u32;
        e.bytes[..4].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(head, &e.bytes);
        e.bytes.extend(checksum);
        e.bytes
    }

    /// The record in `bytes`, if it is whole.
    fn decode(bytes: &[u8], head: &[u8; HEAD]) -> Option<Self> {
        let (record, expected) = bytes.split_last_chunk::<HASH>()?;
        if &checksum(head, record) != expected {
            return None;
        }
        let mut d = Decoder::new(&record[4..], VERSION);
        let sheet = sheet_of(d.array().ok()?)?;
        let rank = d.u64().ok()?;
        let tally = d.list(Decoder::u64).ok()?;
        let checksums = d.list(Decoder::array).ok()?;
        let (offset, lengths) = (d.u64().ok()?, d.list(Decoder::u32).ok()?);
        let edges = d.array().ok()?;
        d.rest().is_empty().then_some(Self { sheet, rank, tally, checksums, offset, lengths, edges })
    }
}

fn checksum(head: &[u8; HEAD], record: &[u8]) -> [u8; HASH] {
    *blake3::Hasher::new().update(head).update(record).finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: Subject = Subject { identity: [7; HASH], region_cells: 12, raw: true };

    fn some() -> Vec<Record> {
        let sheets = LabelKind::ALL.map(PlaneKind::Label).into_iter().chain([PlaneKind::Reached]);
        let record = |(number, sheet): (u64, PlaneKind)| Record {
            sheet,
            rank: 1 << (number * 9),
            tally: (0..number).collect(),
            checksums: vec![[number as u8; HASH]; number as usize],
            offset: number * 1000,
            lengths: (0..number as u32).collect(),
            edges: [number as u8 + 9; HASH],
        };
        (0..).zip(sheets).map(record).collect()
    }

    fn open(path: &Path) -> (Journal, Vec<Record>) {
        Journal::open(path, SUBJECT).unwrap()
    }

    #[test]
    fn records_come_back() {
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

    /// Cut short anywhere, the whole records are there and more can be added; with any bit flipped, all but one are, or those
    /// before it.
    #[test]
    fn damage_costs_records_and_makes_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        open(&path).0.add(&some()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in HEAD..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, found) = open(&path);
            assert!(found.len() < some().len() && some().starts_with(&found), "{length}");
            journal.add(&some()[3..]).unwrap();
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
