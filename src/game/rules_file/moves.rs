//! The moves, the ends and the start of a rules file, given as patterns or cell by cell.

use std::collections::HashSet;

use super::RulesFileError;
use super::connection;
use super::expression::{self, Values};
use super::pattern::{Budget, Pattern, Placement};
use super::source::{Item, Keys, Mistakes};
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
    pub(super) mistakes: &'a Mistakes,
}

/// The keys of `[[move]]`.
const MOVE_KEYS: [&str; 17] = [
    "shape",
    "turns",
    "flips",
    "line",
    "along",
    "neighbours",
    "also",
    "on",
    "rows",
    "cols",
    "first_on",
    "fills",
    "empty",
    "full",
    "side",
    "mode",
    "next",
];
/// The keys of `[[end]]`.
const END_KEYS: [&str; 15] = [
    "shape",
    "turns",
    "flips",
    "line",
    "along",
    "on",
    "rows",
    "cols",
    "first_on",
    "connects",
    "full",
    "completer",
    "outcome",
    "side",
    "mode",
];

/// What a `[[move]]` gives.
pub(super) struct MoveTable {
    /// Its line.
    pub(super) line: usize,
    /// Its moves, whether or not other tables give them too.
    pub(super) moves: Vec<Move>,
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

/// The tables in a list of tables. A missing list is empty. Mistakes in one table do not keep the others from being read.
pub(super) fn tables<'a>(item: Option<Item<'a>>, what: &'static str, known: &[&str]) -> Vec<(Item<'a>, Keys<'a>)> {
    let Some(item) = item else { return Vec::new() };
    let list = item.mistakes().keep(item.list(&format!("{what} (a list of tables)"))).unwrap_or_default();
    let with_keys = |item: Item<'a>| {
        if item.mistakes().are_enough() { None } else { Some((item, item.mistakes().keep(item.keys(what, known))?)) }
    };
    list.into_iter().filter_map(with_keys).collect()
}

/// Notes the unknown keys of all moves and ends, of a file whose board cannot be read.
pub(super) fn note_unknown_keys(moves: Option<Item<'_>>, ends: Option<Item<'_>>) {
    tables(moves, "[[move]]", &MOVE_KEYS);
    tables(ends, "[[end]]", &END_KEYS);
}

