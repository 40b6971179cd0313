//! Boards of points, between which lines run: positions as rows of vertices, and drawings.

use super::canvas::Canvas;
use super::{BOTH, Squares};
use crate::NotationError;
use crate::grid::column_name;
use crate::rules::Board;

impl Squares {
    /// Reads the rows of vertices, separated by slashes, or all vertices in one row.
    pub(super) fn read_vertices(
        &self,
        text: &str,
        rows: &[Vec<usize>],
        legend: &str,
        colour: impl Fn(char) -> Option<usize>,
        is_free: impl Fn(char) -> bool,
    ) -> Result<Board, NotationError> {
        let wrong = |expected: String, found: String| Err(NotationError::new(text, expected, found));
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let found: Vec<usize> = text.split('/').map(|row| row.chars().count()).collect();
        if found != lengths && found != [self.squares.len()] {
            let listed = |of: &[usize]| of.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            return wrong(format!("rows of {} points with / between them", listed(&lengths)), listed(&found));
        }
        let mut board = Board::EMPTY;
        for (&vertex, character) in self.squares.iter().zip(text.chars().filter(|&character| character != '/')) {
            board |= match colour(character) {
                Some(colour) => self.cell(vertex, colour as u32),
                None if character == BOTH && self.colours() == 2 => self.cells_of(vertex),
                None if is_free(character) => None,
                None => return wrong(legend.into(), format!("{character:?} at {}", self.name(vertex))),
            }
            .unwrap_or_default();
        }
        Ok(board)
    }

    /// The vertices of a graph drawn at their `places`, columns and rows.
    pub(super) fn draw_graph(
        &self,
        places: &[[usize; 2]],
        mark: impl Fn(usize) -> char,
        is_new: impl Fn(usize) -> bool,
    ) -> String {
        let joined = self.squares.iter().flat_map(|&vertex| {
            let others = self.neighbours(vertex).into_iter().filter(move |&other| vertex < other);
            others.map(move |other| [vertex, other])
        });
        self.draw_at(places, &joined.collect::<Vec<_>>(), mark, is_new)
    }

    /// The squares of a grid drawn as points, with `lines` between them, which are pairs of places. `None` if no line is a diagonal: rows
    /// and columns need no lines.
    pub(in crate::rules_file) fn draw_points(
        &self,
        lines: &[[usize; 2]],
        mark: impl Fn(usize) -> char,
        is_new: impl Fn(usize) -> bool,
    ) -> Option<String> {
        let joined: Vec<[usize; 2]> = lines.iter().map(|line| line.map(|place| self.squares[place])).collect();
        let is_diagonal = |&[from, to]: &[usize; 2]| {
            let step = self.step(from, to);
            step.rows != 0 && step.cols != 0
        };
        let cols = self.grid.cols as usize;
        let places: Vec<[usize; 2]> = (0..self.ranks.len()).map(|square| [square % cols, square / cols]).collect();
        joined.iter().any(is_diagonal).then(|| self.draw_at(&places, &joined, mark, is_new))
    }

    /// The points drawn at their `places`, columns and rows, with a line between each pair in `joined`. If their names are those of a
    /// board, whose rows count from the bottom or from the top, the columns and rows have these names; else the names stand in the same
    /// places below.
    ///
    /// ```text
    ///   a b c
    /// 3 X-.-O
    /// 2 | .-.
    /// 1 .---.
    /// ```
    fn draw_at(
        &self,
        places: &[[usize; 2]],
        joined: &[[usize; 2]],
        mark: impl Fn(usize) -> char,
        is_new: impl Fn(usize) -> bool,
    ) -> String {
        let at =
            |column: usize, row: usize| self.squares.iter().copied().find(|&vertex| places[vertex] == [column, row]);
        let [columns, rows] = [0, 1].map(|axis| places.iter().map(|place| place[axis] + 1).max().unwrap_or(0));
        // Rows and columns of holes at the edges are not drawn.
        let used = |axis: usize, count: usize| -> Vec<usize> {
            (0..count).filter(|&n| self.squares.iter().any(|&vertex| places[vertex][axis] == n)).collect()
        };
        let (shown, lines) = (used(0, columns), used(1, rows));
        let counts: [&dyn Fn(usize) -> usize; 2] = [&|row| rows - row, &|row| row + 1];
        let fits = |count: &&dyn Fn(usize) -> usize| {
            let name = |[column, row]: [usize; 2]| format!("{}{}", column_name(column as u32), count(row));
            self.squares.iter().all(|&vertex| self.name(vertex) == name(places[vertex]))
        };
        let count = counts.into_iter().find(fits);
        let has_heads = count.is_some();
        let margin = if has_heads { rows.to_string().len() } else { 0 };
        let width = |column: usize| column_name(column as u32).len();
        let x = |n: usize| margin + shown[..=n].iter().map(|&column| width(column) + 1).sum::<usize>() - 1;
        let spot = |vertex: usize, step: usize| {
            let of = |all: &[usize], axis: usize| all.iter().position(|&one| one == places[vertex][axis]).unwrap_or(0);
            [x(of(&shown, 0)), of(&lines, 1) * step + usize::from(has_heads)]
        };
        // Rows stand close together unless a slanted line needs room between them.
        let is_slanted = |&[a, b]: &[usize; 2]| spot(a, 1).iter().zip(spot(b, 1)).all(|(one, other)| *one != other);
        let step = if joined.iter().any(is_slanted) { 2 } else { 1 };
        let mut canvas = Canvas::default();
        if let Some(count) = count {
            for (n, &column) in shown.iter().enumerate() {
                let name = column_name(column as u32);
                name.chars().rev().enumerate().for_each(|(back, letter)| canvas.put([x(n) - back, 0], letter));
            }
            for (n, &row) in lines.iter().enumerate() {
                let name = format!("{:>margin$}", count(row));
                name.chars().enumerate().for_each(|(at, digit)| canvas.put([at, n * step + 1], digit));
            }
        }
        let is_new_at =
            |column: Option<&usize>, row: usize| column.and_then(|&column| at(column, row)).is_some_and(&is_new);
        self.squares.iter().for_each(|&vertex| canvas.put(spot(vertex, step), mark(vertex)));
        joined.iter().for_each(|&[a, b]| canvas.line(spot(a, step), spot(b, step)));
        for &vertex in self.squares.iter().filter(|&&vertex| is_new(vertex)) {
            let ([column, row], [x, y]) = (places[vertex], spot(vertex, step));
            let n = shown.iter().position(|&one| one == column).unwrap_or(0);
            if !is_new_at(n.checked_sub(1).and_then(|before| shown.get(before)), row) {
                canvas.put([x - 1, y], '(');
            }
            if !is_new_at(shown.get(n + 1), row) {
                canvas.put([x + 1, y], ')');
            }
        }
        let mut drawn: Vec<String> = canvas.finish().lines().map(str::to_owned).collect();
        if !has_heads {
            let widest = self.squares.iter().map(|&vertex| self.name(vertex).chars().count()).max().unwrap_or(0);
            drawn.extend(lines.iter().map(|&row| {
                let name = |&column: &usize| at(column, row).map_or(String::new(), |vertex| self.name(vertex));
                let names: String = shown.iter().map(|column| format!(" {:widest$}", name(column))).collect();
                names.trim_end().to_owned()
            }));
        }
        drawn.join("\n")
    }
}
