//! `tablegen value`: a calculator for the values of games.

use tablegen::engine::{MisereFacts, ValueError, ValueFacts, json};
use tablegen::game::GameError;

use super::failure::Failure;
use super::output::note;
use super::report::Report;
use super::text::{counted, shell_word};
use super::{help, interrupt};

/// Calculate with the values of games and of positions.
///
/// In normal play the player who cannot move loses. Then each position has a value, and the value of a sum of positions
/// says who wins it. EXPRESSION combines games such as 3, 1/2, *2, ^ (up), {2|-1}, +-1 and Tiny(2) with +, -, multiples
/// (2*) and brackets. A term GAME:POSITION is a position of a game; it ends at a blank. GAME alone is its start. Rows and
/// columns set the size of a board; other options stand in brackets, as in toads-and-frogs(toads=2,gap=2,frogs=2):TT..FF.
#[derive(clap::Args)]
#[command(after_help = help::of("value"))]
pub(super) struct Args {
    /// Games, and terms GAME:POSITION
    #[arg(value_name = "EXPRESSION")]
    expression: String,
    /// Follow at most N positions of each game
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS, allow_negative_numbers = true)]
    limit: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Most positions that are followed by default: some seconds of work, and about 300 MB of memory.
pub(super) const MOST_POSITIONS: usize = 4_000_000;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    interrupt::handle();
    let facts = ValueFacts::of(&args.expression, args.limit).map_err(failure)?;
    let misere = misere_facts(&args.expression, args.limit)?;
    let json = json::valued(&facts, misere.as_ref());
    let mut report = report(facts, json);
    if let Some(misere) = misere {
        add_misere(&mut report, misere);
    }
    report.print(args.json)
}

/// Most positions that are followed in misère play, in which parts of a sum do not tell what the sum is: a few seconds.
const MOST_MISERE: usize = 1 << 16;

/// What is known of a position in misère play. If that would take long, a note says so.
fn misere_facts(expression: &str, limit: usize) -> Result<Option<MisereFacts>, Failure> {
    let most = limit.min(MOST_MISERE);
    match MisereFacts::of(expression, most) {
        Err(ValueError::Limit { .. }) => {
            note(&format!(
                "the genus is not known: in misere play, more than {} would follow",
                counted(most as u64, "position")
            ));
            Ok(None)
        }
        found => found.map_err(failure),
    }
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

/// The failure to calculate.
pub(super) fn failure(error: ValueError) -> Failure {
    match error {
        ValueError::Game { error, .. }
            if matches!(*error, GameError::Unknown { .. } | GameError::OutOfReach { .. }) =>
        {
            (*error).into()
        }
        ValueError::Table { ref path } => {
            let next = format!("'tablegen probe {}' shows a position in it", shell_word(path));
            Failure::usage(&error).hint(next)
        }
        // Parameters stand in brackets here, not in options.
        ValueError::Game { ref name, .. } => {
            let next = format!("see its options with 'tablegen list {}'", shell_word(name));
            Failure::usage(&error).hint(next)
        }
        ValueError::Notation { ref example, .. } if !example.is_empty() => {
            let next = format!("a term ends at a blank, as in {}", shell_word(example));
            Failure::usage(&error).hint(next)
        }
        ValueError::Notation { .. } => {
            Failure::usage(error).hint("a term ends at a blank; see 'tablegen value --help'")
        }
        ValueError::Mode { ref term, .. } => {
            let next = format!("write {}", shell_word(term));
            Failure::usage(&error).hint(next)
        }
        ValueError::NoGame { .. } => Failure::usage(error).hint("see 'tablegen thermograph --help'"),
        ValueError::Limit { .. } => Failure::resources(error).hint("raise --limit, or choose a smaller board"),
        ValueError::WithinTurn { ref after, .. } if !after.is_empty() => {
            let next = format!("try one that follows: {after}");
            Failure::usage(error).hint(next)
        }
        ValueError::NoValues { instead: Some(ref instead), .. } => {
            let next = format!("try {}", shell_word(instead));
            Failure::usage(&error).hint(next)
        }
        ValueError::NoValues { .. } => Failure::usage(error).hint("'tablegen probe' shows its outcomes"),
        ValueError::WithinTurn { .. } => Failure::usage(error),
        // The limits of the calculator are fixed, and the error says what helps.
        ValueError::Arithmetic(ref limit) if limit.is_limit() => Failure::usage(error),
        ValueError::Arithmetic(_) => Failure::usage(error)
            .hint("a game is written like {2|-1} + 3 or GAME:POSITION; see 'tablegen value --help'"),
        _ => Failure::usage(error).hint("see 'tablegen value --help'"),
    }
}
