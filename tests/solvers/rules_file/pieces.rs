//! Pieces that slide up to an obstacle, which few random files of `language` have; refusals of files whose pieces move, and of positions
//! with too many pieces.

use crate::model::{CORNERS, Model, SIDES, State, Step, at, in_turn, of, on, with};
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

/// Pushes of 8 squares make too many moves. Pushes of 4 squares fit nowhere on the small board, which is no mistake.
#[test]
fn pushes_of_many_squares() {
    let board = |rows, cols| {
        format!("name = 'g'\nsides = ['x', 'o']\nboard = {{ rows = {rows}, cols = {cols}, colours = 'XO' }}\n")
    };
    let wide = format!("{}[[move]]\npush = 8\n", board(4, 8));
    assert!(read(&wide, "").unwrap_err().contains("at most 32768 moves in all"));
    let game = read(&format!("{}[[move]]\npush = 4\n", board(3, 3)), "").unwrap();
    assert_eq!(game.rules().moves().len(), 0);
}
