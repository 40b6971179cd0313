//! Labels by regions: at the numbers of boards, without keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use super::{ByteLabels, FilledCounts, LabelFault};
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, LabelKind, Width, add_each};
use crate::reachable::{Column, Misplaced};
use crate::regions::{Place, Region, Regions};
use crate::rules::{Outcome, Position};
use crate::symmetry::Group;

/// Numbers that one task counts, a multiple of four.
const STRETCH: u64 = 1 << 18;

/// The labels of all boards with the numbers of pieces that play may reach.
#[derive(Clone, Copy)]
pub struct RegionLabels<'a> {
    regions: &'a Regions,
    roots: &'a [Position],
    group: &'a Group,
    longest: u16,
    outcomes: Bytes<'a>,
    bytes: ByteLabels<'a>,
}

/// Counts of the outcomes of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegionCounts {
    /// Of its numbers.
    pub stored: Counts,
    /// Of its boards, in all modes.
    pub all: Counts,
}

impl std::ops::Add for RegionCounts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { stored: self.stored + more.stored, all: self.all + more.all }
    }
}

impl<'a> RegionLabels<'a> {
    /// The labels at the numbers of `regions`, whose remoteness is at most `longest`. `roots` are the starts of play, and `group` has
    /// symmetries under which labels are equal.
    pub fn new(
        regions: &'a Regions,
        roots: &'a [Position],
        group: &'a Group,
        longest: u16,
        outcomes: Bytes<'a>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        Self { regions, roots, group, longest, outcomes, bytes }
    }

