//! Scores by slices: they equal those of a game that is solved whole.

use tablegen_index::contents::Contents;
use tablegen_index::domain::Domain;
use tablegen_index::symmetry::Group;
use tablegen_labels::{Label, LabelKind, Score};
use tablegen_solvers::{
    Kernel, PlaneKind, SliceOptions, SlicePlan, SliceTask, Solution, Swept, coloured, fold, fold_colourings,
    scalar_coloured,
};

use super::definition::positions;
use super::games::{random_boards, random_colours, random_symmetric_boards};
use super::kept::Kept;
use super::{assert_boards, is_wide, labels, reachable};

/// The planes of one kind for the whole game.
fn planes_of(kept: &Kept, plan: &SlicePlan, plane_kind: PlaneKind) -> Vec<u8> {
    let (planes, slices) = (plan.planes(plane_kind) as usize, kept.slices.lock().unwrap());
    let part = |plane: usize, rank: u64| {
        let (bytes, _) = &slices[&(plane_kind, rank)];
        bytes[bytes.len() / planes * plane..bytes.len() / planes * (plane + 1)].to_vec()
    };
    (0..planes).flat_map(|plane| (0..plan.slices()).flat_map(move |rank| part(plane, rank))).collect()
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
        let (found, expected) = (planes_of(kept, plan, plane_kind), sections(plane_kind));
        let expected = expected.plain().unwrap();
        assert!(expected.starts_with(&found) && expected.len() < found.len() + 64, "{plane_kind:?}");
    }
    assert_counts(whole, swept);
}

/// The number of positions with each score, by place.
fn codes(solution: &Solution) -> Vec<u64> {
    let rules = solution.rules();
    let mut codes = vec![0; LabelKind::Score.places(rules)];
    for rank in 0..solution.count() {
        let position = solution.contents().unrank(rank).unwrap();
        let score = Score(solution.value(position).unwrap().score().unwrap() as i16);
        codes[score.place(LabelKind::Score.width(rules))] += 1;
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

#[test]
fn random_boards_by_slices_are_as_in_one() {
    let mut wide = 0;
    for seed in 0..30 {
        let rules = random_boards(1000 + seed, 15);
        if rules.cells() < 13 {
            continue;
        }
        wide += u32::from(is_wide(&rules));
        let whole = assert_boards(&rules);
        for cells in 0..=rules.cells() - 13 {
            let task = SliceTask::boards(&rules, None, labels(), true);
            assert_by_slices(&whole, &task, cells, |plan, kept, swept| assert_slices(&whole, plan, kept, swept));
        }
    }
    assert!(wide > 2, "{wide} of two bytes");
}

#[test]
fn symmetric_boards_by_slices_are_as_in_one() {
    let (mut folded, mut wide) = (0, 0);
    for seed in 0..40 {
        let rules = random_symmetric_boards(seed);
        let Ok(group) = Group::of_rules(&rules, &[]) else { continue };
        let Some(fold) = (rules.cells() > 13).then(|| fold(&rules, &group)).flatten() else { continue };
        let whole = assert_boards(&rules);
        let task = SliceTask::boards(&rules, Some(&fold), labels(), true);
        for cells in 1..=rules.cells() - 13 {
            assert_by_slices(&whole, &task, cells, |plan, kept, swept| {
                folded += 1;
                wide += u32::from(is_wide(&rules));
                let Domain::Dense { fold: Some(fold), .. } = plan.domain(Vec::new()) else { panic!("a fold") };
                let (scores, outcomes) = (
                    planes_of(kept, plan, PlaneKind::Label(LabelKind::Score)),
                    planes_of(kept, plan, PlaneKind::Outcomes),
                );
                let modes = rules.modes().len();
                let bit = |plane: usize, place: u64| {
                    outcomes[outcomes.len() / (2 * modes) * plane + place as usize / 8] >> (place % 8) & 1 == 1
                };
                for position in positions(&rules) {
                    let score = whole.value(position).unwrap().score().unwrap();
                    let (mode, place) = fold.place(position);
                    let mode = usize::from(mode.0);
                    let plane = &scores[scores.len() / modes * mode..];
                    let (code, none) = match is_wide(&rules) {
                        true => (u16::from_le_bytes(plane.as_chunks().0[place as usize]), 32_768),
                        false => (plane[place as usize].into(), 128),
                    };
                    assert_eq!(i32::from(code) - none, score);
                    assert_eq!([bit(2 * mode, place), bit(2 * mode + 1, place)], [score > 0, score < 0]);
                }
                assert_counts(&whole, swept);
            });
        }
    }
    assert!(folded > 10 && wide > 3, "{folded} folded, {wide} of two bytes");
}

#[test]
fn random_colourings_by_slices_are_as_in_one() {
    let (mut cut, mut wide) = (0, 0);
    for seed in (0..100).step_by(4) {
        let squares = if seed % 16 == 0 { 9 } else { 2 + (seed % 5) as u32 };
        let rules = random_colours(seed, squares);
        let Ok(frame) = coloured(&rules, &[]) else { continue };
        let reference = scalar_coloured(&rules, &[], labels()).unwrap();
        let folded = Group::of_rules(&rules, &[]).ok().and_then(|group| fold_colourings(&rules, &frame, &group));
        for frame in [Some(frame.clone()), folded].iter().flatten() {
            let task = SliceTask::colourings(&rules, frame, labels());
            for top in 0..3.min(frame.size()) {
                assert_by_slices(&reference, &task, top, |plan, kept, swept| {
                    cut += 1;
                    wide += u32::from(is_wide(&rules));
                    if frame.fold().is_some() {
                        assert_counts(&reference, swept);
                    } else {
                        assert_slices(&reference, plan, kept, swept);
                    }
                });
            }
        }
    }
    assert!(cut > 50 && wide > 15, "{cut} by slices, {wide} of two bytes");
}
