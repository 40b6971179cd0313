//! The sweep of a game: its positions, their sizes, and checks that memory and disk have room for them.

use std::path::Path;
use std::time::Duration;

use crate::plan::compress::Compress;
use crate::plan::cost::SolverTraits;
use crate::plan::disk::DiskNeed;
use crate::plan::machine::can_map;
use crate::plan::memory_budget::{BitPlanes, Shortage, check_coloured_memory, check_room, coloured_memory_bytes};
use crate::plan::symmetry::{SearchEffort, fold_of, folded_frame};
use crate::roots::marks_boards;
use crate::{Choice, Engine, EngineError, UseSymmetry};
use tablegen_games::Game;
use tablegen_index::colourings::{ColouredShape, Frame};
use tablegen_index::compressed::Compression;
use tablegen_index::domain::Domain;
use tablegen_index::plane::Layout;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_rules::Position;
use tablegen_solvers::{Kernel, Method, SlicePlan, SliceTask, check_method, coloured};
use tablegen_tables::table::file_bytes;

/// The sweep of a game. All sizes are known before solving; a size is `None` if it does not fit a `u64`.
pub(crate) struct SweepPlan<'a> {
    pub(crate) game: &'a dyn Game,
    pub(crate) labels: LabelSet,
    /// Every board or every colouring; up to symmetry, only some slices of them.
    domain: Domain,
    /// The size in bytes of the table.
    pub(crate) file_bytes: Option<u64>,
    /// The size in bytes of the table without symmetry.
    every_bytes: Option<u64>,
    /// The number of positions without symmetry.
    every: u64,
}

impl<'a> SweepPlan<'a> {
    /// The sweep in which `method` solves `labels` of `game`; `None` for the methods that solve reachable positions.
    /// `frame` is the frame of the game, if it is known.
    ///
    /// # Errors
    /// If the method cannot solve the game.
    pub(crate) fn of(
        game: &'a dyn Game,
        method: Method,
        frame: Option<Frame>,
        labels: LabelSet,
    ) -> Result<Option<Self>, EngineError> {
        let rules = game.rules();
        check_method(rules, method)?;
        let domain = match (method, frame) {
            (Method::Dense, _) => {
                let starts = if marks_boards(game) { rules.starts_and(&game.roots()) } else { Vec::new() };
                Domain::dense(Layout::reading_order(rules.cells()), starts)
            }
            (Method::Coloured, Some(frame)) => Domain::Coloured(frame),
            (Method::Coloured, None) => {
                Domain::Coloured(coloured(rules, &game.roots()).map_err(|reason| reason.error(rules))?)
            }
            (Method::Sparse | Method::Cyclic | Method::Regions, _) => return Ok(None),
        };
        let bytes = file_bytes(rules, &game.descriptor(), &domain, labels);
        let every = domain.stored_positions(rules);
        Ok(Some(Self { game, labels, domain, file_bytes: bytes, every_bytes: bytes, every }))
    }

    /// The sweep of `game` that rank 0 orders; `None` if the game cannot be swept so.
    #[cfg(feature = "ranks")]
    pub(crate) fn of_order(
        game: &'a dyn Game,
        order: &crate::build::ranks::SliceOrder,
    ) -> Result<Option<Self>, EngineError> {
        let method = if order.colours { Method::Coloured } else { Method::Dense };
        let asked = if order.folds { UseSymmetry::Always } else { UseSymmetry::Never };
        let sweep = Self::of(game, method, None, order.labels)?;
        sweep.map(|sweep| sweep.folded(asked, SearchEffort::Build)).transpose()
    }

    /// The same sweep up to the symmetries that `asked` allows, if that pays and `engine` can complete such a table.
    ///
    /// # Errors
    /// If the game declares a symmetry that it does not have.
    pub(crate) fn folded_by(
        self,
        engine: &Engine,
        asked: UseSymmetry,
        effort: SearchEffort,
    ) -> Result<Self, EngineError> {
        if self.can_grow(engine) { self.folded(asked, effort) } else { Ok(self) }
    }

    fn folded(self, asked: UseSymmetry, effort: SearchEffort) -> Result<Self, EngineError> {
        let (game, bytes) = (self.game, self.every_bytes);
        let folded = match &self.domain {
            Domain::Coloured(frame) => folded_frame(game, frame, asked, bytes)?.map(Domain::Coloured),
            domain => {
                let starts = domain.starts().to_vec();
                fold_of(game, asked, bytes, effort)?.map(|fold| Domain::folded(fold, starts))
            }
        };
        let Some(domain) = folded else { return Ok(self) };
        let file_bytes = file_bytes(game.rules(), &game.descriptor(), &domain, self.labels);
        Ok(Self { domain, file_bytes, ..self })
    }

    /// True if a build by slices can complete its table on disk and then map it. The engine's access or a limit on
    /// address space may rule that out.
    pub(crate) fn can_grow(&self, engine: &Engine) -> bool {
        engine.access.maps() && can_map(self.file_bytes)
    }

    /// The starts of reachability; empty without reachability bits.
    pub(crate) fn starts(&self) -> &[Position] {
        self.domain.starts()
    }

    /// The symmetries up to which slices are stored.
    pub(crate) fn symmetry(&self) -> &Group {
        self.domain.group()
    }

    /// The number of stored positions.
    pub(crate) fn stored_positions(&self) -> u64 {
        self.domain.stored_positions(self.game.rules())
    }

