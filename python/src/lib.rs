//! The native part of the Python package `tablegen`: the library's engine, in terms that Python has.
//!
//! It decides nothing. A call is turned into one call of [`tablegen::engine`], with the lock of the interpreter released while
//! that works, and what comes back into Python values; the package around it (`tablegen/*.py`) gives them types, drawings
//! and documentation. Long work runs on another thread, so that this one can hear of Ctrl-C and report progress.

mod answer;
mod door;
mod errors;
mod game;
mod lookup;
mod losses;
mod pool;
mod position;
mod table;
mod work;

use pyo3::prelude::*;

/// The native part of `tablegen`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::door::{build, files_of, find, games, memory, open_file, open_named, solve, tables, text_file, what};
    #[pymodule_export]
    use crate::game::Rules;
    #[pymodule_export]
    use crate::lookup::Buffer;
    #[pymodule_export]
    use crate::losses::Losses;
    #[pymodule_export]
    use crate::table::Table;
}
