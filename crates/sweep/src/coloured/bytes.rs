//! Labels of one byte of every colouring: remoteness and nimbers.
//!
//! The sweep is the sweep of outcomes, with a byte for each colouring in place of a bit. A piece moves whole runs of
//! bytes, so plain loops are enough: the compiler turns them into vector instructions.

use std::ops::ControlFlow;
use std::time::Duration;

use super::fetch::Piece;
use super::kernel::{MAX_PIECES, SlotMode, pieces_of};
use super::literals::Literals;
use super::plan::{Plan, Play};
use super::set_order::{PART, SetPart};
use super::sweep::{Bases, Sweep};
use crate::colourings::{ColouredShape, Frame};
use crate::label::{ByLabel, Label, LabelKind, LabelSet, MisereNimber, Nimber, Remoteness, Width, ended_code};
use crate::labelled::Buffer;
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::simd::insert_bit;
use crate::{Direction, SolveError, Watch, timed};
use tablegen_labels::with_byte_label;

/// Colourings that are labelled together: few enough that their sums stay in the first cache.
const CHUNK: usize = 1 << 11;
const _: () = assert!(CHUNK <= 1 << PART, "a part has whole chunks");
/// Colourings between two progress reports.
const REPORT: u64 = 1 << 22;
/// Marks a colouring without a complete terminal pattern.
const OPEN: u8 = u8::MAX;

/// A label as a fold over the codes of successors.
trait Gather {
    /// The state of the fold for one position.
    type Sum: Copy;

    /// Before any successor.
    const NONE: Self::Sum;

    /// The state after one more successor's code if `legal` is all ones, or `sum` if it is zero.
    fn with(sum: Self::Sum, code: u8, legal: u8) -> Self::Sum;

    /// The code of the position. `least` has the code of a remoteness by the least code of the successors.
    fn code(sum: Self::Sum, least: &[u8; 256]) -> u8;
}

/// The least code decides.
impl Gather for Remoteness {
    type Sum = u8;

    const NONE: u8 = u8::MAX;

    #[inline(always)]
    fn with(sum: u8, code: u8, legal: u8) -> u8 {
        sum.min(code | !legal)
    }

    #[inline(always)]
    fn code(sum: u8, least: &[u8; 256]) -> u8 {
        least[usize::from(sum)]
    }
}

/// The least number that no successor has: at most the plies that are left, so that a word holds the set of numbers.
impl Gather for Nimber {
    type Sum = u64;

    const NONE: u64 = 0;

    #[inline(always)]
    fn with(sum: u64, code: u8, legal: u8) -> u64 {
        sum | u64::from(legal & 1) << (code & 63)
    }

    #[inline(always)]
    fn code(sum: u64, _: &[u8; 256]) -> u8 {
        sum.trailing_ones() as u8
    }
}

/// A set of numbers, as for nimbers; none at all is a position without a move.
impl Gather for MisereNimber {
    type Sum = u64;

    const NONE: u64 = 0;

    #[inline(always)]
    fn with(sum: u64, code: u8, legal: u8) -> u64 {
        <Nimber as Gather>::with(sum, code, legal)
    }

    #[inline(always)]
    fn code(sum: u64, _: &[u8; 256]) -> u8 {
        if sum == 0 { 1 } else { sum.trailing_ones() as u8 }
    }
}

/// Solves each of `labels` but the outcome. Returns their planes and the time of the sweeps.
pub(super) fn solve(
    plan: &Plan,
    frame: &Frame,
    labels: LabelSet,
    progress: Option<Watch<'_>>,
) -> Result<(ByLabel<Buffer>, Duration), SolveError> {
    let bytes = ColouredShape::of_words(frame.all_words(), plan.draws).byte_bytes().unwrap_or(u64::MAX);
    let (mut columns, mut time) = (ByLabel::NONE, Duration::ZERO);
    for kind in labels.others() {
        let (mut memory, mut bases) = (Memory::new(bytes, progress)?, Bases::new(1));
        time += timed(progress, Phase::of_label(kind), frame.count(), |meter| {
            Ok(sweep(&Sweep::whole(plan, frame, 1, memory.bytes_mut(), &mut bases), kind, meter))
        })?;
        columns.set(kind, Some(Buffer::Pages(memory)));
    }
    Ok((columns, time))
}

