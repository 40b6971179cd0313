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

use super::plan::{BlockMove, BlockPlan, LINES};
use super::sweep::Sweep;
use crate::algebra::{Algebra, VectorOf};
use crate::dense::allowed::{Far, Ops};
use crate::dense::planes::SharedPlanes;
use crate::derived::Signs;
use crate::simd::{LINE, Lane, LaneMove, Line, Unit, Vector, each_cell};
use crate::worth::Worth;

/// The least distance, in blocks, of a move whose next successors are prefetched: they are no longer in the first cache.
const DISTANT: u64 = 1 << 11;

/// The kernel for one vector unit and one label.
pub(super) struct BlockKernel<'s, U, A: Algebra> {
    sweep: &'s Sweep<'s, A::Code>,
    unit: U,
    algebra: PhantomData<A>,
}

/// The successors in other blocks that the lines of a block have absorbed, for each mode.
pub(super) type Scratch<U, A> = [[<A as Algebra>::Partial<U>; LINES]];

/// A move made ready for the vectors of `U`.
type StepOf<'a, U, A> = <VectorOf<U, A> as Vector>::Step<'a>;

/// The numbers of the lists of [`BlockPlan::lists`]: first `plain` and `moved`, by line.
const FAR: usize = 2 * LINES;
const IN_BLOCK: usize = FAR + 1;
const IN_LINE: usize = FAR + 2;

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

impl<'s, U: Unit, A: Algebra> BlockKernel<'s, U, A> {
    /// A view of some blocks of `sweep`.
    ///
    /// # Safety
    /// For each block that [`block`](Self::block) gets:
    /// - Bytes: it is a block of `sweep`.
    /// - Threads: the blocks that moves lead to from this one are finished. No other thread reads or writes it.
    #[inline(always)]
    pub(super) const unsafe fn new(sweep: &'s Sweep<'s, A::Code>, unit: U) -> Self {
        Self { sweep, unit, algebra: PhantomData }
    }

    /// `code` in every lane.
    #[inline(always)]
    fn splat(&self, code: A::Code) -> VectorOf<U, A> {
        VectorOf::<U, A>::splat(A::Code::token(self.unit), code)
    }

    #[inline(always)]
    fn load(&self, line: &Line<A::Code>) -> VectorOf<U, A> {
        VectorOf::<U, A>::load(A::Code::token(self.unit), line)
    }

    #[inline(always)]
    fn load_moved(&self, line: &Line<A::Code>, step: StepOf<'_, U, A>) -> VectorOf<U, A> {
        VectorOf::<U, A>::load_moved(A::Code::token(self.unit), line, step)
    }

    /// Labels `block` in every mode. Returns the size of the algebra that its codes need. If `A` is smaller, the codes
    /// are wrong.
    #[inline(always)]
    pub(super) fn block(&self, block: u64, far: &[Far], scratch: &mut Scratch<U, A>) -> usize {
        for ((plan, far), outer) in self.sweep.modes.iter().zip(far).zip(scratch.iter_mut()) {
            *outer = self.outer(plan, block, far);
        }
        let mut size = 0;
        // A loop, so that `lines` is inlined in two places and not in four.
        for level in [&[7][..], &[6, 5, 3], &[4, 2, 1], &[0]] {
            let needed = match *level {
                [a, b, c] => self.lines(block, [a, b, c], far, scratch),
                _ => self.lines(block, [level[0]], far, scratch),
            };
            size = size.max(needed);
        }
        size
    }

    /// The lines of `block` after absorbing the moves out of it.
    #[inline(always)]
    fn outer(&self, plan: &BlockPlan<A::Code>, block: u64, far: &Far) -> [A::Partial<U>; LINES] {
        let mut lines = [A::none(self.unit); LINES];
        if A::UNROLLED && A::VECTORS <= VectorOf::<U, A>::HELD {
            each_line!(CELLS => {
                self.all::<CELLS, false>(&plan.plain[CELLS], block, far.of(CELLS), &mut lines);
            });
            each_line!(CELLS => {
                self.all::<CELLS, true>(&plan.moved[CELLS], block, far.of(LINES + CELLS), &mut lines);
            });
            let others = || std::iter::once((FAR, &plan.far));
            self.half::<0>(others(), block, far, &mut lines);
            self.half::<1>(others(), block, far, &mut lines);
        } else {
            let all = || plan.leaving().enumerate();
            self.half::<0>(all(), block, far, &mut lines);
            self.half::<1>(all(), block, far, &mut lines);
        }
        lines
    }

