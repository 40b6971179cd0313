//! Answers and facts as JSON: the same objects for every interface.

mod batch;
mod certificate;
mod check;
mod labels;
mod line;
mod listed;
mod reply;
mod scene;
mod text;
mod values;

use serde_json::{Map, Value as Json, json};

use super::answer::reply::UNKNOWN;
use super::{
    Built, Choice, CompressionFacts, Estimate, EstimatedPositions, Figures, LevelFacts, NumberBytes, OpenTable,
    PartFacts, RankFacts, RegionFacts, RulesFacts, SliceFacts, Stats, SymmetryFacts, TableCheck, TableFacts, VALUE,
    peak_bytes,
};
use tablegen_games::{AnswerMove, Game, move_written};
use tablegen_labels::{ByLabel, Counts, Label, LabelSet, Remoteness, Value};
use tablegen_rules::{Board, Node, Rules};
use tablegen_solvers::TrafficTotals;
use tablegen_tables::verify::{Layer, Scope};

pub use batch::{LONGEST_LINE, LineAnswer, LineFault, answered_line, faulty_line, text_of_line};
pub use certificate::certified;
pub use check::{rules_file, statements};
pub use labels::labels;
pub use line::line;
pub use listed::{absent, bundled, family, listed, named_rules_file, unfinished};
pub use reply::reply;
pub use scene::{preview, view};
pub use text::{answered_text, answered_text_in, names_of};
use values::board_value;
pub use values::{summed, thermograph, value_stats, valued};

/// The largest number up to which all whole numbers are exact in the floating-point type of JSON readers.
const EXACT: u64 = 1 << 53;

/// A JSON object; its keys keep the order in which they are written.
pub type Object = Map<String, Json>;

