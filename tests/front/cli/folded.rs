//! Dense tables up to symmetry. Every command reads them like tables of every board, and their bytes do not depend on
//! memory, threads or interruptions.

use crate::common::{attacks, forge, script};
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Home;
use super::stopped::{assert_memory_changes_nothing, change_and_resume, kill_and_resume, start_and_kill};

/// Flips and rotations; an exchange of the players; draws and terminal patterns; all permutations of the numbers of a
/// domino set.
const GAMES: [&[&str]; 5] = [
    &["tactics", "--rows", "3", "--cols", "5", "--run", "3", "--labels", "remoteness"],
    &["domineering", "--set", "rows=3", "--set", "cols=5", "--solver", "dense", "--labels", "remoteness"],
    &["mnk", "--solver", "dense", "--labels", "remoteness"],
    &["cram", "--set", "rows=3", "--set", "cols=5", "--solver", "dense", "--labels", "remoteness,nimber"],
    &["dominoes", "--n", "6", "--solver", "dense"],
];

/// Games whose export has a million lines.
const LARGER: [&[&str]; 2] = [
    &["tactics", "--rows", "4", "--cols", "5", "--run", "3", "--labels", "remoteness"],
    &["domineering", "--set", "rows=4", "--set", "cols=5", "--solver", "dense", "--labels", "remoteness"],
];

/// The arguments that build `game` at `path`.
pub(super) fn build<'a>(game: &[&'a str], path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["build"], game, &["-o", path, "--force"], more].concat()
}

/// What `info` says, without the keys that only describe the symmetry and the file.
fn facts(home: &Home, path: &str) -> Value {
    let mut facts = home.json(&["info", path, "--json"]);
    let all = facts.as_object_mut().unwrap();
    for own in ["symmetry", "file_bytes", "format_version", "packed", "source", "path"] {
        all.remove(own);
    }
    facts
}

/// Panics unless the table of `game` at `folded` reads like the table at `all`: `info`, the export of every label in
/// `formats`, statistics, a best line and a probe.
pub(super) fn assert_read_alike(home: &Home, (folded, all): (&str, &str), formats: &[&str]) {
    let name = home.json(&["info", all, "--json"])["name"].clone();
    assert_eq!(facts(home, folded), facts(home, all), "{name}");
    let labels = home.json(&["info", all, "--json"])["labels"].clone();
    for label in labels.as_array().unwrap().iter().map(|label| label.as_str().unwrap()) {
        let export = |path, format: &str| {
            let _ = fs::remove_file(home.path("out"));
            home.run(&["export", path, "--label", label, "--format", format, "-o", "out"]);
            fs::read(home.path("out")).unwrap()
        };
        for format in formats {
            assert!(export(folded, format) == export(all, format), "{name}: {label} as {format}");
        }
    }
    for command in [&["stats", "--json"][..], &["line", "--json"], &["probe", "--json"]] {
        let of = |path| {
            // Without remoteness, `line` prints a note on stderr.
            let ran = home.try_run(&[&command[..1], &[path], &command[1..]].concat());
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let mut found: Value = serde_json::from_str(&ran.stdout).unwrap();
            found.as_object_mut().unwrap().retain(|key, _| !["source", "path", "table", "file"].contains(&&**key));
            found
        };
        assert_eq!(of(folded), of(all), "{name}: {command:?}");
    }
}

/// Compares what every command reads from folded tables of `games` with tables of every board, and verifies samples of
/// their labels. At most `share` of 64 positions are stored.
pub(super) fn assert_folded_tables_are_read(games: &[&[&str]], share: u64) {
    let home = Home::new();
    for (game, compress) in games.iter().copied().zip(["off", "on"].into_iter().cycle()) {
        home.run(&build(game, "all.tb", &["--symmetry", "none"]));
        // An export of millions of lines takes too long.
        let is_small = game[0] != "dominoes";
        let built = home.json(&build(game, "folded.tb", &["--symmetry", "always", "--compress", compress, "--json"]));
        let stored = built["symmetry"]["stored"]["positions"].as_u64().expect("up to symmetry");
        let all = match built["colourings"]["positions"].as_u64() {
            Some(colourings) => colourings,
            None => fs::metadata(home.path("all.tb")).unwrap().len() * 8,
        };
        assert!(stored * 64 < all * share, "{game:?}: {stored} of {all}");
        let formats: &[&str] = if built["colourings"].is_null() { &["npy", "csv"] } else { &["csv"] };
        assert_read_alike(&home, ("folded.tb", "all.tb"), if is_small { formats } else { &formats[..1] });
        for level in ["labels", "oracle"] {
            home.run(&["verify", "folded.tb", "--level", level, "--sample", "2000"]);
        }
        if is_small {
            home.run(&["verify", "folded.tb"]);
        }
    }
}

