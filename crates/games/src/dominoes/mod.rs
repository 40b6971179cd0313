//! Dominoes in a single line that grows at one end: the Dance Battle puzzle.

mod drawing;
mod puzzle;
mod relabelling;
#[cfg(test)]
mod tests;

use super::error::Fault;
use super::line::{Line, Named, Words};
use super::{
    Coverage, Family, Game, GameError, Graph, Kind, NotationError, OutcomeNames, ParameterSpec, Parameters, Play,
    Reading, Scene, turned,
};
use crate::rules::{Descriptor, Node, Outcome, Position, Rules, RulesSpec};
use drawing::draw_line;
use puzzle::{Puzzle, read_values};
use relabelling::exchanges;

/// The family of dominoes.
pub(super) const FAMILY: Family = Family {
    name: "dominoes",
    title: "Dominoes",
    rules_name: "dominoes-{n}-{play}",
    kind: Kind::Lines,
    also: &["domino chain", "dominos", "Dance Battle"],
    summary: "lay tiles of a domino set in a line that grows at one end; the player without a fitting tile loses (Dance Battle)",
    rules: "The tiles of a domino set lie face up. The first player lays any tile. After that, the players take turns to lay a \
            tile at the same end of the line; one half of the tile must have as many pips as the end that it touches. Each \
            tile is used once. The player who has no fitting tile loses.",
    notation: "the tiles in the order of play, 0-1 1-3; or the played tiles and the tail, {0-1,1-3} 3",
    example: "0-1 1-3",
    parameters: &[
        ParameterSpec::number("n", "7", "pip values 0 to N-1: 7 gives the double-six set"),
        ParameterSpec::play(Play::Normal, "the player of the last tile wins (normal) or loses (misere)"),
    ],
    variants: &["n=4", "n=5"],
    large: &[],
    read_file_parameters: Some(|content| {
        let puzzle = Puzzle::read(content)?;
        Ok(puzzle.map_or_else(Parameters::new, |puzzle| Parameters::new().with("n", puzzle.n)))
    }),
    make: |parameters| Ok(Box::new(Dominoes::from_parameters(parameters)?)),
};

static WORDS: Words =
    Words { edge: "tile", vertex: "tail", fits: "a tile with the tail value", line: "line of play", walked: "played" };

/// The set has all tiles (a, b) with 0 <= a <= b < n, each once. The first player opens with any tile. After that, a tile
/// must have the value at the tail of the line; its other value becomes the new tail.
///
/// In terms of graphs this is edge geography on the complete graph with n vertices and a loop at each vertex. The cells
/// are the tiles in the order (0,0), (0,1), …, (0,n-1), (1,1), …; the modes are the tails.
///
/// ```text
///                            0 1 2 3 4
///     |0|1||1|3|           0 . X . . .       The line of play in the article: player 1 opened with 0-1,
///                          1   . . X .       player 2 added 1-3, and the tail is now 3.
///                          2     . . .
///                          3       . .
///                          4         .
///                          tail 3
/// ```
pub struct Dominoes {
    values: u32,
    play: Play,
    graph: Graph,
    rules: Rules,
}

impl Dominoes {
    /// The game with the pip values 0 to `values - 1`.
    ///
    /// # Errors
    /// If `values` is not 1 to 10.
    pub fn new(values: u32, play: Play) -> Result<Self, GameError> {
        Self::from_parameters(&Parameters::new().with("n", values).with("play", play.name()))
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let text = parameters.get("n").unwrap_or("7");
        let wrong = |expected| GameError::Value { parameter: "n", expected, found: text.into() };
        let (values, play) = (read_values(text).map_err(wrong)?, parameters.play(Play::Normal)?);
        let mut graph = Graph::undirected();
        for low in 0..values {
            for high in low..values {
                graph.add_edge(format!("{low}-{high}"), &low.to_string(), &high.to_string());
            }
        }
        let rules = graph.rules(format!("dominoes-{values}-{}", play.name()), play, None)?;
        let symmetries = exchanges(values, &graph, rules.cells())?;
        let rules = RulesSpec { symmetries, ..rules.into_spec() }.build()?;
        Ok(Self { values, play, graph, rules })
    }