/// Labels every colouring of every set of `sweep` with `kind`, on all cores of the current rayon pool.
pub(super) fn sweep(sweep: &Sweep<'_, u8>, kind: LabelKind, meter: &Meter<'_>) -> ControlFlow<()> {
    with_byte_label!(kind, L => sweep_with::<L>(sweep, meter))
}

fn sweep_with<G: Gather>(sweep: &Sweep<'_, u8>, meter: &Meter<'_>) -> ControlFlow<()> {
    let (frame, order) = (sweep.frame, &sweep.order);
    let share = |first, sets, part: SetPart| {
        // SAFETY: the sets below are of this share. `levels` and `shares` give each share to one thread, after all larger
        // sets, to which moves lead.
        let mut labeller = unsafe { Labeller::<G>::new(sweep, part) };
        let mut done = 0;
        for set in order.sets(first, Direction::Down, sets) {
            for (slot, mode) in frame.modes_at(set.count_ones()).iter().enumerate() {
                labeller.label(set, SlotMode { slot, mode: usize::from(mode.0) });
                done += 1 << frame.coloured(set) >> part.log;
            }
            if done >= REPORT {
                meter.add(std::mem::take(&mut done))?;
            }
        }
        meter.add(done)
    };
    order.levels(Direction::Down, |first| {
        order.shares(frame, first, Direction::Down, |sets, part| share(first, sets, part))
    })
}

/// One thread's view of a part of some sets of the sweep.
struct Labeller<'a, G: Gather> {
    sweep: &'a Sweep<'a, u8>,
    part: SetPart,
    /// The remoteness of a position by the least code of its successors.
    least: [u8; 256],
    sums: Vec<G::Sum>,
    ended: Vec<u8>,
    codes: Vec<u8>,
    legal: Vec<u8>,
}

/// Some colourings of a set.
#[derive(Clone, Copy)]
struct Chunk {
    set: u64,
    first: usize,
    count: usize,
}

impl<'a, G: Gather> Labeller<'a, G> {
    /// # Safety
    /// For each set that [`label`](Self::label) gets, which is of the slice that is swept: no other thread touches the bytes
    /// of this part. Larger sets are labelled, and no thread writes their bytes.
    unsafe fn new(sweep: &'a Sweep<'a, u8>, part: SetPart) -> Self {
        let bytes = || vec![0; CHUNK];
        let least = |least| {
            let mut partial = Remoteness::none();
            let label = Remoteness::decode(least as u8, Width::Eight);
            label.into_iter().for_each(|label| _ = Remoteness::absorb(&mut partial, label));
            Remoteness::finish(partial, sweep.plan.terminal).encode(Width::Eight)
        };
        let (least, sums) = (std::array::from_fn(least), vec![G::NONE; CHUNK]);
        Self { sweep, part, least, sums, ended: bytes(), codes: bytes(), legal: bytes() }
    }

    /// Labels every colouring of a part of `set` in a mode that it can be in.
    fn label(&mut self, set: u64, SlotMode { slot, mode }: SlotMode) {
        let colourings = 1usize << self.sweep.frame.coloured(set) >> self.part.log;
        let first = colourings * self.part.number;
        let to = self.sweep.own_at(&self.sweep.own(), set, slot).wrapping_add(first);
        // SAFETY: `Sweep::of_slice` checked that the planes have all bytes of the slice, and so of this part of the set, which
        // no other thread touches, as the caller of `new` promised.
        let labels = unsafe { std::slice::from_raw_parts_mut(to, colourings) };
        for (number, labels) in labels.chunks_mut(CHUNK).enumerate() {
            let chunk = Chunk { set, first: first + number * CHUNK, count: labels.len() };
            self.sums[..chunk.count].fill(G::NONE);
            self.ended[..chunk.count].fill(OPEN);
            // Where every game is over, no move counts.
            let moves = if self.ends(chunk, mode) { &[] } else { self.sweep.plan.moves[mode].as_slice() };
            for play in moves {
                if play.when.allows(set, u64::MAX) {
                    self.absorb(chunk, play);
                }
            }
            for ((label, &sum), &ended) in labels.iter_mut().zip(&self.sums).zip(&self.ended) {
                *label = if ended == OPEN { G::code(sum, &self.least) } else { ended };
            }
        }
    }

