//! Reading `[board]`: the ways to list squares, holes and colours, and the check of the size.

use super::{Graph, Setup, Squares, lines_of};
use crate::Grid;
use crate::is_unprintable;
use crate::rules::MAX_CELLS;
use crate::rules_file::RulesFileError;
use crate::rules_file::between::{self, Between};
use crate::rules_file::error::Read;
use crate::rules_file::expression::Values;
use crate::rules_file::source::{Item, Keys};

/// The keys of `[board]`.
const KEYS: [&str; 12] =
    ["rows", "cols", "row", "lengths", "drawn", "edges", "vertices", "holes", "colours", "tiling", "between", "points"];
/// The keys that list the squares.
const LISTS: [&str; 6] = ["rows", "cols", "row", "lengths", "drawn", "edges"];

/// The error that the keys `given` do not make one board.
fn wrong_lists(keys: &Keys<'_>, given: &[&str]) -> RulesFileError {
    let quoted = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    match given {
        ["rows"] => keys.missing("`cols` together with `rows`"),
        ["cols"] => keys.missing("`rows` together with `cols`"),
        [] => keys.missing("one of `rows` and `cols`, `row`, `lengths`, `drawn`, `edges`"),
        _ => {
            let expected = "one of `rows` and `cols`, `row`, `lengths`, `drawn`, `edges` in [board]";
            keys.found(expected, &format!("several boards at once, {}", quoted(given)))
        }
    }
}

/// Reads a number of rows, or of squares in a row. It accepts too large a number, so that the error can show how large
/// the board would be.
fn extent(item: Item<'_>, values: &Values) -> Read<u32> {
    match item.number(values, 0..=u32::MAX) {
        Ok(number) if number > MAX_CELLS => Ok(number),
        _ => item.number(values, 1..=MAX_CELLS),
    }
}

/// Refuses a board of `squares` squares, including holes, if it is too large to be drawn.
fn check_size(table: Item<'_>, squares: u64, marks: &[char]) -> Read<()> {
    if squares > MAX_CELLS.into() { Err(too_large(table, squares, marks)) } else { Ok(()) }
}

/// The error that a board of `squares` squares is too large.
fn too_large(table: Item<'_>, squares: u64, marks: &[char]) -> RulesFileError {
    let expected = match marks.len() as u32 {
        1 => format!("a board of at most {MAX_CELLS} squares"),
        colours => format!("a board of at most {} squares in two colours ({MAX_CELLS} cells)", MAX_CELLS / colours),
    };
    RulesFileError::wrong(table.place(), expected, format!("{squares} squares"))
}

impl Squares {
    /// Reads `[board]`.
    pub(in crate::rules_file) fn read(table: Item<'_>, values: &Values) -> Read<Self> {
        let mut keys = table.keys("[board]", &[&KEYS])?;
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
                let (rows, cols) = (extent(rows, values)?, extent(cols, values)?);
                check_size(table, u64::from(rows) * u64::from(cols), &marks)?;
                Self::new(Grid { rows, cols }, |_| true, marks)
            }
            ([None, None, Some(row)], None, None, None) => {
                let cols = extent(row, values)?;
                check_size(table, cols.into(), &marks)?;
                Self::new(Grid { rows: 1, cols }, |_| true, marks)
            }
            ([None, None, None], Some(drawn), None, None) => read_drawing(drawn, marks)?,
            ([None, None, None], None, Some(lengths), None) => read_lengths(lengths, values, marks)?,
            ([None, None, None], None, None, Some(edges)) => {
                // With `between`, the points are those that the vertices connect.
                let points = if keys.has("between") { None } else { keys.take("points") };
                read_graph(edges, vertices, points, values, marks)?
            }
            _ => return Err(wrong_lists(&keys, &given)),
        };
        if let Some(item) = tiling {
            squares.is_hexagonal = item.word(&["squares", "hexagons"])? == 1;
            item.ensure(!squares.is_graph(), "a board of squares or hexagons", "a graph")?;
        }
        if let Some(item) = vertices.filter(|_| graph.is_none()) {
            return Err(item.found("`vertices` together with `edges`", "no `edges`"));
        }
        if let Some(item) = holes {
            for hole in (Setup { squares: &squares, values }).choose(item)? {
                squares.ranks[hole] = None;
            }
            let ranks = squares.ranks.clone();
            let (graph, is_hexagonal) = (squares.graph.take(), squares.is_hexagonal);
            squares = Self::new(squares.grid, |square| ranks[square].is_some(), squares.marks);
            (squares.graph, squares.is_hexagonal) = (graph, is_hexagonal);
        }
        if let Some(item) = keys.take("between") {
            squares.between = Some(Between::read(item, values, squares.squares.len())?);
        }
        if let Some(item) = keys.take("points") {
            match &mut squares.between {
                Some(between) => between.place(item)?,
                None => return Err(item.found("`points` together with `between` or `edges`", "neither")),
            }
        }
        table.ensure(!squares.squares.is_empty(), format!("a board of 1 to {MAX_CELLS} cells"), "0")?;
        let cells = squares.squares.len() * squares.marks.len();
        if cells > MAX_CELLS as usize {
            return Err(too_large(table, squares.squares.len() as u64, &squares.marks));
        }
        Ok(squares)
    }
}

