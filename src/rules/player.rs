//! Who is to move, and what rules have beyond players who fill cells in turn.

use std::fmt;

use super::{Outcome, RulesSpec};

/// One of the two players, in rules that say who is to move in each mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The one; not necessarily the one who begins.
    First,
    /// The other.
    Second,
}

/// What rules have that a sweep of all boards does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SweepObstacle {
    /// Moves empty cells.
    Clears,
    /// A player may move again.
    MovesAgain,
    /// What a player without a move gets differs between modes.
    Terminals,
}

impl SweepObstacle {
    /// The first of these that `spec` has.
    pub(super) fn of(spec: &RulesSpec) -> Option<Self> {
        let again = |mode, next| spec.player(mode).is_some_and(|player| spec.player(next) == Some(player));
        let differs = |outcome: &Outcome| *outcome != spec.terminal;
        if spec.moves.iter().any(|m| !m.clears.is_empty()) {
            Some(Self::Clears)
        } else if spec.moves.iter().any(|m| again(m.mode, m.next)) {
            Some(Self::MovesAgain)
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
            Self::Terminals => "what a player without a move gets differs between modes",
        })
    }
}
