//! 512 consecutive boards as one value, and the effect on them of moves that fill cells.

use super::bits::{Bits, WideBits, words};

/// The distance from boards to their successors, by which boards move down when each is replaced by its successor. It
/// consists of whole words, and of bits within each word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    /// Below 8.
    words: u8,
    /// Below 64.
    bits: u8,
}

impl Shift {
    /// The shift of a move that fills `low`, a set of the nine lowest cells that are all empty before.
    pub const fn of(low: u64) -> Self {
        Self { words: (low >> 6 & 7) as u8, bits: (low & 63) as u8 }
    }

    /// Whole words, below 8.
    #[inline(always)]
    pub const fn words(self) -> u8 {
        self.words
    }

    /// Bits within each word, below 64.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// The shift by whole words alone.
    #[inline(always)]
    pub const fn words_only(self) -> Self {
        Self { bits: 0, ..self }
    }

    /// The shift within each word alone.
    #[inline(always)]
    pub const fn bits_only(self) -> Self {
        Self { words: 0, ..self }
    }

    /// The cells that the move fills.
    pub const fn cells(self) -> u64 {
        (self.words as u64) << 6 | self.bits as u64
    }
}

/// One block: 512 positions as eight words, bit `x & 63` of word `x >> 6` being the position `x`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [u64; 8]);

impl Block {
    /// Every position.
    pub const ONES: Self = Self([u64::MAX; 8]);

    /// The positions of a block in which every cell of `empty` is empty and every cell of `full` filled.
    pub const fn of_cells(empty: u64, full: u64) -> Self {
        let mut words = [0; 8];
        let mut x = 0;
        while x < 512 {
            if x & empty == 0 && x & full == full {
                words[(x >> 6) as usize] |= 1 << (x & 63);
            }
            x += 1;
        }
        Self(words)
    }
}

/// 512 boards that differ in the nine lowest cells alone: bit `x & 63` of word `x >> 6` is the board with these cells
/// as `x`.
pub trait Boards: Bits<Words = [u64; 8]> {
    /// `true` if a sweep should unroll the blocks of a tile for each kind of move, so that the gathered moves stay in
    /// registers. Measured on tactics 5x6 against a loop: about 1.45 times as fast with AVX-512, 1.12 times with AVX2,
    /// 0.55 times in plain Rust.
    const UNROLLED: bool;

    /// As `UNROLLED`, for games that can be drawn, which gather twice as many values. AVX2 does not have enough
    /// registers for that, and a development build would take half as long again.
    const UNROLLED_DRAWS: bool;

    /// The boards in `block`.
    #[inline(always)]
    fn load_block(token: Self::Token, block: &Block) -> Self {
        Self::load(token, &block.0)
    }

    /// Writes the boards to `block`.
    #[inline(always)]
    fn store_block(self, block: &mut Block) {
        self.store(&mut block.0);
    }

    /// The boards in `block`, [`lowered`](Self::lowered).
    #[inline(always)]
    fn load_lowered(token: Self::Token, block: &Block, shift: Shift) -> Self {
        Self::load_block(token, block).lowered(shift)
    }

    /// Prefetches the memory at `at` into the core's second cache; it need not exist. The first cache holds the blocks
    /// that the current tile needs (measured on 2^35 boards: 12.8 against 8.9 G positions/s).
    #[inline(always)]
    fn prefetch<T>(at: *const T) {
        let _ = at;
    }

    /// The boards moved down: `x` is in the result if `x | shift` is in `self`, for each `x` that has none of the cells
    /// of `shift` filled. The result is unspecified for other `x`, which callers mask out.
    fn lowered(self, shift: Shift) -> Self;

    /// The boards moved up: `x` is in the result if `x` without the cells of `shift` is in `self`, for each `x` that
    /// has all of them filled. The result is unspecified for other `x`, which callers mask out.
    fn raised(self, shift: Shift) -> Self;

    /// The boards of `self`, and the boards of both `mask` and `other`.
    #[inline(always)]
    fn or_and(self, mask: Self, other: Self) -> Self {
        self.or(mask.and(other))
    }

    /// The boards of `self`, and the boards of `mask` that are not in `other`.
    #[inline(always)]
    fn or_without(self, mask: Self, other: Self) -> Self {
        self.or(mask.without(other))
    }

    /// `true` if both are equal.
    fn same(self, other: Self) -> bool;
}

