//! The engine without the command line: names of games and tables, builds step by step, sources of answers, and kinds
//! of errors.

mod answers;
mod builds;
mod choice;
mod parts;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::common::{dense, games, sparse};
use tablegen::contents::Contents;
use tablegen::engine::{
    Access, Asked, BuildOptions, Built, Engine, EngineError, ErrorKind, Limit, Meaning, OpenTable, Origin, Remedy,
    Resource, SOLVED_ON_DEMAND, Source, TableDirs, TableFacts, game, json, meaning,
};
use tablegen::game::{AnswerSource, Game, GameError, Mnk, Parameters, Plain, Play, Tactics};
use tablegen::rules::{Board, Descriptor, Move, Node, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::{Method, Phase, Progress, SolveError};
use tablegen::table::{SaveTable, Table, TableFault};

const NAME: &str = "tactics-4x4-run4-misere";
const LIMIT: u64 = 1_000_000;

/// An engine with one folder of its own.
struct Place {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let engine = Engine::new(TableDirs::only(vec![folder.path().to_owned()]));
        Self { folder, engine }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
        names.sort();
        names
    }

    fn build(&self, game: Box<dyn Game>, options: &BuildOptions) -> Result<Built, EngineError> {
        self.engine.plan(game, options)?.solve(None)?.save(|_| {}, None)
    }
}

fn tactics(rows: u32, cols: u32, play: Play) -> Box<dyn Game> {
    Box::new(Tactics::new(rows, cols, 4, play).expect("a board of ordinary size"))
}

/// The quiz's board, whose table is embedded in the library.
fn quiz() -> Box<dyn Game> {
    tactics(4, 4, Play::Misere)
}

/// A game whose rules belong to no family.
fn plain(rules: Rules) -> Box<dyn Game> {
    Box::new(Plain::new(rules, Descriptor::default()))
}

/// 60 cells that are filled one by one: more boards than any memory holds, all of them reachable.
fn row_of_60() -> Rules {
    let fills = (0..60).map(|cell| Move::fill(Board::bit(cell)));
    RulesSpec { moves: fills.collect(), ..RulesSpec::new("row-60", 60) }.build().expect("sound rules")
}

#[track_caller]
fn kind<T>(result: Result<T, EngineError>) -> (ErrorKind, String) {
    let error = result.err().expect("an error");
    assert!(!error.to_string().contains('\n'), "one line: {error}");
    (error.kind(), error.to_string())
}

#[test]
fn names_of_games_and_files() {
    let what = |name: &str| match meaning(name.as_ref()) {
        Ok(Meaning::Family(family)) => format!("family {}", family.name),
        Ok(Meaning::Bundled(game)) => format!("library {}", game.name),
        Ok(Meaning::RulesFile(path)) => format!("rules {}", path.display()),
        Ok(Meaning::Table(path)) => format!("table {}", path.display()),
        Ok(Meaning::Part(game, part)) => format!("part {part} of {}", game.name),
        Err(error) => error.to_string(),
    };
    for (name, expected) in [
        ("tactics", "family tactics"),
        ("cram", "library cram"),
        ("mine.toml", "rules mine.toml"),
        ("cram.toml", "rules cram.toml"),
        ("mine.tb", "table mine.tb"),
        ("some/where", "table some/where"),
        ("Cargo.lock", "table Cargo.lock"),
    ] {
        assert_eq!(what(name), expected);
    }
    let unknown = what("quux");
    assert_eq!(unknown, "there is no game called \"quux\"");
    assert!(what("tatcics").ends_with("(did you mean tactics?)") && what("Cram").ends_with("(did you mean cram?)"));

    let named = |name, parameters| game(name, &parameters).map(|game| game.rules().name().to_owned());
    assert_eq!(named("tactics", Parameters::new()).expect("a game"), NAME);
    assert_eq!(named("cram", Parameters::new().with("rows", 2)).expect("a game"), "cram-2x4-normal");
    for (name, parameters) in [
        ("chess", Parameters::new()),
        ("tactics", Parameters::new().with("beauty", 5)),
        ("tactics", Parameters::new().with("rows", 0)),
        ("cram", Parameters::new().with("rows", "x")),
    ] {
        let error = named(name, parameters).expect_err("no such game");
        assert_eq!(EngineError::from(error).kind(), ErrorKind::Input, "{name}");
    }
}

