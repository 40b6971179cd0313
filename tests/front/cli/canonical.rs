//! `tablegen value`: published values, and outcome classes of boards.

use tablegen::engine::{self, MisereFacts, SumFacts, ValueFacts};
use tablegen::game::{OutcomeClass, Parameters};
use tablegen::rules::{Board, Mode, Node, Outcome, Position};
use tablegen::search::Search;

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
