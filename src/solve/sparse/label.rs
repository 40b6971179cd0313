//! Backward: what every position is worth.

use rayon::prelude::*;

use super::flood::Flooded;
use super::{ByMode, Options, Progress};
use crate::plane::{Counts, add_by_mode};
use crate::reachable::{Level, Levels, outcome_bits};
use crate::rules::{Outcome, Position, Rules};

/// Bytes of outcomes that one task writes.
const STRETCH: usize = 1024;

/// The outcomes of every level, and how many of each there are, mode by mode.
pub(super) fn label(
    rules: &Rules,
    by_mode: &ByMode,
    flooded: &Flooded,
    options: &Options<'_>,
) -> (Vec<Vec<u8>>, Vec<Counts>) {
    let levels = &flooded.levels;
    let mut labels = Labels { rules, by_mode, flooded, outcomes: vec![Vec::new(); flooded.keys.len()] };
    let mut counts = vec![Counts::default(); rules.modes().len()];
    let mut positions = 0;
    for number in (0..flooded.keys.len()).rev() {
        let (outcomes, of_level) = labels.level(number);
        labels.outcomes[number] = outcomes;
        counts = add_by_mode(counts, of_level);
        positions += levels.sizes().nth(number).map_or(0, |size| size.count);
        if let Some(progress) = options.progress {
            progress(Progress::Labelled { positions, of: levels.count() });
        }
    }
    (labels.outcomes, counts)
}

struct Labels<'a> {
    rules: &'a Rules,
    by_mode: &'a ByMode,
    flooded: &'a Flooded,
    /// Outcomes by level, as far as they are known: the levels behind the one being labelled.
    outcomes: Vec<Vec<u8>>,
}

impl Labels<'_> {
    fn levels(&self) -> &Levels {
        &self.flooded.levels
    }

    fn view(&self, number: usize) -> Level<'_> {
        self.levels().standalone(number, &self.flooded.keys[number], &self.outcomes[number])
    }

    /// The outcomes of level `number`, those behind it being known.
    fn level(&self, number: usize) -> (Vec<u8>, Vec<Counts>) {
        let level = self.view(number);
        let draws = self.levels().draws();
        let (bits, count) = (if draws { 2 } else { 1 }, level.size().count);
        let in_byte = 8 / bits;
        let mut outcomes = vec![0; count.div_ceil(in_byte) as usize];
        let modes = self.rules.modes().len();
        // Where a reply lies is settled once a level, not once a reply.
        let filled = level.size().filled;
        let behind: Vec<Option<Level<'_>>> =
            (filled..=self.rules.cells()).map(|filled| Some(self.view(self.levels().of_filled(filled)?))).collect();
        let known = |reply: Position| {
            let level = behind.get((reply.board.count() - filled) as usize).and_then(Option::as_ref);
            let outcome = level.and_then(|level| level.outcome(level.find(reply).ok()??));
            outcome.unwrap_or_else(|| unreachable!("a reply lies in a higher level, which is found and labelled"))
        };
        let write = |(stretch, bytes): (usize, &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let first = stretch as u64 * STRETCH as u64 * in_byte;
            for found in level.positions(first, first + bytes.len() as u64 * in_byte) {
                let (index, position) = found.unwrap_or_else(|_| unreachable!("keys just written"));
                let outcome = self.outcome(position, known);
                let byte = &mut bytes[((index - first) / in_byte) as usize];
                *byte |= outcome_bits(draws, outcome) << (bits * (index % in_byte));
                counts[usize::from(position.mode.0)].add(outcome);
            }
            counts
        };
        let counts = outcomes.par_chunks_mut(STRETCH).enumerate().map(write);
        let counts = counts.reduce(|| vec![Counts::default(); modes], add_by_mode);
        (outcomes, counts)
    }

    /// The outcome of a position, from those of the replies to it, which are `known`.
    fn outcome(&self, position: Position, known: impl Fn(Position) -> Outcome) -> Outcome {
        if let Some(outcome) = self.by_mode.ended(position) {
            return outcome;
        }
        let mut best = None;
        for reply in self.by_mode.replies(position) {
            best = best.max(Some(known(reply).flip()));
            if best == Some(Outcome::Win) {
                break;
            }
        }
        best.unwrap_or(self.rules.terminal())
    }
}
