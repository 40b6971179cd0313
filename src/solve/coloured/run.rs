//! The two sweeps over all sets, compiled for each vector unit.

use std::ops::ControlFlow;

use super::kernel::{Kernel, Scratch};
use super::lanes::{Lanes, Portable};
use super::plan::Play;
use super::sweep::{Direction, Sweep, levels, sets};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};
use crate::coloured::Place;
use crate::solve::Meter;
use crate::solve::dense::Ready;
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::{HasAvx2, HasAvx512};

/// Colourings between two reports of the progress.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_>, ready: Ready, meter: &Meter<'_>) -> ControlFlow<()> {
    levels(sweep.frame, Direction::Down, |upper| {
        let group = Group::new(sweep, upper, meter);
        // SAFETY: `levels` and `sets` have each set once, after all larger ones that a move leads to; a thread has a group
        // for itself.
        unsafe { group.run::<false>(ready, &[]) }
    })
}

/// Marks every position that play reaches from `starts`, sorted by set.
pub(super) fn mark(sweep: &Sweep<'_>, ready: Ready, starts: &[Place], meter: &Meter<'_>) -> ControlFlow<()> {
    levels(sweep.frame, Direction::Up, |upper| {
        let group = Group::new(sweep, upper, meter);
        // SAFETY: as above, after all smaller sets that a move comes from.
        unsafe { group.run::<true>(ready, starts) }
    })
}

/// The sets with the same upper squares.
struct Group<'a> {
    sweep: &'a Sweep<'a>,
    meter: &'a Meter<'a>,
    upper: u64,
    /// The lower squares.
    lower: u64,
}

impl<'a> Group<'a> {
    fn new(sweep: &'a Sweep<'a>, upper: u64, meter: &'a Meter<'a>) -> Self {
        Self { sweep, meter, upper, lower: (1 << sweep.frame.offsets().lower()) - 1 }
    }

    /// # Safety
    /// Each set once; sets that are read are finished, and no other thread touches those of this group.
    unsafe fn run<const MARK: bool>(&self, ready: Ready, starts: &[Place]) -> ControlFlow<()> {
        // SAFETY: the caller's promise is passed on; the tokens prove that the processor has the instructions.
        unsafe {
            match (ready, self.sweep.plan.draws) {
                (Ready::Portable, false) => self.portable::<MARK, false>(starts),
                (Ready::Portable, true) => self.portable::<MARK, true>(starts),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx2(token), false) => self.avx2::<MARK, false>(token, starts),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx2(token), true) => self.avx2::<MARK, true>(token, starts),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx512(token), false) => self.avx512::<MARK, false>(token, starts),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx512(token), true) => self.avx512::<MARK, true>(token, starts),
            }
        }
    }

    /// # Safety
    /// As [`run`](Self::run).
    unsafe fn portable<const MARK: bool, const DRAWS: bool>(&self, starts: &[Place]) -> ControlFlow<()> {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.sets::<Portable, MARK, DRAWS>((), starts) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2<const MARK: bool, const DRAWS: bool>(&self, token: HasAvx2, starts: &[Place]) -> ControlFlow<()> {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.sets::<Avx2, MARK, DRAWS>(token, starts) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx512<const MARK: bool, const DRAWS: bool>(
        &self,
        token: HasAvx512,
        starts: &[Place],
    ) -> ControlFlow<()> {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.sets::<Avx512, MARK, DRAWS>(token, starts) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn sets<V: Lanes, const MARK: bool, const DRAWS: bool>(
        &self,
        token: V::Token,
        starts: &[Place],
    ) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<u64, DRAWS> { sweep, token: () }, Kernel::<V, DRAWS> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<u64>::new(()), Scratch::<V>::new(token));
        let moves = self.moves::<MARK>();
        let direction = if MARK { Direction::Up } else { Direction::Down };
        // A set that is read has fewer colourings than the one that asks.
        let least = V::LOG + if MARK { sweep.plan.most_stones() } else { 0 };
        let mut begun = Vec::new();
        let mut done = 0;
        for set in sets(frame, self.upper, direction) {
            let stones = set.count_ones();
            let is_wide = frame.coloured(set) >= least;
            let mut slot = 0;
            for &mode in frame.modes_at(stones) {
                let mode = usize::from(mode.0);
                let moves = &moves[mode];
                begun.clear();
                if MARK {
                    let first = starts.partition_point(|start| (start.set, start.slot) < (set, slot));
                    for start in &starts[first..] {
                        if (start.set, start.slot) != (set, slot) {
                            break;
                        }
                        begun.push(start.colouring);
                    }
                }
                // SAFETY: the caller's promise. A wide set has whole vectors, and so have the sets that are read.
                unsafe {
                    match (MARK, is_wide) {
                        (false, false) => words.label(set, mode, moves, self.lower, &mut of_words),
                        (false, true) => vectors.label(set, mode, moves, self.lower, &mut of_vectors),
                        (true, false) => words.mark(set, mode, moves, &begun, &mut of_words),
                        (true, true) => vectors.mark(set, mode, moves, &begun, &mut of_vectors),
                    }
                }
                slot += 1;
                done += 1 << frame.coloured(set);
            }
            if done >= REPORT {
                self.meter.add(std::mem::take(&mut done))?;
            }
        }
        self.meter.add(done)
    }

    /// By mode: the moves made in it, or those that lead to it, that are possible as far as the upper squares tell.
    fn moves<const MARK: bool>(&self) -> Vec<Vec<&'a Play>> {
        let (plan, set) = (self.sweep.plan, self.upper << self.sweep.frame.offsets().lower());
        let upper = !self.lower;
        let is_open = |play: &&Play| {
            if MARK { play.takes & !play.maybe & upper & !set == 0 } else { play.when.allows(set, upper) }
        };
        let by_mode = if MARK { &plan.into } else { &plan.moves };
        by_mode.iter().map(|moves| moves.iter().filter(is_open).collect()).collect()
    }
}
