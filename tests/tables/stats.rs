//! Statistics of tables, compared with a plain count of their content.

use crate::common::games::IMPARTIAL;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::common::{forge, games, random, stored, table_bytes};
use proptest::prelude::*;
use tablegen::engine::{self, EngineError, NumberCounts, OpenTable, Stats, picture};
use tablegen::game::Parameters;
use tablegen::label::{Counts, LabelKind, LabelSet};
use tablegen::rules::{Outcome, Rules};
use tablegen::solve::{Method, Options, Solution, coloured, solve};
use tablegen::table::Table;

/// The solvers of games in which no position repeats.
const ACYCLIC: [Method; 3] = [Method::Dense, Method::Coloured, Method::Sparse];

/// The solvers that can solve `rules`.
fn methods(rules: &Rules) -> Vec<Method> {
    let has = |method: &Method| match method {
        Method::Dense => true,
        Method::Coloured => coloured(rules, &[]).is_ok(),
        Method::Sparse | Method::Cyclic => *method == Method::of_reachable(rules),
        Method::Regions => false,
    };
    Method::ALL.into_iter().filter(has).collect()
}

fn stats(solution: &Solution) -> Stats {
    let table = Table::from_bytes(table_bytes(solution)).expect("a table just written");
    let stats = Stats::of(&OpenTable::new(table), &|_| ControlFlow::Continue(()));
    stats.expect("a table of a solver is sound").expect("no watch stops it")
}

fn assert_counted(rules: &Rules, labels: LabelSet) {
    for method in methods(rules) {
        let solution = solve(rules, &Options { labels, ..Options::of(method) }).expect("the rules are small");
        let found = stats(&solution);
        let (mut by_filled, mut by_plies, mut by_nimber) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut by_mode = vec![Counts::default(); rules.modes().len()];
        for position in stored(rules, solution.contents()) {
            let value = solution.value(position).expect("a position that is held");
            by_filled.entry(position.board.count()).or_insert_with(Counts::default).add(value.outcome);
            by_mode[usize::from(position.mode.0)].add(value.outcome);
            if let Some(plies) = value.remoteness() {
                by_plies.entry(plies).or_insert_with(Counts::default).add(value.outcome);
            }
            if let Some(nimber) = value.nimber() {
                *by_nimber.entry(nimber).or_insert(0u64) += 1;
            }
        }
        let name = rules.name();
        let filled: Vec<(u32, Counts)> = found.by_filled.iter().map(|level| (level.filled, level.counts)).collect();
        assert_eq!(filled, by_filled.into_iter().collect::<Vec<_>>(), "{name}, {method:?}");
        let modes: Vec<Counts> = found.by_mode.iter().map(|(_, counts)| *counts).collect();
        assert_eq!(modes, if by_mode.len() == 1 { vec![] } else { by_mode }, "{name}, {method:?}");
        let plies: Vec<(u32, Counts)> = (0..).zip(found.remoteness.iter().flatten().copied()).collect();
        let plies: Vec<_> = plies.into_iter().filter(|(_, counts)| counts.total() > 0).collect();
        assert_eq!(plies, by_plies.into_iter().collect::<Vec<_>>(), "{name}, {method:?}");
        let rows = found.numbers.of(LabelKind::Nimber).into_iter().flat_map(NumberCounts::rows);
        let nimbers = rows.filter(|&(_, count)| count > 0).map(|(nimber, count)| (nimber.cast_unsigned(), count));
        assert_eq!(nimbers.collect::<Vec<_>>(), by_nimber.into_iter().collect::<Vec<_>>(), "{name}, {method:?}");
        assert_eq!(found.remoteness.is_some(), labels != LabelSet::OUTCOME, "{name}");
    }
}

#[test]
fn counts_of_games_of_every_kind_equal_a_plain_count() {
    for rules in games::of_every_kind() {
        for labels in [LabelSet::OUTCOME, LabelSet::OUTCOME.with(LabelKind::Remoteness)] {
            assert_counted(&rules, labels);
        }
    }
    assert_counted(&games::node_kayles(11, Outcome::Loss), IMPARTIAL);
}

/// Draws the statistics of a game again and compares the picture with the one in the documentation.
fn assert_picture(file: &str, family: &str, parameters: &[(&str, &str)], labels: LabelSet, method: Method) {
    let parameters: Vec<_> = parameters.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let game = engine::game(family, &Parameters::from(parameters)).unwrap();
    let options = Options { labels, roots: &game.roots(), ..Options::of(method) };
    let svg = picture::svg(&stats(&solve(game.rules(), &options).unwrap())).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img").join(file);
    let shown = std::fs::read_to_string(&path).unwrap();
    assert!(
        svg == shown,
        "{file} is not what is drawn today; docs/explanation/pictures.md has the command that draws it"
    );
    assert!(shown.len() < 60_000);
}

