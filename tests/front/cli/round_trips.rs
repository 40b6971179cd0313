//! Output of one command that another reads: positions and numbers of an export, names of tables, rules of a table.

use std::fs;

use serde_json::{Value, json};

use super::Home;

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            character => fields.last_mut().unwrap().push(character),
        }
    }
    fields
}

/// A home with the lists and graphs that games need.
fn home() -> Home {
    let home = Home::new();
    fs::write(home.path("easy.txt"), include_str!("../../data/shiritori/easy.txt")).unwrap();
    fs::write(home.path("graph.txt"), "a b\nb c 1:2\nc a 7\nc d\n").unwrap();
    home
}

/// Reads every exported position again, by its text and by its number, and compares its label with the export.
#[test]
fn exported_positions_can_be_probed() {
    let home = home();
    let games: &[(&[&str], usize)] = &[
        (&["tactics", "--rows", "2", "--cols", "3"], 64),
        (&["tactics", "--rows", "1", "--cols", "5"], 32),
        (&["dominoes", "--n", "3"], 99),
        (&["shiritori", "--words", "easy.txt"], 44_141),
        (&["tictactoe"], 5478),
        // The table holds every pair of planes, few of which are positions.
        (&["mnk", "--rows", "2", "--cols", "2", "--k", "2", "--solver", "dense"], 29),
        (&["kalah", "--houses", "2", "--seeds", "3"], 160),
        (&["trail", "--graph", "graph.txt"], 27),
        (&["domineering", "--set", "rows=2", "--set", "cols=3"], 18),
        (&["col", "--set", "rows=1", "--set", "cols=4", "--solver", "dense"], 50),
        (&["kayles"], 1 << 12),
    ];
    for (game, expected) in games {
        home.run(&[&["build", "-o", "it.tb", "--force"], *game].concat());
        let csv = home.run(&["export", "it.tb", "--format", "csv", "-o", "-"]);
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("mode,board,position,outcome"));
        let lines: Vec<Vec<String>> = lines.map(fields).filter(|fields| !fields[2].is_empty()).collect();
        assert!(lines.iter().all(|fields| fields.len() == 4), "{game:?}");
        if *expected != 1 << 12 {
            assert_eq!(lines.len(), *expected, "{game:?}");
        }
        let outcomes: Vec<&str> = lines.iter().map(|fields| fields[3].as_str()).collect();
        let texts: String = lines.iter().map(|fields| format!("{}\n", fields[2])).collect();
        let numbers: String = lines.iter().map(|fields| format!("{}:{}\n", fields[0], fields[1])).collect();
        for input in [texts, numbers] {
            let ran = home.feed(&["probe", "it.tb", "--batch", "--brief"], input.as_bytes());
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{game:?}: {}", ran.stdout);
            assert!(ran.stdout.lines().eq(outcomes.iter().copied()), "{game:?}");
        }
    }
}

#[test]
fn every_game_takes_board_numbers() {
    let home = home();
    let at = |arguments: &[&str]| {
        let text = home.try_run(&[&["probe", "--json"], arguments].concat());
        assert_eq!(text.status, 0, "{arguments:?}: {}", text.stderr);
        serde_json::from_str::<Value>(&text.stdout).unwrap()["position"].as_str().unwrap().to_owned()
    };
    for number in ["8192", "o:8192", "0x2000", " o:0b000_010_000_000_000_000 "] {
        assert_eq!(at(&["tictactoe", number]), ".../.X./...");
    }
    assert_eq!(at(&["mnk", "--cols", "4", "1"].map(|word| if word == "1" { "4096" } else { word })), "..../..../...X");
    assert_eq!(at(&["dominoes", "--n", "5", "3:0x2080"]), "{0-1,1-3} 3");
    assert_eq!(at(&["domineering", "right:0"]), at(&["domineering", "0 right"]));
    assert_eq!(at(&["trail", "--graph", "graph.txt", "a:0b1000"]), "{a-b} a");
    // An edge has this name: the game's own notation takes precedence.
    assert_eq!(at(&["trail", "--graph", "graph.txt", "1:2"]), "{1:2} c");
    fs::write(home.path("number.txt"), "\n 8192 \n").unwrap();
    assert_eq!(at(&["tictactoe", "@number.txt"]), ".../.X./...");

    let refused = |arguments: &[&str]| home.fails(2, &[&["probe"], arguments].concat());
    assert!(refused(&["dominoes", "--n", "5", "5"]).contains("a mode before the number, one of 0:5, 1:5,"));
    assert!(refused(&["tictactoe", "x:8192"]).contains("it is o's turn"));
    assert!(refused(&["tictactoe", "3"]).contains("found 0 X and 2 O"));
    assert!(refused(&["tictactoe", "262144"]).contains("0x3ffff"));
}

