//! The moves, the ends and the start of a rules file, drawn as shapes or said as they are.

use std::collections::HashSet;

use super::RulesFileError;
use super::expression::Values;
use super::shape::{Budget, Shape};
use super::source::{Item, Keys};
use super::squares::Squares;
use crate::rules::{Board, End, MAX_NAME, Mode, Move, Outcome, Position, Start};

/// Most moves of a rules file, and most ends: naming every move of a position takes the square of it.
const MOST_MOVES: usize = 1 << 14;
/// Most modes of a rules file.
const MOST_MODES: usize = 256;

/// Whose turn there is to speak of.
#[derive(Clone, Debug)]
pub(super) enum Turns {
    /// Both players have the same moves.
    Alike,
    /// Two sides that move in turn: the modes are theirs.
    Sides,
    /// Modes of the file's own; each move says which it leads to.
    Modes,
}

/// What moves and ends are read with.
pub(super) struct Reader<'a> {
    pub(super) squares: &'a Squares,
    pub(super) values: &'a Values,
    pub(super) turns: Turns,
    pub(super) modes: Vec<String>,
    pub(super) terminal: Outcome,
    pub(super) budget: Budget,
}

/// Reads `sides` or `modes`.
pub(super) fn read_turns(file: &mut Keys<'_>) -> Result<(Turns, Vec<String>), RulesFileError> {
    let (item, turns, count) = match (file.take("sides"), file.take("modes")) {
        (None, None) => return Ok((Turns::Alike, vec!["-".into()])),
        (Some(item), Some(_)) => return Err(item.found("one of `sides` and `modes`", "both")),
        (Some(item), None) => (item, Turns::Sides, 2..=2),
        (None, Some(item)) => (item, Turns::Modes, 1..=MOST_MODES),
    };
    let expected = match turns {
        Turns::Sides => "the names of the two sides, as in [\"left\", \"right\"],".to_owned(),
        _ => format!("a list of 1 to {MOST_MODES} names"),
    };
    let list = item.list(&expected)?;
    if !count.contains(&list.len()) {
        return Err(item.wrong(expected));
    }
    let mut modes: Vec<String> = Vec::new();
    for item in list {
        let expected = "a name of its own, without commas or quotes, or blanks around it,";
        let name = item.text(expected)?;
        let breaks = |c: char| c.is_control() || ",\"".contains(c);
        let bare = name.trim().len() == name.len() && !name.is_empty();
        if !bare || name.len() > MAX_NAME || name.contains(breaks) || modes.iter().any(|mode| mode == name) {
            return Err(item.wrong(expected));
        }
        modes.push(name.into());
    }
    Ok((turns, modes))
}

/// The tables of a list of tables, which may be missing.
pub(super) fn tables<'a>(
    item: Option<Item<'a>>,
    what: &'static str,
) -> Result<Vec<(Item<'a>, Keys<'a>)>, RulesFileError> {
    let Some(item) = item else { return Ok(Vec::new()) };
    let with_keys = |item: Item<'a>| Ok((item, item.keys(what)?));
    item.list(&format!("{what} (a list of tables)"))?.into_iter().map(with_keys).collect()
}

