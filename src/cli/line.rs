//! `tablegen line`: best play by both players, ply by ply.

use std::ffi::OsString;

use indicatif::HumanCount;
use tablegen::engine::{Answered, BestLine, LineEnd, Source, json};
use tablegen::label::{LabelKind, LabelSet, Value};
use tablegen::rules::Outcome;

use super::drawing::{self, Picture, side_by_side};
use super::failure::{self, Failure};
use super::labels::Labels;
use super::probe::{self, One, Text};
use super::session::Session;
use super::subject::GameOptions;
use super::wrap::{terminal_columns, wrapped};
use super::{help, output, words};

/// Play a position to its end, with best play by both players.
///
/// Each player makes the move that 'probe' lists first: the quickest win, or the slowest loss or draw. A table without
/// remoteness knows who wins and not how soon; its line then keeps the outcome, and may be longer or shorter than best play.
#[derive(clap::Args)]
#[command(after_help = help::line())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list', a rules file (*.toml), or a table file
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    /// The position, written as 'tablegen list' shows, or [MODE:]NUMBER of its board; @FILE reads it from a file, @-
    /// standard input [default: the start]
    #[arg(value_name = "POSITION|@FILE", allow_negative_numbers = true)]
    position: Option<OsString>,
    #[command(flatten)]
    options: GameOptions,
    /// Look at no more than N positions for each ply if a search is needed; beyond that the line stops
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true)]
    limit: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let position = args.position.as_ref().map(Text::of).transpose()?;
    let subject = session.subject(&args.subject, &args.options, position.as_ref().and_then(Text::file))?;
    let One { source, rebuild, asked, missing, build } = probe::one(session, subject, position.as_ref(), args.limit)?;
    let line = source.line(&asked).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    if let Some(missing) = missing.filter(|_| source.lacks_table_for(&line.start)) {
        return Err(missing);
    }
    if line.is_by_outcome_alone() {
        note_outcome_alone(&source, build);
    }
    match args.json {
        true => output::print_json(&json::line(&source, &line)),
        false => output::print(&report(&source, &line, drawing::width())),
    }
}

/// Says that the moves keep the outcome and no more, and how a table gets the plies, if it can have them: `build` is the
/// command that builds it.
fn note_outcome_alone(source: &Source, build: Option<String>) {
    let what = "the remoteness is not known here: each move keeps the outcome, and need not be the quickest or slowest";
    let build = build.filter(|_| source.could_have_remoteness());
    let labels = Labels::typed(LabelSet::OUTCOME.with(LabelKind::Remoteness));
    let adds = |build| format!("{what}; '{build}{labels}' adds it");
    output::note(&build.map_or_else(|| what.to_owned(), adds));
}

/// The full text for `line`, at most `width` columns wide if possible.
fn report(source: &Source, line: &BestLine, width: usize) -> String {
    let columns = terminal_columns();
    let (head, board) = probe::head(source, &line.start);
    let standing = |number: usize, at: &Answered| {
        let value = at.answer.value;
        let labels = value.and_then(words::nimber);
        std::iter::once(standing(line.players_after(number), value, at.answer.over)).chain(labels)
    };
    let mover = line.players_after(0)[0];
    let start: Vec<String> = standing(0, &line.start).collect();
    let start = match line.start.answer.over {
        true => start.join(", "),
        false => format!("{mover} to move: {}", start.join(", ")),
    };
    let mut parts = vec![head, wrapped("", &styled(&line.start, &start), columns)];
    let captions = line.plies.iter().enumerate().map(|(number, ply)| {
        let player = line.players_after(number)[0];
        let name = format!("{}. {player}: {}", number + 1, ply.chosen.text);
        std::iter::once(name).chain(standing(number + 1, &ply.after)).collect::<Vec<_>>()
    });
    let captions: Vec<Vec<String>> = captions.collect();
    if !captions.is_empty() {
        parts.push(match pictures(source, line, &board, &captions, width) {
            Some(pictures) => side_by_side(&pictures, width),
            None => in_rows(&captions, columns),
        });
    }
    parts.extend(ending(source, line).map(|text| wrapped("", &text, columns)));
    parts.join("\n\n") + "\n"
}

