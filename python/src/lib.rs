//! x
use pyo3::prelude::*;
/// x
#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> { m.add("x", 1) }
