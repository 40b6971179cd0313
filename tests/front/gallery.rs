//! Each game has a card on `docs/reference/games.md`, and the card's options, position and figures are correct.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tablegen::engine;
use tablegen::game::{FAMILIES, Game, Parameters, library};
use tablegen::rules::{Node, Position};

use crate::common::sparse_of;

const PAGE: &str = include_str!("../../docs/reference/games.md");

/// Tables up to this number of positions are built in every run.
const SMALL: u64 = 100_000;
/// Larger tables are not built here: each of them takes minutes, or more memory than tests should use.
const LARGE: u64 = 40_000_000;

/// The card of a game: the part of the page from the game's command to the next heading.
#[track_caller]
fn card(name: &str) -> &'static str {
    let begin = [format!("\n| command | `tablegen play {name}` |"), format!("\n| command | `tablegen play {name} ")];
    let at = begin.iter().find_map(|begin| PAGE.find(begin)).unwrap_or_else(|| panic!("{name} has no card"));
    let card = &PAGE[at + 1..];
    card.split("\n#").next().unwrap()
}

/// The second cell of the row that begins with `first`.
#[track_caller]
fn cell(card: &'static str, first: &str) -> &'static str {
    let begin = format!("| {first} | ");
    card.lines().find_map(|line| line.strip_prefix(&begin)?.strip_suffix(" |")).unwrap_or_else(|| panic!("no {first}"))
}

/// The text between the first two backquotes.
fn code(text: &'static str) -> &'static str {
    text.split('`').nth(1).expect("a text in backquotes")
}

#[test]
fn every_game_has_a_card_and_a_picture() {
    let names: Vec<&str> =
        FAMILIES.iter().map(|family| family.name).chain(library().iter().map(|file| file.name)).collect();
    for name in &names {
        let options = cell(card(name), "options");
        if let Some(family) = FAMILIES.iter().find(|family| family.name == *name) {
            let shown = options.split('`').skip(1).step_by(2);
            assert!(shown.eq(family.parameters.iter().map(|parameter| parameter.name)), "{name}: {options}");
        }
        let picture = format!("img/games/{name}.svg");
        assert!(PAGE.contains(&format!("](../{picture})\n")), "{picture}");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(&picture).is_file(), "{picture}");
    }
    assert_eq!(PAGE.matches("\n| command | `tablegen ").count(), names.len());
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("[{} games](docs/reference/games.md)", names.len())), "{}", names.len());
}

#[test]
fn every_card_of_the_library_has_its_options_and_a_position() {
    for file in library() {
        let made = file.read(&Parameters::new()).unwrap();
        let card = card(file.name);
        let options = made.parameters().iter().map(|p| format!("`{}` ({})", p.name, p.default));
        let options = options.collect::<Vec<_>>().join(" ");
        let expected = if options.is_empty() { "none" } else { &options };
        assert_eq!(cell(card, "options"), expected, "{}", file.name);
        let text = code(cell(card, "position"));
        let place = made.read(text).unwrap_or_else(|error| panic!("{}: {error}", file.name)).node;
        assert_eq!(made.write(place), text);
        let Node::At(position) = place else { panic!("{} has no opening", file.name) };
        if made.rules().counts_pieces() {
            // The mills are too large to solve here. The position is one that the first move leads to.
            assert!(made.rules().replies(made.rules().start_node()).contains(&position), "{}: {text}", file.name);
            continue;
        }
        assert!(sparse_of(&made).outcome(position).is_some(), "{}: {text} is not reachable", file.name);
    }
}

