//! Rules in their written form, and the one check that turns them into [`Rules`].

use std::collections::HashSet;

use super::{
    Board, Count, CountEnd, End, Line, Mode, Move, Outcome, Player, Position, Rules, RulesError, Start, Symmetry,
    SymmetryCheck, Take, Terminal,
};
use crate::characters::is_unprintable;

/// Maximum number of cells of a board.
pub const MAX_CELLS: u32 = 128;
/// Maximum number of modes.
pub const MAX_MODES: usize = 1 << 12;
/// Maximum number of moves, and of ends.
pub const MAX_MOVES: usize = 1 << 20;
/// Maximum number of conditions, of takes, and of ends by a number of pieces.
pub const MAX_COUNTS: usize = 1 << 15;
/// Maximum length of the name of rules or of a mode, in bytes.
pub const MAX_NAME: usize = 128;

/// A two-player game of perfect information in its written form, not yet checked. [`build`](Self::build) checks it.
///
/// Rules with the same name are equal: whatever a parameter changes is part of the name (`tactics-4x4-run4-misere`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RulesSpec {
    /// Canonical name; it also names the table's file.
    pub name: String,
    /// Cells of the board, 1 to 128.
    pub cells: u32,
    /// Names of the control states, at least one. [`Mode`] is an index into them.
    pub modes: Vec<String>,
    /// Every move, in the game's own order.
    pub moves: Vec<Move>,
    /// Lists of lines, which moves name by number ([`Move::lines`]). Usually there are none.
    pub lines: Vec<Vec<Line>>,
    /// Conditions on numbers of pieces, which moves name by number ([`Move::when`]).
    pub counts: Vec<Count>,
    /// What moves take if they fill a line; moves name it by number ([`Move::takes`]).
    pub takes: Vec<Take>,
    /// Numbers of pieces that end the game; the first that fits decides, before any pattern.
    pub count_ends: Vec<CountEnd>,
    /// Patterns that end the game; the first that matches decides.
    pub ends: Vec<End>,
    /// The outcome for a player without a move: `Loss` in normal play, `Win` in misère play, or `Draw`.
    pub terminal: Outcome,
    /// The outcome for a player without a move, for each mode; empty if `terminal` applies in every mode.
    pub terminals: Vec<Terminal>,
    /// The player to move in each mode; empty if the players move in turn.
    pub players: Vec<Player>,
    /// The start: a position, or the first player's choice of one.
    pub start: Start,
    /// Symmetries that the game's author knows; they may be generators only. Rules with and without them are equal, because
    /// symmetries follow from the rest.
    pub symmetries: Vec<Symmetry>,
}

impl RulesSpec {
    /// Rules without moves, for `..RulesSpec::new(…)`: one mode, normal play, starting from the empty board.
    #[must_use]
    pub fn new(name: impl Into<String>, cells: u32) -> Self {
        Self {
            name: name.into(),
            cells,
            modes: vec!["-".into()],
            moves: Vec::new(),
            lines: Vec::new(),
            counts: Vec::new(),
            takes: Vec::new(),
            count_ends: Vec::new(),
            ends: Vec::new(),
            terminal: Outcome::Loss,
            terminals: Vec::new(),
            players: Vec::new(),
            start: Start::At(Position::default()),
            symmetries: Vec::new(),
        }
    }

    /// Checks everything that the rest of the library relies on, and makes the rules.
    ///
    /// # Errors
    /// Returns the first defect found:
    /// - a name that cannot be a file name, or a mode without a valid, unique name;
    /// - a number of cells, modes, moves or ends outside its limits;
    /// - a mode or a cell that does not exist;
    /// - a move that can never be made, or that empties a cell that it fills or does not need filled;
    /// - a move that fills cells, none of which it needs empty, and empties none;
    /// - lines that a move cannot turn over, or a take that it cannot make;
    /// - a move that gains points where a player can win whatever the points are, or too many points;
    /// - a condition that counts cells which the board lacks, or an impossible number of them;
    /// - an opening without choices;
    /// - a permutation that is not a symmetry.
    pub fn build(self) -> Result<Rules, RulesError> {
        self.validate()?;
        Ok(Rules::from_sound(self))
    }

