use std::collections::BTreeSet;

use super::*;
use crate::rules::Outcome;
use crate::{FAMILIES, FileGame, LIBRARY, Parameters, bundled, family, read_position, read_position_file};

fn game(name: &str, set: &[(&str, &str)]) -> Box<dyn Game> {
    let set = set.iter().fold(Parameters::new(), |set, (name, value)| set.with(*name, value));
    family(name).map_or_else(|_| bundled(name, &set).expect(name).unwrap(), |family| family.make(&set).unwrap())
}

fn text_of(game: &dyn Game, text: &str) -> String {
    let reading = read_position(game, text).unwrap_or_else(|error| panic!("{error}"));
    game.write_with_lead(reading.node, reading.lead)
}

fn refusal(game: &dyn Game, text: &str) -> String {
    read_position(game, text).map(|reading| game.write(reading.node)).expect_err(text).to_string()
}

/// A number that looks like chance, from a number.
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 29)
}

/// Positions on `lines` lines of play of at most `plies` moves.
fn positions(game: &dyn Game, lines: u64, plies: u64) -> Vec<Node> {
    let mut all = Vec::new();
    for line in 0..lines {
        let mut node = game.rules().start_node();
        for ply in 0..plies {
            all.push(node);
            let replies = game.rules().replies(node);
            if replies.is_empty() {
                break;
            }
            node = replies[(mixed(line * 1_000 + ply) % replies.len() as u64) as usize].into();
        }
    }
    all
}

#[test]
fn what_a_notation_writes_it_reads_again() {
    let built_in = FAMILIES.iter().filter_map(|family| family.make(&family.samples()).ok());
    let library = LIBRARY.iter().map(|game| Box::new(game.read(&Parameters::new()).unwrap()) as Box<dyn Game>);
    let (mut named, mut every) = (0, 0);
    for game in built_in.chain(library).filter(|game| game.off_table().is_none()) {
        let game = game.as_ref();
        for node in positions(game, 2, 5) {
            for notation in notations_of(game) {
                let Some(text) = notation.write(game, node) else { continue };
                let read =
                    read_position(game, &text).unwrap_or_else(|error| panic!("{}: {error}", game.rules().name()));
                assert_eq!(read.node, node, "{}: {text} as {}", game.rules().name(), notation.name());
                *(if game.notations().contains(&notation) { &mut named } else { &mut every }) += 1;
            }
        }
    }
    assert!(named > 80 && every > 500, "{named} {every}");
}

#[test]
fn moves_have_names_in_the_notation_of_their_game() {
    let (mut written, mut other) = (0, 0);
    let kalah = family("kalah").unwrap().make(&Parameters::new()).unwrap();
    let library = LIBRARY.iter().map(|game| Box::new(game.read(&Parameters::new()).unwrap()) as Box<dyn Game>);
    for game in library.chain([kalah]) {
        let game = game.as_ref();
        for from in positions(game, 2, 30) {
            let replies = game.rules().replies(from).into_iter();
            let choices: BTreeSet<(String, String)> =
                replies.map(|to| (game.write_move(from, to), game.write(to.into()))).collect();
            let moves: Vec<NamedMove<'_>> =
                choices.iter().map(|(text, position)| NamedMove { text, position }).collect();
            for (number, m) in moves.iter().enumerate() {
                let Some(name) = move_written(game, m.text, m.position) else { continue };
                let found = find_move(game, &moves, &name, Prefix::Whole);
                assert_eq!(found, FoundMove::One(number), "{}: {name} for {}", game.rules().name(), m.text);
                written += 1;
                other += usize::from(name != m.text);
            }
        }
    }
    assert!(written > 500 && other > 100, "{written} {other}");
    // A line of tic-tac-toe is no notation of its moves.
    for (name, text, expected) in [
        ("connect-four", "d6", Some("4")),
        ("pop-out", "a3>", Some("^1")),
        ("kalah", "d", Some("1")),
        ("nine-mens-morris", "d7xg7", Some("d7xg7")),
        ("nine-mens-morris", "a7>a4xg7", Some("a7-a4xg7")),
        ("reversi", "f5", Some("f5")),
        ("tictactoe", "b2", None),
    ] {
        assert_eq!(move_written(game(name, &[]).as_ref(), text, "").as_deref(), expected, "{name}");
    }
}

