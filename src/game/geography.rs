//! Edge geography: a walk over the edges of a graph, each at most once, two players taking a step in turn.
//!
//! Dominoes, word chains and [`trail`](super::Trail) are this one game on different graphs. A cell is an edge, filled
//! once it has been walked; a mode is the vertex the walk has come to.

use super::Play;
use crate::rules::{Board, MAX_CELLS, MAX_MODES, Mode, Move, Position, Rules, RulesError, RulesSpec, Start};

/// A graph whose edges can be walked: either way where it is undirected, from the first end to the second where it is
/// directed. Loops and repeated edges are edges like any other.
///
/// ```
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
    /// Whether edges with the same ends are walked in their order.
    interchangeable: bool,
    vertices: Vec<String>,
    edges: Vec<Edge>,
}

/// An edge of a [`Graph`]. Vertices are counted from 0 in the order in which the graph met them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What people call it.
    pub name: String,
    /// Its first end.
    pub from: usize,
    /// Its second end.
    pub to: usize,
}

impl Graph {
    /// No vertex and no edge yet; each edge will be walked either way.
    #[must_use]
    pub const fn undirected() -> Self {
        Self { directed: false, interchangeable: false, vertices: Vec::new(), edges: Vec::new() }
    }

    /// No vertex and no edge yet; each edge will be walked from its first end to its second only.
    #[must_use]
    pub const fn directed() -> Self {
        Self { directed: true, interchangeable: false, vertices: Vec::new(), edges: Vec::new() }
    }

    /// A directed graph of `vertices`, with an edge without a name for each pair of their numbers in `ends`.
    pub(super) fn of_ends(vertices: Vec<String>, ends: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let edges = ends.into_iter().map(|(from, to)| Edge { name: String::new(), from, to });
        Self { vertices, edges: edges.collect(), ..Self::directed() }
    }

    /// The same graph, edges with the same ends being interchangeable: the k-th of them is walked after the k−1 before
    /// it, so that positions that differ in nothing but which of them were walked are one.
    #[must_use]
    pub(super) fn interchangeable(self) -> Self {
        Self { interchangeable: true, ..self }
    }

    /// The vertex called `name`, which is made where there is none.
    pub fn add_vertex(&mut self, name: &str) -> usize {
        self.find_vertex(name).unwrap_or_else(|| {
            self.vertices.push(name.into());
            self.vertices.len() - 1
        })
    }

    /// Adds an edge between the vertices called `from` and `to`, making those that are new. It is the next cell of the
    /// board.
    pub fn add_edge(&mut self, name: impl Into<String>, from: &str, to: &str) {
        let (from, to) = (self.add_vertex(from), self.add_vertex(to));
        self.edges.push(Edge { name: name.into(), from, to });
    }

    /// The vertex called `name`.
    #[must_use]
    pub fn find_vertex(&self, name: &str) -> Option<usize> {
        self.vertices.iter().position(|vertex| vertex == name)
    }

    /// Whether edges are walked one way only.
    #[must_use]
    pub const fn is_directed(&self) -> bool {
        self.directed
    }

    /// The names of the vertices: those of the modes.
    #[must_use]
    pub fn vertices(&self) -> &[String] {
        &self.vertices
    }

    /// The edges, in the order of the cells.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Where a step over `edge` leads from the vertex `at`; `None` where `edge` cannot be walked from there.
    #[must_use]
    pub fn across(&self, edge: &Edge, at: usize) -> Option<usize> {
        match (edge.from == at, !self.directed && edge.to == at) {
            (true, _) => Some(edge.to),
            (false, true) => Some(edge.from),
            (false, false) => None,
        }
    }

    /// The steps over `edge`, as pairs of the vertices they lead from and to: the way it was given first.
    pub fn ways(&self, edge: &Edge) -> impl Iterator<Item = (usize, usize)> + use<> {
        let back = !self.directed && edge.from != edge.to;
        let (from, to) = (edge.from, edge.to);
        std::iter::once((from, to)).chain(back.then_some((to, from)))
    }

