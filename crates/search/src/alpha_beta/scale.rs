//! Scales: what the numbers of a search mean.
//!
//! A search computes with plain numbers, for the player to move. A scale says which number a finished game has, and how numbers change
//! along a move:
//!
//! ```text
//! outcomes    -1, 0, 1                a move that hands over changes the sign
//! plies       0: draw                 as outcomes; and each ply brings a number one step closer to 0
//!             most - k: win in k
//! points      net points to come      as outcomes; and the move's gain is added
//! ```
//!
//! A bound on one scale is a bound on a simpler one: a win in at most k plies is a win.

use super::soonest::{NEVER, Soonest};
use crate::rules::Rules;

/// Bounds on the value of a position for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

/// What the numbers of a search mean.
pub(crate) trait Scale: Copy {
    /// True if values are points.
    const COUNTS_POINTS: bool = false;
    /// True if values are plies.
    const COUNTS_PLIES: bool = false;

    /// The bounds of a position that is not over, about which nothing else is known.
    fn range(self) -> Bounds;
    /// The bits of [`code`](Self::code).
    fn bits(self) -> u32;
    /// The code of bounds within the range. It is 0 only for the range itself.
    fn code(self, bounds: Bounds) -> u64;
    /// The bounds with this code.
    fn bounds(self, code: u64) -> Bounds;
    /// The value where the game is over, if the end is `worth` so much: points, or -1, 0 or 1.
    fn ended(self, worth: i32) -> i32;
    /// The value of a move with this gain, if the position after it has `value` for the player to move there.
    fn of_move(self, value: i32, hands_over: bool, gain: i32) -> i32;
    /// The window for the position after a move with this gain.
    fn window(self, alpha: i32, beta: i32, hands_over: bool, gain: i32) -> (i32, i32);
    /// A value that settles a window, because a win or a loss takes at least so many plies.
    #[inline(always)]
    fn too_soon(self, alpha: i32, beta: i32, soonest: Soonest) -> Option<i32> {
        let _ = (alpha, beta, soonest);
        None
    }
}

/// Outcomes alone.
#[derive(Clone, Copy)]
pub(crate) struct Outcomes;

impl Scale for Outcomes {
    #[inline(always)]
    fn range(self) -> Bounds {
        Bounds { low: -1, high: 1 }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        3
    }

    #[inline(always)]
    fn code(self, bounds: Bounds) -> u64 {
        match (bounds.low, bounds.high) {
            (-1, -1) => 1,
            (-1, 0) => 2,
            (0, 0) => 3,
            (0, 1) => 4,
            (1, 1) => 5,
            _ => 0,
        }
    }

    #[inline(always)]
    fn bounds(self, code: u64) -> Bounds {
        const ALL: [(i8, i8); 8] = [(-1, 1), (-1, -1), (-1, 0), (0, 0), (0, 1), (1, 1), (-1, 1), (-1, 1)];
        let (low, high) = ALL[(code & 7) as usize];
        Bounds { low: low.into(), high: high.into() }
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth.signum()
    }

    #[inline(always)]
    fn of_move(self, value: i32, hands_over: bool, _: i32) -> i32 {
        if hands_over { -value } else { value }
    }

    #[inline(always)]
    fn window(self, alpha: i32, beta: i32, hands_over: bool, _: i32) -> (i32, i32) {
        if hands_over { (-beta, -alpha) } else { (alpha, beta) }
    }
}

/// Plies: the winner hurries, and the loser delays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plies {
    /// The value of a win in 0 plies; larger than the number of plies of any play.
    most: i32,
    bits: u32,
}

impl Plies {
    /// The scale for play of at most `longest` plies.
    pub(super) fn new(longest: u32) -> Self {
        let most = longest as i32 + 2;
        Self { most, bits: bits_for(most) }
    }

    /// The value of a win in `plies` plies.
    pub(super) const fn win(self, plies: u32) -> i32 {
        self.most - plies as i32
    }

    /// The value of a win in `plies` plies; a draw if there is no win.
    #[inline(always)]
    const fn at_soonest(self, plies: u16) -> i32 {
        if plies == NEVER || plies as i32 > self.most { 0 } else { self.most - plies as i32 }
    }

    /// The plies of a value that is not a draw.
    pub(super) const fn plies(self, value: i32) -> u32 {
        (self.most - value.abs()) as u32
    }
}

impl Scale for Plies {
    const COUNTS_PLIES: bool = true;

    #[inline(always)]
    fn range(self) -> Bounds {
        Bounds { low: -self.most, high: self.most }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        2 * self.bits
    }

    #[inline(always)]
    fn code(self, bounds: Bounds) -> u64 {
        pair(bounds, self.most, self.bits)
    }

    #[inline(always)]
    fn bounds(self, code: u64) -> Bounds {
        of_pair(code, self.most, self.bits)
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth.signum() * self.most
    }

    #[inline(always)]
    fn of_move(self, value: i32, hands_over: bool, _: i32) -> i32 {
        let value = if hands_over { -value } else { value };
        value - value.signum()
    }

