//! Playing by the rules, one position at a time: the definition every fast path must equal.

use super::{Move, Outcome, Position, Rules};

impl Rules {
    /// The moves that may be made from `position`, in the game's own order. None where the game has ended.
    pub fn moves_from(&self, position: Position) -> impl Iterator<Item = &Move> {
        let ended = self.ended(position).is_some();
        self.moves.iter().filter(move |m| !ended && m.is_legal(position))
    }

    /// The outcome that a pattern of [`ends`](Self::ends) gives `position`, where one does.
    #[must_use]
    pub fn ended(&self, position: Position) -> Option<Outcome> {
        let matches = |end: &&super::End| end.mode == position.mode && position.board.contains(end.pattern);
        self.ends.iter().find(matches).map(|end| end.outcome)
    }

    /// Whether play stops at `position`: a pattern ends it, or there is no move.
    #[must_use]
    pub fn is_over(&self, position: Position) -> bool {
        self.moves_from(position).next().is_none()
    }

    /// The outcome of `position`, given those of its successors: retrograde induction's one step, exactly as defined.
    ///
    /// A pattern decides first, then being stuck, then the best reply: a player wins who can leave a loss, and draws
    /// who can leave a draw but no loss.
    ///
    /// # Errors
    /// Whatever `outcome` returns for a successor; it is not asked again after a win is found.
    pub fn try_step<E>(
        &self,
        position: Position,
        mut outcome: impl FnMut(Position) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        if let Some(outcome) = self.ended(position) {
            return Ok(outcome);
        }
        let mut best = None;
        for m in self.moves.iter().filter(|m| m.is_legal(position)) {
            best = best.max(Some(outcome(m.play(position))?.flip()));
            if best == Some(Outcome::Win) {
                break;
            }
        }
        Ok(best.unwrap_or(self.stuck))
    }

    /// [`try_step`](Self::try_step) where every successor's outcome is known.
    pub fn step(&self, position: Position, mut outcome: impl FnMut(Position) -> Outcome) -> Outcome {
        let never_fails = |position| Ok::<_, std::convert::Infallible>(outcome(position));
        match self.try_step(position, never_fails) {
            Ok(outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Board, End, Mode, Move, Outcome, Position, Rules};

    /// Two cells, one or both filled a turn.
    fn pair(stuck: Outcome) -> Rules {
        Rules { moves: [1, 2, 3].map(|m| Move::fill(Board(m))).to_vec(), stuck, ..Rules::new("pair", 2) }
    }

    fn solve(rules: &Rules, position: Position) -> Outcome {
        rules.step(position, |next| solve(rules, next))
    }

    #[test]
    fn stuck_decides_normal_misere_and_draw() {
        let outcomes = |stuck| [3, 2, 1, 0].map(|b| solve(&pair(stuck), Position::of(Board(b))));
        use Outcome::{Draw, Loss, Win};
        assert_eq!(outcomes(Loss), [Loss, Win, Win, Win]);
        assert_eq!(outcomes(Win), [Win, Loss, Loss, Win]);
        assert_eq!(outcomes(Draw), [Draw; 4]);
    }

    #[test]
    fn the_first_end_that_matches_decides() {
        let end = |pattern, outcome| End { mode: Mode(0), pattern: Board(pattern), outcome };
        let rules = Rules { ends: vec![end(1, Outcome::Draw), end(3, Outcome::Win)], ..pair(Outcome::Loss) };
        assert_eq!(rules.ended(Position::of(Board(3))), Some(Outcome::Draw));
        assert_eq!(rules.ended(Position::of(Board(2))), None);
        assert_eq!(rules.moves_from(Position::of(Board(1))).count(), 0);
        assert!(rules.is_over(Position::of(Board(1))));
        assert_eq!(solve(&rules, Position::of(Board(2))), Outcome::Draw);
    }

    #[test]
    fn an_error_of_a_successor_is_passed_on() {
        let failing = |_| Err::<Outcome, _>("unknown");
        assert_eq!(pair(Outcome::Loss).try_step(Position::default(), failing), Err("unknown"));
        assert_eq!(pair(Outcome::Loss).try_step(Position::of(Board(3)), failing), Ok(Outcome::Loss));
    }
}
