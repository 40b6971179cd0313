//! `tablegen thermograph`: the thermograph of a value, in text and as a picture.

use std::path::PathBuf;

use tablegen::engine::{ValueFacts, json, picture};

use super::failure::Failure;
use super::game_options::SetOptions;
use super::out_file::Svg;
use super::report::Report;
use super::value::{MOST_POSITIONS, failure};
use super::{help, interrupt};

/// Show the thermograph of a position, or of any game.
///
/// A thermograph shows what each player keeps of a game if every move costs a tax, the temperature. Each wall is listed by
/// its corners, from temperature -1 up.
#[derive(clap::Args)]
#[command(after_help = help::of("thermograph"))]
pub(super) struct Args {
    /// A game such as domineering, or an expression as for 'tablegen value'
    #[arg(value_name = "GAME|EXPRESSION")]
    game: String,
    /// A position of the game
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    options: SetOptions,
    /// Follow at most N positions of each game
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS, allow_negative_numbers = true)]
    limit: usize,
    /// Write the thermograph as an SVG picture to OUT; without OUT, or for -, print only the picture
    #[arg(long, value_name = "OUT", num_args = 0..=1, default_missing_value = "-", value_hint = clap::ValueHint::FilePath)]
    svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let picture = Svg::at(&args.svg, args.json)?;
    interrupt::handle();
    let game = args.options.in_brackets(&args.game);
    let facts = match &args.position {
        Some(position) => ValueFacts::of_position(&game, position, args.limit),
        None => ValueFacts::of(&game, args.limit),
    };
    let facts = facts.map_err(failure)?;
    if picture.write(|| picture::thermograph(&facts))? {
        return Ok(());
    }
    let mut report = Report::new(facts.name.clone(), json::thermograph(&facts));
    let walls = [&facts.thermograph.left, &facts.thermograph.right];
    for (name, wall) in ["Left wall", "Right wall"].into_iter().zip(walls) {
        let corners = wall.points().iter().map(|corner| format!("{} at {}", corner.value, corner.temperature));
        report.row(name, corners.collect::<Vec<_>>().join(", "));
    }
    report.row("mast", format!("{} from {}", facts.mean, facts.temperature));
    report.print(args.json)
}
