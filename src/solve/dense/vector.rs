//! What the kernel needs of a machine: 512 positions as one value, in plain Rust and on the vector units of x86-64.
//!
//! Every method is `unsafe` for one reason: the processor must have the instructions of the implementation, which
//! [`Kernel`](super::Kernel) makes sure of before it calls the kernel. `load`, `load_moved` and `store` also need a
//! valid pointer.

use super::plan::Block;

/// 512 positions.
pub(super) trait Vector: Copy {
    /// The block at `at`.
    ///
    /// # Safety
    /// The processor has the vector's instructions; `at` is aligned, initialised and not written to meanwhile.
    unsafe fn load(at: *const Block) -> Self;

    /// The block at `at` moved down: bit `x` is the block's bit `x | words << 6 | bits`, wherever `x` has none of those
    /// bits. What it is elsewhere is not said, and callers mask it out.
    ///
    /// # Safety
    /// As [`load`](Self::load); `words` is below 8 and `bits` below 64.
    unsafe fn load_moved(at: *const Block, words: u8, bits: u8) -> Self;

    /// As [`load_moved`](Self::load_moved), of a value.
    ///
    /// # Safety
    /// The processor has the vector's instructions; `words` is below 8 and `bits` below 64.
    unsafe fn moved(self, words: u8, bits: u8) -> Self;

    /// The block at `at` with each word moved down by `bits`.
    ///
    /// # Safety
    /// As [`load`](Self::load); `bits` is below 64.
    unsafe fn load_shifted(at: *const Block, bits: u8) -> Self;

    /// Writes the block at `at`.
    ///
    /// # Safety
    /// As [`load`](Self::load), and nobody else reads or writes the block meanwhile.
    unsafe fn store(self, at: *mut Block);

    /// Asks for the block at `at` to be brought into the core's second cache; it need not exist. Into the first would be
    /// too near: what the current tile needs lies there (measured on 2^35 boards: 12.8 against 8.9 G positions/s).
    #[inline(always)]
    fn prefetch(at: *const Block) {
        let _ = at;
    }

    /// No position.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn none() -> Self;

    /// Those of either.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn or(self, other: Self) -> Self;

    /// Those of both.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn and(self, other: Self) -> Self;

    /// Those that are not in `other`.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn without(self, other: Self) -> Self;

    /// `self`, and those of `mask` that are in `other`.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn or_and(self, mask: Self, other: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { self.or(mask.and(other)) }
    }

    /// `self`, and those of `mask` that are not in `other`.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn or_without(self, mask: Self, other: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { self.or(mask.without(other)) }
    }

    /// Whether both are the same.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn same(self, other: Self) -> bool;
}

/// Eight words in plain Rust, for every machine; the compiler uses what vector unit the target is sure to have.
#[derive(Clone, Copy)]
pub(super) struct Portable([u64; 8]);

/// The eight words that an expression gives for each number. FileGame out: a closure would be called for each.
macro_rules! words {
    ($i:ident => $word:expr) => {{
        let mut words = [0; 8];
        let mut $i = 0;
        while $i < 8 {
            words[$i] = $word;
            $i += 1;
        }
        Self(words)
    }};
}

impl Vector for Portable {
    #[inline(always)]
    unsafe fn load(at: *const Block) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { *at }.0)
    }

    #[inline(always)]
    unsafe fn load_moved(at: *const Block, words: u8, bits: u8) -> Self {
        // SAFETY: the caller's.
        let block = unsafe { &*at };
        words!(i => block.0[(i | usize::from(words)) & 7] >> bits)
    }

    #[inline(always)]
    unsafe fn moved(self, words: u8, bits: u8) -> Self {
        words!(i => self.0[(i | usize::from(words)) & 7] >> bits)
    }

    #[inline(always)]
    unsafe fn load_shifted(at: *const Block, bits: u8) -> Self {
        // SAFETY: the caller's.
        let block = unsafe { &*at };
        words!(i => block.0[i] >> bits)
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Block) {
        // SAFETY: the caller's.
        unsafe { *at = Block(self.0) }
    }

    #[inline(always)]
    unsafe fn none() -> Self {
        Self([0; 8])
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        words!(i => self.0[i] | other.0[i])
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        words!(i => self.0[i] & other.0[i])
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        words!(i => self.0[i] & !other.0[i])
    }

    #[inline(always)]
    unsafe fn same(self, other: Self) -> bool {
        let (mut differ, mut i) = (0, 0);
        while i < 8 {
            differ |= self.0[i] ^ other.0[i];
            i += 1;
        }
        differ == 0
    }
}
