//! Values of short games.

mod batch;
mod calculator;
mod compare;
mod dictionary;
mod dyadic;
mod error;
mod known;
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
pub use known::Known;
pub use option_sets::OptionSets;
pub use stops::{StopFinder, Stops};
pub use store::{Store, Value};
pub use thermograph::{Point, Thermograph, Thermographs, Wall};
pub use uptimal::Uptimal;
