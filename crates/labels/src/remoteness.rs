//! Remoteness: the number of plies that a game lasts under best play.
//!
//! The winner hurries and the loser delays; in a draw both players delay. The remoteness of a position is then the number of plies to
//! the end. The name and the rule are those of Steinhaus (1925) and of *Winning Ways* (Berlekamp, Conway, Guy).
//!
//! Outcome and plies together are one byte, so that the best move is the one with the *least* code of its successor:
//!
//! ```text
//! code      0 … 64      65                  66 … 130         190 … 254      255
//! meaning   loss in r   draw by repetition  draw in 130 - r  win in 254 - r no successor
//! ```
//!
//! The opponent's quickest loss comes first, then the longest draw, then the longest win. A game of at most 64 cells ends
//! in at most 64 plies if every move fills a cell. If positions may repeat, a draw may have no end: a *draw by repetition*,
//! which counts as the longest draw. In such a game, wins and losses of more than [`Remoteness::MOST_REPEATING`] plies have no code.

use std::fmt;
use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Width};
use crate::rules::{Outcome, Rules};

/// An outcome, and the number of plies to the end under best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Remoteness {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end, at most 64; 65 in a draw by repetition, which has no end.
    pub plies: u8,
}

impl Remoteness {
    /// A draw because neither player can do better than repeat positions.
    pub const REPETITION: Self = Self { outcome: Outcome::Draw, plies: REPETITION };
    /// Maximum number of plies in a game in which positions may repeat. It is one less than a code can hold, so that the verifier can
    /// always check that a label is one ply longer than the label that it follows from.
    pub const MOST_REPEATING: u8 = MOST_PLIES - 1;

    /// Returns whether play by `rules` may last longer than a code can say: the board has more than 64 cells, or moves empty
    /// cells or leave the turn with one player.
    pub fn may_overflow(rules: &Rules) -> bool {
        rules.sweep_obstacle().is_some() || rules.cells() > MOST_PLIES.into()
    }

    /// Returns whether `code` has the maximum number of plies. Where labels [may overflow](Self::may_overflow), the true number may be larger.
    pub const fn is_longest(code: u8) -> bool {
        matches!(code, MOST_PLIES | LONGEST_DRAW | LONGEST_WIN)
    }

    /// The plies to the end; `None` if there is none.
    #[must_use]
    pub fn end(self) -> Option<u32> {
        (self != Self::REPETITION).then_some(self.plies.into())
    }
}

/// The code of no successor.
pub const NO_SUCCESSOR: u8 = u8::MAX;
/// The codes of a draw and of a win in 0 plies; a loss in 0 plies has code 0.
const DRAW: u8 = 130;
const WIN: u8 = 254;
const MOST_PLIES: u8 = 64;
/// The codes of the longest draw and of the longest win.
const LONGEST_DRAW: u8 = DRAW - MOST_PLIES;
const LONGEST_WIN: u8 = WIN - MOST_PLIES;
/// The code of a draw by repetition, and the value of its field `plies`.
const REPETITION: u8 = DRAW / 2;

/// The code of an outcome in 0 plies.
#[inline(always)]
pub const fn ended_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => DRAW,
        Outcome::Win => WIN,
    }
}

/// The code of a position, given the least code of its successors and the code of a player without a move.
#[inline]
const fn code_after(least: u8, terminal: u8) -> u8 {
    match least {
        NO_SUCCESSOR => terminal,
        // A win one ply longer than the loss; a draw one ply longer; a loss one ply longer than the win.
        0..=MOST_PLIES => WIN - 1 - least,
        REPETITION => REPETITION,
        // The draw or loss would be longer than any code.
        LONGEST_DRAW | LONGEST_WIN => NO_SUCCESSOR,
        LONGEST_DRAW..=DRAW => least - 1,
        _ => NO_SUCCESSOR - least,
    }
}

impl Label for Remoteness {
    const KIND: LabelKind = LabelKind::Remoteness;
    const ABOUT: About = About {
        number: 2,
        name: "remoteness",
        key: "remoteness",
        noun: "remoteness",
        help: "Plies to the end",
        option: "plies to the end under best play",
        summary: "remoteness: plies to the end under best play",
        heading: "Remoteness under best play",
        axis: "plies to the end",
        counts_plies: true,
        ..About::USUAL
    };
    /// A winner moves to a loss of the opponent, and a player who draws to a draw. Other successors do not matter.
    const KEEPS_OUTCOME: bool = true;

    /// The least code of the successors so far.
    type Partial = u8;

    fn ended(outcome: Outcome) -> Self {
        Self { outcome, plies: 0 }
    }

    fn none() -> u8 {
        NO_SUCCESSOR
    }

    #[inline]
    fn turned(self) -> Self {
        Self { outcome: self.outcome.flip(), ..self }
    }

