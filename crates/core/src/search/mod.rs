//! Exact search with memory: the value of one position under any rules, without a table.
//!
//! Searches check the solvers and the tables, and answer for positions without a table. They read the masks of the rules
//! themselves and share no code with the solvers.

mod alpha_beta;
mod iteration;
mod label;
mod masks;
mod outcome;

pub use alpha_beta::AlphaBeta;
pub use iteration::{Iteration, NoIteration};
pub use label::LabelSearch;
pub use outcome::{Guide, Known, LimitReached, Search};
