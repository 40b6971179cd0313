//! Independent models of the games whose pieces move. Game and model agree on the outcome and plies of every reachable
//! position. Published results follow.

use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, solved, start, with};
use crate::rules_file::{class, game};
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome, Position};
use tablegen::solve::{Method, Options, solve};

#[test]
fn clobber() {
    let moves = |(board, mode): &State| {
        let (own, other, next) = if mode == "x" { ('X', 'O', "o") } else { ('O', 'X', "x") };
        let steps = of(board, own).into_iter().flat_map(|from| SIDES.map(|step| (from, on(from, step, 1))));
        let takes = steps.filter(|&(_, to)| at(board, to) == Some(other));
        takes.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), next.to_owned())).collect()
    };
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        for size in ["rows=1 cols=6", "rows=2 cols=4", "rows=3 cols=3"] {
            Model { terminal, over: &never, moves: &moves, again: in_turn }
                .agrees("clobber", &format!("{size} play={play}"));
        }
    }
}

#[test]
fn konane() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (rows, cols) = (board.len() as i32, board[0].len() as i32);
        let is_end = |at: i32, count: i32| at == 0 || at == count - 1;
        let is_middle = |at: i32, count: i32| at == (count - 1) / 2 || at == count / 2;
        let take = |from: Step, next: &str| (with(board, &[(from, '.')]), next.to_owned());
        match mode.as_str() {
            "black-opens" => {
                // A corner, or the middle.
                let opens = of(board, 'B').into_iter().filter(|at| {
                    is_end(at.0, rows) && is_end(at.1, cols) || is_middle(at.0, rows) && is_middle(at.1, cols)
                });
                return opens.map(|from| take(from, "white-opens")).collect();
            }
            "white-opens" => {
                let beside = |from: &Step| SIDES.iter().any(|&step| at(board, on(*from, step, 1)) == Some('.'));
                return of(board, 'W').into_iter().filter(beside).map(|from| take(from, "black")).collect();
            }
            _ => {}
        }
        let (own, other, next) = if mode == "black" { ('B', 'W', "white") } else { ('W', 'B', "black") };
        let mut found = Vec::new();
        for (from, step) in of(board, own).into_iter().flat_map(|from| SIDES.map(|step| (from, step))) {
            let mut changes = vec![(from, '.')];
            let mut here = from;
            while at(board, on(here, step, 1)) == Some(other) && at(board, on(here, step, 2)) == Some('.') {
                changes.push((on(here, step, 1), '.'));
                here = on(here, step, 2);
                let whole = [changes.as_slice(), &[(here, own)]].concat();
                found.push((with(board, &whole), next.to_owned()));
            }
        }
        found
    };
    let model = Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn };
    for size in ["rows=3 cols=3", "rows=2 cols=7", "rows=4 cols=4"] {
        model.agrees("konane", size);
    }
}

#[test]
fn toads_and_frogs() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other, ahead, next) = if mode == "toads" { ('T', 'F', 1, "frogs") } else { ('F', 'T', -1, "toads") };
        let to = |from: Step| {
            let [one, two] = [1, 2].map(|times| on(from, (0, ahead), times));
            match (at(board, one), at(board, two)) {
                (Some('.'), _) => Some(one),
                (Some(over), Some('.')) if over == other => Some(two),
                _ => None,
            }
        };
        let all = of(board, own).into_iter().filter_map(|from| Some((from, to(from)?)));
        all.map(|(from, to)| (with(board, &[(from, '.'), (to, own)]), next.to_owned())).collect()
    };
    let model = Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn };
    for (toads, gap, frogs) in [(1, 1, 1), (2, 1, 2), (2, 2, 3), (3, 3, 3), (4, 2, 4)] {
        model.agrees("toads-and-frogs", &format!("toads={toads} gap={gap} frogs={frogs}"));
    }
}

