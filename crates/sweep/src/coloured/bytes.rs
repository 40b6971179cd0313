//! Labels of one byte of every colouring: remoteness and nimbers.
//!
//! The sweep is the sweep of outcomes, with a byte for each colouring in place of a bit. A piece moves whole runs of
//! bytes, so plain loops are enough: the compiler turns them into vector instructions.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::fetch::Piece;
use super::kernel::{MAX_PIECES, pieces_of};
use super::literals::Literals;
use super::plan::{Plan, Play};
use super::set_order::{Direction, PART, Part, SetOrder};
use crate::colourings::{ColouredShape, Frame, WORD_LOG};
use crate::label::{Label, LabelKind, MisereNimber, Nimber, Remoteness, Width, ended_code};
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::simd::insert_bit;
use crate::{SolveError, Watch};
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

/// Solves the label `kind`. Returns its planes and the time of the sweep.
pub(super) fn solve(
    plan: &Plan,
    frame: &Frame,
    kind: LabelKind,
    progress: Option<Watch<'_>>,
) -> Result<(Memory, Duration), SolveError> {
    let bytes = ColouredShape::of_words(frame.all_words(), plan.draws).byte_bytes().unwrap_or(u64::MAX);
    let mut memory = Memory::new(bytes, progress)?;
    let mut meter = Meter::new(progress, Phase::of_label(kind), frame.count());
    let begun = Instant::now();
    let bases = [Base::new(memory.bytes_mut().as_mut_ptr(), 0, frame.words() as usize)];
    // SAFETY: the memory was made for all planes, and this function owns it.
    let flow = unsafe { sweep(plan, frame, kind, SetOrder::whole(frame), &bases, &meter) };
    let time = begun.elapsed();
    if flow.is_break() || meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    Ok((memory, time))
}

/// The address of a slice's planes of bytes, by slot. It is moved back to where the first set of the game would be.
#[derive(Clone, Copy)]
pub(super) struct Base {
    labels: *mut u8,
    /// Words of 64 labels of a plane.
    words: usize,
}

impl Base {
    /// A slice that is not in memory.
    pub(super) const NONE: Self = Self { labels: std::ptr::null_mut(), words: 0 };

    /// A slice whose planes have `words` words of 64 labels each, and begin with word `first` of the game.
    pub(super) fn new(labels: *mut u8, first: usize, words: usize) -> Self {
        Self { labels: labels.wrapping_sub(first << WORD_LOG), words }
    }
}

/// The planes of each slice, shared by all threads.
#[derive(Clone, Copy)]
struct Planes<'a>(&'a [Base]);

// SAFETY: one thread writes the bytes of a part of a set, and others read them only after it has finished them.
unsafe impl Sync for Planes<'_> {}

/// Labels every colouring of every set of `order` with `kind`, on all cores of the current rayon pool.
///
/// # Safety
/// `bases` has the planes of each slice. The planes of the swept slice are valid for reads and writes, and used by this
/// sweep alone. The planes of the slices that moves lead to are valid for reads, and no thread writes them.
pub(super) unsafe fn sweep(
    plan: &Plan,
    frame: &Frame,
    kind: LabelKind,
    order: SetOrder,
    bases: &[Base],
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    assert_eq!(bases.len(), order.cut.slices(), "a base for each slice");
    // SAFETY: the caller's promise is passed on.
    with_byte_label!(kind, L => unsafe { sweep_with::<L>(plan, frame, &order, Planes(bases), meter) })
}

