//! The library's errors as Python exceptions, with advice for Python.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::{PyErr, import_exception};
use tablegen::engine::{Advice, BulkError, EngineError, ErrorKind};

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

/// The advice for a table that does not exist.
pub(crate) const BUILD: &str = "tablegen.build with the same arguments builds one";

/// The advice for an error, up to the first alternative that Python has no words for.
fn next(error: &EngineError) -> Option<String> {
    let words = |advice| {
        Some(match advice {
            Advice::Labels(defined) => format!("its labels are {defined}"),
            Advice::Solver(name) => format!("solver=\"{name}\" solves it"),
            Advice::Build => BUILD.into(),
            Advice::Search => "tablegen.open searches single positions".into(),
            Advice::MoveAway => "move it away, or replace it with force=True".into(),
            Advice::OtherFile | Advice::OtherPlace | Advice::OtherPath | Advice::OtherScratch => {
                "give another path=".into()
            }
            Advice::Replace => "replace it with force=True".into(),
            Advice::NameFolder => "give a path=, or a folder with tables=".into(),
            Advice::Notation => "tablegen.games() shows how positions are written".into(),
            Advice::ListGames => "tablegen.games() lists them".into(),
            Advice::BuildAgain => "build it again".into(),
            Advice::BuildOver => "build it again with force=True".into(),
            Advice::MoreMemory | Advice::MoreThanDefault => {
                "allow more with memory= of tablegen.build or tablegen.solve".into()
            }
            Advice::OutcomesAlone => "solve outcomes alone with labels=\"outcome\"".into(),
            _ => return None,
        })
    };
    let words: Vec<String> = error.advice().into_iter().map_while(words).collect();
    (!words.is_empty()).then(|| words.join(", or "))
}
