//! Labels that a game does not have, and why.

use std::fmt;

use super::LabelKind;
use crate::rules::{Mode, Outcome, Rules, Terminal};

/// Why a label is not defined for a game.
///
/// The first five follow from the rules, and so does the sixth if the rules name the player of each mode
/// ([`LabelKind::undefined_by`]). Otherwise only the game knows whether a mode is a player.
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
            Self::Reduced => {
                "the table leaves out moves that cancel each other, which preserves the winner but not the length of \
                 play"
            }
        })
    }
}

impl LabelKind {
    /// The reason why no game with `rules` has this label, as far as it follows from the rules.
    #[must_use]
    pub fn undefined_by(self, rules: &Rules) -> Option<Undefined> {
        let differs = rules.terminals().any(|terminal| terminal != Terminal::Always(Outcome::Loss));
        // A mode of one player has that player's moves alone.
        let owned = rules.player(Mode(0)).is_some();
        let again = || rules.moves().iter().any(|m| !rules.turns_over(m.mode, m.next));
        match (self, rules.terminal_in(Mode(0))) {
            (Self::Outcome | Self::Remoteness, _) => None,
            (Self::Nimber, Terminal::Always(Outcome::Win)) => Some(Undefined::Misere),
            (Self::Nimber | Self::MisereNimber, _) if !rules.ends().is_empty() => Some(Undefined::Ends),
            (Self::Nimber | Self::MisereNimber, Terminal::Always(Outcome::Draw) | Terminal::Most { .. }) => {
                Some(Undefined::Draws)
            }
            (Self::Nimber, _) if differs => Some(Undefined::Misere),
            (Self::Nimber | Self::MisereNimber, _) if again() => Some(Undefined::MovesAgain),
            (Self::Nimber | Self::MisereNimber, _) if owned => Some(Undefined::Partisan),
            (Self::Nimber | Self::MisereNimber, _) if rules.potential().is_none() => Some(Undefined::Repeats),
            (Self::Nimber | Self::MisereNimber, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, End, Move, Player, RulesSpec};

    #[test]
    fn nimbers_need_normal_play_to_the_last_move() {
        let of = |terminal, ends: &[End]| {
            let rules = RulesSpec { terminal, ends: ends.to_vec(), ..RulesSpec::new("two", 2) }.build().unwrap();
            assert_eq!(LabelKind::Remoteness.undefined_by(&rules), None);
            LabelKind::Nimber.undefined_by(&rules)
        };
        let end = End { mode: Mode(0), pattern: Board::from_word(3), outcome: Outcome::Loss, empty: Board::EMPTY };
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
