//! The source that a table, its arrays and its answers share.

use pyo3::prelude::*;
use tablegen::engine::{OpenTable, Source};

use crate::errors::TableError;

/// The source of an open table. Arrays, answers and the table share it.
pub(crate) struct Inner {
    pub(crate) source: Source,
}

impl Inner {
    pub(crate) fn open_table(&self) -> PyResult<&OpenTable> {
        self.source.open_table().ok_or_else(|| TableError::new_err("there is no table"))
    }
}
