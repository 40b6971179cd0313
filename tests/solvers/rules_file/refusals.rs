//! Each refusal of a rules file, with the line and the expectation that it names.

use crate::rules_file::read;

/// Three valid lines that most cases begin with.
const HEAD: &str = "name = \"g\"\nboard = { rows = 2, cols = 3 }\nplay = \"normal\"\n";

#[test]
fn lines_that_are_refused() {
    let head = |rest: &str| format!("{HEAD}{rest}");
    let board = |board: &str| format!("name = 'g'\nboard = {board}\n");
    let cases: &[(String, &str)] = &[
        // The file.
        ("".into(), "line 1, column 1: expected `name`, the name of the game, in the file, found none"),
        ("\n\nname = ".into(), "line 3, column 8: not valid TOML"),
        ("name = 'g\n".into(), "line 1, column 10: not valid TOML: a text has no closing quotation mark"),
        ("name = 'g'\nname = 'h'".into(), "line 2, column 1: not valid TOML: duplicate key"),
        ("name = 'g'".into(), "line 1, column 1: expected `board`"),
        (head("colour = 1"), "line 4, column 1: expected one of the keys board, end, group, looks, modes, move, name"),
        (head("colour = 1"), "of the file, found \"colour\""),
        ("board = 1\nname = 2".into(), "line 2, column 8: expected a text for `name`, found 2"),
        ("name = 'a b'\nboard = { row = 1 }".into(), "line 1, column 8: expected a file name"),
        (
            "\nname = '{n}'\nboard = { row = 1 }".into(),
            "line 2, column 8: expected a parameter of the file between { and } for `name`",
        ),
        ("name = '{n'\nboard = { row = 1 }".into(), "a } after each {"),
        (
            "name = 'g{a}{b}'\nparameters = { a = 1, b = 1 }".into(),
            "line 1, column 8: expected a sign between two numbers",
        ),
        ("name = 'g{a}1'\nparameters = { a = 1 }".into(), "no digit right after a number"),
        (format!("name = '{}'\nboard = {{ row = 1 }}", "x".repeat(129)), "1 to 128 of the characters"),
        (
            "name = 'g'\nboard = { row = 1 }\nsummary = 3".into(),
            "line 3, column 11: expected a text for `summary`, found 3",
        ),
        (
            "name = 'g'\nplay = 'nice'".into(),
            "line 2, column 8: expected \"normal\" or \"misere\" or \"draw\" for `play`",
        ),
        // Parameters.
        ("name = 'g'\n[parameters]\nRows = 3".into(), "line 3, column 8: expected a name of a-z"),
        ("name = 'g'\n[parameters]\nmin = 3".into(), "line 3, column 7: expected a name of a-z"),
        (
            "name = 'g'\n[parameters]\nn = -3".into(),
            "line 3, column 5: expected a whole number from 0 to 1000000 for `n`, found -3",
        ),
        ("name = 'g'\n[parameters]\nn = 1.5".into(), "found 1.5"),
        ("name = 'g'\n[parameters]\nn = {}".into(), "line 3, column 5: expected `default`"),
        ("name = 'g'\n[parameters]\nn = { default = 1, least = 3, most = 2 }".into(), "`least` not above `most`"),
        ("name = 'g'\n[parameters]\nn = { default = 1, lest = 3 }".into(), "default, help, least, most"),
        ("name = 'g'\nplay = 'draw'\n[parameters]\nplay = 'draw'".into(), "line 4, column 8: expected one `play`"),
        (
            format!("name = 'g'\n[parameters]\n{}", (0..33).map(|n| format!("p{n} = 1\n")).collect::<String>()),
            "line 2, column 1: expected at most 32 parameters",
        ),
        // Tables for several values.
        (head("move = [{ each = { rows = 3, n = '1..' }, shape = 'X' }]"), "line 4, column 34: expected whole numbers"),
        (head("move = [{ each = { N = 3 }, shape = 'X' }]"), "expected a name that no parameter has"),
        (head("move = [{ each = { n = '1..9999' }, shape = 'X' }]"), "expected a range of at most 4096 numbers"),
        (
            head("move = [{ each = { a = '1..999', b = '1..999' }, shape = 'X' }]"),
            "expected shapes that can be placed in reasonable time",
        ),
        (head("move = [{ shape = 'X', rows = '0..0-1' }]"), "expected whole numbers from 1 to 2"),
        // Forms of moves.
        (head("move = [{ outflanks = true }]"), "line 4, column 23: expected a [board] of squares with `colours`"),
        (head("move = [{ lifts = 'X#' }]"), "expected a drawing with the signs X ."),
        (head("move = [{ line = 2, along = [[0, 0]] }]"), "expected a step to another square for `along`"),
        (head("move = [{ line = 2, along = [[1]] }]"), "expected a step of two numbers"),
        (head("move = [{ shape = 'X', neighbours = { Y = 1 } }]"), "expected one of the signs o F for `Y`"),
        (head("move = [{ shape = 'X', neighbours = { F = [1, 2, 3] } }]"), "expected a number of neighbours"),
        (
            head("move = [{ shape = 'X' }]\nend = [{ surrounded = true }]"),
            "line 5, column 23: expected true, on a [board] with `colours`",
        ),
        (
            head("move = [{ shape = 'X' }]\nend = [{ stuck = true, outcome = 'most' }]"),
            "expected a [board] with `colours` for `outcome`",
        ),
        // The board.
        (board("3"), "line 2, column 9: expected [board] (a table) for `board`, found 3"),
        (
            board("{}"),
            "line 2, column 9: expected one of `rows` and `cols`, `row`, `lengths`, `drawn`, `edges` in [board]",
        ),
        (board("{ row = 3, rows = 2 }"), "line 2, column 9: expected one of `rows` and `cols`"),
        (board("{ row = 0 }"), "expected a whole number from 1 to 128 for `row`, found 0"),
        (board("{ row = 'n + 1' }"), "found \"n + 1\": n is not a known parameter (none)"),
        (board("{ row = '1 +' }"), "expected a number or a parameter at its end"),
        (board("{ row = '9 - 10' }"), "it is -1"),
        (
            board("{ rows = 12, cols = 12 }"),
            "line 2, column 9: expected a board of at most 128 squares, found 144 squares",
        ),
        (board("{ row = 129 }"), "line 2, column 9: expected a board of at most 128 squares, found 129 squares"),
        (
            board("{ row = 80, colours = 'LR' }\nsides = ['l', 'r']"),
            "line 2, column 9: expected a board of at most 64 squares in two colours (128 cells), found 80 squares",
        ),
        (
            board("{ row = 4, colours = 'LR' }"),
            "expected `sides = [...]`, one for each letter of `colours`, found none",
        ),
        (board("{ row = 4, colours = 'LL' }"), "two letters"),
        (
            board("{ row = 2, holes = ['c1'] }"),
            "expected the name of a square, from a1 to b1, for `holes`, found \"c1\"",
        ),
        (board("{ row = 1, holes = ['a1'] }"), "expected a board of 1 to 128 cells for `board`, found 0"),
        (board("{ drawn = '' }"), "a drawing of 1 to 128 squares"),
        (board("{ drawn = '.x' }"), "expected rows of . (a square) and # (a hole) for `drawn`, found 'x'"),
        (
            board("\"\"\"\n..\n...\"\"\"").replace("board = ", "board.drawn = "),
            "expected 2 squares in each row for `drawn`, found 3 in row 2",
        ),
        (board("{ lengths = [] }"), "rows that fit a board of 1 to 128 squares for `lengths`"),
        (board("{ lengths = [9, 9, 9, 9, 9, 17, 9, 9] }"), "found 8 rows of up to 17"),
        (board("{ edges = [] }"), "a graph of at least one vertex"),
        (board("{ edges = ['a'] }"), "an edge, two names with a blank between them"),
        (board("{ edges = ['a a'] }"), "an edge between two vertices"),
        (board("{ edges = ['a b+c'] }"), "the name of a vertex"),
        (board("{ row = 2, vertices = ['a'] }"), "`vertices` together with `edges`"),
        (board("{ row = 2, size = 2 }"), "line 2, column 20: expected one of the keys between, colours, cols, drawn"),
        // Sides and modes.
        (head("sides = ['l']"), "line 4, column 9: expected the names of the two sides"),
        (head("sides = ['l', 'l']"), "a name that no other mode has"),
        (head("modes = []"), "line 4, column 9: expected a list of 1 to 256 names"),
        (head("modes = ['a']\nsides = ['l', 'r']"), "line 5, column 9: expected either `sides` or `modes`, found both"),
        // Moves.
        (head("move = 3"), "line 4, column 8: expected [[move]] (a list of tables) for `move`, found 3"),
        (head("move = [3]"), "line 4, column 9: expected [[move]] (a table)"),
        (
            head("[[move]]\nturns = true"),
            "line 4, column 1: expected `fills`, the cells it fills, or `shape`, `line` or another form of move, in [[move]]",
        ),
        (head("[[move]]\nshape = 'X'\nline = 2"), "one of `shape` and `line`"),
        (
            head("[[move]]\nshape = 'XQ'"),
            "line 5, column 9: expected a drawing with the signs X + o - F L # . for `shape`, found 'Q' in row 1",
        ),
        (head("[[move]]\nshape = 'XM'"), "a [board] with `colours`, which the sign 'M' needs,"),
        (head("[[move]]\nshape = '..'"), "line 5, column 9: expected at least one X"),
        (head("[[move]]\nshape = 'X'\nturns = 1"), "line 6, column 9: expected true or false for `turns`, found 1"),
        (
            head("[[move]]\nshape = 'X'\nflips = 'down'"),
            "line 6, column 9: expected true, false, \"left-right\", \"top-bottom\" or \"both\" for `flips`, found \"down\"",
        ),
        (head("[[move]]\nline = [1]"), "a length, or a list of the smallest and the largest length"),
        (head("[[move]]\nline = [3, 2]"), "expected a whole number from 3 to 128 for `line`, found 2"),
        (
            head("[[move]]\nline = 2\nalong = ['up']"),
            "line 6, column 10: expected \"rows\" or \"columns\" or \"diagonals\" for `along`",
        ),
        (
            head("[[move]]\nshape = 'X'\nneighbours = 'X'"),
            "line 6, column 14: expected \"+\" or \"-\" for `neighbours`",
        ),
        (head("[[move]]\nshape = 'X'\nalso = ['down']"), "\"right\" or \"below\" or \"left\" or \"above\""),
        (head("[[move]]\nshape = 'X'\nside = 'left'"), "line 6, column 8: expected `sides` of the file for `side`"),
        (head("[[move]]\nfills = [9]"), "line 5, column 10: expected a cell from 0 to 5, or by name as in \"a1\","),
        (head("[[move]]\nfills = 99"), "cells (a board number, rows of the board, or a list) of the 6"),
        (head("[[move]]\nfills = 'XX'"), "expected 2 rows with / between them for `fills`, found 1"),
        (
            head("[[move]]\nfills = 1\nempty = 2"),
            "line 4, column 1: expected a cell of `empty` that is also in `fills`",
        ),
        (head("[[move]]\nfills = 1\nfull = 1"), "line 4, column 1: expected cells either `empty` or `full`"),
        (
            head("modes = ['a']\n[[move]]\nfills = 1"),
            "line 5, column 1: expected `mode`, one of the modes, in [[move]]",
        ),
        (head("modes = ['a']\n[[move]]\nmode = 'b'"), "line 6, column 8: expected one of a for `mode`, found \"b\""),
        (head("modes = ['a']\n[[move]]\nmode = 'a'\nfills = 1"), "`next`, the mode it leads to,"),
        (
            head(&"[[move]]\nshape = 'X'\n".repeat(3)).replace("cols = 3", "cols = 0"),
            "line 2, column 28: expected a whole number from 1 to 128 for `cols`",
        ),
        // Ends and the start.
        (
            head("[[end]]\nshape = 'Xo'"),
            "line 5, column 9: expected a drawing with the signs X # . for `shape`, found 'o' in row 1",
        ),
        (head("[[end]]\nshape = 'X'\ncompleter = 'win'"), "\"wins\" or \"draws\" or \"loses\" for `completer`"),
        (head("[[end]]\nline = 2\noutcome = 'wins'"), "\"win\" or \"draw\" or \"loss\" for `outcome`"),
        (
            head("[[end]]\noutcome = 'win'"),
            "line 4, column 1: expected `full`, the cells that end the game, or `shape`, `line`, `connects`",
        ),
        (head("[[end]]\nline = 2\noutcome = 'win'\ncompleter = 'wins'"), "one of `completer` and `outcome`"),
        (head("start = 3"), "line 4, column 9: expected [[start]] (a list of tables) for `start`, found 3"),
        (head("start = []"), "line 4, column 9: expected at least one position to choose"),
        (head("[start]\nboard = 'XXX/XXXX'"), "line 5, column 9: expected 3 squares in row 2 for `board`, found 4"),
        (head("[start]\nside = 'left'"), "line 5, column 8: expected `sides` of the file for `side`"),
        // Points.
        (
            board("{ row = 1, points = 'a b' }"),
            "line 2, column 29: expected `points` together with `between` for `points`",
        ),
        (
            board("{ row = 1, between = ['a b'], points = 'a' }"),
            "expected each point of `between` once for `points`, found no \"b\"",
        ),
        (board("{ row = 1, between = ['a b'], points = 'a b a' }"), "once for `points`, found \"a\""),
        (board("{ row = 1, between = ['a b'], points = 'a b c' }"), "once for `points`, found \"c\""),
        // Lines that rest on points.
        (
            head("move = [{ shape = 'X', rests_on = [] }]"),
            "line 4, column 35: expected a [board] with `between`, in one colour, for `rests_on`",
        ),
        (
            format!("{}move = [{{ shape = 'XX', rests_on = ['a'] }}]", board("{ row = 2, between = ['a b', 'b c'] }")),
            "expected a move that fills one square for `rests_on`, found 2",
        ),
        (
            format!("{}move = [{{ shape = 'X', rests_on = ['z'] }}]", board("{ row = 1, between = ['a b'] }")),
            "line 3, column 36: expected a list of points that `between` names for `rests_on`, found \"z\"",
        ),
    ];
    for (text, expected) in cases {
        let error = read(text, "").err().unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(error.contains(expected), "{text}\n  says {error}\n  and not {expected}");
        assert!(!error.contains('\n') && error.len() < 600, "{error}");
    }
}

