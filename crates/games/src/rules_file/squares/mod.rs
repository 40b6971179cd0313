//! The board of a rules file: its squares, their names, and their cells in the rules.

mod canvas;
mod drawn_graph;
mod read;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::between::Between;
use super::expression::Values;
use crate::grid::line_of_marks;
use crate::rules::{Board, Move};
use crate::{Grid, NotationError, Scene, Template};

/// The board: squares, hexagons or the vertices of a graph, with or without holes, in one colour or two.
///
/// The index of a square is its number on the drawing board, in reading order. Cells are numbered in reading order,
/// skipping holes. On a board of two colours each square has two cells: all cells of the first colour come first, then
/// all cells of the second.
///
/// ```text
///     a b c
///   1 . # .     0 # 1
///   2 . . .     2 3 4     five cells; in two colours ten: L at c1 is cell 1, R at c1 is cell 6
/// ```
#[derive(Clone, Debug)]
pub(super) struct Squares {
    /// The drawing board. A graph is a single row of vertices.
    pub(super) grid: Grid,
    /// The number of each square when holes are skipped; `None` for a hole.
    ranks: Vec<Option<u32>>,
    /// The squares that are not holes.
    squares: Vec<usize>,
    /// The character of a filled cell, for each colour.
    pub(super) marks: Vec<char>,
    graph: Option<Graph>,
    /// True if each square has six neighbours, as in Hex: also the square below left and the square above right.
    is_hexagonal: bool,
    /// The points that the squares connect, if they are drawn as lines.
    between: Option<Between>,
    /// The square of each name, found on first use.
    names: OnceLock<HashMap<String, usize>>,
    /// The colour of the side that begins, whose pieces X means as well if no colour has that sign; O means the other colour.
    pub(super) begins: usize,
    /// True if squares can be filled in both colours: they are blocked. A piece is then a square filled in exactly one
    /// colour. Otherwise, masks do not test the other colour, which keeps them small.
    pub(super) has_blocks: bool,
    template: Template,
}

/// The rows down and the columns right from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    pub(super) rows: i32,
    pub(super) cols: i32,
}

impl Offset {
    /// The way back.
    pub(super) const fn back(self) -> Self {
        Self { rows: -self.rows, cols: -self.cols }
    }
}

/// The board and the parameters of a file, to which the keys of its tables refer.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) squares: &'a Squares,
    pub(super) values: &'a Values,
}

#[derive(Clone, Debug, Default)]
struct Graph {
    names: Vec<String>,
    neighbours: Vec<Vec<usize>>,
    /// The vertices of each line that the file names, in order. An edge joins each to the next.
    lines: Vec<Vec<usize>>,
    /// The column and the row of each vertex, if the file draws them. Vertices are then in reading order.
    places: Option<Vec<[usize; 2]>>,
}

impl Squares {
    fn new(grid: Grid, is_square: impl Fn(usize) -> bool, marks: Vec<char>) -> Self {
        let squares: Vec<usize> = (0..grid.squares() as usize).filter(|&square| is_square(square)).collect();
        let mut ranks = vec![None; grid.squares() as usize];
        for (rank, &square) in (0..).zip(&squares) {
            ranks[square] = Some(rank);
        }
        let (graph, between, names, template) = (None, None, OnceLock::new(), Template::default());
        let (is_hexagonal, begins, has_blocks) = (false, 0, false);
        Self { grid, ranks, squares, marks, graph, is_hexagonal, between, names, begins, has_blocks, template }
    }

    /// The number of squares that are not holes.
    pub(super) fn count(&self) -> u32 {
        self.squares.len() as u32
    }

    /// The number of cells: one for each square and colour.
    pub(super) fn cells(&self) -> u32 {
        self.count() * self.colours()
    }

