//! The program reads a table whose rules no built-in game has: two modes, draws, a terminal pattern, an opening.

use serde_json::{Value, json};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start};
use tablegen::table::{SaveTable, Table};

use super::Home;

/// Left and right take turns on ten cells: left fills one of the upper five, right one of the lower five. Left wins
/// with the top three cells, right with the lowest two. If a player cannot move, the game is a draw.
fn rules() -> Rules {
    let (left, right) = (Mode(0), Mode(1));
    let moves = (0..10).map(|bit| {
        let (mode, next) = if bit >= 5 { (left, right) } else { (right, left) };
        Move { mode, next, ..Move::fill(Board::bit(bit)) }
    });
    let end = |mode, pattern| End {
        mode,
        pattern: Board::from_word(pattern),
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    RulesSpec {
        modes: vec!["left".into(), "right".into()],
        moves: moves.collect(),
        ends: vec![end(right, 0b11100_00000), end(left, 0b00000_00011)],
        terminal: Outcome::Draw,
        start: Start::Opening(vec![
            Position::new(left, Board::from_word(0)),
            Position::new(right, Board::from_word(0b11000_00000)),
        ]),
        ..RulesSpec::new("halves", 10)
    }
    .build()
    .expect("sound rules")
}

fn saved(home: &Home) -> Table {
    crate::common::dense(&rules()).save(&Descriptor::default(), home.path("halves.tb")).unwrap();
    Table::open(home.path("halves.tb")).unwrap()
}

#[test]
fn probe_shows_modes_and_openings() {
    let home = Home::new();
    saved(&home);
    let opening = home.json(&["probe", "halves.tb", "--json"]);
    assert_eq!((&opening["position"], &opening["board"]), (&json!("start"), &json!(0)));
    assert_eq!((&opening["mode"], opening["moves"].as_array().unwrap().len()), (&Value::Null, 2));
    assert_eq!(opening, home.json(&["probe", "halves.tb", "start", "--json"]));

    let object = home.json(&["probe", "halves.tb", "left:0x300", "--json"]);
    assert_eq!((&object["mode"], &object["board"], &object["outcome"]), (&json!("left"), &json!(0x300), &json!("win")));
    assert_eq!(
        object["moves"][0],
        json!({
            "move": "right:0x320", "position": "right:0x320", "outcome": "win", "remoteness": null, "nimber": null,
        })
    );
    let text = home.try_run(&["probe", "halves.tb", "left:0x300"]).stdout;
    assert!(text.contains("winning, 3 of 3 moves: right:0x320, right:0x340, right:0x380"), "{text}");
    let text = home.run(&["probe", "halves.tb", "right:0x3ff"]);
    assert!(text.contains("LOSS: the game is over, and the player to move has lost"), "{text}");
    assert!(home.fails(2, &["probe", "halves.tb", "middle:0"]).contains("left, right"));
}

#[test]
fn info_counts_draws_and_names_modes() {
    let home = Home::new();
    let counts = saved(&home).counts();
    let object = home.json(&["info", "halves.tb", "--json"]);
    assert_eq!((&object["modes"], &object["mode_names"]), (&json!(2), &json!(["left", "right"])));
    assert_eq!(object["positions"], 2048);
    assert_eq!(object["counts"], json!({"win": counts.win, "draw": counts.draw, "loss": counts.loss}));
    let text = home.run(&["info", "halves.tb"]);
    assert!(text.contains("left, right") && text.contains(" draws, "), "{text}");
    home.run(&["verify", "halves.tb"]);
}
