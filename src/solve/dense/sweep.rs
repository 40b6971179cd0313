//! The kernel: retrograde induction 512 positions at a time.
//!
//! ```text
//! for each tile, from the full board down:                                    4096 positions of every mode
//!     for each mode:
//!         wins[8] = none
//!         for each move into another tile that the tile's upper cells allow:  two table look-ups, one AND
//!             for each of the tile's 8 blocks that its mid cells allow:
//!                 wins[block] |= legal & !moved(win plane of the successors)  a load, a shift, one operation
//!     for each block of the tile, from the last down:
//!         the same for the moves into later blocks of this tile, which are finished
//!         repeat until nothing changes:
//!             the same for the moves within the block
//!         store the block
//! ```
//!
//! The last loop ends: moves within a block only fill cells, so a position with k low cells empty is right after k + 1
//! rounds, and rounds that change nothing have found the one solution there is.
//!
//! Where the rules can draw there are two planes, and next to `wins` the kernel gathers `safe`: positions with a move
//! that does not leave a win to the opponent. What is neither safe nor stuck is lost.
//!
//! The algorithm is written once, over [`Vector`]; the functions at the end compile it for each vector unit.

use super::plan::{BLOCKS, Block, EndOp, LOW, ModePlan, Op, Ops, Plan, Shape, far_differs};
use super::vector::{Portable, Vector};
use crate::rules::Outcome;

/// The planes being swept, shared by all threads.
pub(super) struct Sweep<'a> {
    plan: &'a Plan,
    /// The first block of the first plane. Planes stand one behind the other, `plane_blocks` each.
    blocks: *mut Block,
    plane_blocks: usize,
}

// SAFETY: threads share the planes by the rules of `Sweep::run`: a tile is written by one thread, and read by others
// only after that thread's run is over.
unsafe impl Sync for Sweep<'_> {}

/// For each low cell, the positions of a block that have it filled.
static FILLED: [Block; LOW as usize] = {
    let mut table = [Block([0; 8]); LOW as usize];
    let mut x = 0;
    while x < 1 << LOW {
        let mut cell = 0;
        while cell < LOW as usize {
            if x >> cell & 1 == 1 {
                table[cell].0[x >> 6] |= 1 << (x & 63);
            }
            cell += 1;
        }
        x += 1;
    }
    table
};

/// What is gathered about a block's positions.
#[derive(Clone, Copy)]
struct Found<V> {
    /// Positions with a winning move.
    wins: V,
    /// Positions with a move that does not lose. Gathered only where the rules can draw.
    safe: V,
}

/// A thread's working memory.
struct Scratch<V> {
    /// For each mode, the operations that the far upper cells allow: outer, inner, low.
    far: Vec<[Vec<u64>; 3]>,
    /// What is found of each mode's blocks.
    found: Vec<[Found<V>; BLOCKS]>,
    /// Positions of the current block that have a move, by mode. Complete only where being stuck is no loss.
    movable: Vec<V>,
    /// The labels of the current block, by mode: wins and losses.
    labels: Vec<(V, V)>,
}

impl<'a> Sweep<'a> {
    /// A sweep over the planes in `memory`, which has room for all tiles of every plane of `plan`.
    pub(super) fn new(plan: &'a Plan, memory: &'a mut [Block]) -> Self {
        let plane_blocks = BLOCKS << plan.upper_bits;
        assert_eq!(memory.len(), plan.modes.len() * plane_blocks * (1 + usize::from(plan.draws)));
        Self { plan, blocks: memory.as_mut_ptr(), plane_blocks }
    }

