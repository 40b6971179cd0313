//! The source that a table, its arrays and its answers share.

use pyo3::prelude::*;
use tablegen::engine::{OpenTable, Source};

use crate::errors::{BUILD, TableError};

/// The source of an open table. Arrays, answers and the table share it.
pub(crate) struct Inner {
    pub(crate) source: Source,
}

impl Inner {
    pub(crate) fn open_table(&self) -> PyResult<&OpenTable> {
        self.source.open_table().ok_or_else(|| {
            let name = self.source.game().rules().name();
            let remedy =
                if self.source.has_parts() { "tablegen.open(\"GAME.PART\") opens that of a part" } else { BUILD };
            TableError::new_err(format!("there is no table of {name}, whose positions are searched; {remedy}"))
        })
    }
}
