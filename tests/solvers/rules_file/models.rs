//! Independent models of the games of the library: characters on a board and plain minimax, without `Rules`. Game and
//! model agree on every reachable position.

use std::collections::HashMap;

use crate::common::sparse_of;
use crate::rules_file::game;
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome};

/// The rows of the board, and the number of the side to move.
type State = (Vec<String>, usize);

/// A square by row and column.
type At = (usize, usize);

struct Model<'a> {
    /// The names of the sides; empty if both players have the same moves.
    sides: &'a [&'a str],
    /// The score of a player who cannot move: 1 for a win.
    terminal: i32,
    /// The score for the player to move, if the game has ended.
    over: &'a dyn Fn(&State) -> Option<i32>,
    /// The boards after each move of the player to move.
    moves: &'a dyn Fn(&State) -> Vec<Vec<String>>,
}

impl Model<'_> {
    fn score(&self, state: &State, memo: &mut HashMap<State, i32>) -> i32 {
        if let Some(&score) = memo.get(state) {
            return score;
        }
        let score = (self.over)(state).unwrap_or_else(|| {
            let turn = if self.sides.is_empty() { 0 } else { 1 - state.1 };
            let replies: Vec<i32> =
                (self.moves)(state).into_iter().map(|board| -self.score(&(board, turn), memo)).collect();
            replies.into_iter().max().unwrap_or(self.terminal)
        });
        memo.insert(state.clone(), score);
        score
    }

    /// Compares the library's game with this model on every position reachable from `board`.
    fn agrees(&self, name: &str, set: &str, board: &[&str]) {
        self.agrees_from(0..self.sides.len().max(1), name, set, board);
    }

    /// [`agrees`](Self::agrees), if only the sides with these numbers may begin.
    fn agrees_from(&self, begin: std::ops::Range<usize>, name: &str, set: &str, board: &[&str]) {
        let game = game(name, set);
        let solution = sparse_of(&game);
        let mut memo = HashMap::new();
        let board: Vec<String> = board.iter().map(|&row| row.to_owned()).collect();
        for turn in begin {
            self.score(&(board.clone(), turn), &mut memo);
        }
        assert_eq!((solution.count(), solution.counts().total()), (memo.len() as u64, memo.len() as u64), "{name}");
        for ((board, turn), score) in memo {
            let side = self.sides.get(turn).map_or(String::new(), |side| format!(" {side}"));
            let text = board.join("/") + &side;
            let place = game.read(&text).unwrap_or_else(|e| panic!("{name}: {e}")).node;
            let Node::At(position) = place else { panic!("{name} has no opening") };
            let expected = [Outcome::Loss, Outcome::Draw, Outcome::Win][(score + 1) as usize];
            assert_eq!(solution.outcome(position), Some(expected), "{name} {set} {text}");
            assert_eq!(game.write(place), text);
        }
    }
}

fn never(_: &State) -> Option<i32> {
    None
}

fn blank(rows: usize, cols: usize) -> Vec<String> {
    vec![".".repeat(cols); rows]
}

fn texts(board: &[String]) -> Vec<&str> {
    board.iter().map(String::as_str).collect()
}

fn get(board: &[String], (row, col): At) -> Option<char> {
    board.get(row)?.chars().nth(col)
}

fn all(board: &[String]) -> Vec<At> {
    (0..board.len()).flat_map(|row| (0..board[row].len()).map(move |col| (row, col))).collect()
}

fn is_free(board: &[String], at: At) -> bool {
    get(board, at) == Some('.')
}

/// The board with `mark` on each of `squares` that is on the board.
fn with(board: &[String], squares: &[At], mark: char) -> Vec<String> {
    let row = |(r, row): (usize, &String)| {
        row.chars().enumerate().map(|(c, old)| if squares.contains(&(r, c)) { mark } else { old }).collect()
    };
    board.iter().enumerate().map(row).collect()
}

