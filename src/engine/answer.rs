//! Answers assembled from the contents of a table, or from the results of a search.

use std::collections::HashSet;

use super::outcomes::{Asking, BRIEF_BYTES, Outcomes};
use tablegen_core::label::{Probe, Value};
use tablegen_core::rules::{Node, Outcome, Position};
use tablegen_games::{Answer, AnswerMove, Ask, Game, Source as From, best_of};

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
        source: From::Table,
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
pub(super) fn searched_by(game: &dyn Game, node: Node, asking: &mut Asking<'_, '_>) -> Answer {
    let rules = game.rules();
    let is_again = |to: Position| matches!(node, Node::At(from) if !rules.turns_over(from.mode, to.mode));
    let of_node = asking.outcome(node);
    let mut replies = rules.replies(node);
    let mut seen = HashSet::new();
    replies.retain(|&reply| seen.insert(reply));
    let moves = replies.iter().map(|&to| AnswerMove {
        text: game.write_move(node, to),
        position: game.write(to.into()),
        to: Some(to),
        value: asking.outcome(to.into()).map(|after| if is_again(to) { after } else { after.flip() }.into()),
    });
    let moves: Vec<AnswerMove> = moves.collect();
    let terminal = match node {
        Node::At(position) => rules.terminal_in(position.mode).on(position.board),
        Node::Opening => rules.terminal(),
    };
    let best = || best_of(moves.iter().map(AnswerMove::outcome), terminal);
    let value = of_node.or_else(best).map(Value::from);
    let (position, over) = (game.write(node), replies.is_empty());
    let mut answer = Answer { position, node: Some(node), value, over, source: From::Search, moves };
    answer.sort();
    answer
}

/// The outcome of `position` for the player to move: looked up, or searched within the limit.
pub(super) fn look_up_or_search(position: Position, asking: &mut Asking<'_, '_>) -> Option<Outcome> {
    (asking.ask.look_up)(position).or_else(|| asking.outcome(position.into()))
}
