//! The notation of positions and moves in games of rules files, and the part of it that a table carries.

use crate::rules_file::{class, game, read};
use proptest::prelude::*;
use tablegen::game::{Game, Parameters, bundled, library, of_table};
use tablegen::label::{LabelKind, Undefined};
use tablegen::rules::{Board, Descriptor, Mode, Node, Outcome, Position};
use tablegen::table::{SaveTable, Table};

#[test]
fn every_file_of_the_library() {
    for file in library() {
        let made = game(file.name, "");
        assert!(!file.head().summary.is_empty() && !made.report().source.is_empty(), "{}", file.name);
        assert!(file.text.starts_with("# ") && made.rules().name().starts_with(file.name), "{}", file.name);
        assert!(made.parameters().iter().all(|p| !p.help.is_empty() && p.value == p.default), "{}", file.name);
        let by_name = bundled(file.name, &Parameters::new()).expect("it is in the library").unwrap();
        assert_eq!(by_name.rules(), made.rules());
        let edited = format!("\u{feff}{}", file.text.replace('\n', "\r\n"));
        assert_eq!(read(&edited, "").expect("line ends are of no concern").rules(), made.rules());
        let again = of_table(made.rules(), &made.descriptor());
        assert_eq!((again.rules(), again.descriptor()), (made.rules(), made.descriptor()));
        assert_eq!(again.draw(made.rules().start_node()), made.report().drawing);
    }
    // No file has the name of a built-in game, since the name would be ambiguous.
    assert!(tablegen::game::FAMILIES.iter().all(|family| bundled(family.name, &Parameters::new()).is_none()));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files, library().len(), "every file of games/ is in the library");
}

#[test]
fn a_set_parameter_is_in_the_name_and_in_the_table() {
    let made = game("cram", "cols=5 play=misere");
    assert_eq!(made.rules().name(), "cram-4x5-misere");
    let set: Vec<(String, String)> = made.descriptor().parameters.split_off(1);
    let text = |k: &str, v: &str| (k.to_owned(), v.to_owned());
    assert_eq!(set, [text("rows", "4"), text("cols", "5"), text("play", "misere")]);
    assert_eq!(of_table(made.rules(), &made.descriptor()).descriptor(), made.descriptor());
    // With rules that do not match the descriptor, the game has bare boards.
    let other = game("cram", "");
    assert_eq!(of_table(other.rules(), &made.descriptor()).write(Position::of(Board::from_word(0)).into()), "0x0");
    for forged in [vec![], vec![("rules.toml".to_owned(), "x".repeat(3 << 20))], vec![text("rules", "name"); 200_000]] {
        let descriptor = Descriptor { family: "rules-file".into(), parameters: forged };
        assert_eq!(of_table(other.rules(), &descriptor).descriptor(), descriptor);
    }
}

/// A table alone gives the game back, and answers in the game's notation.
#[test]
fn a_table_is_self_contained() {
    let made = game("domineering", "rows=3 cols=3");
    let table = Table::from_bytes(crate::common::dense(made.rules()).to_bytes(&made.descriptor())).unwrap();
    let again = of_table(table.rules(), table.descriptor());
    let probe = table.probe(again.read("start").unwrap().node).unwrap();
    assert_eq!((probe.value.outcome, probe.moves.len()), (Outcome::Win, 6));
    assert_eq!(again.write_move(probe.node, probe.moves[0].to), "b1-b2");
    assert_eq!(again.write(probe.moves[0].to.into()), ".X./.X./... right");
    let class = again.outcome_class(&mut |position| table.find(position).unwrap());
    assert_eq!(class.map(|class| class.words("left", "right")), Some("the player who begins wins".into()));
}

