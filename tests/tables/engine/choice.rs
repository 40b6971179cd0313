//! The choice of the solver.

use super::*;
use crate::common::library::named as bundled;

#[test]
fn the_engine_chooses_the_solver_with_less_work() {
    let place = Place::new();
    let chosen = |game: &dyn Game| place.engine.choose(game, None, None).expect("a choice");
    // The solver labels every board of these games, because they ask for it or because every board is reachable.
    for game in [quiz(), tactics(5, 6, Play::Misere), bundled("dominoes", "n=6")] {
        let choice = chosen(game.as_ref());
        assert_eq!((choice.method, choice.figures), (Method::Dense, None), "{}", choice.reason);
    }
    assert_eq!(chosen(&Mnk::tictactoe().expect("a board")).method, Method::Sparse);
    let asked = place.engine.choose(quiz().as_ref(), Some(Method::Sparse), None).expect("a choice");
    assert_eq!((asked.method, &*asked.reason), (Method::Sparse, "requested"));
    // The positions of these games are counted. Pieces fall in the first, so that it has few colourings.
    for (game, reached, method) in [
        (bundled("connect-four", "rows=4 cols=4"), 161_029, Method::Coloured),
        (bundled("sim", ""), 2_230_702, Method::Coloured),
    ] {
        let choice = chosen(game.as_ref());
        let figures = choice.figures.expect("it is counted");
        assert_eq!(figures.all, game.rules().positions());
        assert_eq!((choice.method, figures.reached.positions()), (method, Some(reached)));
    }
    let choice = chosen(bundled("cram", "").as_ref());
    assert_eq!(choice.method, Method::Dense, "{}", choice.reason);
    assert_eq!(choice.figures.and_then(|figures| figures.reached.positions()), Some(5_700));
}

/// These games have more positions than the engine counts, so it estimates the number.
#[test]
fn the_positions_of_a_large_game_are_estimated() {
    let place = Place::new();
    for (name, set, method) in [
        ("connect-four", "rows=6 cols=4", Method::Coloured),
        ("col", "rows=4 cols=5", Method::Sparse),
        ("dawsons-kayles", "pins=40", Method::Sparse),
        ("domineering", "rows=5 cols=6", Method::Dense),
    ] {
        let choice = place.engine.choose(bundled(name, set).as_ref(), None, None).expect("a choice");
        let reached = choice.figures.expect("its positions are estimated").reached;
        assert_eq!((choice.method, reached.positions()), (method, None), "{name}: {}", choice.reason);
        assert!(reached.about().is_some_and(|about| about >= reached.at_least()), "{name}: {reached:?}");
    }
}
