//! The answer to a position, from a table or by search, in the notation of its game.

use std::cmp::Reverse;

use super::NotationError;
use crate::label::Value;
use crate::rules::{Node, Outcome, Position};

/// Resources that a search may use to find an answer.
pub struct Ask<'a> {
    /// The outcome of a position of the rules; `None` if no table holds it.
    pub look_up: &'a mut dyn FnMut(Position) -> Option<Outcome>,
    /// The largest number of positions that the search may expand for the whole answer.
    pub limit: u64,
}

/// A game with more positions than its rules, such as a game whose rules describe an equivalent smaller one. It answers
/// texts itself, by a search that looks up positions of the table.
pub trait OffTable {
    /// Checks that `text` is a position of the game.
    ///
    /// # Errors
    /// If `text` is not a position of the game. The error gives the expected and the found value.
    fn check(&self, text: &str) -> Result<(), NotationError>;

    /// The places of the [`Scene`](super::Scene) that are filled in the position that `text` names. A move fills the
    /// place whose name is the text of the move.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn filled(&self, text: &str) -> Result<Vec<usize>, NotationError>;

    /// The moves from the position that `text` names: their texts, and the canonical texts of the positions after them.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn moves(&self, text: &str) -> Result<Vec<(String, String)>, NotationError>;

    /// Answers the position that `text` names, or the start if there is no text.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn answer(&self, text: Option<&str>, ask: &mut Ask<'_>) -> Result<Answer, NotationError>;
}

words! {
    /// The source of an outcome.
    AnswerSource {
        /// A table.
        Table = "table",
        /// A search, which looks up positions in a table if there is one.
        Search = "search",
    }
}

/// The value of a position and of each of its moves, in the notation of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The canonical text of the position.
    pub position: String,
    /// The node of the rules; `None` if the rules do not have the position.
    pub node: Option<Node>,
    /// The points that the player to move already has more than the other player. The outcomes count them, and the scores do not.
    pub lead: i32,
    /// The value for the player to move; `None` if the search reached its limit.
    pub value: Option<Value>,
    /// True if the game is over at this position.
    pub over: bool,
    /// The source of the position's value.
    pub source: AnswerSource,
    /// The moves, best first: wins, draws, unknown moves, losses. Quick wins and slow losses come first; equal moves
    /// keep the order of the game. Moves that lead to the same position count as one move.
    pub moves: Vec<AnswerMove>,
}

/// A move and its value for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerMove {
    /// The text of the move.
    pub text: String,
    /// The canonical text of the position after the move.
    pub position: String,
    /// The position after the move; `None` if the rules do not have that position.
    pub to: Option<Position>,
    /// The value of the move, as in a [`Choice`](crate::label::Choice); `None` if the search reached its limit.
    pub value: Option<Value>,
    /// The points that the move gains for the player who makes it.
    pub gain: i16,
    /// The lead of the player to move after it.
    pub lead: i32,
    /// True if the same player moves again.
    pub again: bool,
}

impl Answer {
    /// The outcome for the player to move, if it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.map(|value| value.outcome)
    }

    /// Returns whether the player to move loses and has a choice, but nothing tells which move delays the loss.
    #[must_use]
    pub fn is_loss_without_order(&self) -> bool {
        let is_bare = |value: Value| value.outcome == Outcome::Loss && !value.has_length() && value.score().is_none();
        self.moves.len() > 1 && self.value.is_some_and(is_bare)
    }

    /// Orders the moves by their scores if they are known, by their outcomes, then by their remoteness if it is known; other moves keep
    /// their order.
    pub fn sort(&mut self) {
        if self.moves.iter().all(|m| m.value.is_some_and(|value| value.score().is_some())) {
            self.moves.sort_by_key(|m| Reverse(m.value.and_then(|value| value.score())));
            return;
        }
        self.moves.sort_by_key(|m| {
            let plies = m.value.and_then(|value| if value.repetition { Some(u32::MAX) } else { value.remoteness() });
            let plies = plies.map_or(0, i64::from);
            match m.outcome() {
                Some(Outcome::Win) => (0, plies),
                Some(Outcome::Draw) => (1, -plies),
                None => (2, 0),
                Some(Outcome::Loss) => (3, -plies),
            }
        });
    }

    /// The moves that keep the best outcome the player can reach, and the best score if scores are known; none if that outcome is not
    /// known.
    pub fn best(&self) -> impl Iterator<Item = &AnswerMove> {
        let score = self.value.and_then(|value| value.score());
        let keeps_score = move |m: &&AnswerMove| score.is_none() || m.value.and_then(|value| value.score()) == score;
        self.moves.iter().filter(|m| m.value.is_some() && m.outcome() == self.outcome()).filter(keeps_score)
    }
}

impl AnswerMove {
    /// The outcome of the move for the player who makes it, if it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.map(|value| value.outcome)
    }
}

/// The outcome of a position, given the outcomes of its moves for the player who makes them. `None` if an unknown move
/// could change it.
#[must_use]
pub fn best_of(moves: impl Iterator<Item = Option<Outcome>>, terminal: Outcome) -> Option<Outcome> {
    // An unknown move may be a win, so only a known win settles a position that has an unknown move.
    let mut worst_first: Vec<Option<Outcome>> = moves.collect();
    worst_first.sort_unstable_by_key(|&outcome| Reverse(outcome));
    match (worst_first.first().copied(), worst_first.last().copied()) {
        (None, _) => Some(terminal),
        (Some(Some(Outcome::Win)), _) => Some(Outcome::Win),
        (_, Some(None)) => None,
        (Some(best), _) => best,
    }
}

#[cfg(test)]
mod tests {
    use super::best_of;
    use crate::rules::Outcome::{Draw, Loss, Win};

    #[test]
    fn an_unknown_move_hides_everything_but_a_win() {
        let best = |moves: &[_]| best_of(moves.iter().copied(), Loss);
        assert_eq!(best(&[]), Some(Loss));
        assert_eq!(best(&[None, Some(Win), Some(Loss)]), Some(Win));
        assert_eq!(best(&[None, Some(Draw)]), None);
        assert_eq!(best(&[Some(Loss), Some(Draw)]), Some(Draw));
        assert_eq!(best(&[None]), None);
    }
}
