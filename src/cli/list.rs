//! `tablegen list`: the games, and the tables found.

use indicatif::HumanBytes;
use serde_json::{Value, json};
use tablegen::engine::{self, EngineError, ListedTable, RulesFacts, reachable};
use tablegen::game::{FAMILIES, Family, LIBRARY, LibraryGame, Parameters};

use super::failure::Failure;
use super::session::Session;
use super::text::one_line;
use super::{help, output, words};

/// List the games and the tables found.
#[derive(clap::Args)]
#[command(after_help = help::list())]
pub(super) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let tables = session.engine()?.tables();
    session.note_folder();
    if args.json {
        let games: Vec<Value> =
            FAMILIES.iter().map(engine::json::family).chain(LIBRARY.iter().map(engine::json::bundled)).collect();
        let tables: Vec<Value> = tables.iter().map(|listed| engine::json::listed(listed, message)).collect();
        return output::print_json(&json!({"games": games, "tables": tables}));
    }
    let games = FAMILIES.iter().map(in_words).collect::<Vec<_>>().join("\n");
    let tables: Vec<String> = tables.iter().map(table_in_words).collect();
    let tables = if tables.is_empty() { "  none\n".into() } else { tables.concat() };
    let folders: Vec<String> = session.folders().iter().map(|folder| folder.display().to_string()).collect();
    let looked = if folders.is_empty() { "no folder".into() } else { folders.join(", ") };
    let bundled = LIBRARY.iter().map(bundled_in_words).collect::<String>();
    let bundled =
        format!("Games defined by rules files (rows of X and . unless 'tablegen check' shows otherwise)\n{bundled}");
    output::print(&format!("Games\n{games}\n{bundled}\nTables (looked for in {})\n{tables}", one_line(&looked)))
}

fn in_words(family: &Family) -> String {
    let mut text = format!("  {}: {}\n    positions  {}\n", family.name, family.summary, family.notation);
    for option in family.parameters {
        let value = if option.value.is_empty() { String::new() } else { format!(" {}", option.value) };
        let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        text += &format!("    --{}{value}  {}{default}\n", option.name, option.help);
    }
    text
}

fn bundled_in_words(game: &LibraryGame) -> String {
    let parameters = game.read(&Parameters::new()).map(|game| game.parameters().to_vec()).unwrap_or_default();
    let set: Vec<String> = parameters.iter().map(|set| format!("{}={}", set.name, set.default)).collect();
    let set = if set.is_empty() { String::new() } else { format!("\n    --set KEY=VALUE  {}", set.join(", ")) };
    format!("  {}: {}{set}\n", game.name, game.summary())
}

fn table_in_words(listed: &ListedTable) -> String {
    match &listed.table {
        Ok(table) => {
            let (name, bytes) = (table.rules().name(), HumanBytes(table.file_bytes()));
            let held = words::held(&RulesFacts::of(table.rules()), reachable(table));
            format!("  {name}: {held}, {bytes}, {}\n", one_line(&listed.source))
        }
        Err(error) => format!("  unusable: {}\n", one_line(&message(error))),
    }
}

/// What is wrong with a table, in one line.
fn message(error: &EngineError) -> String {
    match Failure::of(error) {
        Failure::Message { message, .. } => message,
        Failure::BrokenPipe => "unusable".into(),
    }
}
