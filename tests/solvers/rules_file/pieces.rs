//! Features of moving pieces that the library does not use: slides, ends with the pieces of either player, graphs.
//! Independent models check them, as in [`super::moving`]. Invalid files are refused.

use super::moving::{CORNERS, Model, SIDES, State, Step, at, in_turn, never, of, on, with};
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

/// Pieces on graphs move along an edge to a free vertex, or capture the piece at its other end.
#[test]
fn pieces_go_along_edges() {
    let petersen = "a b,b c,c d,d e,e a,a v,b w,c x,d y,e z,v x,x z,z w,w y,y v";
    let graphs = [
        ("a b,b c,c d,d e,e f,f a", "XOXO.."),
        ("a b,a c,a d,a e", ".XOXO"),
        ("a b,b c,c a,c d,d e,e f,f d", "X.OO.X"),
        (petersen, "XO..X..O.."),
    ];
    for (edges, start) in graphs {
        let edges: Vec<&str> = edges.split(',').collect();
        for (shapes, steps, takes) in [("'LX'", true, false), ("'LC'", false, true), ("'LX', 'LC'", true, true)] {
            let shapes: String = shapes.split(", ").map(|shape| format!("{{ shape = {shape} }}, ")).collect();
            let text = format!(
                "name = 'graph'\nsides = ['x', 'o']\nboard = {{ edges = {edges:?}, colours = 'XO' }}\n\
                 move = [{shapes}]\nstart = {{ board = '{start}', side = 'x' }}\n"
            );
            let game = read(&text, "").unwrap();
            // Vertices are numbered in the order in which the edges name them.
            let mut names: Vec<&str> = Vec::new();
            for name in edges.iter().flat_map(|edge| edge.split(' ')) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let number = |name: &str| (0, names.iter().position(|known| *known == name).unwrap() as i32);
            let joined: Vec<(Step, Step)> = edges
                .iter()
                .filter_map(|edge| edge.split_once(' '))
                .flat_map(|(a, b)| [(number(a), number(b)), (number(b), number(a))])
                .collect();
            let moves = |(board, mode): &State| -> Vec<State> {
                let (own, other, next) = sides(mode);
                let may = |to: Step| at(board, to) == Some('.') && steps || at(board, to) == Some(other) && takes;
                let ways = joined.iter().filter(|&&(from, to)| at(board, from) == Some(own) && may(to));
                ways.map(|&(from, to)| (with(board, &[(from, '.'), (to, own)]), next.to_owned())).collect()
            };
            Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn }.agrees_on(&game);
        }
    }
}

/// A shape that places a block, on a board with pieces of both players: a blocked square belongs to no player.
#[test]
fn a_blocked_square_is_no_piece() {
    let text = "name = 'walls'\nsides = ['x', 'o']\nboard = { rows = 2, cols = 3, colours = 'XO' }\n\
                move = [{ shape = 'MB', turns = true }, { shape = 'LC', turns = true }, { shape = 'LX', turns = true, side = 'x' }]\n\
                start = { board = 'X.O/...', side = 'x' }\n";
    let moves = |(board, mode): &State| -> Vec<State> {
        let (own, other, next) = sides(mode);
        let mut found = Vec::new();
        for (from, way) in of(board, own).into_iter().flat_map(|from| SIDES.map(|way| (from, way))) {
            let to = on(from, way, 1);
            let mut make = |changes: &[(Step, char)]| found.push((with(board, changes), next.to_owned()));
            match at(board, to) {
                Some('.') => {
                    make(&[(to, '*')]);
                    if own == 'X' {
                        make(&[(from, '.'), (to, own)]);
                    }
                }
                Some(piece) if piece == other => make(&[(from, '.'), (to, own)]),
                _ => {}
            }
        }
        found
    };
    let model = Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: in_turn };
    model.agrees_on(&read(text, "").unwrap());
}

