//! The P-positions of a table, in batches.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use tablegen::engine::LossCursor;

use crate::errors::{InputError, of_engine};
use crate::inner::Inner;
use crate::work::quick;

/// An iterator over batches of P-positions. It keeps its table open.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct Losses {
    inner: Arc<Inner>,
    cursor: Mutex<LossCursor>,
}

impl Losses {
    pub(crate) fn new(inner: Arc<Inner>) -> Self {
        Self { inner, cursor: Mutex::default() }
    }
}

/// The modes and the boards of positions.
type Found<'py> = (Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<u64>>);

#[pymethods]
impl Losses {
    /// The modes and the boards of the next batch, which may be empty; `None` after the last batch.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Found<'py>>> {
        let cells = self.inner.source.game().rules().cells();
        if cells > u64::BITS {
            let expected = "cannot put boards into an array of 64-bit numbers: expected a game of at most 64 cells";
            return Err(InputError::new_err(format!("{expected}, found {cells}; use tablegen export --format csv")));
        }
        let found = quick(py, || {
            let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
            self.inner.source.losses_from(&mut cursor)
        })?;
        let Some(found) = found.map_err(of_engine)? else { return Ok(None) };
        let modes: Vec<u16> = found.iter().map(|position| position.mode.0).collect();
        let boards: Vec<u64> = found.iter().map(|position| position.board.low_word()).collect();
        Ok(Some((modes.into_pyarray(py), boards.into_pyarray(py))))
    }
}
