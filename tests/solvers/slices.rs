//! Dense games solved slice by slice. Labels and counts equal the solution of the whole game, whatever the slices are
//! and however many of them fit into memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::{every, games, labels, positions, random};
use proptest::prelude::*;
use tablegen::domain::Domain;
use tablegen::game::{Game, Mnk, Play, Tactics};
use tablegen::label::{Counts, LabelKind};
use tablegen::rules::{Board, Mode, Outcome, Position, Rules};
use tablegen::symmetry::{Fold, Group};
use tablegen_solvers::{
    Kernel, Options, PlaneKind, SliceBuffer, SliceOptions, SlicePlan, SliceStore, SliceTask, Solution, Solver,
    StoreFault, Swept, fold, solve,
};

/// The planes of one kind for one slice, and the counts of their labels.
type Finished = (Vec<u8>, Vec<u64>);

/// A store in memory, which can declare slices damaged.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) pieces: Mutex<HashMap<(PlaneKind, u64), Finished>>,
    pub(crate) damaged: Mutex<Vec<(PlaneKind, u64)>>,
    loads: AtomicU64,
}

impl SliceStore for Kept {
    fn tally(&self, plane_kind: PlaneKind, slice: u64) -> Option<Vec<u64>> {
        self.pieces.lock().unwrap().get(&(plane_kind, slice)).map(|(_, tally)| tally.clone())
    }

    fn load(&self, plane_kind: PlaneKind, slice: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        if self.damaged.lock().unwrap().contains(&(plane_kind, slice)) {
            return Err(StoreFault::Damaged);
        }
        self.loads.fetch_add(1, Ordering::Relaxed);
        planes.copy_from_slice(&self.pieces.lock().unwrap()[&(plane_kind, slice)].0);
        Ok(())
    }

