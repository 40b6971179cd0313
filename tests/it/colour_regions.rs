//! Colourings solved by regions: labels and counts are those of the game solved whole, whatever the regions are, and however
//! much of them is in memory.

use crate::common::{squares, table_bytes};
use crate::regions::Kept;
use proptest::prelude::*;
use tablegen::engine;
use tablegen::game::{Game, Mnk, Parameters, Play};
use tablegen::label::{Counts, LabelKind, LabelSet};
use tablegen::rules::{Position, Rules};
use tablegen::solve::{
    self, ColouredPlan, ColouredTask, Kernel, Method, Options, RegionOptions, Sheet, Solution, Swept, solve,
    solve_colourings_by_regions,
};

/// The labels that games of these rules have.
fn labels(rules: &Rules) -> LabelSet {
    LabelKind::ALL.into_iter().filter(|kind| kind.undefined_by(rules).is_none()).collect()
}

/// The planes of a sheet of the whole game, put together from its regions.
fn whole(kept: &Kept, plan: &ColouredPlan, sheet: Sheet) -> Vec<u8> {
    let planes = plan.planes(sheet) as usize;
    let pieces = kept.pieces.lock().unwrap();
    let mut all = Vec::new();
    for plane in 0..planes {
        for region in 0..plan.regions() {
            let (bytes, _) = &pieces[&(sheet, region)];
            let of_plane = bytes.len() / planes;
            all.extend(&bytes[plane * of_plane..(plane + 1) * of_plane]);
        }
    }
    all
}

/// Panics unless the regions together are the solution.
fn assert_same(solution: &Solution, kept: &Kept, plan: &ColouredPlan, swept: &Swept) {
    let name = format!("{}, {} top squares", solution.rules().name(), plan.top_squares());
    let numbers = |counts: &[Counts]| -> Vec<u64> {
        counts.iter().flat_map(|counts| [counts.win, counts.draw, counts.loss]).collect()
    };
    // The sections of a table, which are padded to 64 bytes and followed by their checksums, begin on pages.
    let table = table_bytes(solution);
    let mut start = u32::from_le_bytes(table[12..16].try_into().expect("four bytes")) as usize;
    let reached = whole(kept, plan, Sheet::Reached);
    for &sheet in plan.sheets() {
        let found = whole(kept, plan, sheet);
        let bytes = found.len().next_multiple_of(64);
        let (section, padding) = table[start..start + bytes].split_at(found.len());
        assert!(section == found, "{name}: {sheet:?} differs");
        assert!(padding.iter().all(|&byte| byte == 0), "{name}: {sheet:?}");
        start = (start + bytes + bytes.div_ceil(1 << 16) * 32).next_multiple_of(4096);
        let counted = match sheet {
            Sheet::Label(LabelKind::Outcome) => numbers(solution.every_by_mode().expect("of every colouring")),
            Sheet::Reached => numbers(solution.counts_by_mode()),
            Sheet::Label(_) => {
                let mut codes = vec![0; 256];
                let marked = |at: &usize| reached[at / 8] >> (at % 8) & 1 == 1;
                (0..found.len()).filter(marked).for_each(|at| codes[usize::from(found[at])] += 1);
                codes
            }
        };
        let figures = &swept.tallies.iter().find(|(found, _)| *found == sheet).expect("swept").1;
        assert_eq!(figures, &counted, "{name}: {sheet:?}");
    }
}

