//! The command line: one file a subcommand, each an `Args` struct and a `run`.
//!
//! What all of them share stands beside them: which game or table is meant (`subject`), where tables are looked for
//! (`tables`), how errors end the process (`failure`), how results are printed (`output`, `drawing`, `words`).

mod build;
mod check;
mod completions;
mod drawing;
mod estimate;
mod export;
mod failure;
mod help;
mod info;
mod interrupt;
mod limits;
mod list;
mod man;
mod output;
mod probe;
mod progress;
mod solving;
mod subject;
mod tables;
mod target;
mod verify;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Solves small two-player games completely and answers any position from a table.
#[derive(Parser)]
#[command(name = "tablegen", version, after_help = help::main(), arg_required_else_help = true)]
#[command(disable_help_subcommand = true, subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
struct Cli {
    /// Folder of tables, the only one looked in [default: $TABLEGEN_TABLES, else ./tables and the user's data folder]
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    tables: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Probe(probe::Args),
    Info(info::Args),
    Verify(verify::Args),
    Estimate(estimate::Args),
    Check(check::Args),
    Export(export::Args),
    List(list::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The whole program: what it was told to do, and the status it ends with.
pub(crate) fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<ExitCode, Failure> {
    interrupt::prepare();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::of_clap(&error),
    };
    let places = || tables::Places::new(cli.tables.clone());
    match cli.command {
        Command::Build(args) => build::run(&args, &places()?),
        Command::Probe(args) => probe::run(&args, &places()?),
        Command::Info(args) => info::run(&args, &places()?),
        Command::Verify(args) => verify::run(&args, &places()?),
        Command::Estimate(args) => estimate::run(&args, &places()?),
        Command::Check(args) => check::run(&args),
        Command::Export(args) => export::run(&args, &places()?),
        Command::List(args) => list::run(&args, &places()?),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}
