//! Edge geography: two players take turns to extend a walk in a graph, and no edge is walked twice.
//!
//! Several games are edge geography on different graphs. A cell is an edge; it is filled after the edge has been
//! walked. A mode is the current vertex.

use super::Play;
use crate::rules::{Board, MAX_CELLS, MAX_MODES, Mode, Move, Position, Rules, RulesError, RulesSpec, Start};

/// A graph whose edges can be walked: in both directions if it is undirected, from the first end to the second if it is
/// directed. It may have loops and parallel edges.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Graph, Play};
///
/// let mut path = Graph::undirected();
/// path.add_edge("ab", "a", "b");
/// path.add_edge("bc", "b", "c");
/// let rules = path.rules("path-3-normal", Play::Normal, None)?;
/// assert_eq!((rules.cells(), rules.modes().len(), rules.moves().len()), (2, 3, 4));
/// # Ok::<(), tablegen::rules::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    directed: bool,
    /// True if parallel edges must be walked in their order.
    interchangeable: bool,
    vertices: Vec<String>,
    edges: Vec<Edge>,
}

/// An edge of a [`Graph`]. Vertices are numbered from 0 in the order in which they were added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The name of the edge in the notation.
    pub name: String,
    /// The first end.
    pub from: usize,
    /// The second end.
    pub to: usize,
}

impl Graph {
    /// An empty graph whose edges can be walked in both directions.
    #[must_use]
    pub const fn undirected() -> Self {
        Self { directed: false, interchangeable: false, vertices: Vec::new(), edges: Vec::new() }
    }

    /// An empty graph whose edges can only be walked from the first end to the second.
    #[must_use]
    pub const fn directed() -> Self {
        Self { directed: true, interchangeable: false, vertices: Vec::new(), edges: Vec::new() }
    }

    /// A directed graph with these vertices, and with an unnamed edge for each pair of vertex numbers in `ends`.
    pub(super) fn of_ends(vertices: Vec<String>, ends: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let edges = ends.into_iter().map(|(from, to)| Edge { name: String::new(), from, to });
        Self { vertices, edges: edges.collect(), ..Self::directed() }
    }

    /// The same graph with interchangeable parallel edges: they can only be walked in their order. Positions that
    /// differ only in which parallel edges have been walked then become one position.
    #[must_use]
    pub(super) fn interchangeable(self) -> Self {
        Self { interchangeable: true, ..self }
    }

    /// The number of the vertex called `name`, which is added if the graph lacks it.
    pub fn add_vertex(&mut self, name: &str) -> usize {
        self.find_vertex(name).unwrap_or_else(|| {
            self.vertices.push(name.into());
            self.vertices.len() - 1
        })
    }

    /// Adds an edge between the vertices called `from` and `to`, and adds the vertices if the graph lacks them. The
    /// edge is the next cell of the board.
    pub fn add_edge(&mut self, name: impl Into<String>, from: &str, to: &str) {
        let (from, to) = (self.add_vertex(from), self.add_vertex(to));
        self.edges.push(Edge { name: name.into(), from, to });
    }

    /// The number of the vertex called `name`, if there is one.
    #[must_use]
    pub fn find_vertex(&self, name: &str) -> Option<usize> {
        self.vertices.iter().position(|vertex| vertex == name)
    }

    /// Returns whether edges can be walked in one direction only.
    #[must_use]
    pub const fn is_directed(&self) -> bool {
        self.directed
    }

    /// The names of the vertices. They are also the names of the modes.
    #[must_use]
    pub fn vertices(&self) -> &[String] {
        &self.vertices
    }

    /// The edges, in the order of the cells.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The vertex to which `edge` leads from the vertex `at`; `None` if `edge` cannot be walked from there.
    #[must_use]
    pub fn across(&self, edge: &Edge, at: usize) -> Option<usize> {
        match (edge.from == at, !self.directed && edge.to == at) {
            (true, _) => Some(edge.to),
            (false, true) => Some(edge.from),
            (false, false) => None,
        }
    }

