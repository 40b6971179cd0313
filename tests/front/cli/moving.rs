//! Games of moving pieces from the command line: built, verified, probed and played.

use std::fs;

use serde_json::{Value, json};

use super::Home;

/// Pieces that step back and forth on three squares.
const ROUND: &str =
    "name = \"three\"\nboard = { row = 3 }\nmove = [{ shape = \"LX\", flips = true }]\nstart = { board = \"X.X\" }\n";

#[test]
fn a_game_whose_positions_repeat() {
    let home = Home::new();
    let built = home.json(&["build", "dodgem", "--set", "size=4", "--json"]);
    assert_eq!((&built["solver"], &built["kernel"]), (&json!("cyclic"), &json!("cyclic")));
    let estimate = home.json(&["estimate", "dodgem", "--set", "size=4", "--json"]);
    for key in ["solver", "labels", "file_bytes"] {
        assert_eq!(estimate[key], built[key], "{key}");
    }
    assert_eq!((&built["labels"], &built["solver"]), (&json!(["outcome", "remoteness"]), &json!("cyclic")));
    assert_eq!(built["start"], json!({"outcome": "draw", "remoteness": null, "nimber": null, "repetition": true}));
    let verified = home.run(&["verify", "dodgem", "--set", "size=4"]);
    assert_eq!(verified.matches("right:").count(), 3, "{verified}");
    let probe = home.json(&["probe", "dodgem", "--set", "size=4", "--json"]);
    assert_eq!(
        (&probe["outcome"], &probe["remoteness"], &probe["repetition"]),
        (&json!("draw"), &json!(null), &json!(true))
    );
    assert_eq!(probe["moves"][0]["repetition"], true);
    let line = home.json(&["line", "dodgem", "--set", "size=4", "--json"]);
    assert_eq!((&line["end"]["rule"], &line["end"]["winner"]), (&json!("repetition"), &json!(null)));
    let text = home.run(&["line", "dodgem", "--set", "size=4"]);
    assert!(text.contains("the position has occurred before: a draw by repetition: neither player wins"), "{text}");
    let stats = home.json(&["stats", "dodgem", "--set", "size=4", "--json"]);
    assert_eq!(stats["repetition"], stats["counts"]["draw"]);
    let csv = home.path("dodgem.csv");
    home.run(&[
        "export",
        "dodgem",
        "--set",
        "size=4",
        "--label",
        "remoteness",
        "--format",
        "csv",
        "-o",
        csv.to_str().unwrap(),
    ]);
    let lines = fs::read_to_string(csv).unwrap();
    assert_eq!(json!(lines.lines().filter(|line| line.ends_with(",repetition")).count()), stats["repetition"]);
}

#[test]
fn each_solver_of_reachable_positions_refuses_the_games_of_the_other() {
    let home = Home::new();
    let error = |game: &[&str], solver| home.fails(2, &[&["build"], game, &["--solver", solver]].concat());
    assert_eq!(
        error(&["dodgem"], "sparse"),
        "error: the sparse solver cannot solve dodgem-3-misere: its positions may repeat; use --solver cyclic"
    );
    assert_eq!(
        error(&["tictactoe"], "cyclic"),
        "error: the cyclic solver cannot solve tictactoe: its positions cannot repeat; use --solver sparse"
    );
    home.run(&["build", "dodgem", "--solver", "cyclic"]);
}

#[test]
fn too_little_memory_is_reported_by_level_if_pieces_are_captured() {
    let home = Home::new();
    let fails = |game: &[&str]| home.fails(4, &[&["build"], game, &["--memory", "40MB"]].concat());
    let clobber = fails(&["clobber", "--set", "rows=4", "--set", "cols=5"]);
    assert!(clobber.contains(" positions of up to level ") && !clobber.contains("filled"), "{clobber}");
    // A game whose positions repeat has no levels.
    let dodgem = fails(&["dodgem", "--set", "size=5"]);
    assert!(dodgem.contains(" positions found; ") && dodgem.ends_with("; no files were left behind"), "{dodgem}");
}

