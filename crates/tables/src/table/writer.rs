//! Writing a table: to a temporary file, which is then renamed.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use rayon::prelude::*;

use super::header::Header;
use super::order::BlockOrder;
use super::pack::write_packed;
use super::section::{BLOCK, Content, Section};
use super::valued::{Valued, value_sections};
use super::{TableError, TableFault};
use crate::atomic_file::{WritebackFile, write_atomically};
use crate::compressed::{BlockFault, Bytes, Compression};
use crate::contents::Contents;
use crate::domain::Domain;
use crate::label::{ByLabel, Counts, LabelSet, Width};
use crate::rules::{Descriptor, Rules};
use crate::solve::{Phase, Progress, Solution, Watch};
use crate::values::Values;

/// Bytes that are hashed and passed to the operating system at a time. Small, so that writing begins early and ends
/// soon after hashing; large enough to share among threads.
const PIECE: usize = 2 << 20;

/// Tables of a solution: [`Solution`] implements it, and nothing else does.
pub trait SaveTable {
    /// The table of the solution, to be written. `descriptor` is the name of the game's family and its parameters.
    #[must_use]
    fn new_table<'a>(&'a self, descriptor: &'a Descriptor) -> NewTable<'a>;

    /// Writes the table to `path` and replaces any existing file. The table appears whole or not at all: it is
    /// written to a temporary file in the same folder, synced and renamed.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, or the disk is full. An existing file is then untouched.
    fn save(&self, descriptor: &Descriptor, path: impl AsRef<Path>) -> Result<(), TableError> {
        self.save_with(descriptor, path, |_| {}, None)
    }

    /// Like [`save`](Self::save), with the two callbacks of [`NewTable::save`].
    ///
    /// # Errors
    /// As [`NewTable::save`].
    fn save_with(
        &self,
        descriptor: &Descriptor,
        path: impl AsRef<Path>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        self.new_table(descriptor).save(path.as_ref(), temporary, progress)
    }

    /// The table's bytes, in memory.
    #[must_use]
    fn to_bytes(&self, descriptor: &Descriptor) -> Vec<u8> {
        self.to_packed_bytes(descriptor, None)
    }

    /// The table's bytes, in memory, with compressed labels if `packing` is given.
    #[must_use]
    fn to_packed_bytes(&self, descriptor: &Descriptor, packing: Option<Compression>) -> Vec<u8> {
        let written = self.new_table(descriptor).packed(packing).to_bytes();
        written.unwrap_or_else(|_| unreachable!("a solution has nothing to unpack"))
    }

    /// The size of the file in bytes, if its labels are not compressed.
    #[must_use]
    fn file_bytes(&self, descriptor: &Descriptor) -> u64 {
        self.new_table(descriptor).file_bytes()
    }
}

impl SaveTable for Solution {
    fn new_table<'a>(&'a self, descriptor: &'a Descriptor) -> NewTable<'a> {
        NewTable {
            rules: self.rules(),
            descriptor,
            domain: self.domain(),
            contents: self.contents(),
            packing: None,
            counts: self.counts_by_mode(),
            others: self.every_by_mode().or(self.orbits_by_mode()),
            codes: self.codes(),
            values: None,
        }
    }
}

/// The contents of a table to be written, from a solution or from an open table.
pub struct NewTable<'a> {
    pub(super) rules: &'a Rules,
    pub(super) descriptor: &'a Descriptor,
    pub(super) domain: &'a Domain,
    pub(super) contents: Contents<'a>,
    /// The compression of the labels, if any.
    pub(super) packing: Option<Compression>,
    /// The counts of outcomes, mode by mode.
    pub(super) counts: &'a [Counts],
    /// The counts over all boards or colourings, if `counts` cover only reachable positions; or of representatives.
    pub(super) others: Option<&'a [Counts]>,
    /// The number of positions with each code, for those one-byte labels for which it is known.
    pub(super) codes: &'a ByLabel<Vec<u64>>,
    /// The values of boards, if there are any.
    pub(super) values: Option<Values<'a>>,
}

impl<'a> NewTable<'a> {
    /// The same table with the labels compressed, or not if `packing` is `None`.
    #[must_use]
    pub const fn packed(mut self, packing: Option<Compression>) -> Self {
        self.packing = packing;
        self
    }

