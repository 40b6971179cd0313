//! Reports about games and tables: info, estimate, list, verify, export, help, completions, the manual.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::{Home, NAME, ran};
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::LabelSet;
use tablegen::solve;
use tablegen::table::SaveTable;

const HELP_OF: [&str; 14] = [
    "build",
    "probe",
    "line",
    "play",
    "info",
    "verify",
    "estimate",
    "check",
    "stats",
    "export",
    "list",
    "completions",
    "man",
    "help",
];

#[test]
fn info_has_the_promised_keys() {
    let home = Home::new();
    let object = home.json(&["info", "tactics", "--json"]);
    for (key, value) in [
        ("game", json!(NAME)),
        ("cells", json!(16)),
        ("modes", json!(1)),
        ("mode_names", json!([])),
        ("positions", json!(65536)),
        ("labels", json!(["outcome", "remoteness"])),
        ("counts", json!({"win": 56968, "draw": 0, "loss": 8568})),
        ("start", json!({"outcome": "loss", "remoteness": 15, "nimber": null})),
        ("source", json!("embedded")),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    assert_eq!(object["rules_hash"].as_str().unwrap().len(), 64);
    let text = home.run(&["info", "tactics"]);
    assert!(text.contains("56,968 wins, 8,568 losses") && text.contains("the second player can force a win"), "{text}");

    home.run(&["build", "tactics", "-o", "mine.tb"]);
    let object = home.json(&["info", "mine.tb", "--json"]);
    assert_eq!(object["file_bytes"], fs::metadata(home.path("mine.tb")).unwrap().len());
    assert_eq!(object["source"], "mine.tb");
}

#[test]
fn counts_of_other_boards() {
    let home = Home::new();
    let losses = |options: &[&str]| {
        let built = home.json(&[&["build", "tactics", "--json"][..], options].concat());
        (built["counts"]["loss"].as_u64().unwrap(), built["start"]["outcome"].as_str().unwrap().to_owned())
    };
    assert_eq!(losses(&["--play", "normal"]), (8380, "loss".into()));
    assert_eq!(losses(&["--run", "1"]).0, 32768);
    assert_eq!(losses(&["--run", "2"]).0, 15822);
    assert_eq!(losses(&["--run", "3"]).0, 9872);
}

#[test]
fn an_estimate_is_right_and_builds_nothing() {
    let home = Home::new();
    let object = home.json(&["estimate", "tactics", "--json", "--rows", "4", "--cols", "5"]);
    assert_eq!((&object["positions"], home.files("").len()), (&json!(1 << 20), 0));
    home.run(&["build", "tactics", "--rows", "4", "--cols", "5", "-o", "mine.tb"]);
    assert_eq!(object["file_bytes"], fs::metadata(home.path("mine.tb")).unwrap().len());

    // A game too large for memory is built in slices, which fit.
    let large = ["estimate", "tactics", "--rows", "5", "--cols", "8", "--memory", "1GiB"];
    let huge = home.json(&[&large[..], &["--json"]].concat());
    assert!(huge["memory_bytes"].as_u64().unwrap() <= 1 << 30 && huge["regions"]["count"].as_u64().unwrap() > 100);
    assert!(huge["sweep_seconds"].as_f64().unwrap() > 1.0 && huge["symmetry"]["order"] == 4);
    // Symmetry of order 4 stores about a quarter of the boards.
    assert!((1 << 35..3 << 34).contains(&huge["file_bytes"].as_u64().unwrap()), "{huge}");
    let every = home.json(&[&large[..], &["--symmetry", "none", "--json"]].concat());
    assert!(every["file_bytes"].as_u64().unwrap() > 1 << 37);
    let text = home.run(&large);
    assert!(text.contains("1,099,511,627,776 (2^40 boards)") && text.contains("  slices     "), "{text}");
    let short = ["estimate", "tactics", "--rows", "5", "--cols", "8", "--memory", "4MiB"];
    let text = home.run(&short);
    assert!(text.contains("fits here  no: not enough memory"), "{text}");
    // Both rows name the memory of a build by slices, not that of all boards.
    let needed = home.json(&[&short[..], &["--json"]].concat())["memory_bytes"].as_u64().unwrap();
    assert!((4 << 20..1 << 30).contains(&needed), "{needed}");
    assert!(home.run(&["estimate", "tactics"]).contains("fits here  yes"));
}

/// The number of positions is only estimated, but it is far too large for any machine.
#[test]
fn an_estimate_of_a_game_that_surely_does_not_fit_says_so() {
    let home = Home::new();
    let game = ["estimate", "connect-four", "--set", "rows=6", "--set", "cols=7"];
    let text = home.run(&game);
    assert!(text.contains("fits here  no: not enough memory: connect-four-6x7-4 needs "), "{text}");
    assert!(text.contains(" reachable; the true number may be twice as large"), "{text}");
    // The rows agree on the memory.
    assert!(text.contains("  memory     at least "), "{text}");
}

#[test]
fn the_list_has_games_and_tables_and_survives_damaged_ones() {
    let home = Home::new();
    home.run(&["build", "tactics", "--rows", "2", "--cols", "2"]);
    fs::write(home.data().join("broken.tb"), "no table").unwrap();
    let object = home.json(&["list", "--json"]);
    let game = object["games"].as_array().unwrap().iter().find(|game| game["name"] == "tactics").unwrap();
    assert_eq!(game["options"][0]["name"], "rows");
    let tables = object["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 2 + tablegen::shipped::embedded().count());
    assert!(tables[0]["error"].is_string() && tables[0]["source"].as_str().unwrap().ends_with("broken.tb"));
    assert_eq!((&tables[1]["game"], &tables[1]["positions"]), (&json!("tactics-2x2-run2-misere"), &json!(16)));
    assert_eq!((&tables[2]["game"], &tables[2]["source"]), (&json!(NAME), &json!("embedded")));
    let text = home.run(&["list"]);
    assert!(
        text.contains("unusable: ") && text.contains("'tablegen list GAME'") && text.contains("embedded"),
        "{text}"
    );
}

#[test]
fn folders_of_tables_are_searched_in_order() {
    let home = Home::new();
    let source = |home: &Home, arguments: &[&str]| {
        home.json(&[&["info", "tactics", "--json"][..], arguments].concat())["source"].as_str().unwrap().to_owned()
    };
    assert_eq!(source(&home, &[]), "embedded");
    home.run(&["build", "tactics"]);
    assert_eq!(source(&home, &[]), home.data().join(format!("{NAME}.tb")).to_str().unwrap());
    fs::create_dir(home.path("tables")).unwrap();
    assert_eq!(source(&home, &[]), home.data().join(format!("{NAME}.tb")).to_str().unwrap());
    home.run(&["build", "tactics"]);
    assert_eq!(source(&home, &[]), format!("tables/{NAME}.tb"));
    home.run(&["--tables", "a/new/one", "build", "tactics"]);
    assert_eq!(source(&home, &["--tables", "a/new/one"]), format!("a/new/one/{NAME}.tb"));
    // `--tables` replaces every other folder.
    fs::create_dir(home.path("elsewhere")).unwrap();
    assert_eq!(source(&home, &["--tables", "elsewhere"]), "embedded");
    let of_env = |folder: &str| {
        let ran = ran(home.command(&["info", "tactics", "--json"]).env("TABLEGEN_TABLES", folder).output().unwrap());
        serde_json::from_str::<Value>(&ran.stdout).unwrap()["source"].as_str().unwrap().to_owned()
    };
    assert_eq!(of_env("a/new/one"), format!("a/new/one/{NAME}.tb"));
    assert_eq!(of_env("elsewhere"), "embedded");
    assert_eq!(of_env(""), format!("tables/{NAME}.tb"));
}

#[test]
fn a_sound_table_passes_verify() {
    let home = Home::new();
    let object = home.json(&["verify", "tactics", "--json"]);
    assert_eq!((&object["ok"], object["checks"].as_array().unwrap().len()), (&json!(true), 3));
    // Two labels for each of 65,536 positions.
    assert_eq!((&object["checks"][1]["checked"], &object["checks"][2]["checked"]), (&json!(131_072), &json!(131_072)));
    let object = home.json(&["verify", "tactics", "--json", "--level", "oracle", "--sample", "100", "--seed", "7"]);
    assert_eq!((&object["checks"][0]["checked"], &object["checks"][0]["unknown"]), (&json!(200), &json!(0)));
    assert_eq!(object["checks"][0]["sample"], json!({"count": 100, "seed": 7}));
    assert!(home.run(&["verify", "tactics", "--level", "oracle", "--all"]).contains("agrees with 131,072 labels"));
    assert!(
        home.fails(2, &["verify", "tactics", "--level", "labels", "--all"])
            .contains("cannot use --all: expected --level oracle")
    );
    let object = home.json(&["verify", "tactics", "--json", "--level", "labels", "--sample", "100", "--seed", "7"]);
    assert_eq!(object["checks"][0]["sample"], json!({"count": 100, "seed": 7}));
    assert!(home.run(&["verify", "tactics", "--sample", "100"]).contains("a sample, not a proof"));
    // A sample of at least all labels is the same as checking all.
    for sample in ["65536", "99999999999999"] {
        let object = home.json(&["verify", "tactics", "--json", "--level", "labels", "--sample", sample]);
        assert_eq!((&object["checks"][0]["checked"], &object["checks"][0]["sample"]), (&json!(131_072), &Value::Null));
    }
    let almost = home.json(&["verify", "tactics", "--json", "--level", "labels", "--sample", "65535"]);
    assert_eq!(almost["checks"][0]["sample"]["count"], 65_535);
    let both = home.run(&["verify", "tactics", "--level", "labels", "--level", "bytes"]);
    assert!(both.contains("bytes ") && both.contains("labels "), "{both}");
}

#[test]
fn verify_says_which_labels_were_checked() {
    let home = Home::new();
    let game = Tactics::new(3, 3, 3, Play::Normal).unwrap();
    let options = solve::Options { labels: LabelSet::ALL, ..solve::Options::default() };
    solve::solve(game.rules(), &options).unwrap().save(&game.descriptor(), home.path("it.tb")).unwrap();
    let text = home.run(&["verify", "it.tb"]);
    for says in [
        "each of 2,048 labels (outcome, remoteness, nimber, misere-nimber) follows",
        "a search agrees with 2,048 labels (outcome, remoteness, nimber, misere-nimber)",
    ] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(says), "{text}");
    }
    let object = home.json(&["verify", "it.tb", "--json", "--sample", "100"]);
    let checks = object["checks"].as_array().unwrap();
    assert_eq!(checks[0].get("labels"), None);
    for check in &checks[1..] {
        assert_eq!(check["labels"], json!(["outcome", "remoteness", "nimber", "misere-nimber"]));
        assert_eq!((&check["checked"], &check["sample"]["count"]), (&json!(400), &json!(100)));
    }
    assert_eq!(home.json(&["verify", "tactics", "--json"])["checks"][1]["labels"], json!(["outcome", "remoteness"]));
}