    /// Notes the codes of the colourings with a complete terminal pattern. Returns `true` if all of them have one.
    fn ends(&mut self, chunk: Chunk, mode: usize) -> bool {
        for end in &self.sweep.plan.ends[mode] {
            if end.when.allows(chunk.set, u64::MAX) {
                let literals = Literals::new(&end.when, chunk.set & self.sweep.frame.pairs(), 0, 0);
                let code = ended_code(end.outcome);
                legal(literals, chunk, &mut self.legal);
                for (ended, &here) in self.ended[..chunk.count].iter_mut().zip(&self.legal) {
                    *ended = if here != 0 && *ended == OPEN { code } else { *ended };
                }
                if literals.places == 0 {
                    return true;
                }
            }
        }
        false
    }

    /// Absorbs the codes of the successors by `play`.
    fn absorb(&mut self, chunk: Chunk, play: &Play) {
        let (sweep, after) = (self.sweep, chunk.set | play.takes);
        let colourings = 1usize << sweep.frame.coloured(after);
        let (from, _) = sweep.finished(after, sweep.slot_after(after, usize::from(play.next.0)));
        // SAFETY: `Sweep::of_slice` checked that the planes have all bytes of the slice of this set, which is larger and so
        // finished, as the caller of `new` promised.
        let from = unsafe { std::slice::from_raw_parts(from, colourings) };
        let mut pieces = [Piece { place: 0, second: false }; MAX_PIECES];
        let pieces = pieces_of(play, after & self.sweep.frame.pairs(), &mut pieces);
        let literals = Literals::new(&play.when, chunk.set & self.sweep.frame.pairs(), 0, 0);
        compressed(from, pieces, chunk, &mut self.codes);
        legal(literals, chunk, &mut self.legal);
        for ((sum, &code), &legal) in self.sums[..chunk.count].iter_mut().zip(&self.codes).zip(&self.legal) {
            *sum = G::with(*sum, code, legal);
        }
    }
}

/// Writes all ones for each colouring of `chunk` with the colours of `literals`, or else zero.
fn legal(literals: Literals, chunk: Chunk, to: &mut [u8]) {
    // Places above the chunk are equal in all of its colourings.
    let is_met = (chunk.first as u64 ^ literals.colours) & literals.places & !(CHUNK as u64 - 1) == 0;
    let (places, colours) = (literals.places as u32 & (CHUNK as u32 - 1), literals.colours as u32);
    if !is_met {
        to[..chunk.count].fill(0);
        return;
    }
    if places == 0 {
        to[..chunk.count].fill(u8::MAX);
        return;
    }
    for (z, legal) in (chunk.first as u32..).zip(&mut to[..chunk.count]) {
        *legal = if (z ^ colours) & places == 0 { u8::MAX } else { 0 };
    }
}

/// Writes the codes of the successors of each colouring of `chunk`, which have `pieces` more.
fn compressed(from: &[u8], pieces: &[Piece], chunk: Chunk, to: &mut [u8]) {
    let to = &mut to[..chunk.count];
    match *pieces {
        [] => to.copy_from_slice(&from[chunk.first..chunk.first + chunk.count]),
        [Piece { place, second }] if 1 << place >= chunk.count => {
            let start = insert_bit(chunk.first, place, second);
            to.copy_from_slice(&from[start..start + chunk.count]);
        }
        [Piece { place, second }] => {
            let from = &from[2 * chunk.first..2 * (chunk.first + chunk.count)];
            match place {
                0 => runs::<0>(from, second, to),
                1 => runs::<1>(from, second, to),
                2 => runs::<2>(from, second, to),
                3 => runs::<3>(from, second, to),
                4 => runs::<4>(from, second, to),
                5 => runs::<5>(from, second, to),
                _ => {
                    let run = 1 << place;
                    for (to, from) in to.chunks_exact_mut(run).zip(from.chunks_exact(2 * run)) {
                        to.copy_from_slice(&from[usize::from(second) * run..][..run]);
                    }
                }
            }
        }
        _ => {
            for (z, code) in (chunk.first..).zip(to) {
                *code = from[pieces.iter().fold(z, |z, piece| insert_bit(z, piece.place, piece.second))];
            }
        }
    }
}

/// Keeps the second or the first of every two runs of 2^`P` bytes.
fn runs<const P: u32>(from: &[u8], second: bool, to: &mut [u8]) {
    let run = 1usize << P;
    if second {
        for (to, from) in to.chunks_exact_mut(run).zip(from.chunks_exact(2 * run)) {
            to.copy_from_slice(&from[run..]);
        }
    } else {
        for (to, from) in to.chunks_exact_mut(run).zip(from.chunks_exact(2 * run)) {
            to.copy_from_slice(&from[..run]);
        }
    }
}