    /// The same table with `values` of boards, if they are given.
    #[must_use]
    pub fn with_values(self, values: Option<Values<'a>>) -> Self {
        Self { values: values.or(self.values), ..self }
    }

    /// Writes the table to `path`, as [`SaveTable::save`] says. `temporary` is called with the name of the temporary file
    /// as soon as it exists, so that an interrupted caller can remove it. `progress` is called with the number of bytes
    /// written.
    ///
    /// # Errors
    /// As [`SaveTable::save`]; [`TableFault::Cancelled`] if `progress` stops the work, in which case no file is left.
    pub fn save(
        &self,
        path: &Path,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        let write = |file: &mut File| {
            let header = self.write(&mut WritebackFile::new(file), progress)?;
            header.check_readable(file.metadata()?.len()).map_err(io::Error::other)
        };
        write_atomically(path, temporary, write).map_err(|e| {
            let is_stop = e.get_ref().is_some_and(|inner| inner.is::<Stopped>());
            TableError::at(path)(if is_stop { TableFault::Cancelled } else { fault(e) })
        })
    }

    /// The table's bytes, in memory.
    ///
    /// # Errors
    /// If a compressed block of the table that was extended cannot be decompressed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableFault> {
        // Reserve all memory at once: a vector that grows by doubling would hold the table three times.
        let room = match self.packing {
            None => usize::try_from(self.file_bytes()).unwrap_or(0),
            Some(_) => 0,
        };
        let mut bytes = io::Cursor::new(Vec::with_capacity(room));
        self.write(&mut bytes, None).map_err(fault)?;
        Ok(bytes.into_inner())
    }

    /// The size of the file in bytes, if its labels are not compressed. Nothing is counted for it.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        let header = Header::empty(self.rules, self.descriptor, self.domain.clone(), self.contents.labels());
        let header = header.unwrap_or_else(|| unreachable!("labels that exist have a size"));
        header.with_values(self.values.as_ref().map(|values| Valued::new(values, self.rules))).end()
    }

    fn header(&self) -> Result<Header, BlockFault> {
        let (contents, domain) = (&self.contents, self.domain.clone());
        let counted = contents.labels().others().map(|kind| match self.codes.of(kind) {
            Some(codes) => Ok((kind, codes.clone())),
            None => Ok((kind, contents.codes(kind)?)),
        });
        let codes = counted.collect::<Result<_, BlockFault>>()?;
        let header =
            Header::new(self.rules, self.descriptor, domain, contents.labels(), self.counts, self.others, &codes);
        let header = header.unwrap_or_else(|| unreachable!("labels that exist have a size"));
        let header = header.with_values(self.values.as_ref().map(|values| Valued::new(values, self.rules)));
        Ok(match self.packing {
            None => header,
            Some(packing) => header.packed(packing.block),
        })
    }

    /// The order in which the blocks of `section` are written; `None` for the order of their numbers.
    fn order(&self, section: &Section, block: u32) -> Option<BlockOrder> {
        if section.content.is_of_values() {
            return None;
        }
        let (bytes, block, ascends) = (section.bytes, u64::from(block), section.content == Content::Reached);
        let of = |planes: u64, plane: u64| BlockOrder { planes, plane, bytes, ascends, block };
        match (&self.contents, section.content) {
            (Contents::Coloured(coloured), content) => {
                let (planes, plane) = coloured.planes(content.label());
                Some(of(planes, plane))
            }
            (Contents::Dense(_), content) => {
                let modes = self.rules.modes().len() as u64;
                let planes = if matches!(content, Content::Planes(_, Width::Two)) { 2 * modes } else { modes };
                let blocks = bytes.div_ceil(block);
                // Bit planes that share blocks are written in the order of their bytes.
                blocks.is_multiple_of(planes).then(|| of(planes, blocks / planes * block))
            }
            (Contents::Sparse(_) | Contents::Regions(_), _) => None,
        }
    }

    /// Writes the sections and hashes them on the way. Then writes the header, which needs the digests, and returns it.
    fn write(&self, out: &mut (impl Write + Seek + Send), progress: Option<Watch<'_>>) -> io::Result<Header> {
        let mut header = self.header().map_err(io::Error::other)?;
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
        tell(0)?;
        let of_values = self.values.as_ref().map(value_sections).unwrap_or_default();
        for (number, bytes) in self.contents.sections().into_iter().chain(of_values).enumerate() {
            let section = &mut header.sections[number];
            out.seek(SeekFrom::Start(section.start))?;
            match section.packed.zip(self.packing) {
                None => {
                    let checksums = write_hashed(bytes, out, &mut tell)?;
                    out.write_all(&checksums)?;
                    section.digest = *blake3::hash(&checksums).as_bytes();
                }
                Some((_, packing)) => {
                    let order = self.order(section, packing.block);
                    let (form, digest) = write_packed(bytes, order, packing, out, &mut tell)?;
                    let section = &mut header.sections[number];
                    (section.packed, section.digest) = (Some(form), digest);
                    // Compressed, the section is shorter than planned: move the sections after it.
                    header.place();
                }
            }
        }
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&header.encode())?;
        Ok(header)
    }
}

