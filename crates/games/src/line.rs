//! The notation that games of edge geography share: a line of play, or a set of walked edges and the current vertex.
//!
//! ```text
//! 0-1 1-3           a line: the edges in the order in which they were walked, each turned to fit the one before
//! {0-1,1-3} 3       a set of walked edges and the current vertex; the order is left open
//! {} 3              no edge walked, the current vertex is 3
//! {}                no edge walked, at the start of the game; the empty text means the same
//! ```
//!
//! **Direction of the first edge.** If the game starts at a given vertex, the first edge is walked from there.
//! Otherwise the reader tries both directions and takes the one in which the whole line fits: `1-0 1-3` is the same
//! line as `0-1 1-3`. If both fit, all edges of the line join the same two vertices (usually there is just one edge).
//! Then the first edge is walked as written: `1-0` alone leads to 0. In a graph without parallel edges, a second edge
//! always decides.

use super::error::Fault;
use super::{Drawing, Graph, NotationError, Reading, position_of, winner};
use crate::rules::{Board, Mode, Node, Outcome, Position, Rules};

/// A game's own words for the parts of its graph, used in messages.
pub(super) struct Words {
    /// An edge.
    pub(super) edge: &'static str,
    /// The current vertex.
    pub(super) vertex: &'static str,
    /// An edge that can be walked next; the name of the current vertex follows.
    pub(super) fits: &'static str,
    /// A walk.
    pub(super) line: &'static str,
    /// The participle for a walked edge.
    pub(super) walked: &'static str,
}

/// The meaning of an edge's name in a text.
pub(super) struct Named {
    /// The edges that have this name. The name means the first of them that has not been walked.
    pub(super) edges: Vec<usize>,
    /// The ends in the order in which they are written; `None` if the name does not contain its ends.
    pub(super) ends: Option<(usize, usize)>,
}

/// A step of a walk: an edge, and the vertices from which and to which it is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WalkStep {
    pub(super) edge: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The notation of the game on one graph.
pub(super) struct Line<'a> {
    pub(super) graph: &'a Graph,
    pub(super) rules: &'a Rules,
    pub(super) start: Option<usize>,
    pub(super) words: &'static Words,
}

impl<'a> Line<'a> {
    /// Reads a line of play, or a set and a vertex. `resolve` finds the edge that a text names. `draw` draws a line of
    /// at least one step.
    pub(super) fn read(
        &self,
        text: &str,
        resolve: impl Fn(&str) -> Result<Named, Fault>,
        draw: impl Fn(&[WalkStep]) -> Drawing,
    ) -> Result<Reading, NotationError> {
        let read = || match text.trim().strip_prefix('{') {
            Some(set) => self.read_set(set, resolve).map(Reading::from),
            None => {
                let edges = text.split_whitespace().map(|text| Ok((text.to_owned(), resolve(text)?)));
                self.read_line(edges.collect::<Result<_, Fault>>()?, draw)
            }
        };
        read().map_err(|fault| fault.about(text))
    }

    /// The node to which a line of edges leads. Each edge comes with its text.
    pub(super) fn read_line(
        &self,
        edges: Vec<(String, Named)>,
        draw: impl Fn(&[WalkStep]) -> Drawing,
    ) -> Result<Reading, Fault> {
        let Some((_, first)) = edges.first() else { return Ok(self.rules.start_node().into()) };
        let ends = first.ends;
        let (texts, named): (Vec<_>, Vec<_>) = edges.into_iter().unzip();
        let chosen = self.choose(&texts, named)?;
        let edge = &self.graph.edges()[chosen[0]];
        let mut starts: Vec<usize> = match self.start {
            Some(start) => vec![start],
            None => self.graph.ways(edge).map(|(from, _)| from).collect(),
        };
        if ends.is_some_and(|(from, _)| starts.first() != Some(&from)) {
            starts.reverse();
        }
        let walks: Vec<_> = starts.iter().map(|&start| self.walk(start, &chosen)).collect();
        if let Some(Ok(steps)) = walks.iter().find(|walk| walk.is_ok()) {
            let board = chosen.iter().map(|&edge| self.graph.cell(edge)).collect();
            let end = steps.last().map_or(0, |step| step.to);
            return Ok(Reading { drawn: Some(draw(steps)), ..self.at(end, board).into() });
        }
        // The error is about the walk that came furthest. If both walks stopped at the same edge, the error names both
        // vertices.
        let stops = || walks.iter().filter_map(|walk| walk.as_ref().err());
        let furthest = stops().map(|stop| stop.0).max().unwrap_or_default();
        let mut wanted: Vec<&str> =
            stops().filter(|stop| stop.0 == furthest).map(|stop| self.graph.vertices()[stop.1].as_str()).collect();
        wanted.dedup();
        let expected = format!("{} {}", self.words.fits, wanted.join(" or "));
        Err(Fault::new(expected, format!("{:?} as {} {}", texts[furthest], self.words.edge, furthest + 1)))
    }

