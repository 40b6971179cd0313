//! Trail: edge geography on any graph that a user provides.

mod graph_file;

use super::error::Fault;
use super::line::{Line, Named, WalkStep, Words};
use super::{
    Drawing, Family, Game, GameError, Graph, Kind, NotationError, ParameterSpec, Parameters, Play, Reading, Scene,
};
use crate::rules::{Board, Descriptor, Node, Outcome, Position, Rules};

/// The family of Trail.
pub(super) const FAMILY: Family = Family {
    name: "trail",
    title: "Trail",
    rules_name: "",
    kind: Kind::Lines,
    also: &["edge geography"],
    summary: "walk along the edges of a graph, each at most once, one step per turn; the player who cannot continue loses (edge geography)",
    rules: "A token stands on a vertex of a graph. The players take turns to move it along an edge to another vertex. Each edge \
            is walked at most once. The player who cannot continue loses. Unless a vertex is given, the first player also \
            chooses where to begin.",
    notation: "the edges in the order walked, by label or by ends, a-b b-c; or the walked edges and the vertex, {a-b,b-c} c",
    example: "a-b b-c",
    parameters: &[
        ParameterSpec::file(
            graph_file::PARAMETER,
            SAMPLE,
            "the graph, one edge per line: its two ends and, if it has one, its label",
        ),
        ParameterSpec::flag("directed", "edges lead from the first end to the second only"),
        ParameterSpec::word(
            "start",
            "V",
            "the vertex where the walk begins; without it the first player opens with any edge",
        ),
        ParameterSpec::play(Play::Normal, "the player who makes the last move wins (normal) or loses (misere)"),
    ],
    variants: &[],
    large: &[],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Trail::from_parameters(parameters)?)),
};

/// A sample graph: the house of Saint Nicholas, which can be drawn in one line.
const SAMPLE: &str = "a b\nb c\nc d\nd a\na c\nb d\nd e\ne c\n";

static WORDS: Words = Words {
    edge: "edge",
    vertex: "vertex",
    fits: "an edge that leads on from the vertex",
    line: "walk",
    walked: "walked",
};

/// Edge geography on any graph of at most 128 edges.
///
/// Without a start, the first player *opens with any edge*, in any direction it can be walked in. The first player does
/// not choose a vertex to move from: the opening edge is the first turn, and the second player moves next.
///
/// A graph file has one edge per line, `u v` or `u v label`, separated by blanks or tabs. A word that begins with `#`
/// starts a comment. A vertex exists as soon as an edge names it. An edge without a label is called `u-v`. If several
/// such edges join the same two vertices, they are called `u-v#1`, `u-v#2` and so on. A position may also name an edge
/// by its ends, in either order if the graph is undirected. If several edges have these ends, the name means the first
/// edge that has not been walked.
pub struct Trail {
    graph: Graph,
    start: Option<usize>,
    play: Play,
    rules: Rules,
}

impl Trail {
    /// The game on `graph`. The walk begins at the vertex `start`, or with any edge if there is no start.
    ///
    /// The name of the rules contains the number of edges and a digest of the graph and the start, so games are equal
    /// if their names are.
    ///
    /// # Errors
    /// If the graph has no edge or more than 128, if it has no vertex `start`, or if two edges share a name.
    pub fn new(graph: Graph, start: Option<&str>, play: Play) -> Result<Self, GameError> {
        let bad_start = |name: &str| GameError::Value {
            parameter: "start",
            expected: format!("a vertex of the graph, one of {}", graph.vertices().join(", ")),
            found: name.into(),
        };
        let start = match start {
            None => None,
            Some(name) => Some(graph.find_vertex(name).ok_or_else(|| bad_start(name))?),
        };
        graph_file::check_names(&graph)?;
        let from = start.map_or("", |start| graph.vertices()[start].as_str());
        let content = format!("{}\n{from}\n{}", graph.is_directed(), graph_file::write(&graph));
        let digest = &blake3::hash(content.as_bytes()).to_hex()[..12];
        let name = format!("trail-{}e-{digest}-{}", graph.edges().len(), play.name());
        let rules = graph.rules(name, play, start)?;
        Ok(Self { graph, start, play, rules })
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let missing = GameError::Missing { family: FAMILY.name, parameter: graph_file::PARAMETER };
        let text = parameters.get(graph_file::PARAMETER).ok_or(missing)?;
        let graph = graph_file::read(text, parameters.flag("directed")?)?;
        Self::new(graph, parameters.get("start"), parameters.play(Play::Normal)?)
    }

