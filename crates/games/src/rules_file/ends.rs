//! The `[[end]]` tables of a rules file: terminal patterns, and the outcome of a player without a move.
//!
//! `of` names the owner of the pattern: the completer, who is not to move, or the mover. `side` restricts the owner to
//! one side. Together they decide in which modes the pattern counts and in which colour:
//!
//! | | `of = "completer"` | `of = "mover"` |
//! |---|---|---|
//! | no `side` | either side to move, pieces of the other side | either side to move, its own pieces |
//! | `side = "x"` | the other side to move, pieces of x | x to move, pieces of x |

use std::collections::{BTreeMap, HashSet, btree_map::Entry};

use super::FilePlace;
use super::amounts::{self, Amounts, Fits};
use super::area;
use super::connection::{self, Set, has};
use super::each::{self, EachTable};
use super::end_examples::{EndKind, EndTable};
use super::error::Read;
use super::pattern::Pattern;
use super::placement::Pieces;
use super::points::Given;
use super::reader::{MOST_ENDS, RulesReader};
use super::source::{Item, Keys};
use super::squares::Setup;
use super::stamp;
use super::surrounded;
use super::turns::Turns;
use crate::rules::{Board, Count, CountEnd, End, MAX_COUNTS, Mode, Outcome, Terminal};

/// The keys of `[[end]]`.
pub(super) const KEYS: [&[&str]; 4] = [&OWN_KEYS, &stamp::KEYS, &area::KEYS, &amounts::KEYS];
const OWN_KEYS: [&str; 12] = [
    "each",
    "points",
    "surrounded",
    "of",
    "stuck",
    "connects",
    "exactly",
    "full",
    "completer",
    "outcome",
    "side",
    "mode",
];

const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// The ends of one table.
enum Ends {
    /// Placements of a pattern. Some may be the same.
    Placed(Vec<End>),
    /// The squares that the file lists, for each mode.
    Listed(Vec<End>),
    /// A player without a move, with the outcome in the first mode.
    Stuck(Option<Terminal>),
    /// A number of pieces.
    Number(Outcome),
}

