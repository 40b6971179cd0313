//! Values of short games.

mod batch;
mod compare;
mod dyadic;
mod error;
mod known;
mod option_sets;
pub mod reference;
mod store;

pub use batch::{Batch, Forms};
pub use compare::{Comparer, Comparison};
pub use dyadic::{Dyadic, Overflow};
pub use error::{Error, Limits, MOST_OPTIONS, MOST_VALUES};
pub use known::Known;
pub use option_sets::OptionSets;
pub use store::{Store, Value};