    /// The cell of the edge with number `edge`: the first edge is the most significant bit of a board number.
    ///
    /// # Panics
    /// In debug builds where there is no such edge, or there are more than 64.
    #[must_use]
    pub fn cell(&self, edge: usize) -> Board {
        Board::at(edge as u32, self.edges.len() as u32)
    }

    /// The cells of the edges that a step from the vertex `from` to the vertex `to` can take, in their order.
    pub fn cells_between(&self, from: usize, to: usize) -> impl Iterator<Item = Board> {
        let edges = self.edges.iter().enumerate();
        edges.filter(move |(_, edge)| self.across(edge, from) == Some(to)).map(|(number, _)| self.cell(number))
    }

    /// The cells that must be filled before `edge` is walked: of interchangeable edges those before it.
    fn before(&self, edge: usize) -> Board {
        let Edge { from, to, .. } = self.edges[edge];
        let alike = self.cells_between(from, to).take_while(|&cell| cell != self.cell(edge));
        if self.interchangeable { alike.collect() } else { Board::EMPTY }
    }

    /// The edges whose cells are filled in `board`, with their numbers.
    pub fn walked(&self, board: Board) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(move |&(number, _)| board.contains(self.cell(number)))
    }

    /// The rules of walking this graph. `start` is the vertex the walk begins at; where it is `None`, the first player
    /// opens with any edge, walked whichever way it can be.
    ///
    /// Moves stand in the order of the vertices they are made from, and there in the order of the edges; so do the
    /// choices of an opening in the order of the edges, each the way it was given before the other.
    ///
    /// # Errors
    /// Where the graph has no edge or more than 64, or too many vertices, or names that rules cannot have.
    pub fn rules(&self, name: impl Into<String>, play: Play, start: Option<usize>) -> Result<Rules, RulesError> {
        let cells = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        if !(1..=MAX_CELLS).contains(&cells) {
            return Err(RulesError::Cells { cells });
        }
        // Past the limit a vertex may not fit a mode at all, so it is refused before modes are made.
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

    /// Whether some walk leads to `position`: it takes each filled edge once, ends at the position's vertex, and begins
    /// at `start`, or with any edge where `start` is `None`.
    ///
    /// By Euler's theorem such a walk exists exactly when the edges hang together and degrees allow it. Count for each
    /// vertex the edges that leave it less those that enter it (in an undirected graph: whether its edges are odd in
    /// number). A walk from s to t leaves s once more than it enters it and enters t once more than it leaves it, and
    /// is even everywhere else. So after one more departure from t all vertices but s are even, and s has one too many:
    /// the vertex that is left over is where the walk begins, be it t itself or another.
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
        let mut groups = Groups::new(self.vertices.len());
        for (_, edge) in self.walked(position.board) {
            surplus[edge.from] += 1;
            surplus[edge.to] += if self.directed { -1 } else { 1 };
            groups.join(edge.from, edge.to);
        }
        let Some(departures) = surplus.get_mut(end) else { return false };
        *departures += 1;
        let is_left_over = |&surplus: &i64| if self.directed { surplus != 0 } else { surplus % 2 != 0 };
        let mut left_over = (0..surplus.len()).filter(|&vertex| is_left_over(&surplus[vertex]));
        let (Some(first), None) = (left_over.next(), left_over.next()) else { return false };
        // Surpluses sum to nothing but the one departure, so a single one that is left over is +1.
        let hangs_together = self.walked(position.board).all(|(_, edge)| groups.find(edge.from) == groups.find(end));
        hangs_together && start.is_none_or(|start| start == first)
    }
}

/// Vertices that edges have joined, as a union of trees.
struct Groups(Vec<usize>);

