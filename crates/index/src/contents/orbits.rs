//! Counts of all positions from a table with one position of each symmetry class.

use rayon::prelude::*;

use super::{FilledCounts, LabelFault, Sparse};
use crate::compressed::BlockFault;
use crate::label::{ByLabel, Counts, LabelKind, add_each};
use crate::rules::{Mode, Outcome, Position};
use crate::symmetry::Group;

/// The number of stored positions that one task counts.
const STRETCH: u64 = 1 << 13;

/// Counts of all positions of the stored symmetry classes.
pub struct Weighted {
    /// The counts of outcomes, mode by mode.
    pub by_mode: Vec<Counts>,
    /// The number of positions with each code, for each label but the outcome.
    pub codes: ByLabel<Vec<u64>>,
}

/// A stored position.
struct Stored {
    rank: usize,
    position: Position,
    outcome: Outcome,
    /// The size of its symmetry class.
    weight: u64,
}

impl Sparse<'_> {
    /// The size of the symmetry class of the stored `position`.
    #[must_use]
    pub fn weight(&self, position: Position) -> u64 {
        self.group().orbit(position)
    }

    /// Counts all positions of the stored classes in one pass over the stored positions.
    pub fn weighted(&self) -> Result<Weighted, LabelFault> {
        let modes = self.levels().potential().modes().len();
        let (bytes, kinds) = (self.bytes(), self.bytes().labels().others());
        let kinds: Vec<LabelKind> = kinds.collect();
        let places = || kinds.iter().map(|&kind| vec![0u64; bytes.places(kind)]);
        let none = || (vec![Counts::default(); modes], places().collect());
        let add = |(by_mode, codes): &mut (Vec<Counts>, Vec<Vec<u64>>), it: Stored| {
            let of_mode = &mut by_mode[usize::from(it.position.mode.0)];
            *of_mode = *of_mode + Counts::of(it.outcome, it.weight);
            for (&kind, codes) in kinds.iter().zip(codes) {
                let number = bytes.number(kind, it.rank)?.unwrap_or_default();
                let place = bytes.place_of(kind, number, it.outcome);
                place.and_then(|place| codes.get_mut(place)).into_iter().for_each(|count| *count += it.weight);
            }
            Ok(())
        };
        let join = |(modes, codes): (_, Vec<_>), (more, more_codes): (_, Vec<_>)| {
            let codes = codes.into_iter().zip(more_codes).map(|(a, b)| add_each(a, b)).collect();
            (add_each(modes, more), codes)
        };
        let (by_mode, codes) = self.fold(none, add, join)?;
        Ok(Weighted { by_mode: spread(self.group(), &by_mode), codes: kinds.into_iter().zip(codes).collect() })
    }

    /// The outcomes of all positions by their number of filled cells, the fewest first.
    pub(crate) fn weighted_by_fill_count(&self) -> Result<Vec<FilledCounts>, LabelFault> {
        let most = self.levels().potential().cells().len();
        let add = |counts: &mut Vec<Counts>, it: Stored| {
            let at = it.position.board.count() as usize;
            counts[at] = counts[at] + Counts::of(it.outcome, it.weight);
            Ok(())
        };
        let sums = self.fold(|| vec![Counts::default(); most + 1], add, add_each)?;
        let all = (0..).zip(sums).filter(|(_, counts)| counts.total() > 0);
        Ok(all.map(|(filled, counts)| FilledCounts { filled, counts }).collect())
    }

    /// Adds up all stored positions, on all cores of the current rayon pool.
    fn fold<T: Send>(
        &self,
        none: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, Stored) -> Result<(), BlockFault> + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, LabelFault> {
        let mut sum = none();
        for (number, (level, outcomes)) in (0..).map_while(|number| Some((number, self.level(number)?))) {
            let size = level.size().count;
            let before = self.levels().rank_of(number, 0).unwrap_or_default();
            let stretch = |number: u64| {
                let mut sum = none();
                for found in level.positions(number * STRETCH, size.min((number + 1) * STRETCH)) {
                    let (index, position) = found?;
                    let outcome = outcomes.outcome(index)?.ok_or(LabelFault::NoOutcome { position })?;
                    let (rank, weight) = ((before + index) as usize, self.weight(position));
                    add(&mut sum, Stored { rank, position, outcome, weight })?;
                }
                Ok::<_, LabelFault>(sum)
            };
            let of_level = (0..size.div_ceil(STRETCH)).into_par_iter().map(stretch);
            sum = join(sum, of_level.reduce(|| Ok(none()), |a, b| Ok(join(a?, b?)))?);
        }
        Ok(sum)
    }
}

/// The counts of each mode, from the counts of the classes whose representatives have that mode. The positions of a class are spread
/// evenly over the images of the mode, because a symmetry that maps one mode to another also maps the positions.
pub fn spread(group: &Group, of_orbits: &[Counts]) -> Vec<Counts> {
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
