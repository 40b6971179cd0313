//! Scores of sweeps, and outcomes derived from them: every board and every colouring, whole and by slices, up to symmetry too. They equal the
//! reference implementation bit for bit, and the definition position by position.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use tablegen_index::contents::Contents;
use tablegen_index::domain::Domain;
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Terminal};
use tablegen_solvers::{
    Kernel, Method, Options, PlaneKind, SliceBuffer, SliceOptions, SlicePlan, SliceStore, SliceTask, Solution, Solver,
    StoreFault, Swept, add, coloured, fold, fold_colourings, scalar_coloured, scalar_marked, solve,
};

/// The lines of a grid of dots with `rows` by `cols` boxes, and the lines of each box.
fn boxes(rows: u32, cols: u32) -> (u32, Vec<Vec<u32>>) {
    let across = (rows + 1) * cols;
    let of_box = |row: u32, col: u32| {
        let down = across + row * (cols + 1) + col;
        vec![row * cols + col, (row + 1) * cols + col, down, down + 1]
    };
    let all = (0..rows).flat_map(|row| (0..cols).map(move |col| of_box(row, col))).collect();
    (across + rows * (cols + 1), all)
}

/// Dots and Boxes by lines alone: a player who closes boxes gains a point for each and moves again.
fn dots_and_boxes(rows: u32, cols: u32) -> Rules {
    let (lines, boxes) = boxes(rows, cols);
    let mut moves = Vec::new();
    for line in 0..lines {
        let mut cases = vec![(Board::EMPTY, Board::EMPTY, 0)];
        for of_box in boxes.iter().filter(|of_box| of_box.contains(&line)) {
            let others: Vec<Board> = of_box.iter().filter(|&&other| other != line).map(|&l| Board::bit(l)).collect();
            let all: Board = others.iter().copied().collect();
            // The box is closed, or one of its other lines is the first that is missing.
            let first = |n: usize| (others[n], others[..n].iter().copied().collect::<Board>(), 0);
            let of_box: Vec<_> = (0..others.len()).map(first).chain([(Board::EMPTY, all, 1)]).collect();
            let with =
                |a: &(Board, Board, i16)| of_box.iter().map(|b| (a.0 | b.0, a.1 | b.1, a.2 + b.2)).collect::<Vec<_>>();
            cases = cases.iter().flat_map(with).filter(|case| case.0.is_disjoint(case.1)).collect();
        }
        let fill = Move::fill(Board::bit(line));
        let of = |(empty, full, gain)| Move { empty: fill.empty | empty, full, gain, again: gain > 0, ..fill };
        moves.extend(cases.into_iter().map(of));
    }
    RulesSpec { moves, terminal: Outcome::Draw, ..RulesSpec::new("dots-and-boxes", lines) }.build().unwrap()
}

/// Rules with gains, moves again and points at the end, on boards of 1 to `most` cells. Some cells are in the same block, others not.
fn random_boards(seed: u64, most: u32) -> Rules {
    let mut random = Rng::with_seed(seed);
    let (cells, modes) =
        (if random.u8(..4) == 0 { random.u32(1..=8) } else { random.u32(9..=most) }, random.u16(1..=3));
    let board = |random: &mut Rng, most: usize, region: u8| -> Board {
        let place = |random: &mut Rng| match region {
            0 => random.u32(..cells),
            1 => random.u32(..cells.min(9)),
            _ => cells - 1 - random.u32(..cells.saturating_sub(9).max(1)),
        };
        (0..random.usize(..=most)).map(|_| Board::bit(place(random))).collect()
    };
    let moves = (0..random.usize(1..=40)).map(|_| {
        let region = random.u8(..3);
        let new = Board::bit(random.u32(..cells)) | board(&mut random, 1, region);
        let (more, asked) = if random.bool() { (1, 2) } else { (0, 0) };
        let empty = new | board(&mut random, asked, region);
        let full = board(&mut random, asked, region) & !empty;
        Move {
            mode: Mode(random.u16(..modes)),
            next: Mode(random.u16(..modes)),
            empty,
            full,
            gain: if random.bool() { random.i16(-4..=5) } else { 0 },
            again: random.u8(..3) == 0,
            ..Move::fill(new | board(&mut random, more, region))
        }
    });
    let mut moves: Vec<Move> = moves.collect();
    // Six moves that fill one cell each within a line have a loop of their own.
    if random.u8(..4) == 0 {
        moves.retain(|m| m.fills.low_word() >> 6 != 0);
        let alike = Move { gain: random.i16(-2..=2), again: random.bool(), ..Move::fill(Board::EMPTY) };
        let single = |cell| Move { empty: Board::bit(cell), fills: Board::bit(cell), ..alike };
        moves.extend((0..cells.min(6)).map(single));
    }
    moves.push(Move { gain: 1, ..Move::fill(Board::bit(random.u32(..cells))) });
    let end = |random: &mut Rng| End {
        mode: Mode(random.u16(..modes)),
        pattern: Board::bit(random.u32(..cells)) | board(random, 3, 0),
        outcome: if random.bool() { Terminal::Points(random.i16(-9..=9)) } else { Outcome::Draw.into() },
        empty: Board::EMPTY,
    };
    let ends = (0..random.usize(..4)).map(|_| end(&mut random)).collect();
    let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
    RulesSpec { moves, ends, modes, terminal: Outcome::Draw, ..RulesSpec::new("random", cells) }.build().unwrap()
}

