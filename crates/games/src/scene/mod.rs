//! The layout of a game's board for drawing: places with coordinates, each with its cells in the rules.
//!
//! A scene fixes positions but not the appearance: the page, or another client, chooses colours and sizes. One unit is
//! the side of a square. Games with the same layout share a constructor: [`Scene::grid`], [`Scene::graph`].

mod draw_graph;
mod looks;

pub use looks::{Border, Colour, Looks, Piece, Surface, colour_of_side};

use super::{Graph, Grid};
use crate::rules::{Board, Rules};

/// The board of a game as places with coordinates.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, Layout, Play, Tactics};
///
/// let scene = Tactics::new(2, 3, 3, Play::Misere)?.scene();
/// assert_eq!((scene.layout, scene.size), (Layout::Squares, [3.0, 2.0]));
/// assert_eq!((scene.places[5].name.as_str(), scene.places[5].at), ("c2", [2.5, 1.5]));
/// # Ok::<(), tablegen::game::GameError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The kind of the places.
    pub layout: Layout,
    /// The width and height.
    pub size: [f64; 2],
    /// The sign of a filled place, for each colour: one or two.
    pub signs: Vec<char>,
    /// The places in reading order.
    pub places: Vec<ScenePlace>,
    /// The vertices, if the places are edges or tiles; otherwise empty.
    pub vertices: Vec<Vertex>,
    /// Lines between neighbours, as pairs of places, if the places are vertices or points; otherwise empty.
    pub lines: Vec<[usize; 2]>,
    /// Areas of several places: boxes, which belong to a player who has filled all places around them, or pits, in the order in which
    /// the text of a position counts them.
    pub areas: Vec<Area>,
    /// The vertices that rest on the ground, if the places are lines of a picture.
    pub ground: Vec<usize>,
    /// True if places can be filled in both colours: they are blocked.
    pub blocks: bool,
    /// The names of the two sides, if the game names them. The looks have a colour for each.
    pub sides: Option<[String; 2]>,
    /// The looks.
    pub looks: Looks,
}

words! {
    /// The kind of the places of a [`Scene`].
    Layout {
        /// Squares of a board, each of side 1 around its coordinates.
        Squares = "squares",
        /// Hexagons with a vertex at the top, as wide as a square.
        Hexagons = "hexagons",
        /// Squares in a single row. A narrow window may break it into several lines.
        Row = "row",
        /// Vertices of a graph.
        Vertices = "vertices",
        /// Edges of a graph; their ends are vertices.
        Edges = "edges",
        /// Domino tiles; their two values are vertices.
        Tiles = "tiles",
        /// Words. Their coordinates keep them apart; a window may arrange them as running text.
        Words = "words",
    }
}

/// A place of a [`Scene`], which a move may fill.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenePlace {
    /// The name of the place in the notation of moves.
    pub name: String,
    /// The cell of the place in each colour; empty if the rules have no cell for it.
    pub cells: Vec<Board>,
    /// The middle of the place, measured from the top left.
    pub at: [f64; 2],
    /// The vertices at both ends, if the place has ends.
    pub ends: Option<[usize; 2]>,
}

/// A vertex of a [`Scene`] whose places are edges.
#[derive(Clone, PartialEq, Debug)]
pub struct Vertex {
    /// The name of the vertex. In games of edge geography it is also the name of the mode at this vertex.
    pub name: String,
    /// The middle of the vertex, measured from the top left.
    pub at: [f64; 2],
}

/// An area of a [`Scene`]: a box, around which places lie, or a pit, in which they lie.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// The places around the area, or in it. Those of a pit are filled from the first one on.
    pub places: Vec<usize>,
    /// The middle of the area, measured from the top left.
    pub at: [f64; 2],
    /// The width and height.
    pub size: [f64; 2],
    /// The name of a pit; empty for a box.
    pub name: String,
}

impl ScenePlace {
    fn new(name: String, cells: Vec<Board>, at: [f64; 2]) -> Self {
        Self { name, cells, at: at.map(rounded), ends: None }
    }

