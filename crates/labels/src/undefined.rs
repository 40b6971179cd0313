//! Labels that a game does not have, and why.

use std::fmt;

use crate::rules::{Mode, Outcome, Rules, Terminal};

/// Why a label is not defined for a game.
///
/// All but the last two follow from the rules, and so does the last but one if the rules name the player of each mode
/// (`LabelKind::undefined_by`). Otherwise only the game knows whether a mode is a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// In misère play there are no nimbers.
    Misere,
    /// Terminal patterns end the game while moves are left.
    Ends,
    /// A player may move again.
    MovesAgain,
    /// Positions may repeat.
    Repeats,
    /// A player without a move draws.
    Draws,
    /// The two sides have different moves.
    Partisan,
    /// Moves gain points, and points decide who wins.
    Gains,
    /// Nobody counts points.
    NoPoints,
    /// A player can win or lose whatever the points are.
    EndsWithoutPoints,
    /// A score may need more than two bytes.
    ManyPoints,
    /// The rules describe a reduced game, which has the same outcomes but not the same other labels.
    Reduced,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Misere => "it needs normal play, and here the player who cannot move wins",
            Self::Ends => "it needs a game that ends only when a player cannot move, and here terminal patterns end it",
            Self::MovesAgain => "it needs players who move in turn, and here a player may move again",
            Self::Repeats => "it needs a game without repetition, and here positions can repeat",
            Self::Draws => "it needs normal play, and here the game is a draw when a player cannot move",
            Self::Partisan => "it needs the same moves for both players, and here each side has its own",
            Self::Gains => {
                "it needs a game in which the end of play alone decides, and here the points of moves decide as well"
            }
            Self::NoPoints => "it needs a game in which points decide, and here nobody counts any",
            Self::EndsWithoutPoints => {
                "it needs points at every end, and here a player can win or lose whatever the points are"
            }
            Self::ManyPoints => "a table has scores from -32,766 to 32,766, and the sums of points here may be greater",
            Self::Reduced => {
                "the table leaves out moves that cancel each other, which preserves the winner but not the length of \
                 play"
            }
        })
    }
}

impl Undefined {
    /// The reason why `rules` do not make an impartial game without repetition that ends when a player cannot move.
    #[must_use]
    pub fn without_impartial_play(rules: &Rules) -> Option<Self> {
        if !rules.ends().is_empty() || !rules.spec().count_ends.is_empty() {
            return Some(Self::Ends);
        }
        if rules.counts_points() {
            return Some(Self::Gains);
        }
        if rules.terminal_in(Mode(0)) == Terminal::Always(Outcome::Draw) {
            return Some(Self::Draws);
        }
        if rules.moves().iter().any(|m| !rules.hands_over(m)) {
            return Some(Self::MovesAgain);
        }
        // A mode of one player has that player's moves alone.
        if rules.player(Mode(0)).is_some() {
            return Some(Self::Partisan);
        }
        rules.potential().is_none().then_some(Self::Repeats)
    }

    /// As [`without_impartial_play`](Self::without_impartial_play), for games in normal play.
    #[must_use]
    pub fn without_normal_play(rules: &Rules) -> Option<Self> {
        if rules.terminal_in(Mode(0)) == Terminal::Always(Outcome::Win) {
            return Some(Self::Misere);
        }
        match Self::without_impartial_play(rules) {
            found @ Some(Self::Ends | Self::Draws) => found,
            _ if rules.terminals().any(|terminal| terminal != Terminal::Always(Outcome::Loss)) => Some(Self::Misere),
            found => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelKind;
    use crate::rules::{Board, End, Move, Player, RulesSpec};

    #[test]
    fn nimbers_need_normal_play_to_the_last_move() {
        let of = |terminal, ends: &[End]| {
            let rules = RulesSpec { terminal, ends: ends.to_vec(), ..RulesSpec::new("two", 2) }.build().unwrap();
            assert_eq!(LabelKind::Remoteness.undefined_by(&rules), None);
            LabelKind::Nimber.undefined_by(&rules)
        };
        let end =
            End { mode: Mode(0), pattern: Board::from_word(3), outcome: Outcome::Loss.into(), empty: Board::EMPTY };
        assert_eq!(of(Outcome::Loss, &[]), None);
        let misere = RulesSpec { terminal: Outcome::Win, ..RulesSpec::new("two", 2) }.build().unwrap();
        assert_eq!(LabelKind::MisereNimber.undefined_by(&misere), None);
        assert_eq!(of(Outcome::Win, &[end]), Some(Undefined::Misere));
        assert_eq!(of(Outcome::Draw, &[]), Some(Undefined::Draws));
        assert_eq!([Outcome::Loss, Outcome::Draw].map(|terminal| of(terminal, &[end])), [Some(Undefined::Ends); 2]);
    }

    #[test]
    fn modes_that_belong_to_players_have_no_nimbers() {
        let moves = [(0, 1), (1, 0)].map(|(mode, next)| Move {
            mode: Mode(mode),
            next: Mode(next),
            ..Move::fill(Board::from_word(1))
        });
        let modes = vec!["left".to_owned(), "right".into()];
        let of = |players: &[Player]| {
            let spec = RulesSpec { moves: moves.to_vec(), modes: modes.clone(), ..RulesSpec::new("two", 2) };
            let rules = RulesSpec { players: players.to_vec(), ..spec }.build().unwrap();
            LabelKind::Nimber.undefined_by(&rules)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[Player::First, Player::Second]), Some(Undefined::Partisan));
        assert_eq!(of(&[Player::First, Player::First]), Some(Undefined::MovesAgain));
    }

    #[test]
    fn nimbers_need_an_end_and_one_convention() {
        let modes = vec!["left".to_owned(), "right".into()];
        let terminals = vec![Outcome::Loss.into(), Outcome::Win.into()];
        let rules = RulesSpec { terminals, modes, ..RulesSpec::new("two", 2) }.build().unwrap();
        let undefined = |rules: &Rules| [LabelKind::Nimber, LabelKind::MisereNimber].map(|it| it.undefined_by(rules));
        assert_eq!(undefined(&rules), [Some(Undefined::Misere), None]);
        // A piece steps to and fro.
        let step = |from, to| Move { full: Board::bit(from), clears: Board::bit(from), ..Move::fill(Board::bit(to)) };
        let rules = RulesSpec { moves: vec![step(0, 1), step(1, 0)], ..RulesSpec::new("two", 2) }.build().unwrap();
        assert_eq!(undefined(&rules), [Some(Undefined::Repeats); 2]);
    }
}
