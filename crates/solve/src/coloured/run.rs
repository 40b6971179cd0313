//! The sweeps over all sets of a slice, as work for a vector unit.

use std::ops::ControlFlow;

use super::kernel::{Kernel, Scratch};
use super::plan::Play;
use super::set_order::Direction;
use super::sweep::Sweep;
use crate::colourings::Place;
use crate::simd::{Colourings, Unit, VectorUnit, Work};
use crate::{Meter, Phase};

/// Colourings between two progress reports.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Down, |first| {
        // SAFETY: `levels` gives each group to one thread, after all groups that moves lead to from there.
        let group = unsafe { Group::new(sweep, first, meter) };
        if sweep.plan.draws { unit.run(Label::<true>(group)) } else { unit.run(Label::<false>(group)) }
    })
}

/// Marks every position reachable from `starts`, which are sorted by set, and from other slices.
pub(super) fn mark(sweep: &Sweep<'_>, unit: VectorUnit, starts: &[Place], meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Up, |first| {
        // SAFETY: `levels` gives each group to one thread, after all groups that moves come from to there.
        let group = unsafe { Group::new(sweep, first, meter) };
        unit.run(Mark { group, starts })
    })
}

/// Clears the bits of reachable positions in which the game has ended.
pub(super) fn clear_ended(sweep: &Sweep<'_>, unit: VectorUnit) {
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = sweep.order.levels(Direction::Up, |first| {
        // SAFETY: `levels` gives each group to one thread, and no other set is read.
        unit.run(ClearEnded(unsafe { Group::new(sweep, first, &meter) }));
        ControlFlow::Continue(())
    });
}

/// Labels a group.
struct Label<'a, const DRAWS: bool>(Group<'a>);

impl<const DRAWS: bool> Work for Label<'_, DRAWS> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.0.label::<U::Bits, DRAWS>(unit.bits())
    }
}

/// Marks a group.
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

/// Clears the positions of a group in which the game has ended.
struct ClearEnded<'a>(Group<'a>);

impl Work for ClearEnded<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        self.0.clear_ended::<U::Bits>(unit.bits());
    }
}

/// The sets of a slice that agree on the upper squares.
struct Group<'a> {
    sweep: &'a Sweep<'a>,
    meter: &'a Meter<'a>,
    /// The first set.
    first: u64,
    /// The lower squares.
    lower: u64,
}

impl<'a> Group<'a> {
    /// The group that begins with `first`.
    ///
    /// # Safety
    /// As long as this exists, no other thread touches the sets of the group, and all sets of other groups that it
    /// reads are finished.
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
                // SAFETY: the caller of `new` promised it. A wide set has whole vectors, and sets with more pieces have
                // more.
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

    /// Marks the reachable positions of each set.
    #[inline(always)]
    fn mark<V: Colourings>(&self, token: V::Token, starts: &[Place]) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        // Draws do not matter to marking.
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let moves = self.possible(&sweep.plan.into, |play, set, upper| play.takes & upper & !set == 0);
        // Predecessors have fewer pieces, so a wide set must have enough of them.
        let least = V::LOG + sweep.plan.max_pieces();
        let mut begun = Vec::new();
        let mut done = 0;
        for set in sweep.order.sets(self.first, Direction::Up) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, &mode) in (0..).zip(frame.modes_at(set.count_ones())) {
                let mode = usize::from(mode.0);
                starts_of(starts, set, slot, &mut begun);
                // SAFETY: the caller of `new` promised it. The sets that a wide set reads have whole vectors.
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

    /// Clears the reachable positions of each set in which the game has ended.
    #[inline(always)]
    fn clear_ended<V: Colourings>(&self, token: V::Token) {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        for set in sweep.order.sets(self.first, Direction::Up) {
            for &mode in frame.modes_at(set.count_ones()) {
                // SAFETY: the caller of `new` promised it. A wide set has whole vectors.
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

    /// The moves of each mode that the upper squares of this group allow.
    fn possible(&self, moves: &'a [Vec<Play>], is_possible: impl Fn(&Play, u64, u64) -> bool) -> Vec<Vec<&'a Play>> {
        let is_possible = |play: &&Play| is_possible(play, self.first, !self.lower);
        let of_mode = |moves: &'a Vec<Play>| moves.iter().filter(&is_possible).collect();
        moves.iter().map(of_mode).collect()
    }
}

/// Writes the colourings of the `starts` with this set and slot to `colourings`.
fn starts_of(starts: &[Place], set: u64, slot: u32, colourings: &mut Vec<u64>) {
    colourings.clear();
    let first = starts.partition_point(|start| (start.set, start.slot) < (set, slot));
    let here = starts[first..].iter().take_while(|start| (start.set, start.slot) == (set, slot));
    colourings.extend(here.map(|start| start.colouring));
}
