//! `tablegen value`: published values, and outcome classes of boards.

use tablegen::engine::{self, MisereFacts, SumFacts, ValueFacts};
use tablegen::game::{OutcomeClass, Parameters};
use tablegen::rules::{Board, Mode, Node, Outcome, Position};
use tablegen::search::Search;

use super::Home;

/// A page of values that others published.
const PUBLISHED: &str = include_str!("../../../docs/explanation/published-values.md");

/// The expressions and values of the page.
fn published() -> Vec<(&'static str, String)> {
    let row = |line: &'static str| {
        let (expression, value) =
            line.strip_prefix("| `tablegen value '")?.strip_suffix("` |")?.split_once("'` | `")?;
        Some((expression, value.replace("\\|", "|")))
    };
    PUBLISHED.lines().filter_map(row).collect()
}

/// Genus symbols: Conway, On Numbers and Games, chapter 12 (Nim); Winning Ways, chapter 13 (Kayles).
const GENERA: &[(&str, &str)] = &[
    ("nim(a=1,b=1,c=1):X/X/X/#", "0^120"),
    ("nim(a=1,b=0,c=0):", "1^031"),
    ("nim(a=2,b=0,c=0):", "2^20"),
    ("nim(a=3,b=0,c=0):", "3^31"),
    ("nim(a=2,b=2,c=0):", "0^02"),
    ("nim(a=2,b=3,c=0):", "1^13"),
    ("kayles(pins=5):", "4^146"),
    ("kayles(pins=9):", "4^046"),
];

#[test]
fn published_genus_symbols() {
    for (position, genus) in GENERA {
        let found = MisereFacts::of(position, 1 << 20).unwrap().unwrap().genus;
        assert_eq!(found, *genus, "{position}");
    }
    // Nim with heaps of 4 to 7 beans (Plambeck and Siegel, 2008).
    let nim = MisereFacts::of("nim(a=5,b=4,c=0):", 1 << 20).unwrap().unwrap();
    let (quotient, class) = (nim.quotient.unwrap(), nim.class.unwrap());
    assert_eq!((quotient.order(), quotient.lost().contains(&class)), (10, false));
    for without in ["col:", "nim(a=1): + nim(a=1):", "*2"] {
        assert_eq!(MisereFacts::of(without, 1 << 20).unwrap(), None, "{without}");
    }
}

#[test]
fn published_values() {
    let rows = published();
    assert_eq!(rows.len(), PUBLISHED.lines().filter(|line| line.starts_with("| `")).count());
    assert!(rows.len() >= 157, "{}", rows.len());
    for (expression, value) in &rows {
        // Programs may write one value in several ways.
        let [found, expected] =
            [expression, value.as_str()].map(|text| ValueFacts::of(text, 1 << 20).expect(text).name);
        assert_eq!(found, expected, "{expression}");
    }
}

/// The class that follows from the value of each board is the class that a search finds.
#[test]
fn every_small_board_has_the_class_of_its_value() {
    for (name, size) in [("domineering", [2, 3]), ("col", [1, 3]), ("snort", [2, 2]), ("clobber", [2, 2])] {
        let game = engine::game(name, &Parameters::new().with("rows", size[0]).with("cols", size[1])).unwrap();
        let mut search = Search::new(game.rules());
        let mut seen = 0;
        for board in (0..1 << game.rules().cells()).map(Board::from_word) {
            let sides = [0, 1].map(|side| Position::new(Mode(side), board));
            if !sides.iter().all(|&side| game.rules().has(side)) {
                continue;
            }
            let text = game.write(sides[0].into());
            let text = text.split(' ').next().unwrap();
            let Ok(facts) = ValueFacts::of(&format!("{name}:{text}"), 1 << 20) else { continue };
            let [left, right] = sides.map(|side| search.outcome(side.into()).unwrap());
            assert_eq!(Some(facts.class), OutcomeClass::of(left, right), "{name}:{text}");
            seen += 1;
        }
        assert!(seen > 20, "{name}: {seen}");
    }
}

/// Two boards with a filled column between them are one board, on which a search finds the winning moves.
#[test]
fn winning_moves_of_a_sum_are_those_of_the_joined_board() {
    let game = engine::game("domineering", &Parameters::new().with("rows", 2).with("cols", 5)).unwrap();
    let mut search = Search::new(game.rules());
    let row = |bits: usize| (0..2).map(|square| if bits >> square & 1 == 1 { 'X' } else { '.' }).collect::<String>();
    for fill in 0..256 {
        let [a, b, c, d] = [0, 2, 4, 6].map(|shift| row(fill >> shift));
        let sum = SumFacts::of(&format!("domineering:{a}/{b} + domineering:{c}/{d}"), 1 << 10).unwrap();
        for (side, found) in ["left", "right"].into_iter().zip(sum.sides) {
            let joined = format!("{a}X{c}/{b}X{d} {side}");
            let position = game.read(&joined).unwrap().node;
            let Node::At(position) = position else { panic!("the board is a position") };
            let moves: Vec<_> = game.rules().moves_from(position).map(|m| m.play(position)).collect();
            let wins = moves.iter().filter(|&&next| search.outcome(next.into()).unwrap() == Outcome::Loss);
            assert_eq!((found.count, found.winning.len()), (moves.len(), wins.count()), "{joined}");
        }
    }
}

