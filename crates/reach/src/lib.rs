//! Solvers of the positions that play can reach.
//!
//! - `sparse`: level by level, by a potential that every move raises.
//! - `cyclic`: backward from the ends of play, where positions may repeat.
//! - `regions`: the same for every board of a region, group by group.
//! - `sampled`: an estimate of how many there are.
//!
//! `tablegen-solvers` calls them. Other items serve its crates and may change.

mod count;
pub mod cyclic;
pub mod regions;
mod sampled;
pub mod sparse;

use std::ops::ControlFlow;

use tablegen_index::plane::PlaneKind;
use tablegen_index::{contents, domain, reachable, regions as index, symmetry};
use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_simd as simd;
use tablegen_solve::{MemoryProbe, Options, Solution, SolveError, UpTo, check_codes, check_labels, labelled, memory};
use tablegen_work::parallel;
use tablegen_work::progress::{Meter, Phase, Watch};

/// The error of work that was stopped.
fn go_on(flow: ControlFlow<()>) -> Result<(), SolveError> {
    if flow.is_break() { Err(SolveError::Cancelled) } else { Ok(()) }
}

pub use count::{ReachableCount, count_reachable};
pub use sampled::{sampled_count, sampled_up_to};
pub use sparse::moves::{ALL as TEST_ROOM, Test, Tests};
