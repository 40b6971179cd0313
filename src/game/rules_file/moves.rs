//! The moves, the ends and the start of a rules file, given as patterns or cell by cell.

use std::collections::HashSet;

use super::RulesFileError;
use super::expression::{self, Values};
use super::pattern::{Budget, Pattern, Placement};
use super::source::{Item, Keys};
use super::squares::Squares;
use crate::rules::{Board, End, MAX_NAME, Mode, Move, Outcome, Position, Start};

/// The largest number of moves, and of ends, in a rules file. The time to name all moves of a position is quadratic in it.
const MOST_MOVES: usize = 1 << 14;
/// The largest number of modes in a rules file.
const MOST_MODES: usize = 256;

/// What the modes of a game are.
#[derive(Clone, Debug)]
pub(super) enum Turns {
    /// A single mode: the game is impartial.
    Impartial,
    /// Two modes: the side to move.
    Sides,
    /// Modes that the file defines. Each move says to which mode it leads.
    Modes,
}

/// What is needed to read moves, ends and the start.
pub(super) struct Reader<'a> {
    pub(super) squares: &'a Squares,
    pub(super) values: &'a Values,
    pub(super) turns: Turns,
    pub(super) modes: Vec<String>,
    pub(super) terminal: Outcome,
    pub(super) budget: Budget,
}

