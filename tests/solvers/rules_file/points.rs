//! Games in which few pieces go along the lines of a small board. Independent models check them, as in [`super::moving`].

use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, with};
use tablegen::rules::Outcome;

/// The letter of the player to move, that of the other player, and the same in lower case.
fn letters(mode: &str) -> (char, char, String) {
    let (own, other) = if mode.starts_with('x') { ('X', 'O') } else { ('O', 'X') };
    (own, other, other.to_lowercase().to_string())
}

/// X and O put their men in hand on the squares of `puts`, and then move them by `steps`. A player with a man on each square of one of
/// the `lines` wins.
fn put_and_move(
    (name, set): (&str, &str),
    puts: &dyn Fn(Step) -> bool,
    steps: &dyn Fn(Step, Step) -> bool,
    lines: &[Vec<Step>],
) {
    let over = |(board, mode): &State| {
        let (_, other, _) = letters(mode);
        let has = |line: &Vec<Step>| line.iter().all(|&square| at(board, square) == Some(other));
        lines.iter().any(has).then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, _, next) = letters(mode);
        let free = of(board, '.');
        if let Some((_, hands)) = mode.split_once('-') {
            let mut hands: Vec<usize> = hands.split('-').map(|number| number.parse().unwrap()).collect();
            hands[usize::from(own == 'O')] -= 1;
            let is_empty = hands.iter().all(|&number| number == 0);
            let next = if is_empty { next } else { format!("{next}-{}-{}", hands[0], hands[1]) };
            return free
                .into_iter()
                .filter(|&to| puts(to))
                .map(|to| (with(board, &[(to, own)]), next.clone()))
                .collect();
        }
        let pairs = of(board, own).into_iter().flat_map(|from| free.iter().map(move |&to| (from, to)));
        let possible = pairs.filter(|&(from, to)| steps(from, to));
        possible.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), next.clone())).collect()
    };
    Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn }.agrees(name, set);
}

fn distance(from: Step, to: Step) -> (i32, i32) {
    let (rows, cols) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    (rows.min(cols), rows.max(cols))
}

/// The lines of `length` squares from each square of `squares` in four directions, whose squares all belong to `squares`.
fn lines(squares: &[Step], length: i32, ways: &[Step]) -> Vec<Vec<Step>> {
    let from = |&square: &Step| ways.iter().map(move |&way| (0..length).map(|far| on(square, way, far)).collect());
    squares
        .iter()
        .flat_map(from)
        .filter(|line: &Vec<Step>| line.iter().all(|square| squares.contains(square)))
        .collect()
}

fn squares(rows: i32, cols: i32) -> Vec<Step> {
    (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect()
}

#[test]
fn picaria() {
    let points: Vec<Step> = squares(5, 5).into_iter().filter(|(row, col)| (row + col) % 2 == 0).collect();
    let mut all = lines(&points, 3, &[(1, 1), (1, -1)]);
    all.extend(lines(&points, 3, &[(0, 2), (2, 0)]));
    // Between points of the grid, or between a point of the grid and a centre.
    let is_grid = |(row, col): Step| row % 2 == 0 && col % 2 == 0;
    let steps = |from, to| distance(from, to) == (0, 2) && is_grid(from) && is_grid(to) || distance(from, to) == (1, 1);
    put_and_move(("picaria", ""), &|to| to != (2, 2), &steps, &all);
}

#[test]
fn three_mens_morris_and_achi() {
    // Diagonals pass through the middle.
    let steps = |from: Step, to: Step| match distance(from, to) {
        (0, 1) => true,
        apart => apart == (1, 1) && (from.0 + from.1) % 2 == 0,
    };
    let all = lines(&squares(3, 3), 3, &[(0, 1), (1, 0), (1, 1), (1, -1)]);
    put_and_move(("three-mens-morris", ""), &|_| true, &steps, &all);
    put_and_move(("achi", ""), &|_| true, &steps, &all);
}

#[test]
fn nine_holes() {
    put_and_move(("nine-holes", ""), &|_| true, &|_, _| true, &lines(&squares(3, 3), 3, &[(0, 1), (1, 0)]));
}

#[test]
fn teeko() {
    for (rows, cols) in [(3, 3), (3, 4)] {
        let squares = squares(rows, cols);
        let all = lines(&squares, 3, &[(0, 1), (1, 0), (1, 1), (1, -1)]);
        let steps = |from, to| distance(from, to).1 == 1;
        put_and_move(("teeko", &format!("rows={rows} cols={cols}")), &|_| true, &steps, &all);
    }
    // Four men, which win in a square as well; lines of four do not fit.
    let all: Vec<Vec<Step>> = squares(2, 2)
        .into_iter()
        .map(|(row, col)| squares(2, 2).into_iter().map(|(r, c)| (row + r, col + c)).collect())
        .collect();
    put_and_move(("teeko", "rows=3 cols=3 men=4"), &|_| true, &|from, to| distance(from, to).1 == 1, &all);
}

/// The ring around the centre of three by three squares.
const RING: [Step; 8] = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)];
const CENTRE: Step = (1, 1);

