//! `tablegen line`: best play by both players, ply by ply.

use tablegen::engine::{Answered, BestLine, LineEnd, Source, json};
use tablegen::label::{LabelKind, LabelSet};

use super::drawing::{self, side_by_side};
use super::failure::Failure;
use super::labels::Labels;
use super::plies::{self, in_rows, pictures, standing, styled};
use super::probe::{self, LabelSource, One, PlaceArgs};
use super::searching::{SearchArgs, in_words, longer};
use super::session::Session;
use super::wrap::{terminal_columns, wrapped};
use super::{help, output, points, text, words};

/// Show a line of best play by both players from a position to the end of the game.
///
/// Each player makes the move that 'probe' lists first: the highest score, the quickest win, or the slowest loss or draw.
/// If the table has no remoteness and no score, each move only keeps the outcome, so the line may be longer or shorter than best play.
#[derive(clap::Args)]
#[command(after_help = help::of("line"))]
pub(super) struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let One { from, asked } = args.place.find(session, &args.search)?;
    let source = &from.source;
    let line = source.line(&asked).map_err(|error| from.damaged(error))?;
    from.note_solved();
    from.note_unknown(&line.start, args.search.options(), !args.json);
    if line.is_by_outcome_alone() {
        note_outcome_alone(&from);
    }
    match args.json {
        true => output::print_json(&json::line(source, &line)),
        false => output::print(&report(source, &line, drawing::width())),
    }
}

/// Prints a note that the moves only keep the outcome. If the game has remoteness, the note names what adds it: a build, or an option of
/// the search.
pub(super) fn note_outcome_alone(from: &LabelSource) {
    let what =
        "the remoteness is unknown: each move keeps the outcome, but may not be the quickest win or the slowest loss";
    let source = &from.source;
    let labels = Labels::typed(LabelSet::BEST_PLAY);
    let adds = match &from.build {
        _ if !source.game().labels().contains(LabelKind::Remoteness) => None,
        _ if source.table().is_none() => Some("'--labels remoteness' searches for it".into()),
        Some(build) if source.could_have_remoteness() => Some(format!("'{build}{labels}' adds it")),
        _ => None,
    };
    output::note(&adds.map_or_else(|| what.to_owned(), |adds| format!("{what}; {adds}")));
}

/// The full text for `line`, at most `width` columns wide if possible.
fn report(source: &Source, line: &BestLine, width: usize) -> String {
    let columns = terminal_columns();
    let (head, _) = probe::head(source, &line.start);
    let game = source.game();
    let standing = |number: usize, at: &Answered| {
        let value = at.answer.value;
        let labels = value.into_iter().flat_map(words::numbers_but_score);
        let led = standing(line.players_after(number), value, at.answer.over) + &points::margin_at(source, at);
        std::iter::once(led).chain(labels)
    };
    let names = line.players_after(0);
    let mover = line.players_after(0)[0];
    let start: Vec<String> = standing(0, &line.start).collect();
    let start = match line.start.answer.over {
        true => start.join(", "),
        false => format!("{mover} to move: {}", start.join(", ")),
    };
    let mut parts = vec![head, wrapped("", &styled(&line.start, &start), columns)];
    let captions = line.plies.iter().enumerate().map(|(number, ply)| {
        let player = line.players_after(number)[0];
        let name = format!("{}. {player}: {}", number + 1, text::move_name(game, &ply.chosen));
        let counted = line.points_after(game, number + 1);
        let counted = counted.map(|counted| points::after_move(game, &ply.chosen, names, counted));
        std::iter::once(name).chain(counted).chain(standing(number + 1, &ply.after)).collect::<Vec<_>>()
    });
    let captions: Vec<Vec<String>> = captions.collect();
    if !captions.is_empty() {
        parts.push(match pictures(source, &line.start, &line.plies, &captions, width) {
            Some(pictures) => side_by_side(&pictures, width),
            None => in_rows(&captions, columns),
        });
    }
    parts.extend(ending(source, line).map(|text| wrapped("", &text, columns)));
    parts.join("\n\n") + "\n"
}

/// A sentence about the end of the line: the number of plies, the rule that ends the game, and the winner.
pub(super) fn ending(source: &Source, line: &BestLine) -> Option<String> {
    let count = words::plies(line.plies.len() as u32);
    let last = &line.last().answer;
    let why = match line.end {
        LineEnd::Stuck | LineEnd::Pattern | LineEnd::Repetition => {
            let over = plies::over(source, line.end, last, line.players_after(line.plies.len()))?;
            let counted = line.points_after(source.game(), line.plies.len());
            let counted = counted.map(|counted| points::state(source.game(), line.players_after(0), counted));
            counted.map_or_else(|| over.clone(), |counted| format!("{over} ({counted})"))
        }
        LineEnd::Unknown => {
            let limit = source.options().limit;
            let search = in_words(limit);
            let what = if last.outcome().is_none() { "the outcome" } else { "a move that keeps the outcome" };
            format!("the game is not over, but {search} did not find {what}; try {}", longer(limit))
        }
    };
    Some(format!("after {count}: {why}"))
}
