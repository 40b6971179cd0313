//! Labels of finished regions: as they are kept, and as later groups read them.
//!
//! A move out of a group leads from a row to a row in the index of arrivals. So the regions that later groups lead to are in memory in the order
//! of arrivals.

use std::sync::Arc;

use super::layout::Rows;
use crate::SolveError;
use crate::index::{Content, Gather, Regions, Shape};
use crate::rules::Outcome;

/// The plies of a draw by repetition.
pub(super) const REPETITION: u16 = u16::MAX;

/// A label as a number, such that the best move is the one with the least number of its successor: the quickest loss, a draw by repetition,
/// the longest draw, the longest win. The class in the highest bits, below it the plies, or the plies counted down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Worth(u32);

/// The classes, and the bits of a worth below its class.
const LOSS: u32 = 0;
const REPEATS: u32 = 1;
const DRAW: u32 = 2;
const WIN: u32 = 3;
const PLIES: u32 = 16;
const MOST: u32 = (1 << PLIES) - 1;

impl Worth {
    /// Worse for the player who moves there than any label.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The best: a position that is lost already.
    pub(super) const BEST: Self = Self::ended(Outcome::Loss);

    /// The worth of a position that has ended.
    pub(super) const fn ended(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::of(0, 0),
            Outcome::Draw => Self::of(1, 0),
            Outcome::Win => Self::of(2, 0),
        }
    }

    /// The worth of an outcome, in the two bits of a table, and plies.
    #[inline(always)]
    const fn of(outcome: u32, plies: u16) -> Self {
        let plies = plies as u32;
        match outcome {
            0 => Self(LOSS << PLIES | plies),
            1 if plies == REPETITION as u32 => Self(REPEATS << PLIES),
            1 => Self((DRAW << PLIES) | (MOST - plies)),
            _ => Self((WIN << PLIES) | (MOST - plies)),
        }
    }

    /// The outcome for the player who moves to such a position, and the plies from before the move; `None` for a draw by repetition.
    pub(super) const fn before(self) -> Option<(Outcome, u32)> {
        let plies = self.0 & MOST;
        match self.0 >> PLIES {
            LOSS => Some((Outcome::Win, plies + 1)),
            REPEATS => None,
            DRAW => Some((Outcome::Draw, MOST - plies + 1)),
            _ => Some((Outcome::Loss, MOST - plies + 1)),
        }
    }

    /// The worth for the player who is not to move.
    #[inline(always)]
    pub(super) const fn turned(self) -> Self {
        let class = self.0 >> PLIES;
        if class == LOSS || class == WIN { Self(((WIN - class) << PLIES) | (MOST - (self.0 & MOST))) } else { self }
    }
}

/// The labels of a region, by rank.
pub struct RegionLabels {
    /// Two bits each, 32 in a word: 0 is a loss, 1 a draw, 2 a win.
    pub outcomes: Box<[u64]>,
    /// Plies to the end; 65,535 is a draw by repetition.
    pub plies: Box<[u16]>,
    /// The most plies of a position that is no draw by repetition.
    pub longest: u16,
}

impl RegionLabels {
    /// The outcome, in two bits, and the plies of the position of `rank`.
    #[inline(always)]
    pub(super) fn at(&self, rank: u32) -> (u32, u16) {
        let outcome = self.outcomes[(rank >> 5) as usize] >> (2 * (rank & 31)) & 3;
        (outcome as u32, self.plies[rank as usize])
    }
}

/// Worths by rank of arrivals: 16 bits each if all plies fit, with two bits less below the class.
pub(super) enum Labels {
    Short(Box<[u16]>),
    Long(Box<[u32]>),
}

/// Where the labels of finished regions go, and where later groups read them.
pub trait RegionStore {
    /// Returns whether the region at place `region` of the list is finished already, such as by a build that was stopped.
    fn is_finished(&self, region: usize) -> bool;

    /// Takes the labels of a region that is finished.
    ///
    /// # Errors
    /// If they cannot be stored.
    fn keep(&mut self, region: usize, labels: RegionLabels) -> Result<(), SolveError>;

