//! The two sweeps over all sets, compiled for each vector unit.

use std::ops::ControlFlow;

use super::area::Direction;
use super::kernel::{Kernel, Scratch};
use super::lanes::Lanes;
use super::plan::Play;
use super::sweep::Sweep;
use crate::coloured::Place;
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::{Avx2, Avx512, HasAvx2, HasAvx512};
use crate::solve::dense::{Portable, Ready};
use crate::solve::{Meter, Phase};

/// Colourings between two reports of the progress.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set of the area, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_>, ready: Ready, meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.area.levels(Direction::Down, |first| {
        let group = Group::new(sweep, first, meter);
        // SAFETY: the area has each set once, after all larger ones that a move leads to; a thread has a group
        // for itself. The tokens prove that the processor has the instructions.
        unsafe {
            match (ready, sweep.plan.draws) {
                (Ready::Portable, false) => label_portable::<false>(&group),
                (Ready::Portable, true) => label_portable::<true>(&group),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx2(token), false) => label_avx2::<false>(token, &group),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx2(token), true) => label_avx2::<true>(token, &group),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx512(token), false) => label_avx512::<false>(token, &group),
                #[cfg(target_arch = "x86_64")]
                (Ready::Avx512(token), true) => label_avx512::<true>(token, &group),
            }
        }
    })
}

/// Marks every position of the area that play reaches from `starts`, sorted by set, and from other regions.
pub(super) fn mark(sweep: &Sweep<'_>, ready: Ready, starts: &[Place], meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.area.levels(Direction::Up, |first| {
        let group = Group::new(sweep, first, meter);
        // SAFETY: as above, after all smaller sets that a move comes from.
        unsafe {
            match ready {
                Ready::Portable => mark_portable(&group, starts),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx2(token) => mark_avx2(token, &group, starts),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx512(token) => mark_avx512(token, &group, starts),
            }
        }
    })
}

/// Of what play reaches of the area, leaves what it goes on from.
pub(super) fn strike(sweep: &Sweep<'_>, ready: Ready) {
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = sweep.area.levels(Direction::Up, |first| {
        let group = Group::new(sweep, first, &meter);
        // SAFETY: the area has each set once. The tokens prove that the processor has the instructions.
        unsafe {
            match ready {
                Ready::Portable => strike_portable(&group),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx2(token) => strike_avx2(token, &group),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx512(token) => strike_avx512(token, &group),
            }
        }
        ControlFlow::Continue(())
    });
}

/// # Safety
/// As [`Group::label`].
unsafe fn label_portable<const DRAWS: bool>(group: &Group<'_>) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.label::<Portable, DRAWS>(()) }
}

/// # Safety
/// As [`Group::mark`].
unsafe fn mark_portable(group: &Group<'_>, starts: &[Place]) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.mark::<Portable>((), starts) }
}

/// # Safety
/// As [`Group::strike`].
unsafe fn strike_portable(group: &Group<'_>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.strike::<Portable>(()) }
}

/// # Safety
/// As [`Group::label`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn label_avx2<const DRAWS: bool>(token: HasAvx2, group: &Group<'_>) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.label::<Avx2, DRAWS>(token) }
}

/// # Safety
/// As [`Group::mark`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn mark_avx2(token: HasAvx2, group: &Group<'_>, starts: &[Place]) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.mark::<Avx2>(token, starts) }
}

/// # Safety
/// As [`Group::strike`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn strike_avx2(token: HasAvx2, group: &Group<'_>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.strike::<Avx2>(token) }
}

/// # Safety
/// As [`Group::label`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn label_avx512<const DRAWS: bool>(token: HasAvx512, group: &Group<'_>) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.label::<Avx512, DRAWS>(token) }
}

/// # Safety
/// As [`Group::mark`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn mark_avx512(token: HasAvx512, group: &Group<'_>, starts: &[Place]) -> ControlFlow<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.mark::<Avx512>(token, starts) }
}

/// # Safety
/// As [`Group::strike`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn strike_avx512(token: HasAvx512, group: &Group<'_>) {
    // SAFETY: the caller's promise is passed on.
    unsafe { group.strike::<Avx512>(token) }
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
    fn new(sweep: &'a Sweep<'a>, first: u64, meter: &'a Meter<'a>) -> Self {
        Self { sweep, meter, first, lower: sweep.area.lower() }
    }

    /// Labels each set.
    ///
    /// # Safety
    /// Sets that are read are finished, and no other thread touches those of this group. The processor has the instructions
    /// of the function that this is inlined into.
    #[inline(always)]
    unsafe fn label<V: Lanes, const DRAWS: bool>(&self, token: V::Token) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<V::Word, DRAWS> { sweep, token }, Kernel::<V, DRAWS> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let moves = self.possible(&sweep.plan.moves, |play, set, upper| play.when.allows(set, upper));
        let mut done = 0;
        for set in sweep.area.sets(self.first, Direction::Down) {
            let is_wide = frame.coloured(set) >= V::LOG;
            for &mode in frame.modes_at(set.count_ones()) {
                let mode = usize::from(mode.0);
                // SAFETY: the caller's promise. A wide set has whole vectors, and so have those with more stones.
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
    ///
    /// # Safety
    /// As [`label`](Self::label).
    #[inline(always)]
    unsafe fn mark<V: Lanes>(&self, token: V::Token, starts: &[Place]) -> ControlFlow<()> {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        // Whether games can be drawn does not matter here.
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let moves = self.possible(&sweep.plan.into, |play, set, upper| play.takes & upper & !set == 0);
        // The sets that are read have fewer stones.
        let least = V::LOG + sweep.plan.most_stones();
        let mut begun = Vec::new();
        let mut done = 0;
        for set in sweep.area.sets(self.first, Direction::Up) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, &mode) in (0..).zip(frame.modes_at(set.count_ones())) {
                let mode = usize::from(mode.0);
                starts_of(starts, set, slot, &mut begun);
                // SAFETY: the caller's promise. The sets that a wide one reads have whole vectors.
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
    ///
    /// # Safety
    /// No other thread touches the sets of this group. The processor has the instructions of the function that this is inlined
    /// into.
    #[inline(always)]
    unsafe fn strike<V: Lanes>(&self, token: V::Token) {
        let (sweep, frame) = (self.sweep, self.sweep.frame);
        let (words, vectors) = (Kernel::<V::Word, false> { sweep, token }, Kernel::<V, false> { sweep, token });
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        for set in sweep.area.sets(self.first, Direction::Up) {
            for &mode in frame.modes_at(set.count_ones()) {
                // SAFETY: the caller's promise. A wide set has whole vectors.
                unsafe {
                    if frame.coloured(set) >= V::LOG {
                        vectors.strike(set, usize::from(mode.0), &mut of_vectors);
                    } else {
                        words.strike(set, usize::from(mode.0), &mut of_words);
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