    /// True if there are enough positions to form slices.
    pub(crate) fn divides(&self) -> bool {
        matches!(self.domain, Domain::Coloured(_)) || self.game.rules().cells() >= SlicePlan::LEAST_CELLS
    }

    /// The number of colourings, in a two-colour game.
    pub(crate) fn colourings(&self) -> Option<u64> {
        let Domain::Coloured(frame) = &self.domain else { return None };
        frame.count()
    }

    /// The compression of the labels that `compress` chooses.
    pub(crate) fn compression(&self, compress: Compress) -> Option<Compression> {
        compress.of_new(self.traits(), self.every_bytes)
    }

    fn traits(&self) -> &'static SolverTraits {
        SolverTraits::of(self.domain.method())
    }

    /// Peak memory in bytes of a build in memory; `None` if it is more than any machine has.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        let (rules, labels) = (self.game.rules(), self.labels);
        match &self.domain {
            Domain::Coloured(frame) => coloured_memory_bytes(ColouredShape::new(frame, rules).bytes(labels, rules)),
            domain => BitPlanes::of(rules, labels, domain.is_marked()).memory_bytes(),
        }
    }

    /// Bytes of memory with which a build in memory starts; `None` if it is more than any machine has.
    pub(crate) fn least_memory_bytes(&self) -> Option<u64> {
        match &self.domain {
            Domain::Coloured(_) => self.memory_bytes(),
            domain => BitPlanes::of(self.game.rules(), self.labels, domain.is_marked()).least_memory_bytes(),
        }
    }

    /// Checks that the labels fit into the available memory and into `limit`. Without a limit, they must fit into three
    /// quarters of the available memory.
    ///
    /// # Errors
    /// If they do not fit.
    pub(crate) fn check_memory(&self, limit: Option<u64>) -> Result<(), Shortage> {
        self.check_memory_with(self.labels, limit)
    }

    /// As [`check_memory`](Self::check_memory), with other labels.
    pub(crate) fn check_memory_with(&self, labels: LabelSet, limit: Option<u64>) -> Result<(), Shortage> {
        let rules = self.game.rules();
        match &self.domain {
            Domain::Coloured(frame) => {
                check_coloured_memory(rules, ColouredShape::new(frame, rules).bytes(labels, rules), limit)
            }
            domain => BitPlanes::of(rules, labels, domain.is_marked()).check_memory(rules, limit),
        }
    }

    /// The disk space that the table needs on the disk of `path`, where `kept` bytes are already written.
    pub(crate) fn disk(&self, path: &Path, kept: u64, compresses: bool) -> Option<DiskNeed> {
        let bytes = self.file_bytes?;
        Some(DiskNeed::new(path, bytes, kept, compresses.then(|| self.traits().compressed_bytes(bytes))))
    }

    /// Checks that `folder` has room for the table, of which `kept` bytes are already written. If slices are compressed
    /// as they are finished, their final size is unknown, so only the least possible size is required.
    ///
    /// # Errors
    /// If there is not enough room.
    pub(crate) fn check_disk(&self, folder: &Path, kept: u64, compresses_slices: bool) -> Result<(), Shortage> {
        let least = if compresses_slices { self.traits().most_compressed } else { 1 };
        let bytes = self.file_bytes.map(|bytes| (bytes / least).saturating_sub(kept));
        let rules = self.game.rules();
        match &self.domain {
            Domain::Coloured(_) => check_room(folder, bytes.unwrap_or(u64::MAX)),
            domain => BitPlanes::of(rules, self.labels, domain.is_marked()).check_disk(rules, folder, bytes),
        }
    }

    /// The expected time of the sweeps on this machine. Only representatives of slices are swept.
    pub(crate) fn time(&self, kernel: Option<Kernel>) -> Result<Duration, EngineError> {
        let every = self.task().sweep_time(kernel)?;
        Ok(every.mul_f64(self.stored_positions() as f64 / self.every as f64))
    }

    pub(crate) fn task(&self) -> SliceTask<'_> {
        SliceTask::new(self.game.rules(), &self.domain, self.labels)
    }

    /// The slices that fit into `max_bytes` bytes of labels. For an estimate, the first slicing that fits if a
    /// comparison would take too long.
    pub(crate) fn slices(&self, max_bytes: u64, effort: SearchEffort) -> Option<SlicePlan> {
        match effort {
            SearchEffort::Build => SlicePlan::new(&self.task(), max_bytes),
            SearchEffort::Estimate => SlicePlan::soon(&self.task(), max_bytes),
        }
    }

    /// The slices selected by `cells` cells, if they fit into `max_bytes` bytes.
    pub(crate) fn slices_with(&self, cells: u32, max_bytes: u64) -> Option<SlicePlan> {
        SlicePlan::with_slice_cells(&self.task(), cells, max_bytes)
    }

    /// The least memory for labels that any slicing needs.
    pub(crate) fn least_slice_bytes(&self) -> Option<u64> {
        SlicePlan::least_bytes(&self.task())
    }
}

/// The resource that this machine lacks to solve `game` as in `choice`; `None` if it has enough, or if that is known
/// only after solving.
#[must_use]
pub fn shortage(game: &dyn Game, choice: &Choice) -> Option<Shortage> {
    let sweep = SweepPlan::of(game, choice.method, None, LabelSet::OUTCOME).ok().flatten()?;
    sweep.check_memory(None).err()
}
