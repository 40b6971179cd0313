//! Two-colour games solved slice by slice. Labels and counts equal the solution of the whole game, whatever the slices
//! are and however many of them fit into memory.

use std::collections::HashMap;

use crate::common::library::named as library;
use crate::common::{labels, squares, table_bytes};
use crate::slices::{Kept, assert_damage_is_swept_again, figures, numbers, plans, solve_by, whole};
use proptest::prelude::*;
use tablegen::colourings::{Frame, Square, Squares};
use tablegen::contents::Contents;
use tablegen::domain::Domain;
use tablegen::game::{Game, Mnk, Play};
use tablegen::label::{Label, LabelKind, LabelSet, Remoteness, Width};
use tablegen::rules::{Outcome, Position, Rules};
use tablegen::symmetry::Group;
use tablegen_solvers::{
    Kernel, Method, Options, PlaneKind, SlicePlan, SliceTask, Solution, Swept, fold_colourings, solve,
};

/// Panics unless the slices together equal the solution.
fn assert_same(solution: &Solution, kept: &Kept, plan: &SlicePlan, swept: &Swept) {
    let name = format!("{}, {} top squares", solution.rules().name(), plan.slice_cells());
    // Compare with the sections of the table, which begin on pages, are padded to 64 bytes and are followed by their
    // checksums.
    let table = table_bytes(solution);
    let mut start = u32::from_le_bytes(table[12..16].try_into().expect("four bytes")) as usize;
    let reached = whole(kept, plan, PlaneKind::Reached);
    for &plane_kind in plan.plane_kinds() {
        let found = whole(kept, plan, plane_kind);
        let bytes = found.len().next_multiple_of(64);
        let (section, padding) = table[start..start + bytes].split_at(found.len());
        assert!(section == found, "{name}: {plane_kind:?} differs");
        assert!(padding.iter().all(|&byte| byte == 0), "{name}: {plane_kind:?}");
        start = (start + bytes + bytes.div_ceil(1 << 16) * 32).next_multiple_of(4096);
        let counted = match plane_kind {
            PlaneKind::Outcomes => numbers(solution.every_by_mode().expect("of every colouring")),
            PlaneKind::Reached => numbers(solution.counts_by_mode()),
            PlaneKind::Label(_) => {
                let mut codes = vec![0; 256];
                let marked = |at: &usize| reached[at / 8] >> (at % 8) & 1 == 1;
                (0..found.len()).filter(marked).for_each(|at| codes[usize::from(found[at])] += 1);
                codes
            }
        };
        assert_eq!(figures(swept, plane_kind), &counted, "{name}: {plane_kind:?}");
    }
}

/// Solves `rules` with every label for each number of top squares in `tops`, with the least memory and with ample
/// memory, and with every kernel.
fn assert_all_slices(rules: &Rules, roots: &[Position], labels: LabelSet, tops: impl Iterator<Item = u32>) {
    let frame = tablegen_solvers::coloured(rules, roots).expect("rules of two colours");
    assert_slices_of(&frame, rules, labels, tops);
}

/// The solution of `rules` with the squares of `frame`.
pub(crate) fn whole_game(frame: &Frame, rules: &Rules, labels: LabelSet) -> Solution {
    let options = Options { labels, roots: frame.roots(), ..Options::of(Method::Coloured) };
    let marked = tablegen_solvers::mark(rules, frame.clone(), &options).expect("small rules of two colours");
    tablegen_solvers::solve_marked(marked, &options).expect("small rules of two colours")
}

/// As [`assert_all_slices`], with the squares of `frame`.
pub(crate) fn assert_slices_of(frame: &Frame, rules: &Rules, labels: LabelSet, tops: impl Iterator<Item = u32>) {
    let (solution, roots) = (whole_game(frame, rules, labels), frame.roots());
    let task = SliceTask::colourings(rules, frame, labels);
    for top in tops.take_while(|&top| top <= frame.size()) {
        // Slices do not cut columns that are filled in order.
        for (number, plan) in plans(&task, top).iter().flatten().enumerate() {
            let kernels = Kernel::available();
            let kernel = kernels[(top as usize + number) % kernels.len()];
            let (kept, swept) = solve_by(plan, rules, roots, Some(kernel));
            assert_same(&solution, &kept, plan, &swept);
        }
    }
}

/// Games with and without terminal patterns, with and without draws; gravity; one mode per number of pieces, and
/// several.
#[test]
fn two_colour_games_in_slices_of_every_size() {
    let mnk = |rows, cols, k| -> Box<dyn Game> { Box::new(Mnk::new(rows, cols, k, Play::Normal).expect("a board")) };
    let col = |name| library(name, "rows=2 cols=4");
    let games = [mnk(3, 3, 3), mnk(3, 4, 3), col("col"), col("snort"), library("connect-four", "rows=3 cols=3")];
    for game in games {
        let labels = labels(game.rules());
        assert_all_slices(game.rules(), &game.roots(), labels, 0..);
    }
}