/// Builds the table of each row whose number of positions is in `sizes`, and compares number and result.
fn check_results(sizes: std::ops::Range<u64>) {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = 0;
    let names =
        FAMILIES.iter().map(|family| (family.name, "")).chain(library().iter().map(|file| (file.name, "--set")));
    for (name, set) in names {
        let lines = card(name).lines().skip_while(|line| !line.contains("| reachable positions | result |"));
        for line in lines.skip(2).take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [options, positions, result] = cells[..] else { panic!("three columns: {line}") };
            let positions: u64 = positions.replace(',', "").parse().unwrap();
            if !sizes.contains(&positions) {
                continue;
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
            command.current_dir(folder.path()).args(["build", name, "--json", "--force", "-o", "table.tb"]);
            command.args(arguments(name, set, options));
            let has_plies = result.contains(" plies") || result.contains(" ply");
            let labels = [("outcome", true), ("remoteness", has_plies), ("score", result.contains("wins by "))];
            let labels: Vec<&str> =
                labels.into_iter().filter_map(|(label, is_named)| is_named.then_some(label)).collect();
            command.args(["--labels", &labels.join(",")]);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{name} {line}: {}", String::from_utf8_lossy(&output.stderr));
            let built: Value = serde_json::from_slice(&output.stdout).unwrap();
            let found = match &built["coverage"] {
                Value::String(coverage) if coverage == "regions" => reachable(name, options).into(),
                _ => built["positions"].clone(),
            };
            assert_eq!((found, result), (positions.into(), &*result_of(&built, unit_of(name))), "{name} {line}");
            rows += 1;
        }
    }
    assert!(rows > 10, "{rows} rows");
}

/// The number of reachable positions of a game with the options in the first cell of a row, by a search that uses no index. A table by
/// regions has other boards as well.
fn reachable(name: &str, options: &str) -> u64 {
    let pairs = options.trim_matches('`').split(',').filter_map(|pair| pair.split_once('='));
    let set = pairs.fold(Parameters::new(), |set, (key, value)| set.with(key, value));
    let game = engine::game(name, &set).unwrap();
    let mut open = [game.rules().start_positions(), game.roots()].concat();
    let mut seen: HashSet<Position> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        open.extend(game.rules().replies(at.into()).into_iter().filter(|&next| seen.insert(next)));
    }
    seen.len() as u64
}

/// The command line options for the first cell of a row.
fn arguments(name: &str, set: &str, options: &str) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let options = options.trim_matches('`');
    let file = |folder: &str| source.join(folder).join(options).display().to_string();
    match (name, options) {
        ("trail", _) => vec!["--graph".into(), file("docs/examples")],
        ("shiritori", "words.txt") => vec!["--words".into(), file("docs/examples")],
        ("shiritori", _) => vec!["--words".into(), file("tests/data/shiritori")],
        (_, "default") => Vec::new(),
        _ if set.is_empty() => options
            .split([',', '='])
            .enumerate()
            .map(|(at, word)| if at % 2 == 0 { format!("--{word}") } else { word.into() })
            .collect(),
        _ => options.split(',').flat_map(|option| [set.to_owned(), option.to_owned()]).collect(),
    }
}

/// What the game calls its points.
fn unit_of(name: &str) -> &'static str {
    match name {
        "dots-and-boxes" => "boxes",
        "reversi" => "discs",
        "kalah" => "seeds",
        "score-lines" => "lines",
        "triangulation" => "triangles",
        _ => "points",
    }
}

/// The result of a game, which counts points in `unit`, as its card has it.
fn result_of(built: &Value, unit: &str) -> String {
    let start = &built["start"];
    let outcome = match start["outcome"].as_str().unwrap() {
        "win" => "first player wins",
        "loss" => "second player wins",
        _ if start["repetition"] == true => "draw by repetition",
        _ => "draw",
    };
    let plies =
        start["remoteness"].as_u64().map(|plies| format!(", {plies} {}", if plies == 1 { "ply" } else { "plies" }));
    let score = start["score"].as_i64().map(i64::abs).filter(|&score| score != 0).map(|score| {
        let one = unit.strip_suffix("xes").map_or_else(|| unit.trim_end_matches('s').into(), |stem| format!("{stem}x"));
        format!(" by {score} {}", if score == 1 { &one } else { unit })
    });
    let class = built["outcome_class"].as_str().map(|class| format!(", class {class}"));
    format!("{outcome}{}{}{}", score.unwrap_or_default(), plies.unwrap_or_default(), class.unwrap_or_default())
}

#[test]
fn small_boards_have_the_size_and_result_of_their_card() {
    check_results(0..SMALL);
}

#[test]
#[ignore = "minutes"]
fn larger_boards_have_the_size_and_result_of_their_card() {
    check_results(SMALL..LARGE);
}
