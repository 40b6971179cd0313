//! Trail: edge geography on a graph of your own.

use super::line::{Fault, Line, Named, Step, Words};
use super::{
    Drawing, Family, Game, GameError, Graph, NotationError, ParameterKind, ParameterSpec, Parameters, Play, Reading,
};
use crate::rules::{Descriptor, Node, Outcome, Position, Rules};

/// Trail on the command line.
pub(super) const FAMILY: Family = Family {
    name: "trail",
    summary: "walk over the edges of a graph, each once, a step a turn; who cannot go on loses (edge geography)",
    notation: "the edges walked in order, by label or by ends a-b; or the walked edges and the vertex {a-b,b-c} c",
    example: "a-b b-c",
    parameters: &[
        ParameterSpec {
            name: "graph",
            value: "FILE",
            kind: ParameterKind::File,
            help: "the graph, an edge a line: its two ends and, if it has one, its label",
            default: None,
        },
        ParameterSpec {
            name: "directed",
            value: "",
            kind: ParameterKind::Flag,
            help: "edges lead from the first end to the second only",
            default: Some("false"),
        },
        ParameterSpec {
            name: "start",
            value: "V",
            kind: ParameterKind::Text,
            help: "the vertex where the walk begins; without it the first player opens with any edge",
            default: None,
        },
        ParameterSpec {
            name: "play",
            value: "normal|misere",
            kind: ParameterKind::Text,
            help: "who makes the last move wins or loses",
            default: Some("normal"),
        },
    ],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Trail::from_parameters(parameters)?)),
};

static WORDS: Words = Words {
    edge: "edge",
    vertex: "vertex",
    fits: "an edge that leads on from the vertex",
    line: "walk",
    walked: "walked",
};

/// Edge geography on any graph of at most 64 edges.
///
/// Where no start is given, the first player *opens with any edge*, walked whichever way it can be, as dominoes opens
/// with any tile and a word chain with any word. That is not a choice of the vertex to move from: the opening edge is
/// the first player's turn, and the second player moves next.
///
/// A graph file has an edge a line, `u v` or `u v label`, with blanks or tabs between; a word that begins with `#`
/// begins a comment. Vertices are made as they are named. An edge without a label is called `u-v`, and where several
/// such edges join the same two vertices, `u-v#1`, `u-v#2` and on. A text may name any edge by its ends as well, either
/// way round in an undirected graph; of several edges it then means the first that has not been walked.
pub struct Trail {
    graph: Graph,
    start: Option<usize>,
    play: Play,
    rules: Rules,
}

impl Trail {
    /// The game on `graph`, whose edges must have names of their own, from `start` or, without one, from any edge.
    ///
    /// Its name holds the number of edges and a digest of the graph and the start: games of one name are equal.
    ///
    /// # Errors
    /// Where the graph has no edge or more than 64, or no vertex `start`, or two edges share a name.
    pub fn new(graph: Graph, start: Option<&str>, play: Play) -> Result<Self, GameError> {
        let bad_start = |name: &str| GameError::Value {
            parameter: "start",
            expected: format!("a vertex of the graph, one of {},", graph.vertices().join(", ")),
            found: name.into(),
        };
        let start = match start {
            None => None,
            Some(name) => Some(graph.find_vertex(name).ok_or_else(|| bad_start(name))?),
        };
        let names = graph.edges().iter().map(|edge| edge.name.as_str());
        if let Some((name, line)) = first_repeated(names) {
            return Err(repeated(line, name));
        }
        let from = start.map_or("", |start| graph.vertices()[start].as_str());
        let content = format!("{}\n{from}\n{}", graph.is_directed(), text_of(&graph));
        let digest = &blake3::hash(content.as_bytes()).to_hex()[..12];
        let name = format!("trail-{}e-{digest}-{}", graph.edges().len(), play.name());
        let rules = graph.rules(name, play, start)?;
        Ok(Self { graph, start, play, rules })
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let text = parameters.get("graph").ok_or(GameError::Missing { family: FAMILY.name, parameter: "graph" })?;
        let directed = parameters.flag("directed")?;
        Self::new(read_graph(text, directed)?, parameters.get("start"), parameters.play(Play::Normal)?)
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
        // A label that reads like the ends of other edges is still that one edge's name.
        let by_name = edges().find(|(number, edge)| edge.name == text && !by_ends.contains(number));
        match (by_name, by_ends.first()) {
            (Some((number, _)), _) => Ok(Named { edges: vec![number], ends: None }),
            (None, Some(&first)) => Ok(Named { ends: way(&self.graph.edges()[first]), edges: by_ends }),
            (None, None) => Err(("an edge of the graph, by its label or by its ends u-v,".into(), format!("{text:?}"))),
        }
    }
}

