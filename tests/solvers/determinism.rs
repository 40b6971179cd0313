//! Equal rules give equal bytes for any number of threads, any kernel and every run. Progress reports add up.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::common::{games, kernels};
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Rules, RulesSpec, Start};
use tablegen::solve::{Method, Options, Phase, Progress, solve};
use tablegen::table::{SaveTable, Table, rules_hash};
use tablegen::verify;

/// The bytes of a table that a pool of `threads` threads solves, hashes, counts and encodes.
fn bytes(rules: &Rules, threads: usize, options: &Options<'_>) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
    pool.install(|| {
        let solution = solve(rules, options).expect("the rules are small");
        let parameters = vec![("words".into(), "alpha\nomega".into())];
        solution.to_bytes(&Descriptor { family: "determinism".into(), parameters })
    })
}

fn assert_one_file(rules: &Rules, threads: &[usize]) {
    let expected = bytes(rules, 1, &Options::default());
    let table = Table::from_bytes(expected.clone()).expect("a table just written");
    verify::bytes(&table, &verify::Options::default()).expect("a table just written");
    let counts = table.counts();
    assert!(counts.win > 0 && counts.loss > 0 && (counts.draw > 0) == rules.can_draw(), "a game of every outcome");
    for options in kernels() {
        for &threads in threads {
            let found = bytes(rules, threads, &options);
            // `assert_eq!` would print both tables.
            assert!(found == expected, "{}: {threads} threads write other bytes than one", rules.name());
        }
    }
}

/// 2^24 boards are enough work to be shared between threads, both by the sweep and by the checksums.
#[test]
fn tables_of_one_plane_are_the_same_for_every_thread_count() {
    let tactics = |rows, cols| Tactics::new(rows, cols, 4, Play::Misere).expect("a board of ordinary size");
    assert_one_file(tactics(4, 6).rules(), &[2, 7]);
    assert_one_file(tactics(4, 4).rules(), &[1, 2, 7]);
    assert_one_file(tactics(1, 3).rules(), &[1, 2, 7]);
}

/// Six tails and draws: 6 modes with two planes of 2^21 boards each.
#[test]
fn tables_of_many_planes_are_the_same_for_every_thread_count() {
    assert_one_file(&drawn_dominoes(), &[2, 7]);
    assert_one_file(&games::tictactoe(), &[1, 2, 7]);
    assert_one_file(&games::motley(), &[1, 2, 7]);
}

