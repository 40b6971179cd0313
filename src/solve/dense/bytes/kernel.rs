//! The sweep of labels of one byte: lines from the fullest down, each from those that its moves lead to.

use std::marker::PhantomData;
use std::ops::Range;

use super::algebra::Lanes;
use super::plan::{LANES, LINE, Line, LineMove, LinePlan};
use crate::solve::dense::block::TILE;
use crate::solve::dense::kernel::Ready;

/// Lines of a tile.
const LINES: u64 = 1 << (TILE - LINE);

/// The planes being swept, shared by all threads, as [`Sweep`](super::super::sweep::Sweep) is.
pub(super) struct ByteSweep<'a, L> {
    modes: &'a [LinePlan],
    /// The code of a player without a move.
    terminal: u8,
    planes: *mut Line,
    /// Lines of a plane.
    plane_lines: usize,
    memory: PhantomData<(&'a mut [Line], L)>,
}

// SAFETY: a line is written by one thread, and read by others only after that thread has finished it: the caller of
// `run` promises it.
unsafe impl<L: Lanes> Sync for ByteSweep<'_, L> {}

/// What one thread keeps of the line in hand, for each mode.
struct Scratch<P> {
    /// What the moves into other lines tell.
    outer: Vec<P>,
    labels: Vec<Line>,
    far_outer: Vec<Vec<u64>>,
    far_inner: Vec<Vec<u64>>,
}

impl<'a, L: Lanes> ByteSweep<'a, L> {
    /// A sweep over the planes in `memory`, one for each of `modes`.
    pub(super) fn new(modes: &'a [LinePlan], terminal: u8, memory: &'a mut [Line]) -> Self {
        let plane_lines = memory.len() / modes.len();
        Self { modes, terminal, planes: memory.as_mut_ptr(), plane_lines, memory: PhantomData }
    }

    /// Labels `tiles`, last first, with the instructions of `kernel`.
    ///
    /// # Safety
    /// The tiles that moves lead to from these are finished or among them; no other thread reads or writes these.
    pub(super) unsafe fn run(&self, kernel: Ready, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on; the tokens prove that the processor has the instructions.
        unsafe {
            match kernel {
                Ready::Portable => self.lines(tiles),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx2(_) => self.lines_avx2(tiles),
                #[cfg(target_arch = "x86_64")]
                Ready::Avx512(_) => self.lines_avx512(tiles),
            }
        }
    }

