//! `tablegen check`: reads, draws and measures a rules file without solving it.

use std::collections::BTreeSet;
use std::ffi::OsString;

use tablegen::engine::{RulesFacts, STATEMENT_LIMIT, SearchLimit, Untrue, check_solver, json, shortage, untrue};
use tablegen::game::{EndExample, FileGame, FilePlace, FilePoints, FileReport, Game, MoveExample};

use super::drawing::{self, Picture, coloured};
use super::failure::{Failure, Status, in_words};
use super::game_options::SetOptions;
use super::progress::{Bar, Unit};
use super::report::Report;
use super::searching::longer;
use super::session::Session;
use super::wrap::{terminal_columns, wrapped};
use super::{help, interrupt, output, text, words};

/// Check a rules file: show its game, its size and the solver that a build would use.
#[derive(clap::Args)]
#[command(after_help = help::of("check"))]
pub(super) struct Args {
    /// A rules file (*.toml), or a library game from 'tablegen list'
    #[arg(value_name = "RULES.toml", value_hint = clap::ValueHint::FilePath)]
    rules: OsString,
    #[command(flatten)]
    options: SetOptions,
    /// If a game of a test is too large to be solved, search at most N positions for each test, or for a time, as in 500ms, 5s or 2m;
    /// beyond that limit, the test is undecided [default: 60s]
    #[arg(long, value_name = "N|TIME", allow_negative_numbers = true, value_parser = clap::value_parser!(SearchLimit))]
    limit: Option<SearchLimit>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let game = args.options.all().rules_file(&args.rules)?;
    let (rules, check) = (game.rules(), game.report());
    interrupt::handle();
    let bar = Bar::of_phases(rules.name());
    let (facts, choice) = (RulesFacts::of(rules), session.engine()?.choose(&game, None, None)?);
    drop(bar);
    let limit = args.limit.unwrap_or(STATEMENT_LIMIT);
    let bar = Bar::new(rules.name(), "testing", Unit::Nothing, None);
    let untrue = untrue(&game, limit, Some(&|progress| bar.tell(progress)))?;
    drop(bar);
    let parameters = check.parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.value));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let stated = game.statements().len();
    let mut object = json::rules_file(&facts, &check, &choice);
    if stated > 0 {
        object.insert("tests".into(), json::statements(stated, &untrue));
    }
    let mut report = Report::new(facts.name.clone(), object);
    report.row("game", text::one_line(&check.summary));
    report.row("source", text::one_line(&check.source));
    report.row("parameters", text::one_line(&parameters));
    report.row("squares", check.squares.to_string());
    report.row("cells", facts.cells.to_string());
    report.row("modes", text::one_line(&facts.mode_names.join(", ")));
    report.row("parts", game.parts().iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(", "));
    report.row("moves", facts.moves.to_string());
    report.row("ends", if check.ends > 0 { check.ends.to_string() } else { String::new() });
    report.row("play", check.play);
    report.row("points", check.points.as_ref().map_or_else(String::new, points));
    report.row(
        "swap",
        if check.swap { "after the first turn, the other player may exchange sides instead of a move" } else { "" },
    );
    report.row("in hand", in_hand(&game, &check));
    report.row("positions", words::positions(&facts));
    report.row(
        "solver",
        match (check_solver(&game, choice.method), shortage(&game, &choice)) {
            (Err(error), _) => format!("none: {error}; 'tablegen probe' searches"),
            (Ok(()), Some(shortage)) => format!("none on this machine: {}", in_words(&shortage)),
            (Ok(()), None) => words::solver(&choice),
        },
    );
    if stated > 0 {
        let places = |of: &dyn Fn(&&Untrue) -> bool| {
            untrue.iter().filter(of).map(|untrue| untrue.place).collect::<BTreeSet<FilePlace>>()
        };
        let (all, wrong) = (places(&|_| true), places(&|untrue| !untrue.is_undecided));
        let undecided = match all.len() - wrong.len() {
            0 => String::new(),
            undecided => format!(", {undecided} undecided"),
        };
        report.row("tests", format!("{} of {stated} hold{undecided}", stated - all.len()));
    }
    report.paragraph(&coloured(&check.drawing, game.colours()));
    let drawn = [examples(&check, game.colours()), ends(&check, game.colours())];
    drawn.into_iter().flatten().for_each(|examples| report.paragraph(&examples));
    report.print(args.json)?;
    if !args.json {
        check.warnings.iter().for_each(|warning| output::note(&format!("warning: {}", text::one_line(warning))));
    }
    if untrue.is_empty() {
        return Ok(());
    }
    let name = text::one_line(&args.rules.to_string_lossy());
    let (undecided, wrong): (Vec<_>, Vec<_>) = untrue.iter().partition(|untrue| untrue.is_undecided);
    let lines = wrong.iter().chain(&undecided).map(|untrue| format!("{name}: {untrue}")).collect();
    let failure = Failure::lines(Status::Check, lines);
    Err(if undecided.is_empty() { failure } else { failure.hint(format!("try {}", longer(limit))) })
}

