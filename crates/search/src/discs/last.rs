//! The last squares: positions with at most four free squares, without a table and without sorting.

use tablegen_simd::{Unit, Work};

use super::descent::Descent;

/// A position with these free squares, as a function of its own: inlined into each other, they do not fit the cache of instructions.
struct Last<'d, 'a, U, const N: usize> {
    descent: &'d Descent<'a, U>,
    own: u64,
    other: u64,
    squares: [u32; N],
    alpha: i32,
    beta: i32,
}

impl<U: Unit> Work for Last<'_, '_, U, 2> {
    type Output = i32;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> i32 {
        self.descent.last_2_here(self.own, self.other, self.squares, self.beta)
    }
}

impl<U: Unit> Work for Last<'_, '_, U, 3> {
    type Output = i32;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> i32 {
        self.descent.last_3_here(self.own, self.other, self.squares, self.alpha, self.beta)
    }
}

impl<U: Unit> Work for Last<'_, '_, U, 4> {
    type Output = i32;

    #[inline(always)]
    fn run<V: Unit>(self, _: V) -> i32 {
        self.descent.last_4_here(self.own, self.other, self.squares, self.alpha, self.beta)
    }
}

impl<U: Unit> Descent<'_, U> {
    /// The score where the game is over.
    #[inline(always)]
    pub(super) fn count(&self, own: u64, other: u64) -> i32 {
        let counted = self.game.counted;
        let difference = (own & counted).count_ones() as i32 - (other & counted).count_ones() as i32;
        if self.game.more_is_better { difference } else { -difference }
    }

    /// The pieces that turn over for a piece on `square`.
    #[inline(always)]
    pub(super) fn turned(&self, square: u32, own: u64, other: u64) -> u64 {
        if self.game.lines.touches(square, other) { self.game.lines.flips(square, own, other) } else { 0 }
    }

    /// The score with one free square.
    #[inline(always)]
    fn last_1(&self, own: u64, other: u64, square: u32) -> i32 {
        let turned = self.turned(square, own, other);
        if turned != 0 {
            return self.count(own | turned | 1 << square, other & !turned);
        }
        let (mut own, mut other) = (own, other);
        if self.game.passes {
            let turned = self.turned(square, other, own);
            if turned != 0 {
                (own, other) = (own & !turned, other | turned | 1 << square);
            }
        }
        self.count(own, other)
    }

    /// The score with two free squares, within a window as in [`expand`](Self::expand).
    #[inline(always)]
    fn last_2(&self, own: u64, other: u64, squares: [u32; 2], beta: i32) -> i32 {
        self.unit.again(Last { descent: self, own, other, squares, alpha: -beta, beta })
    }

    #[inline(always)]
    fn last_2_here(&self, own: u64, other: u64, squares: [u32; 2], beta: i32) -> i32 {
        let best = self.last_2_of(own, other, squares, beta);
        if best > i32::MIN {
            return best;
        }
        if self.game.passes {
            // The other player moves for the least score.
            let best = self.last_2_of(other, own, squares, i32::MAX);
            if best > i32::MIN {
                return -best;
            }
        }
        self.count(own, other)
    }

    /// The best score of a move; `i32::MIN` without a move.
    #[inline(always)]
    fn last_2_of(&self, own: u64, other: u64, [a, b]: [u32; 2], beta: i32) -> i32 {
        let mut best = i32::MIN;
        let turned = self.turned(a, own, other);
        if turned != 0 {
            best = -self.last_1(other & !turned, own | turned | 1 << a, b);
            if best >= beta {
                return best;
            }
        }
        let turned = self.turned(b, own, other);
        if turned != 0 {
            best = best.max(-self.last_1(other & !turned, own | turned | 1 << b, a));
        }
        best
    }

    /// The score with three free squares.
    #[inline(always)]
    fn last_3(&self, own: u64, other: u64, squares: [u32; 3], alpha: i32, beta: i32) -> i32 {
        self.unit.again(Last { descent: self, own, other, squares, alpha, beta })
    }

    #[inline(always)]
    fn last_3_here(&self, own: u64, other: u64, squares: [u32; 3], alpha: i32, beta: i32) -> i32 {
        let best = self.last_3_of(own, other, squares, alpha, beta);
        if best > i32::MIN {
            return best;
        }
        if self.game.passes {
            let best = self.last_3_of(other, own, squares, -beta, -alpha);
            if best > i32::MIN {
                return -best;
            }
        }
        self.count(own, other)
    }

    #[inline(always)]
    fn last_3_of(&self, own: u64, other: u64, [a, b, c]: [u32; 3], alpha: i32, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let turned = self.turned(square, own, other);
            if turned != 0 {
                let low = alpha.max(best);
                best = best.max(-self.last_2(other & !turned, own | turned | 1 << square, rest, -low));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The score with four free squares.
    #[inline(always)]
    fn last_4(&self, own: u64, other: u64, squares: [u32; 4], alpha: i32, beta: i32) -> i32 {
        self.unit.again(Last { descent: self, own, other, squares, alpha, beta })
    }

    #[inline(always)]
    fn last_4_here(&self, own: u64, other: u64, squares: [u32; 4], alpha: i32, beta: i32) -> i32 {
        let best = self.last_4_of(own, other, squares, alpha, beta);
        if best > i32::MIN {
            return best;
        }
        if self.game.passes {
            let best = self.last_4_of(other, own, squares, -beta, -alpha);
            if best > i32::MIN {
                return -best;
            }
        }
        self.count(own, other)
    }

    #[inline(always)]
    fn last_4_of(&self, own: u64, other: u64, [a, b, c, d]: [u32; 4], alpha: i32, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            let turned = self.turned(square, own, other);
            if turned != 0 {
                let low = alpha.max(best);
                best = best.max(-self.last_3(other & !turned, own | turned | 1 << square, rest, -beta, -low));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The score with at most four free `squares`, given as a set.
    #[inline(always)]
    pub(super) fn last(&self, own: u64, other: u64, squares: u64, first: u64, alpha: i32, beta: i32) -> i32 {
        let mut list = [0; 4];
        let mut count = 0;
        for mut rest in [squares & first, squares & !first] {
            while rest != 0 {
                list[count & 3] = rest.trailing_zeros();
                rest &= rest - 1;
                count += 1;
            }
        }
        let [a, b, c, d] = list;
        match count {
            0 => self.count(own, other),
            1 => self.last_1(own, other, a),
            2 => self.last_2(own, other, [a, b], beta),
            3 => self.last_3(own, other, [a, b, c], alpha, beta),
            _ => self.last_4(own, other, [a, b, c, d], alpha, beta),
        }
    }
}