#[test]
fn tables_are_found_in_folders_then_in_the_library() {
    let (first, second) = (Place::new(), Place::new());
    let both = Engine::new(TableDirs::only(vec![first.folder.path().into(), second.folder.path().into()]));
    let source = |engine: &Engine| {
        let open = engine.table_of(quiz()).expect("a table");
        assert_eq!(open.table.rules(), open.game.rules());
        open.source()
    };
    // The table is in the library and in no folder.
    assert_eq!((source(&both), source(&Engine::default())), ("embedded".into(), "embedded".into()));
    let of_second = second.build(quiz(), &BuildOptions::default()).expect("a build").open.source();
    assert_eq!((source(&both), source(&Engine::new(TableDirs::none()))), (of_second, "embedded".into()));
    first.build(quiz(), &BuildOptions::default()).expect("a build");
    assert_eq!(source(&both), first.path(&format!("{NAME}.tb")).display().to_string());

    // The first folder with a table of that name decides, even if the table is unusable.
    fs::write(first.path(&format!("{NAME}.tb")), "no table").expect("a file");
    let (kind_of, text) = kind(both.find(quiz().as_ref()).map(drop));
    assert!(kind_of == ErrorKind::Table && text.contains(NAME), "{text}");
    let other = tactics(4, 3, Play::Misere);
    dense(other.rules()).save(&other.descriptor(), first.path(&format!("{NAME}.tb"))).expect("a table");
    let error = both.find(quiz().as_ref()).expect_err("another game's table");
    assert!(matches!(&error, EngineError::OtherRules { found, .. } if found == "tactics-4x3-run4-misere"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Table);

    let listed = both.tables();
    let used = listed.iter().filter(|listed| listed.table.is_ok()).count();
    assert_eq!((listed.len(), used), (2 + tablegen::shipped::embedded().count(), listed.len()));
    assert!(listed[0].source.contains(NAME) && listed[2].source == "embedded");
}

#[test]
fn a_missing_table_is_reported_where_one_is_needed() {
    let Place { engine, .. } = &Place::new();
    let large = || tactics(5, 6, Play::Misere);
    assert!(engine.find(large().as_ref()).expect("nothing is wrong").is_none());
    let error = engine.table_of(large()).err().expect("no table");
    assert!(matches!(&error, EngineError::Missing { name } if name == "tactics-5x6-run4-misere"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Table);
    // It is too large to be solved for an answer, so it is searched; a table could be built.
    assert!(large().rules().positions() > SOLVED_ON_DEMAND.into());
    let source = engine.source(large(), 1000).expect("no table is needed");
    let answered = source.answer(&Asked::typed(source.game(), None).expect("the start")).expect("a search");
    assert_eq!((answered.outcome_name(), source.remedy()), ("unknown", Remedy { limit: true, build: true }));
    let (kind_of, text) = kind(engine.open(Path::new("no/such.tb")).map(drop));
    assert!(kind_of == ErrorKind::Table && text.starts_with("no/such.tb: "), "{text}");
}

/// A table gives the same answers when it is read into memory and when it is memory-mapped.
#[test]
fn tables_are_read_or_mapped() {
    let place = Place::new();
    place.build(quiz(), &BuildOptions::default()).expect("a build");
    // SAFETY: nothing else writes to the files in this test's folder.
    let mapping = place.engine.clone().with_access(unsafe { Access::mapped() });
    let [read, mapped] = [&place.engine, &mapping].map(|engine| {
        let source = engine.source(quiz(), LIMIT).expect("a table");
        assert_eq!(source.origin(), Origin::Table);
        source.answer(&source.read("XX../XX../..../....").expect("a board")).expect("an answer").answer
    });
    assert_eq!(read, mapped);
}