#[test]
fn blanks_around_a_position_do_not_matter() {
    let home = home();
    let game = ["probe", "tactics", "--brief"];
    for text in [" XX../XX../..../....", "XX../XX../..../....\t", "\n 0xcc00 \n", " 52224"] {
        assert_eq!(home.run(&[&game[..], &[text]].concat()), "win\n", "{text:?}");
    }
    let ran = home.feed(&["probe", "tactics", "--batch", "--brief"], b"  0xcc00\n\t0 \r\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "win\nloss\n"));
    assert_eq!(home.run(&["probe", "tictactoe", " X../.../... ", "--brief"]), "draw\n");
    let words = ["probe", "shiritori", "--words", "easy.txt", "--brief"];
    let start = home.try_run(&words).stdout;
    assert_eq!(home.try_run(&[&words[..], &["  "]].concat()).stdout, start);
}

/// On a board of one row, text such as `0x00` may be a row or a number.
#[test]
fn a_row_of_marks_is_a_row_if_it_has_the_length_of_the_board() {
    let home = home();
    let position = |cols: &str, text: &str| {
        let game = ["probe", "tactics", "--rows", "1", "--cols", cols, text, "--json"];
        let ran = home.try_run(&game);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()["position"].clone()
    };
    assert_eq!(position("3", "0X0"), json!(".X."));
    assert_eq!((position("4", "0x00"), position("4", "0X_X")), (json!(".X.."), json!(".X.X")));
    assert_eq!(
        (position("4", "0xa"), position("4", "10"), position("4", "0000")),
        (json!("X.X."), json!("X.X."), json!("...."))
    );
    for (game, text) in [
        (&["tactics", "--rows", "1", "--cols", "5"][..], "0x00"),
        (&["tactics", "--rows", "1", "--cols", "9"], "0X0"),
        (&["treblecross"], "0x0"),
    ] {
        let error = home.fails(2, &[&["probe"], game, &[text]].concat());
        let squares = text.len();
        assert!(error.contains(&format!("found a row of {squares} squares or the number 0")), "{error}");
    }
    // On other boards a row needs slashes, so this is a number.
    assert_eq!(home.run(&["probe", "tactics", "0x00", "--brief"]), "loss\n");
}

/// A brief batch looks up only the position itself, while JSON looks up every move. The outcomes and their order are
/// the same.
#[test]
fn brief_answers_of_a_batch_equal_full_ones() {
    let home = home();
    fs::write(
        home.path("pairs.toml"),
        "name = \"pairs\"\nboard = { rows = 2, cols = 3 }\nmove = [{ shape = \"XX\" }]\n",
    )
    .unwrap();
    home.run(&["build", "pairs.toml", "--solver", "sparse", "-o", "pairs.tb"]);
    let boards = |step: usize| (0..65_536).step_by(step).map(|board| format!("{board}\n")).collect::<String>();
    // The table of the second game lacks most boards: they are searched.
    for (game, boards) in [
        ("tactics", boards(13)),
        ("pairs.tb", (0..64).map(|board| format!("{board}\n")).collect()),
        ("dominoes", "\n{} 3\n0-1\n".into()),
    ] {
        let game = if game == "dominoes" { vec![game, "--n", "5"] } else { vec![game] };
        let batch =
            |how: &[&str]| home.feed(&[&["probe", "--batch"], &game[..], how].concat(), boards.as_bytes()).stdout;
        let (slow, brief, plain) = (batch(&["--json"]), batch(&["--brief"]), batch(&[]));
        assert_eq!(slow.lines().count(), boards.lines().count());
        for ((slow, brief), plain) in slow.lines().zip(brief.lines()).zip(plain.lines()) {
            let slow: Value = serde_json::from_str(slow).unwrap();
            let (position, outcome) = (slow["position"].as_str().unwrap(), slow["outcome"].as_str().unwrap());
            assert_eq!((brief, plain), (outcome, format!("{position}\t{outcome}").as_str()));
        }
    }
}

/// Runs `line` in a shell in which `tablegen` is the program.
#[cfg(unix)]
pub(super) fn shell(home: &Home, line: &str) -> super::Ran {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &format!("tablegen() {{ \"$TABLEGEN\" \"$@\"; }}; {line}")]);
    home.isolate(&mut command);
    command.env("TABLEGEN", env!("CARGO_BIN_EXE_tablegen"));
    super::ran(command.output().unwrap())
}

