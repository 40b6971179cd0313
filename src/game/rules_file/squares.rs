//! The board of a rules file: its squares, their names, and their cells in the rules.

use super::RulesFileError;
use super::between::Between;
use super::expression::Values;
use super::source::{Item, Keys};
use crate::game::{Grid, NotationError, Scene};
use crate::rules::{Board, MAX_CELLS};

/// The squares of a board or the vertices of a graph, with or without holes, in one colour or two.
///
/// A square is named by its index on the drawing board, in reading order. Cells are numbered in reading order without the
/// holes. On a board of two colours each square has two cells: first come all cells of the first colour, then all cells of
/// the second.
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
    /// The rank of each square among those that are not holes; `None` for a hole.
    ranks: Vec<Option<u32>>,
    /// The squares that are not holes.
    squares: Vec<usize>,
    /// The character of a filled cell, for each colour.
    pub(super) marks: Vec<char>,
    graph: Option<Graph>,
    /// Whether a square has six neighbours, as in Hex: also those below on the left and above on the right.
    is_hexagonal: bool,
    /// The points between which the squares are drawn as lines.
    between: Option<Between>,
    /// Whether moves block squares by filling them in both colours. Then a stone is a square filled in one and not in the other.
    pub(super) has_blocks: bool,
}

#[derive(Clone, Debug, Default)]
struct Graph {
    names: Vec<String>,
    neighbours: Vec<Vec<usize>>,
}

/// The keys of `[board]`.
const KEYS: [&str; 11] =
    ["rows", "cols", "row", "lengths", "drawn", "edges", "vertices", "holes", "colours", "tiling", "between"];
/// Those that list the squares.
const LISTS: [&str; 6] = ["rows", "cols", "row", "lengths", "drawn", "edges"];

/// The error that the keys `given` do not make one board.
fn wrong_lists(keys: &Keys<'_>, given: &[&str]) -> RulesFileError {
    let quoted = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    match given {
        ["rows"] => keys.missing("`cols` beside `rows`"),
        ["cols"] => keys.missing("`rows` beside `cols`"),
        [] => keys.missing("one of `rows` and `cols`, `row`, `lengths`, `drawn`, `edges`"),
        _ => {
            let expected = "one of `rows` and `cols`, `row`, `lengths`, `drawn`, `edges` in [board]";
            keys.found(expected, &format!("several boards at once, {}", quoted(given)))
        }
    }
}

const SQUARES: std::ops::RangeInclusive<u32> = 1..=MAX_CELLS;

