//! No text makes the reader panic, hang or use unbounded memory, and every accepted text defines valid rules.

use super::read_quickly;
use crate::common;
use proptest::prelude::*;
use tablegen::game::{FileGame, Game, Parameters, library, of_table};
use tablegen::label::LabelSet;
use tablegen::solve::{Method, Options, SolveError, solve};

/// Reads `text`. An accepted text defines valid rules, and its own descriptor gives them back.
fn holds(text: &str, set: &Parameters) {
    match read_quickly(text, set) {
        Ok(game) => {
            let again = of_table(game.rules(), &game.descriptor());
            assert_eq!((again.rules(), again.descriptor()), (game.rules(), game.descriptor()));
            let start = game.rules().start_node();
            assert_eq!(game.read(&game.write(start)).expect("its own text").node, start);
            assert!(!game.report().drawing.is_empty());
            builds_or_is_too_large(&game);
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

/// Two solvers agree on accepted rules, or refuse them because they are too large turn over lines or count pieces, and for no other reason.
fn builds_or_is_too_large(game: &FileGame) {
    let roots = game.roots();
    let method = Method::of_reachable(game.rules());
    let labels = LabelSet::OUTCOME.needed_by(game.rules());
    let options = Options { roots: &roots, labels, max_positions: Some(2_000), ..Options::of(method) };
    let solution = match solve(game.rules(), &options) {
        Ok(solution) => solution,
        Err(
            SolveError::MaxPositions { .. }
            | SolveError::TooLong { .. }
            | SolveError::TooWide { .. }
            | SolveError::Lines { .. }
            | SolveError::Counts { .. }
            | SolveError::CountsAndGains { .. }
            // Scores may repeat, or be too large.
            | SolveError::Undefined { .. },
        ) => return,
        Err(error) => panic!("{}: {error}", game.rules().name()),
    };
    if game.rules().positions() <= 1 << 14 && game.rules().sweep_obstacle().is_none() {
        let dense = common::dense(game.rules());
        for (position, outcome) in common::held(&solution) {
            assert_eq!(outcome, common::outcome(&dense, position), "{position:?}");
        }
    }
}

#[derive(Clone, Debug)]
enum Change {
    Delete(usize),
    Repeat(usize),
    Swap(usize, usize),
    Number(usize, &'static str),
    Insert(usize, String),
}

fn change() -> impl Strategy<Value = Change> {
    let number = prop::sample::select(vec![
        "0",
        "-1",
        "64",
        "65",
        "99999999999999999999999",
        "1e400",
        "nan",
        "true",
        "[]",
        "{}",
        "'rows'",
        "\"X\"",
        "'((((((((((((((((((((1'",
        "0xffffffffffffffff",
        "'rows*rows*rows'",
        "1979-05-27",
        "[[[[[[1]]]]]]",
        "''",
    ]);
    prop_oneof![
        any::<usize>().prop_map(Change::Delete),
        any::<usize>().prop_map(Change::Repeat),
        any::<(usize, usize)>().prop_map(|(a, b)| Change::Swap(a, b)),
        (any::<usize>(), number).prop_map(|(line, number)| Change::Number(line, number)),
        (any::<usize>(), "[\\[\\]{}=\"'#X+.a-z0-9\n ]{0,12}").prop_map(|(at, text)| Change::Insert(at, text)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in changes {
        let count = lines.len().max(1);
        match change {
            _ if lines.is_empty() => {}
            Change::Delete(line) => drop(lines.remove(line % count)),
            Change::Repeat(line) => lines.push(lines[line % count].clone()),
            Change::Swap(a, b) => lines.swap(a % count, b % count),
            Change::Number(line, number) => {
                let line = &mut lines[line % count];
                if let Some((key, _)) = line.split_once('=') {
                    *line = format!("{key}= {number}");
                }
            }
            Change::Insert(at, text) => {
                let line = &mut lines[at % count];
                let place = (0..=line.len()).cycle().skip(at % 97).find(|&place| line.is_char_boundary(place));
                line.insert_str(place.unwrap_or(0), text);
            }
        }
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        holds(&String::from_utf8_lossy(&bytes), &Parameters::new());
    }

    #[test]
    fn any_characters(text in "[\\[\\]{}=\"',.#X+a-c0-9\n ]{0,200}") {
        holds(&text, &Parameters::new());
    }

    #[test]
    fn changed_files_of_the_library(index: usize, changes in prop::collection::vec(change(), 1..6)) {
        let file = library()[index % library().len()];
        holds(&changed(file.text, &changes), &Parameters::new());
    }

    #[test]
    fn parameters_of_any_value(index: usize, value in "[0-9]{1,3}|-?[0-9a-z]{0,24}", which: usize) {
        let file = library()[index % library().len()];
        let game = file.read(&Parameters::new()).expect("a file of the library");
        if !game.parameters().is_empty() {
            let name = &game.parameters()[which % game.parameters().len()].name;
            holds(file.text, &Parameters::new().with(name.as_str(), value));
        }
    }
}

/// Difficult texts for a parser, of a whole MiB.
#[test]
fn large_and_deep() {
    let most = FileGame::MOST_BYTES;
    let full = |piece: &str| piece.repeat(most / piece.len());
    let head = "name='g'\nboard={row=64}\n";
    let fill = |open: &str, piece: &str, close: &str| {
        let room = (most - head.len() - open.len() - close.len()) / piece.len();
        format!("{head}{open}{}{close}", piece.repeat(room))
    };
    let texts = [
        full("["),
        full("{"),
        full("a."),
        full("a={"),
        full("[["),
        full("\"\\u0000"),
        full("\n"),
        full("#"),
        full("x=["),
        full("'"),
        full("["),
        full("-"),
        full("a\n"),
        format!("{}{}=1", "", full("a.").trim_end_matches('.')),
        format!("{}{}", full("[").split_at(most / 2).0, full("]").split_at(most / 2).0),
        format!("[{}]", full("a.").split_at(most - 8).0.trim_end_matches('.')),
        fill("move=[", "{line=[1,64],along=['rows','columns','diagonals']},", "]"),
        fill("move=[", "{shape='X',also=['right','below','left','above']},", "]"),
        fill("move=[", "{fills=1},", "]"),
        fill("end=[", "{full=[0,1,2,3,4,5,6,7,8,9,10,11,12]},", "]"),
        fill("start=[", "{board=1},", "]"),
        fill("modes=[", "'a',", "]"),
        fill("[[move]]\nshape='''", "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX\n", "'''"),
        fill("[[move]]\nfills=[", "0,", "]"),
        fill("summary='", "x", "'"),
        format!("name='g'\nboard={{edges=[{}]}}", "'a b',".repeat(100_000)),
        (0..60_000).map(|n| format!("k{n}=1\n")).collect(),
        (0..60_000).map(|n| format!("[t{n}]\n")).collect(),
    ];
    for text in texts {
        holds(&text, &Parameters::new());
    }
}
