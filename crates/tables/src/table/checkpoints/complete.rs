//! Completing an unfinished table: writes everything except the slices, then gives the file its name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::folder::{TABLE, clear};
use super::place::SectionSlices;
use super::{BuildSpec, SliceCheckpoints, lock_of};
use crate::atomic_file::{sync_folder, write_atomically};
use crate::compressed::{Compression, Entry, Index};
use crate::label::ByLabel;
use crate::solve::{PlaneKind, SlicePlan, Swept};
use crate::table::file::{read_at, write_at};
use crate::table::header::Header;
use crate::table::lock::BuildLock;
use crate::table::section::{BLOCK, Section};
use crate::table::{TableError, TableFault};

/// A completed table that is still in its folder.
pub struct Complete {
    folder: PathBuf,
    /// The folder's lock, held until the table is placed or removed.
    lock: Arc<BuildLock>,
}

impl SliceCheckpoints {
    /// Completes the table with the counts of all slices in `swept`.
    ///
    /// # Errors
    /// If it cannot be written. It can then be opened again.
    ///
    /// # Panics
    /// If a slice is not finished.
    pub fn complete(self, swept: &Swept, spec: &BuildSpec<'_>, plan: &SlicePlan) -> Result<Complete, TableError> {
        let lock = self.lock.clone().unwrap_or_else(|| unreachable!("the process that keeps the journal completes it"));
        lock.check().and_then(|()| self.write_rest(swept, spec, plan)).map_err(TableError::at(&self.folder))?;
        Ok(Complete { folder: self.folder.clone(), lock })
    }

    /// Writes everything except the slices: the checksums or the index of each section, and the header.
    fn write_rest(&self, swept: &Swept, spec: &BuildSpec<'_>, plan: &SlicePlan) -> Result<(), TableFault> {
        let every = swept.counts(PlaneKind::Outcomes).unwrap_or_default();
        let reached = swept.counts(PlaneKind::Reached);
        let others = reached.as_ref().map(|_| every.as_slice());
        let codes = ByLabel::new(|kind| {
            let found = swept.tallies.iter().find(|(found, _)| *found == PlaneKind::Label(kind));
            found.map(|(_, codes)| codes.clone())
        });
        let counts = reached.as_ref().unwrap_or(&every);
        let (domain, labels) = (plan.domain(spec.starts.to_vec()), spec.labels);
        let header = Header::new(spec.rules, spec.descriptor, domain, labels, counts, others, &codes);
        let mut header = header.unwrap_or_else(|| unreachable!("a plan has sizes"));
        if let Some(compression) = self.compression {
            header = header.packed(compression.block);
        }
        for (number, place) in self.places.iter().enumerate() {
            match self.compression {
                Some(compression) => {
                    self.write_index(&mut header.sections[number], place, compression)?;
                    // Compressed, the section is shorter than planned: move the sections after it.
                    header.place();
                }
                None => {
                    let section = &mut header.sections[number];
                    let checksums = if place.has_blocks() {
                        self.checksums(place)
                    } else {
                        self.hashed(section.start, section.bytes)?
                    };
                    write_at(&self.file, &checksums, section.checksums())?;
                    section.digest = *blake3::hash(&checksums).as_bytes();
                }
            }
        }
        // No checksum covers the bytes between sections, so those in the file may have been changed.
        for pair in header.sections.windows(2) {
            let (start, end) = (pair[0].end(), pair[1].start);
            write_at(&self.file, &vec![0; (end - start) as usize], start)?;
        }
        self.file.set_len(header.end())?;
        header.check_readable(header.end())?;
        write_at(&self.file, &header.encode(), 0)?;
        Ok(self.file.sync_all()?)
    }

    /// Writes the index of a compressed section behind its blocks.
    fn write_index(&self, section: &mut Section, place: &SectionSlices, compression: Compression) -> io::Result<()> {
        let start = self.start_of(place.plane_kind);
        debug_assert_eq!(start, section.start, "sections lie where they were written");
        let mut index = Index::new(section.bytes, compression.block);
        let finished = lock_of(&self.finished);
        for rank in 0..self.slices {
            let record = &finished[&(place.plane_kind, rank)].record;
            let mut offset = record.offset() - start;
            let lengths = record.blocks.iter().flat_map(|blocks| &blocks.lengths);
            let blocks = place.blocks(rank).into_iter().zip(lengths).zip(&record.checksums);
            for ((number, &length), &checksum) in blocks {
                index.place_entry(number, Entry { offset, length, checksum });
                offset += u64::from(length);
            }
        }
        drop(finished);
        let stored = index.stored();
        let (form, tail, digest) = index.finish();
        write_at(&self.file, &tail, start + stored)?;
        (section.packed, section.digest) = (Some(form), digest);
        Ok(())
    }

    /// The checksums of the blocks of a section, as recorded when its slices were written.
    fn checksums(&self, place: &SectionSlices) -> Vec<u8> {
        let finished = lock_of(&self.finished);
        let mut all = Vec::new();
        for plane in 0..place.planes() as usize {
            for rank in 0..self.slices {
                let units = place.units_of_plane(rank);
                let of_slice = &finished[&(place.plane_kind, rank)].record.checksums;
                all.extend_from_slice(of_slice[plane * units..(plane + 1) * units].as_flattened());
            }
        }
        all
    }

    /// The checksums of the blocks of a section, computed by reading the file.
    fn hashed(&self, start: u64, bytes: u64) -> io::Result<Vec<u8>> {
        let of_block = |block: u64| {
            let mut buffer = vec![0; (bytes - block * BLOCK).min(BLOCK) as usize];
            read_at(&self.file, &mut buffer, start + block * BLOCK)?;
            Ok::<_, io::Error>(*blake3::hash(&buffer).as_bytes())
        };
        let hashes = (0..bytes.div_ceil(BLOCK)).into_par_iter().map(of_block).collect::<io::Result<Vec<_>>>()?;
        Ok(hashes.into_flattened())
    }
}

impl Complete {
    /// The path of the completed file.
    #[must_use]
    pub fn table(&self) -> PathBuf {
        self.folder.join(TABLE)
    }

    /// Moves the table to `path`, and removes its folder. Where `path` is on another disk, the table is copied there first,
    /// and `temporary` is called with the name of the copy.
    ///
    /// # Errors
    /// If it cannot be renamed, or copied where `path` is on another disk.
    pub fn place(self, path: &Path, temporary: impl FnOnce(&Path)) -> Result<(), TableError> {
        let table = self.table();
        let place = || -> io::Result<()> {
            match fs::rename(&table, path) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                    write_atomically(path, temporary, |file| io::copy(&mut File::open(&table)?, file).map(drop))?;
                }
                renamed => renamed?,
            }
            sync_folder(path);
            Ok(())
        };
        self.lock.check().map_err(TableError::at(path))?;
        place().map_err(|error| TableError::at(path)(error.into()))?;
        self.remove();
        Ok(())
    }

    /// Removes the table and its folder, after the caller has stored the table elsewhere in another form.
    pub fn remove(self) {
        // Leftover files do no harm.
        let _ = clear(&self.folder, self.lock);
    }
}
