//! Tests of whole solutions: they equal those of other solvers, and follow from one another.

use super::*;
use crate::contents::Contents;
use crate::label::{Counts, Label, Remoteness, Width, step};
use crate::rules::samples::{Grid, men, mills, three_in_a_line};
use crate::rules::{Board, Mode, Move, Position, RulesSpec, Start};
use crate::sparse::random::random_moving;
use crate::symmetry::Group;
use crate::{cyclic, sparse};
use tablegen_solve::Solver;

fn group(rules: &Rules, has_symmetry: bool) -> Group {
    if has_symmetry { Group::of_rules(rules, &[]).unwrap() } else { Group::trivial().clone() }
}

fn solved(rules: &Rules, has_symmetry: bool) -> Result<Solution, SolveError> {
    let group = group(rules, has_symmetry);
    solve_regions(rules, &Options::of(Solver::Regions { symmetry: &group }))
}

/// The numbers of `solution`.
fn numbers(solution: &Solution) -> impl Iterator<Item = u64> + use<> {
    0..solution.count()
}

#[test]
fn labels_equal_those_of_the_solvers_of_reachable_positions() {
    let mut draw = fastrand::Rng::with_seed(66);
    let (mut indexed, mut repeating, mut unreached) = (0, 0, 0);
    for _ in 0..600 {
        let (cells, moves, ends) = (draw.u32(2..=8), draw.usize(1..50), draw.usize(0..5));
        let rules = random_moving(&mut draw, cells, moves, ends, false);
        let Ok(found) = solved(&rules, draw.bool()) else { continue };
        let options =
            Options { labels: LabelSet::BEST_PLAY, ..Options::of(Solver::of_reachable(&rules, Group::trivial())) };
        let may_repeat = rules.potential().is_none();
        let known = if may_repeat { cyclic::solve(&rules, &options) } else { sparse::solve(&rules, &options) }.unwrap();
        let Contents::Sparse(reached) = known.contents() else { panic!("reachable positions") };
        for at in reached.positions() {
            let (position, outcome) = at.unwrap();
            assert_eq!(found.value(position), known.value(position), "{position:?} of {rules:?}");
            assert_eq!(found.outcome(position), Some(outcome));
        }
        indexed += 1;
        repeating += usize::from(may_repeat);
        unreached += usize::from(found.counts().total() > known.counts().total());
    }
    assert!(indexed > 400 && repeating > 100 && unreached > 100, "{indexed} {repeating} {unreached}");
}

#[test]
fn labels_follow_from_one_another_and_counts_are_those_of_all_boards() {
    let grid = |rows, cols| Grid { rows, cols };
    let (mut ended, mut endless) = (0, 0);
    for spec in [men(grid(3, 3), 2), mills(grid(3, 2), 4), mills(grid(3, 3), 3), three_in_a_line(grid(3, 3))] {
        let rules = spec.build().unwrap();
        let [every, classes] = [false, true].map(|has_symmetry| solved(&rules, has_symmetry).unwrap());
        let Contents::Regions(labels) = every.contents() else { panic!("by regions") };
        for number in numbers(&every) {
            let position = labels.position(number).unwrap();
            let label = |at| {
                ended +=
                    usize::from(matches!(labels.regions().find(at), Some(tablegen_index::regions::Place::Ended(_))));
                every.contents().label::<Remoteness>(at).unwrap().unwrap()
            };
            let found = every.contents().label::<Remoteness>(position).unwrap().unwrap();
            assert_eq!(found, step(&rules, position, label), "{position:?} of {}", rules.name());
            assert_eq!(every.outcome(position), Some(found.outcome));
            endless += usize::from(found == Remoteness::REPETITION);
            assert_eq!(every.value(position), classes.value(position));
        }
        assert!(classes.count() < every.count());
        // With the colours exchanged, a region stands for boards of both sides to move, even if play reaches those of one.
        let mut counts = vec![Counts::default(); rules.modes().len()];
        let Contents::Regions(of_classes) = classes.contents() else { panic!("by regions") };
        for number in numbers(&classes) {
            let outcome = of_classes.outcome_at(number).unwrap();
            let images = of_classes.regions().images(number);
            images.iter().for_each(|image| counts[usize::from(image.mode.0)].add(outcome));
        }
        assert_eq!(classes.counts_by_mode(), counts);
        let codes = classes.codes().of(Remoteness::KIND).unwrap();
        assert_eq!(codes.iter().sum::<u64>(), classes.counts().total());
        assert_eq!(every.counts().total(), every.count());
        let stored = classes.orbits_by_mode().unwrap().iter().map(|counts| counts.total()).sum::<u64>();
        assert_eq!((stored, every.orbits_by_mode()), (classes.count(), None));
    }
    assert!(ended > 0 && endless > 0, "{ended} {endless}");
}

