//! The player to move, and the reasons why a sweep of all boards cannot solve rules.

use std::fmt;

use super::{Move, RulesSpec, Terminal};

/// One of the two players, in rules that say who is to move in each mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The first player of the two; the other player may begin.
    First,
    /// The second player.
    Second,
}

/// Why a sweep of all boards cannot solve rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SweepObstacle {
    /// Moves empty cells.
    Clears,
    /// A player may move again, in rules without gains. Scores follow from each other all the same, and outcomes from scores.
    MovesAgain,
    /// A move changes no cell.
    Passes,
    /// A move is legal only if no other move is.
    Otherwise,
    /// The outcome for a player without a move differs between modes, or between boards.
    Terminals,
    /// A terminal pattern needs cells to be empty.
    Ends,
    /// At a terminal pattern, pieces are counted.
    CountedEnds,
    /// Moves or ends depend on numbers of pieces.
    Counts,
}

impl SweepObstacle {
    /// The first obstacle in `spec`.
    pub(super) fn of(spec: &RulesSpec) -> Option<Self> {
        let differs = |terminal: &Terminal| *terminal != Terminal::Always(spec.terminal);
        if spec.moves.iter().any(|m| !m.clears.is_empty() || m.lines.is_some() || m.takes.is_some()) {
            Some(Self::Clears)
        } else if !spec.has_gains() && spec.moves.iter().any(|m| !spec.hands_over(m)) {
            Some(Self::MovesAgain)
        } else if spec.moves.iter().any(Move::is_pass) {
            Some(Self::Passes)
        } else if spec.moves.iter().any(|m| m.otherwise) {
            Some(Self::Otherwise)
        } else if spec.terminals.iter().any(differs) {
            Some(Self::Terminals)
        } else if spec.ends.iter().any(|end| !end.empty.is_empty()) {
            Some(Self::Ends)
        } else if spec.ends.iter().any(|end| end.outcome.fixed().is_none()) {
            Some(Self::CountedEnds)
        } else if spec.moves.iter().any(|m| m.when.is_some()) || !spec.count_ends.is_empty() {
            Some(Self::Counts)
        } else {
            None
        }
    }
}

impl fmt::Display for SweepObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clears => "its moves empty cells",
            Self::MovesAgain => "a player may move again",
            Self::Passes => "a player may pass",
            Self::Otherwise => "some moves are legal only if no other move is",
            Self::Ends => "some patterns that end the game need cells to be empty",
            Self::CountedEnds => "pieces are counted at some patterns that end the game",
            Self::Counts => "its moves or ends depend on numbers of pieces",
            Self::Terminals => "the outcome for a player without a move differs between modes or boards",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, End, Mode, Outcome};

    type Change<'a> = &'a dyn Fn(&mut RulesSpec);

    #[test]
    fn every_obstacle_is_found() {
        let fill = Move { next: Mode(1), ..Move::fill(Board::bit(0)) };
        let pass = Move { next: Mode(1), ..Move::fill(Board::EMPTY) };
        let spec = || RulesSpec { moves: vec![fill], modes: vec!["a".into(), "b".into()], ..RulesSpec::new("r", 2) };
        let found = |change: &dyn Fn(&mut RulesSpec)| {
            let mut spec = spec();
            change(&mut spec);
            SweepObstacle::of(&spec)
        };
        assert_eq!(found(&|_| {}), None);
        assert_eq!(found(&|it| it.terminals = vec![Terminal::Always(Outcome::Loss); 2]), None);
        assert_eq!(found(&|it| it.players = vec![Player::First, Player::Second]), None);
        assert_eq!(found(&|it| (it.moves[0].again, it.moves[0].gain, it.terminal) = (true, 1, Outcome::Draw)), None);
        let clears = Move { full: Board::bit(1), clears: Board::bit(1), ..fill };
        let end = End { mode: Mode(0), pattern: Board::bit(0), outcome: Outcome::Loss.into(), empty: Board::bit(1) };
        let changes: [(Change<'_>, &str); 7] = [
            (&|it| it.ends.push(end), "some patterns that end the game need cells to be empty"),
            (&|it| it.moves.push(clears), "its moves empty cells"),
            (&|it| it.moves[0].lines = Some(0), "its moves empty cells"),
            (&|it| it.players = vec![Player::First; 2], "a player may move again"),
            (&|it| it.moves.push(pass), "a player may pass"),
            (&|it| it.moves[0].otherwise = true, "some moves are legal only if no other move is"),
            (
                &|it| it.terminals = vec![Terminal::Always(Outcome::Loss), Terminal::Always(Outcome::Draw)],
                "the outcome for a player without a move differs between modes or boards",
            ),
        ];
        for (change, message) in changes {
            assert_eq!(found(change).map(|obstacle| obstacle.to_string()).as_deref(), Some(message));
        }
    }
}
