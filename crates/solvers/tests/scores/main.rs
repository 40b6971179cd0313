//! Scores of sweeps, and outcomes derived from them: every board and every colouring, whole and by slices, up to symmetry too. They equal the
//! reference implementation bit for bit, and the definition position by position.

mod definition;
mod games;
#[path = "../kept/mod.rs"]
mod kept;
mod slices;

use tablegen_index::contents::Contents;
use tablegen_labels::{LabelKind, LabelSet, Width};
use tablegen_rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Terminal};
use tablegen_solvers::{
    Kernel, Method, Options, Solution, Solver, add, coloured, scalar_coloured, scalar_marked, solve,
};

use definition::{assert_defined, positions};
use games::{dots_and_boxes, random_boards, random_colours};

/// Returns whether scores take two bytes.
fn is_wide(rules: &Rules) -> bool {
    LabelKind::Score.width(rules) == Width::Sixteen
}

fn labels() -> LabelSet {
    LabelSet::OUTCOME.with(LabelKind::Score)
}

fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Solves every board by each kernel with several numbers of threads. Returns the reference solution, which all of them equal.
fn assert_boards(rules: &Rules) -> Solution {
    let mut reference = None;
    for (kernel, threads) in Kernel::available().into_iter().flat_map(|kernel| [1, 2, 7].map(|n| (kernel, n))) {
        let solver = Solver::Dense { marks: true, kernel: Some(kernel), layout: None };
        let options = Options { labels: labels(), ..Options::of(solver) };
        let found = in_threads(threads, || solve(rules, &options)).unwrap();
        let Contents::Dense(dense) = found.contents() else { panic!("every board") };
        let reference =
            reference.get_or_insert_with(|| scalar_marked(rules, Some(dense.layout()), &[], labels()).unwrap());
        assert!(found == *reference, "{kernel}, {threads} threads: {rules:?}");
    }
    reference.unwrap()
}

/// The reachable positions by the sparse solver.
fn reachable(rules: &Rules) -> Solution {
    solve(rules, &Options { labels: labels(), ..Options::of(Method::Sparse) }).unwrap()
}

/// Solves random rules of these seeds by all kernels, by the sparse solver and by the definition. Returns how many of them have scores of two
/// bytes.
fn assert_random_boards(seeds: std::ops::Range<u64>) -> u64 {
    let mut wide = 0;
    for seed in seeds {
        let rules = random_boards(seed, 12);
        wide += u64::from(is_wide(&rules));
        let reference = assert_boards(&rules);
        assert_defined(&reference, positions(&rules));
        let sparse = reachable(&rules);
        assert_eq!(sparse.counts_by_mode(), reference.counts_by_mode(), "{seed}");
        for position in (0..sparse.count()).map(|rank| sparse.contents().unrank(rank).unwrap()) {
            assert_eq!(sparse.value(position), reference.value(position), "{seed}: {position:?}");
        }
    }
    wide
}

#[test]
fn random_boards_are_as_defined() {
    let wide = assert_random_boards(0..250);
    assert!((50..125).contains(&wide), "{wide} of two bytes");
}

/// Cells in a row, of which a move fills one or two neighbours. All moves that fill one cell are worth the same, within a line of positions
/// too, where they have a loop of their own.
#[test]
fn moves_that_fill_one_cell_may_gain_alike() {
    for (gain, again) in [(1, false), (-2, false), (3, true), (0, true), (700, false), (-190, true), (1024, true)] {
        let one = |cell| Move { gain, again, ..Move::fill(Board::bit(cell)) };
        let two = |cell| Move { gain: 4, ..Move::fill(Board::bit(cell) | Board::bit(cell + 1)) };
        let moves = (0..12).map(one).chain((0..11).map(two)).collect();
        let rules = RulesSpec { moves, terminal: Outcome::Draw, ..RulesSpec::new("row", 12) }.build().unwrap();
        assert_defined(&assert_boards(&rules), positions(&rules));
    }
}

/// `cargo test -p tablegen-solvers --test scores -- --ignored`.
#[test]
#[ignore = "two minutes"]
fn ten_thousand_random_boards_are_as_defined() {
    assert_random_boards(1 << 32..(1 << 32) + 10_000);
}

