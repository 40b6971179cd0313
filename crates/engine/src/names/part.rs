//! Parts of a game, as games of their own.

use std::fs;
use std::path::PathBuf;

use crate::roots::roots;
use crate::{Engine, EngineError};
use tablegen_games::{Game, GameError, PartGame, part_called};
use tablegen_index::regions::entries;
use tablegen_rules::{Board, Mode, Part, Position};
use tablegen_tables::table::Table;

/// The part of `game` that is called `name`, as a game of its own. Its starts are one board for each mode and each number of pieces with
/// which play of `game` can first enter the part.
///
/// # Errors
/// If there is no such part, or play does not enter it.
pub fn part_of(game: Box<dyn Game>, name: &str) -> Result<Box<dyn Game>, GameError> {
    let modes = &part_called(game.as_ref(), name)?.modes;
    let rules = game.rules();
    let has: Vec<bool> = (0..rules.modes().len() as u16).map(|mode| modes.contains(&Mode(mode))).collect();
    let starts = entries(rules, &roots(game.as_ref()), &has).unwrap_or_else(|_| {
        // A table of every board needs no start, so one empty board for each mode suffices.
        modes.iter().map(|&mode| Position::new(mode, Board::EMPTY)).collect()
    });
    Ok(Box::new(PartGame::new(game, name, &starts)?))
}

/// A table of a part of a game, and how positions of the game lie in it.
pub(crate) struct PartTable {
    pub(crate) part: Part,
    pub(crate) table: Table,
}

impl Engine {
    /// The tables of the parts of `game` that are in the folders. Files that are no such tables are left out.
    ///
    /// # Errors
    /// If the table of a part cannot be used.
    pub(crate) fn tables_of_parts(&self, game: &dyn Game) -> Result<Vec<PartTable>, EngineError> {
        let mut found = Vec::new();
        for part in game.parts() {
            let file = format!("{}.{}.tb", game.rules().name(), part.name);
            let paths = self.dirs().folders().iter().map(|folder| folder.join(&file));
            let Some(path): Option<PathBuf> = paths.into_iter().find(|path| fs::symlink_metadata(path).is_ok()) else {
                continue;
            };
            let table = self.open(&path)?.table;
            match Part::of(game.rules(), table.rules()) {
                Some(part) => found.push(PartTable { part, table: table.checked().map_err(EngineError::Read)? }),
                None => return Err(EngineError::OldRules { path, name: table.rules().name().into() }),
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::regions::{RegionPlan, region_group};
    use crate::{UseSymmetry, game};
    use tablegen_games::Parameters;

    /// From three to nine men of each side after placing, one side to move stored.
    #[test]
    fn the_moving_part_of_nine_mens_morris_has_its_regions_and_no_others() {
        let part = game("nine-mens-morris.moving", &Parameters::new()).unwrap();
        let plan = RegionPlan::new(part.as_ref(), &region_group(part.as_ref(), UseSymmetry::Auto).unwrap()).unwrap();
        let with_numbers = plan.regions().regions().iter().filter(|region| region.ended.is_none()).count();
        assert_eq!((plan.regions().numbers(), with_numbers), (9_193_626_407, 49));
    }
}
