//! Colourings of an occupied set as one value, and the effect on them of a piece on another square.
//!
//! A piece of colour v on square c, with q two-colour squares below c occupied, takes colouring z to z with bit v
//! inserted at place q. [`compress`](Colourings::compress) reads the labels of all successors at once: of two blocks it
//! keeps the colourings with v at place q, side by side. [`expand`](Colourings::expand) goes the other way: it gives
//! each colouring the label of the colouring without place q.
//!
//! ```text
//! q = 1       successors   h g f e d c b a        colourings   d c b a
//! compress(v = 0)              . . f e . . b a    =            f e b a
//! expand                                                       d c d c b a b a
//! ```

use super::bits::{Bits, WideBits, words};

/// Evaluates an expression with a place inside a block as a constant: `by_place!(place, P => …)`.
#[macro_export]
macro_rules! by_place {
    ($place:expr, $p:ident => $do:expr) => {
        $crate::by_place!($place, $p => $do; 0 1 2 3 4 5 6 7)
    };
    ($place:expr, $p:ident => $do:expr; $($number:literal)*) => {
        match $place {
            $($number => {
                const $p: u32 = $number;
                $do
            })*
            _ => {
                const $p: u32 = 8;
                $do
            }
        }
    };
}

/// Some colourings of one occupied set: `1 << LOG`, a bit each.
pub trait Colourings: Bits {
    /// Places inside a block.
    const LOG: u32;
    /// `true` if [`compress_at`](Self::compress_at) and [`expand_at`](Self::expand_at) take as long as with a place that
    /// is known when the program is compiled.
    const AT_ANY_PLACE: bool = false;
    /// A block of one word, for the same processor.
    type Word: Colourings<Token = Self::Token>;

    /// The labels of those colourings of this block and of `next`, which follows it, that have bit `second` at place `P`,
    /// side by side. `P` is less than `LOG`.
    fn compress<const P: u32>(self, next: Self, second: bool) -> Self;

    /// For each colouring of a block, or of the block after it if `upper` is set, the label of the colouring without place
    /// `P`, which is in this block.
    fn expand<const P: u32>(self, upper: bool) -> Self;

    /// [`compress`](Self::compress) at `place`.
    #[inline(always)]
    fn compress_at(self, next: Self, place: u32, second: bool) -> Self {
        by_place!(place, P => self.compress::<P>(next, second))
    }

    /// [`expand`](Self::expand) at `place`.
    #[inline(always)]
    fn expand_at(self, place: u32, upper: bool) -> Self {
        by_place!(place, P => self.expand::<P>(upper))
    }
}

/// The masks of the steps that bring every second bit, every second pair of bits and so on together.
pub(super) const TOGETHER: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The 32 bits of `word` whose number has bit `second` at place `P`, brought together.
#[inline(always)]
const fn half<const P: u32>(word: u64, second: bool) -> u64 {
    let mut kept = word >> ((second as u32) << P) & TOGETHER[P as usize];
    let mut step = P;
    while step < 5 {
        kept = (kept | kept >> (1 << step)) & TOGETHER[step as usize + 1];
        step += 1;
    }
    kept
}

/// The lowest 32 bits of `word`, each of them twice, `1 << P` places apart.
#[inline(always)]
const fn twice<const P: u32>(word: u64) -> u64 {
    let mut spread = word & TOGETHER[5];
    let mut step = 5;
    while step > P {
        step -= 1;
        spread = (spread | spread << (1 << step)) & TOGETHER[step as usize];
    }
    spread | spread << (1 << P)
}

/// One word, for occupied sets with few colourings; and the token that it was made with.
#[derive(Clone, Copy)]
pub struct Word<T>(u64, T);

impl<T: Copy> Bits for Word<T> {
    type Token = T;
    type Words = u64;

    #[inline(always)]
    fn none(token: T) -> Self {
        Self(0, token)
    }

    #[inline(always)]
    fn of(token: T, words: &[u64; 8]) -> Self {
        Self(words[0], token)
    }

    #[inline(always)]
    fn load(token: T, word: &u64) -> Self {
        Self(*word, token)
    }

    #[inline(always)]
    fn store(self, word: &mut u64) {
        *word = self.0;
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0, self.1)
    }
}

/// How a token compresses and expands one word: by shifts and masks, unless its instructions do better.
pub(super) trait WordMoves: Copy {
    /// [`Colourings::AT_ANY_PLACE`].
    const AT_ANY_PLACE: bool = false;

    /// [`Colourings::compress_at`].
    #[inline(always)]
    fn compress(self, word: u64, next: u64, place: u32, second: bool) -> u64 {
        by_place!(place, P => half::<P>(word, second) | half::<P>(next, second) << 32)
    }

    /// [`Colourings::expand_at`].
    #[inline(always)]
    fn expand(self, word: u64, place: u32, upper: bool) -> u64 {
        by_place!(place, P => twice::<P>(word >> (u32::from(upper) * 32)))
    }
}

impl WordMoves for () {}

impl<T: WordMoves> Colourings for Word<T> {
    const LOG: u32 = 6;
    const AT_ANY_PLACE: bool = T::AT_ANY_PLACE;
    type Word = Self;

    #[inline(always)]
    fn compress<const P: u32>(self, next: Self, second: bool) -> Self {
        self.compress_at(next, P, second)
    }

    #[inline(always)]
    fn expand<const P: u32>(self, upper: bool) -> Self {
        self.expand_at(P, upper)
    }

    #[inline(always)]
    fn compress_at(self, next: Self, place: u32, second: bool) -> Self {
        Self(self.1.compress(self.0, next.0, place, second), self.1)
    }

