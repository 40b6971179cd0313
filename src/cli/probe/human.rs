//! An answer for people: the board drawn, the outcome in words, the moves worth making.

use anstyle::Style;
use tablegen::game::Game;
use tablegen::rules::{Choice, Outcome};

use super::Answer;
use crate::cli::drawing::{Picture, listed, side_by_side};
use crate::cli::words;

/// Moves that are drawn; where there are more, the rest is listed.
const DRAWN: usize = 8;

/// All there is to say of `answer`, at most `width` columns wide where that can be.
pub(super) fn report(game: &dyn Game, answer: &Answer, width: usize) -> String {
    let probe = &answer.probe;
    let outcome = probe.value.outcome;
    let board = game.draw(probe.place);
    let text = game.write(probe.place);
    let drawn = answer.reading.drawn.as_ref().unwrap_or(&board);
    let bold = Style::new().bold();

    let mut head = format!("{bold}{}{bold:#}  {text}", game.rules().name);
    if *drawn != text {
        head += &format!("\n\n{drawn}");
    }
    let style = words::style(outcome);
    let name = outcome.name().to_uppercase();
    let mut verdict = format!("{style}{name}{style:#}: {}", words::sentence(probe));
    for remark in labels(answer).into_iter().chain(game.remarks(probe.place, outcome)) {
        verdict += &format!("\n{remark}");
    }
    let moves = if probe.over { None } else { Some(moves(game, answer, &board, width)) };
    let parts: Vec<String> = [head, verdict].into_iter().chain(moves).collect();
    parts.join("\n\n") + "\n"
}

/// What the table says beside the outcome.
fn labels(answer: &Answer) -> Vec<String> {
    let value = answer.probe.value;
    let plies = value.remoteness.map(|plies| match plies {
        1 => "1 ply to the end with best play".to_owned(),
        _ => format!("{plies} plies to the end with best play"),
    });
    let nimber = value.nimber.map(|nimber| format!("nimber {nimber}"));
    plies.into_iter().chain(nimber).collect()
}

/// The moves that keep the outcome; where every move loses, all of them.
fn moves(game: &dyn Game, answer: &Answer, board: &str, width: usize) -> String {
    let probe = &answer.probe;
    let text = |choice: &Choice| {
        let text = game.write_move(probe.place, choice.to);
        choice.value.remoteness.map_or_else(|| text.clone(), |plies| format!("{text} ({plies})"))
    };
    if probe.value.outcome == Outcome::Loss {
        let all: Vec<String> = probe.moves.iter().map(text).collect();
        return listed("every move loses:", &all, width);
    }
    let kind = if probe.value.outcome == Outcome::Win { "winning" } else { "drawing" };
    let best: Vec<&Choice> = probe.best().collect();
    let draw = |choice: &&Choice| {
        let drawing = game.draw_move(probe.place, choice.to)?;
        Some(Picture::new(text(choice), &drawing, board))
    };
    let drawn: Option<Vec<Picture>> = best.iter().take(DRAWN).map(draw).collect();
    let heading = format!("{} of {}", best.len(), words::counted(probe.moves.len() as u64, "move"));
    let texts = |choices: &[&Choice]| choices.iter().map(|&choice| text(choice)).collect::<Vec<_>>();
    match drawn {
        None => listed(&format!("{kind}, {heading}:"), &texts(&best), width),
        Some(pictures) => {
            let mut parts = vec![format!("{kind}, {heading}:"), side_by_side(&pictures, width)];
            if best.len() > DRAWN {
                parts.push(listed("and", &texts(&best[DRAWN..]), width));
            }
            parts.join("\n\n")
        }
    }
}