    #[inline(always)]
    fn window(self, alpha: i32, beta: i32, hands_over: bool, _: i32) -> (i32, i32) {
        let later = |value: i32| value + value.signum();
        let (alpha, beta) = (later(alpha), later(beta));
        if hands_over { (-beta, -alpha) } else { (alpha, beta) }
    }

    #[inline(always)]
    fn too_soon(self, alpha: i32, beta: i32, soonest: Soonest) -> Option<i32> {
        let [high, low] = [self.at_soonest(soonest.win), -self.at_soonest(soonest.loss)];
        if high <= alpha { Some(high) } else { Some(low).filter(|&low| low >= beta) }
    }
}

/// Net points to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Points {
    /// No score is larger.
    most: i32,
    bits: u32,
}

/// The largest score that a search computes with.
const MOST_SCORE: u64 = 1 << 12;

impl Points {
    /// The scale for games by `rules`; `None` if some end has no points, or if scores may be very large.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        let (score, _) = rules.most_points()?;
        let most = i32::try_from(score.max(1)).ok()?;
        let fits = rules.counts_points() && rules.ends_by_points() && score <= MOST_SCORE;
        fits.then(|| Self { most, bits: bits_for(most) })
    }
}

impl Scale for Points {
    const COUNTS_POINTS: bool = true;

    #[inline(always)]
    fn range(self) -> Bounds {
        Bounds { low: -self.most, high: self.most }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        2 * self.bits
    }

    #[inline(always)]
    fn code(self, bounds: Bounds) -> u64 {
        pair(bounds, self.most, self.bits)
    }

    #[inline(always)]
    fn bounds(self, code: u64) -> Bounds {
        of_pair(code, self.most, self.bits)
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth
    }

    #[inline(always)]
    fn of_move(self, value: i32, hands_over: bool, gain: i32) -> i32 {
        gain + if hands_over { -value } else { value }
    }

    #[inline(always)]
    fn window(self, alpha: i32, beta: i32, hands_over: bool, gain: i32) -> (i32, i32) {
        if hands_over { (gain - beta, gain - alpha) } else { (alpha - gain, beta - gain) }
    }
}

/// The bits of a number from 0 to `2 * most`.
const fn bits_for(most: i32) -> u32 {
    u32::BITS - (2 * most.unsigned_abs()).leading_zeros()
}

/// The distances of bounds from the ends of the range from `-most` to `most`, side by side.
#[inline(always)]
fn pair(bounds: Bounds, most: i32, bits: u32) -> u64 {
    let [low, high] = [bounds.low + most, most - bounds.high].map(|it| u64::from(it.unsigned_abs()));
    low << bits | high
}

#[inline(always)]
fn of_pair(code: u64, most: i32, bits: u32) -> Bounds {
    let mask = (1u64 << bits) - 1;
    Bounds { low: (code >> bits & mask) as i32 - most, high: most - (code & mask) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, RulesSpec};

    fn assert_scale(scale: impl Scale, worths: &[i32]) {
        let Bounds { low, high } = scale.range();
        for bounds in (low..=high).flat_map(|low| (low..=high).map(move |high| Bounds { low, high })) {
            let code = scale.code(bounds);
            assert!(code >> scale.bits() == 0 && (bounds.low > bounds.high || scale.bounds(code) == bounds));
            assert!(code != 0 || bounds == scale.range() || bounds.low > bounds.high);
        }
        // A move is in its window if the position after it is in the window of that.
        for hands_over in [false, true] {
            for gain in if worths.contains(&3) { -2..=2 } else { 0..=0 } {
                for (alpha, value) in
                    (low..high).flat_map(|alpha| (low + 2..=high - 2).map(move |value| (alpha, value)))
                {
                    let of_move = scale.of_move(value, hands_over, gain);
                    let (least, most) = scale.window(alpha, alpha + 1, hands_over, gain);
                    let is_above = if hands_over { value <= least } else { value >= most };
                    // A value next to 0 on the scale of plies is that of play that is too long.
                    assert!(is_above == (of_move > alpha) || value.abs() == 1, "{alpha} {value} {hands_over} {gain}");
                }
            }
        }
        assert!(worths.iter().all(|&worth| scale.ended(worth).signum() == worth.signum()));
    }

    #[test]
    fn codes_and_windows_of_every_scale() {
        assert_scale(Outcomes, &[-1, 0, 1]);
        assert_scale(Plies::new(9), &[-1, 0, 1]);
        let moves = vec![Move { gain: 7, ..Move::fill(Board::bit(0)) }];
        let rules =
            |terminal| RulesSpec { moves: moves.clone(), terminal, ..RulesSpec::new("one", 1) }.build().unwrap();
        assert_scale(Points::new(&rules(crate::rules::Outcome::Draw)).unwrap(), &[-3, 0, 3]);
        let plies = Plies::new(9);
        assert_eq!([3, 0].map(|k| plies.plies(-plies.win(k))), [3, 0]);
        // A win in 3 is seen from one ply before as a loss in 4.
        assert_eq!(plies.of_move(plies.win(3), true, 0), -plies.win(4));
    }
}
