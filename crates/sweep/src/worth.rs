//! What moves are worth, as arithmetic on the codes of scores.
//!
//! A score `s` has the code `128 + s`. A move that gains `g` points and leads to a position with the code `c` is worth
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

use crate::label::{NO_POINTS, Score};
use crate::rules::{Move, Rules};

/// What a move makes of the code `c` of the position after it: `(c ^ flips) + adds`, modulo 256, and less `takes`, but at least 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Worth {
    pub(crate) flips: u8,
    pub(crate) adds: u8,
    pub(crate) takes: u8,
}

impl Worth {
    /// The worth of `m`, a move of `rules`.
    pub(crate) fn of(rules: &Rules, m: &Move) -> Self {
        Self::new(m.gain, !rules.hands_over(m))
    }

    /// The worth of a move that gains `gain` points. The same player moves again if `again` is set. Where scores are
    /// undefined, because gains are too large, it says nothing.
    pub(crate) const fn new(gain: i16, again: bool) -> Self {
        let (flips, first) = if again { (0, 1) } else { (u8::MAX, 0i16) };
        let second = if again { gain - 1 } else { gain + 1 };
        if second >= 0 {
            Self { flips, adds: second.wrapping_add(first) as u8, takes: 0 }
        } else {
            Self { flips, adds: first as u8, takes: second.unsigned_abs() as u8 }
        }
    }

    /// The code of the move, which leads to a position with `code`.
    #[cfg(test)]
    const fn on(self, code: u8) -> u8 {
        (code ^ self.flips).wrapping_add(self.adds).saturating_sub(self.takes)
    }
}

/// What positions without a move have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    /// Their code.
    pub(crate) code: u8,
    /// The least code of a position with a move. Scores alone use it.
    pub(crate) floor: u8,
}

/// The least code of a score in `rules` where there is a move.
pub(crate) fn floor(rules: &Rules) -> u8 {
    let gain = rules.moves().iter().map(|m| m.gain.unsigned_abs()).max().unwrap_or(0);
    let floor = gain.saturating_add(u16::from(NO_POINTS - Score::MOST));
    u8::try_from(floor).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{Label, Width};

    #[test]
    fn codes_are_of_sums_and_lanes_without_the_move_stay_below_them() {
        for gain in -40..=40i16 {
            for again in [false, true] {
                let worth = Worth::new(gain, again);
                // A score and a gain are at most 126 together, and the score of the position before is a score.
                for score in -86..=86i16 {
                    let sum = gain + if again { score } else { -score };
                    if sum.abs() <= 86 {
                        let code = worth.on(Score(score).encode(Width::Eight));
                        assert_eq!(Score::decode(code, Width::Eight), Some(Score(sum)), "{gain} {again} {score}");
                        assert!(worth.on(u8::MAX) < 42 && code >= 42);
                    }
                }
            }
        }
        assert_eq!(Worth::new(0, false).on(200), 56);
    }
}
