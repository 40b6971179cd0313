//! Pieces that slide up to an obstacle, which few random files of `language` have; refusals of files whose pieces move, and of positions
//! with too many pieces.

use super::moving::{CORNERS, Model, SIDES, State, Step, at, in_turn, of, on, with};
use crate::rules_file::read;
use tablegen::game::Game;
use tablegen::rules::Outcome;

fn sides(mode: &str) -> (char, char, &'static str) {
    if mode == "x" { ('X', 'O', "o") } else { ('O', 'X', "x") }
}

/// Two pieces slide over a board with a hole, between a least and a greatest distance along some lines.
#[test]
fn slides_stop_at_obstacles() {
    let all: [(&str, Vec<Step>, i32, i32); 3] = [
        ("'rows', 'columns'", SIDES.to_vec(), 1, 3),
        ("'rows', 'columns', 'diagonals'", SIDES.into_iter().chain(CORNERS).collect(), 1, 2),
        ("'diagonals'", CORNERS.to_vec(), 2, 3),
    ];
    for (along, ways, least, most) in all {
        let text = format!(
            "name = 'slides'\nsides = ['x', 'o']\nplay = 'draw'\n\
             board = {{ drawn = '''\n....\n.#..\n....\n''', colours = 'XO' }}\n\
             move = [{{ slide = [{least}, {most}], along = [{along}] }}]\n\
             end = [{{ shape = 'X', on = ['d3'], of = 'mover', side = 'x', outcome = 'loss' }},\n\
                    {{ shape = 'X', on = ['a3'], completer = 'wins' }}]\n\
             start = {{ board = 'X.../.#../...O', side = 'x' }}\n"
        );
        let game = read(&text, "").unwrap();
        let over = |(board, mode): &State| {
            let (own, other, _) = sides(mode);
            // X loses when X is to move and has a piece on d3; a3 is the goal of both players.
            if own == 'X' && at(board, (2, 3)) == Some('X') {
                Some(Outcome::Loss)
            } else {
                (at(board, (2, 0)) == Some(other)).then_some(Outcome::Loss)
            }
        };
        let moves = |(board, mode): &State| -> Vec<State> {
            let (own, _, next) = sides(mode);
            let mut found = Vec::new();
            for from in of(board, own) {
                for &way in &ways {
                    let free = (1..=most).take_while(|&far| at(board, on(from, way, far)) == Some('.'));
                    let after = |far| (with(board, &[(from, '.'), (on(from, way, far), own)]), next.to_owned());
                    found.extend(free.filter(|&far| far >= least).map(after));
                }
            }
            found
        };
        Model { terminal: Outcome::Draw, over: &over, moves: &moves, again: in_turn }.agrees_on(&game);
    }
}