/// Dominoes in which the double of the tail decides: a player who finds it played loses, and a player who cannot move
/// before that draws.
fn drawn_dominoes() -> Rules {
    let dominoes = games::dominoes(6);
    let double = |tail: u16| dominoes.moves().iter().find(|m| m.mode == m.next && m.mode.0 == tail).expect("a double");
    let end = |tail| End {
        mode: Mode(tail),
        pattern: double(tail).fills,
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    let ends = (0..3).map(end).collect();
    RulesSpec { name: "dominoes-6-drawn".into(), ends, terminal: Outcome::Draw, ..dominoes.into_spec() }
        .build()
        .expect("sound rules")
}

/// The sparse solver keeps each level sorted, so its bytes do not depend on the threads either.
#[test]
fn sparse_tables_are_the_same_for_every_thread_count() {
    // These levels are large enough to be expanded in several groups.
    let tactics = Tactics::new(4, 5, 4, Play::Misere).expect("a board of ordinary size");
    let sparse = Options::of(Method::Sparse);
    let one = bytes(tactics.rules(), 1, &sparse);
    for threads in [2, 7] {
        assert!(bytes(tactics.rules(), threads, &sparse) == one, "{threads} threads write other bytes than one");
    }
}

/// The progress that a solver reports.
fn told(rules: &Rules, options: Options<'_>) -> Vec<Progress> {
    let told = Mutex::new(Vec::new());
    let note = |progress| {
        told.lock().expect("nobody panics").push(progress);
        ControlFlow::Continue(())
    };
    solve(rules, &Options { progress: Some(&note), ..options }).expect("the rules are small");
    told.into_inner().expect("nobody panics")
}

/// The last progress of `phase`.
fn most(told: &[Progress], phase: Phase) -> Option<Progress> {
    told.iter().filter(|progress| progress.phase == phase).max_by_key(|progress| progress.done).copied()
}

fn assert_in_order(told: &[Progress], phases: &[Phase]) {
    let mut seen: Vec<Phase> = told.iter().map(|progress| progress.phase).collect();
    seen.dedup();
    assert_eq!(seen, phases, "{told:?}");
    assert!(told.iter().all(|progress| progress.total.is_none_or(|total| progress.done <= total)), "{told:?}");
}

#[test]
fn progress_of_a_sweep_adds_up_to_every_position() {
    for rules in [games::tictactoe(), games::motley(), games::dominoes(5)] {
        let positions = rules.positions() as u64;
        for options in kernels() {
            let told = told(&rules, options);
            assert_in_order(&told, &[Phase::Allocate, Phase::Sweep, Phase::Count]);
            let whole = Progress { phase: Phase::Sweep, done: positions, total: Some(positions) };
            assert_eq!(most(&told, Phase::Sweep), Some(whole), "{}", rules.name());
            let counted = most(&told, Phase::Count).expect("counting is told");
            assert_eq!(Some(counted.done), counted.total, "{}", rules.name());
        }
    }
}

/// First the positions are found, then the same number of positions is labelled.
#[test]
fn progress_of_the_sparse_solver_adds_up_to_every_position() {
    let rules = Tactics::new(3, 4, 4, Play::Misere).expect("a board of ordinary size").rules().clone();
    let told = told(&rules, Options::of(Method::Sparse));
    assert_in_order(&told, &[Phase::Find, Phase::Label]);
    let found = Progress { phase: Phase::Find, done: 1 << 12, total: None };
    let labelled = Progress { phase: Phase::Label, done: 1 << 12, total: Some(1 << 12) };
    assert_eq!((most(&told, Phase::Find), most(&told, Phase::Label)), (Some(found), Some(labelled)));
}

/// Progress comes within levels: of 2^18 positions, the largest level has 48,620.
#[test]
fn progress_of_the_sparse_solver_moves_within_a_level() {
    let moves = (0..18).map(|cell| Move::fill(Board::bit(cell))).collect();
    let rules = RulesSpec { moves, ..RulesSpec::new("any-of-18", 18) }.build().expect("sound rules");
    let told = told(&rules, Options::of(Method::Sparse));
    for phase in [Phase::Find, Phase::Label] {
        let done: Vec<u64> = told.iter().filter(|progress| progress.phase == phase).map(|told| told.done).collect();
        let step = done.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(step.is_some_and(|step| step < 20_000) && done.last() == Some(&(1 << 18)), "{phase:?}: {step:?}");
    }
}

/// Equal rules have equal hashes, and every change of the rules changes the hash.
#[test]
fn the_hash_of_the_rules_changes_with_every_part() {
    let rules = games::motley();
    assert_eq!(rules_hash(&rules), rules_hash(&games::motley()));
    let mut others = Vec::new();
    let mut changed = |change: fn(&mut RulesSpec)| {
        let mut spec = games::motley().into_spec();
        change(&mut spec);
        others.push(spec.build().expect("sound rules"));
    };
    changed(|r| r.name = "other".into());
    changed(|r| r.cells = 6);
    changed(|r| r.terminal = Outcome::Draw);
    changed(|r| r.start = Start::At(Default::default()));
    changed(|r| r.modes[0].push('x'));
    changed(|r| r.moves.swap(0, 1));
    changed(|r| r.moves[3].next.0 = 0);
    changed(|r| r.moves[4].empty |= Board::from_word(1));
    changed(|r| r.moves[5].full |= Board::from_word(1));
    changed(|r| r.moves[0].fills |= Board::from_word(2));
    changed(|r| r.ends.swap(0, 1));
    changed(|r| r.ends.truncate(2));
    let mut hashes: Vec<String> = others.iter().chain([&rules]).map(rules_hash).collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), others.len() + 1);
}
