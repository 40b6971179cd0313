//! The bit planes of a sweep: their size, and checks that memory and disk have room for them.

use std::path::Path;

use super::disk::{DiskNeed, most_compressed};
use super::machine::can_map;
use super::memory_budget::{
    Shortage, check_coloured_memory, check_dense_memory, check_disk, check_room, coloured_memory_bytes,
    dense_memory_bytes,
};
use super::roots::marks_boards;
use super::symmetry::{SearchEffort, fold_of, folded_frame};
use super::{Engine, EngineError, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::domain::Domain;
use tablegen_index::plane::Layout;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solve::{Method, SlicePlan, check_method, coloured};
use tablegen_tables::table::file_bytes;

/// The bit planes of a game that is swept. Their size is known before solving.
pub(super) struct Planes<'a> {
    game: &'a dyn Game,
    /// Every board or every colouring; up to symmetry, only some slices of them.
    domain: Domain,
}

impl<'a> Planes<'a> {
    /// The bit planes in which `method` solves `game`; `None` for the methods that solve reachable positions.
    ///
    /// # Errors
    /// If the method cannot solve the game.
    pub(super) fn of(game: &'a dyn Game, method: Method) -> Result<Option<Self>, EngineError> {
        let rules = game.rules();
        check_method(rules, method)?;
        let domain = match method {
            Method::Dense => {
                let starts = if marks_boards(rules) { rules.starts_and(&game.roots()) } else { Vec::new() };
                Domain::dense(Layout::reading_order(rules.cells()), starts)
            }
            Method::Coloured => Domain::Coloured(coloured(rules, &game.roots()).map_err(|reason| reason.error(rules))?),
            Method::Sparse | Method::Cyclic => return Ok(None),
        };
        Ok(Some(Self { game, domain }))
    }

    /// The same bit planes up to the symmetries that `asked` allows, if that pays for a table with `labels`.
    ///
    /// # Errors
    /// If the game declares a symmetry that it does not have.
    pub(super) fn folded(
        self,
        asked: UseSymmetry,
        labels: LabelSet,
        effort: SearchEffort,
    ) -> Result<Self, EngineError> {
        let (game, bytes) = (self.game, self.file_bytes(labels));
        let folded = match &self.domain {
            Domain::Coloured(frame) => folded_frame(game, frame, asked, bytes)?.map(Domain::Coloured),
            domain => {
                let starts = domain.starts().to_vec();
                fold_of(game, asked, bytes, effort)?.map(|fold| Domain::folded(fold, starts))
            }
        };
        Ok(Self { game, domain: folded.unwrap_or(self.domain) })
    }

    /// The positions that are swept.
    pub(super) const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The symmetries up to which slices are stored.
    pub(super) fn symmetry(&self) -> &Group {
        self.domain.group()
    }

    /// The same bit planes without symmetry.
    fn every(&self) -> Domain {
        match &self.domain {
            Domain::Dense { layout, starts, .. } => Domain::dense(layout.clone(), starts.clone()),
            Domain::Coloured(frame) => Domain::Coloured(frame.every().clone()),
            domain => domain.clone(),
        }
    }

    /// The fraction of all boards or colourings that is stored.
    pub(super) fn stored_part(&self) -> f64 {
        let rules = self.game.rules();
        self.domain.stored_positions(rules) as f64 / self.every().stored_positions(rules) as f64
    }

    /// True if there are enough positions to form slices.
    pub(super) fn divides(&self) -> bool {
        matches!(self.domain, Domain::Coloured(_)) || self.game.rules().cells() >= SlicePlan::LEAST_CELLS
    }

    /// The number of colourings, in a two-colour game.
    pub(super) fn colourings(&self) -> Option<u64> {
        let Domain::Coloured(frame) = &self.domain else { return None };
        frame.count()
    }