#[test]
fn board_notations_write_every_position_of_their_games() {
    for (name, notation, lines) in [
        ("tictactoe", Notation::Flat, 20),
        ("reversi", Notation::Obf, 20),
        ("kalah", Notation::Pits, 20),
        ("nim", Notation::Heaps, 20),
        ("nine-mens-morris", Notation::Points, 2),
        ("connect-four", Notation::Columns, 20),
    ] {
        let game = game(name, &[]);
        for node in positions(game.as_ref(), lines, 40) {
            let written = notation.write(game.as_ref(), node);
            // A pass that was made is no part of an OBF line, and the start has no moves.
            let is_exception = notation == Notation::Obf || node == game.rules().start_node();
            assert!(written.is_some() || is_exception, "{name}: {}", game.write(node));
            if let Some(text) = written {
                assert_eq!(read_position(game.as_ref(), &text).unwrap().node, node, "{name}: {text}");
            }
        }
    }
}

#[test]
fn every_example_of_a_notation_is_read() {
    for game in LIBRARY {
        let game = game.read(&Parameters::new()).unwrap();
        for &notation in game.notations() {
            let text = notation.example(&game).unwrap_or_else(|| panic!("{}: {}", game.title(), notation.name()));
            assert!(read_position(&game, &text).is_ok(), "{text}");
        }
    }
}

#[test]
fn columns_are_digits_or_letters() {
    let game = game("connect-four", &[("rows", "6"), ("cols", "7")]);
    let four = text_of(game.as_ref(), "4453");
    assert_eq!(four, "......./......./......./......./...O.../..OXX.. x");
    for text in ["ddec", "DDEC", "4 4 5 3", "4,4,5,3", "d6 d5 e6 c6", "D6, D5, E6, C6"] {
        assert_eq!(text_of(game.as_ref(), text), four, "{text}");
    }
    assert_eq!(
        read_position_file(game.as_ref(), "4453\n").unwrap().node,
        read_position(game.as_ref(), "4453").unwrap().node
    );
    let wrong = refusal(game.as_ref(), "4458");
    assert!(wrong.ends_with("expected a column from 1 to 7 as move 4, found '8'"), "{wrong}");
    assert!(refusal(game.as_ref(), "4444444").contains("the columns 1 2 3 5 6 7 as move 7"));
    assert!(refusal(game.as_ref(), "41424344").contains("no more than 7 moves, which end the game"));
    // Numbers of boards say their mode, or their base.
    assert_eq!(text_of(game.as_ref(), "x:0"), "......./......./......./......./......./....... x");
    assert_eq!(text_of(game.as_ref(), "0x0"), text_of(game.as_ref(), "x:0"));
}

/// The notation that explains most of a text says what is wrong with it, and whether another board could have it.
#[test]
fn errors_are_those_of_the_notation_that_is_meant() {
    let refused = |name: &str, set: &[(&str, &str)], text: &str, says: &str, is_of_size: bool| {
        let error = read_position(game(name, set).as_ref(), text).expect_err(text);
        assert!(error.to_string().contains(says) && error.is_of_size == is_of_size, "{name} {text}: {error:?}");
    };
    refused("connect-four", &[], "4453", "a column from 1 to 4 as move 3, found '5'", true);
    refused("connect-four", &[], "44444", "one of the columns 1 2 3 as move 5, found '4'", false);
    refused("connect-four", &[], "..../..../....", "4 rows with / between them, found 3", true);
    refused("connect-four", &[], "..../.../..../.... x", "4 squares in row 2, found 3", true);
    refused("connect-four", &[], "..?.", "X or O or one of . _ - (free), found '?'", false);
    refused("tactics", &[], "nonsense", "4 rows with / between them, of X or one of . _ - (free), found 'n'", false);
    refused("tactics", &[], "XX", "4 rows with / between them, found 1; the game also reads moves (", false);
    let eight = &[("rows", "8"), ("cols", "8")];
    let squares = "---------------------------OX------XO---------------------------";
    refused("reversi", eight, squares, "expected the side to move after the squares, X or O, found none", false);
    refused("reversi", eight, &format!("{} X", &squares[1..]), "expected 64 squares, found 63", true);
    refused("reversi", eight, &format!("{squares}- X"), "expected 64 squares, found 65", true);
    refused("reversi", eight, "d3c5x9", "as move 3, found \"x9\"", false);
    refused("tictactoe", &[], "xo..x...", "expected 9 squares, found 8", true);
    refused("kalah", &[], "2,2,2,0,2,2,2", "expected the seeds of 8 pits, found 7", true);
    refused("kalah", &[], "4,4,4,4,4,4,0,4,4,4,4,4,4,0", "expected the seeds of 8 pits, found 14", true);
    refused(
        "kalah",
        &[],
        "2,2,2,2:0/2,2,2,2:0",
        "3 houses with commas between them for the first player, found 4",
        true,
    );
}

