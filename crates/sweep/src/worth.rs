//! What moves are worth, as arithmetic on the codes of scores.
//!
//! A score `s` of one byte has the code `128 + s`. A move that gains `g` points and leads to a position with the code `c` is worth
//!
//! ```text
//! the other player is to move:   128 + g - (c - 128)  =  (c ^ 255) + (g + 1)
//! the same player moves again:   128 + g + (c - 128)  =  (c + 1)   + (g - 1)
//! ```
//!
//! Kernels give the code 255 to lanes without the move, which is the code of no score. The first term is 0 there, modulo 256. The second
//! term is then added if it is positive. Otherwise its absolute value is subtracted, and the difference is at least 0. So a lane without
//! the move gets at most the greatest gain and 1. A move has more: scores and gains together are at most
//! [`Score::MOST`](crate::label::Score::MOST).
//!
//! With two bytes, 32,768 stands in place of 128, 65,535 in place of 255, and the rest is the same. The numbers below have two bytes. Their
//! lower bytes are those of codes of one byte.

use crate::label::{NO_POINTS, Score};
use crate::rules::{Move, Rules};

/// What a move makes of the code `c` of the position after it: `(c ^ flips) + adds`, modulo the number of codes, and less `takes`, but at
/// least 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Worth {
    pub(crate) flips: u16,
    pub(crate) adds: u16,
    pub(crate) takes: u16,
}

impl Worth {
    /// The worth of `m`, a move of `rules`.
    pub(crate) fn of(rules: &Rules, m: &Move) -> Self {
        Self::new(m.gain, !rules.hands_over(m))
    }

    /// The worth of a move that gains `gain` points. The same player moves again if `again` is set. Where scores are
    /// undefined, because gains are too large, it says nothing.
    pub(crate) const fn new(gain: i16, again: bool) -> Self {
        let (flips, first) = if again { (0, 1) } else { (u16::MAX, 0) };
        let second = if again { gain.wrapping_sub(1) } else { gain.wrapping_add(1) };
        if second >= 0 {
            Self { flips, adds: second.cast_unsigned() + first, takes: 0 }
        } else {
            Self { flips, adds: first, takes: second.unsigned_abs() }
        }
    }

    /// The code of the move, which leads to a position with `code`.
    #[cfg(test)]
    fn on<C: crate::simd::Lane>(self, code: C) -> C {
        (code ^ C::of(self.flips)).plus(C::of(self.adds)).less(C::of(self.takes))
    }
}

/// What positions without a move have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    /// Their code.
    pub(crate) code: u16,
    /// The least code of a position with a move. Scores alone use it.
    pub(crate) floor: u16,
}

/// The least code of a score in `rules` where there is a move. It is the same for codes of one byte and of two.
pub(crate) fn floor(rules: &Rules) -> u16 {
    let gain = rules.moves().iter().map(|m| m.gain.unsigned_abs()).max().unwrap_or(0);
    gain.saturating_add(u16::from(NO_POINTS - Score::MOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{Label, Width};
    use crate::simd::Lane;

    /// Gains up to `gains` and scores that are at most `most` together with them. Every `step`th score is tried.
    fn sums_and_lanes_without_the_move<C: Lane>(width: Width, most: i16, gains: i16, step: usize) {
        let scores = most - gains;
        let code = |score| C::of(Score(score).code(width));
        let least = code(-scores);
        for (gain, again) in (-gains..=gains).step_by(step.min(7)).flat_map(|gain| [(gain, false), (gain, true)]) {
            let worth = Worth::new(gain, again);
            assert!(worth.on(C::MAX) < least, "{gain} {again}");
            for score in (-scores..=scores).step_by(step).chain([scores]) {
                let sum = gain + if again { score } else { -score };
                // The score of the position before is a score.
                if sum.abs() <= scores {
                    assert_eq!(worth.on(code(score)), code(sum), "{gain} {again} {score}");
                }
            }
        }
    }

    #[test]
    fn codes_are_of_sums_and_lanes_without_the_move_stay_below_them() {
        sums_and_lanes_without_the_move::<u8>(Width::Eight, 126, 40, 1);
        sums_and_lanes_without_the_move::<u16>(Width::Sixteen, 32_766, 40, 1);
        sums_and_lanes_without_the_move::<u16>(Width::Sixteen, 32_766, 16_383, 97);
        assert_eq!((Worth::new(0, false).on(200u8), Worth::new(0, false).on(32_840u16)), (56, 32_696));
    }
}
