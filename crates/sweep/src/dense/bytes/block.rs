//! One block: 512 positions in eight lines, labelled from the blocks that its moves lead to.
//!
//! First all eight lines absorb their successors in other blocks, move by move, so that a move is prepared once in
//! registers. Then the lines are finished from the fullest down. Lines with equally many cells of their number filled
//! do not depend on each other, and are finished side by side:
//!
//! ```text
//! line  111  |  110 101 011  |  100 010 001  |  000
//! ```

use std::marker::PhantomData;

use super::algebra::Algebra;
use super::plan::{BlockMove, BlockPlan, LINES, Moves, NEAR};
use super::sweep::Sweep;
use crate::simd::{Bytes, LINE, LaneMove, Line, each_cell};

/// The least distance, in blocks, of a move whose next successors are prefetched: they are no longer in the first cache.
const DISTANT: u64 = 1 << 11;

/// The kernel for one vector unit and one label.
pub(super) struct BlockKernel<'s, V: Bytes, A> {
    sweep: &'s Sweep<'s>,
    token: V::Token,
    algebra: PhantomData<A>,
}

/// The moves of one mode that the far bits of a block's number allow, list by list.
pub(super) struct Far(Vec<Vec<u64>>);

/// The successors in other blocks that the lines of a block have absorbed, for each mode.
pub(super) type Scratch<V, A> = [[<A as Algebra>::Partial<V>; LINES]];

impl Far {
    /// The moves that the far bits of `block` allow.
    pub(super) fn new(plan: &BlockPlan, block: u64) -> Self {
        let far = |moves: &Moves| {
            let mut far = Vec::new();
            moves.far(block, &mut far);
            far
        };
        Self(plan.lists().map(far).collect())
    }

    /// Updates the moves for `block`, if its far bits are new: at the last of 64 blocks.
    pub(super) fn renew(&mut self, plan: &BlockPlan, block: u64) {
        if (block + 1).is_multiple_of(1 << NEAR) {
            plan.lists().zip(&mut self.0).for_each(|(moves, far)| moves.far(block, far));
        }
    }

    fn plain(&self, line: usize) -> &[u64] {
        &self.0[line]
    }

    fn moved(&self, line: usize) -> &[u64] {
        &self.0[LINES + line]
    }

    fn far(&self) -> &[u64] {
        &self.0[2 * LINES]
    }

    /// The moves of all lists that leave the block.
    fn leaving(&self) -> impl Iterator<Item = &[u64]> {
        self.0[..=2 * LINES].iter().map(Vec::as_slice)
    }

    fn near(&self) -> &[u64] {
        &self.0[2 * LINES + 1]
    }

    fn within(&self) -> &[u64] {
        &self.0[2 * LINES + 2]
    }
}

/// Runs `$run` for each line, with `$line` as a constant.
macro_rules! each_line {
    ($line:ident => $run:expr) => {
        each_line!($line => $run; 7 6 5 4 3 2 1 0)
    };
    ($line:ident => $run:expr; $($number:literal)*) => {
        $({
            const $line: usize = $number;
            $run
        })*
    };
}

/// `true` if the number of line `line` has none of `cells` filled.
#[inline(always)]
const fn without(line: usize, cells: usize) -> bool {
    line & cells == 0
}

impl<'s, V: Bytes, A: Algebra> BlockKernel<'s, V, A> {
    pub(super) fn new(sweep: &'s Sweep<'s>, token: V::Token) -> Self {
        Self { sweep, token, algebra: PhantomData }
    }

    /// Labels `block` in every mode. Returns the size of the algebra that its codes need. If `A` is smaller, the codes
    /// are wrong.
    ///
    /// # Safety
    /// The blocks that moves lead to from this one are finished, and no other thread reads or writes it.
    #[inline(always)]
    pub(super) unsafe fn block(&self, block: u64, far: &[Far], scratch: &mut Scratch<V, A>) -> usize {
        for ((plan, far), outer) in self.sweep.modes.iter().zip(far).zip(scratch.iter_mut()) {
            // SAFETY: the caller promises that the blocks that moves lead to are finished.
            *outer = unsafe { self.outer(plan, block, far) };
        }
        let mut size = 0;
        // A loop, so that `lines` is inlined in two places and not in four.
        for level in [&[7][..], &[6, 5, 3], &[4, 2, 1], &[0]] {
            // SAFETY: the caller's promise; lines that moves lead to within the block are finished before.
            let needed = unsafe {
                match *level {
                    [a, b, c] => self.lines(block, [a, b, c], far, scratch),
                    _ => self.lines(block, [level[0]], far, scratch),
                }
            };
            size = size.max(needed);
        }
        size
    }

