//! Scores of two bytes: games in which sums of points exceed one byte.

use std::ops::ControlFlow;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tablegen::compressed::Compression;
use tablegen::contents::Contents;
use tablegen::engine::export::{Lines, csv, npy};
use tablegen::engine::{
    BuildOptions, BulkError, ColumnKind, ColumnName, ColumnReader, ColumnValues, Engine, Keys, Modes, RowOptions,
    SolveOptions, TableDirs, UseSymmetry,
};
use tablegen::game::{FileGame, Game, Parameters};
use tablegen::label::{Label, LabelKind, LabelSet, Score, Width};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Terminal};
use tablegen::solve::{
    Method, Options, Solution, Solver, coloured, layout, scalar, scalar_coloured, scalar_marked, solve,
};
use tablegen::symmetry::Group;
use tablegen::table::{SaveTable, Table};
use tablegen::verify::{self, Finding, Scope};

use crate::common::points::{counting, gaining};
use crate::common::python::assert_prints;
use crate::common::script::labels_of;
use crate::common::{forge, random, squares, stored, table, table_bytes};
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
    solved_by(rules, Solver::Sparse { symmetry })
}

fn solved_by(rules: &Rules, solver: Solver<'_>) -> Solution {
    solve(rules, &Options { labels: SCORES, ..Options::of(solver) }).unwrap()
}

/// Returns whether scores of `rules` are defined and take two bytes.
fn has_wide_scores(rules: &Rules) -> bool {
    LabelKind::Score.undefined_by(rules).is_none() && Score::width(rules) == Width::Sixteen
}

/// Random rules whose scores take two bytes.
fn random_rules(count: usize) -> Vec<Rules> {
    let mut runner = TestRunner::deterministic();
    let (mut rng, mut all) = (fastrand::Rng::with_seed(67), Vec::new());
    while all.len() < count {
        let rules = random::rules(2u32..=8, 1..=16).new_tree(&mut runner).unwrap().current();
        let rules = counting(rules, rng.u64(..), rng.i16(50..=300));
        if has_wide_scores(&rules) {
            all.push(rules);
        }
    }
    all
}

