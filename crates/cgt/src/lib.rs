//! Values of combinatorial games: short games in normal play, up to equality.
//!
//! | to | use |
//! |---|---|
//! | calculate with games: sums, multiples, comparison, temperature, names | [`Calculator`] |
//! | read a game from text, write its name | [`Calculator::parse`], [`Calculator::name`] |
//! | find the values of millions of boards with many threads | [`OptionSets`], [`KnownOptions`], [`Batch`], [`Comparer`] |
//! | keep canonical forms, each once | [`Store`] |
//! | number values simplest first, read them back with checks | [`Store::simplest_first`], [`Store::push`] |
//! | calculate with values of a table | [`Calculator::import_with`] |
//! | impartial games in misère play: canonical forms, genus symbols, quotients | [`MisereForms`], [`Genus`], [`MisereQuotient`] |
//! | check all this by the definitions | [`mod@reference`] |
//!
//! A [`Value`] is a number in a store. Equal games of one store have equal numbers, because each canonical form is
//! stored once. Numbers of different stores have nothing to do with each other.
//!
//! ```
//! use tablegen_cgt::{Calculator, Comparison};
//!
//! let mut calculator = Calculator::default();
//! let up = calculator.parse("{0|*}")?;
//! let star = calculator.parse("*")?;
//! assert_eq!(calculator.compare(up, star)?, Comparison::Confused);
//! let game = calculator.multiple(3, up)?;
//! let game = calculator.sum(game, star)?;
//! assert_eq!(calculator.name(game)?, "^3*");
//!
//! let hot = calculator.parse("{3||2|1}")?;
//! let graph = calculator.thermograph(hot)?;
//! assert_eq!((graph.mean.to_string(), graph.temperature.to_string()), ("9/4".into(), "3/4".into()));
//! # Ok::<(), tablegen_cgt::Error>(())
//! ```
//!
//! Everything that can grow without bound stops with an [`Error`] at the caller's [`Limits`]. No function recurses over
//! a game on the stack of the thread, except the reference implementation.

mod batch;
mod calculator;
mod compare;
mod dictionary;
mod dyadic;
mod error;
mod known;
mod misere;
mod name;
mod option_sets;
mod parse;
pub mod reference;
mod shape;
mod stops;
mod store;
mod thermograph;
mod uptimal;

pub use batch::{Batch, Forms};
pub use calculator::{Calculator, Imports};
pub use compare::{Comparer, Comparison};
pub use dyadic::{Dyadic, Overflow};
pub use error::{Error, Limits, MOST_OPTIONS, MOST_VALUES};
pub use known::KnownOptions;
pub use misere::{Genus, MisereForm, MisereForms, MisereQuotient};
pub use option_sets::OptionSets;
pub use stops::{StopFinder, Stops};
pub use store::{Store, Value};
pub use thermograph::{Point, Thermograph, Thermographs, Wall};
pub use uptimal::Uptimal;
