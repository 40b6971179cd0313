//! `tablegen value`: a calculator for the values of games.

use tablegen::engine::{Meaning, MisereFacts, ValueError, ValueFacts, json, meaning};
use tablegen::game::GameError;
use tablegen::values::Error as CalculatorError;

use super::failure::Failure;
use super::report::Report;
use super::{help, interrupt};

/// Calculate with the values of games and of positions.
///
/// In normal play the player who cannot move loses. Then each position has a value, and the value of a sum of positions
/// says who wins it. EXPRESSION combines games such as 3, 1/2, *2, ^ (up), {2|-1}, +-1 and Tiny(2) with +, -, multiples
/// (2*) and brackets. A term GAME:POSITION is a position of a game; it ends at a blank. Rows and columns set the size of a
/// board; other options stand in brackets, as in toads-and-frogs(toads=2,gap=2,frogs=2):TT..FF.
#[derive(clap::Args)]
#[command(after_help = help::value())]
pub(super) struct Args {
    /// Games, and terms GAME:POSITION
    #[arg(value_name = "EXPRESSION")]
    expression: String,
    /// Follow at most N positions of each game
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true)]
    limit: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    interrupt::handle();
    let facts = ValueFacts::of(&args.expression, args.limit).map_err(|error| failure(error, &args.expression))?;
    let misere = MisereFacts::of(&args.expression, args.limit).map_err(|error| failure(error, &args.expression))?;
    let json = json::valued(&facts, misere.as_ref());
    let mut report = report(facts, json);
    if let Some(misere) = misere {
        add_misere(&mut report, misere);
    }
    report.print(args.json)
}

/// Adds the rows of a position in misère play.
fn add_misere(report: &mut Report, misere: MisereFacts) {
    report.row("genus", misere.genus);
    if let Some((quotient, class)) = misere.quotient.zip(misere.class) {
        let lost: Vec<String> = quotient.lost().iter().map(usize::to_string).collect();
        let (order, lost) = (quotient.order(), lost.join(" "));
        report.row("quotient", format!("order {order}, class {class}; the player to move loses classes {lost}"));
    }
}

/// The rows of a value.
pub(super) fn report(facts: ValueFacts, json: json::Object) -> Report {
    let mut report = Report::new(facts.name, json);
    report.row("class", format!("{}: {}", facts.class, facts.class.words("Left", "Right")));
    report.row("mean", facts.mean);
    report.row("temperature", facts.temperature);
    report.row("stops", facts.stops.join(" if Left moves first, ") + " if Right does");
    report.row("reduced", facts.reduced);
    report.row("atomic weight", facts.atomic_weight.unwrap_or_default());
    report
}

/// Returns whether `text` is the name of a game, without a position.
pub(super) fn is_game(text: &str) -> bool {
    matches!(meaning(text.as_ref()), Ok(Meaning::Family(_) | Meaning::Bundled(_) | Meaning::RulesFile(_)))
}

/// The failure to calculate with `expression`.
pub(super) fn failure(error: ValueError, expression: &str) -> Failure {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let word = |column: usize| expression.chars().skip(column - 1).take_while(|&c| is_part(c)).collect::<String>();
    match error {
        ValueError::Arithmetic(CalculatorError::Text { column, .. }) if is_game(&word(column)) => {
            Failure::usage(error).hint("a colon ends the name of a game, as in GAME:POSITION, or GAME: for its start")
        }
        ValueError::Game(error @ (GameError::Unknown { .. } | GameError::OutOfReach { .. })) => error.into(),
        // Parameters stand in brackets here, not in options.
        ValueError::Game(error) => Failure::usage(error).hint("see 'tablegen list GAME'"),
        ValueError::Notation(_) => Failure::usage(error).hint("a term ends at a blank; see 'tablegen value --help'"),
        ValueError::Limit { .. } => Failure::resources(error).hint("raise --limit, or choose a smaller board"),
        ValueError::NoValues { .. } | ValueError::WithinTurn { .. } => Failure::usage(error),
        _ => Failure::usage(error).hint("see 'tablegen value --help'"),
    }
}