/// Random rules whose scores take two bytes, and which sweeps solve: some of all boards, some of colourings as well.
fn swept_rules(count: usize) -> Vec<Rules> {
    let mut runner = TestRunner::deterministic();
    let mut rng = fastrand::Rng::with_seed(68);
    let mut any = || match rng.bool() {
        true => squares::rules(rng.u64(..), 1..=4),
        false => random::rules(2u32..=8, 1..=16).new_tree(&mut runner).unwrap().current(),
    };
    let mut times = fastrand::Rng::with_seed(69);
    let all = std::iter::repeat_with(|| gaining(any(), times.u64(..), times.i16(50..=300)));
    all.filter(|rules| has_wide_scores(rules) && rules.sweep_obstacle().is_none()).take(count).collect()
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
    let held = stored(rules, plain.contents());
    for (position, byte) in [(held[0], 0), (held[held.len() / 2], 1)] {
        let at = scores.start + 2 * plain.contents().index(position).unwrap().unwrap() + byte;
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

/// Tables of every board, with and without reachability bits, and of every colouring.
#[test]
fn swept_tables_of_many_points_are_right() {
    let mut of_colours = 0;
    for rules in [vec![rows(3)], swept_rules(24)].concat() {
        let sparse = solved(&rules, Group::trivial());
        for marks in [true, false] {
            let dense = solved_by(&rules, Solver::dense(marks));
            assert_right(&dense, &dense);
            assert!(dense == reference(&rules, marks), "{rules:?}");
            assert_same_scores(&sparse, &dense);
        }
        if coloured(&rules, &[]).is_ok() {
            of_colours += 1;
            let colours = solved_by(&rules, Solver::Coloured { kernel: None });
            assert_right(&colours, &colours);
            assert!(colours == scalar_coloured(&rules, &[], SCORES).unwrap(), "{rules:?}");
            assert_same_scores(&sparse, &colours);
        }
    }
    assert!(of_colours > 3, "{of_colours} of two colours");
}

/// The reference solution of every board, in the layout that the solver chooses.
fn reference(rules: &Rules, marks: bool) -> Solution {
    let layout = layout::choose(rules);
    match marks {
        true => scalar_marked(rules, Some(&layout), &[], SCORES),
        false => scalar(rules, Some(&layout), SCORES),
    }
    .unwrap()
}

/// All reachable positions have the same labels in both.
fn assert_same_scores(sparse: &Solution, other: &Solution) {
    for position in stored(sparse.rules(), sparse.contents()) {
        assert_eq!(sparse.value(position), other.value(position), "{position:?} of {:?}", sparse.rules());
    }
}

/// Points at an end alone: outcomes follow from each other, and scores can be added to a table of outcomes.
#[test]
fn scores_of_two_bytes_are_added() {
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
    for solver in [Solver::dense(true), Solver::dense(false), Solver::Sparse { symmetry: Group::trivial() }] {
        let options = Options { labels: SCORES, ..Options::of(solver) };
        let (outcomes, both) = (solve(&rules, &Options::of(solver)).unwrap(), solve(&rules, &options).unwrap());
        assert!(stored(&rules, both.contents()).iter().all(|&at| outcomes.outcome(at) == both.outcome(at)));
        assert_eq!(both.value(Position::default()).unwrap().score(), Some(299));
        // They are those of a build of all labels.
        let added = table(&outcomes).extended(&options).unwrap();
        assert!(added.to_bytes(&Descriptor::default()).unwrap() == table_bytes(&both));
    }
}

/// Each score of a table has a first position, and it is the first that has the score.
#[test]
fn scores_of_two_bytes_have_first_positions() {
    for rules in [vec![rows(4)], swept_rules(4)].concat() {
        let mut solutions = vec![solved(&rules, Group::trivial()), solved_by(&rules, Solver::dense(true))];
        if coloured(&rules, &[]).is_ok() {
            solutions.push(solved_by(&rules, Solver::Coloured { kernel: None }));
        }
        for solution in solutions {
            let contents = solution.contents();
            let mut counted = stored(&rules, contents);
            counted.retain(|&position| contents.is_counted(position).unwrap());
            if let Contents::Dense(_) = contents {
                counted.sort_unstable_by_key(|position| (position.board, position.mode));
            }
            let score = |&position: &Position| solution.value(position).unwrap().score().unwrap();
            let places: Vec<usize> = (0..LabelKind::Score.places(&rules)).collect();
            let found = contents.first_with(LabelKind::Score, &places, |_| true).unwrap();
            for (place, found) in places.into_iter().zip(found) {
                let wanted = i32::from(Score::at_place(place, Width::Sixteen).unwrap().0);
                let expected = counted.iter().find(|position| score(position) == wanted);
                assert_eq!(found.as_ref(), expected, "{wanted} of {rules:?}");
            }
        }
    }
}

/// Look-ups and exports have numbers of 16 bits.
#[test]
fn builds_and_exports_have_two_bytes() {
    for method in [Method::Sparse, Method::Dense] {
        assert_exported(method);
    }
}

fn assert_exported(method: Method) {
    let engine = Engine::new(TableDirs::none());
    let options = SolveOptions { method: Some(method), ..SolveOptions::default() };
    let source = engine.solve_in_memory(Box::new(coins(8)), &options, None).unwrap();
    let open = source.open_table().unwrap();
    let mut positions = stored(open.table.rules(), open.table.contents());
    let expected = |positions: &[Position]| -> Vec<i16> {
        positions.iter().map(|&position| open.table.value(position).unwrap().score().unwrap() as i16).collect()
    };
    let every = expected(&positions);
    assert!(every.iter().any(|&score| score > 126));
    let boards: Vec<u64> = positions.iter().map(|position| position.board.low_word()).collect();
    // A few boards are looked up one by one, many together.
    for count in [3, boards.len()] {
        let mut words = vec![0u16; count];
        let on = &|_| ControlFlow::Continue(());
        source.look_up_all(LabelKind::Score, Modes::Implied, &boards[..count], &mut words, None, on).unwrap();
        assert!(words.iter().map(|word| word.cast_signed()).eq(every[..count].iter().copied()));
    }
    let mut bytes = vec![0u8; boards.len()];
    let refused =
        source.look_up_all(LabelKind::Score, Modes::Implied, &boards, &mut bytes, None, &|_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(BulkError::Words { label: LabelKind::Score })));
    if let Some(dense) = open.table.contents().every_board() {
        let mut array = Vec::new();
        npy(dense, LabelKind::Score, &mut array, &|_| {}).unwrap();
        let (head, numbers) = array.split_at(array.len() - 2 * every.len());
        let head = String::from_utf8_lossy(head);
        assert!(head.contains("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 256), }"), "{head}");
        assert!(numbers.as_chunks().0.iter().map(|&number| i16::from_le_bytes(number)).eq(every.iter().copied()));
    }
    // Rows have the positions that count.
    positions.retain(|&position| open.table.contents().is_counted(position).unwrap());
    let expected = expected(&positions);
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
}

/// Builds with and without symmetry. A row of 19 coins is the same from both ends.
#[test]
fn built_tables_have_two_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::new(TableDirs::none());
    for method in [Method::Sparse, Method::Dense] {
        for symmetry in [UseSymmetry::Never, UseSymmetry::Always] {
            let output = folder.path().join(format!("{method:?}-{symmetry:?}.tb"));
            let options = BuildOptions {
                output: Some(output.clone()),
                method: Some(method),
                symmetry,
                ..BuildOptions::default()
            };
            engine.plan(Box::new(coins(19)), &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap();
            let built = Table::open(output).unwrap();
            assert_eq!(built.label_width(LabelKind::Score), Width::Sixteen);
            let options = verify::Options { scope: Scope::Sample { count: 50, seed: 2 }, ..verify::Options::default() };
            verify::labels(&built, &verify::Options::default()).unwrap();
            verify::oracle(&built, &options).unwrap();
            // A dense table has every board, also the symmetric ones.
            let has_classes = method == Method::Sparse && symmetry == UseSymmetry::Always;
            assert_eq!(built.domain().group().is_trivial(), !has_classes, "{method:?}");
        }
    }
}