#[test]
fn forms_of_a_position() {
    let cram = game("cram", "");
    let place = Node::from(Position::of(Board::from_word(0xcc00)));
    for text in ["XX../XX../..../....", "xx00/XX__/..../....", "0b1100_1100_0000_0000", "0xcc00", "52224"] {
        assert_eq!(cram.read(text).unwrap().node, place, "{text}");
    }
    assert_eq!(cram.read_file("X X . .\nX X . .\n. . . .\n....\n").unwrap().node, place);
    assert_eq!(
        (cram.write(place), cram.read("start").unwrap().node),
        ("XX../XX../..../....".into(), Position::of(Board::from_word(0)).into())
    );
    let at = |mode, board| Node::At(Position::new(Mode(mode), Board::from_word(board)));
    let domineering = game("domineering", "rows=2 cols=2");
    for (text, there) in [
        ("XX/.. left", at(0, 0b1100)),
        ("XX/..  right", at(1, 0b1100)),
        ("0xc right", at(1, 0b1100)),
        ("XX/..", at(1, 0b1100)),
        ("../..", at(0, 0)),
        ("XX/XX", at(0, 0b1111)),
    ] {
        assert_eq!(domineering.read(text).unwrap().node, there, "{text}");
    }
    assert_eq!(domineering.read_file("X X\n. .\nright\n").unwrap().node, at(1, 0b1100));
    assert_eq!(domineering.write(at(1, 0b1100)), "XX/.. right");
    let col = game("col", "rows=1 cols=3");
    assert_eq!(col.read("L.R left").unwrap().node, at(0, 0b100_001));
    assert_eq!((col.read("L.R").unwrap().node, col.read("l..").unwrap().node), (at(0, 0b100_001), at(1, 0b100_000)));
    assert_eq!(col.draw(at(0, 0b100_001)), "  a b c\n1 L . R");
    let petersen = game("petersen-kayles", "");
    assert_eq!(petersen.draw(petersen.read("X.........").unwrap().node), " a b c d e v w x y z\n X . . . . . . . . .");
}

#[test]
fn texts_that_are_not_positions() {
    let refusal = |game: &tablegen::game::FileGame, text: &str| game.read(text).expect_err(text).to_string();
    let domineering = game("domineering", "rows=2 cols=2");
    assert!(refusal(&domineering, "X./..").contains("one of left, right after the board, for the side to move"));
    assert!(refusal(&domineering, "XX/.. up").contains("expected one of left, right after the board, found \"up\""));
    let cram = game("cram", "");
    assert!(refusal(&cram, "XX").contains("expected 4 rows with / between them, found 1"));
    assert!(refusal(&cram, "XX../..L./..../....").contains("found 'L' at c2"));
    assert!(refusal(&cram, "XX../..../..../.... left").contains("4 squares in row 4"));
    let chomp = game("chomp", "");
    assert!(refusal(&chomp, "..../..../....").contains("# for a hole, found '.' at a1"));
    assert!(refusal(&chomp, "#.../#.../....").contains("found '#' at a2"));
    assert!(refusal(&game("col", "rows=1 cols=3"), "LL.").contains("for the side to move"));
}

#[test]
fn moves_are_named_by_their_squares() {
    let name = |game: &tablegen::game::FileGame, from: &str, to: &str| {
        let Node::At(to) = game.read(to).unwrap().node else { panic!() };
        game.write_move(game.read(from).unwrap().node, to)
    };
    let cram = game("cram", "rows=2 cols=3");
    assert_eq!(
        (name(&cram, ".../...", "XX./..."), name(&cram, "X../...", "X.X/..X")),
        ("a1-b1".into(), "c1-c2".into())
    );
    assert_eq!(name(&game("chomp", ""), "#.../..../....", "#.../..XX/..XX"), "c2");
    assert_eq!(name(&game("node-kayles", "rows=1 cols=5"), ".....", ".XXX."), "c1");
    assert_eq!(name(&game("trominoes", "rows=2 cols=2"), "../..", "X./XX"), "a1+a2+b2");
    assert_eq!(name(&game("petersen-kayles", ""), "..........", "XX..XX...."), "a");
}

#[test]
fn two_moves_with_the_same_squares() {
    let text = "name = 'n'\nboard = { row = 5 }\nmove = [{ shape = 'X+', turns = true }]";
    let game = read(text, "").unwrap();
    let to = |board| Position::of(Board::from_word(board));
    assert_eq!(game.write_move(Position::of(Board::from_word(0)).into(), to(0b00110)), "c1-d1");
    assert_eq!(game.write_move(Position::of(Board::from_word(0)).into(), to(0b01100)), "b1-c1");
    let modes = "name = 'n'\nmodes = ['a', 'b']\nboard = { row = 2 }\n\
                 move = [{ mode = 'a', next = 'a', fills = ['a1'] }, { mode = 'a', next = 'b', fills = ['a1'] }]";
    let game = read(modes, "").unwrap();
    let name = |mode| {
        game.write_move(Position::of(Board::from_word(0)).into(), Position::new(Mode(mode), Board::from_word(2)))
    };
    assert_eq!((name(0), name(1)), ("a1 to a".into(), "a1 to b".into()));
}

