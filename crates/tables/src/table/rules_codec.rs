//! Encoding and decoding of rules and descriptors.
//!
//! These functions follow `docs/reference/format.md`. A change here requires a change there and a new format version.

use super::TableFault;
use super::codec::{Decoder, Encoder};
use crate::rules::{
    Board, Count, CountEnd, Descriptor, End, MAX_CELLS, Move, Outcome, Player, Rules, RulesError, RulesSpec, Start,
    Take, Terminal,
};

/// The byte in place of an outcome if the player with more filled cells wins.
const MOST: u8 = 3;
/// The byte in place of an outcome if a number of points decides.
const POINTS: u8 = 4;

/// The optional lists of a rules field. Each flag is true if that list follows.
#[derive(Clone, Copy)]
struct Extras {
    clears: bool,
    players: bool,
    terminals: bool,
    otherwise: bool,
    lines: bool,
    ends: bool,
    counts: bool,
    points: bool,
}

impl Extras {
    fn of(rules: &RulesSpec) -> Self {
        Self {
            clears: rules.moves.iter().any(|m| !m.clears.is_empty()),
            players: !rules.players.is_empty(),
            terminals: !rules.terminals.is_empty(),
            otherwise: rules.moves.iter().any(|m| m.otherwise),
            lines: !rules.lines.is_empty(),
            ends: rules.ends.iter().any(|end| !end.empty.is_empty()),
            points: has_points(rules),
            counts: !(rules.counts.is_empty() && rules.takes.is_empty() && rules.count_ends.is_empty()),
        }
    }

    fn byte(self) -> u8 {
        u8::from(self.clears)
            | u8::from(self.players) << 1
            | u8::from(self.terminals) << 2
            | u8::from(self.otherwise) << 3
            | u8::from(self.lines) << 4
            | u8::from(self.ends) << 5
            | u8::from(self.counts) << 6
            | u8::from(self.points) << 7
    }
}

/// Returns whether moves gain points or let the same player move again, or patterns are worth more than an outcome.
fn has_points(rules: &RulesSpec) -> bool {
    rules.moves.iter().any(|m| m.gain != 0 || m.again) || rules.ends.iter().any(|end| end.outcome.is_by_points())
}

impl Encoder {
    pub(super) fn descriptor(&mut self, descriptor: &Descriptor) {
        self.text(&descriptor.family);
        self.count(descriptor.parameters.len());
        for (key, value) in &descriptor.parameters {
            self.text(key);
            self.text(value);
        }
    }

    pub(super) fn rules(&mut self, rules: &RulesSpec) {
        let cells = rules.cells;
        self.text(&rules.name);
        self.u8(rules.cells as u8);
        self.outcome(rules.terminal);
        self.count(rules.modes.len());
        for mode in &rules.modes {
            self.text(mode);
        }
        self.count(rules.moves.len());
        for m in &rules.moves {
            self.mode(m.mode);
            self.mode(m.next);
            self.board(m.empty, cells);
            self.board(m.full, cells);
            self.board(m.fills, cells);
        }
        self.count(rules.ends.len());
        for end in &rules.ends {
            self.mode(end.mode);
            // What a pattern is worth beyond this follows with the points.
            self.outcome(end.outcome.fixed().unwrap_or(Outcome::Draw));
            self.board(end.pattern, cells);
        }
        match &rules.start {
            Start::At(position) => {
                self.u8(0);
                self.count(1);
                self.position(*position, cells);
            }
            Start::Opening(choices) => {
                self.u8(1);
                self.count(choices.len());
                for &choice in choices {
                    self.position(choice, cells);
                }
            }
        }
        let extras = Extras::of(rules);
        self.u8(extras.byte());
        if extras.clears {
            rules.moves.iter().for_each(|m| self.board(m.clears, cells));
        }
        rules.players.iter().for_each(|&player| self.u8(u8::from(player == Player::Second)));
        rules.terminals.iter().for_each(|&terminal| self.terminal(terminal, cells));
        if extras.otherwise {
            rules.moves.iter().for_each(|m| self.u8(m.otherwise.into()));
        }
        if extras.lines {
            self.lines(rules);
        }
        if extras.ends {
            rules.ends.iter().for_each(|end| self.board(end.empty, cells));
        }
        if extras.counts {
            self.counts(rules);
        }
        if extras.points {
            for m in &rules.moves {
                self.i16(m.gain);
                self.u8(m.again.into());
            }
            rules.ends.iter().for_each(|end| self.terminal(end.outcome, cells));
        }
    }

    fn terminal(&mut self, terminal: Terminal, cells: u32) {
        match terminal {
            Terminal::Always(outcome) => self.outcome(outcome),
            Terminal::Most { own, other } => {
                self.u8(MOST);
                self.board(own, cells);
                self.board(other, cells);
            }
            Terminal::Points(points) => {
                self.u8(POINTS);
                self.i16(points);
            }
        }
    }

