//! Labels for other programs: a NumPy array, or lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::OpenTable;
use crate::contents::{Contents, Dense, Sparse};
use crate::rules::{Board, Mode, Outcome, Position, Rules};

/// The number of positions passed on at a time.
const PIECE: u64 = 1 << 16;

/// Receives outcomes in order: the mode, the number of the first board, and the outcomes from that board on.
type Take<'a> = dyn FnMut(Mode, u64, &[Outcome]) -> io::Result<()> + 'a;

/// Writes the outcomes of a dense table as a NumPy array: `int8` (1 win, 0 draw, -1 loss), shape (modes, 2^cells), in
/// C order, by board number. `done` is called with the number of positions just written.
///
/// # Errors
/// Returns any error from writing, and an error if labels are damaged.
pub fn npy(rules: &Rules, dense: Dense<'_>, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    out.write_all(&npy_header(rules.modes().len(), 1 << rules.cells()))?;
    let mut bytes = Vec::with_capacity(PIECE as usize);
    by_board(rules, dense, done, &mut |_, _, outcomes| {
        bytes.clear();
        bytes.extend(outcomes.iter().map(|outcome| match outcome {
            Outcome::Win => 1i8 as u8,
            Outcome::Draw => 0,
            Outcome::Loss => -1i8 as u8,
        }));
        out.write_all(&bytes)
    })
}

/// Writes the outcomes of any table as lines `mode,board,position,outcome` after a heading. A dense table is written by
/// board number; for a sparse table, the positions it holds are written. The position is the text that `probe` reads; it
/// is left out for a board that is not a position of the game. `done` is called with the number of positions just
/// written.
///
/// # Errors
/// Returns any error from writing, and an error if labels are damaged.
pub fn csv(open: &OpenTable, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let (rules, game) = (open.table.rules(), open.game.as_ref());
    out.write_all(b"mode,board,position,outcome\n")?;
    let mut lines = String::new();
    let mut take = |mode: Mode, first: u64, outcomes: &[Outcome]| {
        // Mode names contain no commas, quotes or line ends: checking the rules ensures it.
        let name = rules.modes().get(usize::from(mode.0)).map_or("", String::as_str);
        lines.clear();
        for (board, outcome) in (first..).zip(outcomes) {
            let is_position = game.of_number("", Some(mode), Board(board)).is_ok();
            let text = is_position.then(|| game.write(Position::new(mode, Board(board)).into()));
            let _ = writeln!(lines, "{name},{board},{},{outcome}", text.map(quoted).unwrap_or_default());
        }
        out.write_all(lines.as_bytes())
    };
    match open.table.contents() {
        Contents::Dense(dense) => by_board(rules, dense, done, &mut take),
        Contents::Sparse(sparse) => as_stored(sparse, done, &mut take),
    }
}

/// The smallest number of bytes that a line of [`csv`] takes, without the text of the position.
pub const LEAST_LINE: u64 = "-,0,,win\n".len() as u64;

/// `text` as a field of CSV (RFC 4180): in quotes if it contains a comma, a quote or a line end.
fn quoted(text: String) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The bytes at the beginning of a NumPy array (format version 1.0).
fn npy_header(modes: usize, boards: u64) -> Vec<u8> {
    let mut text = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({modes}, {boards}), }}");
    // Magic, version and length take ten bytes. The data begins at a multiple of 64, after a line end.
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(padded - 1 - text.len()));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// Passes every position of a sparse table to `take`, those with the fewest filled cells first.
fn as_stored(sparse: Sparse<'_>, done: &dyn Fn(u64), take: &mut Take<'_>) -> io::Result<()> {
    for found in sparse.positions() {
        let (position, outcome) = found.map_err(io::Error::other)?;
        take(position.mode, position.board.0, &[outcome])?;
        done(1);
    }
    Ok(())
}

/// Passes every outcome to `take`, mode by mode and by board number: the mode, the first board and the outcomes from
/// there.
fn by_board(rules: &Rules, dense: Dense<'_>, done: &dyn Fn(u64), take: &mut Take<'_>) -> io::Result<()> {
    let (planes, layout) = (dense.planes(), dense.layout());
    let boards = 1u64 << rules.cells();
    let mut outcomes = Vec::with_capacity(PIECE.min(boards) as usize);
    for mode in (0..rules.modes().len() as u16).map(Mode) {
        for first in (0..boards).step_by(PIECE as usize) {
            outcomes.clear();
            for board in first..boards.min(first + PIECE) {
                let outcome = planes.outcome(mode, layout.index(Board(board)));
                outcomes.push(outcome.map_err(io::Error::other)?);
            }
            take(mode, first, &outcomes)?;
            done(outcomes.len() as u64);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{npy_header, quoted};

    #[test]
    fn headers_of_arrays_are_whole_lines_of_64_bytes() {
        for (modes, boards) in [(1, 2), (7, 1 << 28), (4096, 1 << 40)] {
            let header = npy_header(modes, boards);
            let text = &header[10..];
            assert!(header.len().is_multiple_of(64) && text.ends_with(b"\n"));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), text.len());
        }
    }

    #[test]
    fn fields_of_csv_are_quoted_where_they_must_be() {
        let fields = ["XX../....", "{0-1,1-3} 3", "{say \"a\"} b"].map(|text| quoted(text.into()));
        assert_eq!(fields, ["XX../....", "\"{0-1,1-3} 3\"", "\"{say \"\"a\"\"} b\""]);
    }
}
