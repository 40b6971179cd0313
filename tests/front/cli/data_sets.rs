//! `probe --batch --csv`: rows with one field for each square, made here in the form of published data sets.

use super::Home;

/// The nine fields of a text such as `X.O/.X./..O`.
fn fields(position: &str) -> String {
    let signs = position.chars().filter(|sign| *sign != '/');
    signs
        .map(|sign| if sign == '.' { "b".into() } else { sign.to_lowercase().to_string() })
        .collect::<Vec<_>>()
        .join(",")
}

/// The 958 ends of tic-tac-toe, of which x wins 626: the data set of endgames.
fn endgames(home: &Home) -> Vec<String> {
    let columns = ["export", "tictactoe", "--format", "csv", "--columns", "position,outcome,mode"];
    let text = home.run(&[&columns[..], &["--where", "remoteness=0"]].concat());
    let row = |line: &str| {
        let parts: Vec<&str> = line.split(',').collect();
        // The player to move has lost, or the board is full.
        let x_wins = parts[1] == "loss" && parts[2] == "o";
        format!("{},{}", fields(parts[0]), if x_wins { "positive" } else { "negative" })
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn classes_of_endgames_agree_with_outcomes() {
    let home = Home::new();
    let mut rows = endgames(&home);
    assert_eq!((rows.len(), rows.iter().filter(|row| row.ends_with("positive")).count()), (958, 626));
    let words = ["win=positive", "draw=negative", "loss=negative"];
    let probe = [&["probe", "tictactoe", "--batch", "--csv", "rows", "--class", "10"][..], &words].concat();
    let ran = home.feed(&probe, (rows.join("\n") + "\n").as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    for (row, line) in rows.iter().zip(ran.stdout.lines()) {
        let added = line.strip_prefix(row).unwrap();
        assert!(matches!(added, ",loss,yes" | ",draw,yes"), "{line}");
    }
    // Rows that come again are counted again.
    let twice = rows.join("\n") + "\n" + &rows.join("\n").replace("positive", "negative");
    let again = home.feed(&probe, twice.as_bytes());
    assert!(again.stdout.starts_with(&ran.stdout), "{}", again.stdout);
    let error = again.failed(1);
    assert!(error.contains("626 of 1916 classes differ from the outcomes, the first one in line "), "{error}");
    // A heading names the columns, and one class is wrong.
    let at = rows.iter().position(|row| row.ends_with("positive")).unwrap();
    rows[at] = rows[at].replace("positive", "negative");
    rows.insert(0, "a1,b1,c1,a2,b2,c2,a3,b3,c3,class".into());
    let named = [&["probe", "tictactoe", "--batch", "--csv", "rows", "--class", "class"][..], &words].concat();
    let ran = home.feed(&named, rows.join("\n").as_bytes());
    assert!(ran.stdout.starts_with("a1,b1,c1,a2,b2,c2,a3,b3,c3,class,outcome,agrees\n"));
    let wrong = format!("1 of 958 classes differ from the outcomes, the first one in line {}", at + 2);
    let error = ran.failed(1);
    assert!(error.contains(&wrong), "{error}");
    assert_eq!(ran.stdout.lines().filter(|line| line.ends_with(",loss,no")).count(), 1);
}

/// A row without a board has an error in place of the outcome.
#[test]
fn a_bad_row_has_an_error() {
    let home = Home::new();
    let rows = "x,x,x,x,b,b,b,b,b\nx,b\nx,o,b,b,b,b,b,b,b\n";
    let ran = home.feed(&["probe", "tictactoe", "--batch", "--csv", "rows"], rows.as_bytes());
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("x,x,x,x,b,b,b,b,b,\"error: "), "{}", lines[0]);
    assert!(lines[1].contains("expected at least 9 fields, found 2"), "{}", lines[1]);
    assert_eq!(lines[2], "x,o,b,b,b,b,b,b,b,win");
    assert!(ran.failed(2).contains("2 of 3 lines could not be answered"));
}

/// Columns from the bottom of the first one, as in the data set of Connect Four, and positions that a search does not settle.
#[test]
fn rows_of_connect_four_are_searched() {
    let home = Home::new();
    let mut columns = vec![vec!["b"; 6]; 7];
    columns[0][..3].copy_from_slice(&["x", "x", "x"]);
    columns[1][..3].copy_from_slice(&["o", "o", "o"]);
    let near: Vec<&str> = columns.concat();
    let empty = vec!["b"; 42];
    let rows = format!("{},win\n{},win\n", near.join(","), empty.join(","));
    let command = [
        "probe",
        "connect-four",
        "--set",
        "rows=6",
        "--set",
        "cols=7",
        "--batch",
        "--csv",
        "columns",
        "--limit",
        "1000",
    ];
    let classes = ["--class", "43", "win=win", "draw=draw", "loss=loss"];
    let ran = home.feed(&[&command[..], &classes].concat(), rows.as_bytes());
    let found: Vec<&str> = ran.stdout.lines().map(|line| &line[line.find("win").unwrap()..]).collect();
    assert_eq!(found, ["win,win,yes", "win,unknown,unknown"], "{}", ran.stderr);
    assert_eq!(ran.status, 0);
    let wrong = rows.replace("win\n", "loss\n");
    let ran = home.feed(&[&command[..], &classes].concat(), wrong.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("1 of 1 classes differ from the outcomes, the first one in line 1"), "{}", ran.stderr);
}

/// An option that fits no row is one error, not one for each row.
#[test]
fn a_class_that_fits_no_row_ends_the_run() {
    let home = Home::new();
    let rows = "x,x,x,o,o,b,b,b,b,positive\nx,o,x,x,o,o,o,x,x,negative\nx,x,x,o,o,b,b,b,b,positive\n";
    let probe = |class: &[&str]| {
        let command = [&["probe", "tictactoe", "--batch", "--csv", "rows", "--class"][..], class].concat();
        home.feed(&command, rows.as_bytes())
    };
    let ran = probe(&["class", "win=positive", "loss=negative", "draw=negative"]);
    assert!(ran.failed(2).contains("--class: line 1: expected a heading with the column \"class\", found none"));
    assert_eq!(ran.stdout, "");
    let ran = probe(&["10", "win=positive", "loss=negative"]);
    assert!(ran.failed(2).contains("line 2: expected draw=WORD, since a row has the outcome draw, found none"));
    assert!(ran.stdout.ends_with(",loss,yes\n"), "{}", ran.stdout);
}
