//! Export of labels for other programs: as a NumPy array, or as lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::OpenTable;
pub use super::by_board::{Boards, ByBoard};
use super::condition::Condition;
pub use super::numbers::NotHeld;
use super::numbers::{DRAW, NO_END, NO_NUMBER, WIN, check_held, numbers, of_outcome};
use tablegen_core::contents::{Contents, LabelFault};
use tablegen_core::label::LabelKind;
use tablegen_core::rules::{Board, Mode, Outcome, Position};

/// The number of positions passed on at a time.
const STRETCH: usize = 1 << 16;
/// Most pieces that are read in parallel.
const SIDE_BY_SIDE: usize = 8;

/// Receives labels in order: the mode, the first board, and the labels from that board on, in array form.
type Take<'a> = dyn FnMut(Mode, Board, &[u8]) -> io::Result<()> + 'a;

/// Writes a label of every board as a NumPy array of shape (modes, 2^cells), in C order, by board number. Outcomes are
/// `int8` (1 win, 0 draw, -1 loss); remoteness, in plies, and nimbers are `uint8`. Memory use is a few MiB per thread,
/// however large the table. `done` is called with the number of positions just written.
///
/// # Errors
/// Returns any error from writing. It wraps [`NotHeld`] if the table lacks the label, and a [`LabelFault`] if labels
/// are damaged.
pub fn npy(boards: Boards<'_>, label: LabelKind, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let reader = ByBoard::new(boards, label).map_err(not_held)?;
    let kind = if label == LabelKind::Outcome { "|i1" } else { "|u1" };
    out.write_all(&npy_header(kind, boards.modes(), boards.boards()))?;
    by_board(&reader, done, &mut |_, _, labels| out.write_all(labels))
}

/// The content of the lines of [`csv`].
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    /// The label.
    pub label: LabelKind,
    /// If true, one line for each symmetry class.
    pub orbits: bool,
    /// Only positions that meet this condition.
    pub condition: Option<&'a Condition>,
}

