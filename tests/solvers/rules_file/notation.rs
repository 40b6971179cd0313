//! The notation of positions and moves in games of rules files, and the part of it that a table carries. The session `notation`
//! has forms of positions and names of moves.

use crate::rules_file::{class, game, read};
use proptest::prelude::*;
use tablegen::game::{FileGame, Game, Parameters, bundled, library, of_table};
use tablegen::label::{LabelKind, Undefined};
use tablegen::rules::{Board, Descriptor, Mode, Node, Outcome, Position};
use tablegen::table::{SaveTable, Table};

#[test]
fn every_file_of_the_library() {
    for file in library() {
        let made = game(file.name, "");
        assert!(!file.head().summary.is_empty() && !made.report().source.is_empty(), "{}", file.name);
        assert!(file.text.starts_with("# ") && made.rules().name().starts_with(file.name), "{}", file.name);
        assert!(made.report().warnings.is_empty(), "{}", file.name);
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

proptest! {
    #[test]
    fn what_is_written_is_read(index: usize, word: u64, mode: u16) {
        let file = library()[index % library().len()];
        let game = game(file.name, "");
        let rules = game.rules();
        let position = Position::new(Mode(mode % rules.modes().len() as u16), Board::from_word(word) & Board::full(rules.cells()));
        let text = game.write(position.into());
        // Games refuse boards on which their rules would not be right, and no play leads there.
        let limits =
            ["blocks squares", "join to the ground", "the number in `spares`", "free squares of each heap", "left the hand"];
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
    // The vertices of a graph whose file has no drawing stand in a row.
    let text = "name = 'path'\nboard = { edges = ['a b c'] }\nmove = [{ shape = 'X', neighbours = '+' }]";
    let path = FileGame::read(text, &Parameters::new()).unwrap();
    let [from, to] = ["...", "XX."].map(|text| path.read(text).unwrap().node);
    let Node::At(to) = to else { panic!("no opening") };
    assert_eq!(path.draw_move(from, to).unwrap(), " a b c\n(X X).");
}