#[test]
fn a_piece_leaves_a_column() {
    let game = game("pop-out", &[]);
    assert_eq!(text_of(game.as_ref(), "12^1"), text_of(game.as_ref(), "ab^a"));
    assert_eq!(text_of(game.as_ref(), "12^1"), "..../..../.O.. o");
}

#[test]
fn transcripts_have_passes_or_leave_them_out() {
    let large = game("reversi", &[("rows", "8"), ("cols", "8")]);
    let node = |text| read_position(large.as_ref(), text).unwrap_or_else(|error| panic!("{error}")).node;
    assert_eq!(node("f5d6c3"), node("f5 d6 c3"));
    assert_eq!(node("F5D6C3"), node("f5,d6,c3"));
    assert!(refusal(large.as_ref(), "f5d6a1").contains("as move 3"));
    // On the small board a random game meets passes soon.
    let small = game("reversi", &[]);
    let (mut passes, mut read) = (0, 0);
    for line in 0..200 {
        let mut walk = Walk::begin(small.as_ref());
        let (mut all, mut short) = (String::new(), String::new());
        while !walk.choices().is_empty() {
            let number = (mixed(line * 100 + walk.plies() as u64) % walk.choices().len() as u64) as usize;
            let text = walk.choices()[number].1.clone();
            all += if text == "pass" { "--" } else { &text };
            if text != "pass" {
                short += &text;
            } else {
                passes += 1;
            }
            walk.choose(number);
            let is_after_pass = text == "pass";
            assert_eq!(read_position(small.as_ref(), &all).unwrap().node, walk.node(), "{all}");
            if !is_after_pass {
                assert_eq!(read_position(small.as_ref(), &short).unwrap().node, walk.node(), "{short}");
                read += 1;
            }
        }
    }
    assert!(passes > 20 && read > 1_000, "{passes} {read}");
}

#[test]
fn lines_of_obf_files_are_read() {
    let game = game("reversi", &[("rows", "8"), ("cols", "8")]);
    let start = game.write(game.rules().start_node());
    let board = "---------------------------OX------XO---------------------------";
    for side in [" X", " *", " B;", "X; D3:0; C4:0;", " b % a comment"] {
        assert_eq!(text_of(game.as_ref(), &format!("{board}{side}")), start, "{side}");
    }
    let dots = board.replace('-', ".").replace('X', "*");
    assert_eq!(text_of(game.as_ref(), &format!("{dots} O")), start.replace("black", "white"));
    assert_eq!(Notation::Obf.write(game.as_ref(), game.rules().start_node()).unwrap(), format!("{board} X"));
    // The own notation reads these signs as well.
    let rows = start.replace('.', "-").replace("WB", "ox").replace("BW", "XO");
    assert_eq!(text_of(game.as_ref(), &rows), start);
}

#[test]
fn nine_characters_of_the_data_set_are_read() {
    let game = game("tictactoe", &[]);
    assert_eq!(text_of(game.as_ref(), "x,x,x,x,o,o,x,o,o"), "XXX/XOO/XOO");
    for text in ["xobbxbbbo", "xo..x...o", "xo--x___o", "XO..X...O", "xo./.x./..o"] {
        assert_eq!(text_of(game.as_ref(), text), "XO./.X./..O", "{text}");
    }
    // With another sign for a free square, b is no sign, and neither in other sizes.
    assert!(refusal(game.as_ref(), "xob.x...o").contains("(free)"));
    let four = self::game("mnk", &[("rows", "4"), ("cols", "4"), ("k", "4")]);
    assert!(refusal(four.as_ref(), "xobbxbbbobbbbbbb").contains("(free)"));
    assert_eq!(
        Notation::Flat.write(game.as_ref(), read_position(game.as_ref(), "b2 a1").unwrap().node).unwrap(),
        "O...X...."
    );
    // The counts say who moves.
    assert!(refusal(game.as_ref(), "xo..x...o o").contains("expected x to move on this board"));
}

