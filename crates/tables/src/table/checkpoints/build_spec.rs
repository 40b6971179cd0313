//! The specification of a table to be built with checkpoints, and its comparison with an unfinished table on disk.

use std::path::Path;

use super::folder::JOURNAL;
use super::journal::Subject;
use crate::compressed::Compression;
use crate::label::LabelSet;
use crate::reachable::Levels;
use crate::rules::{Descriptor, Position, Rules};
use crate::solve::{PlaneKind, SlicePlan};
use crate::symmetry::Group;
use crate::table::TableError;
use crate::table::domain::of_levels;
use crate::table::header::Header;

/// The specification of a table that is built slice by slice.
#[derive(Clone, Copy)]
pub struct BuildSpec<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The name of the game's family and its parameters.
    pub descriptor: &'a Descriptor,
    /// The positions that reachability is computed from, which include the starts of the rules; empty without
    /// reachability bits.
    pub starts: &'a [Position],
    /// The labels.
    pub labels: LabelSet,
    /// The compression of the labels, if they are to be compressed.
    pub compression: Option<Compression>,
    /// Store slices uncompressed until all are finished, even if the table will be compressed. Several processes need
    /// this, because they write slices in no fixed order.
    pub raw: bool,
}

impl BuildSpec<'_> {
    /// The compression of slices as they are finished, if they can be compressed then. Slices of boards can if their
    /// bit planes consist of whole blocks. Compressed slices lie one behind the other, so all planes before them must be finished.
    /// Otherwise the table is compressed at the end.
    #[must_use]
    pub fn compression_of_slices(&self, plan: &SlicePlan) -> Option<Compression> {
        let plane_bytes = |&plane_kind: &PlaneKind| plan.equal_plane_bytes(plane_kind);
        self.compression.filter(|compression| {
            let block = u64::from(compression.block);
            let is_whole = |bytes: u64| bytes.is_multiple_of(block);
            !self.raw && plan.sweeps_as_stored() && plan.plane_kinds().iter().filter_map(plane_bytes).all(is_whole)
        })
    }

    /// The table's header before anything is counted or compressed.
    pub(super) fn header(&self, plan: &SlicePlan) -> Header {
        let header = Header::empty(self.rules, self.descriptor, plan.domain(self.starts.to_vec()), self.labels);
        header.unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// The subject that identifies the journal of the table with this header and this `plan`.
    pub(super) fn subject(&self, header: &Header, plan: &SlicePlan) -> Subject {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&header.encode());
        if let Some(Compression { block, level }) = self.compression {
            hasher.update(&block.to_le_bytes()).update(&level.to_le_bytes());
        }
        let (identity, slice_cells) = (*hasher.finalize().as_bytes(), plan.slice_cells());
        Subject { identity, slice_cells, raw: self.raw && self.compression.is_some() }
    }
}

/// The specification of a sparse table that is built level by level.
#[derive(Clone, Copy)]
pub struct LevelBuildSpec<'a> {
    /// The rules, which have a potential.
    pub rules: &'a Rules,
    /// The name of the game's family and its parameters.
    pub descriptor: &'a Descriptor,
    /// The positions that reachability is computed from.
    pub roots: &'a [Position],
    /// The symmetries up to which positions are stored.
    pub group: &'a Group,
    /// The labels. Compression of the finished table makes no difference here.
    pub labels: LabelSet,
}

impl LevelBuildSpec<'_> {
    /// The subject that identifies the table's journal.
    pub(super) fn subject(&self) -> Subject {
        let levels = self.rules.potential().and_then(|potential| Levels::new(self.rules, potential, &[]));
        let header = levels.and_then(|levels| {
            let domain = of_levels(levels, self.roots.to_vec(), self.group.clone());
            Header::empty(self.rules, self.descriptor, domain, self.labels)
        });
        // Rules without levels are never built level by level, so any identity will do.
        let identity = header.map_or([0; 32], |header| *blake3::hash(&header.encode()).as_bytes());
        Subject { identity, slice_cells: 0, raw: false }
    }
}

/// The state of a folder that may hold an unfinished table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// The folder holds no unfinished table.
    None,
    /// The folder holds an unfinished build of the same table.
    Same {
        /// The number of slice cells: cells whose values select a slice.
        cells: u32,
        /// The slices are stored uncompressed, even if the table will be compressed.
        raw: bool,
    },
    /// The folder holds a table of other rules or options, or of another version of the program.
    Other,
}

impl Unfinished {
    /// The state of `folder` for a build of `spec` by `plan`. The number of slices in `plan` does not matter.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(folder: &Path, spec: &BuildSpec<'_>, plan: &SlicePlan) -> Result<Self, TableError> {
        Self::of_subject(folder, &spec.subject(&spec.header(plan), plan))
    }

    /// The state of `folder` for a build of `spec` level by level.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_levels(folder: &Path, spec: &LevelBuildSpec<'_>) -> Result<Self, TableError> {
        Self::of_subject(folder, &spec.subject())
    }

    pub(super) fn of_subject(folder: &Path, own: &Subject) -> Result<Self, TableError> {
        let subject = Subject::of(&folder.join(JOURNAL)).map_err(|error| TableError::at(folder)(error.into()))?;
        Ok(match subject {
            None => Self::None,
            Some(subject) if subject.identity == own.identity => {
                Self::Same { cells: subject.slice_cells, raw: subject.raw }
            }
            Some(_) => Self::Other,
        })
    }
}
