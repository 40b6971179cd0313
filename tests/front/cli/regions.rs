//! Games that are solved by regions and do not fit into memory: finished regions are kept on disk, and the table is the same as that of a
//! build in memory, also after kills and damage.

use std::fs;
use std::sync::LazyLock;

use rustix::process::Signal;

use super::stopped::{
    assert_memory_changes_nothing, assert_same, await_slices, build, change_and_resume, kill_and_resume, little_memory,
    start,
};
use super::{Home, ran, send};

/// Regions of 8 MB of labels. Not all of them fit into the least memory.
const GAME: [&str; 3] = ["six-mens-morris", "--set", "men=6"];
static MEMORY: LazyLock<[&str; 2]> = LazyLock::new(|| little_memory(&GAME));

#[test]
fn tables_by_regions_do_not_depend_on_memory() {
    assert_memory_changes_nothing(&GAME, &[], &[(1, "1"), (170, "7")]);
    assert_memory_changes_nothing(&GAME, &["--compress", "on"], &[(1, "2")]);
}

#[test]
fn a_killed_build_by_regions_resumes() {
    kill_and_resume(&GAME, &[], &MEMORY[..], 3);
}

/// A region that was changed on disk is solved again.
#[test]
fn changed_regions_are_solved_again() {
    change_and_resume(&GAME, &[], &MEMORY[..], &["table", "journal", "table"]);
}

#[test]
fn an_interrupted_build_by_regions_keeps_what_is_finished() {
    let home = Home::new();
    let interrupted = (0..20).find_map(|_| {
        let mut child = start(&home, &build(&GAME, "it.tb", &[&MEMORY[..], &["--force"]].concat()));
        await_slices(&home, &mut child, "it.tb.building");
        send(&mut child, Signal::INT);
        let output = child.wait_with_output().unwrap();
        fs::remove_file(home.path("it.tb")).is_err().then(|| ran(output))
    });
    let line = interrupted.expect("a build is interrupted before it ends").failed(130);
    assert!(line.contains("finished work is kept in it.tb.building; run the same command to resume"), "{line}");
    let other = build(&GAME, "it.tb", &["--memory", "200MiB", "--symmetry", "none"]);
    let error = home.fails(2, &other);
    assert!(error.contains("cannot resume from it.tb.building"), "{error}");
    let resumed = home.json(&build(&GAME, "it.tb", &["--json"]));
    assert!(resumed["regions_kept"].as_u64() > Some(0), "{resumed}");
    home.run(&build(&GAME, "whole.tb", &[]));
    assert_same(&home, "whole.tb", "it.tb");
    assert_eq!(home.files(""), ["it.tb", "whole.tb"]);
}

#[test]
fn a_group_that_does_not_fit_is_refused_before_any_work() {
    let home = Home::new();
    let error = home.fails(4, &build(&GAME, "it.tb", &["--memory", "5MiB"]));
    assert!(error.contains("not enough memory: six-mens-morris-2-6 needs"), "{error}");
    assert!(home.files("").is_empty());
}
