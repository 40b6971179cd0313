//! Points in words: gains, scores, leads and what both players have, in the unit of the game.

use tablegen::engine::{Answered, Source, margin};
use tablegen::game::{Answer, AnswerMove, Game};
use tablegen::label::{LabelKind, Value};

/// A number of points: `1 box`, `3 boxes`.
pub(super) fn amount(number: i32, unit: &str) -> String {
    let unit = if number.abs() == 1 { singular(unit) } else { unit };
    format!("{number} {unit}")
}

/// The singular of `unit`, a plural in English: `box` for `boxes`. Another word stays as it is.
fn singular(unit: &str) -> &str {
    let hissing = ["xes", "ches", "shes", "sses"].iter().any(|end| unit.ends_with(end));
    let shorter = unit.strip_suffix(if hissing { "es" } else { "s" });
    shorter.filter(|one| !one.is_empty() && (hissing || !one.ends_with('s'))).unwrap_or(unit)
}

/// What the player to move gets beyond the other player with `points`: `2 boxes more`, `1 box fewer`, `equally many boxes`.
fn compared(game: &dyn Game, points: i32) -> String {
    let more = if (points > 0) == game.counts_fewest() { "fewer" } else { "more" };
    match points {
        0 => format!("equally many {}", game.unit()),
        _ => format!("{} {more}", amount(points.abs(), game.unit())),
    }
}

/// What the label `kind` is, as a heading. In a game for the fewest points, a player gains by the points of the other player.
pub(super) fn summary(kind: LabelKind, game: &dyn Game) -> String {
    match kind == LabelKind::Score && game.counts_fewest() {
        true => "score: net points still to come for the other player, since fewer points win".into(),
        false => kind.about().summary.into(),
    }
}

/// The lines about the score of a position, and about its lead if it has one; none if the score is not known.
pub(super) fn of_answer(game: &dyn Game, answer: &Answer) -> Vec<String> {
    let (lead, score) = (answer.lead, answer.value.and_then(|value| value.score()));
    let of_score = score.filter(|&score| score != 0 || !answer.over).map(|score| {
        let compared = match score {
            0 => format!("as many {} as the other player", game.unit()),
            _ => format!("{} than the other player", compared(game, score)),
        };
        let when = match (answer.over, game.rules().has_gains()) {
            (true, _) => "",
            (false, true) => ", still to come",
            (false, false) => ", at the end",
        };
        format!("score {}: {compared}{when}", signed(score))
    });
    let of_lead = (lead != 0).then(|| {
        let end = match score {
            Some(score) if score != 0 || !answer.over => format!(", and {} at the end", compared(game, lead + score)),
            _ => String::new(),
        };
        format!("lead {}: {} so far{end}", signed(lead), compared(game, lead))
    });
    of_score.into_iter().chain(of_lead).collect()
}

/// A number with its sign.
pub(super) fn signed(number: i32) -> String {
    if number == 0 { "0".into() } else { format!("{number:+}") }
}

/// By how much the winner wins at the end, after the name of the winner: ` by 2 boxes`. Empty if it is not known, and in a draw.
fn by(game: &dyn Game, margin: Option<i32>) -> String {
    match margin {
        None | Some(0) => String::new(),
        Some(margin) => format!(" by {}", amount(margin.abs(), game.unit())),
    }
}

/// The margin of the position `at`: ` by 2 boxes`.
pub(super) fn margin_at(source: &Source, at: &Answered) -> String {
    by(source.game(), margin(at))
}

/// The margin of a move or a position with `value`, where the player to move leads by `lead`.
pub(super) fn margin_of(source: &Source, value: Option<Value>, lead: i32) -> String {
    by(source.game(), value.and_then(|value| value.score()).map(|score| score + lead))
}

/// What both players have, the one in the first place first: `x 3 boxes, o 1`.
pub(super) fn state(game: &dyn Game, names: [&str; 2], points: [i32; 2]) -> String {
    format!("{} {}, {} {}", names[0], amount(points[0], game.unit()), names[1], points[1])
}

/// What both players have after the move `made`, and before that what it gained, if it gained something: `+1: x 3 boxes, o 1`.
pub(super) fn after_move(game: &dyn Game, made: &AnswerMove, names: [&str; 2], points: [i32; 2]) -> String {
    let gain = i32::from(made.gain) * if game.counts_fewest() { -1 } else { 1 };
    let gained = if gain == 0 { String::new() } else { format!("{gain:+}: ") };
    gained + &state(game, names, points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_a_singular() {
        let ones = ["boxes", "discs", "seeds", "points", "classes", "fish", "s", "Kreise"].map(|unit| amount(1, unit));
        assert_eq!(ones, ["1 box", "1 disc", "1 seed", "1 point", "1 class", "1 fish", "1 s", "1 Kreise"]);
        assert_eq!([amount(0, "boxes"), amount(-1, "boxes"), amount(3, "boxes")], ["0 boxes", "-1 box", "3 boxes"]);
    }
}
