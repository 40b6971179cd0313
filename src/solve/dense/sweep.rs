//! The kernel: retrograde induction 512 positions at a time.
//!
//! ```text
//! for each tile, from the full board down:                                    8192 positions of every mode
//!     for each mode:
//!         wins[16] = none
//!         for each move into another tile that the tile's upper cells allow:  two table look-ups, one AND
//!             for each of the tile's 16 blocks that its mid cells allow:
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
//! The algorithm is written once, over [`Vector`]: what moves make of a tile in [`gather`](super::gather), the rest
//! here; the functions at the end compile it for each vector unit.

use super::gather::{FILLED, Found, Group};
use super::plan::{BLOCKS, Block, EndOp, LOW, ModePlan, Plan, far_differs};
use super::vector::{Portable, Vector};
use crate::rules::Outcome;

/// The planes being swept, shared by all threads.
pub(super) struct Sweep<'a> {
    pub(super) plan: &'a Plan,
    /// The first block of the first plane. Planes stand one behind the other, `plane_blocks` each.
    pub(super) blocks: *mut Block,
    pub(super) plane_blocks: usize,
}

// SAFETY: threads share the planes by the rules of `Sweep::run`: a tile is written by one thread, and read by others
// only after that thread's run is over.
unsafe impl Sync for Sweep<'_> {}

/// For each low cell, the positions of a block that have it empty.
static EMPTY: [Block; LOW as usize] = {
    let mut table = FILLED;
    let (mut cell, mut word) = (0, 0);
    while cell < LOW as usize {
        table[cell].0[word] = !table[cell].0[word];
        word = (word + 1) % 8;
        if word == 0 {
            cell += 1;
        }
    }
    table
};

/// Blocks with equally many mid cells filled, the most first. They do not depend on each other: solved side by side,
/// they keep the processor busy while one waits for its own last operation.
const GROUPS: [Group; 5] = [
    1 << 15,
    1 << 14 | 1 << 13 | 1 << 11 | 1 << 7,
    1 << 12 | 1 << 10 | 1 << 9 | 1 << 6 | 1 << 5 | 1 << 3,
    1 << 8 | 1 << 4 | 1 << 2 | 1 << 1,
    1 << 0,
];

