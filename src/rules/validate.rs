//! Which rules are rules: everything the solvers, the table and the probe rely on, checked in one place.

use std::collections::HashSet;

use super::{Board, Mode, Move, Position, Rules, Start};

/// Most cells a board may have: one machine word.
pub const MAX_CELLS: u32 = 64;
/// Most modes.
pub const MAX_MODES: usize = 1 << 12;
/// Most moves, and most ends.
pub const MAX_MOVES: usize = 1 << 20;
/// Longest name of rules or of a mode, in bytes.
pub const MAX_NAME: usize = 128;

/// Why rules were refused. Moves, ends and choices are counted from 0, in the order of their list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The name cannot name a file.
    #[error(
        "{name:?} cannot name rules: 1 to {MAX_NAME} of the characters a-z A-Z 0-9 . _ + - are expected, the first of \
         them a letter or a digit"
    )]
    Name {
        /// The name found.
        name: String,
    },
    /// A board needs 1 to 64 cells.
    #[error("a board of {cells} cells: 1 to {MAX_CELLS} are expected")]
    Cells {
        /// The number found.
        cells: u32,
    },
    /// No mode, or too many of something.
    #[error("{found} {what}: {least} to {most} are expected")]
    Count {
        /// What there is too little or too much of.
        what: &'static str,
        /// How many were found.
        found: usize,
        /// The least that is accepted.
        least: usize,
        /// The most that is accepted.
        most: usize,
    },
    /// The name of a mode is empty, too long, or would break a line or a table of text.
    #[error(
        "mode {index} is named {name:?}: 1 to {MAX_NAME} bytes are expected, without control characters, quotes or commas"
    )]
    ModeName {
        /// Which mode.
        index: usize,
        /// Its name.
        name: String,
    },
    /// Two modes share a name.
    #[error("modes {first} and {second} are both named {name:?}: the names of modes must differ")]
    DuplicateName {
        /// The shared name.
        name: String,
        /// The first mode of that name.
        first: usize,
        /// The second mode of that name.
        second: usize,
    },
    /// A mode that the rules do not have.
    #[error("{what} {index} names mode {}, and the rules have {modes}: 0 to {} are expected", mode.0, modes - 1)]
    UnknownMode {
        /// Where it stands.
        what: &'static str,
        /// Which move, end or choice.
        index: usize,
        /// The mode named.
        mode: Mode,
        /// How many modes there are.
        modes: usize,
    },
    /// A mask that names cells the board does not have.
    #[error("{what} {index} names cells {mask:#x}, and the board's {cells} cells are {:#x}", Board::full(*cells))]
    OutsideBoard {
        /// Where it stands.
        what: &'static str,
        /// Which move, end or choice.
        index: usize,
        /// The whole mask.
        mask: Board,
        /// Cells of the board.
        cells: u32,
    },
    /// A move that could leave the board as it was, so that play need not end.
    #[error("move {index} fills {fills:#x} and needs {empty:#x} empty: it must fill a cell that it needs empty")]
    FillsNothingNew {
        /// Which move.
        index: usize,
        /// What it fills.
        fills: Board,
        /// What it needs empty.
        empty: Board,
    },
    /// A move that can never be made.
    #[error("move {index} needs the cells {both:#x} both empty and filled")]
    Contradiction {
        /// Which move.
        index: usize,
        /// The cells asked to be both.
        both: Board,
    },
}

