//! Counts of all positions where one of each orbit is stored.

use rayon::prelude::*;

use super::{FilledCounts, LabelFault, Sparse};
use crate::label::{Counts, LabelKind, add_by_mode};
use crate::rules::{Mode, Outcome, Position};
use crate::symmetry::Group;

/// The number of stored positions that one task counts.
const STRETCH: u64 = 1 << 13;

impl<'a> Sparse<'a> {
    /// The number of positions that the stored `position` stands for.
    #[must_use]
    pub fn weight(&self, position: Position) -> u64 {
        self.group().map_or(1, |group| group.orbit(position))
    }

    /// The outcomes of all positions, mode by mode.
    pub(crate) fn counts_of_positions(&self, modes: usize) -> Result<Vec<Counts>, LabelFault> {
        let all = self.fold(modes, |counts, position, all| {
            let mode = usize::from(position.mode.0);
            counts[mode] = counts[mode] + all;
        })?;
        Ok(self.group().map_or_else(|| all.clone(), |group| spread(group, &all)))
    }

    /// The outcomes of all positions by their number of filled cells, the fewest first.
    pub(crate) fn weighted_by_filled(&self) -> Result<Vec<FilledCounts>, LabelFault> {
        let most = self.sizes().map(|size| size.filled as usize).max().unwrap_or(0);
        let sums = self.fold(most + 1, |counts, position, all| {
            let at = position.board.count() as usize;
            counts[at] = counts[at] + all;
        })?;
        let all = (0..).zip(sums).filter(|(_, counts)| counts.total() > 0);
        Ok(all.map(|(filled, counts)| FilledCounts { filled, counts }).collect())
    }

    /// Adds all stored positions up: `add` gets the counts so far, a position, and how many it stands for, by outcome.
    fn fold(
        &self,
        count: usize,
        add: impl Fn(&mut [Counts], Position, Counts) + Sync,
    ) -> Result<Vec<Counts>, LabelFault> {
        let mut sums = vec![Counts::default(); count];
        for (level, outcomes) in (0..).map_while(|number| self.level(number)) {
            let size = level.size().count;
            let stretch = |number: u64| {
                let mut counts = vec![Counts::default(); count];
                for found in level.positions(number * STRETCH, size.min((number + 1) * STRETCH)) {
                    let (index, position) = found?;
                    let outcome: Outcome = outcomes.outcome(index).ok_or(LabelFault::NoOutcome { position })?;
                    add(&mut counts, position, Counts::of(outcome, self.weight(position)));
                }
                Ok::<_, LabelFault>(counts)
            };
            let none = || Ok(vec![Counts::default(); count]);
            let of_level = (0..size.div_ceil(STRETCH)).into_par_iter().map(stretch);
            sums = add_by_mode(sums, of_level.reduce(none, |a, b| Ok(add_by_mode(a?, b?)))?);
        }
        Ok(sums)
    }

    /// How many positions have each code of `kind`, a label of one byte.
    pub(crate) fn weighted_codes(&self, kind: LabelKind) -> Vec<u64> {
        let bytes = self.bytes().of(kind).unwrap_or_default();
        let none = || vec![0u64; 256];
        let stretch = |number: u64| {
            let mut codes = none();
            for rank in number * STRETCH..self.count().min((number + 1) * STRETCH) {
                // Keys that make no sense are found where they are checked.
                let weight = self.unrank(rank).map_or(1, |position| self.weight(position));
                let code = bytes.get(rank as usize).copied().unwrap_or_default();
                codes[usize::from(code)] += weight;
            }
            codes
        };
        let add = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
        (0..self.count().div_ceil(STRETCH)).into_par_iter().map(stretch).reduce(none, add)
    }
}

/// The counts of each mode, given those of the orbits whose positions stand in it. An orbit has as many positions in each of
/// its modes: a symmetry that maps one mode to another maps the positions of the orbit in one to those in the other.
pub(crate) fn spread(group: &Group, of_orbits: &[Counts]) -> Vec<Counts> {
    let mut even = vec![Counts::default(); of_orbits.len()];
    for (counts, images) in of_orbits.iter().zip(group.orbits_of_modes(of_orbits.len())) {
        let part = images.len() as u64;
        for Mode(mode) in images {
            let share = Counts { win: counts.win / part, draw: counts.draw / part, loss: counts.loss / part };
            even[usize::from(mode)] = even[usize::from(mode)] + share;
        }
    }
    even
}
