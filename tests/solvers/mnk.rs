//! Tic-tac-toe and the m,n,k games. Every position is compared with an independent model. The session `published` has counts
//! of more boards.

use std::collections::HashMap;

use crate::common::{held, sparse_of};
use crate::model::{Model, State, has_line, in_turn, of, with};
use tablegen::game::{self, Game, Mnk, Parameters, Play};
use tablegen::label::Counts;
use tablegen::rules::{Board, Node, Outcome, Position};
use tablegen::search::Search;
use tablegen::solve::{Method, Options, solve};
use tablegen::table::{SaveTable, Table, TableFault};
use tablegen::verify;

fn mnk(rows: u32, cols: u32, k: u32, play: Play) -> Mnk {
    Mnk::new(rows, cols, k, play).expect("a board of ordinary size")
}

/// Calls `run` with the independent model: a player marks a free square, and ends the game with `length` marks in a line.
fn with_model(length: i32, play: Play, run: impl FnOnce(&Model<'_>)) {
    let is_first = |board: &[Vec<char>]| of(board, 'X').len() == of(board, 'O').len();
    let moves = |(board, _): &State| -> Vec<State> {
        let mark = if is_first(board) { 'X' } else { 'O' };
        of(board, '.').into_iter().map(|square| (with(board, &[(square, mark)]), String::new())).collect()
    };
    // The player who has just moved may have a line.
    let ended = if play == Play::Normal { Outcome::Loss } else { Outcome::Win };
    let over = |(board, _): &State| has_line(board, if is_first(board) { 'O' } else { 'X' }, length).then_some(ended);
    run(&Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn });
}

fn assert_agrees(rows: u32, cols: u32, k: u32, play: Play) {
    with_model(k as i32, play, |model| model.agrees_on(&mnk(rows, cols, k, play)));
}

/// The known figures, and a comparison with a search on positions from the middle of the game on.
#[test]
fn four_in_a_line_on_sixteen_squares_have_the_known_figures() {
    let game = mnk(4, 4, 4, Play::Normal);
    let solution = sparse_of(&game);
    assert_eq!(solution.outcome(Position::default()), Some(Outcome::Draw));
    assert_eq!(solution.counts(), Counts { win: 2_730_266, draw: 6_031_189, loss: 960_556 });
    let mut search = Search::new(game.rules());
    let late = held(&solution).filter(|(position, _)| position.board.count() >= 8);
    for (position, outcome) in late.step_by(40_009) {
        assert_eq!(search.outcome(position.into()), Ok(outcome), "{}", game.write(position.into()));
    }
}

#[test]
fn every_position_of_small_boards_equals_the_independent_solver() {
    for rows in 1..=3u32 {
        for cols in 1..=9 / rows {
            for k in 1..=rows.max(cols) {
                assert_agrees(rows, cols, k, Play::Normal);
                assert_agrees(rows, cols, k, Play::Misere);
            }
        }
    }
}

#[test]
fn every_position_of_twelve_squares_equals_the_independent_solver() {
    assert_agrees(3, 4, 3, Play::Normal);
    assert_agrees(3, 4, 3, Play::Misere);
    assert_agrees(3, 4, 4, Play::Normal);
    assert_agrees(4, 3, 4, Play::Misere);
}

/// The parser accepts a board exactly if it is reachable. Tries all 3^9 and 3^12 boards.
#[test]
fn exactly_the_reachable_boards_are_read() {
    for (rows, cols, k) in [(3, 3, 3), (3, 3, 2), (3, 4, 3), (3, 4, 4), (2, 5, 1)] {
        let game = mnk(rows, cols, k, Play::Normal);
        let mut reached = HashMap::new();
        with_model(k as i32, Play::Normal, |model| reached = model.values(&game));
        let squares = rows * cols;
        let mut accepted = 0;
        for number in 0..3usize.pow(squares) {
            let marks: Vec<char> =
                (0..squares).map(|square| ['.', 'X', 'O'][number / 3usize.pow(square) % 3]).collect();
            let board: Vec<Vec<char>> = marks.chunks(cols as usize).map(<[char]>::to_vec).collect();
            let text = board.iter().map(|row| row.iter().collect()).collect::<Vec<String>>().join("/");
            let read = game.read(&text);
            assert_eq!(read.is_ok(), reached.contains_key(&(board, String::new())), "{} {text}", game.rules().name());
            accepted += usize::from(read.is_ok());
        }
        assert_eq!(accepted, reached.len());
    }
}

#[test]
fn a_table_of_mnk_is_self_contained() {
    for game in [Mnk::tictactoe().unwrap(), mnk(3, 4, 3, Play::Misere)] {
        let solution = sparse_of(&game);
        let table = Table::from_bytes(solution.to_bytes(&game.descriptor())).unwrap();
        verify::bytes(&table, &verify::Options::default()).unwrap();
        assert_eq!(verify::labels(&table, &verify::Options::default()).unwrap(), solution.count());
        assert_eq!(table.counts(), solution.counts());
        let again = game::of_table(table.rules(), table.descriptor());
        assert_eq!((again.rules(), again.descriptor()), (game.rules(), game.descriptor()));
        assert_eq!(again.write(Node::Opening), game.write(Node::Opening));
        // X has moved twice before O, so the board is unreachable, and the table says so.
        let nowhere = Position::of(Board::from_word(0b11 << game.grid().squares()));
        assert!(matches!(table.outcome(nowhere).unwrap_err().fault, TableFault::NotReached { .. }));
    }
}

/// Tic-tac-toe is the same game with the same bytes in both families.
#[test]
fn equal_games_are_equal_bytes() {
    let made = |family: &str, parameters| game::family(family).unwrap().make(&parameters).unwrap();
    let bytes = |game: &dyn Game| sparse_of(game).to_bytes(&game.descriptor());
    let [short, long] = [made("tictactoe", Parameters::new()), made("mnk", Parameters::new())];
    assert!(bytes(&*short) == bytes(&*long));
    let misere = Parameters::new().with("play", "misere");
    assert_eq!(made("mnk", misere.clone()).rules().name(), "mnk-3x3-k3-misere");
    assert!(game::family("tictactoe").unwrap().make(&misere).is_err());
}

/// 64 cells and two modes need codes of more than a word. The test solves the game from a board with
/// few free squares.
#[test]
fn thirty_two_squares_are_played_to_the_end() {
    let game = mnk(4, 8, 4, Play::Normal);
    let text = "XXOOXXOO/OOXXOOXX/XXOOXXOO/........";
    let Node::At(root) = game.read(text).unwrap().node else { panic!("a position") };
    let solution = solve(game.rules(), &Options { roots: &[root], ..Options::of(Method::Sparse) }).unwrap();
    let mut search = Search::new(game.rules());
    for (position, outcome) in held(&solution) {
        assert_eq!(search.outcome(position.into()), Ok(outcome));
        let place = Node::from(position);
        assert_eq!(game.read(&game.write(place)).unwrap().node, place);
    }
}
