//! The `[[test]]` tables of the library hold. The session `rules_files` has wrong ones.

use std::time::Duration;

use tablegen::engine::{STATEMENT_LIMIT, SearchLimit, untrue};
use tablegen::game::{FileGame, Parameters, library};

#[test]
fn what_library_games_state_holds() {
    let mut statements = 0;
    for file in library() {
        let game = file.read(&Parameters::new()).unwrap();
        assert_eq!(untrue(&game, STATEMENT_LIMIT, None).unwrap(), [], "{}", file.name);
        statements += game.statements().len();
    }
    assert!(statements > 15, "{statements}");
}

/// A statement about a game that is far too large is left open at the limit, and the others are decided.
#[test]
fn a_statement_about_a_large_game_is_left_open() {
    let text = "name = \"cram-{n}\"\nparameters = { n = { default = 3, least = 2, most = 11 } }\n\
                board = { rows = \"n\", cols = \"n\" }\nmove = [{ shape = \"XX\", turns = true }]\n\
                test = [{ set = { n = 11 }, outcome = \"loss\" }, { set = { n = 11 }, moves = 1 }, { outcome = \"win\" }]\n";
    let game = FileGame::read(text, &Parameters::new()).unwrap();
    for limit in [SearchLimit::Time(Duration::from_millis(200)), SearchLimit::Positions(1000)] {
        let found = untrue(&game, limit, None).unwrap();
        let found: Vec<_> = found.iter().map(|it| (&*it.expected, &*it.found, it.is_undecided)).collect();
        let open = format!("no answer within {limit}");
        assert_eq!(found, [("outcome loss", &*open, true), ("1 move", "220", false), ("outcome win", "loss", false)]);
    }
}

/// Players count what they fill: two squares of three for the first, one for the second.
#[test]
fn scores_are_compared() {
    let read = |test: &str| {
        let text = format!(
            "name = \"g\"\nplay = \"draw\"\nboard = {{ row = 3 }}\nplayers = [\"x\", \"o\"]\n\
             move = [{{ shape = \"X\", gains = 1 }}]\ntest = [{test}]\n"
        );
        untrue(&FileGame::read(&text, &Parameters::new()).unwrap(), STATEMENT_LIMIT, None).unwrap()
    };
    assert_eq!(read("{ score = 1 }, { position = \"X..\", score = 0, outcome = \"draw\" }"), []);
    let wrong = read("{ score = 2 }");
    let [wrong] = &wrong[..] else { panic!("{wrong:?}") };
    assert_eq!((&*wrong.expected, &*wrong.found, wrong.is_undecided), ("score 2", "1", false));
}
