//! What the sweep needs of a machine: a block of colourings as one value, and the two ways in which a stone moves them.
//!
//! A stone on square c of colour v, with q occupied pairs below c, makes colouring z to the one that has v put in at place q.
//! [`closed`](Lanes::closed) reads the labels of all successors at once: of two blocks it keeps the colourings with v at q,
//! side by side. [`opened`](Lanes::opened) goes the other way: it gives each colouring the label of the one without place q.
//!
//! ```text
//! q = 1       successors   h g f e d c b a        colourings   d c b a
//! closed(v = 0)                . . f e . . b a    =            f e b a
//! opened                                                       d c d c b a b a
//! ```

use std::marker::PhantomData;

use crate::solve::dense::{Bits, Portable, words};

/// Calls a method with its place as a constant: `by_place!(place, P => …)`, for places inside a block of words or vectors.
macro_rules! by_place {
    ($place:expr, $p:ident => $do:expr) => {
        by_place!($place, $p => $do; 0 1 2 3 4 5 6 7)
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
pub(super) use by_place;

/// Some colourings of one set: `1 << LOG`, a bit each.
///
/// The methods that follow a pointer are not safe.
pub(super) trait Lanes: Bits {
    /// Places inside a block.
    const LOG: u32;
    /// Whether [`closed_at`](Self::closed_at) and [`opened_at`](Self::opened_at) take as long as with a place that is known
    /// when the program is compiled.
    const AT_ANY_PLACE: bool = false;
    /// A block of one word, for the same processor.
    type Word: Lanes<Token = Self::Token>;

    /// The colourings at `at`; it need not be aligned to more than a word.
    ///
    /// # Safety
    /// `at` points to the words of a block that are valid for reads and that no thread writes meanwhile.
    unsafe fn load(token: Self::Token, at: *const u64) -> Self;

    /// Writes the colourings to `at`.
    ///
    /// # Safety
    /// `at` points to the words of a block that are valid for writes and that no other thread touches meanwhile.
    unsafe fn store(self, at: *mut u64);

    /// Of this block and `next`, which follows it, the colourings with the second colour at place `P` if `second` is set,
    /// else with the first: their labels side by side. `P` is less than `LOG`.
    fn closed<const P: u32>(self, next: Self, second: bool) -> Self;

    /// For each colouring of a block, or of the one after it if `upper` is set, the label of the colouring without place
    /// `P`, which is in this block.
    fn opened<const P: u32>(self, upper: bool) -> Self;

    /// [`closed`](Self::closed) at `place`.
    #[inline(always)]
    fn closed_at(self, next: Self, place: u32, second: bool) -> Self {
        by_place!(place, P => self.closed::<P>(next, second))
    }

    /// [`opened`](Self::opened) at `place`.
    #[inline(always)]
    fn opened_at(self, place: u32, upper: bool) -> Self {
        by_place!(place, P => self.opened::<P>(upper))
    }
}

/// The steps by which every second bit, every second pair of bits … of a word are brought together.
pub(super) const TOGETHER: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The 32 bits of `word` whose bit `P` of the number is `second`.
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

/// The lowest 32 bits of `word`, each twice: `1 << P` places apart.
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

/// A word: for sets with few colourings. `T` is the token.
#[derive(Clone, Copy)]
pub(super) struct Word<T>(pub(super) u64, PhantomData<T>);

impl<T> Word<T> {
    #[inline(always)]
    pub(super) const fn of(word: u64) -> Self {
        Self(word, PhantomData)
    }
}

impl<T: Copy> Bits for Word<T> {
    type Token = T;

    #[inline(always)]
    fn none(_: T) -> Self {
        Self::of(0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::of(self.0 | other.0)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::of(self.0 & other.0)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self::of(self.0 & !other.0)
    }
}

/// How a stone moves a word, with the instructions that a token stands for: by shifts and masks, if no better ones.
pub(super) trait WordMoves: Copy {
    /// [`Lanes::AT_ANY_PLACE`].
    const AT_ANY_PLACE: bool = false;

    /// [`Lanes::closed_at`].
    #[inline(always)]
    fn closed(word: u64, next: u64, place: u32, second: bool) -> u64 {
        by_place!(place, P => half::<P>(word, second) | half::<P>(next, second) << 32)
    }

    /// [`Lanes::opened_at`].
    #[inline(always)]
    fn opened(word: u64, place: u32, upper: bool) -> u64 {
        by_place!(place, P => twice::<P>(word >> (u32::from(upper) * 32)))
    }
}

impl WordMoves for () {}

impl<T: WordMoves> Lanes for Word<T> {
    const LOG: u32 = 6;
    const AT_ANY_PLACE: bool = T::AT_ANY_PLACE;
    type Word = Self;

    #[inline(always)]
    unsafe fn load(_: T, at: *const u64) -> Self {
        // SAFETY: the caller promises a word that can be read.
        Self::of(unsafe { *at })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u64) {
        // SAFETY: the caller promises a word that can be written.
        unsafe { *at = self.0 }
    }

    #[inline(always)]
    fn closed<const P: u32>(self, next: Self, second: bool) -> Self {
        self.closed_at(next, P, second)
    }

    #[inline(always)]
    fn opened<const P: u32>(self, upper: bool) -> Self {
        self.opened_at(P, upper)
    }

    #[inline(always)]
    fn closed_at(self, next: Self, place: u32, second: bool) -> Self {
        Self::of(T::closed(self.0, next.0, place, second))
    }

    #[inline(always)]
    fn opened_at(self, place: u32, upper: bool) -> Self {
        Self::of(T::opened(self.0, place, upper))
    }
}

impl Lanes for Portable {
    const LOG: u32 = 9;
    type Word = Word<()>;

    #[inline(always)]
    unsafe fn load((): (), at: *const u64) -> Self {
        // SAFETY: the caller promises eight words that can be read.
        Self(unsafe { *at.cast() })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u64) {
        // SAFETY: the caller promises eight words that can be written.
        unsafe { *at.cast() = self.0 }
    }

    #[inline(always)]
    fn closed<const P: u32>(self, next: Self, second: bool) -> Self {
        let mut both = [0; 16];
        both[..8].copy_from_slice(&self.0);
        both[8..].copy_from_slice(&next.0);
        if P < 6 {
            words!(i => half::<P>(both[2 * i], second) | half::<P>(both[2 * i + 1], second) << 32)
        } else {
            words!(i => both[put_in(i, P.saturating_sub(6), second)])
        }
    }

    #[inline(always)]
    fn opened<const P: u32>(self, upper: bool) -> Self {
        let first = usize::from(upper) * 8;
        if P < 6 {
            words!(i => twice::<P>(self.0[(first + i) / 2] >> (32 * (i % 2))))
        } else {
            words!(i => self.0[left_out(first + i, P.saturating_sub(6))])
        }
    }
}

/// `number` with a bit put in at `place`: what was there and above moves up.
#[inline(always)]
pub(super) const fn put_in(number: usize, place: u32, bit: bool) -> usize {
    let below = number & ((1 << place) - 1);
    (number >> place << 1 | bit as usize) << place | below
}

/// `number` without the bit at `place`: what was above moves down.
#[inline(always)]
pub(super) const fn left_out(number: usize, place: u32) -> usize {
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

    fn closes<L: Lanes, const P: u32>(token: L::Token, from: &Words) {
        let block = 1usize << (L::LOG - 6);
        for second in [false, true] {
            // SAFETY: references to words of this function's own.
            let closed = unsafe {
                let (here, next) = (L::load(token, from.as_ptr()), L::load(token, from[block..].as_ptr()));
                let mut closed = [0; 8];
                here.closed::<P>(next, second).store(closed.as_mut_ptr());
                let mut again = [0; 8];
                here.closed_at(next, P, second).store(again.as_mut_ptr());
                assert_eq!(closed, again);
                closed
            };
            for z in 0..1 << L::LOG {
                assert_eq!(bit(&closed, z), bit(from, put_in(z, P, second)), "closed {P} {second} {z}");
            }
        }
        for upper in [false, true] {
            // SAFETY: as above.
            let opened = unsafe {
                let mut opened = [0; 8];
                let block = L::load(token, from.as_ptr());
                block.opened::<P>(upper).store(opened.as_mut_ptr());
                let mut again = [0; 8];
                block.opened_at(P, upper).store(again.as_mut_ptr());
                assert_eq!(opened, again);
                opened
            };
            for z in 0..1usize << L::LOG {
                let place = usize::from(upper) << L::LOG | z;
                assert_eq!(bit(&opened, z), bit(from, left_out(place, P)), "opened {P} {upper} {z}");
            }
        }
    }

    fn operations<L: Lanes>(token: L::Token, a: &Words, b: &Words) {
        let words = 1usize << (L::LOG - 6);
        let each = |found: L, op: fn(u64, u64) -> u64| {
            let mut stored = [0; 8];
            // SAFETY: a reference to words of this function's own.
            unsafe { found.store(stored.as_mut_ptr()) };
            (0..words).for_each(|i| assert_eq!(stored[i], op(a[i], b[i])));
        };
        // SAFETY: references to words that nobody writes.
        let (va, vb) = unsafe { (L::load(token, a.as_ptr()), L::load(token, b.as_ptr())) };
        each(va.or(vb), |a, b| a | b);
        each(va.and(vb), |a, b| a & b);
        each(va.without(vb), |a, b| a & !b);
        each(L::none(token), |_, _| 0);
    }

    /// Checks each method against its definition.
    pub(in super::super) fn keeps_to_the_definition<L: Lanes>(token: L::Token) {
        let mut draw = fastrand::Rng::with_seed(3);
        let mut samples: Vec<Words> = (0..8).map(|_| std::array::from_fn(|_| draw.u64(..))).collect();
        samples.push([0; 16]);
        samples.push([u64::MAX; 16]);
        for sample in &samples {
            for place in 0..L::LOG {
                by_place!(place, P => closes::<L, P>(token, sample));
            }
            samples.iter().for_each(|other| operations::<L>(token, sample, other));
        }
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<Word<()>>(());
        keeps_to_the_definition::<Portable>(());
    }

    #[test]
    fn a_bit_is_put_in_and_left_out() {
        assert_eq!(put_in(0b1011, 2, true), 0b10111);
        assert_eq!(put_in(0b1011, 0, false), 0b10110);
        for number in 0..64 {
            for place in 0..7 {
                assert_eq!(left_out(put_in(number, place, number % 3 == 0), place), number);
            }
        }
    }
}
