//! Positions in blocks of up to 64: those that differ in six cells alone.
//!
//! Where pieces move, play reaches many positions that differ in where a few stones of one kind are. Six cells are chosen in
//! which that is so most often, by a look at a level of some ten thousand positions. What is left of a key without these cells
//! is the key of a *block*, which has a bit for each content of the six:
//!
//! ```text
//! keys       ..11 00 | 000011    ..11 00 | 000101    ..11 00 | 110000
//! block      ..11 00             bits 3, 5 and 48
//! ```
//!
//! A move leads from all positions of a block to one other block: it masks the bits of those where it is legal, and shifts them.
//! So a duplicate is looked for, and a label looked up, once for some positions and not once for each.
//! Blocks of one level have positions of that level alone.
//!
//! Only outcomes are found like this. Games in which that does not pay are solved position by position, with the same result.

mod choice;
mod label;
mod layout;
mod table;

use std::collections::TryReserveError;

use super::flood::{self, Extent, Flooded};
use super::item::{FACTOR, Item, Scratch};
use super::moves::Moves;
use super::ordered::Columns;
use super::{empty_columns, levels};
use crate::label::{Counts, LabelKind, LabelSet};
use crate::reachable::{Codes, Levels, Word};
use crate::rules::{Board, Mode, Move, Outcome, Position, Potential, Rules};
use crate::solve::{Options, SolveError};
pub(super) use layout::{Block, Layout};

/// A level with so many positions is looked at.
const SAMPLE: usize = if cfg!(test) { 3 } else { 1 << 16 };
/// Positions that a block must have there, in hundredths, as an average.
const LEAST: u32 = if cfg!(test) { 100 } else { 150 };

/// The layout of blocks by which the outcomes of `rules` are found faster than position by position; `None` if they are not.
pub(super) fn layout<W: Word>(
    rules: &Rules,
    potential: &Potential,
    roots: &[Position],
    options: &Options<'_>,
) -> Option<Layout> {
    let is_asked = options.labels == LabelSet::OUTCOME && rules.clears() && Layout::fits(rules);
    if !is_asked {
        return None;
    }
    let quiet = Options { progress: None, ..*options };
    let moves = Moves::<W>::new(rules, potential);
    // If this fails, then so does what comes after it, and says why.
    let found = flood::flood::<W>(rules, potential, &moves, roots, &quiet, Extent::UpTo(SAMPLE)).ok()?;
    let keys = found.levels.into_iter().flatten().last()?.items;
    let is_large = keys.len() >= SAMPLE;
    let (low, hundredths) = choice::choose(&keys, rules.cells()).filter(|_| is_large)?;
    (hundredths >= LEAST).then(|| Layout::new(rules, low))
}

/// Finds and labels the positions of `rules`: keys and outcomes as a table has them.
pub(super) fn solve(
    rules: &Rules,
    potential: &Potential,
    layout: &Layout,
    roots: &[Position],
    options: &Options<'_>,
) -> Result<(Levels, Columns, Vec<Counts>), SolveError> {
    let Flooded::<Block> { levels: mut blocks, low_bits, sizes, .. } =
        flood::flood(rules, potential, layout, roots, options, Extent::All)?;
    let levels = levels(rules, potential, &sizes);
    let mut columns = empty_columns(rules, potential, &levels, LabelKind::Outcome.width(rules), true)?;
    let found = label::Found { rules, potential, layout, low_bits, sizes: &sizes, count: levels.count() };
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
    use crate::solve::Method;
    use proptest::prelude::*;

    /// `rules` without the moves that may fill cells that are filled.
    fn closed(rules: &Rules) -> Rules {
        let mut spec = rules.clone().into_spec();
        spec.moves.retain(|m| (m.fills & !m.empty & !m.full).is_empty());
        spec.build().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// Whichever cells are low, the keys and the outcomes are those that are found position by position, byte for byte.
        #[test]
        fn blocks_give_what_positions_give(seed: u64, cells in 8u32..=13, moves in 1usize..60, ends in 0usize..6) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let rules = closed(&random_moving(&mut draw, cells, moves, ends, true));
            let mut all: Vec<u32> = (0..cells).collect();
            draw.shuffle(&mut all);
            let layout = Layout::new(&rules, all[..layout::LOW as usize].try_into().unwrap());
            let options = Options { method: Method::Sparse, ..Options::default() };
            let roots = super::super::roots(&rules, &options).unwrap();
            let (levels, columns, counts) = solve(&rules, rules.potential().unwrap(), &layout, &roots, &options).unwrap();
            // Remoteness is always found position by position.
            let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
            let (plain, plain_counts) = super::super::solve_as::<u64>(
                &rules,
                rules.potential().unwrap(),
                roots,
                &Options { labels, ..options },
            )
            .unwrap();
            let (keys, outcomes) = columns.into_parts();
            prop_assert_eq!((levels, keys.unwrap(), outcomes), (plain.levels, plain.keys, plain.outcomes));
            prop_assert_eq!(counts, plain_counts);
        }
    }

    /// Many rules that are drawn are solved in blocks: the tests of the solver test these as well.
    #[test]
    fn blocks_are_chosen() {
        let mut draw = fastrand::Rng::with_seed(1);
        let mut chosen = 0;
        for _ in 0..200 {
            let rules = closed(&random_moving(&mut draw, 12, 100, 2, true));
            let options = Options { method: Method::Sparse, ..Options::default() };
            let roots = super::super::roots(&rules, &options).unwrap();
            let layout = rules.potential().and_then(|potential| layout::<u32>(&rules, potential, &roots, &options));
            chosen += usize::from(layout.is_some());
        }
        assert!(chosen > 10, "{chosen}");
    }
}
