//! Values of positions, and of expressions that name positions.
//!
//! In normal play, the value of a position says who wins it in any sum of games (Conway, On Numbers and Games). It is found by
//! recursion: the values of Left's and of Right's moves, simplified.
//!
//! - `terms`: the positions in an expression.

mod terms;

use std::collections::HashMap;

use super::game;
use tablegen_core::label::{LabelKind, Undefined};
use tablegen_core::rules::{Mode, Node, Position};
use tablegen_games::{Game, GameError, NotationError, OutcomeClass, Parameters, read_position};
use tablegen_values::{Calculator, Comparison, Error, Value};
use terms::{Part, parts};

/// The value of an expression, and what follows from it. Games and numbers are written as CGSuite writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueFacts {
    /// The canonical form.
    pub name: String,
    /// Who wins.
    pub class: OutcomeClass,
    /// The average gain of Left in a large sum.
    pub mean: String,
    /// What a move gains over the mean, so the urgency of a move.
    pub temperature: String,
    /// The number that play ends at if Left moves first, and if Right does.
    pub stops: [String; 2],
    /// The simplest game that is infinitely close.
    pub reduced: String,
    /// The atomic weight, if the value is an infinitesimal that has one.
    pub atomic_weight: Option<String>,
}

/// The reason why an expression has no value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A term names no game, or not with these parameters.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A term names no position of its game.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Positions of the game have no values.
    #[error("{name} has no values: {reason}")]
    Undefined {
        /// The name of the rules.
        name: String,
        /// The reason.
        reason: Undefined,
    },
    /// The modes of the rules are not the two sides.
    #[error("{name} has no values: expected rules whose modes are the two sides, found {modes} modes")]
    Modes {
        /// The name of the rules.
        name: String,
        /// The number of modes.
        modes: usize,
    },
    /// The positions that follow are too many.
    #[error("{name}: expected at most {limit} positions to follow, found more")]
    Limit {
        /// The name of the rules.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// The expression cannot be read, or its value is too large.
    #[error(transparent)]
    Arithmetic(#[from] Error),
}

impl ValueFacts {
    /// The value of `expression`: games as [`Calculator::parse`] reads them, and terms such as `domineering:../..` or
    /// `clobber(rows=1,cols=4):XOXO`. For each game, at most `limit` boards are looked at.
    ///
    /// # Errors
    /// If the expression cannot be read, a game has no values, or a limit is reached.
    pub fn of(expression: &str, limit: usize) -> Result<Self, ValueError> {
        let mut calculator = Calculator::default();
        let mut text = String::new();
        for part in parts(expression) {
            match part {
                Part::Text(part) => text += part,
                Part::Term(term) => {
                    let game = game(term.game, &term.parameters(has_size))?;
                    let value = value_of(game.as_ref(), term.position, &mut calculator, limit)?;
                    text += &format!("({})", calculator.name(value)?);
                }
            }
        }
        let value = calculator.parse(&text)?;
        Self::new(&mut calculator, value)
    }

    fn new(calculator: &mut Calculator, value: Value) -> Result<Self, ValueError> {
        let zero = calculator.integer(0)?;
        let class = match calculator.compare(value, zero)? {
            Comparison::Greater => OutcomeClass::L,
            Comparison::Less => OutcomeClass::R,
            Comparison::Equal => OutcomeClass::P,
            Comparison::Confused => OutcomeClass::N,
        };
        let stops = calculator.stops(value);
        let reduced = calculator.reduced(value)?;
        let weight = calculator.atomic_weight(value)?;
        let graph = calculator.thermograph(value).map_err(Error::from)?;
        let (mean, temperature) = (graph.mean.to_string(), graph.temperature.to_string());
        Ok(Self {
            name: calculator.name(value)?,
            class,
            mean,
            temperature,
            stops: [stops.left, stops.right].map(|stop| stop.to_string()),
            reduced: calculator.name(reduced)?,
            atomic_weight: weight.map(|weight| calculator.name(weight)).transpose()?,
        })
    }
}

/// Returns whether the size of a board of the game called `name` is given by its numbers of rows and columns.
fn has_size(name: &str) -> bool {
    let Ok(game) = game(name, &Parameters::new()) else { return false };
    let parameters = game.descriptor().parameters;
    ["rows", "cols"].iter().all(|size| parameters.iter().any(|(name, _)| name == size))
}

/// The value of the position `text` of `game`; an empty text is the start.
fn value_of(game: &dyn Game, text: &str, calculator: &mut Calculator, limit: usize) -> Result<Value, ValueError> {
    let rules = game.rules();
    let name = || rules.name().to_owned();
    // What nimbers need, values need as well, except that both sides have the same moves.
    let nimbers = LabelKind::Nimber.undefined_by(rules).filter(|reason| *reason != Undefined::Partisan);
    let reduced = game.is_reduced().then_some(Undefined::Reduced);
    let repeats = rules.potential().is_none().then_some(Undefined::Repeats);
    if let Some(reason) = reduced.or(nimbers).or(repeats) {
        return Err(ValueError::Undefined { name: name(), reason });
    }
    let modes = rules.modes().len();
    if game.is_partisan() && modes != 2 {
        return Err(ValueError::Modes { name: name(), modes });
    }
    let node = if text.is_empty() { rules.start_node() } else { read(game, text)? };
    let mut boards = Boards { game, is_partisan: game.is_partisan(), calculator, limit, known: HashMap::new() };
    match node {
        Node::At(position) => boards.value(position),
        Node::Opening => {
            let starts = rules.start_positions().into_iter().map(|start| boards.value(start));
            let starts = starts.collect::<Result<Vec<Value>, ValueError>>()?;
            Ok(calculator.simplified(&starts, &starts)?)
        }
    }
}

/// The position `text` of `game`, which need not say whose turn it is.
fn read(game: &dyn Game, text: &str) -> Result<Node, NotationError> {
    let error = match read_position(game, text) {
        Ok(reading) => return Ok(reading.node),
        Err(error) => error,
    };
    let turn = game.rules().modes().first().filter(|_| game.is_partisan()).ok_or(error)?;
    read_position(game, &format!("{text} {turn}")).map(|reading| reading.node)
}

/// The values of the positions that follow from one.
struct Boards<'a> {
    game: &'a dyn Game,
    is_partisan: bool,
    calculator: &'a mut Calculator,
    limit: usize,
    known: HashMap<Position, Value>,
}

impl Boards<'_> {
    /// The value of the board of `position`. The recursion is at most as deep as the longest play.
    fn value(&mut self, position: Position) -> Result<Value, ValueError> {
        let sides =
            if self.is_partisan { [0, 1].map(|side| Position::new(Mode(side), position.board)) } else { [position; 2] };
        if let Some(&known) = self.known.get(&sides[0]) {
            return Ok(known);
        }
        if self.known.len() >= self.limit {
            return Err(ValueError::Limit { name: self.game.rules().name().to_owned(), limit: self.limit });
        }
        let mut options = [Vec::new(), Vec::new()];
        for (side, options) in sides.into_iter().zip(&mut options).take(1 + usize::from(self.is_partisan)) {
            let next: Vec<Position> = self.game.rules().moves_from(side).map(|m| m.play(side)).collect();
            for next in next {
                options.push(self.value(next)?);
            }
        }
        let [lefts, rights] = &options;
        let rights = if self.is_partisan { rights } else { lefts };
        let value = self.calculator.simplified(lefts, rights)?;
        self.known.insert(sides[0], value);
        Ok(value)
    }
}
