//! 64 positions of a line as one value, a code each: of a byte, or of two.

use super::lane::Lane;
use super::line::{LANES, LINE, LaneMove, Line};

/// 64 codes, one for each position of a line.
///
/// A value carries the token that it was made with, so that its methods may use the instructions of its type.
pub trait Vector: Copy {
    /// A code.
    type Lane: Lane;

    /// Proof that the processor has the instructions. It takes no memory.
    type Token: Copy;

    /// A move made ready, to be applied to many lines.
    type Step<'a>: Copy;

    /// The choice of every second run of lanes, made ready to be applied to many lines.
    type Halving: Copy;

    /// The number of vectors for each of eight lines that the registers hold. If that is enough for a label, a sweep
    /// unrolls the lines of a block for each kind of move. Plain Rust would not gain, and would take minutes to
    /// compile.
    const HELD: usize;

    /// `code` in every lane.
    fn splat(token: Self::Token, code: Self::Lane) -> Self;

    /// The codes of `line`.
    fn load(token: Self::Token, line: &Line<Self::Lane>) -> Self;

    /// The greatest code in the lanes whose bit in `lanes` is set, 0 in the others.
    fn of_lanes(token: Self::Token, lanes: u64) -> Self;

    /// Prepares the choice of the lanes of two lines whose number has bit `second` at place `place`, which is below 6.
    fn halving(token: Self::Token, place: u32, second: bool) -> Self::Halving;

    /// The codes of these lanes of `here` and `next`, brought together.
    fn halved(token: Self::Token, here: &Line<Self::Lane>, next: &Line<Self::Lane>, halving: Self::Halving) -> Self;

    /// Writes the codes to `line`.
    fn store(self, line: &mut Line<Self::Lane>);

    /// Prefetches the line at `at`; it need not exist.
    #[inline(always)]
    fn prefetch(at: *const Line<Self::Lane>) {
        let _ = at;
    }

    /// Prepares a move. `illegal` is the code for the lanes without it.
    fn step(token: Self::Token, m: &LaneMove<Self::Lane>, illegal: Self::Lane) -> Self::Step<'_>;

    /// The code of each lane's successor, from `line`; the step's illegal code in the lanes without the move.
    fn load_moved(token: Self::Token, line: &Line<Self::Lane>, step: Self::Step<'_>) -> Self;

    /// For each lane without `CELL`, the code of the lane with `CELL` filled; `illegal` in the other lanes.
    fn filled<const CELL: u32>(self, illegal: Self) -> Self;

    /// The greater code in each lane.
    fn max(self, other: Self) -> Self;

    /// The bits of either.
    fn or(self, other: Self) -> Self;

    /// The bits of both.
    fn and(self, other: Self) -> Self;

    /// The bits of one of the two.
    fn xor(self, other: Self) -> Self;

    /// Sums modulo 2 to the number of bits of a code.
    fn add(self, other: Self) -> Self;

    /// Differences, 0 in the lanes in which `other` is greater.
    fn minus(self, other: Self) -> Self;

    /// The greatest code in the lanes in which both are equal, 0 in the others.
    fn equals(self, other: Self) -> Self;

    /// `other` in the lanes in which `mask` is the greatest code, `self` in those in which it is 0.
    fn replaced(self, mask: Self, other: Self) -> Self;

    /// The lanes whose code is greater than `limit`, a bit each.
    fn above(self, limit: Self::Lane) -> u64;

    /// `true` if both are the same in every lane.
    fn same(self, other: Self) -> bool;
}

/// 64 codes in plain Rust, for every machine. The compiler uses the vector instructions that every such machine has.
/// Methods of many instructions are not inlined, which would take minutes to compile.
#[derive(Clone, Copy)]
pub struct Plain<T>(pub(super) Line<T>);

impl<T: Lane> Plain<T> {
    #[inline(always)]
    pub(super) fn each(self, other: Self, op: impl Fn(T, T) -> T) -> Self {
        let mut codes = [T::ZERO; LANES];
        for (code, (&a, &b)) in codes.iter_mut().zip(self.0.0.iter().zip(&other.0.0)) {
            *code = op(a, b);
        }
        Self(Line(codes))
    }

    #[inline(always)]
    pub(super) fn map(self, op: impl Fn(T) -> T) -> Self {
        self.each(self, |code, _| op(code))
    }

    /// The lanes of a word, as a power of two: cells below this number choose a lane in a word, the others a word.
    const WORD: u32 = T::FILLED.len() as u32;
}

/// Methods that do one operation lane by lane.
macro_rules! each_lane {
    ($($method:ident = $op:expr;)*) => {
        $(
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.each(other, $op)
            }
        )*
    };
}

pub(super) use each_lane;

/// Keeps the second or the first of every two runs of 2^`P` codes.
#[inline(always)]
fn runs<T: Lane, const P: u32>(Line(from): &Line<T>, second: bool, to: &mut [T]) {
    let run = 1usize << P;
    for (to, from) in to.chunks_exact_mut(run).zip(from.chunks_exact(2 * run)) {
        to.copy_from_slice(if second { &from[run..] } else { &from[..run] });
    }
}

