//! Exact search with memory: the value of one position under any rules, without a table.
//!
//! Searches check the solvers and the tables, and answer for positions without a table. They read the masks of the rules
//! themselves and share no code with the solvers.

mod alpha_beta;
mod iteration;
mod labels;
mod masks;
mod outcome;

use tablegen_index::reachable;
use tablegen_rules as rules;

pub use alpha_beta::AlphaBeta;
pub use iteration::{Iteration, NoIteration};
pub use labels::LabelSearch;
pub use outcome::{Guide, Known, LimitReached, Search};
