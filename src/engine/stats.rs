//! Statistics of a table: its outcomes by filled cells, and how often each remoteness and each nimber occurs.

use std::ops::ControlFlow;
use std::path::Path;

use super::EngineError;
use super::facts::counts_every_board;
use crate::contents::FilledCounts;
use crate::label::{Counts, Label, LabelKind, Nimber, Remoteness, Width};
use crate::rules::Mode;
use crate::table::{Table, TableError, TableFault};
use crate::verify::{self, Finding};

/// Counts over all positions that a table holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The rules' name.
    pub name: String,
    /// The outcomes of all positions.
    pub counts: Counts,
    /// Whether a draw is possible.
    pub can_draw: bool,
    /// Whether these positions are every board, among which there may be some that play cannot reach.
    pub counts_every_board: bool,
    /// The outcomes in each mode, by its name; empty if there is only one mode, which needs no name.
    pub by_mode: Vec<(String, Counts)>,
    /// The outcomes by the number of filled cells, the fewest first.
    pub by_filled: Vec<FilledCounts>,
    /// The outcomes by plies to the end, from 0 to the most there are, if the table holds remoteness.
    pub remoteness: Option<Vec<PliesCounts>>,
    /// The positions by nimber, from 0 to the largest there is, if the table holds nimbers.
    pub nimbers: Option<Vec<NimberCount>>,
}

/// The outcomes of the positions with one remoteness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PliesCounts {
    /// Plies to the end.
    pub plies: u32,
    /// How many positions have each outcome.
    pub counts: Counts,
}

/// The positions with one nimber.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NimberCount {
    /// The nimber.
    pub nimber: u32,
    /// How many positions have it.
    pub count: u64,
}

/// Called with the number of bytes just read; `Break` stops the work. Any thread may call it.
pub type ReadWatch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl Stats {
    /// Counts the labels of `table`, on all cores of the current rayon pool. The checksums of the outcomes are checked
    /// before they are counted, so no figure comes from a changed byte; the other figures stand in the header, which was
    /// checked when the table was opened. `progress` is called [`work`](Self::work) bytes in total; `None` if it breaks.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of(table: &Table, progress: ReadWatch<'_>) -> Result<Option<Self>, EngineError> {
        let damaged = |fault| EngineError::Read(TableError { path: table.path().map(Path::to_owned), fault });
        let options = verify::Options { progress: Some(progress), ..verify::Options::default() };
        match verify::label_bytes(table, LabelKind::Outcome, &options) {
            Ok(_) => {}
            Err(Finding::Bytes(fault)) => return Err(damaged(fault)),
            Err(_) => return Ok(None),
        }
        let by_filled = table.contents().counts_by_filled(progress);
        let Some(by_filled) = by_filled.map_err(|fault| damaged(TableFault::Labels(fault)))? else { return Ok(None) };
        let counts: Counts = by_filled.iter().map(|level| level.counts).sum();
        if counts != table.counts() {
            return Err(damaged(TableFault::Malformed("its outcomes are not as many as its header counts")));
        }
        let rules = table.rules();
        let by_mode = (0..).zip(table.counts_by_mode());
        let by_mode = by_mode.filter_map(|(mode, &counts)| Some((rules.mode_name(Mode(mode))?.to_owned(), counts)));
        let codes = |kind| Some(table.codes(kind)).filter(|codes| !codes.is_empty());
        let remoteness = codes(LabelKind::Remoteness).map(by_plies);
        let nimbers = codes(LabelKind::Nimber).map(by_nimber);
        // Each position has one of each label, and its remoteness has its outcome.
        let of_plies = remoteness.as_ref().map_or(counts, |rows| rows.iter().map(|at| at.counts).sum());
        let of_nimbers = nimbers.as_ref().map_or(counts.total(), |rows| rows.iter().map(|at| at.count).sum());
        if of_plies != counts || of_nimbers != counts.total() {
            return Err(damaged(TableFault::Malformed("its header counts labels that its outcomes contradict")));
        }
        Ok(Some(Self {
            name: rules.name().into(),
            counts,
            can_draw: rules.can_draw(),
            counts_every_board: counts_every_board(table),
            by_mode: by_mode.collect(),
            by_filled,
            remoteness,
            nimbers,
        }))
    }

    /// The number of bytes that [`of`](Self::of) reads: the outcomes twice.
    #[must_use]
    pub fn work(table: &Table) -> u64 {
        2 * table.contents().outcome_bytes()
    }
}

/// The outcomes by plies, given how many positions have each code.
fn by_plies(codes: &[u64]) -> Vec<PliesCounts> {
    let mut all = Vec::new();
    for (code, &count) in codes.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let Some(label) = Remoteness::decode(code as u8, Width::Eight) else { continue };
        let first = all.len() as u32;
        all.extend((first..=label.plies.into()).map(|plies| PliesCounts { plies, counts: Counts::default() }));
        let counts = &mut all[usize::from(label.plies)].counts;
        *counts = *counts + Counts::of(label.outcome, count);
    }
    all
}

/// The positions by nimber, given how many have each code.
fn by_nimber(codes: &[u64]) -> Vec<NimberCount> {
    let mut all = Vec::new();
    for (code, &count) in codes.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let Some(Nimber(nimber)) = Nimber::decode(code as u8, Width::Eight) else { continue };
        all.extend((all.len() as u32..u32::from(nimber)).map(|nimber| NimberCount { nimber, count: 0 }));
        all.push(NimberCount { nimber: nimber.into(), count });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Outcome;

    #[test]
    fn codes_become_histograms_without_gaps() {
        let mut codes = [0; 256];
        for (outcome, plies, count) in [(Outcome::Loss, 0, 5), (Outcome::Win, 3, 7), (Outcome::Draw, 3, 1)] {
            codes[usize::from(Remoteness { outcome, plies }.encode(Width::Eight))] = count;
        }
        let of = |win, draw, loss| Counts { win, draw, loss };
        let expected = [of(0, 0, 5), of(0, 0, 0), of(0, 0, 0), of(7, 1, 0)];
        assert_eq!(by_plies(&codes).iter().map(|row| row.counts).collect::<Vec<_>>(), expected);
        assert!((0..).zip(by_plies(&codes)).all(|(plies, row)| row.plies == plies));

        let mut codes = [0; 256];
        (codes[1], codes[4]) = (2, 9);
        let rows: Vec<_> = by_nimber(&codes).iter().map(|row| (row.nimber, row.count)).collect();
        assert_eq!(rows, [(0, 0), (1, 2), (2, 0), (3, 0), (4, 9)]);
    }
}
