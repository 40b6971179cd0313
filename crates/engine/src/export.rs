//! Export of labels for other programs: as a NumPy array, or as lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};

use rayon::prelude::*;

use super::first::is_position;
pub use super::numbers::NotHeld;
use super::numbers::check_held;
use super::{OpenTable, Row, RowOptions, RowReader, Rows, RowsError};
pub use tablegen_index::contents::ByBoard;
use tablegen_index::contents::Dense;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelKind;
use tablegen_rules::{Board, Mode, Position};

/// The number of positions passed on at a time.
const STRETCH: usize = 1 << 16;
/// Lines that one task writes.
const TASK: usize = 1 << 10;
/// Most pieces that are read in parallel.
const SIDE_BY_SIDE: usize = 8;

/// Receives labels in order: the mode, the first board, and the labels from that board on, in array form.
type Take<'a> = dyn FnMut(Mode, Board, &[u8]) -> io::Result<()> + 'a;

/// Writes a label of every board as a NumPy array of shape (modes, 2^cells), in C order, by board number. Outcomes are
/// `int8` (1 win, 0 draw, -1 loss); remoteness, in plies, and nimbers are `uint8`. Memory use is a few MiB per thread,
/// however large the table. `done` is called with the number of positions just written.
///
/// # Errors
/// Returns any error from writing. It wraps [`NotHeld`] if the table lacks the label, and a [`LabelFault`](tablegen_index::contents::LabelFault)
/// if labels are damaged.
pub fn npy(dense: Dense<'_>, label: LabelKind, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let reader = by_board(dense, label).map_err(not_held)?;
    let has_sign = label == LabelKind::Outcome || label.about().is_signed;
    let kind = if has_sign { "|i1" } else { "|u1" };
    let shape = dense.planes().shape();
    out.write_all(&npy_header(kind, shape.modes(), 1 << shape.cells()))?;
    each_board(&reader, done, &mut |_, _, labels| out.write_all(labels))
}

/// Writes a label of any table as lines `mode,board,position,LABEL` after a heading, where LABEL is its name. The lines
/// are the rows that `options` choose, in the order of [`RowReader`].
///
/// - With [`classes`](RowOptions::classes), only the representative of each symmetry class is written, with a last field
///   `positions`: the size of its class.
/// - The position is the text that `probe` reads. It is empty for a board that is not a position of the game.
/// - Remoteness is in plies.
///
/// `done` is called with the number of positions just examined.
///
/// # Errors
/// As [`npy`]; it wraps a [`RowsError`] if the table does not have the rows.
pub fn csv(
    open: &OpenTable,
    label: LabelKind,
    options: RowOptions,
    out: &mut dyn Write,
    done: &dyn Fn(u64),
) -> io::Result<()> {
    let lines = Lines { open, label, classes: options.classes.clone() };
    let options = RowOptions { labels: options.labels.with(label), ..options };
    let mut reader = RowReader::new(open, options).map_err(not_had)?;
    writeln!(out, "mode,board,position,{label}{}", if lines.classes.is_some() { ",positions" } else { "" })?;
    while let Some(Rows { rows, examined }) = reader.next(open).map_err(io::Error::other)? {
        let texts: Vec<String> = rows.par_chunks(TASK).map(|rows| lines.of(rows)).collect();
        texts.iter().try_for_each(|text| out.write_all(text.as_bytes()))?;
        done(examined);
    }
    Ok(())
}

/// A reader of label `label` of every board of `dense`. Checksums are not checked.
///
/// # Errors
/// If the table lacks the label.
pub fn by_board(dense: Dense<'_>, label: LabelKind) -> Result<ByBoard<'_>, NotHeld> {
    check_held(dense.bytes(), label)?;
    Ok(ByBoard::new(dense, label).unwrap_or_else(|| unreachable!("the label is held")))
}

/// The form of lines of [`csv`].
struct Lines<'a> {
    open: &'a OpenTable,
    label: LabelKind,
    /// The symmetry classes, if each line ends with the size of one.
    classes: Option<Group>,
}

