//! The option `--symmetry`: builds, reports and exports up to symmetry.

use std::fs;

use serde_json::{Value, json};

use super::Home;

#[test]
fn a_table_up_to_symmetry_answers_like_a_full_table() {
    let home = Home::new();
    home.run(&["build", "tictactoe", "--solver", "sparse", "--labels", "remoteness", "-o", "orbits.tb"]);
    home.run(&[
        "build",
        "tictactoe",
        "--solver",
        "sparse",
        "--labels",
        "remoteness",
        "--symmetry",
        "none",
        "-o",
        "all.tb",
    ]);
    let [orbits, all] = ["orbits.tb", "all.tb"].map(|table| home.json(&["info", table, "--json"]));
    let symmetry = json!({"group": "D4", "order": 8, "orbits": {"count": 765, "win": 390, "draw": 151, "loss": 224}});
    assert_eq!((&orbits["symmetry"], &all["symmetry"]), (&symmetry, &Value::Null));
    for key in ["positions", "counts", "counts_of", "start", "labels"] {
        assert_eq!(orbits[key], all[key], "{key}");
    }
    // The examples differ: each is the first position in the order of its table.
    assert_eq!(orbits["remoteness"]["histogram"], all["remoteness"]["histogram"]);
    for position in ["...", "X..", "X.O/.X./..O", "XOX/OOX/.XO"]
        .map(|rows| if rows.len() == 3 { format!("{rows}/.../...") } else { rows.into() })
    {
        for command in ["probe", "line"] {
            let [orbits, all] = ["orbits.tb", "all.tb"].map(|table| home.run(&[command, table, &position]));
            assert_eq!(orbits, all, "{command} {position}");
        }
    }
    let [mut orbits, mut all] = ["orbits.tb", "all.tb"].map(|table| {
        let text = home.run(&["export", table, "--label", "remoteness", "--format", "csv", "-o", "-"]);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    orbits.sort_unstable();
    all.sort_unstable();
    assert_eq!(orbits, all);
    let text = home.run(&["export", "orbits.tb", "--orbits", "--format", "csv", "-o", "-"]);
    assert_eq!(text.lines().next(), Some("mode,board,position,outcome,positions"));
    let weights = text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!((text.lines().count() - 1, weights.sum::<u64>()), (765, 5478));
    home.run(&["verify", "orbits.tb"]);
    let stats = ["orbits.tb", "all.tb"].map(|table| home.json(&["stats", table, "--json"]));
    assert_eq!(stats[0], stats[1]);
}

#[test]
fn the_symmetry_in_use_is_reported() {
    let home = Home::new();
    let built = home.run(&["build", "dominoes", "--n", "5", "--solver", "sparse", "-o", "five.tb"]);
    assert!(built.contains("symmetry   S5, 120 symmetries: 503 classes ("), "{built}");
    let estimate = home.json(&["estimate", "dominoes", "--n", "5", "--solver", "sparse", "--json"]);
    assert_eq!(estimate["symmetry"], json!({"group": "S5", "order": 120, "orbits": {"count": 503}}));
    assert_eq!(estimate["positions"], json!(40_805));
    assert_eq!(estimate["file_bytes"], json!(fs::metadata(home.path("five.tb")).unwrap().len()));
    let none = home.json(&["estimate", "dominoes", "--n", "5", "--solver", "sparse", "--symmetry", "none", "--json"]);
    assert_eq!((&none["symmetry"], &none["positions"]), (&Value::Null, &json!(40_805)));
    // The table of a game without symmetries has every position.
    let built =
        home.run(&["build", "chomp", "--set", "rows=2", "--set", "cols=4", "--solver", "sparse", "-o", "chomp.tb"]);
    assert!(!built.contains("symmetry"), "{built}");
}

#[test]
fn full_tables_and_tables_up_to_symmetry_are_not_mixed() {
    let home = Home::new();
    let build = |symmetry: &str, labels: &str| {
        home.json(&[
            "build",
            "tictactoe",
            "--solver",
            "sparse",
            "--symmetry",
            symmetry,
            "--labels",
            labels,
            "-o",
            "t.tb",
            "--json",
        ])
    };
    build("none", "outcome");
    // The build keeps no labels from another kind of table: it solves all of them.
    let built = build("auto", "remoteness");
    assert_eq!(built["labels_kept"], json!([]));
    let built = build("auto", "outcome");
    assert_eq!(built["labels"], json!(["outcome", "remoteness"]));
    home.run(&["verify", "t.tb"]);
}
