//! The sweeps over all sets of a slice, as work for a vector unit.

use std::ops::{ControlFlow, Range};

use super::kernel::{Kernel, Scratch};
use super::plan::Play;
use super::set_order::{Direction, Part};
use super::sweep::Sweep;
use crate::colourings::Place;
use crate::simd::{Colourings, Unit, VectorUnit, Work};
use crate::{Meter, Phase};

/// Colourings between two progress reports.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Down, |first| {
        let moves = possible(sweep, &sweep.plan.moves, |play, upper| play.when.allows(first, upper));
        let group = Group { sweep, meter, first, moves };
        sweep.order.shares(sweep.frame, first, Direction::Down, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, after all sets that moves lead to from there.
            let share = unsafe { Share::new(&group, sets, part) };
            if sweep.plan.draws { unit.run(Label::<true>(share)) } else { unit.run(Label::<false>(share)) }
        })
    })
}

/// Marks every position reachable from `starts`, which are sorted by set, and from other slices.
pub(super) fn mark(sweep: &Sweep<'_>, unit: VectorUnit, starts: &[Place], meter: &Meter<'_>) -> ControlFlow<()> {
    sweep.order.levels(Direction::Up, |first| {
        let moves = possible(sweep, &sweep.plan.into, |play, upper| play.takes & upper & !first == 0);
        let group = Group { sweep, meter, first, moves };
        sweep.order.shares(sweep.frame, first, Direction::Up, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, after all sets from which moves lead there.
            let share = unsafe { Share::new(&group, sets, part) };
            unit.run(Mark { share, starts })
        })
    })
}

/// Clears the bits of reachable positions in which the game has ended.
pub(super) fn clear_ended(sweep: &Sweep<'_>, unit: VectorUnit) {
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = sweep.order.levels(Direction::Up, |first| {
        let group = Group { sweep, meter: &meter, first, moves: Vec::new() };
        sweep.order.shares(sweep.frame, first, Direction::Up, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, and no other set is read.
            unit.run(ClearEnded(unsafe { Share::new(&group, sets, part) }));
            ControlFlow::Continue(())
        })
    });
}

/// The `moves` of each mode that a group's upper squares allow.
fn possible<'a>(
    sweep: &Sweep<'_>,
    moves: &'a [Vec<Play>],
    is_possible: impl Fn(&Play, u64) -> bool,
) -> Vec<Vec<&'a Play>> {
    let is_possible = |play: &&Play| is_possible(play, !sweep.order.lower());
    let of_mode = |moves: &'a Vec<Play>| moves.iter().filter(&is_possible).collect();
    moves.iter().map(of_mode).collect()
}

/// Labels a share.
struct Label<'a, const DRAWS: bool>(Share<'a>);

impl<const DRAWS: bool> Work for Label<'_, DRAWS> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.0.label::<U::Bits, DRAWS>(unit.bits())
    }
}

/// Marks a share.
struct Mark<'a> {
    share: Share<'a>,
    starts: &'a [Place],
}

impl Work for Mark<'_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.share.mark::<U::Bits>(unit.bits(), self.starts)
    }
}

/// Clears the positions of a share in which the game has ended.
struct ClearEnded<'a>(Share<'a>);

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
    /// The moves of each mode that the upper squares allow.
    moves: Vec<Vec<&'a Play>>,
}

/// Sets of a group that one thread sweeps one after the other, or a part of one of them.
struct Share<'a> {
    group: &'a Group<'a>,
    /// The numbers of the sets in the order of the sweep.
    sets: Range<usize>,
    part: Part,
}

impl<'a> Share<'a> {
    /// # Safety
    /// As long as this exists, no other thread touches this part of these sets, and all other sets that this share reads are finished.
    unsafe fn new(group: &'a Group<'a>, sets: Range<usize>, part: Part) -> Self {
        Self { group, sets, part }
    }

    /// The sets.
    fn sets(&self, direction: Direction) -> impl Iterator<Item = u64> {
        self.group.sweep.order.sets(self.group.first, direction, self.sets.clone())
    }

