//! Small games for unit tests. The games that users know live in a higher layer.

use super::{Board, Count, CountEnd, End, Mode, Move, Outcome, Position, RulesSpec, Start, Take};

/// A grid of squares, numbered in reading order.
#[derive(Clone, Copy)]
pub struct Grid {
    /// Its rows.
    pub rows: u32,
    /// Its columns.
    pub cols: u32,
}

impl Grid {
    /// How many squares it has.
    pub const fn squares(self) -> u32 {
        self.rows * self.cols
    }

    /// The cell of a square on a board with one cell for each square.
    pub const fn cell(self, row: u32, col: u32) -> Board {
        Board::at(row * self.cols + col, self.squares())
    }

    /// The squares of each straight line of `length` squares, along the given `steps` of rows and columns.
    fn lines(self, length: u32, steps: &[(i32, i32)]) -> Vec<Board> {
        let square = |row: i32, col: i32| -> Option<Board> {
            let (row, col) = (u32::try_from(row).ok()?, u32::try_from(col).ok()?);
            (row < self.rows && col < self.cols).then(|| self.cell(row, col))
        };
        let starts = (0..self.rows as i32).flat_map(|row| (0..self.cols as i32).map(move |col| (row, col)));
        let line = |(row, col), (down, right)| {
            (0..length as i32).map(|at| square(row + at * down, col + at * right)).collect::<Option<Board>>()
        };
        starts.flat_map(|start| steps.iter().filter_map(move |&step| line(start, step))).collect()
    }

    /// The neighbours of a square in its row and its column.
    fn neighbours(self, square: Board) -> Board {
        let dominoes = self.lines(2, &[(0, 1), (1, 0)]).into_iter();
        dominoes.filter(|domino| domino.contains(square)).collect::<Board>() & !square
    }
}

/// The steps to the right, down and along both diagonals.
const ALL_WAYS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

fn two_modes() -> Vec<String> {
    ["first", "second"].map(String::from).to_vec()
}

/// A move fills up to `longest` squares in a row or a column, all of which are empty. A player who cannot move wins.
pub fn runs(grid: Grid, longest: u32) -> RulesSpec {
    let mut fills: Vec<Board> = (1..=longest).flat_map(|length| grid.lines(length, &[(0, 1), (1, 0)])).collect();
    fills.sort_unstable();
    fills.dedup();
    let moves = fills.into_iter().map(Move::fill).collect();
    RulesSpec { moves, terminal: Outcome::Win, ..RulesSpec::new("runs", grid.squares()) }
}

/// A line of play through `points` points, each of which is a mode: a move fills the unused cell of the current point and
/// another point, or of the current point alone, and continues from the other point.
pub fn pairs(points: u32) -> RulesSpec {
    let all: Vec<(u32, u32)> = (0..points).flat_map(|a| (a..points).map(move |b| (a, b))).collect();
    let moves = (0..).zip(&all).flat_map(|(cell, &(a, b))| {
        let from = |from: u32, to: u32| Move {
            mode: Mode(from as u16),
            next: Mode(to as u16),
            ..Move::fill(Board::bit(cell))
        };
        if a == b { vec![from(a, b)] } else { vec![from(a, b), from(b, a)] }
    });
    let moves = moves.collect();
    let start = Start::Opening((0..points as u16).map(|mode| Position::new(Mode(mode), Board::EMPTY)).collect());
    let modes = (0..points).map(|point| point.to_string()).collect();
    RulesSpec { moves, modes, start, ..RulesSpec::new("pairs", all.len() as u32) }
}

