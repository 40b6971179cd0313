//! The `[[move]]` tables of a rules file, drawn in one of several forms or given cell by cell.

use std::collections::HashSet;

use super::amounts::{self, Fits};
use super::area;
use super::each::{self, EachTable};
use super::ends;
use super::error::Read;
use super::expression;
use super::form::{self, MoveForm};
use super::groups;
use super::hand;
use super::liberties;
use super::modes;
use super::names;
use super::placement::{Pieces, Placement, split};
use super::range;
use super::reader::{MOST_MOVES, RulesReader};
use super::resting::Resting;
use super::source::{Item, Keys, tables};
use super::stamp;
use super::take;
use super::turns::{ModeStep, Turns};
use super::{FilePlace, RulesFileError};
use crate::rules::{Board, MAX_CELLS, Mode, Move, Terminal};

/// The keys of `[[move]]`.
pub(super) const KEYS: [&[&str]; 6] = [&OWN_KEYS, &form::KEYS, &stamp::KEYS, &area::KEYS, &modes::KEYS, &amounts::KEYS];
const OWN_KEYS: [&str; 12] = [
    "each",
    "pass",
    "gains",
    "otherwise",
    "completes",
    "spares",
    "rests_on",
    "liberties",
    "clears",
    "fills",
    "empty",
    "full",
];

/// The moves of one `[[move]]` table.
pub(super) struct MoveTable {
    /// The place where the table begins.
    pub(super) place: FilePlace,
    /// The moves of the table, including duplicates of moves in other tables.
    pub(super) moves: Vec<Move>,
}

/// How a `[[move]]` table gives its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Cell by cell.
    Cells,
    /// As placements.
    Placed,
    /// As placements in an area without squares, such as an empty range: the table is to make no move.
    Nowhere,
}

/// Notes the unknown keys of all groups, moves and ends, in a file whose board cannot be read.
pub(super) fn note_unknown_keys(moves: Option<Item<'_>>, ends: Option<Item<'_>>, groups: Option<Item<'_>>) {
    tables(groups, "[[group]]", &groups::KEYS);
    tables(moves, "[[move]]", &KEYS);
    tables(ends, "[[end]]", &ends::KEYS);
}

