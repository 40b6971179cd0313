//! Tactics: known results, and properties that hold for every correct solver.

use std::sync::OnceLock;

use crate::common::{self, assert_twins, dense, every, outcome, symmetry};
use tablegen::game::{self, Game, Play, Tactics};
use tablegen::label::Counts;
use tablegen::rules::{Board, Mode, Node, Outcome, Position, Rules};
use tablegen::table::Table;

fn tactics(rows: u32, cols: u32, run: u32, play: Play) -> Rules {
    Tactics::new(rows, cols, run, play).expect("a board of ordinary size").rules().clone()
}

fn table(rules: &Rules) -> Table {
    common::table(&dense(rules))
}

/// The quiz's board, and its table.
fn quiz() -> &'static (Tactics, Table) {
    static QUIZ: OnceLock<(Tactics, Table)> = OnceLock::new();
    QUIZ.get_or_init(|| {
        let game = Tactics::new(4, 4, 4, Play::Misere).expect("the quiz's own board");
        let table = table(game.rules());
        (game, table)
    })
}

/// The counts, and the outcome for the player who moves first.
fn summary(rules: &Rules) -> (Counts, Outcome) {
    let table = table(rules);
    (table.counts(), table.probe(Node::Opening).expect("nothing is damaged").value.outcome)
}

#[test]
fn the_quiz_s_ninety_seven_boards() {
    let (game, table) = quiz();
    let mut cases = 0;
    for line in include_str!("../data/tactics_cases.csv").lines().skip(1) {
        let (text, expected) = line.split_once(',').expect("board,outcome");
        let place = game.read(text).expect("a board").node;
        let found = table.probe(place).expect("nothing is damaged").value.outcome;
        assert_eq!(found.name(), expected, "{text}");
        // The expected board number comes from the binary literal, without the game's parser.
        let digits: String = text[2..].chars().filter(|&c| c != '_').collect();
        let number = u64::from_str_radix(&digits, 2).expect("binary digits");
        assert_eq!(place, Node::from(Position::of(Board::from_word(number))), "{text}");
        cases += 1;
    }
    assert_eq!(cases, 97);
}

/// The sample game of the quiz: the start, and the board after each of nine plies.
const SAMPLE_GAME: [&str; 10] = [
    "..../..../..../....",
    "XXXX/..../..../....",
    "XXXX/..../..X./..X.",
    "XXXX/XX../..X./..X.",
    "XXXX/XX.X/..XX/..X.",
    "XXXX/XX.X/..XX/..XX",
    "XXXX/XXXX/..XX/..XX",
    "XXXX/XXXX/XXXX/..XX",
    "XXXX/XXXX/XXXX/X.XX",
    "XXXX/XXXX/XXXX/XXXX",
];

#[test]
fn the_quiz_s_sample_game() {
    let (game, table) = quiz();
    let places = SAMPLE_GAME.map(|text| game.read(text).expect("a board").node);
    let probes = places.map(|place| table.probe(place).expect("nothing is damaged"));
    for (ply, (probe, next)) in probes.iter().zip(&places[1..]).enumerate() {
        let legal = probe.moves.iter().any(|choice| Node::At(choice.to) == *next);
        assert!(legal, "ply {}: {} is no move", ply + 1, SAMPLE_GAME[ply + 1]);
        assert!(!probe.over);
    }
    assert!(probes[9].over);
    // The winner after each ply, player 1 or player 2. The player to move alternates.
    let winning: Vec<u32> = (0..)
        .zip(&probes)
        .map(|(ply, probe)| {
            let to_move_wins = probe.value.outcome == Outcome::Win;
            if (ply % 2 == 0) == to_move_wins { 1 } else { 2 }
        })
        .collect();
    // The second player's mistake at ply 2 was answered by a mistake at ply 3. From then on the second player kept the
    // win.
    assert_eq!(winning, [2, 2, 1, 2, 2, 2, 2, 2, 2, 2], "after no ply, one ply and so on");
}

#[test]
fn five_by_five() {
    let (counts, start) = summary(&tactics(5, 5, 4, Play::Misere));
    assert_eq!((counts.loss, counts.total(), start), (3_266_909, 1 << 25, Outcome::Win));
}