#[test]
fn a_folded_table_answers_like_a_full_one() {
    assert_folded_tables_are_read(&GAMES, 32);
}

#[test]
#[ignore = "a quarter of a minute"]
fn a_larger_folded_table_answers_like_a_full_one() {
    assert_folded_tables_are_read(&LARGER, 32);
}

/// Classes with many positions: the cells of six squares are idle, so all their permutations are symmetries. In the domino game
/// the lowest cells of a class are not its first image.
#[test]
fn tables_with_very_many_symmetries_are_read() {
    let home = Home::new();
    let rules = "name = \"idle\"\nsides = [\"left\", \"right\"]\nboard = { rows = 4, cols = 2, colours = \"LR\" }\n\n\
                 [[move]]\nshape = \"X\"\non = [\"a1\", \"a3\"]\n";
    fs::write(home.path("idle.toml"), rules).unwrap();
    let games: [&[&str]; 2] = [&["idle.toml"], &["dominoes", "--n", "6"]];
    for game in games.map(|game| [game, &["--solver", "dense", "--labels", "remoteness"]].concat()) {
        home.run(&build(&game, "all.tb", &["--symmetry", "none"]));
        home.run(&build(&game, "folded.tb", &["--symmetry", "always"]));
        let begun = Instant::now();
        let facts = home.json(&["info", "folded.tb", "--json"]);
        // Listing the 12! symmetries would take far longer.
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        let order = if game[0] == "dominoes" { 720 } else { 479_001_600 };
        assert_eq!(facts["symmetry"]["order"], order);
        assert_read_alike(&home, ("folded.tb", "all.tb"), &["npy"]);
    }
}

/// Flips bits in each section of tables with and without reachability bits, and makes the checksums valid again.
#[test]
fn a_flipped_label_of_a_folded_table_is_found() {
    let home = Home::new();
    for game in [GAMES[0], GAMES[3]] {
        home.run(&build(game, "whole.tb", &["--symmetry", "always", "--compress", "off"]));
        let whole = fs::read(home.path("whole.tb")).unwrap();
        for section in forge::sections(&whole) {
            let share = section.len() / 30;
            let bits = section.step_by(share).enumerate().map(|(turn, byte)| (byte, turn as u32 % 8));
            attacks::alter(&whole, bits, |_, _, _| {});
        }
    }
}

/// The bytes do not depend on the memory limit or the number of threads.
#[test]
fn a_folded_table_does_not_depend_on_memory() {
    let game = ["tactics", "--rows", "5", "--cols", "5", "--symmetry", "always"];
    let limits = [(2, "1"), (2, "2"), (6, "2"), (1000, "1")];
    for compress in ["off", "on"] {
        for built in assert_memory_changes_nothing(&game, &["--compress", compress], &limits) {
            assert!(built["regions"]["cells"].is_u64(), "{built}");
        }
    }
}

/// The planes of a slice fill whole compressed blocks, so the build compresses slices as it finishes them.
#[test]
fn compressed_slices_survive_kills_and_changes() {
    let game = ["tactics", "--rows", "5", "--cols", "6"];
    let more = ["--compress", "on", "--symmetry", "always"];
    kill_and_resume(&game, &more, &more, 6);
    change_and_resume(&game, &more, &more, &["table", "journal", "table", "journal"]);
    let home = Home::new();
    let kept = (0..20).find_map(|_| {
        start_and_kill(&home, &build(&game, "it.tb", &more), "it.tb.building");
        // The build may have ended before it was killed.
        let _ = fs::remove_file(home.path("it.tb"));
        let built = home.json(&build(&game, "it.tb", &[&more[..], &["--json"]].concat()));
        built["regions"]["sheets_kept"].as_u64().filter(|&kept| kept > 0)
    });
    assert!(kept.is_some(), "nothing was ever kept");
}

/// The reader is written from docs/reference/format.md alone.
#[test]
fn the_page_about_the_format_reads_folded_tables() {
    assert_page_reads(&Home::new(), GAMES[1]);
}

/// The same check for a game with one mode.
#[test]
#[ignore = "a quarter of a minute: it is a program in Python"]
fn the_page_about_the_format_reads_folded_tables_of_one_mode() {
    assert_page_reads(&Home::new(), GAMES[0]);
}

/// Panics unless the script written from docs/reference/format.md reads the same from the table of `game` up to symmetry
/// as from the table of all positions.
pub(super) fn assert_page_reads(home: &Home, game: &[&str]) {
    let [folded, all] = ["always", "none"].map(|symmetry| {
        home.run(&build(game, "it.tb", &["--symmetry", symmetry, "--compress", "off"]));
        let run = script::labels_of(&fs::read(home.path("it.tb")).unwrap());
        assert!(run.status.success(), "{game:?}: {}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    });
    assert!(!all.is_empty() && folded == all, "{game:?}");
}
