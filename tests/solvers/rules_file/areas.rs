//! The squares on which a pattern may lie: edges and holes, areas, and squares named with parameters.

use crate::rules_file::{at_start, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Board, Outcome, Position};

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

#[test]
fn an_edge_or_a_hole_is_a_sign() {
    let shape = |board, shape: &str| moves(&of(board, &format!("move = [{{ shape = \"{shape}\" }}]")));
    assert_eq!(shape(GRID, "X\\n#"), ["a4", "b4", "c4", "d4"]);
    assert_eq!(shape(GRID, "#X"), ["a1", "a2", "a3", "a4"]);
    assert_eq!(shape(GRID, "##.\\n#XX"), ["a1-b1"]);
    assert_eq!(shape("{ drawn = '.#..' }", "X#"), ["a1", "d1"], "a hole is as good as an edge");
    let corners = of(GRID, "move = [{ shape = \"##\\n#X\", turns = true }]");
    assert_eq!(moves(&corners), ["a1", "d1", "a4", "d4"]);
    // An end with an edge, in two colours: the player who reaches the top row wins.
    let race = "sides = ['l', 'r']\nmove = [{ shape = 'X' }]\nend = [{ shape = \"#\\nX\", completer = 'wins' }]";
    let race = of("{ rows = 2, cols = 2, colours = 'LR' }", race);
    let top = |left: bool| [0, 1].map(|col| Board::at(if left { col } else { 4 + col }, 8));
    assert_eq!(race.rules().ends().len(), 4);
    assert!(race.rules().ends().iter().all(|end| top(end.mode.0 == 1).contains(&end.pattern)));
    assert_eq!(at_start(&race), Outcome::Win);
}

/// An L of three squares on a board of four: each orientation leaves another square free.
#[test]
fn shapes_are_flipped_across_and_down() {
    let free = |flips: &str| -> Vec<usize> {
        let game = of("{ rows = 2, cols = 2 }", &format!("[[move]]\nshape = \"X.\\nXX\"\n{flips}"));
        let mut free: Vec<usize> = game
            .rules()
            .moves()
            .iter()
            .map(|m| (0..4).find(|&cell| m.fills.is_disjoint(Board::at(cell, 4))).unwrap() as usize)
            .collect();
        free.sort_unstable();
        free
    };
    let [a1, b1, a2, b2] = [0, 1, 2, 3];
    for (flips, expected) in [
        ("", &[b1][..]),
        ("flips = false", &[b1]),
        ("flips = true", &[a1, b1]),
        ("flips = 'left-right'", &[a1, b1]),
        ("flips = 'top-bottom'", &[b1, b2]),
        ("flips = 'both'", &[a1, b1, a2, b2]),
        ("turns = true", &[a1, b1, a2, b2]),
        ("turns = true\nflips = 'top-bottom'", &[a1, b1, a2, b2]),
    ] {
        assert_eq!(free(flips), expected, "{flips}");
    }
}

#[test]
fn squares_are_chosen_by_an_area() {
    let chosen = |rest: &str| moves(&of(GRID, &format!("move = [{{ shape = 'X', {rest} }}]")));
    assert_eq!(chosen("on = 'dark'"), ["a1", "c1", "b2", "d2", "a3", "c3", "b4", "d4"]);
    assert_eq!(chosen("on = 'light'").len(), 8);
    assert_eq!(chosen("rows = [1, 'rows'], cols = 'cols - 1'"), ["c1", "c4"]);
    assert_eq!(chosen("on = 'dark', rows = 2"), ["b2", "d2"]);
    assert_eq!(chosen("on = ['a{rows}', '{cols}{rows}', 'b1']"), ["b1", "a4", "d4"]);
    assert_eq!(chosen("on = '''\n....\n.XX.\n....\n...X'''"), ["b2", "c2", "d4"]);
    let graph = of("{ edges = ['v1 v{rows}', 'v1 w'] }", "move = [{ shape = 'X', on = ['v{rows}'] }]");
    assert_eq!(moves(&graph), ["v4"]);
}

/// Dominoes on dark squares: the first square is dark, or both squares are dark, or the board has only dark squares.
#[test]
fn dominoes_on_dark_squares() {
    let dark = |name: &str| name.bytes().take(2).map(u32::from).sum::<u32>() % 2 == u32::from(b'a' + b'1') % 2;
    let begun = moves(&of(GRID, "move = [{ shape = 'XX', turns = true, first_on = 'dark' }]"));
    assert_eq!(begun.len(), 12);
    assert!(begun.iter().all(|name| dark(name)), "{begun:?}");
    let slanted = moves(&of(GRID, "move = [{ line = 2, along = ['diagonals'], on = 'dark' }]"));
    assert_eq!(slanted.len(), 9);
    assert!(slanted.iter().all(|name| name.split('-').all(dark)), "{slanted:?}");
    let board = of("{ rows = 4, cols = 4, holes = 'light' }", "move = [{ line = 2, along = ['diagonals'] }]");
    assert_eq!((moves(&board), board.report().squares), (slanted, 8));
    assert!(moves(&of(GRID, "move = [{ shape = 'XX', on = 'dark' }]")).is_empty(), "neighbours differ in colour");
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