    /// Labels the tiles `from..to`, last first.
    ///
    /// # Safety
    /// The processor has the instructions of `V`. Every tile that a move leads to from one of these is among them, or
    /// is finished. No other thread reads or writes these tiles meanwhile.
    #[inline(always)]
    unsafe fn run<V: Vector, const DRAWS: bool>(&self, from: u64, to: u64) {
        let modes = self.plan.modes.len();
        // SAFETY: the caller's.
        let none = unsafe { V::none() };
        let nothing = Found { wins: none, safe: none };
        let mut scratch = Scratch {
            far: vec![[const { Vec::new() }; 3]; modes],
            found: vec![[nothing; BLOCKS]; modes],
            movable: vec![none; modes],
            labels: vec![(none, none); modes],
        };
        let mut previous = None;
        for tile in (from..to).rev() {
            if previous.is_none_or(|previous| far_differs(previous, tile)) {
                for (plan, far) in self.plan.modes.iter().zip(&mut scratch.far) {
                    let ops = [&plan.outer, &plan.inner, &plan.low];
                    ops.iter().zip(far).for_each(|(ops, far)| ops.allowed_far(tile, far));
                }
            }
            previous = Some(tile);
            // SAFETY: the caller's.
            unsafe { self.tile::<V, DRAWS>(tile, &mut scratch) };
        }
    }

    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn tile<V: Vector, const DRAWS: bool>(&self, tile: u64, scratch: &mut Scratch<V>) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            for (mode, plan) in self.plan.modes.iter().enumerate() {
                scratch.found[mode] = self.outer::<V, DRAWS>(tile, &plan.outer, &scratch.far[mode][0]);
            }
            for s in (0..BLOCKS).rev() {
                for (mode, plan) in self.plan.modes.iter().enumerate() {
                    let found = &mut scratch.found[mode][s];
                    for op in legal(&plan.inner, tile, &scratch.far[mode][1]) {
                        if op.legal >> s & 1 == 1 {
                            let at = self.tile_of::<DRAWS>(op, tile).add(s | usize::from(op.fills_mid));
                            *found = self.gather::<V, DRAWS>(op, *found, |loss| self.spread(op, self.load(at, loss)));
                        }
                    }
                    if self.plan.stuck != Outcome::Loss {
                        scratch.movable[mode] = self.movable(tile, s, plan, &scratch.far[mode]);
                    }
                }
                self.within_block::<V, DRAWS>(tile, s, scratch);
                for (mode, (wins, losses)) in scratch.labels.iter().enumerate() {
                    let at = self.mode::<DRAWS>(mode as u16).add(tile as usize * BLOCKS + s);
                    wins.store(at);
                    if DRAWS {
                        losses.store(at.add(self.plane_blocks));
                    }
                }
            }
        }
    }

    /// What the moves into other tiles make of the blocks of a tile.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn outer<V: Vector, const DRAWS: bool>(&self, tile: u64, ops: &Ops, far: &[u64]) -> [Found<V>; BLOCKS] {
        // SAFETY: in all of this function, the caller's: the tiles that are read are finished, and have eight blocks.
        unsafe {
            let mut found = [Found { wins: V::none(), safe: V::none() }; BLOCKS];
            for op in legal(ops, tile, far) {
                let at = self.tile_of::<DRAWS>(op, tile);
                macro_rules! blocks {
                    ($empty:literal, $load:expr) => {{
                        let load = $load;
                        // Written out, so that what is found stays in registers.
                        blocks!($empty, load, 0, 1, 2, 3, 4, 5, 6, 7);
                    }};
                    ($empty:literal, $load:ident, $($s:literal),*) => {
                        $(if $s & $empty == 0 {
                            found[$s] = self.gather::<V, DRAWS>(op, found[$s], |loss| $load(at.add($s | $empty), loss));
                        })*
                    };
                }
                macro_rules! mids {
                    ($load:expr) => {
                        match op.fills_mid {
                            0 => blocks!(0, $load),
                            1 => blocks!(1, $load),
                            2 => blocks!(2, $load),
                            3 => blocks!(3, $load),
                            4 => blocks!(4, $load),
                            5 => blocks!(5, $load),
                            6 => blocks!(6, $load),
                            _ => blocks!(7, $load),
                        }
                    };
                }
                match op.shape {
                    Shape::Plain => mids!(|at, loss| self.load::<V>(at, loss)),
                    Shape::Shifted => mids!(|at: *const Block, loss| V::load_shifted(self.plane(at, loss), op.bits)),
                    Shape::Moved => {
                        mids!(|at: *const Block, loss| V::load_moved(self.plane(at, loss), op.words, op.bits))
                    }
                    Shape::Irregular if tile | op.fills_upper == tile => {}
                    Shape::Irregular => {
                        for (s, found) in found.iter_mut().enumerate() {
                            if op.legal >> s & 1 == 1 {
                                let at = at.add(s | usize::from(op.fills_mid));
                                *found =
                                    self.gather::<V, DRAWS>(op, *found, |loss| self.spread(op, self.load(at, loss)));
                            }
                        }
                    }
                }
            }
            found
        }
    }

    /// Adds to `found` what a move makes of a block, `successors` being the wins, or the losses, of its successors.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn gather<V: Vector, const DRAWS: bool>(
        &self,
        op: &Op,
        found: Found<V>,
        successors: impl Fn(bool) -> V,
    ) -> Found<V> {
        // SAFETY: the caller's; an operation's mask is one of the plan's.
        unsafe {
            let mask = V::load(self.plan.masks.as_ptr().add(op.mask as usize));
            if DRAWS {
                let (wins, losses) = (successors(false), successors(true));
                Found { wins: found.wins.or_and(mask, losses), safe: found.safe.or_without(mask, wins) }
            } else {
                Found { wins: found.wins.or_without(mask, successors(false)), ..found }
            }
        }
    }

    /// The successors of a block by a move, from the block they lie in.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn spread<V: Vector>(&self, op: &Op, block: V) -> V {
        let (mut block, mut rest) = (block, op.spread);
        // SAFETY: the caller's; there are nine low cells.
        unsafe {
            while rest != 0 {
                let cell = rest.trailing_zeros();
                rest &= rest - 1;
                let filled = V::load(FILLED.as_ptr().add(cell as usize));
                let kept = block.and(filled);
                block = kept.or(kept.moved((1u64 << cell >> 6) as u8, (1u64 << cell & 63) as u8).without(filled));
            }
            block.moved(op.words, op.bits)
        }
    }

    /// Solves the moves within block `s` of a tile, and puts every mode's labels into `scratch`.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn within_block<V: Vector, const DRAWS: bool>(&self, tile: u64, s: usize, scratch: &mut Scratch<V>) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            for (mode, plan) in self.plan.modes.iter().enumerate() {
                let found = scratch.found[mode][s];
                scratch.labels[mode] = self.label::<V, DRAWS>(plan, tile, s, found, scratch.movable[mode]);
            }
            let mut changed = true;
            while changed {
                changed = false;
                for (mode, plan) in self.plan.modes.iter().enumerate() {
                    let mut found = scratch.found[mode][s];
                    for op in legal(&plan.low, tile, &scratch.far[mode][2]) {
                        if op.legal >> s & 1 == 1 {
                            let (wins, losses) = scratch.labels[op.next as usize];
                            let of = |loss| if loss { losses } else { wins };
                            found = self.gather::<V, DRAWS>(op, found, |loss| self.spread(op, of(loss)));
                        }
                    }
                    let (wins, losses) = self.label::<V, DRAWS>(plan, tile, s, found, scratch.movable[mode]);
                    let before = scratch.labels[mode];
                    changed |= !wins.same(before.0) || DRAWS && !losses.same(before.1);
                    scratch.labels[mode] = (wins, losses);
                }
            }
        }
    }

    /// The labels that follow from what was found: ends first, then being stuck, then the moves.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn label<V: Vector, const DRAWS: bool>(
        &self,
        plan: &ModePlan,
        tile: u64,
        s: usize,
        found: Found<V>,
        movable: V,
    ) -> (V, V) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            let every = V::load(&Block::ONES);
            let mut wins = found.wins;
            let mut losses = every.without(found.safe);
            match self.plan.stuck {
                Outcome::Loss => {}
                Outcome::Draw => losses = losses.and(movable),
                Outcome::Win => {
                    wins = wins.or_without(every, movable);
                    losses = losses.and(movable);
                }
            }
            for EndOp { upper, mid, mask, outcome } in &plan.ends {
                if tile & upper == *upper && s as u8 & mid == *mid {
                    let ended = V::load(mask);
                    (wins, losses) = match outcome {
                        Outcome::Win => (wins.or(ended), losses.without(ended)),
                        Outcome::Draw => (wins.without(ended), losses.without(ended)),
                        Outcome::Loss => (wins.without(ended), losses.or(ended)),
                    };
                }
            }
            (wins, losses)
        }
    }

    /// The positions of block `s` of a tile that have a move.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn movable<V: Vector>(&self, tile: u64, s: usize, plan: &ModePlan, far: &[Vec<u64>; 3]) -> V {
        let kinds = [&plan.outer, &plan.inner, &plan.low];
        // SAFETY: the caller's; an operation's mask is one of the plan's.
        unsafe {
            for (ops, far) in kinds.iter().zip(far) {
                let near = ops.allowed_near(tile);
                if (0..ops.words).any(|word| far[word] & near[word] & ops.free[word] != 0) {
                    return V::load(&Block::ONES);
                }
            }
            let mut movable = V::none();
            for (ops, far) in kinds.iter().zip(far) {
                for op in legal(ops, tile, far) {
                    if op.legal >> s & 1 == 1 {
                        movable = movable.or(V::load(self.plan.masks.as_ptr().add(op.mask as usize)));
                    }
                }
            }
            movable
        }
    }

    /// The first block of `mode`'s planes.
    #[inline(always)]
    fn mode<const DRAWS: bool>(&self, mode: u16) -> *mut Block {
        self.blocks.wrapping_add(usize::from(mode) * self.plane_blocks * (1 + usize::from(DRAWS)))
    }

    /// The first block of the tile, and of the mode, that a move leads to.
    #[inline(always)]
    fn tile_of<const DRAWS: bool>(&self, op: &Op, tile: u64) -> *const Block {
        self.mode::<DRAWS>(op.next).wrapping_add((tile | op.fills_upper) as usize * BLOCKS)
    }

    /// The block at `at` of the plane of wins, or that of the losses beside it.
    #[inline(always)]
    fn plane(&self, at: *const Block, loss: bool) -> *const Block {
        if loss { at.wrapping_add(self.plane_blocks) } else { at }
    }

    /// The wins, or the losses, of the block at `at`.
    ///
    /// # Safety
    /// As [`Vector::load`].
    #[inline(always)]
    unsafe fn load<V: Vector>(&self, at: *const Block, loss: bool) -> V {
        // SAFETY: the caller's.
        unsafe { V::load(self.plane(at, loss)) }
    }
}

