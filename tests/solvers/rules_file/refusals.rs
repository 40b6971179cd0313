//! Each refusal of a rules file, with the line and the expectation that it names.

use std::fmt::Write;
use std::fs;

use crate::rules_file::read;

/// Rules files and the messages that refuse them: lines that begin with `|` are the file, and the next line, which begins
/// with `!`, is the message. `TABLEGEN_WRITE_REFUSALS=1 cargo test --test solvers refusals` writes the messages again.
const REFUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/refused_rules.txt");

#[test]
fn each_refusal_names_the_place_and_the_expectation() {
    let shown = fs::read_to_string(REFUSED).unwrap();
    let (mut found, mut rules) = (String::new(), Vec::new());
    for line in shown.lines() {
        if line.starts_with('!') {
            let text = std::mem::take(&mut rules).join("\n");
            let error = read(&text, "").err().unwrap_or_else(|| panic!("accepted: {text}"));
            writeln!(found, "! {error}").unwrap();
        } else {
            rules.extend(line.strip_prefix('|').map(|line| line.strip_prefix(' ').unwrap_or_default()));
            writeln!(found, "{line}").unwrap();
        }
    }
    if std::env::var_os("TABLEGEN_WRITE_REFUSALS").is_some() {
        fs::write(REFUSED, &found).unwrap();
    }
    let shown = fs::read_to_string(REFUSED).unwrap();
    let differs = shown.lines().zip(found.lines()).find(|(shown, found)| shown != found);
    assert!(shown == found, "shown and found: {differs:?}");
}

/// Three valid lines that most cases begin with.
const HEAD: &str = "name = \"g\"\nboard = { rows = 2, cols = 3 }\nplay = \"normal\"\n";

#[test]
fn two_squares_of_a_graph_are_an_edge() {
    let graph = read("name = 'g'\nboard = { edges = ['a b', 'b c'] }\nmove = [{ shape = 'XX' }]", "").unwrap();
    assert_eq!(tablegen::game::Game::rules(&graph).moves().len(), 2);
}

#[test]
fn parameters_that_are_refused() {
    let refusal = |set: &str| {
        let cram = tablegen::game::library().iter().find(|file| file.name == "cram").expect("it is in the library");
        crate::rules_file::read(cram.text, set).unwrap_err()
    };
    assert_eq!(refusal("row=5"), "row (did you mean rows?): the rules file has the parameters rows, cols, play");
    assert_eq!(refusal("rows=0"), "rows: expected a whole number from 1 to 128, found \"0\"");
    assert_eq!(refusal("rows=x"), "rows: expected a whole number from 1 to 128, found \"x\"");
    assert_eq!(refusal("play=fair"), "play: expected normal, misere or draw, found \"fair\"");
    assert!(refusal("rows=13 cols=10").contains("a board of at most 128 squares"));
    let bare = read("name = 'g'\nboard = { row = 1 }", "n=1").unwrap_err();
    assert_eq!(bare, "n: the rules file has no parameters");
}