    /// Returns whether the games are the same; symmetries are not compared.
    pub(super) fn same_game(&self, other: &Self) -> bool {
        let of = |spec: &Self| (spec.cells, spec.terminal);
        let by_mode = |spec: &'_ Self| (spec.terminals.clone(), spec.players.clone());
        let lists = self.moves == other.moves
            && self.lines == other.lines
            && self.counts == other.counts
            && self.takes == other.takes
            && self.count_ends == other.count_ends
            && self.ends == other.ends
            && self.modes == other.modes;
        lists
            && by_mode(self) == by_mode(other)
            && self.name == other.name
            && of(self) == of(other)
            && self.start == other.start
    }

    fn validate(&self) -> Result<(), RulesError> {
        self.validate_names()?;
        let size = |what, found, least, most| {
            let fits = (least..=most).contains(&found);
            if fits { Ok(()) } else { Err(RulesError::Count { what, found, least, most }) }
        };
        size("moves", self.moves.len(), 0, MAX_MOVES)?;
        size("ends", self.ends.len(), 0, MAX_MOVES)?;
        for (what, found) in [
            ("conditions", self.counts.len()),
            ("takes", self.takes.len()),
            ("ends by a number of pieces", self.count_ends.len()),
        ] {
            size(what, found, 0, MAX_COUNTS)?;
        }
        self.validate_counts()?;
        let modes = self.modes.len();
        for (what, found) in
            [("terminal outcomes of modes", self.terminals.len()), ("players of modes", self.players.len())]
        {
            // Either every mode has an entry, or none.
            if found != 0 {
                size(what, found, modes, modes)?;
            }
        }
        for (index, m) in self.moves.iter().enumerate() {
            self.validate_move(index, m)?;
            self.validate_lines(index, m)?;
            self.validate_take(index, m)?;
        }
        self.validate_points()?;
        for (index, end) in self.ends.iter().enumerate() {
            self.validate_position("end", index, Position::new(end.mode, end.pattern | end.empty))?;
            if !end.pattern.is_disjoint(end.empty) {
                return Err(RulesError::Contradiction { what: "end", index, both: end.pattern & end.empty });
            }
        }
        match &self.start {
            Start::At(position) => self.validate_position("start", 0, *position)?,
            Start::Opening(choices) => {
                size("choices of the opening", choices.len(), 1, MAX_MOVES)?;
                let check = |(index, choice): (usize, &Position)| self.validate_position("choice", index, *choice);
                choices.iter().enumerate().try_for_each(check)?;
            }
        }
        self.validate_symmetries()
    }

