//! Games of marks and of coins on a strip. Independent models check them, as in [`super::moving`].

use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, with};
use tablegen::rules::Outcome;

/// The rows of a board.
pub(super) type Board = Vec<Vec<char>>;

/// The boards after each move of the first side, or of the second.
pub(super) type PartisanMoves<'a> = &'a dyn Fn(&[Vec<char>], bool) -> Vec<Board>;

/// Compares an impartial game with `moves`, in normal and in misère play.
pub(super) fn impartial(name: &str, sizes: &[&str], moves: &dyn Fn(&State) -> Vec<Board>) {
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        let moves =
            |state: &State| -> Vec<State> { moves(state).into_iter().map(|board| (board, String::new())).collect() };
        for size in sizes {
            let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
            model.agrees(name, &format!("{size} play={play}"));
        }
    }
}

/// The boards after filling a free square and all squares that a chess piece on it attacks.
fn after_placing(board: &[Vec<char>], attacks: &dyn Fn(Step, Step) -> bool) -> Vec<Board> {
    let all: Vec<Step> = [of(board, '.'), of(board, 'X')].concat();
    let place = |to: Step| {
        let fills = all.iter().filter(|&&square| square == to || attacks(to, square));
        with(board, &fills.map(|&square| (square, 'X')).collect::<Vec<_>>())
    };
    of(board, '.').into_iter().map(place).collect()
}

#[test]
fn pieces_that_fill_what_they_attack() {
    let sizes = ["rows=1 cols=3", "rows=2 cols=3", "rows=3 cols=3", "rows=4 cols=4"];
    let queen = |a: Step, b: Step| a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs() == (a.1 - b.1).abs();
    impartial("queens", &[&sizes[..], &["rows=5 cols=5"]].concat(), &|(board, _)| after_placing(board, &queen));
    let knight = |a: Step, b: Step| (a.0 - b.0).abs() * (a.1 - b.1).abs() == 2;
    impartial("knights", &sizes, &|(board, _)| after_placing(board, &knight));
    let sizes = ["rows=1 cols=8", "rows=2 cols=4", "rows=3 cols=3", "rows=3 cols=4"];
    let king = |a: Step, b: Step| (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1;
    impartial("kings", &sizes, &|(board, _)| after_placing(board, &king));
    let side = |a: Step, b: Step| (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1;
    impartial("node-kayles", &sizes, &|(board, _)| after_placing(board, &side));
    impartial("dawsons-chess", &["files=9"], &|(board, _)| after_placing(board, &side));
    // The Petersen graph: vertices a to e, v to z, in the rows of the drawing.
    let joined = |a: Step, b: Step| {
        let rows = ["a", "v", "eb", "zw", "yx", "dc"];
        let name = |(row, col): Step| char::from(rows[row as usize].as_bytes()[col as usize]);
        let edges = "ab bc cd de ea av bw cx dy ez vx xz zw wy yv";
        edges.split(' ').any(|edge| edge.contains(name(a)) && edge.contains(name(b)))
    };
    impartial("petersen-kayles", &[""], &|(board, _)| after_placing(board, &joined));
}

#[test]
fn coins_on_a_strip() {
    let sizes =
        |name: &str, least: usize| -> Vec<String> { (least..=9).map(|size| format!("{name}={size}")).collect() };
    let strip = |board: &[Vec<char>], from: Step, to: Step| with(board, &[(from, '.'), (to, 'X')]);
    let silver_dollar = |(board, _): &State| {
        let slides = |from: Step| (1..).map(move |far| (0, from.1 - far)).take_while(|&to| at(board, to) == Some('.'));
        of(board, 'X').into_iter().flat_map(|from| slides(from).map(move |to| strip(board, from, to))).collect()
    };
    let squares = sizes("squares", 3);
    let squares: Vec<&str> = squares.iter().map(String::as_str).collect();
    impartial("silver-dollar", &squares, &silver_dollar);
    let welter = |(board, _): &State| {
        let pairs = of(board, 'X').into_iter().flat_map(|from| of(board, '.').into_iter().map(move |to| (from, to)));
        pairs.filter(|(from, to)| to.1 < from.1).map(|(from, to)| strip(board, from, to)).collect()
    };
    impartial("welter", &["squares=3 coins=1", "squares=6 coins=3", "squares=8 coins=2", "squares=9 coins=4"], &welter);
    let turtles = |(board, _): &State| {
        let turned = |square: Step| (square, if at(board, square) == Some('X') { '.' } else { 'X' });
        let of_coin = |coin: Step| {
            let alone = with(board, &[(coin, '.')]);
            let both = (0..coin.1).map(move |col| with(board, &[(coin, '.'), turned((0, col))]));
            std::iter::once(alone).chain(both)
        };
        of(board, 'X').into_iter().flat_map(of_coin).collect()
    };
    let coins = sizes("coins", 2);
    impartial("turning-turtles", &coins.iter().map(String::as_str).collect::<Vec<_>>(), &turtles);
}

/// Left has `first` and Right has `second`: the sides, their pieces, and their moves.
pub(super) fn partisan(name: &str, sizes: &[&str], sides: [&str; 2], moves: PartisanMoves<'_>) {
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        let moves = |(board, mode): &State| -> Vec<State> {
            let is_left = mode == sides[0];
            moves(board, is_left).into_iter().map(|board| (board, sides[usize::from(is_left)].to_owned())).collect()
        };
        for size in sizes {
            let model = Model { terminal, over: &never, moves: &moves, again: in_turn };
            model.agrees(name, &format!("{size} play={play}"));
        }
    }
}

#[test]
fn fission() {
    let moves = |board: &[Vec<char>], is_left: bool| {
        let way = if is_left { (1, 0) } else { (0, 1) };
        let ends = |from: Step| [on(from, way, 1), on(from, way, -1)];
        let splits = of(board, 'X').into_iter().filter(|&from| ends(from).iter().all(|&to| at(board, to) == Some('.')));
        splits.map(|from| with(board, &[(from, '.'), (ends(from)[0], 'X'), (ends(from)[1], 'X')])).collect()
    };
    partisan("fission", &["rows=3 cols=3", "rows=4 cols=3", "rows=4 cols=4"], ["left", "right"], &moves);
}

#[test]
fn rows_of_dominoes_and_of_animals() {
    let topple = |board: &[Vec<char>], is_left: bool| {
        let last = board[0].len() as i32 - 1;
        let own = of(board, '.').into_iter().filter(|square| (square.1 % 2 == 0) == is_left);
        let falls = own.flat_map(|square| [(0..=square.1), (square.1..=last)]);
        falls.map(|cols| with(board, &cols.map(|col| ((0, col), 'X')).collect::<Vec<_>>())).collect()
    };
    let sizes = ["dominoes=1", "dominoes=2", "dominoes=5", "dominoes=8"];
    partisan("toppling-dominoes", &sizes, ["left", "right"], &topple);
    let step = |board: &[Vec<char>], is_left: bool| {
        let (own, way) = if is_left { ('E', 1) } else { ('R', -1) };
        let free = of(board, own).into_iter().filter(|&from| at(board, on(from, (0, way), 1)) == Some('.'));
        free.map(|from| with(board, &[(from, '.'), (on(from, (0, way), 1), own)])).collect()
    };
    let sizes = ["elephants=1 gap=1 rhinos=1", "elephants=2 gap=4 rhinos=3", "elephants=3 gap=3 rhinos=3"];
    partisan("elephants-and-rhinos", &sizes, ["elephants", "rhinos"], &step);
}

#[test]
fn nimstring() {
    let is_closed =
        |board: &[Vec<char>], middle: Step| SIDES.iter().all(|&side| at(board, on(middle, side, 1)) == Some('X'));
    let moves = |(board, mode): &State| -> Vec<State> {
        let draw = |line: Step| {
            let drawn = with(board, &[(line, 'X')]);
            let middles = if line.0 % 2 == 0 { [(1, 0), (-1, 0)] } else { [(0, 1), (0, -1)] };
            let closes = middles.iter().any(|&side| is_closed(&drawn, on(line, side, 1)));
            let stays = closes == (mode == "first");
            (drawn, if stays { "first" } else { "second" }.to_owned())
        };
        of(board, '.').into_iter().map(draw).collect()
    };
    for size in ["rows=1 cols=1", "rows=1 cols=3", "rows=2 cols=2"] {
        let model = Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: |from, to| from == to };
        model.agrees("nimstring", size);
    }
}

