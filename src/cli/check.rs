//! `tablegen check`: a rules file read, drawn and measured, and nothing solved.

use std::ffi::OsString;

use serde_json::json;
use tablegen::game::Game;

use super::failure::{Failure, one_line};
use super::solving::{self, Solver};
use super::subject::GameOptions;
use super::{help, info, limits, output, words};

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

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.options.rules_file(&args.rules)?;
    let (rules, check) = (game.rules(), game.report());
    let choice = solving::choose(&game, None, None);
    if args.json {
        let mut object = info::of_rules(rules);
        let parameters = check.parameters.iter().map(|parameter| {
            json!({"name": parameter.name, "value": parameter.value, "default": parameter.default, "help": parameter.help})
        });
        let more = [
            ("summary", json!(check.summary)),
            ("rule_source", json!(check.source)),
            ("parameters", parameters.collect()),
            ("squares", json!(check.squares)),
            ("moves", json!(check.moves)),
            ("ends", json!(check.ends)),
            ("play", json!(check.play.split(':').next())),
            ("partisan", json!(check.partisan)),
            ("solver", json!(choice.solver.name())),
            ("solver_reason", json!(choice.why)),
            ("drawing", json!(check.drawing)),
        ];
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        return output::print_json(&object.into());
    }
    let mut text = format!("{}\n", rules.name());
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("  {name:<10} {}\n", one_line(value));
        }
    };
    row("game", &check.summary);
    row("source", &check.source);
    let parameters = check.parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.value));
    row("parameters", &parameters.collect::<Vec<_>>().join(", "));
    row("squares", &check.squares.to_string());
    row("cells", &check.cells.to_string());
    row("modes", &check.modes.join(", "));
    row("moves", &check.moves.to_string());
    if check.ends > 0 {
        row("ends", &check.ends.to_string());
    }
    row("play", check.play);
    row("positions", &words::positions(rules));
    let too_large = match choice.solver {
        Solver::Dense => limits::check_memory(rules, None).err(),
        Solver::Sparse => None,
    };
    match too_large {
        Some(Failure::Message { message, .. }) => row("solver", &format!("none here: {message}")),
        _ => row("solver", &format!("{}: {}", choice.solver.name(), choice.why)),
    }
    output::print(&format!("{text}\n{}\n", check.drawing))
}