    /// Conditions on numbers of pieces, takes, and what each move names of them.
    fn counts(&mut self, rules: &RulesSpec) {
        let cells = rules.cells;
        self.count(rules.counts.len());
        rules.counts.iter().for_each(|count| self.condition(count, cells));
        self.count(rules.takes.len());
        for take in &rules.takes {
            for list in [&take.lines, &take.guards] {
                self.count(list.len());
                list.iter().for_each(|&line| self.board(line, cells));
            }
            self.board(take.cells, cells);
        }
        self.count(rules.count_ends.len());
        for end in &rules.count_ends {
            self.mode(end.mode);
            self.outcome(end.outcome);
            self.condition(&end.count, cells);
        }
        for m in &rules.moves {
            [m.when, m.takes].into_iter().for_each(|number| self.u16(number.map_or(0, |number| number + 1)));
        }
    }

    fn condition(&mut self, count: &Count, cells: u32) {
        self.board(count.cells, cells);
        self.u8(count.least);
        self.u8(count.most);
    }

    /// The lines that moves turn over. No table has such rules, but they need a hash.
    fn lines(&mut self, rules: &RulesSpec) {
        self.count(rules.lines.len());
        for list in &rules.lines {
            self.count(list.len());
            for line in list {
                for cells in [line.empty, line.full, line.fills, line.clears] {
                    self.board(cells, rules.cells);
                }
            }
        }
        rules.moves.iter().for_each(|m| self.count(m.lines.map_or(0, |list| usize::from(list) + 1)));
    }
}

