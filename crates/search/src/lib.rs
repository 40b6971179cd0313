//! Exact search with memory: the value of one position under any rules, without a table.
//!
//! Searches check the solvers and the tables, and answer for positions without a table. They read the masks of the rules
//! themselves and share no code with the solvers.

mod alpha_beta;
mod budget;
mod claims;
mod discs;
mod entry;
mod guard;
mod guess;
mod iteration;
mod labels;
mod lines;
mod masks;
mod memory;
mod outcome;
mod outcome_search;
mod partisan;
mod parts;
mod placing;
mod pool;
mod strong;
mod sum_key;
mod sums;
mod threads;
mod turns;
mod wanted;

use tablegen_index::reachable;
use tablegen_rules as rules;

pub use guess::{Guess, Strength};
pub use iteration::{Iteration, NoIteration};
pub use labels::LabelSearch;
pub use outcome::{Guide, Known, LimitReached, Search};
pub use strong::{AlphaBeta, KnownValues};
pub use sum_key::{PartMoves, SumKeys};
pub use wanted::{Wanted, WantedError};
