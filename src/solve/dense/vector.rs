//! What the kernel needs of a machine: 512 positions as one value, in plain Rust and on the vector units of x86-64.

use super::bits::{Bits, Portable, words};
use super::block::{Block, Shift};

/// 512 positions.
///
/// The methods that follow a pointer are not safe.
pub(super) trait Vector: Bits {
    /// Whether the blocks of a tile are written out one by one for each kind of move, so that what is gathered of them
    /// stays in registers. Measured on tactics 5x6, against the loop: with AVX-512 about 1.45 times as fast, with AVX2
    /// 1.12 times, in plain Rust about 0.55 times.
    const UNROLLED: bool;

    /// The same for games that can be drawn, which have twice as much to gather. AVX2's registers do not hold that, and a
    /// development build would take half as long again.
    const UNROLLED_DRAWS: bool;

    /// The positions of `block`.
    #[inline(always)]
    fn of(token: Self::Token, block: &Block) -> Self {
        // SAFETY: a reference is valid, and nobody writes behind it.
        unsafe { Self::load(token, block) }
    }

    /// The block at `at`.
    ///
    /// # Safety
    /// `at` points to a block that is valid for reads and that no thread writes meanwhile.
    unsafe fn load(token: Self::Token, at: *const Block) -> Self;

    /// The block at `at`, [`moved`](Self::moved).
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    unsafe fn load_moved(token: Self::Token, at: *const Block, shift: Shift) -> Self {
        // SAFETY: what the caller promises is what `load` asks for.
        unsafe { Self::load(token, at) }.moved(shift)
    }

    /// Writes the block at `at`.
    ///
    /// # Safety
    /// `at` points to a block that is valid for writes and that no other thread reads or writes meanwhile.
    unsafe fn store(self, at: *mut Block);

    /// Asks for the block at `at` to be brought into the core's second cache; it need not exist. The first cache would
    /// be too near: what the current tile needs lies there (measured on 2^35 boards: 12.8 against 8.9 G positions/s).
    #[inline(always)]
    fn prefetch(at: *const Block) {
        let _ = at;
    }

    /// The positions moved down: `x` is in the result if `x | shift` is in `self`, for each `x` that has none of the
    /// cells of `shift` filled. What the result holds elsewhere is not specified, and callers mask it out.
    fn moved(self, shift: Shift) -> Self;

    /// `self`, and those of `mask` that are in `other`.
    #[inline(always)]
    fn or_and(self, mask: Self, other: Self) -> Self {
        self.or(mask.and(other))
    }

    /// `self`, and those of `mask` that are not in `other`.
    #[inline(always)]
    fn or_without(self, mask: Self, other: Self) -> Self {
        self.or(mask.without(other))
    }

    /// The positions moved up: `x` is in the result if `x` without the cells of `shift` is in `self`, for each `x` that has all
    /// of them filled. What the result holds elsewhere is not specified, and callers mask it out.
    fn raised(self, shift: Shift) -> Self;

    /// Whether both are the same.
    fn same(self, other: Self) -> bool;
}

impl Vector for Portable {
    const UNROLLED: bool = false;
    const UNROLLED_DRAWS: bool = false;

    #[inline(always)]
    unsafe fn load((): (), at: *const Block) -> Self {
        // SAFETY: the caller promises a block that can be read.
        Self(unsafe { *at }.0)
    }

    #[inline(always)]
    unsafe fn load_moved((): (), at: *const Block, shift: Shift) -> Self {
        // SAFETY: the caller promises a block that can be read.
        let Block(words) = unsafe { &*at };
        words!(i => words[(i | usize::from(shift.words())) & 7] >> shift.bits())
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: the caller promises a block that can be written.
        unsafe { *at = Block(self.0) }
    }

