//! Games that are just large enough to reach the unsafe code of the solvers, so that Miri can run them: see
//! `docs/contributors/tests.md`. Miri takes a minute for what a processor does in a millisecond. So it solves fewer labels, and does
//! not compare them with the reference implementation.

mod kept;

use tablegen_index::plane::Layout;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start};
use tablegen_solvers::{
    Kernel, Method, Options, PlaneKind, SliceOptions, SlicePlan, SliceTask, Solver, coloured, scalar, scalar_coloured,
    scalar_marked, solve,
};

use kept::Kept;

/// All labels that games with these rules have; under Miri, `few` of them.
fn labels(rules: &Rules, few: LabelSet) -> LabelSet {
    let all = LabelKind::ALL.into_iter().filter(|kind| kind.undefined_by(rules).is_none()).collect();
    if cfg!(miri) { few } else { all }
}

fn two_modes() -> Vec<String> {
    ["a", "b"].map(String::from).to_vec()
}

fn cells(numbers: impl IntoIterator<Item = u32>) -> Board {
    numbers.into_iter().map(Board::bit).collect()
}

/// A move that alternates modes, and the same move in the other mode.
fn in_both_modes(m: Move) -> [Move; 2] {
    [Move { next: Mode(1), ..m }, Move { mode: Mode(1), ..m }]
}

/// Cells in reading order: inside a word, between the words of a block, between the blocks of a tile, and between the two tiles of a
/// board of 14 cells.
const PLACES: [u32; 4] = [1, 7, 10, 13];

/// Moves that fill a cell of each of [`PLACES`], alone and together, under each kind of condition; only those on the first `size`
/// cells.
fn places(size: u32, ends: bool) -> Rules {
    let [word, block, tile, board] = PLACES;
    let mut moves = Vec::new();
    for filled in [&[word][..], &[block], &[tile], &[board], &[word, tile], &[word, board], &[block, board], &PLACES] {
        moves.extend(in_both_modes(Move::fill(cells(filled.iter().copied()))));
    }
    for (cell, place, others) in [(2, word, &[word, tile][..]), (11, tile, &[word, tile]), (12, board, &PLACES)] {
        // The other cells may be filled already.
        let fills = Board::bit(cell) | cells(others.iter().copied());
        moves.push(Move { empty: Board::bit(cell), ..Move::fill(fills) });
        moves.push(Move { full: Board::bit(place), ..Move::fill(Board::bit(cell)) });
    }
    moves.retain(|m| Board::full(size).contains(m.fills | m.full));
    let end = |mode, pattern, outcome: Outcome| {
        let outcome = outcome.into();
        End { mode: Mode(mode), pattern: cells(pattern), outcome, empty: Board::EMPTY }
    };
    let ends = if ends { vec![end(0, [2, 7], Outcome::Draw), end(1, [3, 11], Outcome::Win)] } else { Vec::new() };
    RulesSpec { moves, modes: two_modes(), ends, ..RulesSpec::new("places", size) }.build().unwrap()
}

/// Moves that fill one cell each.
fn singles(cells: u32) -> Rules {
    let moves = (0..cells).map(|cell| Move::fill(Board::bit(cell))).collect();
    RulesSpec { moves, ..RulesSpec::new("singles", cells) }.build().unwrap()
}

fn assert_dense(rules: &Rules, marks: bool, few: LabelSet) {
    let (layout, labels) = (Layout::reading_order(rules.cells()), labels(rules, few));
    for kernel in Kernel::available() {
        let options =
            Options { labels, ..Options::of(Solver::Dense { marks, kernel: Some(kernel), layout: Some(&layout) }) };
        let solution = solve(rules, &options).unwrap();
        if !cfg!(miri) && marks {
            assert!(solution == scalar_marked(rules, Some(&layout), &[], labels).unwrap(), "{kernel}");
        } else if !cfg!(miri) {
            assert!(solution == scalar(rules, Some(&layout), labels).unwrap(), "{kernel}");
        }
    }
}

#[test]
fn boards() {
    assert_dense(&places(14, false), false, LabelSet::OUTCOME);
}

#[test]
fn boards_with_draws_and_ends() {
    assert_dense(&places(14, true), true, LabelSet::OUTCOME);
}

#[test]
fn boards_filled_cell_by_cell() {
    assert_dense(&singles(10), false, LabelSet::OUTCOME.with(LabelKind::Remoteness));
}

#[test]
fn bytes_of_boards() {
    assert_dense(&places(12, false), false, LabelSet::OUTCOME.with(LabelKind::Remoteness));
}