/// Occupied sets with more colourings than a vector has bits, with outcomes only.
#[test]
fn larger_two_colour_games_in_slices() {
    let sixteen = Mnk::new(4, 4, 4, Play::Normal).expect("a board");
    assert_all_slices(sixteen.rules(), &[], LabelSet::OUTCOME, [1, 4, 9].into_iter());
    let snort = library("snort", "rows=3 cols=4");
    assert_all_slices(snort.rules(), &snort.roots(), LabelSet::OUTCOME, [2, 5].into_iter());
    let falling = library("connect-four", "rows=4 cols=4");
    assert_all_slices(falling.rules(), &falling.roots(), LabelSet::OUTCOME, [4, 8].into_iter());
    let sim = library("sim", "");
    assert_all_slices(sim.rules(), &sim.roots(), LabelSet::OUTCOME, [3, 7].into_iter());
}

/// Slices found to be damaged are swept again, and no others.
#[test]
fn damaged_two_colour_slices_are_swept_again() {
    let game = Mnk::new(3, 3, 3, Play::Normal).expect("a board");
    let (rules, labels) = (game.rules(), labels(game.rules()));
    let frame = tablegen_solvers::coloured(rules, &[]).expect("rules of two colours");
    let plan = SlicePlan::with_slice_cells(&SliceTask::colourings(rules, &frame, labels), 3, 1 << 30);
    let plan = plan.expect("a small board");
    let solution = solve(rules, &Options { labels, ..Options::of(Method::Coloured) }).expect("small");
    assert_damage_is_swept_again(rules, &plan, |kept, swept| assert_same(&solution, kept, &plan, swept));
}

/// The frames of `rules` up to `group`, one for each union of orbits and groups of squares as top squares, each with its own
/// order of squares.
fn folded_frames(rules: &Rules, roots: &[Position], group: &Group, plain: &Frame) -> Vec<Frame> {
    let list = plain.squares().list();
    let cells = |square: &Square| {
        let mut cells = vec![square.first];
        cells.extend(square.second);
        cells.sort_unstable();
        cells
    };
    // Compute the orbit of each square. Squares are identified by their cells.
    let mut of: Vec<usize> = (0..list.len()).collect();
    for _ in 0..list.len() {
        for symmetry in group.generators() {
            for (from, square) in list.iter().enumerate() {
                let mut image: Vec<u8> =
                    cells(square).iter().map(|&cell| symmetry.cells()[usize::from(cell)]).collect();
                image.sort_unstable();
                let Some(to) = list.iter().position(|square| cells(square) == image) else { return Vec::new() };
                let least = of[from].min(of[to]);
                (of[from], of[to]) = (least, least);
            }
        }
    }
    // Squares that are filled in an order stay together.
    for squares in plain.sets().groups() {
        let united: Vec<usize> = of[squares.start as usize..squares.end as usize].to_vec();
        of.iter_mut().filter(|class| united.contains(class)).for_each(|class| *class = united[0]);
    }
    let mut names = of.clone();
    names.sort_unstable();
    names.dedup();
    let mut frames = Vec::new();
    for union in 1..1u32 << names.len() {
        let is_top = |number: usize| {
            let place = names.iter().position(|&name| name == of[number]).expect("an orbit");
            union >> place & 1 == 1
        };
        let (top, rest): (Vec<usize>, Vec<usize>) = (0..list.len()).partition(|&number| is_top(number));
        let mut below = rest;
        // Keep orbits together, which allows finer cuts.
        below.sort_by_key(|&number| of[number]);
        let order = below.iter().chain(&top).map(|&number| list[number]).collect();
        let squares = Squares::new(order, rules, roots).expect("the same squares");
        let frame = Frame::new(rules, squares, roots).expect("few squares");
        let folded = frame.folded(rules, top.len() as u32, group).expect("a union of orbits");
        frames.push(folded);
    }
    frames
}

/// The values of a position in a game that is solved as a whole.
pub(crate) struct Expected {
    pub(crate) position: Position,
    pub(crate) outcome: Outcome,
    pub(crate) counted: bool,
    pub(crate) codes: Vec<(LabelKind, u8)>,
}

