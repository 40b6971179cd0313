//! The engine without the command line: names of games and tables, builds step by step, sources of answers, and kinds
//! of errors.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::common::{dense, games, sparse};
use tablegen::contents::Contents;
use tablegen::engine::{
    Access, Asked, BuildOptions, Built, Engine, EngineError, ErrorKind, Limit, Meaning, OpenTable, Origin, Resource,
    SOLVED_ON_THE_SPOT, Source, TableDirs, TableFacts, game, json, meaning,
};
use tablegen::game::{FileGame, Game, GameError, Mnk, Parameters, Plain, Play, Source as From, Tactics};
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
fn a_missing_table_is_reported() {
    let Place { engine, .. } = &Place::new();
    let large = || tactics(5, 6, Play::Misere);
    assert!(engine.find(large().as_ref()).expect("nothing is wrong").is_none());
    let error = engine.table_of(large()).err().expect("no table");
    assert!(matches!(&error, EngineError::Missing { name } if name == "tactics-5x6-run4-misere"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Table);
    let error = engine.source(large(), LIMIT).err().expect("no table, and too large to be solved for an answer");
    assert!(matches!(&error, EngineError::Missing { .. }), "{error}");
    assert!(large().rules().positions() > SOLVED_ON_THE_SPOT.into());
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

#[test]
fn a_build_step_by_step() {
    let place = Place::new();
    for (method, game) in [(Method::Dense, quiz()), (Method::Sparse, tactics(3, 4, Play::Normal))] {
        let options = BuildOptions { method: Some(method), ..BuildOptions::default() };
        let (name, positions) = (game.rules().name().to_owned(), game.rules().positions() as u64);
        let plan = place.engine.plan(game, &options).expect("there is room");
        assert_eq!((plan.choice().method, plan.choice().reason.as_str()), (method, "asked for"));
        assert_eq!((plan.game().rules().name(), plan.path()), (&*name, &*place.path(&format!("{name}.tb"))));
        assert!(!plan.path().exists());

        let phases = Mutex::new(Vec::new());
        let note = |progress: Progress| {
            phases.lock().expect("nobody panics").push(progress.phase);
            ControlFlow::Continue(())
        };
        let solved = plan.solve(Some(&note)).expect("a small game");
        let counts = solved.counts();
        assert_eq!(counts.total(), positions);
        let mut temporary = None;
        let built = solved.save(|name| temporary = Some(name.to_owned()), Some(&note)).expect("a table");
        let temporary = temporary.expect("the name is told");
        assert!(temporary.parent() == Some(place.folder.path()) && !temporary.exists());
        assert_eq!((built.choice.method, built.positions), (method, positions));
        assert!(built.threads > 0 && !built.program.is_empty() && built.solve_time.as_nanos() > 0);
        assert_eq!((built.open.table.counts(), built.open.table.rules().name()), (counts, &*name));
        let is_sparse = matches!(built.open.table.contents(), Contents::Sparse(_));
        assert_eq!(is_sparse, method == Method::Sparse);
        let phases = phases.into_inner().expect("nobody panics");
        let solving =
            if is_sparse { &[Phase::Find, Phase::Label][..] } else { &[Phase::Allocate, Phase::Sweep, Phase::Count] };
        for phase in solving.iter().chain(&[Phase::Write]) {
            assert!(phases.contains(phase), "{phase:?} is not told");
        }

        // The report of the build equals the facts of the table.
        let facts = TableFacts::of(&built.open).expect("a sound table");
        assert_eq!((facts.counts, facts.reachable.is_some()), (counts, is_sparse));
        let object = json::built(&built, &facts, 1.0);
        assert_eq!((&object["game"], &object["solver"]), (&name.into(), &method.name().into()));
    }
    assert_eq!(place.names(), ["tactics-3x4-run4-normal.tb", &format!("{NAME}.tb")]);
}

/// Connect-4 on 4x4 squares, as a rules file: 161,029 of 2^33 positions are reachable.
fn connect4() -> Box<dyn Game> {
    let name = |row: usize, col: usize| format!("{}{}", ["a", "b", "c", "d"][col], row + 1);
    let mut text = String::from(
        "name = \"connect\"\nsides = [\"x\", \"o\"]\nplay = \"draw\"\n[board]\nrows = 4\ncols = 4\ncolours = \"XO\"\n\
         [start]\nboard = \"..../..../..../....\"\nside = \"x\"\n\
         [[end]]\nline = 4\nalong = [\"rows\", \"columns\", \"diagonals\"]\ncompleter = \"wins\"\n",
    );
    for (side, colour) in [("x", "X"), ("o", "O")] {
        for (row, col) in (0..16).map(|square| (square / 4, square % 4)) {
            let square = name(row, col);
            let under: &[&str] = if row == 3 { &[""] } else { &["X", "O"] };
            for below in under {
                let full =
                    if row == 3 { String::new() } else { format!("full = [\"{below}:{}\"]\n", name(row + 1, col)) };
                text += &format!(
                    "[[move]]\nside = \"{side}\"\nfills = [\"{colour}:{square}\"]\n\
                     empty = [\"X:{square}\", \"O:{square}\"]\n{full}"
                );
            }
        }
    }
    Box::new(FileGame::read(&text, &Parameters::new()).expect("a rules file"))
}

fn bundled(name: &str, set: &[(&str, &str)]) -> Box<dyn Game> {
    let parameters = set.iter().fold(Parameters::new(), |all, (name, value)| all.with(*name, *value));
    game(name, &parameters).expect("a game of the library")
}

#[test]
fn the_engine_chooses_the_solver_with_less_work() {
    let place = Place::new();
    let chosen = |game: &dyn Game| place.engine.choose(game, None).expect("a choice");
    // The solver labels every board of these games, because they ask for it or because every board is reachable.
    for game in [quiz(), tactics(5, 6, Play::Misere), bundled("dominoes", &[])] {
        let choice = chosen(game.as_ref());
        assert_eq!((choice.method, choice.figures), (Method::Dense, None), "{}", choice.reason);
    }
    assert_eq!(chosen(&Mnk::tictactoe().expect("a board")).method, Method::Sparse);
    let asked = place.engine.choose(quiz().as_ref(), Some(Method::Sparse)).expect("a choice");
    assert_eq!((asked.method, &*asked.reason), (Method::Sparse, "asked for"));
    // The positions of these games are counted: a small part is reachable in the first, a large part in the second.
    for (game, reached, method) in
        [(connect4(), 161_029, Method::Sparse), (bundled("sim", &[]), 2_230_702, Method::Coloured)]
    {
        let choice = chosen(game.as_ref());
        let figures = choice.figures.expect("it is counted");
        assert_eq!(figures.all, game.rules().positions());
        assert_eq!((choice.method, figures.reached.positions), (method, Some(reached)));
    }
    let choice = chosen(bundled("cram", &[]).as_ref());
    assert_eq!(choice.method, Method::Dense, "{}", choice.reason);
    assert_eq!(choice.figures.and_then(|figures| figures.reached.positions), Some(5_700));
}

/// These games have more positions than the engine counts, so it estimates the number.
#[test]
fn the_positions_of_a_large_game_are_estimated() {
    let place = Place::new();
    for (name, set, method) in [
        ("connect-four", &[("rows", "6"), ("cols", "4")][..], Method::Sparse),
        ("col", &[("rows", "4"), ("cols", "5")], Method::Sparse),
        ("dawsons-kayles", &[("pins", "40")], Method::Sparse),
        ("domineering", &[("rows", "5"), ("cols", "6")], Method::Dense),
    ] {
        let choice = place.engine.choose(bundled(name, set).as_ref(), None).expect("a choice");
        let reached = choice.figures.expect("its positions are estimated").reached;
        assert_eq!((choice.method, reached.positions), (method, None), "{name}: {}", choice.reason);
        assert!(reached.about.is_some_and(|about| about >= reached.at_least), "{name}: {reached:?}");
    }
}

/// The choice of the solver does not depend on the memory: a game that does not fit is refused.
#[test]
fn the_choice_of_solver_does_not_depend_on_memory() {
    let place = Place::new();
    let domineering = || bundled("domineering", &[("rows", "6"), ("cols", "6")]);
    let choice = place.engine.choose(domineering().as_ref(), None).expect("a choice");
    assert_eq!(choice.method, Method::Dense, "{}", choice.reason);
    let options = BuildOptions { memory: Some(1 << 30), ..BuildOptions::default() };
    let error = place.engine.plan(domineering(), &options).err().expect("it is too large");
    assert!(matches!(&error, EngineError::Shortage(shortage) if shortage.limit == Limit::Asked), "{error}");
}

#[test]
fn a_build_that_is_cancelled_leaves_nothing() {
    let place = Place::new();
    let stop = |_| ControlFlow::Break(());
    for method in [Method::Dense, Method::Sparse] {
        let options = BuildOptions { method: Some(method), ..BuildOptions::default() };
        let plan = || place.engine.plan(tactics(3, 6, Play::Misere), &options).expect("there is room");
        let error = plan().solve(Some(&stop)).err().expect("it is stopped");
        assert!(matches!(&error, EngineError::Solve(SolveError::Cancelled)), "{error}");
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        let error = plan().solve(None).expect("a small game").save(|_| {}, Some(&stop)).err().expect("it is stopped");
        assert!(matches!(&error, EngineError::Write(error) if matches!(error.fault, TableFault::Cancelled)), "{error}");
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert!(place.names().is_empty(), "{:?}", place.names());
    }
    let error = place.engine.source_watched(tactics(3, 3, Play::Misere), LIMIT, Some(&stop)).err().expect("stopped");
    assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
}

#[test]
fn too_little_memory_is_refused() {
    let place = Place::new();
    let options = |method, memory| BuildOptions { method: Some(method), memory: Some(memory), ..Default::default() };
    let error =
        place.engine.plan(tactics(5, 6, Play::Misere), &options(Method::Dense, 1 << 20)).err().expect("refused");
    match &error {
        EngineError::Shortage(shortage) => {
            assert_eq!(
                (shortage.resource, &shortage.limit, shortage.available),
                (Resource::Memory, &Limit::Asked, 1 << 20)
            );
            assert!(shortage.needed.is_some_and(|needed| needed > 1 << 27) && shortage.largest_board == Some(0));
        }
        other => panic!("{other}"),
    }
    assert_eq!(error.kind(), ErrorKind::Resources);
    // The number of reachable positions is unknown before the solve.
    let plan = place.engine.plan(tactics(4, 5, Play::Misere), &options(Method::Sparse, 1 << 20)).expect("a plan");
    let error = plan.solve(None).err().expect("too little memory");
    assert!(matches!(&error, EngineError::Solve(SolveError::SparseMemory { .. })), "{error}");
    assert_eq!(error.kind(), ErrorKind::Resources);
    assert!(place.names().is_empty());
    // More words that do not cancel than a board has cells make a table impossible.
    let alike: String = (0..65).map(|n| format!("a{n}b\n")).collect();
    let error = game("shiritori", &Parameters::new().with("words", alike)).err().expect("too many words");
    assert!(matches!(error, GameError::OutOfReach { .. }), "{error}");
    assert_eq!(EngineError::from(error).kind(), ErrorKind::Resources);
}

/// A build without `force` replaces only a table of its own rules, a damaged table or an empty file.
#[test]
fn targets_that_a_build_refuses_to_replace() {
    let place = Place::new();
    let at = |name: &str, force| BuildOptions { output: Some(place.path(name)), force, ..BuildOptions::default() };
    let plan = |name: &str, force| place.engine.plan(quiz(), &at(name, force)).map(drop);
    fs::create_dir(place.path("folder")).expect("a new folder");
    fs::write(place.path("letter"), "My letters, all of them.").expect("a file");
    let other = tactics(3, 3, Play::Misere);
    dense(other.rules()).save(&other.descriptor(), place.path("other.tb")).expect("a table");
    dense(&games::motley()).save(&Descriptor::default(), place.path("motley.tb")).expect("a table");
    for force in [false, true] {
        for name in ["folder", "letter/x.tb", "no/such/x.tb", "new/"] {
            let (kind_of, text) = kind(plan(name, force));
            assert!(kind_of == ErrorKind::Input && text.contains(name.trim_end_matches("/x.tb")), "{text}");
        }
    }
    for (name, found) in
        [("letter", "a file that is not a table"), ("other.tb", "tactics-3x3"), ("motley.tb", "motley")]
    {
        let error = plan(name, false).expect_err("something is there");
        assert!(matches!(&error, EngineError::Exists { found: said, .. } if said.contains(found)), "{error}");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(plan(name, true).is_ok(), "{name}");
    }
    // A build replaces an older table of the same rules, a damaged table and an empty file.
    let whole = dense(quiz().rules()).to_bytes(&quiz().descriptor());
    for replaced in [&whole[..], &whole[..5000], &whole[..50], b""] {
        fs::write(place.path("it.tb"), replaced).expect("a file");
        assert!(plan("it.tb", false).is_ok(), "{} bytes", replaced.len());
    }
    let error = Engine::new(TableDirs::none()).plan(quiz(), &BuildOptions::default()).err().expect("no folder");
    assert!(matches!(error, EngineError::NoFolder) && error.kind() == ErrorKind::Input, "{error}");
}

#[test]
fn answers_from_a_table_from_a_solution_and_from_a_search() {
    let Place { engine, .. } = &Place::new();
    let source = |game| engine.source(game, LIMIT).expect("a source");
    let table = source(quiz());
    let solved = source(tactics(3, 3, Play::Misere));
    let searched = source(plain(row_of_60()));
    let sources =
        [(&table, Origin::Table, "table"), (&solved, Origin::Solved, "solved"), (&searched, Origin::Search, "search")];
    for (source, origin, name) in sources {
        assert_eq!((source.origin(), origin.name(), source.limit()), (origin, name, LIMIT));
    }

    let asked = table.read("XX../XX../..../....").expect("a board");
    let found = table.answer(&asked).expect("a sound table");
    assert_eq!((found.outcome_name(), found.answer.source, found.answer.moves.len()), ("win", From::Table, 40));
    let best: Vec<&str> = found.answer.best().map(|m| m.text.as_str()).collect();
    assert_eq!(best, ["c3", "d4"]);
    // A game too large for a table is searched. The search succeeds near the end and reaches its limit at the start.
    let near_the_end = searched.answer(&Asked::Node(Position::of(Board::full(57)).into())).expect("no table is read");
    assert_eq!((near_the_end.outcome_name(), near_the_end.answer.source), ("win", From::Search));
    assert_eq!(near_the_end.answer.moves.len(), 3);
    let impatient = engine.source(plain(row_of_60()), 1000).expect("a source");
    let start = impatient.answer(&Asked::Node(Position::of(Board::EMPTY).into())).expect("no table is read");
    assert_eq!(start.outcome_name(), "unknown");
    // A missing text means the start.
    let start = solved.answer(&Asked::typed(solved.game(), None).expect("the start")).expect("an answer");
    let expected = dense(solved.game().rules()).outcome(Position::default());
    assert_eq!((start.answer.node, start.answer.outcome()), (Some(Node::from(Position::of(Board::EMPTY))), expected));

    let error = table.read("nonsense").expect_err("no board");
    assert_eq!(EngineError::from(error).kind(), ErrorKind::Input);
    assert!(Asked::in_file(quiz().as_ref(), "nonsense").is_err());
    assert!(Asked::in_file(quiz().as_ref(), "X X . .\nX X . .\n. . . .\n. . . .\n").is_ok());
}

/// A position that the sparse table does not hold is searched. Beyond the limit, its outcome stays unknown.
#[test]
fn a_position_outside_the_table_is_searched() {
    let rules = games::dominoes(4);
    let (solution, all) = (sparse(&rules), dense(&rules));
    // Choose a position such that the table holds neither it nor any of its successors.
    let is_outside = |p: Position| solution.outcome(p).is_none();
    let is_far =
        |&p: &Position| is_outside(p) && !rules.is_over(p) && rules.moves_from(p).all(|m| is_outside(m.play(p)));
    let outside = crate::common::positions(&rules).find(is_far).expect("most sets of tiles cannot be laid as a line");
    let bytes = solution.to_bytes(&Descriptor::default());
    let source = |limit| {
        let open = OpenTable::new(Table::from_bytes(bytes.clone()).expect("a table"));
        Source::of_table(open, limit).expect("sound lists")
    };
    let ask = |source: &Source| source.answer(&Asked::Node(outside.into())).expect("an answer");
    let found = ask(&source(LIMIT));
    assert_eq!((found.answer.source, found.answer.outcome()), (From::Search, all.outcome(outside)));
    for m in &found.answer.moves {
        let after = m.to.and_then(|to| all.outcome(to)).expect("a position");
        assert_eq!(m.outcome(), Some(after.flip()));
    }
    let unknown = ask(&source(0));
    assert_eq!((unknown.outcome_name(), unknown.answer.outcome()), ("unknown", None));

    let open = OpenTable::new(Table::from_bytes(bytes.clone()).expect("a table"));
    assert_eq!((open.table.counts(), open.source()), (solution.counts(), "embedded".into()));
    assert_eq!(open.start().expect("a sound table").value.outcome, Outcome::Win);
}

/// A damaged table gives no answer from a changed block, and still answers from other blocks.
#[test]
fn a_damaged_table_is_an_error_of_its_kind() {
    let place = Place::new();
    let path = place.path("damaged.tb");
    let mut bytes = dense(quiz().rules()).to_bytes(&quiz().descriptor());
    bytes[4096 + 77] ^= 0x10;
    fs::write(&path, &bytes).expect("a file");
    let source = Source::of_table(place.engine.open(&path).expect("labels are not read"), LIMIT).expect("sound lists");
    let (kind_of, text) = kind(source.answer(&source.read("0x0").expect("a board")).map(drop));
    assert!(kind_of == ErrorKind::Table && text.contains("damaged.tb"), "{text}");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let open = place.engine.open(&path).expect("lists are not read");
    assert_eq!(kind(Source::of_table(open, LIMIT).map(drop)).0, ErrorKind::Table);
    bytes[100] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    assert_eq!(kind(place.engine.open(&path).map(drop)).0, ErrorKind::Table);
}