/// A drawing of each ply; `None` if the game cannot draw its positions.
fn pictures(
    source: &Source,
    line: &BestLine,
    board: &str,
    captions: &[Vec<String>],
    width: usize,
) -> Option<Vec<Picture>> {
    let game = source.game();
    if game.off_table().is_some() {
        return None;
    }
    let mut before = (line.start.answer.node?, board.to_owned());
    let mut pictures = Vec::with_capacity(captions.len());
    for (ply, caption) in line.plies.iter().zip(captions) {
        let node = ply.after.answer.node?;
        let after = game.draw(node);
        if after == ply.after.answer.position {
            return None;
        }
        let drawn = game.draw_move(before.0, ply.chosen.to?).unwrap_or_else(|| after.clone());
        let caption = caption
            .iter()
            .flat_map(|text| wrapped("", text, Some(width)).lines().map(str::to_owned).collect::<Vec<_>>());
        pictures.push(Picture::new(caption.collect(), &drawn, &before.1, game.colours()));
        before = (node, after);
    }
    Some(pictures)
}

/// A line of text for each ply: the move, and what it leads to in a column of its own.
fn in_rows(captions: &[Vec<String>], columns: Option<usize>) -> String {
    let names = captions.iter().filter_map(|caption| caption.first()).map(|name| name.chars().count());
    let wide = names.max().unwrap_or(0);
    let row = |caption: &Vec<String>| {
        let (name, labels) = caption.split_first()?;
        Some(wrapped("", &format!("{name:<wide$}  {}", labels.join(", ")), columns))
    };
    captions.iter().filter_map(row).collect::<Vec<_>>().join("\n")
}

/// Who wins and in how many plies, by the names of the player to move and of the other.
fn standing([mover, other]: [&str; 2], value: Option<Value>, over: bool) -> String {
    let Some(value) = value else { return "not known who wins".into() };
    let who = match value.outcome {
        Outcome::Win => mover,
        Outcome::Draw if over => return "a draw".into(),
        Outcome::Draw => return format!("a draw{}", in_plies(value)),
        Outcome::Loss => other,
    };
    if over { format!("{who} has won") } else { format!("{who} wins{}", in_plies(value)) }
}

/// ` in 3 plies`, if that is known.
fn in_plies(value: Value) -> String {
    value.remoteness.map_or_else(String::new, |plies| format!(" in {}", words::plies(plies)))
}

/// `text` in the colour of the outcome of `at`.
fn styled(at: &Answered, text: &str) -> String {
    match at.answer.outcome().map(words::style) {
        Some(style) => format!("{style}{text}{style:#}"),
        None => text.to_owned(),
    }
}

/// How the line ends: after how many plies, by which rule and for whom.
fn ending(source: &Source, line: &BestLine) -> Option<String> {
    let count = words::plies(line.plies.len() as u32);
    let last = &line.last().answer;
    let [mover, _] = line.players_after(line.plies.len());
    let result = line.winner().map_or_else(|| "nobody wins".to_owned(), |winner| format!("{winner} wins"));
    let why = match line.end {
        LineEnd::Stuck => {
            let rule = match last.outcome()? {
                Outcome::Win => "whoever cannot move wins",
                Outcome::Draw => "that ends in a draw",
                Outcome::Loss => "whoever cannot move loses",
            };
            format!("{mover} cannot move, and {rule}: {result}")
        }
        LineEnd::Pattern => {
            // A game with a name for what ends it says so.
            let node = last.node?;
            let remark = source.game().remarks(node, last.outcome()?).pop().filter(|remark| remark.contains("is over"));
            format!("{}: {result}", remark.unwrap_or_else(|| "a pattern of the rules ends the game".into()))
        }
        LineEnd::Unknown => {
            let limit = HumanCount(source.limit());
            let what = if last.outcome().is_none() { "who wins there" } else { "which move keeps the outcome" };
            format!(
                "the game goes on, but a search of up to {limit} positions did not settle {what}; --limit allows more"
            )
        }
    };
    Some(format!("after {count}: {why}"))
}
