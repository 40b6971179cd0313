//! 64 positions of a line as one value, a byte each.

use super::line::{LANES, LINE, LaneMove, Line};

/// 64 bytes, one for each position of a line.
///
/// A value carries the token that it was made with, so that its methods may use the instructions of its type.
pub trait Bytes: Copy {
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

    /// `byte` in every lane.
    fn splat(token: Self::Token, byte: u8) -> Self;

    /// The bytes of `line`.
    fn load(token: Self::Token, line: &Line) -> Self;

    /// 255 in the lanes whose bit in `lanes` is set, 0 in the others.
    fn of_lanes(token: Self::Token, lanes: u64) -> Self;

    /// Prepares the choice of the lanes of two lines whose number has bit `second` at place `place`, which is below 6.
    fn halving(token: Self::Token, place: u32, second: bool) -> Self::Halving;

    /// The bytes of these lanes of `here` and `next`, brought together.
    fn halved(token: Self::Token, here: &Line, next: &Line, halving: Self::Halving) -> Self;

    /// Writes the bytes to `line`.
    fn store(self, line: &mut Line);

    /// Prefetches the line at `at`; it need not exist.
    #[inline(always)]
    fn prefetch(at: *const Line) {
        let _ = at;
    }

    /// Prepares a move. `illegal` is the byte for the lanes without it.
    fn step(token: Self::Token, m: &LaneMove, illegal: u8) -> Self::Step<'_>;

    /// The byte of each lane's successor, from `line`; the step's illegal byte in the lanes without the move.
    fn load_moved(token: Self::Token, line: &Line, step: Self::Step<'_>) -> Self;

    /// For each lane without `CELL`, the byte of the lane with `CELL` filled; `illegal` in the other lanes.
    fn filled<const CELL: u32>(self, illegal: Self) -> Self;

    /// The lesser byte in each lane.
    fn min(self, other: Self) -> Self;

    /// The greater byte in each lane.
    fn max(self, other: Self) -> Self;

    /// The greater byte in each lane, as numbers from -128 to 127.
    fn max_signed(self, other: Self) -> Self;

    /// The bits of either.
    fn or(self, other: Self) -> Self;

    /// The bits of both.
    fn and(self, other: Self) -> Self;

    /// The bits of one of the two.
    fn xor(self, other: Self) -> Self;

    /// Sums modulo 256.
    fn add(self, other: Self) -> Self;

    /// Differences modulo 256.
    fn sub(self, other: Self) -> Self;

    /// Differences, 0 in the lanes in which `other` is greater.
    fn minus(self, other: Self) -> Self;

    /// 255 in the lanes in which both are equal, 0 in the others.
    fn equals(self, other: Self) -> Self;

    /// `other` in the lanes in which `mask` is 255, `self` in those in which it is 0.
    fn replaced(self, mask: Self, other: Self) -> Self;

    /// 2 in the lanes whose top bit is set, 0 in the others.
    fn two_if_top(self) -> Self;

    /// `true` if a lane, as a number from -128 to 127, is greater than `limit`.
    fn exceeds(self, limit: i8) -> bool;

    /// The lanes whose byte is greater than `limit`, a bit each.
    fn above(self, limit: u8) -> u64;

    /// `true` if both are the same in every lane.
    fn same(self, other: Self) -> bool;

    /// Two planes of one bit for each value `v` from `16 * pair`: bit `v % 8` of the first for the first eight values,
    /// of the second for the next eight; nothing for other values, nor for bytes from 0xc0 on. `is_last` promises that
    /// there are no values beyond; if there are, what they give is not specified.
    fn one_hot(self, token: Self::Token, pair: u8, is_last: bool) -> (Self, Self);

    /// The number of lowest bits that are set, up to the first that is not.
    fn trailing_ones(self, token: Self::Token) -> Self;
}

/// 64 bytes in plain Rust, for every machine. The compiler uses the vector instructions that every such machine has.
/// Methods of many instructions are not inlined, which would take minutes to compile.
#[derive(Clone, Copy)]
pub struct WideBytes(Line);

impl WideBytes {
    #[inline(always)]
    fn each(self, other: Self, op: impl Fn(u8, u8) -> u8) -> Self {
        let mut bytes = [0; LANES];
        for (byte, (&a, &b)) in bytes.iter_mut().zip(self.0.0.iter().zip(&other.0.0)) {
            *byte = op(a, b);
        }
        Self(Line(bytes))
    }