    #[inline(always)]
    fn expand_at(self, place: u32, upper: bool) -> Self {
        Self(self.1.expand(self.0, place, upper), self.1)
    }
}

impl Colourings for WideBits {
    const LOG: u32 = 9;
    type Word = Word<()>;

    #[inline(always)]
    fn compress<const P: u32>(self, next: Self, second: bool) -> Self {
        let mut both = [0; 16];
        both[..8].copy_from_slice(&self.0);
        both[8..].copy_from_slice(&next.0);
        if P < 6 {
            words!(i => half::<P>(both[2 * i], second) | half::<P>(both[2 * i + 1], second) << 32)
        } else {
            words!(i => both[insert_bit(i, P.saturating_sub(6), second)])
        }
    }

    #[inline(always)]
    fn expand<const P: u32>(self, upper: bool) -> Self {
        let first = usize::from(upper) * 8;
        if P < 6 {
            words!(i => twice::<P>(self.0[(first + i) / 2] >> (32 * (i % 2))))
        } else {
            words!(i => self.0[remove_bit(first + i, P.saturating_sub(6))])
        }
    }
}

/// `number` with `bit` inserted at `place`. Higher bits move up.
#[inline(always)]
pub const fn insert_bit(number: usize, place: u32, bit: bool) -> usize {
    let below = number & ((1 << place) - 1);
    (number >> place << 1 | bit as usize) << place | below
}

/// `number` without the bit at `place`. Higher bits move down.
#[inline(always)]
pub const fn remove_bit(number: usize, place: u32) -> usize {
    let below = number & ((1 << place) - 1);
    number >> (place + 1) << place | below
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    type Words = [u64; 16];

    fn bit(words: &[u64], x: usize) -> bool {
        words[x >> 6] >> (x & 63) & 1 == 1
    }

    fn words_of<L: Colourings<Words: Array>>(block: L) -> Words {
        let mut words = L::Words::zero();
        block.store(&mut words);
        words.words()
    }

    /// The words of one block or of another.
    pub(crate) trait Array: Copy {
        fn zero() -> Self;
        fn of(words: &[u64]) -> Self;
        fn words(self) -> Words;
    }

    impl Array for u64 {
        fn zero() -> Self {
            0
        }

        fn of(words: &[u64]) -> Self {
            words[0]
        }

        fn words(self) -> Words {
            <[u64; 8]>::of(&[self, 0, 0, 0, 0, 0, 0, 0]).words()
        }
    }

    impl Array for [u64; 8] {
        fn zero() -> Self {
            [0; 8]
        }

        fn of(words: &[u64]) -> Self {
            *words.first_chunk().unwrap()
        }

        fn words(self) -> Words {
            std::array::from_fn(|word| self.get(word).copied().unwrap_or(0))
        }
    }

    fn moves<L: Colourings<Words: Array>, const P: u32>(token: L::Token, from: &Words) {
        let block = 1usize << (L::LOG - 6);
        let here = L::load(token, &Array::of(from));
        let next = L::load(token, &Array::of(&from[block..]));
        for second in [false, true] {
            let compressed = words_of(here.compress::<P>(next, second));
            assert_eq!(compressed, words_of(here.compress_at(next, P, second)));
            for z in 0..1 << L::LOG {
                assert_eq!(bit(&compressed, z), bit(from, insert_bit(z, P, second)), "compressed {P} {second} {z}");
            }
        }
        for upper in [false, true] {
            let expanded = words_of(here.expand::<P>(upper));
            assert_eq!(expanded, words_of(here.expand_at(P, upper)));
            for z in 0..1usize << L::LOG {
                let place = usize::from(upper) << L::LOG | z;
                assert_eq!(bit(&expanded, z), bit(from, remove_bit(place, P)), "expanded {P} {upper} {z}");
            }
        }
    }

    fn operations<L: Colourings<Words: Array>>(token: L::Token, a: &Words, b: &Words) {
        let words = 1usize << (L::LOG - 6);
        let each = |found: L, op: fn(u64, u64) -> u64| {
            let stored = words_of(found);
            (0..words).for_each(|i| assert_eq!(stored[i], op(a[i], b[i])));
        };
        let (va, vb) = (L::load(token, &Array::of(a)), L::of(token, b.first_chunk().unwrap()));
        each(va.or(vb), |a, b| a | b);
        each(va.and(vb), |a, b| a & b);
        each(va.without(vb), |a, b| a & !b);
        each(L::none(token), |_, _| 0);
    }

    /// Checks each method against its definition.
    pub(crate) fn keeps_to_the_definition<L: Colourings<Words: Array>>(token: L::Token) {
        let mut draw = fastrand::Rng::with_seed(3);
        let mut samples: Vec<Words> = (0..8).map(|_| std::array::from_fn(|_| draw.u64(..))).collect();
        samples.push([0; 16]);
        samples.push([u64::MAX; 16]);
        for sample in &samples {
            for place in 0..L::LOG {
                by_place!(place, P => moves::<L, P>(token, sample));
            }
            samples.iter().for_each(|other| operations::<L>(token, sample, other));
        }
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<Word<()>>(());
        keeps_to_the_definition::<WideBits>(());
    }

    #[test]
    fn bits_are_inserted_and_removed() {
        assert_eq!(insert_bit(0b1011, 2, true), 0b10111);
        assert_eq!(insert_bit(0b1011, 0, false), 0b10110);
        for number in 0..64 {
            for place in 0..7 {
                assert_eq!(remove_bit(insert_bit(number, place, number % 3 == 0), place), number);
            }
        }
    }
}