impl Rules {
    /// Checks everything that the rest of the library relies on.
    ///
    /// # Errors
    /// The first thing found wrong: a name that cannot name a file, no cells or more than [`MAX_CELLS`], a count out of
    /// its limits, a mode without a usable name of its own, a mode or a cell that does not exist, a move that fills
    /// nothing new, a move that can never be made, an opening with nothing to choose.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.validate_names()?;
        let size = |what, found, least, most| {
            let fits = (least..=most).contains(&found);
            if fits { Ok(()) } else { Err(RulesError::Count { what, found, least, most }) }
        };
        size("moves", self.moves.len(), 0, MAX_MOVES)?;
        size("ends", self.ends.len(), 0, MAX_MOVES)?;
        for (index, m) in self.moves.iter().enumerate() {
            self.validate_move(index, m)?;
        }
        for (index, end) in self.ends.iter().enumerate() {
            self.validate_position("end", index, Position::new(end.mode, end.pattern))?;
        }
        match &self.start {
            Start::At(position) => self.validate_position("start", 0, *position),
            Start::Opening(choices) => {
                size("choices of the opening", choices.len(), 1, MAX_MOVES)?;
                let check = |(index, choice): (usize, &Position)| self.validate_position("choice", index, *choice);
                choices.iter().enumerate().try_for_each(check)
            }
        }
    }

    fn validate_names(&self) -> Result<(), RulesError> {
        let first_is_plain = self.name.starts_with(|c: char| c.is_ascii_alphanumeric());
        let all_are_plain = self.name.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
        if !first_is_plain || !all_are_plain || self.name.len() > MAX_NAME {
            return Err(RulesError::Name { name: self.name.clone() });
        }
        if !(1..=MAX_CELLS).contains(&self.cells) {
            return Err(RulesError::Cells { cells: self.cells });
        }
        if !(1..=MAX_MODES).contains(&self.modes.len()) {
            return Err(RulesError::Count { what: "modes", found: self.modes.len(), least: 1, most: MAX_MODES });
        }
        let mut seen = HashSet::new();
        for (index, name) in self.modes.iter().enumerate() {
            let breaks = |c: char| c.is_control() || c == ',' || c == '"';
            if name.is_empty() || name.len() > MAX_NAME || name.contains(breaks) {
                return Err(RulesError::ModeName { index, name: name.clone() });
            }
            if !seen.insert(name) {
                let first = self.modes.iter().position(|other| other == name).unwrap_or_default();
                return Err(RulesError::DuplicateName { name: name.clone(), first, second: index });
            }
        }
        Ok(())
    }

    fn validate_move(&self, index: usize, m: &Move) -> Result<(), RulesError> {
        for mode in [m.mode, m.next] {
            self.validate_position("move", index, Position::new(mode, m.empty | m.full | m.fills))?;
        }
        if m.fills.is_disjoint(m.empty) {
            return Err(RulesError::FillsNothingNew { index, fills: m.fills, empty: m.empty });
        }
        if !m.empty.is_disjoint(m.full) {
            return Err(RulesError::Contradiction { index, both: m.empty & m.full });
        }
        Ok(())
    }

    fn validate_position(&self, what: &'static str, index: usize, position: Position) -> Result<(), RulesError> {
        if usize::from(position.mode.0) >= self.modes.len() {
            return Err(RulesError::UnknownMode { what, index, mode: position.mode, modes: self.modes.len() });
        }
        if !Board::full(self.cells).contains(position.board) {
            return Err(RulesError::OutsideBoard { what, index, mask: position.board, cells: self.cells });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{End, Outcome};

    fn valid() -> Rules {
        Rules {
            modes: vec!["left".into(), "right".into()],
            moves: vec![Move { next: Mode(1), ..Move::fill(Board(0b11)) }],
            ends: vec![End { mode: Mode(1), pattern: Board(0b1111), outcome: Outcome::Draw }],
            ..Rules::new("test-4", 4)
        }
    }

    /// What is said of `valid()` after `change`.
    fn refusal(change: impl FnOnce(&mut Rules)) -> String {
        let mut rules = valid();
        change(&mut rules);
        rules.validate().expect_err("rules that must be refused").to_string()
    }

    #[test]
    fn sound_rules_pass() {
        assert_eq!(valid().validate(), Ok(()));
        assert_eq!(Rules::new("A.b_c+d-0", 64).validate(), Ok(()));
        // A bite of Chomp: it may name cells that are filled already.
        let bite = Move { empty: Board(0b1), ..Move::fill(Board(0b11)) };
        assert_eq!(Rules { moves: vec![bite], ..valid() }.validate(), Ok(()));
    }

    #[test]
    fn each_defect_is_named() {
        assert!(refusal(|r| r.cells = 0).contains("a board of 0 cells"));
        assert!(refusal(|r| r.cells = 65).contains("1 to 64 are expected"));
        assert!(refusal(|r| r.modes.clear()).contains("0 modes"));
        assert!(refusal(|r| r.modes[1] = "left".into()).contains("modes 0 and 1 are both named \"left\""));
        assert!(refusal(|r| r.modes[1] = String::new()).contains("mode 1 is named"));
        assert!(refusal(|r| r.modes[1] = "a,b".into()).contains("without control characters"));
        assert!(refusal(|r| r.moves[0].mode = Mode(2)).contains("move 0 names mode 2, and the rules have 2"));
        assert!(refusal(|r| r.moves[0].next = Mode(9)).contains("names mode 9"));
        assert!(refusal(|r| r.moves[0].fills = Board(0b1_0001)).contains("names cells 0x13"));
        assert!(refusal(|r| r.moves[0].empty = Board(0b1_0001)).contains("the board's 4 cells are 0xf"));
        assert!(refusal(|r| r.moves[0].full = Board(0b1_0000)).contains("move 0 names cells"));
        assert!(refusal(|r| r.moves[0].fills = Board(0b100)).contains("must fill a cell that it needs empty"));
        assert!(refusal(|r| r.moves[0].full = Board(0b10)).contains("needs the cells 0x2 both empty and filled"));
        assert!(refusal(|r| r.ends[0].mode = Mode(2)).contains("end 0 names mode 2"));
        assert!(refusal(|r| r.ends[0].pattern = Board(16)).contains("end 0 names cells 0x10"));
        assert!(refusal(|r| r.start = Start::Opening(vec![])).contains("0 choices of the opening"));
        assert!(refusal(|r| r.start = Start::At(Position::of(Board(99)))).contains("start 0 names cells 0x63"));
        let beyond = Position::new(Mode(3), Board(0));
        assert!(
            refusal(|r| r.start = Start::Opening(vec![Position::default(), beyond])).contains("choice 1 names mode 3")
        );
    }

    #[test]
    fn names_that_cannot_name_a_file() {
        for name in ["", "../up", "-dash", ".hidden", "a/b", "a b", "naïve", "nul\0"] {
            assert!(refusal(|r| r.name = name.into()).contains("cannot name rules"), "{name:?}");
        }
        assert!(refusal(|r| r.name = "x".repeat(MAX_NAME + 1)).contains("cannot name rules"));
    }
}
