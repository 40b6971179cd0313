//! Tables: answers, statistics, checks.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use tablegen::engine::{
    EngineError, LabelFacts, Source, Stats, TableCheck, TableFacts, VALUE, Wanted, check_wanted, json,
};
use tablegen::game::Game;
use tablegen::label::LabelKind;
use tablegen::solve::SolveError;
use tablegen::verify::{Layer, Scope};

use crate::answer::Answer;
use crate::arrow::ArrowColumns;
use crate::errors::{InputError, of_engine};
use crate::game::Rules;
use crate::inner::Inner;
use crate::lookup::{self, GivenBoards, GivenModes};
use crate::losses::Losses;
use crate::position::asked;
use crate::rows::{self, NamedValues, RowBatches};
use crate::work::{Watched, alone, quick, watched};

/// What a search in `game` finds beside the outcome: the label called `name`.
fn wanted(game: &dyn Game, name: Option<&str>) -> PyResult<Wanted> {
    let wanted = name.map_or(Ok(Wanted::Outcome), |name| {
        name.parse::<Wanted>().map_err(|error| InputError::new_err(format!("labels: {error}, found {name:?}")))
    })?;
    check_wanted(game, wanted).map_err(of_engine)?;
    Ok(wanted)
}

/// A table and its game, until it is closed.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct Table {
    inner: Mutex<Option<Arc<Inner>>>,
}

impl Table {
    pub(crate) fn new(source: Source) -> Self {
        Self { inner: Mutex::new(Some(Arc::new(Inner { source }))) }
    }

    fn inner(&self) -> PyResult<Arc<Inner>> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.clone().ok_or_else(|| InputError::new_err("the table is closed: open it again"))
    }
}

#[pymethods]
impl Table {
    /// Closes the table. Arrays and answers that refer to it keep its memory alive.
    fn close(&self) {
        let closed = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(closed);
    }

