//! The score: the net points that are still to come, for the player to move, if both players play for the most.
//!
//! Moves gain points for the player who makes them, and at the end of play some are counted. The score of a position is the greatest of
//! gain − score of the next position, over all moves; gain + score if the same player moves again. Where the game is over, it is the number
//! of points at the end. The points of moves before the position do not belong to it: a player who leads by some has won if lead and score
//! together are positive.
//!
//! ```text
//! code      0, 1      2 … 254          255
//! meaning   none      score + 128      none
//!
//! word      0, 1      2 … 65,534       65,535
//! meaning   none      score + 32,768   none
//! ```
//!
//! A table stores codes of one byte if scores, and what moves are worth, are at most 126 by the bound of the rules
//! ([`Rules::most_points`]). Otherwise it stores words of two bytes.

use std::fmt;
use std::ops::ControlFlow;

use super::{About, Label, LabelKind, Undefined, Width};
use crate::rules::{Ending, MOST_IN_BYTE, Outcome, Rules, Step};

/// The net points that the player to move still gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(pub i16);

/// The code of score 0.
pub const NO_POINTS: u8 = 128;
/// The same in two bytes.
const NO_POINTS_IN_WORD: u16 = 1 << 15;

impl Score {
    /// The greatest score of one byte, and the least one with its sign changed.
    pub const MOST: u8 = MOST_IN_BYTE as u8;
    /// The same for two bytes.
    pub const MOST_IN_WORD: u16 = NO_POINTS_IN_WORD - 2;

    /// Returns whether scores by `rules`, and what moves to them are worth, are at most [`MOST_IN_WORD`](Self::MOST_IN_WORD). `None` if
    /// positions may repeat.
    fn fits(rules: &Rules) -> Option<bool> {
        let (score, gain) = rules.most_points()?;
        Some(score + u64::from(gain) <= Self::MOST_IN_WORD.into())
    }
}

impl Label for Score {
    const KIND: LabelKind = LabelKind::Score;
    const ABOUT: About = About {
        number: 5,
        name: "score",
        key: "score",
        noun: "score",
        help: "Net points still to come for the player to move",
        option: "net points still to come for the player to move, in games that count points",
        summary: "score: net points still to come for the player to move",
        heading: "Scores",
        axis: "net points for the player to move",
        usual: false,
        is_signed: true,
        ..About::USUAL
    };

    /// The most points that a move is worth so far.
    type Partial = Option<i16>;

    fn ended(ending: Ending) -> Self {
        Self(ending.points)
    }

    fn none() -> Option<i16> {
        None
    }

    #[inline]
    fn turned(self) -> Self {
        Self(self.0.saturating_neg())
    }

    #[inline]
    fn gained(self, gain: i16) -> Self {
        Self(self.0.saturating_sub(gain))
    }

    #[inline]
    fn absorb(most: &mut Option<i16>, successor: Self) -> ControlFlow<()> {
        *most = (*most).max(Some(successor.0.saturating_neg()));
        ControlFlow::Continue(())
    }

    #[inline]
    fn finish(most: Option<i16>, terminal: Ending) -> Self {
        Self(most.unwrap_or(terminal.points))
    }

    #[inline]
    fn encode(self, _: Width) -> u8 {
        // No sound label has more points than a code can say. Damaged labels may lead to such.
        let most = i16::from(Self::MOST);
        (self.0.clamp(-most, most) + i16::from(NO_POINTS)) as u8
    }

    #[inline]
    fn decode(number: u8, _: Width) -> Option<Self> {
        let score = i16::from(number) - i16::from(NO_POINTS);
        (score.unsigned_abs() <= Self::MOST.into()).then_some(Self(score))
    }

    #[inline]
    fn code(self, width: Width) -> u16 {
        match width {
            // Damaged labels may lead to more points, as in `encode`.
            Width::Sixteen => {
                let most = Self::MOST_IN_WORD.cast_signed();
                NO_POINTS_IN_WORD.wrapping_add_signed(self.0.clamp(-most, most))
            }
            width => self.encode(width).into(),
        }
    }

