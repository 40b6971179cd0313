//! A short search for every label of a position near the end of play.
//!
//! It gives the answer that a table would give, before anything is counted, solved or searched for longer.

use crate::SearchLimit;
use tablegen_games::Game;
use tablegen_labels::{Label, LabelKind, LabelSet, Probe, Value, probe, with_byte_label};
use tablegen_rules::{Node, Outcome, Position, Rules};
use tablegen_search::{LabelSearch, LimitReached, Search};

/// The most positions that each part of it expands: a few milliseconds.
const MOST: u64 = 1 << 11;

/// The values of `node` and of its moves, with all labels that a table of `game` usually has; `None` if they take more than a few thousand
/// positions, or more than `limit`, or positions may repeat.
pub(super) fn probe_near_end(game: &dyn Game, node: Node, limit: SearchLimit) -> Option<Probe> {
    let rules = game.rules();
    rules.potential()?;
    let most = if limit == SearchLimit::AtOnce { MOST } else { limit.estimated_positions().min(MOST) };
    let mut search = ShortSearch::new(rules, game.usual_labels(), most);
    probe(rules, node, |position| search.value(position)).ok()
}

/// The searches for the outcome and for each other label.
struct ShortSearch {
    /// The most positions that all questions together expand.
    most: u64,
    outcomes: Search,
    has_gains: bool,
    others: Vec<(LabelKind, Box<dyn NumberSearch>)>,
}

impl ShortSearch {
    fn new(rules: &Rules, labels: LabelSet, most: u64) -> Self {
        let of = |kind| {
            let search: Box<dyn NumberSearch> =
                with_byte_label!(kind, L => Box::new(LabelSearch::<L>::new(rules, most)));
            (kind, search)
        };
        let outcomes = Search::new(rules).limit(most);
        Self { most, outcomes, has_gains: rules.has_gains(), others: labels.others().map(of).collect() }
    }

    fn value(&mut self, position: Position) -> Result<Value, LimitReached> {
        let expanded = self.others.iter().map(|(_, search)| search.positions());
        if self.outcomes.expanded() + expanded.sum::<u64>() > self.most {
            return Err(LimitReached { limit: self.most });
        }
        // Where moves gain points, the score decides the outcome.
        let outcome = if self.has_gains { Outcome::Draw } else { self.outcome(position)? };
        let mut value = Value::from(outcome);
        for (kind, search) in &mut self.others {
            value = value.with(*kind, search.number(position, &mut self.outcomes)?);
        }
        match value.score() {
            Some(score) if self.has_gains => Ok(Value { outcome: Outcome::of_points(score), ..value }),
            None if self.has_gains => Err(LimitReached { limit: self.most }),
            _ => Ok(value),
        }
    }

    fn outcome(&mut self, position: Position) -> Result<Outcome, LimitReached> {
        self.outcomes.set_limit(self.most);
        self.outcomes.outcome(position.into())
    }
}

/// A search for a label that is a number.
trait NumberSearch {
    /// The number of positions expanded so far.
    fn positions(&self) -> u64;

    /// The label of `position`.
    fn number(&mut self, position: Position, outcomes: &mut Search) -> Result<Option<i32>, LimitReached>;
}

impl<L: Label> NumberSearch for LabelSearch<L> {
    fn positions(&self) -> u64 {
        self.expanded()
    }

    fn number(&mut self, position: Position, outcomes: &mut Search) -> Result<Option<i32>, LimitReached> {
        self.label(position, outcomes).map(Label::number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, SolveOptions, TableDirs, game};
    use tablegen_games::Parameters;

    /// The number of positions of a game for which the short search gives an answer, which must be that of its table.
    fn compared(name: &str, size: &[(&str, u32)], most: usize) -> usize {
        let parameters = size.iter().fold(Parameters::new(), |all, (name, value)| all.with(*name, *value));
        let options = SolveOptions { symmetry: crate::UseSymmetry::Never, ..SolveOptions::default() };
        let source = Engine::new(TableDirs::none());
        let source = source.solve_in_memory(game(name, &parameters).unwrap(), &options, None).unwrap();
        let (rules, table) = (source.game().rules(), source.table().unwrap());
        let mut open: Vec<Node> = vec![rules.start_node()];
        let mut found = 0;
        while let Some(node) = open.pop()
            && found < most
        {
            let expected = table.probe(node).unwrap();
            if let Some(short) = probe_near_end(source.game(), node, SearchLimit::AtOnce) {
                assert_eq!(short, expected, "{name} {}", source.game().write(node));
                found += 1;
            }
            // One line of play after the other, each from a later move.
            open.extend(expected.moves.iter().map(|choice| Node::At(choice.to)).take(3));
        }
        found
    }

    #[test]
    fn the_short_search_gives_the_answer_of_a_table() {
        assert!(compared("kayles", &[("pins", 9)], 100) > 50);
        assert!(compared("tictactoe", &[], 200) > 50);
        assert!(compared("domineering", &[("rows", 3), ("cols", 4)], 100) > 50);
        assert!(compared("dots-and-boxes", &[("rows", 1), ("cols", 2)], 100) > 50);
        assert!(compared("nim", &[], 100) > 50);
        assert!(compared("reversi", &[], 20) > 5);
    }

    #[test]
    fn a_long_search_is_not_begun() {
        let large = game("kayles", &Parameters::new().with("pins", 30)).unwrap();
        let start = large.rules().start_node();
        assert!(probe_near_end(large.as_ref(), start, SearchLimit::AtOnce).is_none());
        let few = large.read("XXXXXXXXXXXXXXXXXXXXXXXXXX....").unwrap().node;
        assert!(probe_near_end(large.as_ref(), few, SearchLimit::AtOnce).is_some());
        // The user's limit holds as well.
        assert!(probe_near_end(large.as_ref(), few, SearchLimit::Positions(2)).is_none());
    }
}