impl Squares {
    /// Reads `[board]`.
    pub(super) fn read(table: Item<'_>, values: &Values) -> Result<Self, RulesFileError> {
        let mut keys = table.keys("[board]", &KEYS)?;
        let marks = match keys.take("colours") {
            None => vec!['X'],
            Some(item) => read_colours(item)?,
        };
        let given: Vec<&str> = LISTS.iter().copied().filter(|key| keys.has(key)).collect();
        let (drawn, lengths, graph) = (keys.take("drawn"), keys.take("lengths"), keys.take("edges"));
        let sizes = [keys.take("rows"), keys.take("cols"), keys.take("row")];
        let (vertices, holes) = (keys.take("vertices"), keys.take("holes"));
        let tiling = keys.take("tiling");
        let mut squares = match (sizes, drawn, lengths, graph) {
            ([Some(rows), Some(cols), None], None, None, None) => {
                let size = [rows.number(values, SQUARES)?, cols.number(values, SQUARES)?];
                let grid = Grid { rows: size[0], cols: size[1] };
                if grid.squares() > MAX_CELLS {
                    let found = format!("{} rows and {} columns, {} squares", grid.rows, grid.cols, grid.squares());
                    return Err(rows.found(format!("a board of at most {MAX_CELLS} squares"), found));
                }
                Self::new(grid, |_| true, marks)
            }
            ([None, None, Some(row)], None, None, None) => {
                Self::new(Grid { rows: 1, cols: row.number(values, SQUARES)? }, |_| true, marks)
            }
            ([None, None, None], Some(drawn), None, None) => read_drawing(drawn, marks)?,
            ([None, None, None], None, Some(lengths), None) => read_lengths(lengths, values, marks)?,
            ([None, None, None], None, None, Some(edges)) => read_graph(edges, vertices, values, marks)?,
            _ => return Err(wrong_lists(&keys, &given)),
        };
        if let Some(item) = tiling {
            squares.is_hexagonal = item.word(&["squares", "hexagons"])? == 1;
            if squares.is_graph() {
                return Err(item.found("a board of squares or hexagons", "a graph"));
            }
        }
        if let Some(item) = vertices.filter(|_| graph.is_none()) {
            return Err(item.found("`vertices` together with `edges`", "no `edges`"));
        }
        if let Some(item) = holes {
            for hole in squares.choose(item, values)? {
                squares.ranks[hole] = None;
            }
            let ranks = squares.ranks.clone();
            let (graph, is_hexagonal) = (squares.graph.take(), squares.is_hexagonal);
            squares = Self::new(squares.grid, |square| ranks[square].is_some(), squares.marks);
            (squares.graph, squares.is_hexagonal) = (graph, is_hexagonal);
        }
        if let Some(item) = keys.take("between") {
            if squares.is_graph() {
                return Err(item.found("a board of squares", "a graph"));
            }
            squares.between = Some(Between::read(item, values, squares.squares.len())?);
        }
        let cells = squares.squares.len() * squares.marks.len();
        if !(1..=MAX_CELLS as usize).contains(&cells) {
            return Err(table.found(format!("a board of 1 to {MAX_CELLS} cells"), cells.to_string()));
        }
        Ok(squares)
    }

