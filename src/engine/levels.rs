//! A build of what play reaches that keeps what it finds, level by level, so that a later one goes on with it.
//!
//! Several ranks keep it, since they are what takes long. One process begins nothing of this; it goes on with what it finds of them, and
//! then keeps it as they do.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::machine::is_one_disk;
use super::memory_budget::check_room;
use super::target::nearest_folder;
use super::team::Team;
use super::{EngineError, UnfinishedError};
use crate::cluster::Manners;
use crate::game::Game;
use crate::label::LabelSet;
use crate::rules::{Descriptor, Position};
use crate::solve::is_shared;
use crate::symmetry::Group;
use crate::table::{GrowingLevels, LevelGrowth, Room, Unfinished, growing_folder, remove_growing};

/// What of a build an earlier one had finished, in levels of positions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LevelFacts {
    /// How many levels had been found.
    pub found: u64,
    /// How many had been labelled, each label counted.
    pub labelled: u64,
}

/// Where a build keeps the levels that it finds and labels.
pub(super) struct Levels {
    folder: PathBuf,
    /// Where the table will be.
    place: PathBuf,
    descriptor: Descriptor,
    roots: Vec<Position>,
    group: Option<Group>,
    labels: LabelSet,
    /// It is not written before a build has gone on for so long.
    quiet: Duration,
}

impl Levels {
    /// Those of a build of `game`, whose table will be at `path`, by the ranks of `team` or by one process. They are in `scratch`, or
    /// beside the table. `None` if it keeps none and there are none to go on with.
    ///
    /// # Errors
    /// If an unfinished table is there that the ranks cannot go on with; unless `restart` is set.
    pub(super) fn settle(
        game: &dyn Game,
        (labels, group): (LabelSet, Option<&Group>),
        path: &Path,
        scratch: Option<&Path>,
        restart: bool,
        team: Option<&Team>,
    ) -> Result<Option<Self>, EngineError> {
        if !is_shared(game.rules()) || (team.is_none() && restart) {
            return Ok(None);
        }
        let folder = growing_folder(path, scratch);
        if restart {
            remove_growing(&folder).map_err(EngineError::Write)?;
        }
        let mut roots = game.roots();
        roots.sort_unstable();
        roots.dedup();
        let quiet = team.map_or(Manners::default(), |team| team.cluster.manners()).quiet;
        let (place, descriptor, group) = (nearest_folder(path), game.descriptor(), group.cloned());
        let levels = Self { folder, place, descriptor, roots, group, labels, quiet };
        match Unfinished::of_levels(&levels.folder, &levels.growth(game)).map_err(EngineError::Write)? {
            Unfinished::Same { .. } => Ok(Some(levels)),
            Unfinished::Other if team.is_some() => {
                let reason = "the unfinished table there is of other rules, options or another version";
                Err(UnfinishedError { folder: levels.folder, reason }.into())
            }
            Unfinished::None | Unfinished::Other => Ok(team.is_some().then_some(levels)),
        }
    }

    fn growth<'a>(&'a self, game: &'a dyn Game) -> LevelGrowth<'a> {
        let (rules, descriptor, roots) = (game.rules(), &self.descriptor, self.roots.as_slice());
        LevelGrowth { rules, descriptor, roots, group: self.group.as_ref(), labels: self.labels }
    }

    /// The folder in which they are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens what is there.
    ///
    /// # Errors
    /// If another process builds the table, or it cannot be read.
    pub(super) fn open(&self, game: &dyn Game) -> Result<GrowingLevels, EngineError> {
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
        let opened = GrowingLevels::new(&self.folder, &self.growth(game), self.quiet, room);
        opened.map_err(EngineError::Write)
    }
}
