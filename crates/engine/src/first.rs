//! The first position with a given code of a one-byte label.

use super::{EngineError, OpenTable};
use tablegen_labels::LabelKind;
use tablegen_rules::Position;

/// For each of `codes`, the first position that has it as its label of `kind`. Only reachable positions count if the
/// table records them. Boards that are not positions of the game are chosen only if there are no others. `None` if no
/// position has the code.
///
/// # Errors
/// If the table is damaged where it is read.
pub(super) fn first_with(
    open: &OpenTable,
    kind: LabelKind,
    codes: &[u8],
) -> Result<Vec<Option<Position>>, EngineError> {
    let found = open.table.contents().first_with(kind, codes, |position| is_position(open, position));
    found.map_err(|fault| EngineError::damaged(&open.table, fault))
}

/// True if `position` is a position of the game, and not just of its rules.
pub(super) fn is_position(open: &OpenTable, position: Position) -> bool {
    open.game.of_number("", Some(position.mode), position.board).is_ok()
}
