//! The positions of a sample: random draws, and the positions that matter most.
//!
//! A random draw rarely hits the positions that people ask about: a million draws from a large table miss the start. So
//! every sample also holds the *named positions*: the start, all positions one and two plies later, and a line of best
//! play by the labels themselves. Each must follow from its successors. So to forge the label of the start, a forger
//! would have to forge every label that it follows from.

use std::collections::HashSet;

use super::Finding;
use crate::contents::LabelFault;
use crate::rules::{Outcome, Position};
use crate::table::Table;

/// The largest number of named positions; further positions two plies later are left out.
const MOST_NAMED: usize = 1 << 17;

/// The random draws of a sample.
#[derive(Clone, Copy)]
pub(super) struct Draws {
    state: u64,
    positions: u64,
}

impl Draws {
    /// Draws with `seed` from `positions` ranks.
    pub(super) fn new(seed: u64, positions: u64) -> Self {
        Self { state: mixed(seed), positions: positions.max(1) }
    }

    /// The rank of draw number `number`.
    ///
    /// The seed is mixed to 64 bits before the number is added. Otherwise the draws of seed 1 would be the draws of
    /// seed 0 shifted by one. The sequences of n draws of two seeds overlap with a probability of about n / 2^63.
    pub(super) fn rank(self, number: u64) -> u64 {
        fastrand::Rng::with_seed(mixed(self.state.wrapping_add(number.wrapping_mul(GOLDEN)))).u64(..self.positions)
    }
}

/// 2^64 divided by the golden ratio: multiples of it are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A permutation of the 64-bit numbers in which every bit depends on every bit (the finalizer of SplitMix64).
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The positions that every sample holds: the starts of the game, all positions one and two plies later (at most
/// [`MOST_NAMED`] in all), and a line of best play.
///
/// # Errors
/// If a label on the line cannot be read.
pub(super) fn named(table: &Table) -> Result<Vec<Position>, Finding> {
    let rules = table.rules();
    let mut starts = rules.start_positions();
    starts.extend(table.domain().starts());
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let mut add = |all: &mut Vec<Position>, position| {
        if all.len() < MOST_NAMED && seen.insert(position) {
            all.push(position);
        }
    };
    starts.iter().for_each(|&start| add(&mut all, start));
    line_of_best_play(table, &starts)?.into_iter().for_each(|position| add(&mut all, position));
    let mut before = starts;
    for _ in 0..2 {
        let from = all.len();
        for position in std::mem::take(&mut before) {
            rules.moves_from(position).for_each(|m| add(&mut all, m.play(position)));
            if all.len() >= MOST_NAMED {
                return Ok(all);
            }
        }
        before = all[from..].to_vec();
    }
    Ok(all)
}

/// A line of best play, from the best of `starts` to the end of play or to a repeated position. Each move leads to a
/// position with the worst label for the opponent; among several, the first in the game's own order.
fn line_of_best_play(table: &Table, starts: &[Position]) -> Result<Vec<Position>, Finding> {
    let best = |positions: &mut dyn Iterator<Item = Position>| {
        let mut best: Option<(Outcome, Position)> = None;
        for position in positions {
            let label = label(table, position)?;
            if best.is_none_or(|(least, _)| label < least) {
                best = Some((label, position));
            }
        }
        Ok::<_, Finding>(best.map(|(_, position)| position))
    };
    let mut line = Vec::new();
    // The first player chooses among the starts, and so picks the worst for the player to move there.
    let mut next = best(&mut starts.iter().copied())?;
    let mut seen = HashSet::new();
    while let Some(position) = next.filter(|&position| seen.insert(position)) {
        line.push(position);
        next = best(&mut table.rules().moves_from(position).map(|m| m.play(position)))?;
    }
    Ok(line)
}

/// The outcome of `position`, which must have one.
pub(super) fn label(table: &Table, position: Position) -> Result<Outcome, Finding> {
    let label = table.contents().outcome(position).map_err(|fault| match fault {
        LabelFault::Conflict(_) => Finding::Conflict { position },
        fault => fault.into(),
    })?;
    label.ok_or(Finding::Missing { position })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The draws of neighbouring seeds coincide no more often than by chance.
    #[test]
    fn seeds_draw_independently() {
        let drawn = |seed| (0..1000).map(|number| Draws::new(seed, 1 << 40).rank(number)).collect::<HashSet<u64>>();
        let seeds = [0, 1, 2, 3, 1000, u64::MAX];
        let all: Vec<HashSet<u64>> = seeds.map(drawn).into();
        for (n, draws) in all.iter().enumerate() {
            assert!(draws.len() == 1000, "seed {}", seeds[n]);
            assert!(all[..n].iter().all(|other| other.is_disjoint(draws)), "seed {}", seeds[n]);
        }
        assert_eq!(drawn(7), drawn(7));
    }

    #[test]
    fn draws_are_spread_evenly() {
        let mut counts = [0u32; 10];
        (0..100).for_each(|seed| (0..100).for_each(|n| counts[Draws::new(seed, 10).rank(n) as usize] += 1));
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(Draws::new(3, 0).rank(5), 0);
    }
}