/// X and O mark squares, and the first with one of `goals` wins; a full board is a draw.
pub(super) fn achieved(name: &str, set: &str, (own, other): (&str, &str), goals: &[Vec<Step>]) {
    let letter = |mode: &str| mode[..1].to_uppercase().chars().next().unwrap();
    let over = |(board, mode): &State| {
        let last = letter(if mode == own { other } else { own });
        let has = |goal: &Vec<Step>| goal.iter().all(|&square| at(board, square) == Some(last));
        goals.iter().any(has).then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let next = if mode == own { other } else { own };
        of(board, '.').into_iter().map(|to| (with(board, &[(to, letter(mode))]), next.to_owned())).collect()
    };
    Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn }.agrees(name, set);
}

#[test]
fn first_to_complete_a_pattern() {
    // A step to the side, a corner ahead, and a step on: the skew tetrominoes of both kinds, upright and across.
    let mut skew = Vec::new();
    for row in 0..3 {
        for col in 0..4 {
            for turn in CORNERS {
                let (across, upright) = ((0, turn.1), (turn.0, 0));
                for (first, last) in [(across, across), (upright, upright)] {
                    let second = on((row, col), first, 1);
                    let third = (row + turn.0, col + turn.1);
                    skew.push(vec![(row, col), second, third, on(third, last, 1)]);
                }
            }
        }
    }
    for (rows, cols) in [(2, 3), (3, 3), (3, 4)] {
        let fits =
            |goal: &&Vec<Step>| goal.iter().all(|&(row, col)| (0..rows).contains(&row) && (0..cols).contains(&col));
        let goals: Vec<Vec<Step>> = skew.iter().filter(fits).cloned().collect();
        achieved("tippy", &format!("rows={rows} cols={cols}"), ("x", "o"), &goals);
    }
    // The line between points i < j lies in row i, as number j - i.
    let line = |i: i32, j: i32| (i, j - i - 1);
    let mut triangles = Vec::new();
    for k in 0..5 {
        for j in 0..k {
            triangles.extend((0..j).map(|i| vec![line(i, j), line(i, k), line(j, k)]));
        }
    }
    achieved("triangles", "", ("red", "blue"), &triangles);
}
