//! `tablegen info`: what a table says of itself.

use std::ffi::OsString;

use serde_json::{Map, Value, json};
use tablegen::label::Probe;
use tablegen::rules::Rules;
use tablegen::table::{Table, VERSION};

use super::failure::{self, Failure, one_line};
use super::subject::GameOptions;
use super::tables::{self, Found, Places};
use super::{help, output, words};

/// Show what a table holds.
#[derive(clap::Args)]
#[command(after_help = help::info())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list', or a table file
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let found = places.open(&args.subject, &args.options)?;
    if args.json {
        return output::print_json(&facts(&found)?.into());
    }
    let (table, rules) = (&found.table, found.table.rules());
    let modes = match words::mode_names(rules) {
        names if names.is_empty() => String::new(),
        names => format!("\n  modes      {}", names.join(", ")),
    };
    let class = outcome_class(&found)?.map(|(class, words)| format!("\n  class      {class}: {words}"));
    let start = start(&found)?;
    let style = words::style(start.value.outcome);
    output::print(&format!(
        "{}\n  table      {}, {}\n  cells      {}{modes}\n  moves      {}\n  positions  {}\n  labels     outcome\n  \
         outcomes   {}\n  start      {style}{}{style:#}{}\n  rules      {}\n  written by {}, format version {VERSION}\n",
        rules.name(),
        words::source(table),
        words::bytes(table.file_bytes()),
        rules.cells(),
        rules.moves().len(),
        positions(table),
        outcomes(table),
        words::of_start(start.value.outcome),
        class.unwrap_or_default(),
        table.rules_hash(),
        one_line(table.tool()),
    ))
}

/// The value of the start, from the table.
pub(super) fn start(found: &Found) -> Result<Probe, Failure> {
    found.table.probe(found.table.rules().start_node()).map_err(|e| failure::of_reading(&e))
}

/// In a game of two sides, who wins whoever begins, in a letter and in words.
fn outcome_class(found: &Found) -> Result<Option<(&'static str, String)>, Failure> {
    let class = tables::looking_up(Some(&found.table), |look_up| found.game.outcome_class(look_up))?;
    Ok(match found.table.rules().modes() {
        [left, right, ..] => class.map(|class| (class.name(), class.words(left, right))),
        _ => None,
    })
}

/// How many positions a table holds, and which, in words.
pub(super) fn positions(table: &Table) -> String {
    match table.reached() {
        Some(reached) => format!("{}, those that play can reach", indicatif::HumanCount(reached.levels().count())),
        None => words::positions(table.rules()),
    }
}

/// The counts of the outcomes in words.
pub(super) fn outcomes(table: &Table) -> String {
    let counts = table.counts();
    let draws =
        if table.rules().can_draw() { format!("{}, ", words::counted(counts.draw, "draw")) } else { String::new() };
    let (wins, losses) = (words::counted(counts.win, "win"), indicatif::HumanCount(counts.loss));
    format!("{wins}, {draws}{losses} {}", if counts.loss == 1 { "loss" } else { "losses" })
}

/// What `info --json` prints, and `build --json` with more.
pub(super) fn facts(found: &Found) -> Result<Map<String, Value>, Failure> {
    let (table, counts) = (&found.table, found.table.counts());
    let start = start(found)?.value;
    let mut object = of_table(table);
    let more = [
        ("labels", json!(["outcome"])),
        ("counts", json!({"win": counts.win, "draw": counts.draw, "loss": counts.loss})),
        ("start", json!({"outcome": start.outcome.name(), "remoteness": start.remoteness, "nimber": start.nimber})),
        ("rules_hash", json!(table.rules_hash().to_hex().as_str())),
        ("file_bytes", json!(table.file_bytes())),
        ("tool", json!(table.tool())),
        ("format_version", json!(VERSION)),
        ("source", json!(found.source())),
    ];
    object.extend(more.map(|(key, value)| (key.to_owned(), value)));
    if let Some((class, _)) = outcome_class(found)? {
        object.insert("outcome_class".into(), json!(class));
    }
    Ok(object)
}

/// What can be said of a table without reading its labels.
pub(super) fn of_table(table: &Table) -> Map<String, Value> {
    let mut object = of_rules(table.rules());
    if let Some(reached) = table.reached() {
        object.insert("positions".into(), json!(reached.levels().count()));
        object.insert("coverage".into(), json!("reachable"));
    }
    object
}

/// What can be said of rules without a table.
pub(super) fn of_rules(rules: &Rules) -> Map<String, Value> {
    let facts = [
        ("game", json!(rules.name())),
        ("cells", json!(rules.cells())),
        ("modes", json!(rules.modes().len())),
        ("mode_names", json!(words::mode_names(rules))),
        ("positions", words::json_number(rules.positions())),
    ];
    facts.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
}