fn read_colours(item: Item<'_>) -> Read<Vec<char>> {
    let expected = "two letters, one for each side's colour, as in \"LR\",";
    let marks: Vec<char> = item.text(expected)?.chars().collect();
    match marks[..] {
        [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && !a.eq_ignore_ascii_case(&b) => Ok(marks),
        _ => Err(item.wrong(expected)),
    }
}

fn read_drawing(item: Item<'_>, marks: Vec<char>) -> Read<Squares> {
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

fn read_lengths(item: Item<'_>, values: &Values, marks: Vec<char>) -> Read<Squares> {
    let what = "a list of numbers, the squares of each row,";
    let list = item.list(what)?;
    let lengths = list.iter().map(|item| item.number(values, 0..=MAX_CELLS)).collect::<Result<Vec<u32>, _>>()?;
    let cols = lengths.iter().copied().max().unwrap_or(0);
    let area = lengths.len() as u64 * u64::from(cols);
    let found = format!("{} rows of up to {cols}", lengths.len());
    if area > MAX_CELLS.into() {
        let expected = format!("rows that fit a board of at most {MAX_CELLS} squares");
        return Err(RulesFileError::wrong(item.place(), expected, found));
    }
    item.ensure(area != 0, format!("rows that fit a board of 1 to {MAX_CELLS} squares"), found)?;
    let grid = Grid { rows: lengths.len() as u32, cols };
    let is_square = |square: usize| square as u32 % cols < lengths[square / cols as usize];
    Ok(Squares::new(grid, is_square, marks))
}

fn read_graph(
    edges: Item<'_>,
    vertices: Option<Item<'_>>,
    points: Option<Item<'_>>,
    values: &Values,
    marks: Vec<char>,
) -> Read<Squares> {
    let mut graph = Graph::default();
    let expected = "the name of a vertex, 1 to 16 characters without blanks, commas, slashes, + or -,";
    let mut vertex = |item: Item<'_>, name: &str| -> Read<usize> {
        let breaks = |c: char| c.is_whitespace() || is_unprintable(c) || ",/+-\"#".contains(c);
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
    let mut places = None;
    if let Some(item) = points {
        item.ensure(vertices.is_none(), "either `vertices` or `points`", "both")?;
        let drawn = between::drawn(item)?;
        let most = MAX_CELLS as usize;
        let is_small = drawn.len() <= most && drawn.iter().all(|(_, place)| place.iter().all(|&at| at < most));
        item.ensure(is_small, format!("at most {most} points in at most {most} rows and columns"), "more")?;
        for (name, _) in &drawn {
            vertex(item, name)?;
        }
        let is_twice = |(at, (name, _)): (usize, &(String, _))| drawn[..at].iter().any(|(other, _)| other == name);
        item.ensure(!drawn.iter().enumerate().any(is_twice), "each vertex once", "a vertex twice")?;
        places = Some(drawn.into_iter().map(|(_, place)| place).collect::<Vec<_>>());
    }
    let mut lines = Vec::new();
    for item in edges.list("a list of edges")? {
        let what = "an edge or a line, two or more names with blanks between them, as in \"a b\",";
        let text = item.name(what, values, false)?;
        let line = text.split_whitespace().map(|name| vertex(item, name)).collect::<Read<Vec<usize>>>()?;
        item.ensure(line.len() > 1, what, item.described())?;
        if line.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(item.wrong("an edge between two vertices"));
        }
        if places.as_ref().is_some_and(|places| line.iter().any(|&vertex| vertex >= places.len())) {
            return Err(item.wrong("vertices that `points` names"));
        }
        lines.push(line);
    }
    let count = graph.names.len();
    edges.ensure(count != 0, "a graph of at least one vertex", "none")?;
    graph.neighbours = vec![Vec::new(); count];
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if !graph.neighbours[from].contains(&to) {
                graph.neighbours[from].push(to);
            }
        }
    }
    (graph.lines, graph.places) = (lines, places);
    let squares = Squares::new(Grid { rows: 1, cols: count as u32 }, |_| true, marks);
    Ok(Squares { graph: Some(graph), ..squares })
}
