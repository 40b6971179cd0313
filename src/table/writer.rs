//! Writing a table: beside its place, then renamed into it.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::atomic_file::{self, Body};
use super::codec::rules_hash;
use super::header::{BLOCK, Coverage, HASH, Header, Section};
use super::{TableError, TableFault};
use crate::plane::{Bits, Counts, Layout, Planes, Shape};
use crate::rules::{Descriptor, Rules};

/// Bytes that are counted, hashed and handed to the operating system at a time.
const PIECE: usize = 32 << 20;

/// A table that is about to be written: what goes into it.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The rules, which must be valid.
    pub rules: &'a Rules,
    /// What the game calls itself.
    pub descriptor: &'a Descriptor,
    /// The layout of the planes.
    pub layout: &'a Layout,
    /// The outcomes, in the shape that `rules` ask for.
    pub planes: Planes<'a>,
}

/// What one pass over a piece of the planes yields.
struct Pass {
    checksum: blake3::Hash,
    ones: u64,
}

impl Draft<'_> {
    /// Writes the table to `path`, replacing what is there. It appears whole or not at all: it is written to a
    /// temporary file in the same folder, synced and renamed.
    ///
    /// # Errors
    /// Where the folder does not exist or cannot be written to, or the disk is full. The old file, if any, is untouched.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TableError> {
        self.save_with(path, |_| {})
    }

    /// As [`save`](Self::save), telling `temporary` the name of the temporary file as soon as it exists, so that a
    /// caller who is interrupted can remove it.
    ///
    /// # Errors
    /// As [`save`](Self::save).
    pub fn save_with(&self, path: impl AsRef<Path>, temporary: impl FnOnce(&Path)) -> Result<(), TableError> {
        atomic_file::save(self, path.as_ref(), temporary)
    }

    /// The table's bytes, in memory.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        atomic_file::to_bytes(self)
    }

    /// The header as far as it is known before the labels are read: its length is.
    fn header(&self) -> Header {
        header(self.rules, self.descriptor, Coverage::Every(self.layout.clone()))
            .unwrap_or_else(|| unreachable!("planes that exist have a size"))
    }
}

impl Body for Draft<'_> {
    /// The labels first, hashed and counted on their way out, then the header that needs both.
    fn write(&self, out: &mut (impl Write + Seek + Send)) -> io::Result<()> {
        let labels = self.planes.bytes();
        let mut header = self.header();
        out.seek(SeekFrom::Start(header.sections[0].start))?;

        let plane_bytes = self.planes.shape().plane_bytes() as usize;
        let mut ones = vec![0; self.planes.shape().planes() as usize];
        let mut checksums = Vec::with_capacity((header.sections[0].blocks() * HASH) as usize);
        let mut passes = in_blocks(labels.get(..PIECE).unwrap_or(labels));
        for (piece_number, piece) in labels.chunks(PIECE).enumerate() {
            for (block, pass) in passes.iter().enumerate() {
                checksums.extend(pass.checksum.as_bytes());
                // Planes are as large as blocks or larger, and then whole blocks; or smaller, and counted below.
                let offset = piece_number * PIECE + block * BLOCK as usize;
                ones[offset / plane_bytes] += pass.ones;
            }
            // The next piece is hashed while this one goes out.
            let next = labels.get((piece_number + 1) * PIECE..).map_or(&[][..], |rest| &rest[..rest.len().min(PIECE)]);
            let written;
            (written, passes) = match next {
                [] => (out.write_all(piece), Vec::new()),
                next => rayon::join(|| out.write_all(piece), || in_blocks(next)),
            };
            written?;
        }
        out.write_all(&checksums)?;
        if plane_bytes < BLOCK as usize {
            let positions = 1usize << self.planes.shape().cells();
            ones = labels.chunks(plane_bytes).map(|plane| count_positions(plane, positions)).collect();
        }

        header.sections[0].digest = *blake3::hash(&checksums).as_bytes();
        header.counts = counts(self.planes.shape(), &ones);
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&header.encode())
    }
}

/// A header without counts and digests, which do not change its length; `None` where a `u64` cannot say its sizes.
pub(super) fn header(rules: &Rules, descriptor: &Descriptor, coverage: Coverage) -> Option<Header> {
    let sections = coverage.sections(rules)?;
    if sections.iter().any(|&(_, bytes)| bytes > u64::MAX / 4) {
        return None;
    }
    let section = |(_, bytes)| Section { start: 0, bytes, digest: [0; 32] };
    let mut header = Header {
        rules: rules.clone(),
        rules_hash: *rules_hash(rules).as_bytes(),
        descriptor: descriptor.clone(),
        tool: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).into(),
        coverage,
        counts: vec![Counts::default(); rules.modes().len()],
        sections: sections.into_iter().map(section).collect(),
    };
    header.place_sections();
    Some(header)
}

/// The bytes of the file that a table of every position of these rules has; `None` where a `u64` cannot say it.
#[must_use]
pub fn file_bytes(rules: &Rules, descriptor: &Descriptor) -> Option<u64> {
    let coverage = Coverage::Every(Layout::reading_order(rules.cells()));
    header(rules, descriptor, coverage).map(|header| header.end())
}

/// Checksums and counts of a piece's blocks: on every core where it is worth waking them.
fn in_blocks(piece: &[u8]) -> Vec<Pass> {
    let pass = |block: &[u8]| Pass { checksum: blake3::hash(block), ones: count_ones(block) };
    if piece.len() < 1 << 20 {
        piece.chunks(BLOCK as usize).map(pass).collect()
    } else {
        piece.par_chunks(BLOCK as usize).map(pass).collect()
    }
}

fn count_ones(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let of_words: u64 = words.iter().map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum();
    of_words + rest.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>()
}

/// Set bits among the first `positions`: padding is none, whatever a caller has left there.
fn count_positions(plane: &[u8], positions: usize) -> u64 {
    if positions < plane.len() * 8 {
        Bits::from_slice(plane)[..positions].count_ones() as u64
    } else {
        count_ones(plane)
    }
}

/// Outcomes by mode, from the number of set bits in each plane.
fn counts(shape: Shape, ones: &[u64]) -> Vec<Counts> {
    let positions = 1u64 << shape.cells();
    let of_mode = |ones: &[u64]| match *ones {
        [win, loss] => Counts { win, draw: positions.saturating_sub(win + loss), loss },
        _ => Counts { win: ones[0], draw: 0, loss: positions - ones[0] },
    };
    ones.chunks(1 + usize::from(shape.draws())).map(of_mode).collect()
}

impl TableError {
    /// Whether the disk was full.
    #[must_use]
    pub fn is_storage_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge];
        matches!(&self.fault, TableFault::Io(e) if full.contains(&e.kind()))
    }
}
