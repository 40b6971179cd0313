//! Dense games that do not fit into memory: a build in slices writes the same table as a build in memory, also after
//! kills and damage.

use std::fs;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::LazyLock;

use super::stopped::{
    assert_memory_changes_nothing, assert_same, await_slices, build, change_and_resume, kill_and_resume, little_memory,
};
use super::stopped::{slices_of, start, start_and_kill};
use super::{Home, Small, ran, send};
use rustix::process::Signal;

/// A table of 128 MiB, which is built in about 1,024 slices.
const GAME: [&str; 5] = ["tactics", "--rows", "5", "--cols", "6"];
static MEMORY: LazyLock<[&str; 2]> = LazyLock::new(|| little_memory(&GAME));

/// Tables do not depend on memory, for labels of one byte, modes, draws and reachability bits.
#[test]
fn tables_do_not_depend_on_memory() {
    let games: [&[&str]; 4] = [
        &["tactics", "--rows", "5", "--cols", "5", "--labels", "remoteness"],
        &["dominoes", "--n", "6", "--solver", "dense", "--labels", "remoteness"],
        &["domineering", "--set", "rows=4", "--set", "cols=6", "--solver", "dense"],
        &["mnk", "--solver", "dense"],
    ];
    let limits = [0, 1, 4, 18].map(|beyond| ["1", "2"].map(|threads| (beyond, threads)));
    let built = games.map(|game| assert_memory_changes_nothing(game, &[], limits.as_flattened()));
    let by_slice = built.iter().flatten().filter(|built| slices_of(built) > 1).count();
    assert!(by_slice >= 8, "{by_slice} were built by slices");
}

/// The finished table is compressed like one that is built in memory.
#[test]
fn a_build_in_slices_is_compressed() {
    let home = Home::new();
    home.run(&build(&GAME, "whole.tb", &["--compress", "on"]));
    let more = [&MEMORY[..], &["--compress", "on", "--json"]].concat();
    let built = home.json(&build(&GAME, "parts.tb", &more));
    assert!(slices_of(&built) > 1, "{built}");
    assert_same(&home, "whole.tb", "parts.tb");
    assert_eq!(home.files(""), ["parts.tb", "whole.tb"]);
}

/// Killed at random moments, and resumed each time.
#[test]
fn a_killed_build_resumes() {
    kill_and_resume(&GAME, &[], &MEMORY[..], 6);
}

#[test]
#[ignore = "minutes"]
fn a_build_killed_a_hundred_times_resumes() {
    kill_and_resume(&GAME, &[], &MEMORY[..], 100);
}

/// An interrupted build reports its checkpoint, and the next run resumes from it. A build with other options is
/// refused, and `--restart` starts again.
#[test]
fn an_interrupted_build_reports_its_checkpoint() {
    let home = Home::new();
    let interrupted = (0..20).find_map(|_| {
        let mut child = start(&home, &build(&GAME, "it.tb", &[&MEMORY[..], &["--force"]].concat()));
        await_slices(&home, &mut child, "it.tb.building");
        send(&mut child, Signal::INT);
        let output = child.wait_with_output().unwrap();
        // The signal may arrive after the table is complete. Then the next build begins without a table.
        fs::remove_file(home.path("it.tb")).is_err().then(|| ran(output))
    });
    let line = interrupted.expect("a build is interrupted before it ends").failed(130);
    assert!(line.contains("finished work is kept in it.tb.building; run the same command to resume"), "{line}");
    assert_eq!(home.files(""), ["it.tb.building"]);
    let listed = home.json(&["--tables", ".", "list", "--json"]);
    assert_eq!(listed["unfinished"][0]["path"], "./it.tb");
    assert!(home.run(&["--tables", ".", "list"]).contains("Unfinished tables"));
    let other = build(&GAME, "it.tb", &["--memory", "100MiB", "--labels", "remoteness"]);
    let error = home.fails(2, &other);
    assert!(
        error.contains("cannot resume from it.tb.building: expected the same rules, options and version")
            && error.contains("--restart")
    );
    let built = home.json(&build(&GAME, "it.tb", &[&MEMORY[..], &["--json"]].concat()));
    assert!(built["regions"]["sheets_kept"].as_u64().unwrap() > 0, "{built}");
    // An earlier build has labelled some of the positions.
    assert_eq!(built["positions_per_second"], 0.0);
    assert_eq!(home.files(""), ["it.tb"]);
    home.run(&["verify", "it.tb", "--level", "bytes"]);
}