impl Groups {
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
        // Every vertex in its place, those without edges too.
        (0..5).for_each(|vertex| _ = graph.add_vertex(&vertex.to_string()));
        for (number, (from, to)) in ends.iter().enumerate() {
            graph.add_edge(format!("e{number}"), &from.to_string(), &to.to_string());
        }
        graph
    }

    /// (mode, cells, next) of each move.
    fn moves(rules: &Rules) -> Vec<(u16, u64, u16)> {
        rules.moves().iter().map(|m| (m.mode.0, m.fills.0, m.next.0)).collect()
    }

    #[test]
    fn an_edge_is_a_step_either_way_or_one_way_and_a_loop_is_one() {
        let ends = [(0, 1), (1, 1), (2, 1)];
        let undirected = graph(false, &ends).rules("g", Play::Normal, None).unwrap();
        assert_eq!(moves(&undirected), [(0, 4, 1), (1, 4, 0), (1, 2, 1), (1, 1, 2), (2, 1, 1)]);
        let Start::Opening(choices) = undirected.start() else { panic!("an opening") };
        let choices: Vec<_> = choices.iter().map(|p| (p.mode.0, p.board.0)).collect();
        assert_eq!(choices, [(1, 4), (0, 4), (1, 2), (1, 1), (2, 1)]);

        let directed = graph(true, &ends).rules("g", Play::Misere, Some(2)).unwrap();
        assert_eq!(moves(&directed), [(0, 4, 1), (1, 2, 1), (2, 1, 1)]);
        assert_eq!(directed.start(), &Start::At(Position::new(Mode(2), Board::EMPTY)));
        assert_eq!((undirected.terminal(), directed.terminal()), (Outcome::Loss, Outcome::Win));
    }

    /// Of edges alike, given either way round where that makes no difference, the first alone opens.
    #[test]
    fn interchangeable_edges_are_walked_in_their_order() {
        let ends = [(0, 1), (1, 0), (2, 2), (0, 1), (2, 2)];
        let conditions = |directed| {
            let rules = graph(directed, &ends).interchangeable().rules("g", Play::Normal, None).unwrap();
            let Start::Opening(choices) = rules.start() else { panic!("an opening") };
            let moves: Vec<_> = rules.moves().iter().map(|m| (m.fills.0, m.full.0)).collect();
            (moves, choices.iter().map(|p| p.board.0).collect::<Vec<_>>())
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
        assert!(refusal(&graph(false, &[])).contains("a board of 0 cells"));
        assert!(refusal(&graph(false, &[(0, 1); 65])).contains("a board of 65 cells"));
        let mut wide = graph(false, &[(0, 1)]);
        (0..70_000).for_each(|_| wide.vertices.push("v".into()));
        assert!(refusal(&wide).contains("70005 modes"));
        let start = graph(false, &[(0, 1)]).rules("g", Play::Normal, Some(9)).unwrap_err().to_string();
        assert!(start.contains("mode 9"), "{start}");
    }

    #[test]
    fn positions_that_no_walk_reaches() {
        let path = graph(false, &[(0, 1), (1, 2), (2, 3)]);
        let reaches = |start, vertex, board| path.reaches(start, Position::new(Mode(vertex), Board(board)));
        assert!(reaches(None, 3, 0b111) && reaches(None, 0, 0b111) && !reaches(None, 1, 0b111));
        assert!(!reaches(None, 3, 0b101) && !reaches(None, 4, 0b111) && !reaches(None, 99, 0b111));
        assert!(reaches(Some(0), 3, 0b111) && !reaches(Some(3), 3, 0b111));
        assert!(!reaches(None, 0, 0) && reaches(Some(0), 0, 0) && !reaches(Some(0), 1, 0));
    }

    /// Every position that play by the rules comes to.
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
        fn what_is_reached_is_what_play_reaches(
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
                    let position = Position::new(Mode(mode), Board(board));
                    prop_assert_eq!(graph.reaches(start, position), played.contains(&position), "{:?}", position);
                }
            }
        }
    }
}
