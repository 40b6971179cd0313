//! Answers assembled from the contents of a table, or from the results of a search.

use std::collections::{HashMap, HashSet};

use crate::SearchSetup;
use crate::outcomes::{Asking, BRIEF_BYTES, Outcomes};
use tablegen_games::{Answer, AnswerMove, AnswerSource, Game, best_of};
use tablegen_labels::{ByLabel, Label, LabelKind, Probe, Value, with_byte_label};
use tablegen_rules::{Node, Outcome, Position, Step};
use tablegen_search::Wanted;

/// The answer of `game` for a looked-up `probe`, where the player to move leads by `lead` points. Moves that lead to the same position
/// are listed once, since they make no difference to the opponent.
#[must_use]
pub fn looked_up(game: &dyn Game, probe: &Probe, lead: i32) -> Answer {
    let mut seen = HashSet::new();
    let moves = probe.moves.iter().filter(|choice| seen.insert(choice.to)).map(|choice| {
        let of_next = lead_after(lead, choice.gain, choice.again);
        AnswerMove {
            text: game.write_move(probe.node, choice.to),
            position: game.write_with_lead(choice.to.into(), of_next),
            to: Some(choice.to),
            value: Some(led(choice.value, lead)),
            gain: choice.gain,
            lead: of_next,
            again: choice.again,
        }
    });
    Answer {
        position: game.write_with_lead(probe.node, lead),
        node: Some(probe.node),
        lead,
        value: Some(led(probe.value, lead)),
        over: probe.over,
        source: AnswerSource::Table,
        moves: moves.collect(),
    }
}

/// `answer`, which a table gave without labels of this `kind`, with those that `searched`, an answer for the same position, has.
pub(super) fn with_label(mut answer: Answer, kind: LabelKind, searched: &Answer) -> Answer {
    let labelled =
        |own: Option<Value>, other: Option<Value>| Some(own?.with(kind, other.and_then(|it| it.number(kind))));
    answer.value = labelled(answer.value, searched.value);
    for m in &mut answer.moves {
        let other = searched.moves.iter().find(|other| other.to == m.to);
        m.value = labelled(m.value, other.and_then(|other| other.value));
    }
    answer.sort();
    answer
}

/// The answer of `game` for `node`, which no table holds: computed by a search. All moves share its limit of `limit` positions.
#[must_use]
pub fn searched(game: &dyn Game, node: Node, limit: u64) -> Answer {
    let (continues, setup) = (&mut |_| true, SearchSetup { bytes: BRIEF_BYTES, ..SearchSetup::DEFAULT });
    let outcomes = &mut Outcomes::new(game.rules(), setup);
    let wanted = Wanted::Outcome;
    searched_by(game, node, 0, &mut Asking { outcomes, known: None, limit, wanted, until: None, continues })
}

/// Like [`searched`], with a search that may be kept for later.
pub(crate) fn searched_by(game: &dyn Game, node: Node, lead: i32, asking: &mut Asking<'_>) -> Answer {
    let rules = game.rules();
    let (first, of_node) = first_value(game, node, lead, asking);
    let replies = distinct(rules.choices(node));
    // Before the other moves use up the limit.
    let keeping = of_node.and_then(|value| keeping(&replies, value, first, asking));
    let moves = replies.iter().map(|step| {
        let to = step.to;
        let of_move = match (keeping, of_node) {
            (Some(kept), Some(value)) if kept == to => Some(value),
            _ => asking.value(to.into(), first).map(|after| for_mover(step, after)),
        };
        let of_next = lead_after(lead, step.gain, step.again);
        let (text, position) = (game.write_move(node, to), game.write_with_lead(to.into(), of_next));
        let value = of_move.map(|value| led(value, lead));
        AnswerMove { text, position, to: Some(to), value, gain: step.gain, lead: of_next, again: step.again }
    });
    let moves: Vec<AnswerMove> = moves.collect();
    let over = replies.is_empty();
    let (terminal, points) = match node {
        Node::At(at) => {
            let terminal = rules.terminal_at(at).unwrap_or_else(|| rules.terminal_in(at.mode));
            (terminal.on(at.board), terminal.points(at.board).filter(|_| over && rules.counts_points()))
        }
        Node::Opening => (rules.terminal(), None),
    };
    let best = || best_of(moves.iter().map(AnswerMove::outcome), terminal);
    let position = game.write_with_lead(node, lead);
    let value = match points {
        Some(points) => Some(Value::from(terminal).with_score(points).with_lead(lead)),
        None => of_node.map(|value| led(value, lead)).or_else(|| best().map(Value::from)),
    };
    let source = AnswerSource::Search;
    let mut answer = Answer { position, node: Some(node), lead, value, over, source, moves };
    if asking.wanted == Wanted::Plies && first == Wanted::Outcome {
        add_plies(&mut answer, &replies, asking);
    }
    answer.sort();
    answer
}