/// Columns of squares that are filled from below with either colour, and a square of one cell. There are few sets of occupied squares.
fn columns(heights: &[u32]) -> Rules {
    let squares: u32 = heights.iter().sum();
    let colours = |square: u32| [square, square + squares].map(Board::bit);
    let both = |square: u32| colours(square)[0] | colours(square)[1];
    let single = Board::bit(2 * squares);
    let (mut moves, mut bottom) = (Vec::new(), 0);
    for &height in heights {
        for square in bottom..bottom + height {
            let below = if square == bottom { vec![Board::EMPTY] } else { colours(square - 1).to_vec() };
            let onto = |mode: u16| {
                let fills = colours(square)[usize::from(mode)];
                let modes = Move { mode: Mode(mode), next: Mode(1 - mode), empty: both(square), ..Move::fill(fills) };
                below.iter().map(move |&full| Move { full, ..modes })
            };
            moves.extend(onto(0).chain(onto(1)));
        }
        bottom += height;
    }
    let last = squares - heights[heights.len() - 1];
    let before = last - heights[heights.len() - 2];
    let fills = colours(before)[0] | colours(last)[1];
    // Two pieces at once, alone and with the square of one cell, which may be occupied already.
    let two = Move { empty: both(before) | both(last), ..Move::fill(fills) };
    moves.extend([two, Move { fills: fills | single, ..two }]);
    moves.extend(in_both_modes(Move::fill(single)));
    let ends = vec![End {
        mode: Mode(1),
        pattern: colours(0)[0] | colours(1)[0],
        outcome: Outcome::Draw.into(),
        empty: Board::EMPTY,
    }];
    RulesSpec { moves, modes: two_modes(), ends, ..RulesSpec::new("columns", 2 * squares + 1) }.build().unwrap()
}

fn assert_coloured(rules: &Rules, few: LabelSet) {
    let labels = labels(rules, few);
    for kernel in Kernel::available() {
        let options = Options { labels, ..Options::of(Solver::Coloured { kernel: Some(kernel) }) };
        let solution = solve(rules, &options).unwrap();
        assert!(cfg!(miri) || solution == scalar_coloured(rules, &[], labels).unwrap(), "{kernel}");
    }
}

/// Sets of up to 2^11 colourings: more than the bits of a vector.
#[test]
fn colourings() {
    assert_coloured(&columns(&[9, 1, 1]), LabelSet::OUTCOME);
}

#[test]
fn bytes_of_colourings() {
    assert_coloured(&columns(&[3, 2]), LabelSet::OUTCOME.with(LabelKind::Remoteness));
}

#[test]
fn boards_in_slices() {
    let rules = places(14, true);
    let labels = labels(&rules, LabelSet::OUTCOME);
    let task = SliceTask::boards(&rules, None, labels, true);
    let plan = SlicePlan::with_slice_cells(&task, 1, 1 << 40).unwrap();
    let options = Options { labels, ..Options::of(Solver::dense(true)) };
    let whole = if cfg!(miri) { None } else { Some(solve(&rules, &options).unwrap()) };
    for kernel in Kernel::available() {
        let options = SliceOptions { kernel: Some(kernel), ..SliceOptions::default() };
        let swept = plan.solve(&rules, &options, &Kept::default()).unwrap();
        if let Some(whole) = &whole {
            assert_eq!(swept.counts(PlaneKind::Reached).unwrap(), whole.counts_by_mode(), "{kernel}");
        }
    }
}

#[test]
fn colourings_in_slices() {
    let rules = columns(&[3, 2, 2]);
    let labels = labels(&rules, LabelSet::OUTCOME.with(LabelKind::Remoteness));
    let options = Options { labels, ..Options::of(Method::Coloured) };
    let whole = if cfg!(miri) { None } else { Some(solve(&rules, &options).unwrap()) };
    let frame = coloured(&rules, &[]).unwrap();
    let task = SliceTask::colourings(&rules, &frame, labels);
    let cut = |top| SlicePlan::with_slice_cells(&task, top, 1 << 40);
    let plan = (1..frame.size()).find_map(cut).unwrap();
    for kernel in Kernel::available() {
        let options = SliceOptions { kernel: Some(kernel), ..SliceOptions::default() };
        let swept = plan.solve(&rules, &options, &Kept::default()).unwrap();
        if let Some(whole) = &whole {
            assert_eq!(swept.counts(PlaneKind::Reached).unwrap(), whole.counts_by_mode(), "{kernel}");
        }
    }
}

/// A piece that steps back and forth, beside cells that are filled.
#[test]
fn repetition() {
    let step = |mode, from, to| Move {
        mode: Mode(mode),
        next: Mode(1 - mode),
        full: Board::bit(from),
        clears: Board::bit(from),
        ..Move::fill(Board::bit(to))
    };
    let mut moves = vec![step(0, 0, 1), step(1, 1, 0), step(0, 1, 2)];
    moves.extend([3, 4].into_iter().flat_map(|cell| in_both_modes(Move::fill(Board::bit(cell)))));
    let start = Start::At(Position::of(Board::bit(0)));
    let rules = RulesSpec { moves, modes: two_modes(), start, ..RulesSpec::new("steps", 5) }.build().unwrap();
    assert_eq!(Method::of_reachable(&rules), Method::Cyclic);
    let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    let solution = solve(&rules, &Options { labels, ..Options::of(Method::Cyclic) }).unwrap();
    assert!(solution.outcome(Position::of(Board::bit(0))).is_some());
}
