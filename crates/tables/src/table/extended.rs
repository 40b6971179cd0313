//! Extending a table with labels that it lacks.

use std::time::Duration;

use super::writer::{NewTable, file_bytes};
use super::{Table, TableError};
use crate::label::{ByLabel, Counts, LabelSet};
use crate::rules::Descriptor;
use crate::solve::{Added, Options, SolveError, add};

/// A table and the labels that were solved for it. If the table is right, the saved result is byte for byte the table
/// that solving all labels at once makes.
pub struct Extended {
    table: Table,
    added: Added,
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
        Ok(Extended { table: self, added })
    }

    /// The size in bytes of this table with `labels` in place of its own; `None` if it does not fit a `u64`.
    #[must_use]
    pub fn file_bytes_with(&self, descriptor: &Descriptor, labels: LabelSet) -> Option<u64> {
        file_bytes(self.rules(), descriptor, self.domain(), labels)
    }
}

impl Extended {
    /// The table without the added labels.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The number of positions with labels.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.table.contents().count()
    }

    /// The counts of outcomes, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        self.table.counts_by_mode()
    }

    /// The program that computed the added labels: a kernel of the sweep, or `sparse`.
    #[must_use]
    pub const fn program(&self) -> &'static str {
        self.added.program
    }

    /// The time spent solving the added labels.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.added.solve_time
    }

    /// The table's bytes, in memory, compressed like the old table.
    ///
    /// # Errors
    /// If a compressed block of the old table cannot be decompressed.
    pub fn to_bytes(&self, descriptor: &Descriptor) -> Result<Vec<u8>, TableError> {
        Ok(self.new_table(descriptor).to_bytes()?)
    }

    /// The size of the file in bytes if its labels are not compressed.
    #[must_use]
    pub fn file_bytes(&self, descriptor: &Descriptor) -> u64 {
        self.new_table(descriptor).file_bytes()
    }

    /// The extended table, to be written, compressed like the old table. It may be written to the path of the old table.
    #[must_use]
    pub fn new_table<'a>(&'a self, descriptor: &'a Descriptor) -> NewTable<'a> {
        NewTable {
            rules: self.table.rules(),
            descriptor,
            domain: self.table.domain(),
            contents: self.table.contents().with(self.added.bytes(self.table.rules())),
            packing: self.table.packing(),
            counts: self.counts_by_mode(),
            others: self.table.every_by_mode().or(self.table.orbits_by_mode()),
            codes: &ByLabel::NONE,
            values: self.table.values(),
        }
    }
}

impl std::fmt::Debug for Extended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extended")
            .field("table", &self.table)
            .field("labels", &self.table.labels().union(self.added.columns.labels()))
            .finish()
    }
}
