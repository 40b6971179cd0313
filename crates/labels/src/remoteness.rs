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
//!
//! A table by regions stores 16 bits where codes do not suffice: the plies alone, because the outcomes are there as well
//! ([`Label::of_word`]).

use std::fmt;
use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Undefined, Width};
use crate::rules::{Ending, Outcome, Rules, Step};

/// An outcome, and the number of plies to the end under best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Remoteness {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end, at most [`MOST_IN_WORD`](Self::MOST_IN_WORD), or at most 64 in a label of one byte. 65,535 in a draw by
    /// repetition, which has no end.
    pub plies: u16,
}

impl Remoteness {
    /// A draw because neither player can do better than repeat positions.
    pub const REPETITION: Self = Self { outcome: Outcome::Draw, plies: ENDLESS };
    /// Maximum number of plies in a game in which positions may repeat. It is one less than a code can hold, so that the verifier can
    /// always check that a label is one ply longer than the label that it follows from.
    pub const MOST_REPEATING: u8 = MOST_PLIES - 1;
    /// Maximum number of plies in a label of 16 bits. Arrays have two numbers more: one for a draw by repetition, and one for a position
    /// without a label.
    pub const MOST_IN_WORD: u16 = ENDLESS - 2;

    /// Returns whether play by `rules` may last longer than a code can say: the board has more than 64 cells, or moves empty
    /// cells or leave the turn with one player.
    pub fn may_overflow(rules: &Rules) -> bool {
        rules.sweep_obstacle().is_some() || rules.cells() > MOST_PLIES.into()
    }

    /// Returns whether `code` has the maximum number of plies. Where labels [may overflow](Self::may_overflow), the true number may be larger.
    pub const fn is_longest(code: u8) -> bool {
        matches!(code, MOST_PLIES | LONGEST_DRAW | LONGEST_WIN)
    }

    /// The width of labels of at most `longest` plies in a game in which positions may repeat.
    #[must_use]
    pub const fn width_of(longest: u16) -> Width {
        if longest <= Self::MOST_REPEATING as u16 { Width::Eight } else { Width::Sixteen }
    }

    /// The label of 16 bits: the plies, or 65,535 for a draw by repetition.
    #[must_use]
    pub const fn word(self) -> u16 {
        self.plies
    }

    /// The number of places in the counts of labels of at most `longest` plies.
    #[must_use]
    pub const fn places(longest: u16) -> usize {
        match Self::width_of(longest) {
            Width::Sixteen => 1 + 3 * (longest as usize + 1),
            _ => 1 << 8,
        }
    }

