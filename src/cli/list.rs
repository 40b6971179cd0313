//! `tablegen list`: the games and the tables found, or one game with its rules, its notation, its options and its tables, or its
//! rules file.

use std::ffi::{OsStr, OsString};

use anstyle::Style;
use indicatif::HumanBytes;
use serde_json::{Value, json};
use tablegen::engine::{
    self, EngineError, ListedTable, Meaning, RegionFacts, RulesFacts, UnfinishedTable, reachable, unknown_game,
};
use tablegen::game::{
    ABSENT, AbsentGame, FAMILIES, Family, FileGame, Game, LIBRARY, Notation, about_unknown, absent_found,
    is_of_rules_file, notations_of,
};
use tablegen::table::Table;

use super::failure::Failure;
use super::game_options::GameOptions;
use super::output::Stream;
use super::session::Session;
use super::subject::{meaning_in_words, shown};
use super::text::{one_line, shell_word};
use super::wrap::{terminal_columns, wrapped};
use super::{help, output, words};

/// List the games and the tables found, or show the rules, the notation, the options and the tables of one game.
#[derive(clap::Args)]
#[command(after_help = help::of("list"))]
pub(super) struct Args {
    /// Show this game: a game from the list, or a rules file (*.toml) [default: list all games and tables]
    #[arg(value_name = "GAME", value_hint = clap::ValueHint::FilePath, conflicts_with = "find")]
    game: Option<OsString>,
    /// List only the games with these words in their name, title, other names or kind (fill, place, move, lines)
    #[arg(long, value_name = "WORD")]
    find: Option<String>,
    /// Print only the rules file of the game, with which a game of your own can begin
    #[arg(long, requires = "game", conflicts_with = "json")]
    rules: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if let Some(game) = args.game.as_ref().filter(|_| args.rules) {
        return print_rules_file(game);
    }
    if let Some(game) = &args.game {
        return one(game, args.json, session);
    }
    if let Some(words) = &args.find {
        return found(words, args.json);
    }
    let engine = session.engine()?;
    let (tables, unfinished) = (engine.tables(), engine.unfinished());
    session.note_folder();
    if args.json {
        let games: Vec<Value> =
            FAMILIES.iter().map(engine::json::family).chain(LIBRARY.iter().map(engine::json::bundled)).collect();
        let tables: Vec<Value> = tables.iter().map(|listed| engine::json::listed(listed, message)).collect();
        let absent: Vec<Value> = ABSENT.iter().map(engine::json::absent).collect();
        let mut all = json!({"games": games, "absent": absent, "tables": tables});
        if !unfinished.is_empty() {
            all["unfinished"] = unfinished.iter().map(engine::json::unfinished).collect();
        }
        return output::print_json(&all);
    }
    let columns = terminal_columns();
    let built_in = FAMILIES.iter().map(|family| (family.name, family.summary.to_owned()));
    let library = LIBRARY.iter().map(|game| (game.name, game.head().summary));
    let sections = [
        (heading("Games"), games_in_words(&built_in.collect::<Vec<_>>(), columns)),
        (heading("Library games, defined by rules files"), games_in_words(&library.collect::<Vec<_>>(), columns)),
        (tables_heading(session), tables_in_words(&tables, columns)),
    ];
    let unfinished = (!unfinished.is_empty()).then(|| {
        let says = "Unfinished tables (the same 'tablegen build' resumes them, or starts over with --restart)";
        (heading(says), unfinished_in_words(&unfinished, columns))
    });
    let sections = sections.into_iter().chain(unfinished);
    let sections = sections.map(|(heading, text)| format!("{}\n{text}", wrapped("", &heading, columns)));
    let says = "'tablegen list GAME' shows the rules, the notation and the options of a game. 'tablegen list --find WORD' also \
                knows other names of games.";
    let more = wrapped("", says, columns) + "\n";
    output::print(&sections.chain([more]).collect::<Vec<_>>().join("\n"))
}

/// Prints the rules file that defines the game `name`, unchanged.
fn print_rules_file(name: &OsStr) -> Result<(), Failure> {
    let failure = match meaning_in_words(name)? {
        Meaning::Bundled(_) | Meaning::RulesFile(_) => {
            let game = GameOptions::default().rules_file(name)?;
            return Stream::new()?.with(|out| out.write_all(game.text().as_bytes()));
        }
        Meaning::Family(family) => {
            let name = family.name;
            let found =
                format!("cannot print the rules file of {name}: expected a library game, found a built-in game");
            Failure::usage(found).hint(format!("see its rules in words with 'tablegen list {name}'"))
        }
        Meaning::Part(whole, _) => {
            let found = format!("cannot print the rules file of {}: found a part of a game", name.display());
            Failure::usage(found).hint(format!("see the whole game with 'tablegen list {} --rules'", whole.name))
        }
        Meaning::Table(_) => {
            Failure::usage(unknown_game(name)).hint("see the rules of a table with 'tablegen info FILE --rules'")
        }
    };
    Err(failure)
}