/// Solves `rules` with every label by regions of every size that `tops` names, with the least memory for it and with more, and
/// with every kernel.
fn assert_all_regions(rules: &Rules, roots: &[Position], labels: LabelSet, tops: impl Iterator<Item = u32>) {
    let options = Options { method: Method::Coloured, labels, roots, ..Options::default() };
    let solution = solve(rules, &options).expect("small rules of two colours");
    let frame = solve::coloured(rules, roots).expect("rules of two colours");
    let task = ColouredTask { rules, frame: &frame, labels };
    for top in tops {
        let with = |bytes| ColouredPlan::with_top_squares(&task, top, bytes);
        let Some(ample) = with(1 << 40) else { break };
        // The least memory that is enough for so many top squares.
        let (mut less, mut enough) = (0, ample.memory_bytes());
        while less + 1 < enough {
            let half = u64::midpoint(less, enough);
            if with(half).is_some() { enough = half } else { less = half }
        }
        let plans = [ample, with(enough).expect("as much as it takes")];
        for (number, plan) in plans.iter().enumerate() {
            let kernels = Kernel::available();
            let kernel = kernels[(top as usize + number) % kernels.len()];
            let kept = Kept::default();
            let options = RegionOptions { roots, kernel: Some(kernel), progress: None };
            let swept = solve_colourings_by_regions(rules, plan, &options, &kept).expect("small rules");
            assert_same(&solution, &kept, plan, &swept);
        }
    }
}

/// A game of the library with some of its parameters set.
fn library(name: &str, set: &[(&str, &str)]) -> Box<dyn Game> {
    let set = set.iter().fold(Parameters::new(), |all, (key, value)| all.with(*key, value));
    engine::game(name, &set).expect("a game of the library")
}

/// Ends and none, draws and none, gravity, one mode a number of stones and several.
#[test]
fn colourings_by_regions_of_every_size() {
    let mnk = |rows, cols, k| -> Box<dyn Game> { Box::new(Mnk::new(rows, cols, k, Play::Normal).expect("a board")) };
    let col = |name| library(name, &[("rows", "2"), ("cols", "4")]);
    let games = [
        mnk(3, 3, 3),
        mnk(3, 4, 3),
        col("col"),
        col("snort"),
        library("connect-four", &[("rows", "3"), ("cols", "3")]),
    ];
    for game in games {
        let labels = labels(game.rules());
        assert_all_regions(game.rules(), &game.roots(), labels, 0..);
    }
}

/// Sets of more colourings than a vector has; outcomes alone.
#[test]
fn larger_boards_of_two_colours_by_regions() {
    let sixteen = Mnk::new(4, 4, 4, Play::Normal).expect("a board");
    assert_all_regions(sixteen.rules(), &[], LabelSet::OUTCOME, [1, 4, 9].into_iter());
    let snort = library("snort", &[("rows", "3"), ("cols", "4")]);
    assert_all_regions(snort.rules(), &snort.roots(), LabelSet::OUTCOME, [2, 5].into_iter());
    let sim = library("sim", &[]);
    assert_all_regions(sim.rules(), &sim.roots(), LabelSet::OUTCOME, [3, 7].into_iter());
}

/// What is found to be damaged is swept again, and nothing else.
#[test]
fn damaged_regions_of_colourings_are_swept_again() {
    let game = Mnk::new(3, 3, 3, Play::Normal).expect("a board");
    let (rules, labels) = (game.rules(), labels(game.rules()));
    let frame = solve::coloured(rules, &[]).expect("rules of two colours");
    let plan = ColouredPlan::with_top_squares(&ColouredTask { rules, frame: &frame, labels }, 3, 1 << 30);
    let plan = plan.expect("a small board");
    let solution = solve(rules, &Options { method: Method::Coloured, labels, ..Options::default() }).expect("small");
    let kept = Kept::default();
    let solve = || solve_colourings_by_regions(rules, &plan, &RegionOptions::default(), &kept).expect("small rules");
    solve();
    let sheets: Vec<(Sheet, u64)> = kept.pieces.lock().unwrap().keys().copied().collect();
    for damaged in sheets.chunks(2) {
        kept.damaged.lock().unwrap().extend(damaged);
        let swept = solve();
        assert!(kept.damaged.lock().unwrap().is_empty(), "all of it was made again");
        assert_same(&solution, &kept, &plan, &swept);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// Gravity, neighbours, holes, singles that may be taken already, several modes, draws, starts.
    #[test]
    fn random_rules_of_two_colours_by_regions(seed in any::<u64>()) {
        let rules = squares::rules(seed, 1..=5);
        if solve::coloured(&rules, &[]).is_ok() {
            assert_all_regions(&rules, &[], labels(&rules), 0..);
        }
    }
}