/// The names of all moves of the position `text`, which must differ.
fn names(game: &tablegen::game::FileGame, text: &str) -> Vec<String> {
    let Node::At(from) = game.read(text).unwrap().node else { panic!("an opening") };
    let names: Vec<String> =
        game.rules().replies(from.into()).into_iter().map(|to| game.write_move(from.into(), to)).collect();
    let different: std::collections::HashSet<&String> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
    names
}

#[test]
fn moves_of_either_colour_name_it() {
    let wild = "name = 'wild'\nsides = ['x', 'o']\nplay = 'draw'\nboard = { rows = 3, cols = 3, colours = 'XO' }\n\
                end = [{ line = 3, along = ['rows', 'columns', 'diagonals'], completer = 'wins' }]\n";
    let moves: String =
        (0..18).map(|cell| format!("[[move]]\nfills = [{cell}]\nempty = [{}, {}]\n", cell % 9, cell % 9 + 9)).collect();
    let game = read(&format!("{wild}{moves}"), "").unwrap();
    assert_eq!(names(&game, "XO./.../... x")[..3], ["X:c1", "X:a2", "X:b2"]);
    assert_eq!(names(&game, "XO./.../XO. x").len(), 10);
    let pair = "[[move]]\nfills = ['X:a1', 'X:b1', 'O:c1']\n[[move]]\nfills = ['O:a1', 'O:c1']";
    let game = read(&format!("{wild}{pair}"), "").unwrap();
    assert_eq!(names(&game, ".../.../... x"), ["X:a1-b1+O:c1", "O:a1+c1"]);
    // If each side has its own colour, the names of moves omit the colour.
    assert_eq!(names(&crate::rules_file::game("col", "rows=1 cols=2"), ".. left"), ["a1", "b1"]);
}

#[test]
fn raw_moves_that_look_alike() {
    let raw = |board: &str, moves: &str| read(&format!("name = 'n'\nboard = {board}\nmove = [{moves}]"), "").unwrap();
    let three = "{ fills = ['a1'] }, { fills = ['a1', 'b1'], empty = ['a1'] }, \
                 { fills = ['a1', 'b1', 'c1'], empty = ['a1', 'b1'] }";
    assert_eq!(names(&raw("{ row = 4 }", three), "...."), ["a1", "a1-b1", "a1-c1"]);
    let two = "{ fills = ['a1', 'b1'], empty = ['a1'] }, { fills = ['a1', 'b1', 'c1'], empty = ['a1', 'b1'] }";
    assert_eq!(names(&raw("{ row = 4 }", two), "...."), ["a1", "a1-b1"]);
    // Two squares with one between them are not a run, even in a single column.
    let apart = "{ fills = ['a1', 'a3'] }, { fills = ['a1', 'a2', 'a3'] }, { fills = ['a1', 'a2'] }";
    assert_eq!(names(&raw("{ rows = 4, cols = 1 }", apart), "./././."), ["a1+a3", "a1-a3", "a1-a2"]);
}

#[test]
fn outcome_classes() {
    assert_eq!(
        (class(&game("domineering", "rows=2 cols=2")).as_str(), class(&game("cram", "")).as_str()),
        ("N", "none")
    );
    let both = |game: &tablegen::game::FileGame| game.roots().len();
    assert_eq!((both(&game("snort", "")), both(&game("cram", "")), both(&game("sim", ""))), (2, 0, 0));
    let nobody = &mut |_| None::<Outcome>;
    assert_eq!(game("domineering", "").outcome_class(nobody), None);
}

