//! The labels of a build that is solved and not yet saved.

use std::path::Path;
use std::time::Duration;

use super::compress::Compress;
use super::slices::SweptSlices;
use super::{EngineError, LevelFacts, RankFacts, SliceFacts};
use tablegen_games::Game;
use tablegen_index::values::Values;
use tablegen_labels::{Counts, LabelKind};
use tablegen_rules::Descriptor;
use tablegen_solve::{PlaneKind, Solution, SolvedValues, Watch};
use tablegen_tables::table::{Extended, LevelCheckpoints, SaveTable, TableError};

/// The labels of a build that is solved and not yet saved.
pub(super) enum Labelled {
    /// Solved in memory.
    InMemory {
        solution: Box<Solution>,
        /// The damage of the older table, if its labels were to be copied.
        damage: Option<String>,
    },
    /// Solved level by level, with checkpoints.
    ByLevel {
        solution: Box<Solution>,
        /// While the checkpoints are open, they keep other processes from building the table.
        checkpoints: Box<LevelCheckpoints>,
        /// Facts about the ranks, if there were several.
        ranks: Option<RankFacts>,
    },
    /// The labels of an older table, and the labels that it lacked.
    Extended(Box<Extended>),
    /// Solved slice by slice, and already in the file.
    BySlice(Box<SweptSlices>),
}

/// The values of boards, if there are any.
fn given(values: &Option<SolvedValues>) -> Option<Values<'_>> {
    values.as_ref().map(SolvedValues::values)
}

/// Facts about a build that is solved.
pub(super) struct Facts {
    /// The kernel or solver.
    pub(super) program: &'static str,
    /// The number of positions with labels; under symmetry, of representatives.
    pub(super) positions: u64,
    pub(super) solve_time: Duration,
    /// The labels that were copied from the replaced table.
    pub(super) kept: Vec<LabelKind>,
    pub(super) damage: Option<String>,
    pub(super) slices: Option<SliceFacts>,
    pub(super) levels: LevelFacts,
    pub(super) ranks: Option<RankFacts>,
}

impl Labelled {
    /// The counts of outcomes, mode by mode.
    pub(super) fn counts(&self) -> Vec<Counts> {
        match self {
            Self::InMemory { solution, .. } | Self::ByLevel { solution, .. } => solution.counts_by_mode().to_vec(),
            Self::Extended(extended) => extended.counts_by_mode().to_vec(),
            Self::BySlice(slices) => {
                let reached = slices.swept.counts(PlaneKind::Reached);
                reached.or_else(|| slices.swept.counts(PlaneKind::Label(LabelKind::Outcome))).unwrap_or_default()
            }
        }
    }

    /// The damage that kept labels of the replaced table from being copied.
    pub(super) fn damage(&self) -> Option<&str> {
        match self {
            Self::InMemory { damage, .. } => damage.as_deref(),
            Self::ByLevel { .. } | Self::Extended(_) | Self::BySlice(_) => None,
        }
    }

    /// The facts about the labels of `game`.
    pub(super) fn facts(&self, game: &dyn Game) -> Facts {
        let (program, positions, solve_time) = match self {
            Self::InMemory { solution, .. } | Self::ByLevel { solution, .. } => {
                (solution.program(), solution.contents().count(), solution.solve_time())
            }
            Self::Extended(extended) => (extended.program(), extended.contents().count(), extended.solve_time()),
            Self::BySlice(slices) => {
                (slices.swept.kernel, slices.stored_positions(game.rules()), slices.swept.sweep_time)
            }
        };
        let (kept, damage) = (Vec::new(), self.damage().map(str::to_owned));
        let (slices, levels, ranks) = (None, LevelFacts::default(), None);
        let facts = Facts { program, positions, solve_time, kept, damage, slices, levels, ranks };
        match self {
            Self::InMemory { .. } => facts,
            Self::ByLevel { checkpoints, ranks, .. } => {
                let (found, labelled) = checkpoints.resumed();
                Facts { levels: LevelFacts { found, labelled }, ranks: *ranks, ..facts }
            }
            Self::Extended(extended) => Facts { kept: extended.table().labels().iter().collect(), ..facts },
            Self::BySlice(slices) => Facts { slices: Some(slices.facts()), ranks: slices.ranks, ..facts },
        }
    }

    /// The size of the file; `None` if the file is already written.
    pub(super) fn file_bytes(&self, descriptor: &Descriptor) -> Option<u64> {
        match self {
            Self::InMemory { solution, .. } | Self::ByLevel { solution, .. } => Some(solution.file_bytes(descriptor)),
            Self::Extended(extended) => Some(extended.file_bytes(descriptor)),
            Self::BySlice(_) => None,
        }
    }

    /// Writes the table to `path`.
    pub(super) fn save(
        self,
        game: &dyn Game,
        path: &Path,
        (compress, values): (Compress, Option<SolvedValues>),
        temporary: impl FnOnce(&Path),
        progress: Option<Watch<'_>>,
    ) -> Result<(), EngineError> {
        let descriptor = game.descriptor();
        let of_values = values.as_ref().map_or(0, SolvedValues::byte_count);
        let file_bytes = self.file_bytes(&descriptor).unwrap_or(0) + of_values;
        let saved: Result<(), TableError> = match self {
            Self::InMemory { solution, .. } => {
                let packing = compress.compression(solution.domain(), file_bytes, None);
                solution.save_valued(&descriptor, path, (packing, given(&values)), temporary, progress)
            }
            Self::ByLevel { solution, checkpoints, .. } => {
                let packing = compress.compression(solution.domain(), file_bytes, None);
                let saved = solution.save_valued(&descriptor, path, (packing, given(&values)), temporary, progress);
                if saved.is_ok() {
                    checkpoints.close();
                }
                saved
            }
            Self::Extended(extended) => {
                let packing = compress.compression(extended.table().domain(), file_bytes, extended.table().packing());
                extended.with_values(values).save_packed(&descriptor, path, packing, temporary, progress)
            }
            // The slices are already compressed, or `finish` compresses them.
            Self::BySlice(slices) => return slices.finish(game, path, temporary, progress),
        };
        saved.map_err(EngineError::Write)
    }
}
