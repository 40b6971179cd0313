//! Blocked squares, which are filled in both colours: no piece is there, they are not free, and no group has them. Each key meets
//! one here.

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Node, Outcome};

/// The game of black and white on a row of squares, in which black moves as `keys` say.
fn row(squares: usize, keys: &str, more: &str) -> String {
    format!(
        "name = 'g'\nsides = ['black', 'white']\nboard = {{ row = {squares}, colours = 'BW' }}\n\
         move = [{{ side = 'black', {keys} }}, {{ side = 'white', shape = 'B' }}]\n{more}\n"
    )
}

/// The boards after each move of black from `board`, without repetitions.
fn after(game: &FileGame, board: &str) -> Vec<String> {
    let node = game.read(&format!("{board} black")).unwrap_or_else(|e| panic!("{board}: {e}")).node;
    let board_of = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
    let mut boards: Vec<String> =
        game.rules().replies(node).into_iter().map(|to| board_of(game.write(to.into()))).collect();
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// A board, and the boards after each move of black.
type After = (&'static str, &'static [&'static str]);

#[test]
fn moves_beside_blocked_squares() {
    let group = "group = [{ squares = ['a1', 'b1'] }]";
    let cases: [(&str, &str, &[After]); 29] = [
        // A blocked square is not free.
        ("shape = 'X'", "", &[("*.", &["*B"])]),
        ("shape = 'Xo'", "", &[("..*", &["B.*"])]),
        ("shape = 'X-'", "", &[(".*", &[]), ("*.", &["*B"])]),
        ("shape = 'B'", "", &[("*.", &["**"])]),
        ("line = 2", "", &[("*..", &["*BB"])]),
        ("lifts = 'X'", "", &[("B.*", &[".B*"])]),
        ("slide = [1, 2]", "", &[("B.*", &[".B*"])]),
        ("shoot = [1, 3]", "", &[("B..*", &["B*.*", "B.**"])]),
        // It has no piece that could move, be taken or turn over.
        ("shape = 'LX'", "", &[("*.", &[]), ("B.", &[".B"])]),
        ("shape = 'LC'", "", &[("B*", &[]), ("*W", &[]), ("BW", &[".B"])]),
        ("shape = 'LTX'", "", &[("B*.", &[]), ("*W.", &[]), ("BW.", &["..B"])]),
        ("shape = 'MX'", "", &[("*.", &[]), ("B.", &["BB"])]),
        ("shape = 'YX'", "", &[("*.", &[]), ("W.", &["WB"])]),
        ("lifts = 'XX'", "", &[("B*.", &[])]),
        ("slide = 1", "", &[("*.", &[])]),
        ("shoot = 1", "", &[("*.", &[])]),
        ("push = 3", "", &[("B.*", &[]), ("*.B", &[])]),
        ("outflanks = true", "", &[("BW.W*", &["BBBW*"]), ("*W.", &[]), ("BWW*.", &[])]),
        // It has no piece of the mover, and none of the other side.
        ("shape = 'mX'", "", &[("*.", &["*B"]), ("B.", &[]), ("W.", &["WB"])]),
        ("shape = 'yX'", "", &[("*.", &["*B"]), ("B.", &["BB"]), ("W.", &[])]),
        ("shape = 'X', neighbours = 'm'", "", &[("*..", &["*.B", "*B."])]),
        ("shape = 'X', neighbours = 'y'", "", &[("*..", &["*.B", "*B."])]),
        ("shape = 'X', neighbours = '-'", "", &[("*..", &["*.B"])]),
        ("shape = 'X', neighbours = { M = 0, Y = 0, o = 1 }", "", &[("*..", &["*.B", "*B."])]),
        ("shape = 'X', neighbours = { M = [1, 2] }", "", &[("*..", &[]), ("B*.", &[])]),
        // It fills no group.
        ("shape = 'X', completes = 1", group, &[("*.", &[]), ("B.", &["BB"])]),
        ("shape = 'X', completes = 0", group, &[("*.", &["*B"]), ("B.", &[]), ("W.", &["WB"])]),
        ("shape = 'MB', completes = 1", group, &[("B.", &[])]),
        // Passes and moves given cell by cell name cells, whatever else is on the square.
        ("fills = ['B:b1'], full = ['B:a1']", "", &[("*.", &["*B"])]),
    ];
    for (keys, more, positions) in cases {
        for &(board, expected) in positions {
            let text = row(board.len(), keys, more);
            let game = read(&text, "").unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(after(&game, board), expected, "{keys}: {board}");
            // The start alone blocks a square, and no move does.
            if board.contains('*') && !keys.contains("shoot") && !keys.contains("'B'") {
                let still = text.replace(", { side = 'white', shape = 'B' }", "");
                let still = format!("{still}\nstart = {{ board = '{board}', side = 'black' }}\n");
                assert_eq!(after(&read(&still, "").unwrap(), board), expected, "{still}");
            }
        }
    }
}

/// A white piece in a full group is taken only if all white pieces are in full groups.
#[test]
fn pieces_are_spared_beside_blocked_squares() {
    let text = row(5, "shape = 'MT', spares = 5", "group = [{ squares = ['b1', 'c1'] }]");
    let game = read(&text, "").unwrap();
    for (board, expected) in [
        ("BWW.W", &[] as &[&str]),
        ("BWW..", &["B.W.."]),
        // The blocked square has no piece outside the group, and none in it.
        ("BWW.*", &["B.W.*"]),
        ("BW*.W", &["B.*.W"]),
    ] {
        assert_eq!(after(&game, board), expected, "{board}");
    }
}

#[test]
fn ends_beside_blocked_squares() {
    // White has just moved, so that its patterns count.
    let cases: [(&str, &[(&str, bool)]); 5] = [
        ("line = 2", &[("WW.", true), ("W*.", false), ("**.", false)]),
        ("shape = 'XX'", &[("WW.", true), ("*W.", false)]),
        ("connects = ['left', 'right']", &[("WWW", true), ("W*W", false)]),
        // A blocked square is no free neighbour.
        ("surrounded = true", &[("**..", false), ("*...", false), ("*W..", false), ("*W*.", true), ("W*..", true)]),
        // Cells count, whatever else is on the square.
        ("full = ['a1', 'b1']", &[("W*.", true)]),
    ];
    for (keys, positions) in cases {
        for &(board, is_over) in positions {
            let game = read(&row(board.len(), "shape = 'X'", &format!("end = [{{ {keys} }}]")), "").unwrap();
            let Node::At(position) = game.read(&format!("{board} black")).unwrap().node else { panic!("no opening") };
            assert_eq!(game.rules().ended(position).is_some(), is_over, "{keys}: {board}");
        }
    }
    // A blocked square counts for both sides, and so for neither.
    let most = row(4, "shape = 'YX'", "end = [{ stuck = true, outcome = 'most' }]");
    let game = read(&most, "").unwrap();
    for (board, outcome) in [("*...", Outcome::Draw), ("*B..", Outcome::Win), ("**.W", Outcome::Loss)] {
        let Node::At(position) = game.read(&format!("{board} black")).unwrap().node else { panic!("no opening") };
        assert_eq!(game.rules().terminal_in(position.mode).on(position.board), outcome, "{board}");
    }
}

/// A file in which nothing blocks squares has smaller masks. Positions with a blocked square are read only if these masks are
/// right there.
#[test]
fn blocked_squares_where_nothing_blocks() {
    let reversi = game("reversi", "");
    let node = reversi.read("BW../..*./..../.... black").unwrap().node;
    let after: Vec<String> = reversi.rules().replies(node).into_iter().map(|to| reversi.write(to.into())).collect();
    assert_eq!(after, ["BBB./..*./..../.... white"]);
    let still = |keys: &str| {
        let text = row(2, keys, "").replace(", { side = 'white', shape = 'B' }", ", { side = 'white', shape = 'X' }");
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
