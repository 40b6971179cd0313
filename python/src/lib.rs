//! The native part of the Python package `tablegen`: the library's engine with Python types.
//!
//! It makes no decisions. It turns each call into one call of [`tablegen::engine`], releases the interpreter lock
//! meanwhile, and converts the result into Python values. The package around it (`tablegen/*.py`) adds types, drawings
//! and documentation. Long work runs on another thread, so that the calling thread can handle Ctrl-C and report
//! progress.

mod answer;
mod arrow;
mod errors;
mod functions;
mod game;
mod inner;
mod lookup;
mod losses;
mod pool;
mod position;
mod rows;
mod table;
mod value;
mod work;

use pyo3::prelude::*;

/// The native part of `tablegen`.
#[pymodule]
mod _native {
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::arrow::ArrowColumns;
    #[pymodule_export]
    use crate::functions::{
        build, files_of, find, games, memory, open_file, open_named, solve, tables, text_file, what,
    };
    #[pymodule_export]
    use crate::game::Rules;
    #[pymodule_export]
    use crate::lookup::Buffer;
    #[pymodule_export]
    use crate::losses::Losses;
    #[pymodule_export]
    use crate::rows::RowBatches;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::value::{
        value_birthday, value_compare, value_multiple, value_name, value_negative, value_options, value_parse,
        value_stops, value_sum, value_thermograph,
    };
}
