//! Answers assembled from the contents of a table, or from the results of a search.

use std::collections::HashSet;

use crate::outcomes::{Asking, BRIEF_BYTES, Outcomes};
use tablegen_games::{Answer, AnswerMove, AnswerSource, Ask, Game, best_of};
use tablegen_labels::{Probe, Value};
use tablegen_rules::{Node, Outcome, Position};

/// The answer of `game` for a looked-up `probe`. Moves that lead to the same position are listed once, since they make
/// no difference to the opponent.
#[must_use]
pub fn looked_up(game: &dyn Game, probe: &Probe) -> Answer {
    let mut seen = HashSet::new();
    let moves = probe.moves.iter().filter(|choice| seen.insert(choice.to)).map(|choice| AnswerMove {
        text: game.write_move(probe.node, choice.to),
        position: game.write(choice.to.into()),
        to: Some(choice.to),
        value: Some(choice.value),
    });
    Answer {
        position: game.write(probe.node),
        node: Some(probe.node),
        value: Some(probe.value),
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
    searched_by(game, node, &mut Asking { outcomes: &mut Outcomes::new(game.rules(), BRIEF_BYTES), ask, continues })
}

/// Like [`searched`], with a search that may be kept for later.
pub(crate) fn searched_by(game: &dyn Game, node: Node, asking: &mut Asking<'_, '_>) -> Answer {
    let rules = game.rules();
    let is_again = |to: Position| matches!(node, Node::At(from) if !rules.turns_over(from.mode, to.mode));
    let of_node = asking.outcome(node);
    let mut replies = rules.replies(node);
    let mut seen = HashSet::new();
    replies.retain(|&reply| seen.insert(reply));
    let for_mover = |to: Position, after: Outcome| if is_again(to) { after } else { after.flip() };
    // Before the other moves use up the limit.
    let keeping = of_node.and_then(|outcome| keeping(&replies, outcome, &for_mover, asking));
    let moves = replies.iter().map(|&to| {
        let of_move = if keeping == Some(to) { of_node } else { asking.outcome(to.into()).map(|it| for_mover(to, it)) };
        let value = of_move.map(Value::from);
        AnswerMove { text: game.write_move(node, to), position: game.write(to.into()), to: Some(to), value }
    });
    let moves: Vec<AnswerMove> = moves.collect();
    let terminal = match node {
        Node::At(position) => rules.terminal_in(position.mode).on(position.board),
        Node::Opening => rules.terminal(),
    };
    let best = || best_of(moves.iter().map(AnswerMove::outcome), terminal);
    let value = of_node.or_else(best).map(Value::from);
    let (position, over) = (game.write(node), replies.is_empty());
    let mut answer = Answer { position, node: Some(node), value, over, source: AnswerSource::Search, moves };
    answer.sort();
    answer
}

/// One of `replies` that keeps `outcome`, the outcome of the position before, which a search has found; `None` if it is a loss, which
/// every move keeps, or if the search is stopped. `for_mover` turns the outcome after a move into that for the player who makes it.
///
/// The search has proved that there is such a move, and its table still has most of the proof. So one is found soon, and
/// the limit does not matter: an answer of a win without a winning move would contradict itself.
fn keeping(
    replies: &[Position],
    outcome: Outcome,
    for_mover: &dyn Fn(Position, Outcome) -> Outcome,
    asking: &mut Asking<'_, '_>,
) -> Option<Position> {
    /// The limit of the first search of each move, after a look at the table alone.
    const FIRST: u64 = 1 << 8;
    if outcome == Outcome::Loss {
        return None;
    }
    let mut open = replies.to_vec();
    let mut limit = 0;
    while !open.is_empty() && (limit == 0 || (asking.continues)(0)) {
        let mut undecided = Vec::new();
        for to in open {
            match asking.outcome_within(to.into(), limit) {
                Some(after) if for_mover(to, after) == outcome => return Some(to),
                Some(_) => {}
                None => undecided.push(to),
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