    /// The same with the labels of bytes that are in `more` as well.
    pub(crate) fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// The numbers of the boards.
    #[must_use]
    pub const fn regions(&self) -> &'a Regions {
        self.regions
    }

    /// The starts of play, sorted and without duplicates.
    #[must_use]
    pub const fn roots(&self) -> &'a [Position] {
        self.roots
    }

    /// Symmetries of the rules under which labels are equal.
    #[must_use]
    pub const fn group(&self) -> &'a Group {
        self.group
    }

    /// The most plies of a label, without draws by repetition.
    #[must_use]
    pub const fn longest(&self) -> u16 {
        self.longest
    }

    /// The outcomes, two bits each.
    #[must_use]
    pub const fn outcomes(&self) -> Bytes<'a> {
        self.outcomes
    }

    /// The outcomes as a column.
    #[must_use]
    pub const fn column(&self) -> Column<'a> {
        Column::new(Width::Two, self.regions.numbers(), self.outcomes)
    }

    /// The other labels.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// The count of numbers.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.regions.numbers()
    }

    /// The position with `number`.
    ///
    /// # Errors
    /// If no position has it.
    pub fn position(&self, number: u64) -> Result<Position, LabelFault> {
        self.regions.position(number).ok_or_else(|| Misplaced { filled: 0, index: number }.into())
    }

    /// The outcome at `number`.
    ///
    /// # Errors
    /// If the bits are no outcome, or cannot be read.
    pub fn outcome_at(&self, number: u64) -> Result<Outcome, LabelFault> {
        let outcome = self.column().outcome(number)?;
        outcome.ok_or_else(|| LabelFault::NoOutcome { position: self.regions.position(number).unwrap_or_default() })
    }

    /// Where the labels of `position` lie, and its outcome; `None` if it belongs to no region.
    ///
    /// # Errors
    /// As [`outcome_at`](Self::outcome_at).
    pub fn find(&self, position: Position) -> Result<Option<(Place, Outcome)>, LabelFault> {
        match self.regions.find(position) {
            None => Ok(None),
            Some(Place::Ended(outcome)) => Ok(Some((Place::Ended(outcome), outcome))),
            Some(Place::At(number)) => Ok(Some((Place::At(number), self.outcome_at(number)?))),
        }
    }

    /// Counts the outcomes, region by region, on all cores of the current rayon pool. `counted` is called with the number of bytes just
    /// counted; if it breaks, the result is `None`.
    ///
    /// # Errors
    /// If bits are no outcome, or cannot be read.
    pub fn tallies(
        &self,
        counted: impl Fn(u64) -> ControlFlow<()> + Sync,
    ) -> Result<Option<Vec<RegionCounts>>, LabelFault> {
        let of_stretch = |region: &Region, ranks: Range<u32>| {
            let numbers = region.base + u64::from(ranks.start)..region.base + u64::from(ranks.end);
            let outcomes = self.outcome_bytes(&numbers)?;
            let mut counts = RegionCounts::default();
            self.by_rows(region, ranks, |weight, rows| {
                let mut row = Counts::default();
                for rank in rows {
                    row.add(self.outcome_in(&outcomes, &numbers, region.base + u64::from(rank))?);
                }
                counts = counts + RegionCounts { stored: row, all: row.times(weight) };
                Ok(())
            })?;
            Ok::<_, LabelFault>(counts)
        };
        let mut all = Vec::new();
        for region in self.regions.regions() {
            let stretch = |ranks: Range<u32>| {
                let counts = of_stretch(region, ranks.clone())?;
                let byte = |rank: u32| (region.base + u64::from(rank)).div_ceil(4);
                Ok(counted(byte(ranks.end) - byte(ranks.start)).is_continue().then_some(counts))
            };
            let add = |a: Result<Option<RegionCounts>, LabelFault>, b: Result<Option<RegionCounts>, LabelFault>| {
                Ok(a?.zip(b?).map(|(a, b)| a + b))
            };
            match stretches(region).map(stretch).reduce(|| Ok(Some(RegionCounts::default())), add)? {
                Some(counts) => all.push(counts),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// The number of boards with each label of `kind`, by the [place](crate::label::Label::place) of the label. Codes of no label are left out.
    ///
    /// # Errors
    /// If bytes cannot be read.
    pub fn codes(&self, kind: LabelKind) -> Result<Vec<u64>, LabelFault> {
        let Some(bytes) = self.bytes.of(kind) else { return Ok(Vec::new()) };
        let width = self.bytes.width(kind);
        let none = || vec![0u64; self.bytes.places(kind)];
        let of_stretch = |region: &Region, ranks: Range<u32>| {
            let numbers = region.base + u64::from(ranks.start)..region.base + u64::from(ranks.end);
            let outcomes = self.outcome_bytes(&numbers)?;
            let offset = |number| self.bytes.offset(kind, number as usize);
            let labels = bytes.range(offset(numbers.start)..offset(numbers.end))?;
            let mut codes = none();
            self.by_rows(region, ranks, |weight, rows| {
                for rank in rows {
                    let number = region.base + u64::from(rank);
                    let at = offset(number - numbers.start);
                    let place = match width {
                        Width::Sixteen => {
                            let outcome = self.outcome_in(&outcomes, &numbers, number)?;
                            let word = u16::from_le_bytes([labels[at], labels[at + 1]]);
                            self.bytes.place_of(kind, word, outcome)
                        }
                        _ => Some(labels[at].into()),
                    };
                    place.and_then(|place| codes.get_mut(place)).into_iter().for_each(|count| *count += weight);
                }
                Ok(())
            })?;
            Ok::<_, LabelFault>(codes)
        };
        let mut codes = none();
        for region in self.regions.regions() {
            let add = |a: Result<Vec<u64>, LabelFault>, b: Result<Vec<u64>, LabelFault>| Ok(add_each(a?, b?));
            let found = stretches(region).map(|ranks| of_stretch(region, ranks)).reduce(|| Ok(none()), add)?;
            codes = add_each(codes, found);
        }
        Ok(codes)
    }

    /// The counts of the boards of each mode, from the counts of each region.
    #[must_use]
    pub fn by_mode(&self, of_regions: &[RegionCounts], modes: usize) -> Vec<Counts> {
        let mut sums = vec![Counts::default(); modes];
        for (region, counts) in self.regions.regions().iter().zip(of_regions) {
            let all = counts.all;
            // Exchanging the colours maps the boards of one mode to those of the other.
            match self.regions.partner(region.mode) {
                None => add_to(&mut sums, region.mode, all),
                Some(partner) => {
                    let half = Counts { win: all.win / 2, draw: all.draw / 2, loss: all.loss / 2 };
                    add_to(&mut sums, region.mode, half);
                    add_to(&mut sums, partner, half);
                }
            }
        }
        sums
    }

    /// The counts of the numbers of each mode, from the counts of each region.
    #[must_use]
    pub fn stored_by_mode(&self, of_regions: &[RegionCounts], modes: usize) -> Vec<Counts> {
        let mut sums = vec![Counts::default(); modes];
        let regions = self.regions.regions().iter().zip(of_regions);
        regions.for_each(|(region, counts)| add_to(&mut sums, region.mode, counts.stored));
        sums
    }

    /// The counts of boards by their number of filled cells, from the counts of each region.
    #[must_use]
    pub fn by_filled(&self, of_regions: &[RegionCounts]) -> Vec<FilledCounts> {
        let mut sums = BTreeMap::<u32, Counts>::new();
        for (region, counts) in self.regions.regions().iter().zip(of_regions) {
            if let Some(filled) = self.filled(region) {
                let sum = sums.entry(filled).or_default();
                *sum = *sum + counts.all;
            }
        }
        sums.into_iter().map(|(filled, counts)| FilledCounts { filled, counts }).collect()
    }

    /// The number of filled cells on the boards of `region`; `None` if it has no numbers.
    #[must_use]
    pub fn filled(&self, region: &Region) -> Option<u32> {
        let position = self.regions.position(region.base).filter(|_| region.shape.size > 0);
        position.map(|position| position.board.count())
    }

    /// Calls `visit` with the weight and the ranks of each row among `ranks` of `region`.
    fn by_rows(
        &self,
        region: &Region,
        ranks: Range<u32>,
        mut visit: impl FnMut(u64, Range<u32>) -> Result<(), LabelFault>,
    ) -> Result<(), LabelFault> {
        let row = region.shape.row;
        let mut next = ranks.start;
        while next < ranks.end {
            let choice = next / row;
            let end = (u64::from(choice + 1) * u64::from(row)).min(ranks.end.into()) as u32;
            visit(self.regions.row_weight(region, choice), next..end)?;
            next = end;
        }
        Ok(())
    }

    /// The bytes with the outcomes of `numbers`.
    fn outcome_bytes(&self, numbers: &Range<u64>) -> Result<Cow<'a, [u8]>, BlockFault> {
        self.outcomes.range((numbers.start / 4) as usize..numbers.end.div_ceil(4) as usize)
    }

    /// The outcome of `number` in the bytes of `numbers`.
    fn outcome_in(&self, bytes: &[u8], numbers: &Range<u64>, number: u64) -> Result<Outcome, LabelFault> {
        let byte = bytes[(number / 4 - numbers.start / 4) as usize];
        let outcome = Width::Two.outcome(byte >> (2 * (number % 4)) & 3);
        outcome.ok_or_else(|| LabelFault::NoOutcome { position: self.regions.position(number).unwrap_or_default() })
    }
}

fn add_to(sums: &mut [Counts], mode: u16, counts: Counts) {
    let sum = &mut sums[usize::from(mode)];
    *sum = *sum + counts;
}

/// The ranks of `region`, in stretches.
fn stretches(region: &Region) -> impl ParallelIterator<Item = Range<u32>> + use<> {
    let size = u64::from(region.shape.size);
    let stretch = move |at: u64| (at * STRETCH) as u32..size.min((at + 1) * STRETCH) as u32;
    (0..size.div_ceil(STRETCH)).into_par_iter().map(stretch)
}

impl std::fmt::Debug for RegionLabels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegionLabels").field("numbers", &self.count()).finish_non_exhaustive()
    }
}
