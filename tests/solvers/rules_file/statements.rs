//! The `[[test]]` tables of the library hold. The session `rules_files` has wrong ones.

use tablegen::engine::untrue;
use tablegen::game::{Parameters, library};

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