    /// The state of the place on `board`. It is 0 if the place is free, and 1 or 2 if it is filled in the first or the
    /// second colour. It is 3 if the place is filled in both, which play may never do.
    #[must_use]
    pub fn state(&self, board: Board) -> u8 {
        let filled = |(colour, cell): (usize, &Board)| u8::from(board.contains(*cell)) << colour;
        self.cells.iter().enumerate().map(filled).sum()
    }
}

/// Rounds to a thousandth, so that a scene is the same on every machine.
pub(super) fn rounded(coordinate: f64) -> f64 {
    (coordinate * 1000.0).round() / 1000.0
}

/// The distance of two rows of hexagons of width 1: three quarters of a hexagon's height.
const HEXAGON_ROW: f64 = 0.866;
/// Half the height of such a hexagon.
const HEXAGON_HALF: f64 = 0.577;

impl Scene {
    /// The cells of `rules` in a row, by number, for rules without any known layout.
    #[must_use]
    pub fn of_cells(rules: &Rules) -> Self {
        let cells = rules.cells();
        let place =
            |cell: u32| ScenePlace::new(cell.to_string(), vec![Board::at(cell, cells)], [f64::from(cell) + 0.5, 0.5]);
        let places = (0..cells).map(place).collect();
        Self { layout: Layout::Row, size: [f64::from(cells), 1.0], ..Self::empty(vec!['X'], places) }
    }

    /// The squares of `grid`, with the `signs` of the colours. `cells` gives the cells of a square by its number in
    /// reading order; `None` is a hole.
    #[must_use]
    pub fn grid(grid: Grid, signs: Vec<char>, cells: impl Fn(usize) -> Option<Vec<Board>>) -> Self {
        let square = |number: u32| {
            let (row, col) = (number / grid.cols, number % grid.cols);
            let at = [f64::from(col) + 0.5, f64::from(row) + 0.5];
            Some(ScenePlace::new(Grid::name(row, col), cells(number as usize)?, at))
        };
        let places: Vec<ScenePlace> = (0..grid.squares()).filter_map(square).collect();
        let layout = if grid.rows == 1 { Layout::Row } else { Layout::Squares };
        // The drawing omits rows and columns of holes beyond the last square.
        let size = [0, 1].map(|axis| places.iter().map(|place| place.at[axis] + 0.5).fold(1.0, f64::max));
        Self { layout, size, ..Self::empty(signs, places) }
    }

    /// The same board with hexagons instead of squares. Each row is shifted right by half a hexagon.
    #[must_use]
    pub fn hexagons(mut self) -> Self {
        let [_, rows] = self.size;
        for place in &mut self.places {
            let [x, y] = place.at;
            let row = y - 0.5;
            place.at = [x + row / 2.0, row * HEXAGON_ROW + HEXAGON_HALF].map(rounded);
        }
        let width = self.places.iter().map(|place| place.at[0] + 0.5).fold(1.0, f64::max);
        let size = [width, (rows - 1.0) * HEXAGON_ROW + 2.0 * HEXAGON_HALF];
        Self { layout: Layout::Hexagons, size: size.map(rounded), ..self }
    }

    /// A graph whose vertices are the places. Each vertex is a name and its cells. `at` are the columns and rows of
    /// the vertices; without them, the vertices are placed so that few edges cross.
    #[must_use]
    pub fn vertices(
        vertices: Vec<(String, Vec<Board>)>,
        at: Option<&[[f64; 2]]>,
        edges: Vec<[usize; 2]>,
        signs: Vec<char>,
    ) -> Self {
        let (points, size) = match at {
            Some(at) => draw_graph::at_places(at, VERTEX_GAP),
            None => draw_graph::points(vertices.len(), &edges, VERTEX_GAP),
        };
        let place = |((name, cells), at)| ScenePlace::new(name, cells, at);
        let places = vertices.into_iter().zip(points).map(place).collect();
        Self { layout: Layout::Vertices, size, lines: edges, ..Self::empty(signs, places) }
    }

    /// The edges of `graph`, each a place between its vertices.
    #[must_use]
    pub fn graph(graph: &Graph) -> Self {
        let ends: Vec<[usize; 2]> = graph.edges().iter().map(|edge| [edge.from, edge.to]).collect();
        let cells = (0..ends.len()).map(|edge| vec![graph.cell(edge)]);
        let names = graph.edges().iter().map(|edge| edge.name.clone());
        Self::edges(graph.vertices(), None, &ends, names.zip(cells).collect(), vec!['X'])
    }

