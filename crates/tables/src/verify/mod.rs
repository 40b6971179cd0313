//! Checks of a table, in levels that share as little code as possible.
//!
//! - [`bytes()`]: every byte matches its checksum. This shows that the file is what was written.
//! - [`labels()`]: every label follows from the labels of the successors, directly by definition
//!   ([`step`](crate::label::step())) and without any code of the kernels. This shows that what was written is right:
//!   full boards have no successors, and every other label follows by induction.
//! - [`oracle()`]: labels equal the results of an independent search ([`Search`](crate::search::Search)), which shares
//!   no code with the solvers, the table, or the check of the labels.

mod by_regions;
mod byte_labels;
mod bytes;
mod finding;
mod labels;
mod marks;
mod oracle;
mod outcomes;
mod sample;
mod stored;
mod unused;
mod values;

use std::ops::ControlFlow;

use crate::table::Table;

pub use bytes::{bytes, label_bytes};
pub use finding::{Finding, Layer};
pub use labels::labels;
pub use oracle::{ORACLE_LIMIT, ORACLE_POSITIONS, OracleReport, oracle, oracle_limit};
pub use values::values;

/// The labels to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Every label.
    #[default]
    All,
    /// A sample of `count` positions, drawn uniformly from the positions of the table. The start, all positions one and
    /// two plies later, and a line of best play are checked too, but not counted.
    Sample {
        /// The number of draws.
        count: u64,
        /// Seed of the draws: equal seeds draw equal positions. Draws of different seeds are independent.
        seed: u64,
    },
}

/// By default, the oracle checks every position of a table with at most `ORACLE_ALL` positions, and `ORACLE_SAMPLE`
/// positions of a larger table.
const ORACLE_ALL: u64 = 1 << 20;
const ORACLE_SAMPLE: u64 = 2_000;

/// The scope of a check of `layer`: the one `asked` for, if it applies to that level. By default it is every byte or
/// label, except that the oracle checks only a sample of a large table. A sample with at least one draw per position
/// becomes all labels, and so does a sample of labels if the table [lacks plies](Table::lacks_plies).
#[must_use]
pub fn scope(table: &Table, layer: Layer, asked: Option<Scope>) -> Scope {
    let every = table.contents().count();
    match (layer, asked) {
        (Layer::Bytes, _) | (Layer::Labels, None) => Scope::All,
        // Whether a win makes progress is only known for all positions together.
        (Layer::Labels, _) if table.lacks_plies() => Scope::All,
        // Checking every label is as fast as checking this many draws, and proves more.
        (_, Some(Scope::Sample { count, .. })) if count >= every => Scope::All,
        (_, Some(scope)) => scope,
        (Layer::Oracle, None) if every <= ORACLE_ALL => Scope::All,
        (Layer::Oracle, None) => Scope::Sample { count: ORACLE_SAMPLE, seed: 0 },
    }
}

/// The options of a check.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The labels to check.
    pub scope: Scope,
    /// The maximum number of positions that the oracle may look at: for each label, or for all labels together if positions may
    /// repeat. `None` for [`ORACLE_LIMIT`] or [`ORACLE_POSITIONS`].
    pub limit: Option<u64>,
    /// Called with the number of units just checked: bytes or labels, 0 for labels that are not counted. `Break` stops
    /// the check. Any thread may call it.
    pub progress: Option<&'a (dyn Fn(u64) -> ControlFlow<()> + Sync)>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { scope: Scope::All, limit: None, progress: None }
    }
}

impl Options<'_> {
    fn tell(&self, done: u64) -> Result<(), Finding> {
        match self.progress.map(|progress| progress(done)) {
            Some(ControlFlow::Break(())) => Err(Finding::Cancelled),
            _ => Ok(()),
        }
    }
}