    fn new(grid: Grid, is_square: impl Fn(usize) -> bool, marks: Vec<char>) -> Self {
        let squares: Vec<usize> = (0..grid.squares() as usize).filter(|&square| is_square(square)).collect();
        let mut ranks = vec![None; grid.squares() as usize];
        for (rank, &square) in (0..).zip(&squares) {
            ranks[square] = Some(rank);
        }
        Self { grid, ranks, squares, marks, graph: None, is_hexagonal: false, between: None, has_blocks: false }
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

    /// Whether the board is a graph. Then squares are neighbours if an edge joins them, wherever they are drawn.
    pub(super) const fn is_graph(&self) -> bool {
        self.graph.is_some()
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

    /// The cells of `square` in all colours; `None` for a hole.
    pub(super) fn cells_of(&self, square: usize) -> Option<Board> {
        (0..self.colours()).map(|colour| self.cell(square, colour)).collect()
    }

    /// The square `rows` below and `cols` to the right of `square`, if the board has one there.
    pub(super) fn beside(&self, square: usize, rows: i32, cols: i32) -> Option<usize> {
        let grid = self.grid;
        let (row, col) = (square as u32 / grid.cols, square as u32 % grid.cols);
        let (row, col) = (row.checked_add_signed(rows)?, col.checked_add_signed(cols)?);
        let other = (row < grid.rows && col < grid.cols).then(|| (row * grid.cols + col) as usize)?;
        self.ranks[other].map(|_| other)
    }

    /// The rows and columns from `square` to `other`.
    pub(super) const fn step(&self, square: usize, other: usize) -> (i32, i32) {
        let cols = self.grid.cols as i32;
        let (from, to) = (square as i32, other as i32);
        (to / cols - from / cols, to % cols - from % cols)
    }

    /// The squares that share a side with `square`, as squares or as hexagons, or an edge of the graph.
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

    /// The name of `square`.
    pub(super) fn name(&self, square: usize) -> String {
        match &self.graph {
            Some(graph) => graph.names[square].clone(),
            None => Grid::name(square as u32 / self.grid.cols, square as u32 % self.grid.cols),
        }
    }

    /// The square called `name`.
    pub(super) fn called(&self, name: &str) -> Option<usize> {
        self.squares.iter().copied().find(|&square| self.name(square) == name)
    }

    /// What the name of a square is, for an error.
    pub(super) fn expected_name(&self) -> String {
        let named = |square: Option<&usize>| square.map_or(String::new(), |&square| self.name(square));
        format!("the name of a square, from {} to {},", named(self.squares.first()), named(self.squares.last()))
    }

    /// The board as rows of characters, separated by slashes, with `#` for a hole.
    pub(super) fn write(&self, board: Board) -> String {
        self.grid.rows(|bit| self.character(bit, |square| self.mark(square, board)))
    }

    /// The board drawn, with the character that `mark` gives for each square.
    pub(super) fn draw(&self, mark: impl Fn(usize) -> char) -> String {
        let Some(graph) = &self.graph else { return self.grid.draw(|bit| self.character(bit, &mark)) };
        let widths = graph.names.iter().map(|name| name.chars().count());
        let columns: Vec<(usize, usize)> =
            widths.enumerate().filter(|(square, _)| self.ranks[*square].is_some()).collect();
        let names: Vec<&str> = columns.iter().map(|&(square, _)| graph.names[square].as_str()).collect();
        let marks: Vec<String> = columns.iter().map(|&(square, width)| format!("{:>width$}", mark(square))).collect();
        format!("{}\n{}", names.join(" "), marks.join(" "))
    }

    /// Where the squares are drawn.
    pub(super) fn scene(&self) -> Scene {
        let cells = |square| -> Vec<Board> { (0..self.colours()).filter_map(|c| self.cell(square, c)).collect() };
        if let Some(Between { points, ends }) = &self.between {
            let edges = self.squares.iter().map(|&square| (self.name(square), cells(square))).collect();
            return Scene::edges(points, ends, edges, self.marks.clone());
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
            joined.filter_map(move |other| Some([self.ranks[vertex]? as usize, self.ranks[other]? as usize]))
        });
        let edges = edges.collect();
        Scene::vertices(vertices, edges, self.marks.clone())
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

    /// The square that the grid calls `bit`: it numbers its squares from the most significant bit.
    const fn square_of(&self, bit: Board) -> usize {
        (self.grid.squares() - 1 - bit.0.trailing_zeros()) as usize
    }

    /// Reads a board: rows of characters, or a board number.
    pub(super) fn read_board(&self, text: &str) -> Result<Board, NotationError> {
        let marks: Vec<String> = self.marks.iter().map(char::to_string).collect();
        let hole = if self.squares.len() < self.ranks.len() { ", # for a hole" } else { "" };
        let legend = format!("{} (filled) or one of . _ 0 (free){hole}", marks.join(" or "));
        let colour = |character: char| self.marks.iter().position(|mark| mark.eq_ignore_ascii_case(&character));
        let is_free = |character| matches!(character, '.' | '_' | '0');
        let rows = || {
            let mut board = Board::EMPTY;
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
        let is_mark = |character| colour(character).is_some() || is_free(character);
        self.grid.read_rows_or_number(text, self.cells(), is_mark, rows)
    }
}

/// The character of a square that is filled in both colours. A dense table has such boards, though play cannot reach
/// them.
const BOTH: char = '*';

fn read_colours(item: Item<'_>) -> Result<Vec<char>, RulesFileError> {
    let expected = "two letters, one for each side's colour, as in \"LR\",";
    let marks: Vec<char> = item.text(expected)?.chars().collect();
    match marks[..] {
        [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && !a.eq_ignore_ascii_case(&b) => Ok(marks),
        _ => Err(item.wrong(expected)),
    }
}

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

fn read_drawing(item: Item<'_>, marks: Vec<char>) -> Result<Squares, RulesFileError> {
    let lines = lines_of(item.text("a drawing of the board")?);
    let cols = lines.first().map_or(0, Vec::len);
    if let Some((row, line)) = lines.iter().enumerate().find(|(_, line)| line.len() != cols) {
        return Err(item.found(format!("{cols} squares in each row"), format!("{} in row {}", line.len(), row + 1)));
    }
    let squares: Vec<char> = lines.concat();
    if let Some(bad) = squares.iter().find(|c| !".#".contains(**c)) {
        return Err(item.found("rows of . (a square) and # (a hole)", format!("{bad:?}")));
    }
    if !(1..=MAX_CELLS as usize).contains(&squares.len()) {
        let expected = format!("a drawing of 1 to {MAX_CELLS} squares, including holes,");
        return Err(item.found(expected, squares.len().to_string()));
    }
    let grid = Grid { rows: lines.len() as u32, cols: cols as u32 };
    Ok(Squares::new(grid, |square| squares[square] == '.', marks))
}

fn read_lengths(item: Item<'_>, values: &Values, marks: Vec<char>) -> Result<Squares, RulesFileError> {
    let what = "a list of numbers, the squares of each row,";
    let list = item.list(what)?;
    let lengths = list.iter().map(|item| item.number(values, 0..=MAX_CELLS)).collect::<Result<Vec<u32>, _>>()?;
    let cols = lengths.iter().copied().max().unwrap_or(0);
    let area = lengths.len() as u64 * u64::from(cols);
    if !(1..=u64::from(MAX_CELLS)).contains(&area) {
        let expected = format!("rows that fit a board of 1 to {MAX_CELLS} squares");
        return Err(item.found(expected, format!("{} rows of up to {cols}", lengths.len())));
    }
    let grid = Grid { rows: lengths.len() as u32, cols };
    let is_square = |square: usize| square as u32 % cols < lengths[square / cols as usize];
    Ok(Squares::new(grid, is_square, marks))
}

fn read_graph(
    edges: Item<'_>,
    vertices: Option<Item<'_>>,
    values: &Values,
    marks: Vec<char>,
) -> Result<Squares, RulesFileError> {
    let mut graph = Graph::default();
    let expected = "the name of a vertex, 1 to 16 characters without blanks, commas, slashes, + or -,";
    let mut vertex = |item: Item<'_>, name: &str| -> Result<usize, RulesFileError> {
        let breaks = |c: char| c.is_whitespace() || c.is_control() || ",/+-\"#".contains(c);
        if !(1..=16).contains(&name.chars().count()) || name.contains(breaks) {
            return Err(item.wrong(expected));
        }
        let found = graph.names.iter().position(|known| known == name);
        if found.is_none() && graph.names.len() == MAX_CELLS as usize {
            return Err(item.found(format!("a graph of at most {MAX_CELLS} vertices"), "more"));
        }
        Ok(found.unwrap_or_else(|| {
            graph.names.push(name.into());
            graph.names.len() - 1
        }))
    };
    for item in vertices.map_or(Ok(Vec::new()), |item| item.list("a list of names"))? {
        vertex(item, &item.name(expected, values, false)?)?;
    }
    let mut joined = Vec::new();
    for item in edges.list("a list of edges")? {
        let what = "an edge, two names with a blank between them, as in \"a b\",";
        let text = item.name(what, values, false)?;
        let mut names = text.split_whitespace();
        let (Some(from), Some(to), None) = (names.next(), names.next(), names.next()) else {
            return Err(item.wrong(what));
        };
        let (from, to) = (vertex(item, from)?, vertex(item, to)?);
        if from == to {
            return Err(item.wrong("an edge between two vertices"));
        }
        joined.push((from, to));
    }
    let count = graph.names.len();
    if count == 0 {
        return Err(edges.found("a graph of at least one vertex", "none"));
    }
    graph.neighbours = vec![Vec::new(); count];
    for (from, to) in joined {
        for (from, to) in [(from, to), (to, from)] {
            if !graph.neighbours[from].contains(&to) {
                graph.neighbours[from].push(to);
            }
        }
    }
    let squares = Squares::new(Grid { rows: 1, cols: count as u32 }, |_| true, marks);
    Ok(Squares { graph: Some(graph), ..squares })
}