/// The source of an error that says that the progress function stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the work was done")]
struct Stopped;

/// Writes `bytes` piece by piece, calling `told` for each, and returns the checksums of their blocks. While one piece
/// is written, the next is hashed.
fn write_hashed(
    bytes: Bytes<'_>,
    out: &mut (impl Write + Send),
    told: &mut impl FnMut(usize) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut checksums = Vec::new();
    let mut pieces = bytes.pieces(PIECE);
    // Decompresses the piece if it comes from a compressed table.
    fn hashed(piece: Bytes<'_>) -> io::Result<(Vec<u8>, Cow<'_, [u8]>)> {
        let piece = piece.all().map_err(io::Error::other)?;
        Ok((hash_blocks(&piece), piece))
    }
    let mut next = pieces.next().map(hashed).transpose()?;
    while let Some((mut hashes, piece)) = next {
        checksums.append(&mut hashes);
        let written;
        (written, next) = match pieces.next() {
            None => (out.write_all(&piece), None),
            Some(next) => {
                let (written, next) = rayon::join(|| out.write_all(&piece), || hashed(next));
                (written, Some(next?))
            }
        };
        written?;
        told(piece.len())?;
    }
    Ok(checksums)
}

/// The checksums of the blocks of a piece, computed on all cores if the piece is large enough for that.
fn hash_blocks(piece: &[u8]) -> Vec<u8> {
    let hash = |block: &[u8]| *blake3::hash(block).as_bytes();
    if piece.len() < 1 << 20 {
        piece.chunks(BLOCK as usize).flat_map(hash).collect()
    } else {
        piece.par_chunks(BLOCK as usize).map(hash).collect::<Vec<_>>().into_flattened()
    }
}

/// The fault behind `error`: a system error, or damaged data in the table that was being copied.
fn fault(error: io::Error) -> TableFault {
    match error.downcast::<TableFault>() {
        Ok(fault) => fault,
        Err(error) => match error.downcast::<BlockFault>() {
            Ok(block) => TableFault::Labels(block.into()),
            Err(error) => error.into(),
        },
    }
}

/// The size in bytes of the file of a table of `domain` with `labels`, uncompressed; `None` if it exceeds a `u64`.
#[must_use]
pub fn file_bytes(rules: &Rules, descriptor: &Descriptor, domain: &Domain, labels: LabelSet) -> Option<u64> {
    Header::empty(rules, descriptor, domain.clone(), labels).map(|header| header.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesSpec;
    use crate::solve::scalar;

    #[test]
    fn unreadable_tables_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.tb");
        let rules = RulesSpec::new("some", 5).build().unwrap();
        let solution = scalar(&rules, None, LabelSet::OUTCOME).unwrap();
        solution.save(&Descriptor::default(), &path).unwrap();
        let before = std::fs::read(&path).unwrap();
        let descriptor = Descriptor::default();
        let wrong = NewTable { counts: &[Counts::default()], ..solution.new_table(&descriptor) };
        let error = wrong.save(&path, |_| {}, None).unwrap_err();
        assert!(matches!(error.fault, TableFault::Malformed(_)), "{error}");
        assert!(std::fs::read(&path).unwrap() == before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
