//! Checkpoints of a build of a sparse table, level by level.
//!
//! Only builds by several ranks start to write checkpoints, because only they take long. A later build resumes from
//! them with any number of ranks; one process resumes too, and then continues to write checkpoints.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::plan::Plan;
use crate::names::target::nearest_folder;
use crate::plan::machine::is_one_disk;
use crate::plan::memory_budget::check_room;
use crate::roots::sorted_roots;
use crate::{EngineError, UnfinishedError};
use tablegen_games::Game;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelSet;
use tablegen_ranks::ClusterConfig;
use tablegen_rules::{Descriptor, Position};
use tablegen_solvers::is_distributable;
use tablegen_tables::table::{
    LevelBuildSpec, LevelCheckpoints, Room, Unfinished, checkpoint_folder, remove_checkpoints,
};

/// The levels that a build took from the checkpoints of an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LevelFacts {
    /// The number of levels whose positions were known.
    pub found: u64,
    /// The number of levels that were labelled, counted once for each label.
    pub labelled: u64,
}

/// The place for the checkpoints of a build.
pub(crate) struct Levels {
    folder: PathBuf,
    /// The folder of the table.
    place: PathBuf,
    descriptor: Descriptor,
    roots: Vec<Position>,
    group: Group,
    labels: LabelSet,
    /// The time before the first checkpoint.
    checkpoint_delay: Duration,
}

impl Levels {
    /// Settles where the build `plan` writes checkpoints: in its folder for checkpoints, or next to the table. `None` if it
    /// writes none and there are none to resume from. If it starts over, old ones are removed.
    ///
    /// # Errors
    /// If several ranks find an unfinished table of another build.
    pub(crate) fn settle(plan: &Plan<'_>) -> Result<Option<Self>, EngineError> {
        let (game, team, restart) = (plan.game.as_ref(), plan.engine.team.as_ref(), plan.options.restart);
        if !is_distributable(game.rules()) || (team.is_none() && restart) {
            return Ok(None);
        }
        let folder = checkpoint_folder(&plan.path, plan.options.scratch.as_deref());
        if restart {
            remove_checkpoints(&folder).map_err(EngineError::Write)?;
        }
        let config = team.map_or(ClusterConfig::default(), |team| team.cluster.config());
        let levels = Self {
            folder,
            place: nearest_folder(&plan.path),
            descriptor: game.descriptor(),
            roots: sorted_roots(game),
            group: plan.group.clone(),
            labels: plan.labels,
            checkpoint_delay: config.checkpoint_delay,
        };
        match Unfinished::of_levels(&levels.folder, &levels.spec(game)).map_err(EngineError::Write)? {
            Unfinished::Same { .. } => Ok(Some(levels)),
            Unfinished::Other if team.is_some() => Err(UnfinishedError::of_another(levels.folder).into()),
            Unfinished::None | Unfinished::Other => Ok(team.is_some().then_some(levels)),
        }
    }

    /// The description of the build, by which a later build recognises it.
    fn spec<'a>(&'a self, game: &'a dyn Game) -> LevelBuildSpec<'a> {
        let (rules, descriptor, roots) = (game.rules(), &self.descriptor, self.roots.as_slice());
        LevelBuildSpec { rules, descriptor, roots, group: &self.group, labels: self.labels }
    }

    /// The folder with the checkpoints.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the folder, with the checkpoints that are there.
    ///
    /// # Errors
    /// If another process builds the table, or the checkpoints cannot be read.
    pub(crate) fn open(&self, game: &dyn Game) -> Result<LevelCheckpoints, EngineError> {
        let (folder, place) = (nearest_folder(&self.folder), self.place.clone());
        let room: Room = Box::new(move |levels, table| {
            let check = || {
                if is_one_disk(&folder, &place) {
                    return check_room(&folder, levels.saturating_add(table));
                }
                check_room(&folder, levels)?;
                check_room(&place, table)
            };
            check().map_err(|shortage| io::Error::new(io::ErrorKind::StorageFull, shortage))
        });
        let opened = LevelCheckpoints::new(&self.folder, &self.spec(game), self.checkpoint_delay, room);
        opened.map_err(EngineError::Write)
    }
}