    /// The rank of the label of a successor: the least is the best for the player who moves there.
    #[inline]
    const fn rank(self) -> u32 {
        match (self.outcome, self.plies) {
            (Outcome::Draw, ENDLESS) => RANK_OF_REPETITION,
            (Outcome::Loss, plies) => plies as u32,
            (Outcome::Draw, plies) => RANK_OF_DRAW - plies as u32,
            (Outcome::Win, plies) => RANK_OF_WIN - plies as u32,
        }
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
const ENDLESS: u16 = u16::MAX;
/// The ranks of a draw by repetition, of a draw and a win in 0 plies, and of no successor. A loss in 0 plies has rank 0.
const RANK_OF_REPETITION: u32 = 1 << 16;
const RANK_OF_DRAW: u32 = 2 << 16;
const RANK_OF_WIN: u32 = 3 << 16;
const NO_RANK: u32 = u32::MAX;

/// The code of an outcome in 0 plies.
#[inline(always)]
pub const fn ended_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => DRAW,
        Outcome::Win => WIN,
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

    /// The least rank of the successors so far.
    type Partial = u32;

    fn ended(ending: Ending) -> Self {
        Self { outcome: ending.outcome, plies: 0 }
    }

    fn none() -> u32 {
        NO_RANK
    }

    #[inline]
    fn turned(self) -> Self {
        Self { outcome: self.outcome.flip(), ..self }
    }

    #[inline]
    fn absorb(least: &mut u32, successor: Self) -> ControlFlow<()> {
        *least = (*least).min(successor.rank());
        if *least == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn finish(least: u32, terminal: Ending) -> Self {
        // No sound label has more plies than a word. Damaged labels may, and a check must report them and not panic.
        let longer = |outcome, plies: u32| Self { outcome, plies: (plies as u16).min(Self::MOST_IN_WORD) + 1 };
        match least {
            NO_RANK => Self::ended(terminal),
            // A win one ply longer than the loss; a draw one ply longer; a loss one ply longer than the win.
            _ if least < RANK_OF_REPETITION => longer(Outcome::Win, least),
            RANK_OF_REPETITION => Self::REPETITION,
            _ if least <= RANK_OF_DRAW => longer(Outcome::Draw, RANK_OF_DRAW - least),
            _ => longer(Outcome::Loss, RANK_OF_WIN - least),
        }
    }

    /// The code. Labels of more than 64 plies have the code of 64.
    #[inline]
    fn encode(self, _: Width) -> u8 {
        if self.plies > MOST_PLIES as u16 {
            return match self.outcome {
                Outcome::Loss => MOST_PLIES,
                Outcome::Draw if self.plies == ENDLESS => REPETITION,
                Outcome::Draw => LONGEST_DRAW,
                Outcome::Win => LONGEST_WIN,
            };
        }
        match self.outcome {
            Outcome::Loss => self.plies as u8,
            Outcome::Draw => DRAW - self.plies as u8,
            Outcome::Win => WIN - self.plies as u8,
        }
    }

    #[inline]
    fn decode(code: u8, _: Width) -> Option<Self> {
        let (outcome, plies) = match code {
            0..=MOST_PLIES => (Outcome::Loss, code),
            REPETITION => return Some(Self::REPETITION),
            LONGEST_DRAW..=DRAW => (Outcome::Draw, DRAW - code),
            LONGEST_WIN..=WIN => (Outcome::Win, WIN - code),
            _ => return None,
        };
        Some(Self { outcome, plies: plies.into() })
    }

    fn of_word(outcome: Outcome, word: u16) -> Option<Self> {
        let is_label = word <= Self::MOST_IN_WORD || (word, outcome) == (ENDLESS, Outcome::Draw);
        is_label.then_some(Self { outcome, plies: word })
    }

    /// With 16 bits, the first place is that of draws by repetition. Then follow wins, draws and losses in 0 plies, in 1 ply and so on.
    fn place(self, width: Width) -> usize {
        match (width, self.end()) {
            (Width::Sixteen, None) => 0,
            (Width::Sixteen, Some(plies)) => {
                let before = 1 + 3 * plies as usize;
                before + Outcome::BEST_FIRST.iter().position(|&outcome| outcome == self.outcome).unwrap_or(0)
            }
            _ => self.encode(width).into(),
        }
    }

    fn at_place(place: usize, width: Width) -> Option<Self> {
        match (width, place) {
            (Width::Sixteen, 0) => Some(Self::REPETITION),
            (Width::Sixteen, _) => {
                let plies = u16::try_from((place - 1) / 3).ok()?;
                Self::of_word(Outcome::BEST_FIRST[(place - 1) % 3], plies)
            }
            _ => Self::decode(u8::try_from(place).ok()?, width),
        }
    }

    fn undefined(rules: &Rules) -> Option<Undefined> {
        rules.has_gains().then_some(Undefined::Gains)
    }

    fn overflow(rules: &Rules) -> Option<fn(u8) -> bool> {
        Self::may_overflow(rules).then_some(Self::is_longest)
    }

    fn number(self) -> Option<i32> {
        self.end().map(u32::cast_signed)
    }

    fn of_move(number: i32, _: &Step) -> i32 {
        number + 1
    }

    fn of_opening(choices: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32> {
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

    fn of(outcome: Outcome, plies: u16) -> Remoteness {
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
            Remoteness::finish(least, Ending::from(terminal))
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
            // No game has these labels, but a damaged table may. A code that is too long has the code of 64 plies.
            for outcome in [Loss, Draw, Win] {
                let longer = after(&[of(outcome, 64)], terminal);
                assert_eq!((longer, longer.encode(Width::Eight)), {
                    let label = of(outcome.flip(), 65);
                    (label, of(outcome.flip(), 64).encode(Width::Eight))
                });
                let most = after(&[of(outcome, Remoteness::MOST_IN_WORD)], terminal);
                assert_eq!(Remoteness::of_word(most.outcome, most.word()), None);
            }
        }
    }

    #[test]
    fn words_and_places_and_back() {
        assert_eq!([0, 63, 64, 1000].map(Remoteness::width_of)[1..3], [Width::Eight, Width::Sixteen]);
        assert_eq!([63, 64, 65].map(Remoteness::places), [256, 196, 199]);
        for width in [Width::Eight, Width::Sixteen] {
            let most = if width == Width::Eight { 64 } else { 1000 };
            let labels =
                [Loss, Draw, Win].into_iter().flat_map(|outcome| (0..=most).map(move |plies| of(outcome, plies)));
            let mut places = Vec::new();
            for label in labels.chain([Remoteness::REPETITION]) {
                let place = label.place(width);
                assert_eq!(Remoteness::at_place(place, width), Some(label));
                assert!(place < if width == Width::Eight { 256 } else { Remoteness::places(most) });
                assert_eq!(Remoteness::of_word(label.outcome, label.word()), Some(label));
                places.push(place);
            }
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!([Win, Loss].map(|outcome| Remoteness::of_word(outcome, u16::MAX)), [None, None]);
        assert_eq!(Remoteness::of_word(Draw, u16::MAX - 1), None);
        // Longer games are better for the player who draws or loses, whatever the width.
        let ranks =
            [of(Loss, 0), of(Loss, 60_000), Remoteness::REPETITION, of(Draw, 60_000), of(Draw, 0), of(Win, 60_000)];
        assert!(ranks.is_sorted_by(|a, b| a.rank() < b.rank()));
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