/// Two players mark squares in turn, each with a colour. `forbids` names the squares of the player's own colour that a mark on a
/// square excludes.
fn marks(name: &str, grid: Grid, forbids: impl Fn(Board) -> Board) -> RulesSpec {
    let squares = grid.squares();
    let of_colour = |cells: Board, colour: u16| if colour == 0 { cells } else { cells << squares };
    let mark = |square: Board, colour: u16| {
        let fills = of_colour(square, colour);
        let empty = fills | of_colour(square, 1 - colour) | of_colour(forbids(square), colour);
        Move { mode: Mode(colour), next: Mode(1 - colour), empty, ..Move::fill(fills) }
    };
    let moves = (0..squares).flat_map(|bit| [0, 1].map(|colour| mark(Board::bit(bit), colour))).collect();
    RulesSpec { moves, modes: two_modes(), ..RulesSpec::new(name, 2 * squares) }
}

/// Two players mark squares in turn; three marks of one colour in a line win.
pub fn three_in_a_line(grid: Grid) -> RulesSpec {
    let lines = grid.lines(3, &ALL_WAYS);
    let end = |mode: u16, pattern: Board| End {
        mode: Mode(mode),
        pattern,
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    let ends = lines.iter().flat_map(|&line| [end(1, line), end(0, line << grid.squares())]).collect();
    RulesSpec { ends, terminal: Outcome::Draw, ..marks("three-in-a-line", grid, |_| Board::EMPTY) }
}

/// Two players mark squares in turn; no two neighbours have the same colour. A player who cannot move loses.
pub fn map_colouring(grid: Grid) -> RulesSpec {
    marks("map-colouring", grid, |square| grid.neighbours(square))
}

/// Each player has men in an outer row of `grid` and moves one of them to a free neighbouring square. Three men of one colour in a
/// column or on a diagonal win. Positions may repeat.
pub fn men(grid: Grid, men: u32) -> RulesSpec {
    let squares = grid.squares();
    let of_colour = |cells: Board, colour: u16| if colour == 0 { cells } else { cells << squares };
    let step = |from: Board, to: Board, colour: u16| {
        let (own, fills) = (of_colour(from, colour), of_colour(to, colour));
        let empty = fills | of_colour(to, 1 - colour);
        Move { mode: Mode(colour), next: Mode(1 - colour), empty, full: own, clears: own, ..Move::fill(fills) }
    };
    let all = || (0..squares).map(Board::bit);
    let neighbours = |from: Board| grid.neighbours(from).bits().map(Board::bit).collect::<Vec<_>>();
    let steps = all().flat_map(|from| neighbours(from).into_iter().map(move |to| (from, to)));
    let moves = steps.flat_map(|(from, to)| [step(from, to, 0), step(from, to, 1)]).collect();
    let end = |mode: u16, pattern: Board| End {
        mode: Mode(mode),
        pattern,
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    let lines = grid.lines(3, &ALL_WAYS[1..]);
    let ends = lines.iter().flat_map(|&line| [end(1, line), end(0, line << squares)]).collect();
    let row = |row: u32| (0..men).map(|col| grid.cell(row, col)).collect::<Board>();
    let start = Start::At(Position::of(row(0) | of_colour(row(grid.rows - 1), 1)));
    RulesSpec { moves, ends, start, modes: two_modes(), ..RulesSpec::new("men", 2 * squares) }
}

/// A game of mills on the squares of `grid`, where three squares in a row or column are a mill. Each player puts `men` men in turn and then moves
/// one to a free neighbour, or anywhere with three men. A closed mill takes a man of the other player, outside of mills if there is one. With two men
/// or without a move, a player has lost. Positions may repeat.
pub fn mills(grid: Grid, men: u16) -> RulesSpec {
    let squares = grid.squares();
    let of_colour = |cells: Board, colour: u16| if colour == 0 { cells } else { cells << squares };
    let lines = grid.lines(3, &ALL_WAYS[..2]);
    let all = Board::full(squares);
    let take = |to: Board, colour: u16| Take {
        lines: lines.iter().filter(|line| line.contains(to)).map(|&line| of_colour(line, colour)).collect(),
        cells: of_colour(all & !to, 1 - colour),
        guards: lines.iter().map(|&line| of_colour(line, 1 - colour)).collect(),
    };
    let takes: Vec<Take> =
        (0..2 * squares as u16).map(|number| take(Board::bit(u32::from(number) / 2), number % 2)).collect();
    let takes_of = |to: Board, colour: u16| {
        let number = 2 * to.lowest().unwrap_or(0) as u16 + colour;
        (!takes[usize::from(number)].lines.is_empty()).then_some(number)
    };
    let put = |to: Board, colour: u16| {
        let fills = of_colour(to, colour);
        Move { empty: fills | of_colour(to, 1 - colour), takes: takes_of(to, colour), ..Move::fill(fills) }
    };
    let go = |from: Board, to: Board, colour: u16, when: u16| {
        let own = of_colour(from, colour);
        Move { full: own, clears: own, when: Some(when + 2 * colour), ..put(to, colour) }
    };
    let points = || (0..squares).map(Board::bit);
    let few = |colour: u16, least: u8, most: u8| Count { cells: of_colour(all, colour), least, most };
    let most = u8::try_from(squares).unwrap_or(u8::MAX);
    let counts = vec![few(0, 4, most), few(0, 3, 3), few(1, 4, most), few(1, 3, 3)];
    let (first, last) = (2 * men, 2 * men + 1);
    let mut moves = Vec::new();
    for ply in 0..2 * men {
        moves.extend(points().map(|to| Move { mode: Mode(ply), next: Mode(ply + 1), ..put(to, ply % 2) }));
    }
    for (colour, mode, next) in [(0, first, last), (1, last, first)] {
        let to = |m: Move| Move { mode: Mode(mode), next: Mode(next), ..m };
        for from in points() {
            moves.extend(grid.neighbours(from).bits().map(|there| to(go(from, Board::bit(there), colour, 0))));
            moves.extend(points().filter(|there| *there != from).map(|there| to(go(from, there, colour, 1))));
        }
    }
    let count_ends = [(0, first), (1, last)].map(|(colour, mode)| CountEnd {
        mode: Mode(mode),
        count: few(colour, 0, 2),
        outcome: Outcome::Loss,
    });
    let names = (0..2 * men).map(|ply| format!("{}-{ply}", if ply % 2 == 0 { "x" } else { "o" }));
    let modes = names.chain(["x", "o"].map(String::from)).collect();
    let count_ends = count_ends.to_vec();
    RulesSpec { moves, counts, takes, count_ends, modes, ..RulesSpec::new("mills", 2 * squares) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X has three men on a grid of three by three and closes the top row; O has four men, three of them in a mill.
    #[test]
    fn mills_take_and_jump() {
        let rules = mills(Grid { rows: 3, cols: 3 }, 4).build().unwrap();
        let (x, o) = (Board::from_word(0b000_010_011), Board::from_word(0b111_000_000) | Board::bit(5));
        let from = Position::new(Mode(8), x | o << 9);
        let taken: Vec<Board> = rules.moves_from(from).filter(|m| m.fills == Board::bit(2)).map(|m| m.clears).collect();
        // Only the piece from the middle closes the mill, and takes the one man outside of mills. The two others open it.
        assert_eq!(taken, [Board::bit(0), Board::bit(1), Board::bit(4) | Board::bit(14)]);
        // Each of three men jumps to each of two free squares.
        assert_eq!(rules.moves_from(from).count(), 3 * 2);
        let lost = Position::new(Mode(8), Board::from_word(0b11) | o << 9);
        assert_eq!(rules.ended(lost), Some(Outcome::Loss));
    }

    #[test]
    fn pairs_are_connected_both_ways() {
        let moves = pairs(3).moves;
        let from_to: Vec<(u16, u16)> = moves.iter().map(|m| (m.mode.0, m.next.0)).collect();
        let sorted = |mut list: Vec<(u16, u16)>| {
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(from_to), (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).collect::<Vec<_>>());
        let cell = |a, b| moves.iter().find(|m| (m.mode, m.next) == (Mode(a), Mode(b))).map(|m| m.fills);
        assert!(cell(0, 1) == cell(1, 0) && cell(0, 1) != cell(0, 0));
    }
}
