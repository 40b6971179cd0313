//! Scores by the definition, from the rules alone.

use std::collections::HashMap;

use tablegen_rules::{Board, Mode, Outcome, Position, Rules};
use tablegen_solvers::Solution;

/// The score of a position by the definition, from the rules alone.
struct Definition<'a>(&'a Rules, HashMap<Position, i32>);

impl Definition<'_> {
    fn score(&mut self, position: Position) -> i32 {
        if let Some(&score) = self.1.get(&position) {
            return score;
        }
        let rules = self.0;
        let score = rules.ending(position).map_or_else(
            || {
                let scores = rules.steps(position).map(|step| {
                    let after = self.score(step.to);
                    i32::from(step.gain) + if step.again { after } else { -after }
                });
                scores.max().unwrap_or(0)
            },
            |ending| ending.points.into(),
        );
        self.1.insert(position, score);
        score
    }
}

pub(crate) fn positions(rules: &Rules) -> impl Iterator<Item = Position> {
    let modes = rules.modes().len() as u16;
    (0..1u64 << rules.cells())
        .flat_map(move |board| (0..modes).map(move |mode| Position::new(Mode(mode), Board::from_word(board))))
}

/// Checks scores and outcomes of `positions` by the definition.
pub(crate) fn assert_defined(solution: &Solution, positions: impl Iterator<Item = Position>) {
    let rules = solution.rules();
    let mut definition = Definition(rules, HashMap::new());
    for position in positions {
        let score = definition.score(position);
        let value = solution.value(position).expect("a position of the rules");
        assert_eq!(value.score(), Some(score), "{position:?} of {rules:?}");
        assert_eq!(solution.outcome(position), Some(Outcome::of_points(score)), "{position:?}");
    }
}