/// In a single column only Left, who places dominoes upright, can move.
#[test]
fn a_game_without_a_first_side_is_reported_with_its_class() {
    let home = Home::new();
    let game = ["domineering", "--set", "cols=1"];
    let rows = |text: &str| {
        let of = |line: &&str| ["  start", "  class"].iter().any(|name| line.starts_with(name));
        text.lines().filter(of).map(str::to_owned).collect::<Vec<_>>()
    };
    let built = rows(&home.run(&[&["build"], &game[..]].concat()));
    assert_eq!(
        built,
        [
            "  start      WIN: with left to begin, left can force a win",
            "  class      L: a win for left, no matter who begins"
        ]
    );
    assert_eq!(rows(&home.run(&[&["info"], &game[..]].concat())), built);
    let built = home.json(&[&["build"], &game[..], &["--json"]].concat());
    assert_eq!(built["outcome_class"], "L");
}

#[test]
fn exports_are_by_board_number() {
    let home = Home::new();
    home.run(&["export", "tactics", "--label", "outcome", "--format", "npy", "-o", "o.npy"]);
    let npy = fs::read(home.path("o.npy")).unwrap();
    let length = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    let header = std::str::from_utf8(&npy[10..length]).unwrap();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00") && length % 64 == 0);
    assert!(header.starts_with("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 65536), }"), "{header}");
    let data = &npy[length..];
    assert_eq!((data.len(), data.iter().filter(|&&byte| byte == 0xff).count()), (65536, 8568));
    assert!(data.iter().all(|byte| [1, 0xff].contains(byte)));

    home.run(&["export", "tactics", "--format", "csv", "-o", "o.csv"]);
    let csv = fs::read_to_string(home.path("o.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("mode,board,position,outcome"));
    for (board, line) in lines.enumerate() {
        let outcome = if data[board] == 1 { "win" } else { "loss" };
        let rows: Vec<String> = (0..4)
            .map(|row| (0..4).map(|col| if board >> (15 - 4 * row - col) & 1 == 1 { 'X' } else { '.' }).collect())
            .collect();
        assert_eq!(line, format!("-,{board},{},{outcome}", rows.join("/")));
    }
    assert_eq!(home.run(&["export", "tactics", "--format", "csv", "-o", "-"]), csv);
    assert_eq!(home.files(""), ["o.csv", "o.npy"]);
    for (board, outcome) in
        include_str!("../../data/tactics_cases.csv").lines().skip(1).filter_map(|l| l.split_once(','))
    {
        let board = usize::from_str_radix(&board[2..].replace('_', ""), 2).unwrap();
        assert_eq!(data[board], if outcome == "win" { 1 } else { 0xff }, "{board:#b}");
    }
}

#[test]
fn help_has_examples_that_run() {
    let home = Home::new();
    fs::write(home.path("position.txt"), "0xffff").unwrap();
    fs::write(home.path("positions.txt"), "0xffff\n").unwrap();
    fs::write(home.path("moves.txt"), "a1\nhint\n").unwrap();
    home.run(&["build", "tactics", "-o", "my.tb"]);
    fs::write(home.path("my.toml"), tablegen::game::LIBRARY[0].text).unwrap();
    for command in HELP_OF {
        let help = home.run(&[command, "--help"]);
        assert!(help.contains("Examples:\n  tablegen "), "{command}: {help}");
        for line in help.split("Examples:\n").nth(1).unwrap().lines().take_while(|line| line.starts_with("  ")) {
            let example =
                line.split("   ").next().unwrap().trim().replacen("tablegen", env!("CARGO_BIN_EXE_tablegen"), 1);
            if example.contains("completions") || example.contains("man -l") {
                continue;
            }
            let mut shell = Command::new("sh");
            home.isolate(
                shell.args(["-c", line.split("  ").find(|part| !part.is_empty()).map(|_| &example[..]).unwrap()]),
            );
            let ran = ran(shell.output().unwrap());
            assert_eq!(ran.status, 0, "{example}: {}", ran.stderr);
        }
    }
    assert!(home.run(&["--help"]).contains("Exit status"));
    assert_eq!(home.run(&["--version"]), format!("tablegen {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_are_scripts() {
    let home = Home::new();
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef tablegen"), ("fish", "complete -c tablegen")] {
        let script = home.run(&["completions", shell]);
        assert!(script.contains(sign) && script.contains("--rows") || script.contains("-l rows"), "{shell}");
        let file = home.path(shell);
        fs::write(&file, script).unwrap();
        match Command::new(shell).arg("-n").arg(&file).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {output:?}"),
            Err(_) => eprintln!("skipped: there is no {shell} here to read its script"),
        }
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let home = Home::new();
    assert!(home.run(&["man"]).contains(".TH tablegen"));
    let ran = home.try_run(&["man", "--dir", "pages"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let pages = home.files("pages");
    assert!(pages.contains(&"tablegen.1".into()));
    for command in HELP_OF.into_iter().chain(["serve"]) {
        assert!(pages.contains(&format!("tablegen-{command}.1")), "{command} has no page in {pages:?}");
    }
}