    /// The lines of `block` after absorbing the moves out of it.
    ///
    /// # Safety
    /// The blocks that these moves lead to are finished.
    #[inline(always)]
    unsafe fn outer(&self, plan: &BlockPlan, block: u64, far: &Far) -> [A::Partial<V>; LINES] {
        let mut lines = [A::none::<V>(self.token); LINES];
        if A::UNROLLED && A::VECTORS <= V::HELD {
            each_line!(CELLS => {
                // SAFETY: the caller's promise.
                unsafe { self.all::<CELLS, false>(&plan.plain[CELLS], block, far.plain(CELLS), &mut lines) }
            });
            each_line!(CELLS => {
                // SAFETY: the caller's promise.
                unsafe { self.all::<CELLS, true>(&plan.moved[CELLS], block, far.moved(CELLS), &mut lines) }
            });
            let far = || std::iter::once((&plan.far, far.far()));
            // SAFETY: the caller's promise.
            unsafe {
                self.half::<0>(far(), block, &mut lines);
                self.half::<1>(far(), block, &mut lines);
            }
        } else {
            let all = || plan.leaving().zip(far.leaving());
            // SAFETY: the caller's promise.
            unsafe {
                self.half::<0>(all(), block, &mut lines);
                self.half::<1>(all(), block, &mut lines);
            }
        }
        lines
    }

