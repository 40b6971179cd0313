//! Counts of outcomes of a two-colour table: of the reachable colourings, and of all.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{Coloured, LabelFault};
use crate::colourings::{Frame, Place, WORD};
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Counts, LabelKind, add_each};
use crate::rules::Mode;

/// Counts of outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The counts of reachable colourings.
    pub reached: Counts,
    /// The counts of all colourings.
    pub every: Counts,
}

impl Tally {
    /// The counts multiplied by `times`.
    pub fn times(self, times: u64) -> Self {
        Self { reached: self.reached.times(times), every: self.every.times(times) }
    }
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { reached: self.reached + more.reached, every: self.every + more.every }
    }
}

/// Tallies by number of occupied squares and slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tallies {
    slots: usize,
    all: Vec<Tally>,
}

impl Tallies {
    /// By mode.
    pub fn by_mode(&self, frame: &Frame, modes: usize) -> Vec<Tally> {
        let mut sums = vec![Tally::default(); modes];
        for (number, &tally) in self.all.iter().enumerate() {
            if let Some(&Mode(mode)) = frame.modes_at((number / self.slots) as u32).get(number % self.slots) {
                sums[usize::from(mode)] = sums[usize::from(mode)] + tally;
            }
        }
        sums
    }

    /// By number of occupied squares, which is that of filled cells.
    pub(crate) fn by_stones(&self) -> impl Iterator<Item = (u32, Tally)> {
        let sum = |tallies: &[Tally]| tallies.iter().copied().fold(Tally::default(), |sum, more| sum + more);
        (0..).zip(self.all.chunks(self.slots.max(1)).map(sum))
    }
}

impl Coloured<'_> {
    /// Counts the outcomes. `counted` is called with the bytes of outcomes just counted; `None` if it breaks.
    ///
    /// # Errors
    /// If a position is both a win and a loss, or cannot be unpacked: the bytes are damaged.
    pub fn tallies(&self, counted: impl Fn(u64) -> ControlFlow<()> + Sync) -> Result<Option<Tallies>, LabelFault> {
        let slots = self.frame().slots() as usize;
        let none = || Ok(Some(vec![Tally::default(); slots * (self.frame().size() as usize + 1)]));
        let group = |upper: usize| {
            let Ok(Some(mut all)) = none() else { return Ok(None) };
            let mut words = 0;
            for set in self.frame().offsets().sets_of(upper).filter(|&set| self.frame().stores(set)) {
                for slot in 0..self.frame().modes_at(set.count_ones()).len() {
                    let tally = self.tally(set, slot as u32)?;
                    self.frame().spread(set, slot as u32, |slot, sets| {
                        let sum = &mut all[set.count_ones() as usize * slots + slot as usize];
                        *sum = *sum + tally.times(sets);
                    });
                }
                words += self.words_of(set) * slots;
            }
            let flow = counted((words * (1 + usize::from(self.draws())) * 8) as u64);
            Ok(flow.is_continue().then_some(all))
        };
        let both = |a: Result<Option<Vec<Tally>>, LabelFault>, b: Result<Option<Vec<Tally>>, LabelFault>| {
            Ok(a?.zip(b?).map(|(a, b)| add_each(a, b)))
        };
        let all = (0..self.frame().offsets().groups()).into_par_iter().map(group).reduce(none, both)?;
        Ok(all.map(|all| Tallies { slots, all }))
    }

    /// How many of the positions that play reaches have each [place](crate::label::Label::place) of `kind`, which is not the outcome.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub(crate) fn codes(&self, kind: LabelKind) -> Result<Vec<u64>, BlockFault> {
        let bytes = self.bytes().of(kind).unwrap_or(Bytes::Plain(&[]));
        let form = self.bytes().form(kind);
        let none = || form.no_counts();
        let group = |upper: usize| {
            let mut codes = none();
            for set in self.frame().offsets().sets_of(upper).filter(|&set| self.frame().stores(set)) {
                for slot in 0..self.frame().modes_at(set.count_ones()).len() {
                    let mut weight = 0;
                    self.frame().spread(set, slot as u32, |_, sets| weight += sets);
                    let first = self.frame().bit(Place { set, slot: slot as u32, colouring: 0 });
                    let last = first as usize + self.words_of(set) * WORD as usize;
                    let labels = bytes.range(first as usize * form.bytes()..last * form.bytes())?;
                    let reached = self.reached_words(first, set)?;
                    form.count_marked(&labels, words(&reached), weight, &mut codes);
                }
            }
            Ok(codes)
        };
        let add = |a, b| Ok(add_each(a, b));
        (0..self.frame().offsets().groups()).into_par_iter().map(group).try_reduce(none, add)
    }

    fn words_of(&self, set: u64) -> usize {
        1 << self.frame().coloured(set).saturating_sub(6)
    }

    /// The words of a plane of bits that begin with bit `first`, as many as `set` has.
    fn plane_words<'b>(&self, plane: Bytes<'b>, first: u64, set: u64) -> Result<Cow<'b, [u8]>, BlockFault> {
        let from = (first / 8) as usize;
        plane.range(from..from + self.words_of(set) * 8)
    }

    fn reached_words(&self, first: u64, set: u64) -> Result<Cow<'_, [u8]>, BlockFault> {
        self.plane_words(self.reached(), first, set)
    }

    fn tally(&self, set: u64, slot: u32) -> Result<Tally, LabelFault> {
        let place = Place { set, slot, colouring: 0 };
        let outcomes = self.outcomes();
        let (win, loss) = self.marks(place);
        let wins = self.plane_words(outcomes, win, set)?;
        let losses = self.plane_words(outcomes, loss, set)?;
        let reached = self.reached_words(self.frame().bit(place), set)?;
        let colourings = 1u64 << self.frame().coloured(set);
        let existing = if colourings >= WORD { u64::MAX } else { (1 << colourings) - 1 };
        let mut tally = Tally::default();
        for (number, ((win, loss), reached)) in (0..).zip(words(&wins).zip(words(&losses)).zip(words(&reached))) {
            let loss = if self.draws() { loss } else { existing & !win };
            let count = |of: u64| {
                let ones = |bits: u64| u64::from((bits & of).count_ones());
                Counts { win: ones(win), draw: ones(!win & !loss & existing), loss: ones(loss) }
            };
            if win & loss != 0 {
                let colouring = number * WORD + u64::from((win & loss).trailing_zeros());
                let place = Place { colouring, ..place };
                let position = self.frame().position(place).unwrap_or_default();
                return Err(LabelFault::NoOutcome { position });
            }
            tally = tally + Tally { reached: count(reached), every: count(existing) };
        }
        Ok(tally)
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}