fn are_near(from: Step, to: Step) -> bool {
    let place = |square| RING.iter().position(|&point| point == square);
    match (place(from), place(to)) {
        (Some(from), Some(to)) => [1, 7].contains(&((from + 8 - to) % 8)),
        _ => true,
    }
}

#[test]
fn shisima() {
    let all: Vec<Vec<Step>> = (0..4).map(|point| vec![RING[point], CENTRE, RING[point + 4]]).collect();
    put_and_move(("shisima", ""), &|_| true, &are_near, &all);
}

#[test]
fn mu_torere() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other, next) = if mode == "black" { ('B', 'W', "white") } else { ('W', 'B', "black") };
        let free = of(board, '.')[0];
        let has_enemy = |from: Step| RING.iter().any(|&to| are_near(from, to) && at(board, to) == Some(other));
        let goes = |&from: &Step| are_near(from, free) && (free != CENTRE || has_enemy(from));
        let after = |from| (with(board, &[(from, '.'), (free, own)]), next.to_owned());
        of(board, own).into_iter().filter(goes).map(after).collect()
    };
    Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn }.agrees("mu-torere", "");
}

#[test]
fn pong_hau_ki() {
    let is_joined = |one: Step, other: Step| {
        let sides = [[(0, 0), (2, 0)], [(2, 0), (2, 2)], [(2, 2), (0, 2)]];
        one == CENTRE || other == CENTRE || sides.iter().any(|side| side.contains(&one) && side.contains(&other))
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "black" { ('B', "white") } else { ('W', "black") };
        let free = of(board, '.')[0];
        let from = of(board, own).into_iter().filter(|&from| is_joined(from, free));
        from.map(|from| (with(board, &[(from, '.'), (free, own)]), next.to_owned())).collect()
    };
    Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn }.agrees("pong-hau-ki", "");
}

#[test]
fn isolation() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, _, next) = letters(mode);
        let free = of(board, '.');
        if mode.ends_with("blocks") {
            return free.into_iter().map(|to| (with(board, &[(to, '*')]), next.clone())).collect();
        }
        let from = of(board, own)[0];
        let near = free.into_iter().filter(|&to| distance(from, to).1 == 1);
        near.map(|to| (with(board, &[(from, '.'), (to, own)]), format!("{mode}-blocks"))).collect()
    };
    let again = |from: &str, to: &str| from[..1] == to[..1];
    for set in ["rows=2 cols=2", "rows=2 cols=4", "rows=3 cols=3"] {
        Model { terminal: Outcome::Loss, over: &never, moves: &moves, again }.agrees("isolation", set);
    }
}

#[test]
fn fox_and_hounds() {
    let over = |(board, mode): &State| {
        let is_home = board[0].contains(&'F');
        (mode == "hounds" && is_home).then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next, ways) =
            if mode == "fox" { ('F', "hounds", &CORNERS[..]) } else { ('H', "fox", &[(1, 1), (1, -1)][..]) };
        let steps = of(board, own).into_iter().flat_map(|from| ways.iter().map(move |&way| (from, on(from, way, 1))));
        let free = steps.filter(|&(_, to)| at(board, to) == Some('.'));
        free.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), next.to_owned())).collect()
    };
    for size in 4..=6 {
        let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
        model.agrees("fox-and-hounds", &format!("size={size}"));
    }
}

#[test]
fn hexapawn() {
    let over = |(board, _): &State| {
        let last = board.len() - 1;
        (board[0].contains(&'W') || board[last].contains(&'B')).then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other, next, ahead) = if mode == "white" { ('W', 'B', "black", -1) } else { ('B', 'W', "white", 1) };
        let targets = [((ahead, 0), '.'), ((ahead, -1), other), ((ahead, 1), other)];
        let steps =
            of(board, own).into_iter().flat_map(|from| targets.map(|(way, needs)| (from, on(from, way, 1), needs)));
        let possible = steps.filter(|&(_, to, needs)| at(board, to) == Some(needs));
        possible.map(|(from, to, _)| (with(board, &[(from, '.'), (to, own)]), next.to_owned())).collect()
    };
    for (rows, cols) in [(3, 2), (3, 3), (4, 3), (3, 4)] {
        let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
        model.agrees("hexapawn", &format!("rows={rows} cols={cols}"));
    }
}

#[test]
fn cannibal_clobber() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, _, next) = letters(mode);
        let steps = of(board, own).into_iter().flat_map(|from| SIDES.map(|way| (from, on(from, way, 1))));
        let onto = steps.filter(|&(_, to)| matches!(at(board, to), Some('X' | 'O')));
        onto.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), next.clone())).collect()
    };
    for (rows, cols) in [(1, 5), (2, 3), (3, 3)] {
        let model = Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn };
        model.agrees("cannibal-clobber", &format!("rows={rows} cols={cols}"));
    }
}
