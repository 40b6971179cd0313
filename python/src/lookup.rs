//! Labels of many boards: looked up, or all labels by board number, or the stored bytes of the file.

use std::borrow::Cow;
use std::sync::Arc;

use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use tablegen::compressed::BlockFault;
use tablegen::contents::Dense;
use tablegen::engine::export::{NotHeld, by_board};
use tablegen::engine::{BulkError, EngineError, LabelNumber, Modes, ReachabilityError, available_memory, reachability};
use tablegen::label::LabelKind;
use tablegen::rules::{Mode, Rules};
use tablegen::table::{Table, TableFault};

use crate::errors::{InputError, TableError as Unusable, of_bulk, of_engine};
use crate::game::label;
use crate::inner::Inner;
use crate::position::mode;
use crate::rows::damaged;
use crate::work::{Watched, quick, watched};

/// The number of boards from which a look-up watches for signals.
const MANY: usize = 1 << 22;

/// The memory of a table, which arrays refer to. The table stays open as long as they exist.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct Buffer {
    #[expect(dead_code, reason = "it is held, and read through the arrays")]
    inner: Arc<Inner>,
}

/// The modes of boards as given in Python: one for all boards, or one for each.
#[derive(FromPyObject)]
pub(crate) enum GivenModes<'py> {
    /// Mode numbers.
    Each(PyReadonlyArray1<'py, u16>),
    /// The name of a mode, its number, or `None`.
    All(Bound<'py, PyAny>),
}

/// Boards as given in Python.
#[derive(FromPyObject)]
pub(crate) enum GivenBoards<'py> {
    /// Board numbers of at most 64 bits.
    Numbers(PyReadonlyArray1<'py, u64>),
    /// Positions, or board numbers, as texts.
    Texts(Vec<PyBackedStr>),
}

impl GivenModes<'_> {
    fn of(&self, rules: &Rules) -> PyResult<Modes<'_>> {
        Ok(match self {
            Self::Each(modes) => Modes::Each(modes.as_slice()?),
            Self::All(given) => mode(rules, given)?.map_or(Modes::Implied, Modes::All),
        })
    }
}

/// The number of bits of a label in arrays; 8 if the table does not hold it.
pub(crate) fn label_bits(inner: &Inner, name: &str) -> PyResult<u32> {
    let kind = label(name)?;
    let bits = |table: &Table| if kind == LabelKind::Outcome { 8 } else { table.label_width(kind).bits() };
    Ok(inner.source.table().map_or(8, bits))
}

/// Writes the labels of `boards` to `out`.
pub(crate) fn look_up<N: LabelNumber + numpy::Element>(
    py: Python<'_>,
    inner: &Inner,
    name: &str,
    modes: &GivenModes<'_>,
    boards: &GivenBoards<'_>,
    out: &mut PyReadwriteArray1<'_, N>,
    missing: Option<N>,
) -> PyResult<()> {
    let (kind, source) = (label(name)?, &inner.source);
    let modes = modes.of(source.game().rules())?;
    // Another Python thread may change the boards during the look-up, despite the borrow. So every access is checked
    // against the size of the table, and the worst result is a wrong label.
    let out = out.as_slice_mut()?;
    let (count, numbers, texts) = match boards {
        GivenBoards::Numbers(numbers) => (numbers.len()?, Some(numbers.as_slice()?), &[][..]),
        GivenBoards::Texts(texts) => (texts.len(), None, &texts[..]),
    };
    let mut work = |watch: &Watched| match numbers {
        Some(boards) => source.look_up_all(kind, modes, boards, out, missing, &|n| watch.add(n)),
        None => source.look_up_texts(kind, modes, texts, out, missing, &|n| watch.add(n)),
    };
    let done = if count < MANY { quick(py, || work(&Watched::default()))? } else { watched(py, None, None, work)? };
    done.map_err(|error| failed(inner, error))
}

/// The exception for a failed look-up.
fn failed(inner: &Inner, error: BulkError) -> PyErr {
    match error {
        BulkError::NotHeld(error) => not_held(inner, error),
        error => of_bulk(error),
    }
}

/// The failure that a table lacks a label, with advice.
fn not_held(inner: &Inner, error: NotHeld) -> PyErr {
    match inner.source.game().undefined(error.asked) {
        Some(reason) => InputError::new_err(format!("{error}; the game has no {}: {reason}", error.asked)),
        None => of_bulk(error.into()),
    }
}

/// The labels of every board.
fn boards(inner: &Inner) -> PyResult<(&Table, Dense<'_>)> {
    let table = &inner.open_table()?.table;
    Ok((table, table.contents().every_board().ok_or_else(|| not_every(table))?))
}

/// The dense table that holds them.
fn dense(inner: &Inner) -> PyResult<(&Table, Dense<'_>)> {
    let (table, dense) = boards(inner)?;
    if dense.fold().is_some() {
        let found = "expected a dense table without symmetry, found one up to symmetry";
        return Err(InputError::new_err(format!("{found}; build it with symmetry=\"none\"")));
    }
    Ok((table, dense))
}

