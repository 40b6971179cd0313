//! `tablegen list`: the games, and the tables found.

use anstyle::Style;
use indicatif::HumanBytes;
use serde_json::{Value, json};
use tablegen::engine::{self, EngineError, ListedTable, RulesFacts, UnfinishedTable, reachable};
use tablegen::game::{FAMILIES, Family, LIBRARY, LibraryGame, Parameters};

use super::failure::Failure;
use super::session::Session;
use super::text::one_line;
use super::wrap::{terminal_columns, wrapped};
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
    let engine = session.engine()?;
    let (tables, unfinished) = (engine.tables(), engine.unfinished());
    session.note_folder();
    if args.json {
        let games: Vec<Value> =
            FAMILIES.iter().map(engine::json::family).chain(LIBRARY.iter().map(engine::json::bundled)).collect();
        let tables: Vec<Value> = tables.iter().map(|listed| engine::json::listed(listed, message)).collect();
        let mut all = json!({"games": games, "tables": tables});
        if !unfinished.is_empty() {
            all["unfinished"] = unfinished.iter().map(engine::json::unfinished).collect();
        }
        return output::print_json(&all);
    }
    let columns = terminal_columns();
    let folders: Vec<String> = session.folders().iter().map(|folder| folder.display().to_string()).collect();
    let looked = if folders.is_empty() { "no folder".into() } else { one_line(&folders.join(", ")) };
    let bundled = "Games defined by rules files (rows of X and . unless 'tablegen check' shows otherwise)";
    let sections = [
        (heading("Games"), families_in_words(columns)),
        (heading(bundled), bundled_in_words(columns)),
        (heading(&format!("Tables (looked for in {looked})")), tables_in_words(&tables, columns)),
    ];
    let unfinished = (!unfinished.is_empty()).then(|| {
        let says = "Unfinished tables (the build that was stopped goes on with them, or begins anew with --restart)";
        (heading(says), unfinished_in_words(&unfinished, columns))
    });
    let sections = sections.into_iter().chain(unfinished);
    let sections = sections.map(|(heading, text)| format!("{}\n{text}", wrapped("", &heading, columns)));
    output::print(&sections.collect::<Vec<_>>().join("\n"))
}

/// The heading of a section, in the style of headings in the help.
fn heading(text: &str) -> String {
    let style = Style::new().bold().underline();
    format!("{style}{text}{style:#}")
}

/// A text that users can type: `text` in bold, padded with blanks to `width`.
fn typed(text: &str, width: usize) -> String {
    let bold = Style::new().bold();
    format!("{bold}{text}{bold:#}{:1$}", "", width.saturating_sub(text.chars().count()))
}

fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn families_in_words(columns: Option<usize>) -> String {
    let width = longest(FAMILIES.iter().map(|family| family.name));
    let games = FAMILIES.iter().map(|family| family_in_words(family, width, columns));
    games.collect::<Vec<_>>().join("\n")
}

/// A game, and below it its notation and its options, in two columns.
fn family_in_words(family: &Family, width: usize, columns: Option<usize>) -> String {
    let mut rows = vec![("positions".to_owned(), family.notation.to_owned(), false)];
    for option in family.parameters {
        let value = if option.value.is_empty() { String::new() } else { format!(" {}", option.value) };
        let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        rows.push((format!("--{}{value}", option.name), format!("{}{default}", option.help), true));
    }
    let names = longest(rows.iter().map(|(name, ..)| name.as_str()));
    let mut text = wrapped(&format!("  {}  ", typed(family.name, width)), family.summary, columns) + "\n";
    for (name, says, is_typed) in &rows {
        let name = if *is_typed { typed(name, names) } else { format!("{name:<names$}") };
        text += &(wrapped(&format!("    {name}  "), says, columns) + "\n");
    }
    text
}

fn bundled_in_words(columns: Option<usize>) -> String {
    let width = longest(LIBRARY.iter().map(|game| game.name));
    let game = |game: &LibraryGame| {
        let read = game.read(&Parameters::new()).ok();
        let (summary, parameters) = read.as_ref().map_or(("", &[][..]), |game| (game.summary(), game.parameters()));
        let mut text = wrapped(&format!("  {}  ", typed(game.name, width)), summary, columns) + "\n";
        let set: Vec<String> = parameters.iter().map(|set| format!("{}={}", set.name, set.default)).collect();
        if !set.is_empty() {
            let lead = format!("    {}  ", typed("--set KEY=VALUE", 0));
            text += &(wrapped(&lead, &set.join(", "), columns) + "\n");
        }
        text
    };
    LIBRARY.iter().map(game).collect()
}

/// A list of tables with one line each, in columns. On a terminal too narrow for that, each table is a paragraph.
fn tables_in_words(tables: &[ListedTable], columns: Option<usize>) -> String {
    if tables.is_empty() {
        return "  none\n".into();
    }
    let rows: Vec<_> = tables.iter().map(TableRow::of).collect();
    let usable = || rows.iter().filter_map(|row| row.as_ref().ok());
    let name = longest(usable().map(|row| row.name.as_str()));
    let held = longest(usable().map(|row| row.held.as_str()));
    let bytes = longest(usable().map(|row| row.bytes.as_str()));
    let source = longest(usable().map(|row| row.source.as_str()));
    let fits = columns.is_none_or(|columns| 2 + name + 2 + held + 2 + bytes + 2 + source <= columns);
    let line = |row: &Result<TableRow, String>| match row {
        Ok(row) if fits => {
            let name = typed(&row.name, name);
            format!("  {name}  {:<held$}  {:>bytes$}  {}\n", row.held, row.bytes, row.source)
        }
        Ok(row) => {
            let says = format!("{}, {}, {}", row.held, row.bytes, row.source);
            wrapped(&format!("  {}  ", typed(&row.name, 0)), &says, columns) + "\n"
        }
        Err(message) => wrapped("  unusable: ", message, columns) + "\n",
    };
    rows.iter().map(line).collect()
}

/// A list of unfinished tables with one line each.
fn unfinished_in_words(tables: &[UnfinishedTable], columns: Option<usize>) -> String {
    let line = |of: &UnfinishedTable| {
        let name = of.table.file_stem().unwrap_or_default().to_string_lossy();
        let says = format!("{}, {}", HumanBytes(of.bytes), one_line(&of.folder.display().to_string()));
        wrapped(&format!("  {}  ", typed(&name, 0)), &says, columns) + "\n"
    };
    tables.iter().map(line).collect()
}

/// The texts about a usable table.
struct TableRow {
    name: String,
    held: String,
    bytes: String,
    source: String,
}

impl TableRow {
    /// The row of a table; the error is the reason why it is unusable.
    fn of(listed: &ListedTable) -> Result<Self, String> {
        let table = listed.table.as_ref().map_err(|error| one_line(&message(error)))?;
        Ok(Self {
            name: table.rules().name().to_owned(),
            held: words::held(&RulesFacts::of(table.rules()), reachable(table)),
            bytes: HumanBytes(table.file_bytes()).to_string(),
            source: one_line(&listed.source),
        })
    }
}

/// The error of a table in one line.
fn message(error: &EngineError) -> String {
    match Failure::of(error) {
        Failure::Message { message, .. } => message,
        Failure::Lines(lines) => lines.join("; "),
        Failure::BrokenPipe => "unusable".into(),
    }
}
