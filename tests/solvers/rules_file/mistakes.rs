//! Several mistakes in one file, the names in error messages, and warnings for valid but doubtful rules.

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Parameters, RulesFileError};

fn refused(text: &str) -> RulesFileError {
    FileGame::read(text, &Parameters::new()).err().unwrap_or_else(|| panic!("accepted: {text}"))
}

/// The line of each mistake.
fn lines_of(error: &RulesFileError) -> Vec<Option<usize>> {
    error.mistakes().iter().map(|mistake| Some(mistake.place()?.line)).collect()
}

const HEAD: &str = "name = \"g\"\nboard = { rows = 2, cols = 3 }\n";

#[test]
fn mistakes_are_reported_together_in_order_of_lines() {
    let text = "[[end]]\nlin = 3\n[[move]]\nshape = 'Q'\n[[move]]\nshape = 'X'\n[[move]]\nline = 0\ncolor = 2\n\
                [board]\nrows = 2\ncols = 2\nsize = 9\n[start]\nboard = 'X'\n[parameters]\n";
    let error = refused(&format!("sumary = ''\nplay = 'nice'\n{text}"));
    let lines = lines_of(&error);
    // No name; the key of line 1; `play`; the end; both moves with a mistake; the board; the start.
    assert_eq!(lines, [1, 1, 2, 4, 6, 10, 11, 15, 17].map(Some), "{error}");
    assert_eq!(error.more(), 0);
    let told = error.to_string();
    assert!(told.contains("one of the keys along, cols, completer, connects"), "{told}");
    assert!(!told.contains("`full`, the cells"), "a misspelt key is not missing too: {told}");
    let many = refused(&format!("{HEAD}{}", "[[move]]\nshape = 'Q'\n".repeat(14)));
    assert_eq!((many.mistakes().len(), many.more()), (10, 4));
    assert!(many.to_string().ends_with("; and 4 more"));
    assert_eq!(refused("name = 'g'").mistakes().len(), 1);
    // The error reports a wrong parameter and not its consequences, but still reports unknown keys of moves.
    let error =
        refused("name = 'g{n}'\nparameters = { n = -1 }\nboard = { row = 'n' }\nmove = [{ line = 'n', lime = 2 }]");
    let lines = lines_of(&error);
    assert_eq!(lines, [2, 4].map(Some), "{error}");
}

/// A default within its limits may be outside the limits that other parameters set.
#[test]
fn a_default_is_moved_into_limits_of_other_parameters() {
    let line = "name = 'g'\nboard = { row = 'n' }\nmove = [{ line = 'k' }]\nparameters = { n = 5, k = { default = 4, most = 'n' } }";
    assert_eq!(read(line, "n=3").unwrap().parameters()[1].value, "3");
}

/// Texts with these characters would command the terminal that shows them, or reorder the text around them.
#[test]
fn characters_that_no_text_may_have() {
    let found = |text: &str| refused(text).to_string();
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

#[test]
fn doubtful_rules_cause_warnings() {
    let warnings = |rest: &str| read(&format!("{HEAD}{rest}"), "").unwrap_or_else(|e| panic!("{e}")).report().warnings;
    assert_eq!(warnings(""), ["there is no move at all"]);
    assert_eq!(
        warnings("[[move]]\nshape = 'X'\n[[move]]\nshape = 'XXXX'\n[[end]]\nline = 4"),
        ["line 5: this [[move]] fits nowhere on the board", "line 7: this [[end]] fits nowhere on the board"]
    );
    let sides = "sides = ['left', 'right']\n";
    assert_eq!(warnings(&format!("{sides}[[move]]\nshape = 'X'\nside = 'left'")), ["right can never move"]);
    let needs = "line 3: no move of this [[move]] can ever be made: it needs a square to be filled that nothing fills";
    assert_eq!(warnings("[[move]]\nshape = 'FX'"), [needs]);
    assert!(warnings("[[move]]\nshape = 'FX'\n[start]\nboard = ['a1']").is_empty());
    let taken =
        "line 3: no move of this [[move]] can ever be made: it needs a square to be free that is filled from the start";
    assert_eq!(warnings("[[move]]\nfills = ['a1']\n[start]\nboard = ['a1']"), [taken]);
    assert!(warnings("[[move]]\nshape = 'X'\n[[move]]\nshape = 'XX'\ncols = '1..0'").is_empty());
    let many = warnings(&"[[move]]\nshape = 'FX'\n".repeat(13));
    assert_eq!((many.len(), many[10].as_str()), (11, "3 more lines have such warnings"));
    for file in tablegen::game::library() {
        assert!(game(file.name, "").report().warnings.is_empty(), "{}", file.name);
    }
}

#[test]
fn each_move_has_an_example() {
    let report = game("connect-four", "rows=3 cols=3 line=3").report();
    let told = |index: usize| (report.examples[index].moves, report.examples[index].drawing.clone().unwrap());
    assert_eq!(report.examples.len(), 3);
    assert_eq!(told(0), (6, "  a b c\n1 . . .\n2 . . .\n3(X). .".into()));
    assert_eq!(told(1), (12, "  a b c\n1(X). .\n2 X . .\n3 . . .".into()));
    let text = "name = 'g'\nboard = { row = 5 }\n[[move]]\nshape = 'oXF'\n[[move]]\nline = 6\n[[move]]\nshape = 'X'";
    let report = read(text, "").unwrap().report();
    let drawings: Vec<(usize, usize, Option<&str>)> =
        report.examples.iter().map(|e| (e.line, e.moves, e.drawing.as_deref())).collect();
    let drawn = |row: &'static str| Some(row);
    assert_eq!(
        drawings,
        [(3, 3, drawn("  a b c d e\n1 o(X)X . .")), (5, 0, None), (7, 5, drawn("  a b c d e\n1(X). . . ."))]
    );
    let report = game("reversi", "").report();
    assert_eq!(report.examples[1].drawing.as_deref(), Some("pass"));
}
