//! Which symmetries a game is solved by.
//!
//! The sparse solver and the sweeps by regions make use of them.

use super::EngineError;
use super::choice::width;
use super::kept::roots;
use tablegen_core::colourings::Frame;
use tablegen_core::contents::Contents;
use tablegen_core::label::Counts;
use tablegen_core::rules::{Position, Rules, RulesError};
use tablegen_core::symmetry::{Fold, Group};
use tablegen_games::{Game, GameError};
use tablegen_solve::{fold, fold_colourings, fold_untried};
use tablegen_tables::table::Table;

/// Whether a solver makes use of a game's symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UseSymmetry {
    /// Where play is followed, wherever it takes no longer than to solve every position; where every board is solved, from a table of
    /// a GiB on.
    #[default]
    Auto,
    /// Every position is solved and stored.
    Never,
    /// Wherever the game has any: one position of each orbit is solved and stored, or one region of boards or colourings.
    Always,
}

/// What a table up to symmetry records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetryFacts {
    /// The name of the group, `D4`.
    pub group: String,
    /// The number of its elements.
    pub order: u64,
    /// The number of positions that are stored.
    pub stored: u64,
    /// Outcomes counted over the orbits, each once, if these are what is stored.
    pub orbits: Option<Counts>,
}

impl SymmetryFacts {
    /// The facts of a table; `None` if it is not up to symmetry.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let group = table.symmetry()?;
        let orbits = table.orbits_by_mode().map(|orbits| orbits.iter().copied().sum());
        let stored = match table.contents() {
            Contents::Folded(folded) => folded.fold().stored_positions(),
            Contents::Coloured(coloured) => coloured.frame().stored_positions(),
            contents => contents.count(),
        };
        Some(Self { group: group.name().into(), order: group.order(), stored, orbits })
    }
}

/// How many positions are found in the time that an orbit takes, at most.
const AN_ORBIT: u64 = 8;

/// A limit of the orbits to find, given one of positions that are found one by one.
pub(super) fn most_orbits(group: Option<&Group>, positions: u64) -> u64 {
    if group.is_some() { (positions / AN_ORBIT).max(1) } else { positions }
}

/// The size of a table of every board from which on its boards are stored up to symmetry, unless something else is asked for: it
/// is as soon solved and takes less room, and below that its planes are of use as they are.
const FOLDED_FROM: u64 = 1 << 30;

/// How much care is taken with what decides how fast a sweep by regions is, and not what it stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// As much as a build takes: up to some minutes of trials for a sweep of hours.
    Build,
    /// None that takes longer than a moment.
    Estimate,
}

/// Which boards of `game` stand for others, if the dense solver solves them up to symmetry. `file_bytes` is the size of the table of
/// all of them.
///
/// # Errors
/// If the game offers a symmetry that it does not have.
pub(super) fn fold_of(
    game: &dyn Game,
    asked: UseSymmetry,
    file_bytes: Option<u64>,
    care: Care,
) -> Result<Option<Fold>, EngineError> {
    let fold = match care {
        Care::Build => fold,
        Care::Estimate => fold_untried,
    };
    Ok(if is_used(asked, file_bytes) { fold(game.rules(), &of_rules(game)?) } else { None })
}

/// The same of the colourings of `game`, whose frame is `frame`.
///
/// # Errors
/// If the game offers a symmetry that it does not have.
pub(super) fn folded_frame(
    game: &dyn Game,
    frame: &Frame,
    asked: UseSymmetry,
    file_bytes: Option<u64>,
) -> Result<Option<Frame>, EngineError> {
    Ok(if is_used(asked, file_bytes) { fold_colourings(game.rules(), frame, &of_rules(game)?) } else { None })
}

/// Whether every board or colouring is solved up to symmetry. `file_bytes` is the size of the table of all of them.
fn is_used(asked: UseSymmetry, file_bytes: Option<u64>) -> bool {
    match asked {
        UseSymmetry::Never => false,
        UseSymmetry::Always => true,
        UseSymmetry::Auto => file_bytes.is_none_or(|bytes| bytes >= FOLDED_FROM),
    }
}

/// The symmetries of `game`.
fn of_rules(game: &dyn Game) -> Result<Group, EngineError> {
    let group = Group::of_rules(game.rules(), &roots(game));
    Ok(group.map_err(|(index, reason)| GameError::from(RulesError::Symmetry { index, reason }))?)
}

/// The symmetries that the sparse solver solves `game` by, if it has any.
///
/// # Errors
/// If the game offers one that it does not have.
pub(super) fn group(game: &dyn Game, asked: UseSymmetry) -> Result<Option<Group>, EngineError> {
    if asked == UseSymmetry::Never {
        return Ok(None);
    }
    let group = of_rules(game)?;
    let is_used = !group.is_trivial() && (asked == UseSymmetry::Always || pays(game.rules(), &group));
    Ok(is_used.then_some(group))
}

/// Whether it takes less time to solve one position of each orbit than to solve all, as far as play at random tells. The
/// figures were measured on m,n,k, Connect-4, Sim and dominoes, on Zen 4.
fn pays(rules: &Rules, group: &Group) -> bool {
    /// Nanoseconds of one core for a position, if each is solved by itself; and for an orbit, besides those for the
    /// representatives of its successors, which are found twice.
    const A_POSITION: f64 = 300.0;
    const AN_ORBIT: f64 = 800.0;
    /// Positions to look at.
    const SAMPLE: usize = 2000;
    /// Positions of one line of play, which may go round and round.
    const LINE: usize = 250;
    /// Moves and ends to compare with all these positions: less than half a second.
    const COMPARISONS: usize = 1 << 27;
    let mut draw = fastrand::Rng::with_seed(0);
    let starts = rules.start_positions();
    let (mut positions, mut moves, mut orbits) = (0, 0, 0.0);
    let sample = SAMPLE.min(COMPARISONS / width(rules).max(1));
    while positions < sample {
        let Some(&start) = draw.choice(&starts) else { return false };
        let mut position = start;
        for _ in 0..LINE {
            let replies: Vec<Position> = rules.moves_from(position).map(|m| m.play(position)).collect();
            (positions, moves) = (positions + 1, moves + replies.len());
            // One of so many: the sum over all positions would be the number of orbits.
            orbits += 1.0 / group.orbit(position) as f64;
            match draw.choice(&replies) {
                Some(&reply) => position = reply,
                None => break,
            }
        }
    }
    let successors = moves as f64 / positions as f64;
    let an_orbit = AN_ORBIT + 2.0 * successors * group.nanoseconds() as f64;
    orbits * an_orbit <= positions as f64 * A_POSITION
}
