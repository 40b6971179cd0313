//! Statistics of a table: its outcomes by filled cells, and the frequency of each remoteness and each nimber.

use std::ops::ControlFlow;

use super::facts::counts_every_board;
use super::label_facts::{plies_histogram, repetitions};
use super::numbers::number_histogram;
use super::{EngineError, OpenTable, ValueStats};
use tablegen_index::contents::FilledCounts;
use tablegen_labels::{ByLabel, Counts, Label, Remoteness};
use tablegen_rules::{MAX_CELLS, Mode, Outcome};
use tablegen_tables::table::{Table, TableFault};
use tablegen_tables::verify::{self, Finding};

/// Counts over all positions of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The rules' name.
    pub name: String,
    /// The outcomes of all positions.
    pub counts: Counts,
    /// True if a draw is possible.
    pub can_draw: bool,
    /// `counts` covers every board, including any that are not reachable.
    pub counts_every_board: bool,
    /// The outcomes in each mode, by the mode's name; empty if there is only one mode.
    pub by_mode: Vec<(String, Counts)>,
    /// The outcomes by the number of filled cells, the fewest first.
    pub by_filled: Vec<FilledCounts>,
    /// The number of wins, draws and losses in 0, 1, 2 … plies, if the table holds remoteness.
    pub remoteness: Option<Vec<Counts>>,
    /// The number of draws by repetition, which have no plies.
    pub repetitions: u64,
    /// The number of positions with 0, 1, 2 … as each other label of the table, which is a plain number.
    pub numbers: ByLabel<Vec<u64>>,
    /// The values of boards, if the table holds them.
    pub values: Option<ValueStats>,
}

/// Called with the number of bytes just read; `Break` stops the work. Any thread may call it.
pub type ReadWatch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl Stats {
    /// Counts the labels of `table`, on all cores of the current rayon pool. The checksums of the outcomes are checked
    /// before they are counted, so no count comes from a changed byte. The other counts are in the header, which was
    /// checked when the table was opened. `progress` is called with [`work`](Self::work) bytes in total; if it breaks,
    /// the result is `None`.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of(open: &OpenTable, progress: ReadWatch<'_>) -> Result<Option<Self>, EngineError> {
        let table = &open.table;
        let malformed = |fault| EngineError::damaged(table, TableFault::Malformed(fault));
        let options = verify::Options { progress: Some(progress), ..verify::Options::default() };
        match verify::label_bytes(table, Outcome::KIND, &options) {
            Ok(_) => {}
            Err(Finding::Bytes(fault)) => return Err(EngineError::damaged(table, fault)),
            Err(_) => return Ok(None),
        }
        let by_filled = table.contents().counts_by_fill_count(progress);
        let Some(by_filled) = by_filled.map_err(|fault| EngineError::damaged(table, fault))? else { return Ok(None) };
        let counts: Counts = by_filled.iter().map(|level| level.counts).sum();
        if counts != table.counts() {
            return Err(malformed("the counts in its header differ from its outcomes"));
        }
        let rules = table.rules();
        let by_mode = (0..).zip(table.counts_by_mode());
        let by_mode = by_mode.filter_map(|(mode, &counts)| Some((rules.mode_name(Mode(mode))?.to_owned(), counts)));
        let remoteness = table.labels().contains(Remoteness::KIND).then(|| plies_histogram(table));
        let numbers = ByLabel::new(|kind| number_histogram(table, kind));
        // Every position has one label of each kind, and its remoteness implies its outcome, so the totals must agree.
        let repetitions = repetitions(table);
        let endless = Counts { draw: repetitions, ..Counts::default() };
        let of_plies = remoteness.as_ref().is_none_or(|rows| rows.iter().copied().sum::<Counts>() + endless == counts);
        let is_right =
            |rows: &Vec<u64>| rows.iter().sum::<u64>() == counts.total() && rows.len() <= MAX_CELLS as usize + 1;
        if !of_plies || !numbers.values().all(is_right) {
            return Err(malformed("the histograms in its header contradict its outcomes"));
        }
        Ok(Some(Self {
            name: rules.name().into(),
            counts,
            can_draw: rules.can_draw() || rules.potential().is_none(),
            counts_every_board: counts_every_board(table),
            by_mode: by_mode.collect(),
            by_filled,
            remoteness,
            repetitions,
            numbers,
            values: ValueStats::of(open)?,
        }))
    }

    /// The number of bytes that [`of`](Self::of) reads: the outcomes twice.
    #[must_use]
    pub fn work(table: &Table) -> u64 {
        table.blocks_of(Outcome::KIND).1 + table.contents().outcome_bytes()
    }
}
