//! Keys that abbreviate many moves or patterns equal these, on random boards.

use crate::rules_file::{game, read};
use proptest::prelude::*;
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Board, Mode, Move, Position};

/// A board of random squares: 0 free, 1 and 2 the first and the second colour.
fn contents(squares: usize, colours: u8) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..=colours, squares)
}

/// The board with these squares in `colours` colours.
fn board(contents: &[u8], colours: u32) -> Board {
    let squares = contents.len() as u32;
    let cell = |(square, &colour): (u32, &u8)| {
        (colour > 0).then(|| Board::at((u32::from(colour) - 1) * squares + square, squares * colours))
    };
    (0..).zip(contents).filter_map(cell).collect()
}

/// The squares beside `square` on a grid of `rows` by `cols`.
fn beside(square: usize, rows: usize, cols: usize) -> Vec<usize> {
    let (row, col) = (square / cols, square % cols);
    let all = [(row.wrapping_sub(1), col), (row + 1, col), (row, col.wrapping_sub(1)), (row, col + 1)];
    all.into_iter().filter(|&(row, col)| row < rows && col < cols).map(|(row, col)| row * cols + col).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A move with counted neighbours is legal exactly where a count of the neighbours says so.
    #[test]
    fn counted_neighbours(
        (rows, cols) in (1usize..=4, 1usize..=4),
        ranges in prop::collection::vec((0u32..=4, 0u32..=3), 3),
        signs in 1usize..8,
        all in contents(16, 2),
    ) {
        let range = |at: usize| (ranges[at].0, ranges[at].0 + ranges[at].1);
        let named: Vec<(usize, &str)> = ["o", "M", "Y"].into_iter().enumerate().filter(|(at, _)| signs >> at & 1 == 1).collect();
        let table: Vec<String> = named.iter().map(|&(at, sign)| format!("{sign} = [{}, {}]", range(at).0, range(at).1)).collect();
        let file = format!(
            "name = 'g'\nsides = ['x', 'o']\nboard = {{ rows = {rows}, cols = {cols}, colours = 'XO' }}\n\
             [[move]]\nshape = 'X'\nneighbours = {{ {} }}\n", table.join(", "));
        let game = read(&file, "").map_err(TestCaseError::fail)?;
        let all = &all[..rows * cols];
        for side in 0..2u8 {
            let position = Position::new(Mode(side.into()), board(all, 2));
            let fits = |square: &usize| {
                let count = |colour: u8| beside(*square, rows, cols).iter().filter(|&&at| all[at] == colour).count() as u32;
                let numbers = [count(0), count(side + 1), count(2 - side)];
                all[*square] == 0 && named.iter().all(|&(at, _)| (range(at).0..=range(at).1).contains(&numbers[at]))
            };
            let mut expected: Vec<Board> = (0..rows * cols).filter(fits).map(|square| {
                let mut all = all.to_vec();
                all[square] = side + 1;
                board(&all, 2)
            }).collect();
            let mut found: Vec<Board> = game.rules().moves_from(position).map(|m| m.play(position).board).collect();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected, "{}", file);
        }
    }

    /// A table with `each` equals the tables for its values.
    #[test]
    fn tables_for_several_values(first in 1u32..=4, last in 1u32..=4, step in 1usize..=2, more in 0u32..=2) {
        let head = "name = 'g'\nboard = { rows = 4, cols = 6 }\n";
        let short = format!("{head}[[move]]\neach = {{ r = '{first}..{last} by {step}', c = [1, 'r + {more}'] }}\nfills = ['{{c}}{{r}}', 'f4']\n");
        let mut long = head.to_owned();
        for r in (first..=last).step_by(step) {
            for c in [1, r + more] {
                let col = char::from(b'a' + c as u8 - 1);
                long += &format!("[[move]]\nfills = ['{col}{r}', 'f4']\n");
            }
        }
        let moves = |file: &str| -> Vec<Move> { read(file, "").expect("sound").rules().moves().to_vec() };
        prop_assert_eq!(moves(&short), moves(&long));
    }

    /// Heaps get smaller by one of the numbers: one heap, or each heap by the same number.
    #[test]
    fn squares_taken_from_heaps(
        lengths in prop::collection::vec(1usize..=4, 1..=3),
        numbers in prop::collection::vec(1usize..=5, 1..=3),
        from_each: bool,
    ) {
        let from = if from_each { "each" } else { "one" };
        let file = format!("name = 'g'\nboard = {{ lengths = {lengths:?} }}\nmove = [{{ take = {numbers:?}, from = '{from}' }}]\n");
        let game = read(&file, "").map_err(TestCaseError::fail)?;
        let board = |sizes: &[usize]| -> Board {
            let row = |(&length, &size): (&usize, &usize)| (0..length).map(move |square| square >= size);
            let filled = lengths.iter().zip(sizes).flat_map(row);
            let squares = lengths.iter().sum::<usize>() as u32;
            (0..).zip(filled).filter(|(_, filled)| *filled).map(|(square, _)| Board::at(square, squares)).collect()
        };
        for number in 0..lengths.iter().map(|length| length + 1).product() {
            let mut rest = number;
            let sizes: Vec<usize> = lengths.iter().map(|length| {
                let size = rest % (length + 1);
                rest /= length + 1;
                size
            }).collect();
            let taken = |of: &[usize], number: usize| -> Option<Vec<usize>> {
                sizes.iter().enumerate().map(|(at, size)| if of.contains(&at) { size.checked_sub(number) } else { Some(*size) }).collect()
            };
            let all: Vec<usize> = (0..sizes.len()).collect();
            let heaps: Vec<&[usize]> = if from_each { vec![&all] } else { all.chunks(1).collect() };
            let mut expected: Vec<Board> =
                heaps.iter().flat_map(|of| numbers.iter().filter_map(|&number| taken(of, number))).map(|sizes| board(&sizes)).collect();
            let mut found: Vec<Board> =
                game.rules().moves_from(Position::of(board(&sizes))).map(|m| m.play(Position::of(board(&sizes))).board).collect();
            expected.sort_unstable();
            expected.dedup();
            found.sort_unstable();
            prop_assert_eq!(found, expected, "{} {:?}", file, sizes);
        }
    }

    /// A line along steps has one pattern for each place from which the steps stay on the board.
    #[test]
    fn lines_along_steps(down in -2i32..=2, right in -3i32..=3, length in 2i32..=3) {
        prop_assume!((down, right) != (0, 0));
        let file = format!(
            "name = 'g'\nboard = {{ rows = 4, cols = 5 }}\n[[move]]\nshape = 'X'\n\
             [[end]]\nline = {length}\nalong = [[{down}, {right}]]\n");
        let game = read(&file, "").map_err(TestCaseError::fail)?;
        let mut found: Vec<Board> = game.rules().ends().iter().map(|end| end.pattern).collect();
        let square = |row: i32, col: i32| ((0..4).contains(&row) && (0..5).contains(&col)).then(|| Board::at((row * 5 + col) as u32, 20));
        let line = |from: i32| (0..length).map(|far| square(from / 5 + far * down, from % 5 + far * right)).collect::<Option<Board>>();
        let mut expected: Vec<Board> = (0..20).filter_map(line).collect();
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

/// The names of the moves from the position `text`, in the order of the rules.
fn names(game: &FileGame, text: &str) -> Vec<String> {
    let from = game.read(text).unwrap().node;
    game.rules().replies(from).into_iter().map(|to| game.write_move(from, to)).collect()
}

/// A neutral piece has both colours and leaves its square in both. A pass has a name too.
#[test]
fn names_of_neutral_pieces_and_passes() {
    let names = names(&game("l-game", ""), "*.XX/.O.X/.O.X/.OO* x-neutral");
    assert_eq!((names.len(), names[0].as_str(), names[12].as_str()), (13, "a1>b1", "pass"));
}

/// Neighbours count around the squares where a piece arrives, not around those that `+` and `also` fill. If no piece
/// arrives, they count around the squares that the move empties.
#[test]
fn squares_around_which_neighbours_count() {
    let boards = |moves: &str, board: &str| -> Vec<String> {
        let game =
            read(&format!("name = 'g'\nboard = {{ rows = 2, cols = 3 }}\nmove = [{{ {moves} }}]\n"), "").unwrap();
        let from = game.read(board).unwrap().node;
        game.rules().replies(from).into_iter().map(|to| game.write(to.into())).collect()
    };
    assert_eq!(
        boards("shape = 'X', neighbours = { o = 1 }, also = ['right'], on = ['a1', 'b1']", ".../..."),
        ["XXX/..."]
    );
    assert_eq!(boards("shape = 'X+', neighbours = { o = 1 }, rows = 1", ".../..."), ["XX./..."]);
    assert_eq!(boards("shape = 'L', neighbours = { o = 1 }", "XXX/XX."), ["XX./XX.", "XXX/X.."]);
}

/// A player without a capture may step: captures are compulsory.
#[test]
fn a_move_that_waits_for_others() {
    let file = "name = 'g'\nsides = ['x', 'o']\nboard = { row = 4, colours = 'XO' }\n\
                [[move]]\nside = 'x'\nshape = 'LTX'\n[[move]]\nside = 'x'\nshape = 'LX'\notherwise = true\n";
    let game = read(file, "").unwrap();
    assert_eq!(names(&game, "XO.. x"), ["a1>c1xb1"]);
    assert_eq!(names(&game, "X.O. x"), ["a1>b1"]);
    assert_eq!(names(&game, "XO.X x"), ["a1>c1xb1"]);
    // No solver takes such moves if positions may repeat, and a step back makes them repeat.
    let back = format!("{file}turns = true\n[[move]]\nside = 'o'\nshape = 'LX'\nturns = true\n");
    let error = read(&back, "").unwrap_err().to_string();
    assert!(
        error.contains("line 7, column 1: expected no `otherwise` in a game whose positions may repeat"),
        "{error}"
    );
}

/// An empty range of rows makes no move, whatever its ends are, and an empty range of modes makes no end.
#[test]
fn empty_ranges_make_nothing() {
    let ends = [("2", "1"), ("9223372036854775807", "0-9223372036854775807")];
    for (first, last) in ends {
        let file = format!("name = 'g'\nboard = {{ row = 2 }}\n[[move]]\nshape = 'X'\ncols = '{first}..{last}'");
        assert_eq!(read(&file, "").unwrap().rules().moves(), []);
    }
    let file = "name = 'g'\nsides = ['x', 'o']\nmodes = { x = 'x', o = 'o' }\nboard = { row = 2, colours = 'XO' }\n\
                [[move]]\nmode = ['x', 'o']\nnext = ['o', 'x']\nshape = 'X'\n\
                [[end]]\nmode = 'x{1..0}'\nsurrounded = true";
    assert_eq!(read(file, "").unwrap().rules().ends(), []);
}