/// Writes a label of any table as lines `mode,board,position,LABEL` after a heading, where LABEL is its name. The lines
/// cover the reachable positions, or every board if the table does not know which are reachable.
///
/// - Dense tables are written by mode and board number, other tables in the order in which they are stored.
/// - With a condition, only positions that meet it are written.
/// - Under symmetry, all positions of each symmetry class are written, sorted by mode and board number. With `orbits`,
///   only the representative is written, with a last field `positions`: the size of its class.
/// - The position is the text that `probe` reads. It is empty for a board that is not a position of the game.
/// - Remoteness is in plies.
///
/// `done` is called with the number of positions just written.
///
/// # Errors
/// As [`npy`].
pub fn csv(
    open: &OpenTable,
    Lines { label, orbits, condition }: Lines<'_>,
    out: &mut dyn Write,
    done: &dyn Fn(u64),
) -> io::Result<()> {
    let (rules, game) = (open.table.rules(), open.game.as_ref());
    check_held(open.table.contents().bytes(), label).map_err(not_held)?;
    // A dense table with symmetry is written board by board, so each board is a class of its own.
    let group = open.table.domain().group().filter(|_| Boards::of(open.table.contents()).is_none());
    let weight = |position| match group.filter(|_| orbits) {
        Some(group) => format!(",{}", group.orbit(position)),
        None if orbits => ",1".into(),
        None => String::new(),
    };
    writeln!(out, "mode,board,position,{label}{}", if orbits { ",positions" } else { "" })?;
    let mut lines = String::new();
    let contents = open.table.contents();
    let mut take = |mode: Mode, first: Board, labels: &[u8]| {
        // Mode names contain no commas, quotes or line ends: building the rules ensures it.
        let name = rules.modes().get(usize::from(mode.0)).map_or("", String::as_str);
        lines.clear();
        for (number_of_board, &number) in (first.number()..).zip(labels) {
            let board = Board::from_number(number_of_board);
            let position = Position::new(mode, board);
            if !contents.is_counted(position).map_err(io::Error::other)? {
                continue;
            }
            if let Some(condition) = condition {
                let value = open.table.value(position).map_err(io::Error::other)?;
                if !condition.is_met(position, &value, rules.cells()) {
                    continue;
                }
            }
            let is_position = game.of_number("", Some(mode), board).is_ok();
            let text = is_position.then(|| game.write(position.into())).map(quoted).unwrap_or_default();
            // Writing a number of 64 bits is faster.
            let _ = match board.to_word() {
                Some(word) => write!(lines, "{name},{word},{text},"),
                None => write!(lines, "{name},{number_of_board},{text},"),
            };
            let weight = weight(position);
            let _ = match (label, number) {
                (LabelKind::Outcome, WIN) => writeln!(lines, "{}{weight}", Outcome::Win),
                (LabelKind::Outcome, DRAW) => writeln!(lines, "{}{weight}", Outcome::Draw),
                (LabelKind::Outcome, _) => writeln!(lines, "{}{weight}", Outcome::Loss),
                (LabelKind::Remoteness, NO_END) => writeln!(lines, "repetition{weight}"),
                (LabelKind::Remoteness | LabelKind::Nimber | LabelKind::MisereNimber, number) => {
                    writeln!(lines, "{number}{weight}")
                }
            };
        }
        out.write_all(lines.as_bytes())
    };
    let reader = |boards| ByBoard::new(boards, label).map_err(not_held);
    match contents {
        Contents::Dense(dense) => by_board(&reader(Boards::Dense(dense))?, done, &mut take),
        Contents::Folded(folded) => by_board(&reader(Boards::Folded(folded))?, done, &mut take),
        Contents::Sparse(sparse) => {
            let codes = sparse.bytes().of(label);
            let found = sparse.positions().enumerate();
            let code = |rank| Ok::<_, LabelFault>(codes.map(|codes| codes.get(rank)).transpose()?.flatten());
            let found = found.map(|(rank, found)| found.and_then(|(at, outcome)| Ok((at, outcome, code(rank)?))));
            match group.filter(|_| !orbits) {
                None => as_stored(found, label, done, &mut take),
                Some(group) => {
                    let all = found.flat_map(|found| match found {
                        Ok((at, outcome, code)) => {
                            group.images(at).into_iter().map(|at| Ok((at, outcome, code))).collect()
                        }
                        Err(fault) => vec![Err(fault)],
                    });
                    as_stored(all, label, done, &mut take)
                }
            }
        }
        Contents::Coloured(coloured) => {
            let codes = coloured.bytes().of(label);
            let code = |position| match (codes, coloured.byte(position)) {
                (Some(codes), Some(at)) => Ok::<_, LabelFault>(codes.get(at)?),
                _ => Ok(None),
            };
            let found = coloured.positions().map(|found| found.and_then(|(at, outcome)| Ok((at, outcome, code(at)?))));
            as_stored(found, label, done, &mut take)
        }
    }
}

/// The smallest number of bytes in a line of [`csv`], without the text of the position.
#[must_use]
pub const fn least_line(label: LabelKind) -> u64 {
    let line = match label {
        LabelKind::Outcome => "-,0,,win\n",
        LabelKind::Remoteness | LabelKind::Nimber | LabelKind::MisereNimber => "-,0,,0\n",
    };
    line.len() as u64
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

/// Passes positions with their outcome, or with the number for the code of `label`, to `take`.
fn as_stored(
    found: impl Iterator<Item = Result<(Position, Outcome, Option<u8>), LabelFault>>,
    label: LabelKind,
    done: &dyn Fn(u64),
    take: &mut Take<'_>,
) -> io::Result<()> {
    let numbers = numbers(label);
    for found in found {
        let (position, outcome, code) = found.map_err(io::Error::other)?;
        let number = match (label, code) {
            (LabelKind::Outcome, _) => of_outcome(outcome),
            (_, Some(code)) if numbers[usize::from(code)] != NO_NUMBER => numbers[usize::from(code)],
            (_, code) => {
                let number = code.unwrap_or_default();
                return Err(io::Error::other(LabelFault::NoLabel { position, label, number }));
            }
        };
        take(position.mode, position.board, &[number])?;
        done(1);
    }
    Ok(())
}

/// Passes every label to `take`, mode by mode and by board number. While `take` handles one part, the next is read.
fn by_board(reader: &ByBoard<'_>, done: &dyn Fn(u64), take: &mut Take<'_>) -> io::Result<()> {
    let modes = (0..reader.boards().modes() as u16).map(Mode);
    let boards = reader.boards().boards();
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
