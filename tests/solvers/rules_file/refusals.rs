//! Each refusal of a rules file, with the line and the expectation that it names. The session `parameters` has refused parameters.

use std::fmt::Write;
use std::fs;

use super::read_quickly;
use crate::rules_file::read;
use tablegen::game::Parameters;

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

/// A wrong parameter is one mistake; values computed from it are not reported.
#[test]
fn a_wrong_parameter_is_reported_alone() {
    for file in tablegen::game::library() {
        let game = file.read(&Parameters::new()).expect("the defaults are right");
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
        let game = file.read(&Parameters::new()).expect("the defaults are right");
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
        let _ = read_quickly(&text, &Parameters::new());
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

/// Texts with these characters would command the terminal that shows them, or reorder the text around them.
#[test]
fn characters_that_no_text_may_have() {
    let found = |text: &str| read(text, "").unwrap_err();
    let unprintable = "no control character and none that changes the direction of text, found U+202E";
    for text in [
        "name = 'g'\nsummary = 'a\u{202e}b'\nboard = { row = 2 }",
        "name = 'g'\nboard = { row = 2 }\n# a comment\u{202e}",
        "name = 'g'\ntitle = \"\\u202e\"\nboard = { row = 2 }",
        "name = 'g'\nboard = { row = 2 }\n[looks]\n\"\\u202e\" = 1",
        "name = 'g'\nboard = { edges = [\"a \\u202eb\"] }",
        "name = 'g'\nmodes = [\"a\\u202e\"]\nboard = { row = 2 }",
        "name = 'g'\nboard = { row = 2 }\nparameters = { n = { default = 1, help = \"\\u202e\" } }",
    ] {
        assert!(found(text).contains(unprintable), "{text}: {}", found(text));
    }
    assert!(found("name = 'g'\nsummary = 'a\u{202e}b'\n").contains("line 2, column 13"));
    assert!(found("name = 'g'\nsource = \"\\u001b[2J\"\nboard = { row = 2 }").contains("found U+001B"));
    assert!(read("name = 'g'\nsummary = \"\"\"two\n\tlines\"\"\"\nboard = { row = 2 }", "").is_ok());
}