/// The command between the last single quotes of `text`.
pub(super) fn hint(text: &str) -> &str {
    let text = text.trim_end();
    let end = text.rfind('\'').unwrap_or_else(|| panic!("{text}"));
    let begin = text[..end].rfind("'tablegen ").unwrap_or_else(|| panic!("{text}"));
    &text[begin + 1..end]
}

#[test]
fn a_table_is_called_by_the_name_that_list_shows() {
    let home = home();
    home.run(&["build", "tactics", "--rows", "2", "--cols", "3"]);
    home.run(&["build", "tactics", "--rows", "3", "--cols", "3", "-o", "mine.tb"]);
    let listed = home.json(&["--tables", ".", "list", "--json"]);
    let names: Vec<&str> =
        listed["tables"].as_array().unwrap().iter().map(|table| table["game"].as_str().unwrap()).collect();
    assert!(names.len() > 2 && names.contains(&"tactics-3x3-run3-misere"), "{names:?}");
    for name in names {
        assert_eq!(home.json(&["--tables", ".", "info", name, "--json"])["game"], name);
    }
    let name = "tactics-2x3-run3-misere";
    assert_eq!(home.run(&["probe", name, "XX./...", "--brief"]), home.run(&["probe", name, "48", "--brief"]));
    home.run(&["verify", name]);
    assert!(home.fails(2, &["probe", name, "--rows", "2"]).contains("leave out the options"));
    assert!(home.fails(2, &["probe", "chess-8x8"]).contains("no game called"));
    assert!(home.fails(2, &["probe", "tactics-2x3-run3-miser"]).contains("(did you mean tactics-2x3-run3-misere?)"));
}

#[test]
fn standard_input_is_read_where_a_file_is() {
    let home = home();
    let rules = "name = \"row-{n}\"\nparameters = { n = 3 }\nboard = { row = \"n\" }\nmove = [{ line = [1, 2] }]\n";
    let fed = |arguments: &[&str], input: &str| {
        let ran = home.feed(arguments, input.as_bytes());
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    };
    assert!(fed(&["check", "-"], rules).starts_with("row-3\n"));
    let ran = home.feed(&["probe", "-", "--set", "n=4", "X..X", "--brief"], rules.as_bytes());
    // The note advises no command, because no command has the rules from standard input.
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("win\n", "no table of row-4: solved in memory\n"));
    fed(&["build", "-", "-o", "row.tb"], rules);
    assert_eq!(home.run(&["info", "row.tb", "--rules"]), rules);
    assert_eq!(fed(&["probe", "tactics", "@-", "--brief"], "X X . .\nX X . .\n. . . .\n. . . .\n"), "win\n");
    let list = include_str!("../../data/shiritori/easy.txt");
    let of_file = home.try_run(&["probe", "shiritori", "--words", "easy.txt", "--brief"]).stdout;
    assert_eq!(fed(&["probe", "shiritori", "--words", "-", "--brief"], list), of_file);
    let ran = home.feed(&["probe", "-", "--batch"], rules.as_bytes());
    assert!(ran.failed(2).contains("cannot read standard input twice"));
    assert!(
        home.feed(&["check", "-"], b"name = 3\nboard = { row = 3 }")
            .failed(2)
            .contains("standard input: line 1, column 8: ")
    );
}