    #[inline]
    fn absorb(least: &mut u8, successor: Self) -> ControlFlow<()> {
        *least = (*least).min(successor.encode(Width::Eight));
        if *least == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn finish(least: u8, terminal: Outcome) -> Self {
        let code = code_after(least, ended_code(terminal));
        Self::decode(code, Width::Eight).unwrap_or_else(|| {
            // No sound label has this many plies. Damaged labels may, and a check must report them and not panic.
            let outcome = Self::decode(least, Width::Eight).map_or(terminal, |label| label.outcome.flip());
            Self { outcome, plies: MOST_PLIES }
        })
    }

    #[inline]
    fn encode(self, _: Width) -> u8 {
        match self.outcome {
            Outcome::Loss => self.plies,
            Outcome::Draw => DRAW - self.plies,
            Outcome::Win => WIN - self.plies,
        }
    }

    #[inline]
    fn decode(code: u8, _: Width) -> Option<Self> {
        let (outcome, plies) = match code {
            0..=MOST_PLIES => (Outcome::Loss, code),
            REPETITION..=DRAW => (Outcome::Draw, DRAW - code),
            LONGEST_WIN..=WIN => (Outcome::Win, WIN - code),
            _ => return None,
        };
        Some(Self { outcome, plies })
    }

    fn overflow(rules: &Rules) -> Option<fn(u8) -> bool> {
        Self::may_overflow(rules).then_some(Self::is_longest)
    }

    fn number(self) -> Option<u32> {
        self.end()
    }

    fn of_move(number: u32) -> u32 {
        number + 1
    }

    fn of_opening(choices: &mut dyn Iterator<Item = Option<u32>>) -> Option<u32> {
        choices.next().flatten()
    }
}

impl From<Remoteness> for Outcome {
    fn from(label: Remoteness) -> Self {
        label.outcome
    }
}

impl fmt::Display for Remoteness {
    /// `win in 3`, or `draw by repetition`; a position that is over is a win, a draw or a loss in 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome),
            None => f.write_str("draw by repetition"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, RulesSpec};
    use Outcome::{Draw, Loss, Win};

    fn of(outcome: Outcome, plies: u8) -> Remoteness {
        Remoteness { outcome, plies }
    }

    #[test]
    fn codes_and_back() {
        let mut codes = Vec::new();
        for outcome in [Loss, Draw, Win] {
            for plies in 0..=64 {
                let code = of(outcome, plies).encode(Width::Eight);
                assert_eq!(Remoteness::decode(code, Width::Eight), Some(of(outcome, plies)));
                codes.push(code);
            }
        }
        let repetition = Remoteness::REPETITION.encode(Width::Eight);
        assert_eq!(Remoteness::decode(repetition, Width::Eight), Some(Remoteness::REPETITION));
        // A draw that is longer than any other.
        assert!(repetition > of(Loss, 64).encode(Width::Eight) && repetition < of(Draw, 64).encode(Width::Eight));
        codes.push(repetition);
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 3 * 65 + 1);
        let strangers = (0..=255).filter(|code| !codes.contains(code));
        assert!(strangers.into_iter().all(|code| Remoteness::decode(code, Width::Eight).is_none()));
    }

    /// By the definition: the best outcome, then the fewest plies to a win, the most to a draw or a loss.
    #[test]
    fn the_best_successor_decides() {
        let after = |successors: &[Remoteness], terminal| {
            let mut least = Remoteness::none();
            for &successor in successors {
                if Remoteness::absorb(&mut least, successor).is_break() {
                    break;
                }
            }
            Remoteness::finish(least, terminal)
        };
        assert_eq!(after(&[of(Win, 3), of(Loss, 4), of(Loss, 2), of(Draw, 9)], Loss), of(Win, 3));
        assert_eq!(after(&[of(Win, 3), of(Draw, 4), of(Draw, 6)], Loss), of(Draw, 7));
        assert_eq!(after(&[of(Win, 3), of(Win, 5)], Loss), of(Loss, 6));
        let endless = Remoteness::REPETITION;
        assert_eq!(after(&[of(Win, 3), endless, of(Draw, 6)], Loss), endless);
        assert_eq!(after(&[endless, of(Loss, 6)], Loss), of(Win, 7));
        assert_eq!((endless.turned(), of(Win, 2).turned()), (endless, of(Loss, 2)));
        for terminal in [Loss, Draw, Win] {
            assert_eq!(after(&[], terminal), of(terminal, 0));
            assert_eq!(after(&[of(Win, 0)], terminal), of(Loss, 1));
            // No game has these labels, but a damaged table may.
            for outcome in [Loss, Draw, Win] {
                assert_eq!(after(&[of(outcome, 64)], terminal), of(outcome.flip(), 64));
            }
        }
    }

    #[test]
    fn longest_games_and_repetition_are_named() {
        let label = |outcome, plies| Remoteness { outcome, plies };
        assert_eq!([label(Outcome::Win, 3).end(), Remoteness::REPETITION.end()], [Some(3), None]);
        let names =
            [label(Outcome::Loss, 0), label(Outcome::Draw, 64), Remoteness::REPETITION].map(|it| it.to_string());
        assert_eq!(names, ["loss in 0", "draw in 64", "draw by repetition"]);
        for outcome in Outcome::BEST_FIRST {
            let is_longest = |plies| Remoteness::is_longest(label(outcome, plies).encode(Width::Eight));
            assert_eq!([0, 63, 64].map(is_longest), [false, false, true]);
        }
    }

    #[test]
    fn long_or_irregular_games_may_overflow() {
        let of = |cells, clears| {
            let mut m = Move::fill(Board::bit(0));
            if clears {
                (m.full, m.clears) = (Board::bit(1), Board::bit(1));
            }
            Remoteness::may_overflow(&RulesSpec { moves: vec![m], ..RulesSpec::new("r", cells) }.build().unwrap())
        };
        assert_eq!([of(64, false), of(65, false), of(64, true)], [false, true, true]);
    }
}
