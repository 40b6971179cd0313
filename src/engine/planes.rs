//! The bit planes of a sweep: their size, and checks that memory and disk have room for them.

use std::path::Path;

use super::disk::DiskNeed;
use super::machine::can_map;
use super::memory_budget::{
    Shortage, check_coloured_memory, check_dense_memory, check_disk, check_room, coloured_memory_bytes,
    dense_memory_bytes,
};
use super::roots::marks_boards;
use super::sliced::Sliced;
use super::symmetry::{SearchEffort, fold_of, folded_frame};
use super::{Engine, EngineError, UseSymmetry};
use tablegen_core::colourings::{Frame, SquareFold};
use tablegen_core::label::LabelSet;
use tablegen_core::symmetry::{Fold, Group};
use tablegen_games::Game;
use tablegen_solve::{Method, SlicePlan, check_method, coloured};
use tablegen_tables::table::{coloured_file_bytes, dense_file_bytes, folded_file_bytes, marked_file_bytes};

/// The best compression ratio that a disk check assumes. Large games reach 3 to 5.
const COMPRESSED_TO: u64 = 8;

/// The bit planes of a game that is swept. Their size is known before solving.
pub(super) struct Planes<'a> {
    game: &'a dyn Game,
    kind: Kind,
}

enum Kind {
    /// Bit planes of every board; with a fold, of the representatives of slices.
    Boards(Option<Fold>),
    /// Bit planes of every colouring, placed by this frame; up to symmetry, if the frame is folded.
    Colourings(Box<Frame>),
}

impl<'a> Planes<'a> {
    /// The bit planes in which `method` solves `game`; `None` for the methods that solve reachable positions.
    ///
    /// # Errors
    /// If the method cannot solve the game.
    pub(super) fn of(game: &'a dyn Game, method: Method) -> Result<Option<Self>, EngineError> {
        check_method(game.rules(), method)?;
        let kind = match method {
            Method::Dense => Kind::Boards(None),
            Method::Coloured => {
                let frame = coloured(game.rules(), &game.roots()).map_err(|reason| reason.error(game.rules()))?;
                Kind::Colourings(Box::new(frame))
            }
            Method::Sparse | Method::Cyclic => return Ok(None),
        };
        Ok(Some(Self { game, kind }))
    }

    /// The same bit planes up to the symmetries that `asked` allows, if that pays for a table with `labels`.
    ///
    /// # Errors
    /// If the game declares a symmetry that it does not have.
    pub(super) fn folded(
        mut self,
        asked: UseSymmetry,
        labels: LabelSet,
        effort: SearchEffort,
    ) -> Result<Self, EngineError> {
        let bytes = self.file_bytes(labels);
        match &mut self.kind {
            Kind::Boards(fold) => *fold = fold_of(self.game, asked, bytes, effort)?,
            Kind::Colourings(frame) => {
                if let Some(folded) = folded_frame(self.game, frame, asked, bytes)? {
                    **frame = folded;
                }
            }
        }
        Ok(self)
    }

    /// The symmetries, if only representatives are stored.
    pub(super) fn symmetry(&self) -> Option<&Group> {
        match &self.kind {
            Kind::Boards(fold) => fold.as_ref().map(Fold::group),
            Kind::Colourings(frame) => frame.fold().map(SquareFold::group),
        }
    }

    /// The fraction of all boards or colourings that is stored.
    pub(super) fn stored_part(&self) -> f64 {
        let (stored, all) = match &self.kind {
            Kind::Boards(None) => return 1.0,
            Kind::Boards(Some(fold)) => (fold.stored_positions(), self.game.rules().positions() as f64),
            Kind::Colourings(frame) => (frame.stored_positions(), frame.count().unwrap_or(u64::MAX) as f64),
        };
        stored as f64 / all
    }

    /// True if there are enough positions to form slices.
    pub(super) fn divides(&self) -> bool {
        match &self.kind {
            Kind::Boards(_) => self.game.rules().cells() >= SlicePlan::LEAST_CELLS,
            Kind::Colourings(_) => true,
        }
    }

