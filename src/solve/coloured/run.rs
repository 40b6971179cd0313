//! The two sweeps over all sets, compiled for each vector unit.

use std::ops::ControlFlow;

use super::kernel::{Kernel, Scratch};
use super::plan::Play;
use super::set_order::Direction;
use super::sweep::Sweep;
use crate::coloured::Place;
use crate::solve::simd::{Colourings, Unit, VectorUnit, Work};
use crate::solve::{Meter, Phase};

/// Colourings between two reports of the progress.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set of the order, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Down, |first| {
        // SAFETY: the order has each set once, after all larger ones that a move leads to; a thread has a group for itself.
        let group = unsafe { Group::new(sweep, first, meter) };
        if sweep.plan.draws { unit.run(Label::<true>(group)) } else { unit.run(Label::<false>(group)) }
    })
}

/// Marks every position of the order that play reaches from `starts`, sorted by set, and from other slices.
pub(super) fn mark(sweep: &Sweep<'_>, unit: VectorUnit, starts: &[Place], meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Up, |first| {
        // SAFETY: as in `label`, after all smaller sets that a move comes from.
        let group = unsafe { Group::new(sweep, first, meter) };
        unit.run(Mark { group, starts })
    })
}

/// Of what play reaches of the order, leaves what it goes on from.
pub(super) fn clear_ended(sweep: &Sweep<'_>, unit: VectorUnit) {
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = sweep.order.levels(Direction::Up, |first| {
        // SAFETY: as in `label`; no other set is read.
        unit.run(ClearEnded(unsafe { Group::new(sweep, first, &meter) }));
        ControlFlow::Continue(())
    });
}

/// Labelling a group, as work for a vector unit.
struct Label<'a, const DRAWS: bool>(Group<'a>);

impl<const DRAWS: bool> Work for Label<'_, DRAWS> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.0.label::<U::Bits, DRAWS>(unit.bits())
    }
}

/// Marking a group.
struct Mark<'a> {
    group: Group<'a>,
    starts: &'a [Place],
}

impl Work for Mark<'_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.group.mark::<U::Bits>(unit.bits(), self.starts)
    }
}

/// Clearing the positions of a group in which the game has ended.
struct ClearEnded<'a>(Group<'a>);

impl Work for ClearEnded<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        self.0.clear_ended::<U::Bits>(unit.bits());
    }
}

/// The sets with the same upper squares.
struct Group<'a> {
    sweep: &'a Sweep<'a>,
    meter: &'a Meter<'a>,
    /// The first of them.
    first: u64,
    /// The lower squares.
    lower: u64,
}

impl<'a> Group<'a> {
    /// The group that begins with `first`.
    ///
    /// # Safety
    /// As long as this exists, no other thread touches the sets of the group, and the sets that are read are finished.
    unsafe fn new(sweep: &'a Sweep<'a>, first: u64, meter: &'a Meter<'a>) -> Self {
        Self { sweep, meter, first, lower: sweep.order.lower() }
    }

    /// Labels each set.
    #[inline(always)]
    fn label<V: Colourings, const DRAWS: bool>(&self, token: V::Token) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<V::Word, DRAWS> { sweep, token }, Kernel::<V, DRAWS> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let moves = self.possible(&sweep.plan.moves, |play, set, upper| play.when.allows(set, upper));
        let mut done = 0;
        for set in sweep.order.sets(self.first, Direction::Down) {
            let is_wide = frame.coloured(set) >= V::LOG;
            for &mode in frame.modes_at(set.count_ones()) {
                let mode = usize::from(mode.0);
                // SAFETY: what whoever made the group promised. A wide set has whole vectors, and so have those with more pieces.
                unsafe {
                    if is_wide {
                        vectors.label(set, mode, &moves[mode], self.lower, &mut of_vectors);
                    } else {
                        words.label(set, mode, &moves[mode], self.lower, &mut of_words);
                    }
                }
                done += 1 << frame.coloured(set);
            }
            if done >= REPORT {
                self.meter.add(std::mem::take(&mut done))?;
            }
        }
        self.meter.add(done)
    }

    /// Marks what play reaches of each set.
    #[inline(always)]
    fn mark<V: Colourings>(&self, token: V::Token, starts: &[Place]) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        // Whether games can be drawn does not matter here.
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let moves = self.possible(&sweep.plan.into, |play, set, upper| play.takes & upper & !set == 0);
        // The sets that are read have fewer pieces.
        let least = V::LOG + sweep.plan.max_pieces();
        let mut begun = Vec::new();
        let mut done = 0;
        for set in sweep.order.sets(self.first, Direction::Up) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, &mode) in (0..).zip(frame.modes_at(set.count_ones())) {
                let mode = usize::from(mode.0);
                starts_of(starts, set, slot, &mut begun);
                // SAFETY: what whoever made the group promised. The sets that a wide one reads have whole vectors.
                unsafe {
                    if is_wide {
                        vectors.mark(set, mode, &moves[mode], &begun, &mut of_vectors);
                    } else {
                        words.mark(set, mode, &moves[mode], &begun, &mut of_words);
                    }
                }
                done += 1 << frame.coloured(set);
            }
            if done >= REPORT {
                self.meter.add(std::mem::take(&mut done))?;
            }
        }
        self.meter.add(done)
    }

    /// Of what play reaches of each set, leaves what it goes on from.
    #[inline(always)]
    fn clear_ended<V: Colourings>(&self, token: V::Token) {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        for set in sweep.order.sets(self.first, Direction::Up) {
            for &mode in frame.modes_at(set.count_ones()) {
                // SAFETY: what whoever made the group promised. A wide set has whole vectors.
                unsafe {
                    if frame.coloured(set) >= V::LOG {
                        vectors.clear_ended(set, usize::from(mode.0), &mut of_vectors);
                    } else {
                        words.clear_ended(set, usize::from(mode.0), &mut of_words);
                    }
                }
            }
        }
    }

    /// By mode: those of `moves` that are possible as far as the upper squares tell.
    fn possible(&self, moves: &'a [Vec<Play>], is_possible: impl Fn(&Play, u64, u64) -> bool) -> Vec<Vec<&'a Play>> {
        let is_possible = |play: &&Play| is_possible(play, self.first, !self.lower);
        let of_mode = |moves: &'a Vec<Play>| moves.iter().filter(&is_possible).collect();
        moves.iter().map(of_mode).collect()
    }
}

/// The colourings among `starts`, sorted, that have this set and slot.
fn starts_of(starts: &[Place], set: u64, slot: u32, colourings: &mut Vec<u64>) {
    colourings.clear();
    let first = starts.partition_point(|start| (start.set, start.slot) < (set, slot));
    let here = starts[first..].iter().take_while(|start| (start.set, start.slot) == (set, slot));
    colourings.extend(here.map(|start| start.colouring));
}