/// The squares at these offsets, except those above or to the left of the board.
fn around((row, col): At, steps: &[(isize, isize)]) -> Vec<At> {
    let step = |&(r, c): &(isize, isize)| Some((row.checked_add_signed(r)?, col.checked_add_signed(c)?));
    steps.iter().filter_map(step).collect()
}

const SIDES: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const CORNERS: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The boards after laying one of `pieces`, all of whose squares must be free.
fn lay(board: &[String], pieces: impl Iterator<Item = Vec<At>>) -> Vec<Vec<String>> {
    let fits = |piece: &Vec<At>| piece.iter().all(|&at| is_free(board, at));
    pieces.filter(fits).map(|piece| with(board, &piece, 'X')).collect()
}

#[test]
fn games_of_pieces() {
    let piece = |at: At, steps: &[(isize, isize)]| [vec![at], around(at, steps)].concat();
    let cram = |state: &State| {
        let pieces = all(&state.0).into_iter().flat_map(|at| [piece(at, &[(0, 1)]), piece(at, &[(1, 0)])]);
        lay(&state.0, pieces)
    };
    let kayles = |state: &State| {
        let pieces = all(&state.0).into_iter().flat_map(|at| [vec![at], piece(at, &[(0, 1)])]);
        lay(&state.0, pieces)
    };
    let trominoes = |state: &State| {
        let corner = |at: At| CORNERS.map(|(r, c)| around(at, &[(r, 0), (0, c)]));
        let pieces = all(&state.0).into_iter().flat_map(|at| corner(at).map(|two| [vec![at], two].concat()));
        lay(&state.0, pieces.filter(|piece| piece.len() == 3))
    };
    for (play, terminal) in [("normal", -1), ("misere", 1)] {
        let model = |moves| Model { sides: &[], terminal, over: &never, moves };
        for (rows, cols) in [(1, 7), (2, 3), (3, 3), (4, 3)] {
            let size = format!("rows={rows} cols={cols} play={play}");
            model(&cram).agrees("cram", &size, &texts(&blank(rows, cols)));
            model(&trominoes).agrees("trominoes", &size, &texts(&blank(rows, cols)));
        }
        for pins in 1..=9 {
            let board = blank(1, pins);
            model(&kayles).agrees("kayles", &format!("pins={pins} play={play}"), &texts(&board));
            model(&cram).agrees("dawsons-kayles", &format!("pins={pins} play={play}"), &texts(&board));
        }
    }
}

#[test]
fn domineering() {
    let moves = |(board, turn): &State| {
        let step = if *turn == 0 { (1, 0) } else { (0, 1) };
        lay(board, all(board).into_iter().map(|at| [vec![at], around(at, &[step])].concat()))
    };
    for (rows, cols) in [(1, 1), (2, 3), (3, 3), (3, 4), (4, 3)] {
        for (play, terminal) in [("normal", -1), ("misere", 1)] {
            let model = Model { sides: &["left", "right"], terminal, over: &never, moves: &moves };
            let set = format!("rows={rows} cols={cols} play={play}");
            model.agrees("domineering", &set, &texts(&blank(rows, cols)));
        }
    }
}

