//! Export of labels for other programs: as a NumPy array, or as lines of text.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

pub use super::numbers::NotHeld;
use super::numbers::check_held;
use super::{
    Column, ColumnName, ColumnReader, ColumnValues, Columns, ColumnsError, EngineError, Keys, OpenTable, RowOptions,
};
pub use tablegen_index::contents::ByBoard;
use tablegen_index::contents::{Dense, LabelNumber};
use tablegen_labels::LabelKind;
use tablegen_rules::Mode;
use tablegen_tables::table::{TableError, TableFault};

/// The number of positions passed on at a time.
const STRETCH: usize = 1 << 16;
/// Lines that one task writes.
const TASK: usize = 1 << 10;
/// Most pieces that are read in parallel.
const SIDE_BY_SIDE: usize = 8;

/// Receives labels in order, in array form.
type Take<'a, N> = dyn FnMut(&[N]) -> io::Result<()> + 'a;

/// Writes a label of every board as a NumPy array of shape (modes, 2^cells), in C order, by board number. Outcomes are
/// `int8` (1 win, 0 draw, -1 loss); remoteness, in plies, and nimbers are `uint8`; scores are `int8`, or `int16` if they take two bytes.
/// Memory use is a few MiB per thread,
/// however large the table. `done` is called with the number of positions just written.
///
/// # Errors
/// Returns any error from writing. It wraps [`NotHeld`] if the table lacks the label, and a [`LabelFault`](tablegen_index::contents::LabelFault)
/// if labels are damaged.
pub fn npy(dense: Dense<'_>, label: LabelKind, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let reader = by_board(dense, label).map_err(not_held)?;
    let has_sign = label == LabelKind::Outcome || label.about().is_signed;
    let is_wide = reader.bits() > u8::BITS;
    let kind = match (has_sign, is_wide) {
        (true, false) => "|i1",
        (false, false) => "|u1",
        (true, true) => "<i2",
        (false, true) => "<u2",
    };
    let shape = dense.planes().shape();
    out.write_all(&npy_header(kind, shape.modes(), 1 << shape.cells()))?;
    if !is_wide {
        return each_board::<u8>(&reader, done, &mut |labels| out.write_all(labels));
    }
    each_board::<u16>(&reader, done, &mut |labels| {
        let bytes: Vec<u8> = labels.iter().flat_map(|label| label.to_le_bytes()).collect();
        out.write_all(&bytes)
    })
}

/// What lines of text contain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The columns, with their names in the heading.
    columns: Vec<(String, ColumnName)>,
    /// How board numbers are written.
    pub keys: Keys,
    /// What is written for plies that do not exist.
    pub no_plies: &'static str,
}

impl Lines {
    /// The remoteness of a draw by repetition.
    pub const REPETITION: &str = "repetition";

    /// Lines `mode,board,position,LABEL` with `labels`, which are columns of labels or of values. `classes` adds the field `positions`, the
    /// size of the symmetry class.
    #[must_use]
    pub fn of_labels(labels: &[ColumnName], classes: bool) -> Self {
        let before = [ColumnName::Mode, ColumnName::Board, ColumnName::Position];
        let all = before.iter().chain(labels).map(|&column| {
            let name = column.label().map_or_else(|| column.to_string(), |label| label.to_string());
            (name, column)
        });
        let size = classes.then(|| ("positions".into(), ColumnName::ClassSize));
        Self::with(all.chain(size).collect())
    }

    /// Lines with `columns`.
    #[must_use]
    pub fn of_columns(columns: &[ColumnName]) -> Self {
        Self::with(columns.iter().map(|column| (column.to_string(), *column)).collect())
    }

    const fn with(columns: Vec<(String, ColumnName)>) -> Self {
        Self { columns, keys: Keys::Numbers, no_plies: Self::REPETITION }
    }

    /// A reader of the columns.
    ///
    /// # Errors
    /// As [`ColumnReader::new`].
    pub fn reader(&self, open: &OpenTable, options: RowOptions) -> Result<ColumnReader, ColumnsError> {
        let columns: Vec<ColumnName> = self.columns.iter().map(|(_, column)| *column).collect();
        ColumnReader::new(open, options, &columns, self.keys)
    }

    /// Adds the lines of `rows` of `columns`.
    fn add(&self, columns: &Columns, rows: Range<usize>, lines: &mut String) {
        for row in rows {
            for ((_, name), column) in self.columns.iter().zip(&columns.columns) {
                self.field(*name, column, row, lines);
                lines.push(',');
            }
            lines.pop();
            lines.push('\n');
        }
    }

