//! The command line: one file per subcommand, each with an `Args` struct and a `run` function.
//!
//! It parses arguments and prints results. Decisions that another interface would have to repeat belong to the engine.
//!
//! The other modules hold code that the commands share:
//! - `arguments`, `usage`: the arguments before and after the parser.
//! - `session`, `subject`: the engine with its environment, and the game or table of a command.
//! - `stdin`, `lines`: standard input.
//! - `report`, `output`, `drawing`, `plies`, `words`, `wrap`, `text`: the output.
//! - `failure`: errors that end the process.
//! - `help`, `topics`, `pages`, `markdown`: examples in the help, pages of the book, and the help as a page.

mod arguments;
mod bars;
mod build;
mod bus_error;
mod certify;
mod check;
mod completions;
mod counting;
mod drawing;
mod estimate;
mod export;
mod failure;
mod game_options;
mod heap;
mod help;
mod histograms;
mod info;
mod interrupt;
mod labels;
mod line;
mod lines;
mod list;
mod man;
mod markdown;
mod one_of;
mod open_stdout;
mod out_file;
mod output;
mod pages;
mod play;
mod plies;
mod points;
mod probe;
mod progress;
mod ranks;
mod report;
mod searching;
mod serve;
mod session;
mod size;
mod solver;
mod stats;
mod stdin;
mod subject;
mod sum;
mod text;
mod thermograph;
mod topics;
mod usage;
mod value;
mod verify;
mod words;
mod wrap;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use arguments::Arguments;
use failure::Failure;
use session::Session;

/// Solves small two-player games completely and answers any position from a table.
#[derive(Parser)]
#[command(name = "tablegen", version, after_help = help::main(), arg_required_else_help = true)]
#[command(disable_help_subcommand = true, subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
struct Cli {
    /// Search DIR for tables, before the tables embedded in the program [default: $TABLEGEN_TABLES, else ./tables and the
    /// user's data folder]
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    tables: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    // Newcomers type what the documents say that the program does.
    #[command(alias = "solve")]
    Build(build::Args),
    Probe(probe::Args),
    Line(line::Args),
    Play(play::Args),
    Info(info::Args),
    Verify(verify::Args),
    Estimate(estimate::Args),
    Check(check::Args),
    Stats(stats::Args),
    Value(value::Args),
    Sum(sum::Args),
    Thermograph(thermograph::Args),
    Export(export::Args),
    Certify(certify::Args),
    Serve(serve::Args),
    List(list::Args),
    Completions(completions::Args),
    Man(man::Args),
    Help(topics::Args),
}

/// The whole program: runs the command, and returns the exit status.
pub(crate) fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// The command line, with help as wide as the terminal.
fn fitted_command() -> clap::Command {
    let command = Cli::command();
    match wrap::terminal_columns() {
        Some(columns) => command.term_width(columns),
        None => command,
    }
}

fn run() -> Result<ExitCode, Failure> {
    heap::share();
    interrupt::prepare();
    let (command, words) = (Cli::command(), std::env::args_os().collect::<Vec<_>>());
    let (name, arguments) = words.split_at(words.len().min(1));
    let typed = Arguments::read(arguments, &command);
    let parser_words = name.iter().cloned().chain(typed.for_parser());
    let parsed = fitted_command().try_get_matches_from(parser_words);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage::report(&error, &typed),
    };
    let session = || Session::new(cli.tables.clone());
    if let Some(ended) = ranks::run(&cli.command, session) {
        return ended;
    }
    match cli.command {
        Command::Build(args) => build::run(&args, &session()?, &|engine, _, _| Ok(engine)),
        Command::Probe(args) => probe::run(&args, &session()?),
        Command::Line(args) => line::run(&args, &session()?),
        Command::Play(args) => play::run(&args, &session()?),
        Command::Info(args) => info::run(&args, &session()?),
        Command::Verify(args) => verify::run(&args, &session()?),
        Command::Estimate(args) => estimate::run(&args, &session()?),
        Command::Check(args) => check::run(&args, &session()?),
        Command::Stats(args) => stats::run(&args, &session()?),
        Command::Value(args) => value::run(&args),
        Command::Sum(args) => sum::run(&args),
        Command::Thermograph(args) => thermograph::run(&args),
        Command::Export(args) => export::run(&args, &session()?),
        Command::Certify(args) => certify::run(&args, &session()?),
        Command::Serve(args) => serve::run(&args, &session()?),
        Command::List(args) => list::run(&args, &session()?),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Help(args) => return topics::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}
