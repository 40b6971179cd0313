//! Games in which squares are filled. Independent models check them, as in [`super::moving`].

use super::marks::{Board, impartial, partisan};
use crate::model::{CORNERS, Model, SIDES, State, Step, at, has_line, in_turn, of, on, with};
use tablegen::rules::Outcome;

/// The boards after laying one of `pieces`, all of whose squares must be free.
fn lay(board: &[Vec<char>], pieces: impl Iterator<Item = Vec<Step>>) -> Vec<Board> {
    let fits = |piece: &Vec<Step>| piece.iter().all(|&square| at(board, square) == Some('.'));
    let laid = |piece: Vec<Step>| with(board, &piece.into_iter().map(|square| (square, 'X')).collect::<Vec<_>>());
    pieces.filter(fits).map(laid).collect()
}

/// The free square `from`, and the squares at these offsets from it.
fn piece(from: Step, steps: &[Step]) -> Vec<Step> {
    [from].into_iter().chain(steps.iter().map(|&step| on(from, step, 1))).collect()
}

#[test]
fn games_of_pieces() {
    let sizes = ["rows=1 cols=7", "rows=2 cols=3", "rows=3 cols=3", "rows=4 cols=3"];
    let pins: Vec<String> = (1..=9).map(|pins| format!("pins={pins}")).collect();
    let pins: Vec<&str> = pins.iter().map(String::as_str).collect();
    let cram = |(board, _): &State| {
        lay(board, of(board, '.').into_iter().flat_map(|at| [piece(at, &[(0, 1)]), piece(at, &[(1, 0)])]))
    };
    impartial("cram", &sizes, &cram);
    impartial("dawsons-kayles", &pins, &cram);
    let kayles =
        |(board, _): &State| lay(board, of(board, '.').into_iter().flat_map(|at| [vec![at], piece(at, &[(0, 1)])]));
    impartial("kayles", &pins, &kayles);
    let trominoes = |(board, _): &State| {
        let corners = |at: Step| CORNERS.map(|(row, col)| piece(at, &[(row, 0), (0, col)]));
        lay(board, of(board, '.').into_iter().flat_map(corners))
    };
    impartial("trominoes", &sizes, &trominoes);
}

#[test]
fn domineering() {
    let moves = |board: &[Vec<char>], is_left: bool| {
        let step = if is_left { (1, 0) } else { (0, 1) };
        lay(board, of(board, '.').into_iter().map(|at| piece(at, &[step])))
    };
    let sizes = ["rows=1 cols=1", "rows=2 cols=3", "rows=3 cols=3", "rows=3 cols=4", "rows=4 cols=3"];
    partisan("domineering", &sizes, ["left", "right"], &moves);
}

#[test]
fn col_and_snort() {
    for (name, own) in [("col", true), ("snort", false)] {
        let moves = |board: &[Vec<char>], is_left: bool| {
            let (mine, yours) = if is_left { ('L', 'R') } else { ('R', 'L') };
            let hostile = Some(if own { mine } else { yours });
            let fits = |square: &Step| SIDES.iter().all(|&side| at(board, on(*square, side, 1)) != hostile);
            of(board, '.').into_iter().filter(fits).map(|square| with(board, &[(square, mine)])).collect()
        };
        let sizes = ["rows=1 cols=1", "rows=1 cols=5", "rows=2 cols=3", "rows=3 cols=3"];
        partisan(name, &sizes, ["left", "right"], &moves);
    }
}

#[test]
fn games_of_lines() {
    let moves = |(board, _): &State| -> Vec<State> {
        of(board, '.').into_iter().map(|square| (with(board, &[(square, 'X')]), String::new())).collect()
    };
    // In normal play the player who completes a line wins, so the player to move then has lost.
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        let over = |(board, _): &State| has_line(board, 'X', 3).then_some(terminal);
        let model = Model { terminal, over: &over, moves: &moves, again: in_turn };
        for squares in 3..=9 {
            model.agrees("treblecross", &format!("squares={squares} play={play}"));
        }
        for size in ["rows=3 cols=3", "rows=2 cols=4", "rows=3 cols=4"] {
            model.agrees("notakto", &format!("{size} play={play}"));
        }
    }
}

#[test]
fn connect_four() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "x" { ('X', "o") } else { ('O', "x") };
        let is_lowest = |square: &Step| matches!(at(board, on(*square, (1, 0), 1)), None | Some('X' | 'O'));
        let drops = of(board, '.').into_iter().filter(is_lowest);
        drops.map(|square| (with(board, &[(square, own)]), next.to_owned())).collect()
    };
    let over = |(board, mode): &State| has_line(board, if mode == "x" { 'O' } else { 'X' }, 3).then_some(Outcome::Loss);
    let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
    for size in ["rows=3 cols=3", "rows=3 cols=4", "rows=4 cols=3"] {
        model.agrees("connect-four", &format!("{size} line=3"));
    }
}

#[test]
fn hex() {
    const NEAR: [Step; 6] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)];
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "red" { ('R', "blue") } else { ('B', "red") };
        of(board, '.').into_iter().map(|square| (with(board, &[(square, own)]), next.to_owned())).collect()
    };
    // The player who has just moved may have a chain: Red from the top, Blue from the left.
    let over = |(board, mode): &State| {
        let is_red = mode == "blue";
        let place = |square: &Step| if is_red { square.0 } else { square.1 };
        let far = if is_red { board.len() } else { board[0].len() } as i32 - 1;
        let stones = of(board, if is_red { 'R' } else { 'B' });
        let mut chain: Vec<Step> = stones.iter().filter(|stone| place(stone) == 0).copied().collect();
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            next += 1;
            let near = NEAR.map(|step| on(stone, step, 1)).into_iter().filter(|near| stones.contains(near));
            let new: Vec<Step> = near.filter(|near| !chain.contains(near)).collect();
            chain.extend(new);
        }
        chain.iter().any(|stone| place(stone) == far).then_some(Outcome::Loss)
    };
    let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
    for size in ["rows=1 cols=3", "rows=2 cols=2", "rows=3 cols=2", "rows=3 cols=3"] {
        model.agrees("hex", size);
    }
}

#[test]
fn games_of_bites() {
    let bites = |board: &[Vec<char>], is_gone: &dyn Fn(Step, Step) -> bool| {
        let squares = [of(board, '.'), of(board, 'X')].concat();
        let bite = |from: Step| {
            let gone = squares.iter().filter(|&&square| is_gone(from, square));
            with(board, &gone.map(|&square| (square, 'X')).collect::<Vec<_>>())
        };
        of(board, '.').into_iter().map(bite).collect()
    };
    let chomp = |(board, _): &State| bites(board, &|from, square| square.0 >= from.0 && square.1 >= from.1);
    impartial("chomp", &["rows=3 cols=4"], &chomp);
    let nim = |(board, _): &State| bites(board, &|from, square| square.0 == from.0 && square.1 >= from.1);
    impartial("nim", &["a=1 b=3 c=4"], &nim);
}
