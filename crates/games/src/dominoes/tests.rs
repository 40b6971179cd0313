//! Tests of the rules and the notation of dominoes.

use std::collections::HashSet;

use super::*;
use crate::rules::{Board, Mode, Start};

fn set(values: u32) -> Dominoes {
    Dominoes::new(values, Play::Normal).unwrap()
}

/// The tail and the board, or the error.
fn node(game: &Dominoes, text: &str) -> Result<(u16, u64), String> {
    position(game.read(text))
}

fn position(reading: Result<Reading, NotationError>) -> Result<(u16, u64), String> {
    match reading.map_err(|e| e.to_string())?.node {
        Node::At(p) => Ok((p.mode.0, p.board.low_word())),
        Node::Opening => Ok((99, 0)),
    }
}

#[test]
fn tiles_are_the_cells_and_tails_the_modes() {
    let game = set(3);
    let names: Vec<&str> = game.graph.edges().iter().map(|edge| edge.name.as_str()).collect();
    assert_eq!(names, ["0-0", "0-1", "0-2", "1-1", "1-2", "2-2"]);
    let rules = game.rules();
    assert_eq!((rules.name(), rules.cells(), rules.modes().join(" ").as_str()), ("dominoes-3-normal", 6, "0 1 2"));
    let moves: Vec<_> = rules.moves().iter().map(|m| (m.mode.0, m.fills.low_word(), m.next.0)).collect();
    assert_eq!(moves[..4], [(0, 0b100_000, 0), (0, 0b010_000, 1), (0, 0b001_000, 2), (1, 0b010_000, 0)]);
    assert_eq!(moves.len(), 9);
    assert!(matches!(&rules.start(), Start::Opening(choices) if choices.len() == 9));
    assert_eq!(set(8).rules().positions(), 8 << 36);
    assert_eq!(set(1).rules().moves().len(), 1);
}

#[test]
fn sizes_that_are_refused() {
    let refusal = |text: &str| {
        let error = Dominoes::from_parameters(&Parameters::new().with("n", text)).err().expect(text);
        error.to_string()
    };
    assert!(refusal("0").contains("n: expected 1 to 10 pip values (a set of 0 has no tiles), found \"0\""));
    assert!(
        refusal("-3").contains("not a negative number") && refusal("-99999999999").contains("not a negative number")
    );
    assert!(refusal("11").contains("66 tiles: 11 x 2^66 positions"));
    assert!(refusal("4294967295").contains("2^") && refusal("99999999999").contains("billions"));
    for text in ["", "x", "3.5", "+3", " 3", "-", "0x3"] {
        assert!(refusal(text).contains("a whole number from 1 to 10"), "{text}");
    }
}

#[test]
fn a_line_of_play_is_turned_to_fit() {
    let game = set(4);
    let expected = node(&game, "{0-1,1-3} 3");
    assert_eq!(expected, Ok((3, 0b01_0000_0000 | 1 << 3)));
    for text in ["0-1 1-3", "1-0 1-3", "0-1 3-1", "1-0 3-1", " 1-0\t3-1 ", "{3-1,1-0} 3", "{ 0-1 , 1-3 }3"] {
        assert_eq!(node(&game, text), expected, "{text}");
    }
    assert_eq!(game.read("1-0 3-1").unwrap().drawn.unwrap().plain, "|0|1||1|3|");
    assert_eq!(node(&game, "1-0 0-3").unwrap().0, 3);
    assert_eq!((node(&game, "0-1").unwrap().0, node(&game, "1-0").unwrap().0), (1, 0));
    assert_eq!(node(&game, "1-1 1-0").unwrap().0, 0);
    assert_eq!(node(&game, "1-0 1-1").unwrap().0, 1);
    assert_eq!(node(&game, "1-0 1-1 1-3").unwrap().0, 3);
    assert_eq!((node(&game, ""), node(&game, "{}"), node(&game, "{} 2")), (Ok((99, 0)), Ok((99, 0)), Ok((2, 0))));
    assert!(game.read("").unwrap().drawn.is_none() && game.read("{0-1} 1").unwrap().drawn.is_none());
}