    #[inline]
    fn of_code(code: u16, width: Width) -> Option<Self> {
        match width {
            Width::Sixteen => {
                let score = code.wrapping_sub(NO_POINTS_IN_WORD).cast_signed();
                (score.unsigned_abs() <= Self::MOST_IN_WORD).then_some(Self(score))
            }
            width => Self::decode(u8::try_from(code).ok()?, width),
        }
    }

    /// With 16 bits, the places are those of the scores 0, +1, -1, +2, -2 and so on.
    fn place(self, width: Width) -> usize {
        match width {
            Width::Sixteen => 2 * usize::from(self.0.unsigned_abs()) - usize::from(self.0 > 0),
            width => self.encode(width).into(),
        }
    }

    fn at_place(place: usize, width: Width) -> Option<Self> {
        match width {
            Width::Sixteen => {
                let points = i16::try_from(place.div_ceil(2)).ok()?;
                (points.unsigned_abs() <= Self::MOST_IN_WORD).then_some(Self(if place % 2 == 1 {
                    points
                } else {
                    -points
                }))
            }
            width => Self::decode(u8::try_from(place).ok()?, width),
        }
    }

    fn width(rules: &Rules) -> Width {
        if rules.has_wide_scores() { Width::Sixteen } else { Width::Eight }
    }

    fn places(rules: &Rules) -> usize {
        match (Self::width(rules), rules.most_points()) {
            (Width::Sixteen, Some((most, _))) => 1 + 2 * most.min(Self::MOST_IN_WORD.into()) as usize,
            _ => 1 << 8,
        }
    }

    fn undefined(rules: &Rules) -> Option<Undefined> {
        if !rules.counts_points() {
            return Some(Undefined::NoPoints);
        }
        if !rules.ends_by_points() {
            return Some(Undefined::EndsWithoutPoints);
        }
        match Self::fits(rules) {
            None => Some(Undefined::Repeats),
            Some(false) => Some(Undefined::ManyPoints),
            Some(true) => None,
        }
    }

    fn number(self) -> Option<i32> {
        Some(self.0.into())
    }

    /// The points of the move and those that come after it.
    fn of_move(number: i32, step: &Step) -> i32 {
        i32::from(step.gain) + if step.again { number } else { -number }
    }

    fn of_opening(choices: &mut dyn Iterator<Item = Option<i32>>) -> Option<i32> {
        choices.next().flatten()
    }
}

impl From<Score> for Outcome {
    /// The outcome where neither player leads.
    fn from(score: Score) -> Self {
        Self::of_points(score.0.into())
    }
}

