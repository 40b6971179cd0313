//! The functions of the module: opening tables by name, and builds.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use tablegen::engine::{
    self, Access, BuildOptions, Compress, Engine, EngineError, MOST_PARAMETER_BYTES, Meaning, OpenTable, SearchLimit,
    SolveOptions, Source, TableDirs, UseSymmetry, VALUE, default_labels, json, meaning,
};
use tablegen::game::{FAMILIES, FileGame, LIBRARY, ParameterKind, called};
use tablegen::solve::Method;

use crate::errors::{InputError, of_engine};
use crate::game::{Rules, labels};
use crate::table::Table;
use crate::work::{alone, watched};

/// An engine. `tables` is the only folder of tables (none if it is empty), and `maps` tells whether files are mapped.
fn engine(tables: Option<PathBuf>, maps: bool) -> PyResult<Engine> {
    let dirs = match tables {
        Some(folder) if folder.as_os_str().is_empty() => TableDirs::none(),
        Some(folder) if folder.exists() && !folder.is_dir() => {
            let found = format!("expected a folder of tables, found {}, which is no folder", folder.display());
            return Err(InputError::new_err(found));
        }
        Some(folder) => TableDirs::only(vec![folder]),
        None => TableDirs::standard(),
    };
    // SAFETY: files are mapped only on request, and callers who request it promise that the files do not change.
    let access = if maps { unsafe { Access::mapped() } } else { Access::READ };
    Ok(Engine::new(dirs).with_access(access))
}

/// A limit of searches as given in Python: a number of positions, or a text such as `5s`.
#[derive(FromPyObject)]
pub(crate) enum GivenLimit {
    /// A number of positions.
    Positions(u64),
    /// A text.
    Text(String),
}

impl GivenLimit {
    fn read(self) -> PyResult<SearchLimit> {
        match self {
            Self::Positions(positions) => Ok(SearchLimit::Positions(positions)),
            Self::Text(text) => {
                text.parse().map_err(|error| InputError::new_err(format!("limit: {error}, found {text:?}")))
            }
        }
    }
}

/// The meaning of `name`: `family`, `bundled`, `rules_file`, `table`, or `unknown` with a message, or without one if a game is called so in
/// other words.
#[pyfunction]
pub(crate) fn what(name: OsString) -> (&'static str, Option<String>) {
    match meaning(&name) {
        Ok(Meaning::Family(_)) => ("family", None),
        Ok(Meaning::Bundled(_) | Meaning::Part(..)) => ("bundled", None),
        Ok(Meaning::RulesFile(_)) => ("rules_file", None),
        Ok(Meaning::Table(_)) => ("table", None),
        Err(_) if called(&name.to_string_lossy()).is_some() => ("unknown", None),
        Err(error) => ("unknown", Some(error.to_string())),
    }
}

/// The parameters of the built-in game `name` whose values are contents of files.
#[pyfunction]
pub(crate) fn files_of(name: &str) -> Vec<&'static str> {
    let family = FAMILIES.iter().filter(|family| family.name == name);
    let files = family.flat_map(|family| family.parameters).filter(|of| of.kind == ParameterKind::File);
    files.map(|parameter| parameter.name).collect()
}

/// The content of a text file: a rules file, or the value of a parameter.
#[pyfunction]
pub(crate) fn text_file(py: Python<'_>, path: PathBuf, is_rules: bool) -> PyResult<String> {
    let most = if is_rules { FileGame::MOST_BYTES as u64 } else { MOST_PARAMETER_BYTES };
    let read = alone(py, || engine::text_file(&path, most))?;
    read.map_err(|error| InputError::new_err(error.to_string()))
}

/// The available memory in bytes, if the system tells it.
#[pyfunction]
pub(crate) fn memory() -> Option<u64> {
    engine::available_memory()
}

/// The games, in the format of `list --json`.
#[pyfunction]
pub(crate) fn games() -> String {
    let all = FAMILIES.iter().map(json::family).chain(LIBRARY.iter().map(json::bundled));
    let all: Vec<String> = all.map(|game| game.to_string()).collect();
    format!("[{}]", all.join(","))
}

/// The tables in the folders, in the format of `list --json`.
#[pyfunction]
pub(crate) fn tables(py: Python<'_>, tables: Option<PathBuf>) -> PyResult<String> {
    let engine = engine(tables, false)?;
    let all = alone(py, || {
        let tables = engine.tables();
        tables.iter().map(|table| json::listed(table, ToString::to_string).to_string()).collect::<Vec<_>>()
    })?;
    Ok(format!("[{}]", all.join(",")))
}

/// Opens the file at `path`.
#[pyfunction]
pub(crate) fn open_file(py: Python<'_>, path: PathBuf, limit: GivenLimit, maps: bool) -> PyResult<Table> {
    let (engine, limit) = (engine(None, maps)?, limit.read()?);
    let opened = alone(py, || Source::of_table(engine.open(&path)?, limit))?;
    opened.map(Table::new).map_err(of_engine)
}