#[test]
fn graphs_take_vertices_and_edges_only() {
    let graph =
        |rest: &str| read(&format!("name = 'g'\nboard = {{ edges = ['a b', 'b c'] }}\nmove = [{{ {rest} }}]"), "");
    assert!(graph("shape = 'XXX'").unwrap_err().contains("line 3, column 19: expected \"X\" (a vertex), \"XX\""));
    assert!(graph("line = 2").unwrap_err().contains("`shape`, since the board is a graph,"));
    assert!(graph("shape = 'X', also = ['right']").unwrap_err().contains("squares in one colour"));
    assert_eq!(tablegen::game::Game::rules(&graph("shape = 'XX'").unwrap()).moves().len(), 2);
}

/// `of` selects a colour, so it needs a pattern and a board with two colours.
#[test]
fn of_needs_a_pattern_in_two_colours() {
    let refused = |board: &str, end: &str| {
        read(&format!("name = 'g'\nsides = ['x', 'o']\nboard = {board}\n[[end]]\n{end}"), "").unwrap_err()
    };
    let one = refused("{ row = 2 }", "line = 2\nof = 'mover'");
    assert_eq!(one, "line 6, column 6: expected a [board] with `colours` for `of`, found none");
    let stuck = refused("{ row = 2, colours = 'XO' }", "stuck = true\noutcome = 'win'\nof = 'mover'");
    assert_eq!(stuck, "line 7, column 1: expected only keys that fit the other keys of [[end]], found `of`");
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