    /// Absorbs moves in the lines of one half in which they are legal. Four lines stay in registers, even if each takes
    /// several.
    ///
    /// # Safety
    /// The blocks that they lead to are finished.
    #[inline(always)]
    unsafe fn half<'m, const HALF: usize>(
        &self,
        lists: impl Iterator<Item = (&'m Moves, &'m [u64])>,
        block: u64,
        lines: &mut [A::Partial<V>; LINES],
    ) {
        let mut half = *lines;
        for (moves, far) in lists {
            for m in moves.allowed(block, far) {
                let (from, step) = (self.block_at(m, block), self.step(&m.lanes));
                each_line!(NUMBER => if NUMBER / (LINES / 2) == HALF && m.lines >> NUMBER & 1 == 1 {
                    // SAFETY: a line of a finished block.
                    let line = unsafe { &*from.add(NUMBER | m.line) };
                    A::absorb(self.token, &mut half[NUMBER], V::load_moved(self.token, line, step));
                });
            }
        }
        *lines = half;
    }

    /// Absorbs moves that fill `CELLS` of a line's number and are legal in every line without these cells. If `MOVED`
    /// is set, they also concern cells within a line.
    ///
    /// # Safety
    /// The blocks that they lead to are finished.
    #[inline(always)]
    unsafe fn all<const CELLS: usize, const MOVED: bool>(
        &self,
        moves: &Moves,
        block: u64,
        far: &[u64],
        lines: &mut [A::Partial<V>; LINES],
    ) {
        for m in moves.allowed(block, far) {
            let (from, step) = (self.block_at(m, block), self.step(&m.lanes));
            if m.is_elsewhere || m.block >= DISTANT {
                each_line!(NUMBER => if without(NUMBER, CELLS) {
                    V::prefetch(from.wrapping_add(NUMBER | CELLS).wrapping_sub(LINES));
                });
            }
            each_line!(NUMBER => if without(NUMBER, CELLS) {
                // SAFETY: a line of a finished block.
                let line = unsafe { &*from.add(NUMBER | CELLS) };
                let successors = if MOVED { V::load_moved(self.token, line, step) } else { V::load(self.token, line) };
                A::absorb(self.token, &mut lines[NUMBER], successors);
            });
        }
    }

    /// Finishes `lines` of `block`, which do not depend on each other, in every mode, and writes them.
    ///
    /// # Safety
    /// As [`block`](Self::block), and the lines that moves lead to are finished.
    #[inline(always)]
    unsafe fn lines<const N: usize>(
        &self,
        block: u64,
        lines: [usize; N],
        far: &[Far],
        scratch: &mut Scratch<V, A>,
    ) -> usize {
        let mut size = 0;
        let mut settled = true;
        for (mode, (plan, far)) in self.sweep.modes.iter().zip(far).enumerate() {
            let mut partial = [A::none::<V>(self.token); N];
            for n in 0..N {
                partial[n] = scratch[mode][lines[n]];
            }
            for m in plan.near.allowed(block, far.near()) {
                let (from, step) = (self.block_at(m, block), self.step(&m.lanes));
                for n in 0..N {
                    if m.lines >> lines[n] & 1 == 1 {
                        // SAFETY: a finished line of this block.
                        let line = unsafe { &*from.add(lines[n] | m.line) };
                        A::absorb(self.token, &mut partial[n], V::load_moved(self.token, line, step));
                    }
                }
            }
            let has_ends = plan.ends.iter().any(|end| block & end.block == end.block);
            let mut codes = [V::splat(self.token, 0); N];
            if plan.six_singles && !has_ends {
                self.singles(&mut partial, &mut codes);
            } else {
                settled &= plan.within.is_empty();
                for n in 0..N {
                    codes[n] = self.finish(plan, block, lines[n], &partial[n]);
                }
            }
            for n in 0..N {
                size = size.max(A::size(&partial[n], codes[n]));
                scratch[mode][lines[n]] = partial[n];
                // SAFETY: a line of this block.
                codes[n].store(unsafe { &mut *self.line_at(mode, block, lines[n]) });
            }
        }
        if !settled {
            for line in lines {
                // SAFETY: the caller's promise.
                size = size.max(unsafe { self.rounds(block, line, far, scratch) });
            }
        }
        size
    }

    /// The codes of lines whose moves within a line are exactly the moves that fill one cell. Rounds run until nothing
    /// changes. Each round gets the lanes with one cell fewer filled right, so there are at most as many rounds as
    /// cells.
    #[inline(always)]
    fn singles<const N: usize>(&self, lines: &mut [A::Partial<V>; N], codes: &mut [V; N]) {
        let illegal = V::splat(self.token, A::ILLEGAL);
        let terminal = self.sweep.terminal;
        let outer = *lines;
        for n in 0..N {
            codes[n] = A::finish(self.token, &outer[n], terminal);
        }
        for _ in 0..LINE {
            let before = *codes;
            let mut same = true;
            for n in 0..N {
                lines[n] = outer[n];
                each_cell!(CELL => A::absorb(self.token, &mut lines[n], before[n].filled::<CELL>(illegal)));
                codes[n] = A::finish(self.token, &lines[n], terminal);
                same &= codes[n].same(before[n]);
            }
            if same {
                break;
            }
        }
    }

    /// Makes the moves within one line of every mode, in rounds until nothing changes. Each round gets the lanes with
    /// one cell fewer filled right.
    ///
    /// # Safety
    /// As [`block`](Self::block).
    #[inline(always)]
    unsafe fn rounds(&self, block: u64, line: usize, far: &[Far], outer: &Scratch<V, A>) -> usize {
        let (mut size, mut changes) = (0, true);
        while changes {
            changes = false;
            for (mode, (plan, far)) in self.sweep.modes.iter().zip(far).enumerate() {
                let mut partial = outer[mode][line];
                for m in plan.within.allowed(block, far.within()) {
                    if m.lines >> line & 1 == 1 {
                        let from = self.line_at(m.next, block, line);
                        // SAFETY: a line of this block, which is this thread's.
                        let line = unsafe { &*from };
                        A::absorb(self.token, &mut partial, V::load_moved(self.token, line, self.step(&m.lanes)));
                    }
                }
                let at = self.line_at(mode, block, line);
                let codes = self.finish(plan, block, line, &partial);
                size = size.max(A::size(&partial, codes));
                // SAFETY: a line of this block, which is this thread's.
                let line = unsafe { &mut *at };
                changes |= !codes.same(V::load(self.token, line));
                codes.store(line);
            }
        }
        size
    }

    /// The codes of a line whose successors are absorbed. Terminal patterns take precedence.
    #[inline(always)]
    fn finish(&self, plan: &BlockPlan, block: u64, line: usize, partial: &A::Partial<V>) -> V {
        let mut codes = A::finish(self.token, partial, self.sweep.terminal);
        for end in &plan.ends {
            if block & end.block == end.block && end.lines >> line & 1 == 1 {
                let lanes = V::load(self.token, &end.lanes);
                codes = codes.replaced(lanes, V::splat(self.token, end.code));
            }
        }
        codes
    }

    #[inline(always)]
    fn step<'a>(&self, m: &'a LaneMove) -> V::Step<'a> {
        V::step(self.token, m, A::ILLEGAL)
    }

    /// The block that `m` leads to from `block`.
    #[inline(always)]
    fn block_at(&self, m: &BlockMove, block: u64) -> *const Line {
        self.sweep.planes.finished(m.base, (block | m.block) as usize * LINES)
    }

    /// Line `line` of `block` in the plane of `mode`.
    #[inline(always)]
    fn line_at(&self, mode: usize, block: u64, line: usize) -> *mut Line {
        self.sweep.planes.at(mode, block as usize * LINES + line)
    }
}