    const fn line(&self) -> Line<'_> {
        Line { graph: &self.graph, rules: &self.rules, start: None, words: &WORDS }
    }

    /// The tile that `text` names, in either order of its values.
    fn resolve(&self, text: &str) -> Result<Named, Fault> {
        let number = |text: &str| text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
        let values = text.split_once('-').and_then(|(a, b)| Some((number(a)?, number(b)?)));
        let (a, b) = values.ok_or_else(|| Fault::new("a tile, such as 0-1", format!("{text:?}")))?;
        self.tile(a, b)
    }

    /// The tile with the values `a` and `b`, written in this order.
    fn tile(&self, a: u32, b: u32) -> Result<Named, Fault> {
        let (from, to) = (a as usize, b as usize);
        let expected = || format!("a tile with numbers from 0 to {}", self.values - 1);
        let tile = self.graph.edges_between(from, to).next();
        let tile = tile.ok_or_else(|| Fault::new(expected(), format!("the tile {a}-{b}")))?;
        Ok(Named { edges: vec![tile], ends: Some((from, to)) })
    }
}

impl Game for Dominoes {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A dense table, if it is small: users may also ask about a set and a tail that no line of play produces.
    fn coverage(&self) -> Option<Coverage> {
        Some(if self.values <= MOST_SWEPT { Coverage::Every } else { Coverage::Reachable })
    }

    fn descriptor(&self) -> Descriptor {
        Parameters::new().with("n", self.values).with("play", self.play.name()).describing(FAMILY.name)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        self.line().read(text, |text| self.resolve(text), draw_line)
    }

    /// Reads the file of the puzzle, or a position in the game's notation.
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        let Some(puzzle) = Puzzle::read(content)? else { return self.read(content.trim()) };
        if puzzle.n != self.values {
            let expected = format!("a file for the game's n = {}", self.values);
            return Err(NotationError::new(content, expected, format!("n = {}", puzzle.n)));
        }
        let name = |&(a, b): &(u32, u32)| Ok((format!("{a} {b}"), self.tile(a, b)?));
        let line = puzzle.tiles.iter().map(name).collect::<Result<_, Fault>>();
        let reading = line.and_then(|line| self.line().read_line(line, draw_line));
        let reading = reading.map_err(|fault| fault.about(content))?;
        Ok(Reading { outcome_names: PUZZLE_NAMES, ..reading })
    }

    fn write(&self, node: Node) -> String {
        self.line().write(node)
    }

    /// Writes the tile in the direction in which it is played: the old tail first, the new tail last.
    fn write_move(&self, from: Node, to: Position) -> String {
        match self.line().step(from, to) {
            Some(step) => format!("{}-{}", step.from, step.to),
            None => self.write(to.into()),
        }
    }

    /// Accepts the tile with its two values swapped.
    fn other_names(&self, text: &str) -> Vec<String> {
        turned(text).into_iter().collect()
    }

    fn draw(&self, node: Node) -> String {
        self.chart(node)
    }

    fn scene(&self) -> Scene {
        Scene::tiles(&self.graph)
    }

    fn players(&self, node: Node) -> Option<[String; 2]> {
        Some(Line::players(node))
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        self.line().remarks(node, outcome)
    }
}

/// The largest number of pip values that gets a dense table. A dense table for 7 values takes 224 MiB, for 8 it would
/// take 64 GiB. Up to symmetry, 7 values take a thousandth of that.
const MOST_SWEPT: u32 = 6;

/// The puzzle's names for the outcomes.
const PUZZLE_NAMES: OutcomeNames = OutcomeNames { win: "Win", draw: "Draw", loss: "Lose" };
