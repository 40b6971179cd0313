//! What moves make of a tile: the inner loops of the kernel.
//!
//! Everything here is inlined into the functions at the end of [`sweep`](super::sweep), which compile it for each vector
//! unit: a closure would be compiled without the vector unit and call each of its instructions, so what handles vectors
//! is written in macros and loops instead.

use super::plan::{BLOCKS, Block, LOW, Op, Ops, Shape};
use super::sweep::Sweep;
use super::vector::Vector;

/// For each low cell, the positions of a block that have it filled.
pub(super) static FILLED: [Block; LOW as usize] = {
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

/// What is gathered about the positions of a tile's blocks.
#[derive(Clone, Copy)]
pub(super) struct Found<V> {
    /// Positions with a winning move.
    pub(super) wins: [V; BLOCKS],
    /// Positions with a move that does not lose. Gathered only where the rules can draw.
    pub(super) safe: [V; BLOCKS],
}

/// Blocks of a tile, as a set of their numbers.
pub(super) type Group = u16;
/// Every block.
const ALL: Group = 0xffff;
/// A move that fills an upper cell of this number or a higher one leads farther away than a core's first cache reaches.
const FAR: u32 = 6;

/// In place of the mid cells that an operation fills, where they are not known when the kernel is compiled.
const ANY: usize = BLOCKS;

impl Sweep<'_> {
    /// What the moves into other tiles make of the blocks of a tile.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    pub(super) unsafe fn outer<V: Vector, const DRAWS: bool>(
        &self,
        tile: u64,
        ops: &Ops,
        far: &[u64],
        found: &mut Found<V>,
    ) {
        // SAFETY: in all of this function, the caller's: the tiles that are read are finished, and have all their blocks.
        // A set of operations has bits for the operations there are and no others.
        unsafe {
            // Apart from one another and indexed by constants alone, so that they stay in registers.
            let (mut wins, mut safe) = ([V::none(); BLOCKS], [V::none(); BLOCKS]);
            let near = ops.allowed_near(tile);
            for ((far, near), ops) in far.iter().zip(near).zip(ops.all.chunks(64)) {
                let mut set = far & near;
                while set != 0 {
                    let op = ops.get_unchecked(set.trailing_zeros() as usize);
                    set &= set - 1;
                    macro_rules! arm {
                        ($shape:ident, $filled:expr) => {
                            self.each_block::<V, DRAWS, { Shape::$shape as u8 }, $filled, ALL>(
                                op, tile, &mut wins, &mut safe,
                            )
                        };
                    }
                    macro_rules! arms {
                        ($($shape:ident)*) => {
                            match (op.shape, op.fills_mid) {
                                $(
                                    (Shape::$shape, 0) => arm!($shape, 0),
                                    (Shape::$shape, 1) => arm!($shape, 1),
                                    (Shape::$shape, 2) => arm!($shape, 2),
                                    (Shape::$shape, 3) => arm!($shape, 3),
                                    (Shape::$shape, 4) => arm!($shape, 4),
                                    (Shape::$shape, 5) => arm!($shape, 5),
                                    (Shape::$shape, 6) => arm!($shape, 6),
                                    (Shape::$shape, 7) => arm!($shape, 7),
                                    (Shape::$shape, 8) => arm!($shape, 8),
                                    (Shape::$shape, 9) => arm!($shape, 9),
                                    (Shape::$shape, 10) => arm!($shape, 10),
                                    (Shape::$shape, 11) => arm!($shape, 11),
                                    (Shape::$shape, 12) => arm!($shape, 12),
                                    (Shape::$shape, 13) => arm!($shape, 13),
                                    (Shape::$shape, 14) => arm!($shape, 14),
                                    (Shape::$shape, _) => arm!($shape, 15),
                                )*
                                // Where the upper cells it fills are filled already, it stays in this tile.
                                (Shape::Irregular, _) if tile | op.fills_upper == tile => {}
                                (Shape::Irregular, _) => arm!(Irregular, ANY),
                            }
                        };
                    }
                    arms!(Plain Shifted Lifted Moved);
                }
            }
            *found = Found { wins, safe };
        }
    }

    /// Adds to `wins` and `safe` what a move makes of the blocks of a group. The shape of the operation is known to the
    /// compiler, and the mid cells it fills where they are not [`ANY`].
    ///
    /// # Safety
    /// As [`run`](Self::run): the successors of these blocks are finished.
    #[inline(always)]
    #[expect(clippy::bad_bit_mask, reason = "a move that fills no mid cell is legal in every block")]
    unsafe fn each_block<V: Vector, const DRAWS: bool, const SHAPE: u8, const FILLED: usize, const GROUP: Group>(
        &self,
        op: &Op,
        tile: u64,
        wins: &mut [V; BLOCKS],
        safe: &mut [V; BLOCKS],
    ) {
        // SAFETY: the caller's.
        unsafe {
            let (mask, at) = (self.mask::<V>(op), self.tile_of::<DRAWS>(op, tile));
            // FileGame out: in a loop the compiler keeps what is found in memory.
            macro_rules! blocks {
                ($($s:literal)*) => {
                    $(
                        let (legal, successors) = if FILLED == ANY {
                            (op.legal >> $s & 1 == 1, $s | usize::from(op.fills_mid))
                        } else {
                            ($s & FILLED == 0, $s | FILLED)
                        };
                        if GROUP >> $s & 1 == 1 && legal {
                            let at = at.add(successors);
                            if GROUP == ALL && op.fills_upper >> FAR != 0 {
                                // The next tile will most likely want what lies just before.
                                V::prefetch(at.wrapping_sub(BLOCKS));
                            }
                            if DRAWS {
                                wins[$s] = wins[$s].or_and(mask, self.fetch::<V, SHAPE>(op, at.add(self.plane_blocks)));
                                safe[$s] = safe[$s].or_without(mask, self.fetch::<V, SHAPE>(op, at));
                            } else {
                                wins[$s] = wins[$s].or_without(mask, self.fetch::<V, SHAPE>(op, at));
                            }
                        }
                    )*
                };
            }
            blocks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        }
    }

    /// The successors of a block by a move of the given shape, from the block at `at`.
    ///
    /// # Safety
    /// As [`Vector::load`].
    #[inline(always)]
    unsafe fn fetch<V: Vector, const SHAPE: u8>(&self, op: &Op, at: *const Block) -> V {
        const PLAIN: u8 = Shape::Plain as u8;
        const SHIFTED: u8 = Shape::Shifted as u8;
        const LIFTED: u8 = Shape::Lifted as u8;
        const MOVED: u8 = Shape::Moved as u8;
        // SAFETY: the caller's; an operation moves by fewer than eight words and 64 bits.
        unsafe {
            match SHAPE {
                PLAIN => V::load(at),
                SHIFTED => V::load_shifted(at, op.bits),
                LIFTED => V::load_moved(at, op.words, 0),
                MOVED => V::load_moved(at, op.words, op.bits),
                _ => self.moved(op, V::load(at)),
            }
        }
    }

    /// Where in a block the move is legal.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn mask<V: Vector>(&self, op: &Op) -> V {
        // SAFETY: the caller's; an operation's mask is one of the plan's.
        unsafe { V::load(self.plan.masks.as_ptr().add(op.mask as usize)) }
    }

    /// The successors of a block by a move, from the block they lie in.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn moved<V: Vector>(&self, op: &Op, block: V) -> V {
        let (mut block, mut rest) = (block, op.spread);
        // SAFETY: the caller's; there are nine low cells.
        unsafe {
            while rest != 0 {
                let cell = rest.trailing_zeros();
                rest &= rest - 1;
                let filled = V::load(&FILLED[cell as usize]);
                let kept = block.and(filled);
                block = kept.or(kept.moved((1u64 << cell >> 6) as u8, (1u64 << cell & 63) as u8).without(filled));
            }
            block.moved(op.words, op.bits)
        }
    }

    /// Adds to `found` what the moves that fill one of the mid cells `cells`, and nothing else, make of the blocks of a
    /// group.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    pub(super) unsafe fn mid_singles<V: Vector, const DRAWS: bool, const GROUP: Group>(
        &self,
        tile: u64,
        mode: u16,
        cells: u8,
        Found { wins, safe }: &mut Found<V>,
    ) {
        // SAFETY: in all of this function, the caller's: the successors lie in blocks of earlier groups.
        unsafe {
            let (every, at) = (V::load(&Block::ONES), self.mode::<DRAWS>(mode).add(tile as usize * BLOCKS));
            macro_rules! blocks {
                ($($s:literal)*) => {
                    $(
                        blocks!(@cell 1, $s);
                        blocks!(@cell 2, $s);
                        blocks!(@cell 4, $s);
                        blocks!(@cell 8, $s);
                    )*
                };
                (@cell $cell:literal, $s:literal) => {
                    if GROUP >> $s & 1 == 1 && $s & $cell == 0 && cells & $cell != 0 {
                        let at = at.add($s | $cell);
                        if DRAWS {
                            wins[$s] = wins[$s].or(V::load(at.add(self.plane_blocks)));
                            safe[$s] = safe[$s].or_without(every, V::load(at));
                        } else {
                            wins[$s] = wins[$s].or_without(every, V::load(at));
                        }
                    }
                };
            }
            blocks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        }
    }

    /// Adds to `found` what the moves into other blocks of the same tile make of the blocks of a group.
    ///
    /// # Safety
    /// As [`run`](Self::run), for this tile.
    #[inline(always)]
    pub(super) unsafe fn inner<V: Vector, const DRAWS: bool, const GROUP: Group>(
        &self,
        tile: u64,
        ops: &Ops,
        far: &[u64],
        Found { wins, safe }: &mut Found<V>,
    ) {
        for ((far, near), ops) in far.iter().zip(ops.allowed_near(tile)).zip(ops.all.chunks(64)) {
            let mut set = far & near;
            while set != 0 {
                let op = &ops[set.trailing_zeros() as usize];
                set &= set - 1;
                if op.legal & GROUP == 0 {
                    continue;
                }
                macro_rules! shape {
                    ($shape:ident) => {
                        self.each_block::<V, DRAWS, { Shape::$shape as u8 }, ANY, GROUP>(op, tile, wins, safe)
                    };
                }
                // SAFETY: the caller's: the successors lie in blocks of earlier groups.
                unsafe {
                    match op.shape {
                        Shape::Plain => shape!(Plain),
                        Shape::Shifted => shape!(Shifted),
                        Shape::Lifted => shape!(Lifted),
                        Shape::Moved => shape!(Moved),
                        Shape::Irregular => shape!(Irregular),
                    }
                }
            }
        }
    }

    /// The first block of `mode`'s planes.
    #[inline(always)]
    pub(super) fn mode<const DRAWS: bool>(&self, mode: u16) -> *mut Block {
        self.blocks.wrapping_add(usize::from(mode) * self.plane_blocks * (1 + usize::from(DRAWS)))
    }

    /// The first block of the tile, and of the mode, that a move leads to.
    #[inline(always)]
    fn tile_of<const DRAWS: bool>(&self, op: &Op, tile: u64) -> *const Block {
        self.mode::<DRAWS>(op.next).wrapping_add((tile | op.fills_upper) as usize * BLOCKS)
    }
}
