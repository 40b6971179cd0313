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
