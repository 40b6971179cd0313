//! Which labels a build may have.

use super::EngineError;
use crate::game::Game;
use crate::label::LabelSet;
use crate::solve::SolveError;

/// Refuses `labels` that `game` does not have.
///
/// # Errors
/// [`SolveError::Undefined`], for the first of them.
pub(super) fn check_labels(game: &dyn Game, labels: LabelSet) -> Result<(), EngineError> {
    let Some((label, reason)) = labels.iter().find_map(|label| Some((label, game.undefined(label)?))) else {
        return Ok(());
    };
    let defined = labels.intersection(game.labels());
    Err(SolveError::Undefined { name: game.rules().name().into(), label, reason, defined }.into())
}