#[test]
fn pits_are_counted_from_either_side() {
    let game = game("kalah", &[]);
    assert_eq!(text_of(game.as_ref(), "2,0,3,1,2,2,2,0"), "2,0,3:1/2,2,2:0 first");
    assert_eq!(text_of(game.as_ref(), "2 0 3 1 2 2 2 0 second"), "2,0,3:1/2,2,2:0 second");
    assert_eq!(text_of(game.as_ref(), "second: 2,2,2,0,2,0,3,1"), "2,0,3:1/2,2,2:0 second");
    assert_eq!(text_of(game.as_ref(), "second 2,2,2,0,2,0,3,1 first"), "2,0,3:1/2,2,2:0 first");
    // The second house, then the first, then the second house of the other player.
    assert_eq!(text_of(game.as_ref(), "2 1 2"), text_of(game.as_ref(), "b a e"));
    assert_eq!(text_of(game.as_ref(), "3"), "2,2,0:1/3,2,2:0 second");
    let refused = refusal(game.as_ref(), "2,0,3,1,2,2,2,1");
    assert!(refused.contains("expected 12 seeds in all, found 13"), "{refused}");
    assert!(refusal(game.as_ref(), "2 1 2 first").contains("the seeds of 8 pits"));
}

#[test]
fn heaps_are_rows_of_free_squares() {
    let game = game("nim", &[]);
    for text in ["1,4,2", "1 4 2", "1, 4, 2", "1,4,2,0"] {
        assert_eq!(text_of(game.as_ref(), text), ".XX##/....#/..XXX/#####", "{text}");
    }
    // A row without squares may be in the middle.
    let two = self::game("nim", &[("b", "0")]);
    assert_eq!(text_of(two.as_ref(), "3,0,5"), text_of(two.as_ref(), "3,5"));
    let written = |text: &str| Notation::Heaps.write(game.as_ref(), read_position(game.as_ref(), text).unwrap().node);
    assert_eq!(written("0,0,5").as_deref(), Some("0,0,5"));
    // A heap with a gap has no size.
    assert_eq!(written("X..##/....#/...../#####"), None);
    // A number is the size of the only heap, and no board.
    let one = self::game("nim", &[("b", "0"), ("c", "0")]);
    assert_eq!(Notation::Heaps.write(one.as_ref(), one.rules().start_node()).as_deref(), Some("3"));
    assert_eq!(text_of(one.as_ref(), "1").split('/').next(), Some(".XX"));
    assert_eq!(text_of(game.as_ref(), "-:5"), text_of(game.as_ref(), "0b000000000101"));
    let number = "3 heaps, or -:5 for the number of a board, found 1";
    for (text, says) in [("3,4", "3 heaps, found 2"), ("3,5,5", "at most 4 in heap 2, found 5"), ("5", number)] {
        let error = read_position(game.as_ref(), text).unwrap_err();
        assert!(error.is_of_size && error.to_string().contains(says), "{error}");
    }
}

#[test]
fn a_text_with_two_meanings_is_refused_with_both() {
    let game = game("kalah", &[("houses", "2"), ("seeds", "2")]);
    let refusal = refusal(game.as_ref(), "2 1 1 2 1 1");
    assert!(refusal.contains("expected a text that means one position, found "), "{refusal}");
    assert!(refusal.contains(" as pits, and ") && refusal.contains(" as moves"), "{refusal}");
}

#[test]
fn points_name_moves_and_pieces() {
    let game = game("nine-mens-morris", &[]);
    let moves = text_of(game.as_ref(), "a7 a1 d7 d1 g7xd1");
    assert_eq!(moves, "XXX/.../.../....../.../.../O.. o-6-7");
    assert_eq!(text_of(game.as_ref(), "A7, A1, D7, D1, G7xD1"), moves);
    assert_eq!(text_of(game.as_ref(), "X=a7,d7,g7 O=a1 o-6-7"), moves);
    let error = refusal(game.as_ref(), "X=a7,d7,g7 O=a1 o-9");
    assert!(error.len() < 400 && error.contains("or x alone if there are none"), "{error}");
    assert!(refusal(game.as_ref(), "X=a9 x-9-9").contains("a point, such as"));
    let later = "X=a7,d7,g7,b6 O=b2,a1,d1,g1 x";
    assert_eq!(
        Notation::Points.write(game.as_ref(), read_position(game.as_ref(), later).unwrap().node).unwrap(),
        later
    );
}

