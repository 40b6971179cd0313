//! Answers assembled from the contents of a table, or from the results of a search.

use std::collections::{HashMap, HashSet};

use crate::outcomes::{Asking, BRIEF_BYTES, Outcomes};
use tablegen_games::{Answer, AnswerMove, AnswerSource, Ask, Game, best_of};
use tablegen_labels::{Probe, Value};
use tablegen_rules::{Node, Outcome, Position, Step};

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

/// The answer of `game` for `node`, which no table holds: computed by search, with lookups of the positions that `ask`
/// knows. All moves share one search limit.
#[must_use]
pub fn searched(game: &dyn Game, node: Node, ask: &mut Ask<'_>) -> Answer {
    let continues = &mut |_| true;
    searched_by(game, node, 0, &mut Asking { outcomes: &mut Outcomes::new(game.rules(), BRIEF_BYTES), ask, continues })
}

/// Like [`searched`], with a search that may be kept for later.
pub(crate) fn searched_by(game: &dyn Game, node: Node, lead: i32, asking: &mut Asking<'_, '_>) -> Answer {
    let rules = game.rules();
    // A search knows no scores, and so not what a lead is worth.
    let of_node = if lead == 0 { asking.outcome(node) } else { None };
    let replies = distinct(rules.choices(node));
    // Before the other moves use up the limit.
    let keeping = of_node.and_then(|outcome| keeping(&replies, outcome, asking));
    let moves = replies.iter().map(|step| {
        let to = step.to;
        let searched = |asking: &mut Asking<'_, '_>| asking.outcome(to.into()).map(|it| for_mover(step, it));
        let of_move = match keeping {
            _ if lead != 0 || rules.has_gains() => None,
            Some(kept) if kept == to => of_node,
            _ => searched(asking),
        };
        let of_next = lead_after(lead, step.gain, step.again);
        let (text, position) = (game.write_move(node, to), game.write_with_lead(to.into(), of_next));
        let value = of_move.map(Value::from);
        AnswerMove { text, position, to: Some(to), value, gain: step.gain, lead: of_next, again: step.again }
    });
    let moves: Vec<AnswerMove> = moves.collect();
    let terminal = match node {
        Node::At(position) => rules.terminal_in(position.mode).on(position.board),
        Node::Opening => rules.terminal(),
    };
    let best = || best_of(moves.iter().map(AnswerMove::outcome), terminal);
    let (position, over) = (game.write_with_lead(node, lead), replies.is_empty());
    let points = if let Node::At(at) = node { rules.points_at_end(at) } else { None };
    let value = match points {
        Some(points) if rules.counts_points() => Some(Value::from(terminal).with_score(points).with_lead(lead)),
        _ => of_node.or_else(best).map(Value::from),
    };
    let source = AnswerSource::Search;
    let mut answer = Answer { position, node: Some(node), lead, value, over, source, moves };
    answer.sort();
    answer
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

/// The outcome for the player who makes the move `step`, where the player to move after it has `outcome`.
const fn for_mover(step: &Step, outcome: Outcome) -> Outcome {
    if step.again { outcome } else { outcome.flip() }
}

/// One of `replies` that keeps `outcome`, the outcome of the position before, which a search has found; `None` if it is a loss, which
/// every move keeps, or if the search is stopped.
///
/// The search has proved that there is such a move, and its table still has most of the proof. So one is found soon, and
/// the limit does not matter: an answer of a win without a winning move would contradict itself.
fn keeping(replies: &[Step], outcome: Outcome, asking: &mut Asking<'_, '_>) -> Option<Position> {
    /// The limit of the first search of each move, after a look at the table alone.
    const FIRST: u64 = 1 << 8;
    if outcome == Outcome::Loss {
        return None;
    }
    let mut open = replies.to_vec();
    let mut limit = 0;
    while !open.is_empty() && (limit == 0 || (asking.continues)(0)) {
        let mut undecided = Vec::new();
        for step in open {
            match asking.outcome_within(step.to.into(), limit) {
                Some(after) if for_mover(&step, after) == outcome => return Some(step.to),
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
pub(crate) fn look_up_or_search(position: Position, asking: &mut Asking<'_, '_>) -> Option<Outcome> {
    (asking.ask.look_up)(position).or_else(|| asking.outcome(position.into()))
}
