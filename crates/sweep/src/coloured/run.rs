//! The sweeps over all sets of a slice, as work for a vector unit.

use std::ops::{ControlFlow, Range};

use super::kernel::{Scratch, SetKernel, SlotMode};
use super::plan::Play;
use super::set_order::SetPart;
use super::sweep::{SlicePlanes, Sweep};
use crate::colourings::Place;
use crate::simd::{Colourings, Unit, VectorUnit, Work};
use crate::{Direction, Meter, Phase};

/// Colourings between two progress reports.
const REPORT: u64 = 1 << 24;

/// Labels every colouring of every set, on all cores of the current rayon pool. Progress counts colourings.
pub(super) fn label(sweep: &Sweep<'_, u64>, unit: VectorUnit, meter: &Meter<'_>) -> ControlFlow<()> {
    let moves = |first: u64| possible(sweep, &sweep.plan.moves, |play, upper| play.when.allows(first, upper));
    each_share(sweep, Direction::Down, meter, moves, |share| {
        if sweep.plan.draws { unit.run(Label::<true>(share)) } else { unit.run(Label::<false>(share)) }
    })
}

/// Marks every position reachable from `starts`, which are sorted by set, and from other slices. The planes of the sweep
/// get the ongoing positions, and `reached` the reachable ones, if they differ.
pub(super) fn mark<'a>(
    sweep: &Sweep<'a, u64>,
    reached: Option<&'a mut [u64]>,
    unit: VectorUnit,
    starts: &[Place],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    let reached = &reached.map_or(sweep.own(), |reached| sweep.beside(reached));
    let moves = |first: u64| possible(sweep, &sweep.plan.into, |play, upper| play.takes & upper & !first == 0);
    each_share(sweep, Direction::Up, meter, moves, |share| unit.run(Mark { share, reached, starts }))
}

/// Clears the bits of reachable positions in which the game has ended.
pub(super) fn clear_ended(sweep: &Sweep<'_, u64>, unit: VectorUnit) {
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = each_share(
        sweep,
        Direction::Up,
        &meter,
        |_| Vec::new(),
        |share| {
            unit.run(ClearEnded(share));
            ControlFlow::Continue(())
        },
    );
}

/// Calls `work` with each share of the sets, in the order of `direction`, on all cores of the current rayon pool. `moves`
/// returns the moves of each mode in the group that begins with a set.
fn each_share<'a>(
    sweep: &'a Sweep<'_, u64>,
    direction: Direction,
    meter: &Meter<'_>,
    moves: impl Fn(u64) -> Vec<Vec<&'a Play>> + Sync,
    work: impl Fn(Share<'_>) -> ControlFlow<()> + Sync,
) -> ControlFlow<()> {
    sweep.order.levels(direction, |first| {
        let group = SetGroup { sweep, meter, first, moves: moves(first) };
        sweep.order.shares(sweep.frame, first, direction, |sets, part| {
            // SAFETY: `levels` and `shares` give each share to one thread, after all sets before it in this direction. Moves
            // lead from there to those sets, or come from them.
            work(unsafe { Share::new(&group, sets, part) })
        })
    })
}

/// The `moves` of each mode that a group's upper squares allow.
fn possible<'a>(
    sweep: &Sweep<'_, u64>,
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
    reached: &'a SlicePlanes<*mut u64>,
    starts: &'a [Place],
}

impl Work for Mark<'_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        self.share.mark::<U::Bits>(unit.bits(), self.reached, self.starts)
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
struct SetGroup<'a> {
    sweep: &'a Sweep<'a, u64>,
    meter: &'a Meter<'a>,
    /// The first set.
    first: u64,
    /// The moves of each mode that the upper squares allow.
    moves: Vec<Vec<&'a Play>>,
}

/// Sets of a group that one thread sweeps one after the other, or a part of one of them.
struct Share<'a> {
    group: &'a SetGroup<'a>,
    /// The numbers of the sets in the order of the sweep.
    sets: Range<usize>,
    part: SetPart,
}

impl<'a> Share<'a> {
    /// # Safety
    /// As long as this exists, no other thread touches this part of these sets. All other sets that this share reads are
    /// finished, and no thread writes them.
    unsafe fn new(group: &'a SetGroup<'a>, sets: Range<usize>, part: SetPart) -> Self {
        Self { group, sets, part }
    }

    /// The sets.
    fn sets(&self, direction: Direction) -> impl Iterator<Item = u64> {
        self.group.sweep.order.sets(self.group.first, direction, self.sets.clone())
    }

    /// The kernel for blocks of `L`.
    #[inline(always)]
    fn kernel<L: Colourings, const DRAWS: bool>(&self, token: L::Token) -> SetKernel<'_, L, DRAWS> {
        // SAFETY: the methods below pass sets of this share, in modes that they can be in. They pass a set to the kernel for
        // vectors only if it and the sets that it reads have whole vectors. The caller of `new` promised the rest.
        unsafe { SetKernel::new(self.group.sweep, token, self.part) }
    }

    /// Labels each set.
    #[inline(always)]
    fn label<V: Colourings, const DRAWS: bool>(&self, token: V::Token) -> ControlFlow<()> {
        let (SetGroup { sweep, meter, moves, .. }, part) = (self.group, self.part);
        let (frame, lower) = (sweep.frame, sweep.order.lower());
        let (words, vectors) = (self.kernel::<V::Word, DRAWS>(token), self.kernel::<V, DRAWS>(token));
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        let mut done = 0;
        for set in self.sets(Direction::Down) {
            let is_wide = frame.coloured(set) >= V::LOG;
            for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                let place = SlotMode { slot, mode: usize::from(mode.0) };
                let moves = &moves[place.mode];
                // Sets with more pieces have more vectors.
                if is_wide {
                    vectors.label(set, place, moves, lower, &mut of_vectors);
                } else {
                    words.label(set, place, moves, lower, &mut of_words);
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
    fn mark<V: Colourings>(
        &self,
        token: V::Token,
        reached: &SlicePlanes<*mut u64>,
        starts: &[Place],
    ) -> ControlFlow<()> {
        let (SetGroup { sweep, meter, moves, .. }, part) = (self.group, self.part);
        let frame = sweep.frame;
        // Draws do not matter to marking.
        let (words, vectors) = (self.kernel::<V::Word, false>(token), self.kernel::<V, false>(token));
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        // Predecessors have fewer pieces, so a wide set must have enough of them.
        let least = V::LOG + sweep.plan.max_pieces();
        let mut begun = Vec::new();
        let mut done = 0;
        for set in self.sets(Direction::Up) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                let place = SlotMode { slot, mode: usize::from(mode.0) };
                starts_of(starts, set, slot as u32, &mut begun);
                let moves = &moves[place.mode];
                if is_wide {
                    vectors.mark(reached, set, place, moves, &begun, &mut of_vectors);
                } else {
                    words.mark(reached, set, place, moves, &begun, &mut of_words);
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
        let frame = self.group.sweep.frame;
        let (words, vectors) = (self.kernel::<V::Word, false>(token), self.kernel::<V, false>(token));
        let (mut of_words, mut of_vectors) = (Scratch::<V::Word>::new(token), Scratch::<V>::new(token));
        for set in self.sets(Direction::Up) {
            for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                let place = SlotMode { slot, mode: usize::from(mode.0) };
                if frame.coloured(set) >= V::LOG {
                    vectors.clear_ended(set, place, &mut of_vectors);
                } else {
                    words.clear_ended(set, place, &mut of_words);
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
