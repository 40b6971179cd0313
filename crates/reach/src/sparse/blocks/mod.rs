//! Solves positions in blocks of up to 64, which differ in six cells only.
//!
//! If pieces move, many reachable positions differ only in the cells of a few pieces. The six cells in which positions differ most often
//! are chosen from a sample, a level of tens of thousands of positions. A key without these cells is the key of a *block*, which has a
//! bit for each content of the six cells:
//!
//! ```text
//! keys       ..11 00 | 000011    ..11 00 | 000101    ..11 00 | 110000
//! block      ..11 00             bits 3, 5 and 48
//! ```
//!
//! A move leads from all positions of a block to one other block: it masks the bits of the positions where it is legal,
//! and rotates them. So duplicates are dropped, and labels looked up, for several positions at once. Two positions of a
//! block can lie in different levels; each level has a block for its own positions.
//!
//! Blocks support outcomes only. The solver uses them if the sample says that they pay. The result is the same.

mod choice;
mod label;
mod layout;
mod table;

use std::collections::TryReserveError;

use super::flood::{self, Extent, Flooded};
use super::item::{FACTOR, Item, Scratch};
use super::level_sort::Columns;
use super::moves::Moves;
use super::{Problem, empty_columns, levels};
use crate::label::{Counts, Label, LabelSet};
use crate::reachable::{Codes, KeyWord, Levels};
use crate::rules::{Board, Mode, Move, Outcome, Position, Potential, Rules};
use crate::{Options, SolveError};
pub(super) use layout::{Block, Layout};

/// The first level with at least this many positions is the sample.
const SAMPLE: usize = if cfg!(test) { 3 } else { 1 << 16 };
/// Minimum average number of positions in a block of the sample for blocks to pay, in hundredths.
const LEAST: u32 = if cfg!(test) { 100 } else { 150 };

/// The layout of blocks for `rules`; `None` if blocks do not fit the rules and labels, or do not pay.
pub(super) fn layout<W: KeyWord>(problem: Problem<'_>) -> Option<Layout> {
    let Problem { rules, potential, options, .. } = problem;
    let is_asked = options.labels == LabelSet::OUTCOME && rules.clears() && Layout::fits(rules);
    if !is_asked {
        return None;
    }
    let quiet = Options { progress: None, ..*options };
    let moves = Moves::<W>::new(rules, potential);
    // If this flood fails, so does the full one, which reports the error.
    let found = flood::flood::<W>(Problem { options: &quiet, ..problem }, &moves, Extent::UpTo(SAMPLE)).ok()?;
    let keys = found.levels.into_iter().flatten().last()?.items;
    let is_large = keys.len() >= SAMPLE;
    let (low, hundredths) = choice::choose(&keys, rules.cells()).filter(|_| is_large)?;
    (hundredths >= LEAST).then(|| Layout::new(rules, low))
}

/// Finds and labels the positions of `rules`. Returns keys and outcomes as in a table, and counts of outcomes.
pub(super) fn solve(problem: Problem<'_>, layout: &Layout) -> Result<(Levels, Columns, Vec<Counts>), SolveError> {
    let Problem { rules, potential, options, .. } = problem;
    let Flooded::<Block> { levels: mut blocks, low_bits, sizes, .. } = flood::flood(problem, layout, Extent::All)?;
    let levels = levels(rules, potential, &sizes);
    let mut columns = empty_columns(rules, &levels, Outcome::width(rules), true)?;
    let found = label::FoundBlocks { rules, layout, low_bits, levels: &levels };
    let counts = if rules.can_draw() {
        label::pass::<2>(&found, &mut blocks, &mut columns, options)?
    } else {
        label::pass::<1>(&found, &mut blocks, &mut columns, options)?
    };
    Ok((levels, columns, counts))
}

#[cfg(test)]
mod tests {
    use super::super::random::random_moving;
    use super::*;
    use crate::domain::Domain;
    use crate::domain::Method;
    use crate::symmetry::Group;
    use proptest::prelude::*;

    /// `rules` without what blocks do not fit: moves that may fill filled cells or are legal only without others, and outcomes by the board.
    fn closed(rules: &Rules) -> Rules {
        let mut spec = rules.clone().into_spec();
        spec.moves.retain(|m| (m.fills & !m.empty & !m.full).is_empty());
        spec.moves.iter_mut().for_each(|m| m.otherwise = false);
        spec.terminals.iter_mut().for_each(|it| *it = it.on(Board::EMPTY).into());
        spec.build().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// Whichever cells are low, keys and outcomes have the same bytes as position by position.
        #[test]
        fn blocks_equal_single_positions(seed: u64, cells in 8u32..=13, moves in 1usize..60, ends in 0usize..6) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let rules = closed(&random_moving(&mut draw, cells, moves, ends, true));
            let mut all: Vec<u32> = (0..cells).collect();
            draw.shuffle(&mut all);
            let layout = Layout::new(&rules, all[..layout::LOW as usize].try_into().unwrap());
            let options = Options::of(Method::Sparse);
            let roots = super::super::roots(&rules, &options).unwrap();
            let potential = rules.potential().unwrap();
            let problem = Problem { rules: &rules, potential, roots: &roots, options: &options };
            let (levels, columns, counts) = solve(problem, &layout).unwrap();
            // Remoteness is always solved position by position.
            let labels = LabelSet::BEST_PLAY;
            let all = Options { labels, ..options };
            let (plain, plain_counts) = super::super::solve_as::<u64>(Problem { options: &all, ..problem }).unwrap();
            let (keys, outcomes) = columns.into_parts();
            let domain = Domain::Sparse { levels, starts: roots, group: Group::trivial().clone() };
            prop_assert!(plain.domain == domain && plain.keys == keys.unwrap() && plain.outcomes.bytes() == outcomes);
            prop_assert_eq!(counts, plain_counts);
        }
    }

    /// Many random rules are solved in blocks, so the tests of the solver cover blocks as well.
    #[test]
    fn blocks_are_chosen() {
        let mut draw = fastrand::Rng::with_seed(1);
        let mut chosen = 0;
        for _ in 0..200 {
            let rules = closed(&random_moving(&mut draw, 12, 100, 2, true));
            let options = Options::of(Method::Sparse);
            let roots = super::super::roots(&rules, &options).unwrap();
            let layout = rules.potential().and_then(|potential| {
                layout::<u32>(Problem { rules: &rules, potential, roots: &roots, options: &options })
            });
            chosen += usize::from(layout.is_some());
        }
        assert!(chosen > 10, "{chosen}");
    }
}
