//! The moves, the ends and the start of a rules file, given as patterns or cell by cell.

use std::collections::HashSet;

use super::RulesFileError;
use super::connection;
use super::expression::{self, Values};
use super::pattern::{Budget, Pattern, Placement};
use super::source::{Item, Keys, Mistakes};
use super::squares::Squares;
use crate::rules::{Board, End, MAX_NAME, Mode, Move, Outcome, Player, Position, Start};

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
    /// The side whose turn each mode is, if the file says so.
    pub(super) owners: Vec<u16>,
    /// Moves after which the same player moves again, and their line: from mode to mode.
    pub(super) again: Vec<(Mode, Mode)>,
    pub(super) terminal: Outcome,
    pub(super) budget: Budget,
    pub(super) mistakes: &'a Mistakes,
}

/// The keys of `[[move]]`.
const MOVE_KEYS: [&str; 20] = [
    "shape",
    "slide",
    "again",
    "clears",
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
const END_KEYS: [&str; 16] = [
    "of",
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
pub(super) fn read_turns(file: &mut Keys<'_>) -> Result<(Turns, Vec<String>, Vec<u16>), RulesFileError> {
    let (item, turns, count) = match (file.take("sides"), file.take("modes")) {
        (None, None) => return Ok((Turns::Impartial, vec!["-".into()], Vec::new())),
        (Some(sides), Some(modes)) if modes.is_table() => return owned_modes(sides, modes),
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
    Ok((turns, modes, Vec::new()))
}

/// Reads `modes` as a table that gives each mode the side whose turn it is.
fn owned_modes(sides: Item<'_>, modes: Item<'_>) -> Result<(Turns, Vec<String>, Vec<u16>), RulesFileError> {
    let expected = "the names of the two sides, as in [\"left\", \"right\"],";
    let list = sides.list(expected)?;
    let [first, second] = list[..] else { return Err(sides.wrong(expected)) };
    let sides = [first.text(expected)?, second.text(expected)?];
    let (mut names, mut owners) = (Vec::new(), Vec::new());
    for (name, item) in modes.any_keys("modes")?.rest() {
        let breaks = |c: char| c.is_control() || ",\"".contains(c);
        if name.is_empty() || name.trim().len() != name.len() || name.len() > MAX_NAME || name.contains(breaks) {
            return Err(item.wrong("names of modes without commas, quotes or blanks around them"));
        }
        owners.push(item.word(&sides)? as u16);
        names.push(name.to_owned());
    }
    if !(1..=MOST_MODES).contains(&names.len()) {
        return Err(modes.wrong(format!("1 to {MOST_MODES} modes")));
    }
    Ok((Turns::Modes, names, owners))
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
    fn take_modes(&mut self, keys: &mut Keys<'_>) -> Result<Vec<(Mode, Mode)>, RulesFileError> {
        let again = keys.take("again");
        let is_again = again.map_or(Ok(false), |item| item.flag())?;
        if let (Some(item), true) = (again, !self.owners.is_empty() || matches!(self.turns, Turns::Impartial)) {
            let expected =
                "`again` where the file has `sides`, or `modes` without them: elsewhere the modes say who moves";
            return Err(item.found(expected, item.described()));
        }
        if let Turns::Modes = self.turns {
            self.refuse_others(keys)?;
            let list = |item: Item<'_>| -> Result<Vec<Mode>, RulesFileError> {
                if item.is_list() {
                    item.list("")?.into_iter().map(|item| self.mode(item)).collect()
                } else {
                    Ok(vec![self.mode(item)?])
                }
            };
            let modes = list(keys.need("mode", "one of the modes")?)?;
            let next = keys.need("next", "the mode it leads to")?;
            let nexts = list(next)?;
            if modes.len() != nexts.len() {
                return Err(
                    next.found(format!("as many modes as `mode` has, {},", modes.len()), nexts.len().to_string())
                );
            }
            let pairs: Vec<(Mode, Mode)> = modes.into_iter().zip(nexts).collect();
            if is_again {
                self.again.extend(&pairs);
            }
            return Ok(pairs);
        }
        let from = self.take_mode(keys)?;
        let next = |side: Mode| if is_again { side } else { Mode(1 - side.0) };
        let pairs = match (&self.turns, from) {
            (Turns::Sides, Some(side)) => vec![(side, next(side))],
            (Turns::Sides, None) => [0, 1].map(|side| (Mode(side), next(Mode(side)))).to_vec(),
            _ => return Ok(vec![(Mode(0), Mode(0))]),
        };
        if is_again {
            self.again.extend(&pairs);
        }
        Ok(pairs)
    }

    /// The colour of the stones of whoever moves in `mode`.
    fn colour(&self, mode: Mode) -> u32 {
        u32::from(self.owners.get(usize::from(mode.0)).copied().unwrap_or(mode.0 & 1))
    }

    /// The player of each mode, if a player may move again: a move without `again` hands over to the other player. None if
    /// the players move in turn.
    pub(super) fn players(&self, moves: &[Move]) -> Result<Vec<Player>, String> {
        let player = |side: u16| if side == 0 { Player::First } else { Player::Second };
        if !self.owners.is_empty() {
            return Ok(self.owners.iter().map(|&side| player(side)).collect());
        }
        if self.again.is_empty() {
            return Ok(Vec::new());
        }
        let mut sides: Vec<Option<u16>> = vec![None; self.modes.len()];
        for first in 0..sides.len() {
            sides[first].get_or_insert(0);
            // Each round settles a mode more, or none.
            loop {
                let before = sides.clone();
                for m in moves {
                    let (from, next) = (usize::from(m.mode.0), usize::from(m.next.0));
                    let turns = u16::from(!self.again.contains(&(m.mode, m.next)));
                    match (sides[from], sides[next]) {
                        (Some(side), None) => sides[next] = Some(side ^ turns),
                        (None, Some(side)) => sides[from] = Some(side ^ turns),
                        (Some(side), Some(after)) if side ^ turns != after => {
                            return Err(format!("{} whose player is one or the other", self.modes[next]));
                        }
                        _ => {}
                    }
                }
                if sides == before {
                    break;
                }
            }
        }
        Ok(sides.into_iter().map(|side| player(side.unwrap_or(0))).collect())
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
            if keys.has_unknown() && !keys.has("fills") && !keys.has("clears") {
                return Ok((Vec::new(), false));
            }
            let mask = self.raw(table, keys)?;
            return Ok((modes.into_iter().map(|(mode, next)| Move { mode, next, ..mask }).collect(), false));
        };
        let mut moves = Vec::new();
        for (mode, next) in modes {
            let placements = pattern.placements(self.squares, self.colour(mode), item, &mut self.budget)?;
            let of_mode = |Placement { empty, full, fills, clears }| Move { mode, next, empty, full, fills, clears };
            moves.extend(placements.into_iter().map(of_mode));
        }
        Ok((moves, true))
    }

    /// A move given cell by cell: `fills`, and the cells it requires.
    fn raw(&self, table: Item<'_>, keys: &mut Keys<'_>) -> Result<Move, RulesFileError> {
        let only = self.only_colour();
        let clears = keys.take("clears").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))?;
        let fills = match keys.take("fills") {
            None if !clears.is_empty() => Board::EMPTY,
            None => return Err(keys.missing("`fills`, the cells it fills, or `shape`, or `line`,")),
            Some(item) => self.cells(item, only)?,
        };
        let empty = keys.take("empty").map_or(Ok(fills), |item| self.cells(item, only))?;
        let full = keys.take("full").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))? | clears;
        if !fills.is_disjoint(clears) {
            return Err(table.found("cells either in `fills` or in `clears`", "some in both"));
        }
        if fills.is_disjoint(empty) && clears.is_empty() {
            return Err(table.found("a cell of `empty` that is also in `fills`", "none"));
        }
        if !empty.is_disjoint(full) {
            return Err(table.found("cells either `empty` or `full`", "some in both"));
        }
        Ok(Move { empty, full, clears, ..Move::fill(fills) })
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
        let listed = match (&self.turns, keys.has("mode")) {
            (Turns::Modes, true) => {
                let item = keys.need("mode", "one of the modes")?;
                let items = if item.is_list() { item.list("")? } else { vec![item] };
                Some(items.into_iter().map(|item| self.mode(item)).collect::<Result<Vec<_>, _>>()?)
            }
            _ => None,
        };
        let taken = if listed.is_some() { None } else { self.take_mode(keys)? };
        let modes = match (&self.turns, taken) {
            _ if listed.is_some() => listed.unwrap_or_default(),
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
        let owner = |mode: Mode| u32::from(self.owners.get(usize::from(mode.0)).copied().unwrap_or(mode.0 & 1));
        let of_mover = keys.take("of").map_or(Ok(1), |item| item.word(&["mover", "completer"]))? == 0;
        let pattern_of = |mode: Mode| if of_mover { owner(mode) } else { 1 - owner(mode) };
        let completer = |mode: Mode| if self.squares.colours() == 2 { pattern_of(mode) } else { 0 };
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
                let mover = if self.squares.colours() == 2 { completer(mode) } else { 1 - u32::from(mode.0 & 1) };
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

    /// Reads `filled`: for each colour, by its letter, the region that is filled in it.
    fn filled(&self, item: Item<'_>) -> Result<Board, RulesFileError> {
        let marks = &self.squares.marks;
        let letters: Vec<String> = marks.iter().map(char::to_string).collect();
        let mut board = Board::EMPTY;
        for (letter, region) in item.any_keys("filled")?.rest() {
            let colour = letters.iter().position(|mark| mark == letter);
            let colour =
                colour.ok_or_else(|| region.found(format!("one of the letters {}", letters.join(" ")), letter))?;
            for square in self.squares.choose(region, self.values)? {
                board |= self.squares.cell(square, colour as u32).unwrap_or_default();
            }
        }
        Ok(board)
    }

    /// Reads `start`, a position or a list to choose from. Returns also whether it says who begins.
    pub(super) fn start(&self, item: Option<Item<'_>>) -> Result<(Start, bool), RulesFileError> {
        let Some(item) = item else { return Ok((Start::At(Position::default()), false)) };
        const KEYS: [&str; 4] = ["board", "filled", "side", "mode"];
        let position = |keys: &mut Keys<'_>| -> Result<(Position, bool), RulesFileError> {
            self.refuse_others(keys)?;
            let mode = match self.turns {
                Turns::Impartial => None,
                Turns::Sides => keys.take("side"),
                Turns::Modes => keys.take("mode"),
            };
            let mut board = keys.take("board").map_or(Ok(Board::EMPTY), |item| self.cells(item, self.only_colour()))?;
            if let Some(item) = keys.take("filled") {
                board |= self.filled(item)?;
            }
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
