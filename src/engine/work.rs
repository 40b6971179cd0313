//! The result of solving, before it is saved.

use std::path::Path;
use std::time::Duration;

use super::compress::Compress;
use super::regions::Grown;
use super::{EngineError, RegionFacts};
use tablegen_core::label::{Counts, LabelKind};
use tablegen_core::rules::Descriptor;
use tablegen_games::Game;
use tablegen_solve::{PlaneKind, Solution, Watch};
use tablegen_tables::table::{Extended, SaveTable, TableError};

/// The result of solving.
pub(super) enum Work {
    /// All labels, solved in memory.
    Whole(Box<Solution>),
    /// The labels that the table to be replaced lacks.
    Added(Box<Extended>),
    /// All labels, solved slice by slice and already in the file.
    Grown(Box<Grown>),
}

impl Work {
    /// The counts of outcomes, mode by mode.
    pub(super) fn counts(&self) -> Vec<Counts> {
        match self {
            Self::Whole(solution) => solution.counts_by_mode().to_vec(),
            Self::Added(extended) => extended.counts_by_mode().to_vec(),
            Self::Grown(grown) => {
                let reached = grown.swept.counts(PlaneKind::Reached);
                reached.or_else(|| grown.swept.counts(PlaneKind::Label(LabelKind::Outcome))).unwrap_or_default()
            }
        }
    }

    /// The number of positions with labels; under symmetry, of stored positions.
    pub(super) fn positions(&self, game: &dyn Game) -> u64 {
        match self {
            Self::Whole(solution) => solution.contents().count(),
            Self::Added(extended) => extended.contents().count(),
            Self::Grown(grown) => grown.stored_positions(game.rules()),
        }
    }

    pub(super) fn program(&self) -> &'static str {
        match self {
            Self::Whole(solution) => solution.program(),
            Self::Added(extended) => extended.program(),
            Self::Grown(grown) => grown.swept.kernel,
        }
    }

    pub(super) fn solve_time(&self) -> Duration {
        match self {
            Self::Whole(solution) => solution.solve_time(),
            Self::Added(extended) => extended.solve_time(),
            Self::Grown(grown) => grown.swept.sweep_time,
        }
    }

    /// The labels that were kept from the replaced table.
    pub(super) fn kept(&self) -> Vec<LabelKind> {
        match self {
            Self::Whole(_) | Self::Grown(_) => Vec::new(),
            Self::Added(extended) => extended.table().labels().iter().collect(),
        }
    }

    /// Facts about the slices, if it was solved slice by slice.
    pub(super) fn regions(&self) -> Option<RegionFacts> {
        match self {
            Self::Whole(_) | Self::Added(_) => None,
            Self::Grown(grown) => Some(grown.facts()),
        }
    }

    /// The size of the file; `None` if the file is already written.
    pub(super) fn file_bytes(&self, descriptor: &Descriptor) -> Option<u64> {
        match self {
            Self::Whole(solution) => Some(solution.file_bytes(descriptor)),
            Self::Added(extended) => Some(extended.file_bytes(descriptor)),
            Self::Grown(_) => None,
        }
    }

    /// Writes the table to `path`.
    pub(super) fn save(
        self,
        game: &dyn Game,
        path: &Path,
        compress: Compress,
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let descriptor = game.descriptor();
        let file_bytes = self.file_bytes(&descriptor).unwrap_or(0);
        let saved: Result<(), TableError> = match self {
            Self::Whole(solution) => {
                let packing = compress.packing(&solution.contents(), file_bytes, None);
                solution.save_packed(&descriptor, path, packing, temporary, progress)
            }
            Self::Added(extended) => {
                let packing = compress.packing(&extended.contents(), file_bytes, extended.table().packing());
                extended.save_packed(&descriptor, path, packing, temporary, progress)
            }
            // The slices are already compressed, or `finish` compresses them.
            Self::Grown(grown) => return grown.finish(game, path, temporary, progress),
        };
        saved.map_err(EngineError::Write)
    }
}
