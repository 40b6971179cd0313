//! Positions as bits side by side, and the set operations on them.

/// Some positions, a bit each.
///
/// A value carries the token that it was made with, so that its methods may use the instructions of its type.
pub trait Bits: Copy {
    /// Proof that the processor has the instructions. It takes no memory.
    type Token: Copy;

    /// A value in memory.
    type Words;

    /// No position.
    fn none(token: Self::Token) -> Self;

    /// The first of the positions in `words`, as many as a value has.
    fn of(token: Self::Token, words: &[u64; 8]) -> Self;

    /// The positions in `words`.
    fn load(token: Self::Token, words: &Self::Words) -> Self;

    /// Writes the positions to `words`.
    fn store(self, words: &mut Self::Words);

    /// The positions of either.
    fn or(self, other: Self) -> Self;

    /// The positions of both.
    fn and(self, other: Self) -> Self;

    /// The positions that are not in `other`.
    fn without(self, other: Self) -> Self;
}

/// Eight words in plain Rust, for every machine. The compiler uses the vector instructions that every such machine has.
#[derive(Clone, Copy)]
pub struct WideBits(pub(super) [u64; 8]);

/// The [`WideBits`] whose words an expression gives for each number. It is unrolled: the compiler takes minutes to
/// unroll a loop in each of the hundreds of places that this is inlined into, and a closure might not be inlined.
macro_rules! words {
    ($i:ident => $word:expr) => {
        words!($i => $word; 0 1 2 3 4 5 6 7)
    };
    ($i:ident => $word:expr; $($number:literal)*) => {
        $crate::WideBits([$({
            let $i: usize = $number;
            $word
        }),*])
    };
}
pub(super) use words;

impl Bits for WideBits {
    type Token = ();
    type Words = [u64; 8];

    #[inline(always)]
    fn none((): ()) -> Self {
        Self([0; 8])
    }

    #[inline(always)]
    fn of((): (), words: &[u64; 8]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn load((): (), words: &[u64; 8]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        *words = self.0;
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        words!(i => self.0[i] | other.0[i])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        words!(i => self.0[i] & other.0[i])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        words!(i => self.0[i] & !other.0[i])
    }
}