/// The values of every position of `solution`.
pub(crate) fn expected(solution: &Solution) -> Vec<Expected> {
    let Contents::Coloured(whole) = solution.contents() else { panic!("colourings") };
    let mut codes = HashMap::new();
    for code in 0..=u8::MAX {
        if let Some(found) = Remoteness::decode(code, Width::Eight) {
            codes.insert((Outcome::from(found), found.end()), code);
        }
    }
    let of = |rank| {
        let position = solution.contents().unrank(rank).expect("a rank");
        let value = solution.value(position).expect("in memory");
        let remoteness =
            value.remoteness().map(|_| (LabelKind::Remoteness, codes[&(value.outcome, value.remoteness())]));
        let nimber = value.nimber().map(|nimber| (LabelKind::Nimber, nimber as u8));
        let counted = whole.is_reached(position).expect("in memory");
        let codes = remoteness.into_iter().chain(nimber).collect();
        Expected { position, outcome: value.outcome, counted, codes }
    };
    (0..whole.count()).map(of).collect()
}

/// Panics unless every label of every colouring in `kept` equals the solution, and so do the counts.
fn assert_folded_same(
    (solution, expected): (&Solution, &[Expected]),
    kept: &Kept,
    plan: &SlicePlan,
    swept: &Swept,
    group: &Group,
) {
    let (domain, rules) = (plan.domain(Vec::new()), solution.rules());
    let Domain::Coloured(frame) = &domain else { panic!("slices of colourings") };
    let fold = frame.fold().expect("up to symmetry");
    let name = format!("{}, {} of {} top squares", rules.name(), fold.top_squares(), plan.slice_cells());
    let (size, pairs) = (frame.size(), frame.pairs());
    let (below, coarse_below) = (size - plan.slice_cells(), size - fold.top_squares());
    let words = |set: u64| 1u64 << (set & pairs).count_ones().saturating_sub(6);
    // The start of each set in a plane of its slice.
    let mut starts = vec![0; 1 << size];
    let mut sizes = vec![0; 1 << plan.slice_cells()];
    for set in (0..1u64 << size).filter(|&set| frame.offsets().has(set)) {
        starts[set as usize] = sizes[(set >> below) as usize];
        sizes[(set >> below) as usize] += words(set);
    }
    let set_of = |position: Position| frame.place(position).expect("a place").set;
    let is_stored = |position: Position| {
        let own = set_of(position) >> coarse_below;
        group.images(position).into_iter().all(|image| own <= set_of(image) >> coarse_below)
    };
    let canonical: Vec<u64> =
        (0..1u64 << fold.top_squares()).filter(|slice| fold.stored().binary_search(slice).is_ok()).collect();
    let more = coarse_below - below;
    let is_swept = |slice: &u64| canonical.binary_search(&(slice >> more)).is_ok() && sizes[*slice as usize] > 0;
    let swept_slices: Vec<u64> = (0..1u64 << plan.slice_cells()).filter(is_swept).collect();
    let pieces = kept.pieces.lock().unwrap();
    let (mut stored, mut codes) = (0u64, HashMap::new());
    for (number, Expected { position, outcome, counted, codes: own }) in expected.iter().enumerate() {
        let (position, counted) = (*position, *counted);
        for &(kind, code) in own {
            codes.entry(kind).or_insert_with(|| vec![0u64; 256])[usize::from(code)] += u64::from(counted);
        }
        let place = frame.place(position).expect("a place");
        let slice = place.set >> below;
        let coarse = canonical.binary_search(&(place.set >> coarse_below));
        if number % 17 == 0 {
            assert_eq!(coarse.is_ok(), is_stored(position), "{name}: {position:?}");
        }
        if coarse.is_err() {
            continue;
        }
        stored += 1;
        let piece = swept_slices.binary_search(&slice).expect("a swept slice") as u64;
        let bit = |plane_kind: PlaneKind, plane: u64| {
            let (bytes, _) = &pieces[&(plane_kind, piece)];
            let bit = (plane * sizes[slice as usize] + starts[place.set as usize]) * 64 + place.colouring;
            bytes[bit as usize / 8] >> (bit % 8) & 1 == 1
        };
        let planes = 1 + u64::from(rules.can_draw());
        let outcomes = PlaneKind::Outcomes;
        let win = bit(outcomes, u64::from(place.slot) * planes);
        let loss = if planes == 2 { bit(outcomes, u64::from(place.slot) * 2 + 1) } else { !win };
        let found = [(win, Outcome::Win), (loss, Outcome::Loss), (true, Outcome::Draw)];
        let found = found.into_iter().find(|(is, _)| *is).expect("one of them").1;
        assert_eq!(found, *outcome, "{name}: {position:?}");
        assert_eq!(bit(PlaneKind::Reached, place.slot.into()), counted, "{name}: {position:?}");
        for &(kind, code) in own {
            let (bytes, _) = &pieces[&(PlaneKind::Label(kind), piece)];
            let word = u64::from(place.slot) * sizes[slice as usize] + starts[place.set as usize];
            assert_eq!(bytes[(word * 64 + place.colouring) as usize], code, "{name}: {kind:?} of {position:?}");
        }
    }
    assert_eq!(stored, frame.stored_positions(), "{name}");
    let every = solution.every_by_mode().expect("of every colouring");
    assert_eq!(figures(swept, PlaneKind::Outcomes), &numbers(every), "{name}");
    assert_eq!(figures(swept, PlaneKind::Reached), &numbers(solution.counts_by_mode()), "{name}");
    codes.iter().for_each(|(&kind, codes)| assert_eq!(figures(swept, PlaneKind::Label(kind)), codes, "{name}"));
}

