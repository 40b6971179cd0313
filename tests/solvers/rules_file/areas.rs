//! The squares on which a pattern may lie: edges and holes, areas, and squares named with parameters.

use crate::rules_file::read;
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Board, Position};

fn of(board: &str, rest: &str) -> FileGame {
    read(&format!("name = 'g'\nparameters = {{ rows = 4, cols = 4 }}\nboard = {board}\n{rest}"), "")
        .unwrap_or_else(|e| panic!("{rest}: {e}"))
}

const GRID: &str = "{ rows = 'rows', cols = 'cols' }";

/// The name of each move on the empty board.
fn moves(game: &FileGame) -> Vec<String> {
    let start = Position::default();
    game.rules().moves().iter().map(|m| game.write_move(start.into(), m.play(start))).collect()
}

/// Areas with parameters. `language` crosses all other areas with the other keys.
#[test]
fn squares_are_chosen_by_parameters() {
    let chosen = |rest: &str| moves(&of(GRID, &format!("move = [{{ shape = 'X', {rest} }}]")));
    assert_eq!(chosen("rows = [1, 'rows'], cols = 'cols - 1'"), ["c1", "c4"]);
    assert_eq!(chosen("on = ['a{rows}', '{cols}{rows}', 'b1']"), ["b1", "a4", "d4"]);
    let graph = of("{ edges = ['v1 v{rows}', 'v1 w'] }", "move = [{ shape = 'X', on = ['v{rows}'] }]");
    assert_eq!(moves(&graph), ["v4"]);
}

/// An area as holes: the board has only dark squares.
#[test]
fn holes_are_an_area() {
    let dark = |name: &str| name.bytes().map(u32::from).sum::<u32>() % 2 == u32::from(b'a' + b'1') % 2;
    let board = of("{ rows = 4, cols = 4, holes = 'light' }", "move = [{ line = 2, along = ['diagonals'] }]");
    let slanted = moves(&board);
    assert_eq!((slanted.len(), board.report().squares), (9, 8));
    assert!(slanted.iter().all(|name| name.split('-').all(dark)), "{slanted:?}");
}

#[test]
fn ends_have_areas_and_names_have_parameters() {
    let rest = "move = [{ shape = 'X' }]\nend = [{ line = 'cols', rows = ['rows'] }, { full = ['a{rows}', 'a1'] }]\n\
                [start]\nboard = ['{cols}1']";
    let game = of(GRID, rest);
    let patterns: Vec<Board> = game.rules().ends().iter().map(|end| end.pattern).collect();
    assert_eq!(patterns, [Board::from_word(0b1111), Board::from_word(0x8008)]);
    assert_eq!(game.write(game.rules().start_node()), "...X/..../..../....");
    let colours = "sides = ['l', 'r']\nmove = [{ fills = ['R:a{rows}'], side = 'r' }]";
    assert_eq!(
        of("{ rows = 'rows', cols = 1, colours = 'LR' }", colours).rules().moves()[0].fills,
        Board::from_word(1)
    );
}

#[test]
fn areas_that_are_refused() {
    let refusal = |board: &str, rest: &str| {
        let text = format!("name = 'g'\nboard = {board}\nmove = [{{ shape = 'X', {rest} }}]");
        read(&text, "").err().unwrap_or_else(|| panic!("accepted: {rest}"))
    };
    for (rest, expected) in [
        ("on = 'drak'", "line 3, column 29: expected \"dark\", \"light\", a list of names, or a drawing of the board"),
        ("on = 'drak'", "for `on`, found \"drak\""),
        ("on = '''..\n.Q'''", "found 'Q' in the drawing"),
        ("on = '''..\n.X'''", "expected a drawing of 3 rows of 3 squares for `on`, found 2 rows of up to 2"),
        ("on = ['d1']", "expected the name of a square, from a1 to c3, for `on`, found \"d1\""),
        ("on = ['a{n}']", "found \"a{n}\": n is not a known parameter"),
        ("on = ['a{1']", "expected a } after each {"),
        ("rows = [4]", "expected a whole number from 1 to 3 for `rows`, found 4"),
        ("cols = 'x'", "x is not a known parameter"),
        ("first_on = 3", "found 3"),
    ] {
        let error = refusal("{ rows = 3, cols = 3 }", rest);
        assert!(error.contains(expected), "{rest}\n  says {error}");
    }
    let graph = "{ edges = ['a b'] }";
    assert!(refusal(graph, "on = 'dark'").contains("a list of vertices"));
    assert!(refusal(graph, "rows = 1").contains("`on` with names of vertices"));
}
