//! `tablegen check`: reads, draws and measures a rules file without solving it.

use std::ffi::OsString;

use tablegen::engine::{RulesFacts, check_dense_memory, json};
use tablegen::game::Game;
use tablegen::solve::Method;

use super::drawing::coloured;
use super::failure::{Failure, in_words};
use super::progress::Bar;
use super::report::Report;
use super::session::Session;
use super::subject::GameOptions;
use super::{help, interrupt, text, words};

/// Read a rules file: is it valid, how large is its game, and how would it be solved? Nothing is built.
#[derive(clap::Args)]
#[command(after_help = help::check())]
pub(super) struct Args {
    /// A rules file (*.toml), or the name of one that 'tablegen list' shows
    #[arg(value_name = "RULES.toml", value_hint = clap::ValueHint::FilePath)]
    rules: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let game = args.options.rules_file(&args.rules)?;
    let (rules, check) = (game.rules(), game.report());
    interrupt::handle();
    let bar = Bar::of_phases(rules.name());
    let (facts, choice) = (RulesFacts::of(rules), session.engine()?.choose(&game, None)?);
    drop(bar);
    let shortage = match choice.method {
        Method::Dense => check_dense_memory(rules, None).err(),
        Method::Sparse => None,
    };
    let parameters = check.parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.value));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let mut report = Report::new(facts.name.clone(), json::rules_file(&facts, &check, &choice));
    report.row("game", text::one_line(&check.summary));
    report.row("source", text::one_line(&check.source));
    report.row("parameters", text::one_line(&parameters));
    report.row("squares", check.squares.to_string());
    report.row("cells", facts.cells.to_string());
    report.row("modes", text::one_line(&facts.mode_names.join(", ")));
    report.row("moves", facts.moves.to_string());
    report.row("ends", if check.ends > 0 { check.ends.to_string() } else { String::new() });
    report.row("play", check.play);
    report.row("positions", words::positions(&facts));
    report.row(
        "solver",
        match shortage {
            Some(shortage) => format!("none here: {}", in_words(&shortage)),
            None => words::solver(&choice),
        },
    );
    report.paragraph(&coloured(&check.drawing, game.colours()));
    report.print(args.json)
}
