//! The extent to which a solver had found positions when it stopped.

use std::fmt;

use crate::rules::{Potential, Rules};

/// The bound up to which all positions had been found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UpTo {
    /// All positions with at most `filled` filled cells, in a game whose moves only fill cells.
    Filled {
        /// Filled cells.
        filled: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// All positions up to this level of the game's [`Potential`], in a game whose moves also empty cells.
    Level {
        /// The level.
        level: u32,
        /// The highest level that any board has.
        most: u32,
    },
    /// No bound: positions may repeat, so they are not found level by level.
    Unordered,
}

impl UpTo {
    /// The bound at `level` of `potential`.
    pub fn level(rules: &Rules, potential: &Potential, level: u32) -> Self {
        match potential.most() {
            _ if potential.is_filled() => Self::Filled { filled: level, cells: rules.cells() },
            0 => Self::Unordered,
            most => Self::Level { level, most },
        }
    }

    /// The bound at the last level. A game in which positions may repeat has one level.
    pub fn all(rules: &Rules, potential: &Potential) -> Self {
        Self::level(rules, potential, potential.most())
    }

    /// The end of an error message that names a limit on positions, if the positions found lead to more than the limit.
    pub fn lead_to_more(self) -> String {
        if self == Self::Unordered { String::new() } else { format!(": the positions{self} already lead to more") }
    }
}

impl fmt::Display for UpTo {
    /// The text after `positions`: ` of up to 5 of 16 filled cells`, ` of up to level 7 of 31`, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filled { filled, cells } => write!(f, " of up to {filled} of {cells} filled cells"),
            Self::Level { level, most } => write!(f, " of up to level {level} of {most}"),
            Self::Unordered => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, RulesSpec};

    #[test]
    fn bounds_are_described_in_words() {
        let of = |moves: Vec<Move>| RulesSpec { moves, ..RulesSpec::new("row", 3) }.build().unwrap();
        let text = |rules: &Rules| UpTo::level(rules, rules.potential().unwrap(), 1).to_string();
        assert_eq!(text(&of(vec![Move::fill(Board::from_word(1))])), " of up to 1 of 3 filled cells");
        let step = Move { full: Board::from_word(1), clears: Board::from_word(1), ..Move::fill(Board::from_word(2)) };
        let next = Move { full: Board::from_word(2), clears: Board::from_word(2), ..Move::fill(Board::from_word(4)) };
        let rules = of(vec![step, next]);
        let most = rules.potential().unwrap().most();
        assert_eq!(text(&rules), format!(" of up to level 1 of {most}"));
        assert_eq!((UpTo::Unordered.to_string(), UpTo::Unordered.lead_to_more()), Default::default());
    }
}