impl Reader<'_> {
    fn mode(&self, item: Item<'_>) -> Result<Mode, RulesFileError> {
        let found = item.as_text().and_then(|name| self.modes.iter().position(|mode| mode == name));
        let expected = || format!("one of {}", super::source::shown(&self.modes.join(", ")));
        Ok(Mode(found.ok_or_else(|| item.wrong(expected()))? as u16))
    }

    /// The mode that a table names with `side` or `mode`, if it names one.
    fn take_mode(&self, keys: &mut Keys<'_>) -> Result<Option<Mode>, RulesFileError> {
        self.refuse_others(keys)?;
        match self.turns {
            Turns::Impartial => Ok(None),
            Turns::Sides => keys.take("side").map(|item| self.mode(item)).transpose(),
            Turns::Modes => {
                let item = keys.need("mode", "one of the modes")?;
                self.mode(item).map(Some)
            }
        }
    }

    /// Refuses `side` without `sides`, and `mode` and `next` without `modes`.
    fn refuse_others(&self, keys: &mut Keys<'_>) -> Result<(), RulesFileError> {
        let lists = [("side", "sides"), ("mode", "modes"), ("next", "modes")];
        for (key, list) in lists {
            let has_list = match self.turns {
                Turns::Impartial => false,
                Turns::Sides => list == "sides",
                Turns::Modes => list == "modes",
            };
            if let Some(item) = (!has_list).then(|| keys.take(key)).flatten() {
                return Err(item.found(format!("`{list}` of the file"), "none"));
            }
        }
        Ok(())
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
    pub(super) fn moves(&mut self, item: Option<Item<'_>>) -> (Vec<Move>, Vec<MoveTable>) {
        let (mut moves, mut read) = (Vec::new(), Vec::new());
        // Equal placements of patterns are one move. Moves given cell by cell stay as they are given.
        let mut seen = HashSet::new();
        for (table, mut keys) in tables(item, "[[move]]", &MOVE_KEYS) {
            let Some((list, is_pattern)) = self.mistakes.keep(self.moves_of(table, &mut keys)) else {
                if self.budget.is_spent() || self.mistakes.are_enough() {
                    break;
                }
                continue;
            };
            keys.finish();
            moves.extend(list.iter().copied().filter(|m| !is_pattern || seen.insert(*m)));
            read.push(MoveTable { line: table.line(), moves: list });
            if moves.len() > MOST_MOVES {
                self.mistakes.note(table.found(format!("at most {MOST_MOVES} moves in all"), "more"));
                break;
            }
        }
        if matches!(self.turns, Turns::Sides) {
            moves.sort_by_key(|m| m.mode);
        }
        (moves, read)
    }

    /// The moves of one table, and whether they are placements of a pattern.
    fn moves_of(&mut self, table: Item<'_>, keys: &mut Keys<'_>) -> Result<(Vec<Move>, bool), RulesFileError> {
        let modes = self.take_modes(keys)?;
        let Some((pattern, item)) = Pattern::take(keys, self.squares, self.values, false)? else {
            // The key that seems to be missing may be the one that is unknown, which has been told.
            if keys.has_unknown() && !keys.has("fills") {
                return Ok((Vec::new(), false));
            }
            let mask = self.raw(table, keys)?;
            return Ok((modes.into_iter().map(|(mode, next)| Move { mode, next, ..mask }).collect(), false));
        };
        let mut moves = Vec::new();
        for (mode, next) in modes {
            let placements = pattern.placements(self.squares, mode.0.into(), item, &mut self.budget)?;
            let of_mode =
                |Placement { empty, full, fills }| Move { mode, next, empty, full, fills, clears: Board::EMPTY };
            moves.extend(placements.into_iter().map(of_mode));
        }
        Ok((moves, true))
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

    /// Reads every `[[end]]`. Returns also the lines of those that fit nowhere.
    pub(super) fn ends(&mut self, item: Option<Item<'_>>) -> (Vec<End>, Vec<usize>) {
        let (mut ends, mut idle) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (table, mut keys) in tables(item, "[[end]]", &END_KEYS) {
            let Some((list, is_pattern)) = self.mistakes.keep(self.ends_of(&mut keys)) else {
                if self.budget.is_spent() || self.mistakes.are_enough() {
                    break;
                }
                continue;
            };
            keys.finish();
            if list.is_empty() {
                idle.push(table.line());
            }
            ends.extend(list.into_iter().filter(|end| !is_pattern || seen.insert(*end)));
            if ends.len() > MOST_MOVES {
                self.mistakes.note(table.found(format!("at most {MOST_MOVES} ends in all"), "more"));
                break;
            }
        }
        (ends, idle)
    }

    /// The ends of one table, and whether they are placements of a pattern.
    fn ends_of(&mut self, keys: &mut Keys<'_>) -> Result<(Vec<End>, bool), RulesFileError> {
        const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        // `side` completes the pattern. It is then the other side's turn, so the end belongs to that mode.
        let modes = match (&self.turns, self.take_mode(keys)?) {
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
        let completer = |mode: Mode| if self.squares.colours() == 2 { 1 - u32::from(mode.0 & 1) } else { 0 };
        let mut ends = Vec::new();
        if let Some(item) = keys.take("connects") {
            let paths = connection::paths(item, self.squares, self.values, MOST_MOVES, &mut self.budget)?;
            for (path, &mode) in paths.iter().flat_map(|path| modes.iter().map(move |mode| (path, mode))) {
                let cells = path.iter().filter_map(|&square| self.squares.cell(square, completer(mode)));
                ends.push(End { mode, pattern: cells.collect(), outcome });
            }
            return Ok((ends, true));
        }
        if let Some((pattern, item)) = Pattern::take(keys, self.squares, self.values, true)? {
            let mut by_mode = Vec::new();
            for &mode in &modes {
                let mover = 1 - u32::from(mode.0 & 1);
                by_mode.push((mode, pattern.placements(self.squares, mover, item, &mut self.budget)?));
            }
            for index in 0..by_mode.first().map_or(0, |(_, placements)| placements.len()) {
                for (mode, placements) in &by_mode {
                    ends.push(End { mode: *mode, pattern: placements[index].fills, outcome });
                }
            }
            return Ok((ends, true));
        }
        if keys.has_unknown() && !keys.has("full") {
            return Ok((ends, true));
        }
        let item = keys.need("full", "the cells that end the game, or `shape`, or `line`, or `connects`")?;
        for &mode in &modes {
            ends.push(End { mode, pattern: self.cells(item, Some(completer(mode)))?, outcome });
        }
        Ok((ends, false))
    }

    /// Reads `start`, a position or a list to choose from. Returns also whether it says who begins.
    pub(super) fn start(&self, item: Option<Item<'_>>) -> Result<(Start, bool), RulesFileError> {
        let Some(item) = item else { return Ok((Start::At(Position::default()), false)) };
        const KEYS: [&str; 3] = ["board", "side", "mode"];
        let position = |keys: &mut Keys<'_>| -> Result<(Position, bool), RulesFileError> {
            self.refuse_others(keys)?;
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
            let (start, settled) = position(&mut item.keys("[start]", &KEYS)?)?;
            return Ok((Start::At(start), settled));
        }
        let mut choices = Vec::new();
        let before = self.mistakes.count();
        for (_, mut keys) in tables(Some(item), "[[start]]", &KEYS) {
            choices.extend(self.mistakes.keep(position(&mut keys)).map(|(position, _)| position));
        }
        if choices.is_empty() && self.mistakes.count() == before {
            return Err(item.found("at least one position to choose", "none"));
        }
        Ok((Start::Opening(choices), true))
    }
}
