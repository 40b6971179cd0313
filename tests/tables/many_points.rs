//! Scores of two bytes: games in which sums of points exceed one byte.

use std::ops::ControlFlow;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tablegen::compressed::Compression;
use tablegen::engine::export::{Lines, csv};
use tablegen::engine::{
    Advice, BuildOptions, ColumnKind, ColumnName, ColumnReader, ColumnValues, Engine, EngineError, Keys, Modes,
    RowOptions, SolveOptions, TableDirs, UseSymmetry,
};
use tablegen::game::{FileGame, Game, Parameters};
use tablegen::label::{Label, LabelKind, LabelSet, Score, Width};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Terminal};
use tablegen::solve::{Method, Options, Solution, SolveError, Solver, scalar, solve};
use tablegen::symmetry::Group;
use tablegen::table::{SaveTable, Table};
use tablegen::verify::{self, Finding, Scope};

use crate::common::points::counting;
use crate::common::python::assert_prints;
use crate::common::script::labels_of;
use crate::common::{forge, random, reachable, stored, table, table_bytes};
use crate::packed::assert_same;

const SCORES: LabelSet = LabelSet::OUTCOME.with(LabelKind::Score);
/// The number of scores in a table.
const NUMBER: u8 = 5;

fn coins(coins: u64) -> FileGame {
    let set = Parameters::new().with("coins", coins);
    FileGame::read(include_str!("../../docs/examples/coins.toml"), &set).unwrap()
}

/// Two rows of `pairs` squares. A player fills a square, or two neighbours of a row; each square has its points, and the rows are alike.
fn rows(pairs: u32) -> Rules {
    let points = |cell: u32| 90 + 17 * (cell % pairs) as i16;
    let one = |cell| Move { gain: points(cell), ..Move::fill(Board::bit(cell)) };
    let two = |cell| {
        let fills = Board::bit(cell) | Board::bit(cell + 1);
        Move { gain: points(cell) - points(cell + 1), again: cell % pairs == 0, ..Move::fill(fills) }
    };
    let pairs_of = |row: u32| (row * pairs..(row + 1) * pairs - 1).map(two);
    let moves = (0..2 * pairs).map(one).chain(pairs_of(0)).chain(pairs_of(1)).collect();
    RulesSpec { moves, terminal: Outcome::Draw, ..RulesSpec::new("rows", 2 * pairs) }.build().unwrap()
}

fn solved(rules: &Rules, symmetry: &Group) -> Solution {
    solve(rules, &Options { labels: SCORES, ..Options::of(Solver::Sparse { symmetry }) }).unwrap()
}

/// Random rules whose scores take two bytes.
fn random_rules(count: usize) -> Vec<Rules> {
    let mut runner = TestRunner::deterministic();
    let (mut rng, mut all) = (fastrand::Rng::with_seed(67), Vec::new());
    while all.len() < count {
        let rules = random::rules(2u32..=8, 1..=16).new_tree(&mut runner).unwrap().current();
        let rules = counting(rules, rng.u64(..), rng.i16(50..=300));
        if LabelKind::Score.undefined_by(&rules).is_none() && Score::width(&rules) == Width::Sixteen {
            all.push(rules);
        }
    }
    all
}

/// Checks a table at all levels, at all positions and at a sample.
fn verified(table: &Table) -> Result<(), Finding> {
    let sample = Scope::Sample { count: 100, seed: 1 };
    verify::bytes(table, &verify::Options::default())?;
    for scope in [Scope::All, sample] {
        let options = verify::Options { scope, limit: Some(u64::MAX), progress: None };
        verify::labels(table, &options)?;
        assert_eq!(verify::oracle(table, &options)?.unknown, 0);
    }
    Ok(())
}

/// The table is right in the eyes of the verifier and of the reader in Python, plain and compressed, and no changed score is.
/// `whole` has all positions, also if `solution` has representatives.
fn assert_right(solution: &Solution, whole: &Solution) {
    let (rules, bytes) = (solution.rules(), table_bytes(solution));
    let plain = table(solution);
    assert_eq!(plain.label_width(LabelKind::Score), Width::Sixteen);
    verified(&plain).unwrap_or_else(|finding| panic!("{finding}: {rules:?}"));
    let packing = Compression { block: 1 << 10, ..Compression::default() };
    let packed = Table::from_bytes(solution.to_packed_bytes(&Descriptor::default(), Some(packing))).unwrap();
    assert_same(rules.name(), &plain, &packed);
    verified(&packed).unwrap();
    let total: u64 = plain.codes(LabelKind::Score).iter().sum();
    assert_eq!(total, plain.counts().total());
    assert_prints(&labels_of(&bytes), whole);
    let scores = forge::labels(&bytes, NUMBER).unwrap();
    for at in [scores.start, scores.start + scores.len() / 4 * 2 + 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        forge::seal_all(&mut changed);
        let changed_table = Table::from_bytes(changed.clone()).unwrap();
        assert!(verify::labels(&changed_table, &verify::Options::default()).is_err(), "byte {at}");
        assert!(!labels_of(&changed).status.success(), "byte {at}");
    }
}

#[test]
fn tables_of_many_points_are_right() {
    for rules in [coins(9).rules().clone(), rows(3)] {
        let group = Group::of_rules(&rules, &rules.start_positions()).unwrap();
        let whole = solved(&rules, Group::trivial());
        assert_right(&whole, &whole);
        assert!(group.order() > 1);
        assert_right(&solved(&rules, &group), &whole);
    }
    for rules in random_rules(20) {
        let whole = solved(&rules, Group::trivial());
        assert_right(&whole, &whole);
    }
}