#[test]
fn a_build_with_more_memory_resumes_with_its_slices() {
    let home = Home::new();
    home.run(&build(&GAME, "whole.tb", &[]));
    start_and_kill(&home, &build(&GAME, "it.tb", &MEMORY[..]), "it.tb.building");
    // More memory allows larger slices, or none: the first build resumes, and the second has no checkpoint to resume.
    for memory in ["60MiB", "1GiB"] {
        home.run(&build(&GAME, "it.tb", &["--memory", memory, "--force"]));
        assert_same(&home, "whole.tb", "it.tb");
        assert_eq!(home.files(""), ["it.tb", "whole.tb"]);
    }
}

/// A build that fits in memory resumes as well, and another one does not replace the checkpoint.
#[test]
fn a_build_in_memory_keeps_a_checkpoint() {
    let home = Home::new();
    home.run(&build(&GAME, "whole.tb", &[]));
    start_and_kill(&home, &build(&GAME, "it.tb", &MEMORY[..]), "it.tb.building");
    let error = home.fails(2, &build(&GAME, "it.tb", &["--labels", "remoteness"]));
    assert!(error.contains("cannot resume from it.tb.building: expected the same rules, options"), "{error}");
    let error = home.fails(2, &build(&["tictactoe"], "it.tb", &[]));
    assert!(error.contains("cannot resume from it.tb.building"), "{error}");
    let built = home.json(&build(&GAME, "it.tb", &["--json"]));
    assert!(built["regions"]["sheets_kept"].as_u64().unwrap() > 0, "{built}");
    assert_same(&home, "whole.tb", "it.tb");
    assert_eq!(home.files(""), ["it.tb", "whole.tb"]);
}

#[test]
fn restart_discards_the_checkpoint() {
    let home = Home::new();
    start_and_kill(&home, &build(&GAME, "it.tb", &MEMORY[..]), "it.tb.building");
    let built = home.json(&build(&GAME, "it.tb", &[&MEMORY[..], &["--restart", "--json"]].concat()));
    assert_eq!(built["regions"]["sheets_kept"], 0);
}

/// A bit of the growing table or its journal changes while no build runs: the resumed build finds it and writes the
/// right table.
#[test]
fn changed_bits_are_found() {
    change_and_resume(&GAME, &[], &MEMORY[..], &["table", "table", "journal", "journal"]);
}

/// Two builds of one table do not interfere: the second names the process of the first.
#[test]
fn the_second_of_two_builds_names_the_first() {
    let home = Home::new();
    let mut first = start(&home, &build(&GAME, "it.tb", &MEMORY[..]));
    await_slices(&home, &mut first, "it.tb.building");
    // Pause the first build.
    send(&mut first, Signal::STOP);
    if home.path("it.tb.building").exists() {
        for more in [&MEMORY[..], &[&MEMORY[..], &["--restart"]].concat()] {
            let error = home.fails(4, &build(&GAME, "it.tb", more));
            assert!(error.contains(&format!("found process {}", first.id())), "{error}");
        }
    }
    send(&mut first, Signal::CONT);
    assert_eq!(ran(first.wait_with_output().unwrap()).status, 0);
    home.run(&["verify", "it.tb", "--level", "bytes"]);
}

