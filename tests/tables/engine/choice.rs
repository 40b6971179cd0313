//! The choice of the solver.

use super::*;
use crate::common::library::named as bundled;

/// Connect-4 on 4x4 squares, as a rules file: 161,029 of 2^33 positions are reachable.
fn connect4() -> Box<dyn Game> {
    let name = |row: usize, col: usize| format!("{}{}", ["a", "b", "c", "d"][col], row + 1);
    let mut text = String::from(
        "name = \"connect\"\nsides = [\"x\", \"o\"]\nplay = \"draw\"\n[board]\nrows = 4\ncols = 4\ncolours = \"XO\"\n\
         [start]\nboard = \"..../..../..../....\"\nside = \"x\"\n\
         [[end]]\nline = 4\nalong = [\"rows\", \"columns\", \"diagonals\"]\ncompleter = \"wins\"\n",
    );
    for (side, colour) in [("x", "X"), ("o", "O")] {
        for (row, col) in (0..16).map(|square| (square / 4, square % 4)) {
            let square = name(row, col);
            let under: &[&str] = if row == 3 { &[""] } else { &["X", "O"] };
            for below in under {
                let full =
                    if row == 3 { String::new() } else { format!("full = [\"{below}:{}\"]\n", name(row + 1, col)) };
                text += &format!(
                    "[[move]]\nside = \"{side}\"\nfills = [\"{colour}:{square}\"]\n\
                     empty = [\"X:{square}\", \"O:{square}\"]\n{full}"
                );
            }
        }
    }
    Box::new(FileGame::read(&text, &Parameters::new()).expect("a rules file"))
}

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
    for (game, reached, method) in
        [(connect4(), 161_029, Method::Coloured), (bundled("sim", ""), 2_230_702, Method::Coloured)]
    {
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

/// The choice of the solver does not depend on the memory: a game that does not fit is refused.
#[test]
fn the_choice_of_solver_does_not_depend_on_memory() {
    let place = Place::new();
    let domineering = || bundled("domineering", "rows=6 cols=6");
    let choice = place.engine.choose(domineering().as_ref(), None, None).expect("a choice");
    assert_eq!(choice.method, Method::Dense, "{}", choice.reason);
    let options = BuildOptions { memory: Some(1 << 30), ..BuildOptions::default() };
    let error = place.engine.plan(domineering(), &options).err().expect("it is too large");
    assert!(matches!(&error, EngineError::Shortage(shortage) if shortage.limit == Limit::Requested), "{error}");
}
