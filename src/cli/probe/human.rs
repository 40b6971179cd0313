//! Answers for people: the drawn board, the outcome in words, the best moves.

use anstyle::Style;
use indicatif::HumanCount;
use tablegen::engine::{Answered, BoardValue, Origin, Source, ValuedTurn, Wanted};
use tablegen::game::{Answer, AnswerMove, AnswerSource, Game, Notation};
use tablegen::label::{ByLabel, LabelKind};
use tablegen::rules::Outcome;

use crate::cli::drawing::{self, Picture, coloured, listed, lists, side_by_side};
use crate::cli::searching::in_words;
use crate::cli::wrap::{terminal_columns, wrapped};
use crate::cli::{points, text, words};

/// The largest number of drawn moves. Further moves are listed.
const DRAWN: usize = 8;

/// The heading for `answered`, with the position's text and drawing, and the drawing of the board without colours.
pub(in crate::cli) fn head(source: &Source, answered: &Answered) -> (String, String) {
    let (game, position) = (source.game(), &answered.answer.position);
    let board = answered.board(game);
    let drawn = answered.drawn_text(drawing::has_signs()).unwrap_or(&board);
    let bold = Style::new().bold();
    let title = format!("{bold}{}{bold:#} ", game.rules().name());
    let mut head = wrapped(&title, &format!(" {position}"), terminal_columns());
    // The text of a position may be its drawing.
    let is_text = match answered.answer.node.filter(|_| answered.answer.lead != 0) {
        Some(node) => *drawn == game.write(node),
        None => drawn == position,
    };
    if !is_text {
        head += &format!("\n\n{}", coloured(drawn, game.colours()));
        if answered.answer.lead != 0 {
            head += &format!("\nlead {:+}", answered.answer.lead);
        }
    }
    (head, board)
}

/// The full text for `answered`, at most `width` columns wide if possible. `number` is the text that was read as the number of the board.
pub(super) fn report(
    source: &Source,
    answered: &Answered,
    notation: Option<(Notation, String)>,
    number: Option<&str>,
    width: usize,
) -> String {
    let (game, answer) = (source.game(), &answered.answer);
    let (head, board) = head(source, answered);
    let mut lines = vec![verdict(source, answer)];
    lines.extend(number.map(|number| format!("{number} is the number of this board")));
    lines.extend(notation.map(|(notation, text)| format!("as {}: {text}", notation.name())));
    lines.extend(labels(answer));
    lines.extend(points::of_answer(game, answer));
    if let (Some(node), Some(outcome)) = (answer.node, answer.outcome()) {
        lines.extend(game.remarks(node, outcome));
    }
    if let (Some(class), [first, second, ..]) = (answered.class, game.rules().modes()) {
        lines.push(format!("outcome class {class}: {}", class.words(first, second)));
    }
    if answer.source == AnswerSource::Search && (answer.value.is_some() || source.table().is_some()) {
        let why = match source.origin() {
            Origin::Search if source.has_parts() => {
                "no table holds this position; the search ends at a table of a part"
            }
            Origin::Search => "there is no table",
            Origin::Table | Origin::Solved => "the table does not hold this position",
        };
        lines.push(format!("found by search: {why}"));
        let has_plies = game.off_table().is_none() && source.options().wanted == Wanted::Outcome;
        if answer.is_loss_without_order() && has_plies {
            lines.push("which move loses last is not known: --labels remoteness searches for it".into());
        }
    }
    // Only users who build a table of values are sure to know what they mean.
    let game_value = answered.value.as_deref().filter(|_| source.origin() == Origin::Table);
    lines.extend(game_value.map(value));
    let moves = if answer.over { None } else { Some(moves(game, answer, &board, width)) };
    let turns = game_value.map(|value| turns(value, width)).unwrap_or_default();
    let columns = terminal_columns();
    let lines: Vec<String> = lines.iter().map(|line| wrapped("", line, columns)).collect();
    let parts: Vec<String> = [head, lines.join("\n")].into_iter().chain(moves).chain(turns).collect();
    parts.join("\n\n") + "\n"
}

