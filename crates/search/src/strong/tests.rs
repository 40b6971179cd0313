//! Each game gets the search of its kind, and any board is answered.

use super::*;
use crate::rules::samples::{Grid, three_in_a_line};
use crate::rules::{Board, Mode};
use crate::{LabelSearch, Search};
use tablegen_labels::Remoteness;

/// Boards that play cannot reach as well: some have both colours on a square, or complete patterns of both players.
#[test]
fn special_searches_and_the_general_one_answer_together() {
    let rules = three_in_a_line(Grid { rows: 2, cols: 4 }).build().unwrap();
    let mut search = AlphaBeta::new(&rules, 1 << 16).unwrap();
    assert!(matches!(search.special, Some(Special::Lines(_))) && search.general.is_none());
    let mut outcomes = Search::new(&rules);
    let mut plain = LabelSearch::<Remoteness>::new(&rules, u64::MAX);
    let mut rng = fastrand::Rng::with_seed(21);
    let mut by_general = 0;
    for _ in 0..3_000 {
        let colours = [0, 1].map(|_| rng.u64(..256) & rng.u64(..256));
        let board = Board::from_word(colours[0] | colours[1] << 8);
        let position = Position::new(Mode(rng.u16(..2)), board);
        by_general += usize::from(colours[0] & colours[1] != 0);
        let mut label = |position: Position| plain.label(position, &mut outcomes).unwrap();
        let expected = label(position);
        let wanted = [Wanted::Outcome, Wanted::Plies][rng.usize(..2)];
        let found = search.value_with(position.into(), wanted, None, &mut |_| true).unwrap();
        let plies = (wanted == Wanted::Plies).then_some(u32::from(expected.plies));
        assert_eq!((found.outcome, found.remoteness()), (expected.outcome, plies), "{position:?}");
        assert_eq!(search.outcome(position.into()), Ok(expected.outcome));
        let best = search.best_with(None, &mut |_| true);
        assert_eq!(best.is_none(), rules.is_over(position), "{position:?}");
        let Some(after) = best.map(&mut label) else { continue };
        let is_best = plies.is_none() || after.plies + 1 == expected.plies;
        assert!(after.outcome.flip() == expected.outcome && is_best, "{position:?} {best:?}");
    }
    assert!(by_general > 500 && search.general.is_some(), "{by_general}");
}

/// What is known from elsewhere is asked for, whatever the game is.
#[test]
fn known_outcomes_are_trusted() {
    let rules = three_in_a_line(Grid { rows: 3, cols: 3 }).build().unwrap();
    let mut search = AlphaBeta::new(&rules, 1 << 16).unwrap();
    let known = |position: Position, _| (position.board.count() == 1).then(|| Outcome::Loss.into());
    let start = rules.start_node();
    assert_eq!(search.outcome_with(start, Some(&known), &mut |_| true), Ok(Outcome::Win));
    assert_eq!(AlphaBeta::new(&rules, 1 << 16).unwrap().outcome(start), Ok(Outcome::Draw));
}

/// The general search answers easy positions of parts, and the special one the others.
#[test]
fn two_searches_take_turns() {
    for (squares, is_ahead) in [(14, false), (26, true)] {
        let rules = crate::partisan::tests::col(squares).build().unwrap();
        let mut search = AlphaBeta::new(&rules, 1 << 24).unwrap().limit(1 << 20);
        assert!(search.special.as_ref().is_some_and(Special::takes_turns) && search.general.is_none());
        let start = rules.start_node();
        let found = search.value_with(start, Wanted::Outcome, None, &mut |_| true).unwrap();
        assert_eq!((found.outcome, search.is_ahead), (Outcome::Loss, is_ahead));
        let best = search.best_with(None, &mut |_| true).unwrap();
        assert_eq!(search.outcome(best.into()), Ok(Outcome::Win));
        // Limits and stops hold for both together.
        let mut search = AlphaBeta::new(&rules, 1 << 24).unwrap().limit(10);
        assert!(search.outcome(start).is_err() && search.expanded() <= 10);
        assert!(search.outcome_with(start, None, &mut |_| false).is_err());
    }
}