/// Solves `rules` up to `group` and compares the result with the rules solved as a whole. Takes every `unions`-th union
/// of orbits as top squares, cut as finely as possible, with the least memory and with ample memory. Returns the number
/// of plans.
fn assert_folded(rules: &Rules, roots: &[Position], labels: LabelSet, group: &Group, unions: usize) -> usize {
    let plain = tablegen_solvers::coloured(rules, roots).expect("rules of two colours");
    let Some(folded) = fold_colourings(rules, &plain, group) else { return 0 };
    let plain = Frame::new(rules, folded.squares().clone(), roots).expect("the squares of the rules");
    // `fold_colourings` leaves out symmetries that do not map squares to squares.
    let group = folded.fold().expect("up to symmetry").group();
    assert_folds_of(&plain, rules, labels, group, unions)
}

/// As [`assert_folded`], with the squares of `plain`, which `group` maps to squares.
pub(crate) fn assert_folds_of(plain: &Frame, rules: &Rules, labels: LabelSet, group: &Group, unions: usize) -> usize {
    let (solution, roots) = (whole_game(plain, rules, labels), plain.roots());
    let (expected, mut count) = (expected(&solution), 0);
    for frame in folded_frames(rules, roots, group, plain).into_iter().step_by(unions) {
        let task = SliceTask::colourings(rules, &frame, labels);
        for top in 0..=frame.size() {
            for plan in plans(&task, top).iter().flatten() {
                let kernels = Kernel::available();
                let (kept, swept) = solve_by(plan, rules, roots, Some(kernels[count % kernels.len()]));
                assert_folded_same((&solution, &expected), &kept, plan, &swept, group);
                count += 1;
            }
        }
    }
    count
}

fn assert_game_folded(game: &dyn Game, unions: usize) {
    let rules = game.rules();
    let group = Group::of_rules(rules, &rules.starts_and(&game.roots())).expect("symmetries");
    let plans = assert_folded(rules, &game.roots(), labels(rules), &group, unions);
    assert!(plans > 2, "{}: {plans}", rules.name());
}

/// Rotations and flips; exchanges of the players; terminal patterns, draws, gravity, relabellings.
#[test]
fn two_colour_slices_up_to_symmetry() {
    let mnk = |rows, cols, k| -> Box<dyn Game> { Box::new(Mnk::new(rows, cols, k, Play::Normal).expect("a board")) };
    for game in [mnk(3, 3, 3), mnk(2, 3, 2), library("col", "rows=2 cols=3"), library("snort", "rows=2 cols=3")] {
        assert_game_folded(game.as_ref(), 1);
    }
    // The squares have six orbits. Of their 63 unions, take every seventh, from the union of the first orbit alone to
    // all orbits.
    assert_game_folded(library("connect-four", "rows=3 cols=3").as_ref(), 7);
}

/// All unions of orbits for the game with the most orbits.
#[test]
#[ignore = "a quarter of a minute"]
fn two_colour_slices_up_to_symmetry_in_every_way() {
    assert_game_folded(library("connect-four", "rows=3 cols=3").as_ref(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Gravity, neighbours, holes, single cells that may be filled already, several modes, draws, starts.
    #[test]
    fn random_two_colour_rules_in_slices(seed in any::<u64>()) {
        let rules = squares::rules(seed, 1..=5);
        if tablegen_solvers::coloured(&rules, &[]).is_ok() {
            assert_all_slices(&rules, &[], labels(&rules), 0..);
        }
    }

    /// Random rules up to a symmetry that may exchange colours and modes.
    #[test]
    fn random_two_colour_rules_up_to_symmetry(seed in any::<u64>()) {
        if let Some((rules, symmetry)) = squares::symmetric(seed, 2..=5) {
            let group = Group::new(&rules, &rules.start_positions(), &[symmetry]).expect("a symmetry");
            if !group.is_trivial() && tablegen_solvers::coloured(&rules, &[]).is_ok() {
                assert_folded(&rules, &[], labels(&rules), &group, 1);
            }
        }
    }
}
