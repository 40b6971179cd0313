//! The first position with a given label that is not the outcome.

use super::{EngineError, OpenTable};
use tablegen_labels::LabelKind;
use tablegen_rules::Position;

/// For each of `places`, the first position whose label of `kind` has that [place](tablegen_labels::Label::place). Only reachable positions
/// count if the table records them. Boards that are not positions of the game are chosen only if there are no others. `None` if no position
/// has the label.
///
/// # Errors
/// If the table is damaged where it is read.
pub(super) fn first_with(
    open: &OpenTable,
    kind: LabelKind,
    places: &[usize],
) -> Result<Vec<Option<Position>>, EngineError> {
    let found = open.table.contents().first_with(kind, places, |position| is_position(open, position));
    found.map_err(|fault| EngineError::damaged(&open.table, fault))
}

/// True if `position` is a position of the game, and not just of its rules.
pub(super) fn is_position(open: &OpenTable, position: Position) -> bool {
    open.game.of_number("", Some(position.mode), position.board).is_ok()
}