#[test]
fn a_game_of_two_sides_has_no_nimbers() {
    let mut found = 0;
    for file in library().iter().filter(|file| file.text.contains("\nsides = ")) {
        let game = game(file.name, "");
        assert!(game.is_partisan() && !game.labels().contains(LabelKind::Nimber), "{}", file.name);
        // The rules name no owner of a mode for plain sides, which alternate; they do for modes that belong to sides.
        let is_plain = game.rules().player(Mode(0)).is_none();
        assert!(is_plain || LabelKind::Nimber.undefined_by(game.rules()).is_some(), "{}", file.name);
        found += 1;
    }
    assert!(found > 10);
    let konane = game("konane", "rows=4 cols=4");
    assert_eq!(konane.undefined(LabelKind::Nimber), Some(Undefined::Partisan));
    assert_eq!(konane.either_side(konane.rules().start_positions()[0]), None);
}

#[test]
fn what_a_check_says() {
    let report = game("domineering", "rows=2 cols=3").report();
    assert_eq!((report.squares, report.cells, report.moves, report.positions), (6, 6, 3 + 4, 128));
    assert_eq!((report.modes, report.partisan, report.ends), (vec!["left".to_owned(), "right".into()], true, 0));
    assert_eq!(report.drawing, "  a b c\n1 . . .\n2 . . .");
    let col = game("col", "").report();
    assert_eq!((col.squares, col.cells, col.positions), (9, 18, 2 << 18));
}

proptest! {
    #[test]
    fn what_is_written_is_read(index: usize, word: u64, mode: u16) {
        let file = library()[index % library().len()];
        let game = game(file.name, "");
        let rules = game.rules();
        let position = Position::new(Mode(mode % rules.modes().len() as u16), Board::from_word(word) & Board::full(rules.cells()));
        let text = game.write(position.into());
        // Games refuse boards on which their rules would not be right, and no play leads there.
        let limits = ["blocks squares", "join to the ground", "the number in `spares`", "free squares of each heap"];
        let read = match game.read(&text) {
            Err(error) if limits.iter().any(|limit| error.to_string().contains(limit)) => return Ok(()),
            read => read.unwrap(),
        };
        prop_assert_eq!(read.node, Node::At(position), "{}", text);
        prop_assert_eq!(game.read_file(&text.replace(['/', ' '], "\n")).unwrap().node, Node::At(position));
        // Different moves have different names.
        let mut names: Vec<(String, Position)> = rules.moves_from(position).map(|m| m.play(position))
            .map(|to| (game.write_move(position.into(), to), to)).collect();
        names.sort();
        names.dedup();
        prop_assert!(names.windows(2).all(|pair| pair[0].0 != pair[1].0), "{:?}", names);
        for (_, to) in names {
            let (drawn, moved) = (game.draw(position.into()), game.draw_move(position.into(), to).unwrap());
            prop_assert_eq!(drawn.lines().count(), moved.lines().count());
        }
    }
}

/// The square that a move fills shows its new piece in brackets: the mover's piece, a block or a vertex.
#[test]
fn a_drawn_move_shows_the_signs_of_the_pieces() {
    let drawn = |name: &str, position: &str, text: &str| {
        let game = game(name, "");
        let Node::At(from) = game.read(position).unwrap().node else { panic!("{position}") };
        let mut found = game.rules().moves_from(from).map(|m| m.play(from));
        let to = found.find(|&to| game.write_move(from.into(), to) == text).unwrap_or_else(|| panic!("no move {text}"));
        game.draw_move(from.into(), to).unwrap()
    };
    assert_eq!(drawn("col", ".../.../... left", "b2"), "  a b c\n1 . . .\n2 .(L).\n3 . . .");
    assert_eq!(drawn("col", "L../.../... right", "c3"), "  a b c\n1 L . .\n2 . . .\n3 . .(R)");
    assert_eq!(drawn("clobber", ".XXO/OXOX/XOXO o", "a2>a3"), "  a b c d\n1 . X X O\n2 . X O X\n3(O)O X O");
    assert_eq!(drawn("amazons", ".B./.*W/... white-c2", "b3"), "  a b c\n1 . B .\n2 . * W\n3 .(*).");
    assert_eq!(drawn("cram", "XX../..../..../....", "c1-d1"), "  a b c d\n1 X X(X X)\n2 . . . .\n3 . . . .\n4 . . . .");
    assert_eq!(drawn("petersen-kayles", "..........", "a"), " a b c d e v w x y z\n(X X). .(X X). . . .");
}
