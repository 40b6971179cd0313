//! The view of a game in progress for people: drawings, moves, and the current winner.

use indicatif::HumanCount;
use tablegen::engine::{BestLine, Match, Reply, Skill};
use tablegen::game::AnswerMove;
use tablegen::rules::Outcome;

use super::PlayView;
use super::command::{COMMANDS, MARK};
use crate::cli::drawing::{self, listed, side_by_side};
use crate::cli::line::ending;
use crate::cli::plies::{YOU, in_rows, over, pictures, standing};
use crate::cli::wrap::{terminal_columns, wrapped};
use crate::cli::{points, probe, text, words};

/// The view for people.
pub(super) struct Human;

/// The name of a player of `skill` who is no person.
const fn name_of(skill: Skill) -> &'static str {
    match skill {
        Skill::Perfect => "perfect play",
        Skill::Strong => "a strong player",
        Skill::Beginner => "a beginner",
    }
}

/// The player to move after `plies` moves, and the opponent.
fn names<'a>(play: &'a Match<'_>, plies: usize) -> [&'a str; 2] {
    let other = name_of(play.opponent().skill);
    match play.perfect() {
        None => play.players_after(plies),
        Some(_) if play.is_perfect(plies) => [other, YOU],
        Some(_) => [YOU, other],
    }
}

fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n\n"
}

fn fitted(text: &str) -> String {
    wrapped("", text, terminal_columns())
}

/// The prompt before the typed line.
pub(super) fn prompt(play: &Match<'_>) -> String {
    let who = if play.now().answer.over { "over" } else { play.players_after(play.plies().len())[0] };
    format!("{}> ", text::one_line(who))
}

/// A remark on move `number`, if it gave the outcome away.
fn missed(play: &Match<'_>, number: usize) -> Option<String> {
    let best = play.missed(number)?;
    let made = &play.plies()[number].chosen;
    let score = |m: &AnswerMove| m.value.and_then(|value| value.score());
    let lost = score(&best).zip(score(made)).map(|(best, made)| best - made);
    let kept = if best.outcome()? == Outcome::Win { "win" } else { "draw" };
    let gives = match lost {
        Some(lost) if best.outcome() == made.outcome() => {
            format!("{} gives {} away", made.text, points::amount(lost, play.source().game().unit()))
        }
        _ => format!("{} gives the {kept} away", made.text),
    };
    let keeps =
        if lost.is_some_and(|lost| lost != 1) && best.outcome() == made.outcome() { "keeps them" } else { "keeps it" };
    Some(fitted(&format!("{gives}; {} {keeps}", best.text)))
}

/// What both players have after `plies` moves: `you 3 boxes, perfect play 1`; `None` if the game counts nothing there.
fn counted(play: &Match<'_>, plies: usize) -> Option<String> {
    Some(points::state(play.source().game(), names(play, 0), play.points_after(plies)?))
}

/// The current winner, coloured by the outcome for the reader, or for the player to move if both players are people.
fn now(play: &Match<'_>) -> String {
    let (count, at) = (play.plies().len(), &play.now().answer);
    let text = match play.end() {
        Some(end) => {
            let over = over(play.source(), end, at, names(play, count)).unwrap_or_else(|| "the game is over".into());
            let undo = if count == 0 { "" } else { ", 'undo' takes back a move" };
            let counted = counted(play, count).map_or_else(String::new, |counted| format!(" ({counted})"));
            format!("{over}{counted}; 'new' starts a new game{undo}")
        }
        None => {
            let counted = counted(play, count).map_or_else(String::new, |counted| format!("{counted}; "));
            let led = standing(names(play, count), at.value, false) + &points::margin_at(play.source(), play.now());
            counted + &led
        }
    };
    let Some(outcome) = at.outcome() else {
        return fitted(&format!("{text}: {}", probe::unsettled(play.source())));
    };
    let style = words::style(if play.is_perfect(count) { outcome.flip() } else { outcome });
    fitted(&format!("{style}{text}{style:#}"))
}

impl PlayView for Human {
    fn begun(&self, play: &Match<'_>) -> String {
        let (head, _) = probe::head(play.source(), play.start());
        let names = play.players_after(0);
        let [first, second] = [("first", &names[0]), ("second", &names[1])]
            .map(|(turn, name)| if *name == turn { turn.into() } else { format!("{turn} as {name}") });
        let other = name_of(play.opponent().skill);
        let who = match play.perfect() {
            None => format!("{} moves first, then {}", names[0], names[1]),
            Some(_) if play.is_perfect(0) => format!("{other} moves {first}, and you move {second}"),
            Some(_) => format!("you move {first}, and {other} moves {second}"),
        };
        let who = fitted(&format!("{who}; type a move, or 'help'; tab completes"));
        paragraphs([head, who]) + &self.played(play, 0)
    }

