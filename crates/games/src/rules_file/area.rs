//! Areas: squares of the board chosen by the colours of a chessboard, by name, by a drawing, by row or by column.

use super::error::Read;
use super::range;
use super::source::{Item, Keys};
use super::squares::{Setup, lines_of};

/// The keys of an area.
pub(super) const KEYS: [&str; 4] = ["on", "rows", "cols", "first_on"];

/// The area in which the squares that a pattern fills must lie.
#[derive(Default)]
pub(super) struct Area {
    /// For each square, true if it may be filled; `None` if every square may.
    squares: Option<Vec<bool>>,
    /// For each square, true if it may be the first filled square in reading order; `None` if every square may.
    first: Option<Vec<bool>>,
}

impl Area {
    /// Takes the keys of an area: `on`, `rows`, `cols` and `first_on`.
    pub(super) fn take(keys: &mut Keys<'_>, setup: Setup<'_>) -> Read<Self> {
        let Setup { squares, values } = setup;
        let count = squares.grid.squares() as usize;
        let marked = |list: Vec<usize>| {
            let mut marked = vec![false; count];
            list.into_iter().for_each(|square| marked[square] = true);
            marked
        };
        let chosen = |item: Option<Item<'_>>| item.map(|item| setup.choose(item).map(marked)).transpose();
        let mut area = Self { squares: chosen(keys.take("on"))?, first: chosen(keys.take("first_on"))? };
        let (rows, cols) = (keys.take("rows"), keys.take("cols"));
        for (item, is_row) in [(rows, true), (cols, false)] {
            let Some(item) = item else { continue };
            if squares.is_graph() {
                return Err(item.found("`on` with names of vertices, since the board is a graph,", "rows or columns"));
            }
            let grid = squares.grid;
            let most = if is_row { grid.rows } else { grid.cols };
            let numbers = range::numbers(item, values, &(1..=most.into()))?;
            let all = area.squares.get_or_insert_with(|| vec![true; count]);
            for (square, may) in (0..).zip(all) {
                let place = if is_row { square / grid.cols } else { square % grid.cols };
                *may &= numbers.contains(&(i64::from(place) + 1));
            }
        }
        Ok(area)
    }

    /// Returns whether the area has no square.
    pub(super) fn is_empty(&self) -> bool {
        self.squares.as_ref().is_some_and(|all| !all.contains(&true))
    }

    /// Returns whether a pattern may fill `filled`.
    pub(super) fn admits(&self, filled: &[usize]) -> bool {
        let may = |all: &Option<Vec<bool>>, square: usize| all.as_ref().is_none_or(|all| all[square]);
        filled.iter().all(|&square| may(&self.squares, square))
            && filled.iter().min().is_none_or(|&first| may(&self.first, first))
    }
}

impl Setup<'_> {
    /// The squares that `item` chooses: `"dark"` or `"light"`, a table of rows and columns, a drawing of the board with `X`
    /// on the chosen squares, or a list of names and such tables.
    pub(super) fn choose(self, item: Item<'_>) -> Read<Vec<usize>> {
        let (board, grid) = (self.squares, self.squares.grid);
        if item.is_list() {
            let squares = |item: Item<'_>| {
                if item.is_table() && !board.is_graph() {
                    return self.choose(item);
                }
                let names = item.names(&board.expected_name(), self.values, !board.is_graph())?;
                let squares = names.iter().map(|name| board.called(name)).collect::<Option<Vec<_>>>();
                squares.ok_or_else(|| item.wrong(board.expected_name()))
            };
            let chosen: Result<Vec<_>, _> = item.list("")?.into_iter().map(squares).collect();
            return Ok(chosen?.concat());
        }
        let expected = "\"dark\", \"light\", a list of names, or a drawing of the board";
        if item.is_table() && !board.is_graph() {
            let mut keys = item.keys("an area", &[&["rows", "cols"]])?;
            let area = Area::take(&mut keys, self)?;
            let all = area.squares.unwrap_or_else(|| vec![true; grid.squares() as usize]);
            return Ok(board.all().iter().copied().filter(|&square| all[square]).collect());
        }
        let text = item.text(expected)?;
        if ["dark", "light"].contains(&text) {
            item.ensure(!board.is_graph(), "a list of vertices, since the board is a graph,", text)?;
            let cols = grid.cols as usize;
            let is_dark = |square: usize| (square / cols + square % cols).is_multiple_of(2);
            return Ok(board.all().iter().copied().filter(|&square| is_dark(square) == (text == "dark")).collect());
        }
        let lines = lines_of(text);
        let signs = lines.concat();
        if let Some(bad) = signs.iter().find(|sign| !"X.#".contains(**sign)) {
            let found = if text.contains('\n') { format!("{bad:?} in the drawing") } else { item.described() };
            return Err(item.found(format!("{expected} with X on each chosen square and . or # elsewhere"), found));
        }
        if lines.len() != grid.rows as usize || lines.iter().any(|line| line.len() != grid.cols as usize) {
            let expected = format!("a drawing of {} rows of {} squares", grid.rows, grid.cols);
            let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
            return Err(item.found(expected, format!("{} rows of up to {longest}", lines.len())));
        }
        // A hole cannot be chosen, even if the drawing has an `X` there.
        Ok(board.all().iter().copied().filter(|&square| signs[square] == 'X').collect())
    }
}