/// The value of `node`, and what it tells beside the outcome, which is also what to find of its moves: the score if that is wanted and is
/// not too much to ask, otherwise nothing.
fn first_value(game: &dyn Game, node: Node, lead: i32, asking: &mut Asking<'_>) -> (Wanted, Option<Value>) {
    // Where moves gain points, or a player leads, an outcome does not tell what a move is worth.
    if lead != 0 || game.rules().has_gains() {
        return (Wanted::Score, asking.value(node, Wanted::Score));
    }
    // An outcome takes a part of the work of a score.
    let outcome = asking.value(node, Wanted::Outcome);
    if outcome.is_some()
        && asking.wanted == Wanted::Score
        && let Some(value) = asking.value(node, Wanted::Score)
    {
        return (Wanted::Score, Some(value));
    }
    (Wanted::Outcome, outcome)
}

/// Adds plies to the outcomes of `answer`, as far as the limit allows: to the position first, then to a move that keeps them.
fn add_plies(answer: &mut Answer, replies: &[Step], asking: &mut Asking<'_>) {
    let (Some(node), Some(_)) = (answer.node, answer.value) else { return };
    let Some((value, kept)) = with_plies(node, replies, asking) else { return };
    answer.value = Some(value);
    for (m, step) in answer.moves.iter_mut().zip(replies).filter(|(m, _)| m.value.is_some()) {
        let of_move = match kept {
            Some(kept) if kept == step.to => Some(value),
            _ => asking.value(step.to.into(), Wanted::Plies).map(|after| for_mover(step, after)),
        };
        m.value = of_move.or(m.value);
    }
}

/// The value of `node` with its plies, and one of `replies` that keeps it, as far as the limit allows.
pub(crate) fn with_plies(node: Node, replies: &[Step], asking: &mut Asking<'_>) -> Option<(Value, Option<Position>)> {
    let value = asking.value(node, Wanted::Plies).filter(Value::has_length)?;
    Some((value, keeping(replies, value, Wanted::Plies, asking)))
}

/// A value for a player who leads by `lead` points.
fn led(value: Value, lead: i32) -> Value {
    if lead == 0 { value } else { value.with_lead(lead) }
}

/// The lead of the player to move after a move that gains `gain` points for a player with `lead`.
pub(crate) const fn lead_after(lead: i32, gain: i16, again: bool) -> i32 {
    let of_mover = lead + gain as i32;
    if again { of_mover } else { -of_mover }
}

/// One of `steps` to each position, in the order of the first one there: the one that gains most.
pub(crate) fn distinct(steps: Vec<Step>) -> Vec<Step> {
    let mut places = HashMap::new();
    let mut all: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let place = *places.entry(step.to).or_insert(all.len());
        match all.get_mut(place) {
            Some(other) if step.gain > other.gain => *other = step,
            Some(_) => {}
            None => all.push(step),
        }
    }
    all
}

/// The value for the player who makes the move `step`, after which the player to move has the value `after`.
fn for_mover(step: &Step, after: Value) -> Value {
    let outcome = if step.again { after.outcome } else { after.outcome.flip() };
    let of_move = |kind| Some(with_byte_label!(kind, L => L::of_move(after.number(kind)?, step)));
    let value = Value { outcome, numbers: ByLabel::new(of_move), ..after };
    if step.gain == 0 { value } else { value.with_lead(0) }
}

/// One of `replies` that keeps `value`, which a search has found for the position before; `None` if it is a loss of unknown length, which
/// every move keeps, or if the search is stopped.
///
/// The search has proved that there is such a move, and its table still has most of the proof. So one is found soon, and
/// the limit does not matter: an answer of a win without a winning move would contradict itself. For plies alone, the time does.
fn keeping(replies: &[Step], value: Value, wanted: Wanted, asking: &mut Asking<'_>) -> Option<Position> {
    if value.outcome == Outcome::Loss && wanted == Wanted::Outcome {
        return None;
    }
    if let Some(best) = asking.best()
        && replies.iter().any(|step| step.to == best)
    {
        return Some(best);
    }
    let until = asking.until;
    asking.until = until.filter(|_| wanted == Wanted::Plies);
    let found = searched_for(replies, value, wanted, asking);
    asking.until = until;
    found
}