/// The points that the file counts: `boxes: moves gain 1 to 2, the player with more boxes wins`.
fn points(points: &FilePoints) -> String {
    let FilePoints { unit, fewest, gains, .. } = points;
    let gains = match gains.as_ref().map(|gains| (gains.start(), gains.end())) {
        None => String::new(),
        Some((least, most)) if least == most => format!("moves gain {least}, "),
        Some((least, most)) => format!("moves gain {least} to {most}, "),
    };
    let more = if *fewest { "fewer" } else { "more" };
    text::one_line(&format!("{unit}: {gains}the player with {more} {unit} wins"))
}

/// The pieces in hand at the start: `x 3, o 3`.
fn in_hand(game: &FileGame, check: &FileReport) -> String {
    let held = check.in_hand.zip(game.sides());
    held.map_or_else(String::new, |([first, second], [x, o])| text::one_line(&format!("{x} {first}, {o} {second}")))
}

/// The largest number of examples that are drawn. A file may list its moves and its ends one by one, so only the first are shown.
const DRAWN: usize = 8;

/// A drawing of one pattern of each `[[end]]`, after the words of those without a pattern.
fn ends(check: &FileReport, colours: Option<[char; 2]>) -> Option<String> {
    let places: Vec<FilePlace> = check.end_examples.iter().map(|end| end.place).collect();
    let caption = |end: &EndExample| {
        let patterns =
            if end.patterns > 0 { text::counted(end.patterns as u64, "pattern") + ", " } else { String::new() };
        let mode = end.mode.as_ref().map_or(String::new(), |mode| format!(" ({})", text::one_line(mode)));
        format!("{}: {patterns}{}{mode}", end.place.among(&places), text::one_line(&end.says))
    };
    let picture = |end: &EndExample| {
        let caption = wrapped("", &caption(end), Some(drawing::width())).lines().map(str::to_owned).collect();
        Some(Picture::new(caption, end.drawing.as_ref()?, &check.drawing, colours))
    };
    let drawn: Vec<Picture> = check.end_examples.iter().filter_map(picture).take(DRAWN).collect();
    let in_words = check.end_examples.iter().filter(|end| end.drawing.is_none() && !end.says.is_empty());
    let in_words = in_words.take(DRAWN).map(|end| wrapped("", &caption(end), terminal_columns())).collect::<Vec<_>>();
    let heading = "one pattern of each entry of `end`, which ends the game: pieces mark squares that must be filled, o marks squares that must be empty";
    let drawn = under(heading, &drawn);
    let parts: Vec<String> = (!in_words.is_empty()).then(|| in_words.join("\n")).into_iter().chain(drawn).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// A drawing of one move of each `[[move]]` that has moves.
fn examples(check: &FileReport, colours: Option<[char; 2]>) -> Option<String> {
    let places: Vec<FilePlace> = check.examples.iter().map(|example| example.place).collect();
    let picture = |example: &MoveExample| {
        let moves = text::counted(example.moves as u64, "move");
        let mode = example.mode.as_ref().map_or(String::new(), |mode| format!(" ({})", text::one_line(mode)));
        let caption = format!("{}: {moves}{mode}", example.place.among(&places));
        let caption = wrapped("", &caption, Some(drawing::width())).lines().map(str::to_owned).collect();
        Some(Picture::new(caption, example.drawing.as_ref()?, &check.drawing, colours))
    };
    let drawn: Vec<Picture> = check.examples.iter().filter_map(picture).take(DRAWN).collect();
    let takes = check
        .examples
        .iter()
        .any(|example| example.drawing.as_ref().is_some_and(|drawn| drawn.contains(MoveExample::TAKEN)));
    let taken = if takes { format!(", {} marks pieces that it takes", MoveExample::TAKEN) } else { String::new() };
    let heading = format!(
        "one move of each entry of `move`, on the board before the move: brackets mark the squares that it fills, o marks other \
         squares that must be empty{taken}"
    );
    under(&heading, &drawn)
}

/// `pictures` side by side under a heading; `None` if there are none.
fn under(heading: &str, pictures: &[Picture]) -> Option<String> {
    let heading = wrapped("", heading, terminal_columns());
    (!pictures.is_empty()).then(|| format!("{heading}\n\n{}", drawing::side_by_side(pictures, drawing::width())))
}