    /// # Safety
    /// As [`run`](Self::run), and the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn lines_avx2(&self, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.lines(tiles) }
    }

    /// # Safety
    /// As [`run`](Self::run), and the processor has AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn lines_avx512(&self, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.lines(tiles) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn lines(&self, tiles: Range<u64>) {
        let modes = self.modes.len();
        let mut scratch = Scratch {
            outer: vec![L::none(); modes],
            labels: vec![Line([0; LANES]); modes],
            far_outer: vec![Vec::new(); modes],
            far_inner: vec![Vec::new(); modes],
        };
        for line in (tiles.start * LINES..tiles.end * LINES).rev() {
            if (line + 1) % 64 == 0 {
                for (mode, plan) in self.modes.iter().enumerate() {
                    plan.outer.far(line, &mut scratch.far_outer[mode]);
                    plan.inner.far(line, &mut scratch.far_inner[mode]);
                }
            }
            // SAFETY: the caller's promise, and the lines after this one are finished.
            unsafe { self.line(line, &mut scratch) };
        }
    }

    /// # Safety
    /// The lines that moves lead to from this one are finished, and no other thread reads or writes it.
    #[inline(always)]
    unsafe fn line(&self, line: u64, scratch: &mut Scratch<L::Partial>) {
        let mut has_inner = false;
        for (mode, plan) in self.modes.iter().enumerate() {
            let mut partial = L::none();
            for m in plan.outer.allowed(line, &scratch.far_outer[mode]) {
                let to = line | m.fills;
                if to != line {
                    // SAFETY: the caller promises that this line is finished.
                    let successors = unsafe { self.successors(m, to) };
                    L::absorb(&mut partial, &successors, &m.mask);
                }
            }
            scratch.outer[mode] = partial;
            scratch.labels[mode] = self.finish(plan, line, &partial);
            has_inner |= !plan.inner.is_empty();
        }
        // Moves within the line: each pass makes the lanes with one low cell less filled right, until none changes.
        let mut changes = has_inner;
        while changes {
            changes = false;
            for (mode, plan) in self.modes.iter().enumerate() {
                let mut partial = scratch.outer[mode];
                for m in plan.inner.allowed(line, &scratch.far_inner[mode]) {
                    if line | m.fills == line {
                        L::absorb(&mut partial, &moved(m, &scratch.labels[m.next]), &m.mask);
                    }
                }
                let labels = self.finish(plan, line, &partial);
                changes |= labels != scratch.labels[mode];
                scratch.labels[mode] = labels;
            }
        }
        for (mode, labels) in scratch.labels.iter().enumerate() {
            // SAFETY: a line of the planes, which the caller promises is this thread's.
            unsafe { self.planes.add(self.plane_lines * mode + line as usize).write(*labels) };
        }
    }

    #[inline(always)]
    fn finish(&self, plan: &LinePlan, line: u64, partial: &L::Partial) -> Line {
        let mut labels = L::finish(partial, self.terminal);
        for end in plan.ends.iter().filter(|end| line & end.upper == end.upper) {
            for lane in 0..LANES {
                labels.0[lane] = labels.0[lane] & end.mask.0[lane] | end.code & !end.mask.0[lane];
            }
        }
        labels
    }

    /// The successors of each lane by `m`, which leads to line `to`. What it gives for a lane that has no such move is
    /// not specified.
    ///
    /// # Safety
    /// Line `to` is finished.
    #[inline(always)]
    unsafe fn successors(&self, m: &LineMove, to: u64) -> [u8; LANES] {
        let at = self.plane_lines * m.next + to as usize;
        let is_last_of_tile = to % LINES == LINES - 1;
        if m.up == 0 || !m.spread && !is_last_of_tile {
            // SAFETY: the bytes are those of this line and of the next one of the same tile, which was finished before it.
            // What is read of that one belongs to lanes that have no such move.
            return unsafe {
                self.planes.add(at).cast::<u8>().add(usize::from(m.up)).cast::<[u8; LANES]>().read_unaligned()
            };
        }
        // SAFETY: the caller promises that this line is finished.
        moved(m, unsafe { &*self.planes.add(at) })
    }
}

/// The successors of each lane by `m`, from the line they lie in.
#[inline(always)]
fn moved(m: &LineMove, line: &Line) -> [u8; LANES] {
    if m.spread {
        return std::array::from_fn(|lane| line.0[lane | usize::from(m.up)]);
    }
    // Single cells, which most moves within a line fill: shuffles that the compiler knows. Storing the line and loading
    // it from elsewhere, as below, waits until the store has left the core.
    match m.up {
        1 => shuffled::<1>(line),
        2 => shuffled::<2>(line),
        4 => shuffled::<4>(line),
        8 => shuffled::<8>(line),
        16 => shuffled::<16>(line),
        32 => shuffled::<32>(line),
        up => {
            let mut wide = [0; 2 * LANES];
            wide[..LANES].copy_from_slice(&line.0);
            let mut moved = [0; LANES];
            moved.copy_from_slice(&wide[usize::from(up)..usize::from(up) + LANES]);
            moved
        }
    }
}

#[inline(always)]
fn shuffled<const UP: usize>(line: &Line) -> [u8; LANES] {
    let mut moved = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        moved[lane] = line.0[(lane + UP) % LANES];
        lane += 1;
    }
    moved
}
