//! The `[[test]]` tables: those of the library hold, and wrong ones are named with their line.

use crate::rules_file::read;
use tablegen::engine::untrue;
use tablegen::game::{Parameters, library};

const CRAM: &str = "name = 'cram'\nparameters = { rows = 2, cols = 3 }\nboard = { rows = 'rows', cols = 'cols' }\n\
                    move = [{ shape = 'XX', turns = true }]\n";

/// The statements about Cram, which begin in line 5, that do not hold.
fn untrue_of(statements: &str) -> Vec<String> {
    let game = read(&format!("{CRAM}{statements}"), "").unwrap();
    untrue(&game, None).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn what_library_games_state_holds() {
    let mut statements = 0;
    for file in library() {
        let game = file.read(&Parameters::new()).unwrap();
        assert_eq!(untrue(&game, None).unwrap(), [], "{}", file.name);
        statements += game.statements().len();
    }
    assert!(statements > 15, "{statements}");
}

#[test]
fn wrong_statements_are_named() {
    assert_eq!(untrue_of("[[test]]\noutcome = 'win'\nremoteness = 3\nmoves = 7\n"), [""; 0]);
    let wrong = "[[test]]\noutcome = 'loss'\nremoteness = 2\nmoves = 8\n\
                 [[test]]\nposition = 'XX./XX.'\noutcome = 'win'\nmoves = 1\n\
                 [[test]]\nposition = 'XX./...'\noutcome = 'draw'\n\
                 [[test]]\nset = { rows = 3 }\noutcome = 'win'\n\
                 [[test]]\nposition = 'XX.'\nmoves = 0\n\
                 [[test]]\nset = { raws = 3 }\nmoves = 0\n";
    let found = untrue_of(wrong);
    let begins = [
        "line 5: expected outcome loss, found win",
        "line 5: expected remoteness 2, found 3",
        "line 5: expected 8 moves, found 7",
        "line 13: expected outcome draw, found ",
        "line 16: expected outcome win, found loss",
        "line 19: expected a position of the game, found ",
        "line 22: expected parameters of the file in `set`, found ",
    ];
    assert_eq!(found.len(), begins.len(), "{found:?}");
    for (found, begins) in found.iter().zip(begins) {
        assert!(found.starts_with(begins), "{found}");
    }
}