#[test]
fn random_colourings_are_as_defined() {
    let (mut solved, mut wide) = (0, 0);
    for seed in 0..100 {
        let squares = if seed % 16 == 0 { 9 } else { 2 + (seed % 5) as u32 };
        let rules = random_colours(seed, squares);
        let Ok(frame) = coloured(&rules, &[]) else { continue };
        solved += 1;
        wide += u64::from(is_wide(&rules));
        let reference = scalar_coloured(&rules, &[], labels()).unwrap();
        for (kernel, threads) in Kernel::available().into_iter().zip([1, 2, 7]) {
            let options = Options { labels: labels(), ..Options::of(Solver::Coloured { kernel: Some(kernel) }) };
            let found = in_threads(threads, || solve(&rules, &options)).unwrap();
            assert!(found == reference, "{kernel}, {threads} threads: {rules:?}");
        }
        let all = (0..frame.count().unwrap()).map(|rank| reference.contents().unrank(rank).unwrap());
        assert_defined(&reference, all);
    }
    assert!(solved > 50 && wide > 15 && wide < solved / 2, "{solved} have colourings, {wide} of two bytes");
}

/// A sweep finds the width of scores in renumbered rules. The bound of the points takes the first cell of a move that fills two.
#[test]
fn renumbered_rules_keep_the_bound_of_points() {
    let two = Board::bit(0) | Board::bit(1);
    let moves = vec![Move { gain: 50, ..Move::fill(two) }, Move { gain: 70, ..Move::fill(Board::bit(0)) }];
    let rules = RulesSpec { moves, terminal: Outcome::Draw, ..RulesSpec::new("two", 2) }.build().unwrap();
    let swapped = rules.renumbered(|board| board.bits().map(|bit| Board::bit(1 - bit)).collect());
    assert_eq!([rules.most_points(), swapped.most_points()], [Some((70, 70)); 2]);
    // Found anew, it would be greater.
    assert_eq!(swapped.into_spec().build().unwrap().most_points(), Some((120, 70)));
}

#[test]
fn dots_and_boxes_has_its_known_scores() {
    let known = [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (2, 2, 2), (2, 3, -2), (3, 3, -3)];
    for (rows, cols, score) in known {
        let rules = dots_and_boxes(rows, cols);
        let options = Options { labels: labels(), ..Options::of(Solver::dense(false)) };
        let solution = solve(&rules, &options).unwrap();
        assert_eq!(solution.value(Position::default()).unwrap().score(), Some(score), "{rows}x{cols}");
        assert_eq!(solution.outcome(Position::default()), Some(Outcome::of_points(score)));
        if rows * cols < 5 {
            assert_defined(&solution, positions(&rules));
        }
    }
}

/// Points at the end alone: outcomes follow from each other, and scores can be added to them.
#[test]
fn scores_are_added_where_points_count_at_the_end() {
    for points in [[7, -2], [700, -299]] {
        assert_added(points);
    }
}

fn assert_added(points: [i16; 2]) {
    let mut spec = random_boards(7, 12).into_spec();
    let end = |cell: u32, points| End {
        mode: Mode(0),
        pattern: Board::bit(cell),
        outcome: Terminal::Points(points),
        empty: Board::EMPTY,
    };
    spec.moves.iter_mut().for_each(|m| (m.gain, m.again) = (0, false));
    spec.ends = vec![end(3, points[0]), end(1, points[1])];
    let rules = spec.build().unwrap();
    let outcomes = solve(&rules, &Options::of(Solver::dense(true))).unwrap();
    let both = assert_boards(&rules);
    assert_defined(&both, positions(&rules));
    let added = add(&rules, &outcomes.contents(), &Options { labels: labels(), ..Options::default() }).unwrap();
    let Contents::Dense(dense) = both.contents() else { panic!("every board") };
    assert!(
        added.bytes(&rules).of(LabelKind::Score).unwrap().plain()
            == dense.bytes().of(LabelKind::Score).unwrap().plain()
    );
    assert_eq!(outcomes.counts(), both.counts());
}