#[test]
fn games_of_neighbours() {
    let near = |steps: &'static [(isize, isize)]| {
        move |(board, _): &State| -> Vec<Vec<String>> {
            let free = all(board).into_iter().filter(|&at| is_free(board, at));
            free.map(|at| with(board, &[vec![at], around(at, steps)].concat(), 'X')).collect()
        }
    };
    let (sides, kings) = (near(&SIDES), near(&[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]));
    for (play, terminal) in [("normal", -1), ("misere", 1)] {
        for (rows, cols) in [(1, 8), (2, 4), (3, 3), (3, 4)] {
            let set = format!("rows={rows} cols={cols} play={play}");
            let board = blank(rows, cols);
            Model { sides: &[], terminal, over: &never, moves: &sides }.agrees("node-kayles", &set, &texts(&board));
            Model { sides: &[], terminal, over: &never, moves: &kings }.agrees("kings", &set, &texts(&board));
        }
        let model = Model { sides: &[], terminal, over: &never, moves: &sides };
        model.agrees("dawsons-chess", &format!("files=9 play={play}"), &texts(&blank(1, 9)));
        // The Petersen graph: vertices a to e, v to z.
        let petersen = |(board, _): &State| -> Vec<Vec<String>> {
            let edges = "ab bc cd de ea av bw cx dy ez vx xz zw wy yv";
            let number = |name: char| "abcdevwxyz".find(name).expect("a vertex");
            let joined = |v: usize| {
                let ends = edges.split(' ').map(|edge| edge.chars().map(number).collect::<Vec<_>>());
                let ends = ends.filter(move |ends| ends.contains(&v));
                ends.flatten().map(|vertex| (0, vertex)).collect::<Vec<_>>()
            };
            let free = (0..10).filter(|&v| is_free(board, (0, v)));
            free.map(|v| with(board, &joined(v), 'X')).collect()
        };
        let model = Model { sides: &[], terminal, over: &never, moves: &petersen };
        model.agrees("petersen-kayles", &format!("play={play}"), &texts(&blank(1, 10)));
    }
}

#[test]
fn col_and_snort() {
    for (name, own) in [("col", true), ("snort", false)] {
        let moves = |(board, turn): &State| {
            let (mine, yours) = if *turn == 0 { ('L', 'R') } else { ('R', 'L') };
            let hostile = Some(if own { mine } else { yours });
            let fits = |at: &At| is_free(board, *at) && around(*at, &SIDES).iter().all(|&n| get(board, n) != hostile);
            all(board).into_iter().filter(fits).map(|at| with(board, &[at], mine)).collect()
        };
        for (play, terminal) in [("normal", -1), ("misere", 1)] {
            let model = Model { sides: &["left", "right"], terminal, over: &never, moves: &moves };
            for (rows, cols) in [(1, 1), (1, 5), (2, 3), (3, 3)] {
                let set = format!("rows={rows} cols={cols} play={play}");
                model.agrees(name, &set, &texts(&blank(rows, cols)));
            }
        }
    }
}

#[test]
fn games_of_lines() {
    let cross = |(board, _): &State| lay(board, all(board).into_iter().map(|at| vec![at]));
    let line = |board: &[String]| {
        let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let three = |at: At, (r, c): (isize, isize)| [vec![at], around(at, &[(r, c), (2 * r, 2 * c)])].concat();
        let lines = all(board).into_iter().flat_map(|at| ways.map(|way| three(at, way)));
        let mut lines = lines.filter(|line| line.len() == 3);
        lines.any(|line| line.iter().all(|&at| get(board, at) == Some('X')))
    };
    // In normal play the player who completes a line wins, so the player to move then has lost.
    for (play, terminal) in [("normal", -1), ("misere", 1)] {
        let over = |(board, _): &State| line(board).then_some(terminal);
        let model = Model { sides: &[], terminal, over: &over, moves: &cross };
        for squares in 3..=9 {
            model.agrees("treblecross", &format!("squares={squares} play={play}"), &texts(&blank(1, squares)));
        }
        for (rows, cols) in [(3, 3), (2, 4), (3, 4)] {
            let set = format!("rows={rows} cols={cols} play={play}");
            model.agrees("notakto", &set, &texts(&blank(rows, cols)));
        }
    }
}