impl Game for Trail {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The graph as this module writes it: comments and blanks of the file make no other table.
    fn descriptor(&self) -> Descriptor {
        let start = self.start.map(|start| ("start".to_owned(), self.graph.vertices()[start].clone()));
        let mut parameters = vec![
            ("graph".to_owned(), text_of(&self.graph)),
            ("directed".to_owned(), self.graph.is_directed().to_string()),
        ];
        parameters.extend(start);
        parameters.push(("play".into(), self.play.name().into()));
        Descriptor { family: FAMILY.name.into(), parameters }
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let vertices = self.graph.vertices();
        let draw = |steps: &[Step]| {
            let first = steps.first().map_or("", |step| vertices[step.from].as_str());
            Drawing::from(steps.iter().fold(first.to_owned(), |drawn, step| drawn + " > " + &vertices[step.to]))
        };
        self.line().read(text, |text| self.resolve(text), draw)
    }

    fn write(&self, node: Node) -> String {
        self.line().write(node)
    }

    /// The edge's name; of an opening edge that can be walked both ways also where it leads.
    fn write_move(&self, from: Node, to: Position) -> String {
        let Some(step) = self.line().step(from, to) else { return self.write(to.into()) };
        let edge = &self.graph.edges()[step.edge];
        let open = from == Node::Opening && self.graph.ways(edge).count() > 1;
        if open { format!("{} to {}", edge.name, self.line().vertex(to.mode)) } else { edge.name.clone() }
    }

    fn draw(&self, node: Node) -> String {
        let (board, at) = match node {
            Node::Opening => (crate::rules::Board::EMPTY, "anywhere"),
            Node::At(position) => (position.board, self.line().vertex(position.mode)),
        };
        let list = |board| match self.graph.walked(board).map(|(_, edge)| edge.name.as_str()).collect::<Vec<_>>() {
            names if names.is_empty() => "none".to_owned(),
            names => names.join(" "),
        };
        format!("walked  {}\nleft    {}\nat      {at}", list(board), list(!board))
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        self.line().remarks(node, outcome)
    }
}

/// Reads a graph file: the parameter `graph` is its text.
fn read_graph(text: &str, directed: bool) -> Result<Graph, GameError> {
    const MOST: usize = crate::rules::MAX_CELLS as usize;
    let wrong = |line: usize, expected: &str, found: String| GameError::Line {
        parameter: "graph",
        line: line + 1,
        expected: expected.into(),
        found,
    };
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    let mut lines = Vec::new();
    for (line, content) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let words: Vec<&str> = content.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        if let Some(word) = words.iter().find(|word| !is_plain(word)) {
            let expected = "a name of at most 128 bytes without control characters, quotes, commas or braces";
            return Err(wrong(line, expected, format!("{word:?}")));
        }
        let (from, to, label) = match words[..] {
            [] => continue,
            [from, to] => (from, to, None),
            [from, to, label] => (from, to, Some(label)),
            ref words => {
                let found = format!("{} word{}", words.len(), if words.len() == 1 { "" } else { "s" });
                return Err(wrong(line, "an edge, `u v` or `u v label`,", found));
            }
        };
        if lines.len() == MOST {
            let limit = format!("{MOST} (a board is one machine word)");
            return Err(GameError::TooLarge { what: format!("--graph, line {}: edge {}", line + 1, MOST + 1), limit });
        }
        lines.push(line);
        graph.add_edge(label.unwrap_or_default(), from, to);
    }
    if lines.is_empty() {
        return Err(wrong(0, "an edge, `u v` or `u v label`,", "no edge in the whole file".into()));
    }
    let graph = with_names(&graph);
    match first_repeated(graph.edges().iter().map(|edge| edge.name.as_str())) {
        Some((name, edge)) => Err(repeated(lines[edge], name)),
        None => Ok(graph),
    }
}