#[test]
fn play_longer_than_a_label_can_encode_is_reported() {
    let home = Home::new();
    let game = ["toads-and-frogs", "--set", "toads=2", "--set", "gap=20", "--set", "frogs=2"];
    let error = home.fails(2, &[&["build"], &game[..], &["--labels", "outcome,remoteness"]].concat());
    assert!(error.contains("lasts more than 63 plies") && error.contains("--labels outcome"), "{error}");
    home.run(&[&["build"], &game[..], &["--labels", "outcome"]].concat());
}

#[test]
fn a_line_that_wins_in_the_fewest_moves() {
    let home = Home::new();
    for game in ["hare-and-hounds", "three-mens-morris", "dodgem"] {
        home.run(&["build", game]);
        let line = home.json(&["line", game, "--json"]);
        assert_eq!((&line["outcome"], &line["plies"]), (&json!("win"), &line["remoteness"]), "{game}");
        assert_eq!(line["end"]["winner"], line["line"][0]["player"], "{game}");
    }
}

/// Value iteration knows all labels or, beyond its limit, none. Then the level has checked nothing, and fails if it was named.
#[test]
fn the_oracle_of_a_game_with_repetition() {
    let home = Home::new();
    home.run(&["build", "three-mens-morris", "-o", "it.tb"]);
    let positions = home.json(&["info", "it.tb", "--json"])["positions"].as_u64().unwrap();
    let oracle = ["verify", "it.tb", "--level", "oracle"];
    let with = |more: &[&'static str]| [&oracle[..], more].concat();
    assert!(home.run(&with(&["--sample", "50"])).contains("right as far as checked: a search agrees with 100 labels"));
    let enough = positions.to_string();
    assert!(home.run(&[&oracle[..], &["--all", "--limit", &enough]].concat()).contains("right: a search agrees with "));
    let too_few = (positions - 1).to_string();
    let refused = home.try_run(&[&oracle[..], &["--sample", "50", "--limit", &too_few]].concat());
    let error = refused.failed(1);
    let decided = format!("checked 0 of 100 labels: none is decided within {too_few} positions; try --limit {enough}");
    assert!(error.ends_with(&decided), "{error}");
    let refused = home.try_run(&with(&["--limit", "10", "--json"]));
    let object: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((refused.status, &object["ok"], &object["checks"][0]["checked"]), (1, &json!(false), &json!(0)));
    assert!(object["checks"][0]["finding"].as_str().unwrap().starts_with("checked 0 of "), "{object}");
    // The level labels proves the table right, so the report of all levels says what the oracle did.
    let all = home.run(&["verify", "it.tb", "--limit", "10"]);
    assert!(all.matches("right:").count() == 2 && all.contains("oracle  checked 0 of "), "{all}");
}

/// Left steps a piece along two rows to their end and wins there, or waits with a piece of the third row.
pub(super) const WALK: &str = r#"
name = "walk"
sides = ["left", "right"]
board = { rows = 4, cols = 18 }

[[move]]
shape = "LX"
side = "left"
rows = [1, 2]

[[move]]
shape = "L\nX"
side = "left"
rows = [1, 2]
cols = 18

[[move]]
shape = "XL"
side = "left"
rows = 2

[[move]]
shape = "LX"
flips = true
side = "left"
rows = 3

[[move]]
shape = "LX"
flips = true
side = "right"
rows = 4

[[end]]
shape = "X"
rows = 2
cols = 1
side = "left"
completer = "wins"

[start]
board = "X................./................../X................./X................."
side = "left"
"#;

#[test]
fn a_game_whose_wins_are_too_long_for_a_label() {
    let home = Home::new();
    fs::write(home.path("walk.toml"), WALK).unwrap();
    for labels in ["outcome", "outcome,remoteness"] {
        let built = home.json(&["build", "walk.toml", "--labels", labels, "--json"]);
        assert_eq!((&built["labels"], &built["start"]["outcome"]), (&json!(["outcome"]), &json!("win")), "{labels}");
        assert_eq!(built["labels_solved"], json!(["outcome"]), "{labels}");
    }
    let info = home.run(&["info", "walk.toml"]);
    assert!(info.contains("no remoteness: best play from some positions lasts more than 63 plies"), "{info}");
    let verified = home.run(&["verify", "walk.toml"]);
    assert!(verified.matches("right:").count() == 3 && verified.contains("every win and loss is forced"), "{verified}");
    // A sample could not show that a win makes progress.
    let sampled = home.run(&["verify", "walk.toml", "--level", "labels", "--sample", "3"]);
    assert!(sampled.contains("every win and loss is forced"), "{sampled}");
    // Waiting keeps the win as well, but only the other move makes progress.
    let probe = home.json(&["probe", "walk.toml", "--json"]);
    let values = |m: &Value| (m["outcome"].clone(), m["remoteness"].clone());
    let moves: Vec<_> = probe["moves"].as_array().unwrap().iter().map(values).collect();
    assert_eq!(moves, [(json!("win"), Value::Null), (json!("win"), Value::Null)]);
    let line = home.json(&["line", "walk.toml", "--json"]);
    assert_eq!((&line["plies"], &line["remoteness"]), (&json!(69), &json!(69)));
    assert_eq!(line["end"]["winner"], "left");
    // No build would add it.
    let refused = home.fails(2, &["export", "walk.toml", "--label", "remoteness", "--format", "csv", "-o", "-"]);
    assert!(refused.contains("lasts more than 63 plies") && !refused.contains("build"), "{refused}");
    // The ranks of the certificate go down with each move.
    assert!(home.run(&["certify", "walk.toml"]).contains(" ranks"));
}

/// The player who takes the last piece in a row wins. A player who takes a piece at the left end moves again.
const AGAIN: &str = r#"
name = "again"
sides = ["left", "right"]
board = { row = 5 }
move = [{ shape = "X", first_on = ["b1", "c1", "d1", "e1"] }, { shape = "X", first_on = ["a1"], again = true }]
"#;

#[test]
fn a_player_who_moves_again() {
    let home = Home::new();
    fs::write(home.path("again.toml"), AGAIN).unwrap();
    home.run(&["build", "again.toml", "--labels", "outcome,remoteness"]);
    assert_eq!(home.run(&["verify", "again.toml"]).matches("right:").count(), 3);
    let line = home.json(&["line", "again.toml", "XXX.. left", "--json"]);
    assert_eq!(line["outcome"], "loss");
    let probe = home.json(&["probe", "again.toml", ".XXXX left", "--json"]);
    // A player who takes the last piece and must move again cannot move, and loses.
    assert_eq!((&probe["outcome"], &probe["moves"][0]["outcome"]), (&json!("loss"), &json!("loss")));
    let line = home.json(&["line", "again.toml", "..XXX left", "--json"]);
    let players: Vec<&str> =
        line["line"].as_array().unwrap().iter().map(|ply| ply["player"].as_str().unwrap()).collect();
    assert_eq!(line["outcome"], "win");
    assert!(players == ["left", "right"] || players == ["left", "left"], "{players:?}");
    let refused = home.fails(2, &["build", "again.toml", "--labels", "nimber"]);
    assert!(refused.contains("no nimber"), "{refused}");
}

#[test]
fn a_sweep_of_all_boards_is_refused() {
    let home = Home::new();
    for solver in ["dense", "two-colour"] {
        let error = home.fails(2, &["build", "clobber", "--solver", solver]);
        assert!(error.contains("its moves empty cells"), "{error}");
    }
    // A build slice by slice is refused as well, and so is its estimate.
    for (arguments, instead) in [(["build", "six-mens-morris"], "cyclic"), (["estimate", "clobber"], "sparse")] {
        let error = home.fails(2, &[&arguments[..], &["--solver", "dense"]].concat());
        assert!(error.contains(&format!("its moves empty cells; use --solver {instead}")), "{error}");
    }
    let error = home.fails(2, &["build", "dodgem", "--labels", "nimber"]);
    assert!(error.contains("nimber"), "{error}");
    assert!(home.files(home.data()).is_empty());
}

/// The dense table of this board exceeds the memory limit, so that the build would solve it slice by slice.
#[test]
fn a_refused_sweep_leaves_the_older_table() {
    let home = Home::new();
    let stuck = AGAIN.replace(", again = true", "") + "end = [{ stuck = true, side = \"left\", outcome = \"win\" }]\n";
    for (rules, reason) in [(AGAIN, "a player may move again"), (&*stuck, "differs between modes")] {
        fs::write(home.path("large.toml"), rules.replace("row = 5", "row = 26")).unwrap();
        let build = |solver| ["build", "large.toml", "--solver", solver, "--memory", "60MiB", "--force", "-o", "it.tb"];
        home.run(&build("sparse"));
        let before = fs::read(home.path("it.tb")).unwrap();
        for solver in ["dense", "two-colour"] {
            let error = home.fails(2, &build(solver));
            assert!(error.contains(reason) && error.contains("--solver sparse"), "{error}");
        }
        assert!(fs::read(home.path("it.tb")).unwrap() == before);
    }
    assert_eq!(home.files(""), ["it.tb", "large.toml"]);
}

#[test]
fn names_of_moves_that_capture() {
    let home = Home::new();
    let names = |arguments: &[&str]| {
        let probe = home.json(arguments);
        let moves = probe["moves"].as_array().unwrap().clone();
        let mut names: Vec<String> = moves.iter().map(|m| m["move"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    home.run(&["build", "clobber", "--set", "rows=1", "--set", "cols=4"]);
    assert_eq!(home.run(&["probe", "clobber", "--set", "rows=1", "--set", "cols=4", "--brief"]), "win\n");
    assert_eq!(
        names(&["probe", "clobber", "--set", "rows=1", "--set", "cols=4", "--json"]),
        ["a1>b1", "c1>b1", "c1>d1"]
    );
    home.run(&["build", "konane", "--set", "rows=3", "--set", "cols=3"]);
    let place = ["probe", "konane", "--set", "rows=3", "--set", "cols=3", "B.B/WBW/.WB black", "--json"];
    assert_eq!(names(&place), ["a1>a3xa2", "c3>a3xb3"]);
    // The names of moves that push, shoot, close and capture.
    for game in [&["quixo", "--set", "size=2"][..], &["amazons"], &["dots-and-boxes"], &["six-mens-morris"]] {
        home.run(&[&["build"], game].concat());
    }
    assert_eq!(names(&["probe", "quixo", "--set", "size=2", "X./.. o", "--json"])[..2], ["a2>a1", "b1>a1"]);
    assert_eq!(names(&["probe", "amazons", ".B./.*W/... white-c2", "--json"]), ["b3", "c1", "c3"]);
    assert_eq!(names(&["probe", "dots-and-boxes", "#X#.#/X#.#./#X#.#/.#.#./#.#.# x0", "--json"])[2], "c2");
    assert_eq!(names(&["probe", "six-mens-morris", "X#X#X/#O.O#/..#../#...#/.#.#. x3t-0-0", "--json"]), ["xb2", "xd2"]);
}

/// Random play decides whether symmetry is worth using. In this game it never ends, because pieces move back and forth.
#[test]
fn a_game_that_may_repeat_forever_is_answered() {
    let home = Home::new();
    fs::write(home.path("three.toml"), ROUND).unwrap();
    // Without a table, the program solves the game on the spot and says so on stderr.
    let answer = |command: &str| -> Value {
        let ran = home.try_run(&[command, "three.toml", "--json"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let probe = answer("probe");
    assert_eq!((&probe["outcome"], &probe["repetition"]), (&json!("draw"), &json!(true)));
    assert_eq!(answer("line")["end"]["rule"], "repetition");
    assert_eq!(answer("stats")["repetition"], 3);
    assert_eq!(answer("estimate")["positions"], 3);
    assert_eq!(answer("build")["counts"]["draw"], 3);
}

/// All modes are images of each other, so that a naive search for symmetries would try very many pairs.
#[test]
fn symmetries_of_many_equal_modes_are_found_quickly() {
    let home = Home::new();
    let modes: Vec<String> = (0..120).map(|mode| format!("m{mode}")).collect();
    let there_and_back = modes.iter().map(|mode| {
        format!(
            "[[move]]\nfills = [0]\nmode = \"hub\"\nnext = \"{mode}\"\n\
             [[move]]\nclears = [0]\nmode = \"{mode}\"\nnext = \"hub\"\n"
        )
    });
    let text = format!(
        "name = \"star\"\nmodes = {:?}\nboard = {{ row = 3 }}\n{}",
        [&["hub".into()], &modes[..]].concat(),
        there_and_back.collect::<String>()
    );
    fs::write(home.path("star.toml"), text).unwrap();
    assert_eq!(home.json(&["estimate", "star.toml", "--json"])["coverage"], "reachable");
}