/// A piece steps along a row of `cells` cells to its end. Between its steps the other player fills a cell, which the next step empties. A
/// player who cannot move loses. A second piece could step back and forth, so that positions may repeat.
fn walk(cells: u32) -> Rules {
    let step =
        |from: u32, to: u32| Move { full: Board::bit(from), clears: Board::bit(from), ..Move::fill(Board::bit(to)) };
    let flag = Board::bit(cells - 3);
    let mut moves = vec![Move { next: Mode(1), ..Move::fill(flag) }];
    moves.extend((0..cells - 4).map(|cell| {
        let it = step(cell, cell + 1);
        Move { mode: Mode(1), full: it.full | flag, clears: it.clears | flag, ..it }
    }));
    moves.extend([step(cells - 1, cells - 2), step(cells - 2, cells - 1)]);
    let start = Start::At(Position::of(Board::bit(0)));
    let modes = vec!["a".into(), "b".into()];
    RulesSpec { moves, start, modes, ..RulesSpec::new("walk", cells) }.build().unwrap()
}

#[test]
fn labels_take_two_bytes_where_one_does_not_suffice() {
    for (cells, width) in [(35, Width::Eight), (36, Width::Sixteen)] {
        let rules = walk(cells);
        let solution = solved(&rules, false).unwrap();
        let (contents, start) = (solution.contents(), rules.start_positions()[0]);
        // At the end of the row the other player fills the cell once more.
        let plies = 2 * (cells - 4) + 1;
        assert_eq!(solution.value(start).unwrap().remoteness(), Some(plies));
        assert_eq!(contents.bytes().width(Remoteness::KIND), width);
        let bytes = contents.bytes().of(Remoteness::KIND).unwrap().len() as u64;
        assert_eq!(bytes, solution.count() * u64::from(width.bits() / 8));
        let codes = contents.codes(Remoteness::KIND).unwrap();
        assert_eq!(codes.iter().sum::<u64>(), solution.counts().total());
        let longest = contents.label::<Remoteness>(start).unwrap().unwrap();
        let found = contents.first_with(Remoteness::KIND, &[longest.place(width)], |_| true).unwrap();
        let found = found[0].expect("the start has it");
        assert_eq!(contents.label::<Remoteness>(found), Ok(Some(longest)));
    }
}

#[test]
fn limits_and_labels_that_regions_do_not_have_are_errors() {
    let rules = mills(Grid { rows: 3, cols: 2 }, 4).build().unwrap();
    let options = Options::of(Solver::Regions { symmetry: Group::trivial() });
    let error = |options: &Options<'_>| solve_regions(&rules, options).unwrap_err();
    assert!(matches!(error(&Options { max_bytes: Some(10), ..options }), SolveError::LabelMemory { allowed: 10, .. }));
    assert!(matches!(error(&Options { max_positions: Some(10), ..options }), SolveError::MaxPositions { .. }));
    let labels = LabelSet::ALL;
    assert!(matches!(error(&Options { labels, ..options }), SolveError::RegionLabel { .. }));
    let stop = |_| std::ops::ControlFlow::Break(());
    assert!(matches!(error(&Options { progress: Some(&stop), ..options }), SolveError::Cancelled));
    let wide = RulesSpec::new("wide", 65).build().unwrap();
    assert!(matches!(solve_regions(&wide, &options), Err(SolveError::NoRegions { .. })));
}
