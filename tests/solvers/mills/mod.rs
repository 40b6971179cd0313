//! An independent solver of mill games: characters on drawn boards, and retrograde analysis by numbers of men. It shares no
//! code with the library. Tests compare its values with the library's labels, and with outcomes by another program.

mod drawing;
mod labels;
mod large;
mod numbering;
mod rules;
mod solved;

use std::sync::LazyLock;

use drawing::{NINE_POINTS, THREE_SQUARES, TWO_SQUARES};
use rules::{Board, Line, Men, MillRules};
use solved::{Solved, Value};

fn three_mens_morris() -> Solved {
    Solved::new(MillRules::new(NINE_POINTS, Line::Wins, false), (3, 3))
}

/// Six Men's Morris after placing, with up to `most` men.
fn six_mens_morris(most: Men) -> Solved {
    Solved::new(MillRules::new(TWO_SQUARES, Line::Takes, false), most)
}

/// Nine Men's Morris after placing, with up to `most` men.
fn nine_mens_morris(most: Men) -> Solved {
    Solved::new(MillRules::new(THREE_SQUARES, Line::Takes, true), most)
}

/// Six Men's Morris after placing, with three men against three or four: a million boards.
static SMALL: LazyLock<Solved> = LazyLock::new(|| six_mens_morris((3, 4)));

/// A row of the file of outcomes by another program.
struct Row {
    board: Board,
    outcome: String,
}

fn rows(text: &str) -> Vec<Row> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let rows = rows.map(|line| {
        let [game, x, o, rows, outcome] = line.split('\t').collect::<Vec<_>>().try_into().expect("five columns");
        let board = Board::read(rows);
        let men = [b'X', b'O'].map(|side| board.men(side).to_string());
        let points = if game == "six" { 16 } else { 24 };
        assert_eq!((men, board.points().len()), ([x.to_owned(), o.to_owned()], points), "{line}");
        Row { board, outcome: outcome.to_owned() }
    });
    rows.collect()
}

/// Compares the rows whose boards `solved` has with its values; returns their number.
fn assert_rows_agree(solved: &Solved, rows: &[Row]) -> usize {
    let men = solved.men();
    let is_solved = |row: &&Row| {
        row.board.points().len() == solved.rules.drawing.points()
            && men.contains(&(row.board.men(b'X'), row.board.men(b'O')))
    };
    let known: Vec<&Row> = rows.iter().filter(is_solved).collect();
    for row in &known {
        let found = match solved.value(&row.board) {
            Value::Win(_) => "win",
            Value::Loss(_) => "loss",
            Value::Repetition => "draw",
        };
        assert_eq!(found, row.outcome, "{}", String::from_utf8_lossy(row.board.points()));
    }
    known.len()
}

/// Outcomes by another program.
const OUTCOMES: &str = include_str!("../../data/mills.tsv");

#[test]
fn small_boards_agree_with_another_program() {
    assert_eq!(assert_rows_agree(&SMALL, &rows(OUTCOMES)), 34);
}

#[test]
fn values_follow_from_moves() {
    SMALL.men().into_iter().for_each(|men| SMALL.assert_follows_from_moves(men));
    three_mens_morris().assert_follows_from_moves((3, 3));
}

/// The boards after placements that close a mill in `rows`, as the player to move before them sees them.
fn after_mills(rules: &MillRules, rows: &str) -> Vec<Board> {
    let mut after = Vec::new();
    rules.placements(&Board::read(rows), |board, takes| after.extend(takes.then_some(board.swapped())));
    after
}

#[test]
fn a_mill_takes_one_man_outside_of_mills_if_there_is_one() {
    let rules = &SMALL.rules;
    // A man in the corner closes two mills.
    let taken = Board::read("X#X#X/#OOO#/X.#../#...#/X#.#.");
    assert!(after_mills(rules, ".#X#X/#OOO#/X.#../#..O#/X#.#.") == [taken]);
    let [one, two, three] =
        ["X#X#X/#.OO#/X.#../#...#/X#.#.", "X#X#X/#O.O#/X.#../#...#/X#.#.", "X#X#X/#OO.#/X.#../#...#/X#.#."]
            .map(Board::read);
    assert!(after_mills(rules, ".#X#X/#OOO#/X.#../#...#/X#.#.") == [one, two, three]);
}

#[test]
fn three_men_jump_in_nine_mens_morris() {
    let rules = MillRules::new(THREE_SQUARES, Line::Takes, true);
    let count = |points: &str| {
        let mut count = 0;
        rules.moves(&Board::read(points), |_, _| count += 1);
        count
    };
    // Rows from the top, without the squares between the points. No two men of the player to move are in one line.
    assert_eq!(count("X../.X./..X/....../.O./.O./.O."), 3 * 18);
    assert_eq!(count("X../.X./..X/....../X../.OO/O.."), 2 + 4 + 2 + 2);
}

/// Values that follow from the rules by hand.
#[test]
fn values_by_hand() {
    let value = |rows: &str| SMALL.value(&Board::read(rows));
    // A mill leaves the other player with two men.
    assert_eq!(value("X#X#./#...#/.O#.X/#O..#/.#O#."), Value::Win(1));
    // No point beside the men of the player to move is free.
    assert_eq!(value("X#X#O/#.O.#/XO#../#...#/O#.#."), Value::Loss(0));
}