/// Counts of all positions, from a table with symmetry and from one without.
#[test]
fn symmetry_changes_no_score() {
    let rules = rows(4);
    let group = Group::of_rules(&rules, &rules.start_positions()).unwrap();
    assert!(group.order() > 1);
    let (whole, folded) = (solved(&rules, Group::trivial()), solved(&rules, &group));
    assert!(folded.count() < whole.count());
    for position in stored(&rules, whole.contents()) {
        assert_eq!(whole.value(position), folded.value(position), "{position:?}");
    }
    let (whole, folded) = (table(&whole), table(&folded));
    assert_eq!(whole.codes(LabelKind::Score), folded.codes(LabelKind::Score));
    assert_eq!(whole.counts_by_mode(), folded.counts_by_mode());
}

/// Points at an end alone: outcomes follow from each other, and a sweep solves them. Scores can be added to a sparse table only.
#[test]
fn sweeps_refuse_scores_of_two_bytes() {
    let end = |cell, points| End {
        mode: Mode(0),
        pattern: Board::bit(cell),
        outcome: Terminal::Points(points),
        empty: Board::EMPTY,
    };
    let moves = (0..9).map(|cell| Move::fill(Board::bit(cell))).collect();
    let spec = RulesSpec {
        moves,
        ends: vec![end(3, 700), end(1, -299)],
        terminal: Outcome::Draw,
        ..RulesSpec::new("ends", 9)
    };
    let rules = spec.build().unwrap();
    let dense = solve(&rules, &Options::of(Solver::dense(true))).unwrap();
    let both = solved(&rules, Group::trivial());
    assert!(stored(&rules, both.contents()).iter().all(|&at| dense.outcome(at) == both.outcome(at)));
    assert_eq!(both.value(Position::default()).unwrap().score(), Some(299));
    let options = Options { labels: SCORES, ..Options::of(Solver::dense(true)) };
    let refused = |error: SolveError| {
        matches!(error, SolveError::TwoBytes { method: Method::Dense, label: LabelKind::Score, .. })
    };
    assert!(refused(solve(&rules, &options).unwrap_err()));
    assert!(refused(scalar(&rules, None, SCORES).unwrap_err()));
    assert!(refused(table(&dense).extended(&options).unwrap_err()));
    let error = EngineError::from(solve(&rules, &options).unwrap_err());
    assert_eq!(error.advice(), [Advice::Solver("sparse")]);
    // Labels added to a table of outcomes are those of a build of all labels.
    let outcomes = solve(&rules, &Options::of(Method::Sparse)).unwrap();
    let added = table(&outcomes).extended(&options).unwrap();
    assert!(added.to_bytes(&Descriptor::default()).unwrap() == table_bytes(&both));
}

/// The engine chooses the sparse solver, and look-ups and exports have numbers of 16 bits.
#[test]
fn builds_and_exports_have_two_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::new(TableDirs::none());
    let choice = engine.choose(&coins(8), None, None).unwrap();
    assert_eq!((choice.method, choice.reason.as_str()), (Method::Sparse, "scores may take two bytes"));
    let options = SolveOptions { method: Some(Method::Dense), ..SolveOptions::default() };
    let error = engine.solve_in_memory(Box::new(coins(8)), &options, None).err().unwrap();
    assert!(matches!(error, EngineError::Solve(SolveError::TwoBytes { .. })), "{error}");
    let source = engine.solve_in_memory(Box::new(coins(8)), &SolveOptions::default(), None).unwrap();
    let open = source.open_table().unwrap();
    let positions = stored(open.table.rules(), open.table.contents());
    let expected: Vec<i16> =
        positions.iter().map(|&position| open.table.value(position).unwrap().score().unwrap() as i16).collect();
    assert!(expected.iter().any(|&score| score > 126));
    let boards: Vec<u64> = positions.iter().map(|position| position.board.low_word()).collect();
    let mut words = vec![0u16; boards.len()];
    source
        .look_up_all(LabelKind::Score, Modes::Implied, &boards, &mut words, None, &|_| ControlFlow::Continue(()))
        .unwrap();
    assert!(words.iter().map(|word| word.cast_signed()).eq(expected.iter().copied()));
    let mut reader =
        ColumnReader::new(open, RowOptions::default(), &[ColumnName::Label(LabelKind::Score)], Keys::Numbers).unwrap();
    let found = reader.next(open, usize::MAX, &|_| {}).unwrap().unwrap();
    assert_eq!(
        (reader.fields()[0].kind, &found.columns[0].values),
        (ColumnKind::I16, &ColumnValues::I16(expected.clone()))
    );
    let lines = Lines::of_labels(&[ColumnName::Label(LabelKind::Score)], false);
    let mut text = Vec::new();
    let reader = lines.reader(open, RowOptions::default()).unwrap();
    csv(open, reader, &lines, &mut text, &|_| {}).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<i16>().unwrap()).eq(expected));
    for symmetry in [UseSymmetry::Never, UseSymmetry::Always] {
        let output = folder.path().join(format!("{symmetry:?}.tb"));
        let options = BuildOptions { output: Some(output.clone()), symmetry, ..BuildOptions::default() };
        engine.plan(Box::new(coins(10)), &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap();
        let built = Table::open(output).unwrap();
        verified(&built).unwrap();
        assert_eq!(reachable(built.contents()).bytes().width(LabelKind::Score), Width::Sixteen);
    }
}
