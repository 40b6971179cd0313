//! Warnings about a rules file (moves that can never be made, shapes that fit nowhere, sides without a move), and an
//! example of each `[[move]]` on the board.

use std::collections::HashSet;

use super::moves::MoveTable;
use super::squares::Squares;
use super::{FileGame, FilePlace, Turns};
use crate::rules::{Board, Mode, Move, Rules};

/// The largest number of examples. A file may list its moves one by one.
const MOST_EXAMPLES: usize = 64;

/// The largest number of warnings about lines.
const MOST_WARNINGS: usize = 10;

/// A `[[move]]` of the file, with one of its moves on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveExample {
    /// The place where the `[[move]]` begins.
    pub place: FilePlace,
    /// The number of different moves that the `[[move]]` makes.
    pub moves: usize,
    /// The mode of the example, if there are sides or modes.
    pub mode: Option<String>,
    /// A drawing of the example; `None` if the `[[move]]` makes no move. Brackets mark the squares that the move fills.
    /// A piece marks a square that must be filled, `o` a square that must be free and stays free, and [`TAKEN`](Self::TAKEN) a
    /// piece that the move takes. A pass without conditions is the word `pass`.
    pub drawing: Option<String>,
}

impl MoveExample {
    /// The sign of a piece of the other side that a move takes.
    pub const TAKEN: char = '!';
}

/// The warnings and examples that reading a file collects.
#[derive(Clone, Debug, Default)]
pub(super) struct Advice {
    /// For each `[[move]]`: its place, its number of moves, and one of them.
    tables: Vec<(FilePlace, usize, Option<Move>)>,
    /// The warnings, in order of lines.
    pub(super) warnings: Vec<String>,
}

impl Advice {
    /// `sides` are the names of the sides, or empty.
    pub(super) fn of(
        rules: &Rules,
        turns: &Turns,
        sides: &[String; 2],
        tables: &[MoveTable],
        idle_ends: &[FilePlace],
    ) -> Self {
        let possible = Possible::of(rules);
        let mut warnings = Vec::new();
        let places: Vec<FilePlace> = tables.iter().map(|table| table.place).chain(idle_ends.iter().copied()).collect();
        for table in tables {
            let (place, at) = (table.place, table.place.among(&places));
            let moves: Vec<Move> = table.moves.iter().flat_map(|m| rules.each_line(m)).collect();
            if moves.is_empty() {
                warnings.push((place, format!("{at}: this [[move]] fits nowhere on the board")));
            } else if !moves.iter().any(|m| possible.admits(m)) {
                warnings.push((
                    place,
                    format!("{at}: no move of this [[move]] can ever be made: {}", possible.why(&moves)),
                ));
            }
        }
        let idle =
            |&place: &FilePlace| (place, format!("{}: this [[end]] fits nowhere on the board", place.among(&places)));
        warnings.extend(idle_ends.iter().map(idle));
        warnings.sort();
        let more = warnings.len().saturating_sub(MOST_WARNINGS);
        let mut warnings: Vec<String> = warnings.into_iter().take(MOST_WARNINGS).map(|(_, warning)| warning).collect();
        if more > 0 {
            warnings.push(format!("{more} more lines have such warnings"));
        }
        let can_move = |mode: Mode| possible_moves(rules).any(|m| m.mode == mode && possible.admits(&m));
        if rules.moves().is_empty() {
            warnings.push("there is no move at all".into());
        } else if matches!(turns, Turns::Sides) {
            let idle = (0..).map(Mode).zip(rules.modes()).filter(|(mode, _)| !can_move(*mode));
            warnings.extend(idle.map(|(_, side)| format!("{side} can never move")));
        } else if let Turns::Hand(hand) = turns {
            let is_idle = |side: &u16| !hand.of_side(Some(*side)).any(|(mode, _)| can_move(mode));
            warnings.extend(
                [0, 1]
                    .iter()
                    .filter(|side| is_idle(side))
                    .map(|&side| format!("{} can never move", sides[usize::from(side)])),
            );
        }
        let example = |table: &MoveTable| {
            let size = |m: &Move| (possible.admits(m), (m.fills | m.empty | m.full).count());
            // The first of the largest moves. At an edge of the board a move may have lost some of its squares.
            let best = table.moves.iter().rev().flat_map(|m| rules.each_line(m)).max_by_key(size);
            // Some moves lie in two orientations, such as a move on one square.
            let different: HashSet<&Move> = table.moves.iter().collect();
            (table.place, different.len(), best)
        };
        Self { tables: tables.iter().take(MOST_EXAMPLES).map(example).collect(), warnings }
    }