/// The first of `replies` for which a search finds that it keeps `value`; `None` if the search is stopped.
fn searched_for(replies: &[Step], value: Value, wanted: Wanted, asking: &mut Asking<'_>) -> Option<Position> {
    /// The limit of the first search of each move, after a look at the table alone.
    const FIRST: u64 = 1 << 8;
    let keeps = |of_move: Value| match wanted {
        Wanted::Outcome => of_move.outcome == value.outcome,
        Wanted::Plies => of_move.outcome == value.outcome && of_move.remoteness() == value.remoteness(),
        Wanted::Score => of_move.score() == value.score(),
    };
    let mut open = replies.to_vec();
    let mut limit = 0;
    while !open.is_empty() && (limit == 0 || asking.goes_on()) {
        let mut undecided = Vec::new();
        for step in open {
            match asking.value_within(step.to.into(), wanted, limit) {
                Some(after) if keeps(for_mover(&step, after)) => return Some(step.to),
                Some(_) => {}
                None => undecided.push(step),
            }
        }
        open = undecided;
        limit = (limit * 4).max(FIRST);
    }
    None
}

/// The outcome of `position` for the player to move: looked up, or searched within the limit.
pub(crate) fn look_up_or_search(position: Position, asking: &mut Asking<'_>) -> Option<Outcome> {
    asking.look_up(position).or_else(|| asking.outcome(position.into()))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use tablegen_games::{FileGame, Parameters};

    #[test]
    fn a_move_that_keeps_a_win_is_found_although_the_time_is_over() {
        let size = Parameters::new().with("rows", 4).with("cols", 4);
        let game = crate::game("domineering", &size).unwrap();
        let rules = game.rules();
        let (node, replies) = (rules.start_node(), distinct(rules.choices(rules.start_node())));
        let mut asking = Asking {
            outcomes: &mut Outcomes::new(rules, SearchSetup { bytes: BRIEF_BYTES, ..SearchSetup::DEFAULT }),
            known: None,
            limit: u64::MAX,
            wanted: Wanted::Outcome,
            until: None,
            continues: &mut |_| true,
        };
        for wanted in [Wanted::Outcome, Wanted::Plies] {
            let value = asking.value(node, wanted).unwrap();
            assert_eq!(value.outcome, Outcome::Win);
            // The search keeps the best move of the position that it was asked last.
            asking.until = None;
            let other = replies[0].to;
            let _ = asking.value(rules.replies(other.into())[0].into(), wanted);
            let over = Some(Instant::now());
            asking.until = over;
            let kept = keeping(&replies, value, wanted, &mut asking);
            assert_eq!(asking.until, over);
            asking.until = None;
            let wins = |to: Position| asking.outcome(to.into()) == Some(Outcome::Loss);
            assert!(kept.map_or(wanted == Wanted::Plies, wins), "{wanted:?}");
        }
    }

    /// The player to move when the row is full loses a point. A player without a move would draw.
    #[test]
    fn a_search_counts_the_points_of_an_end_and_the_lead() {
        let text = "name = \"full\"\nplay = \"draw\"\nboard = { row = 2 }\nmove = [{ shape = \"X\" }]\n\
                    end = [{ shape = \"XX\", points = -1 }]";
        let game = FileGame::read(text, &Parameters::new()).unwrap();
        let at = |board: &str, lead| {
            let setup = SearchSetup { bytes: BRIEF_BYTES, ..SearchSetup::DEFAULT };
            let mut asking = Asking {
                outcomes: &mut Outcomes::new(game.rules(), setup),
                known: None,
                limit: 1000,
                wanted: Wanted::Score,
                until: None,
                continues: &mut |_| true,
            };
            let answer = searched_by(&game, game.read(board).unwrap().node, lead, &mut asking);
            let value = answer.value.map(|value| (value.outcome, value.score()));
            (answer.over, value)
        };
        let ended = |outcome| (true, Some((outcome, Some(-1))));
        assert_eq!([0, 1, 2].map(|lead| at("XX", lead)), [Outcome::Loss, Outcome::Draw, Outcome::Win].map(ended));
        assert_eq!(at(".X", 0), (false, Some((Outcome::Win, Some(1)))));
    }
}
