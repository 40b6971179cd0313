//! Values of positions, and of expressions that name positions.
//!
//! In normal play, the value of a position says who wins it in any sum of games (Conway, On Numbers and Games). It is found by
//! recursion: the values of Left's and of Right's moves, simplified.
//!
//! - `terms`: the positions in an expression.
//! - `mistakes`: errors in the words of the expression.
//! - `boards`: recursion over the positions of a game.
//! - `turns`: the turns of both players.
//! - `sum`: the winning moves in a sum.
//! - `misere`: positions of impartial games in misère play.
//! - `of_table`: the value of a board in a table, and of each turn there.
//! - `stats`, `csv`, `board_values`: the values of a whole table.

pub(crate) mod board_values;
mod boards;
mod csv;
mod misere;
mod mistakes;
mod of_table;
mod stats;
mod sum;
mod terms;
mod turns;

use crate::TextError;
use tablegen_cgt::{Calculator, Error, Thermograph, Value};
use tablegen_games::{GameError, NotationError, OutcomeClass};
use tablegen_rules::NoSides;

use boards::Boards;
pub use csv::csv as value_csv;
pub use misere::MisereFacts;
use mistakes::{Valued, beside, meant, refuse_mode, refuse_open_options};
pub use of_table::{BoardValue, ValuedTurn, read_value};
pub use stats::{ValueStats, ValuedExample};
pub use sum::{SideMoves, SumFacts, SumMove};
use terms::{Part, Term, only_term, parts};

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
    /// The thermograph, which has the mean and the temperature.
    pub thermograph: Thermograph,
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
    #[error("{error}")]
    Game {
        /// The name of the game in the term.
        name: String,
        /// What is wrong with it.
        error: Box<GameError>,
    },
    /// A term names a table.
    #[error("cannot calculate with {path}: expected a game, found a table")]
    Table {
        /// The path of the table.
        path: String,
    },
    /// The rules file of a term cannot be read.
    #[error(transparent)]
    File(#[from] TextError),
    /// A term names no position of its game.
    #[error("{error}")]
    Notation {
        /// What is wrong with the position.
        error: Box<NotationError>,
        /// A term with a position of the same game; empty if a term cannot name the start.
        example: String,
    },
    /// A term is followed by a mode.
    #[error("cannot value {:?}: expected a position without a mode, since a value holds for both players, found {mode}", format!("{term} {mode}"))]
    Mode {
        /// The term.
        term: String,
        /// The name of the mode.
        mode: String,
    },
    /// A position belongs to no game.
    #[error("cannot read the position: expected a game before it, found {found:?}{near}")]
    NoGame {
        /// What was found.
        found: String,
        /// The game that was probably meant, in brackets.
        near: String,
    },
    /// Positions of the game have no values.
    #[error("{name} has no values: {reason}")]
    NoValues {
        /// The name of the rules.
        name: String,
        /// The reason.
        reason: NoSides,
        /// The game in normal play, if this one has values.
        instead: Option<String>,
    },
    /// The position lies within a turn or in an opening.
    #[error(
        "cannot value {position:?}: expected a position at which either player can begin a turn, with the mode {expected}, found \
         one within a turn or an opening"
    )]
    WithinTurn {
        /// The position.
        position: String,
        /// The names of the modes in which turns begin.
        expected: String,
        /// The first positions after it at which turns begin.
        after: String,
    },
    /// The positions that follow are too many.
    #[error("{name}: expected at most {limit} position{} to follow, found more", if *limit == 1 { "" } else { "s" })]
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

impl From<NotationError> for ValueError {
    fn from(error: NotationError) -> Self {
        Self::Notation { error: Box::new(error), example: String::new() }
    }
}

impl ValueFacts {
    /// The value of `expression`: games as [`Calculator::parse`] reads them, and terms such as `domineering:../..`,
    /// `clobber(rows=1,cols=4):XOXO` or `domineering`, which is the start. For each game, at most `limit` positions are followed.
    ///
    /// # Errors
    /// If the expression cannot be read, a game has no values, or a limit is reached.
    pub fn of(expression: &str, limit: usize) -> Result<Self, ValueError> {
        let mut calculator = Calculator::default();
        let value = evaluate(expression, &mut calculator, limit)?;
        Self::new(&mut calculator, value)
    }

    /// The value of a position of `game`, a term without a position such as `domineering` or `nim(a=2)`. The position may also name a mode,
    /// behind a blank. At most `limit` positions are followed.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_position(game: &str, position: &str, limit: usize) -> Result<Self, ValueError> {
        let Some(term) = only_term(game).map(|term| term.at(position)) else {
            return Err(ValueError::NoGame { found: game.into(), near: meant(game) });
        };
        let mut calculator = Calculator::default();
        let value = value_of(term, &mut calculator, limit)?;
        Self::new(&mut calculator, value)
    }

    fn new(calculator: &mut Calculator, value: Value) -> Result<Self, ValueError> {
        let zero = calculator.integer(0)?;
        let class = of_table::class_of(calculator.compare(value, zero)?);
        let stops = calculator.stops(value);
        let reduced = calculator.reduced(value)?;
        let weight = calculator.atomic_weight(value)?;
        let graph = calculator.thermograph(value).map_err(Error::from)?.clone();
        let (mean, temperature) = (graph.mean.to_string(), graph.temperature.to_string());
        Ok(Self {
            name: calculator.name(value)?,
            class,
            mean,
            temperature,
            thermograph: graph,
            stops: [stops.left, stops.right].map(|stop| stop.to_string()),
            reduced: calculator.name(reduced)?,
            atomic_weight: weight.map(|weight| calculator.name(weight)).transpose()?,
        })
    }
}

/// The value of the position that `term` names.
fn value_of(term: Term<'_>, calculator: &mut Calculator, limit: usize) -> Result<Value, ValueError> {
    let game = term.game()?;
    let mut boards = Boards::of(game.as_ref(), limit).map_err(|error| term.in_normal_play(error))?;
    boards.root(term.position, calculator).map_err(|error| term.with_example(error, game.as_ref()))
}

/// The value of `expression`.
fn evaluate(expression: &str, calculator: &mut Calculator, limit: usize) -> Result<Value, ValueError> {
    refuse_open_options(expression)?;
    let (parts, mut valued) = (parts(expression), Valued::default());
    for [before, after] in beside(&parts) {
        refuse_mode(before, after)?;
    }
    for part in parts {
        match part {
            Part::Text(part) => valued.push_text(part),
            Part::Term(term) => {
                let value = value_of(term, calculator, limit)?;
                valued.push_value(term, &calculator.name(value)?);
            }
        }
    }
    calculator.parse(&valued.text).map_err(|error| valued.explained(error, expression))
}