#[test]
fn connect_four() {
    let moves = |(board, turn): &State| {
        let column = |col| (0..board.len()).rev().map(move |row| (row, col)).find(|&at| is_free(board, at));
        let drops = (0..board[0].len()).filter_map(column);
        drops.map(|at| with(board, &[at], ['X', 'O'][*turn])).collect()
    };
    let over = |(board, turn): &State| {
        let mark = Some(['O', 'X'][*turn]);
        let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let line = |at: At, (r, c): (isize, isize)| {
            let line = [vec![at], around(at, &[(r, c), (2 * r, 2 * c)])].concat();
            line.len() == 3 && line.iter().all(|&at| get(board, at) == mark)
        };
        all(board).into_iter().any(|at| ways.iter().any(|&way| line(at, way))).then_some(-1)
    };
    let model = Model { sides: &["x", "o"], terminal: 0, over: &over, moves: &moves };
    for (rows, cols) in [(3, 3), (3, 4), (4, 3)] {
        let set = format!("rows={rows} cols={cols} line=3");
        model.agrees_from(0..1, "connect-four", &set, &texts(&blank(rows, cols)));
    }
}

#[test]
fn hex() {
    const NEAR: [(isize, isize); 6] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)];
    let moves = |(board, turn): &State| {
        let free = all(board).into_iter().filter(|&at| is_free(board, at));
        free.map(|at| with(board, &[at], ['R', 'B'][*turn])).collect()
    };
    // The player who has just moved may have a chain: Red from the top, Blue from the left.
    let over = |(board, turn): &State| {
        let (mark, along) = if *turn == 1 { (Some('R'), 0) } else { (Some('B'), 1) };
        let far = if along == 0 { board.len() } else { board[0].len() } - 1;
        let place = |at: &At| if along == 0 { at.0 } else { at.1 };
        let mut chain: Vec<At> =
            all(board).into_iter().filter(|at| place(at) == 0 && get(board, *at) == mark).collect();
        let mut next = 0;
        while let Some(&at) = chain.get(next) {
            next += 1;
            let near = around(at, &NEAR).into_iter().filter(|&n| get(board, n) == mark);
            let new: Vec<At> = near.filter(|n| !chain.contains(n)).collect();
            chain.extend(new);
        }
        chain.iter().any(|at| place(at) == far).then_some(-1)
    };
    let model = Model { sides: &["red", "blue"], terminal: 0, over: &over, moves: &moves };
    for (rows, cols) in [(1, 3), (2, 2), (3, 2), (3, 3)] {
        model.agrees_from(0..1, "hex", &format!("rows={rows} cols={cols}"), &texts(&blank(rows, cols)));
    }
}

#[test]
fn games_of_bites() {
    let chomp = |(board, _): &State| -> Vec<Vec<String>> {
        let free = all(board).into_iter().filter(|&at| is_free(board, at));
        let gone = |(row, col): At| all(board).into_iter().filter(|at| at.0 >= row && at.1 >= col).collect::<Vec<_>>();
        free.map(|at| with(board, &gone(at), 'X')).collect()
    };
    let nim = |(board, _): &State| -> Vec<Vec<String>> {
        let free = all(board).into_iter().filter(|&at| is_free(board, at));
        let taken =
            |at: At| all(board).into_iter().filter(move |o| o.0 == at.0 && o.1 >= at.1 && get(board, *o) != Some('#'));
        free.map(|at| with(board, &taken(at).collect::<Vec<_>>(), 'X')).collect()
    };
    for (play, terminal) in [("normal", -1), ("misere", 1)] {
        Model { sides: &[], terminal, over: &never, moves: &chomp }.agrees(
            "chomp",
            &format!("rows=3 cols=4 play={play}"),
            &["#...", "....", "...."],
        );
        Model { sides: &[], terminal, over: &never, moves: &nim }.agrees(
            "nim",
            &format!("a=1 b=3 c=4 play={play}"),
            &[".###", "...#", "....", "####"],
        );
    }
}

/// Bouton's theorem: the player to move loses exactly if the exclusive or of the heaps is zero.
#[test]
fn nim_by_its_theorem() {
    for (a, b, c) in [(1, 2, 3), (3, 4, 5), (2, 4, 6), (5, 5, 1), (7, 7, 0)] {
        let expected = if a ^ b ^ c == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(crate::rules_file::at_start(&game("nim", &format!("a={a} b={b} c={c}"))), expected, "{a} {b} {c}");
    }
}