impl Reader<'_> {
    fn mode(&self, item: Item<'_>) -> Result<Mode, RulesFileError> {
        let found = item.as_text().and_then(|name| self.modes.iter().position(|mode| mode == name));
        let expected = || format!("one of {}", super::source::shown(&self.modes.join(", ")));
        Ok(Mode(found.ok_or_else(|| item.wrong(expected()))? as u16))
    }

    /// The mode that the table names by `side` or `mode`, where it names one.
    fn take_mode(&self, keys: &mut Keys<'_>) -> Result<Option<Mode>, RulesFileError> {
        match self.turns {
            Turns::Alike => Ok(None),
            Turns::Sides => keys.take("side").map(|item| self.mode(item)).transpose(),
            Turns::Modes => {
                let item = keys.need("mode", "one of the modes")?;
                self.mode(item).map(Some)
            }
        }
    }

    /// Where a move can be made from, each with where it leads.
    fn take_ways(&self, keys: &mut Keys<'_>) -> Result<Vec<(Mode, Mode)>, RulesFileError> {
        let from = self.take_mode(keys)?;
        Ok(match (&self.turns, from) {
            (Turns::Modes, Some(from)) => vec![(from, self.mode(keys.need("next", "the mode it leads to")?)?)],
            (Turns::Sides, Some(side)) => vec![(side, Mode(1 - side.0))],
            (Turns::Sides, None) => vec![(Mode(0), Mode(1)), (Mode(1), Mode(0))],
            _ => vec![(Mode(0), Mode(0))],
        })
    }

    /// The colour of every cell, where there is one.
    fn only_colour(&self) -> Option<u32> {
        (self.squares.colours() == 1).then_some(0)
    }

    /// Cells: a board number, a board drawn as rows, or a list of cells by number or name. `colour` is that of squares
    /// named without one.
    fn cells(&self, item: Item<'_>, colour: Option<u32>) -> Result<Board, RulesFileError> {
        let cells = self.squares.cells();
        let expected = || format!("cells (a board number, rows of the board, or a list) of the {cells}");
        if item.is_integer() {
            let number = item.as_integer().map(Board).filter(|&board| Board::full(cells).contains(board));
            return number.ok_or_else(|| item.wrong(expected()));
        }
        if let Some(text) = item.as_text() {
            return self.squares.read_board(text).map_err(|e| item.found(e.expected, e.found));
        }
        item.list(&expected())?.into_iter().map(|item| self.cell(item, colour)).collect()
    }

    /// A cell: its number, or its square's name, with its colour's mark and a colon before where there are two and
    /// `colour` does not say.
    fn cell(&self, item: Item<'_>, colour: Option<u32>) -> Result<Board, RulesFileError> {
        let squares = self.squares;
        let by_number = || {
            let number = item.as_integer().and_then(|number| u32::try_from(number).ok());
            number.filter(|&number| number < squares.cells()).map(|number| Board::at(number, squares.cells()))
        };
        let by_name = || {
            let text = item.as_text()?;
            let (colour, name) = match text.split_once(':') {
                Some((mark, name)) => (squares.marks.iter().position(|c| mark == c.to_string())? as u32, name),
                None => (colour?, text),
            };
            let place = squares.coords().iter().copied().find(|&place| squares.name(place) == name)?;
            squares.cell(place, colour)
        };
        let example = if squares.colours() == 2 { format!("\"{}:a1\"", squares.marks[0]) } else { "\"a1\"".into() };
        let expected = || format!("a cell from 0 to {}, or by name as in {example},", squares.cells() - 1);
        by_number().or_else(by_name).ok_or_else(|| item.wrong(expected()))
    }

    /// Reads every `[[move]]`. Where there are sides, the moves of the first stand before those of the second.
    pub(super) fn moves(&mut self, item: Option<Item<'_>>) -> Result<Vec<Move>, RulesFileError> {
        let mut moves = Vec::new();
        // Shapes that lie alike when turned are one move; moves said one by one stay as they are said.
        let mut seen = HashSet::new();
        for (table, mut keys) in tables(item, "[[move]]")? {
            let ways = self.take_ways(&mut keys)?;
            match Shape::take(&mut keys, self.squares, self.values, false)? {
                Some((shape, item)) => {
                    for (mode, next) in ways {
                        for laid in shape.lay(self.squares, u32::from(mode.0), item, &mut self.budget)? {
                            let m = Move { mode, next, empty: laid.empty, full: laid.full, fills: laid.fills };
                            if seen.insert(m) {
                                moves.push(m);
                            }
                        }
                    }
                }
                None => {
                    let mask = self.raw(table, &mut keys)?;
                    moves.extend(ways.into_iter().map(|(mode, next)| Move { mode, next, ..mask }));
                }
            }
            keys.finish()?;
            if moves.len() > MOST_MOVES {
                return Err(table.found(format!("at most {MOST_MOVES} moves in all"), "more"));
            }
        }
        if matches!(self.turns, Turns::Sides) {
            moves.sort_by_key(|m| m.mode);
        }
        Ok(moves)
    }

    /// A move said as it is: `fills`, and what it needs.
    fn raw(&self, table: Item<'_>, keys: &mut Keys<'_>) -> Result<Move, RulesFileError> {
        let only = self.only_colour();
        let fills = self.cells(keys.need("fills", "the cells it fills, or `shape`, or `line`")?, only)?;
        let empty = keys.take("empty").map_or(Ok(fills), |item| self.cells(item, only))?;
        let full = keys.take("full").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))?;
        if fills.is_disjoint(empty) {
            return Err(table.found("a cell that is `empty` before and in `fills`", "none"));
        }
        if !empty.is_disjoint(full) {
            return Err(table.found("cells either `empty` or `full`", "some in both"));
        }
        Ok(Move { empty, full, ..Move::fill(fills) })
    }

    /// Reads every `[[end]]`.
    pub(super) fn ends(&mut self, item: Option<Item<'_>>) -> Result<Vec<End>, RulesFileError> {
        const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let mut ends = Vec::new();
        let mut seen = HashSet::new();
        for (table, mut keys) in tables(item, "[[end]]")? {
            // Who has made a line is not to move any more: `side` is his, and the end stands in the other's mode.
            let modes = match (&self.turns, self.take_mode(&mut keys)?) {
                (Turns::Alike, _) => vec![Mode(0)],
                (Turns::Sides, None) => vec![Mode(0), Mode(1)],
                (Turns::Sides, Some(side)) => vec![Mode(1 - side.0)],
                (Turns::Modes, mode) => mode.into_iter().collect(),
            };
            let outcome = match (keys.take("completer"), keys.take("outcome")) {
                (Some(item), Some(_)) => return Err(item.found("one of `completer` and `outcome`", "both")),
                (Some(item), None) => OUTCOMES[item.word(&["wins", "draws", "loses"])?].flip(),
                (None, Some(item)) => OUTCOMES[item.word(&["win", "draw", "loss"])?],
                (None, None) => self.terminal,
            };
            if let Some((shape, item)) = Shape::take(&mut keys, self.squares, self.values, true)? {
                let lay = |reader: &mut Self, mover| shape.lay(reader.squares, mover, item, &mut reader.budget);
                let by_mode = modes.iter().map(|&mode| Ok((mode, lay(self, 1 - u32::from(mode.0 & 1))?)));
                let by_mode = by_mode.collect::<Result<Vec<_>, RulesFileError>>()?;
                for place in 0..by_mode.first().map_or(0, |(_, laid)| laid.len()) {
                    for (mode, laid) in &by_mode {
                        let end = End { mode: *mode, pattern: laid[place].fills, outcome };
                        if seen.insert(end) {
                            ends.push(end);
                        }
                    }
                }
            } else {
                let item = keys.need("full", "the cells that end the game, or `shape`, or `line`")?;
                for &mode in &modes {
                    let completer = if self.squares.colours() == 2 { 1 - u32::from(mode.0) } else { 0 };
                    ends.push(End { mode, pattern: self.cells(item, Some(completer))?, outcome });
                }
            }
            keys.finish()?;
            if ends.len() > MOST_MOVES {
                return Err(table.found(format!("at most {MOST_MOVES} ends in all"), "more"));
            }
        }
        Ok(ends)
    }

    /// Reads `start`, a position or a list to choose from; says too whether it settles who begins.
    pub(super) fn start(&self, item: Option<Item<'_>>) -> Result<(Start, bool), RulesFileError> {
        let Some(item) = item else { return Ok((Start::At(Position::default()), false)) };
        let position = |keys: &mut Keys<'_>| -> Result<(Position, bool), RulesFileError> {
            let mode = match self.turns {
                Turns::Alike => None,
                Turns::Sides => keys.take("side"),
                Turns::Modes => keys.take("mode"),
            };
            let board = keys.take("board").map_or(Ok(Board::EMPTY), |item| self.cells(item, self.only_colour()))?;
            let settled = mode.is_some();
            Ok((Position::new(mode.map_or(Ok(Mode(0)), |item| self.mode(item))?, board), settled))
        };
        if item.is_table() {
            let mut keys = item.keys("[start]")?;
            let (start, settled) = position(&mut keys)?;
            return keys.finish().map(|()| (Start::At(start), settled));
        }
        let mut choices = Vec::new();
        for (_, mut keys) in tables(Some(item), "[[start]]")? {
            choices.push(position(&mut keys)?.0);
            keys.finish()?;
        }
        if choices.is_empty() {
            return Err(item.found("a position to choose at least", "none"));
        }
        Ok((Start::Opening(choices), true))
    }
}
