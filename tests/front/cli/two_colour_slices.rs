//! Two-colour games that do not fit into memory. A build in slices writes the same table as a build in memory,
//! compressed or not, also after kills and damage.

use std::sync::LazyLock;

use super::stopped::{self, assert_memory_changes_nothing, build, change_and_resume, little_memory, slices_of};
use super::{Home, Small};

/// 16 MiB of outcomes and reachability bits, of which a slice takes a few.
const GAME: [&str; 9] = ["mnk", "--rows", "4", "--cols", "4", "--k", "4", "--solver", "two-colour"];
static MEMORY: LazyLock<[&str; 2]> = LazyLock::new(|| little_memory(&GAME));

/// Tables do not depend on memory, for labels of one byte, several modes, gravity, and games with and without draws,
/// compressed or not.
#[test]
fn two_colour_tables_do_not_depend_on_memory() {
    let games: [(&[&str], u64); 3] = [
        (&GAME, 1),
        (&["snort", "--set", "rows=4", "--set", "cols=4", "--solver", "two-colour"], 2),
        (
            &["connect-four", "--set", "rows=4", "--set", "cols=5", "--solver", "two-colour", "--labels", "remoteness"],
            12,
        ),
    ];
    for (game, beyond) in games {
        for compress in ["off", "on"] {
            for built in assert_memory_changes_nothing(game, &["--compress", compress], &[(0, "2"), (beyond, "1")]) {
                assert!(slices_of(&built) > 1, "{built}");
            }
        }
    }
}

/// Kills a build at random moments and resumes it after each kill.
fn kill_and_resume(compress: &str, kills: u32) {
    let compress = ["--compress", compress];
    stopped::kill_and_resume(&GAME, &compress, &[*MEMORY, compress].concat(), kills);
}

#[test]
fn a_killed_two_colour_build_resumes() {
    kill_and_resume("off", 2);
    kill_and_resume("on", 3);
}

#[test]
#[ignore = "minutes"]
fn a_two_colour_build_killed_a_hundred_times_resumes() {
    kill_and_resume("off", 50);
    kill_and_resume("on", 50);
}

/// A bit changes while no build runs: in the growing table, in the journal, or in the edges, which are the parts of
/// slices that lie in the compressed blocks of other slices. The resumed build finds the damage and writes the right
/// table.
#[test]
fn changed_bits_of_a_two_colour_checkpoint_are_found() {
    for compress in ["off", "on"] {
        let compress = ["--compress", compress];
        change_and_resume(&GAME, &compress, &[*MEMORY, compress].concat(), &["table", "edges", "journal"]);
    }
}

#[test]
fn a_two_colour_build_is_refused_before_it_fills_the_disk() {
    let home = Home::new();
    let Some(_small) = Small::mount(&home, "size=10m") else { return };
    let error = home.fails(4, &build(&GAME, "small/it.tb", &[&MEMORY[..], &["--compress", "off"]].concat()));
    assert!(
        error.contains("not enough disk: the file needs at least 15.50 MiB") && error.contains("10.00 MiB free"),
        "{error}"
    );
    assert!(home.files("small").is_empty());
}

/// A set of 36 squares has 2^36 colourings. Some squares are split, so that slices fix the colours there and fit into memory.
#[test]
fn slices_of_a_large_board_fit_into_memory() {
    let home = Home::new();
    let game = ["estimate", "connect-four", "--set", "rows=6", "--set", "cols=6", "--memory", "2GiB", "--json"];
    let estimate = home.json(&game);
    assert_eq!(estimate["solver"], "two-colour", "{estimate}");
    // Of 127^2 slices, those that the mirror maps to themselves count whole.
    assert_eq!(estimate["regions"]["count"], (127 * 127 + 127) / 2, "{estimate}");
    assert!(estimate["memory_bytes"].as_u64().is_some_and(|bytes| bytes <= 2 << 30), "{estimate}");
}

#[test]
fn the_slices_of_a_two_colour_build_are_estimated() {
    let home = Home::new();
    let of = |memory: &str| home.json(&[&["estimate"], &GAME[..], &["--memory", memory, "--json"]].concat());
    let (small, ample) = (of(MEMORY[1]), of("1GiB"));
    assert!(small["regions"]["count"].as_u64().is_some_and(|count| count > 1), "{small}");
    assert!(ample["regions"].is_null(), "{ample}");
    assert!(small["memory_bytes"].as_u64() < ample["memory_bytes"].as_u64(), "{small}, {ample}");
    let error = home.fails(4, &build(&GAME, "it.tb", &["--memory", "1MiB"]));
    assert!(error.contains("not enough memory"), "{error}");
}
