//! Positions and modes as given in Python.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use tablegen::engine::Asked;
use tablegen::game::Game;
use tablegen::rules::{Board, Mode, Node, Rules};

use crate::errors::{InputError, of_engine};

/// The position of `game` that `given` names: a text, a board number, or a pair of a mode and a board number. `None` is
/// the start.
pub(crate) fn asked(game: &dyn Game, given: &Bound<'_, PyAny>) -> PyResult<Asked> {
    let found = if given.is_none() {
        Asked::typed(game, None)
    } else if let Ok(text) = given.cast::<PyString>() {
        Asked::typed(game, Some(&text.to_string_lossy()))
    } else if let Ok(pair) = given.cast::<PyTuple>()
        && pair.len() == 2
    {
        let mode = mode(game.rules(), &pair.get_item(0)?)?;
        Asked::numbered(game, mode, board(game.rules(), &pair.get_item(1)?)?)
    } else {
        Asked::numbered(game, None, board(game.rules(), given)?)
    };
    found.map_err(of_engine)
}

/// The position of the rules that `given` names.
pub(crate) fn node(game: &dyn Game, given: &Bound<'_, PyAny>) -> PyResult<Node> {
    match asked(game, given)? {
        Asked::Node(reading) => Ok(reading.node),
        Asked::Text(None) => Ok(game.rules().start_node()),
        Asked::Text(Some(text)) => Ok(game.read(&text).map_err(of_engine)?.node),
    }
}

/// The stored position of the rules that `given` names. It knows nothing of the points of the moves before it.
pub(crate) fn without_lead(game: &dyn Game, given: &Bound<'_, PyAny>) -> PyResult<Node> {
    match asked(game, given)? {
        Asked::Node(reading) if reading.lead != 0 => {
            let found = format!("expected a position without a lead, found one with {:+}", reading.lead);
            Err(InputError::new_err(format!("{found}; Table.probe counts it")))
        }
        _ => node(game, given),
    }
}

/// A board number.
fn board(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Board> {
    let wrong = || {
        let found = given.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string());
        let expected = "expected a text, a board number, or a pair of a mode and a board number";
        PyTypeError::new_err(format!("{expected}, found {found}"))
    };
    if given.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    match given.extract::<u128>() {
        Ok(number) => Ok(Board::from_number(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
            let full = Board::full(rules.cells());
            let found = given.str().map_or_else(|_| "another number".into(), |text| text.to_string());
            Err(InputError::new_err(format!("expected a board from 0 to {full:#x}, found {found}")))
        }
        Err(_) => Err(wrong()),
    }
}

/// A mode, given by its name or its number. `None` means the mode that the board implies.
pub(crate) fn mode(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Option<Mode>> {
    let modes = rules.modes();
    let known = |found: String| {
        let names =
            if modes.len() == 1 { "0, the only mode".into() } else { format!("one of the modes {}", modes.join(", ")) };
        InputError::new_err(format!("expected {names}, found {found}"))
    };
    if given.is_none() {
        return Ok(None);
    }
    if let Ok(name) = given.cast::<PyString>() {
        let name = name.to_string_lossy();
        let found = modes.iter().position(|mode| *mode == name);
        return found.map(|mode| Some(Mode(mode as u16))).ok_or_else(|| known(format!("{name:?}")));
    }
    if given.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("expected a mode name or number, found bool"));
    }
    match given.extract::<u64>() {
        Ok(mode) if mode < modes.len() as u64 => Ok(Some(Mode(mode as u16))),
        Ok(mode) => Err(known(mode.to_string())),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Err(known(given.str()?.to_string())),
        Err(_) => Err(PyTypeError::new_err("expected a mode name or number")),
    }
}

/// The name of the mode of `node` (if the game has several modes), and its board. An opening has the empty board.
pub(crate) fn named(rules: &Rules, node: Node) -> (Option<&str>, u128) {
    match node {
        Node::Opening => (None, 0),
        Node::At(position) => (rules.mode_name(position.mode), position.board.number()),
    }
}
