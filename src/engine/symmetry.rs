//! Which symmetries a game is solved by.

use super::EngineError;
use super::kept::roots;
use crate::game::{Game, GameError};
use crate::label::Counts;
use crate::rules::RulesError;
use crate::symmetry::Group;
use crate::table::Table;

/// Whether the sparse solver makes use of a game's symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UseSymmetry {
    /// Wherever the game has any: one position of each orbit is solved and stored.
    #[default]
    Auto,
    /// Every position is solved and stored.
    Never,
}

/// What a table up to symmetry records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetryFacts {
    /// The name of the group, `D4`.
    pub group: String,
    /// The number of its elements.
    pub order: u64,
    /// Outcomes counted over the orbits, each once.
    pub orbits: Counts,
}

impl SymmetryFacts {
    /// The facts of a table; `None` if it is not up to symmetry.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let (group, orbits) = (table.symmetry()?, table.orbits_by_mode()?);
        Some(Self { group: group.name().into(), order: group.order(), orbits: orbits.iter().copied().sum() })
    }
}

/// How many positions are found in the time that an orbit takes, at most.
const AN_ORBIT: u64 = 8;

/// A limit of the orbits to find, given one of positions that are found one by one.
pub(super) fn most_orbits(group: Option<&Group>, positions: u64) -> u64 {
    if group.is_some() { (positions / AN_ORBIT).max(1) } else { positions }
}

/// The symmetries that `game` is solved by, if it has any.
///
/// # Errors
/// If the game offers one that it does not have.
pub(super) fn group(game: &dyn Game, asked: UseSymmetry) -> Result<Option<Group>, EngineError> {
    if asked == UseSymmetry::Never {
        return Ok(None);
    }
    let group = Group::of_rules(game.rules(), &roots(game));
    let group = group.map_err(|(index, reason)| GameError::from(RulesError::Symmetry { index, reason }))?;
    Ok(Some(group).filter(|group| !group.is_trivial()))
}