/// The graph with names for the edges that have none.
fn with_names(graph: &Graph) -> Graph {
    let mut named = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    let edges = graph.edges();
    for (number, edge) in edges.iter().enumerate() {
        let alike = |other: &super::geography::Edge| {
            other.name.is_empty() && graph.ways(other).any(|way| way == (edge.from, edge.to))
        };
        let [from, to] = [edge.from, edge.to].map(|vertex| graph.vertices()[vertex].as_str());
        let copies = edges.iter().filter(|other| alike(other)).count();
        let name = match edges[..number].iter().filter(|other| alike(other)).count() {
            _ if !edge.name.is_empty() => edge.name.clone(),
            _ if copies == 1 => format!("{from}-{to}"),
            earlier => format!("{from}-{to}#{}", earlier + 1),
        };
        named.add_edge(name, from, to);
    }
    named
}

/// The text of a graph file that reads as `graph`: an edge a line, each with its label.
fn text_of(graph: &Graph) -> String {
    let vertex = |vertex: usize| &graph.vertices()[vertex];
    let line = |edge: &super::geography::Edge| format!("{} {} {}\n", vertex(edge.from), vertex(edge.to), edge.name);
    graph.edges().iter().map(line).collect()
}

/// Whether `word` can name a vertex or an edge: a mode, an entry of a set, a word of a line.
fn is_plain(word: &str) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, ',' | '"' | '{' | '}');
    word.len() <= crate::rules::MAX_NAME && !word.contains(breaks)
}

/// The first name that an earlier one repeats, with its number.
fn first_repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    let mut seen = std::collections::HashSet::new();
    names.enumerate().find(|(_, name)| !seen.insert(*name)).map(|(number, name)| (name, number))
}