    #[inline(always)]
    fn map(self, op: impl Fn(u8) -> u8) -> Self {
        self.each(self, |byte, _| op(byte))
    }
}

/// Bytes of a word.
const WORD: usize = 8;
/// For each cell within a word, the lanes that have it filled.
const FILLED: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

/// Methods that do one operation byte by byte.
macro_rules! each_byte {
    ($($method:ident = $op:expr;)*) => {
        $(
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.each(other, $op)
            }
        )*
    };
}

/// Keeps the second or the first of every two runs of 2^`P` bytes.
#[inline(always)]
fn runs<const P: u32>(Line(from): &Line, second: bool, to: &mut [u8]) {
    let run = 1usize << P;
    for (to, from) in to.chunks_exact_mut(run).zip(from.chunks_exact(2 * run)) {
        to.copy_from_slice(if second { &from[run..] } else { &from[..run] });
    }
}

impl Bytes for WideBytes {
    type Token = ();
    type Step<'a> = &'a LaneMove;
    type Halving = (u32, bool);
    const HELD: usize = 0;

    #[inline(always)]
    fn splat((): (), byte: u8) -> Self {
        Self(Line([byte; LANES]))
    }

    #[inline(always)]
    fn load((): (), line: &Line) -> Self {
        Self(*line)
    }

    #[inline(always)]
    fn of_lanes((): (), lanes: u64) -> Self {
        Self(Line::of_lanes(lanes, u8::MAX))
    }

    #[inline(always)]
    fn halving((): (), place: u32, second: bool) -> (u32, bool) {
        (place, second)
    }

    #[inline(never)]
    fn halved((): (), here: &Line, next: &Line, (place, second): (u32, bool)) -> Self {
        let mut bytes = [0; LANES];
        for (from, to) in [here, next].into_iter().zip(bytes.chunks_exact_mut(LANES / 2)) {
            match place {
                0 => runs::<0>(from, second, to),
                1 => runs::<1>(from, second, to),
                2 => runs::<2>(from, second, to),
                3 => runs::<3>(from, second, to),
                4 => runs::<4>(from, second, to),
                _ => runs::<5>(from, second, to),
            }
        }
        Self(Line(bytes))
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        *line = self.0;
    }

    #[inline(always)]
    fn step((): (), m: &LaneMove, _: u8) -> &LaneMove {
        m
    }

    #[inline(never)]
    fn load_moved((): (), Line(bytes): &Line, m: &LaneMove) -> Self {
        // Words of eight lanes: the upper cells choose the word, the lower ones the byte in it.
        let (words, _) = bytes.as_chunks::<WORD>();
        let upper = usize::from(m.up) / WORD;
        let mut moved = [0; LANES];
        for (number, to) in moved.as_chunks_mut::<WORD>().0.iter_mut().enumerate() {
            let mut lanes = u64::from_le_bytes(words[(number | upper) % words.len()]);
            for (cell, filled) in FILLED.into_iter().enumerate() {
                if m.up >> cell & 1 == 1 {
                    lanes = lanes & filled | (lanes & filled) >> (8 << cell);
                }
            }
            *to = lanes.to_le_bytes();
        }
        Self(Line(moved)).or(Self(m.illegal))
    }

    #[inline(never)]
    fn filled<const CELL: u32>(self, illegal: Self) -> Self {
        // Words of eight lanes: the upper cells choose the word, the lower ones the byte in it.
        let mut bytes = illegal.0;
        let (from, _) = self.0.0.as_chunks::<WORD>();
        for (number, to) in bytes.0.as_chunks_mut::<WORD>().0.iter_mut().enumerate() {
            if CELL < 3 {
                let filled = FILLED[CELL as usize % 3];
                let (lanes, illegal) = (u64::from_le_bytes(from[number]), u64::from_le_bytes(*to));
                *to = (illegal & filled | (lanes & filled) >> (8 << CELL)).to_le_bytes();
            } else if number >> (CELL - 3) & 1 == 0 {
                *to = from[number | 1 << (CELL - 3)];
            }
        }
        Self(bytes)
    }

    each_byte! {
        min = Ord::min;
        max = Ord::max;
        max_signed = |a, b| (a as i8).max(b as i8) as u8;
        or = |a, b| a | b;
        and = |a, b| a & b;
        xor = |a, b| a ^ b;
        add = u8::wrapping_add;
        sub = u8::wrapping_sub;
        minus = u8::saturating_sub;
        equals = |a, b| if a == b { u8::MAX } else { 0 };
    }

    #[inline(always)]
    fn replaced(self, mask: Self, other: Self) -> Self {
        self.and(mask.map(|byte| !byte)).or(other.and(mask))
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        self.map(|byte| byte >> 6 & 2)
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        self.0.0.iter().fold(false, |any, &byte| any | (byte as i8 > limit))
    }

