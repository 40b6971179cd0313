//! Resource limits, symbolic links, signals, hostile file names and mistyped input.

use std::fs;
#[cfg(unix)]
use std::io::Read;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use super::Home;
#[cfg(unix)]
use super::{Ran, ran, send};

/// Runs a shell command line in which `$TABLEGEN` is the program.
#[cfg(unix)]
fn shell(home: &Home, line: &str) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    home.isolate(&mut command);
    ran(command.env("TABLEGEN", env!("CARGO_BIN_EXE_tablegen")).output().unwrap())
}

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
#[cfg(target_os = "linux")]
fn unavailable_threads_are_an_error() {
    let home = Home::new();
    home.run(&["build", "tactics", "-o", "it.tb"]);
    // No system has room for a stack of this size, so no thread starts, while memory suffices for everything else.
    for arguments in [
        &["build", "tactics", "-o", "new.tb"][..],
        &["build", "tactics", "-o", "new.tb", "--threads", "2"],
        &["verify", "it.tb"],
        &["export", "it.tb", "--format", "csv", "-o", "-"],
        &["probe", "tactics", "--rows", "3"],
    ] {
        let mut command = home.command(arguments);
        let ran = crate::cli::ran(command.env("RUST_MIN_STACK", (1u64 << 60).to_string()).output().unwrap());
        assert!(ran.failed(4).contains("cannot start"), "{}", ran.stderr);
    }
    assert_eq!(home.files(""), ["it.tb"]);
}

#[test]
#[cfg(unix)]
fn a_file_larger_than_the_user_may_write_is_an_error() {
    let home = Home::new();
    for arguments in
        ["build tactics --rows 5 --cols 5 -o new.tb", "export tactics --format csv -o new.csv", "man > page"]
    {
        let ran = shell(&home, &format!("ulimit -f 8; \"$TABLEGEN\" {arguments}"));
        if arguments.starts_with("man") {
            assert_eq!(ran.status, 0, "the page has some kilobytes: {}", ran.stderr);
            fs::remove_file(home.path("page")).unwrap();
            continue;
        }
        assert!(ran.failed(4).contains("too large"), "{}", ran.stderr);
        assert!(home.files("").is_empty(), "{:?}", home.files(""));
    }
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
#[cfg(unix)]
fn a_symbolic_link_is_followed_and_kept() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    fs::create_dir(home.path("elsewhere")).unwrap();
    symlink("elsewhere/it.tb", home.path("link.tb")).unwrap();
    symlink("link.tb", home.path("second.tb")).unwrap();
    // The first build creates the targets of the links, the second replaces them.
    for _ in 0..2 {
        home.run(&["build", "tactics", "-o", "second.tb"]);
        assert_eq!(home.files("elsewhere"), ["it.tb"]);
    }
    for link in ["link.tb", "second.tb"] {
        assert!(fs::symlink_metadata(home.path(link)).unwrap().is_symlink());
    }
    // The link resolves to the redirected standard output. The program must not create a temporary file next to it.
    symlink("/proc/self/fd/1", home.path("out")).unwrap();
    if cfg!(target_os = "linux") {
        let ran = shell(&home, "\"$TABLEGEN\" export tactics --format csv -o out > out.csv");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert_eq!(fs::read_to_string(home.path("out.csv")).unwrap().lines().count(), 65_537);
        assert!(fs::symlink_metadata(home.path("out")).unwrap().is_symlink());
    }
    symlink("loop.tb", home.path("loop.tb")).unwrap();
    home.fails(2, &["build", "tactics", "-o", "loop.tb"]);
}

#[test]
#[cfg(unix)]
fn control_characters_in_file_names_are_escaped() {
    let home = Home::new();
    let name = "a\u{1b}[31mb\u{7f}\u{9b}c.tb";
    let built = home.run(&["build", "tactics", "-o", name]);
    for text in [built, home.run(&["info", name]), home.run(&["verify", name]), home.run(&["--tables", ".", "list"])] {
        assert!(text.contains(r"a\u{1b}[31mb\u{7f}\u{9b}c.tb"), "{text:?}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
    for command in ["info", "verify"] {
        assert_eq!(home.json(&[command, name, "--json"])["source"], name);
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
