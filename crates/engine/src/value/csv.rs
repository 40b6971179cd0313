//! Export of the values of boards as lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::of_table::Reader;
use crate::build::values::sides;
use crate::export::quoted;
use crate::first::is_position;
use crate::{EngineError, OpenTable};
use tablegen_cgt::Limits;
use tablegen_rules::{Board, Position};

/// Boards that are written at a time.
const STRETCH: u64 = 1 << 12;

/// Writes the values of the boards of a table as lines `board,position,value,mean,temperature` after a heading, in the order in which they
/// are stored. The position is the text that `probe` reads, with Left to move; it is empty for a board that is not a position of the
/// game. The value is its canonical form; it is empty if its text would exceed [`Limits::characters`]. `done` is called with the number
/// of boards just written.
///
/// # Errors
/// Any error from writing; it wraps an [`EngineError`] if the table is damaged or lacks values.
pub fn csv(open: &OpenTable, out: &mut dyn Write, done: &dyn Fn(u64)) -> io::Result<()> {
    let lacking = || io::Error::other(EngineError::Read(open.table.lacks_value()));
    let values = open.table.values().ok_or_else(lacking)?;
    let left = sides(open.game.as_ref()).map_err(|_| lacking())?.left();
    let mut reader = Reader::with_limits(open, Limits::default());
    // The text of each value is written many times.
    let mut texts: Vec<Option<String>> = vec![None; values.dictionary.len() as usize];
    writeln!(out, "board,position,value,mean,temperature")?;
    let count = values.index.count();
    let (mut boards, mut lines) = (Vec::<Board>::new(), String::new());
    for first in (0..count).step_by(STRETCH as usize) {
        let end = count.min(first + STRETCH);
        boards.clear();
        values.index.boards(values.keys, first, end, |_, board| boards.push(board)).map_err(io::Error::other)?;
        lines.clear();
        for (rank, &board) in (first..end).zip(&boards) {
            let number = values.number_at(rank).map_err(io::Error::other)?;
            if texts[number as usize].is_none() {
                texts[number as usize] = Some(text(number, &mut reader).map_err(io::Error::other)?);
            }
            let position = Position::new(left, board);
            let written = is_position(open, position).then(|| open.game.write(position.into()));
            let written = quoted(written.unwrap_or_default());
            let value = texts[number as usize].as_deref().unwrap_or_default();
            let _ = writeln!(lines, "{},{written},{value}", board.number());
        }
        out.write_all(lines.as_bytes())?;
        done(end - first);
    }
    Ok(())
}

/// The fields of the value with `number`: its name, its mean and its temperature.
fn text(number: u32, reader: &mut Reader<'_>) -> Result<String, EngineError> {
    let value = reader.import(number)?;
    let graph = reader.thermograph(value)?;
    let name = reader.name(value)?.map(quoted).unwrap_or_default();
    Ok(format!("{name},{},{}", graph.mean, graph.temperature))
}