/// # Safety
/// As [`sweep`].
unsafe fn sweep_with<G: Gather>(
    plan: &Plan,
    frame: &Frame,
    order: &SetOrder,
    planes: Planes<'_>,
    meter: &Meter<'_>,
) -> ControlFlow<()> {
    // The closure must capture the whole struct: its field alone is not `Sync`.
    let planes = &planes;
    let share = |first, sets, part: Part| {
        let mut labeller = Labeller::<G>::new(plan, frame, order, planes);
        let mut done = 0;
        for set in order.sets(first, Direction::Down, sets) {
            for &mode in frame.modes_at(set.count_ones()) {
                // SAFETY: the caller's promise; `order` has each part of a set once, after all larger sets that moves lead to.
                unsafe { labeller.label(set, usize::from(mode.0), part) };
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

/// One thread's view of the sweep.
struct Labeller<'a, G: Gather> {
    plan: &'a Plan,
    frame: &'a Frame,
    order: &'a SetOrder,
    planes: &'a Planes<'a>,
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
    fn new(plan: &'a Plan, frame: &'a Frame, order: &'a SetOrder, planes: &'a Planes<'a>) -> Self {
        let bytes = || vec![0; CHUNK];
        let least = |least| Remoteness::finish(least as u8, plan.terminal).encode(Width::Eight);
        let (least, sums) = (std::array::from_fn(least), vec![G::NONE; CHUNK]);
        Self { plan, frame, order, planes, least, sums, ended: bytes(), codes: bytes(), legal: bytes() }
    }

    /// The first byte of `set` in `mode`.
    fn at(&self, set: u64, mode: usize) -> *mut u8 {
        let modes = self.frame.modes_at(set.count_ones());
        let slot = modes.iter().position(|found| usize::from(found.0) == mode).unwrap_or(0);
        let base = self.planes.0[self.order.cut.number(self.order.cut.slice(set))];
        let word = slot * base.words + self.frame.offsets().start(set) as usize;
        base.labels.wrapping_add(word << WORD_LOG)
    }

    /// Labels every colouring of a part of `set` in `mode`.
    ///
    /// # Safety
    /// No other thread touches the bytes of this part. Larger sets are labelled, and no thread writes their bytes.
    unsafe fn label(&mut self, set: u64, mode: usize, part: Part) {
        let colourings = 1usize << self.frame.coloured(set) >> part.log;
        let to = self.at(set, mode);
        let first = colourings * part.number;
        let mut chunk = Chunk { set, first, count: colourings.min(CHUNK) };
        while chunk.first < first + colourings {
            self.sums[..chunk.count].fill(G::NONE);
            self.ended[..chunk.count].fill(OPEN);
            // Where every game is over, no move counts.
            let moves = if self.ends(chunk, mode) { &[] } else { self.plan.moves[mode].as_slice() };
            for play in moves {
                if play.when.allows(set, u64::MAX) {
                    // SAFETY: the successors' sets are larger.
                    unsafe { self.absorb(chunk, play) };
                }
            }
            // SAFETY: bytes of this part, which no other thread touches.
            let labels = unsafe { std::slice::from_raw_parts_mut(to.add(chunk.first), chunk.count) };
            for ((label, &sum), &ended) in labels.iter_mut().zip(&self.sums).zip(&self.ended) {
                *label = if ended == OPEN { G::code(sum, &self.least) } else { ended };
            }
            chunk.first += chunk.count;
        }
    }

    /// Notes the codes of the colourings with a complete terminal pattern. Returns `true` if all of them have one.
    fn ends(&mut self, chunk: Chunk, mode: usize) -> bool {
        for end in &self.plan.ends[mode] {
            if end.when.allows(chunk.set, u64::MAX) {
                let literals = Literals::new(&end.when, chunk.set & self.frame.pairs(), 0, 0);
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
    ///
    /// # Safety
    /// As [`label`](Self::label).
    unsafe fn absorb(&mut self, chunk: Chunk, play: &Play) {
        let after = chunk.set | play.takes;
        let colourings = 1usize << self.frame.coloured(after);
        let from = self.at(after, usize::from(play.next.0));
        // SAFETY: the bytes of a larger set, which is finished.
        let from = unsafe { std::slice::from_raw_parts(from, colourings) };
        let mut pieces = [Piece { place: 0, second: false }; MAX_PIECES];
        let pieces = pieces_of(play, after & self.frame.pairs(), &mut pieces);
        let literals = Literals::new(&play.when, chunk.set & self.frame.pairs(), 0, 0);
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
