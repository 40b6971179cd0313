//! 64 positions of a line as one value, a byte each: what labels of one byte need besides [`Vector`].

use super::vector::{Plain, Vector, each_lane};

/// 64 codes of one byte.
pub trait Bytes: Vector<Lane = u8> {
    /// The lesser byte in each lane.
    fn min(self, other: Self) -> Self;

    /// The greater byte in each lane, as numbers from -128 to 127.
    fn max_signed(self, other: Self) -> Self;

    /// Differences modulo 256.
    fn sub(self, other: Self) -> Self;

    /// 2 in the lanes whose top bit is set, 0 in the others.
    fn two_if_top(self) -> Self;

    /// `true` if a lane, as a number from -128 to 127, is greater than `limit`.
    fn exceeds(self, limit: i8) -> bool;

    /// Two planes of one bit for each value `v` from `16 * pair`: bit `v % 8` of the first for the first eight values,
    /// of the second for the next eight; nothing for other values, nor for bytes from 0xc0 on. `is_last` promises that
    /// there are no values beyond; if there are, what they give is not specified.
    fn one_hot(self, token: Self::Token, pair: u8, is_last: bool) -> (Self, Self);

    /// The number of lowest bits that are set, up to the first that is not.
    fn trailing_ones(self, token: Self::Token) -> Self;
}

impl Bytes for Plain<u8> {
    each_lane! {
        min = Ord::min;
        max_signed = |a, b| (a as i8).max(b as i8) as u8;
        sub = u8::wrapping_sub;
    }

    #[inline(always)]
    fn two_if_top(self) -> Self {
        self.map(|byte| byte >> 6 & 2)
    }

    #[inline(always)]
    fn exceeds(self, limit: i8) -> bool {
        self.0.0.iter().fold(false, |any, &byte| any | (byte as i8 > limit))
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

#[cfg(test)]
pub(super) mod tests {
    use super::super::line::Line;
    use super::super::vector::tests::{all_lines, keeps_to_the_definition as vectors_keep_to_the_definition, line_of};
    use super::*;

    /// Every operation byte by byte against the operators of Rust, for all pairs of the lines.
    fn operations_keep_to_the_definition<V: Bytes>(token: V::Token) {
        let each = |a: &Line, b: &Line, op: fn(u8, u8) -> u8| Line(std::array::from_fn(|i| op(a.0[i], b.0[i])));
        let lines = all_lines();
        for a in &lines {
            let va = V::load(token, a);
            assert_eq!(line_of(va.two_if_top()), each(a, a, |a, _| if a > 127 { 2 } else { 0 }));
            assert_eq!(line_of(va.trailing_ones(token)), each(a, a, |a, _| a.trailing_ones() as u8));
            for limit in [-128, -1, 0, 15, 31, 126, 127] {
                assert_eq!(va.exceeds(limit), a.0.iter().any(|&byte| byte as i8 > limit), "{limit} {a:?}");
            }
            for b in &lines {
                let vb = V::load(token, b);
                assert_eq!(line_of(va.min(vb)), each(a, b, Ord::min));
                assert_eq!(line_of(va.max_signed(vb)), each(a, b, |a, b| (a as i8).max(b as i8) as u8));
                assert_eq!(line_of(va.sub(vb)), each(a, b, u8::wrapping_sub));
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

    /// Checks each method of a vector of bytes against its definition.
    pub(crate) fn keeps_to_the_definition<V: Bytes>(token: V::Token) {
        vectors_keep_to_the_definition::<V>(token);
        operations_keep_to_the_definition::<V>(token);
        planes_keep_to_the_definition::<V>(token);
    }

    #[test]
    fn plain_rust_keeps_to_the_definition() {
        keeps_to_the_definition::<Plain<u8>>(());
    }
}