    /// Called when all regions of a group are finished.
    ///
    /// # Errors
    /// If the store cannot ensure that they last.
    fn group_is_finished(&mut self) -> Result<(), SolveError>;

    /// The labels of a region that is finished.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load(&self, region: usize) -> Result<Arc<RegionLabels>, SolveError>;
}

/// A store in memory, which has the labels of all regions in the end.
pub struct InMemory(Vec<Option<Arc<RegionLabels>>>);

impl InMemory {
    /// A store for the regions of `index`.
    #[must_use]
    pub fn new(index: &Regions) -> Self {
        Self(vec![None; index.regions().len()])
    }

    /// The labels of each region; `None` for a region without numbers.
    #[must_use]
    pub fn into_labels(self) -> Vec<Option<Arc<RegionLabels>>> {
        self.0
    }
}

impl RegionStore for InMemory {
    fn is_finished(&self, region: usize) -> bool {
        self.0[region].is_some()
    }

    fn keep(&mut self, region: usize, labels: RegionLabels) -> Result<(), SolveError> {
        self.0[region] = Some(Arc::new(labels));
        Ok(())
    }

    fn group_is_finished(&mut self) -> Result<(), SolveError> {
        Ok(())
    }

    fn load(&self, region: usize) -> Result<Arc<RegionLabels>, SolveError> {
        Ok(self.0[region].clone().unwrap_or_else(|| unreachable!("groups come after those that they lead to")))
    }
}

/// Bits of a short worth below its class, and the most plies there.
const SHORT: u32 = 14;
const SHORT_MOST: u32 = (1 << SHORT) - 1;

impl Labels {
    #[inline(always)]
    fn at(&self, rank: u32) -> Worth {
        match self {
            Self::Short(all) => {
                let code = u32::from(all[rank as usize]);
                // Plies that are counted down end at the most.
                let down = (code >> (SHORT + 1)) * (MOST - SHORT_MOST);
                Worth(((code >> SHORT) << PLIES) | ((code & SHORT_MOST) + down))
            }
            Self::Long(all) => Worth(all[rank as usize]),
        }
    }
}

/// A code of a worth.
pub(super) trait Code: Copy + Send + Sync + Default {
    fn of(worth: Worth) -> Self;
}

impl Code for u16 {
    #[inline(always)]
    fn of(Worth(worth): Worth) -> Self {
        ((worth >> PLIES) << SHORT | worth & SHORT_MOST) as Self
    }
}

impl Code for u32 {
    #[inline(always)]
    fn of(Worth(worth): Worth) -> Self {
        worth
    }
}

/// Returns whether short worths can hold up to `longest` plies.
pub(super) const fn are_short(longest: u16) -> bool {
    longest as u32 <= SHORT_MOST
}

/// A region that is in memory.
pub(super) struct Loaded {
    /// The index of its arrivals.
    pub(super) arrival: Shape,
    pub(super) labels: Labels,
}

/// Writes the labels of some rows of arrivals, from the labels by rank of positions.
pub(super) struct Arrange<'a, C> {
    pub(super) index: &'a Regions,
    pub(super) rows: &'a Rows,
    pub(super) from: &'a RegionLabels,
    /// The rows of arrivals, and where their labels go.
    pub(super) choices: std::ops::Range<u32>,
    pub(super) to: &'a mut [C],
}

impl<C: Code> crate::simd::Work for Arrange<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<U: crate::simd::Unit>(self, unit: U) {
        let Self { index, rows, from, choices, to } = self;
        let (row, mut last, mut at) = (rows.arrival.row, crate::index::Last::new(), 0);
        for rank in choices.start * row..choices.end * row {
            let content = index.content(unit, &rows.arrival, rank, &mut last);
            let (outcome, plies) = from.at(index.rank(unit, &rows.shape, content.turned(rows.is_exchanged)));
            to[at] = C::of(Worth::of(outcome, plies));
            at += 1;
        }
    }
}

/// The labels of the regions that are in memory, by the place of the region in the list.
pub(super) struct Known(Vec<Option<Loaded>>);

impl Known {
    pub(super) fn new(regions: usize) -> Self {
        Self((0..regions).map(|_| None).collect())
    }