    /// The directions in which `edge` can be walked, as pairs (from, to). The direction in which it was added comes
    /// first.
    pub fn ways(&self, edge: &Edge) -> impl Iterator<Item = (usize, usize)> + use<> {
        let back = !self.directed && edge.from != edge.to;
        let (from, to) = (edge.from, edge.to);
        std::iter::once((from, to)).chain(back.then_some((to, from)))
    }

    /// The cell of the edge numbered `edge`. The first edge is the most significant bit of a board number.
    ///
    /// # Panics
    /// In debug builds, if there is no edge with this number or the graph has more than 128 edges.
    #[must_use]
    pub fn cell(&self, edge: usize) -> Board {
        Board::at(edge as u32, self.edges.len() as u32)
    }

    /// The cells of the edges that can be walked from the vertex `from` to the vertex `to`, in order.
    pub fn cells_between(&self, from: usize, to: usize) -> impl Iterator<Item = Board> {
        self.edges_between(from, to).map(|edge| self.cell(edge))
    }

    /// The numbers of these edges.
    pub(super) fn edges_between(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let edges = self.edges.iter().enumerate();
        edges.filter(move |(_, edge)| self.across(edge, from) == Some(to)).map(|(number, _)| number)
    }

    /// The cells that must be filled before `edge` can be walked: its earlier parallel edges if parallel edges are
    /// interchangeable, otherwise none.
    fn before(&self, edge: usize) -> Board {
        let Edge { from, to, .. } = self.edges[edge];
        let earlier = self.cells_between(from, to).take_while(|&cell| cell != self.cell(edge));
        if self.interchangeable { earlier.collect() } else { Board::EMPTY }
    }

    /// The edges whose cells are filled in `board`, each with its number.
    pub fn walked(&self, board: Board) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(move |&(number, _)| board.contains(self.cell(number)))
    }

    /// The rules of the game on this graph. The walk begins at the vertex `start`. If `start` is `None`, the first player
    /// opens with any edge, in any direction it can be walked in.
    ///
    /// Moves are ordered by the vertex they start from, then by edge. The choices of an opening are ordered by edge,
    /// then by direction; the direction in which the edge was added comes first.
    ///
    /// # Errors
    /// If the graph has no edge or more than 128, too many vertices, or a name that rules cannot have.
    pub fn rules(&self, name: impl Into<String>, play: Play, start: Option<usize>) -> Result<Rules, RulesError> {
        let cells = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        if !(1..=MAX_CELLS).contains(&cells) {
            return Err(RulesError::Cells { cells });
        }
        // This check comes before any vertex becomes a mode, because a vertex number beyond the limit may not fit into
        // a mode.
        let modes = self.vertices.len();
        if modes > MAX_MODES {
            return Err(RulesError::Count { what: "modes", found: modes, least: 1, most: MAX_MODES });
        }
        let mode = |vertex: usize| Mode(u16::try_from(vertex).unwrap_or(u16::MAX));
        let numbered = || self.edges.iter().enumerate();
        let steps_from = |at| {
            let step = move |(number, edge)| {
                let next = mode(self.across(edge, at)?);
                Some(Move { mode: mode(at), next, full: self.before(number), ..Move::fill(self.cell(number)) })
            };
            numbered().filter_map(step)
        };
        let opening = || {
            let choose = |(number, edge)| {
                let cell = self.cell(number);
                self.ways(edge).map(move |(_, to)| Position::new(mode(to), cell))
            };
            numbered().filter(|&(number, _)| self.before(number).is_empty()).flat_map(choose).collect()
        };
        let rules = RulesSpec {
            modes: self.vertices.clone(),
            moves: (0..modes).flat_map(steps_from).collect(),
            terminal: play.terminal(),
            start: match start {
                Some(vertex) => Start::At(Position::new(mode(vertex), Board::EMPTY)),
                None => Start::Opening(opening()),
            },
            ..RulesSpec::new(name, cells)
        };
        rules.build()
    }

    /// Returns whether `position` is reachable: a walk exists that uses each filled edge once and ends at the
    /// position's vertex. The walk begins at `start`, or with any edge if `start` is `None`.
    ///
    /// By Euler's theorem such a walk exists exactly if the edges are connected and the degrees are right. The *surplus* of
    /// a vertex is its out-degree minus its in-degree (in an undirected graph its degree, modulo 2). A walk from s to t ≠ s
    /// gives s the surplus 1, t the surplus -1 and every other vertex 0. A closed walk gives every vertex 0. So if one
    /// departure from t is added, exactly one vertex has a surplus, and the walk begins there.
    #[must_use]
    pub fn reaches(&self, start: Option<usize>, position: Position) -> bool {
        let end = usize::from(position.mode.0);
        if position.board.is_empty() {
            return start == Some(end);
        }
        if self.walked(position.board).any(|(number, _)| !position.board.contains(self.before(number))) {
            return false;
        }
        let mut surplus = vec![0i64; self.vertices.len()];
        let mut components = Components::new(self.vertices.len());
        for (_, edge) in self.walked(position.board) {
            surplus[edge.from] += 1;
            surplus[edge.to] += if self.directed { -1 } else { 1 };
            components.join(edge.from, edge.to);
        }
        let Some(departures) = surplus.get_mut(end) else { return false };
        *departures += 1;
        let has_surplus = |&surplus: &i64| if self.directed { surplus != 0 } else { surplus % 2 != 0 };
        let mut with_surplus = (0..surplus.len()).filter(|&vertex| has_surplus(&surplus[vertex]));
        let (Some(first), None) = (with_surplus.next(), with_surplus.next()) else { return false };
        // The surpluses sum to 1, the added departure. So if only one vertex has a surplus, it is +1.
        let mut walked = self.walked(position.board);
        let is_connected = walked.all(|(_, edge)| components.find(edge.from) == components.find(end));
        is_connected && start.is_none_or(|start| start == first)
    }
}