/// The failure that a table does not hold the labels of every board.
fn not_every(table: &Table) -> PyErr {
    let found = "expected a dense table for an array, found a sparse or two-colour table";
    let rules = table.rules();
    // Such an array takes one byte per position.
    let fits = available_memory().is_none_or(|bytes| rules.positions() <= bytes.into());
    let dense = if rules.sweep_obstacle().is_none() && fits { ", or build it with solver=\"dense\"" } else { "" };
    InputError::new_err(format!("{found}; look up boards with outcomes, remoteness or nimbers{dense}"))
}

/// The bit of an index for each bit of a board number, and the number of modes.
pub(crate) fn layout(inner: &Inner) -> PyResult<(Vec<u8>, u32)> {
    let (_, dense) = dense(inner)?;
    Ok((dense.layout().permutation().to_vec(), dense.planes().shape().modes()))
}

/// Writes a label to `out`, with one row for each mode from `first` on, by board number.
pub(crate) fn fill<N: LabelNumber + numpy::Element>(
    py: Python<'_>,
    inner: &Inner,
    name: &str,
    first: u16,
    out: &mut PyReadwriteArray2<'_, N>,
) -> PyResult<()> {
    let kind = label(name)?;
    let (table, boards) = boards(inner)?;
    let reader = by_board(boards, kind).map_err(|error| not_held(inner, error))?;
    if reader.bits() > N::BITS {
        return Err(InputError::new_err(format!("expected an array of {} bits", reader.bits())));
    }
    let boards = 1usize << table.rules().cells();
    let out = out.as_slice_mut()?;
    let modes = out.len() / boards;
    if out.len() % boards != 0 || usize::from(first) + modes > table.rules().modes().len() {
        return Err(InputError::new_err(format!("expected whole rows of {boards} labels")));
    }
    let done = watched(py, None, None, |watch| {
        table.check_label(kind).map_err(EngineError::Read)?;
        for (mode, row) in (first..).zip(out.chunks_mut(boards)) {
            // Processes a few pieces at a time, so that the work can be stopped in between.
            let part = reader.piece() * rayon::current_num_threads();
            for (number, labels) in row.chunks_mut(part).enumerate() {
                let read = reader.read(Mode(mode), (number * part) as u64, labels);
                read.map_err(|fault| damaged(table, fault))?;
                if watch.add(labels.len() as u64).is_break() {
                    return Ok(());
                }
            }
        }
        Ok::<(), EngineError>(())
    });
    done?.map_err(of_engine)
}

/// Writes the reachability of positions to `out`, with one row of ones and zeros for each mode from `first` on, by
/// board number.
pub(crate) fn reachable(
    py: Python<'_>,
    inner: &Inner,
    first: u16,
    out: &mut PyReadwriteArray2<'_, u8>,
) -> PyResult<()> {
    let table = &inner.open_table()?.table;
    let out = out.as_slice_mut()?;
    let done = watched(py, None, None, |watch| reachability(table, Mode(first), out, &|boards| watch.add(boards)))?;
    done.map_err(|error| match error {
        ReachabilityError::Engine(error) => of_engine(error),
        ReachabilityError::NotEvery => not_every(table),
        _ => InputError::new_err(format!("{error}; tablegen.build(…, force=True) writes one")),
    })
}

/// A label of one byte in the layout of the file: a row for each mode, by index, including padding. The array is a
/// read-only view of the file's bytes. If the label is compressed, it is a read-only copy.
pub(crate) fn plane<'py>(py: Python<'py>, inner: &Arc<Inner>, name: &str) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let kind = label(name)?;
    let (table, dense) = dense(inner)?;
    let modes = table.rules().modes().len();
    let bytes = match dense.bytes().of(kind) {
        Some(bytes) => bytes,
        None if kind == LabelKind::Outcome => {
            return Err(InputError::new_err(
                "expected a label of one byte, found the outcome, which takes one or two bits",
            ));
        }
        None => return Err(not_held(inner, NotHeld { asked: kind, held: table.labels() })),
    };
    quick(py, || table.check_label(kind))?.map_err(|error| of_engine(EngineError::Read(error)))?;
    let Some(bytes) = bytes.plain() else {
        let unpacked = quick(py, || bytes.all().map(Cow::into_owned))?;
        let fault = |fault: BlockFault| EngineError::Read(TableFault::Labels(fault.into()).into());
        let unpacked = unpacked.map_err(|error| of_engine(fault(error)))?;
        let array = Array2::from_shape_vec((modes, unpacked.len() / modes), unpacked);
        let array = PyArray2::from_owned_array(py, array.map_err(|error| Unusable::new_err(error.to_string()))?);
        return read_only(&array);
    };
    let view = ArrayView2::from_shape((modes, bytes.len() / modes), bytes);
    let view = view.map_err(|error| Unusable::new_err(error.to_string()))?;
    let base = Bound::new(py, Buffer { inner: Arc::clone(inner) })?.into_any();
    // SAFETY: the bytes belong to the table in `inner`, which neither moves nor changes them. The array keeps `base`
    // alive, which keeps `inner` alive.
    let array = unsafe { PyArray2::borrow_from_array(&view, base) };
    read_only(&array)
}

/// A read-only array: Python must not write to memory that is shared, or mapped for reading.
fn read_only<'py>(array: &Bound<'py, PyArray2<u8>>) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let array = array.try_readwrite().map_err(|error| Unusable::new_err(error.to_string()))?.make_nonwriteable();
    Ok(array.as_any().clone().cast_into::<PyArray2<u8>>()?)
}