    /// The edge that each text means: the first edge with that name that no earlier text means.
    fn choose(&self, texts: &[String], named: Vec<Named>) -> Result<Vec<usize>, Fault> {
        let mut chosen: Vec<usize> = Vec::with_capacity(named.len());
        for (text, named) in texts.iter().zip(named) {
            match named.edges.iter().find(|edge| !chosen.contains(edge)) {
                Some(&edge) => chosen.push(edge),
                None => {
                    let Words { edge, walked, .. } = self.words;
                    return Err(Fault::new(format!("each {edge} {walked} once"), format!("{text:?} a second time")));
                }
            }
        }
        Ok(chosen)
    }

    /// The steps from `at` along `edges`. The error is the index of the first edge that cannot be walked, and the
    /// vertex before it.
    fn walk(&self, mut at: usize, edges: &[usize]) -> Result<Vec<WalkStep>, (usize, usize)> {
        let step = |(index, &edge): (usize, &usize)| {
            let from = at;
            at = self.graph.across(&self.graph.edges()[edge], from).ok_or((index, from))?;
            Ok(WalkStep { edge, from, to: at })
        };
        edges.iter().enumerate().map(step).collect()
    }

    /// Reads the text after the opening brace of a set.
    fn read_set(&self, text: &str, resolve: impl Fn(&str) -> Result<Named, Fault>) -> Result<Node, Fault> {
        let Words { edge, vertex, .. } = self.words;
        let Some((set, end)) = text.split_once('}') else {
            return Err(Fault::new(format!("a }} after the last {edge} of a set"), "none"));
        };
        let (set, end) = (set.trim(), end.trim());
        let texts: Vec<String> = match set {
            "" => Vec::new(),
            _ => set.split(',').map(|text| text.trim().to_owned()).collect(),
        };
        let named = texts.iter().map(|text| resolve(text)).collect::<Result<_, Fault>>()?;
        let chosen = self.choose(&texts, named)?;
        if end.is_empty() && chosen.is_empty() {
            return Ok(self.rules.start_node());
        }
        let board = chosen.iter().map(|&edge| self.graph.cell(edge)).collect();
        match self.graph.find_vertex(end) {
            Some(end) => Ok(self.at(end, board).into()),
            None if end.is_empty() => Err(Fault::new(format!("a {vertex} after the set"), "none")),
            None => {
                let names = self.graph.vertices().join(", ");
                Err(Fault::new(format!("a {vertex} after the set, one of {names}"), format!("{end:?}")))
            }
        }
    }

    fn at(&self, vertex: usize, board: Board) -> Position {
        // Every vertex is a mode of the rules, so its number fits.
        Position::new(Mode(u16::try_from(vertex).unwrap_or(u16::MAX)), board)
    }

    /// The canonical text of `node`: the set in the order of the cells, and the vertex.
    pub(super) fn write(&self, node: Node) -> String {
        let Node::At(position) = node else { return "{}".into() };
        let names: Vec<&str> = self.graph.walked(position.board).map(|(_, edge)| edge.name.as_str()).collect();
        format!("{{{}}} {}", names.join(","), self.vertex(position.mode))
    }

    /// The name of the vertex that is `mode`.
    pub(super) fn vertex(&self, mode: Mode) -> &'a str {
        self.graph.vertices().get(usize::from(mode.0)).map_or("?", String::as_str)
    }

    /// The step from `from` to `to`, if there is one.
    pub(super) fn step(&self, from: Node, to: Position) -> Option<WalkStep> {
        let (number, edge) = self.graph.walked(to.board & !position_of(from).board).next()?;
        let mut ways = self.graph.ways(edge);
        let (from, to) = ways.find(|&(_, end)| end == usize::from(to.mode.0))?;
        Some(WalkStep { edge: number, from, to })
    }

    /// The number of turns, and the players: first the player to move. Each turn walks one edge.
    fn turns(node: Node) -> (u32, [u32; 2]) {
        let turns = position_of(node).board.count();
        (turns, if turns.is_multiple_of(2) { [1, 2] } else { [2, 1] })
    }

    /// The names of the player to move and of the other.
    pub(super) fn players(node: Node) -> [String; 2] {
        Self::turns(node).1.map(|player| format!("player {player}"))
    }

    /// Remarks on a position: the winner, the player to move, and a note if the position is not reachable.
    pub(super) fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let Words { edge, vertex, line, walked, .. } = self.words;
        let position = match node {
            Node::At(position) => Some(position),
            Node::Opening => None,
        };
        let (turns, [mover, other]) = Self::turns(node);
        let winner = winner(outcome, [mover, other]).map(|player| format!("Player {player} wins"));
        let mut remarks = Vec::from_iter(winner);
        let many = if turns == 1 { "" } else { "s" };
        let mut turn = format!("{turns} {edge}{many} {walked}: it is player {mover}'s turn");
        if position.is_some_and(|position| self.rules.is_over(position)) {
            turn += &format!(", and no {edge} fits");
        }
        remarks.push(turn);
        if position.is_some_and(|position| !self.graph.reaches(self.start, position)) {
            remarks.push(format!("Unreachable: no {line} leads to this set and {vertex}"));
        }
        remarks
    }
}