impl Boards for WideBits {
    const UNROLLED: bool = false;
    const UNROLLED_DRAWS: bool = false;

    /// Blocks are aligned, which makes loads and stores faster on processors without AVX.
    #[inline(always)]
    fn load_block((): (), block: &Block) -> Self {
        Self(block.0)
    }

    #[inline(always)]
    fn store_block(self, block: &mut Block) {
        *block = Block(self.0);
    }

    #[inline(always)]
    fn load_lowered((): (), block: &Block, shift: Shift) -> Self {
        words!(i => block.0[(i | usize::from(shift.words())) & 7] >> shift.bits())
    }

    #[inline(always)]
    fn lowered(self, shift: Shift) -> Self {
        words!(i => self.0[(i | usize::from(shift.words())) & 7] >> shift.bits())
    }

    #[inline(always)]
    fn raised(self, shift: Shift) -> Self {
        words!(i => self.0[i & !usize::from(shift.words()) & 7] << shift.bits())
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        let Self(differ) = words!(i => self.0[i] ^ other.0[i]);
        differ[0] | differ[1] | differ[2] | differ[3] | differ[4] | differ[5] | differ[6] | differ[7] == 0
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    type Words = [u64; 8];

    /// Blocks that are unlike each other: none, all, the positions of each cell, single positions, and arbitrary ones.
    fn blocks() -> Vec<Words> {
        let single = |x: usize| {
            let mut words = [0; 8];
            words[x >> 6] = 1 << (x & 63);
            words
        };
        let filled = |cell: usize| {
            (0..512).filter(|x| x >> cell & 1 == 1).map(single).fold([0; 8], |a, b| each(&a, &b, |a, b| a | b))
        };
        let mut blocks = vec![[0; 8], [u64::MAX; 8]];
        blocks.extend((0..9).map(filled));
        blocks.extend([0, 63, 64, 255, 256, 511].map(single));
        let mut draw = fastrand::Rng::with_seed(0);
        blocks.extend((0..8).map(|_| std::array::from_fn(|_| draw.u64(..))));
        blocks
    }

    fn each(a: &Words, b: &Words, op: fn(u64, u64) -> u64) -> Words {
        std::array::from_fn(|i| op(a[i], b[i]))
    }

    fn block_of<V: Boards>(vector: V) -> Words {
        let mut block = [0; 8];
        vector.store(&mut block);
        let mut aligned = Block([0; 8]);
        vector.store_block(&mut aligned);
        assert_eq!(aligned.0, block);
        block
    }

    fn holds(block: &Words, x: usize) -> bool {
        block[x >> 6] >> (x & 63) & 1 == 1
    }

    /// Every shift of every block against the definition: `x` is in the result if `x | shift` was in the block, for each
    /// `x` with none of the cells of the shift filled; and the other way round.
    fn shifts_keep_to_the_definition<V: Boards>(token: V::Token) {
        for block in blocks() {
            for low in 0..512usize {
                let shift = Shift::of(low as u64);
                let loaded = block_of(V::load_lowered(token, &Block(block), shift));
                let lowered = block_of(V::of(token, &block).lowered(shift));
                let raised = block_of(V::of(token, &block).raised(shift));
                for x in (0..512).filter(|x| x & low == 0) {
                    assert_eq!(holds(&raised, x | low), holds(&block, x), "{low} {x} {block:?}");
                    assert_eq!(holds(&lowered, x), holds(&block, x | low), "{low} {x} {block:?}");
                    assert_eq!(holds(&loaded, x), holds(&block, x | low), "{low} {x} {block:?}");
                }
            }
        }
    }

    /// Every operation word by word against the operators of Rust, for all triples of the blocks.
    fn operations_keep_to_the_definition<V: Boards>(token: V::Token) {
        assert_eq!(block_of(V::none(token)), [0; 8]);
        let blocks = blocks();
        for a in &blocks {
            let va = V::of(token, a);
            assert_eq!(block_of(va), *a);
            assert_eq!(block_of(V::load(token, a)), *a);
            assert_eq!(block_of(V::load_block(token, &Block(*a))), *a);
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
    pub(crate) fn keeps_to_the_definition<V: Boards>(token: V::Token) {
        shifts_keep_to_the_definition::<V>(token);
        operations_keep_to_the_definition::<V>(token);
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<WideBits>(());
    }
}