#[test]
fn a_missing_folder_of_tables_is_reported() {
    let home = home();
    for command in [&["probe", "tactics", "--brief"][..], &["info", "tactics"], &["list"]] {
        let ran = home.try_run(&[&["--tables", "tabels"], command].concat());
        assert_eq!(ran.status, 0);
        assert!(ran.stderr.starts_with("--tables: there is no folder tabels;"), "{command:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1);
    }
    let error = home.fails(3, &["--tables", "tabels", "info", "kayles"]);
    assert!(error.contains("there is none in tabels (a missing folder) or in the program"), "{error}");
    home.run(&["--tables", "tabels", "build", "kayles"]);
    home.run(&["--tables", "tabels", "info", "kayles"]);
}

/// An edited rules file defines the edited game, even under the old name: the table of the old rules is not used.
#[cfg(unix)]
#[test]
fn an_edited_rules_file_is_solved_on_the_spot_and_says_how_to_replace_its_table() {
    let home = home();
    let rules = |line: &str| format!("name = \"row\"\nboard = {{ row = 5 }}\nmove = [{{ line = {line} }}]\n");
    fs::write(home.path("row.toml"), rules("[1, 2]")).unwrap();
    home.run(&["build", "row.toml"]);
    assert_eq!(home.run(&["probe", "row.toml", "XX...", "--brief"]), "win\n");
    fs::write(home.path("row.toml"), rules("1")).unwrap();
    let ran = home.try_run(&["probe", "row.toml", "XX...", "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.status, &object["source"], &object["moves"].as_array().unwrap().len()), (0, &json!("solved"), &3));
    assert!(ran.stderr.contains("row.tb holds older rules of row: solved in memory"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1);
    let error = home.fails(3, &["verify", "row.toml"]);
    for text in [ran.stderr, error] {
        let command = text.split('\'').find(|part| part.starts_with("tablegen ")).unwrap();
        assert_eq!(command, "tablegen build row.toml --force");
    }
    assert_eq!(shell(&home, "tablegen build row.toml --force").status, 0);
    home.run(&["verify", "row.toml"]);
    home.run(&["probe", "row.toml", "XX...", "--brief"]);
}

/// Every command in a message works as it is printed.
#[cfg(unix)]
#[test]
fn hints_are_commands_that_can_be_pasted() {
    let home = home();
    let rules = "name = \"row-{n}\"\nparameters = { n = 3 }\nboard = { row = \"n\" }\nmove = [{ line = [1, 2] }]\n";
    fs::write(home.path("row.toml"), rules).unwrap();
    let damage = |file: &std::path::Path| {
        let mut bytes = fs::read(file).unwrap();
        bytes[4096] ^= 1;
        fs::write(file, bytes).unwrap();
    };
    for game in
        [&["tactics", "--rows", "2", "--cols", "3", "--play", "normal"][..], &["row.toml", "--set", "n=5"], &["kayles"]]
    {
        home.run(&[&["build"], game, &["-o", "a file.tb", "--force"]].concat());
        let sound = fs::read(home.path("a file.tb")).unwrap();
        damage(&home.path("a file.tb"));
        let ran = home.try_run(&["verify", "a file.tb"]);
        let command =
            ran.stderr.split_once("build it again with '").expect("a hint").1.trim_end().strip_suffix('\'').unwrap();
        let ran = shell(&home, command);
        assert_eq!(ran.status, 0, "{command}: {}", ran.stderr);
        assert_eq!(fs::read(home.path("a file.tb")).unwrap(), sound, "{command}");
    }
    // A table found by the game's name, in its default folder.
    home.run(&["build", "kayles"]);
    let file = home.data().join(&home.files("data/tablegen/tables")[0]);
    damage(&file);
    let ran = home.try_run(&["verify", "kayles"]);
    assert_eq!((ran.status, hint(&ran.stderr)), (1, "tablegen build kayles --force"));
    assert_eq!(shell(&home, hint(&ran.stderr)).status, 0);
    home.run(&["verify", "kayles"]);
    let mut bytes = fs::read(&file).unwrap();
    bytes[8] ^= 0x40;
    fs::write(&file, bytes).unwrap();
    let error = home.fails(3, &["probe", "kayles"]);
    assert_eq!(hint(&error), "tablegen build kayles --force", "{error}");
    assert_eq!(shell(&home, hint(&error)).status, 0);
    home.run(&["probe", "kayles", "--brief"]);
}

#[test]
fn a_table_prints_the_rules_it_carries() {
    let home = home();
    home.run(&["build", "cram", "--set", "rows=2", "-o", "cram.tb"]);
    let ran = home.try_run(&["info", "cram.tb", "--rules"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, include_str!("../../../games/cram.toml")));
    assert_eq!(ran.stderr, "the table was built with --set rows=2\n");
    let text = home.run(&["info", "tictactoe", "--rules"]);
    assert!(
        text.starts_with("name tictactoe\ncells 18\nmodes x o\nstart x:0x0\nno move draw\nend x 0x1c0 loss\n"),
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.starts_with("move ")).count(), 18);
    assert!(text.contains("\nmove x empty 0x20100 full 0x0 fills 0x20000 next o\n"), "{text}");
    home.fails(2, &["info", "tictactoe", "--rules", "--json"]);
}