    /// Peak memory in bytes of a build with `labels`; `None` if it is more than any machine has.
    pub(super) fn memory_bytes(&self, labels: LabelSet) -> Option<u64> {
        let rules = self.game.rules();
        match &self.domain {
            Domain::Coloured(frame) => coloured_memory_bytes(frame, rules, labels),
            domain => dense_memory_bytes(rules, labels, domain.is_marked()),
        }
    }

    /// The size in bytes of the table with `labels`; `None` if it does not fit a `u64`.
    pub(super) fn file_bytes(&self, labels: LabelSet) -> Option<u64> {
        file_bytes(self.game.rules(), &self.game.descriptor(), &self.domain, labels)
    }

    /// The size in bytes of the table with `labels` without symmetry.
    pub(super) fn every_bytes(&self, labels: LabelSet) -> Option<u64> {
        file_bytes(self.game.rules(), &self.game.descriptor(), &self.every(), labels)
    }

    /// The disk space that the table with `labels` needs on the disk of `path`, where `kept` bytes are already written;
    /// `None` if it does not fit a `u64`.
    pub(super) fn disk(&self, path: &Path, labels: LabelSet, kept: u64, compresses: bool) -> Option<DiskNeed> {
        Some(DiskNeed::new(path, self.file_bytes(labels)?, kept, self.domain.method(), compresses))
    }

    /// Checks that `labels` fit into the available memory and into `limit`. Without a limit, they must fit into three
    /// quarters of the available memory.
    ///
    /// # Errors
    /// If they do not fit.
    pub(super) fn check_memory(&self, labels: LabelSet, limit: Option<u64>) -> Result<(), Shortage> {
        let rules = self.game.rules();
        match &self.domain {
            Domain::Coloured(frame) => check_coloured_memory(frame, rules, labels, limit),
            domain => check_dense_memory(rules, labels, domain.is_marked(), limit),
        }
    }

    /// Checks that `folder` has room for the table with `labels`, of which `kept` bytes are already written. If slices
    /// are compressed as they are finished, their final size is unknown, so only the least possible size is required.
    ///
    /// # Errors
    /// If there is not enough room.
    pub(super) fn check_disk(
        &self,
        folder: &Path,
        labels: LabelSet,
        kept: u64,
        compresses_slices: bool,
    ) -> Result<(), Shortage> {
        let least = if compresses_slices { most_compressed(self.domain.method()) } else { 1 };
        let bytes = self.file_bytes(labels).map(|bytes| (bytes / least).saturating_sub(kept));
        match &self.domain {
            Domain::Coloured(_) => check_room(folder, bytes.unwrap_or(u64::MAX)),
            domain => check_disk(folder, bytes, self.game.rules(), labels, domain.is_marked()),
        }
    }
}

impl Engine {
    /// The bit planes in which `method` solves `game` with `labels`, up to the symmetries that `asked` allows. Symmetry
    /// needs slices and a table that is mapped at the end. `None` for the methods that solve reachable positions.
    ///
    /// # Errors
    /// If the method cannot solve the game, or the game declares a symmetry that it does not have.
    pub(super) fn planes<'g>(
        &self,
        game: &'g dyn Game,
        method: Method,
        asked: UseSymmetry,
        labels: LabelSet,
        effort: SearchEffort,
    ) -> Result<Option<Planes<'g>>, EngineError> {
        let Some(planes) = Planes::of(game, method)? else { return Ok(None) };
        let maps = self.access.maps() && can_map(planes.file_bytes(labels));
        if maps { planes.folded(asked, labels, effort).map(Some) } else { Ok(Some(planes)) }
    }
}

/// The resource that this machine lacks to solve `game` by `method`; `None` if it has enough, or if that is known only
/// after solving.
#[must_use]
pub fn shortage(game: &dyn Game, method: Method) -> Option<Shortage> {
    let planes = Planes::of(game, method).ok().flatten()?;
    planes.check_memory(LabelSet::OUTCOME, None).err()
}