/// Random rules with their images under the exchange of the lowest cells with the highest ones.
fn random_symmetric_boards(seed: u64) -> Rules {
    let mut spec = random_boards(seed, 15).into_spec();
    let cells = spec.cells;
    let turned = |board: Board| board.bits().map(|bit| Board::bit(cells - 1 - bit)).collect::<Board>();
    let image = |m: &Move| Move { empty: turned(m.empty), full: turned(m.full), fills: turned(m.fills), ..*m };
    let images: Vec<Move> = spec.moves.iter().map(image).collect();
    spec.moves.extend(images);
    spec.ends.clear();
    spec.build().unwrap()
}

/// A game of pieces of two colours on `squares` squares. Pieces may need neighbours, and gain points with them.
fn random_colours(seed: u64, squares: u32) -> Rules {
    let mut random = Rng::with_seed(seed);
    let cell = |square: u32, colour: u32| Board::bit(square + squares * colour);
    let both = |square: u32| cell(square, 0) | cell(square, 1);
    let mut moves = Vec::new();
    for square in 0..squares {
        for colour in 0..2 {
            for _ in 0..random.u32(1..=3) {
                let put = Move { empty: both(square), ..Move::fill(cell(square, colour)) };
                let near = random.u32(..squares);
                let full = if near == square || random.bool() { Board::EMPTY } else { cell(near, random.u32(..2)) };
                let modes = if random.bool() { (0, 1) } else { (1, 0) };
                let (gain, again) = (if full.is_empty() { 0 } else { random.i16(-2..=4) }, random.u8(..4) == 0);
                let next = Mode(if again { modes.0 } else { modes.1 });
                moves.push(Move { full, gain, again, mode: Mode(modes.0), next, ..put });
            }
        }
        if square + 1 < squares && random.bool() {
            // Two pieces at once.
            let two =
                Move { empty: both(square) | both(square + 1), ..Move::fill(cell(square, 0) | cell(square + 1, 1)) };
            moves.push(Move { gain: 2, again: true, ..two });
        }
    }
    let single = Board::bit(2 * squares);
    moves.extend([Move { gain: 1, next: Mode(1), ..Move::fill(single) }, Move { mode: Mode(1), ..Move::fill(single) }]);
    let end = |random: &mut Rng| End {
        mode: Mode(random.u16(..2)),
        pattern: cell(random.u32(..squares), random.u32(..2)) | cell(random.u32(..squares), 0),
        outcome: Terminal::Points(random.i16(-9..=9)),
        empty: Board::EMPTY,
    };
    let ends: Vec<End> = (0..random.usize(..4)).map(|_| end(&mut random)).collect();
    let ends = ends.into_iter().filter(|end| (0..squares).all(|s| !end.pattern.contains(both(s)))).collect();
    let modes = ["a", "b"].map(String::from).to_vec();
    RulesSpec { moves, ends, modes, terminal: Outcome::Draw, ..RulesSpec::new("colours", 2 * squares + 1) }
        .build()
        .unwrap()
}

/// The score of a position by the definition, from the rules alone.
struct Definition<'a>(&'a Rules, HashMap<Position, i32>);

