//! Dense tables up to symmetry. Every command reads them like tables of every board, and their bytes do not depend on
//! memory, threads or interruptions.

use crate::common::{forge, script};
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use super::{Home, send};
use tablegen::table::Table;
use tablegen::verify;

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
/// their labels.
fn assert_folded_tables_are_read(games: &[&[&str]]) {
    let home = Home::new();
    for (game, compress) in games.iter().copied().zip(["off", "on"].into_iter().cycle()) {
        home.run(&build(game, "all.tb", &["--symmetry", "none"]));
        // An export of millions of lines takes too long.
        let is_small = game[0] != "dominoes";
        let built = home.json(&build(game, "folded.tb", &["--symmetry", "always", "--compress", compress, "--json"]));
        let stored = built["symmetry"]["stored"]["positions"].as_u64().expect("up to symmetry");
        assert!(stored < fs::metadata(home.path("all.tb")).unwrap().len() * 8 / 2, "{game:?}: {stored}");
        assert_read_alike(&home, ("folded.tb", "all.tb"), &["npy", "csv"][..1 + usize::from(is_small)]);
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
    assert_folded_tables_are_read(&GAMES);
}

#[test]
#[ignore = "a quarter of a minute"]
fn a_larger_folded_table_answers_like_a_full_one() {
    assert_folded_tables_are_read(&LARGER);
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
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
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
        let check = |bytes: &[u8]| {
            let table = Table::from_bytes(bytes.to_vec()).expect("opening reads only the header");
            verify::labels(&table, &verify::Options::default())
        };
        check(&whole).expect("labels of a build are right");
        for section in forge::sections(&whole) {
            let share = section.len() / 30;
            for (turn, byte) in section.step_by(share).enumerate() {
                let mut bytes = whole.clone();
                bytes[byte] ^= 1 << (turn % 8);
                forge::seal_all(&mut bytes);
                assert!(check(&bytes).is_err(), "{game:?}: byte {byte}, bit {}", turn % 8);
            }
        }
    }
}

/// The bytes do not depend on the memory limit or the number of threads.
#[test]
fn a_folded_table_does_not_depend_on_memory() {
    let home = Home::new();
    let game: &[&str] = &["tactics", "--rows", "5", "--cols", "5", "--symmetry", "always"];
    for compress in ["off", "on"] {
        let mut cuts = Vec::new();
        home.run(&build(game, "first.tb", &["--compress", compress]));
        for (memory, threads) in [("32MiB", "1"), ("32MiB", "2"), ("36MiB", "2"), ("1GiB", "1")] {
            let more = ["--compress", compress, "--memory", memory, "--threads", threads, "--json"];
            cuts.push(home.json(&build(game, "again.tb", &more))["regions"]["cells"].as_u64().unwrap());
            assert!(fs::read(home.path("first.tb")).unwrap() == fs::read(home.path("again.tb")).unwrap(), "{memory}");
        }
        assert_eq!(home.files(""), ["again.tb", "first.tb"]);
        home.run(&["verify", "again.tb", "--level", "bytes"]);
    }
}

fn start(home: &Home, arguments: &[&str]) -> Child {
    home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The build compresses slices as it finishes them. It is killed at random moments, and now and then a bit of its
/// checkpoint changes.
#[test]
fn compressed_slices_survive_kills_and_changes() {
    let home = Home::new();
    // The planes of a slice fill whole compressed blocks, so the build compresses slices as it finishes them.
    let game: &[&str] = &["tactics", "--rows", "5", "--cols", "6"];
    let more = ["--compress", "on", "--symmetry", "always", "--json"];
    let begun = std::time::Instant::now();
    let whole = home.json(&build(game, "whole.tb", &more));
    assert!(whole["packed"].is_object() || whole["packed"].as_bool() == Some(true), "{whole}");
    let time = begun.elapsed();
    let arguments: Vec<&str> = build(game, "parts.tb", &more).into_iter().filter(|&word| word != "--force").collect();
    let mut random = fastrand::Rng::with_seed(6);
    let (mut kills, mut kept) = (0, 0);
    // On a busy machine the first kills may all come before a slice is finished.
    while kills < 12 || kept == 0 && kills < 60 {
        let _ = fs::remove_file(home.path("parts.tb"));
        let mut child = start(&home, &arguments);
        std::thread::sleep(time.mul_f64(random.f64()));
        send(&mut child, Signal::KILL);
        if child.wait().unwrap().success() {
            continue;
        }
        kills += 1;
        let folder = home.path("parts.tb.building");
        for name in ["table", "journal"] {
            if let Ok(mut bytes) = fs::read(folder.join(name))
                && random.u8(..3) == 0
                && !bytes.is_empty()
            {
                let at = random.usize(..bytes.len());
                bytes[at] ^= 1 << random.u8(..8);
                fs::write(folder.join(name), bytes).unwrap();
            }
        }
        if random.bool() {
            continue;
        }
        let _ = fs::remove_file(home.path("parts.tb"));
        let built = home.try_run(&arguments);
        if built.status == 2 {
            // A journal whose beginning was changed belongs to another table.
            home.run(&[&arguments[..], &["--restart"]].concat());
        } else {
            assert_eq!(built.status, 0, "{}", built.stderr);
            let built: Value = serde_json::from_str(&built.stdout).unwrap();
            kept += built["regions"]["sheets_kept"].as_u64().unwrap();
        }
        assert!(fs::read(home.path("whole.tb")).unwrap() == fs::read(home.path("parts.tb")).unwrap());
        assert_eq!(home.files(""), ["parts.tb", "whole.tb"]);
    }
    assert!(kept > 0, "nothing was ever kept");
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