    /// Absorbs moves in the lines of one half in which they are legal. Four lines stay in registers, even if each takes
    /// several.
    #[inline(always)]
    fn half<'m, const HALF: usize>(
        &self,
        lists: impl Iterator<Item = (usize, &'m Ops<BlockMove<A::Code>>)>,
        block: u64,
        far: &Far,
        lines: &mut [A::Partial<U>; LINES],
    ) {
        let mut half = *lines;
        for (list, moves) in lists {
            for m in moves.allowed(block, far.of(list)) {
                let (from, step, worth) = (self.block_at(m, block), self.step(&m.lanes), self.worth(m));
                each_line!(NUMBER => if NUMBER / (LINES / 2) == HALF && m.lines >> NUMBER & 1 == 1 {
                    let line = self.finished(from.wrapping_add(NUMBER | m.line));
                    A::absorb(self.unit, &mut half[NUMBER], self.load_moved(line, step), worth);
                });
            }
        }
        *lines = half;
    }

    /// Absorbs moves that fill `CELLS` of a line's number and are legal in every line without these cells. If `MOVED`
    /// is set, they also concern cells within a line.
    #[inline(always)]
    fn all<const CELLS: usize, const MOVED: bool>(
        &self,
        moves: &Ops<BlockMove<A::Code>>,
        block: u64,
        far: &[u64],
        lines: &mut [A::Partial<U>; LINES],
    ) {
        for m in moves.allowed(block, far) {
            let (from, step, worth) = (self.block_at(m, block), self.step(&m.lanes), self.worth(m));
            if m.is_elsewhere || m.block >= DISTANT {
                each_line!(NUMBER => if without(NUMBER, CELLS) {
                    VectorOf::<U, A>::prefetch(from.wrapping_add(NUMBER | CELLS).wrapping_sub(LINES));
                });
            }
            each_line!(NUMBER => if without(NUMBER, CELLS) {
                let line = self.finished(from.wrapping_add(NUMBER | CELLS));
                let successors = if MOVED { self.load_moved(line, step) } else { self.load(line) };
                A::absorb(self.unit, &mut lines[NUMBER], successors, worth);
            });
        }
    }

    /// Finishes `lines` of `block`, which do not depend on each other, in every mode, and writes them.
    #[inline(always)]
    fn lines<const N: usize>(&self, block: u64, lines: [usize; N], far: &[Far], scratch: &mut Scratch<U, A>) -> usize {
        let mut size = 0;
        let mut settled = true;
        for (mode, (plan, far)) in self.sweep.modes.iter().zip(far).enumerate() {
            let mut partial = [A::none(self.unit); N];
            for n in 0..N {
                partial[n] = scratch[mode][lines[n]];
            }
            for m in plan.near.allowed(block, far.of(IN_BLOCK)) {
                let (from, step, worth) = (self.block_at(m, block), self.step(&m.lanes), self.worth(m));
                for n in 0..N {
                    if m.lines >> lines[n] & 1 == 1 {
                        let line = self.finished(from.wrapping_add(lines[n] | m.line));
                        A::absorb(self.unit, &mut partial[n], self.load_moved(line, step), worth);
                    }
                }
            }
            let has_ends = plan.ends.iter().any(|end| block & end.block == end.block);
            let mut codes = [self.splat(A::Code::ZERO); N];
            if let (Some(worth), false) = (plan.six_singles, has_ends) {
                self.singles(&mut partial, &mut codes, worth);
            } else {
                settled &= plan.within.is_empty();
                for n in 0..N {
                    codes[n] = self.finish(plan, block, lines[n], &partial[n]);
                }
            }
            for n in 0..N {
                size = size.max(A::size(&partial[n], codes[n]));
                scratch[mode][lines[n]] = partial[n];
                codes[n].store(self.own(mode, block, lines[n]));
            }
        }
        if !settled {
            for line in lines {
                size = size.max(self.rounds(block, line, far, scratch));
            }
        }
        size
    }

    /// The codes of lines whose moves within a line are exactly the moves that fill one cell, each of this `worth`. Rounds run until nothing
    /// changes. Each round gets the lanes with one cell fewer filled right, so there are at most as many rounds as
    /// cells.
    #[inline(always)]
    fn singles<const N: usize>(&self, lines: &mut [A::Partial<U>; N], codes: &mut [VectorOf<U, A>; N], worth: Worth) {
        let illegal = self.splat(A::ILLEGAL);
        let (stuck, worth) = (self.sweep.stuck, A::worth(self.unit, worth));
        let outer = *lines;
        for n in 0..N {
            codes[n] = A::finish(self.unit, &outer[n], stuck);
        }
        for _ in 0..LINE {
            let before = *codes;
            let mut same = true;
            for n in 0..N {
                lines[n] = outer[n];
                each_cell!(CELL => A::absorb(self.unit, &mut lines[n], before[n].filled::<CELL>(illegal), worth));
                codes[n] = A::finish(self.unit, &lines[n], stuck);
                same &= codes[n].same(before[n]);
            }
            if same {
                break;
            }
        }
    }

