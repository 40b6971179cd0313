//! Same rules, same bytes: whatever the number of threads, the kernel, or the run.

use crate::common::{games, kernels};
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::{Descriptor, End, Mode, Outcome, Rules, RulesSpec};
use tablegen::solve;
use tablegen::table::{Draft, Table, rules_hash, verify_bytes};

/// The whole file as one thread pool of `threads` threads makes it: solved, hashed, counted and encoded there.
fn bytes(rules: &Rules, threads: usize, options: &solve::Options<'_>) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
    pool.install(|| {
        let solution = solve::dense(rules, options).expect("sound and small");
        let parameters = vec![("words".into(), "alpha\nomega".into())];
        let descriptor = &Descriptor { family: "determinism".into(), parameters };
        Draft { rules, descriptor, layout: solution.layout(), planes: solution.planes() }.to_bytes()
    })
}

fn assert_one_file(rules: &Rules, threads: &[usize]) {
    let expected = bytes(rules, 1, &solve::Options::default());
    let table = Table::from_bytes(expected.clone()).expect("what was just written");
    verify_bytes(&table, &|_| {}).expect("what was just written");
    let counts = table.counts();
    assert!(counts.win > 0 && counts.loss > 0 && (counts.draw > 0) == rules.can_draw(), "a game of every outcome");
    for options in kernels() {
        for &threads in threads {
            let found = bytes(rules, threads, &options);
            // Not assert_eq: nobody wants to read two tables.
            assert!(found == expected, "{}: {threads} threads write other bytes than one", rules.name());
        }
    }
}

/// 2^24 boards are enough to be shared between threads, by the sweep and by the checksums.
#[test]
fn tables_of_one_plane_are_the_same_for_every_thread_count() {
    let tactics = |rows, cols| Tactics::new(rows, cols, 4, Play::Misere).expect("a board of ordinary size");
    assert_one_file(tactics(4, 6).rules(), &[2, 7]);
    assert_one_file(tactics(4, 4).rules(), &[1, 2, 7]);
    assert_one_file(tactics(1, 3).rules(), &[1, 2, 7]);
}

/// Six tails, and positions whose result is a draw: 6 modes of two planes of 2^21 boards each.
#[test]
fn tables_of_many_planes_are_the_same_for_every_thread_count() {
    assert_one_file(&drawn_dominoes(), &[2, 7]);
    assert_one_file(&games::tictactoe(), &[1, 2, 7]);
    assert_one_file(&games::motley(), &[1, 2, 7]);
}

/// Dominoes in which the double of the tail decides: who finds it played has lost, and who is stuck before that draws.
fn drawn_dominoes() -> Rules {
    let dominoes = games::dominoes(6);
    let double = |tail: u16| dominoes.moves().iter().find(|m| m.mode == m.next && m.mode.0 == tail).expect("a double");
    let end = |tail| End { mode: Mode(tail), pattern: double(tail).fills, outcome: Outcome::Loss };
    let ends = (0..3).map(end).collect();
    RulesSpec { name: "dominoes-6-drawn".into(), ends, terminal: Outcome::Draw, ..dominoes.into_spec() }
        .build()
        .expect("sound rules")
}

/// Progress is told from many threads and adds up.
#[test]
fn progress_adds_up_to_every_position() {
    use std::sync::atomic::{AtomicU64, Ordering};
    for rules in [games::tictactoe(), games::motley(), games::dominoes(5)] {
        let told = AtomicU64::new(0);
        let count = |positions| {
            told.fetch_add(positions, Ordering::Relaxed);
        };
        for options in kernels() {
            told.store(0, Ordering::Relaxed);
            let mut options: solve::Options<'_> = options;
            options.progress = Some(&count);
            solve::dense(&rules, &options).expect("sound and small");
            assert_eq!(u128::from(told.load(Ordering::Relaxed)), rules.positions(), "{}", rules.name());
        }
    }
}

/// A name says all: equal rules have one hash, and whatever changes the game changes the hash.
#[test]
fn the_hash_of_the_rules_is_theirs_alone() {
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
    changed(|r| r.start = tablegen::rules::Start::At(Default::default()));
    changed(|r| r.modes[0].push('x'));
    changed(|r| r.moves.swap(0, 1));
    changed(|r| r.moves[3].next.0 = 0);
    changed(|r| r.moves[4].empty.0 |= 1);
    changed(|r| r.moves[5].full.0 |= 1);
    changed(|r| r.moves[0].fills.0 |= 2);
    changed(|r| r.ends.swap(0, 1));
    changed(|r| r.ends.truncate(2));
    let mut hashes: Vec<_> = others.iter().chain([&rules]).map(|rules| *rules_hash(rules).as_bytes()).collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), others.len() + 1);
}