/// A thread's working memory.
struct Scratch<V> {
    /// For each mode, the operations that the far upper cells allow: outer, inner, low.
    far: Vec<[Vec<u64>; 3]>,
    /// What is found of each mode's blocks.
    found: Vec<Found<V>>,
    /// For each mode, whether in this tile labels are what moves make of them: nothing ends, and nobody is stuck or
    /// being stuck is a loss anyway.
    simple: Vec<bool>,
    /// Positions of each mode's blocks that have a move, where the mode is not simple and being stuck is no loss.
    movable: Vec<[V; BLOCKS]>,
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
        let (none, every) = unsafe { (V::none(), V::load(&Block::ONES)) };
        let nothing = Found { wins: [none; BLOCKS], safe: [none; BLOCKS] };
        let mut scratch = Scratch {
            far: vec![[const { Vec::new() }; 3]; modes],
            found: vec![nothing; modes],
            simple: vec![true; modes],
            movable: vec![[every; BLOCKS]; modes],
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
                let far = &scratch.far[mode];
                self.outer::<V, DRAWS>(tile, &plan.outer, &far[0], &mut scratch.found[mode]);
                scratch.simple[mode] =
                    plan.ends.is_empty() && (self.plan.terminal == Outcome::Loss || plan.is_free(tile, far));
            }
            self.blocks::<V, DRAWS, { GROUPS[0] }>(tile, scratch);
            self.blocks::<V, DRAWS, { GROUPS[1] }>(tile, scratch);
            self.blocks::<V, DRAWS, { GROUPS[2] }>(tile, scratch);
            self.blocks::<V, DRAWS, { GROUPS[3] }>(tile, scratch);
            self.blocks::<V, DRAWS, { GROUPS[4] }>(tile, scratch);
        }
    }

    /// Finishes the blocks of a group, where the groups before it are finished.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn blocks<V: Vector, const DRAWS: bool, const GROUP: Group>(&self, tile: u64, scratch: &mut Scratch<V>) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            for (mode, plan) in self.plan.modes.iter().enumerate() {
                self.mid_singles::<V, DRAWS, GROUP>(tile, mode as u16, plan.mid_singles, &mut scratch.found[mode]);
                self.inner::<V, DRAWS, GROUP>(tile, &plan.inner, &scratch.far[mode][1], &mut scratch.found[mode]);
                if !scratch.simple[mode] && self.plan.terminal != Outcome::Loss {
                    for s in (0..BLOCKS).filter(|s| GROUP >> s & 1 == 1) {
                        scratch.movable[mode][s] = self.movable(tile, s, plan, &scratch.far[mode]);
                    }
                }
            }
            match self.plan.modes.as_slice() {
                [plan] if !DRAWS && plan.is_cube && scratch.simple[0] => {
                    self.cube::<V, GROUP>(tile, &scratch.found[0].wins);
                }
                _ => {
                    for s in (0..BLOCKS).filter(|s| GROUP >> s & 1 == 1) {
                        self.within::<V, DRAWS>(tile, s, scratch);
                    }
                }
            }
        }
    }

    /// Finishes the blocks of a group where there is one plane, nothing but moves decides, and the moves within a block
    /// are those that fill one of its cells, each of them.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn cube<V: Vector, const GROUP: Group>(&self, tile: u64, found: &[V; BLOCKS]) {
        /// One round: `found`, and what is not among the labels one cell up.
        macro_rules! round {
            ($found:expr, $labels:expr, $($cell:literal)*) => {{
                let mut wins = $found;
                $(
                    let next = $labels.moved(((1u64 << $cell) >> 6) as u8, ((1u64 << $cell) & 63) as u8);
                    wins = wins.or_without(V::load(&EMPTY[$cell]), next);
                )*
                wins
            }};
        }
        /// Rounds for the blocks named until nothing changes in any of them.
        macro_rules! rounds {
            ($($labels:ident = $s:literal),*) => {{
                $(let mut $labels = found[$s];)*
                loop {
                    let before = ($($labels,)*);
                    $($labels = round!(found[$s], $labels, 0 1 2 3 4 5 6 7 8);)*
                    if rounds!(@same before $($labels)*) {
                        break;
                    }
                }
                $($labels.store(self.blocks.add(tile as usize * BLOCKS + $s));)*
            }};
            (@same $before:ident $a:ident) => { $a.same($before.0) };
            (@same $before:ident $a:ident $b:ident $c:ident $d:ident) => {
                ($a.same($before.0) & $b.same($before.1)) & ($c.same($before.2) & $d.same($before.3))
            };
            (@same $before:ident $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident) => {
                rounds!(@same $before $a $b $c $d) & ($e.same($before.4) & $f.same($before.5))
            };
        }
        // SAFETY: the caller's.
        unsafe {
            match GROUP {
                g if g == GROUPS[0] => rounds!(a = 15),
                g if g == GROUPS[1] => rounds!(a = 14, b = 13, c = 11, d = 7),
                g if g == GROUPS[2] => rounds!(a = 12, b = 10, c = 9, d = 6, e = 5, f = 3),
                g if g == GROUPS[3] => rounds!(a = 8, b = 4, c = 2, d = 1),
                _ => rounds!(a = 0),
            }
        }
    }

    /// Solves the moves within block `s` of a tile for every mode, and stores the labels.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    unsafe fn within<V: Vector, const DRAWS: bool>(&self, tile: u64, s: usize, scratch: &mut Scratch<V>) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            for (mode, plan) in self.plan.modes.iter().enumerate() {
                let found = (scratch.found[mode].wins[s], scratch.found[mode].safe[s]);
                scratch.labels[mode] = self.label::<V, DRAWS>(plan, tile, s, found, scratch.stuck(mode, s));
            }
            let mut changed = true;
            while changed {
                changed = false;
                for (mode, plan) in self.plan.modes.iter().enumerate() {
                    if plan.singles == 0 && plan.low.all.is_empty() {
                        continue;
                    }
                    let before = scratch.labels[mode];
                    let mut found = (scratch.found[mode].wins[s], scratch.found[mode].safe[s]);
                    let far = &scratch.far[mode][2];
                    for ((far, near), ops) in far.iter().zip(plan.low.allowed_near(tile)).zip(plan.low.all.chunks(64)) {
                        let mut set = far & near;
                        while set != 0 {
                            let op = &ops[set.trailing_zeros() as usize];
                            set &= set - 1;
                            if op.legal >> s & 1 == 1 {
                                let mask = self.mask(op);
                                let (wins, losses) = scratch.labels[usize::from(op.next)];
                                if DRAWS {
                                    found.0 = found.0.or_and(mask, self.moved(op, losses));
                                    found.1 = found.1.or_without(mask, self.moved(op, wins));
                                } else {
                                    found.0 = found.0.or_without(mask, self.moved(op, wins));
                                }
                            }
                        }
                    }
                    let mut singles = plan.singles;
                    while singles != 0 {
                        let cell = singles.trailing_zeros();
                        singles &= singles - 1;
                        let (words, bits) = ((1u64 << cell >> 6) as u8, (1u64 << cell & 63) as u8);
                        let empty = V::load(&EMPTY[cell as usize]);
                        if DRAWS {
                            found.0 = found.0.or_and(empty, before.1.moved(words, bits));
                            found.1 = found.1.or_without(empty, before.0.moved(words, bits));
                        } else {
                            found.0 = found.0.or_without(empty, before.0.moved(words, bits));
                        }
                    }
                    let labels = self.label::<V, DRAWS>(plan, tile, s, found, scratch.stuck(mode, s));
                    changed |= !labels.0.same(before.0) || DRAWS && !labels.1.same(before.1);
                    scratch.labels[mode] = labels;
                }
            }
            for (mode, (wins, losses)) in scratch.labels.iter().enumerate() {
                let at = self.mode::<DRAWS>(mode as u16).add(tile as usize * BLOCKS + s);
                wins.store(at);
                if DRAWS {
                    losses.store(at.add(self.plane_blocks));
                }
            }
        }
    }

    /// The labels that follow from what was found of block `s`: ends first, then being stuck, then the moves. In a
    /// `simple` tile the moves alone.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn label<V: Vector, const DRAWS: bool>(
        &self,
        plan: &ModePlan,
        tile: u64,
        s: usize,
        (mut wins, safe): (V, V),
        (simple, movable): (bool, V),
    ) -> (V, V) {
        // SAFETY: in all of this function, the caller's.
        unsafe {
            let every = V::load(&Block::ONES);
            let mut losses = every.without(safe);
            if simple {
                return (wins, losses);
            }
            match self.plan.terminal {
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
            if plan.mid_singles & !(s as u8) != 0 {
                return V::load(&Block::ONES);
            }
            let mut movable = V::none();
            for (ops, far) in kinds.iter().zip(far) {
                for (n, op) in ops.all.iter().enumerate() {
                    let set = far[n / 64] & ops.allowed_near(tile)[n / 64];
                    if set >> (n % 64) & 1 == 1 && op.legal >> s & 1 == 1 {
                        movable = movable.or(self.mask(op));
                    }
                }
            }
            for (_, empty) in EMPTY.iter().enumerate().filter(|(cell, _)| plan.singles >> cell & 1 == 1) {
                movable = movable.or(V::load(empty));
            }
            movable
        }
    }
}

impl<V: Vector> Scratch<V> {
    /// What [`Sweep::label`] must know of being stuck in block `s` of a mode.
    #[inline(always)]
    fn stuck(&self, mode: usize, s: usize) -> (bool, V) {
        (self.simple[mode], self.movable[mode][s])
    }
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
