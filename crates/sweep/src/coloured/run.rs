//! The sweeps over all sets of a slice, as work for a vector unit.

use std::ops::{ControlFlow, Range};

use super::kernel::{ENDS, MARKS, Scratch, SetKernel, SlotMode, WINS, WINS_AND_LOSSES};
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
        let (reached, starts) = (sweep.own(), &[][..]);
        match sweep.plan.draws {
            true => unit.run(SetWork::<WINS_AND_LOSSES> { share, reached, starts }),
            false => unit.run(SetWork::<WINS> { share, reached, starts }),
        }
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
    let reached = reached.map_or(sweep.own(), |reached| sweep.beside(reached, 1));
    let moves = |first: u64| possible(sweep, &sweep.plan.into, |play, upper| play.takes & upper & !first == 0);
    each_share(sweep, Direction::Up, meter, moves, |share| unit.run(SetWork::<MARKS> { share, reached, starts }))
}

/// Clears the bits of reachable positions in which the game has ended.
pub(super) fn clear_ended(sweep: &Sweep<'_, u64>, unit: VectorUnit) {
    let no_moves = |_| vec![Vec::new(); sweep.plan.moves.len()];
    let meter = Meter::new(None, Phase::Mark, None);
    let _ = each_share(sweep, Direction::Up, &meter, no_moves, |share| {
        unit.run(SetWork::<ENDS> { share, reached: sweep.own(), starts: &[] })
    });
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
        let group = SetGroup { sweep, direction, meter, first, moves: moves(first) };
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

/// The sets of a slice that agree on the upper squares.
struct SetGroup<'a> {
    sweep: &'a Sweep<'a, u64>,
    direction: Direction,
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
}

/// What a sweep does with each set of a share, in each mode that the set can be in: it finds [`WINS`] or [`WINS_AND_LOSSES`], finds
/// [`MARKS`], or clears the positions with complete [`ENDS`].
struct SetWork<'a, const WHAT: u8> {
    share: Share<'a>,
    /// The planes of the reachable positions.
    reached: SlicePlanes<*mut u64>,
    starts: &'a [Place],
}

impl<const WHAT: u8> SetWork<'_, WHAT> {
    /// The kernel for blocks of `L`.
    #[inline(always)]
    fn kernel<L: Colourings>(&self, token: L::Token) -> SetKernel<'_, L> {
        // SAFETY: `run` passes sets of this share, in modes that they can be in. It passes a set to the kernel for
        // vectors only if it and the sets that it reads have whole vectors. The caller of `Share::new` promised the rest.
        unsafe { SetKernel::new(self.share.group.sweep, token, self.share.part) }
    }

    /// Does the work for a set in a mode. `begun` has the starts there.
    #[inline(always)]
    fn set<L: Colourings>(
        &self,
        kernel: &SetKernel<'_, L>,
        set: u64,
        place: SlotMode,
        begun: &[u64],
        scratch: &mut Scratch<L>,
    ) {
        let moves = &self.share.group.moves[place.mode];
        match WHAT {
            MARKS => kernel.mark(&self.reached, set, place, moves, begun, scratch),
            ENDS => kernel.clear_ended(set, place, scratch),
            _ => kernel.label::<WHAT>(set, place, moves, scratch),
        }
    }
}

impl<const WHAT: u8> Work for SetWork<'_, WHAT> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> ControlFlow<()> {
        let token = unit.colourings();
        let SetGroup { sweep, direction, meter, first, .. } = self.share.group;
        let frame = sweep.frame;
        let words = self.kernel::<<U::Colourings as Colourings>::Word>(token);
        let vectors = self.kernel::<U::Colourings>(token);
        let (mut of_words, mut of_vectors) = (Scratch::new(token), Scratch::new(token));
        // Successors have more pieces, and so more vectors. Predecessors have fewer, so a wide set must have enough of them.
        let least = U::Colourings::LOG + if WHAT == MARKS { sweep.plan.max_pieces() } else { 0 };
        let mut begun = Vec::new();
        let mut done = 0;
        for set in sweep.order.sets(*first, *direction, self.share.sets.clone()) {
            let is_wide = frame.coloured(set) >= least;
            for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                let place = SlotMode { slot, mode: usize::from(mode.0) };
                if WHAT == MARKS {
                    starts_of(self.starts, set, slot as u32, &mut begun);
                }
                if is_wide {
                    self.set(&vectors, set, place, &begun, &mut of_vectors);
                } else {
                    self.set(&words, set, place, &begun, &mut of_words);
                }
                done += 1 << frame.coloured(set) >> self.share.part.log;
            }
            if done >= REPORT {
                meter.add(std::mem::take(&mut done))?;
            }
        }
        meter.add(done)
    }
}

/// Writes the colourings of the `starts` with this set and slot to `colourings`.
fn starts_of(starts: &[Place], set: u64, slot: u32, colourings: &mut Vec<u64>) {
    colourings.clear();
    let first = starts.partition_point(|start| (start.set, start.slot) < (set, slot));
    let here = starts[first..].iter().take_while(|start| (start.set, start.slot) == (set, slot));
    colourings.extend(here.map(|start| start.colouring));
}