/// Opens the table that is listed under `name`; `None` if there is none.
#[pyfunction]
pub(crate) fn open_named(
    py: Python<'_>,
    name: &str,
    tables: Option<PathBuf>,
    limit: GivenLimit,
    maps: bool,
) -> PyResult<Option<Table>> {
    let (engine, limit) = (engine(tables, maps)?, limit.read()?);
    let opened = alone(py, || {
        let open: Option<OpenTable> = engine.open_named(name)?;
        open.map(|open| Source::of_table(open, limit)).transpose()
    })?;
    Ok(opened.map_err(of_engine)?.map(Table::new))
}

/// The table of `rules`, found in a folder; else the tables of its parts; else solved now if the game is small. A larger game is searched.
#[pyfunction]
pub(crate) fn find(
    py: Python<'_>,
    rules: &Bound<'_, Rules>,
    tables: Option<PathBuf>,
    limit: GivenLimit,
    maps: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let (engine, rules, limit) = (engine(tables, maps)?, rules.get(), limit.read()?);
    let source = watched(py, None, progress.as_ref(), |watch| {
        let source = engine.source_watched(rules.game(), limit, Some(&|progress| watch.tell(progress)))?;
        source.decide(Some(&|progress| watch.tell(progress)))?;
        Ok::<_, EngineError>(source)
    })?;
    source.map(Table::new).map_err(of_engine)
}

/// Solves `rules` in memory.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a build")]
pub(crate) fn solve(
    py: Python<'_>,
    rules: &Bound<'_, Rules>,
    names: Option<Vec<String>>,
    solver: Option<&str>,
    symmetry: &str,
    threads: Option<usize>,
    memory: Option<u64>,
    limit: GivenLimit,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let engine = Engine::new(TableDirs::none()).with_memory(memory);
    let (names, values) = match names.map(without_value) {
        Some((names, values)) => (Some(names), values),
        None => (None, false),
    };
    let options = SolveOptions {
        labels: names.map(labels).transpose()?,
        values,
        method: method(solver)?,
        symmetry: use_of(symmetry)?,
        limit: limit.read()?,
    };
    let rules = rules.get();
    let source = watched(py, threads, progress.as_ref(), |watch| {
        engine.solve_in_memory(rules.game(), &options, Some(&|progress| watch.tell(progress)))
    })?;
    source.map(Table::new).map_err(of_engine)
}

/// Solves `rules`, writes the table and opens it. The second value tells why a damaged older table was not reused, if
/// so.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a build")]
pub(crate) fn build(
    py: Python<'_>,
    rules: &Bound<'_, Rules>,
    names: Option<Vec<String>>,
    path: Option<PathBuf>,
    tables: Option<PathBuf>,
    solver: Option<&str>,
    symmetry: &str,
    compress: &str,
    threads: Option<usize>,
    memory: Option<u64>,
    force: bool,
    limit: GivenLimit,
    maps: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Table, Option<String>)> {
    let (engine, rules, limit) = (engine(tables, maps)?, rules.get(), limit.read()?);
    let (labels, values) = match names.map(without_value) {
        Some((names, values)) => (labels(names)?, values),
        None => (default_labels(&*rules.game()), false),
    };
    let options = BuildOptions {
        output: path,
        method: method(solver)?,
        labels,
        values,
        symmetry: use_of(symmetry)?,
        compress: compression(compress)?,
        memory,
        force,
        ..BuildOptions::default()
    };
    let built = watched(py, threads, progress.as_ref(), |watch| {
        let tell = |progress| watch.tell(progress);
        let plan = engine.plan(rules.game(), &options)?;
        let path = plan.path().to_owned();
        let solved = plan.solve(Some(&tell))?;
        let built = solved.save(|_| {}, Some(&tell))?;
        let damage = built.how.damage.map(|damage| {
            format!("{}: {damage}; none of its labels were reused, and every label was solved", path.display())
        });
        Ok::<_, EngineError>((Source::of_table(built.open, limit)?, damage))
    })?;
    let (source, damage) = built.map_err(of_engine)?;
    Ok((Table::new(source), damage))
}

/// The names of labels other than that of the values of boards, and whether that was among them.
fn without_value(names: Vec<String>) -> (Vec<String>, bool) {
    let (values, names): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name == VALUE);
    (names, !values.is_empty())
}

/// The solver called `name`.
fn method(name: Option<&str>) -> PyResult<Option<Method>> {
    let Some(name) = name else { return Ok(None) };
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    let names = || Method::ALL.map(Method::name).join(", ");
    found.map(Some).ok_or_else(|| InputError::new_err(format!("expected a solver, one of {}, found {name:?}", names())))
}

/// The compression that `compress` names.
fn compression(compress: &str) -> PyResult<Compress> {
    match compress {
        "auto" => Ok(Compress::Auto),
        "on" => Ok(Compress::Always),
        "small" => Ok(Compress::Small),
        "off" => Ok(Compress::Never),
        _ => Err(InputError::new_err(format!("compress: expected auto, on, small or off, found {compress:?}"))),
    }
}

/// The use of symmetries that `symmetry` names.
fn use_of(symmetry: &str) -> PyResult<UseSymmetry> {
    match symmetry {
        "auto" => Ok(UseSymmetry::Auto),
        "none" => Ok(UseSymmetry::Never),
        _ => Err(InputError::new_err(format!("symmetry: expected auto or none, found {symmetry:?}"))),
    }
}
