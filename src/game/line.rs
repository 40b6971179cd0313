//! The notation that games of edge geography share: a line of play, or what has been walked and where the walk stands.
//!
//! ```text
//! 0-1 1-3           a line: edges in the order in which they were walked, each turned to fit the one before
//! {0-1,1-3} 3       a set and the vertex the walk has come to, whatever the order was
//! {} 3              nothing walked, standing at 3
//! {}                nothing walked, standing where the game begins; the empty text says the same
//! ```
//!
//! **Which way the first edge was walked.** Where the game begins at a given vertex, from there. Elsewhere both ways are
//! tried, and the one that lets the whole line fit is meant; that is `0-1` in `1-0 1-3` as in `0-1 1-3`. Where both fit,
//! the line is one of edges between the same two vertices only (a single edge, most often), and the first one was walked
//! as it is written: `1-0` alone has come to 0. Tiles of a domino set are all different, so there a second tile always
//! decides.

use super::{Drawing, Graph, NotationError, Reading};
use crate::rules::{Board, Mode, Node, Outcome, Position, Rules};

/// What a game calls the parts of its graph, so that it is told of in its own words.
pub(super) struct Words {
    /// An edge: `tile`.
    pub(super) edge: &'static str,
    /// The vertex the walk stands at: `tail`.
    pub(super) vertex: &'static str,
    /// An edge that can follow, up to the vertex: `a tile that holds the tail`.
    pub(super) fits: &'static str,
    /// A walk: `line of play`.
    pub(super) line: &'static str,
    /// Walked: `played`.
    pub(super) walked: &'static str,
}

/// An edge as a text names it.
pub(super) struct Named {
    /// The edges it can be; the first that has not been walked is meant.
    pub(super) edges: Vec<usize>,
    /// Its ends in the order in which they are written, where they are.
    pub(super) ends: Option<(usize, usize)>,
}

/// A step of a walk: the edge taken, the vertex it leads from and the one it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) edge: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// What was expected, and what was found instead.
pub(super) type Fault = (String, String);

/// The notation of one graph's game.
pub(super) struct Line<'a> {
    pub(super) graph: &'a Graph,
    pub(super) rules: &'a Rules,
    pub(super) start: Option<usize>,
    pub(super) words: &'static Words,
}

impl<'a> Line<'a> {
    /// Reads a line of play or a set and a vertex, asking `resolve` what each edge's text names. A line of one step or
    /// more is drawn by `draw`.
    pub(super) fn read(
        &self,
        text: &str,
        resolve: impl Fn(&str) -> Result<Named, Fault>,
        draw: impl Fn(&[Step]) -> Drawing,
    ) -> Result<Reading, NotationError> {
        let read = || match text.trim().strip_prefix('{') {
            Some(set) => self.read_set(set, resolve).map(Reading::from),
            None => {
                let edges = text.split_whitespace().map(|text| Ok((text.to_owned(), resolve(text)?)));
                self.read_line(edges.collect::<Result<_, Fault>>()?, draw)
            }
        };
        read().map_err(|(expected, found)| NotationError::new(text, expected, found))
    }

    /// The place a line of edges leads to, each with its text.
    pub(super) fn read_line(
        &self,
        edges: Vec<(String, Named)>,
        draw: impl Fn(&[Step]) -> Drawing,
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
        // What stopped the walk that came furthest; where both stopped at once, either vertex would have done.
        let stops = || walks.iter().filter_map(|walk| walk.as_ref().err());
        let furthest = stops().map(|stop| stop.0).max().unwrap_or_default();
        let mut wanted: Vec<&str> =
            stops().filter(|stop| stop.0 == furthest).map(|stop| self.graph.vertices()[stop.1].as_str()).collect();
        wanted.dedup();
        let expected = format!("{} {}", self.words.fits, wanted.join(" or "));
        Err((expected, format!("{:?} as {} {}", texts[furthest], self.words.edge, furthest + 1)))
    }

