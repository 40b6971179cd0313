//! The number of reachable positions.

use crate::domain::Domain;
use crate::rules::Rules;
use crate::{Options, SolveError, check_codes, cyclic, sparse};

/// The reachable positions of a game, counted, and the memory for solving them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachableCount {
    /// The domain of their table.
    pub domain: Domain,
    /// The number of reachable positions, including all positions of each symmetry class.
    pub positions: u64,
    /// Bytes of memory that solving holds at its peak.
    pub peak_bytes: u64,
}

impl ReachableCount {
    /// The number of positions that a table stores: under symmetry, of representatives.
    #[must_use]
    pub fn stored(&self) -> u64 {
        match &self.domain {
            Domain::Sparse { levels, .. } => levels.count(),
            Domain::Regions { regions, .. } => regions.numbers(),
            Domain::Dense { .. } | Domain::Coloured(_) => self.positions,
        }
    }
}

/// Counts the reachable positions of `rules`, without labelling them.
///
/// # Errors
/// As `solve()` with the method that labels reachable positions (`Method::of_reachable`).
pub fn count_reachable(rules: &Rules, options: &Options<'_>) -> Result<ReachableCount, SolveError> {
    check_codes(rules)?;
    if rules.potential().is_some() {
        sparse::count_reachable(rules, options)
    } else {
        cyclic::count_reachable(rules, options)
    }
}
