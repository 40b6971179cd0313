//! The labels that a build may have.

use super::EngineError;
use tablegen_games::Game;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::Rules;
use tablegen_search::Wanted;
use tablegen_solvers::{Options, Solution, SolveError, solve};

/// The labels of a table of `game` if nobody names labels: the outcome and, where points decide, the score.
#[must_use]
pub fn default_labels(game: &dyn Game) -> LabelSet {
    // The solver that counts pieces computes no scores.
    let with_score =
        if game.rules().counts_pieces() { LabelSet::OUTCOME } else { LabelSet::OUTCOME.with(LabelKind::Score) };
    with_score.intersection(game.labels()).needed_by(game.rules())
}

/// `labels` and those without which `game` cannot be solved.
///
/// # Errors
/// [`SolveError::Undefined`], for the first label that the game does not have.
pub(super) fn checked_labels(game: &dyn Game, labels: LabelSet) -> Result<LabelSet, EngineError> {
    let labels = labels.needed_by(game.rules());
    let Some((label, reason)) = labels.iter().find_map(|label| Some((label, game.undefined(label)?))) else {
        return Ok(labels);
    };
    let defined = labels.intersection(game.labels());
    Err(SolveError::Undefined { name: game.rules().name().into(), label, reason, defined }.into())
}

/// Refuses what is `wanted` of a search where `game` has no such label.
///
/// # Errors
/// [`SolveError::Undefined`].
pub fn check_wanted(game: &dyn Game, wanted: Wanted) -> Result<(), EngineError> {
    let undefined = wanted.label().and_then(|label| Some((label, label.undefined_by(game.rules())?)));
    let Some((label, reason)) = undefined else { return Ok(()) };
    let (name, defined) = (game.rules().name().into(), LabelSet::OUTCOME);
    Err(SolveError::Undefined { name, label, reason, defined }.into())
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