fn repeated(line: usize, name: &str) -> GameError {
    GameError::Line {
        parameter: "graph",
        line: line + 1,
        expected: "a name that no other edge has".into(),
        found: format!("{name:?} again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Mode, Start};

    const SQUARE: &str =
        "# a square with a loop and a double side\r\na b\r\n\r\nb c top # the top\n\tc d\nd a\nd a\nb b\n";

    fn make(graph: &str) -> Result<Trail, String> {
        Trail::from_parameters(&Parameters::new().with("graph", graph)).map_err(|e| e.to_string())
    }

    fn node(game: &Trail, text: &str) -> Result<(String, u64), String> {
        match game.read(text).map_err(|e| e.to_string())?.node {
            Node::At(p) => Ok((game.line().vertex(p.mode).to_owned(), p.board.0)),
            Node::Opening => Ok(("opening".into(), 0)),
        }
    }

    #[test]
    fn a_graph_file() {
        let game = make(SQUARE).unwrap();
        let names: Vec<&str> = game.graph().edges().iter().map(|edge| edge.name.as_str()).collect();
        assert_eq!(names, ["a-b", "top", "c-d", "d-a#1", "d-a#2", "b-b"]);
        assert_eq!(game.rules().modes(), ["a", "b", "c", "d"]);
        assert!(game.rules().name().starts_with("trail-6e-") && game.rules().name().ends_with("-normal"));
        assert!(matches!(game.rules().start(), Start::Opening(choices) if choices.len() == 11));
    }

    #[test]
    fn lines_that_are_no_edges() {
        let refusal = |text: &str| make(text).err().expect("refused");
        assert!(refusal("").contains("no edge in the whole file") && refusal("# nothing\n").contains("no edge"));
        assert!(refusal("a b\nc\n").contains("graph, line 2: an edge"));
        assert!(refusal("a b\n\na b c d\n").contains("line 3") && refusal("a b c d").contains("found 4 words"));
        assert!(refusal("a b x\nc d x\n").contains("line 2") && refusal("a b x\n#\nc d x").contains("line 3"));
        assert!(refusal("a b\nc d a-b\n").contains("\"a-b\" again"));
        assert!(refusal("a,b c").contains("without control characters") && refusal("a b {c}").contains("braces"));
        assert!(refusal("a\0 b").contains("line 1"));
        assert!(refusal(&"v".repeat(129)).contains("128 bytes"));
        let edges = |n: usize| (0..n).map(|i| format!("{i} {}\n", i + 1)).collect::<String>();
        assert!(make(&edges(64)).is_ok());
        assert!(refusal(&edges(65)).contains("line 65: edge 65: 64"));
        let missing = Trail::from_parameters(&Parameters::new()).err().unwrap().to_string();
        assert!(missing.contains("graph"), "{missing}");
        let start = Parameters::new().with("graph", "a b").with("start", "z");
        let start = Trail::from_parameters(&start).err().unwrap().to_string();
        assert!(start.contains("start: a vertex of the graph, one of a, b, is expected, found \"z\""), "{start}");
        let directed = Parameters::new().with("graph", "a b").with("directed", "maybe");
        assert!(Trail::from_parameters(&directed).is_err());
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
        assert_eq!(first_repeated(all.iter().map(String::as_str)), None, "{all:?}");
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
        // Of two edges alike, the one not walked yet; walked both, the line is back where it was written to begin.
        assert_eq!((node(&game, "d-a d-a"), node(&game, "a-d d-a#2")), (at("d", 6), at("a", 6)));
        assert_eq!(node(&game, "d-a#2"), at("a", 2));
        assert_eq!(node(&game, "d-a#1 a-d c-d"), at("c", 0b1110), "what follows decides");
        assert_eq!(node(&game, "a-b b-b top"), at("c", 0b110_001));
        assert_eq!(game.read("b-a b-b top").unwrap().drawn.unwrap().plain, "a > b > b > c");
    }

    #[test]
    fn positions_that_are_none() {
        let game = make(SQUARE).unwrap();
        let refusal = |text| node(&game, text).expect_err(text);
        assert!(refusal("a-c").contains("an edge of the graph") && refusal("a-c").contains("found \"a-c\""));
        assert!(refusal("top top").contains("each edge walked once is expected, found \"top\" a second time"));
        assert!(refusal("d-a a-d d-a").contains("a second time") && refusal("{b-b,b-b} b").contains("a second time"));
        assert!(refusal("a-b b-c d-a").contains("leads on from the vertex c is expected, found \"d-a\" as edge 3"));
        assert!(refusal("a-b c-d").contains("the vertex b or a is expected"));
        assert!(refusal("{a-b").contains("a } behind") && refusal("{a-b}").contains("a vertex behind the set"));
        assert!(refusal("{a-b} z").contains("one of a, b, c, d is expected, found \"z\""));
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
        assert!(node(&game, "d-a").unwrap_err().contains("from the vertex a is expected"));
    }

    #[test]
    fn moves_and_drawings() {
        let game = make(SQUARE).unwrap();
        let probe = |node, to: (u16, u64)| game.write_move(node, Position::new(Mode(to.0), Board(to.1)));
        let there = game.read("a-b").unwrap().node;
        assert_eq!((probe(there, (2, 0b110_000)), probe(there, (1, 0b100_001))), ("top".into(), "b-b".into()));
        assert_eq!((probe(Node::Opening, (1, 16)), probe(Node::Opening, (1, 1))), ("top to b".into(), "b-b".into()));
        assert_eq!(game.draw(there), "walked  a-b\nleft    top c-d d-a#1 d-a#2 b-b\nat      b");
        assert!(game.draw(Node::Opening).starts_with("walked  none\nleft    a-b"));
        let terminal = game.read("{a-b} b").unwrap().node;
        assert_eq!(game.remarks(terminal, Outcome::Win)[0], "Player 2 wins");
    }
}