    fn validate_symmetries(&self) -> Result<(), RulesError> {
        if self.symmetries.is_empty() {
            return Ok(());
        }
        let starts = match &self.start {
            Start::At(position) => std::slice::from_ref(position),
            Start::Opening(choices) => choices,
        };
        let checked = SymmetryCheck::new(self, starts);
        let check = |(index, symmetry): (usize, &Symmetry)| {
            symmetry.check(&checked).map_err(|reason| RulesError::Symmetry { index, reason })
        };
        self.symmetries.iter().enumerate().try_for_each(check)
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
            let breaks = |c: char| is_unprintable(c) || c == ',' || c == '"';
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

    /// The player to move in `mode`; `None` if the players move in turn.
    pub(super) fn player(&self, mode: Mode) -> Option<Player> {
        self.players.get(usize::from(mode.0)).copied()
    }

    fn validate_move(&self, index: usize, m: &Move) -> Result<(), RulesError> {
        for mode in [m.mode, m.next] {
            self.validate_position("move", index, Position::new(mode, m.empty | m.full | m.fills | m.clears))?;
        }
        if !m.full.contains(m.clears) || !m.fills.is_disjoint(m.clears) {
            return Err(RulesError::Clears { index, clears: m.clears, full: m.full, fills: m.fills });
        }
        if m.fills.is_disjoint(m.empty) && m.clears.is_empty() && !m.is_pass() {
            return Err(RulesError::FillsNothingNew { index, fills: m.fills, empty: m.empty });
        }
        if !m.empty.is_disjoint(m.full) {
            return Err(RulesError::Contradiction { what: "move", index, both: m.empty & m.full });
        }
        Ok(())
    }

    pub(super) fn validate_mode(&self, what: &'static str, index: usize, mode: Mode) -> Result<(), RulesError> {
        let modes = self.modes.len();
        if usize::from(mode.0) < modes { Ok(()) } else { Err(RulesError::UnknownMode { what, index, mode, modes }) }
    }

    fn validate_position(&self, what: &'static str, index: usize, position: Position) -> Result<(), RulesError> {
        self.validate_mode(what, index, position.mode)?;
        if !Board::full(self.cells).contains(position.board) {
            return Err(RulesError::OutsideBoard { what, index, mask: position.board, cells: self.cells });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mode;

    fn valid() -> RulesSpec {
        RulesSpec {
            modes: vec!["left".into(), "right".into()],
            moves: vec![Move { next: Mode(1), ..Move::fill(Board::from_word(0b11)) }],
            ends: vec![End {
                mode: Mode(1),
                pattern: Board::from_word(0b1111),
                outcome: Outcome::Draw.into(),
                empty: Board::EMPTY,
            }],
            ..RulesSpec::new("test-4", 4)
        }
    }

    /// The error message for `valid()` after `change`.
    fn refusal(change: impl FnOnce(&mut RulesSpec)) -> String {
        let mut rules = valid();
        change(&mut rules);
        rules.build().expect_err("rules that must be refused").to_string()
    }

    #[test]
    fn sound_rules_pass() {
        assert!(valid().build().is_ok());
        assert!(RulesSpec::new("A.b_c+d-0", 128).build().is_ok());
        // A move may fill cells that are already filled, such as a bite in Chomp.
        let bite = Move { empty: Board::from_word(0b1), ..Move::fill(Board::from_word(0b11)) };
        assert!(RulesSpec { moves: vec![bite], ..valid() }.build().is_ok());
        // One move lets a piece step, one only takes a piece, and one is a pass.
        let step =
            Move { full: Board::from_word(0b10), clears: Board::from_word(0b10), ..Move::fill(Board::from_word(0b1)) };
        let take = Move { fills: Board::EMPTY, empty: Board::EMPTY, ..step };
        let pass = Move { full: Board::from_word(1), ..Move::fill(Board::EMPTY) };
        assert!(RulesSpec { moves: vec![step, take, pass], ..valid() }.build().is_ok());
    }

    #[test]
    fn each_defect_is_named() {
        assert!(refusal(|r| r.cells = 0).contains("a board of 1 to 128 cells, found 0"));
        assert!(refusal(|r| r.cells = 129).contains("expected a board of 1 to 128 cells, found 129"));
        assert!(refusal(|r| r.modes.clear()).contains("modes, found 0"));
        assert!(refusal(|r| r.modes[1] = "left".into()).contains("modes 0 and 1 are both named \"left\""));
        assert!(refusal(|r| r.modes[1] = String::new()).contains("mode 1 is named"));
        assert!(refusal(|r| r.modes[1] = "a,b".into()).contains("without control characters"));
        assert!(refusal(|r| r.moves[0].mode = Mode(2)).contains("move 0 names mode 2: expected a mode from 0 to 1"));
        assert!(refusal(|r| r.moves[0].next = Mode(9)).contains("names mode 9"));
        assert!(refusal(|r| r.moves[0].fills = Board::from_word(0b1_0001)).contains("names cells 0x13"));
        assert!(refusal(|r| r.moves[0].empty = Board::from_word(0b1_0001)).contains("the board's 4 cells, 0xf"));
        assert!(refusal(|r| r.moves[0].full = Board::from_word(0b1_0000)).contains("move 0 names cells"));
        assert!(
            refusal(|r| r.moves[0].fills = Board::from_word(0b100)).contains("must fill a cell that it needs empty")
        );
        assert!(
            refusal(|r| r.moves[0].full = Board::from_word(0b10)).contains("needs the cells 0x2 both empty and filled")
        );
        assert!(
            refusal(|r| r.moves[0].clears = Board::from_word(0b1000))
                .contains("empties 0x8, needs 0x0 filled and fills 0x3")
        );
        assert!(
            refusal(|r| (r.moves[0].full, r.moves[0].clears) = (Board::from_word(1), Board::from_word(1)))
                .contains("empties 0x1")
        );
        assert!(refusal(|r| r.players = vec![Player::First]).contains("expected 2 to 2 players of modes, found 1"));
        assert!(
            refusal(|r| r.terminals = vec![Outcome::Win.into(); 3]).contains("terminal outcomes of modes, found 3")
        );
        assert!(refusal(|r| r.ends[0].mode = Mode(2)).contains("end 0 names mode 2"));
        assert!(refusal(|r| r.ends[0].pattern = Board::from_word(16)).contains("end 0 names cells 0x10"));
        assert!(refusal(|r| r.ends[0].empty = Board::from_word(16)).contains("end 0 names cells 0x1"));
        assert!(refusal(|r| r.ends[0].empty = r.ends[0].pattern).contains("both empty and filled"));
        assert!(refusal(|r| r.start = Start::Opening(vec![])).contains("choices of the opening, found 0"));
        assert!(
            refusal(|r| r.start = Start::At(Position::of(Board::from_word(99)))).contains("start 0 names cells 0x63")
        );
        let beyond = Position::new(Mode(3), Board::from_word(0));
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

    #[test]
    fn names_have_a_longest_length() {
        assert!(RulesSpec { name: "x".repeat(MAX_NAME), ..valid() }.build().is_ok());
        let modes = |length| vec!["left".into(), "é".repeat(length / 2)];
        assert!(RulesSpec { modes: modes(MAX_NAME), ..valid() }.build().is_ok());
        assert!(refusal(|r| r.modes = modes(MAX_NAME + 2)).contains("mode 1 is named"));
        let names = ["a", "b", "a"].map(String::from).to_vec();
        assert!(refusal(|r| r.modes = names).contains("modes 0 and 2 are both named"));
    }

    #[test]
    fn every_mask_stays_on_the_board() {
        let beyond = Board::bit(5);
        assert!(refusal(|r| r.moves[0] = Move::fill(beyond)).contains("move 0 names cells 0x20"));
        let take = Move { full: beyond, clears: beyond, ..Move::fill(Board::bit(0)) };
        assert!(refusal(|r| r.moves[0] = take).contains("move 0 names cells 0x21"));
        let again = Move { empty: Board::bit(0), full: beyond, ..Move::fill(Board::bit(0) | beyond) };
        assert!(refusal(|r| r.moves[0] = again).contains("move 0 names cells 0x21"));
        // Even if the cell contradicts itself.
        let needed = Move { empty: Board::bit(0) | beyond, full: beyond, ..Move::fill(Board::bit(0)) };
        assert!(refusal(|r| r.moves[0] = needed).contains("move 0 names cells 0x21"));
        let filled = Move { empty: Board::bit(0), clears: beyond, ..Move::fill(Board::bit(0) | beyond) };
        assert!(refusal(|r| r.moves[0] = filled).contains("move 0 names cells 0x21"));
        for (own, other) in [(beyond, Board::EMPTY), (Board::EMPTY, beyond), (beyond, beyond)] {
            let most = refusal(|r| r.terminals = vec![Terminal::Most { own, other }; 2]);
            assert!(most.contains("terminal outcome 0 names cells 0x20"), "{most}");
        }
    }
}