#[test]
fn texts_that_are_not_positions() {
    let game = set(5);
    let refusal = |text| node(&game, text).expect_err(text);
    assert!(refusal("0-5").contains("expected a tile with numbers from 0 to 4, found the tile 0-5"));
    assert!(refusal("0-1 1-3 3-0 1-0").contains("expected each tile played once, found \"1-0\" a second time"));
    assert!(refusal("0-1 1-3 2-4").contains("expected a tile with the tail value 3, found \"2-4\" as tile 3"));
    assert!(refusal("0-1 2-3").contains("expected a tile with the tail value 1 or 0, found \"2-3\" as tile 2"));
    assert!(refusal("2-2 0-1").contains("expected a tile with the tail value 2,"));
    for text in ["0", "x", "0-", "-1", "0-1-2", "0–1", "+0-1", "0-99999999999", "0-1,1-3", "0-1}"] {
        assert!(refusal(text).contains("expected a tile, such as 0-1, found"), "{text}");
    }
    assert!(refusal("{0-1").contains("a } after the last tile"));
    assert!(refusal("{0-1}").contains("expected a tail after the set, found none"));
    assert!(refusal("{0-1} 5").contains("one of 0, 1, 2, 3, 4, found \"5\""));
    assert!(refusal("{0-1,1-0} 1").contains("a second time") && refusal("{0-7} 1").contains("the tile 0-7"));
}

#[test]
fn a_puzzle_file() {
    let game = set(3);
    let read = |text| position(game.read_file(text));
    let sample = read("3\n2\n0 0\n0 1\n");
    assert_eq!(sample, node(&game, "0-0 0-1"));
    for text in
        ["3 2 0 0 0 1", "3\r\n2\r\n0 0\r\n0 1", "\n\n3\t2 0\n0 0 1  ", "3 2 0 0 1 0", "0-0 0-1\n", "{0-0,0-1} 1"]
    {
        assert_eq!(read(text), sample, "{text:?}");
    }
    assert_eq!(read("3 0"), Ok((99, 0)));
    let reading = game.read_file("3 2 0 0 0 1").unwrap();
    assert_eq!(Outcome::BEST_FIRST.map(|outcome| reading.outcome_names.of(outcome)), ["Win", "Draw", "Lose"]);
    assert_eq!(reading.drawn.unwrap().plain, "|0|0||0|1|");
    assert_eq!(game.read_file("0-0 0-1").unwrap().outcome_names, OutcomeNames::default());
    // The file says which set is used.
    let made = |given: &Parameters, text| FAMILY.make_for_file(given, text).map_err(|e| e.to_string());
    assert_eq!(made(&Parameters::new(), "5 1 0 4").unwrap().rules().name(), "dominoes-5-normal");
    assert_eq!(made(&Parameters::new(), "0-4").unwrap().rules().name(), "dominoes-7-normal");
    let five = made(&Parameters::new().with("n", 5).with("play", "misere"), "3 0").unwrap();
    assert_eq!(five.rules().name(), "dominoes-5-misere");
    assert!(
        five.read_file("3 0").unwrap_err().to_string().contains("expected a file for the game's n = 5, found n = 3")
    );
    assert!(made(&Parameters::new(), "11 0").err().unwrap().contains("n first, 1 to 10 pip values (a set of 11"));
}

#[test]
fn files_that_are_not_puzzles() {
    let game = set(3);
    let files = [
        ("", "found an empty file"),
        (" \n", "found an empty file"),
        ("\u{7f}ELF\0\u{1}", "found bytes that are not text"),
        ("\u{fffd}PNG\r\n", "found bytes that are not text"),
        ("0-1\0", "found bytes that are not text"),
        ("x 2", "expected n first, a whole number from 1 to 10, found \"x\""),
        ("0 0", "a set of 0 has no tiles"),
        ("-3 0", "not a negative number"),
        ("11 0", "a set of 11 has 66 tiles"),
        ("3", "expected m, the number of tiles played, after n, found nothing"),
        ("3 two", "expected m, the number of tiles played, found \"two\""),
        ("3 -1", "found \"-1\""),
        ("3 2 0 0", "expected 2 tiles, as m says, found only 1"),
        ("3 99999999999 0 0", "found only 1"),
        ("3 1 0 0 0 1", "expected 1 tile, as m says, found 2: 1 too many"),
        ("3 2 0 0 1", "expected 2 tiles, as m says, found 1 and a half"),
        ("3 1 0 3", "expected tiles with numbers from 0 to 2, since n = 3, found \"3\""),
        ("3 1 0 x", "found \"x\""),
        ("3 1 0 -1", "found \"-1\""),
        ("3 2 0 1 1 0", "expected each tile played once, found \"1 0\" a second time"),
        ("3 3 0 1 1 1 0 0", "expected a tile with the tail value 1, found \"0 0\" as tile 3"),
        ("4 0", "expected a file for the game's n = 3, found n = 4"),
    ];
    let mut seen = HashSet::new();
    for (file, expected) in files {
        let error = game.read_file(file).expect_err(file).to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{file:?}: {error}");
        seen.insert(error);
    }
    assert!(seen.len() >= files.len() - 1);
}