impl<T: Lane> Vector for Plain<T> {
    type Lane = T;
    type Token = ();
    type Step<'a> = &'a LaneMove<T>;
    type Halving = (u32, bool);
    const HELD: usize = 0;

    #[inline(always)]
    fn splat((): (), code: T) -> Self {
        Self(Line([code; LANES]))
    }

    #[inline(always)]
    fn load((): (), line: &Line<T>) -> Self {
        Self(*line)
    }

    #[inline(always)]
    fn of_lanes((): (), lanes: u64) -> Self {
        Self(Line::of_lanes(lanes, T::MAX))
    }

    #[inline(always)]
    fn halving((): (), place: u32, second: bool) -> (u32, bool) {
        (place, second)
    }

    #[inline(never)]
    fn halved((): (), here: &Line<T>, next: &Line<T>, (place, second): (u32, bool)) -> Self {
        let mut codes = [T::ZERO; LANES];
        for (from, to) in [here, next].into_iter().zip(codes.chunks_exact_mut(LANES / 2)) {
            match place {
                0 => runs::<T, 0>(from, second, to),
                1 => runs::<T, 1>(from, second, to),
                2 => runs::<T, 2>(from, second, to),
                3 => runs::<T, 3>(from, second, to),
                4 => runs::<T, 4>(from, second, to),
                _ => runs::<T, 5>(from, second, to),
            }
        }
        Self(Line(codes))
    }

    #[inline(always)]
    fn store(self, line: &mut Line<T>) {
        *line = self.0;
    }

    #[inline(always)]
    fn step((): (), m: &LaneMove<T>, _: T) -> &LaneMove<T> {
        m
    }

    #[inline(never)]
    fn load_moved((): (), Line(codes): &Line<T>, m: &LaneMove<T>) -> Self {
        let words = T::words(codes);
        let (mut moved, from) = (words, words.as_ref());
        let upper = usize::from(m.up) >> Self::WORD;
        for (number, to) in moved.as_mut().iter_mut().enumerate() {
            let mut lanes = from[(number | upper) % from.len()];
            for (cell, filled) in T::FILLED.iter().enumerate() {
                if m.up >> cell & 1 == 1 {
                    lanes = lanes & filled | (lanes & filled) >> (T::BITS << cell);
                }
            }
            *to = lanes;
        }
        Self(Line(T::of_words(moved))).or(Self(m.illegal))
    }

