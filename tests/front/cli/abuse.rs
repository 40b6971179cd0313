//! Resource limits, signals and mistyped input. The session `system` shows what the system refuses.

use std::fs;
#[cfg(unix)]
use std::io::Read;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use super::Home;
#[cfg(unix)]
use super::{ran, send};

#[test]
fn errors_are_short_however_long_the_input() {
    let home = Home::new();
    let long = "9".repeat(100_000);
    let tile = format!("0-{long}");
    for arguments in [
        &["probe", "dominoes", "--n", "4", &tile][..],
        &["probe", "tactics", &long],
        &["probe", &long],
        &["build", "tactics", "--rows", &long],
        &["build", "tactics", "--memory", &long],
        &["verify", "tactics", "--level", &long],
    ] {
        let error = home.fails(2, arguments);
        assert!(error.chars().count() < 1300, "{} characters", error.chars().count());
        assert!(error.contains("see '") || error.contains("tablegen list"), "{error}");
    }
    let ran = home.feed(&["probe", "dominoes", "--n", "4", "--batch", "--json"], &tile.as_bytes()[..60_000]);
    assert!(ran.stdout.len() < 1000, "{} bytes", ran.stdout.len());
}

#[test]
#[cfg(unix)]
fn nohup_keeps_a_run_alive() {
    let home = Home::new();
    let line = "trap '' HUP; echo ready; exec \"$TABLEGEN\" verify tactics --sample 4000000";
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    home.isolate(&mut command);
    let command = command.env("TABLEGEN", env!("CARGO_BIN_EXE_tablegen")).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // Once the shell has printed this line, it ignores the signal.
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    assert_eq!(&ready, b"ready\n");
    while child.try_wait().unwrap().is_none() {
        // Send signals also while the program installs its handlers.
        send(&mut child, rustix::process::Signal::HUP);
        std::thread::sleep(Duration::from_millis(20));
    }
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
#[cfg(unix)]
fn a_failed_check_sets_the_status_even_if_nobody_reads() {
    let home = Home::new();
    home.run(&["build", "tactics", "-o", "it.tb"]);
    let mut bytes = fs::read(home.path("it.tb")).unwrap();
    bytes[5000] ^= 1;
    fs::write(home.path("it.tb"), bytes).unwrap();
    for arguments in [&["verify", "it.tb"][..], &["verify", "it.tb", "--json"]] {
        let mut child = home.command(arguments);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        ran(child.wait_with_output().unwrap()).failed(1);
    }
}

#[test]
fn files_of_a_killed_build_are_removed_once_unlocked() {
    let home = Home::new();
    let put = |name: &str| fs::File::create(home.path(name)).unwrap();
    drop(put(".tablegen-aaaaaa.tb.tmp"));
    drop(put(".tablegen-notes"));
    let held = put(".tablegen-cccccc.tb.tmp");
    held.lock_shared().unwrap();
    home.run(&["build", "tactics", "-o", "it.tb"]);
    assert_eq!(home.files(""), [".tablegen-cccccc.tb.tmp", ".tablegen-notes", "it.tb"]);
    drop(held);
    // A process that another test has just forked shares the lock until it runs its own program.
    let unlocked = || put(".tablegen-cccccc.tb.tmp").try_lock().is_ok();
    assert!((0..1000).any(|_| unlocked() || {
        std::thread::sleep(std::time::Duration::from_millis(1));
        false
    }));
    home.run(&["export", "it.tb", "--format", "csv", "-o", "it.csv"]);
    assert_eq!(home.files(""), [".tablegen-notes", "it.csv", "it.tb"]);
}

#[test]
fn the_estimate_is_close_to_the_peak_memory() {
    let home = Home::new();
    let small = [&["tactics"][..], &["tactics", "--rows", "5", "--cols", "5"], &["dominoes", "--n", "6"]];
    let large = &["tactics", "--rows", "5", "--cols", "6"][..];
    for game in small.into_iter().chain([large]) {
        let estimate = home.json(&[&["estimate"], game, &["--json"]].concat());
        let built = home.json(&[&["build"], game, &["--json", "--threads", "2", "-o", "it.tb", "--force"]].concat());
        assert_eq!(estimate["file_bytes"], built["file_bytes"]);
        if let Some(peak) = built["peak_bytes"].as_f64() {
            let estimate = estimate["memory_bytes"].as_f64().unwrap();
            // The system decides how much of the program's code is in memory. It is a few MiB: much of the peak of a
            // small game, little of the peak of a large one.
            assert!((estimate - peak).abs() < 8e6, "{game:?}: {estimate} estimated, {peak} taken");
            assert!(game != large || (0.93..1.07).contains(&(estimate / peak)), "{game:?}: {estimate}, {peak}");
        }
    }
}
