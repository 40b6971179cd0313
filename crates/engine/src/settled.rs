//! The facts that hold from the plan of a build to its table.

use std::path::PathBuf;

use super::memory_budget::{room_left, sparse_max_bytes};
use super::roots::marks_boards;
use super::{BuildOptions, Choice, Engine};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_solve::{MemoryProbe, Method, Options, Watch};
use tablegen_tables::table::BuildLock;

/// The facts that hold from the plan of a build to its table.
pub(super) struct Build<'e> {
    pub(super) engine: &'e Engine,
    pub(super) game: Box<dyn Game>,
    pub(super) choice: Choice,
    pub(super) group: Group,
    /// The labels of the table: those asked for, and those kept.
    pub(super) labels: LabelSet,
    /// True if the table will have the values of boards.
    pub(super) values: bool,
    pub(super) path: PathBuf,
    pub(super) options: BuildOptions,
    /// The lock of the table, held until the table is saved, so that no other build writes it.
    pub(super) lock: BuildLock,
}

impl Build<'_> {
    /// Calls `solve` with the options of this build.
    pub(super) fn with_options<T>(&self, progress: Option<Watch<'_>>, solve: impl FnOnce(&Options<'_>) -> T) -> T {
        let (method, memory) = (self.choice.method, self.options.memory);
        let max_bytes = match method {
            Method::Dense | Method::Coloured => memory,
            Method::Sparse | Method::Cyclic => sparse_max_bytes(memory),
        };
        let (roots, room) = (self.game.roots(), room_left(memory));
        solve(&Options {
            method,
            labels: self.labels,
            roots: &roots,
            symmetry: &self.group,
            marks: marks_boards(self.game.rules()),
            max_bytes,
            room: Some(&room as MemoryProbe<'_>),
            kernel: self.engine.kernel,
            progress,
            ..Options::default()
        })
    }

    /// Says that rank 0 alone works, if there are several ranks.
    pub(super) fn say_alone(&self) {
        if let Some(team) = &self.engine.team {
            team.say("only rank 0 does this work; the other ranks wait");
        }
    }
}
