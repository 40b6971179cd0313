//! Facts about games and tables, as values that each interface presents in its own way.

use std::time::Instant;

use super::roots::reaches_every_board;
use super::{EngineError, OpenTable, ReadWatch, SymmetryFacts};
use tablegen_games::{OutcomeClass, PartName, part_in};
use tablegen_index::domain::Domain;
use tablegen_labels::{Counts, LabelSet, Value};
use tablegen_rules::{Mode, Rules};
use tablegen_tables::table::{Table, VERSION};
use tablegen_tables::verify::{self, Finding, Layer, Scope};

/// Facts about rules that need no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFacts {
    /// The rules' name.
    pub name: String,
    /// Cells of the board.
    pub cells: u32,
    /// Number of modes.
    pub modes: usize,
    /// Names of the modes; empty if there is only one mode, which needs no name.
    pub mode_names: Vec<String>,
    /// Number of moves.
    pub moves: usize,
    /// The number of all (mode, board) pairs.
    pub positions: u128,
    /// True if a draw is possible.
    pub can_draw: bool,
}

impl RulesFacts {
    /// The facts of `rules`.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let modes = rules.modes().len();
        let names = (0..modes as u16).filter_map(|mode| rules.mode_name(Mode(mode)).map(str::to_owned));
        Self {
            name: rules.name().into(),
            cells: rules.cells(),
            modes,
            mode_names: names.collect(),
            moves: rules.moves().len(),
            positions: rules.positions(),
            can_draw: rules.can_draw() || rules.potential().is_none(),
        }
    }
}

/// The compression of a table's labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompressionFacts {
    /// Bytes of its labels and keys before compression.
    pub raw: u64,
    /// Bytes of labels and keys in the file, with their checksums.
    pub stored: u64,
    /// Bytes of a block.
    pub block: u32,
}

impl CompressionFacts {
    fn of(table: &Table) -> Option<Self> {
        table.packing().map(|packing| Self {
            raw: table.raw_bytes(),
            stored: table.stored_bytes(),
            block: packing.block,
        })
    }
}

/// The numbers of a table by regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionFacts {
    /// The number of regions with labels.
    pub regions: u64,
    /// The number of regions where a number of pieces has ended the game. Their positions have no labels and are not counted, because the
    /// rules give their outcome.
    pub ended: u64,
    /// The number of groups of regions that lead to each other, among these.
    pub groups: u64,
    /// The number of boards, in all modes, whether play reaches them or not.
    pub boards: u64,
    /// The count of numbers: of stored boards.
    pub numbers: u64,
}

impl RegionFacts {
    /// The facts of a table; `None` if it is not by regions.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let Domain::Regions { regions, .. } = table.domain() else { return None };
        let mut groups: Vec<u32> =
            regions.regions().iter().filter(|region| region.ended.is_none()).map(|region| region.group).collect();
        let count = groups.len() as u64;
        groups.dedup();
        Some(Self {
            regions: count,
            ended: regions.regions().len() as u64 - count,
            groups: groups.len() as u64,
            boards: table.counts().total(),
            numbers: regions.numbers(),
        })
    }
}

/// What a table is a part of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartFacts {
    /// The name of the part.
    pub name: String,
    /// The name of the rules of the whole game.
    pub whole: String,
}

impl PartFacts {
    /// The facts of a table; `None` if it is of a whole game.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let PartName { name, whole } = part_in(table.rules(), table.descriptor())?;
        Some(Self { name: name.into(), whole: whole.into() })
    }
}

/// Facts that a table records about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFacts {
    /// The facts about its rules.
    pub rules: RulesFacts,
    /// What it is a part of, if it is a table of a part of a game.
    pub part: Option<PartFacts>,
    /// The name of the solver that computed its labels.
    pub solver: &'static str,
    /// The number of reachable positions, if the table records it.
    pub reachable: Option<u64>,
    /// Outcomes of every colouring, reachable or not, in a two-colour table.
    pub colourings: Option<Counts>,
    /// Outcomes of every board in every mode, in a dense table with reachability bits.
    pub boards: Option<Counts>,
    /// The regions and their boards, in a table by regions.
    pub regions: Option<RegionFacts>,
    /// The symmetries, in a table that holds only representatives.
    pub symmetry: Option<SymmetryFacts>,
    /// The kinds of labels in the table.
    pub labels: LabelSet,
    /// True if the table lacks plies because best play from some positions lasts more of them than a label holds.
    pub lacks_plies: bool,
    /// The number of boards that have values, and of different values, if the table holds values.
    pub values: Option<(u64, u32)>,
    /// Outcomes of the reachable positions, if the table records which are reachable; else of all its positions. Under
    /// symmetry, all positions of each class are counted.
    pub counts: Counts,
    /// `counts` covers every board, including any that are not reachable.
    pub counts_every_board: bool,
    /// The value of the start position.
    pub start: Value,
    /// The outcome class and the names of the two sides, in a partizan game that does not fix which side begins.
    pub class: Option<(OutcomeClass, [String; 2])>,
    /// BLAKE3 of its rules, in hexadecimal.
    pub rules_hash: String,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// The compression of its labels, if any.
    pub compressed: Option<CompressionFacts>,
    /// Name and version of the program that wrote it.
    pub tool: String,
    /// The format's version.
    pub format_version: u32,
    /// Its path, or `embedded`.
    pub source: String,
}