/// The operations that are legal in a tile, as far as its upper cells tell.
#[inline(always)]
fn legal<'o>(ops: &'o Ops, tile: u64, far: &'o [u64]) -> impl Iterator<Item = &'o Op> {
    let near = ops.allowed_near(tile);
    let words = far.iter().zip(near).zip(ops.all.chunks(64));
    words.flat_map(|((far, near), ops)| {
        let mut set = far & near;
        std::iter::from_fn(move || {
            (set != 0).then(|| {
                let op = &ops[set.trailing_zeros() as usize];
                set &= set - 1;
                op
            })
        })
    })
}

/// Labels a run of tiles with one vector unit.
pub(super) type Run = unsafe fn(&Sweep<'_>, u64, u64);

/// As [`Sweep::run`], in plain Rust.
///
/// # Safety
/// As [`Sweep::run`].
pub(super) unsafe fn run_portable(sweep: &Sweep<'_>, from: u64, to: u64) {
    // SAFETY: the caller's.
    unsafe {
        if sweep.plan.draws {
            sweep.run::<Portable, true>(from, to);
        } else {
            sweep.run::<Portable, false>(from, to);
        }
    }
}

/// As [`Sweep::run`], with AVX2.
///
/// # Safety
/// As [`Sweep::run`]; the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn run_avx2(sweep: &Sweep<'_>, from: u64, to: u64) {
    // SAFETY: the caller's.
    unsafe {
        if sweep.plan.draws {
            sweep.run::<super::x86::Avx2, true>(from, to);
        } else {
            sweep.run::<super::x86::Avx2, false>(from, to);
        }
    }
}

/// As [`Sweep::run`], with AVX-512.
///
/// # Safety
/// As [`Sweep::run`]; the processor has AVX-512F.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn run_avx512(sweep: &Sweep<'_>, from: u64, to: u64) {
    // SAFETY: the caller's.
    unsafe {
        if sweep.plan.draws {
            sweep.run::<super::x86::Avx512, true>(from, to);
        } else {
            sweep.run::<super::x86::Avx512, false>(from, to);
        }
    }
}