#[test]
fn boards_of_other_programs_are_read() {
    let same = |name: &str, set: &[(&str, &str)], text: &str, own: &str| {
        assert_eq!(text_of(game(name, set).as_ref(), text), own, "{name} {text}");
    };
    let small = &[("rows", "2"), ("cols", "2")];
    same("clobber", small, "xo|ox x", "XO/OX x");
    same("clobber", small, "XO|OX W", "XO/OX o");
    same("domineering", small, "../.# left", "../.X left");
    same("domineering", small, "..|.# R", "../.X right");
    same("hex", &[], "x.o/.@./... B", "R.B/.R./... blue");
    same("hex", &[], "x.o/.../... red", "R.B/.../... red");
    same("amazons", &[("rows", "2"), ("cols", "3")], "X.#|..O X", "W.*/..B white");
    same("toads-and-frogs", &[("toads", "1"), ("gap", "1"), ("frogs", "1")], "x.o toads", "T.F toads");
    let error = refusal(game("clobber", small).as_ref(), "xo|oxo x");
    assert!(error.contains("expected rows of 2, 2 squares, found 2, 3"), "{error}");
}

#[test]
fn moves_from_the_start_are_read_in_every_game() {
    let domineering = game("domineering", &[]);
    let two = text_of(domineering.as_ref(), "a2-a3 b1-c1");
    assert_eq!(text_of(domineering.as_ref(), "a2 b1"), two, "the first square is enough");
    assert!(refusal(domineering.as_ref(), "a2 a3").contains("as move 2, found \"a3\""));
    assert_eq!(text_of(game("hex", &[]).as_ref(), "b2, A1"), "B../.R./... red");
    // A lead is what the moves gained.
    let boxes = game("dots-and-boxes", &[("rows", "1"), ("cols", "1")]);
    let names: Vec<String> = boxes.scene().places.iter().map(|place| place.name.clone()).collect();
    let reading = read_position(boxes.as_ref(), &names.join(" ")).unwrap();
    assert_eq!((reading.lead, reading.mover), (1, Some(1)));
    assert!(boxes.rules().is_over(at(reading.node).unwrap()));
}

/// In a game where both players may only pass for ever, a word that names no move is refused.
#[test]
fn passes_without_end_are_not_followed() {
    let text = "name = 'g'\nplay = 'draw'\nsides = ['x', 'o']\nboard = { rows = 1, cols = 2, colours = 'XO' }\n\
                move = [{ shape = 'X' }, { pass = true }]\nstart = { side = 'x' }\n";
    let passing = FileGame::read(text, &Parameters::new()).unwrap();
    assert_eq!(text_of(&passing, "a1 b1 pass"), "XO o");
    assert!(refusal(&passing, "a1 b1 q").contains("found \"q\""));
}

#[test]
fn rules_files_name_their_notations() {
    let read = |notation: &str| {
        let text = format!(
            "name = 'g'\nplay = 'draw'\nsides = ['x', 'o']\nnotation = {notation}\nboard = {{ rows = 2, cols = 2, colours = 'XO' }}\n\
             move = [{{ shape = 'X' }}]\nstart = {{ side = 'x' }}\n"
        );
        FileGame::read(&text, &Parameters::new()).map_err(|error| error.to_string())
    };
    assert_eq!(read("'flat'").unwrap().notations(), [Notation::Flat]);
    assert_eq!(read("['columns', 'obf']").unwrap().notations(), [Notation::Columns, Notation::Obf]);
    assert!(read("'rows'").unwrap_err().contains("\"columns\""));
    assert!(read("['flat', 'flat']").unwrap_err().contains("each notation once"));
    let game = read("['flat', 'obf']").unwrap();
    assert_eq!(text_of(&game, "X..O"), "X./.O x");
    assert_eq!(text_of(&game, "X--- O"), "X./.. o");
    assert_eq!(game.rules().terminal(), Outcome::Draw);
}