impl RulesReader<'_> {
    /// Reads every `[[end]]`. Also returns what each table says, in the order of the file.
    pub(super) fn ends(&mut self, item: Option<Item<'_>>) -> (Vec<End>, Vec<EndTable>) {
        let mut ends = Vec::new();
        let mut seen = HashSet::new();
        // `each` may give a table an area without squares.
        let mut of_tables: BTreeMap<FilePlace, EndTable> = BTreeMap::new();
        let of_file = self.values.clone();
        for EachTable { table, mut keys, values } in each::tables(item, "[[end]]", &KEYS, &of_file, &mut self.budget) {
            self.values.clone_from(values.as_ref().unwrap_or(&of_file));
            let Some(found) = self.mistakes.keep(self.ends_of(table.place(), &mut keys)) else {
                if self.budget.is_spent() || self.mistakes.are_enough() {
                    break;
                }
                continue;
            };
            keys.finish();
            let (is_placed, list, kind) = match found {
                Ends::Placed(list) => (true, list, None),
                Ends::Listed(list) => (false, list, None),
                Ends::Stuck(terminal) => (false, Vec::new(), Some(EndKind::Stuck(terminal))),
                Ends::Number(outcome) => (false, Vec::new(), Some(EndKind::Number(outcome))),
            };
            list.iter().for_each(|end| self.note_end(table.place(), end.outcome));
            let fits_nowhere = list.is_empty() && kind.is_none();
            // Patterns of more pieces than can be on the board yet are left out.
            let possible = list.into_iter().filter(|end| self.may_have(end.mode, end.pattern));
            let before = ends.len();
            ends.extend(possible.filter(|end| !is_placed || seen.insert(*end)));
            let (patterns, first) = (ends.len() - before, ends.get(before).copied());
            let kind = kind.unwrap_or(EndKind::Pattern(first));
            match of_tables.entry(table.place()) {
                Entry::Vacant(entry) => {
                    entry.insert(EndTable { place: table.place(), patterns, kind, fits_nowhere });
                }
                Entry::Occupied(entry) => entry.into_mut().add(patterns, kind, fits_nowhere),
            }
            if ends.len() > MOST_ENDS {
                self.mistakes.note(table.found(format!("at most {MOST_ENDS} ends in all"), "more"));
                break;
            }
        }
        self.values = of_file;
        (ends, of_tables.into_values().collect())
    }

    /// The ends of one table.
    fn ends_of(&mut self, place: FilePlace, keys: &mut Keys<'_>) -> Read<Ends> {
        let amounts = self.take_amounts(keys, None)?;
        if let Some(item) = amounts.counted() {
            return self.end_by_number(keys, &amounts, item);
        }
        self.patterns_of(place, keys, &amounts)
    }

    /// The end by a number of pieces on the board or in all, which `item` gives.
    fn end_by_number(&mut self, keys: &mut Keys<'_>, amounts: &Amounts<'_>, item: Item<'_>) -> Read<Ends> {
        let modes = self.end_modes(keys, amounts, |side| side)?;
        let outcome = keys.need("outcome", "the outcome for the player to move")?;
        let outcome = OUTCOMES[outcome.word(&["win", "draw", "loss"])?];
        self.note_end(item.place(), outcome.into());
        for mode in modes {
            let count = match self.fits(amounts, mode) {
                Fits::Never => continue,
                Fits::Always => {
                    Count { cells: Board::full(self.squares.cells()), least: 0, most: self.squares.cells() as u8 }
                }
                Fits::If(count) => count,
            };
            self.count_ends.push(CountEnd { mode, count, outcome });
        }
        let count = self.count_ends.len();
        item.ensure(count <= MAX_COUNTS, format!("at most {MAX_COUNTS} ends by numbers in all"), "more")?;
        Ok(Ends::Number(outcome))
    }

    /// The ends of a table with a pattern, or of a player without a move.
    fn patterns_of(&mut self, place: FilePlace, keys: &mut Keys<'_>, amounts: &Amounts<'_>) -> Read<Ends> {
        if keys.take("stuck").map_or(Ok(false), |item| item.flag())? {
            // Here the side is the player who cannot move, and so the side to move.
            let modes = self.end_modes(keys, amounts, |side| side)?;
            let Some(given) = self.take_outcome(keys, true)? else {
                return Err(keys.missing("`outcome` or `points`, of a player without a move,"));
            };
            let first = modes.first().map(|&mode| self.terminal_of(given, mode));
            // The first table for a mode decides, as with patterns.
            for mode in modes {
                let terminal = self.terminal_of(given, mode);
                self.note_end(place, terminal);
                self.terminals.entry(mode).or_insert(terminal);
            }
            return Ok(Ends::Stuck(first));
        }
        let of = keys.take("of");
        if let Some(item) = of.filter(|_| self.squares.colours() == 1) {
            return Err(item.found("a [board] with `colours`", "none"));
        }
        let is_movers = of.map_or(Ok(1), |item| item.word(&["mover", "completer"]))? == 0;
        let modes = self.end_modes(keys, amounts, |side| if is_movers { side } else { Mode(1 - side.0) })?;
        // The colour of the pattern, which is always 0 on a board of one colour.
        let is_one_colour = self.squares.colours() == 1;
        let colour = |reader: &Self, mode: Mode| match reader.colour(mode) {
            _ if is_one_colour => 0,
            mover if is_movers => mover,
            mover => 1 - mover,
        };
        let given = self.take_outcome(keys, false)?.unwrap_or(Given::Fixed(self.terminal.into()));
        // The outcome for the player to move in each mode.
        let outcome = |reader: &Self, mode: Mode| reader.terminal_of(given, mode);
        let mut ends = Vec::new();
        if let Some(item) = keys.take("connects") {
            let setup = Setup { squares: self.squares, values: &self.values };
            let paths = connection::paths(item, setup, MOST_ENDS, &mut self.budget)?;
            for (path, &mode) in paths.iter().flat_map(|path| modes.iter().map(move |mode| (path, mode))) {
                let colour = colour(self, mode);
                let pattern = path.iter().filter_map(|&square| self.squares.cell(square, colour)).collect();
                ends.push(End {
                    mode,
                    pattern,
                    outcome: outcome(self, mode),
                    empty: self.squares.partners(pattern, colour),
                });
            }
            return Ok(Ends::Placed(ends));
        }
        if let Some(item) = keys.take("surrounded") {
            if !item.flag()? || is_one_colour {
                return Err(item.found("true, on a [board] with `colours`", item.described()));
            }
            let groups = surrounded::groups(item, self.squares, MOST_ENDS / modes.len().max(1), &mut self.budget)?;
            for (group, around) in groups {
                for &mode in &modes {
                    let of = colour(self, mode);
                    let cells = |set: Set, colour: u32| -> Board {
                        let squares = self.squares.all().iter().filter(|&&square| has(set, square));
                        squares.filter_map(|&square| self.squares.cell(square, colour)).collect()
                    };
                    // A blocked square is in no group, and is no free neighbour of one.
                    let (pattern, empty) = (cells(group, of), self.squares.partners(cells(group, of), of));
                    let pattern = pattern | cells(around, 1 - of);
                    ends.push(End { mode, pattern, outcome: outcome(self, mode), empty });
                }
            }
            return Ok(Ends::Placed(ends));
        }
        if let Some(pattern) = Pattern::take(keys, self.setup(), true)? {
            let mut by_mode = Vec::new();
            for &mode in &modes {
                let colour = colour(self, mode);
                let pieces = Pieces { squares: self.squares, colour };
                by_mode.push((mode, colour, pattern.placements(pieces, &mut self.budget)?));
            }
            for index in 0..by_mode.first().map_or(0, |(.., placements)| placements.len()) {
                for (mode, colour, placements) in &by_mode {
                    let placement = &placements[index];
                    let [full, empty] = placement.around(self.squares);
                    let empty = self.squares.partners(placement.fills, *colour) | empty;
                    let pattern = placement.fills | full;
                    ends.push(End { mode: *mode, pattern, outcome: outcome(self, *mode), empty });
                }
            }
            return Ok(Ends::Placed(ends));
        }
        if keys.has_unknown() && !keys.has("full") {
            return Ok(Ends::Placed(ends));
        }
        let item = keys.need("full", "the cells that end the game, or `shape`, `line`, `connects` or `surrounded`")?;
        for &mode in &modes {
            let pattern = self.cells(item, Some(colour(self, mode)))?;
            ends.push(End { mode, pattern, outcome: outcome(self, mode), empty: Board::EMPTY });
        }
        Ok(Ends::Listed(ends))
    }

    /// The modes in which an end counts. `to_move` maps the side that the key `side` names to the side to move.
    fn end_modes(&self, keys: &mut Keys<'_>, amounts: &Amounts<'_>, to_move: impl Fn(Mode) -> Mode) -> Read<Vec<Mode>> {
        match &self.turns {
            Turns::Modes => self.listed_modes(keys.need("mode", "one of the modes")?),
            Turns::Impartial => self.take_side(keys).map(|_| vec![Mode(0)]),
            Turns::Hand(hand) => {
                self.refuse_others(keys)?;
                let side = keys.take("side").map(|item| self.side(item)).transpose()?;
                let side = side.map(|side| to_move(Mode(side)).0);
                let modes = hand.of_side(side).map(|(mode, _)| mode);
                Ok(modes.filter(|&mode| self.fits(amounts, mode) != Fits::Never).collect())
            }
            Turns::Swap(swap) => {
                self.refuse_others(keys)?;
                let side = keys.take("side").map(|item| self.side(item)).transpose()?;
                let side = side.map(|side| to_move(Mode(side)).0);
                Ok(swap.ways(side).into_iter().map(|(mode, _)| mode).collect())
            }
            Turns::Sides => {
                let side = self.take_side(keys)?;
                Ok(side.map_or_else(|| vec![Mode(0), Mode(1)], |side| vec![to_move(side)]))
            }
        }
    }
}