impl RulesReader<'_> {
    /// The outcome of a player without a move in each mode; empty if all modes agree.
    pub(super) fn terminals(&self) -> Vec<Terminal> {
        let modes = (0..self.modes.len() as u16).map(Mode);
        let of = |mode: Mode| self.terminals.get(&mode).copied().unwrap_or(self.terminal.into());
        if self.terminals.is_empty() { Vec::new() } else { modes.map(of).collect() }
    }

    /// The points on which lines rest, if lines fall. Moves that fill lines must agree on them.
    pub(super) fn ground(&self) -> Read<Option<Vec<bool>>> {
        let Some((place, first)) = self.grounds.first() else { return Ok(None) };
        let Some(&(other, _)) = self.grounds.iter().find(|(_, ground)| ground != first) else {
            return Ok(first.clone());
        };
        let expected = format!(
            "`rests_on` with the same points in each [[move]] that fills a line, as in line {}, and no [[move]] that \
             empties a square",
            place.line
        );
        Err(RulesFileError::wrong(other, expected, "another"))
    }

    /// The colour of every cell, if the board has one colour.
    pub(super) fn only_colour(&self) -> Option<u32> {
        (self.squares.colours() == 1).then_some(0)
    }

    /// Reads cells: a board number, a board as rows, or a list of cells by number or name. Squares named without a
    /// colour get `colour`.
    pub(super) fn cells(&self, item: Item<'_>, colour: Option<u32>) -> Read<Board> {
        let cells = self.squares.cells();
        let expected = || format!("cells (a board number, rows of the board, or a list) of the {cells}");
        if item.is_integer() {
            let number = item.as_integer().map(Board::from_word).filter(|&board| Board::full(cells).contains(board));
            return number.ok_or_else(|| item.wrong(expected()));
        }
        if let Some(text) = item.as_text() {
            return self.squares.read_board(text).map_err(|e| item.found(e.expected, e.found));
        }
        item.list(&expected())?.into_iter().map(|item| self.cell(item, colour)).collect()
    }

    /// Reads a cell: its number, or the name of its square. If the board has two colours and `colour` is `None`, the
    /// mark of the colour and a colon must come before the name.
    fn cell(&self, item: Item<'_>, colour: Option<u32>) -> Read<Board> {
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
        let (mark, name) = match item.as_text().and_then(|text| text.split_once(':')) {
            Some((mark, name)) => (Some(mark), name),
            None => (None, item.text(&expected())?),
        };
        let name = expression::filled_in(name, &self.values, !squares.is_graph())
            .map_err(|fault| item.found(expected(), format!("{}: {fault}", item.described())))?;
        let square = squares.called(&name).ok_or_else(|| match mark {
            None => item.wrong(squares.expected_name()),
            Some(_) => item.wrong(format!("{} after the colon", squares.expected_name())),
        })?;
        let colour = match mark {
            Some(mark) => squares.marks.iter().position(|c| mark == c.to_string()).map(|colour| colour as u32),
            None => colour,
        };
        let with_colour = || {
            let named: Vec<String> = squares.marks.iter().map(|mark| format!("\"{mark}:{name}\"")).collect();
            item.wrong(format!("a cell with its colour, {},", named.join(" or ")))
        };
        squares.cell(square, colour.ok_or_else(with_colour)?).ok_or_else(|| item.wrong(expected()))
    }

    /// Reads every `[[move]]`. If there are sides, the moves of the first side come before the moves of the second.
    pub(super) fn moves(&mut self, item: Option<Item<'_>>) -> (Vec<Move>, Vec<MoveTable>) {
        let (mut moves, mut read) = (Vec::new(), Vec::<MoveTable>::new());
        // Equal placements become one move. Moves given cell by cell are kept as given.
        let mut seen = HashSet::new();
        let of_file = self.values.clone();
        for EachTable { table, mut keys, values } in each::tables(item, "[[move]]", &KEYS, &of_file, &mut self.budget) {
            self.values.clone_from(values.as_ref().unwrap_or(&of_file));
            let before = self.grounds.len();
            let Some((list, given)) = self.mistakes.keep(self.moves_of(table, &mut keys)) else {
                if self.budget.is_spent() || self.mistakes.are_enough() {
                    break;
                }
                continue;
            };
            keys.finish();
            if self.squares.between().is_some() && list.iter().any(|m| !m.fills.is_empty()) {
                self.grounds.resize(before + 1, (table.place(), None));
            }
            if self.squares.between().is_some() && list.iter().any(|m| !m.clears.is_empty()) {
                self.grounds.push((table.place(), None));
            }
            moves.extend(list.iter().copied().filter(|m| given == Given::Cells || seen.insert(*m)));
            match read.last_mut().filter(|before| before.place == table.place()) {
                _ if given == Given::Nowhere => {}
                Some(before) => before.moves.extend(list),
                None => read.push(MoveTable { place: table.place(), moves: list }),
            }
            if moves.len() > MOST_MOVES {
                self.mistakes.note(table.found(format!("at most {MOST_MOVES} moves in all"), "more"));
                break;
            }
        }
        self.values = of_file;
        // Moves of any table must leave the heaps of all tables without gaps.
        if !self.heaps.is_empty() {
            let gaps = |table: &MoveTable| table.moves.iter().any(|m| !take::keeps_heaps(self.squares, &self.heaps, m));
            let expected =
                "moves that leave the free squares of each heap on the left of its filled squares, beside `take`";
            for table in read.iter().filter(|table| gaps(table)) {
                self.mistakes.note(RulesFileError::wrong(table.place, expected, "a [[move]] that may leave a gap"));
            }
        }
        match self.turns {
            Turns::Sides => moves.sort_by_key(|m| m.mode),
            Turns::Swap(swap) => moves.push(swap.exchange()),
            _ => {}
        }
        (moves, read)
    }

    /// The moves of one table, and how it gives them.
    fn moves_of(&mut self, table: Item<'_>, keys: &mut Keys<'_>) -> Read<(Vec<Move>, Given)> {
        let from_hand = hand::take_from_hand(keys);
        if let Some(item) = from_hand.filter(|_| !matches!(self.turns, Turns::Hand(_))) {
            return Err(item.found("`hand` of the file", "none"));
        }
        let (ways, is_again) = self.take_ways(keys, from_hand.is_some())?;
        let has_hand = matches!(self.turns, Turns::Hand(_));
        let amounts = self.take_amounts(keys, has_hand.then_some(from_hand.is_some()))?;
        let way = |way: ModeStep| {
            let fits = if let ModeStep::Between(mode, _) = way { self.fits(&amounts, mode) } else { Fits::Always };
            (fits != Fits::Never).then_some((way, fits))
        };
        let had_ways = !ways.is_empty();
        let ways: Vec<(ModeStep, Fits)> = ways.into_iter().filter_map(way).collect();
        // Whether conditions rule out moves, such as jumps that a parameter forbids. A table all of whose moves they
        // rule out is right.
        let mut rules_out = had_ways && ways.is_empty();
        let otherwise = keys.take("otherwise").map_or(Ok(false), |item| item.flag())?;
        let gain = self.take_gains(keys)?;
        // Where there are modes, they say whether the same player moves again.
        let again = is_again && matches!(self.turns, Turns::Impartial);
        let (completes, spares) = (keys.take("completes"), keys.take("spares"));
        let liberties = keys.take("liberties");
        let keeps_liberties = liberties.map_or(Ok(false), |item| item.flag())?;
        let resting = keys.take("rests_on");
        let rests_on = resting;
        let resting = resting.map(|item| Resting::read(item, self.squares, &self.values)).transpose()?;
        if let (Some(resting), Some(item)) = (&resting, rests_on) {
            self.grounds.push((item.place(), Some(resting.ground.clone())));
        }
        let Some(form) = MoveForm::take(keys, self.setup())? else {
            // The key that seems to be missing may be a misspelt key, which has already been reported.
            let gives_cells = ["fills", "clears", "pass"].into_iter().any(|key| keys.has(key));
            if keys.has_unknown() && !gives_cells {
                return Ok((Vec::new(), Given::Cells));
            }
            if let Some(item) = completes.or(spares).or(liberties) {
                return Err(item.found("a `shape`, `line` or `slide` in the same table", "none"));
            }
            let mask = self.raw(table, keys)?;
            let mut moves = Vec::new();
            for (way, fits) in ways {
                let ModeStep::Between(mode, next) = way else {
                    return Err(table.found("modes without letters for a move given cell by cell", "letters"));
                };
                moves.extend(self.finished(
                    Move { mode, next, otherwise, gain, again, ..mask },
                    fits,
                    from_hand,
                    table,
                )?);
                self.steps.insert((mode, next, is_again));
            }
            return Ok((moves, if rules_out { Given::Nowhere } else { Given::Cells }));
        };
        self.heaps.extend(form.heaps(self.squares));
        let is_pattern = matches!(form, MoveForm::Pattern(..));
        if let Some(item) = completes.or(spares).filter(|_| self.groups.all().is_empty() || !is_pattern) {
            let found = if is_pattern { "no [[group]]" } else { "another form of move" };
            return Err(item.found("[[group]] tables, and a `shape`, `line` or `slide`", found));
        }
        let spared = match spares {
            Some(item) => Some((item.number(&self.values, 1..=MAX_CELLS)?, item.place())),
            None => None,
        };
        let mut moves = Vec::new();
        for (way, fits) in ways {
            let colour = match &way {
                ModeStep::Between(mode, _) => self.colour(*mode),
                // All modes with names of this form belong to the same side.
                ModeStep::Named(from, _) => {
                    let name = names::with_square(from, self.squares, self.squares.all()[0]);
                    self.colour(self.called(&name).ok_or_else(|| self.no_mode(table, Some(&name)))?)
                }
            };
            let mover = Pieces { squares: self.squares, colour };
            let mut placements = form.placements(mover, &mut self.lines, &mut self.budget)?;
            table.ensure(placements.len() <= MOST_MOVES, format!("at most {MOST_MOVES} moves in all"), "more")?;
            if let Some(resting) = &resting {
                placements = split(placements, |placement| resting.moves(placement, &mut self.budget))?;
            }
            if let Some(item) = liberties.filter(|_| keeps_liberties) {
                item.ensure(self.squares.colours() == 2, "a [board] with `colours`", "none")?;
                placements = split(placements, |placement| liberties::cases(placement, mover, item, &mut self.budget))?;
            }
            // Groups are filled by lines that fall, too.
            placements = self.with_groups(placements, colour, [completes, spares])?;
            for placement in placements {
                let (mode, next) = match &way {
                    ModeStep::Between(mode, next) => (*mode, *next),
                    ModeStep::Named(from, to) => {
                        (self.placed(from, &placement, table)?, self.placed(to, &placement, table)?)
                    }
                };
                let Placement { empty, full, fills, clears, ends, lines, .. } = placement;
                if !fills.is_disjoint(clears) {
                    return Err(table.found("moves that fill no square that they empty", "one that does"));
                }
                let m = Move { mode, next, empty, full, clears, otherwise, lines, gain, again, ..Move::fill(fills) };
                let Some(m) = self.finished(m, fits, from_hand, table)? else {
                    rules_out = true;
                    continue;
                };
                self.steps.insert((mode, next, is_again));
                if let Some(spared) = spared {
                    let taken = if self.squares.colours() == 2 { 1 - colour } else { 0 };
                    let least = self.spared.entry((mode, taken)).or_insert(spared);
                    *least = spared.min(*least);
                }
                if let Some(ends) = ends {
                    self.pushes.entry(m).or_insert(ends);
                }
                moves.push(m);
            }
            table.ensure(moves.len() <= MOST_MOVES, format!("at most {MOST_MOVES} moves in all"), "more")?;
        }
        let is_nowhere = form.is_nowhere() || rules_out && moves.is_empty();
        Ok((moves, if is_nowhere { Given::Nowhere } else { Given::Placed }))
    }

    /// `m` with its condition and with what it takes; `None` if play can never make it.
    fn finished(&mut self, m: Move, fits: Fits, from_hand: Option<Item<'_>>, table: Item<'_>) -> Read<Option<Move>> {
        if let Some(item) = from_hand {
            let own = self.squares.of_colour(self.colour(m.mode));
            let [more, fewer] = [m.fills & own, m.clears & own].map(Board::count);
            let expected = "a move that brings one piece of the mover onto the board";
            item.ensure(more == fewer + 1, expected, (i64::from(more) - i64::from(fewer)).to_string())?;
        }
        let when = match fits {
            Fits::If(count) if Self::may_meet(&m, &count) => Some(self.condition(count)),
            Fits::If(_) => return Ok(None),
            _ => None,
        };
        if !self.may_have(m.mode, m.full) {
            return Ok(None);
        }
        Ok(Some(Move { when, takes: self.taken(&m, table)?, ..m }))
    }

    /// The moves that replace `placements` under the conditions `completes` and `spares`.
    fn with_groups(
        &mut self,
        mut placements: Vec<Placement>,
        colour: u32,
        [completes, spares]: [Option<Item<'_>>; 2],
    ) -> Read<Vec<Placement>> {
        let of_two = if self.squares.colours() == 2 { [colour, 1 - colour] } else { [0, 0] };
        let [mine, yours] = of_two.map(|colour| Pieces { squares: self.squares, colour });
        if let Some(item) = completes {
            let number = range::bounds(item, &self.values, MAX_CELLS, "a number of groups")?;
            let (groups, budget) = (&self.groups, &mut self.budget);
            placements = split(placements, |placement| groups.completed(placement, &number, mine, item, budget))?;
        }
        if let Some(item) = spares {
            let most = item.number(&self.values, 1..=MAX_CELLS)?;
            let (groups, budget) = (&self.groups, &mut self.budget);
            placements = split(placements, |placement| groups.outside_groups(placement, most, yours, item, budget))?;
        }
        Ok(placements)
    }

    /// A move given cell by cell: the cells that it fills and the cells that it requires. A pass fills none.
    fn raw(&self, table: Item<'_>, keys: &mut Keys<'_>) -> Read<Move> {
        let only = self.only_colour();
        if keys.take("pass").map_or(Ok(false), |item| item.flag())? {
            let [empty, full] = ["empty", "full"].map(|key| keys.take(key));
            let cells = |item: Option<Item<'_>>| item.map_or(Ok(Board::EMPTY), |item| self.cells(item, only));
            return Ok(Move { empty: cells(empty)?, full: cells(full)?, ..Move::fill(Board::EMPTY) });
        }
        let clears = keys.take("clears").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))?;
        let fills = match keys.take("fills") {
            None if !clears.is_empty() => Board::EMPTY,
            None => {
                return Err(keys.missing("`fills`, the cells it fills, or `shape`, `line` or another form of move,"));
            }
            Some(item) => self.cells(item, only)?,
        };
        let empty = keys.take("empty").map_or(Ok(fills), |item| self.cells(item, only))?;
        let full = keys.take("full").map_or(Ok(Board::EMPTY), |item| self.cells(item, only))? | clears;
        table.ensure(fills.is_disjoint(clears), "cells either in `fills` or in `clears`", "some in both")?;
        if fills.is_disjoint(empty) && clears.is_empty() {
            return Err(table.found("a cell of `empty` that is also in `fills`", "none"));
        }
        table.ensure(empty.is_disjoint(full), "cells either `empty` or `full`", "some in both")?;
        Ok(Move { empty, full, clears, ..Move::fill(fills) })
    }
}