/// If parameters make a board too large, the error names the limit and the largest sizes that fit, nearest first.
#[test]
fn sizes_that_fit_are_named() {
    let refusal = |name: &str, set: &str| {
        let game = tablegen::game::library().iter().find(|file| file.name == name).expect("it is in the library");
        read(game.text, set).unwrap_err()
    };
    let two = "expected a board of at most 64 squares in two colours (128 cells), found";
    for (name, set, expected) in [
        (
            "connect-four",
            "rows=9 cols=8",
            format!("{two} 72 squares; the largest that fit are rows=8 cols=8, rows=9 cols=7"),
        ),
        ("connect-four", "rows=20", format!("{two} 80 squares; the largest that fits is rows=16")),
        // The suggested sizes keep the other parameters.
        (
            "breakthrough",
            "rows=8 cols=9 ranks=2 play=misere",
            format!("{two} 72 squares; the largest that fit are rows=8 cols=8 ranks=2, rows=7 cols=9 ranks=2"),
        ),
        (
            "cram",
            "rows=13 cols=10",
            "expected a board of at most 128 squares, found 130 squares; the largest that fit are rows=12 cols=10, rows=13 cols=9".into(),
        ),
        (
            "nim",
            "a=40 b=40 c=40 d=40",
            "expected rows that fit a board of at most 128 squares, found 4 rows of up to 40; the largest that fits is a=32 b=32 c=32 d=32".into(),
        ),
        (
            "nim",
            "a=40 d=3",
            "expected rows that fit a board of at most 128 squares, found 4 rows of up to 40; the largest that fits is a=32 d=3".into(),
        ),
    ] {
        assert_eq!(refusal(name, set), expected, "{name} {set}");
    }
    // If the defaults are too large or no smaller size is allowed, the mistake is in the file.
    let large =
        "name = 'g'\nparameters = { n = 12, m = { default = 1, least = 1 } }\nboard = { rows = 'n', cols = 'n' }";
    assert_eq!(
        read(large, "").unwrap_err(),
        "line 3, column 9: expected a board of at most 128 squares, found 144 squares"
    );
    assert_eq!(
        read(large, "m=2").unwrap_err(),
        "line 3, column 9: expected a board of at most 128 squares, found 144 squares"
    );
    assert!(read(large, "n=64").unwrap_err().ends_with("found 4096 squares; the largest that fits is n=11"));
    // The error suggests a size only if the whole file is accepted with it. With n = 11 the rows cannot be computed.
    let edge = "name = 'g'\nparameters = { n = 4 }\nboard = { rows = 'n', cols = 'n' }\nmove = [{ shape = 'X', rows = '12 / (n - 11)' }]";
    assert_eq!(
        read(edge, "n=12").unwrap_err(),
        "line 3, column 9: expected a board of at most 128 squares, found 144 squares"
    );
}

/// A wrong parameter is one mistake; values computed from it are not reported.
#[test]
fn a_wrong_parameter_is_reported_alone() {
    for file in tablegen::game::library() {
        let game = file.read(&tablegen::game::Parameters::new()).expect("the defaults are right");
        for parameter in game.parameters() {
            for value in ["0", "1000000", "x"] {
                if let Err(error) = read(file.text, &format!("{}={value}", parameter.name)) {
                    assert!(
                        error.starts_with(&format!("{}: ", parameter.name)) && !error.contains(';'),
                        "{}: {error}",
                        file.name
                    );
                }
            }
        }
    }
    // Mode names have a letter for each square of a board that cannot be read.
    let sides = "name = 'g'\nsides = ['x', 'o']\nmodes = { x = 'x', 'x-{X}' = 'x', o = 'o' }\nboard = { row = 0 }";
    assert_eq!(
        read(sides, "").unwrap_err(),
        "line 4, column 17: expected a whole number from 1 to 128 for `row`, found 0"
    );
}

