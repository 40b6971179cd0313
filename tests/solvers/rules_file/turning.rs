//! Games whose pieces turn over, are lifted or are surrounded, and games with a pass. Independent models check them, as in
//! [`super::moving`].

use std::collections::{HashMap, HashSet};

use fastrand::Rng;

use super::marks::achieved;
use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, solved, start, state, with};
use crate::rules_file::{game, read};
use tablegen::game::Game;
use tablegen::rules::{Outcome, Position};
use tablegen::search::{AlphaBeta, Search};

/// All eight directions.
fn ways() -> impl Iterator<Item = Step> + Clone {
    SIDES.into_iter().chain(CORNERS)
}

/// The outcome for the player to move if more points win.
fn by_points(own: usize, other: usize) -> Outcome {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => Outcome::Loss,
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Greater => Outcome::Win,
    }
}

/// The boards after each move of Reversi, without passes.
fn turned_over(board: &[Vec<char>], own: char, other: char) -> Vec<Vec<Vec<char>>> {
    let line = |to: Step, way: Step| -> Vec<Step> {
        let turned: Vec<Step> =
            (1..).map(|far| on(to, way, far)).take_while(|&square| at(board, square) == Some(other)).collect();
        if at(board, on(to, way, turned.len() as i32 + 1)) == Some(own) { turned } else { Vec::new() }
    };
    let after = |to: Step| {
        let turned: Vec<Step> = ways().flat_map(|way| line(to, way)).collect();
        let new = turned.iter().chain([&to]).map(|&square| (square, own));
        (!turned.is_empty()).then(|| with(board, &new.collect::<Vec<_>>()))
    };
    of(board, '.').into_iter().filter_map(after).collect()
}

/// The letters of the player to move in Reversi and of the other player, and the other player's mode.
fn letters(mode: &str) -> (char, char, &'static str) {
    if mode.starts_with("black") { ('B', 'W', "white") } else { ('W', 'B', "black") }
}

/// The outcome of Reversi if both players have passed.
fn reversi_over((board, mode): &State) -> Option<Outcome> {
    let (own, other, _) = letters(mode);
    let is_over = mode.ends_with("-again") && turned_over(board, own, other).is_empty();
    is_over.then(|| by_points(of(board, own).len(), of(board, other).len()))
}

fn reversi_moves((board, mode): &State) -> Vec<State> {
    let (own, other, next) = letters(mode);
    let found = turned_over(board, own, other);
    let pass = found.is_empty().then(|| (board.clone(), format!("{next}-again")));
    found.into_iter().map(|board| (board, next.to_owned())).chain(pass).collect()
}

#[test]
fn reversi() {
    for size in ["rows=3 cols=3", "rows=3 cols=4", "rows=4 cols=3", "rows=4 cols=4"] {
        let model = Model { terminal: Outcome::Loss, over: &reversi_over, moves: &reversi_moves, again: in_turn };
        model.agrees("reversi", size);
    }
}