    #[inline(always)]
    fn moved(self, shift: Shift) -> Self {
        words!(i => self.0[(i | usize::from(shift.words())) & 7] >> shift.bits())
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        words!(i => self.0[i & !usize::from(shift.words()) & 7] << shift.bits())
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        let Portable(differ) = words!(i => self.0[i] ^ other.0[i]);
        differ[0] | differ[1] | differ[2] | differ[3] | differ[4] | differ[5] | differ[6] | differ[7] == 0
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::block::{FILLED, LOW};
    use super::*;

    /// Blocks that are unlike each other: none, all, the positions of each cell, single positions, and arbitrary ones.
    fn blocks() -> Vec<Block> {
        let mut blocks = vec![Block([0; 8]), Block::ONES];
        blocks.extend(FILLED);
        blocks.extend([0, 63, 64, 255, 256, 511].map(|x: usize| {
            let mut words = [0; 8];
            words[x >> 6] = 1 << (x & 63);
            Block(words)
        }));
        let mut draw = fastrand::Rng::with_seed(0);
        blocks.extend((0..8).map(|_| Block(std::array::from_fn(|_| draw.u64(..)))));
        blocks
    }

    fn block_of<V: Vector>(vector: V) -> Block {
        let mut block = Block([0; 8]);
        // SAFETY: a reference to a block of this function's own.
        unsafe { vector.store(&mut block) };
        block
    }

    fn holds(block: &Block, x: usize) -> bool {
        block.0[x >> 6] >> (x & 63) & 1 == 1
    }

    /// Every shift of every block against the definition: `x` is in the result if `x | shift` was in the block, for each
    /// `x` with none of the cells of the shift filled; and the other way round.
    fn shifts_keep_to_the_definition<V: Vector>(token: V::Token) {
        for block in blocks() {
            for low in 0..1usize << LOW {
                let shift = Shift::of(low as u64);
                // SAFETY: a reference to a block that nobody writes.
                let loaded = block_of(unsafe { V::load_moved(token, &block, shift) });
                let moved = block_of(V::of(token, &block).moved(shift));
                let raised = block_of(V::of(token, &block).raised(shift));
                for x in (0..1usize << LOW).filter(|x| x & low == 0) {
                    assert_eq!(holds(&raised, x | low), holds(&block, x), "{low} {x} {block:?}");
                    assert_eq!(holds(&moved, x), holds(&block, x | low), "{low} {x} {block:?}");
                    assert_eq!(holds(&loaded, x), holds(&block, x | low), "{low} {x} {block:?}");
                }
            }
        }
    }

    /// Every operation word by word against the operators of Rust, for all triples of the blocks.
    fn operations_keep_to_the_definition<V: Vector>(token: V::Token) {
        let each = |a: &Block, b: &Block, op: fn(u64, u64) -> u64| Block(std::array::from_fn(|i| op(a.0[i], b.0[i])));
        assert_eq!(block_of(V::none(token)), Block([0; 8]));
        let blocks = blocks();
        for a in &blocks {
            let va = V::of(token, a);
            assert_eq!(block_of(va), *a);
            for b in &blocks {
                let vb = V::of(token, b);
                assert_eq!(block_of(va.or(vb)), each(a, b, |a, b| a | b));
                assert_eq!(block_of(va.and(vb)), each(a, b, |a, b| a & b));
                assert_eq!(block_of(va.without(vb)), each(a, b, |a, b| a & !b));
                assert_eq!(va.same(vb), a == b, "{a:?} {b:?}");
                for c in &blocks {
                    let vc = V::of(token, c);
                    assert_eq!(block_of(va.or_and(vb, vc)), each(a, &each(b, c, |b, c| b & c), |a, b| a | b));
                    assert_eq!(block_of(va.or_without(vb, vc)), each(a, &each(b, c, |b, c| b & !c), |a, b| a | b));
                }
            }
        }
    }

    /// Checks each method of a vector against its definition.
    pub(in super::super) fn keeps_to_the_definition<V: Vector>(token: V::Token) {
        shifts_keep_to_the_definition::<V>(token);
        operations_keep_to_the_definition::<V>(token);
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<Portable>(());
    }
}
