//! Statistics of a table: its outcomes by filled cells, and the frequency of each remoteness and each nimber.

use std::ops::ControlFlow;

use super::facts::counts_every_board;
use super::label_facts::{plies_histogram, repetitions};
use super::numbers::NumberCounts;
use super::{EngineError, OpenTable, PartFacts, ValueStats};
use tablegen_index::contents::{Contents, FilledCounts, LabelFault, RegionCounts, RegionLabels};
use tablegen_labels::{ByLabel, Counts, Label, Remoteness};
use tablegen_rules::{Mode, Outcome};
use tablegen_tables::table::{Table, TableFault};
use tablegen_tables::verify::{self, Finding};

/// Counts over all positions of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The rules' name.
    pub name: String,
    /// What the table is a part of, if it is a table of a part of a game.
    pub part: Option<PartFacts>,
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
    /// The outcomes of each region, in a table by regions; empty in any other table. Regions where a number of pieces ends the game have
    /// no labels.
    pub by_region: Vec<RegionStats>,
    /// The number of wins, draws and losses in 0, 1, 2 … plies, if the table holds remoteness.
    pub remoteness: Option<Vec<Counts>>,
    /// The number of draws by repetition, which have no plies.
    pub repetitions: u64,
    /// How often each number occurs as each other label of the table, which is a plain number.
    pub numbers: ByLabel<NumberCounts>,
    /// The values of boards, if the table holds them.
    pub values: Option<ValueStats>,
}

/// The outcomes of a region: the boards with given numbers of pieces in one mode, or in two whose colours can be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionStats {
    /// The name of the mode; `None` if there is only one mode.
    pub mode: Option<String>,
    /// The mode whose boards are counted as well, with the colours exchanged: its numbers of pieces are those of the other colour.
    pub mirrored: Option<String>,
    /// The number of pieces of the first colour, of the second, and of other filled cells.
    pub pieces: [u32; 3],
    /// The outcomes of its boards.
    pub counts: Counts,
    /// The number of boards that are stored: one or more for each symmetry class.
    pub stored: u64,
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
        let damaged = |fault: LabelFault| EngineError::damaged(table, fault);
        let mut by_region = Vec::new();
        let by_filled = if let Contents::Regions(regions) = table.contents() {
            let Some(tallies) = regions.tallies(progress).map_err(damaged)? else { return Ok(None) };
            by_region = region_stats(regions, &tallies, table);
            regions.by_filled(&tallies)
        } else {
            let by_filled = table.contents().counts_by_fill_count(progress);
            let Some(by_filled) = by_filled.map_err(damaged)? else { return Ok(None) };
            by_filled
        };
        let counts: Counts = by_filled.iter().map(|level| level.counts).sum();
        if counts != table.counts() {
            return Err(malformed("the counts in its header differ from its outcomes"));
        }
        let rules = table.rules();
        let by_mode = (0..).zip(table.counts_by_mode());
        let by_mode = by_mode.filter_map(|(mode, &counts)| Some((rules.mode_name(Mode(mode))?.to_owned(), counts)));
        let remoteness = table.labels().contains(Remoteness::KIND).then(|| plies_histogram(table));
        let numbers = ByLabel::new(|kind| NumberCounts::of(table, kind));
        // Every position has one label of each kind, and its remoteness implies its outcome, so the totals must agree.
        let repetitions = repetitions(table);
        let endless = Counts { draw: repetitions, ..Counts::default() };
        let of_plies = remoteness.as_ref().is_none_or(|rows| rows.iter().copied().sum::<Counts>() + endless == counts);
        let is_right = |rows: &NumberCounts| rows.counts.iter().sum::<u64>() == counts.total();
        if !of_plies || !numbers.values().all(is_right) {
            return Err(malformed("the histograms in its header contradict its outcomes"));
        }
        Ok(Some(Self {
            name: rules.name().into(),
            part: PartFacts::of(table),
            counts,
            can_draw: rules.can_draw() || rules.potential().is_none(),
            counts_every_board: counts_every_board(table),
            by_mode: by_mode.collect(),
            by_filled,
            by_region,
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

/// The outcomes of each region with labels.
fn region_stats(regions: RegionLabels<'_>, tallies: &[RegionCounts], table: &Table) -> Vec<RegionStats> {
    let of = regions.regions().regions().iter().zip(tallies).filter(|(region, _)| region.ended.is_none());
    let name = |mode: u16| table.rules().mode_name(Mode(mode)).map(str::to_owned);
    let swap = regions.regions().swap();
    let mirrored = |stored: u16| (0..).zip(swap).find(|(_, of)| **of == Some(stored)).and_then(|(mode, _)| name(mode));
    let stats = of.map(|(region, tally)| RegionStats {
        mode: name(region.mode),
        mirrored: mirrored(region.mode),
        pieces: region.counts,
        counts: tally.all,
        stored: tally.stored.total(),
    });
    stats.collect()
}