/// Lists the games that `words` describe.
fn found(words: &str, json: bool) -> Result<(), Failure> {
    let families: Vec<_> = FAMILIES.iter().filter(|family| family.is_found(words)).collect();
    let library: Vec<_> = LIBRARY.iter().filter(|game| game.is_found(words)).collect();
    let absent = absent_found(words);
    if json {
        let games = families.iter().map(|family| engine::json::family(family));
        let games: Vec<Value> = games.chain(library.iter().map(|game| engine::json::bundled(game))).collect();
        let absent: Vec<Value> = absent.into_iter().map(engine::json::absent).collect();
        return output::print_json(&json!({"games": games, "absent": absent}));
    }
    let columns = terminal_columns();
    let families = families.iter().map(|family| (family.name, family.summary.to_owned(), with_others(family.also)));
    let library = library.iter().map(|game| (game.name, game.head())).map(|(name, head)| {
        let others = with_others(&head.also);
        (name, head.summary, others)
    });
    let games = families.chain(library).map(|(name, summary, others)| (name, format!("{summary} ({others})")));
    let games: Vec<_> = games.collect();
    let missing = |game: &AbsentGame| {
        let names = game.names.join(", ");
        let says = format!("no table or rules file can have it, because {}", game.reason);
        wrapped(&format!("  {}  ", typed(&names, 0)), &says, columns) + "\n"
    };
    let mut text = games_in_words(&games, columns) + &absent.into_iter().map(missing).collect::<String>();
    if text.is_empty() {
        let meant =
            about_unknown(words, FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name)));
        let says = format!("No game has the words {:?}{meant}. 'tablegen list' shows every game.", one_line(words));
        text = wrapped("", &says, columns) + "\n";
    }
    output::print(&text)
}

/// Other names of a game: `also Othello`.
fn with_others<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("also {}", names.join(", "))
}

/// Recognises the tables of a game.
type Owns = Box<dyn Fn(&Table) -> bool>;

/// Lists the game that `name` names, with its tables.
fn one(name: &OsStr, json: bool, session: &Session) -> Result<(), Failure> {
    let columns = terminal_columns();
    let file = || GameOptions::default().rules_file(name);
    // The game as text and as JSON, and the tables that belong to it.
    let (text, object, owns): (String, Value, Owns) = match meaning_in_words(name)? {
        Meaning::Family(family) => {
            let owns = |table: &Table| table.descriptor().family == family.name;
            (family_in_words(family, columns), engine::json::family(family), Box::new(owns))
        }
        Meaning::Bundled(game) => {
            (file_in_words(game.name, &file()?, columns), engine::json::bundled(game), of_file(game.text.into()))
        }
        Meaning::RulesFile(path) => {
            let (game, path) = (file()?, shown(path));
            let object = engine::json::named_rules_file(game.rules().name(), &path, game.text());
            (file_in_words(&path, &game, columns), object, of_file(game.text().into()))
        }
        Meaning::Table(_) | Meaning::Part(..) => {
            return Err(Failure::usage(unknown_game(name)).hint("see a table with 'tablegen info'"));
        }
    };
    let is_owned = |listed: &ListedTable| listed.table.as_ref().is_ok_and(&owns);
    let tables: Vec<ListedTable> = session.engine()?.tables().into_iter().filter(is_owned).collect();
    session.note_folder();
    if json {
        let tables: Vec<Value> = tables.iter().map(|listed| engine::json::listed(listed, message)).collect();
        return output::print_json(&json!({"games": [object], "tables": tables}));
    }
    let tables = tables_in_words(&tables, columns);
    output::print(&format!("{text}\n{}\n{tables}", wrapped("", &tables_heading(session), columns)))
}

/// Recognises the tables of the rules file with the content `text`.
fn of_file(text: String) -> Owns {
    Box::new(move |table| is_of_rules_file(table.rules(), table.descriptor(), &text))
}