/// The value of a board in a line.
fn value(value: &BoardValue) -> String {
    let (graph, stops) = (&value.thermograph, &value.stops);
    let numbers = format!("mean {}, temperature {}", graph.mean, graph.temperature);
    format!("value {}: {numbers}, stops {} and {}", name(&value.name, value.number), stops.left, stops.right)
}

/// The name of a value, or its number in the table if the name is too long.
fn name(name: &Option<String>, number: u32) -> String {
    name.clone().unwrap_or_else(|| format!("number {number} of the table"))
}

/// The turns of each player by the values that they leave. In a sum of games, one of the best is always as good as any other turn.
fn turns(value: &BoardValue, width: usize) -> Vec<String> {
    let of = |player: &str, turns: &[ValuedTurn]| -> Vec<String> {
        let mut all = Vec::new();
        for (is_best, what) in [(true, "best in sums"), (false, "dominated")] {
            let turns: Vec<&ValuedTurn> = turns.iter().filter(|turn| turn.is_best == is_best).collect();
            let row = |alike: &[&ValuedTurn]| {
                (name(&alike[0].name, alike[0].number), alike.iter().map(|turn| turn.text.clone()).collect())
            };
            let rows: Vec<(String, Vec<String>)> = turns.chunk_by(|a, b| a.number == b.number).map(row).collect();
            if !rows.is_empty() {
                all.push(lists(&format!("values after {player}, {what}:"), &rows, width));
            }
        }
        all
    };
    let [left, right] = &value.turns;
    match &value.sides {
        None => of("a move", left),
        Some([first, second]) => {
            [of(&format!("a move of {first}"), left), of(&format!("a move of {second}"), right)].concat()
        }
    }
}

/// The outcome in words.
fn verdict(source: &Source, answer: &Answer) -> String {
    let Some(outcome) = answer.outcome() else { return format!("UNKNOWN: {}", unsettled(source)) };
    let style = words::style(outcome);
    let name = outcome.name().to_uppercase();
    format!("{style}{name}{style:#}: {}", words::sentence(answer.over, outcome))
}

/// The reason why an outcome is unknown.
pub(in crate::cli) fn unsettled(source: &Source) -> String {
    format!("{} did not find the outcome", in_words(source.options().limit))
}

/// The other labels in the table.
fn labels(answer: &Answer) -> Vec<String> {
    let Some(value) = answer.value else { return Vec::new() };
    words::remoteness(value).into_iter().chain(words::numbers_but_score(value)).collect()
}

/// All moves. Moves that keep the outcome, and the score if it is known, are drawn if the game can draw them. Other moves are listed.
pub(in crate::cli) fn moves(game: &dyn Game, answer: &Answer, board: &str, width: usize) -> String {
    let all: Vec<&AnswerMove> = answer.moves.iter().collect();
    let score = answer.value.and_then(|value| value.score());
    if answer.outcome() == Some(Outcome::Loss) && score.is_none() {
        let order = if answer.is_loss_without_order() { ", in no order" } else { "" };
        return by_labels(game, &format!("every move loses{order}:"), &all, width);
    }
    let best: Vec<&AnswerMove> = answer.best().collect();
    let draw = |m: &&AnswerMove| {
        let drawing = game.draw_move(answer.node?, m.to?)?;
        let labels = m.value.into_iter().flat_map(words::labels_but_score);
        let caption = std::iter::once(text::move_name(game, m)).chain(labels).collect();
        Some(Picture::new(caption, &drawing, board, game.colours()))
    };
    let drawn: Option<Vec<Picture>> = best.iter().take(DRAWN).map(draw).collect();
    let mut parts = Vec::new();
    if let Some(outcome) = answer.outcome() {
        let kind = words::participle(outcome);
        let score = score.map_or_else(String::new, |score| format!(" with score {}", points::signed(score)));
        let heading = format!(
            "{kind}{score}, {} of {}:",
            HumanCount(best.len() as u64),
            text::counted(answer.moves.len() as u64, "move")
        );
        match drawn {
            None => parts.push(by_labels(game, &heading, &best, width)),
            Some(pictures) => {
                parts.extend([wrapped("", &heading, Some(width)), side_by_side(&pictures, width)]);
                if best.len() > DRAWN {
                    parts.push(by_labels(game, "and", &best[DRAWN..], width));
                }
            }
        }
    }
    let is_best = |m: &AnswerMove| best.iter().any(|best| std::ptr::eq(*best, m));
    for outcome in [Some(Outcome::Win), Some(Outcome::Draw), None, Some(Outcome::Loss)] {
        let others: Vec<&AnswerMove> = answer.moves.iter().filter(|m| m.outcome() == outcome && !is_best(m)).collect();
        let name = outcome.map_or("unknown", words::participle);
        let also = if outcome.is_some() && outcome == answer.outcome() { "also " } else { "" };
        if !others.is_empty() {
            parts.push(by_labels(game, &format!("{also}{name}:"), &others, width));
        }
    }
    parts.join("\n\n")
}