/// The connected components of a graph, as a union-find forest.
struct Components(Vec<usize>);

impl Components {
    fn new(vertices: usize) -> Self {
        Self((0..vertices).collect())
    }

    fn find(&self, mut vertex: usize) -> usize {
        while self.0[vertex] != vertex {
            vertex = self.0[vertex];
        }
        vertex
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::Outcome;
    use proptest::prelude::*;

    fn graph(directed: bool, ends: &[(u8, u8)]) -> Graph {
        let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
        // Each vertex gets its own number, even without edges.
        (0..5).for_each(|vertex| _ = graph.add_vertex(&vertex.to_string()));
        for (number, (from, to)) in ends.iter().enumerate() {
            graph.add_edge(format!("e{number}"), &from.to_string(), &to.to_string());
        }
        graph
    }

    /// (mode, cells, next) of each move.
    fn moves(rules: &Rules) -> Vec<(u16, u64, u16)> {
        rules.moves().iter().map(|m| (m.mode.0, m.fills.low_word(), m.next.0)).collect()
    }

    #[test]
    fn directed_undirected_and_loop_edges_make_moves() {
        let ends = [(0, 1), (1, 1), (2, 1)];
        let undirected = graph(false, &ends).rules("g", Play::Normal, None).unwrap();
        assert_eq!(moves(&undirected), [(0, 4, 1), (1, 4, 0), (1, 2, 1), (1, 1, 2), (2, 1, 1)]);
        let Start::Opening(choices) = undirected.start() else { panic!("an opening") };
        let choices: Vec<_> = choices.iter().map(|p| (p.mode.0, p.board.low_word())).collect();
        assert_eq!(choices, [(1, 4), (0, 4), (1, 2), (1, 1), (2, 1)]);

        let directed = graph(true, &ends).rules("g", Play::Misere, Some(2)).unwrap();
        assert_eq!(moves(&directed), [(0, 4, 1), (1, 2, 1), (2, 1, 1)]);
        assert_eq!(directed.start(), &Start::At(Position::new(Mode(2), Board::EMPTY)));
        assert_eq!((undirected.terminal(), directed.terminal()), (Outcome::Loss, Outcome::Win));
    }

    /// Only the first of several parallel edges can open. In an undirected graph the order of the ends does not matter.
    #[test]
    fn interchangeable_edges_are_walked_in_their_order() {
        let ends = [(0, 1), (1, 0), (2, 2), (0, 1), (2, 2)];
        let conditions = |directed| {
            let rules = graph(directed, &ends).interchangeable().rules("g", Play::Normal, None).unwrap();
            let Start::Opening(choices) = rules.start() else { panic!("an opening") };
            let moves: Vec<_> = rules.moves().iter().map(|m| (m.fills.low_word(), m.full.low_word())).collect();
            (moves, choices.iter().map(|p| p.board.low_word()).collect::<Vec<_>>())
        };
        let loops = [(4, 0), (1, 4)];
        let directed = [&[(16, 0), (2, 16), (8, 0)][..], &loops].concat();
        assert_eq!(conditions(true), (directed, vec![16, 8, 4]));
        let either_way = [(16, 0), (8, 16), (2, 24)];
        assert_eq!(conditions(false), ([&either_way[..], &either_way, &loops].concat(), vec![16, 16, 4]));
    }

    #[test]
    fn sizes_that_are_refused() {
        let refusal = |graph: &Graph| graph.rules("g", Play::Normal, None).unwrap_err().to_string();
        assert!(refusal(&graph(false, &[])).contains("a board of 1 to 128 cells, found 0"));
        assert!(refusal(&graph(false, &[(0, 1); 129])).contains("a board of 1 to 128 cells, found 129"));
        let mut wide = graph(false, &[(0, 1)]);
        (0..70_000).for_each(|_| wide.vertices.push("v".into()));
        assert!(refusal(&wide).contains("modes, found 70005"));
        let start = graph(false, &[(0, 1)]).rules("g", Play::Normal, Some(9)).unwrap_err().to_string();
        assert!(start.contains("mode 9"), "{start}");
    }

    #[test]
    fn positions_that_no_walk_reaches() {
        let path = graph(false, &[(0, 1), (1, 2), (2, 3)]);
        let reaches = |start, vertex, board| path.reaches(start, Position::new(Mode(vertex), Board::from_word(board)));
        assert!(reaches(None, 3, 0b111) && reaches(None, 0, 0b111) && !reaches(None, 1, 0b111));
        assert!(!reaches(None, 3, 0b101) && !reaches(None, 4, 0b111) && !reaches(None, 99, 0b111));
        assert!(reaches(Some(0), 3, 0b111) && !reaches(Some(3), 3, 0b111));
        assert!(!reaches(None, 0, 0) && reaches(Some(0), 0, 0) && !reaches(Some(0), 1, 0));
    }

    /// Every reachable position, found by play.
    fn played(rules: &Rules) -> HashSet<Position> {
        let mut found = HashSet::new();
        let mut next = match rules.start() {
            Start::At(position) => vec![*position],
            Start::Opening(choices) => choices.clone(),
        };
        while let Some(position) = next.pop() {
            if found.insert(position) {
                next.extend(rules.moves_from(position).map(|m| m.play(position)));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn reaches_agrees_with_play(
            directed: bool,
            interchangeable: bool,
            ends in prop::collection::vec((0u8..5, 0u8..5), 1..8),
            start in prop::option::of(0usize..5),
        ) {
            let graph = graph(directed, &ends);
            let graph = if interchangeable { graph.interchangeable() } else { graph };
            let rules = graph.rules("g", Play::Normal, start).unwrap();
            let played = played(&rules);
            for board in 0..1 << ends.len() {
                for mode in 0..5 {
                    let position = Position::new(Mode(mode), Board::from_word(board));
                    prop_assert_eq!(graph.reaches(start, position), played.contains(&position), "{:?}", position);
                }
            }
        }
    }
}
