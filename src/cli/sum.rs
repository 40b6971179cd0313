//! `tablegen sum`: who wins a sum of games, and with which moves.

use tablegen::engine::{SideMoves, SumFacts, json};

use super::failure::Failure;
use super::report::Report;
use super::text::counted;
use super::value::{MOST_POSITIONS, failure, report};
use super::wrap::{terminal_columns, wrapped};
use super::{help, interrupt};

/// Show who wins a sum of games, and with which moves.
///
/// In a sum, each turn is made in one of the games, and the player who cannot move loses. A player who must move again does
/// so in the same game. EXPRESSION is written as for 'tablegen value', with blanks around the + and - between the games.
/// Moves in GAME:POSITION and GAME are written as probe writes them. In other games, 'to G' is the move to the game G.
#[derive(clap::Args)]
#[command(after_help = help::of("sum"))]
pub(super) struct Args {
    /// Games, and terms GAME:POSITION, with + or - between them
    #[arg(value_name = "EXPRESSION")]
    expression: String,
    /// Follow at most N positions of each game
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS, allow_negative_numbers = true)]
    limit: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    interrupt::handle();
    let facts = SumFacts::of(&args.expression, args.limit).map_err(failure)?;
    let json = json::summed(&facts);
    let mut report = report(facts.value, json);
    for (player, side) in ["Left", "Right"].into_iter().zip(&facts.sides) {
        moves(player, side, &mut report);
    }
    report.print(args.json)
}

/// The winning moves of one player.
fn moves(player: &str, side: &SideMoves, report: &mut Report) {
    let SideMoves { count, winning } = side;
    if winning.is_empty() {
        let why = match *count as u64 {
            0 => "no move".to_owned(),
            1 => "its only move does not win".to_owned(),
            count => format!("none of {} wins", counted(count, "move")),
        };
        return report.paragraph(&format!("{player} first: loses, {why}"));
    }
    let wide =
        |text: fn(&tablegen::engine::SumMove) -> &str| winning.iter().map(|each| text(each).chars().count()).max();
    let summands = wide(|each| &each.summand).unwrap_or(0);
    let moves = wide(|each| &each.played).unwrap_or(0);
    let mut text = format!("{player} first: wins, with {} of {}", winning.len(), counted(*count as u64, "move"));
    for each in winning {
        let name = format!("  {:<summands$}  {:<moves$}  ", each.summand, each.played);
        text += &format!("\n{}", wrapped(&name, &format!("leaves {}", each.leaves), terminal_columns()));
    }
    report.paragraph(&text);
}