    /// The graph.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    const fn line(&self) -> Line<'_> {
        Line { graph: &self.graph, rules: &self.rules, start: self.start, words: &WORDS }
    }

    /// The edges that `text` can mean.
    fn resolve(&self, text: &str) -> Result<Named, Fault> {
        let ends_of = |(from, to): (usize, usize)| {
            let vertices = self.graph.vertices();
            format!("{}-{}", vertices[from], vertices[to])
        };
        let edges = || self.graph.edges().iter().enumerate();
        let way = |edge| self.graph.ways(edge).find(|&ways| ends_of(ways) == text);
        let by_ends: Vec<usize> = edges().filter(|(_, edge)| way(edge).is_some()).map(|(number, _)| number).collect();
        // A label that looks like the ends of other edges still names its own edge.
        let by_name = edges().find(|(number, edge)| edge.name == text && !by_ends.contains(number));
        match (by_name, by_ends.first()) {
            (Some((number, _)), _) => Ok(Named { edges: vec![number], ends: None }),
            (None, Some(&first)) => Ok(Named { ends: way(&self.graph.edges()[first]), edges: by_ends }),
            (None, None) => {
                Err(Fault::new("an edge of the graph, by its label or by its ends u-v", format!("{text:?}")))
            }
        }
    }
}

impl Game for Trail {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The graph in canonical form, so that comments and blanks in the file do not change the table.
    fn descriptor(&self) -> Descriptor {
        let graph = Parameters::new().with(graph_file::PARAMETER, graph_file::write(&self.graph));
        let mut parameters = graph.with("directed", self.graph.is_directed());
        if let Some(start) = self.start {
            parameters.set("start", &self.graph.vertices()[start]);
        }
        parameters.with("play", self.play.name()).describing(FAMILY.name)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let vertices = self.graph.vertices();
        let draw = |steps: &[WalkStep]| {
            let first = steps.first().map_or("", |step| vertices[step.from].as_str());
            Drawing::from(steps.iter().fold(first.to_owned(), |drawn, step| drawn + " > " + &vertices[step.to]))
        };
        self.line().read(text, |text| self.resolve(text), draw)
    }

    fn write(&self, node: Node) -> String {
        self.line().write(node)
    }

    /// The name of the edge. An opening edge that can be walked both ways also names the vertex it leads to.
    fn write_move(&self, from: Node, to: Position) -> String {
        let Some(step) = self.line().step(from, to) else { return self.write(to.into()) };
        let edge = &self.graph.edges()[step.edge];
        let open = from == Node::Opening && self.graph.ways(edge).count() > 1;
        if open { format!("{} to {}", edge.name, self.line().vertex(to.mode)) } else { edge.name.clone() }
    }

    /// Accepts the edge by its ends, in either order if the graph is undirected, and at the opening in the walked
    /// order.
    fn other_names(&self, text: &str) -> Vec<String> {
        let (name, to) = text.split_once(" to ").map_or((text, None), |(name, to)| (name, Some(to)));
        let vertices = self.graph.vertices();
        let named = self.graph.edges().iter().filter(|edge| edge.name == name);
        let ways =
            named.flat_map(|edge| self.graph.ways(edge)).filter(|&(_, end)| to.is_none_or(|to| vertices[end] == to));
        let names = ways.map(|(from, to)| format!("{}-{}", vertices[from], vertices[to]));
        names.filter(|name| name != text).collect()
    }