impl Decoder<'_> {
    pub(super) fn descriptor(&mut self) -> Result<Descriptor, TableFault> {
        let family = self.text()?;
        Ok(Descriptor { family, parameters: self.list(|d| Ok((d.text()?, d.text()?)))? })
    }

    pub(super) fn rules(&mut self) -> Result<RulesSpec, TableFault> {
        let name = self.text()?;
        let cells = u32::from(self.u8()?);
        // The number of cells says how long a board is.
        if !(1..=MAX_CELLS).contains(&cells) {
            return Err(TableFault::Rules(RulesError::Cells { cells }));
        }
        let terminal = self.outcome()?;
        let modes = self.list(Self::text)?;
        let mut moves = self.list(|d| {
            let (mode, next) = (d.mode()?, d.mode()?);
            let [empty, full, fills] = [d.board(cells)?, d.board(cells)?, d.board(cells)?];
            Ok(Move { mode, next, empty, full, ..Move::fill(fills) })
        })?;
        let mut ends = self.list(|d| {
            let (mode, outcome) = (d.mode()?, d.outcome()?);
            Ok(End { mode, outcome: outcome.into(), pattern: d.board(cells)?, empty: Board::EMPTY })
        })?;
        let kind = self.u8()?;
        let mut places = self.list(|d| d.position(cells))?;
        let start = match (kind, places.len()) {
            (0, 1) => Start::At(places.remove(0)),
            (1, _) => Start::Opening(places),
            _ => return Err(TableFault::Malformed("the start of its rules is neither a position nor an opening")),
        };
        let mut spec = RulesSpec { modes, terminal, start, ..RulesSpec::new(name, cells) };
        self.extras(&mut moves, &mut ends, &mut spec)?;
        Ok(RulesSpec { moves, ends, ..spec })
    }

    /// Decodes the optional lists: the cells that each of `moves` clears, the player of each mode, the terminal outcome of each mode,
    /// which of `moves` are legal only without others, the cells that each of `ends` needs empty, numbers of pieces, and points.
    fn extras(&mut self, moves: &mut [Move], ends: &mut [End], spec: &mut RulesSpec) -> Result<(), TableFault> {
        let (modes, cells) = (spec.modes.len(), spec.cells);
        let kinds = self.u8()?;
        let has = |bit: u8| kinds >> bit & 1 == 1;
        if kinds & !0b1110_1111 != 0 {
            return Err(TableFault::Malformed("its rules have features that this version does not know"));
        }
        if has(0) {
            for m in &mut *moves {
                m.clears = self.board(cells)?;
            }
            if moves.iter().all(|m| m.clears.is_empty()) {
                return Err(TableFault::Malformed(
                    "its rules declare moves that empty cells, and no move empties a cell",
                ));
            }
        }
        let player = |d: &mut Self| match d.u8()? {
            0 => Ok(Player::First),
            1 => Ok(Player::Second),
            _ => Err(TableFault::Malformed("a player in its rules is neither 0 nor 1")),
        };
        let of_modes = |present: bool| if present { modes } else { 0 };
        spec.players = (0..of_modes(has(1))).map(|_| player(self)).collect::<Result<_, _>>()?;
        spec.terminals = (0..of_modes(has(2))).map(|_| self.terminal(cells)).collect::<Result<_, _>>()?;
        if has(3) {
            for m in &mut *moves {
                m.otherwise = match self.u8()? {
                    flag @ (0 | 1) => flag == 1,
                    _ => return Err(TableFault::Malformed("a flag of a move in its rules is neither 0 nor 1")),
                };
            }
            if !moves.iter().any(|m| m.otherwise) {
                return Err(TableFault::Malformed(
                    "its rules declare moves that are legal only without others, and have none",
                ));
            }
        }
        if has(5) {
            for end in &mut *ends {
                end.empty = self.board(cells)?;
            }
            if ends.iter().all(|end| end.empty.is_empty()) {
                return Err(TableFault::Malformed("its rules declare ends that need cells empty, and have none"));
            }
        }
        if has(6) {
            self.counts(moves, spec)?;
        }
        if has(7) { self.points(moves, ends, cells) } else { Ok(()) }
    }

    /// Decodes what each of `moves` gains, whether the same player moves again after it, and what each of `ends` is worth.
    fn points(&mut self, moves: &mut [Move], ends: &mut [End], cells: u32) -> Result<(), TableFault> {
        let mut has_any = false;
        for m in &mut *moves {
            m.gain = self.i16()?;
            m.again = match self.u8()? {
                flag @ (0 | 1) => flag == 1,
                _ => return Err(TableFault::Malformed("a flag of a move in its rules is neither 0 nor 1")),
            };
            has_any |= m.gain != 0 || m.again;
        }
        for end in &mut *ends {
            let known = end.outcome;
            end.outcome = self.terminal(cells)?;
            if end.outcome.fixed().unwrap_or(Outcome::Draw) != known.on(Board::EMPTY) {
                return Err(TableFault::Malformed("the points of an end in its rules do not agree with its outcome"));
            }
            has_any |= end.outcome.is_by_points();
        }
        if has_any { Ok(()) } else { Err(TableFault::Malformed("its rules declare points, and have none")) }
    }

    /// Decodes conditions on numbers of pieces, takes, and what each of `moves` names of them.
    fn counts(&mut self, moves: &mut [Move], spec: &mut RulesSpec) -> Result<(), TableFault> {
        let cells = spec.cells;
        spec.counts = self.list(|d| d.condition(cells))?;
        spec.takes = self.list(|d| {
            let [lines, guards] = [d.list(|d| d.board(cells))?, d.list(|d| d.board(cells))?];
            Ok(Take { lines, cells: d.board(cells)?, guards })
        })?;
        spec.count_ends = self.list(|d| {
            let (mode, outcome) = (d.mode()?, d.outcome()?);
            Ok(CountEnd { mode, outcome, count: d.condition(cells)? })
        })?;
        for m in &mut *moves {
            (m.when, m.takes) = (self.u16()?.checked_sub(1), self.u16()?.checked_sub(1));
        }
        if spec.counts.is_empty() && spec.takes.is_empty() && spec.count_ends.is_empty() {
            return Err(TableFault::Malformed("its rules declare numbers of pieces, and have none"));
        }
        Ok(())
    }

    fn condition(&mut self, cells: u32) -> Result<Count, TableFault> {
        Ok(Count { cells: self.board(cells)?, least: self.u8()?, most: self.u8()? })
    }

    fn terminal(&mut self, cells: u32) -> Result<Terminal, TableFault> {
        if self.rest().first() == Some(&MOST) {
            self.u8()?;
            return Ok(Terminal::Most { own: self.board(cells)?, other: self.board(cells)? });
        }
        if self.rest().first() == Some(&POINTS) {
            self.u8()?;
            return Ok(Terminal::Points(self.i16()?));
        }
        self.outcome().map(Terminal::Always)
    }
}

/// The bytes that represent `rules`. Equal rules have equal bytes on every machine.
pub(super) fn rules_bytes(rules: &RulesSpec) -> Vec<u8> {
    let mut encoder = Encoder::default();
    encoder.rules(rules);
    encoder.bytes
}