    /// The positions that are sliced, if the game is solved slice by slice.
    pub(super) fn sliced(&self) -> Sliced<'_> {
        match &self.kind {
            Kind::Boards(fold) => Sliced::Boards(fold.as_ref()),
            Kind::Colourings(frame) => Sliced::Colourings(frame),
        }
    }

    /// The number of colourings, in a two-colour game.
    pub(super) fn colourings(&self) -> Option<u64> {
        match &self.kind {
            Kind::Boards(_) => None,
            Kind::Colourings(frame) => frame.count(),
        }
    }

    /// Peak memory in bytes of a build with `labels`; `None` if it is more than any machine has.
    pub(super) fn memory_bytes(&self, labels: LabelSet) -> Option<u64> {
        let rules = self.game.rules();
        match &self.kind {
            Kind::Boards(_) => dense_memory_bytes(rules, labels, marks_boards(rules)),
            Kind::Colourings(frame) => coloured_memory_bytes(frame, rules, labels),
        }
    }

    /// The size in bytes of the table with `labels`; `None` if it does not fit a `u64`.
    pub(super) fn file_bytes(&self, labels: LabelSet) -> Option<u64> {
        let (rules, descriptor) = (self.game.rules(), self.game.descriptor());
        match &self.kind {
            Kind::Boards(Some(fold)) => {
                let roots = marks_boards(rules).then(|| rules.starts_and(&self.game.roots()));
                folded_file_bytes(rules, fold, roots, &descriptor, labels)
            }
            Kind::Boards(None) if marks_boards(rules) => {
                marked_file_bytes(rules, &self.game.roots(), &descriptor, labels)
            }
            Kind::Boards(None) => dense_file_bytes(rules, &descriptor, labels),
            Kind::Colourings(frame) => coloured_file_bytes((**frame).clone(), rules, &descriptor, labels),
        }
    }

    /// The size in bytes of the table with `labels` without symmetry.
    pub(super) fn every_bytes(&self, labels: LabelSet) -> Option<u64> {
        match &self.kind {
            Kind::Boards(_) => Planes { game: self.game, kind: Kind::Boards(None) }.file_bytes(labels),
            Kind::Colourings(frame) => {
                let (rules, every) = (self.game.rules(), frame.every().clone());
                coloured_file_bytes(every, rules, &self.game.descriptor(), labels)
            }
        }
    }

    /// The disk space that the table with `labels` needs on the disk of `path`, where `kept` bytes are already written;
    /// `None` if it does not fit a `u64`.
    pub(super) fn disk(&self, path: &Path, labels: LabelSet, kept: u64, compresses: bool) -> Option<DiskNeed> {
        let method = match &self.kind {
            Kind::Boards(_) => Method::Dense,
            Kind::Colourings(_) => Method::Coloured,
        };
        Some(DiskNeed::new(path, self.file_bytes(labels)?.saturating_sub(kept), method, compresses))
    }

    /// Checks that `labels` fit into the available memory and into `limit`. Without a limit, they must fit into three
    /// quarters of the available memory.
    ///
    /// # Errors
    /// If they do not fit.
    pub(super) fn check_memory(&self, labels: LabelSet, limit: Option<u64>) -> Result<(), Shortage> {
        let rules = self.game.rules();
        match &self.kind {
            Kind::Boards(_) => check_dense_memory(rules, labels, marks_boards(rules), limit),
            Kind::Colourings(frame) => check_coloured_memory(frame, rules, labels, limit),
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
        let least = if compresses_slices { COMPRESSED_TO } else { 1 };
        let bytes = self.file_bytes(labels).map(|bytes| (bytes / least).saturating_sub(kept));
        match &self.kind {
            Kind::Boards(_) => check_disk(folder, bytes, self.game.rules(), labels, marks_boards(self.game.rules())),
            Kind::Colourings(_) => check_room(folder, bytes.unwrap_or(u64::MAX)),
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