/// The heading of the list of tables, with the searched folders.
fn tables_heading(session: &Session) -> String {
    let folders = session.folders().iter().map(|folder| folder.display().to_string());
    let searched: Vec<String> = folders.chain(["in the program".to_owned()]).collect();
    heading(&format!("Tables in {}", one_line(&searched.join(", "))))
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

/// The names of games, each with its summary.
fn games_in_words(games: &[(&str, String)], columns: Option<usize>) -> String {
    let width = longest(games.iter().map(|(name, _)| *name));
    let line =
        |(name, summary): &(&str, String)| wrapped(&format!("  {}  ", typed(name, width)), summary, columns) + "\n";
    games.iter().map(line).collect()
}

/// A built-in game with its notation and its options.
fn family_in_words(family: &Family, columns: Option<usize>) -> String {
    let options = family.parameters.iter().map(|option| {
        let value = if option.value.is_empty() { String::new() } else { format!(" {}", option.value) };
        let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        (format!("--{}{value}", option.name), format!("{}{default}", option.help))
    });
    let Family { name, summary, rules, notation, example, .. } = *family;
    let also = family.also.iter().map(|&also| also.to_owned()).collect();
    let notations = family.make(&family.samples()).map(|game| notations_in_words(game.as_ref())).unwrap_or_default();
    GameWords { name, summary, also, rules, notation, example, notations, options: options.collect() }.in_words(columns)
}

/// The game of a rules file with its parameters. `name` is its name in the library, or its path.
fn file_in_words(name: &str, game: &FileGame, columns: Option<usize>) -> String {
    let parameters = game.parameters().iter().map(|parameter| {
        let says = if parameter.help.is_empty() { &parameter.expected } else { &parameter.help };
        (format!("--set {}=VALUE", parameter.name), format!("{says} [default: {}]", parameter.default))
    });
    let parts = game.parts().iter().map(|part| {
        let modes = part.modes.iter().filter_map(|&mode| game.rules().mode_name(mode)).collect::<Vec<_>>();
        (format!("--part {}", part.name), format!("a part of the game: the modes {}", modes.join(", ")))
    });
    let (options, start) = (parameters.chain(parts).collect(), game.write(game.rules().start_node()));
    let notation = format!("rows of squares as in the example; 'tablegen check {}' draws the board", shell_word(name));
    let (summary, notation, example) = (game.summary(), notation.as_str(), start.as_str());
    let notations = notations_in_words(game);
    let (also, rules) = (game.also().to_vec(), game.rules_in_words());
    GameWords { name, summary, also, rules, notation, example, notations, options }.in_words(columns)
}

/// The notations that a game reads beside its own one, each with its form and an example.
fn notations_in_words(game: &dyn Game) -> Vec<(&'static str, String)> {
    let words = |notation: Notation| {
        let example = notation.example(game).map(|text| format!(": {text}")).unwrap_or_default();
        (notation.name(), format!("{}{example}", notation.form()))
    };
    let all = if game.off_table().is_some() { Vec::new() } else { notations_of(game).collect() };
    let reads = |notation: &Notation| *notation != Notation::Mcgs || notation.example(game).is_some();
    all.into_iter().filter(reads).map(words).collect()
}

/// A game with its rules, its notation, an example, and its options with their help.
struct GameWords<'a> {
    name: &'a str,
    summary: &'a str,
    /// Other names of the game.
    also: Vec<String>,
    /// The rules in words. A line break separates paragraphs.
    rules: &'a str,
    notation: &'a str,
    example: &'a str,
    /// Other notations with their forms.
    notations: Vec<(&'static str, String)>,
    options: Vec<(String, String)>,
}

impl GameWords<'_> {
    /// The game, and below it its rules, its notation with an example, and its options in two columns.
    fn in_words(&self, columns: Option<usize>) -> String {
        /// The length of lines of rules in columns, where output is not wrapped.
        const LINE: usize = 96;
        let options = &self.options;
        let names = options.iter().map(|(option, _)| option.as_str());
        let width = longest(names.chain(["positions"]).chain(self.notations.iter().map(|(name, _)| *name)));
        let row = |name: String, says: &str| wrapped(&format!("    {name}  "), says, columns) + "\n";
        let title = wrapped(&format!("  {}  ", typed(self.name, 0)), self.summary, columns);
        let mut text = title.trim_end().to_owned() + "\n";
        // Rules are for reading, so their lines are short even where output is not wrapped.
        let rules = |paragraph: &str| wrapped("    ", paragraph, columns.or(Some(LINE))) + "\n";
        text += &self.rules.lines().map(rules).collect::<String>();
        if !self.also.is_empty() {
            text += &row(format!("{:<width$}", "also"), &self.also.join(", "));
        }
        text += &row(format!("{:<width$}", "positions"), self.notation);
        text += &row(format!("{:<width$}", "example"), self.example);
        text += &self.notations.iter().map(|(name, says)| row(typed(name, width), says)).collect::<String>();
        text + &options.iter().map(|(option, says)| row(typed(option, width), says)).collect::<String>()
    }
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
            held: words::held(&RulesFacts::of(table.rules()), reachable(table), RegionFacts::of(table)),
            bytes: HumanBytes(table.file_bytes()).to_string(),
            source: one_line(&listed.source),
        })
    }
}

/// The error of a table in one line.
fn message(error: &EngineError) -> String {
    match Failure::of(error) {
        Failure::Lines { lines, .. } => lines.join("; "),
        Failure::BrokenPipe => "unusable".into(),
    }
}
