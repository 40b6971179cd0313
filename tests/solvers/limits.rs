//! Work that is cancelled or that exceeds a limit: solving, saving and checking end with the right error and leave
//! nothing behind.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::common::{dense, games, kernels, sparse, table};
use tablegen::game::{Game, Play, Tactics};
use tablegen::plane::Shape;
use tablegen::rules::{Descriptor, Rules};
use tablegen::solve::{Method, Options, Phase, Progress, SolveError, UpTo, count_reachable, solve};
use tablegen::table::{SaveTable, TableFault};
use tablegen::verify::{self, Finding, Scope};

/// 2^18 boards, all of them reachable.
fn tactics() -> Rules {
    Tactics::new(3, 6, 4, Play::Misere).expect("a board of ordinary size").rules().clone()
}

/// Every way to solve on this machine: each kernel, and the sparse solver.
fn ways() -> Vec<Options<'static>> {
    let sparse = Options::of(Method::Sparse);
    kernels().into_iter().chain([sparse]).collect()
}

/// Solves, and cancels as soon as `phase` has done `least`.
fn stopped(rules: &Rules, way: &Options<'_>, phase: Phase, least: u64) -> Result<(), SolveError> {
    let stop = |progress: Progress| match progress.phase == phase && progress.done >= least {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    solve(rules, &Options { progress: Some(&stop), ..*way }).map(drop)
}

#[test]
fn solving_is_cancelled_in_every_phase() {
    let rules = tactics();
    for way in ways() {
        let phases = match way.solver.method() {
            Method::Dense => &[Phase::Allocate, Phase::Sweep, Phase::Count][..],
            Method::Sparse | Method::Cyclic => &[Phase::Find, Phase::Label],
            Method::Regions => &[Phase::Label, Phase::Count],
            Method::Coloured => &[Phase::Allocate, Phase::Mark, Phase::Sweep, Phase::Count],
        };
        for &phase in phases {
            // Cancel at once, and in the middle.
            for least in [0, 1 << 14] {
                let error = stopped(&rules, &way, phase, least).expect_err("it is stopped");
                assert!(matches!(error, SolveError::Cancelled), "{:?} {phase:?} {least}: {error}", way.solver.method());
            }
        }
        // A progress function that never cancels changes nothing.
        assert!(stopped(&rules, &way, Phase::Write, 0).is_ok());
    }
    let stop = |_| ControlFlow::Break(());
    let error =
        count_reachable(&rules, &Options { progress: Some(&stop), ..Options::default() }).expect_err("it is stopped");
    assert!(matches!(error, SolveError::Cancelled), "{error}");
}

/// After it is cancelled, the solver ends without calling the progress function for the remaining positions.
#[test]
fn solving_ends_soon_after_it_is_cancelled() {
    let rules = tactics();
    for way in ways() {
        let (stopped, told_after) = (AtomicBool::new(false), AtomicU64::new(0));
        let stop = |progress: Progress| {
            if stopped.load(Ordering::Relaxed) {
                told_after.fetch_add(1, Ordering::Relaxed);
            }
            if matches!(progress.phase, Phase::Sweep | Phase::Label) {
                stopped.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let error = solve(&rules, &Options { progress: Some(&stop), ..way }).expect_err("it is stopped");
        assert!(matches!(error, SolveError::Cancelled), "{error}");
        // Other threads may report the work that they had begun.
        let told_after = told_after.into_inner();
        assert!(told_after < 64, "{:?}: told {told_after} times more", way.solver.method());
    }
}

#[test]
fn memory_is_bounded() {
    for rules in [tactics(), games::tictactoe(), games::motley(), games::dominoes(5)] {
        let planes = Shape::of(&rules).bytes().expect("small");
        for way in kernels() {
            let within = |bytes| solve(&rules, &Options { max_bytes: Some(bytes), ..way });
            for allowed in [0, planes - 1] {
                match within(allowed).expect_err("the planes need more") {
                    SolveError::DenseMemory { needed, allowed: limit } => {
                        assert_eq!(limit, allowed);
                        assert!(needed >= planes, "{}: {needed}", rules.name());
                        // The memory that the error names is enough.
                        assert!(within(needed).is_ok(), "{}: {needed}", rules.name());
                    }
                    other => panic!("{}: {other}", rules.name()),
                }
            }
        }
    }
}

/// If the sparse solver exceeds its memory, the error says how many positions it found.
#[test]
fn memory_of_the_sparse_solver_is_bounded() {
    let rules = tactics();
    let within = |bytes| solve(&rules, &Options { max_bytes: Some(bytes), ..Options::of(Method::Sparse) });
    let peak = count_reachable(&rules, &Options::default()).expect("the rules are small").peak_bytes;
    assert!(within(peak).is_ok());
    for allowed in [0, peak / 2, peak - 1] {
        let error = within(allowed).expect_err("it needs more");
        let text = error.to_string();
        assert!(text.contains(&format!(" bytes, and {allowed} are allowed")), "{text}");
        let SolveError::SparseMemory { allowed: limit, needed, positions, up_to } = error else { panic!("{text}") };
        let UpTo::Filled { filled, cells: 18 } = up_to else { panic!("{text}") };
        assert!(limit == allowed && needed > allowed && positions < 1 << 18 && filled < 18, "{text}");
        assert!(allowed == 0 || positions > 1, "{text}");
    }
}

/// A cancelled save leaves no file, and keeps the existing one.
#[test]
fn a_save_that_is_cancelled_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    let names = || {
        let entries = std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry"));
        entries.map(|entry| entry.file_name()).collect::<Vec<_>>()
    };
    for solution in [dense(&tactics()), sparse(&tactics())] {
        let whole = solution.file_bytes(&Descriptor::default());
        let mut temporary = None;
        let stop = |progress: Progress| {
            assert_eq!((progress.phase, progress.total), (Phase::Write, Some(whole)));
            assert!(progress.done <= whole);
            ControlFlow::Break(())
        };
        let save = |note: &mut Option<_>| {
            solution.save_with(&Descriptor::default(), &path, |name| *note = Some(name.to_owned()), Some(&stop))
        };
        let error = save(&mut temporary).expect_err("it is stopped");
        assert!(matches!(error.fault, TableFault::Cancelled), "{error}");
        assert_eq!(error.path.as_deref(), Some(&*path));
        assert!(!error.fault.is_damage() && !error.is_storage_full());
        assert!(!temporary.take().expect("the name is told").exists());
        assert!(names().is_empty(), "{:?}", names());

        std::fs::write(&path, b"old").expect("a file");
        save(&mut temporary).expect_err("it is stopped");
        assert_eq!((names(), std::fs::read(&path).expect("a file")), (vec!["table.tb".into()], b"old".to_vec()));
        // A save that is not cancelled reports every byte of the labels.
        let told = AtomicU64::new(0);
        let note = |progress: Progress| {
            told.fetch_max(progress.done, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        solution.save_with(&Descriptor::default(), &path, |_| {}, Some(&note)).expect("a table");
        assert!((whole / 2..=whole).contains(&told.into_inner()));
        std::fs::remove_file(&path).expect("a file");
    }
}

/// Each check of each kind of table, in full and with a sample.
#[test]
fn checks_are_cancelled() {
    let stop = |_| ControlFlow::Break(());
    for table in [table(&dense(&games::chomp(3, 5))), table(&sparse(&games::chomp(3, 5)))] {
        for scope in [Scope::All, Scope::Sample { count: 1000, seed: 0 }] {
            let options = verify::Options { scope, progress: Some(&stop), ..Default::default() };
            let ends = [
                verify::bytes(&table, &options).map(drop),
                verify::labels(&table, &options).map(drop),
                verify::oracle(&table, &options).map(drop),
            ];
            for end in ends {
                assert!(matches!(end, Err(Finding::Cancelled)), "{end:?}");
            }
        }
    }
}