/// A size that a file of the library cannot have is one mistake, which names the parameter instead of a place in a file
/// that the user does not see. Sizes that the error suggests are accepted.
#[test]
fn sizes_that_a_library_file_refuses_are_named() {
    let suggested = |error: &str| -> Vec<String> {
        let fits = error.split("; the largest that fit").nth(1).map(|fits| fits.split_once(' ').expect("it goes on").1);
        fits.into_iter()
            .flat_map(|fits| fits.split_once(' ').expect("it goes on").1.split(", "))
            .map(str::to_owned)
            .collect()
    };
    let mut count = 0;
    for file in tablegen::game::library() {
        let game = file.read(&tablegen::game::Parameters::new()).expect("the defaults are right");
        let numbers = game.parameters().iter().filter(|parameter| parameter.name != "play");
        let names: Vec<&str> = numbers.map(|parameter| parameter.name.as_str()).collect();
        let one = names.iter().flat_map(|name| ["0", "1", "20", "1000", "-1"].map(|value| format!("{name}={value}")));
        let all = names.iter().map(|name| format!("{name}=20")).collect::<Vec<_>>().join(" ");
        for set in one.chain([all]) {
            let Err(error) = read(file.text, &set) else { continue };
            count += 1;
            let is_named = names.iter().any(|name| error.starts_with(&format!("{name}: expected ")));
            let suggested = suggested(&error);
            assert!(is_named || !suggested.is_empty(), "{} {set}: {error}", file.name);
            assert!(!error.contains("line ") || error.starts_with("line: "), "{} {set}: {error}", file.name);
            for size in suggested {
                assert_eq!(read(file.text, &size).map(drop), Ok(()), "{} {set}: {size}", file.name);
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// A file that only the given parameters make wrong is refused with the parameters, and with values that fit if a search
/// finds some.
#[test]
fn parameters_are_to_blame_if_the_defaults_are_right() {
    let head = "name = 'g'\nparameters = { n = 4 }\nboard = { row = 8 }\n";
    let least = format!("{head}move = [{{ shape = 'X', cols = 'n - 1' }}]");
    let expected = "expected a whole number from 1 to 8 for `cols`, found \"n - 1\": it is";
    assert_eq!(read(&least, "n=30").unwrap_err(), format!("{expected} 29; the largest that fits is n=9"));
    // No lower value fits.
    assert_eq!(read(&least, "n=1").unwrap_err(), format!("n=1: {expected} 0; the default is n=4"));
    // The file is wrong in any case.
    let wrong = format!("{head}moves = [{{ shape = 'X', cols = 'n - 1' }}]");
    assert!(read(&wrong, "n=1").unwrap_err().starts_with("line 4, column 1: "));
    // A name that no parameter has is the only mistake.
    assert_eq!(read(&least, "n=1 m=2").unwrap_err(), "m: the rules file has the parameters n");
}

/// Reading takes time that is linear in the size of the file, whatever the file repeats. Each of these took seconds.
#[test]
fn long_files_are_read_quickly() {
    let file = |board: &str, more: &str| format!("name = 'g'\nboard = {{ {board} }}\n{more}\n");
    let names: Vec<String> = (0..100_000).map(|number| format!("'k{number}'")).collect();
    for text in [
        file("row = 4", &format!("move = [{}]", "{shape='X'},".repeat(74_000))),
        file("row = 4", &format!("modes = [{}]", names.join(","))),
        file("row = 128", &format!("move = [{{ fills = [{}] }}]", "'dx1',".repeat(160_000))),
    ] {
        let begun = std::time::Instant::now();
        let _ = read(&text, "");
        assert!(begun.elapsed().as_secs() < 5, "{:?}: {}", begun.elapsed(), &text[..60]);
    }
}

#[test]
fn files_that_exceed_a_limit() {
    let long = format!("name = 'g'\n{}", " ".repeat(1 << 20));
    assert!(read(&long, "").unwrap_err().contains("expected a rules file of at most 1048576 bytes, found 1048587"));
    let many = |what: &str, count: usize| format!("{HEAD}{what} = [{}]", "{ line = [1, 64] },".repeat(count));
    assert!(read(&many("move", 50_000), "").unwrap_err().contains("shapes that can be placed in reasonable time"));
    assert!(read(&many("end", 50_000), "").unwrap_err().contains("shapes that can be placed in reasonable time"));
    let raw = format!("{HEAD}move = [{}]", "{fills=1},".repeat(32_769));
    assert!(read(&raw, "").unwrap_err().contains("at most 32768 moves in all"));
    let large = format!("{HEAD}[[move]]\nshape = '''\n{}'''", "XXXXXXXX\n".repeat(65));
    assert!(read(&large, "").unwrap_err().contains("at most 512 signs"));
    let wide = format!("{HEAD}[[move]]\nshape = '{}'", "X".repeat(129));
    assert!(read(&wide, "").unwrap_err().contains("at most 128 rows and columns"));
}
