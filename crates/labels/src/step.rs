//! One step of retrograde induction, exactly as defined: the result that every fast path must match.

use super::Label;
use crate::rules::{Position, Rules};

/// The label of `position`, given the labels of its successors.
///
/// A pattern that ends the game decides first. A position without a move has the terminal outcome. Otherwise the
/// successors decide, absorbed in the game's own order. A label is always for the player to move, so it turns over along a
/// move that hands over to the other player, and only there. If moves gain points, outcomes follow from scores and not from each other.
///
/// # Errors
/// Returns any error from `label` for a successor. `label` is no longer called once no further successor can
/// change the result.
///
/// # Panics
/// If the rules lack that mode.
#[inline]
pub fn try_step<L: Label, E>(
    rules: &Rules,
    position: Position,
    mut label: impl FnMut(Position) -> Result<L, E>,
) -> Result<L, E> {
    if let Some(ending) = rules.ending(position) {
        return Ok(L::ended(ending));
    }
    let mut partial = L::none();
    for step in rules.steps(position) {
        let label = label(step.to)?;
        let label = if step.again { label.turned() } else { label };
        let label = label.gained(step.gain);
        if L::absorb(&mut partial, label).is_break() {
            break;
        }
    }
    Ok(L::finish(partial, rules.terminal_in(position.mode).at(position.board)))
}

/// Like [`try_step`], for labels that are all known.
#[inline]
pub fn step<L: Label>(rules: &Rules, position: Position, mut label: impl FnMut(Position) -> L) -> L {
    let never_fails = |position| Ok::<_, std::convert::Infallible>(label(position));
    match try_step(rules, position, never_fails) {
        Ok(label) => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, End, Mode, Move, Outcome, RulesSpec};

    /// Two cells, of which a move fills one or both.
    fn pair(terminal: Outcome) -> RulesSpec {
        RulesSpec {
            moves: [1, 2, 3].map(|m| Move::fill(Board::from_word(m))).to_vec(),
            terminal,
            ..RulesSpec::new("pair", 2)
        }
    }

    fn solve(rules: &Rules, position: Position) -> Outcome {
        step(rules, position, |next| solve(rules, next))
    }

    #[test]
    fn stuck_decides_normal_misere_and_draw() {
        let outcomes =
            |terminal| [3, 2, 1, 0].map(|b| solve(&pair(terminal).build().unwrap(), Position::of(Board::from_word(b))));
        use Outcome::{Draw, Loss, Win};
        assert_eq!(outcomes(Loss), [Loss, Win, Win, Win]);
        assert_eq!(outcomes(Win), [Win, Loss, Loss, Win]);
        assert_eq!(outcomes(Draw), [Draw; 4]);
    }

    #[test]
    fn the_first_end_that_matches_decides() {
        let end = |pattern, outcome: Outcome| End {
            mode: Mode(0),
            pattern: Board::from_word(pattern),
            outcome: outcome.into(),
            empty: Board::EMPTY,
        };
        let rules = RulesSpec { ends: vec![end(1, Outcome::Draw), end(3, Outcome::Win)], ..pair(Outcome::Loss) }
            .build()
            .unwrap();
        assert_eq!(rules.ended(Position::of(Board::from_word(3))), Some(Outcome::Draw));
        assert_eq!(rules.ended(Position::of(Board::from_word(2))), None);
        assert_eq!(rules.moves_from(Position::of(Board::from_word(1))).count(), 0);
        assert!(rules.is_over(Position::of(Board::from_word(1))));
        assert_eq!(solve(&rules, Position::of(Board::from_word(2))), Outcome::Draw);
    }

    #[test]
    fn an_error_of_a_successor_is_passed_on() {
        let failing = |_| Err::<Outcome, _>("unknown");
        assert_eq!(try_step(&pair(Outcome::Loss).build().unwrap(), Position::default(), failing), Err("unknown"));
        assert_eq!(
            try_step(&pair(Outcome::Loss).build().unwrap(), Position::of(Board::from_word(3)), failing),
            Ok(Outcome::Loss)
        );
    }
}
