//! The library's errors as Python exceptions, with advice for Python.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::{PyErr, import_exception};
use tablegen::engine::{BulkError, EngineError, ErrorKind};
use tablegen::game::{GameError, NotationError};
use tablegen::solve::SolveError;

import_exception!(tablegen._errors, CheckError);
import_exception!(tablegen._errors, Error);
import_exception!(tablegen._errors, InputError);
import_exception!(tablegen._errors, ResourceError);
import_exception!(tablegen._errors, TableError);

/// The exception for a failure of this kind.
fn of_kind(kind: ErrorKind, message: String) -> PyErr {
    match kind {
        ErrorKind::Input => InputError::new_err(message),
        ErrorKind::Table => TableError::new_err(message),
        ErrorKind::Resources => ResourceError::new_err(message),
        ErrorKind::Cancelled => PyKeyboardInterrupt::new_err(message),
    }
}

/// The exception for `error`.
pub(crate) fn of_engine(error: impl Into<EngineError>) -> PyErr {
    let error = error.into();
    let message = match next(&error) {
        Some(next) => format!("{error}; {next}"),
        None => error.to_string(),
    };
    of_kind(error.kind(), message)
}

/// The exception for a failed look-up of many boards.
pub(crate) fn of_bulk(error: BulkError) -> PyErr {
    match error {
        BulkError::Engine(error) => of_engine(error),
        BulkError::NotHeld(error) => of_kind(ErrorKind::Input, format!("{error}; {LABELS}")),
        BulkError::NotStored { .. } => {
            of_kind(error.kind(), format!("{error}; missing=NUMBER returns that number for it"))
        }
        _ => of_kind(error.kind(), error.to_string()),
    }
}

/// The advice for a label that a table lacks.
pub(crate) const LABELS: &str = "tablegen.build(…, labels=…) adds labels to a table";

/// The advice for an error, if there is any.
fn next(error: &EngineError) -> Option<String> {
    let next = match error {
        EngineError::Missing { .. } => "tablegen.build with the same arguments builds one",
        EngineError::OtherRules { .. } | EngineError::OldRules { .. } => "move it away, or replace it with force=True",
        EngineError::Exists { .. } => "give another path=, or replace it with force=True",
        EngineError::NotAPlace { .. } | EngineError::Io { .. } => "give another path=",
        EngineError::NoFolder => "give a path=, or a folder with tables=",
        EngineError::Notation(NotationError { .. }) => "tablegen.games() shows how positions are written",
        EngineError::Game(GameError::Unknown { .. }) => "tablegen.games() lists them",
        EngineError::Read(error) if error.fault.is_damage() => "build it again",
        EngineError::Read(error) if error.fault.is_of_another_version() => "build it again with force=True",
        EngineError::Read(_) => return None,
        EngineError::Solve(SolveError::Undefined { defined, .. }) => {
            return Some(format!("its labels are {defined}"));
        }
        EngineError::Solve(SolveError::SparseMemory { .. } | SolveError::LabelMemory { .. }) => {
            "allow more with memory= of tablegen.build or tablegen.solve"
        }
        EngineError::Solve(SolveError::TooLong { .. }) => "solve outcomes alone with labels=\"outcome\"",
        EngineError::Solve(SolveError::SweepObstacle { instead, .. }) => {
            return Some(format!("solver=\"{}\" solves it", instead.name()));
        }
        _ => return None,
    };
    Some(next.into())
}