#[test]
fn written_positions_read_back() {
    for game in [set(1), set(3), Dominoes::new(4, Play::Misere).unwrap()] {
        let boards = 0..1 << game.rules().cells();
        let modes = game.rules().modes().len() as u16;
        let all = boards.flat_map(|b| (0..modes).map(move |m| Position::new(Mode(m), Board::from_word(b)).into()));
        for node in all.chain([Node::Opening]) {
            assert_eq!(game.read(&game.write(node)).unwrap().node, node);
        }
    }
}

#[test]
fn moves_drawings_and_remarks() {
    let game = set(5);
    let there = game.read("0-1 1-3").unwrap().node;
    let Node::At(position) = there else { panic!("a position") };
    let moves: Vec<String> =
        game.rules().moves_from(position).map(|m| game.write_move(there, m.play(position))).collect();
    assert_eq!(moves, ["3-0", "3-2", "3-3", "3-4"]);
    let Start::Opening(choices) = &game.rules().start() else { panic!("an opening") };
    let openings: Vec<String> = choices.iter().map(|&to| game.write_move(Node::Opening, to)).collect();
    assert_eq!(openings[..4], ["0-0", "0-1", "1-0", "0-2"]);
    assert_eq!((openings.len(), openings.iter().collect::<HashSet<_>>().len()), (25, 25));
    assert_eq!(game.write(there), "{0-1,1-3} 3");
    let chart = "  0 1 2 3 4\n0 . X . . .\n1   . . X .\n2     . . .\n3       . .\n4         .\ntail 3";
    assert_eq!(game.draw(there), chart);
    assert!(game.draw(Node::Opening).ends_with("tail any") && !game.draw(Node::Opening).contains('X'));

    let remarks = |text, outcome| game.remarks(game.read(text).unwrap().node, outcome);
    assert_eq!(remarks("0-1 1-3", Outcome::Win), ["Player 1 wins", "2 tiles played: it is player 1's turn"]);
    assert_eq!(remarks("0-1", Outcome::Win), ["Player 2 wins", "1 tile played: it is player 2's turn"]);
    assert_eq!(remarks("0-1", Outcome::Loss)[0], "Player 1 wins");
    assert_eq!(remarks("", Outcome::Win), ["Player 1 wins", "0 tiles played: it is player 1's turn"]);
    let unreachable = "Unreachable: no line of play leads to this set and tail";
    assert_eq!(remarks("{0-1,1-3} 1", Outcome::Win)[2], unreachable);
    assert_eq!(remarks("{} 3", Outcome::Win)[2], unreachable);
    let terminal = "{0-0,0-1,0-2,0-3,0-4} 0";
    assert_eq!(remarks(terminal, Outcome::Loss)[1], "5 tiles played: it is player 2's turn, and no tile fits");
}

/// Every (board, tail) to which a line of play leads, found by playing all lines.
fn played(game: &Dominoes) -> HashSet<Position> {
    fn extend(rules: &Rules, position: Position, found: &mut HashSet<Position>) {
        if found.insert(position) {
            rules.moves_from(position).for_each(|m| extend(rules, m.play(position), found));
        }
    }
    let mut found = HashSet::new();
    let Start::Opening(choices) = &game.rules().start() else { panic!("an opening") };
    choices.iter().for_each(|&choice| extend(game.rules(), choice, &mut found));
    found
}

#[test]
fn reachable_positions_equal_those_of_all_lines() {
    for values in 1..=4 {
        let game = set(values);
        let played = played(&game);
        for board in 0..1 << game.rules().cells() {
            for mode in 0..values as u16 {
                let position = Position::new(Mode(mode), Board::from_word(board));
                let remarks = game.remarks(position.into(), Outcome::Loss);
                let remarked = remarks.iter().any(|remark| remark.starts_with("Unreachable"));
                assert_eq!(remarked, !played.contains(&position), "{}", game.write(position.into()));
            }
        }
    }
}