    /// Edges between `vertices`, each a place with a name and its cells. `ends` are the vertex numbers of each edge.
    /// `places` are the columns and rows of the vertices; without them, the vertices are placed so that few edges
    /// cross.
    #[must_use]
    pub fn edges(
        vertices: &[String],
        places: Option<&[[f64; 2]]>,
        ends: &[[usize; 2]],
        edges: Vec<(String, Vec<Board>)>,
        signs: Vec<char>,
    ) -> Self {
        let (points, size) = match places {
            Some(places) => draw_graph::at_places(places, PLACED_GAP),
            None => draw_graph::points(vertices.len(), ends, EDGE_GAP),
        };
        let middles = draw_graph::middles(ends, &points);
        let place = |(((name, cells), at), &ends)| ScenePlace { ends: Some(ends), ..ScenePlace::new(name, cells, at) };
        let places = edges.into_iter().zip(middles).zip(ends).map(place).collect();
        let vertex = |(name, at): (&String, [f64; 2])| Vertex { name: name.clone(), at: at.map(rounded) };
        let vertices = vertices.iter().zip(points).map(vertex).collect();
        Self { layout: Layout::Edges, size, vertices, ..Self::empty(signs, places) }
    }

    /// The edges of `graph` as the tiles of a domino set, whose values are the vertices. A tile is in the row of its
    /// first value and in the column of its second.
    #[must_use]
    pub fn tiles(graph: &Graph) -> Self {
        let values = graph.vertices().len() as f64;
        let tile = |(number, edge): (usize, &super::Edge)| {
            let at = [(edge.to as f64 + 0.5) * TILE[0], (edge.from as f64 + 0.5) * TILE[1]];
            let ends = Some([edge.from, edge.to]);
            ScenePlace { ends, ..ScenePlace::new(edge.name.clone(), vec![graph.cell(number)], at) }
        };
        let places = graph.edges().iter().enumerate().map(tile).collect();
        let vertex = |(value, name): (usize, &String)| {
            let middle = value as f64 + 0.5;
            Vertex { name: name.clone(), at: [middle * TILE[0], middle * TILE[1]].map(rounded) }
        };
        let vertices = graph.vertices().iter().enumerate().map(vertex).collect();
        let size = [values * TILE[0], values * TILE[1]].map(rounded);
        Self { layout: Layout::Tiles, size, vertices, ..Self::empty(vec!['X'], places) }
    }

