//! The values of boards in a build. This decides whether the game has any, and which boards get one.

use crate::build::plan::Plan;
use crate::names::target::nearest_folder;
use crate::plan::cost::SolverTraits;
use crate::plan::memory_budget::{check_extending_memory, check_room};
use crate::{Choice, EngineError};
use tablegen_games::Game;
use tablegen_index::values::NUMBER;
use tablegen_rules::{NoSides, Sides};
use tablegen_solvers::{Options, SolveError, SolvedValues, ValuedBoards, Watch, solve_values};

/// The name of the label of boards, beside the labels of positions.
pub const VALUE: &str = "value";

/// The sides of `game`, in which each board has a value.
///
/// # Errors
/// The reason why its boards have no values.
pub(crate) fn sides(game: &dyn Game) -> Result<Sides, NoSides> {
    if game.is_reduced() { Err(NoSides::Reduced) } else { Sides::of(game.rules(), game.is_partisan()) }
}

/// The reason why the boards of `game` have no values as combinatorial games; `None` if they have values.
#[must_use]
pub fn no_values(game: &dyn Game) -> Option<NoSides> {
    sides(game).err()
}

/// The sides of `game`.
///
/// # Errors
/// [`EngineError::NoValues`] if its boards have no values.
fn needed_sides(game: &dyn Game) -> Result<Sides, EngineError> {
    sides(game).map_err(|reason| EngineError::NoValues { name: game.rules().name().into(), reason })
}

/// Checks that the boards of `plan` have values, and that the values fit into memory and onto the disk.
///
/// # Errors
/// If they do not.
pub(crate) fn check_values(plan: &Plan<'_>) -> Result<(), EngineError> {
    if let Some(bytes) = value_bytes(plan.game.as_ref(), &plan.choice)? {
        check_extending_memory(plan.game.rules(), bytes, plan.options.memory)?;
        check_room(&nearest_folder(&plan.path), bytes)?;
    }
    Ok(())
}

/// Which values a table that is solved in memory gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedValues {
    /// None.
    None,
    /// Values of a partizan game of at most [`MOST_UNASKED`] boards. The values of an impartial game are its nimbers.
    IfSmall,
    /// All.
    All,
}

/// Most boards whose values are found although nobody asked for them: they take at most some tenths of a second.
const MOST_UNASKED: u64 = 1 << 17;

/// The values of `game` that a table solved in memory with `options` gets.
///
/// # Errors
/// If they are wanted and cannot be found, or the progress function stops the work.
pub(crate) fn values_in_memory(
    game: &dyn Game,
    wanted: WantedValues,
    options: &Options<'_>,
) -> Result<Option<SolvedValues>, EngineError> {
    let rules = game.rules();
    let boards = SolverTraits::of(options.solver.method()).valued;
    let sides = match (wanted, sides(game)) {
        (WantedValues::All, _) => return Ok(Some(solve_values(rules, needed_sides(game)?, boards, options)?)),
        (WantedValues::None, _) | (WantedValues::IfSmall, Err(_) | Ok(Sides::Impartial)) => return Ok(None),
        (WantedValues::IfSmall, Ok(sides)) => sides,
    };
    if boards == ValuedBoards::Every && rules.cells() > MOST_UNASKED.ilog2() {
        return Ok(None);
    }
    match solve_values(rules, sides, boards, &Options { max_positions: Some(MOST_UNASKED), ..*options }) {
        Ok(values) => Ok(Some(values)),
        Err(SolveError::Cancelled) => Err(SolveError::Cancelled.into()),
        // There are too many, and the table is as good without them.
        Err(_) => Ok(None),
    }
}

/// Bytes of the numbers of values in a table of `game` that is solved as in `choice`, without the dictionary; `None` if
/// the number of boards is not known before they are found.
///
/// # Errors
/// If the boards of the game have no values.
pub(crate) fn value_bytes(game: &dyn Game, choice: &Choice) -> Result<Option<u64>, EngineError> {
    needed_sides(game)?;
    let every = || 1u64.checked_shl(game.rules().cells()).map_or(u64::MAX, |count| count.saturating_mul(NUMBER as u64));
    Ok((SolverTraits::of(choice.method).valued == ValuedBoards::Every).then(every))
}

/// Finds the values for `plan`.
///
/// # Errors
/// If memory is insufficient, or `progress` stops the work.
pub(crate) fn find_values(plan: &Plan<'_>, progress: Option<Watch<'_>>) -> Result<SolvedValues, EngineError> {
    let game = plan.game.as_ref();
    let (sides, boards) = (needed_sides(game)?, SolverTraits::of(plan.choice.method).valued);
    Ok(plan.run(progress).with_options(|options| solve_values(game.rules(), sides, boards, options))?)
}