    #[inline(never)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        let (from, mut words) = (T::words(&self.0.0), T::words(&illegal.0.0));
        let from = from.as_ref();
        for (number, to) in words.as_mut().iter_mut().enumerate() {
            if let Some(filled) = T::FILLED.get(CELL as usize) {
                *to = *to & filled | (from[number] & filled) >> (T::BITS << CELL);
            } else if number >> (CELL - Self::WORD) & 1 == 0 {
                *to = from[number | 1 << (CELL - Self::WORD)];
            }
        }
        Self(Line(T::of_words(words)))
    }

    each_lane! {
        max = Ord::max;
        or = |a, b| a | b;
        and = |a, b| a & b;
        xor = |a, b| a ^ b;
        add = T::plus;
        minus = T::less;
        equals = |a, b| if a == b { T::MAX } else { T::ZERO };
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        self.and(mask.map(|code| !code)).or(other.and(mask))
    }

    #[inline(always)]
    fn above(self, limit: T) -> u64 {
        T::above(&self.0.0, limit)
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// Runs `$run` for each of the `LINE` cells, with `$cell` as a constant.
#[macro_export]
macro_rules! each_cell {
    ($cell:ident => $run:expr) => {
        $crate::each_cell!($cell => $run; 5 4 3 2 1 0)
    };
    ($cell:ident => $run:expr; $($number:literal)*) => {
        $({
            const $cell: u32 = $number;
            $run
        })*
    };
}

const _: () = assert!(LINE == 6, "each_cell! has six cells");

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Lines that are unlike each other: codes in order, their complements, one code throughout, and arbitrary ones.
    pub(crate) fn all_lines<T: Lane>() -> Vec<Line<T>> {
        let line = |code: &mut dyn FnMut(usize) -> u16| Line(std::array::from_fn(|lane| T::of(code(lane))));
        let mut lines: Vec<Line<T>> = (0..4)
            .map(|part| line(&mut |lane| (64 * part + lane) as u16 * if part % 2 == 0 { 1 } else { 257 }))
            .collect();
        lines.extend([0, 1, 127, 128, 255, 32_767, 32_768, 65_535].map(|code| line(&mut |_| code)));
        let mut draw = fastrand::Rng::with_seed(64);
        lines.extend((0..12).map(|_| line(&mut |_| draw.u16(..))));
        lines
    }

    pub(crate) fn line_of<V: Vector>(vector: V) -> Line<V::Lane> {
        let mut line = Line([V::Lane::ZERO; LANES]);
        vector.store(&mut line);
        line
    }

    /// Every set of cells that a move fills, with moves that need some of them empty, or others filled.
    fn moves_keep_to_the_definition<V: Vector>(token: V::Token) {
        for line in all_lines() {
            for (up, empty, full) in
                (0..64).flat_map(|up| [(up, up, 0), (up, up & 21, 0), (up, 0, 0), (up, up, 63 & !up)])
            {
                for illegal in [V::Lane::of(1 << (V::Lane::BITS - 1)), V::Lane::MAX] {
                    let m = LaneMove::new(empty, full, up, illegal);
                    let moved = line_of(V::load_moved(token, &line, V::step(token, &m, illegal)));
                    for lane in 0..LANES {
                        let is_legal = lane as u64 & empty == 0 && lane as u64 & full == full;
                        let found = moved.0[lane];
                        // A code with its top bit set is no label that an illegal move could be taken for.
                        let expected = if is_legal { line.0[lane | up as usize] } else { found | illegal };
                        assert_eq!(found, expected, "lane {lane} of {line:?} by {m:?}");
                    }
                }
            }
            each_cell!(CELL => {
                let filled = line_of(V::load(token, &line).filled::<CELL>(V::splat(token, V::Lane::MAX)));
                for lane in 0..LANES {
                    let expected = if lane >> CELL & 1 == 0 { line.0[lane | 1 << CELL] } else { V::Lane::MAX };
                    assert_eq!(filled.0[lane], expected, "{CELL} {lane} {line:?}");
                }
            });
        }
    }

    /// Every choice of half the lanes of two lines, and masks of lanes.
    fn lanes_keep_to_the_definition<V: Vector>(token: V::Token) {
        let lines = all_lines();
        let mut draw = fastrand::Rng::with_seed(65);
        for (here, next) in lines.iter().zip(lines.iter().rev()) {
            let both = [here.0, next.0].concat();
            for (place, second) in (0..LINE).flat_map(|place| [(place, false), (place, true)]) {
                let halved = line_of(V::halved(token, here, next, V::halving(token, place, second)));
                let has_bit = |number: &usize| (number >> place & 1 == 1) == second;
                let expected: Vec<V::Lane> = (0..2 * LANES).filter(has_bit).map(|number| both[number]).collect();
                assert_eq!(halved.0.as_slice(), expected, "{place} {second} {here:?} {next:?}");
            }
            let lanes = draw.u64(..);
            assert_eq!(line_of(V::of_lanes(token, lanes)), Line::of_lanes(lanes, V::Lane::MAX));
        }
    }

    /// Every operation lane by lane against the operators of Rust, for all pairs of the lines.
    fn operations_keep_to_the_definition<V: Vector>(token: V::Token) {
        type Line64<V> = Line<<V as Vector>::Lane>;
        let each = |a: &Line64<V>, b: &Line64<V>, op: fn(V::Lane, V::Lane) -> V::Lane| {
            Line(std::array::from_fn(|i| op(a.0[i], b.0[i])))
        };
        let (zero, most) = (V::Lane::ZERO, V::Lane::MAX);
        let lines = all_lines();
        for a in &lines {
            let va = V::load(token, a);
            assert_eq!(line_of(va), *a);
            for limit in [0, 1, 64, 127, 128, 189, 254, 255, 32_767, 32_768, 65_534, 65_535].map(V::Lane::of) {
                let above = (0..LANES).filter(|&lane| a.0[lane] > limit).fold(0, |lanes, lane| lanes | 1 << lane);
                assert_eq!(va.above(limit), above, "{limit:?} {a:?}");
            }
            for b in &lines {
                let vb = V::load(token, b);
                assert_eq!(line_of(va.max(vb)), each(a, b, Ord::max));
                assert_eq!(line_of(va.or(vb)), each(a, b, |a, b| a | b));
                assert_eq!(line_of(va.and(vb)), each(a, b, |a, b| a & b));
                assert_eq!(line_of(va.xor(vb)), each(a, b, |a, b| a ^ b));
                assert_eq!(line_of(va.minus(vb)), each(a, b, V::Lane::less));
                assert_eq!(line_of(va.add(vb)), each(a, b, V::Lane::plus));
                let equal = each(a, b, |a, b| if a == b { V::Lane::MAX } else { V::Lane::ZERO });
                assert_eq!(line_of(va.equals(vb)), equal);
                let mask = Line(b.0.map(|code| if code & V::Lane::of(1) == zero { zero } else { most }));
                let replaced = Line(std::array::from_fn(|i| if mask.0[i] == most { b.0[i] } else { a.0[i] }));
                assert_eq!(line_of(va.replaced(V::load(token, &mask), vb)), replaced);
                assert_eq!(va.same(vb), a == b);
            }
        }
    }

    /// Checks each method of a vector against its definition.
    pub(crate) fn keeps_to_the_definition<V: Vector>(token: V::Token) {
        moves_keep_to_the_definition::<V>(token);
        lanes_keep_to_the_definition::<V>(token);
        operations_keep_to_the_definition::<V>(token);
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<Plain<u8>>(());
        keeps_to_the_definition::<Plain<u16>>(());
    }
}