    pub(super) fn put(&mut self, region: usize, loaded: Loaded) {
        self.0[region] = Some(loaded);
    }

    pub(super) fn has(&self, region: usize) -> bool {
        self.0[region].is_some()
    }

    /// Drops the regions that are not needed.
    pub(super) fn keep_only(&mut self, is_needed: impl Fn(usize) -> bool) {
        self.0.iter_mut().enumerate().filter(|&(region, _)| !is_needed(region)).for_each(|(_, loaded)| *loaded = None);
    }

    /// The worth of the arrival with `content` in a region that is in memory.
    #[inline(always)]
    pub(super) fn worth<G: Gather>(
        &self,
        index: &Regions,
        unit: G,
        region: u32,
        content: Content,
        firsts: &mut Firsts,
    ) -> Worth {
        let loaded = self.0[region as usize].as_ref().unwrap_or_else(|| unreachable!("regions led to are in memory"));
        let (choice, content) = firsts.arrival(index, content);
        loaded.labels.at(choice * loaded.arrival.row + index.rest(unit, &loaded.arrival, content))
    }
}

/// Entries of a cache of choices of the first plane's squares.
const ENTRIES: usize = 64;

/// The choices of the first plane's squares that were looked up last. Moves from one row lead to few.
pub(super) struct Firsts([Entry; ENTRIES]);

#[derive(Clone, Copy)]
struct Entry {
    /// The squares; no squares have the number with which an empty entry begins.
    first: u64,
    choice: u32,
    image: u32,
    element: u8,
}

impl Firsts {
    pub(super) const fn new() -> Self {
        Self([Entry { first: u64::MAX, choice: 0, image: 0, element: 0 }; ENTRIES])
    }

    #[inline(always)]
    const fn at(first: u32) -> usize {
        (first.wrapping_mul(0x9E37_79B1) >> 26) as usize
    }

    /// The number of the choice of first squares in `content`, and the content up to symmetry.
    #[inline(always)]
    fn arrival(&mut self, index: &Regions, content: Content) -> (u32, Content) {
        let entry = &mut self.0[Self::at(content.first)];
        let first = u64::from(content.first);
        if entry.first != first {
            *entry = match index.folds() {
                None => Entry {
                    first,
                    choice: index.subsets().number(content.first.into()),
                    image: content.first,
                    element: 0,
                },
                Some(folds) => {
                    let place = folds.place(content.first);
                    let image = folds.image(place.element, content.first);
                    Entry { first, choice: place.choice, image, element: place.element }
                }
            };
        }
        let Entry { choice, image, element, .. } = *entry;
        let second = match index.folds() {
            None => content.second,
            Some(folds) => folds.image(element, content.second),
        };
        (choice, Content { first: image, second, single: content.single })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worths_are_ordered_and_survive_coding() {
        let label = |worth: Worth| worth.before();
        let in_order =
            [(0, 0), (0, 1), (0, 16_383), (1, REPETITION), (1, 16_383), (1, 1), (1, 0), (2, 16_383), (2, 1), (2, 0)];
        let worths = in_order.map(|(outcome, plies)| Worth::of(outcome, plies));
        assert!(worths.is_sorted() && worths[9] < Worth::NONE && are_short(16_383) && !are_short(16_384));
        let codes: Box<[u16]> = worths.map(Code::of).into();
        let long: Box<[u32]> = worths.map(Code::of).into();
        for (rank, (&worth, (outcome, plies))) in worths.iter().zip(in_order).enumerate() {
            assert_eq!(Labels::Short(codes.clone()).at(rank as u32), worth);
            assert_eq!(Labels::Long(long.clone()).at(rank as u32), worth);
            let flipped = [Outcome::Win, Outcome::Draw, Outcome::Loss][outcome as usize];
            let expected = (plies != REPETITION).then_some((flipped, u32::from(plies) + 1));
            assert_eq!(label(worth), expected);
            assert_eq!(label(worth.turned()), expected.map(|(outcome, plies)| (outcome.flip(), plies)));
        }
        assert_eq!([Outcome::Win, Outcome::Draw, Outcome::Loss].map(Worth::ended), [worths[9], worths[6], worths[0]]);
    }
}
