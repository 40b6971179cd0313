//! The full answer for a position: its value and the value of each move.

use std::cmp::Reverse;

use super::{ByLabel, Label, LabelKind, MisereNimber, Nimber, Remoteness, Score};
use crate::rules::{Node, Outcome, Position, Rules, Start, Step};
use crate::with_byte_label;

/// The labels of a position. A label that the source does not hold is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// True if it is a draw by repetition: play has no end, since a player who left it would lose. Then there is no
    /// remoteness.
    pub repetition: bool,
    /// The other labels.
    pub numbers: ByLabel<i32>,
}

impl Value {
    /// The label `kind`, which is not the outcome; `None` also for the remoteness of a draw by repetition.
    #[must_use]
    pub fn number(&self, kind: LabelKind) -> Option<i32> {
        self.numbers.of(kind).copied()
    }

    /// The same value with `number` as its label `kind`, which is not the outcome.
    #[must_use]
    pub fn with(mut self, kind: LabelKind, number: Option<i32>) -> Self {
        self.numbers.set(kind, number);
        self
    }

    /// Plies to the end if the winner plays as fast as possible and the loser, or both in a draw, as slowly as
    /// possible.
    #[must_use]
    pub fn remoteness(&self) -> Option<u32> {
        self.number(Remoteness::KIND).map(i32::cast_unsigned)
    }

    /// The same value with `plies` as its remoteness.
    #[must_use]
    pub fn with_remoteness(self, plies: Option<u32>) -> Self {
        self.with(Remoteness::KIND, plies.map(u32::cast_signed))
    }

    /// Returns whether it is known how long play lasts: the plies to the end, or that there is none.
    #[must_use]
    pub fn has_length(&self) -> bool {
        self.repetition || self.remoteness().is_some()
    }

    /// The Grundy value (nimber), in impartial games in normal play.
    #[must_use]
    pub fn nimber(&self) -> Option<u32> {
        self.number(Nimber::KIND).map(i32::cast_unsigned)
    }

    /// The Grundy value in misère play, in impartial games.
    #[must_use]
    pub fn misere_nimber(&self) -> Option<u32> {
        self.number(MisereNimber::KIND).map(i32::cast_unsigned)
    }

    /// The net points still to come for the player to move.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.number(Score::KIND)
    }

    /// The same value with `points` as its score.
    #[must_use]
    pub fn with_score(self, points: i32) -> Self {
        self.with(Score::KIND, Some(points))
    }

    /// The same value for a player who has `lead` points more: they decide the outcome, where the score is known.
    #[must_use]
    pub fn with_lead(self, lead: i32) -> Self {
        let outcome = self.score().map_or(self.outcome, |score| Outcome::of_points(lead + score));
        Self { outcome, ..self }
    }

    /// The labels that are plain numbers, and do not count plies.
    pub fn plain_numbers(self) -> impl Iterator<Item = (LabelKind, i32)> {
        let plain = self.with_remoteness(None).numbers;
        LabelKind::OTHERS.into_iter().filter_map(move |kind| Some((kind, *plain.of(kind)?)))
    }

    /// Sets the label to `label`, as a table holds it.
    pub fn set<L: Label>(&mut self, label: L) {
        let number = label.number();
        self.numbers.set(L::KIND, number);
        self.repetition |= number.is_none();
    }
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, repetition: false, numbers: ByLabel::NONE }
    }
}

/// A move and its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Choice {
    /// The position it leads to.
    pub to: Position,
    /// The points that it gains for the player who makes it.
    pub gain: i16,
    /// True if the same player moves again.
    pub again: bool,
    /// `outcome` is for the player who *makes* the move: a win means that the move wins. The remoteness counts from
    /// before the move, so a move that ends the game has remoteness 1. The score counts for the player who makes the move, with the points of
    /// the move. The other numbers belong to the position after the move.
    pub value: Value,
}

/// The value of a position and of every legal move there, best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The node that was probed.
    pub node: Node,
    /// Its value for the player to move.
    pub value: Value,
    /// True if the game has ended here.
    pub over: bool,
    /// The legal moves: the highest score first, where scores are known; wins before draws before losses; the fastest win and the slowest
    /// loss first; then in the game's own order.
    pub moves: Vec<Choice>,
}

impl Probe {
    /// The moves that keep the best outcome the player can reach.
    pub fn best(&self) -> impl Iterator<Item = &Choice> {
        self.moves.iter().filter(|choice| choice.value.outcome == self.value.outcome)
    }

    /// The same answer if the player to move has `lead` points more than the other.
    #[must_use]
    pub fn with_lead(mut self, lead: i32) -> Self {
        self.value = self.value.with_lead(lead);
        self.moves.iter_mut().for_each(|choice| choice.value = choice.value.with_lead(lead));
        self
    }
}

