//! Encoding and decoding of numbers, texts, rules and descriptors as little-endian bytes.
//!
//! These functions follow `docs/reference/format.md`. A change here requires a change there and a new format version.

use super::TableFault;
use crate::rules::{
    Board, Descriptor, End, MAX_CELLS, Mode, Move, Outcome, Player, Position, Rules, RulesError, RulesSpec, Start,
};

/// The format version that this library writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// The bytes of a board of `cells` cells: a machine word for up to 64 cells, else two.
const fn board_bytes(cells: u32) -> usize {
    if cells <= u64::BITS { size_of::<u64>() } else { size_of::<u128>() }
}

/// The optional lists of a rules field. Each flag is true if that list follows.
#[derive(Clone, Copy)]
struct Extras {
    clears: bool,
    players: bool,
    terminals: bool,
}

impl Extras {
    fn of(rules: &RulesSpec) -> Self {
        Self {
            clears: rules.moves.iter().any(|m| !m.clears.is_empty()),
            players: !rules.players.is_empty(),
            terminals: !rules.terminals.is_empty(),
        }
    }

    fn byte(self) -> u8 {
        u8::from(self.clears) | u8::from(self.players) << 1 | u8::from(self.terminals) << 2
    }
}

/// Appends little-endian fields to a buffer.
#[derive(Default)]
pub struct Encoder {
    /// The bytes so far.
    pub bytes: Vec<u8>,
}

impl Encoder {
    /// Appends a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends four bytes, the lowest first.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends eight bytes, the lowest first.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// A count or a length. `RulesSpec::build` or the size of memory keeps all of them far below 2^32.
    fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// The length in bytes, then the bytes.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    fn mode(&mut self, mode: Mode) {
        self.u16(mode.0);
    }

    /// A board of `cells` cells.
    fn board(&mut self, board: Board, cells: u32) {
        self.bytes.extend(&board.le_bytes()[..board_bytes(cells)]);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.u8(match outcome {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        });
    }

    /// A position on a board of `cells` cells.
    pub(super) fn position(&mut self, position: Position, cells: u32) {
        self.mode(position.mode);
        self.board(position.board, cells);
    }

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
            self.outcome(end.outcome);
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
        rules.terminals.iter().for_each(|&outcome| self.outcome(outcome));
    }
}

/// Reads what [`Encoder`] wrote. Every field is checked against the remaining bytes, so a length in a damaged file
/// can neither read past the end nor reserve more memory than the file justifies.
pub struct Decoder<'a> {
    rest: &'a [u8],
}

const SHORT: TableFault = TableFault::Malformed("its header ends inside a field");

impl<'a> Decoder<'a> {
    /// A decoder of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The bytes not yet read.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], TableFault> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(SHORT)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], TableFault> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(SHORT)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Result<u8, TableFault> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, TableFault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The number in the next four bytes, the lowest first.
    pub fn u32(&mut self) -> Result<u32, TableFault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The number in the next eight bytes, the lowest first.
    pub fn u64(&mut self) -> Result<u64, TableFault> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// The text whose length stands before it.
    pub fn text(&mut self) -> Result<String, TableFault> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| TableFault::Malformed("a text in its header is not UTF-8"))
    }

    /// A list whose number of items is the next field.
    pub fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, TableFault>) -> Result<Vec<T>, TableFault> {
        let count = self.u32()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn mode(&mut self) -> Result<Mode, TableFault> {
        self.u16().map(Mode)
    }

    /// A board of `cells` cells.
    fn board(&mut self, cells: u32) -> Result<Board, TableFault> {
        let mut number = [0; size_of::<u128>()];
        let bytes = board_bytes(cells);
        number[..bytes].copy_from_slice(self.take(bytes)?);
        Ok(Board::from_number(u128::from_le_bytes(number)))
    }

    fn outcome(&mut self) -> Result<Outcome, TableFault> {
        match self.u8()? {
            0 => Ok(Outcome::Loss),
            1 => Ok(Outcome::Draw),
            2 => Ok(Outcome::Win),
            _ => Err(TableFault::Malformed("an outcome in its rules is none of 0, 1 and 2")),
        }
    }

    /// A position on a board of `cells` cells.
    pub(super) fn position(&mut self, cells: u32) -> Result<Position, TableFault> {
        Ok(Position::new(self.mode()?, self.board(cells)?))
    }

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
            Ok(Move { mode, next, empty, full, fills, clears: Board::EMPTY })
        })?;
        let ends = self.list(|d| {
            let (mode, outcome) = (d.mode()?, d.outcome()?);
            Ok(End { mode, outcome, pattern: d.board(cells)? })
        })?;
        let kind = self.u8()?;
        let mut places = self.list(|d| d.position(cells))?;
        let start = match (kind, places.len()) {
            (0, 1) => Start::At(places.remove(0)),
            (1, _) => Start::Opening(places),
            _ => return Err(TableFault::Malformed("the start of its rules is neither a position nor an opening")),
        };
        let (players, terminals) = self.extras(&mut moves, modes.len(), cells)?;
        let symmetries = Vec::new();
        Ok(RulesSpec { name, cells, modes, moves, ends, terminal, terminals, players, start, symmetries })
    }

    /// Decodes the optional lists: the cells that each of `moves` clears, the player of each mode, and
    /// the terminal outcome of each mode.
    fn extras(
        &mut self,
        moves: &mut [Move],
        modes: usize,
        cells: u32,
    ) -> Result<(Vec<Player>, Vec<Outcome>), TableFault> {
        let kinds = self.u8()?;
        let has = |bit: u8| kinds >> bit & 1 == 1;
        if kinds >= 8 {
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
        let players = (0..of_modes(has(1))).map(|_| player(self)).collect::<Result<_, _>>()?;
        let terminals = (0..of_modes(has(2))).map(|_| self.outcome()).collect::<Result<_, _>>()?;
        Ok((players, terminals))
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

    fn sample() -> RulesSpec {
        RulesSpec {
            modes: vec!["a".into(), "ß".into()],
            moves: vec![Move { mode: Mode(1), full: Board::from_word(4), ..Move::fill(Board::from_word(3)) }],
            ends: vec![End { mode: Mode(1), pattern: Board::from_word(7), outcome: Outcome::Draw }],
            terminal: Outcome::Win,
            start: Start::Opening(vec![Position::new(Mode(1), Board::from_word(2)), Position::default()]),
            ..RulesSpec::new("sample", 64)
        }
    }

    /// Rules with every optional list.
    fn moving() -> RulesSpec {
        let step = Move { full: Board::from_word(8), clears: Board::from_word(8), ..Move::fill(Board::from_word(4)) };
        let (players, terminals) = (vec![Player::Second, Player::First], vec![Outcome::Draw, Outcome::Win]);
        RulesSpec { moves: vec![step, Move::fill(Board::from_word(1))], players, terminals, ..sample() }
    }

    #[test]
    fn rules_and_descriptors_survive_encoding() {
        let descriptor = Descriptor { family: "f".into(), parameters: vec![("k".into(), "a\nb".into())] };
        let at = RulesSpec { start: Start::At(Position::of(Board::from_word(9))), ..sample() };
        let terminals = RulesSpec { terminals: vec![Outcome::Draw; 2], ..sample() };
        let wide = RulesSpec { cells: 128, start: Start::At(Position::of(Board::bit(127))), ..moving() };
        for rules in [sample(), at, moving(), terminals, wide] {
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
        for rules in [sample(), moving(), RulesSpec { cells: 100, ..moving() }] {
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
        ];
        assert!(others.into_iter().all(|other| hash(other) != hash(moving())));
    }
}