    fn played(&self, play: &Match<'_>, from: usize) -> String {
        let width = drawing::width();
        let plies = &play.plies()[from..];
        let captions = plies.iter().zip(from..).map(|(ply, number)| {
            let [who, _] = names(play, number);
            let guess = if ply.is_guess { " (a guess)" } else { "" };
            let game = play.source().game();
            let caption = format!("{}. {who}: {}{guess}", number + 1, text::move_name(game, &ply.chosen));
            let counted = play.points_after(number + 1);
            let counted = counted.map(|counted| points::after_move(game, &ply.chosen, names(play, 0), counted));
            std::iter::once(caption).chain(counted).collect()
        });
        let captions: Vec<Vec<String>> = captions.collect();
        let drawn = pictures(play.source(), play.after(from), plies, &captions, width);
        let drawn = drawn.map_or_else(|| in_rows(&captions, terminal_columns()), |drawn| side_by_side(&drawn, width));
        let missed = (from..play.plies().len()).filter_map(|number| missed(play, number));
        let lines: Vec<String> = missed.chain([now(play)]).collect();
        paragraphs([drawn, lines.join("\n")])
    }

    fn undone(&self, play: &Match<'_>, count: usize) -> String {
        paragraphs([format!("{} taken back", text::counted(count as u64, "move"))]) + &self.shown(play)
    }

    fn shown(&self, play: &Match<'_>) -> String {
        let (head, _) = probe::head(play.source(), play.now());
        let moves = play.plies().iter().zip(1..).map(|(ply, number)| format!("{number}. {}", ply.chosen.text));
        let moves: Vec<String> = moves.collect();
        let so_far = if moves.is_empty() { String::new() } else { listed("so far:", &moves, drawing::width()) };
        paragraphs([head, so_far, now(play)])
    }

    fn hint(&self, play: &Match<'_>, hint: Option<Reply>) -> String {
        let Some(Reply { chosen: best, proved }) = hint else { return paragraphs([now(play)]) };
        let name = text::move_name(play.source().game(), &best);
        if !proved {
            return paragraphs([fitted(&format!("{name}: a guess, which is not proved to be a best move"))]);
        }
        let answer = &play.now().answer;
        let (good, all) = (answer.best().count() as u64, text::counted(answer.moves.len() as u64, "move"));
        let s = if good == 1 { "s" } else { "" };
        let others = match answer.outcome() {
            Some(_) if best.value.is_some_and(|value| value.score().is_some()) => {
                format!("; {} of {all} keep{} the score", HumanCount(good), if good == 1 { "s" } else { "" })
            }
            Some(Outcome::Win) => format!("; {} of {all} win{s}", HumanCount(good)),
            Some(Outcome::Draw) => format!("; {} of {all} draw{s}", HumanCount(good)),
            Some(Outcome::Loss) => "; every move loses".into(),
            None => String::new(),
        };
        let led = standing(names(play, play.plies().len()), best.value, false)
            + &points::margin_of(play.source(), best.value, answer.lead);
        paragraphs([fitted(&format!("{name}: {led}{others}"))])
    }

    fn moves(&self, play: &Match<'_>) -> String {
        let answered = play.now();
        if answered.answer.over {
            return paragraphs([now(play)]);
        }
        let (_, board) = probe::head(play.source(), answered);
        paragraphs([probe::moves(play.source().game(), &answered.answer, &board, drawing::width())])
    }

    fn line(&self, play: &Match<'_>, line: BestLine) -> String {
        let begun = play.plies().len();
        let line = BestLine { players: names(play, begun).map(str::to_owned), ..line };
        let caption = |number: usize, made: &AnswerMove| {
            let after = &line.plies[number].after.answer;
            let who = line.players_after(number)[0];
            let led = standing(line.players_after(number + 1), after.value, after.over)
                + &points::margin_of(play.source(), after.value, after.lead);
            let game = play.source().game();
            let name = format!("{}. {who}: {}", begun + number + 1, text::move_name(game, made));
            let counted = line.points_after(game, number + 1);
            let counted = counted.map(|counted| points::after_move(game, made, line.players_after(0), counted));
            std::iter::once(name).chain(counted).chain([led]).collect::<Vec<String>>()
        };
        let captions = line.plies.iter().enumerate().map(|(number, ply)| caption(number, &ply.chosen));
        let rows = in_rows(&captions.collect::<Vec<_>>(), terminal_columns());
        paragraphs([rows, fitted(&ending(play.source(), &line).unwrap_or_default())])
    }

    fn help(&self) -> String {
        let moves = "a move, written as 'moves' lists it, or the position after it";
        let wide = COMMANDS.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let row = |name: &str, what: &str| wrapped(&format!("  {name:<wide$}  "), what, terminal_columns());
        let commands = COMMANDS.iter().map(|(name, _, what)| row(name, what));
        let rows: Vec<String> = [row("MOVE", moves)].into_iter().chain(commands).collect();
        let marked =
            format!("a word that is both a move and a command means the move; {MARK} before it makes it the command");
        paragraphs([rows.join("\n"), fitted(&marked)])
    }
}