impl fmt::Display for Score {
    /// With its sign: `+7`, `0` or `-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0"),
            score => f.pad(&format!("{score:+}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, Position, RulesSpec, Terminal};
    use crate::step;

    /// One row of the game: two cells, of which the second gains points if the first is filled.
    fn row(gain: i16, again: bool, terminal: Terminal) -> Result<Rules, crate::rules::RulesError> {
        let fill = |cell| Move::fill(Board::bit(cell));
        let last = Move { full: Board::bit(0), gain, again, ..fill(1) };
        let early = Move { empty: Board::full(2), ..fill(1) };
        let terminals = vec![terminal];
        RulesSpec { moves: vec![fill(0), last, early], terminals, ..RulesSpec::new("row", 2) }.build()
    }

    fn score(rules: &Rules, board: u64) -> i16 {
        let of = |position| step(rules, position, |to: Position| Score(score(rules, to.board.low_word())));
        of(Position::of(Board::from_word(board))).0
    }

    #[test]
    fn a_score_is_the_most_of_gain_and_what_follows() {
        let scores = |gain, again, end| [3, 1, 2, 0].map(|board| score(&row(gain, again, end).unwrap(), board));
        let draw = Outcome::Draw.into();
        assert_eq!(scores(2, false, draw), [0, 2, 0, 0]);
        assert_eq!(scores(-2, false, draw), [0, -2, 0, 2]);
        // The player to move at the end gets a point: the player who moved before, if a move again came last.
        assert_eq!(scores(2, false, Terminal::Points(1)), [1, 1, -1, 1]);
        assert_eq!(scores(2, true, Terminal::Points(1)), [1, 3, -1, 1]);
        let most = Terminal::Most { own: Board::full(2), other: Board::EMPTY };
        assert_eq!(scores(0, false, most), [2, -2, -2, 2]);
    }

    #[test]
    fn codes_and_back() {
        for score in -126..=126 {
            let code = Score(score).encode(Width::Eight);
            assert_eq!(Score::decode(code, Width::Eight), Some(Score(score)));
            assert_eq!(Score::at_place(Score(score).place(Width::Eight), Width::Eight), Some(Score(score)));
        }
        assert_eq!([0, 1, 255].map(|code| Score::decode(code, Width::Eight)), [None; 3]);
        assert_eq!([200, -200].map(|score| Score(score).encode(Width::Eight)), [254, 2]);
        let most = Score::MOST_IN_WORD.cast_signed();
        let mut places: Vec<usize> = (-most..=most).map(|score| Score(score).place(Width::Sixteen)).collect();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..65_533));
        for score in -most..=most {
            let word = Score(score).code(Width::Sixteen);
            assert_eq!(
                (Score::of_code(word, Width::Sixteen), i32::from(word) - 32_768),
                (Some(Score(score)), score.into())
            );
            assert_eq!(Score::of_word(Outcome::Draw, word), Some(Score(score)));
            assert_eq!(Score::at_place(Score(score).place(Width::Sixteen), Width::Sixteen), Some(Score(score)));
        }
        assert_eq!([0, 1, u16::MAX].map(|word| Score::of_code(word, Width::Sixteen)), [None; 3]);
        assert_eq!([65_533, 65_534, 100_000].map(|place| Score::at_place(place, Width::Sixteen)), [None; 3]);
        assert_eq!([i16::MAX, i16::MIN].map(|score| Score(score).code(Width::Sixteen)), [65_534, 2]);
        assert_eq!((Score(-7).code(Width::Eight), Score::of_code(121, Width::Eight)), (121, Some(Score(-7))));
        assert_eq!(Score::of_code(256, Width::Eight), None);
        assert_eq!([7, 0, -3].map(|score| Score(score).to_string()), ["+7", "0", "-3"]);
        assert_eq!([7, 0, -3].map(|score| Outcome::from(Score(score))), [Outcome::Win, Outcome::Draw, Outcome::Loss]);
    }

    #[test]
    fn moves_add_their_points() {
        let step = |gain, again| Step { to: Position::default(), gain, again };
        assert_eq!([step(2, false), step(2, true)].map(|step| Score::of_move(5, &step)), [-3, 7]);
    }

    #[test]
    fn scores_need_points_at_every_end_and_room() {
        let undefined = |gain, terminal| Score::undefined(&row(gain, false, terminal).unwrap());
        assert_eq!(undefined(2, Outcome::Draw.into()), None);
        assert_eq!(undefined(0, Outcome::Draw.into()), Some(Undefined::NoPoints));
        let width = |gain| Score::width(&row(gain, false, Outcome::Draw.into()).unwrap());
        // One cell of 63 points, and 63 for the move that leads there.
        assert_eq!([63, -63, 64, -64].map(width), [Width::Eight, Width::Eight, Width::Sixteen, Width::Sixteen]);
        assert_eq!(Score::places(&row(64, false, Outcome::Draw.into()).unwrap()), 129);
        // Thirty cells of 1,024 points, and 1,022 at the end; with what a move is worth, 32,766 in all.
        let most = |end| {
            let moves = (0..30).map(|cell| Move { gain: 1024, ..Move::fill(Board::bit(cell)) }).collect();
            RulesSpec {
                moves,
                terminal: Outcome::Draw,
                terminals: vec![Terminal::Points(end)],
                ..RulesSpec::new("many", 31)
            }
            .build()
            .unwrap()
        };
        assert_eq!([1022, 1023].map(|end| Score::undefined(&most(end))), [None, Some(Undefined::ManyPoints)]);
        let end = crate::rules::End {
            mode: crate::rules::Mode(0),
            pattern: Board::bit(1),
            outcome: Terminal::Points(1),
            empty: Board::EMPTY,
        };
        let spec = row(0, false, Outcome::Loss.into()).unwrap().into_spec();
        let rules = RulesSpec { ends: vec![end], ..spec }.build().unwrap();
        assert_eq!(Score::undefined(&rules), Some(Undefined::EndsWithoutPoints));
    }
}
