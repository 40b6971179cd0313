//! The symmetries that a solver uses.
//!
//! The sparse solver and the sweeps slice by slice can use them.

use crate::EngineError;
use crate::plan::choice::width;
use crate::roots::roots;
use tablegen_games::{Game, GameError};
use tablegen_index::colourings::Frame;
use tablegen_index::symmetry::{Fold, Group};
use tablegen_labels::Counts;
use tablegen_rules::{Position, Rules, RulesError};
use tablegen_solvers::{Method, fold, fold_colourings, fold_untried};
use tablegen_tables::table::Table;

/// The use of a game's symmetries by a solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UseSymmetry {
    /// Use symmetries where it pays. In a sparse table, that is where solving only representatives is not slower. In
    /// dense and two-colour tables, it is from a table size of 1 GiB on.
    #[default]
    Auto,
    /// Solve and store every position.
    Never,
    /// Use any symmetries of the game: solve and store only representatives, of positions or of slices.
    Always,
}

/// Facts about a table up to symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetryFacts {
    /// The name of the group, such as `D4`.
    pub group: String,
    /// The order of the group.
    pub order: u64,
    /// The number of stored positions.
    pub stored: u64,
    /// Outcomes of the representatives, if positions have representatives.
    pub orbits: Option<Counts>,
}

impl SymmetryFacts {
    /// The facts of a table; `None` if it has no symmetry.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let (domain, group) = (table.domain(), table.domain().group());
        // By regions, the symmetries of the rules may be of no use for the numbers of boards.
        let is_unused = domain.method() == Method::Regions && !domain.has_representatives();
        if group.is_trivial() || is_unused {
            return None;
        }
        // By regions, a class may be stored several times.
        let has_orbits = domain.method() != Method::Regions;
        let orbits = table.orbits_by_mode().filter(|_| has_orbits).map(|orbits| orbits.iter().copied().sum());
        let stored = table.domain().stored_positions(table.rules());
        Some(Self { group: group.name().into(), order: group.order(), stored, orbits })
    }
}

/// The number of positions that are found in the time of one representative, at most.
const AN_ORBIT: u64 = 8;

/// A limit on representatives, derived from a limit on positions without symmetry.
pub(crate) fn most_orbits(group: &Group, positions: u64) -> u64 {
    if group.is_trivial() { positions } else { (positions / AN_ORBIT).max(1) }
}

/// The size of a dense or two-colour table from which symmetry is used by default. Solving then takes no longer, and
/// the table is smaller. Smaller tables are more useful with all boards.
const FOLDED_FROM: u64 = 1 << 30;

/// The time to spend on choices that affect the speed of a sweep by slices, but not its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchEffort {
    /// As much as pays in a build: some minutes of trials for a sweep of hours.
    Build,
    /// Nothing that takes longer than a moment.
    Estimate,
}

/// The symmetries by which the dense solver solves `game`, if it uses any. `file_bytes` is the size of the table
/// without symmetry.
///
/// # Errors
/// If the game declares a symmetry that it does not have.
pub(crate) fn fold_of(
    game: &dyn Game,
    asked: UseSymmetry,
    file_bytes: Option<u64>,
    effort: SearchEffort,
) -> Result<Option<Fold>, EngineError> {
    let fold = match effort {
        SearchEffort::Build => fold,
        SearchEffort::Estimate => fold_untried,
    };
    Ok(if is_used(asked, file_bytes) { fold(game.rules(), &of_rules(game)?) } else { None })
}

/// The frame with symmetries by which the two-colour solver solves `game`, if it uses any; `frame` is the frame
/// without.
///
/// # Errors
/// If the game declares a symmetry that it does not have.
pub(crate) fn folded_frame(
    game: &dyn Game,
    frame: &Frame,
    asked: UseSymmetry,
    file_bytes: Option<u64>,
) -> Result<Option<Frame>, EngineError> {
    Ok(if is_used(asked, file_bytes) { fold_colourings(game.rules(), frame, &of_rules(game)?) } else { None })
}

/// True if a dense or two-colour table is solved up to symmetry. `file_bytes` is the size of the table without
/// symmetry.
fn is_used(asked: UseSymmetry, file_bytes: Option<u64>) -> bool {
    match asked {
        UseSymmetry::Never => false,
        UseSymmetry::Always => true,
        UseSymmetry::Auto => file_bytes.is_none_or(|bytes| bytes >= FOLDED_FROM),
    }
}

/// The symmetries of `game`.
pub(crate) fn of_rules(game: &dyn Game) -> Result<Group, EngineError> {
    let group = Group::of_rules(game.rules(), &roots(game));
    Ok(group.map_err(|(index, reason)| GameError::from(RulesError::Symmetry { index, reason }))?)
}

/// The symmetries up to which the reachable positions of `game` are found.
///
/// # Errors
/// If the game declares a symmetry that it does not have.
pub(crate) fn group(game: &dyn Game, asked: UseSymmetry) -> Result<Group, EngineError> {
    if asked == UseSymmetry::Never {
        return Ok(Group::trivial().clone());
    }
    let group = of_rules(game)?;
    let is_used = group.is_trivial() || asked == UseSymmetry::Always || pays(game.rules(), &group);
    Ok(if is_used { group } else { Group::trivial().clone() })
}

/// True if solving only representatives takes less time than solving all positions, judged from random play. The
/// constants were measured on m,n,k, Connect-4, Sim and dominoes, on Zen 4.
fn pays(rules: &Rules, group: &Group) -> bool {
    /// Nanoseconds of one core per position without symmetry; and per representative, apart from finding the
    /// representatives of its successors, which is done twice.
    const A_POSITION: f64 = 300.0;
    const AN_ORBIT: f64 = 800.0;
    /// Positions to sample.
    const SAMPLE: usize = 2000;
    /// Most positions of one line of play, which may cycle.
    const LINE: usize = 250;
    /// Most comparisons of a move or terminal pattern with a sampled position: less than half a second.
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
            // The position adds 1/(class size): summed over all positions, that is the number of classes.
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