    /// A list of words. Words have no cells, since boards do not determine which words are used.
    #[must_use]
    pub fn words<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        const COLUMNS: usize = 6;
        const WIDTH: f64 = 4.0;
        let word = |(number, word): (usize, &str)| {
            let at = [((number % COLUMNS) as f64 + 0.5) * WIDTH, (number / COLUMNS) as f64 + 0.5];
            ScenePlace::new(word.into(), Vec::new(), at)
        };
        let places: Vec<ScenePlace> = words.enumerate().map(word).collect();
        let size = [COLUMNS.min(places.len()) as f64 * WIDTH, places.len().div_ceil(COLUMNS) as f64];
        Self { layout: Layout::Words, size, ..Self::empty(vec!['X'], places) }
    }

    /// Lines between dots. `lines` are squares of `grid`, by their numbers in reading order, with their cells. Dots
    /// lie on every second square of every second row. `areas` are lists of places.
    #[must_use]
    pub fn between_dots(grid: Grid, signs: Vec<char>, lines: Vec<(usize, Vec<Board>)>, areas: Vec<Vec<usize>>) -> Self {
        let [rows, cols] = [grid.rows, grid.cols].map(|squares| squares as usize / 2 + 1);
        let at = |row: usize, col: usize| [col as f64 / 2.0 + 0.5, row as f64 / 2.0 + 0.5];
        let line = |(square, cells): (usize, Vec<Board>)| {
            let (row, col) = (square / grid.cols as usize, square % grid.cols as usize);
            let dot = |row: usize, col: usize| row / 2 * cols + col / 2;
            let ends = if row % 2 == 0 {
                [dot(row, col - 1), dot(row, col + 1)]
            } else {
                [dot(row - 1, col), dot(row + 1, col)]
            };
            ScenePlace { ends: Some(ends), ..ScenePlace::new(Grid::name(row as u32, col as u32), cells, at(row, col)) }
        };
        let places: Vec<ScenePlace> = lines.into_iter().map(line).collect();
        let dots = (0..rows * cols).map(|dot| Vertex { name: String::new(), at: at(dot / cols * 2, dot % cols * 2) });
        let middle = |area: &[usize], axis: usize| {
            area.iter().map(|&place| places[place].at[axis]).sum::<f64>() / area.len() as f64
        };
        let area = |area: Vec<usize>| Area {
            at: [0, 1].map(|axis| rounded(middle(&area, axis))),
            places: area,
            size: [BOX; 2],
            name: String::new(),
        };
        let areas = areas.into_iter().map(area).collect();
        let (vertices, size) = (dots.collect(), [cols as f64, rows as f64]);
        Self { layout: Layout::Edges, size, vertices, areas, ..Self::empty(signs, places) }
    }

    fn empty(signs: Vec<char>, places: Vec<ScenePlace>) -> Self {
        Self {
            layout: Layout::Squares,
            size: [0.0; 2],
            looks: Looks::of_signs(&signs),
            signs,
            places,
            vertices: Vec::new(),
            lines: Vec::new(),
            areas: Vec::new(),
            ground: Vec::new(),
            blocks: false,
            sides: None,
        }
    }

    /// The places that have a cell in `cells`.
    #[must_use]
    pub fn places_of(&self, cells: Board) -> Vec<usize> {
        let touched = |place: &ScenePlace| place.cells.iter().any(|cell| cells.contains(*cell));
        (0..self.places.len()).filter(|&place| touched(&self.places[place])).collect()
    }
}

/// The smallest distance between two vertices: `VERTEX_GAP` if the vertices are the places, `EDGE_GAP` if the edges
/// are.
const VERTEX_GAP: f64 = 1.3;
const EDGE_GAP: f64 = 1.9;
/// The smallest distance between two vertices that the game places. Such drawings have few crossing lines.
const PLACED_GAP: f64 = 1.3;
/// The width of a box between dots.
const BOX: f64 = 0.82;
/// The width and height of a domino tile, with the space around it.
const TILE: [f64; 2] = [1.25, 0.95];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_have_no_place_and_hexagons_are_shifted() {
        let grid = Grid { rows: 2, cols: 2 };
        let cells = |square: usize| (square != 1).then(|| vec![Board::at(square as u32, 4)]);
        let scene = Scene::grid(grid, vec!['X'], cells);
        let names: Vec<&str> = scene.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["a1", "a2", "b2"]);
        let scene = scene.hexagons();
        assert_eq!((scene.layout, scene.size), (Layout::Hexagons, [2.5, 2.02]));
        assert_eq!((scene.places[0].at, scene.places[2].at), ([0.5, 0.577], [2.0, 1.443]));
    }

    #[test]
    fn states_tell_the_colours() {
        let place = ScenePlace::new("a1".into(), vec![Board::from_word(8), Board::from_word(1)], [0.5; 2]);
        assert_eq!([0, 8, 1, 9, 6].map(|board| place.state(Board::from_word(board))), [0, 1, 2, 3, 0]);
        let words = Scene::words(["tea", "ant"].into_iter());
        assert_eq!((words.places[1].state(Board::from_word(u64::MAX)), words.size), (0, [8.0, 1.0]));
    }

    #[test]
    fn tiles_stand_in_a_triangle() {
        let mut graph = Graph::undirected();
        for (from, to) in [("0", "0"), ("0", "1"), ("1", "1")] {
            graph.add_edge(format!("{from}-{to}"), from, to);
        }
        let scene = Scene::tiles(&graph);
        assert_eq!(scene.size, [2.5, 1.9]);
        assert_eq!(scene.places.iter().map(|place| place.ends.unwrap()).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 1]]);
        assert_eq!(scene.places[1].at, [1.875, 0.475]);
    }
}