    fn draw(&self, node: Node) -> String {
        let (board, at) = match node {
            Node::Opening => (Board::EMPTY, "anywhere"),
            Node::At(position) => (position.board, self.line().vertex(position.mode)),
        };
        let list = |board| match self.graph.walked(board).map(|(_, edge)| edge.name.as_str()).collect::<Vec<_>>() {
            names if names.is_empty() => "none".to_owned(),
            names => names.join(" "),
        };
        format!("walked  {}\nleft    {}\nat      {at}", list(board), list(!board))
    }

    fn scene(&self) -> Scene {
        Scene::graph(&self.graph)
    }

    fn players(&self, node: Node) -> Option<[String; 2]> {
        Some(Line::players(node))
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        self.line().remarks(node, outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::{Mode, Start};

    const SQUARE: &str =
        "# a square with a loop and a double side\r\na b\r\n\r\nb c top # the top\n\tc d\nd a\nd a\nb b\n";

    fn make(graph: &str) -> Result<Trail, String> {
        Trail::from_parameters(&Parameters::new().with("graph", graph)).map_err(|e| e.to_string())
    }

    fn node(game: &Trail, text: &str) -> Result<(String, u64), String> {
        match game.read(text).map_err(|e| e.to_string())?.node {
            Node::At(p) => Ok((game.line().vertex(p.mode).to_owned(), p.board.low_word())),
            Node::Opening => Ok(("opening".into(), 0)),
        }
    }

    #[test]
    fn a_graph_makes_rules_by_its_edges() {
        let game = make(SQUARE).unwrap();
        assert_eq!(game.rules().modes(), ["a", "b", "c", "d"]);
        assert!(game.rules().name().starts_with("trail-6e-") && game.rules().name().ends_with("-normal"));
        assert!(matches!(game.rules().start(), Start::Opening(choices) if choices.len() == 11));
    }

    #[test]
    fn parameters_that_are_refused() {
        let refusal = |parameters: Parameters| Trail::from_parameters(&parameters).err().expect("refused").to_string();
        assert_eq!(refusal(Parameters::new()), "trail needs the parameter graph");
        let edge = Parameters::new().with("graph", "a b");
        let start = refusal(edge.clone().with("start", "z"));
        assert_eq!(start, "start: expected a vertex of the graph, one of a, b, found \"z\"");
        assert!(refusal(edge.with("directed", "maybe")).contains("true or false"));
        let mut graph = Graph::undirected();
        ["a", "b"].iter().for_each(|to| graph.add_edge("x", "a", to));
        let repeated = Trail::new(graph, None, Play::Normal).err().expect("refused").to_string();
        assert!(repeated.contains("expected a name that no other edge has, found \"x\" again"), "{repeated}");
    }

    #[test]
    fn equal_names_mean_equal_rules() {
        let name = |text: &str, option: (&str, &str)| {
            let parameters = Parameters::new().with("graph", text).with(option.0, option.1);
            Trail::from_parameters(&parameters).unwrap().rules().name().to_owned()
        };
        let plain = ("play", "normal");
        let same = ["a b\nb c", "\u{feff}# x\na  b\r\nb\tc # y\n\n", "a b a-b\nb c b-c"].map(|text| name(text, plain));
        assert!(same.iter().all(|other| other == &same[0]));
        let other = [name("a b\nc b", plain), name("b c\na b", plain), name("a b x\nb c", plain)];
        let options = [("play", "misere"), ("directed", "true"), ("start", "a"), ("start", "b")];
        let all: Vec<String> =
            same[..1].iter().cloned().chain(other).chain(options.map(|o| name("a b\nb c", o))).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{all:?}");
    }

    #[test]
    fn the_forms_of_a_position() {
        let game = make(SQUARE).unwrap();
        let at = |vertex: &str, board| Ok((vertex.to_owned(), board));
        for text in ["a-b top", "b-a b-c", "  a-b\tc-b ", "{a-b,top} c", "{ top , b-a }c"] {
            assert_eq!(node(&game, text), at("c", 0b110_000), "{text}");
        }
        assert_eq!((node(&game, ""), node(&game, "{}")), (at("opening", 0), at("opening", 0)));
        assert_eq!(node(&game, "{} c"), at("c", 0));
        assert_eq!((node(&game, "a-b"), node(&game, "b-a")), (at("b", 32), at("a", 32)));
        assert_eq!((node(&game, "top"), node(&game, "c-b")), (at("c", 16), at("b", 16)));
        // The second `d-a` means the parallel edge, since the first edge is walked already.
        assert_eq!((node(&game, "d-a d-a"), node(&game, "a-d d-a#2")), (at("d", 6), at("a", 6)));
        assert_eq!(node(&game, "d-a#2"), at("a", 2));
        assert_eq!(node(&game, "d-a#1 a-d c-d"), at("c", 0b1110), "what follows decides");
        assert_eq!(node(&game, "a-b b-b top"), at("c", 0b110_001));
        assert_eq!(game.read("b-a b-b top").unwrap().drawn.unwrap().plain, "a > b > b > c");
    }

    #[test]
    fn texts_that_are_not_positions() {
        let game = make(SQUARE).unwrap();
        let refusal = |text| node(&game, text).expect_err(text);
        assert!(refusal("a-c").contains("an edge of the graph") && refusal("a-c").contains("found \"a-c\""));
        assert!(refusal("top top").contains("expected each edge walked once, found \"top\" a second time"));
        assert!(refusal("d-a a-d d-a").contains("a second time") && refusal("{b-b,b-b} b").contains("a second time"));
        assert!(refusal("a-b b-c d-a").contains("leads on from the vertex c, found \"d-a\" as edge 3"));
        assert!(refusal("a-b c-d").contains("the vertex b or a, found"));
        assert!(refusal("{a-b").contains("a } after") && refusal("{a-b}").contains("a vertex after the set"));
        assert!(refusal("{a-b} z").contains("one of a, b, c, d, found \"z\""));
        assert!(refusal("{a-b,} a").contains("found \"\""));
    }

    #[test]
    fn a_given_start_and_one_way_edges_settle_the_first_step() {
        let parameters = Parameters::new().with("graph", SQUARE).with("start", "b");
        let game = Trail::from_parameters(&parameters).unwrap();
        assert_eq!((node(&game, ""), node(&game, "a-b")), (Ok(("b".into(), 0)), Ok(("a".into(), 32))));
        assert!(node(&game, "c-d").unwrap_err().contains("leads on from the vertex b"));
        assert_eq!(game.write(game.rules().start_node()), "{} b");
        let there = |text| game.read(text).unwrap().node;
        assert!(game.remarks(there("{} a"), Outcome::Win)[2].contains("no walk leads to this set and vertex"));
        assert_eq!(game.remarks(there(""), Outcome::Loss), ["Player 2 wins", "0 edges walked: it is player 1's turn"]);

        let game = Trail::from_parameters(&parameters.with("directed", "true").with("start", "a")).unwrap();
        assert_eq!(node(&game, "a-b top c-d"), Ok(("d".into(), 0b111_000)));
        assert!(node(&game, "a-b c-b").unwrap_err().contains("found \"c-b\""));
        assert!(node(&game, "d-a").unwrap_err().contains("from the vertex a, found"));
    }

    #[test]
    fn moves_and_drawings() {
        let game = make(SQUARE).unwrap();
        let probe = |node, to: (u16, u64)| game.write_move(node, Position::new(Mode(to.0), Board::from_word(to.1)));
        let there = game.read("a-b").unwrap().node;
        assert_eq!((probe(there, (2, 0b110_000)), probe(there, (1, 0b100_001))), ("top".into(), "b-b".into()));
        assert_eq!((probe(Node::Opening, (1, 16)), probe(Node::Opening, (1, 1))), ("top to b".into(), "b-b".into()));
        assert_eq!(game.draw(there), "walked  a-b\nleft    top c-d d-a#1 d-a#2 b-b\nat      b");
        assert!(game.draw(Node::Opening).starts_with("walked  none\nleft    a-b"));
        let terminal = game.read("{a-b} b").unwrap().node;
        assert_eq!(game.remarks(terminal, Outcome::Win)[0], "Player 2 wins");
    }
}
