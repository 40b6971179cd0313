//! Games defined in rules files: checked, built, probed, by path and by name.

use std::fs;
use tablegen::table::SaveTable;

use super::Home;

#[test]
fn the_library_is_called_by_name_and_listed() {
    let home = Home::new();
    let list = home.json(&["list", "--json"]);
    let names: Vec<&str> =
        list["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    let text = home.run(&["list"]);
    for game in tablegen::game::library() {
        assert!(names.contains(&game.name) && text.contains(&format!("\n  {} ", game.name)), "{}", game.name);
        let checked = home.json(&["check", game.name, "--json"]);
        assert!(checked["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{checked}");
        // The text of a library game, read as a file, defines the same game.
        let path = format!("{}.toml", game.name);
        fs::write(home.path(&path), game.text).unwrap();
        assert_eq!(home.json(&["check", &path, "--json"]), checked);
    }
}

/// A table without reachability bits, as earlier versions built them, counts every board and says so. A new build adds
/// the bits.
#[test]
fn a_table_without_reachability_bits_counts_every_board() {
    use tablegen::label::{LabelKind, LabelSet};
    use tablegen::solve::{Options, solve};
    let home = Home::new();
    let cram = tablegen::engine::game("cram", &tablegen::game::Parameters::new()).unwrap();
    fs::create_dir_all(home.path("tables")).unwrap();
    let path = home.path(&format!("tables/{}.tb", cram.rules().name()));
    let labels = LabelSet::OUTCOME.with(LabelKind::Nimber);
    solve(cram.rules(), &Options { labels, ..Options::default() }).unwrap().save(&cram.descriptor(), &path).unwrap();
    let text = home.run(&["info", "cram"]);
    let line = text.lines().find(|line| line.starts_with("  outcomes ")).expect("a line of counts");
    assert!(line.ends_with(", over all positions, reachable or not"), "{line}");
    assert!(text.contains("\nnimbers: Grundy values, over all positions, reachable or not\n"), "{text}");
    assert_eq!(home.json(&["info", "cram", "--json"])["counts_of"], "every board");
    // The build adds no label to such a table: it solves everything again, with reachability bits.
    let built = home.json(&["build", "cram", "--labels", "nimber", "--json"]);
    assert_eq!((&built["counts_of"], &built["labels_kept"]), (&"reachable".into(), &serde_json::json!([])));
    let built = home.json(&["build", "cram", "--labels", "remoteness", "--json"]);
    assert_eq!(built["labels_kept"], serde_json::json!(["outcome", "nimber"]));
    home.run(&["verify", "cram"]);
}

/// Older rules of NoGo (`tests/data/frozen`) allow a move that leaves a group without a free neighbour, and it loses. Today's rules ban it on
/// boards of up to 12 squares, so a table of the older rules is refused with the command that replaces it. Larger boards have the older
/// rules still, so their tables are read.
#[test]
fn a_table_of_older_rules_is_refused_with_the_command_that_replaces_it() {
    let home = Home::new();
    let older = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/frozen/nogo.toml");
    let build = |file, cols, labels| {
        home.run(&["build", file, "--set", "rows=2", "--set", cols, "--labels", labels, "--tables", "tables"])
    };
    let asked =
        |command: &[&'static str], cols| [command, &["--set", "rows=2", "--set", cols, "--tables", "tables"]].concat();
    build(older, "cols=2", "outcome,remoteness");
    let commands: [&[&str]; 3] = [
        &["info", "nogo"],
        &["verify", "nogo"],
        &["export", "nogo", "--label", "outcome", "--format", "csv", "-o", "-"],
    ];
    let replaces = "tablegen --tables tables build nogo --set rows=2 --set cols=2 --force";
    for command in commands {
        let error = home.fails(3, &asked(command, "cols=2"));
        assert!(error.ends_with(&format!("; build it again with '{replaces}'")), "{error}");
    }
    home.run(&replaces.split(' ').skip(1).collect::<Vec<_>>());
    for command in commands {
        home.run(&asked(command, "cols=2"));
    }
    build(older, "cols=7", "outcome");
    assert_eq!(home.json(&asked(&["info", "nogo", "--json"], "cols=7"))["cells"], 28);
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
    assert_eq!(home.json(&["estimate", "star.toml", "--json"])["coverage"], "regions");
}

/// A test of a game that is too large is undecided at the limit, and the message says what may decide it.
#[test]
fn a_test_beyond_the_limit_is_undecided() {
    let home = Home::new();
    let text = "name = \"c-{n}\"\nparameters = { n = { default = 2, least = 1, most = 11 } }\nboard = { rows = \"n\", cols = \"n\" }\n\
                move = [{ shape = \"XX\", turns = true }]\ntest = [{ moves = 4 }, { set = { n = 11 }, outcome = \"loss\" }]\n";
    fs::write(home.path("c.toml"), text).unwrap();
    let ran = home.try_run(&["check", "c.toml", "--limit", "100ms"]);
    assert!(ran.stdout.contains("  tests      1 of 2 hold, 1 undecided\n"), "{}", ran.stdout);
    let error = "error: c.toml: line 5: expected outcome loss, found no answer within 100 ms; try --limit 10s\n";
    assert_eq!((ran.status, &*ran.stderr), (1, error));
    let ran = home.try_run(&["check", "c.toml", "--limit", "100ms", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let numbers = [&found["tests"]["untrue"], &found["tests"]["undecided"]].map(|list| list.as_array().unwrap().len());
    assert_eq!((ran.status, numbers), (1, [0, 1]));
}
