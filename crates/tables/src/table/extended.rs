//! Extending a table with labels that it lacks.

use std::path::Path;
use std::time::Duration;

use super::writer::{ToWrite, file_bytes};
use super::{Table, TableError};
use crate::compressed::Compression;
use crate::contents::Contents;
use crate::label::{Counts, LabelSet};
use crate::rules::Descriptor;
use crate::solve::{Added, Options, SolveError, SolvedValues, Watch, add};

/// A table and the labels that were solved for it. If the table is right, the saved result is byte for byte the table
/// that solving all labels at once makes.
pub struct Extended {
    table: Table,
    added: Added,
    values: Option<SolvedValues>,
}

impl Table {
    /// Solves those labels of `options` that the table lacks, on all cores of the current rayon pool. Labels that it
    /// has are not solved again: of a dense table only the layout is read, of a sparse table only the keys. The method,
    /// the roots and the layout in `options` are ignored.
    ///
    /// The table's bytes are not checked here. Check them before with [`verify::bytes`](crate::verify::bytes()).
    ///
    /// # Errors
    /// If the rules do not have such a label, memory is insufficient or its limit would be exceeded, the keys differ
    /// from the reachable positions, or the progress function stops the work.
    pub fn extended(self, options: &Options<'_>) -> Result<Extended, SolveError> {
        let added = add(self.rules(), &self.contents(), options)?;
        Ok(Extended { table: self, added, values: None })
    }

    /// The size in bytes of this table with `labels` in place of its own; `None` if it does not fit a `u64`.
    #[must_use]
    pub fn file_bytes_with(&self, descriptor: &Descriptor, labels: LabelSet) -> Option<u64> {
        file_bytes(self.rules(), descriptor, self.domain(), labels)
    }
}

impl Extended {
    /// The same with other values of boards.
    #[must_use]
    pub fn with_values(self, values: Option<SolvedValues>) -> Self {
        Self { values, ..self }
    }

    /// The table without the added labels.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The labels, old and new.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        self.table.contents().with(self.added.bytes())
    }

    /// The counts of outcomes, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        self.table.counts_by_mode()
    }

    /// The program that computed the added labels: a kernel of the sweep, or `sparse`.
    #[must_use]
    pub const fn program(&self) -> &'static str {
        self.added.program()
    }

    /// The time spent solving the added labels.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.added.solve_time()
    }

    /// Writes the table to `path`, as [`SaveTable::save_with`](super::SaveTable::save_with) does, compressed like
    /// the old table. `path` may be the path of the old table.
    ///
    /// # Errors
    /// As [`SaveTable::save_with`](super::SaveTable::save_with).
    pub fn save_with(
        &self,
        descriptor: &Descriptor,
        path: impl AsRef<Path>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        self.save_packed(descriptor, path, self.table.packing(), temporary, progress)
    }

    /// Like [`save_with`](Self::save_with), but compresses the labels with `packing`; `None` leaves them uncompressed.
    ///
    /// # Errors
    /// As [`save_with`](Self::save_with).
    pub fn save_packed(
        &self,
        descriptor: &Descriptor,
        path: impl AsRef<Path>,
        packing: Option<Compression>,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), TableError> {
        self.to_write(packing).save(descriptor, path.as_ref(), temporary, progress)
    }

    /// The table's bytes, in memory, compressed like the old table.
    ///
    /// # Errors
    /// If a compressed block of the old table cannot be decompressed.
    pub fn to_bytes(&self, descriptor: &Descriptor) -> Result<Vec<u8>, TableError> {
        Ok(self.to_write(self.table.packing()).to_bytes(descriptor)?)
    }

    /// The size of the file in bytes if its labels are not compressed.
    #[must_use]
    pub fn file_bytes(&self, descriptor: &Descriptor) -> u64 {
        self.to_write(None).file_bytes(descriptor)
    }

    fn to_write(&self, packing: Option<Compression>) -> ToWrite<'_> {
        let (counts, others) = (self.counts_by_mode(), self.table.every_by_mode().or(self.table.orbits_by_mode()));
        ToWrite {
            rules: self.table.rules(),
            domain: self.table.domain(),
            contents: self.contents(),
            packing,
            counts,
            others,
            codes: &[],
            values: self.values.as_ref().map(SolvedValues::values).or_else(|| self.table.values()),
        }
    }
}

impl std::fmt::Debug for Extended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extended").field("table", &self.table).field("labels", &self.contents().labels()).finish()
    }
}