impl Lines<'_> {
    fn of(&self, rows: &[Row]) -> String {
        let mut lines = String::new();
        for Row { position, value, .. } in rows {
            // Mode names contain no commas, quotes or line ends: building the rules ensures it.
            let mode = self.open.table.rules().modes().get(usize::from(position.mode.0)).map_or("", String::as_str);
            let text = quoted(text_of(self.open, *position));
            // Writing a number of 64 bits is faster.
            let _ = match position.board.to_word() {
                Some(word) => write!(lines, "{mode},{word},{text},"),
                None => write!(lines, "{mode},{},{text},", position.board.number()),
            };
            let _ = match value.number(self.label) {
                Some(number) => write!(lines, "{number}"),
                None if self.label.about().counts_plies => write!(lines, "repetition"),
                None => write!(lines, "{}", value.outcome),
            };
            if let Some(group) = &self.classes {
                let _ = write!(lines, ",{}", group.orbit(*position));
            }
            lines.push('\n');
        }
        lines
    }
}

/// The text of `position` that `probe` reads; empty for a board that is not a position of the game.
pub(super) fn text_of(open: &OpenTable, position: Position) -> String {
    if is_position(open, position) { open.game.write(position.into()) } else { String::new() }
}

/// The smallest number of bytes in a line of [`csv`], without the text of the position.
#[must_use]
pub fn least_line(label: LabelKind) -> u64 {
    if label == LabelKind::Outcome { "-,0,,win\n".len() as u64 } else { "-,0,,0\n".len() as u64 }
}

fn not_had(error: RowsError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn not_held(error: NotHeld) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

/// `text` as a field of CSV (RFC 4180): in quotes if it contains a comma, a quote or a line end.
pub(super) fn quoted(text: String) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The header of a NumPy array (format version 1.0) of numbers of type `kind`.
fn npy_header(kind: &str, modes: u32, boards: u64) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({modes}, {boards}), }}");
    // Magic, version and length take ten bytes. The data begins at a multiple of 64, after a line end.
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(padded - 1 - text.len()));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// Passes every label to `take`, mode by mode and by board number. While `take` handles one part, the next is read.
fn each_board(reader: &ByBoard<'_>, done: &dyn Fn(u64), take: &mut Take<'_>) -> io::Result<()> {
    let shape = reader.dense().planes().shape();
    let (modes, boards) = ((0..shape.modes() as u16).map(Mode), 1 << shape.cells());
    let part = (reader.piece() * rayon::current_num_threads().min(SIDE_BY_SIDE)) as u64;
    let mut parts = modes.flat_map(|mode| (0..boards).step_by(part as usize).map(move |first| (mode, first)));
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let read = |(mode, first): (Mode, u64), labels: &mut Vec<u8>| {
        labels.resize(part.min(boards - first) as usize, 0);
        reader.read(mode, first, labels)
    };
    let mut current = parts.next();
    let mut is_sound = current.map_or(Ok(()), |at| read(at, &mut now));
    while let Some((mode, first)) = current {
        is_sound.map_err(io::Error::other)?;
        is_sound = Ok(());
        let next = parts.next();
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| is_sound = next.map_or(Ok(()), |at| read(at, &mut later)));
            now.chunks(STRETCH).zip((first..).step_by(STRETCH)).try_for_each(|(labels, first)| {
                take(mode, Board::from_word(first), labels)?;
                done(labels.len() as u64);
                Ok::<_, io::Error>(())
            })
        })?;
        std::mem::swap(&mut now, &mut later);
        current = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{npy_header, quoted};

    #[test]
    fn npy_headers_are_padded_to_64_bytes() {
        for (modes, boards) in [(1, 2), (7, 1 << 28), (4096, 1 << 40)] {
            let header = npy_header("|u1", modes, boards);
            let text = &header[10..];
            assert!(header.len().is_multiple_of(64) && text.ends_with(b"\n"));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), text.len());
        }
    }

    #[test]
    fn csv_fields_are_quoted_if_necessary() {
        let fields = ["XX../....", "{0-1,1-3} 3", "{say \"a\"} b"].map(|text| quoted(text.into()));
        assert_eq!(fields, ["XX../....", "\"{0-1,1-3} 3\"", "\"{say \"\"a\"\"} b\""]);
    }
}
