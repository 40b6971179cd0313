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

use super::ending::sign_of;
use super::soonest::{NEVER, Soonest};
use crate::Wanted;
use crate::rules::{Outcome, Rules};
use tablegen_labels::{Remoteness, Value};

/// Bounds on the value of a position for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

/// The values of a scale: the whole numbers from `-most` to `most`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    most: i32,
    /// Bits of the distance of a value from an end.
    bits: u32,
}

impl Span {
    const fn new(most: i32) -> Self {
        Self { most, bits: u32::BITS - (2 * most.unsigned_abs()).leading_zeros() }
    }

    /// The bounds of a position that is not over, about which nothing else is known.
    #[inline(always)]
    pub(crate) const fn range(self) -> Bounds {
        Bounds { low: -self.most, high: self.most }
    }

    /// The bits of [`code`](Self::code).
    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        2 * self.bits
    }

    /// The code of bounds within the range: their distances from its ends, side by side. It is 0 only for the range itself.
    #[inline(always)]
    pub(crate) fn code(self, bounds: Bounds) -> u64 {
        let [low, high] = [bounds.low + self.most, self.most - bounds.high].map(|it| u64::from(it.unsigned_abs()));
        low << self.bits | high
    }

    /// The bounds with this code.
    #[inline(always)]
    pub(crate) const fn bounds(self, code: u64) -> Bounds {
        let mask = (1u64 << self.bits) - 1;
        Bounds { low: (code >> self.bits & mask) as i32 - self.most, high: self.most - (code & mask) as i32 }
    }
}

/// What the numbers of a search mean.
pub(crate) trait Scale: Copy + Send + Sync {
    /// What values tell.
    const WANTED: Wanted;

    /// The values.
    fn span(self) -> Span;
    /// The value where the game is over, if the end is `worth` so much: points, or -1, 0 or 1.
    fn ended(self, worth: i32) -> i32;
    /// The value of a position that is known; `None` if `value` does not tell it.
    fn known(self, value: Value) -> Option<i32>;
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
    const WANTED: Wanted = Wanted::Outcome;

    #[inline(always)]
    fn span(self) -> Span {
        const { Span::new(1) }
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth.signum()
    }

    #[inline(always)]
    fn known(self, value: Value) -> Option<i32> {
        Some(sign_of(value.outcome))
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

/// Plies: the winner hurries, and the loser delays. The greatest value, a win in 0 plies, is larger than the number of plies of any play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plies(Span);

impl Plies {
    /// The scale for play of at most `longest` plies.
    pub(super) fn new(longest: u32) -> Self {
        Self(Span::new(longest as i32 + 2))
    }

    /// The scale for games by `rules`; `None` where moves gain points. Where positions may repeat, play goes on for as many plies as a label
    /// can tell from a position that is known.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let known = if rules.potential().is_some() { 0 } else { Remoteness::MOST_IN_WORD.into() };
        (!rules.has_gains()).then(|| Self::new(rules.phases().longest() + known))
    }

    /// The value of a win in `plies` plies.
    pub(super) const fn win(self, plies: u32) -> i32 {
        self.0.most - plies as i32
    }

    /// The value of a win in `plies` plies; a draw if there is no win.
    #[inline(always)]
    const fn at_soonest(self, plies: u16) -> i32 {
        if plies == NEVER || plies as i32 > self.0.most { 0 } else { self.0.most - plies as i32 }
    }

    /// The plies of a value that is not a draw.
    pub(super) const fn plies(self, value: i32) -> u32 {
        (self.0.most - value.abs()) as u32
    }
}

impl Scale for Plies {
    const WANTED: Wanted = Wanted::Plies;

    #[inline(always)]
    fn span(self) -> Span {
        self.0
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth.signum() * self.0.most
    }

    #[inline(always)]
    fn known(self, value: Value) -> Option<i32> {
        match value.outcome {
            Outcome::Draw => Some(0),
            outcome => value.remoteness().map(|plies| sign_of(outcome) * self.win(plies)),
        }
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

/// Net points to come. No score is larger than the greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Points(Span);

/// The largest score that a search computes with.
const MOST_SCORE: u64 = 1 << 12;

impl Points {
    /// The scale for games by `rules`; `None` if some end has no points, or if scores may be very large.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        let (score, _) = rules.most_points()?;
        let most = i32::try_from(score.max(1)).ok()?;
        let fits = rules.counts_points() && rules.ends_by_points() && score <= MOST_SCORE;
        fits.then(|| Self(Span::new(most)))
    }
}

impl Scale for Points {
    const WANTED: Wanted = Wanted::Score;

    #[inline(always)]
    fn span(self) -> Span {
        self.0
    }

    #[inline(always)]
    fn ended(self, worth: i32) -> i32 {
        worth
    }

    #[inline(always)]
    fn known(self, value: Value) -> Option<i32> {
        value.score()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, RulesSpec};

    fn assert_scale(scale: impl Scale, worths: &[i32]) {
        let Bounds { low, high } = scale.span().range();
        for bounds in (low..=high).flat_map(|low| (low..=high).map(move |high| Bounds { low, high })) {
            let code = scale.span().code(bounds);
            assert!(
                code >> scale.span().bits() == 0 && (bounds.low > bounds.high || scale.span().bounds(code) == bounds)
            );
            assert!(code != 0 || bounds == scale.span().range() || bounds.low > bounds.high);
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