/// A player who completes a group moves again. The rules name groups by lines or by squares.
#[test]
fn groups_in_one_colour_and_by_name() {
    // A board with one colour: the player who fills the last cell of a group moves again.
    let text = "name = 'rows'\nsides = ['x', 'o']\nboard = { rows = 2, cols = 3 }\n\
                group = [{ line = 3, along = ['rows'] }, { squares = ['a1', 'a2'] }]\n\
                move = [{ shape = 'X', completes = 0 }, { shape = 'X', completes = [1, 2], again = true }]\n\
                start = { side = 'x' }\n";
    let groups: [&[Step]; 3] = [&[(0, 0), (0, 1), (0, 2)], &[(1, 0), (1, 1), (1, 2)], &[(0, 0), (1, 0)]];
    let moves = |(board, mode): &State| -> Vec<State> {
        let put = |to: Step| {
            let board = with(board, &[(to, 'X')]);
            let full = |group: &&[Step]| group.contains(&to) && group.iter().all(|&it| at(&board, it) == Some('X'));
            let next = if groups.iter().any(full) { mode.clone() } else { sides(mode).2.to_owned() };
            (board, next)
        };
        of(board, '.').into_iter().map(put).collect()
    };
    let same = |from: &str, to: &str| from == to;
    Model { terminal: Outcome::Loss, over: &never, moves: &moves, again: same }.agrees_on(&read(text, "").unwrap());
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

/// A group that was full before the move is not completed by it, although `also` and `+` fill its squares again.
#[test]
fn full_groups_are_not_completed_again() {
    let file = |keys: &str, completes: u32| {
        format!(
            "name = 'g'\nboard = {{ row = 3 }}\ngroup = [{{ squares = ['b1', 'c1'] }}]\n\
             move = [{{ {keys}, completes = {completes} }}]\n"
        )
    };
    let keys = ["shape = 'X', also = ['right']", "shape = 'X++'", "shape = 'X+', neighbours = '+'"];
    for (keys, board, full) in [
        (keys[0], ".XX", [true, false]),
        (keys[0], ".X.", [false, true]),
        (keys[0], "...", [false, true]),
        (keys[1], ".XX", [true, false]),
        (keys[1], "..X", [false, true]),
        (keys[2], ".XX", [true, false]),
    ] {
        let found = [0, 1].map(|number| after(&file(keys, number), board).contains(&"XXX".to_owned()));
        assert_eq!(found, full, "{keys}: {board}");
    }
    assert_eq!(after(&file(keys[0], 1), ".XX"), [""; 0]);
}

/// The order of the squares of a group does not matter, and neither does a repetition.
#[test]
fn equal_groups_count_once() {
    for squares in ["'a1', 'b1'", "'b1', 'a1'", "'b1', 'a1', 'a1'"] {
        let text = format!(
            "name = 'g'\nboard = {{ row = 2 }}\ngroup = [{{ line = 2 }}, {{ squares = [{squares}] }}]\n\
             move = [{{ shape = 'X', completes = 1 }}]\n"
        );
        assert_eq!(after(&text, ".X"), ["XX"], "{squares}");
    }
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

#[test]
fn a_player_without_a_move_by_mode() {
    let text = "name = 'stuck'\nsides = ['x', 'o']\nmodes = { 'x{0..1}' = 'x', 'o{0..1}' = 'o' }\nboard = { row = 3 }\n\
                [[move]]\nmode = ['x{0..1}', 'o{0..1}']\nnext = ['o{0..1}', 'x{0..1}']\nshape = 'X'\n\
                [[move]]\nmode = ['x0', 'o0']\nnext = ['o1', 'x1']\nshape = 'XX'\n\
                [[end]]\nstuck = true\nmode = ['x1', 'o1']\noutcome = 'win'\n[start]\nmode = 'x0'\n";
    let over = |(board, mode): &State| {
        let outcome = if mode.ends_with('1') { Outcome::Win } else { Outcome::Loss };
        of(board, '.').is_empty().then_some(outcome)
    };
    let moves = |(board, mode): &State| -> Vec<State> {
        let turn = |count: &str| format!("{}{count}", if mode.starts_with('x') { 'o' } else { 'x' });
        let mut found: Vec<State> =
            of(board, '.').into_iter().map(|to| (with(board, &[(to, 'X')]), turn(&mode[1..]))).collect();
        for to in of(board, '.').into_iter().filter(|_| mode.ends_with('0')) {
            if at(board, on(to, (0, 1), 1)) == Some('.') {
                found.push((with(board, &[(to, 'X'), (on(to, (0, 1), 1), 'X')]), turn("1")));
            }
        }
        found
    };
    let game = read(text, "").unwrap();
    assert!(game.report().play.starts_with("by mode"));
    Model { terminal: Outcome::Loss, over: &over, moves: &moves, again: in_turn }.agrees_on(&game);
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
