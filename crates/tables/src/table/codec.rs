//! Encoding and decoding of numbers, texts and positions as little-endian bytes.
//!
//! These functions follow `docs/reference/format.md`. A change here requires a change there and a new format version.

use super::TableFault;
use crate::rules::{Board, Mode, Outcome, Position};

/// The format version that this library writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// The bytes of a board of `cells` cells: a machine word for up to 64 cells, else two.
const fn board_bytes(cells: u32) -> usize {
    if cells <= u64::BITS { size_of::<u64>() } else { size_of::<u128>() }
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

    pub(crate) fn i16(&mut self, value: i16) {
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
    pub(super) fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// The length in bytes, then the bytes.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    pub(super) fn mode(&mut self, mode: Mode) {
        self.u16(mode.0);
    }

    /// A board of `cells` cells.
    pub(super) fn board(&mut self, board: Board, cells: u32) {
        self.bytes.extend(&board.le_bytes()[..board_bytes(cells)]);
    }

    pub(super) fn outcome(&mut self, outcome: Outcome) {
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
    pub const fn rest(&self) -> &'a [u8] {
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

    pub(crate) fn i16(&mut self) -> Result<i16, TableFault> {
        Ok(i16::from_le_bytes(self.array()?))
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

    pub(super) fn mode(&mut self) -> Result<Mode, TableFault> {
        self.u16().map(Mode)
    }

    /// A board of `cells` cells.
    pub(super) fn board(&mut self, cells: u32) -> Result<Board, TableFault> {
        let mut number = [0; size_of::<u128>()];
        let bytes = board_bytes(cells);
        number[..bytes].copy_from_slice(self.take(bytes)?);
        Ok(Board::from_number(u128::from_le_bytes(number)))
    }

    pub(super) fn outcome(&mut self) -> Result<Outcome, TableFault> {
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
}