    #[inline(always)]
    fn above(self, limit: u8) -> u64 {
        // The product moves the lowest bit of each of eight bytes to the top byte.
        let eight = |bytes: &[u8; WORD]| {
            let above = u64::from_le_bytes(bytes.map(|byte| u8::from(byte > limit)));
            above.wrapping_mul(0x0102_0408_1020_4080) >> 56
        };
        let (words, _) = self.0.0.as_chunks::<WORD>();
        (0..).zip(words).fold(0, |lanes, (number, bytes)| lanes | eight(bytes) << (number * WORD))
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }

    #[inline(never)]
    fn one_hot(self, (): (), pair: u8, _: bool) -> (Self, Self) {
        let plane = |number: u8| {
            self.map(|value| {
                // Three factors instead of a shift: there is none for bytes, each of its own.
                let factor = |bit: u8, factor: u8| if value & bit == 0 { 1 } else { factor };
                let bit = factor(1, 2) * factor(2, 4) * factor(4, 16);
                if value >> 3 == number { bit } else { 0 }
            })
        };
        (plane(2 * pair), plane(2 * pair + 1))
    }

    #[inline(never)]
    fn trailing_ones(self, (): ()) -> Self {
        self.map(|byte| {
            // The ones that a carry runs through, counted by halves.
            let ones = byte & !byte.wrapping_add(1);
            let pairs = ones - (ones >> 1 & 0x55);
            let fours = (pairs & 0x33) + (pairs >> 2 & 0x33);
            (fours + (fours >> 4)) & 15
        })
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

    /// Lines that are unlike each other: all bytes in order, their complements, one byte throughout, and arbitrary ones.
    fn all_lines() -> Vec<Line> {
        let mut lines: Vec<Line> =
            (0..4).map(|part| Line(std::array::from_fn(|lane| (64 * part + lane) as u8))).collect();
        lines.extend([0, 1, 127, 128, 255].map(|byte| Line([byte; LANES])));
        let mut draw = fastrand::Rng::with_seed(64);
        lines.extend((0..12).map(|_| Line(std::array::from_fn(|_| draw.u8(..)))));
        lines
    }

    fn line_of<V: Bytes>(vector: V) -> Line {
        let mut line = Line([0; LANES]);
        vector.store(&mut line);
        line
    }

    /// Every set of cells that a move fills, with moves that need some of them empty, or others filled.
    fn moves_keep_to_the_definition<V: Bytes>(token: V::Token) {
        for line in all_lines() {
            for (up, empty, full) in
                (0..64).flat_map(|up| [(up, up, 0), (up, up & 21, 0), (up, 0, 0), (up, up, 63 & !up)])
            {
                for illegal in [0x80, 0xff] {
                    let m = LaneMove::new(empty, full, up, illegal);
                    let moved = line_of(V::load_moved(token, &line, V::step(token, &m, illegal)));
                    for lane in 0..LANES {
                        let is_legal = lane as u64 & empty == 0 && lane as u64 & full == full;
                        let found = moved.0[lane];
                        // A byte with its top bit set is no label that an illegal move could be taken for.
                        let expected = if is_legal { line.0[lane | up as usize] } else { found | illegal };
                        assert_eq!(found, expected, "lane {lane} of {line:?} by {m:?}");
                    }
                }
            }
            each_cell!(CELL => {
                let filled = line_of(V::load(token, &line).filled::<CELL>(V::splat(token, 0xff)));
                for lane in 0..LANES {
                    let expected = if lane >> CELL & 1 == 0 { line.0[lane | 1 << CELL] } else { 0xff };
                    assert_eq!(filled.0[lane], expected, "{CELL} {lane} {line:?}");
                }
            });
        }
    }

    /// Every choice of half the lanes of two lines, and masks of lanes.
    fn lanes_keep_to_the_definition<V: Bytes>(token: V::Token) {
        let lines = all_lines();
        for (here, next) in lines.iter().zip(lines.iter().rev()) {
            let both = [here.0, next.0].concat();
            for (place, second) in (0..LINE).flat_map(|place| [(place, false), (place, true)]) {
                let halved = line_of(V::halved(token, here, next, V::halving(token, place, second)));
                let has_bit = |number: &usize| (number >> place & 1 == 1) == second;
                let expected: Vec<u8> = (0..2 * LANES).filter(has_bit).map(|number| both[number]).collect();
                assert_eq!(halved.0.as_slice(), expected, "{place} {second} {here:?} {next:?}");
            }
            let lanes = u64::from_le_bytes(*here.0.first_chunk().unwrap()) ^ u64::from(next.0[5]) << 31;
            assert_eq!(line_of(V::of_lanes(token, lanes)), Line::of_lanes(lanes, 255));
        }
    }

    /// Every operation byte by byte against the operators of Rust, for all pairs of the lines.
    fn operations_keep_to_the_definition<V: Bytes>(token: V::Token) {
        let each = |a: &Line, b: &Line, op: fn(u8, u8) -> u8| Line(std::array::from_fn(|i| op(a.0[i], b.0[i])));
        let lines = all_lines();
        for a in &lines {
            let va = V::load(token, a);
            assert_eq!(line_of(va), *a);
            assert_eq!(line_of(va.two_if_top()), each(a, a, |a, _| if a > 127 { 2 } else { 0 }));
            assert_eq!(line_of(va.trailing_ones(token)), each(a, a, |a, _| a.trailing_ones() as u8));
            for limit in [-128, -1, 0, 15, 31, 126, 127] {
                assert_eq!(va.exceeds(limit), a.0.iter().any(|&byte| byte as i8 > limit), "{limit} {a:?}");
            }
            for limit in [0, 1, 64, 127, 128, 189, 254, 255] {
                let above = (0..LANES).filter(|&lane| a.0[lane] > limit).fold(0, |lanes, lane| lanes | 1 << lane);
                assert_eq!(va.above(limit), above, "{limit} {a:?}");
            }
            for b in &lines {
                let vb = V::load(token, b);
                assert_eq!(line_of(va.min(vb)), each(a, b, Ord::min));
                assert_eq!(line_of(va.max(vb)), each(a, b, Ord::max));
                assert_eq!(line_of(va.max_signed(vb)), each(a, b, |a, b| (a as i8).max(b as i8) as u8));
                assert_eq!(line_of(va.or(vb)), each(a, b, |a, b| a | b));
                assert_eq!(line_of(va.and(vb)), each(a, b, |a, b| a & b));
                assert_eq!(line_of(va.xor(vb)), each(a, b, |a, b| a ^ b));
                assert_eq!(line_of(va.minus(vb)), each(a, b, u8::saturating_sub));
                assert_eq!(line_of(va.add(vb)), each(a, b, u8::wrapping_add));
                assert_eq!(line_of(va.sub(vb)), each(a, b, u8::wrapping_sub));
                let equal = each(a, b, |a, b| if a == b { 255 } else { 0 });
                assert_eq!(line_of(va.equals(vb)), equal);
                let mask = each(b, b, |byte, _| if byte & 1 == 0 { 0 } else { 255 });
                let replaced = Line(std::array::from_fn(|i| if mask.0[i] == 255 { b.0[i] } else { a.0[i] }));
                assert_eq!(line_of(va.replaced(V::load(token, &mask), vb)), replaced);
                assert_eq!(va.same(vb), a == b);
            }
        }
    }

    /// The planes of every value that a label has, and of bytes with both top bits set.
    fn planes_keep_to_the_definition<V: Bytes>(token: V::Token) {
        let labels = |line: &Line| Line(line.0.map(|byte| if byte < 64 { byte } else { byte | 0xc0 }));
        for line in all_lines().iter().map(labels) {
            for pair in 0..3 {
                let (low, high) = V::load(token, &line).one_hot(token, pair, false);
                let planes = [line_of(low), line_of(high)];
                for (lane, &value) in line.0.iter().enumerate() {
                    for (number, plane) in (2 * pair..).zip(&planes) {
                        let expected = if value >> 3 == number { 1 << (value & 7) } else { 0 };
                        assert_eq!(plane.0[lane], expected, "{value} in plane {number}");
                    }
                }
            }
            for pair in 0..3 {
                let few = Line(line.0.map(|byte| if byte < 64 { byte % (16 * pair + 16) } else { byte }));
                let [fast, slow] = [true, false].map(|is_last| V::load(token, &few).one_hot(token, pair, is_last));
                assert!(fast.0.same(slow.0) && fast.1.same(slow.1), "pair {pair}");
            }
        }
    }

    /// Checks each method of a vector against its definition.
    pub(crate) fn keeps_to_the_definition<V: Bytes>(token: V::Token) {
        moves_keep_to_the_definition::<V>(token);
        lanes_keep_to_the_definition::<V>(token);
        operations_keep_to_the_definition::<V>(token);
        planes_keep_to_the_definition::<V>(token);
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<WideBytes>(());
    }
}
