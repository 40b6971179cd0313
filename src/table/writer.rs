//! Writing a table: beside its place, then renamed into it.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use rayon::prelude::*;

use super::coverage::Coverage;
use super::header::Header;
use super::section::BLOCK;
use super::{TableError, TableFault};
use crate::atomic_file::{WritebackFile, write_atomically};
use crate::contents::Contents;
use crate::label::Counts;
use crate::plane::Layout;
use crate::rules::{Descriptor, Rules};
use crate::solve::{Census, Phase, Progress, Solution, Watch};

/// Bytes that are hashed and handed to the operating system at a time.
const PIECE: usize = 32 << 20;

impl Solution {
    /// Writes the table to `path`, replacing what is there. It appears whole or not at all: it is written to a temporary
    /// file in the same folder, synced and renamed. `descriptor` is what the game calls itself and its parameters.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, or the disk is full. The old file, if any, is untouched.
    pub fn save(&self, descriptor: &Descriptor, path: impl AsRef<Path>) -> Result<(), TableError> {
        self.save_with(descriptor, path, |_| {}, None)
    }

    /// As [`save`](Self::save), telling `temporary` the name of the temporary file as soon as it exists, so that a caller
    /// who is interrupted can remove it, and `progress` how many bytes are written.
    ///
    /// # Errors
    /// As [`save`](Self::save); [`TableFault::Cancelled`] if `progress` stops the work, and no file is left then.
    pub fn save_with(
        &self,
        descriptor: &Descriptor,
        path: impl AsRef<Path>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        let path = path.as_ref();
        let write = |file: &mut _| self.write(descriptor, &mut WritebackFile::new(file), progress);
        write_atomically(path, temporary, write).map_err(|e| {
            let is_stop = e.get_ref().is_some_and(|inner| inner.is::<Stopped>());
            TableError::at(path)(if is_stop { TableFault::Cancelled } else { e.into() })
        })
    }

    /// The table's bytes, in memory.
    #[must_use]
    pub fn to_bytes(&self, descriptor: &Descriptor) -> Vec<u8> {
        let mut bytes = io::Cursor::new(Vec::new());
        let written = self.write(descriptor, &mut bytes, None);
        written.unwrap_or_else(|_| unreachable!("writing to memory does not fail"));
        bytes.into_inner()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn file_bytes(&self, descriptor: &Descriptor) -> u64 {
        self.header(descriptor).end()
    }

    fn header(&self, descriptor: &Descriptor) -> Header {
        let coverage = Coverage::of(&self.contents());
        Header::new(self.rules(), descriptor, coverage, self.counts_by_mode())
            .unwrap_or_else(|| unreachable!("labels that exist have a size"))
    }

    /// Writes the sections, hashed on their way out, then the header that needs their digests.
    fn write(
        &self,
        descriptor: &Descriptor,
        out: &mut (impl Write + Seek + Send),
        progress: Option<Watch<'_>>,
    ) -> io::Result<()> {
        let mut header = self.header(descriptor);
        let contents = self.contents();
        let sections: Vec<&[u8]> = match &contents {
            Contents::Dense(dense) => vec![dense.planes().bytes()],
            Contents::Sparse(sparse) => sparse.sections().into(),
        };
        let total = header.end();
        let mut done = 0;
        let mut tell = |bytes: usize| {
            done += bytes as u64;
            let told = Progress { phase: Phase::Write, done, total: Some(total) };
            match progress.map(|progress| progress(told)) {
                Some(ControlFlow::Break(())) => Err(io::Error::other(Stopped)),
                _ => Ok(()),
            }
        };
        for (section, bytes) in header.sections.iter_mut().zip(sections) {
            out.seek(SeekFrom::Start(section.start))?;
            let checksums = write_hashed(bytes, out, &mut tell)?;
            out.write_all(&checksums)?;
            section.digest = *blake3::hash(&checksums).as_bytes();
        }
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&header.encode())
    }
}

/// The reason of an error that is none: the progress function has stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the work was done")]
struct Stopped;

/// Writes `bytes` piece by piece, `told` of each, and returns the checksums of their blocks: the next piece is hashed
/// while one goes out.
fn write_hashed(
    bytes: &[u8],
    out: &mut (impl Write + Send),
    told: &mut impl FnMut(usize) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut checksums = Vec::new();
    let mut pieces = bytes.chunks(PIECE).peekable();
    let mut hashed = pieces.peek().map(|piece| hash_blocks(piece)).unwrap_or_default();
    while let Some(piece) = pieces.next() {
        checksums.append(&mut hashed);
        let written;
        (written, hashed) = match pieces.peek() {
            None => (out.write_all(piece), Vec::new()),
            Some(next) => rayon::join(|| out.write_all(piece), || hash_blocks(next)),
        };
        written?;
        told(piece.len())?;
    }
    Ok(checksums)
}

/// The checksums of a piece's blocks: on every core if it is worth waking them.
fn hash_blocks(piece: &[u8]) -> Vec<u8> {
    let hash = |block: &[u8]| *blake3::hash(block).as_bytes();
    if piece.len() < 1 << 20 {
        piece.chunks(BLOCK as usize).flat_map(hash).collect()
    } else {
        piece.par_chunks(BLOCK as usize).map(hash).collect::<Vec<_>>().into_flattened()
    }
}

/// The bytes of the file that a dense table of these rules has; `None` if a `u64` cannot say it.
#[must_use]
pub fn dense_file_bytes(rules: &Rules, descriptor: &Descriptor) -> Option<u64> {
    file_bytes(rules, descriptor, Coverage::Dense(Layout::reading_order(rules.cells())))
}

/// The bytes of the file that a sparse table of the positions counted has; `None` if a `u64` cannot say it.
#[must_use]
pub fn sparse_file_bytes(rules: &Rules, descriptor: &Descriptor, census: &Census) -> Option<u64> {
    let (levels, roots) = (census.levels.clone(), census.roots.clone());
    file_bytes(rules, descriptor, Coverage::Sparse { levels, roots })
}

fn file_bytes(rules: &Rules, descriptor: &Descriptor, coverage: Coverage) -> Option<u64> {
    let counts = vec![Counts::default(); rules.modes().len()];
    Header::new(rules, descriptor, coverage, &counts).map(|header| header.end())
}