/// Without their lock files, two builds of one table do not know of each other. The first notices at its end, and the
/// table of the second stays.
#[test]
fn a_build_whose_lock_was_removed_keeps_the_other_table() {
    let home = Home::new();
    let mut first = start(&home, &build(&GAME, "it.tb", &MEMORY[..]));
    await_slices(&home, &mut first, "it.tb.building");
    send(&mut first, Signal::STOP);
    let locks = ["it.tb.building/lock", ".tablegen-it.tb.lock"];
    if locks.iter().any(|lock| fs::remove_file(home.path(lock)).is_err()) {
        send(&mut first, Signal::CONT);
        first.wait().unwrap();
        return eprintln!("the build was done before it was stopped");
    }
    home.run(&build(&GAME, "it.tb", &MEMORY[..]));
    let before = fs::read(home.path("it.tb")).unwrap();
    send(&mut first, Signal::CONT);
    let line = ran(first.wait_with_output().unwrap()).failed(4);
    assert!(line.contains("the lock file it.tb.building/lock was removed during the build"), "{line}");
    assert!(fs::read(home.path("it.tb")).unwrap() == before);
    assert_eq!(home.files(""), ["it.tb"]);
    home.run(&["verify", "it.tb", "--level", "bytes"]);
}

/// A build reaches a limit of the file size, before and after its first checkpoint, and reports the files that remain.
#[test]
fn a_build_on_a_full_disk_reports_its_checkpoint() {
    let home = Home::new();
    for (more, kib) in [(&["--compress", "off"][..], 100), (&["--compress", "on"], 2000)] {
        let arguments = build(&GAME, "it.tb", &[&MEMORY[..], more].concat()).join(" ");
        let limited = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" {arguments}", 2 * kib);
        let mut shell = Command::new("sh");
        home.isolate(shell.args(["-c", &limited, env!("CARGO_BIN_EXE_tablegen")]));
        let line = ran(shell.output().unwrap()).failed(4);
        let left = home.files("");
        let says = match left.is_empty() {
            true => "no files were left behind",
            false => "finished work is kept in it.tb.building; run the same command to resume",
        };
        assert!(line.contains("File too large") && line.ends_with(says), "{line} {left:?}");
        assert_eq!(left.is_empty(), kib == 100, "{left:?}");
    }
}

/// The build uses a scratch folder on a disk of its own and moves the finished table. A full disk loses no work.
#[test]
fn a_table_is_built_in_the_scratch_folder() {
    let home = Home::new();
    home.run(&build(&GAME, "whole.tb", &[]));
    fs::create_dir(home.path("scratch")).unwrap();
    home.run(&build(&GAME, "it.tb", &[&MEMORY[..], &["--scratch", "scratch"]].concat()));
    assert_same(&home, "whole.tb", "it.tb");
    assert!(home.files("scratch").is_empty());
    let error = home.fails(2, &build(&GAME, "it.tb", &[&MEMORY[..], &["--scratch", "nowhere"]].concat()));
    assert!(error.contains("cannot use the scratch folder nowhere"), "{error}");
    let Some(_small) = Small::mount(&home, "size=140m") else { return };
    let arguments = build(&GAME, "it.tb", &[&MEMORY[..], &["--force", "--scratch", "small"]].concat());
    home.run(&arguments);
    assert_same(&home, "whole.tb", "it.tb");
    // Fill the disk during the build.
    let mut child = start(&home, &arguments);
    await_slices(&home, &mut child, "small/it.tb.building");
    let filler = fs::File::create(home.path("small/filler")).unwrap();
    let full = vec![1; 1 << 20];
    let mut at = 0;
    while filler.write_at(&full, at).is_ok_and(|written| written > 0) {
        at += full.len() as u64;
    }
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        return eprintln!("the build was done before the disk was full");
    }
    let line = ran(output).failed(4);
    assert!(line.contains("No space left") && line.contains("; run the same command to resume"), "{line}");
    // A new build finds the full disk before it starts.
    assert!(home.fails(4, &arguments).contains("not enough disk"));
    // Close the filler, so that removing it frees its blocks.
    drop(filler);
    fs::remove_file(home.path("small/filler")).unwrap();
    home.run(&arguments);
    assert_same(&home, "whole.tb", "it.tb");
    assert!(home.files("small").is_empty());
}
