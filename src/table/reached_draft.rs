//! Writing a table of reached positions.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::TableError;
use super::atomic_file::{self, Body};
use super::header::{BLOCK, Coverage, Header};
use super::writer::header;
use crate::plane::Counts;
use crate::reachable::Levels;
use crate::rules::{Descriptor, Position, Rules};

/// A table of reached positions that is about to be written: what goes into it, as
/// [`sparse`](crate::solve::sparse()) finds it.
#[derive(Clone, Copy, Debug)]
pub struct ReachedDraft<'a> {
    /// The rules, which must be valid.
    pub rules: &'a Rules,
    /// What the game calls itself.
    pub descriptor: &'a Descriptor,
    /// Where play was followed from: sorted, each once.
    pub roots: &'a [Position],
    /// How many positions there are of each number of filled cells.
    pub levels: &'a Levels,
    /// The keys of each level.
    pub keys: &'a [Vec<u8>],
    /// The outcomes of each level.
    pub outcomes: &'a [Vec<u8>],
    /// Outcomes counted, mode by mode.
    pub counts: &'a [Counts],
}

impl ReachedDraft<'_> {
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

    /// The bytes of the file.
    ///
    /// # Panics
    /// Where the levels are not those of the rules.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.header().end()
    }

    fn header(&self) -> Header {
        let header = reached_header(self.rules, self.descriptor, self.levels, self.roots);
        header.unwrap_or_else(|| unreachable!("levels that exist have a size"))
    }
}

impl Body for ReachedDraft<'_> {
    /// The sections first, hashed on their way out, then the header that needs their digests.
    fn write(&self, out: &mut (impl Write + Seek + Send)) -> io::Result<()> {
        let mut header = self.header();
        header.counts = self.counts.to_vec();
        for (section, levels) in header.sections.iter_mut().zip([self.keys, self.outcomes]) {
            out.seek(SeekFrom::Start(section.start))?;
            for level in levels {
                out.write_all(level)?;
            }
            let checksums: Vec<u8> = checksums(levels).iter().flat_map(|hash| *hash.as_bytes()).collect();
            out.write_all(&checksums)?;
            section.digest = *blake3::hash(&checksums).as_bytes();
        }
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&header.encode())
    }
}

/// The bytes of the file that a table of so many reached positions has; `None` where a `u64` cannot say it.
#[must_use]
pub fn reached_file_bytes(rules: &Rules, descriptor: &Descriptor, levels: &Levels, roots: &[Position]) -> Option<u64> {
    reached_header(rules, descriptor, levels, roots).map(|header| header.end())
}

fn reached_header(rules: &Rules, descriptor: &Descriptor, levels: &Levels, roots: &[Position]) -> Option<Header> {
    header(rules, descriptor, Coverage::Reached { levels: levels.clone(), roots: roots.to_vec() })
}

/// The checksums of the blocks of `pieces`, one behind the other as if they were one run of bytes.
fn checksums(pieces: &[Vec<u8>]) -> Vec<blake3::Hash> {
    let total: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
    let starts: Vec<u64> = pieces
        .iter()
        .scan(0, |next, piece| {
            let start = *next;
            *next += piece.len() as u64;
            Some(start)
        })
        .collect();
    let hash = |block: u64| {
        let (mut at, end) = (block * BLOCK, total.min((block + 1) * BLOCK));
        let mut piece = starts.partition_point(|&start| start <= at).saturating_sub(1);
        let mut hasher = blake3::Hasher::new();
        while at < end {
            let from = (at - starts[piece]) as usize;
            let to = pieces[piece].len().min((end - starts[piece]) as usize);
            hasher.update(&pieces[piece][from..to]);
            at = starts[piece] + to as u64;
            piece += 1;
        }
        hasher.finalize()
    };
    (0..total.div_ceil(BLOCK)).into_par_iter().map(hash).collect()
}