/// The number of reachable positions, if the table records it.
#[must_use]
pub fn reachable(table: &Table) -> Option<u64> {
    table.domain().knows_reachable().then(|| table.counts().total())
}

/// True if the table's counts cover every board, including any that are not reachable.
pub(super) fn counts_every_board(table: &Table) -> bool {
    reachable(table).is_none() && !reaches_every_board(table.rules())
}

impl TableFacts {
    /// The facts about an open table.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn of(open: &OpenTable) -> Result<Self, EngineError> {
        let table = &open.table;
        let sides = match table.rules().modes() {
            [left, right, ..] => Some([left.clone(), right.clone()]),
            _ => None,
        };
        let every = table.every_by_mode().map(|counts| counts.iter().copied().sum());
        let is_coloured = table.contents().every_board().is_none();
        Ok(Self {
            rules: RulesFacts::of(table.rules()),
            part: PartFacts::of(table),
            solver: table.solver().name(),
            reachable: reachable(table),
            colourings: every.filter(|_| is_coloured),
            boards: every.filter(|_| !is_coloured),
            regions: RegionFacts::of(table),
            symmetry: SymmetryFacts::of(table),
            labels: table.labels(),
            lacks_plies: table.lacks_plies(),
            values: table.values().map(|values| (values.index.count(), values.dictionary.len())),
            counts: table.counts(),
            counts_every_board: counts_every_board(table),
            start: open.start()?.value,
            class: open.outcome_class()?.zip(sides),
            rules_hash: table.rules_hash(),
            file_bytes: table.file_bytes(),
            compressed: CompressionFacts::of(table),
            tool: table.tool().into(),
            format_version: VERSION,
            source: open.source(),
        })
    }
}

/// The result of checking a table.
#[derive(Debug)]
pub struct TableCheck {
    /// The level of checking.
    pub layer: Layer,
    /// The positions that were checked.
    pub scope: Scope,
    /// The labels that were checked.
    pub labels: LabelSet,
    /// True if values of boards are among the labels.
    pub values: bool,
    /// True if the table lacks plies, so that all wins and losses were checked to be forced.
    pub lacks_plies: bool,
    /// The number of bytes or labels found right; if a finding stopped the check, the number planned.
    pub checked: u64,
    /// Labels that the independent search could not decide.
    pub unknown: u64,
    /// The number of positions that the independent search could look at.
    pub limit: u64,
    /// The time taken.
    pub seconds: f64,
    /// The fault found, if any.
    pub finding: Option<Finding>,
}

impl TableCheck {
    /// Checks `layer` of `table`, in the scope that [`verify::scope`] derives from the one `asked` for. An independent
    /// search looks at no more than `limit` positions, or as many as [`verify::oracle_limit`] says. `watch` is called
    /// with the amount just checked, [`work`](Self::work) in total. `Break` stops the check, which is then its finding.
    #[must_use]
    pub fn of(table: &Table, layer: Layer, asked: Option<Scope>, limit: Option<u64>, watch: ReadWatch<'_>) -> Self {
        let begun = Instant::now();
        let (scope, labels) = (verify::scope(table, layer, asked), table.labels());
        let options = verify::Options { scope, limit, progress: Some(watch) };
        let done = match layer {
            Layer::Bytes => verify::bytes(table, &options).map(|bytes| (bytes, 0)),
            Layer::Labels => {
                verify::labels(table, &options).and_then(|labels| Ok((labels + verify::values(table, &options)?, 0)))
            }
            Layer::Oracle => verify::oracle(table, &options).map(|report| (report.right, report.unknown)),
        };
        let seconds = begun.elapsed().as_secs_f64();
        let (checked, unknown, finding) = match done {
            Ok((checked, unknown)) => (checked, unknown, None),
            Err(finding) => (Self::work(table, layer, asked), 0, Some(finding)),
        };
        let values = layer == Layer::Labels && table.values().is_some();
        let limit = verify::oracle_limit(table, limit);
        let lacks_plies = table.lacks_plies();
        Self { layer, scope, labels, values, lacks_plies, checked, unknown, limit, seconds, finding }
    }

    /// The same check; if it decided no label, this is its finding.
    #[must_use]
    pub fn decided(self) -> Self {
        let Self { checked, unknown, limit, finding, .. } = self;
        let none = (checked == 0 && unknown > 0).then_some(Finding::Undecided { labels: unknown, limit });
        Self { finding: finding.or(none), ..self }
    }

    /// The number of bytes or labels that [`of`](Self::of) checks.
    #[must_use]
    pub fn work(table: &Table, layer: Layer, asked: Option<Scope>) -> u64 {
        let kinds = table.labels().iter().count() as u64;
        let valued = table.values().filter(|_| layer == Layer::Labels).map_or(0, |values| values.index.count());
        match (layer, verify::scope(table, layer, asked)) {
            (Layer::Bytes, _) => table.file_bytes(),
            (_, Scope::All) => table.contents().count() * kinds + valued,
            (_, Scope::Sample { count, .. }) => count * kinds + valued.min(count),
        }
    }
}
