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
    /// A player may move again.
    MovesAgain,
    /// A move changes no cell.
    Passes,
    /// A move is legal only if no other move is.
    Otherwise,
    /// The outcome for a player without a move differs between modes, or between boards.
    Terminals,
}

impl SweepObstacle {
    /// The first obstacle in `spec`.
    pub(super) fn of(spec: &RulesSpec) -> Option<Self> {
        let again = |mode, next| spec.player(mode).is_some_and(|player| spec.player(next) == Some(player));
        let differs = |terminal: &Terminal| *terminal != Terminal::Always(spec.terminal);
        if spec.moves.iter().any(|m| !m.clears.is_empty() || m.lines.is_some()) {
            Some(Self::Clears)
        } else if spec.moves.iter().any(|m| again(m.mode, m.next)) {
            Some(Self::MovesAgain)
        } else if spec.moves.iter().any(Move::is_pass) {
            Some(Self::Passes)
        } else if spec.moves.iter().any(|m| m.otherwise) {
            Some(Self::Otherwise)
        } else if spec.terminals.iter().any(differs) {
            Some(Self::Terminals)
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
            Self::Terminals => "the outcome for a player without a move differs between modes or boards",
        })
    }
}
