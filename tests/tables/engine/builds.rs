//! Builds step by step, and the builds that are refused.

use super::*;
use std::sync::atomic::{AtomicU64, Ordering};
use tablegen::engine::{TableCheck, UseSymmetry};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::verify::Layer;

#[test]
fn a_build_step_by_step() {
    let place = Place::new();
    for (method, game) in [(Method::Dense, quiz()), (Method::Sparse, tactics(3, 4, Play::Normal))] {
        let options = BuildOptions { method: Some(method), ..BuildOptions::default() };
        let (name, positions) = (game.rules().name().to_owned(), game.rules().positions() as u64);
        let plan = place.engine.plan(game, &options).expect("there is room");
        assert_eq!((plan.choice().method, plan.choice().reason.as_str()), (method, "requested"));
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
        assert_eq!((built.choice.method, built.how.positions), (method, positions));
        assert!(built.how.threads > 0 && !built.how.program.is_empty() && built.how.solve_time.as_nanos() > 0);
        assert_eq!((built.open.table.counts(), built.open.table.rules().name()), (counts, &*name));
        let is_sparse = matches!(built.open.table.contents(), Contents::Sparse(_));
        assert_eq!(is_sparse, method == Method::Sparse);
        let phases = phases.into_inner().expect("nobody panics");
        // A sweep of the plies of all boards gives their outcomes, too.
        let plies = Phase::of_label(tablegen::label::LabelKind::Remoteness);
        let solving =
            if is_sparse { vec![Phase::Find, Phase::Label] } else { vec![Phase::Allocate, plies, Phase::Count] };
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
                (Resource::Memory, &Limit::Requested, 1 << 20)
            );
            assert!(shortage.needed.is_some_and(|needed| needed > 1 << 27) && shortage.largest_board == Some(0));
        }
        other => panic!("{other}"),
    }
    assert_eq!(error.kind(), ErrorKind::Resources);
    // The number of reachable positions is unknown before the solve.
    let plan = place.engine.plan(tactics(4, 5, Play::Misere), &options(Method::Sparse, 1 << 20)).expect("a plan");
    let error = plan.solve(None).err().expect("too little memory");
    assert!(matches!(&error, EngineError::PositionMemory { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Resources);
    assert!(place.names().is_empty());
    // More words that do not cancel than a board has cells make a table impossible.
    let alike: String = (0..129).map(|n| format!("a{n}b\n")).collect();
    let error = game("shiritori", &Parameters::new().with("words", alike)).err().expect("too many words");
    assert!(matches!(error, GameError::OutOfReach { .. }), "{error}");
    assert_eq!(EngineError::from(error).kind(), ErrorKind::Resources);
}

#[test]
fn a_build_without_a_folder_is_refused() {
    let error = Engine::new(TableDirs::none()).plan(quiz(), &BuildOptions::default()).err().expect("no folder");
    assert!(matches!(error, EngineError::NoFolder) && error.kind() == ErrorKind::Input, "{error}");
}

#[test]
fn checks_tell_the_work_that_was_announced() {
    let place = Place::new();
    let games: [(Method, Box<dyn Game>); 3] = [
        (Method::Dense, tactics(4, 4, Play::Normal)),
        (Method::Coloured, Box::new(Mnk::new(4, 3, 3, Play::Normal).expect("a board"))),
        (Method::Sparse, tactics(3, 4, Play::Normal)),
    ];
    for (method, game) in games {
        let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
        let (method, symmetry) = (Some(method), UseSymmetry::Always);
        let options = BuildOptions { method, symmetry, labels, ..BuildOptions::default() };
        let table = place.build(game, &options).expect("a small game").open.table;
        for layer in [Layer::Labels, Layer::Oracle] {
            let told = AtomicU64::new(0);
            let count = |units| {
                told.fetch_add(units, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let check = TableCheck::of(&table, layer, None, None, &count);
            assert!(check.finding.is_none());
            assert_eq!(told.into_inner(), TableCheck::work(&table, layer, None), "{method:?} {layer:?}");
        }
    }
}