    /// Labels each set.
    #[inline(always)]
    fn label<V: Colourings, const DRAWS: bool>(&self, token: V::Token) -> ControlFlow<()> {
        let (Group { sweep, meter, moves, .. }, part) = (self.group, self.part);
        let (frame, lower) = (sweep.frame, sweep.order.lower());
        let words = Kernel::<V::Word, DRAWS> { sweep, token, part };
        let vectors = Kernel::<V, DRAWS> { sweep, token, part };
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let mut done = 0;
        for set in self.sets(Direction::Down) {
            let is_wide = frame.coloured(set) >= V::LOG;
            for &mode in frame.modes_at(set.count_ones()) {
                let mode = usize::from(mode.0);
                let moves = &moves[mode];
                // SAFETY: the caller of `new` promised it. A wide set has whole vectors, and sets with more pieces have
                // more.
                unsafe {
                    if is_wide {
                        vectors.label(set, mode, moves, lower, &mut of_vectors);
                    } else {
                        words.label(set, mode, moves, lower, &mut of_words);
                    }
                }
                done += 1 << frame.coloured(set) >> part.log;
            }
            if done >= REPORT {
                meter.add(std::mem::take(&mut done))?;
            }
        }
        meter.add(done)
    }

    /// Marks the reachable positions of each set.
    #[inline(always)]
    fn mark<V: Colourings>(&self, token: V::Token, starts: &[Place]) -> ControlFlow<()> {
        let (Group { sweep, meter, moves, .. }, part) = (self.group, self.part);
        let frame = sweep.frame;
        // Draws do not matter to marking.
        let words = Kernel::<V::Word, false> { sweep, token, part };
        let vectors = Kernel::<V, false> { sweep, token, part };
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        // Predecessors have fewer pieces, so a wide set must have enough of them.
        let least = V::LOG + sweep.plan.max_pieces();
        let mut begun = Vec::new();
        let mut done = 0;
        for set in self.sets(Direction::Up) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, &mode) in (0..).zip(frame.modes_at(set.count_ones())) {
                let mode = usize::from(mode.0);
                starts_of(starts, set, slot, &mut begun);
                let moves = &moves[mode];
                // SAFETY: the caller of `new` promised it. The sets that a wide set reads have whole vectors.
                unsafe {
                    if is_wide {
                        vectors.mark(set, mode, moves, &begun, &mut of_vectors);
                    } else {
                        words.mark(set, mode, moves, &begun, &mut of_words);
                    }
                }
                done += 1 << frame.coloured(set) >> part.log;
            }
            if done >= REPORT {
                meter.add(std::mem::take(&mut done))?;
            }
        }
        meter.add(done)
    }

    /// Clears the reachable positions of each set in which the game has ended.
    #[inline(always)]
    fn clear_ended<V: Colourings>(&self, token: V::Token) {
        let (sweep, part) = (self.group.sweep, self.part);
        let words = Kernel::<V::Word, false> { sweep, token, part };
        let vectors = Kernel::<V, false> { sweep, token, part };
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        for set in self.sets(Direction::Up) {
            for &mode in sweep.frame.modes_at(set.count_ones()) {
                // SAFETY: the caller of `new` promised it. A wide set has whole vectors.
                unsafe {
                    if sweep.frame.coloured(set) >= V::LOG {
                        vectors.clear_ended(set, usize::from(mode.0), &mut of_vectors);
                    } else {
                        words.clear_ended(set, usize::from(mode.0), &mut of_words);
                    }
                }
            }
        }
    }
}

/// Writes the colourings of the `starts` with this set and slot to `colourings`.
fn starts_of(starts: &[Place], set: u64, slot: u32, colourings: &mut Vec<u64>) {
    colourings.clear();
    let first = starts.partition_point(|start| (start.set, start.slot) < (set, slot));
    let here = starts[first..].iter().take_while(|start| (start.set, start.slot) == (set, slot));
    colourings.extend(here.map(|start| start.colouring));
}
