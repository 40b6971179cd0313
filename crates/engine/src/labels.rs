//! The labels that a build may have.

use super::EngineError;
use tablegen_games::Game;
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_solvers::{Options, Solution, SolveError, solve};

/// Rejects `labels` that `game` does not have.
///
/// # Errors
/// [`SolveError::Undefined`], for the first such label.
pub(super) fn check_labels(game: &dyn Game, labels: LabelSet) -> Result<(), EngineError> {
    let Some((label, reason)) = labels.iter().find_map(|label| Some((label, game.undefined(label)?))) else {
        return Ok(());
    };
    let defined = labels.intersection(game.labels());
    Err(SolveError::Undefined { name: game.rules().name().into(), label, reason, defined }.into())
}

/// Solves `rules` with the labels of `options`, but without remoteness if play can last more plies than that label
/// holds.
///
/// # Errors
/// As [`solve`].
pub(super) fn solve_what_fits(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    match solve(rules, options) {
        Err(SolveError::TooLong { .. }) => {
            let labels = options.labels.minus(LabelSet::BEST_PLAY);
            solve(rules, &Options { labels, ..*options })
        }
        solved => solved,
    }
}