#[test]
fn dodgem() {
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, ahead, sides, next) = match mode.as_str() {
            "right" => ('R', (0, 1), [(1, 0), (-1, 0)], "up"),
            _ => ('U', (-1, 0), [(0, 1), (0, -1)], "right"),
        };
        let mut found = Vec::new();
        for from in of(board, own) {
            for step in [ahead, sides[0], sides[1]] {
                let to = on(from, step, 1);
                match at(board, to) {
                    Some('.') => found.push((with(board, &[(from, '.'), (to, own)]), next.to_owned())),
                    None if step == ahead => found.push((with(board, &[(from, '.')]), next.to_owned())),
                    _ => {}
                }
            }
        }
        found
    };
    let model = Model { terminal: Outcome::Win, over: &never, moves: &moves, again: in_turn };
    model.agrees("dodgem", "");
    model.agrees("dodgem", "size=2");
}

/// Pieces drop into a column, and the lowest piece of a column may be taken out by its owner.
#[test]
fn pop_out() {
    for (rows, cols, length) in [(3, 3, 3), (2, 3, 2), (3, 4, 3), (4, 2, 4)] {
        let line = |board: &[Vec<char>], stone: char| {
            let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
            let is_line = |from, way| (0..length).all(|far| at(board, on(from, way, far)) == Some(stone));
            of(board, stone).into_iter().any(|from| ways.iter().any(|&way| is_line(from, way)))
        };
        let letters = |mode: &str| if mode == "x" { ('X', 'O', "o") } else { ('O', 'X', "x") };
        let over = |(board, mode): &State| {
            let (own, other, _) = letters(mode);
            let wins = line(board, own).then_some(Outcome::Win);
            if line(board, other) { Some(Outcome::Loss) } else { wins }
        };
        let moves = |(board, mode): &State| -> Vec<State> {
            let (own, _, next) = letters(mode);
            let mut found = Vec::new();
            for col in 0..cols {
                let column: Vec<char> = (0..rows).map(|row| board[row as usize][col as usize]).collect();
                if let Some(row) = column.iter().rposition(|&sign| sign == '.') {
                    found.push((with(board, &[((row as i32, col), own)]), next.to_owned()));
                }
                if column.last() == Some(&own) {
                    let fallen = [&['.'], &column[..column.len() - 1]].concat();
                    let changes: Vec<(Step, char)> = (0..rows).map(|row| ((row, col), fallen[row as usize])).collect();
                    found.push((with(board, &changes), next.to_owned()));
                }
            }
            found
        };
        let model = Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn };
        model.agrees("pop-out", &format!("rows={rows} cols={cols} line={length}"));
    }
}

#[test]
fn hare_and_hounds() {
    let joined = |(row, col): Step, (rows, cols): Step| rows == 0 || cols == 0 || (row + col) % 2 == 1;
    let over = |(board, _): &State| (at(board, (1, 0)) == Some('R')).then_some(Outcome::Loss);
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, next) = if mode == "hounds" { ('D', "hare") } else { ('R', "hounds") };
        let mut found = Vec::new();
        for from in of(board, own) {
            for step in SIDES.into_iter().chain(CORNERS) {
                let to = on(from, step, 1);
                if at(board, to) == Some('.') && joined(from, step) && (own == 'R' || step.1 >= 0) {
                    found.push((with(board, &[(from, '.'), (to, own)]), next.to_owned()));
                }
            }
        }
        found
    };
    Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn }.agrees("hare-and-hounds", "");
}

#[test]
fn breakthrough() {
    let over = |(board, mode): &State| {
        let last = board.len() - 1;
        let far = if mode == "white" { board[last].contains(&'B') } else { board[0].contains(&'W') };
        far.then_some(Outcome::Loss)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other, ahead, next) = if mode == "white" { ('W', 'B', -1, "black") } else { ('B', 'W', 1, "white") };
        let mut found = Vec::new();
        for from in of(board, own) {
            for side in [-1, 0, 1] {
                let to = on(from, (ahead, side), 1);
                if at(board, to) == Some('.') || side != 0 && at(board, to) == Some(other) {
                    found.push((with(board, &[(from, '.'), (to, own)]), next.to_owned()));
                }
            }
        }
        found
    };
    let model = Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn };
    for size in ["rows=4 cols=3", "rows=5 cols=2 ranks=2", "rows=3 cols=4"] {
        model.agrees("breakthrough", size);
    }
}