/// The text of `object`, on one line.
#[must_use]
pub fn text(object: Object) -> String {
    Json::Object(object).to_string()
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Object {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A move of `game`, with its value for the player who makes it.
fn move_of(game: &dyn Game, m: &AnswerMove) -> Object {
    let mut all = named_move(game, &m.text, &m.position);
    all.extend(value(m.value));
    all.extend(optional(m.value));
    if m.gain != 0 {
        all.insert("gain".into(), json!(m.gain));
    }
    if m.again {
        all.insert("again".into(), json!(true));
    }
    all
}

/// The names of a move of `game`, and the position after it.
fn named_move(game: &dyn Game, text: &str, position: &str) -> Object {
    let mut all = object([("move", json!(text))]);
    if let Some(name) = move_written(game, text, position) {
        all.insert("notation".into(), json!(name));
    }
    all.insert("position".into(), json!(position));
    all
}

/// The labels of a position or a move that every answer has; an unknown label is `null`.
fn value(value: Option<Value>) -> Object {
    let numbers = value.map_or(ByLabel::NONE, |value| value.numbers);
    std::iter::once(("outcome".to_owned(), outcome(value))).chain(usual(&numbers)).collect()
}

/// The name of an outcome.
fn outcome(value: Option<Value>) -> Json {
    json!(value.map_or(UNKNOWN, |value| value.outcome.name()))
}

/// The keys that few values have: the key of draws by repetition, which a draw by the rules does not have, and the keys of labels that
/// few tables hold.
fn optional(value: Option<Value>) -> Object {
    let repetition = value.filter(|value| value.repetition).map(|_| ("repetition".to_owned(), json!(true)));
    let numbers = value.map_or(ByLabel::NONE, |value| value.numbers);
    repetition.into_iter().chain(unusual(&numbers)).collect()
}

/// The values of usual labels by their keys, `null` if there is none.
fn usual<T: Clone + Into<Json>>(values: &ByLabel<T>) -> impl Iterator<Item = (String, Json)> {
    let usual = LabelSet::ALL.usual().others();
    usual.map(|kind| (kind.about().key.to_owned(), values.of(kind).cloned().map_or(Json::Null, Into::into)))
}

/// The values of other labels by their keys, as far as there are any.
fn unusual<T: Clone + Into<Json>>(values: &ByLabel<T>) -> impl Iterator<Item = (String, Json)> {
    let unusual = values.iter().filter(|(kind, _)| !kind.about().usual);
    unusual.map(|(kind, value)| (kind.about().key.to_owned(), value.clone().into()))
}

/// The number of a board. A number that some JSON readers cannot represent exactly is also given as text.
fn board_of(board: Option<Board>) -> Object {
    let number = board.map(Board::number);
    let exact = number.and_then(|number| u64::try_from(number).ok()).filter(|&number| number <= EXACT);
    let mut all = object([("board", json!(exact))]);
    if let Some(board) = number.filter(|_| exact.is_none()) {
        all.insert("board_hex".into(), json!(format!("{board:#x}")));
    }
    all
}

/// The name of the mode of `node`, if the game has several modes.
fn mode_of(rules: &Rules, node: Node) -> Option<&str> {
    match node {
        Node::Opening => None,
        Node::At(position) => rules.mode_name(position.mode),
    }
}

/// The names of labels.
fn names(labels: LabelSet) -> Json {
    labels.names().collect()
}

/// Facts about rules that need no table.
#[must_use]
pub fn rules(facts: &RulesFacts) -> Object {
    object([
        ("game", json!(facts.name)),
        ("cells", json!(facts.cells)),
        ("modes", json!(facts.modes)),
        ("mode_names", json!(facts.mode_names)),
        ("positions", positions(facts.positions)),
    ])
}

/// A number of positions; `null` if it does not fit a `u64`.
fn positions(number: u128) -> Json {
    u64::try_from(number).map_or(Json::Null, Json::from)
}

/// Facts about a table that need no labels.
fn table_rules(facts: &RulesFacts, reachable: Option<u64>, regions: Option<RegionFacts>) -> Object {
    let mut all = rules(facts);
    if let Some(count) = reachable {
        all.extend(object([("positions", json!(count)), ("coverage", json!("reachable"))]));
    }
    if let Some(RegionFacts { boards, .. }) = regions {
        all.extend(object([("positions", json!(boards)), ("coverage", json!("regions"))]));
    }
    all
}

/// What a table is a part of; nothing for a table of a whole game.
fn part(facts: Option<&PartFacts>) -> Object {
    let of = |PartFacts { name, whole }: &PartFacts| object([("part", json!({"name": name, "of": whole}))]);
    facts.map(of).unwrap_or_default()
}

/// The facts that a table records about itself, as printed by `info --json`.
#[must_use]
pub fn table(facts: &TableFacts) -> Object {
    let (counts, start) = (facts.counts, facts.start);
    let mut of_start = value(Some(start));
    of_start.extend(optional(Some(start)));
    let mut all = table_rules(&facts.rules, facts.reachable, facts.regions);
    all.extend(part(facts.part.as_ref()));
    if let Some(SymmetryFacts { group, order, stored, orbits }) = &facts.symmetry {
        let mut of = object([("group", json!(group)), ("order", json!(order))]);
        match orbits {
            Some(orbits) => {
                let mut of_orbits = object([("count", json!(orbits.total()))]);
                of_orbits.extend(self::counts(*orbits));
                of.insert("orbits".into(), of_orbits.into());
            }
            None => drop(of.insert("stored".into(), json!({"positions": stored}))),
        }
        all.insert("symmetry".into(), of.into());
    }
    if let Some(RegionFacts { regions, ended, groups, boards, numbers }) = facts.regions {
        let of = json!({"count": regions, "ended": ended, "groups": groups, "boards": boards, "numbers": numbers});
        all.insert("by_regions".into(), of);
    }
    for (key, every) in [("colourings", facts.colourings), ("boards", facts.boards)] {
        let Some(every) = every else { continue };
        let mut all_of = object([("positions", json!(every.total()))]);
        all_of.extend(self::counts(every));
        all.insert(key.into(), all_of.into());
    }
    all.extend(object([
        ("solver", json!(facts.solver)),
        ("labels", with_value(names(facts.labels), facts.values.is_some())),
        ("values", json!(facts.values.map(|(boards, values)| json!({"boards": boards, "different": values})))),
        ("counts", self::counts(counts).into()),
        ("counts_of", counts_of(facts.counts_every_board)),
        ("start", of_start.into()),
        ("rules_hash", json!(facts.rules_hash)),
        ("file_bytes", json!(facts.file_bytes)),
        (
            "packed",
            json!(facts.compressed.map(|CompressionFacts { raw, stored, block }| {
                json!({"raw_bytes": raw, "stored_bytes": stored, "block_bytes": block})
            })),
        ),
        ("tool", json!(facts.tool)),
        ("format_version", json!(facts.format_version)),
        ("source", json!(facts.source)),
    ]));
    if let Some((class, _)) = &facts.class {
        all.insert("outcome_class".into(), json!(class.name()));
    }
    all
}

/// Counts of outcomes.
fn counts(counts: Counts) -> Object {
    object([("win", json!(counts.win)), ("draw", json!(counts.draw)), ("loss", json!(counts.loss))])
}

/// The positions that are counted: the reachable ones, or every board.
fn counts_of(every_board: bool) -> Json {
    json!(if every_board { "every board" } else { "reachable" })
}

/// Statistics of a table, as printed by `stats --json`.
#[must_use]
pub fn stats(stats: &Stats) -> Object {
    let row = |(key, value): (&str, Json), of: Counts| {
        let mut row = object([(key, value)]);
        row.extend(counts(of));
        Json::Object(row)
    };
    let by_mode = stats.by_mode.iter().map(|(mode, counts)| row(("mode", json!(mode)), *counts));
    let by_filled = stats.by_filled.iter().map(|level| row(("filled", json!(level.filled)), level.counts));
    let by_plies =
        |rows: &Vec<Counts>| (0..).zip(rows).map(|(n, at): (u32, _)| row(("plies", json!(n)), *at)).collect();
    let mut labels = ByLabel::new(|kind| {
        let row = |(number, count): (i32, u64)| json!({kind.about().key: number, "count": count});
        Some(stats.numbers.of(kind)?.rows().map(row).collect::<Json>())
    });
    labels.set(Remoteness::KIND, stats.remoteness.as_ref().map(by_plies));
    let mut all = object([
        ("game", json!(stats.name)),
        ("positions", json!(stats.counts.total())),
        ("counts", counts(stats.counts).into()),
        ("counts_of", counts_of(stats.counts_every_board)),
        ("by_mode", if stats.by_mode.is_empty() { Json::Null } else { by_mode.collect() }),
        ("by_filled", by_filled.collect()),
    ]);
    all.extend(part(stats.part.as_ref()));
    if !stats.by_region.is_empty() {
        let rows = stats.by_region.iter().map(|region| {
            let [first, second, other] = region.pieces;
            let mut of = object([("mode", json!(region.mode)), ("pieces", json!([first, second, other]))]);
            if let Some(mode) = &region.mirrored {
                of.insert("mirrored".into(), json!({"mode": mode, "pieces": [second, first, other]}));
            }
            of.insert("stored".into(), json!(region.stored));
            of.extend(counts(region.counts));
            Json::Object(of)
        });
        all.insert("by_region".into(), rows.collect());
    }
    all.extend(usual(&labels));
    if stats.repetitions > 0 {
        all.insert("repetition".into(), json!(stats.repetitions));
    }
    all.extend(unusual(&labels));
    if let Some(values) = &stats.values {
        all.insert("values".into(), value_stats(values));
    }
    all
}

/// Names of labels, and `value` if the boards have values.
fn with_value(mut names: Json, has_values: bool) -> Json {
    if let (true, Some(names)) = (has_values, names.as_array_mut()) {
        names.push(json!(VALUE));
    }
    names
}

/// The solver, the reason for choosing it, and the numbers that decided; `null` if no numbers did.
fn solver(choice: &Choice) -> Object {
    let figures = choice.figures.as_ref().map(|figures| {
        let Figures { all, colourings, reached, .. } = figures;
        let instead = figures
            .instead(choice.method)
            .map(|(cost, times)| json!({"solver": cost.method.name(), "times": times, "bytes": cost.bytes}));
        json!({
            "all": positions(*all),
            "colourings": colourings.map(positions),
            "instead": instead.collect::<Vec<Json>>(),
            "reached": reached.positions(),
            "reached_at_least": reached.at_least(),
            "reached_about": reached.about(),
        })
    });
    object([
        ("solver", json!(choice.method.name())),
        ("solver_reason", json!(choice.reason)),
        ("solver_figures", json!(figures)),
    ])
}

/// The result of a build that took `seconds` in total, as printed by `build --json`.
#[must_use]
pub fn built(built: &Built, facts: &TableFacts, seconds: f64) -> Object {
    let (mut all, how) = (table(facts), &built.how);
    all.extend(object([
        ("seconds", json!(seconds)),
        ("sweep_seconds", json!(how.solve_time.as_secs_f64())),
        ("positions_per_second", json!(built.positions_per_second())),
        ("labels_kept", json!(how.kept)),
        ("labels_solved", json!(built.solved())),
        ("value_seconds", json!(how.value_time.map(|time| time.as_secs_f64()))),
        ("threads", json!(how.threads)),
        ("kernel", json!(how.program)),
        ("peak_bytes", json!(peak_bytes())),
    ]));
    if let Some(SliceFacts { slices, slice_cells, parts, resumed }) = &how.slices {
        let slices = json!({"count": slices, "cells": slice_cells, "sheets": parts, "sheets_kept": resumed});
        all.insert("regions".into(), slices);
    }
    if how.levels != LevelFacts::default() {
        let LevelFacts { found, labelled } = how.levels;
        all.insert("levels_kept".into(), json!({"found": found, "labelled": labelled}));
    }
    if how.resumed_regions > 0 {
        all.insert("regions_kept".into(), json!(how.resumed_regions));
    }
    if let Some(RankFacts { ranks, without_folder, traffic, planned_bytes }) = how.ranks {
        let TrafficTotals { bytes, slices, slice_bytes } = traffic;
        let fetched = json!({"regions": slices, "bytes": slice_bytes, "planned_bytes": planned_bytes});
        all.insert(
            "ranks".into(),
            json!({"count": ranks, "apart": without_folder, "sent_bytes": bytes, "fetched": fetched}),
        );
    }
    all.extend(solver(&built.choice));
    all
}

/// The checks of a table, as printed by `verify --json`.
#[must_use]
pub fn checks(open: &OpenTable, checks: &[TableCheck]) -> Json {
    let (name, ok) = (open.table.rules().name(), checks.iter().all(|check| check.finding.is_none()));
    let mut all = object([("game", json!(name)), ("source", json!(open.source())), ("ok", json!(ok))]);
    all.extend(part(PartFacts::of(&open.table).as_ref()));
    all.insert("checks".into(), checks.iter().map(check).collect());
    all.into()
}

fn check(check: &TableCheck) -> Json {
    let mut all = object([
        ("level", json!(check.layer.name())),
        ("ok", json!(check.finding.is_none())),
        ("checked", json!(check.checked)),
        ("seconds", json!(check.seconds)),
    ]);
    if check.layer != Layer::Bytes {
        all.insert("labels".into(), with_value(names(check.labels), check.values));
    }
    if check.layer == Layer::Oracle {
        all.insert("unknown".into(), json!(check.unknown));
    }
    if let (Layer::Labels | Layer::Oracle, Scope::Sample { count, seed }) = (check.layer, check.scope) {
        all.insert("sample".into(), json!({"count": count, "seed": seed}));
    }
    if let Some(finding) = &check.finding {
        all.insert("finding".into(), json!(finding.to_string()));
    }
    all.into()
}

/// The size of a game, as printed by `estimate --json`.
#[must_use]
pub fn estimate(facts: &RulesFacts, estimate: &Estimate) -> Object {
    let mut all = rules(facts);
    let mut orbits = None;
    if let EstimatedPositions::Found { reachable, representatives } = &estimate.positions {
        orbits = *representatives;
        all.extend(object([
            ("positions", json!(reachable.positions())),
            ("positions_at_least", json!(reachable.at_least())),
            ("positions_about", json!(reachable.about())),
            ("coverage", json!("reachable")),
        ]));
    }
    if let EstimatedPositions::Numbered { numbers, boards, regions, .. } = &estimate.positions {
        all.extend(object([
            ("positions", json!(boards)),
            ("coverage", json!("regions")),
            ("by_regions", json!({"count": regions, "boards": boards, "numbers": numbers})),
        ]));
    }
    if let Some(group) = &estimate.symmetry {
        let symmetry = json!({"group": group.name(), "order": group.order(), "orbits": {"count": orbits}});
        all.insert("symmetry".into(), symmetry);
    }
    let (mut is_packed, mut seconds) = (false, None);
    if let EstimatedPositions::Numbered { compressed, time, least_file_bytes, .. } = &estimate.positions {
        (is_packed, seconds) = (*compressed, Some(time.as_secs_f64()));
        all.insert("least_file_bytes".into(), json!(least_file_bytes));
    }
    if let EstimatedPositions::Swept { colourings, compressed, slices, time } = &estimate.positions {
        (is_packed, seconds) = (*compressed, Some(time.as_secs_f64()));
        if let Some(colourings) = colourings {
            all.extend(object([("positions", json!(colourings)), ("coverage", json!("colourings"))]));
        }
        if let Some((count, cells)) = slices {
            all.insert("regions".into(), json!({"count": count, "cells": cells}));
        }
    }
    all.extend(object([
        ("labels", names(estimate.labels)),
        ("file_bytes", json!(estimate.file_bytes)),
        ("packed", json!(is_packed)),
        ("memory_bytes", json!(estimate.memory_bytes)),
        ("fits", json!(estimate.fits().name())),
    ]));
    if let Some(disk) = &estimate.disk {
        all.extend(object([
            ("compressed_bytes", json!(disk.compressed)),
            ("disk_free_bytes", json!(disk.free)),
            ("may_fill_disk", json!(disk.may_fill())),
        ]));
    }
    if let Some(values) = estimate.values {
        let known = if let NumberBytes::OfEvery(bytes) = values { Some(bytes) } else { None };
        all.insert("value_bytes".into(), json!(known));
    }
    if let Some(seconds) = seconds {
        all.insert("sweep_seconds".into(), json!(seconds));
    }
    all.extend(solver(&estimate.choice));
    all
}