/// The moves under `heading`: a list for moves with equal labels, or one list if the table has outcomes alone.
fn by_labels(game: &dyn Game, heading: &str, moves: &[&AnswerMove], width: usize) -> String {
    let names = |moves: &[&AnswerMove]| moves.iter().map(|m| text::move_name(game, m)).collect::<Vec<_>>();
    let plies = |m: &&AnswerMove| {
        let value = m.value?;
        value.remoteness().or(value.repetition.then_some(u32::MAX))
    };
    let numbers = |m: &&AnswerMove| m.value.map_or(ByLabel::NONE, |value| value.plain_numbers().collect());
    let labels = |m: &&AnswerMove| (plies(m), numbers(m));
    if moves.iter().all(|m| labels(m) == (None, ByLabel::NONE)) {
        return listed(heading, &names(moves), width);
    }
    let mut moves = moves.to_vec();
    // Moves are already in order of remoteness. Sort each remoteness by the other labels, and keep the order otherwise.
    for alike in moves.chunk_by_mut(|a, b| plies(a) == plies(b)) {
        alike.sort_by_key(|m| {
            let first_high =
                |(kind, number): (LabelKind, i32)| (kind, if kind.about().is_signed { -number } else { number });
            numbers(m).iter().map(|(kind, &number)| first_high((kind, number))).collect::<Vec<_>>()
        });
    }
    let digits = |numbers: &mut dyn Iterator<Item = u32>| {
        numbers.max().and_then(u32::checked_ilog10).map_or(1, |tens| tens as usize + 1)
    };
    let wide_plies = digits(&mut moves.iter().filter_map(plies).filter(|&plies| plies < u32::MAX));
    let lead = |(plies, numbers): (Option<u32>, ByLabel<i32>)| {
        let plies = plies.map(|plies| match plies {
            u32::MAX => "by repetition".into(),
            1 => format!("{plies:>wide_plies$} ply"),
            _ => format!("{plies:>wide_plies$} plies"),
        });
        let numbers = numbers.iter().map(|(kind, &number)| {
            let texts = moves.iter().filter_map(|m| Some(words::signed(kind, m.value?.number(kind)?).len()));
            let (wide, number) = (texts.max().unwrap_or(1), words::signed(kind, number));
            format!("{} {number:>wide$}", kind.about().noun)
        });
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        match plies {
            Some(plies) if numbers.is_empty() => plies,
            Some(plies) => format!("{:<1$} {numbers}", plies + ",", wide_plies + " plies,".len()),
            None => numbers,
        }
    };
    let alike = moves.chunk_by(|a, b| labels(a) == labels(b));
    let rows = alike.map(|alike| (lead(labels(&alike[0])), names(alike)));
    lists(heading, &rows.collect::<Vec<_>>(), width)
}