/// Probes `node`: `value` looks up the labels of one position.
///
/// At an opening, the value is computed from the choices, one ply above the table; everywhere else it is the
/// value that was looked up.
///
/// # Errors
/// Returns any error from `value`.
pub fn probe<E>(rules: &Rules, node: Node, mut value: impl FnMut(Position) -> Result<Value, E>) -> Result<Probe, E> {
    let node = match (node, rules.start()) {
        (Node::Opening, &Start::At(position)) => Node::At(position),
        _ => node,
    };
    // This comes first, so that an error names the position itself, and not a successor, if it cannot be looked
    // up.
    let asked = match node {
        Node::At(position) => Some(value(position)?),
        Node::Opening => None,
    };
    let has_gains = rules.has_gains();
    let mut choose = |step: Step| {
        let after: Value = value(step.to)?;
        let of_move = |kind| Some(with_byte_label!(kind, L => L::of_move(after.number(kind)?, &step)));
        let outcome = if step.again { after.outcome } else { after.outcome.flip() };
        let value = Value { outcome, numbers: ByLabel::new(of_move), ..after };
        // Where moves gain points, the outcome after a move does not tell what the move is worth.
        let value = if has_gains { value.with_lead(0) } else { value };
        Ok(Choice { to: step.to, gain: step.gain, again: step.again, value })
    };
    let mut moves = rules.choices(node).into_iter().map(&mut choose).collect::<Result<Vec<_>, E>>()?;
    moves.sort_by_key(|choice| best_first(choice.value));
    let value = asked.or_else(|| opening_value(&moves)).unwrap_or(Value::from(rules.terminal()));
    Ok(Probe { node, value, over: moves.is_empty(), moves })
}

/// A key that sorts the better value first. A draw is treated like a loss: the longer, the better, and best without end.
fn best_first(value: Value) -> (Reverse<Option<i32>>, Reverse<Outcome>, i64) {
    let plies = if value.repetition { i64::MAX } else { i64::from(value.remoteness().unwrap_or(0)) };
    (Reverse(value.score()), Reverse(value.outcome), if value.outcome == Outcome::Win { plies } else { -plies })
}

/// The value of an opening is that of its best choice, except for labels that need all choices.
fn opening_value(choices: &[Choice]) -> Option<Value> {
    let best = choices.first()?.value;
    let of_opening = |kind| {
        let mut numbers = choices.iter().map(|choice| choice.value.number(kind));
        with_byte_label!(kind, L => L::of_opening(&mut numbers))
    };
    Some(Value { numbers: ByLabel::new(of_opening), ..best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, RulesSpec};
    use Outcome::{Draw, Loss, Win};

    fn four_moves() -> RulesSpec {
        RulesSpec { moves: [1, 2, 4, 8].map(|m| Move::fill(Board::from_word(m))).to_vec(), ..RulesSpec::new("four", 4) }
    }

    /// The value of each position, by its board number.
    fn probed(values: [(Outcome, u32); 4]) -> Vec<(Outcome, Option<u32>, u64)> {
        let value = |p: Position| {
            let (outcome, plies) = match p.board.low_word() {
                0 => (Win, 9),
                b => values[b.trailing_zeros() as usize],
            };
            Ok::<_, ()>(Value::from(outcome).with_remoteness(Some(plies)))
        };
        let probe =
            probe(&four_moves().build().unwrap(), Node::from(Position::of(Board::from_word(0))), value).unwrap();
        assert_eq!((probe.over, probe.value.outcome), (false, Win));
        probe.moves.iter().map(|c| (c.value.outcome, c.value.remoteness(), c.to.board.low_word())).collect()
    }

    #[test]
    fn best_first_then_quickest_win_then_slowest_loss() {
        assert_eq!(
            probed([(Win, 2), (Loss, 4), (Loss, 0), (Draw, 3)]),
            [(Win, Some(1), 4), (Win, Some(5), 2), (Draw, Some(4), 8), (Loss, Some(3), 1)]
        );
        assert_eq!(
            probed([(Win, 2), (Win, 4), (Draw, 1), (Draw, 2)]),
            [(Draw, Some(3), 8), (Draw, Some(2), 4), (Loss, Some(5), 2), (Loss, Some(3), 1)]
        );
    }

    #[test]
    fn equal_moves_keep_the_game_s_order() {
        let boards: Vec<u64> = probed([(Loss, 4), (Win, 1), (Loss, 4), (Win, 1)]).iter().map(|m| m.2).collect();
        assert_eq!(boards, [1, 4, 2, 8]);
    }

    #[test]
    fn an_opening_is_worth_its_best_choice() {
        let choices = [1, 2, 4].map(|b| Position::of(Board::from_word(b))).to_vec();
        let rules = RulesSpec { start: Start::Opening(choices), ..four_moves() }.build().expect("sound rules");
        let value = |p: Position| {
            let outcome = if p.board == Board::from_word(2) { Loss } else { Win };
            Ok::<_, ()>(Value::from(outcome).with(Nimber::KIND, Some(if p.board.low_word() == 1 { 1 } else { 0 })))
        };
        let probe = probe(&rules, Node::Opening, value).unwrap();
        assert_eq!((probe.value.outcome, probe.value.nimber(), probe.moves.len()), (Win, Some(2), 3));
        assert_eq!(probe.best().map(|c| c.to.board).collect::<Vec<_>>(), [Board::from_word(2)]);
    }
}
