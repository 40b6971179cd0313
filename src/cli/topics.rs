//! `tablegen help`: the help of a command, or a page of the book, which is part of the program.

use std::process::ExitCode;

use clap::CommandFactory;
use tablegen::game::did_you_mean;

use super::arguments::Arguments;
use super::failure::Failure;
use super::wrap::{terminal_columns, wrapped};
use super::{Cli, fitted_command, output, pages, usage};

/// Print the help of a command, or a page of the book.
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(super) struct Args {
    /// Print the help of this command, or the page about this topic [default: all commands and topics]
    #[arg(value_name = "COMMAND|TOPIC")]
    name: Option<String>,
}

/// A page of the book.
pub(super) struct Topic {
    /// The name to type.
    pub(super) name: &'static str,
    /// The content of the page in a few words.
    pub(super) summary: &'static str,
    /// The page, in Markdown.
    page: &'static str,
}

/// A topic with the page at a path below `docs`, without its extension.
macro_rules! topic {
    ($name:literal, $path:literal, $summary:literal) => {
        Topic {
            name: $name,
            summary: $summary,
            page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $path, ".md")),
        }
    };
}

/// The pages, in the order of the book.
pub(super) const TOPICS: [Topic; 33] = [
    topic!("first-game", "tutorial/first-game", "tutorial: solve a game and look up positions"),
    topic!("your-own-game", "tutorial/your-own-game", "tutorial: write a rules file"),
    topic!("install", "how-to/install", "the files of a release, and a build from source"),
    topic!("large-builds", "how-to/large-builds", "games larger than memory: slices, symmetry, checkpoints"),
    topic!("mpi", "how-to/mpi", "builds on several machines"),
    topic!("python", "how-to/python", "the Python package"),
    topic!("python-arrays", "how-to/python-arrays", "many positions at a time in Python"),
    // The command `export` has its own help.
    topic!("exporting", "how-to/export", "labels for other programs"),
    topic!("columns", "how-to/columns", "Parquet and Arrow files, and chosen positions"),
    topic!("scores", "how-to/scores", "games that count points: scores, leads and margins"),
    // The command `value` has its own help.
    topic!("values", "how-to/values", "the calculator of values, sums and thermographs"),
    topic!("server", "how-to/server", "answers over HTTP, and a web page"),
    topic!("gamesman", "how-to/gamesman", "the web client GamesmanUni"),
    topic!("cite", "how-to/cite", "how to cite the program, a result and a game"),
    topic!("rules-files", "how-to/rules-files", "recipes for rules files"),
    topic!("more-rules", "how-to/more-rules", "recipes for phases, points and special rules"),
    topic!("games", "reference/games", "the built-in games and the library games"),
    topic!("notations", "reference/notations", "the ways to write positions and moves"),
    topic!("rules-keys", "reference/rules-keys", "the keys of a rules file"),
    topic!("json", "reference/json", "JSON output and exit statuses"),
    topic!("environment", "reference/environment", "environment variables"),
    topic!("http", "reference/http", "the HTTP API"),
    topic!("format", "reference/format", "the bytes of a table"),
    topic!("format-values", "reference/format-values", "the bytes of values of boards"),
    topic!("certificates", "reference/certificates", "proofs of outcomes, and their checker"),
    topic!("glossary", "reference/glossary", "the terms"),
    topic!("how-it-works", "explanation/how-it-works", "solvers, tables and slices"),
    topic!("solvers", "explanation/solvers", "which solver, and how a probe answers"),
    topic!("results", "explanation/results", "outcomes and counts of many games"),
    topic!("published-values", "explanation/published-values", "results of the literature that tables agree with"),
    topic!("comparison", "explanation/comparison", "what other programs do"),
    topic!("checks", "explanation/checks", "what 'verify' and the tests prove"),
    topic!("faq", "explanation/faq", "frequent questions"),
];

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let Some(name) = &args.name else {
        let printed = clap_help(&["tablegen", "--help"])?;
        output::print(&format!("\n{}", listed()))?;
        return Ok(printed);
    };
    if Cli::command().find_subcommand(name).is_some() {
        return clap_help(&["tablegen", name, "--help"]);
    }
    let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) else {
        let command = Cli::command();
        let commands = command.get_subcommands().map(clap::Command::get_name);
        let near = did_you_mean(name, TOPICS.iter().map(|topic| topic.name).chain(commands));
        let found = format!("cannot print help: expected a command or a topic, found {name:?}{near}");
        return Err(Failure::usage(found).hint("see 'tablegen help'"));
    };
    output::print(&terminal_columns().map_or_else(|| topic.page.into(), |columns| pages::fitted(topic.page, columns)))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the help that `arguments` request.
fn clap_help(arguments: &[&str]) -> Result<ExitCode, Failure> {
    match fitted_command().try_get_matches_from(arguments) {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(help) => usage::report(&help, &Arguments::read(&[], &Cli::command())),
    }
}

fn examples() -> String {
    let topic = TOPICS.first().map_or("", |topic| topic.name);
    format!("Examples:\n  tablegen help\n  tablegen help build\n  tablegen help {topic}")
}

/// The topics, one a line.
fn listed() -> String {
    let width = TOPICS.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let line = |topic: &Topic| {
        let lead = format!("  {:<width$}  ", topic.name);
        wrapped(&lead, topic.summary, terminal_columns()) + "\n"
    };
    let lines: String = TOPICS.iter().map(line).collect();
    format!("Help topics, printed by 'tablegen help TOPIC':\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_have_names_of_their_own() {
        let command = Cli::command();
        for (index, topic) in TOPICS.iter().enumerate() {
            assert!(command.find_subcommand(topic.name).is_none(), "{} is a command", topic.name);
            assert!(TOPICS[..index].iter().all(|other| other.name != topic.name), "{} is there twice", topic.name);
            assert!(topic.page.starts_with("# "), "{} begins with a title", topic.name);
        }
    }
}
