//! Two-colour tables up to symmetry. Every command reads them like tables of every colouring, and their bytes do not
//! depend on memory, threads or interruptions.

use std::fs;

use super::Home;
use super::folded::{assert_folded_tables_are_read, assert_page_reads, build};
use super::stopped::{assert_memory_changes_nothing, kill_and_resume};
use crate::common::{attacks, forge};

/// Rotations and flips; gravity; symmetries that respect only some ways to pair cells into squares; a relabelling of
/// points.
const GAMES: [&[&str]; 4] = [
    &["mnk", "--rows", "3", "--cols", "3", "--k", "3", "--solver", "two-colour", "--labels", "remoteness"],
    &["connect-four", "--set", "rows=3", "--set", "cols=4", "--solver", "two-colour", "--labels", "remoteness"],
    &["mnk", "--rows", "3", "--cols", "4", "--k", "3", "--solver", "two-colour", "--labels", "remoteness"],
    &["hex", "--set", "rows=3", "--set", "cols=3", "--solver", "two-colour", "--labels", "remoteness"],
];
/// The known outcomes of the reachable positions: 2,730,266 wins, 6,031,189 draws and 960,556 losses.
const FOUR: [&str; 9] = ["mnk", "--rows", "4", "--cols", "4", "--k", "4", "--solver", "two-colour"];
const ALWAYS: [&str; 2] = ["--symmetry", "always"];

/// Compares counts, histograms, examples, statistics, every label of every position, and best lines.
#[test]
fn a_folded_two_colour_table_answers_like_a_full_one() {
    assert_folded_tables_are_read(&GAMES, 48);
}

/// The bytes do not depend on memory or threads, compressed or not, and the counts are the known ones.
#[test]
fn a_folded_two_colour_table_does_not_depend_on_memory() {
    let limits = [(3, "1"), (8, "2"), (1000, "1")];
    for compress in ["off", "on"] {
        for built in assert_memory_changes_nothing(&FOUR, &[&ALWAYS[..], &["--compress", compress]].concat(), &limits) {
            let counts = &built["counts"];
            assert_eq!([&counts["win"], &counts["draw"], &counts["loss"]], [2_730_266, 6_031_189, 960_556], "{built}");
        }
    }
}

/// Outcomes follow from scores, so they are finished last, but a table stores them first.
#[test]
fn compressed_scores_up_to_symmetry_are_right() {
    let home = Home::new();
    let game = ["score-lines", "--solver", "two-colour", "--labels", "score"];
    home.run(&build(&game, "it.tb", &[&ALWAYS[..], &["--compress", "on"]].concat()));
    home.run(&["verify", "it.tb"]);
}

/// Kills a build at random moments and resumes it after each kill.
#[test]
fn a_killed_folded_two_colour_build_resumes() {
    for compress in ["off", "on"] {
        let more = [ALWAYS, ["--compress", compress]].concat();
        kill_and_resume(&FOUR, &more, &more, 2);
    }
}

/// Flips each stored bit and makes the checksums valid again.
#[test]
fn a_flipped_label_of_a_folded_table_is_found() {
    let home = Home::new();
    let game: &[&str] =
        &["mnk", "--rows", "2", "--cols", "2", "--k", "2", "--solver", "two-colour", "--labels", "remoteness"];
    home.run(&build(game, "whole.tb", &[&ALWAYS[..], &["--compress", "off"]].concat()));
    let whole = fs::read(home.path("whole.tb")).unwrap();
    let [outcomes, reached, remoteness]: [_; 3] = forge::sections(&whole).try_into().expect("three sections");
    attacks::alter(&whole, attacks::bits(outcomes.chain(reached)), |_, _, _| {});
    attacks::alter(&whole, remoteness.map(|byte| (byte, 0)), |_, _, _| {});
}

/// A header that misstates the symmetries is refused.
#[test]
fn a_folded_table_with_wrong_symmetries_is_refused() {
    let home = Home::new();
    home.run(&build(GAMES[0], "it.tb", &[&ALWAYS[..], &["--compress", "off"]].concat()));
    let whole = fs::read(home.path("it.tb")).unwrap();
    let refused = |what: &str, change: &dyn Fn(&mut [u8], usize)| {
        let at = forge::field(&whole, what).start;
        attacks::refused(&whole, |bytes| change(bytes, at), "");
    };
    for top in [0, 1, 2, 17, 255] {
        refused("top.squares", &|bytes, _| forge::set(bytes, "top.squares", top));
    }
    refused("symmetry.cells", &|bytes, at| bytes.swap(at, at + 1));
    refused("symmetry.modes", &|bytes, at| bytes.swap(at, at + 2));
    refused("square.first", &|bytes, at| bytes.swap(at, at + 2));
    refused("symmetries.count", &|bytes, at| bytes[at] += 1);
}

/// The reader is written from docs/reference/format.md alone.
#[test]
fn the_page_about_the_format_reads_folded_colourings() {
    let home = Home::new();
    // Small games, because the reader examines every position by itself.
    let small =
        ["connect-four", "--set", "rows=2", "--set", "cols=4", "--solver", "two-colour", "--labels", "remoteness"];
    for game in [GAMES[0], &small] {
        assert_page_reads(&home, game);
    }
}

#[test]
fn colourings_up_to_symmetry_are_estimated() {
    let home = Home::new();
    let of = |symmetry: &str| home.json(&[&["estimate"], &FOUR[..], &["--symmetry", symmetry, "--json"]].concat());
    let (always, none) = (of("always"), of("none"));
    assert!(always["symmetry"].is_object() && none["symmetry"].is_null(), "{always}, {none}");
    assert!(always["file_bytes"].as_u64().unwrap() * 2 < none["file_bytes"].as_u64().unwrap());
    assert!(always["regions"]["count"].as_u64().is_some_and(|count| count > 1), "{always}");
}