    #[getter]
    fn closed(&self) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.inner()?.source.game().rules().name().into())
    }

    /// The file, if there is one.
    #[getter]
    fn path(&self) -> PyResult<Option<PathBuf>> {
        let inner = self.inner()?;
        Ok(inner.source.table().and_then(|table| table.path()).map(ToOwned::to_owned))
    }

    /// The origin of the answers: `table`; `solved` if the game was solved in memory for this object; `search` if the whole game has no table.
    #[getter]
    fn origin(&self) -> PyResult<&'static str> {
        Ok(self.inner()?.source.origin().name())
    }

    /// The name of the part and that of the rules of the whole game, if the table is of a part of a game.
    #[getter]
    fn part(&self) -> PyResult<Option<(String, String)>> {
        let inner = self.inner()?;
        let part = inner.source.game().part();
        Ok(part.map(|part| (part.name.to_owned(), part.whole.to_owned())))
    }

    #[getter]
    fn rules(&self) -> PyResult<Rules> {
        Ok(Rules::of(self.inner()?.source.game()))
    }

    #[getter]
    fn labels(&self) -> PyResult<Vec<&'static str>> {
        let inner = self.inner()?;
        let table = &inner.open_table()?.table;
        let of_boards = table.values().map(|_| VALUE);
        Ok(table.labels().iter().map(LabelKind::name).chain(of_boards).collect())
    }

    /// The outcomes over all positions that the table holds: wins, draws, losses.
    #[getter]
    fn counts(&self) -> PyResult<(u64, u64, u64)> {
        let counts = self.inner()?.open_table()?.table.counts();
        Ok((counts.win, counts.draw, counts.loss))
    }

    fn probe(&self, py: Python<'_>, position: &Bound<'_, PyAny>, label: Option<&str>) -> PyResult<Answer> {
        let inner = self.inner()?;
        let wanted = wanted(inner.source.game(), label)?;
        let asked = asked(inner.source.game(), position)?;
        let options = inner.source.options().wanting(wanted);
        let answer = |watch: &Watched| inner.source.answer_watched(&asked, options, &|| watch.add(0));
        // A table answers at once.
        let answered = match inner.source.table() {
            Some(_) => alone(py, || answer(&Watched::default()))?,
            None => watched(py, None, None, answer)?,
        };
        let answered = answered.map_err(of_engine)?;
        Ok(Answer::new(inner, answered))
    }

    /// The object that `line --json` prints.
    fn line(&self, py: Python<'_>, position: &Bound<'_, PyAny>, label: Option<&str>) -> PyResult<String> {
        let inner = self.inner()?;
        let wanted = wanted(inner.source.game(), label)?;
        let asked = asked(inner.source.game(), position)?;
        let line = watched(py, None, None, |watch| {
            inner
                .source
                .line_within(&asked, inner.source.options().wanting(wanted), &|| watch.add(0))
                .map(|line| json::line(&inner.source, &line))
        })?;
        Ok(line.map_err(of_engine)?.to_string())
    }

    /// The object that `stats --json` prints.
    fn stats(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let inner = self.inner()?;
        let open = inner.open_table()?;
        let table = &open.table;
        let stats = watched(py, None, progress.as_ref(), |watch| {
            watch.begin("counting", Some(Stats::work(table)));
            let stats = Stats::of(open, &|bytes| watch.add(bytes))?;
            stats.map(|stats| json::text(json::stats(&stats))).ok_or(EngineError::from(SolveError::Cancelled))
        })?;
        stats.map_err(of_engine)
    }

    /// The object that `info --json` prints.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.inner()?;
        let open = inner.open_table()?;
        let facts = quick(py, || {
            let mut object = json::table(&TableFacts::of(open)?);
            object.extend(json::labels(open.table.rules(), &LabelFacts::of(open)?));
            Ok::<_, EngineError>(json::text(object))
        })?;
        facts.map_err(of_engine)
    }

    /// The object that `verify --json` prints, and the first finding.
    fn verify(
        &self,
        py: Python<'_>,
        levels: Vec<String>,
        sample: Option<u64>,
        seed: u64,
        all: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, Option<String>)> {
        let inner = self.inner()?;
        let open = inner.open_table()?;
        for name in &levels {
            if !Layer::ALL.iter().any(|layer| layer.name() == name) {
                return Err(InputError::new_err(format!("expected bytes, labels or oracle, found {name:?}")));
            }
        }
        let drawn = match (sample, all) {
            (Some(0), _) => return Err(InputError::new_err("expected a sample of at least 1, found 0")),
            (Some(_), true) => return Err(InputError::new_err("expected sample= or all=True, found both")),
            (Some(count), false) => Some(Scope::Sample { count, seed }),
            (None, true) => Some(Scope::All),
            (None, false) => None,
        };
        let checks = watched(py, None, progress.as_ref(), |watch| {
            let mut checks = Vec::new();
            for layer in Layer::ALL.into_iter().filter(|layer| levels.iter().any(|name| name == layer.name())) {
                watch.begin(layer.name(), Some(TableCheck::work(&open.table, layer, drawn)));
                checks.push(TableCheck::of(&open.table, layer, drawn, None, &|units| watch.add(units)));
                if checks.last().is_some_and(|check| check.finding.is_some()) {
                    break;
                }
            }
            checks
        })?;
        let finding = checks.iter().find_map(|check| {
            let finding = check.finding.as_ref()?;
            Some(format!(
                "{}: the check of its {} failed: {finding}; build it again",
                open.source(),
                check.layer.name()
            ))
        });
        Ok((json::checks(open, &checks).to_string(), finding))
    }

    fn look_up(
        &self,
        py: Python<'_>,
        label: &str,
        modes: GivenModes<'_>,
        boards: GivenBoards<'_>,
        mut out: PyReadwriteArray1<'_, u8>,
        missing: Option<u8>,
    ) -> PyResult<()> {
        lookup::look_up(py, &*self.inner()?, label, &modes, &boards, &mut out, missing)
    }

    /// Like `look_up`, for labels of 16 bits.
    fn look_up_words(
        &self,
        py: Python<'_>,
        label: &str,
        modes: GivenModes<'_>,
        boards: GivenBoards<'_>,
        mut out: PyReadwriteArray1<'_, u16>,
        missing: Option<u16>,
    ) -> PyResult<()> {
        lookup::look_up(py, &*self.inner()?, label, &modes, &boards, &mut out, missing)
    }

    /// The number of bits of a label in arrays.
    fn label_bits(&self, label: &str) -> PyResult<u32> {
        lookup::label_bits(&*self.inner()?, label)
    }

    /// The bit of an index for each bit of a board number, and the number of modes.
    fn layout(&self) -> PyResult<(Vec<u8>, u32)> {
        lookup::layout(&*self.inner()?)
    }

    fn fill(&self, py: Python<'_>, label: &str, first: u16, mut out: PyReadwriteArray2<'_, u8>) -> PyResult<()> {
        lookup::fill(py, &*self.inner()?, label, first, &mut out)
    }

    /// Like `fill`, for labels of 16 bits.
    fn fill_words(&self, py: Python<'_>, label: &str, first: u16, mut out: PyReadwriteArray2<'_, u16>) -> PyResult<()> {
        lookup::fill(py, &*self.inner()?, label, first, &mut out)
    }

    fn reachable(&self, py: Python<'_>, first: u16, mut out: PyReadwriteArray2<'_, u8>) -> PyResult<()> {
        lookup::reachable(py, &*self.inner()?, first, &mut out)
    }

    /// The number of cells and the number of modes.
    fn shape(&self) -> PyResult<(u32, usize)> {
        let inner = self.inner()?;
        let rules = inner.source.game().rules();
        Ok((rules.cells(), rules.modes().len()))
    }

    fn plane<'py>(&self, py: Python<'py>, label: &str) -> PyResult<Bound<'py, PyArray2<u8>>> {
        lookup::plane(py, &self.inner()?, label)
    }

    fn rows(&self, py: Python<'_>, condition: Option<&str>, columns: Option<Vec<String>>) -> PyResult<RowBatches> {
        RowBatches::new(py, self.inner()?, condition, columns.as_deref())
    }

    /// The names and the values of the row of a position; `None` if the position is not reachable.
    fn row<'py>(&self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Option<NamedValues<'py>>> {
        rows::row(py, &*self.inner()?, position)
    }

    fn arrow(&self, py: Python<'_>, condition: Option<String>, columns: Option<Vec<String>>) -> PyResult<ArrowColumns> {
        ArrowColumns::new(py, self.inner()?, condition, columns)
    }

    fn losses(&self) -> PyResult<Losses> {
        Ok(Losses::new(self.inner()?))
    }
}
