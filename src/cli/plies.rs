//! Sequences of moves, each with a drawing or a line of text, its winner, and the end of the game.

use tablegen::engine::{Answered, LineEnd, Ply, Source};
use tablegen::game::Answer;
use tablegen::label::Value;
use tablegen::rules::{Node, Outcome};

use super::drawing::Picture;
use super::words;
use super::wrap::wrapped;

/// The name for the person whom texts address.
pub(super) const YOU: &str = "you";

/// A drawing of each of `plies`, which begin at `start`; `None` if the game cannot draw its positions.
pub(super) fn pictures(
    source: &Source,
    start: &Answered,
    plies: &[Ply],
    captions: &[Vec<String>],
    width: usize,
) -> Option<Vec<Picture>> {
    let game = source.game();
    if game.off_table().is_some() {
        return None;
    }
    let first = start.answer.node?;
    let mut before = (first, game.draw(first));
    let mut pictures = Vec::with_capacity(captions.len());
    for (ply, caption) in plies.iter().zip(captions) {
        let node = ply.after.answer.node?;
        let after = game.draw(node);
        if after == game.write(node) {
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

/// One line of text for each ply: the move, and its result in a separate column.
pub(super) fn in_rows(captions: &[Vec<String>], columns: Option<usize>) -> String {
    let names = captions.iter().filter_map(|caption| caption.first()).map(|name| name.chars().count());
    let wide = names.max().unwrap_or(0);
    let row = |caption: &Vec<String>| {
        let (name, labels) = caption.split_first()?;
        Some(wrapped("", format!("{name:<wide$}  {}", labels.join(", ")).trim_end(), columns))
    };
    captions.iter().filter_map(row).collect::<Vec<_>>().join("\n")
}

/// The winner and the number of plies, in words. `mover` is the name of the player to move, `other` the opponent's.
pub(super) fn standing([mover, other]: [&str; 2], value: Option<Value>, over: bool) -> String {
    let Some(value) = value else { return "the winner is unknown".into() };
    let who = match value.outcome {
        Outcome::Win => mover,
        Outcome::Draw if over => return "a draw".into(),
        Outcome::Draw if value.repetition => return "a draw by repetition".into(),
        Outcome::Draw => return format!("a draw{}", in_plies(value)),
        Outcome::Loss => other,
    };
    match over {
        true => format!("{who} won"),
        false => win_of(who) + &in_plies(value),
    }
}

/// The text ` in 3 plies`, if the number is known. Where scores are known, players do not hurry.
fn in_plies(value: Value) -> String {
    let plies = value.remoteness().filter(|_| value.score().is_none());
    plies.map_or_else(String::new, |plies| format!(" in {}", words::plies(plies)))
}

/// Styles `text` in the colour of the outcome of `at`.
pub(super) fn styled(at: &Answered, text: &str) -> String {
    match at.answer.outcome().map(words::style) {
        Some(style) => format!("{style}{text}{style:#}"),
        None => text.to_owned(),
    }
}

/// The reason why the game is over, and the winner. `mover` is the name of the player to move, `other` the opponent's.
pub(super) fn over(source: &Source, end: LineEnd, last: &Answer, [mover, other]: [&str; 2]) -> Option<String> {
    let outcome = last.outcome()?;
    let result = match outcome {
        Outcome::Win => win_of(mover),
        Outcome::Draw => "neither player wins".to_owned(),
        Outcome::Loss => win_of(other),
    };
    let why = match end {
        LineEnd::Stuck => {
            let rules = source.game().rules();
            let terminal = match last.node? {
                Node::At(at) => rules.terminal_in(at.mode),
                Node::Opening => rules.terminal().into(),
            };
            let game = source.game();
            let rule = match outcome {
                _ if rules.has_gains() || terminal.is_by_points() => {
                    let more = if game.counts_fewest() { "fewer" } else { "more" };
                    format!("the player with {more} {} wins", game.unit())
                }
                Outcome::Win => "the player who cannot move wins".into(),
                Outcome::Draw => "a player who cannot move draws".into(),
                Outcome::Loss => "the player who cannot move loses".into(),
            };
            format!("{mover} cannot move, and {rule}")
        }
        LineEnd::Pattern => {
            // A remark of the game itself on its end is more precise.
            let remark = source.game().remarks(last.node?, outcome).pop().filter(|remark| remark.contains("is over"));
            remark.unwrap_or_else(|| "a terminal pattern ends the game".into())
        }
        LineEnd::Repetition => "the position has occurred before: a draw by repetition".into(),
        LineEnd::Unknown => return None,
    };
    Some(format!("{why}: {result}"))
}

/// `you win`, `a win for left`. The name of a side may be a plural, such as `hounds`, so no verb follows it.
fn win_of(who: &str) -> String {
    if who == YOU { "you win".into() } else { format!("a win for {who}") }
}
