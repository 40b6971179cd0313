//! The best move of a position whose value is known.

use super::General;
use super::descent::Ask;
use super::windows::Of;
use crate::outcome::Effort;
use crate::rules::{Node, Position, Step};

/// The positions that are expanded for each move before the others get their turn: the factor from one round to the next.
const FIRST: u64 = 1 << 6;
const GROWTH: u64 = 8;

impl General {
    /// The position after a move from `position` that is worth `target` on the scale of `of`. The tables usually hold it. `None` if
    /// there is no move, or if the search stops first.
    pub(super) fn best_move(
        &mut self,
        position: Position,
        of: Of,
        target: i32,
        ask: &mut Ask<'_>,
        end: Effort,
    ) -> Option<Position> {
        let mut steps = self.forms.rules().choices(Node::At(position));
        // Every move of a lost position is as good as the others.
        if of == Of::Outcome && target < 0 {
            return steps.first().map(|step| step.to);
        }
        let least = |step: &Step| self.least(step.to, !step.again, step.gain.into(), of);
        if let Some(step) = steps.iter().find(|step| least(step) >= target) {
            return Some(step.to);
        }
        let mut budget = FIRST;
        while !steps.is_empty() && !ask.is_stopped() {
            let mut open = Vec::new();
            for step in steps {
                let part = self.effort.end(budget).least(end);
                match self.reaches((step.to, !step.again, step.gain.into()), (of, target), ask, part) {
                    Some(true) => return Some(step.to),
                    Some(false) => {}
                    None if self.effort.reaches(end) => return None,
                    None => open.push(step),
                }
            }
            steps = open;
            budget = budget.saturating_mul(GROWTH);
        }
        None
    }
}
