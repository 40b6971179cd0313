//! Games of heaps, of a queen and of wild marks. Independent models check them, as in [`super::moving`].
//! Published values follow.

use crate::model::{Model, State, Step, at, in_turn, never, of, on, with};
use crate::rules_file::{game, read};
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome};

const PLAYS: [(&str, Outcome); 2] = [("normal", Outcome::Loss), ("misere", Outcome::Win)];

#[test]
fn octal_games_are_their_codes() {
    for (code, coins) in [("137000", 12), ("777777", 8), ("070000", 12), ("415263", 9), ("123456", 9), ("007007", 11)] {
        let digits: Vec<u32> = code.chars().filter_map(|digit| digit.to_digit(8)).collect();
        let moves = |(board, _): &State| -> Vec<State> {
            let mut found = Vec::new();
            for first in 0..board[0].len() {
                let heap = board[0][first..].iter().take_while(|&&coin| coin == '.').count();
                for (taken, digit) in (1..=heap).zip(&digits) {
                    let is_coin = |col: Option<usize>| col.is_some_and(|col| board[0].get(col) == Some(&'.'));
                    let heaps = [is_coin(first.checked_sub(1)), is_coin(Some(first + taken))];
                    if digit >> heaps.into_iter().filter(|&left| left).count() & 1 == 1 {
                        let mut after = board.clone();
                        after[0][first..first + taken].fill('X');
                        found.push((after, String::new()));
                    }
                }
            }
            found
        };
        for (play, terminal) in PLAYS {
            let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
            model.agrees("octal", &format!("code={} coins={coins} play={play}", code.trim_start_matches('0')));
        }
    }
}

#[test]
fn subtraction() {
    for (numbers, beans) in [([1, 3, 4], 12), ([2, 3, 5], 17), ([2, 2, 9], 8)] {
        let moves = |(board, _): &State| -> Vec<State> {
            let heap = board[0].iter().take_while(|&&bean| bean == '.').count();
            let after = |number: usize| {
                let mut after = board.clone();
                after[0][heap - number..heap].fill('X');
                (after, String::new())
            };
            numbers.into_iter().filter(|&number| number <= heap).map(after).collect()
        };
        let [a, b, c] = numbers;
        for (play, terminal) in PLAYS {
            let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
            model.agrees("subtraction", &format!("a={a} b={b} c={c} beans={beans} play={play}"));
        }
    }
}

/// A hole parts the row: each part is a heap, and the squares at its right end go first.
#[test]
fn a_hole_parts_a_row_into_heaps() {
    let file = |more: &str| {
        let text = format!("name = 'g'\nboard = {{ drawn = '..#...' }}\nmove = [{{ take = [1, 2] }}{more}]\n");
        read(&text, "")
    };
    let game = file("").unwrap();
    let node = game.read("..#..X").unwrap().node;
    let after: Vec<String> = game.rules().replies(node).into_iter().map(|to| game.write(to.into())).collect();
    assert_eq!(after, [".X#..X", "..#.XX", "XX#..X", "..#XXX"]);
    // A gap would make two heaps of one.
    let error = game.read("..#.X.").unwrap_err().to_string();
    assert!(error.contains("the free squares of each heap on the left of its filled squares"), "{error}");
    let error = file("]\nstart = { board = 'X.#...' }\ntest = [").unwrap_err();
    assert!(
        error.contains("line 4, column 9: expected a start in which the free squares of each heap lie on the left"),
        "{error}"
    );
    for (more, is_read) in
        [(", { shape = 'X' }", false), (", { shape = 'L' }", false), (", { shape = 'XF' }, { shape = 'X#' }", true)]
    {
        let found = file(more);
        assert_eq!(found.is_ok(), is_read, "{more}");
        assert!(is_read || found.unwrap_err().contains("beside `take`, found a [[move]] that may leave a gap"));
    }
}

#[test]
fn wythoff() {
    let moves = |(board, _): &State| -> Vec<State> {
        let queen = of(board, 'X')[0];
        let squares = of(board, '.').into_iter();
        let is_reached = |to: &Step| {
            let (up, left) = (queen.0 - to.0, queen.1 - to.1);
            up >= 0 && left >= 0 && (up == 0 || left == 0 || up == left)
        };
        squares.filter(is_reached).map(|to| (with(board, &[(queen, '.'), (to, 'X')]), String::new())).collect()
    };
    for (play, terminal) in PLAYS {
        let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
        for (rows, cols) in [(1, 5), (4, 6), (6, 8), (11, 11)] {
            model.agrees("wythoff", &format!("rows={rows} cols={cols} play={play}"));
        }
    }
}

#[test]
fn northcott() {
    let moves = |(board, side): &State| -> Vec<State> {
        let (own, next) = if side == "white" { ('W', "black") } else { ('B', "white") };
        let mut found = Vec::new();
        for from in of(board, own) {
            for way in [(0, 1), (0, -1)] {
                let slide = (1..).map(|far| on(from, way, far)).take_while(|&to| at(board, to) == Some('.'));
                found.extend(slide.map(|to| (with(board, &[(from, '.'), (to, own)]), next.to_owned())));
            }
        }
        found
    };
    for (play, terminal) in PLAYS {
        let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
        for cols in 4..=5 {
            model.agrees("northcott", &format!("cols={cols} play={play}"));
        }
    }
}

#[test]
fn wild_tic_tac_toe() {
    let is_line = |board: &[Vec<char>]| {
        let lines = [((0, 0), (0, 1)), ((1, 0), (0, 1)), ((2, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 0))];
        let lines = lines.into_iter().chain([((0, 2), (1, 0)), ((0, 0), (1, 1)), ((0, 2), (1, -1))]);
        let mut marks = lines.map(|(first, way)| [0, 1, 2].map(|far| at(board, on(first, way, far))));
        marks.any(|line| line[0] != Some('.') && line[0] == line[1] && line[1] == line[2])
    };
    let moves = |(board, side): &State| -> Vec<State> {
        let next = if side == "first" { "second" } else { "first" };
        let marks = of(board, '.').into_iter().flat_map(|square| ['X', 'O'].map(|mark| (square, mark)));
        marks.map(|change| (with(board, &[change]), next.to_owned())).collect()
    };
    for (play, completed) in PLAYS {
        let over = |(board, _): &State| {
            let is_full = of(board, '.').is_empty();
            if is_line(board) { Some(completed) } else { is_full.then_some(Outcome::Draw) }
        };
        let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
        model.agrees("wild-tic-tac-toe", &format!("play={play}"));
    }
}

/// The heaps from which the player to move loses are (0, 0), (1, 2), (3, 5), (4, 7) and (6, 10), either way round.
#[test]
fn wythoff_loses_on_pairs_of_the_golden_ratio() {
    let game = game("wythoff", "rows=11 cols=11");
    let solution = crate::model::solved(&game);
    for row in 0..11 {
        for col in 0..11 {
            let place = |square| if square == (row, col) { 'X' } else { '.' };
            let rows = (0..11).map(|r| (0..11).map(|c| place((r, c))).collect::<String>());
            let text = rows.collect::<Vec<_>>().join("/");
            let Node::At(position) = game.read(&text).unwrap().node else { panic!("no opening") };
            let pair = (row.min(col), row.max(col));
            let expected = [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)].contains(&pair);
            assert_eq!(solution.outcome(position) == Some(Outcome::Loss), expected, "{pair:?}");
        }
    }
}