    /// Adds the value of the column `name` in `row`.
    fn field(&self, name: ColumnName, column: &Column, row: usize, lines: &mut String) {
        if !column.has(row) {
            lines.push_str(match name {
                ColumnName::Mode | ColumnName::ClassMode => "-",
                ColumnName::Label(label) if label.about().counts_plies => self.no_plies,
                _ => "",
            });
            return;
        }
        let _ = match &column.values {
            ColumnValues::Bits(bits) => write!(lines, "{}", bits[row / 8] >> (row % 8) & 1 == 1),
            ColumnValues::U8(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::I8(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::U16(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::I16(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::U64(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::I64(numbers) => write!(lines, "{}", numbers[row]),
            ColumnValues::Text { offsets, bytes } => {
                let text = String::from_utf8_lossy(&bytes[offsets[row] as usize..offsets[row + 1] as usize]);
                let is_key = matches!(name, ColumnName::Board | ColumnName::ClassBoard);
                match is_key && self.keys == Keys::Texts {
                    true => write!(lines, "\"{text}\""),
                    false => write!(lines, "{}", quoted(text)),
                }
            }
        };
    }
}

/// Writes the rows of `reader`, which `form` [made](Lines::reader) for `open`, as lines of text after a heading.
///
/// - The mode is `-` in games with one mode.
/// - The position is the text that `probe` reads. It is empty for a board that is not a position of the game.
/// - Remoteness is in plies.
///
/// `done` is called with the number of positions just examined.
///
/// # Errors
/// Any error from writing. It wraps a [`LabelFault`](tablegen_index::contents::LabelFault) if labels are damaged.
pub fn csv(
    open: &OpenTable,
    mut reader: ColumnReader,
    form: &Lines,
    out: &mut dyn Write,
    done: &dyn Fn(u64),
) -> io::Result<()> {
    let heading: Vec<&str> = form.columns.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(out, "{}", heading.join(","))?;
    while let Some(columns) = reader.next(open, 0, done).map_err(unreadable)? {
        let tasks: Vec<Range<usize>> =
            (0..columns.rows).step_by(TASK).map(|first| first..columns.rows.min(first + TASK)).collect();
        let lines = |rows: Range<usize>| {
            let mut lines = String::new();
            form.add(&columns, rows, &mut lines);
            lines
        };
        let texts: Vec<String> = tasks.into_par_iter().map(lines).collect();
        texts.iter().try_for_each(|text| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// The error that rows could not be read: it wraps the [fault](tablegen_index::contents::LabelFault) of a label, or `error`.
pub(super) fn unreadable(error: EngineError) -> io::Error {
    match error {
        EngineError::Read(TableError { fault: TableFault::Labels(fault), .. }) => io::Error::other(fault),
        error => io::Error::other(error),
    }
}

/// A reader of label `label` of every board of `dense`. Checksums are not checked.
///
/// # Errors
/// If the table lacks the label.
pub fn by_board(dense: Dense<'_>, label: LabelKind) -> Result<ByBoard<'_>, NotHeld> {
    check_held(dense.bytes(), label)?;
    Ok(ByBoard::new(dense, label).unwrap_or_else(|| unreachable!("the label is held")))
}

/// The smallest number of bytes in a line of [`csv`], without the text of the position.
#[must_use]
pub fn least_line(label: LabelKind) -> u64 {
    if label == LabelKind::Outcome { "-,0,,win\n".len() as u64 } else { "-,0,,0\n".len() as u64 }
}

fn not_held(error: NotHeld) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

/// `text` as a field of CSV (RFC 4180): in quotes if it contains a comma, a quote or a line end.
pub(super) fn quoted<'a>(text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let text = text.into();
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
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
fn each_board<N: LabelNumber>(reader: &ByBoard<'_>, done: &dyn Fn(u64), take: &mut Take<'_, N>) -> io::Result<()> {
    let shape = reader.dense().planes().shape();
    let (modes, boards) = ((0..shape.modes() as u16).map(Mode), 1 << shape.cells());
    let part = (reader.piece() * rayon::current_num_threads().min(SIDE_BY_SIDE)) as u64;
    let mut parts = modes.flat_map(|mode| (0..boards).step_by(part as usize).map(move |first| (mode, first)));
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let read = |(mode, first): (Mode, u64), labels: &mut Vec<N>| {
        labels.resize(part.min(boards - first) as usize, N::default());
        reader.read(mode, first, labels)
    };
    let mut current = parts.next();
    let mut is_sound = current.map_or(Ok(()), |at| read(at, &mut now));
    while current.is_some() {
        is_sound.map_err(io::Error::other)?;
        is_sound = Ok(());
        let next = parts.next();
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| is_sound = next.map_or(Ok(()), |at| read(at, &mut later)));
            now.chunks(STRETCH).try_for_each(|labels| {
                take(labels)?;
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
        let fields = ["XX../....", "{0-1,1-3} 3", "{say \"a\"} b"].map(quoted);
        assert_eq!(fields, ["XX../....", "\"{0-1,1-3} 3\"", "\"{say \"\"a\"\"} b\""]);
    }
}