/// On larger boards the lines of a square are listed and not their combinations. Along random play the moves are those of the model, and
/// near the end the searches find its outcomes.
#[test]
fn reversi_on_large_boards() {
    fn outcome_of(state: &State, known: &mut HashMap<State, Outcome>) -> Outcome {
        if let Some(outcome) = reversi_over(state).or_else(|| known.get(state).copied()) {
            return outcome;
        }
        let replies = reversi_moves(state).into_iter();
        let best = replies.map(|reply| outcome_of(&reply, known).flip()).max().expect("a move or a pass");
        known.insert(state.clone(), best);
        best
    }
    let mut rng = Rng::with_seed(6);
    let mut compared = 0;
    for size in ["rows=5 cols=5", "rows=4 cols=7", "rows=6 cols=6", "rows=8 cols=8"] {
        let game = game("reversi", size);
        let mut searches = (AlphaBeta::new(game.rules(), 1 << 20).unwrap(), Search::new(game.rules()));
        for _ in 0..12 {
            let mut position = start(&game);
            loop {
                let state_of = |position: Position| state(&game, position.into());
                let state = state_of(position);
                let replies = game.rules().replies(position.into());
                let found: Vec<State> = replies.iter().map(|&reply| state_of(reply)).collect();
                let expected = if reversi_over(&state).is_some() { Vec::new() } else { reversi_moves(&state) };
                assert!(
                    found.len() == expected.len() && expected.iter().all(|reply| found.contains(reply)),
                    "{state:?}"
                );
                let names: HashSet<String> =
                    replies.iter().map(|&reply| game.write_move(position.into(), reply)).collect();
                assert_eq!(names.len(), replies.len(), "{state:?}");
                if of(&state.0, '.').len() <= 6 {
                    let expected = outcome_of(&state, &mut HashMap::new());
                    assert_eq!(searches.0.outcome(position.into()), Ok(expected), "{state:?}");
                    assert_eq!(searches.1.outcome(position.into()), Ok(expected), "{state:?}");
                    compared += 1;
                }
                let Some(&next) = rng.choice(&replies) else { break };
                position = next;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn slimetrail() {
    for (rows, cols) in [(2, 3), (3, 3), (4, 4), (2, 5)] {
        let place = |mode: &str| -> Step {
            match mode.split_once('-') {
                Some((_, name)) => (name[1..].parse::<i32>().unwrap() - 1, i32::from(name.as_bytes()[0] - b'a')),
                None => (rows / 2, cols / 2),
            }
        };
        let is_first = |mode: &str| !mode.starts_with("second");
        let over = |(_, mode): &State| {
            let first_wins = match place(mode) {
                (0, 0) => true,
                at if at == (rows - 1, cols - 1) => false,
                _ => return None,
            };
            Some(if first_wins == is_first(mode) { Outcome::Win } else { Outcome::Loss })
        };
        let moves = |(board, mode): &State| -> Vec<State> {
            let next = if is_first(mode) { "second" } else { "first" };
            let free = ways().map(|way| on(place(mode), way, 1)).filter(|&to| at(board, to) == Some('.'));
            let name = |(row, col): Step| format!("{next}-{}{}", char::from(b'a' + col as u8), row + 1);
            free.map(|to| (with(board, &[(to, 'X')]), name(to))).collect()
        };
        let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
        model.agrees("slimetrail", &format!("rows={rows} cols={cols}"));
    }
}

/// The squares of an L in each of its places.
fn places() -> Vec<Vec<Step>> {
    let mut places = Vec::new();
    for (row, col) in (0..4).flat_map(|row| (0..4).map(move |col| (row, col))) {
        // A long arm of three squares, and a foot beside its first square.
        for (long, foot) in ways().flat_map(|long| SIDES.map(|foot| (long, foot))) {
            let is_bent = long.0 * foot.0 + long.1 * foot.1 == 0;
            let mut squares: Vec<Step> = (0..3).map(|far| on((row, col), long, far)).collect();
            squares.push(on((row, col), foot, 1));
            let fits = squares.iter().all(|&(row, col)| (0..4).contains(&row) && (0..4).contains(&col));
            if SIDES.contains(&long) && is_bent && fits {
                squares.sort_unstable();
                places.push(squares);
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 48);
    places
}

#[test]
fn the_l_game() {
    let places = places();
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other) = if mode.starts_with('x') { ('X', "o") } else { ('O', "x") };
        if mode.ends_with("-neutral") {
            let pairs =
                of(board, '*').into_iter().flat_map(|from| of(board, '.').into_iter().map(move |to| (from, to)));
            let moved = pairs.map(|(from, to)| with(board, &[(from, '.'), (to, '*')]));
            return moved.chain([board.clone()]).map(|board| (board, other.to_owned())).collect();
        }
        let old = of(board, own);
        let without = with(board, &old.iter().map(|&square| (square, '.')).collect::<Vec<_>>());
        let free = |place: &&Vec<Step>| **place != old && place.iter().all(|&square| at(&without, square) == Some('.'));
        let laid = |place: &Vec<Step>| with(&without, &place.iter().map(|&square| (square, own)).collect::<Vec<_>>());
        places.iter().filter(free).map(|place| (laid(place), format!("{mode}-neutral"))).collect()
    };
    let again = |from: &str, to: &str| from.as_bytes()[0] == to.as_bytes()[0];
    Model { terminal: Outcome::Loss, over: &never, moves: &moves, again }.agrees("l-game", "");
}

/// Returns whether some group of the stones of `colour` has no free neighbour.
fn is_surrounded(board: &[Vec<char>], colour: char) -> bool {
    of(board, colour).into_iter().any(|first| {
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&square) = group.get(next) {
            next += 1;
            for to in SIDES.map(|way| on(square, way, 1)) {
                if at(board, to) == Some('.') {
                    return false;
                }
                if at(board, to) == Some(colour) && !group.contains(&to) {
                    group.push(to);
                }
            }
        }
        true
    })
}

#[test]
fn stones_without_liberties() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "black" { ('B', "white") } else { ('W', "black") };
        of(board, '.').into_iter().map(|to| (with(board, &[(to, own)]), next.to_owned())).collect()
    };
    // A capture is good for the player who made it, and losing one's own group is bad.
    let over = |(board, mode): &State| {
        let [mover, other] = if mode == "black" { ['B', 'W'] } else { ['W', 'B'] };
        let capture = is_surrounded(board, mover).then_some(Outcome::Loss);
        capture.or_else(|| is_surrounded(board, other).then_some(Outcome::Win))
    };
    // In NoGo, no move takes the last free neighbour of a group.
    let careful = |state: &State| -> Vec<State> {
        let is_safe = |(board, _): &State| !is_surrounded(board, 'B') && !is_surrounded(board, 'W');
        moves(state).into_iter().filter(is_safe).collect()
    };
    for size in ["rows=1 cols=1", "rows=1 cols=6", "rows=2 cols=3", "rows=3 cols=3", "rows=2 cols=4"] {
        let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
        model.agrees("capture-go", size);
        let model = Model { terminal: Outcome::Loss, over: &never, moves: &careful, again: in_turn };
        model.agrees("nogo", size);
    }
}

/// If banned moves were moves that lose at once, every position would have the same outcome.
#[test]
fn the_ban_of_nogo_changes_no_outcome() {
    let file = tablegen::game::library().iter().find(|file| file.name == "nogo").unwrap();
    let ends =
        ["mover", "completer"].map(|of| format!("[[end]]\nsurrounded = true\nof = \"{of}\"\ncompleter = \"loses\"\n"));
    let losing = format!("{}\n{}", file.text.replace("liberties = true\n", ""), ends.concat());
    for size in ["rows=1 cols=6", "rows=2 cols=3", "rows=3 cols=3", "rows=2 cols=4"] {
        let [banned, losing] = [game("nogo", size), read(&losing, size).unwrap()];
        let [of_banned, of_losing] = [&banned, &losing].map(|game| solved(game));
        let (mut open, mut seen) = (vec![start(&banned)], HashSet::new());
        while let Some(position) = open.pop() {
            assert_eq!(of_banned.outcome(position), of_losing.outcome(position), "{size} {position:?}");
            open.extend(banned.rules().replies(position.into()).into_iter().filter(|&next| seen.insert(next)));
        }
        assert!(seen.len() > 20, "{size}: {}", seen.len());
    }
}

/// A player puts a stone or blocks a square. Stones without a free neighbour lose, and so does a line of the other side's stones.
#[test]
fn stones_and_walls() {
    let text = "name = 'walls'\nsides = ['black', 'white']\nboard = { rows = 2, cols = 3, colours = 'BW' }\n\
                move = [{ shape = 'X' }, { shape = 'B' }]\nstart = { side = 'black' }\n\
                end = [{ surrounded = true, of = 'mover', completer = 'wins' }, { line = 3, completer = 'wins' }]\n";
    let over = |(board, mode): &State| {
        let [mover, other] = if mode == "black" { ['B', 'W'] } else { ['W', 'B'] };
        let line = (0..2).any(|row| (0..3).all(|col| at(board, (row, col)) == Some(other)));
        (is_surrounded(board, mover) || line).then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "black" { ('B', "white") } else { ('W', "black") };
        let free = of(board, '.').into_iter().flat_map(|to| [(to, own), (to, '*')]);
        free.map(|change| (with(board, &[change]), next.to_owned())).collect()
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
    model.agrees_on(&read(text, "").unwrap());
}

#[test]
fn lines_in_space() {
    for (rows, cols, layers, length) in [(2, 3, 2, 3), (2, 2, 2, 2), (3, 3, 1, 3), (1, 3, 3, 3), (1, 2, 4, 2)] {
        let cell = |row: i32, col: i32, layer: i32| (row, layer * (cols + 1) + col);
        let all =
            (0..rows).flat_map(|row| (0..cols).flat_map(move |col| (0..layers).map(move |layer| [row, col, layer])));
        let ways = (0..27).map(|way| [way / 9 - 1, way / 3 % 3 - 1, way % 3 - 1]).filter(|way| *way > [0, 0, 0]);
        let line = |[row, col, layer]: [i32; 3], [down, right, up]: [i32; 3]| -> Option<Vec<Step>> {
            let square = |far: i32| {
                let [row, col, layer] = [row + far * down, col + far * right, layer + far * up];
                let fits = (0..rows).contains(&row) && (0..cols).contains(&col) && (0..layers).contains(&layer);
                fits.then(|| cell(row, col, layer))
            };
            (0..length).map(square).collect()
        };
        let goals: Vec<Vec<Step>> = all.flat_map(|from| ways.clone().filter_map(move |way| line(from, way))).collect();
        let set = format!("rows={rows} cols={cols} layers={layers} line={length}");
        achieved("cube", &set, ("x", "o"), &goals);
    }
}