impl Definition<'_> {
    fn score(&mut self, position: Position) -> i32 {
        if let Some(&score) = self.1.get(&position) {
            return score;
        }
        let rules = self.0;
        let score = rules.ending(position).map_or_else(
            || {
                let scores = rules.steps(position).map(|step| {
                    let after = self.score(step.to);
                    i32::from(step.gain) + if step.again { after } else { -after }
                });
                scores.max().unwrap_or(0)
            },
            |ending| ending.points.into(),
        );
        self.1.insert(position, score);
        score
    }
}

fn positions(rules: &Rules) -> impl Iterator<Item = Position> {
    let modes = rules.modes().len() as u16;
    (0..1u64 << rules.cells())
        .flat_map(move |board| (0..modes).map(move |mode| Position::new(Mode(mode), Board::from_word(board))))
}

fn labels() -> LabelSet {
    LabelSet::OUTCOME.with(LabelKind::Score)
}

/// Checks scores and outcomes of `positions` by the definition.
fn assert_defined(solution: &Solution, positions: impl Iterator<Item = Position>) {
    let rules = solution.rules();
    let mut definition = Definition(rules, HashMap::new());
    for position in positions {
        let score = definition.score(position);
        let value = solution.value(position).expect("a position of the rules");
        assert_eq!(value.score(), Some(score), "{position:?} of {rules:?}");
        assert_eq!(solution.outcome(position), Some(Outcome::of_points(score)), "{position:?}");
    }
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

/// The planes of one kind for one slice, and their tally.
type Finished = (Vec<u8>, Vec<u64>);

#[derive(Default)]
struct Kept {
    slices: Mutex<HashMap<(PlaneKind, u64), Finished>>,
    /// Slices that turn out to be damaged when they are read.
    damaged: Mutex<Vec<(PlaneKind, u64)>>,
}

impl SliceStore for Kept {
    fn tally(&self, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>> {
        self.slices.lock().unwrap().get(&(plane_kind, rank)).map(|(_, tally)| tally.clone())
    }

    fn load(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        if self.damaged.lock().unwrap().contains(&(plane_kind, rank)) {
            return Err(StoreFault::Damaged);
        }
        planes.copy_from_slice(&self.slices.lock().unwrap()[&(plane_kind, rank)].0);
        Ok(())
    }

    fn save(
        &self,
        plane_kind: PlaneKind,
        rank: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault> {
        self.slices.lock().unwrap().insert((plane_kind, rank), (planes.bytes().to_vec(), tally));
        Ok(())
    }

    fn forget(&self, plane_kind: PlaneKind, rank: u64) {
        self.damaged.lock().unwrap().retain(|&damaged| damaged != (plane_kind, rank));
        self.slices.lock().unwrap().remove(&(plane_kind, rank));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        Ok(self.damaged.lock().unwrap().first().copied())
    }
}

impl Kept {
    /// The planes of one kind for the whole game.
    fn whole(&self, plan: &SlicePlan, plane_kind: PlaneKind) -> Vec<u8> {
        let (planes, slices) = (plan.planes(plane_kind) as usize, self.slices.lock().unwrap());
        let part = |plane: usize, rank: u64| {
            let (bytes, _) = &slices[&(plane_kind, rank)];
            bytes[bytes.len() / planes * plane..bytes.len() / planes * (plane + 1)].to_vec()
        };
        (0..planes).flat_map(|plane| (0..plan.slices()).flat_map(move |rank| part(plane, rank))).collect()
    }
}

/// Checks the planes, up to padding at their end, and the counts of slices of a game without symmetry.
fn assert_slices(whole: &Solution, plan: &SlicePlan, kept: &Kept, swept: &Swept) {
    let sections = |plane_kind| match (whole.contents(), plane_kind) {
        (Contents::Dense(dense), PlaneKind::Outcomes) => dense.planes().bytes(),
        (Contents::Dense(dense), PlaneKind::Reached) => dense.reach().unwrap().marks().bytes(),
        (Contents::Dense(dense), PlaneKind::Label(kind)) => dense.bytes().of(kind).unwrap(),
        (Contents::Coloured(coloured), PlaneKind::Outcomes) => coloured.outcomes(),
        (Contents::Coloured(coloured), PlaneKind::Reached) => coloured.reached(),
        (Contents::Coloured(coloured), PlaneKind::Label(kind)) => coloured.bytes().of(kind).unwrap(),
        _ => panic!("a sweep"),
    };
    for &plane_kind in plan.plane_kinds() {
        let (found, expected) = (kept.whole(plan, plane_kind), sections(plane_kind));
        let expected = expected.plain().unwrap();
        assert!(expected.starts_with(&found) && expected.len() < found.len() + 64, "{plane_kind:?}");
    }
    assert_counts(whole, swept);
}

/// The reachable positions by the sparse solver.
fn reachable(rules: &Rules) -> Solution {
    solve(rules, &Options { labels: labels(), ..Options::of(Method::Sparse) }).unwrap()
}

/// The number of positions with each code of a score.
fn codes(solution: &Solution) -> Vec<u64> {
    let mut codes = vec![0; 256];
    for rank in 0..solution.count() {
        let position = solution.contents().unrank(rank).unwrap();
        codes[(solution.value(position).unwrap().score().unwrap() + 128) as usize] += 1;
    }
    codes
}

/// Checks the counts of outcomes and of scores.
fn assert_counts(whole: &Solution, swept: &Swept) {
    assert_eq!(swept.counts(PlaneKind::Reached).unwrap(), whole.counts_by_mode());
    assert_eq!(swept.counts(PlaneKind::Outcomes).as_deref(), whole.every_by_mode());
    let score = PlaneKind::Label(LabelKind::Score);
    let (_, found) = swept.tallies.iter().find(|(found, _)| *found == score).unwrap();
    assert_eq!(*found, codes(&reachable(whole.rules())), "codes");
}

/// Solves slices with ample memory and with the least, by each kernel, and again after damage.
fn assert_by_slices(
    whole: &Solution,
    task: &SliceTask<'_>,
    cells: u32,
    mut check: impl FnMut(&SlicePlan, &Kept, &Swept),
) {
    let rules = whole.rules();
    let Some(plan) = SlicePlan::with_slice_cells(task, cells, 1 << 40) else { return };
    let (mut less, mut enough) = (0, plan.memory_bytes());
    while less + 1 < enough {
        let half = u64::midpoint(less, enough);
        if SlicePlan::with_slice_cells(task, cells, half).is_some() { enough = half } else { less = half }
    }
    let scarce = SlicePlan::with_slice_cells(task, cells, enough).unwrap();
    for (kernel, plan) in Kernel::available().into_iter().zip([&plan, &scarce].into_iter().cycle()) {
        let kept = Kept::default();
        let options = SliceOptions { kernel: Some(kernel), ..SliceOptions::default() };
        check(plan, &kept, &plan.solve(rules, &options, &kept).unwrap());
        let damage = plan.plane_kinds().iter().map(|&plane_kind| (plane_kind, plan.slices() / 2));
        kept.damaged.lock().unwrap().extend(damage);
        check(plan, &kept, &plan.solve(rules, &options, &kept).unwrap());
    }
}

/// Solves random rules of these seeds by all kernels, by the sparse solver and by the definition.
fn assert_random_boards(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let rules = random_boards(seed, 12);
        let reference = assert_boards(&rules);
        assert_defined(&reference, positions(&rules));
        let sparse = reachable(&rules);
        assert_eq!(sparse.counts_by_mode(), reference.counts_by_mode(), "{seed}");
        for position in (0..sparse.count()).map(|rank| sparse.contents().unrank(rank).unwrap()) {
            assert_eq!(sparse.value(position), reference.value(position), "{seed}: {position:?}");
        }
    }
}

#[test]
fn random_boards_are_as_defined() {
    assert_random_boards(0..250);
}

/// Cells in a row, of which a move fills one or two neighbours. All moves that fill one cell are worth the same, within a line of positions
/// too, where they have a loop of their own.
#[test]
fn moves_that_fill_one_cell_may_gain_alike() {
    for (gain, again) in [(1, false), (-2, false), (3, true), (0, true)] {
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
fn random_boards_by_slices_are_as_in_one() {
    for seed in 0..30 {
        let rules = random_boards(1000 + seed, 15);
        if rules.cells() < 13 {
            continue;
        }
        let whole = assert_boards(&rules);
        for cells in 0..=rules.cells() - 13 {
            let task = SliceTask::boards(&rules, None, labels(), true);
            assert_by_slices(&whole, &task, cells, |plan, kept, swept| assert_slices(&whole, plan, kept, swept));
        }
    }
}

#[test]
fn symmetric_boards_by_slices_are_as_in_one() {
    let mut folded = 0;
    for seed in 0..40 {
        let rules = random_symmetric_boards(seed);
        let Ok(group) = Group::of_rules(&rules, &[]) else { continue };
        let Some(fold) = (rules.cells() > 13).then(|| fold(&rules, &group)).flatten() else { continue };
        let whole = assert_boards(&rules);
        let task = SliceTask::boards(&rules, Some(&fold), labels(), true);
        for cells in 1..=rules.cells() - 13 {
            assert_by_slices(&whole, &task, cells, |plan, kept, swept| {
                folded += 1;
                let Domain::Dense { fold: Some(fold), .. } = plan.domain(Vec::new()) else { panic!("a fold") };
                let (scores, outcomes) =
                    (kept.whole(plan, PlaneKind::Label(LabelKind::Score)), kept.whole(plan, PlaneKind::Outcomes));
                let modes = rules.modes().len();
                let bit = |plane: usize, place: u64| {
                    outcomes[outcomes.len() / (2 * modes) * plane + place as usize / 8] >> (place % 8) & 1 == 1
                };
                for position in positions(&rules) {
                    let score = whole.value(position).unwrap().score().unwrap();
                    let (mode, place) = fold.place(position);
                    let mode = usize::from(mode.0);
                    assert_eq!(i32::from(scores[scores.len() / modes * mode + place as usize]) - 128, score);
                    assert_eq!([bit(2 * mode, place), bit(2 * mode + 1, place)], [score > 0, score < 0]);
                }
                assert_counts(&whole, swept);
            });
        }
    }
    assert!(folded > 10, "{folded} folded");
}

#[test]
fn random_colourings_are_as_defined() {
    let mut solved = 0;
    for seed in 0..100 {
        let squares = if seed % 16 == 0 { 9 } else { 2 + (seed % 5) as u32 };
        let rules = random_colours(seed, squares);
        let Ok(frame) = coloured(&rules, &[]) else { continue };
        solved += 1;
        let reference = scalar_coloured(&rules, &[], labels()).unwrap();
        for (kernel, threads) in Kernel::available().into_iter().zip([1, 2, 7]) {
            let options = Options { labels: labels(), ..Options::of(Solver::Coloured { kernel: Some(kernel) }) };
            let found = in_threads(threads, || solve(&rules, &options)).unwrap();
            assert!(found == reference, "{kernel}, {threads} threads: {rules:?}");
        }
        let all = (0..frame.count().unwrap()).map(|rank| reference.contents().unrank(rank).unwrap());
        assert_defined(&reference, all);
        let frames =
            [Some(frame.clone()), Group::of_rules(&rules, &[]).ok().and_then(|g| fold_colourings(&rules, &frame, &g))];
        for frame in frames.iter().flatten().filter(|_| seed % 4 == 0) {
            let task = SliceTask::colourings(&rules, frame, labels());
            for top in 0..3.min(frame.size()) {
                assert_by_slices(&reference, &task, top, |plan, kept, swept| {
                    if frame.fold().is_some() {
                        assert_counts(&reference, swept);
                    } else {
                        assert_slices(&reference, plan, kept, swept);
                    }
                });
            }
        }
    }
    assert!(solved > 50, "{solved} have colourings");
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
    let mut spec = random_boards(7, 12).into_spec();
    let end = |cell: u32, points| End {
        mode: Mode(0),
        pattern: Board::bit(cell),
        outcome: Terminal::Points(points),
        empty: Board::EMPTY,
    };
    spec.moves.iter_mut().for_each(|m| (m.gain, m.again) = (0, false));
    spec.ends = vec![end(3, 7), end(1, -2)];
    let rules = spec.build().unwrap();
    let outcomes = solve(&rules, &Options::of(Solver::dense(true))).unwrap();
    let both = assert_boards(&rules);
    assert_defined(&both, positions(&rules));
    let added = add(&rules, &outcomes.contents(), &Options { labels: labels(), ..Options::default() }).unwrap();
    let Contents::Dense(dense) = both.contents() else { panic!("every board") };
    assert!(added.bytes().of(LabelKind::Score).unwrap().plain() == dense.bytes().of(LabelKind::Score).unwrap().plain());
    assert_eq!(outcomes.counts(), both.counts());
}