#[test]
fn expressions_without_a_value_are_refused() {
    let home = Home::new();
    let cases = [
        ("{1|", 2, "cannot read the game at column 4: expected a game, found the end; see 'tablegen value --help'"),
        ("{kayles(pins=5):|", 2, "cannot read the game at column 18: expected a game, found the end"),
        ("chess:", 2, "no game called \"chess\""),
        ("col:..x", 2, "found 'x' at c1; a term ends at a blank"),
        ("tactics:", 2, "tactics-4x4-run4-misere has no values: they need normal play"),
        ("quixo:", 2, "quixo-3 has no values: "),
        // The openings that an error names have values.
        (
            "konane(rows=4,cols=4):",
            2,
            "found one within a turn or an opening; try one that follows: ..BW/WBWB/BWBW/WBWB, ",
        ),
        // No option raises the limits of the calculator.
        ("65536", 2, "expected at most 65535 moves to its end, found more; try a smaller game"),
        ("*20000", 2, "expected at most 67108864 steps, found more; try a smaller game"),
    ];
    for (expression, status, says) in cases {
        let error = home.fails(status, &["value", expression]);
        assert!(error.contains(says), "{expression}: {error}");
    }
    let error = home.fails(4, &["value", "domineering:", "--limit", "100"]);
    assert!(error.contains("expected at most 100 positions to follow, found more; raise --limit"), "{error}");
    // Positions within turns count as well: a turn may have as many as a board has sets of squares.
    let again = "sides = ['l', 'r']\nname = 'again'\nboard = { row = 40 }\nmove = [{ shape = 'X', again = true }]";
    std::fs::write(home.path("again.toml"), again).unwrap();
    let error = home.fails(4, &["value", "again.toml", "--limit", "1000"]);
    assert!(error.contains("expected at most 1000 positions to follow, found more"), "{error}");
    assert_eq!(home.json(&["value", "konane(rows=4,cols=4):..BW/WBWB/BWBW/WBWB", "--json"])["class"], "P");
    assert_eq!(home.json(&["value", "65535", "--json"])["reduced"], "65535");
    assert_eq!(home.json(&["value", "{2|-1}", "--json"])["mean"], "1/2");
    let sum = home.json(&["sum", "{2|-1} - 1", "--json"]);
    assert_eq!(sum["left_first"]["winning"][0]["leaves"], "1");
    assert_eq!(sum["right_first"]["moves"], 2);
}

/// A game alone is its start, wherever an expression is expected.
#[test]
fn a_game_alone_is_its_start() {
    let home = Home::new();
    for command in ["value", "sum", "thermograph"] {
        for (game, start) in [("snort", "snort:"), ("nim(a=2,b=1)", "nim(a=2,b=1):")] {
            let [found, expected] = [game, start].map(|text| home.json(&[command, text, "--json"])["value"].clone());
            assert!(found.is_string() && found == expected, "{command} {game}: {found}");
        }
        let error = home.fails(2, &[command, "tictactoe"]);
        assert!(error.contains("tictactoe has no values: they need a game that ends only when"), "{error}");
    }
    assert_eq!(
        home.json(&["value", "{nim(a=1,b=0,c=0)|2} - vv", "--json"])["value"],
        home.json(&["value", "{*|2} + ^^", "--json"])["value"]
    );
    // The position of a thermograph may name a mode.
    let of = |position| home.json(&["thermograph", "domineering", position, "--json"])["value"].clone();
    assert_eq!(of("../.. left"), of("../.."));
}

#[test]
fn a_thermograph_is_text_json_and_a_picture() {
    let home = Home::new();
    let of_position = ["thermograph", "domineering", ".../..."];
    let text = home.run(&of_position);
    assert_eq!(text, home.run(&["thermograph", "{2|-1/2}"]));
    assert!(text.contains("Left wall  3 at -1, 3/4 at 5/4"), "{text}");
    let json = home.json(&["thermograph", "{3|1}", "--json"]);
    assert_eq!(json["right_wall"][1], serde_json::json!({"temperature": "1", "value": "2"}));

    // At temperature 1 both walls of 7 || 6 | (4 | -5) are at 6, so the right one is a vertical line.
    let game = "{7|{6|{4|-5}}}";
    let svg = home.run(&["thermograph", game, "--svg"]);
    assert_eq!(home.run(&["thermograph", game, "--svg", "g.svg"]), home.run(&["thermograph", game]));
    assert_eq!(std::fs::read_to_string(home.path("g.svg")).unwrap(), svg);
    let lines = svg.split("<polyline ").skip(1).filter(|line| line.contains("stroke-width=\"3\""));
    let points = |line: &str| line.split_once("points=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    let xs: Vec<Vec<String>> = lines
        .map(|line| points(line).split_whitespace().map(|point| point.split(',').next().unwrap().to_owned()).collect())
        .collect();
    assert!(xs.len() == 1 && xs[0].len() == 2 && xs[0][0] == xs[0][1], "{xs:?}");
    assert!(home.fails(2, &["thermograph", game, "--svg", "--json"]).contains("cannot print --svg - and --json"));
}