#[test]
fn pictures_in_the_documentation_are_up_to_date() {
    let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    assert_picture("tactics-4x4.svg", "tactics", &[], remoteness, Method::Dense);
    let normal = [("rows", "5"), ("cols", "5"), ("play", "normal")];
    assert_picture("tactics-5x5-normal.svg", "tactics", &normal, remoteness.with(LabelKind::Nimber), Method::Dense);
}

#[test]
#[ignore = "nearly ten million positions with remoteness: a minute"]
fn the_largest_picture_is_up_to_date() {
    let board = [("rows", "4"), ("cols", "4"), ("k", "4")];
    let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    assert_picture("mnk-4x4x4.svg", "mnk", &board, remoteness, Method::Sparse);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn counts_of_random_games_equal_a_plain_count(rules in prop_oneof![random::small(), random::large()]) {
        assert_counted(&rules, LabelSet::OUTCOME);
    }
}

#[test]
fn damage_is_an_error_and_never_a_figure() {
    let of =
        |bytes: Vec<u8>| Stats::of(&OpenTable::new(Table::from_bytes(bytes).unwrap()), &|_| ControlFlow::Continue(()));
    let error = |bytes: Vec<u8>| match of(bytes) {
        Err(EngineError::Read(error)) => error.to_string(),
        other => panic!("expected a damaged table, found {other:?}"),
    };
    for method in ACYCLIC {
        let rules = if method == Method::Coloured { games::tictactoe() } else { games::drawn_kayles(13) };
        let sound = table_bytes(&solve(&rules, &Options::of(method)).unwrap());
        let outcomes = forge::outcomes(&sound);
        let mut changed = sound.clone();
        changed[outcomes.start] ^= 1;
        assert!(error(changed).contains("checksum"));
        // Under valid checksums, a position that is both a win and a loss is damage, and so are wrong counts.
        let mut both = sound.clone();
        both[outcomes.clone()].fill(0xff);
        forge::seal_all(&mut both);
        let found = error(both);
        assert!(found.contains("as a win and as a loss") || found.contains("not an outcome"), "{found}");
        let mut none = sound.clone();
        none[outcomes.clone()].fill(0);
        forge::seal_all(&mut none);
        assert!(error(none).contains("the counts in its header differ from its outcomes"));
        assert!(of(sound.clone()).unwrap().is_some());
        // If the caller cancels, there is no result.
        let stopped = Stats::of(&OpenTable::new(Table::from_bytes(sound).unwrap()), &|_| ControlFlow::Break(()));
        assert!(matches!(stopped, Ok(None)));
    }
}

#[test]
fn histograms_that_the_outcomes_contradict_are_damage() {
    let options = Options { labels: IMPARTIAL, ..Options::default() };
    let sound = table_bytes(&solve(&games::node_kayles(9, Outcome::Loss), &options).unwrap());
    // The counts of a section: three outcomes, then the 256 codes of remoteness and of both kinds of nimbers.
    let figures: Vec<_> = forge::fields(&sound).into_iter().filter(|field| field.name.starts_with("figure.")).collect();
    let figures: Vec<_> = figures.into_iter().map(|field| field.at).collect();
    assert_eq!(figures.len(), 3 + 3 * 256);
    let number = |table: &[u8], at: &Range<usize>| u64::from_le_bytes(table[at.clone()].try_into().unwrap());
    // Move the count of losses in 0 plies to wins, then to a code that encodes no label; move the count of nimber 1 to
    // an invalid code.
    for (from, to) in [(3, 3 + 254), (3, 3 + 65), (3 + 256 + 1, 3 + 256 + 129)] {
        let mut table = sound.clone();
        let moved = number(&table, &figures[from]);
        assert!(moved > 0);
        table[figures[from].clone()].fill(0);
        table[figures[to].clone()].copy_from_slice(&moved.to_le_bytes());
        forge::seal_header(&mut table);
        // Opening a table reads its header.
        let error = Table::from_bytes(table).expect_err("a table that contradicts itself").to_string();
        assert!(error.contains("its counts do not add up"), "{error}");
    }
}

#[test]
fn progress_ends_at_the_work_that_was_announced() {
    use std::sync::atomic::{AtomicU64, Ordering};
    for method in ACYCLIC {
        let solution = solve(&games::tictactoe(), &Options::of(method)).unwrap();
        let open = OpenTable::new(Table::from_bytes(table_bytes(&solution)).unwrap());
        let told = AtomicU64::new(0);
        let count = |bytes| {
            told.fetch_add(bytes, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        assert!(Stats::of(&open, &count).unwrap().is_some());
        // The announced work counts every block as if all had the same size.
        let (told, work) = (told.into_inner(), Stats::work(&open.table));
        assert!(told <= work && told + 8 > work, "{told} of {work}");
    }
}