/// Reads `sides` or `modes`; returns the names of the modes too.
pub(super) fn read_turns(file: &mut Keys<'_>) -> Result<(Turns, Vec<String>), RulesFileError> {
    let (item, turns, count) = match (file.take("sides"), file.take("modes")) {
        (None, None) => return Ok((Turns::Impartial, vec!["-".into()])),
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
        let expected = "a name that no other mode has, without commas, quotes or blanks around it,";
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

/// The tables in a list of tables. A missing list is empty.
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

    /// The mode that a table names with `side` or `mode`, if it names one.
    fn take_mode(&self, keys: &mut Keys<'_>) -> Result<Option<Mode>, RulesFileError> {
        match self.turns {
            Turns::Impartial => Ok(None),
            Turns::Sides => keys.take("side").map(|item| self.mode(item)).transpose(),
            Turns::Modes => {
                let item = keys.need("mode", "one of the modes")?;
                self.mode(item).map(Some)
            }
        }
    }

    /// The modes in which a move can be made, each with the mode to which it leads.
    fn take_modes(&self, keys: &mut Keys<'_>) -> Result<Vec<(Mode, Mode)>, RulesFileError> {
        let from = self.take_mode(keys)?;
        Ok(match (&self.turns, from) {
            (Turns::Modes, Some(from)) => vec![(from, self.mode(keys.need("next", "the mode it leads to")?)?)],
            (Turns::Sides, Some(side)) => vec![(side, Mode(1 - side.0))],
            (Turns::Sides, None) => vec![(Mode(0), Mode(1)), (Mode(1), Mode(0))],
            _ => vec![(Mode(0), Mode(0))],
        })
    }

    /// The colour of every cell, if the board has one colour.
    fn only_colour(&self) -> Option<u32> {
        (self.squares.colours() == 1).then_some(0)
    }

    /// Reads cells: a board number, a board as rows, or a list of cells by number or name. A square named without a colour
    /// has `colour`.
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

    /// Reads a cell: its number, or the name of its square. If the board has two colours and `colour` is `None`, the mark
    /// of the colour and a colon come before the name.
    fn cell(&self, item: Item<'_>, colour: Option<u32>) -> Result<Board, RulesFileError> {
        let squares = self.squares;
        let by_number = || {
            let number = item.as_integer().and_then(|number| u32::try_from(number).ok());
            number.filter(|&number| number < squares.cells()).map(|number| Board::at(number, squares.cells()))
        };
        let example = if squares.colours() == 2 { format!("\"{}:a1\"", squares.marks[0]) } else { "\"a1\"".into() };
        let expected = || format!("a cell from 0 to {}, or by name as in {example},", squares.cells() - 1);
        if let Some(cell) = by_number() {
            return Ok(cell);
        }
        let wrong = || item.wrong(expected());
        let (mark, name) = match item.as_text().and_then(|text| text.split_once(':')) {
            Some((mark, name)) => (Some(mark), name),
            None => (None, item.text(&expected())?),
        };
        let colour = match mark {
            Some(mark) => squares.marks.iter().position(|c| mark == c.to_string()).map(|colour| colour as u32),
            None => colour,
        };
        let name = expression::filled_in(name, self.values, !squares.is_graph())
            .map_err(|fault| item.found(expected(), format!("{}: {fault}", item.described())))?;
        let square = squares.called(&name).ok_or_else(wrong)?;
        squares.cell(square, colour.ok_or_else(wrong)?).ok_or_else(wrong)
    }

    /// Reads every `[[move]]`. If there are sides, the moves of the first side come before those of the second.
    pub(super) fn moves(&mut self, item: Option<Item<'_>>) -> Result<Vec<Move>, RulesFileError> {
        let mut moves = Vec::new();
        // Equal placements of patterns are one move. Moves given cell by cell stay as they are given.
        let mut seen = HashSet::new();
        for (table, mut keys) in tables(item, "[[move]]")? {
            let modes = self.take_modes(&mut keys)?;
            match Pattern::take(&mut keys, self.squares, self.values, false)? {
                Some((pattern, item)) => {
                    for (mode, next) in modes {
                        let placements = pattern.placements(self.squares, mode.0.into(), item, &mut self.budget)?;
                        for Placement { empty, full, fills } in placements {
                            let m = Move { mode, next, empty, full, fills };
                            if seen.insert(m) {
                                moves.push(m);
                            }
                        }
                    }
                }
                None => {
                    let mask = self.raw(table, &mut keys)?;
                    moves.extend(modes.into_iter().map(|(mode, next)| Move { mode, next, ..mask }));
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

    /// A move given cell by cell: `fills`, and the cells it requires.
    fn raw(&self, table: Item<'_>, keys: &mut Keys<'_>) -> Result<Move, RulesFileError> {
        let only = self.only_colour();
        let fills = self.cells(keys.need("fills", "the cells it fills, or `shape`, or `line`")?, only)?;
        let empty = keys.take("empty").map_or(Ok(fills), |item| self.cells(item, only))?;
        let full = keys.take("full").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))?;
        if fills.is_disjoint(empty) {
            return Err(table.found("a cell of `empty` that is also in `fills`", "none"));
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
            // `side` completes the pattern. It is then the other side's turn, so the end belongs to that mode.
            let modes = match (&self.turns, self.take_mode(&mut keys)?) {
                (Turns::Impartial, _) => vec![Mode(0)],
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
            if let Some((pattern, item)) = Pattern::take(&mut keys, self.squares, self.values, true)? {
                let mut by_mode = Vec::new();
                for &mode in &modes {
                    let mover = 1 - u32::from(mode.0 & 1);
                    by_mode.push((mode, pattern.placements(self.squares, mover, item, &mut self.budget)?));
                }
                for index in 0..by_mode.first().map_or(0, |(_, placements)| placements.len()) {
                    for (mode, placements) in &by_mode {
                        let end = End { mode: *mode, pattern: placements[index].fills, outcome };
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

    /// Reads `start`, a position or a list to choose from. Returns also whether it says who begins.
    pub(super) fn start(&self, item: Option<Item<'_>>) -> Result<(Start, bool), RulesFileError> {
        let Some(item) = item else { return Ok((Start::At(Position::default()), false)) };
        let position = |keys: &mut Keys<'_>| -> Result<(Position, bool), RulesFileError> {
            let mode = match self.turns {
                Turns::Impartial => None,
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
            return Err(item.found("at least one position to choose", "none"));
        }
        Ok((Start::Opening(choices), true))
    }
}