    fn save(
        &self,
        plane_kind: PlaneKind,
        slice: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault> {
        let before = self.pieces.lock().unwrap().insert((plane_kind, slice), (planes.bytes().to_vec(), tally));
        assert!(before.is_none(), "{plane_kind:?} of slice {slice} is swept twice");
        Ok(())
    }

    fn forget(&self, plane_kind: PlaneKind, slice: u64) {
        self.damaged.lock().unwrap().retain(|&damaged| damaged != (plane_kind, slice));
        self.pieces.lock().unwrap().remove(&(plane_kind, slice)).expect("a forgotten slice was stored");
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        Ok(self.damaged.lock().unwrap().first().copied())
    }
}

/// The planes of one kind for the whole game, assembled from its slices.
pub(crate) fn whole(kept: &Kept, plan: &SlicePlan, plane_kind: PlaneKind) -> Vec<u8> {
    let planes = plan.planes(plane_kind) as usize;
    let pieces = kept.pieces.lock().unwrap();
    let of_slice = |plane: usize, slice: u64| {
        let (bytes, _) = &pieces[&(plane_kind, slice)];
        let plane_bytes = bytes.len() / planes;
        bytes[plane * plane_bytes..(plane + 1) * plane_bytes].to_vec()
    };
    (0..planes).flat_map(|plane| (0..plan.slices()).flat_map(move |slice| of_slice(plane, slice))).collect()
}

/// The counts of outcomes as slices have them.
pub(crate) fn numbers(counts: &[Counts]) -> Vec<u64> {
    counts.iter().flat_map(|counts| [counts.win, counts.draw, counts.loss]).collect()
}

/// The counts of one kind that a sweep reports.
pub(crate) fn figures(swept: &Swept, plane_kind: PlaneKind) -> &Vec<u64> {
    &swept.tallies.iter().find(|(found, _)| *found == plane_kind).expect("swept").1
}

/// The plans for `cells` slice cells with ample memory and with the least memory that suffices; `None` if nothing can be cut
/// there.
pub(crate) fn plans(task: &SliceTask<'_>, cells: u32) -> Option<[SlicePlan; 2]> {
    let with = |bytes| SlicePlan::with_slice_cells(task, cells, bytes);
    let ample = with(1 << 40)?;
    let (mut less, mut enough) = (0, ample.memory_bytes());
    while less + 1 < enough {
        let half = u64::midpoint(less, enough);
        if with(half).is_some() { enough = half } else { less = half }
    }
    Some([ample, with(enough).expect("as much as it takes")])
}

/// Solves `rules` by `plan` into a store in memory.
pub(crate) fn solve_by(plan: &SlicePlan, rules: &Rules, roots: &[Position], kernel: Option<Kernel>) -> (Kept, Swept) {
    let kept = Kept::default();
    let swept = plan.solve(rules, &SliceOptions { roots, kernel, progress: None }, &kept).expect("small rules");
    (kept, swept)
}

/// Declares slices damaged, two at a time. Panics unless they are swept again, and no others, with the result that `check`
/// expects.
pub(crate) fn assert_damage_is_swept_again(rules: &Rules, plan: &SlicePlan, check: impl Fn(&Kept, &Swept)) {
    let (kept, _) = solve_by(plan, rules, &[], None);
    let plane_kinds: Vec<(PlaneKind, u64)> = kept.pieces.lock().unwrap().keys().copied().collect();
    for damaged in plane_kinds.chunks(2) {
        kept.damaged.lock().unwrap().extend(damaged);
        let swept = plan.solve(rules, &SliceOptions::default(), &kept).expect("small rules");
        assert!(kept.damaged.lock().unwrap().is_empty(), "all of it was made again");
        check(&kept, &swept);
    }
}

/// Panics unless the slices together equal the solution: the bytes of a game without symmetry, including padding, and otherwise the
/// labels of every position; and the counts.
fn assert_same(whole_game: &Solution, kept: &Kept, plan: &SlicePlan, swept: &Swept) {
    let (rules, dense) = (whole_game.rules(), every(whole_game.contents()));
    let (name, modes) = (format!("{}, {} slices", rules.name(), plan.slices()), rules.modes().len());
    let planes: HashMap<PlaneKind, Vec<u8>> =
        plan.plane_kinds().iter().map(|&plane_kind| (plane_kind, whole(kept, plan, plane_kind))).collect();
    let Domain::Dense { fold, layout, .. } = plan.domain(Vec::new()) else { panic!("{name}: no boards") };
    match &fold {
        Some(_) => assert!(plan.slices() << (rules.cells() - plan.slice_cells()) < 1 << rules.cells(), "{name}"),
        None => {
            assert_eq!(&layout, dense.layout());
            for (plane_kind, found) in &planes {
                let expected = match plane_kind {
                    PlaneKind::Outcomes => dense.planes().bytes(),
                    PlaneKind::Reached => dense.reach().expect("marked").marks().bytes(),
                    PlaneKind::Label(kind) => dense.bytes().of(*kind).expect("solved"),
                };
                assert!(found == expected.plain().expect("in memory"), "{name}: {plane_kind:?} differs");
            }
        }
    }
    let place = |position: Position| match &fold {
        Some(fold) => fold.place(position),
        None => (position.mode, dense.layout().index(position.board)),
    };
    let outcomes = &planes[&PlaneKind::Outcomes];
    let marks = planes.get(&PlaneKind::Reached);
    let with_bytes = labels(rules).iter().filter(|&kind| kind != LabelKind::Outcome);
    let bytes: Vec<_> = with_bytes.map(|kind| (kind, &planes[&PlaneKind::Label(kind)])).collect();
    let mut codes = HashMap::new();
    for position in positions(rules) {
        let (mode, index) = place(position);
        let mode = usize::from(mode.0);
        let counts = dense.is_counted(position).expect("in memory");
        if fold.is_some() {
            let bit = |planes: &[u8], number: usize, count: usize| {
                let plane = planes.len() / count;
                planes[number * plane + index as usize / 8] >> (index % 8) & 1 == 1
            };
            let planes_of_mode = 1 + usize::from(rules.can_draw());
            let win = bit(outcomes, planes_of_mode * mode, planes_of_mode * modes);
            let loss = if rules.can_draw() { bit(outcomes, 2 * mode + 1, 2 * modes) } else { !win };
            let found = match (win, loss) {
                (true, false) => Outcome::Win,
                (false, true) => Outcome::Loss,
                _ => Outcome::Draw,
            };
            assert_eq!(Ok(found), dense.outcome(position), "{name}: {position:?}");
            if let Some(marks) = marks {
                assert_eq!(bit(marks, mode, modes), counts, "{name}: {position:?}");
            }
        }
        for &(kind, bytes) in &bytes {
            let code = bytes[mode * (bytes.len() / modes) + index as usize];
            let expected = dense.bytes().of(kind).expect("solved");
            let plane = expected.len() / modes;
            let at = usize::from(position.mode.0) * plane + dense.layout().index(position.board) as usize;
            assert_eq!(code, expected.byte(at).unwrap(), "{name}: {} of {position:?}", kind.name());
            codes.entry(kind).or_insert_with(|| vec![0; 256])[usize::from(code)] += u64::from(counts);
        }
    }
    let every = whole_game.every_by_mode().unwrap_or(whole_game.counts_by_mode());
    assert_eq!(figures(swept, PlaneKind::Outcomes), &numbers(every), "{name}");
    if dense.reach().is_some() {
        assert_eq!(figures(swept, PlaneKind::Reached), &numbers(whole_game.counts_by_mode()), "{name}");
    }
    codes.iter().for_each(|(&kind, codes)| assert_eq!(figures(swept, PlaneKind::Label(kind)), codes, "{name}"));
}

/// Solves `rules` with every label for slices of every size, with the least memory and with more, and with every
/// kernel.
fn assert_all_slices(rules: &Rules, roots: &[Position], marks: bool) {
    let labels = labels(rules);
    let options = Options { labels, roots, ..Options::of(Solver::dense(marks)) };
    let whole_game = solve(rules, &options).expect("small rules");
    let task = SliceTask::boards(rules, None, labels, marks);
    for plans in (0..).map_while(|upper| plans(&task, upper)) {
        for (plan, kernel) in plans.iter().zip(Kernel::available().iter().rev().cycle()) {
            let (kept, swept) = solve_by(plan, rules, roots, Some(*kernel));
            assert_same(&whole_game, &kept, plan, &swept);
        }
    }
}

/// Moves that fill cells that may be filled already in every part of a board; several modes, terminal patterns and
/// draws; roots in addition to the start.
#[test]
fn games_in_slices_of_every_size() {
    let tactics = Tactics::new(4, 4, 4, Play::Misere).expect("a board").rules().clone();
    let tictactoe = Mnk::new(3, 3, 3, Play::Normal).expect("a board").rules().clone();
    let kayles = games::drawn_kayles(17);
    let games = [tactics, tictactoe, kayles, games::chomp(4, 4), games::dominoes(5), games::domineering(4, 4)];
    for rules in games {
        let roots = if rules.modes().len() == 2 { vec![Position::new(Mode(1), Board::EMPTY)] } else { Vec::new() };
        for marks in [false, true] {
            assert_all_slices(&rules, &roots, marks);
        }
    }
}

/// The symmetries of the rules and of play from `roots`.
fn folded(rules: &Rules, roots: &[Position]) -> Option<Fold> {
    fold(rules, &Group::of_rules(rules, &rules.starts_and(roots)).expect("symmetries of the rules"))
}

/// Solves `rules` up to symmetry with every label, for all numbers of slice cells that can be stored and swept.
/// Compares every position with the game solved as a whole. Returns the number of plans.
fn assert_folded(rules: &Rules, roots: &[Position], marks: bool) -> usize {
    let labels = labels(rules);
    let best = folded(rules, roots).expect("a game with symmetries");
    let whole_game =
        solve(rules, &Options { labels, roots, ..Options::of(Solver::dense(marks)) }).expect("small rules");
    let with = |upper| Fold::new(rules, best.layout().clone(), upper, best.group().clone());
    let mut cuts = 0;
    for fold in (1..=best.slice_cells()).filter_map(with) {
        let task = SliceTask::boards(rules, Some(&fold), labels, marks);
        for plan in (0..=rules.cells()).filter_map(|upper| SlicePlan::with_slice_cells(&task, upper, 1 << 40)) {
            let (kept, swept) = solve_by(&plan, rules, roots, None);
            assert_same(&whole_game, &kept, &plan, &swept);
            cuts += 1;
        }
    }
    cuts
}

/// Flips, rotations, exchanges of modes, all permutations of the numbers of a domino set; draws, terminal patterns,
/// several modes, reachability bits.
#[test]
fn games_in_slices_up_to_symmetry() {
    let tactics = |rows, cols| Tactics::new(rows, cols, 3, Play::Misere).expect("a board").rules().clone();
    let tictactoe = Mnk::new(3, 3, 3, Play::Normal).expect("a board").rules().clone();
    assert_games_folded(&[tactics(3, 6), tictactoe, games::domineering(3, 6)], &[false, true]);
    assert_games_folded(&[games::dominoes(6)], &[true]);
    let finer = assert_games_folded(&[tactics(4, 5)], &[false]);
    assert!(finer > 1, "{finer} cuts beside the first");
}

/// The same check for larger boards.
#[test]
#[ignore = "a quarter of a minute"]
fn larger_games_in_slices_up_to_symmetry() {
    let tactics = |rows, cols| Tactics::new(rows, cols, 3, Play::Misere).expect("a board").rules().clone();
    let finer = assert_games_folded(&[tactics(4, 5), games::dominoes(6), games::domineering(4, 5)], &[false, true]);
    assert!(finer > 4, "{finer} cuts beside the first of each game");
}

/// Returns the number of cuts in addition to the first of each game.
fn assert_games_folded(games: &[Rules], with_marks: &[bool]) -> usize {
    let mut finer = 0;
    for rules in games {
        for &marks in with_marks {
            let cuts = assert_folded(rules, &[], marks);
            assert!(cuts > 0, "{}", rules.name());
            finer += cuts - 1;
        }
    }
    finer
}

/// Slices found to be damaged are swept again, and no others.
#[test]
fn damaged_slices_are_swept_again() {
    let rules = games::domineering(4, 4);
    let labels = labels(&rules);
    let plan =
        SlicePlan::with_slice_cells(&SliceTask::boards(&rules, None, labels, true), 3, 1 << 40).expect("a small board");
    let whole_game = solve(&rules, &Options { labels, ..Options::of(Solver::dense(true)) }).expect("small rules");
    assert_damage_is_swept_again(&rules, &plan, |kept, swept| assert_same(&whole_game, kept, &plan, swept));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Modes, terminal patterns, draws, openings, moves that fill cells that may be filled already.
    #[test]
    fn random_rules_in_slices(rules in random::large(), marks: bool) {
        assert_all_slices(&rules, &[], marks);
    }
}