    /// The examples, drawn.
    pub(super) fn examples(&self, game: &FileGame) -> Vec<MoveExample> {
        let example = |&(place, moves, ref example): &(FilePlace, usize, Option<Move>)| MoveExample {
            place,
            moves,
            mode: example.and_then(|m| game.rules.mode_name(m.mode).map(str::to_owned)),
            drawing: example.map(|m| draw(&game.squares, &m)),
        };
        self.tables.iter().map(example).collect()
    }
}

/// All moves, each with one of its lines if it turns over lines.
fn possible_moves(rules: &Rules) -> impl Iterator<Item = Move> + '_ {
    rules.moves().iter().flat_map(|m| rules.each_line(m))
}

/// Returns whether `m` takes a piece of the other side at `square`: the piece leaves, and the move does not turn it over.
fn is_taken(squares: &Squares, m: &Move, square: usize) -> bool {
    let of_moved = |colour: &u32| !squares.of_colour(*colour).is_disjoint(m.fills);
    let leaves = |cells: Board| !cells.is_disjoint(m.clears);
    let mut moved = (0..squares.colours()).filter(of_moved);
    let (Some(own), None) = (moved.next(), moved.next()) else { return false };
    let is_arrived = !squares.cells_of(square).unwrap_or_default().is_disjoint(m.fills);
    let other = (0..squares.colours()).filter(|&colour| colour != own);
    other.filter_map(|colour| squares.cell(square, colour)).any(leaves)
        && (!is_arrived || leaves(squares.of_colour(own)))
}

/// Draws the board with the squares of `m`.
pub(super) fn draw(squares: &Squares, m: &Move) -> String {
    if (m.fills | m.clears | m.empty | m.full).is_empty() {
        return "pass".into();
    }
    let cells = |square| squares.cells_of(square).unwrap_or(Board::EMPTY);
    let is_filled = |square| !cells(square).is_disjoint(m.fills);
    let mark = |square| match cells(square) {
        _ if is_taken(squares, m, square) => MoveExample::TAKEN,
        _ if is_filled(square) => squares.mark(square, m.fills),
        cells if !cells.is_disjoint(m.full) => squares.mark(square, m.full),
        cells if !cells.is_empty() && m.empty.contains(cells) => 'o',
        _ => '.',
    };
    squares.draw(mark, is_filled)
}

/// Bounds on the cells that play can fill or leave filled, found from the masks of the moves alone.
struct Possible {
    /// The cells that may be filled.
    filled: Board,
    /// The cells that are filled from the start.
    always: Board,
}

impl Possible {
    fn of(rules: &Rules) -> Self {
        let starts: Vec<Board> = rules.start_positions().iter().map(|position| position.board).collect();
        let emptied = possible_moves(rules).fold(Board::EMPTY, |all, m| all | m.clears);
        let always = starts.iter().copied().reduce(|a, b| a & b).unwrap_or_default() & !emptied;
        let mut possible = Self { filled: starts.into_iter().fold(Board::EMPTY, |a, b| a | b), always };
        // Each round but the last fills another cell.
        loop {
            let admitted = possible_moves(rules).filter(|m| possible.admits(m));
            let filled = admitted.fold(possible.filled, |all, m| all | m.fills);
            if filled == possible.filled {
                return possible;
            }
            possible.filled = filled;
        }
    }

    fn admits(&self, m: &Move) -> bool {
        self.filled.contains(m.full) && self.always.is_disjoint(m.empty)
    }

    /// The reason why none of `moves` can be made.
    fn why(&self, moves: &[Move]) -> &'static str {
        if moves.iter().all(|m| !self.always.is_disjoint(m.empty)) {
            "it needs a square to be free that is filled from the start"
        } else {
            "it needs a square to be filled that nothing fills"
        }
    }
}