    /// The number of colours, 1 or 2.
    pub(super) fn colours(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Returns whether the board is a graph. Then squares are neighbours if an edge joins them, regardless of the
    /// drawing.
    pub(super) const fn is_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// The points that the squares connect, if they are drawn as lines.
    pub(super) const fn between(&self) -> Option<&Between> {
        self.between.as_ref()
    }

    /// The squares in reading order, without the holes.
    pub(super) fn all(&self) -> &[usize] {
        &self.squares
    }

    /// The cell of `square` in `colour`; `None` for a hole.
    pub(super) fn cell(&self, square: usize, colour: u32) -> Option<Board> {
        let rank = self.ranks.get(square).copied().flatten()?;
        Some(Board::at(colour * self.count() + rank, self.cells()))
    }

    /// All cells of `colour`.
    pub(super) fn of_colour(&self, colour: u32) -> Board {
        self.squares.iter().filter_map(|&square| self.cell(square, colour)).collect()
    }

    /// The cells of `square` in all colours; `None` for a hole.
    pub(super) fn cells_of(&self, square: usize) -> Option<Board> {
        (0..self.colours()).map(|colour| self.cell(square, colour)).collect()
    }

    /// The squares of which `board` has a cell.
    pub(super) fn touched(&self, board: Board) -> Vec<usize> {
        let has = |square: &usize| self.cells_of(*square).is_some_and(|cells| !cells.is_disjoint(board));
        self.squares.iter().copied().filter(has).collect()
    }

    /// The number of `square` when holes are skipped; `None` for a hole.
    pub(super) fn place(&self, square: usize) -> Option<usize> {
        self.ranks[square].map(|rank| rank as usize)
    }

    /// The square `rows` below and `cols` to the right of `square`, if the board has that square.
    pub(super) fn beside(&self, square: usize, rows: i32, cols: i32) -> Option<usize> {
        let grid = self.grid;
        let (row, col) = (square as u32 / grid.cols, square as u32 % grid.cols);
        let (row, col) = (row.checked_add_signed(rows)?, col.checked_add_signed(cols)?);
        let other = (row < grid.rows && col < grid.cols).then(|| (row * grid.cols + col) as usize)?;
        self.ranks[other].map(|_| other)
    }

    /// The conditions that `square` has a piece of `colour`: the cells that are filled, and the cells that are empty.
    pub(super) fn piece(&self, square: usize, colour: u32) -> [Board; 2] {
        let other = if self.has_blocks { self.cell(square, 1 - colour) } else { None };
        [self.cell(square, colour).unwrap_or_default(), other.unwrap_or_default()]
    }

    /// The conditions that `square` has no piece of `colour`, of which at least one must hold; see
    /// [`piece`](Self::piece). A blocked square has no piece.
    pub(super) fn no_piece(&self, square: usize, colour: u32) -> Vec<[Board; 2]> {
        let mut conditions = vec![[Board::EMPTY, self.cell(square, colour).unwrap_or_default()]];
        if self.has_blocks {
            conditions.push([self.cells_of(square).unwrap_or_default(), Board::EMPTY]);
        }
        conditions
    }

    /// The cells that must be empty so that no square of `cells`, all of `colour`, is blocked.
    pub(super) fn partners(&self, cells: Board, colour: u32) -> Board {
        match colour {
            _ if !self.has_blocks => Board::EMPTY,
            0 => cells >> self.count(),
            _ => cells << self.count(),
        }
    }

    /// The number of pieces of `colour` on `board`.
    pub(super) fn pieces(&self, board: Board, colour: u32) -> u32 {
        let has_piece = |square: &&usize| {
            let [filled, empty] = self.piece(**square, colour);
            board.contains(filled) && board.is_disjoint(empty)
        };
        self.squares.iter().filter(has_piece).count() as u32
    }

    /// Returns whether some square is filled in both colours on `board`.
    pub(super) fn are_blocked(&self, board: Board) -> bool {
        self.colours() == 2 && !(board >> self.count() & board & Board::full(self.count())).is_empty()
    }

    /// Returns whether `m` can leave a square filled in both colours that it fills in one of them.
    pub(super) fn may_block(&self, m: &Move) -> bool {
        if self.colours() == 1 {
            return false;
        }
        let may_be_filled = !(m.clears | m.empty & !m.fills) & Board::full(self.cells());
        let both = may_be_filled >> self.count() & may_be_filled & Board::full(self.count());
        !(both & (m.fills >> self.count() | m.fills)).is_empty()
    }

    /// The way from `square` to `other`.
    pub(super) const fn step(&self, square: usize, other: usize) -> Offset {
        let cols = self.grid.cols as i32;
        let (from, to) = (square as i32, other as i32);
        Offset { rows: to / cols - from / cols, cols: to % cols - from % cols }
    }

    /// The squares on the way `step` from `square`, up to the end of the board.
    pub(super) fn beyond(&self, square: usize, step: Offset) -> impl Iterator<Item = usize> {
        let next = move |&at: &usize| self.beside(at, step.rows, step.cols);
        std::iter::successors(Some(square), next).skip(1)
    }

    /// The squares that share a side with `square`, or an edge of the graph.
    pub(super) fn neighbours(&self, square: usize) -> Vec<usize> {
        match &self.graph {
            Some(graph) => {
                let neighbours = graph.neighbours[square].iter().copied();
                neighbours.filter(|&neighbour| self.ranks[neighbour].is_some()).collect()
            }
            None => {
                let sides = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, 1), (1, -1)];
                let count = if self.is_hexagonal { 6 } else { 4 };
                sides.into_iter().take(count).filter_map(|(rows, cols)| self.beside(square, rows, cols)).collect()
            }
        }
    }

    /// The rows of `length` vertices that follow each other on a line of the graph, with `first` as their first in
    /// reading order.
    pub(super) fn lines_from(&self, first: usize, length: usize) -> Vec<Vec<usize>> {
        let lines = self.graph.iter().flat_map(|graph| &graph.lines).flat_map(|line| line.windows(length));
        let is_whole = |row: &&[usize]| {
            row.iter().min() == Some(&first)
                && (1..row.len()).all(|at| !row[..at].contains(&row[at]))
                && row.iter().all(|&vertex| self.ranks[vertex].is_some())
        };
        lines.filter(is_whole).map(<[usize]>::to_vec).collect()
    }

    /// The rows of `length` different vertices that follow each other on a line of the graph, either way along the line, from `first`
    /// on.
    pub(super) fn ways_from(&self, first: usize, length: usize) -> Vec<Vec<usize>> {
        let windows = self.graph.iter().flat_map(|graph| &graph.lines).flat_map(|line| line.windows(length));
        let both = windows.flat_map(|row| [row.to_vec(), row.iter().rev().copied().collect()]);
        let is_whole = |row: &Vec<usize>| {
            row[0] == first
                && (1..row.len()).all(|at| !row[..at].contains(&row[at]))
                && row.iter().all(|&vertex| self.ranks[vertex].is_some())
        };
        let mut ways: Vec<Vec<usize>> = Vec::new();
        for way in both.filter(is_whole) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }

    /// The number of vertices in all lines of the graph, with repetitions.
    pub(super) fn size_of_lines(&self) -> usize {
        self.graph.iter().flat_map(|graph| &graph.lines).map(Vec::len).sum()
    }

    /// The vertices of each row of the drawing, without holes, if the file draws the graph.
    fn rows_of_vertices(&self) -> Option<Vec<Vec<usize>>> {
        let places = self.graph.as_ref()?.places.as_ref()?;
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let mut last = None;
        for &vertex in &self.squares {
            if last != Some(places[vertex][1]) {
                rows.push(Vec::new());
                last = Some(places[vertex][1]);
            }
            rows.last_mut()?.push(vertex);
        }
        Some(rows)
    }

    /// The name of `square`.
    pub(super) fn name(&self, square: usize) -> String {
        match &self.graph {
            Some(graph) => graph.names[square].clone(),
            None => Grid::name(square as u32 / self.grid.cols, square as u32 % self.grid.cols),
        }
    }

    /// The square called `name`.
    pub(super) fn called(&self, name: &str) -> Option<usize> {
        let all = || self.squares.iter().map(|&square| (self.name(square), square)).collect();
        self.names.get_or_init(all).get(name).copied()
    }

    /// A description of valid square names, for an error.
    pub(super) fn expected_name(&self) -> String {
        let named = |square: Option<&usize>| square.map_or(String::new(), |&square| self.name(square));
        format!("the name of a square, from {} to {},", named(self.squares.first()), named(self.squares.last()))
    }

    /// The board as rows of characters, separated by slashes, with `#` for a hole.
    pub(super) fn write(&self, board: Board) -> String {
        if let Some(rows) = self.rows_of_vertices() {
            let row = |row: &Vec<usize>| row.iter().map(|&vertex| self.mark(vertex, board)).collect::<String>();
            return rows.iter().map(row).collect::<Vec<_>>().join("/");
        }
        self.grid.rows(|bit| self.character(bit, |square| self.mark(square, board)))
    }

    /// Appends the text of `board` that [`write`](Self::write) returns to `out`.
    pub(super) fn write_to(&self, board: Board, out: &mut Vec<u8>) {
        self.template.write(self.cells(), board, out, |board| self.write(board));
    }

    /// The board drawn with `mark` for each square, in brackets if `is_new` is true for the square.
    pub(super) fn draw(&self, mark: impl Fn(usize) -> char, is_new: impl Fn(usize) -> bool) -> String {
        if let Some(places) = self.graph.as_ref().and_then(|graph| graph.places.as_ref()) {
            return self.draw_graph(places, mark, is_new);
        }
        let Some(graph) = &self.graph else {
            return self.grid.draw_new(|bit| self.character(bit, &mark), |bit| is_new(self.square_of(bit)));
        };
        let names: Vec<(usize, &String)> =
            graph.names.iter().enumerate().filter(|(square, _)| self.ranks[*square].is_some()).collect();
        let marks = names.iter().map(|&(square, name)| (mark(square), name.chars().count(), is_new(square)));
        let head: String = names.iter().map(|(_, name)| format!(" {name}")).collect();
        format!("{head}\n{}", line_of_marks(marks))
    }

    /// The layout of the squares for drawing.
    pub(super) fn scene(&self) -> Scene {
        let cells = |square| -> Vec<Board> { (0..self.colours()).filter_map(|c| self.cell(square, c)).collect() };
        if let Some(Between { points, ends, places }) = &self.between {
            let edges = self.squares.iter().map(|&square| (self.name(square), cells(square))).collect();
            return Scene::edges(points, places.as_deref(), ends, edges, self.marks.clone());
        }
        let Some(graph) = &self.graph else {
            let squares = Scene::grid(self.grid, self.marks.clone(), |square| {
                self.ranks[square].is_some().then(|| cells(square))
            });
            return if self.is_hexagonal { squares.hexagons() } else { squares };
        };
        let vertices = self.squares.iter().map(|&vertex| (graph.names[vertex].clone(), cells(vertex))).collect();
        let edges = self.squares.iter().flat_map(|&vertex| {
            let joined = self.neighbours(vertex).into_iter().filter(move |&other| vertex < other);
            joined.filter_map(move |other| Some([self.place(vertex)?, self.place(other)?]))
        });
        let edges = edges.collect();
        let places = graph.places.as_ref().map(|places| {
            self.squares.iter().map(|&vertex| places[vertex].map(|part| part as f64)).collect::<Vec<_>>()
        });
        Scene::vertices(vertices, places.as_deref(), edges, self.marks.clone())
    }

    /// Returns whether each square lies between two dots: the board has a dot in every second row and column, and areas
    /// between the dots.
    pub(super) fn are_between_dots(&self) -> bool {
        let Grid { rows, cols } = self.grid;
        let is_between = |square: &usize| (*square as u32 / cols + *square as u32 % cols) % 2 == 1;
        !self.is_graph() && rows % 2 == 1 && cols % 2 == 1 && self.squares.iter().all(is_between)
    }

    /// The squares as lines between dots, around `areas`, each given by its squares.
    pub(super) fn between_dots(&self, areas: &[Vec<usize>]) -> Scene {
        let cells = |square| -> Vec<Board> { (0..self.colours()).filter_map(|c| self.cell(square, c)).collect() };
        let lines = self.squares.iter().map(|&square| (square, cells(square))).collect();
        let places = |area: &Vec<usize>| area.iter().filter_map(|&square| self.place(square)).collect();
        let areas = areas.iter().map(places).collect();
        Scene::between_dots(self.grid, self.marks.clone(), lines, areas)
    }

    /// The character of `square` on `board`.
    pub(super) fn mark(&self, square: usize, board: Board) -> char {
        let filled = |colour| self.cell(square, colour).is_some_and(|cell| board.contains(cell));
        match (filled(0), self.colours() == 2 && filled(1)) {
            (false, false) => '.',
            (true, false) => self.marks[0],
            (false, true) => self.marks[1],
            (true, true) => BOTH,
        }
    }

    fn character(&self, bit: Board, mark: impl Fn(usize) -> char) -> char {
        let square = self.square_of(bit);
        if self.ranks[square].is_some() { mark(square) } else { '#' }
    }

    /// The square that is `bit` in the numbering of the grid, which starts at the most significant bit.
    fn square_of(&self, bit: Board) -> usize {
        let number = bit.lowest().unwrap_or_else(|| unreachable!("every square has a bit"));
        (self.grid.squares() - 1 - number) as usize
    }

    /// Reads a board: rows of characters, or a board number.
    pub(super) fn read_board(&self, text: &str) -> Result<Board, NotationError> {
        let written = self.template.read(self.cells(), text, |board| self.write(board));
        written.map_or_else(|| self.read_any(text), Ok)
    }

    /// Reads a board in any form.
    fn read_any(&self, text: &str) -> Result<Board, NotationError> {
        let marks: Vec<String> = self.marks.iter().map(char::to_string).collect();
        let hole = if self.squares.len() < self.ranks.len() { ", # for a hole" } else { "" };
        let legend = format!("{} (filled) or one of . _ - 0 (free){hole}", marks.join(" or "));
        let has_usual = self.marks.iter().any(|mark| matches!(mark, 'X' | 'x' | 'O' | 'o'));
        let usual = |character: char| match character {
            'X' | 'x' if !has_usual && self.colours() == 2 => Some(self.begins),
            'O' | 'o' if !has_usual && self.colours() == 2 => Some(1 - self.begins),
            _ => None,
        };
        let marked = |character: char| self.marks.iter().position(|mark| mark.eq_ignore_ascii_case(&character));
        let colour = |character: char| marked(character).or_else(|| usual(character));
        let is_free = |character| matches!(character, '.' | '_' | '-' | '0');
        let rows = || {
            let mut board = Board::EMPTY;
            if let Some(rows) = self.rows_of_vertices() {
                return self.read_vertices(text, &rows, &legend, colour, is_free);
            }
            self.grid.read_rows(text, &legend, |bit, character| {
                let square = self.square_of(bit);
                let Some(both) = self.cells_of(square) else { return character == '#' };
                let cells = match colour(character) {
                    Some(colour) => self.cell(square, colour as u32),
                    None if character == BOTH && self.colours() == 2 => Some(both),
                    None => None,
                };
                board |= cells.unwrap_or(Board::EMPTY);
                cells.is_some() || is_free(character)
            })?;
            Ok(board)
        };
        // A number has one digit per cell, and none for holes.
        let is_mark = |character| marked(character).is_some() || is_free(character);
        self.grid.read_rows_or_number(text, self.cells(), is_mark, rows)
    }
}

/// The character of a square that is filled in both colours. A dense table has such boards, even if they are
/// unreachable.
const BOTH: char = '*';

/// The lines of a drawing without blanks, and without empty lines at the beginning and the end.
pub(super) fn lines_of(text: &str) -> Vec<Vec<char>> {
    let line = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>();
    let mut lines: Vec<Vec<char>> = text.lines().map(line).collect();
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    let empty = lines.iter().take_while(|line| line.is_empty()).count();
    lines.split_off(empty)
}

#[cfg(test)]
mod tests {
    use crate::template::tests::boards;
    use crate::{LIBRARY, Parameters};

    #[test]
    fn texts_as_they_are_written_are_read_as_in_any_other_form() {
        for game in LIBRARY {
            let squares = game.read(&Parameters::new()).unwrap().squares;
            let cells = squares.cells();
            for board in boards(cells) {
                let text = squares.write(board);
                assert_eq!(squares.template.read(cells, &text, |board| squares.write(board)), Some(board), "{text}");
                assert_eq!(squares.read_any(&text), Ok(board), "{text}");
            }
        }
    }
}