/// With runs of one, no player has a choice: the player to move wins if the number of empty squares is even.
#[test]
fn runs_of_one_are_parity() {
    let rules = tactics(3, 5, 1, Play::Misere);
    let solution = dense(&rules);
    for board in (0..1 << 15).map(Board::from_word) {
        let expected = if (15 - board.count()) % 2 == 0 { Outcome::Win } else { Outcome::Loss };
        assert_eq!(outcome(&solution, Position::of(board)), expected, "{board:?}");
    }
}

/// In normal play, the first player wins one row of any length: fill the middle, then mirror.
#[test]
fn one_row_is_won_by_mirroring() {
    for cols in 1..=20 {
        let (_, start) = summary(&tactics(1, cols, 4, Play::Normal));
        assert_eq!(start, Outcome::Win, "1x{cols}");
    }
}

/// Every board of up to 20 squares with more rows than columns, in both plays; `agree` has the others.
#[test]
fn every_tall_board_equals_the_reference_implementation() {
    for rows in 1..=20u32 {
        for cols in 1..rows.min(20 / rows + 1) {
            for play in [Play::Misere, Play::Normal] {
                assert_twins(&tactics(rows, cols, 4, play));
            }
        }
    }
}

/// Long runs cross the boundaries of blocks, and runs of two chain inside a block.
#[test]
fn every_run_equals_the_reference_implementation() {
    for (rows, cols) in [(2, 8), (1, 17), (17, 1), (4, 4), (3, 6)] {
        for run in 1..=rows.max(cols) {
            assert_twins(&tactics(rows, cols, run, Play::Misere));
        }
    }
}

/// Runs of five, which are whole rows or columns.
#[test]
fn runs_of_five_equal_the_reference_implementation() {
    assert_twins(&tactics(4, 5, 5, Play::Misere));
    assert_twins(&tactics(5, 4, 5, Play::Misere));
}

#[test]
#[ignore = "seconds"]
fn five_by_five_equals_the_reference_implementation() {
    for play in [Play::Misere, Play::Normal] {
        assert_twins(&tactics(5, 5, 5, play));
    }
}

#[test]
fn symmetric_boards_have_equal_outcomes() {
    for (rows, cols) in [(2, 2), (3, 3), (4, 4), (2, 3), (3, 5), (5, 3), (2, 9), (4, 5)] {
        let maps = symmetry::bit_maps(rows, cols, 1);
        assert_eq!(maps.iter().collect::<std::collections::HashSet<_>>().len(), if rows == cols { 8 } else { 4 });
        for play in [Play::Misere, Play::Normal] {
            let rules = tactics(rows, cols, 3, play);
            let solution = dense(&rules);
            for board in (0..1 << rules.cells()).map(Board::from_word) {
                let expected = outcome(&solution, Position::of(board));
                for map in &maps {
                    let image = symmetry::image(board, map);
                    assert_eq!(outcome(&solution, Position::of(image)), expected, "{board:?} and {image:?}");
                }
            }
        }
    }
}

/// The parameters in a descriptor or on a command line give the same rules again.
#[test]
fn a_descriptor_gives_the_game_back() {
    let game = Tactics::new(3, 4, 2, Play::Normal).expect("a board of ordinary size");
    let again = game::of_table(game.rules(), &game.descriptor());
    assert_eq!((again.rules(), again.descriptor()), (game.rules(), game.descriptor()));
    assert_eq!(
        again.write(Position::of(Board::from_word(0b1010_0000_0001)).into()),
        game.write(Position::of(Board::from_word(0b1010_0000_0001)).into())
    );
}

/// The public API iterates the bits of a plane: the losses of the quiz's board take three lines.
#[test]
fn a_plane_is_iterated_as_bits() {
    let dense = every(quiz().1.contents());
    let wins = dense.planes().wins(Mode(0)).expect("in memory");
    let losses = wins.iter_zeros().map(|index| dense.layout().board(index as u64));
    let mut boards: Vec<Board> = losses.collect();
    boards.sort();
    assert_eq!((boards.len(), boards[0], boards[8_567]), (8_568, Board::EMPTY, Board::from_word(0xfffe)));
}
