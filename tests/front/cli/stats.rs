//! `tablegen stats`: text, JSON, pictures and refusals.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tablegen::engine;
use tablegen::game::Parameters;
use tablegen::label::LabelSet;
use tablegen::solve::{Method, Options, solve};
use tablegen::table::SaveTable;

use super::Home;

/// Saves a table of `game` with `labels` under `name`.
fn save(home: &Home, name: &str, game: &str, parameters: &[(&str, &str)], labels: &str) {
    let parameters: Vec<_> = parameters.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let game = engine::game(game, &Parameters::from(parameters)).unwrap();
    let labels: LabelSet = labels.parse().unwrap();
    let is_sparse = game.rules().modes().len() == 2;
    let method = if is_sparse { Method::Sparse } else { Method::Dense };
    let roots = game.roots();
    let solution = solve(game.rules(), &Options { labels, roots: &roots, ..Options::of(method) }).unwrap();
    solution.save(&game.descriptor(), home.path(name)).unwrap();
}

#[test]
fn json_equals_a_count_of_the_export() {
    let home = Home::new();
    for (arguments, filled_of) in [
        (&["tactics"][..], "X"),
        (&["tactics", "--rows", "3", "--cols", "5"], "X"),
        (&["tictactoe"], "XO"),
        (&["mnk", "--cols", "4"], "XO"),
    ] {
        home.run(&[&["build"], arguments, &["-o", "mine.tb", "--force"]].concat());
        let object = home.json(&["stats", "mine.tb", "--json"]);
        let mut rows = vec![[0u64; 3]; 17];
        for line in home.run(&["export", "mine.tb", "--format", "csv", "-o", "-"]).lines().skip(1) {
            let [_, _, position, outcome] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let filled = position.chars().filter(|&c| filled_of.contains(c)).count();
            rows[filled][["win", "draw", "loss"].iter().position(|name| *name == outcome).unwrap()] += 1;
        }
        let by_filled: Vec<Value> = (0..)
            .zip(rows)
            .filter(|(_, row)| *row != [0; 3])
            .map(|(filled, [win, draw, loss])| json!({"filled": filled, "win": win, "draw": draw, "loss": loss}))
            .collect();
        assert_eq!(object["by_filled"], Value::Array(by_filled), "{arguments:?}");
        assert_eq!((&object["remoteness"], &object["nimber"]), (&Value::Null, &Value::Null));
        let info = home.json(&["info", "mine.tb", "--json"]);
        for key in ["game", "positions", "counts", "counts_of"] {
            assert_eq!(object[key], info[key], "{key}");
        }
    }
}

#[test]
fn pictures_are_well_formed_and_always_the_same() {
    let home = Home::new();
    save(&home, "d.tb", "dominoes", &[("n", "4")], "outcome,remoteness,nimber");
    let text = home.run(&["stats", "d.tb"]);
    assert_eq!(home.run(&["stats", "d.tb", "--svg", "d.svg"]), text);
    let svg = fs::read_to_string(home.path("d.svg")).unwrap();
    assert_eq!(home.run(&["stats", "d.tb", "--svg", "-"]), svg);
    // A second picture replaces the first, and its bytes do not depend on the number of threads.
    let mut command = home.command(&["stats", "d.tb", "--svg", "d.svg", "--json"]);
    assert!(command.env("RAYON_NUM_THREADS", "1").output().unwrap().status.success());
    assert_eq!(fs::read_to_string(home.path("d.svg")).unwrap(), svg);
    assert_eq!(home.files("").iter().filter(|name| name.starts_with(".tablegen")).count(), 0);
    // A reader from another project parses the picture as XML and finds text in it.
    let program = "import sys, xml.etree.ElementTree as tree\n\
                   root = tree.parse(sys.argv[1]).getroot()\n\
                   print(root.tag, root.get('width'), [text for text in root.itertext() if 'dominoes' in text])";
    let read = Command::new("python3").args(["-c", program]).arg(home.path("d.svg")).output().unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    assert!(read.starts_with("{http://www.w3.org/2000/svg}svg 960 ") && read.contains("dominoes-4-normal"), "{read}");
    assert!(!svg.contains(home.path("").to_str().unwrap()));
}
