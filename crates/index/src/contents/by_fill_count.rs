//! Outcomes counted by the number of filled cells.

use std::ops::ControlFlow;

use super::{Contents, LabelFault};
use crate::label::Counts;
use crate::reachable::CountFault;

/// The outcomes of the positions with one number of filled cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FilledCounts {
    /// The number of filled cells.
    pub filled: u32,
    /// The number of positions with each outcome, over all modes.
    pub counts: Counts,
}

impl Contents<'_> {
    /// The outcomes of all positions that [count](Self::is_counted), by their number of filled cells, the fewest first. Up to symmetry,
    /// all positions of each class are counted. Numbers of cells without positions are left out.
    ///
    /// This uses all cores of the current rayon pool. `counted` is called with the number of bytes just counted,
    /// [`outcome_bytes`](Self::outcome_bytes) in total. The result is `None` if it breaks.
    ///
    /// # Errors
    /// If a label is not an outcome, or cannot be unpacked: the bytes are damaged.
    pub fn counts_by_fill_count(
        &self,
        counted: impl Fn(u64) -> ControlFlow<()> + Sync,
    ) -> Result<Option<Vec<FilledCounts>>, LabelFault> {
        let mut all = Vec::new();
        match self {
            Self::Dense(dense) => match dense.by_fill_count(&counted)? {
                None => return Ok(None),
                Some(found) => all = found,
            },
            Self::Sparse(sparse) if !sparse.group().is_trivial() || !sparse.levels().potential().is_filled() => {
                all = sparse.weighted_by_fill_count()?;
                if counted(self.outcome_bytes()).is_break() {
                    return Ok(None);
                }
            }
            Self::Sparse(sparse) => {
                for (level, outcomes) in (0..).map_while(|number| sparse.level(number)) {
                    let filled = level.size().filled;
                    let counts = match outcomes.counts(&counted) {
                        Ok(Some(counts)) => counts,
                        Ok(None) => return Ok(None),
                        Err(CountFault::Block(fault)) => return Err(fault.into()),
                        Err(CountFault::NoOutcome(index)) => {
                            let position = level.position(index)?;
                            return Err(LabelFault::NoOutcome { position });
                        }
                    };
                    all.push(FilledCounts { filled, counts });
                }
            }
            Self::Regions(regions) => {
                let Some(tallies) = regions.tallies(&counted)? else { return Ok(None) };
                all = regions.by_filled(&tallies);
            }
            Self::Coloured(coloured) => {
                let Some(tallies) = coloured.tallies(&counted)? else { return Ok(None) };
                let reached = tallies.by_stones().map(|(filled, tally)| FilledCounts { filled, counts: tally.reached });
                all.extend(reached.filter(|filled| filled.counts.total() > 0));
            }
        }
        Ok(Some(all))
    }

    /// Bytes of the outcomes of all positions.
    #[must_use]
    pub fn outcome_bytes(&self) -> u64 {
        match self {
            Self::Dense(dense) => dense.planes().bytes().len() as u64,
            Self::Sparse(sparse) => sparse.outcomes().len() as u64,
            Self::Coloured(coloured) => coloured.outcome_bytes(),
            Self::Regions(regions) => regions.outcomes().len() as u64,
        }
    }
}