/// The boards after each move from `board`, without repetitions.
fn after(text: &str, board: &str) -> Vec<String> {
    let game = read(text, "").unwrap_or_else(|e| panic!("{text}: {e}"));
    let node = game.read(board).unwrap().node;
    let mut boards: Vec<String> = game.rules().replies(node).into_iter().map(|to| game.write(to.into())).collect();
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// A number in `spares` that play can exceed is refused, and so is a position with more pieces.
#[test]
fn no_player_has_more_pieces_than_spares_allows() {
    let file = |spares: u32| {
        format!(
            "name = 'g'\nsides = ['x', 'o']\nmodes = {{ x1 = 'x', o1 = 'o', x = 'x', o = 'o' }}\n\
             board = {{ row = 6, colours = 'XO' }}\ngroup = [{{ line = 3 }}]\nstart = {{ mode = 'x1', board = '..OOOO' }}\n\
             [[move]]\nmode = ['x1', 'o1']\nnext = ['o1', 'x']\nshape = 'X'\n\
             [[move]]\nmode = ['x', 'o']\nnext = ['o', 'x']\nshape = 'T'\nspares = {spares}\n"
        )
    };
    let refusal = read(&file(4), "").unwrap_err();
    assert!(
        refusal.contains(
            "line 15, column 10: expected at least 5 for `spares`, as many pieces as a player may have, found 4"
        ),
        "{refusal}"
    );
    // All four pieces are in full groups, so each of them may be taken.
    assert_eq!(after(&file(5), "X.OOOO x").len(), 4);
    assert_eq!(after(&file(5), "O..OOO x"), ["...OOO o"]);
    let six = read(&file(5), "").unwrap().read("OOOOOO x").unwrap_err().to_string();
    assert!(six.contains("at most 5 pieces O in x"), "{six}");
}

/// The report of a file in which a player without a move wins in some modes only.
#[test]
fn a_player_without_a_move_by_mode() {
    let text = "name = 'stuck'\nmodes = ['a', 'b']\nboard = { row = 3 }\n\
                move = [{ mode = ['a', 'b'], next = ['b', 'a'], shape = 'X' }]\n\
                end = [{ stuck = true, mode = 'a', outcome = 'win' }]\nstart = { mode = 'a' }\n";
    assert!(read(text, "").unwrap().report().play.starts_with("by mode"));
}

#[test]
fn invalid_moves_of_pieces_are_refused() {
    let head = "name = 'g'\nsides = ['x', 'o']\n";
    let two = "board = { rows = 3, cols = 3, colours = 'XO' }\n";
    let groups = "group = [{ line = 3 }]\n";
    let modes = "modes = { x = 'x', o = 'o', 'x-{X}' = 'x' }\n";
    let cases = [
        (
            format!("{head}{two}[[move]]\npush = [2, 9]"),
            "line 5, column 8: expected lines of 2 to 8 squares for `push`, found 9",
        ),
        (format!("{head}{two}[[move]]\npush = 1"), "lines of 2 to 8 squares for `push`"),
        (
            format!("{head}{two}[[move]]\npush = 2\nshape = 'X'"),
            "line 6, column 1: expected only keys that fit the other keys of [[move]]",
        ),
        (
            format!("{head}{two}[[move]]\nslide = 2\nshoot = 2"),
            "expected one of `slide` and `shoot` for `slide`, found both",
        ),
        (
            format!("{head}board = {{ row = 3 }}\n[[move]]\nshoot = 2"),
            "a [board] with `colours`, which the sign 'B' needs,",
        ),
        (
            format!("{head}{two}[[move]]\nshape = 'X'\ncompletes = 1"),
            "line 6, column 13: expected [[group]] tables, and a `shape`, `line` or `slide` for `completes`, found no [[group]]",
        ),
        (
            format!("{head}{two}{groups}[[move]]\nshape = 'X'\ncompletes = [0, 1, 2]"),
            "a number of groups, or the least and the most,",
        ),
        (
            format!("{head}{two}{groups}[[move]]\nfills = ['X:a1']\ncompletes = 1"),
            "a `shape`, `line` or `slide` in the same table for `completes`",
        ),
        (
            format!("{head}{two}{groups}[[move]]\nshape = 'LX'\nspares = 3"),
            "expected a shape that takes one piece for `spares`, found 0",
        ),
        (format!("{head}{two}group = [{{ rows = 1 }}]\n[[move]]\nshape = 'X'"), "`squares`, the squares of the group"),
        (format!("{head}{two}group = [{{ shap = 'X' }}]\n[[move]]\nshape = 'X'"), "(did you mean shape?)"),
        (
            format!("{head}{two}[[move]]\nshape = 'X'\n[[end]]\nstuck = true"),
            "`outcome`, the outcome of a player without a move,",
        ),
        (format!("{head}{modes}{two}[[move]]\nmode = 'x'\nnext = 'y-{{X}}'\nshape = 'X'"), "one of x, o, x-a1"),
        (
            format!("{head}{modes}{two}[[move]]\nmode = 'x'\nnext = 'x-{{M}}'\nshape = 'X'"),
            "a square for each letter of the mode x-{M}",
        ),
        (
            format!("{head}{modes}{two}[[move]]\nmode = 'x'\nnext = 'x-{{X}}'\nfills = ['X:a1']"),
            "modes without letters for a move given cell by cell",
        ),
        (format!("{head}modes = {{ 'x{{0..2000}}' = 'x' }}\n{two}"), "a range of at most 1024 numbers"),
        (format!("{head}modes = {{ 'x{{0..300}}' = 'x' }}\n{two}"), "1 to 256 modes"),
        (format!("{head}modes = {{ 'x{{0..' = 'x' }}\n{two}"), "expected a } after each {"),
        (format!("{head}{two}[[move]]\nshape = 'X'\nrows = '1..3 by 0'"), "a step of at least 1"),
    ];
    for (text, expected) in cases {
        let refusal = read(&text, "").expect_err(&text);
        assert!(refusal.contains(expected), "expected {expected:?} in {refusal:?} of\n{text}");
    }
    // Pushes of 8 squares make too many moves. Pushes of 4 squares fit nowhere on the small board, which is no mistake.
    let wide = format!("{head}board = {{ rows = 4, cols = 8, colours = 'XO' }}\n[[move]]\npush = 8\n");
    assert!(read(&wide, "").unwrap_err().contains("at most 32768 moves in all"));
    let game = read(&format!("{head}{two}[[move]]\npush = 4\n"), "").unwrap();
    assert_eq!(game.rules().moves().len(), 0);
}