    /// The edge that each text means: the first of those it can be that no earlier text means.
    fn choose(&self, texts: &[String], named: Vec<Named>) -> Result<Vec<usize>, Fault> {
        let mut chosen: Vec<usize> = Vec::with_capacity(named.len());
        for (text, named) in texts.iter().zip(named) {
            match named.edges.iter().find(|edge| !chosen.contains(edge)) {
                Some(&edge) => chosen.push(edge),
                None => {
                    let Words { edge, walked, .. } = self.words;
                    return Err((format!("each {edge} {walked} once"), format!("{text:?} a second time")));
                }
            }
        }
        Ok(chosen)
    }

    /// The steps from `at` over `edges`, or the number of the edge that cannot be walked and the vertex before it.
    fn walk(&self, mut at: usize, edges: &[usize]) -> Result<Vec<Step>, (usize, usize)> {
        let step = |(number, &edge): (usize, &usize)| {
            let from = at;
            at = self.graph.across(&self.graph.edges()[edge], from).ok_or((number, from))?;
            Ok(Step { edge, from, to: at })
        };
        edges.iter().enumerate().map(step).collect()
    }

    /// Reads what follows the opening brace of a set.
    fn read_set(&self, text: &str, resolve: impl Fn(&str) -> Result<Named, Fault>) -> Result<Node, Fault> {
        let Words { edge, vertex, .. } = self.words;
        let Some((set, end)) = text.split_once('}') else {
            return Err((format!("a }} behind the last {edge} of a set"), "none".into()));
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
            None if end.is_empty() => Err((format!("a {vertex} behind the set"), "none".into())),
            None => {
                let names = self.graph.vertices().join(", ");
                Err((format!("a {vertex} behind the set, one of {names}"), format!("{end:?}")))
            }
        }
    }

    fn at(&self, vertex: usize, board: Board) -> Position {
        // A graph of rules has no more vertices than modes can number.
        Position::new(Mode(u16::try_from(vertex).unwrap_or(u16::MAX)), board)
    }

    /// The canonical text of `node`: the set in the order of the cells, then the vertex.
    pub(super) fn write(&self, node: Node) -> String {
        let Node::At(position) = node else { return "{}".into() };
        let names: Vec<&str> = self.graph.walked(position.board).map(|(_, edge)| edge.name.as_str()).collect();
        format!("{{{}}} {}", names.join(","), self.vertex(position.mode))
    }

    /// The name of the vertex that `mode` is.
    pub(super) fn vertex(&self, mode: Mode) -> &'a str {
        self.graph.vertices().get(usize::from(mode.0)).map_or("?", String::as_str)
    }

    /// The step that leads from `from` to `to`, where one does.
    pub(super) fn step(&self, from: Node, to: Position) -> Option<Step> {
        let before = match from {
            Node::Opening => Board::EMPTY,
            Node::At(position) => position.board,
        };
        let (number, edge) = self.graph.walked(to.board & !before).next()?;
        let mut ways = self.graph.ways(edge);
        let (from, to) = ways.find(|&(_, end)| end == usize::from(to.mode.0))?;
        Some(Step { edge: number, from, to })
    }

    /// Who wins, whose turn it is, and whether play can come here at all. Each turn walks one edge, so that the number
    /// of walked edges says whose turn it is.
    pub(super) fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let Words { edge, vertex, line, walked, .. } = self.words;
        let position = match node {
            Node::At(position) => Some(position),
            Node::Opening => None,
        };
        let turns = position.map_or(0, |position| position.board.count());
        let (mover, other) = if turns % 2 == 0 { (1, 2) } else { (2, 1) };
        let mut remarks = Vec::new();
        match outcome {
            Outcome::Win => remarks.push(format!("Player {mover} wins")),
            Outcome::Loss => remarks.push(format!("Player {other} wins")),
            Outcome::Draw => {}
        }
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
