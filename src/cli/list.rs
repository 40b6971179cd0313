//! `tablegen list`: the games there are and the tables found.

use serde_json::{Value, json};
use tablegen::game::{FAMILIES, Family, LIBRARY, LibraryGame, Parameter, Parameters};
use tablegen::table::Table;

use super::failure::{Failure, one_line};
use super::tables::Places;
use super::{help, info, output};

/// List the games and the tables found.
#[derive(clap::Args)]
#[command(after_help = help::list())]
pub(super) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let tables = places.all();
    if args.json {
        let games = FAMILIES.iter().map(family_to_json).chain(LIBRARY.iter().map(written_to_json));
        let games: Vec<Value> = games.collect();
        let tables: Vec<Value> = tables.iter().map(|(source, table)| table_to_json(source, table)).collect();
        return output::print_json(&json!({"games": games, "tables": tables}));
    }
    let games = FAMILIES.iter().map(in_words).collect::<Vec<_>>().join("\n");
    let tables: Vec<String> = tables.iter().map(|(source, table)| table_in_words(source, table)).collect();
    let tables = if tables.is_empty() { "  none\n".into() } else { tables.concat() };
    let folders: Vec<String> = places.folders().iter().map(|folder| folder.display().to_string()).collect();
    let looked = if folders.is_empty() { "no folder".into() } else { folders.join(", ") };
    let written = LIBRARY.iter().map(written_in_words).collect::<String>();
    let written =
        format!("Games said in rules files (rows of X and . unless 'tablegen check' shows otherwise)\n{written}");
    output::print(&format!("Games\n{games}\n{written}\nTables (looked for in {})\n{tables}", one_line(&looked)))
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

/// The parameters of a rules file with their defaults.
fn parameters(game: &LibraryGame) -> Vec<Parameter> {
    game.read(&Parameters::new()).map(|game| game.parameters().to_vec()).unwrap_or_default()
}

fn written_in_words(game: &LibraryGame) -> String {
    let set = parameters(game).into_iter().map(|parameter| format!("{}={}", parameter.name, parameter.default));
    let set = set.collect::<Vec<_>>().join(", ");
    let set = if set.is_empty() { set } else { format!("\n    --set KEY=VALUE  {set}") };
    format!("  {}: {}{set}\n", game.name, game.summary())
}

fn written_to_json(game: &LibraryGame) -> Value {
    let parameters = parameters(game).into_iter().map(|parameter| {
        json!({"name": parameter.name, "help": parameter.help, "default": parameter.default, "expected": parameter.expected})
    });
    json!({
        "name": game.name,
        "summary": game.summary(),
        "rules_file": format!("games/{}.toml", game.name),
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

fn table_in_words(source: &str, table: &Result<Table, Failure>) -> String {
    let source = one_line(source);
    match table {
        Ok(table) => {
            let (name, bytes) = (&table.rules().name(), indicatif::HumanBytes(table.file_bytes()));
            format!("  {name}: {}, {bytes}, {source}\n", info::positions(table))
        }
        Err(Failure::Message { message, .. }) => format!("  unusable: {}\n", one_line(message)),
        Err(Failure::BrokenPipe) => format!("  unusable: {source}\n"),
    }
}

fn family_to_json(family: &Family) -> Value {
    let options = family.parameters.iter().map(
        |option| json!({"name": option.name, "value": option.value, "help": option.help, "default": option.default}),
    );
    json!({
        "name": family.name,
        "summary": family.summary,
        "notation": family.notation,
        "example": family.example,
        "options": options.collect::<Vec<_>>(),
    })
}

fn table_to_json(source: &str, table: &Result<Table, Failure>) -> Value {
    match table {
        Ok(table) => {
            let mut object = info::of_table(table);
            object.insert("file_bytes".into(), json!(table.file_bytes()));
            object.insert("source".into(), json!(source));
            object.into()
        }
        Err(Failure::Message { message, .. }) => json!({"source": source, "error": message}),
        Err(Failure::BrokenPipe) => json!({"source": source, "error": "unusable"}),
    }
}