/// The BLAKE3 hash, in hexadecimal, of the rules as a table stores them: equal if and only if the rules are equal.
#[must_use]
pub fn rules_hash(rules: &Rules) -> String {
    blake3::hash(&rules_bytes(rules.spec())).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Mode, Outcome, Position};

    fn sample() -> RulesSpec {
        RulesSpec {
            modes: vec!["a".into(), "ß".into()],
            moves: vec![Move { mode: Mode(1), full: Board::from_word(4), ..Move::fill(Board::from_word(3)) }],
            ends: vec![End {
                mode: Mode(1),
                pattern: Board::from_word(7),
                outcome: Outcome::Draw.into(),
                empty: Board::EMPTY,
            }],
            terminal: Outcome::Win,
            start: Start::Opening(vec![Position::new(Mode(1), Board::from_word(2)), Position::default()]),
            ..RulesSpec::new("sample", 64)
        }
    }

    /// Rules with every optional list, and every kind of outcome.
    fn moving() -> RulesSpec {
        let step = Move { full: Board::from_word(8), clears: Board::from_word(8), ..Move::fill(Board::from_word(4)) };
        let most = Terminal::Most { own: Board::from_word(3), other: Board::from_word(12) };
        let (players, terminals) = (vec![Player::Second, Player::First], vec![most, Outcome::Win.into()]);
        let pass = Move { otherwise: true, ..Move::fill(Board::EMPTY) };
        let ends = sample().ends.into_iter().map(|end| End { empty: Board::from_word(8), ..end }).collect();
        RulesSpec { ends, moves: vec![step, Move::fill(Board::from_word(1)), pass], players, terminals, ..sample() }
    }

    /// Rules with numbers of pieces and a take.
    fn counting() -> RulesSpec {
        let count = Count { cells: Board::from_word(12), least: 1, most: 2 };
        let take =
            Take { lines: vec![Board::from_word(5)], cells: Board::from_word(8), guards: vec![Board::from_word(9)] };
        let count_ends = vec![CountEnd { mode: Mode(1), count, outcome: Outcome::Loss }];
        let mut rules = RulesSpec { counts: vec![count], takes: vec![take], count_ends, ..moving() };
        (rules.moves[1].when, rules.moves[1].takes) = (Some(0), Some(0));
        rules
    }

    #[test]
    fn rules_and_descriptors_survive_encoding() {
        let descriptor = Descriptor { family: "f".into(), parameters: vec![("k".into(), "a\nb".into())] };
        let at = RulesSpec { start: Start::At(Position::of(Board::from_word(9))), ..sample() };
        let terminals = RulesSpec { terminals: vec![Outcome::Draw.into(); 2], ..sample() };
        let wide = RulesSpec { cells: 128, start: Start::At(Position::of(Board::bit(127))), ..moving() };
        for rules in [sample(), at, moving(), terminals, wide, counting()] {
            let mut encoder = Encoder::default();
            encoder.descriptor(&descriptor);
            encoder.rules(&rules);
            let mut decoder = Decoder::new(&encoder.bytes);
            assert_eq!((decoder.descriptor().unwrap(), decoder.rules().unwrap()), (descriptor.clone(), rules));
            assert!(decoder.rest().is_empty());
        }
    }

    #[test]
    fn boards_take_one_word_or_two() {
        // Name, cells, outcome, no modes, moves and terminal patterns, and one start in mode 0.
        let head = |cells| [1, 0, 0, 0, b'n', cells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
        let bytes = |cells, board: u128| {
            let start = Start::At(Position::of(Board::from_number(board)));
            rules_bytes(&RulesSpec { modes: Vec::new(), start, ..RulesSpec::new("n", cells) })
        };
        let of = |cells: u8, board: &[u8]| [&head(cells)[..], board, &[0]].concat();
        assert_eq!(bytes(64, 0x0102 << 48), of(64, &[0, 0, 0, 0, 0, 0, 2, 1]));
        assert_eq!(bytes(65, 1 << 64 | 3), of(65, &[3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn every_truncation_is_refused() {
        for rules in [sample(), moving(), counting(), RulesSpec { cells: 100, ..moving() }] {
            let bytes = rules_bytes(&rules);
            for length in 0..bytes.len() {
                assert!(Decoder::new(&bytes[..length]).rules().is_err(), "{length}");
            }
        }
    }

    #[test]
    fn wrong_counts_reserve_no_memory() {
        let mut encoder = Encoder::default();
        encoder.text("x");
        encoder.u8(4);
        encoder.u8(0);
        encoder.u32(u32::MAX);
        assert!(Decoder::new(&encoder.bytes).rules().is_err());
    }

    #[test]
    fn different_rules_have_different_hashes() {
        let hash = |rules: RulesSpec| rules_hash(&rules.build().unwrap());
        assert_eq!(hash(sample()), hash(sample()));
        assert_ne!(hash(sample()), hash(RulesSpec { terminal: Outcome::Loss, ..sample() }));
        let others = [
            RulesSpec { players: Vec::new(), ..moving() },
            RulesSpec { terminals: Vec::new(), ..moving() },
            RulesSpec { moves: sample().moves, ..moving() },
            RulesSpec { ends: sample().ends, ..moving() },
            RulesSpec {
                moves: moving().moves.into_iter().map(|m| Move { otherwise: false, ..m }).collect(),
                ..moving()
            },
        ];
        assert!(others.into_iter().all(|other| hash(other) != hash(moving())));
    }
}
