//! Blocked squares, which are filled in both colours: no piece is there, they are not free, and no group has them. Each key meets
//! one here.

use crate::rules_file::{game, read};
use tablegen::game::Game;

/// A file in which nothing blocks squares has smaller masks. Positions with a blocked square are read only if these masks are
/// right there.
#[test]
fn blocked_squares_where_nothing_blocks() {
    let reversi = game("reversi", "");
    let node = reversi.read("BW../..*./..../.... black").unwrap().node;
    let after: Vec<String> = reversi.rules().replies(node).into_iter().map(|to| reversi.write(to.into())).collect();
    assert_eq!(after, ["BBB./..*./..../.... white"]);
    let still = |keys: &str| {
        let text = format!(
            "name = 'g'\nsides = ['black', 'white']\nboard = {{ row = 2, colours = 'BW' }}\n\
             move = [{{ side = 'black', {keys} }}, {{ side = 'white', shape = 'X' }}]\n"
        );
        read(&text, "").unwrap().read("*. black").map_err(|e| e.to_string())
    };
    for (keys, is_read) in [("shape = 'X'", true), ("shape = 'LX'", false), ("shape = 'X', neighbours = 'm'", false)] {
        let found = still(keys);
        assert_eq!(found.is_ok(), is_read, "{keys}");
        if let Err(error) = found {
            assert!(error.contains("nothing in this game blocks squares"), "{error}");
        }
    }
}
