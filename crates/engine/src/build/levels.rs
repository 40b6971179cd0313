//! Checkpoints of a build of a sparse table, level by level.
//!
//! Only builds by several ranks start to write checkpoints, because only they take long. A later build resumes from
//! them with any number of ranks; one process resumes too, and then continues to write checkpoints.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::plan::Plan;
use crate::build::ranks::Team;
use crate::names::target::nearest_folder;
use crate::plan::machine::is_one_disk;
use crate::plan::memory_budget::check_room;
use crate::roots::sorted_roots;
use crate::{EngineError, UnfinishedError};
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
        // One process only resumes, and then saves each level at once.
        let checkpoint_delay = team.map_or(Duration::ZERO, Team::checkpoint_delay);
        let levels = Self { folder, place: nearest_folder(&plan.path), checkpoint_delay };
        let found = with_spec(plan, |spec| Unfinished::of_levels(&levels.folder, spec));
        match found.map_err(EngineError::Write)? {
            Unfinished::Same { .. } => Ok(Some(levels)),
            Unfinished::Other if team.is_some() => Err(UnfinishedError::of_another(levels.folder).into()),
            Unfinished::None | Unfinished::Other => Ok(team.is_some().then_some(levels)),
        }
    }

    /// The folder with the checkpoints.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the folder, with the checkpoints that are there.
    ///
    /// # Errors
    /// If another process builds the table, or the checkpoints cannot be read.
    pub(crate) fn open(&self, plan: &Plan<'_>) -> Result<LevelCheckpoints, EngineError> {
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
        let opened = with_spec(plan, |spec| LevelCheckpoints::new(&self.folder, spec, self.checkpoint_delay, room));
        opened.map_err(EngineError::Write)
    }
}

/// Passes on the description of the build, by which a later build recognises it.
fn with_spec<T>(plan: &Plan<'_>, take: impl FnOnce(&LevelBuildSpec<'_>) -> T) -> T {
    let (rules, descriptor, roots) = (plan.game.rules(), &plan.game.descriptor(), &sorted_roots(plan.game.as_ref()));
    take(&LevelBuildSpec { rules, descriptor, roots, group: &plan.group, labels: plan.labels })
}
