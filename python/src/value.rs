//! Values of combinatorial games, in one calculator for the whole process.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use tablegen::values::{Calculator, Comparison, Dyadic, Error, Value, Wall};

use crate::errors::InputError;

/// The calculator. It keeps every value that the process has met.
static CALCULATOR: LazyLock<Mutex<Calculator>> = LazyLock::new(Mutex::default);

pub(crate) fn calculator() -> MutexGuard<'static, Calculator> {
    CALCULATOR.lock().unwrap_or_else(PoisonError::into_inner)
}

fn of_values(error: impl Into<Error>) -> PyErr {
    InputError::new_err(error.into().to_string())
}

/// A number as its numerator and its denominator.
type Fraction = (i64, i64);

fn fraction(number: Dyadic) -> Fraction {
    (number.numerator(), 1 << number.exponent())
}

/// Calls `work` with the calculator, without the interpreter lock.
fn calculate<T: Send>(py: Python<'_>, work: impl FnOnce(&mut Calculator) -> Result<T, Error> + Send) -> PyResult<T> {
    py.detach(|| work(&mut calculator())).map_err(of_values)
}

/// The value that a text names.
#[pyfunction]
pub(crate) fn value_parse(py: Python<'_>, text: &str) -> PyResult<u32> {
    calculate(py, |it| it.parse(text).map(Value::number))
}

/// The canonical form as text.
#[pyfunction]
pub(crate) fn value_name(py: Python<'_>, value: u32) -> PyResult<String> {
    calculate(py, |it| it.name(Value::from_number(value)))
}

/// The sum of two values.
#[pyfunction]
pub(crate) fn value_sum(py: Python<'_>, a: u32, b: u32) -> PyResult<u32> {
    calculate(py, |it| it.sum(Value::from_number(a), Value::from_number(b)).map(Value::number))
}

/// The value with the players exchanged.
#[pyfunction]
pub(crate) fn value_negative(py: Python<'_>, value: u32) -> PyResult<u32> {
    calculate(py, |it| it.negative(Value::from_number(value)).map(Value::number))
}

/// A multiple of a value.
#[pyfunction]
pub(crate) fn value_multiple(py: Python<'_>, count: i64, value: u32) -> PyResult<u32> {
    calculate(py, |it| it.multiple(count, Value::from_number(value)).map(Value::number))
}

/// How a value compares with another: -1, 0 or 1; `None` if they are confused.
#[pyfunction]
pub(crate) fn value_compare(py: Python<'_>, a: u32, b: u32) -> PyResult<Option<i8>> {
    let found = calculate(py, |it| it.compare(Value::from_number(a), Value::from_number(b)))?;
    Ok(match found {
        Comparison::Less => Some(-1),
        Comparison::Equal => Some(0),
        Comparison::Greater => Some(1),
        Comparison::Confused => None,
    })
}

/// The Left options and the Right options.
#[pyfunction]
pub(crate) fn value_options(value: u32) -> (Vec<u32>, Vec<u32>) {
    let it = calculator();
    let (lefts, rights) = it.store().options(Value::from_number(value));
    let numbers = |list: &[Value]| list.iter().map(|option| option.number()).collect();
    (numbers(lefts), numbers(rights))
}

/// The moves in the longest play of the canonical form.
#[pyfunction]
pub(crate) fn value_birthday(value: u32) -> u32 {
    calculator().store().birthday(Value::from_number(value))
}

/// The Left stop and the Right stop.
#[pyfunction]
pub(crate) fn value_stops(value: u32) -> (Fraction, Fraction) {
    let stops = calculator().stops(Value::from_number(value));
    (fraction(stops.left), fraction(stops.right))
}

/// The corners of a wall: temperature and value.
type Corners = Vec<(Fraction, Fraction)>;

/// The mean, the temperature, and the Left and the Right wall of the thermograph.
#[pyfunction]
pub(crate) fn value_thermograph(py: Python<'_>, value: u32) -> PyResult<(Fraction, Fraction, Corners, Corners)> {
    let graph = calculate(py, |it| Ok(it.thermograph(Value::from_number(value))?.clone()))?;
    let corners = |wall: &Wall| -> Corners {
        wall.points().iter().map(|at| (fraction(at.temperature), fraction(at.value))).collect()
    };
    Ok((fraction(graph.mean), fraction(graph.temperature), corners(&graph.left), corners(&graph.right)))
}
