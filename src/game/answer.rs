//! The answer to a position by the game itself: for games that know of more positions than their table.

use std::cmp::Reverse;

use crate::label::Value;
use crate::rules::{Node, Outcome, Position};

/// What a game may use to answer.
pub struct Ask<'a> {
    /// The outcome of a position of the rules, where a table holds it.
    pub look_up: &'a mut dyn FnMut(Position) -> Option<Outcome>,
    /// Positions it may expand by search for the whole answer.
    pub limit: u64,
}

/// Where an outcome comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A table holds the position.
    Table,
    /// It was worked out by search, with table positions as leaves where there are any.
    Search,
}

impl Source {
    /// `table` or `search`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Search => "search",
        }
    }
}

/// A position's value and that of every move, best first, in the words of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The canonical text of the position.
    pub position: String,
    /// The place in the rules, where they hold the position.
    pub node: Option<Node>,
    /// The value for the player to move; `None` where the search reached its limit.
    pub value: Option<Value>,
    /// Whether the game has ended here.
    pub over: bool,
    /// Where the value of the position comes from.
    pub source: Source,
    /// The moves: wins, draws, those not known, losses; the quickest win and the slowest loss first; then in the game's
    /// own order. Moves that leave one position are one move here, as they are to whoever plays on.
    pub moves: Vec<AnswerMove>,
}

/// A move, and what it is worth to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerMove {
    /// How the move is written.
    pub text: String,
    /// The canonical text of the position after it.
    pub position: String,
    /// The position after it, where the rules hold it.
    pub to: Option<Position>,
    /// Its value as in a [`Choice`](crate::rules::Choice); `None` where the search reached its limit.
    pub value: Option<Value>,
}

impl Answer {
    /// The outcome for the player to move, where it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.map(|value| value.outcome)
    }

    /// Orders moves whose outcomes alone are known, those of one outcome as they stand.
    pub fn sort(&mut self) {
        self.moves.sort_by_key(|m| match m.outcome() {
            Some(Outcome::Win) => 0,
            Some(Outcome::Draw) => 1,
            None => 2,
            Some(Outcome::Loss) => 3,
        });
    }

    /// The moves that keep the best outcome the player can reach; none where that is not known.
    pub fn best(&self) -> impl Iterator<Item = &AnswerMove> {
        self.moves.iter().filter(|m| m.value.is_some() && m.outcome() == self.outcome())
    }
}

impl AnswerMove {
    /// The outcome for the player who makes it, where it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.map(|value| value.outcome)
    }
}

/// What is known of a position from the outcomes of its moves, for the player who makes them.
#[must_use]
pub fn best_of(moves: impl Iterator<Item = Option<Outcome>>, terminal: Outcome) -> Option<Outcome> {
    // An unknown move hides a win at best: only a known win settles a position that has one.
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