#[test]
fn peg_duotaire() {
    let moves = |(board, _): &State| -> Vec<State> {
        let jumps = of(board, 'X').into_iter().flat_map(|from| [(0, 1), (0, -1)].map(|step| (from, step)));
        let jumps = jumps.filter(|&(from, step)| {
            at(board, on(from, step, 1)) == Some('X') && at(board, on(from, step, 2)) == Some('.')
        });
        let after = |(from, step)| with(board, &[(from, '.'), (on(from, step, 1), '.'), (on(from, step, 2), 'X')]);
        jumps.map(|jump| (after(jump), String::new())).collect()
    };
    for (play, terminal) in [("normal", Outcome::Loss), ("misere", Outcome::Win)] {
        for (holes, free) in [(5, 1), (9, 4), (12, 6), (13, 13)] {
            let set = format!("holes={holes} free={free} play={play}");
            Model { terminal, over: &never, moves: &moves, again: in_turn }.agrees("peg-duotaire", &set);
        }
    }
}

/// Results from *Winning Ways*: the first player wins Dodgem on 3x3 and Three Men's Morris, and the hounds catch the
/// hare. Dodgem on 4x4 is a draw.
#[test]
fn who_wins() {
    let outcome = |name: &str, set: &str| {
        let game = game(name, set);
        solved(&game).value(start(&game)).unwrap()
    };
    assert_eq!(outcome("dodgem", "").outcome, Outcome::Win);
    assert_eq!(outcome("hare-and-hounds", "").outcome, Outcome::Win);
    assert_eq!(outcome("three-mens-morris", "").outcome, Outcome::Win);
    let drawn = outcome("dodgem", "size=4");
    assert_eq!((drawn.outcome, drawn.repetition, drawn.remoteness()), (Outcome::Draw, true, None));
}

/// The first player wins Clobber on every row with an even number of pieces, except six. Conjectured by Albert,
/// Grossman, Nowakowski and Wolfe (2005), proved by Chen, Folkersen, Hasham, Hayward, Lee, Randall, Schultz and
/// Vandermeer (arXiv 2509.08985).
#[test]
fn clobber_on_a_row() {
    for cols in (2..=18).step_by(2) {
        let game = game("clobber", &format!("rows=1 cols={cols}"));
        let expected = if cols == 6 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(solved(&game).outcome(start(&game)), Some(expected), "{cols}");
    }
}

/// Values of positions of Toads and Frogs (*Winning Ways*, chapter 1; Erickson 1996): TFTF. and TF.TF are 0, TFT.F and
/// TT.FF are fuzzy, and T.TFF is {0|*}, which the toads win.
#[test]
fn toads_and_frogs_in_a_row() {
    for (row, expected) in [("TFTF.", "LL"), ("TF.TF", "LL"), ("TFT.F", "WW"), ("TT.FF", "WW"), ("T.TFF", "WL")] {
        let game = game("toads-and-frogs", "toads=2 gap=1 frogs=2");
        let of_row = |mode: &str| match game.read(&format!("{row} {mode}")).unwrap().node {
            Node::At(position) => position,
            Node::Opening => panic!("no opening"),
        };
        let roots = ["toads", "frogs"].map(of_row);
        let options = Options { roots: &roots, ..Options::of(Method::Sparse) };
        let solution = solve(game.rules(), &options).unwrap();
        let letter = |root: &Position| if solution.outcome(*root) == Some(Outcome::Win) { 'W' } else { 'L' };
        assert_eq!(roots.iter().map(letter).collect::<String>(), expected, "{row}");
    }
}

/// With equally many toads and frogs, both sides have the same chances, so the class is N or P.
#[test]
fn equal_sides_have_equal_prospects() {
    for (toads, gap) in [(1, 1), (1, 4), (2, 1), (2, 3), (3, 2), (4, 3)] {
        let found = class(&game("toads-and-frogs", &format!("toads={toads} gap={gap} frogs={toads}")));
        assert!(["N", "P"].contains(&found.as_str()), "{toads} {gap}: {found}");
    }
}