    /// Makes the moves within one line of every mode, in rounds until nothing changes. Each round gets the lanes with
    /// one cell fewer filled right.
    #[inline(always)]
    fn rounds(&self, block: u64, line: usize, far: &[Far], outer: &Scratch<U, A>) -> usize {
        let (mut size, mut changes) = (0, true);
        while changes {
            changes = false;
            for (mode, (plan, far)) in self.sweep.modes.iter().zip(far).enumerate() {
                let mut partial = outer[mode][line];
                for m in plan.within.allowed(block, far.of(IN_LINE)) {
                    if m.lines >> line & 1 == 1 {
                        let line = self.own(m.next, block, line);
                        let moved = self.load_moved(line, self.step(&m.lanes));
                        A::absorb(self.unit, &mut partial, moved, self.worth(m));
                    }
                }
                let codes = self.finish(plan, block, line, &partial);
                size = size.max(A::size(&partial, codes));
                let line = self.own(mode, block, line);
                changes |= !codes.same(self.load(line));
                codes.store(line);
            }
        }
        size
    }

    /// The codes of a line whose successors are absorbed. Terminal patterns take precedence.
    #[inline(always)]
    fn finish(&self, plan: &BlockPlan<A::Code>, block: u64, line: usize, partial: &A::Partial<U>) -> VectorOf<U, A> {
        let mut codes = A::finish(self.unit, partial, self.sweep.stuck);
        for end in &plan.ends {
            if block & end.block == end.block && end.lines >> line & 1 == 1 {
                let lanes = self.load(&end.lanes);
                codes = codes.replaced(lanes, self.splat(end.code));
            }
        }
        codes
    }

    /// Writes the outcomes of `block`, which is labelled, in every mode.
    #[inline(always)]
    pub(super) fn outcomes(&self, block: u64, outcomes: &SharedPlanes<'_, u64>, signs: Signs) {
        let a_mode = 1 + usize::from(self.sweep.draws);
        for mode in 0..self.sweep.modes.len() {
            for line in 0..LINES {
                let (wins, losses) = signs.words(self.load(self.own(mode, block, line)));
                let number = block as usize * LINES + line;
                // SAFETY: Bytes: `sweep_lanes` checked that the planes have a word for each line of each block, and planes of losses with draws.
                // Alignment: whole words.
                // Threads: these words belong to the block, which the caller of `new` promised no other thread touches.
                unsafe {
                    *outcomes.at(mode * a_mode, number) = wins;
                    if self.sweep.draws {
                        *outcomes.at(mode * a_mode + 1, number) = losses;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn step<'a>(&self, m: &'a LaneMove<A::Code>) -> StepOf<'a, U, A> {
        VectorOf::<U, A>::step(A::Code::token(self.unit), m, A::ILLEGAL)
    }

    #[inline(always)]
    fn worth(&self, m: &BlockMove<A::Code>) -> A::Worth<U> {
        A::worth(self.unit, m.worth)
    }

    /// The block that `m` leads to from `block`.
    #[inline(always)]
    fn block_at(&self, m: &BlockMove<A::Code>, block: u64) -> *const Line<A::Code> {
        self.sweep.planes.finished(m.base, (block | m.block) as usize * LINES)
    }

    /// The line at `from`: [`block_at`](Self::block_at) a move and a block, plus the number of a line.
    #[inline(always)]
    const fn finished(&self, from: *const Line<A::Code>) -> &Line<A::Code> {
        // SAFETY: Bytes: the block is one of the sweep, because the move fills cells of the board. The planes have all lines of all blocks, as
        // `sweep_lanes` checked.
        // Alignment: a whole number of lines from the first.
        // Threads: the line is of a block that a move leads to, which the caller of `new` promised is finished; or of this view's own block,
        // with more cells of its number filled, and so of a level that is finished.
        unsafe { &*from }
    }

    /// Line `line` of `block`, this view's own block, in the plane of `mode`. Lines are used one at a time.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "the line is the kernel's, as the caller of `new` promised")]
    fn own(&self, mode: usize, block: u64, line: usize) -> &mut Line<A::Code> {
        let at = self.sweep.planes.at(mode, block as usize * LINES + line);
        // SAFETY: Bytes: the planes have all lines of all blocks, as `sweep_lanes` checked. The caller of `new` promised that `block` is one of
        // them, and `line` is below 8.
        // Alignment: a whole number of lines from the first.
        // Threads: the caller of `new` promised that no other thread reads or writes the block.
        unsafe { &mut *at }
    }
}
