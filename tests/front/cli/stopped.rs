//! Builds in slices that are stopped, with changes to their checkpoints. The final bytes equal those of an undisturbed
//! build.

use std::fs;
use std::os::unix::fs::FileExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::{Home, send};
use rustix::process::Signal;
use serde_json::Value;

/// The arguments that build `game` at `path`.
pub(super) fn build<'a>(game: &[&'a str], path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["build"], game, &["-o", path], more].concat()
}

pub(super) fn start(home: &Home, arguments: &[&str]) -> Child {
    home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Panics unless two files are equal.
pub(super) fn assert_same(home: &Home, one: &str, other: &str) {
    let [one_bytes, other_bytes] = [one, other].map(|name| fs::read(home.path(name)).unwrap());
    assert!(one_bytes == other_bytes, "{one} and {other} differ");
}

/// The least memory with which a build succeeds, in MiB: its refusal names it. How many pages of the program are loaded is the system's
/// choice, so another build may need one more.
pub(super) fn least_memory(build: &[&str]) -> u64 {
    let error = Home::new().fails(4, &[build, &["--memory", "1B"]].concat());
    let needed = error.split_once(" needs ").and_then(|(_, needed)| needed.split_once(" MiB, --memory allows 1 B"));
    let (needed, _) = needed.unwrap_or_else(|| panic!("{error}"));
    needed.parse::<f64>().unwrap().ceil() as u64 + 1
}

/// [`least_memory`] for `game`, as an option.
pub(super) fn little_memory(game: &[&str]) -> [&'static str; 2] {
    ["--memory", format!("{}MiB", least_memory(&build(game, "it.tb", &[]))).leak()]
}

/// Builds `game` with the arguments `more`, and again with each amount of memory, as MiB beyond the least, and number of threads. The
/// bytes must be equal, and the builds must leave nothing else behind. Returns the reports of the other builds.
pub(super) fn assert_memory_changes_nothing(game: &[&str], more: &[&str], limits: &[(u64, &str)]) -> Vec<Value> {
    let home = Home::new();
    home.run(&build(game, "whole.tb", more));
    let least = least_memory(&build(game, "parts.tb", more));
    let again = |(beyond, threads): &(u64, &str)| {
        let memory = format!("{}MiB", least + beyond);
        let limited = ["--memory", &memory, "--threads", threads, "--force", "--json"];
        let built = home.json(&build(game, "parts.tb", &[more, &limited].concat()));
        assert_same(&home, "whole.tb", "parts.tb");
        built
    };
    let built = limits.iter().map(again).collect();
    assert_eq!(home.files(""), ["parts.tb", "whole.tb"]);
    home.run(&["verify", "parts.tb", "--level", "bytes"]);
    built
}

/// The number of slices of a build; 1 if it took the game as a whole.
pub(super) fn slices_of(built: &Value) -> u64 {
    built["regions"]["count"].as_u64().unwrap_or(1)
}

/// Waits until a build has its first checkpoint, or has ended.
pub(super) fn await_slices(home: &Home, child: &mut Child, folder: &str) {
    let journal = home.path(folder).join("journal");
    while fs::metadata(&journal).map_or(0, |found| found.len()) < 4096 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts a build and kills it after its first checkpoint, unless it ends before.
pub(super) fn start_and_kill(home: &Home, arguments: &[&str], folder: &str) {
    let mut child = start(home, arguments);
    await_slices(home, &mut child, folder);
    send(&mut child, Signal::KILL);
    child.wait().unwrap();
}

/// Builds `game` in slices with the arguments `more`, kills the build `kills` times at random moments and resumes it
/// each time. The bytes must equal those of a build with the arguments `undisturbed`.
pub(super) fn kill_and_resume(game: &[&str], undisturbed: &[&str], more: &[&str], kills: u32) {
    let home = Home::new();
    home.run(&build(game, "whole.tb", undisturbed));
    let arguments = build(game, "parts.tb", more);
    let begun = Instant::now();
    home.run(&arguments);
    let whole = begun.elapsed();
    let mut random = fastrand::Rng::with_seed(16);
    let mut left = kills;
    while left > 0 {
        fs::remove_file(home.path("parts.tb")).unwrap();
        loop {
            let mut child = start(&home, &arguments);
            std::thread::sleep(whole.mul_f64(random.f64() * 0.7));
            send(&mut child, Signal::KILL);
            if child.wait().unwrap().success() || left == 0 {
                break;
            }
            left -= 1;
        }
        // A build that is killed after it named the table may leave its folder and locks.
        if home.files("") != ["parts.tb", "whole.tb"] {
            home.run(&arguments);
        }
        assert_same(&home, "whole.tb", "parts.tb");
        assert_eq!(home.files(""), ["parts.tb", "whole.tb"]);
    }
}

/// Builds `game` in slices with the arguments `more`, kills the build, changes two bits in one of `files` and resumes;
/// then does the same for the next file. The bytes must equal those of a build with the arguments `undisturbed`.
pub(super) fn change_and_resume(game: &[&str], undisturbed: &[&str], more: &[&str], files: &[&str]) {
    let home = Home::new();
    home.run(&build(game, "whole.tb", undisturbed));
    let arguments = build(game, "it.tb", more);
    let mut random = fastrand::Rng::with_seed(7);
    for file in files {
        start_and_kill(&home, &arguments, "it.tb.building");
        let path = home.path("it.tb.building").join(file);
        if let Ok(opened) = fs::File::options().read(true).write(true).open(&path)
            && let bytes @ 1.. = opened.metadata().unwrap().len()
        {
            // An uncompressed table is filled from its end, so the changes are near the end of the file. They spare the
            // beginning of the journal, which names its table.
            for share in [2, 8] {
                let at = bytes - 1 - random.u64(..bytes.div_ceil(share));
                let mut byte = [0];
                opened.read_exact_at(&mut byte, at).unwrap();
                byte[0] ^= 1 << random.u32(..8);
                opened.write_all_at(&byte, at).unwrap();
            }
        }
        // The build may have ended before it was killed.
        let _ = fs::remove_file(home.path("it.tb"));
        home.run(&arguments);
        assert_same(&home, "whole.tb", "it.tb");
        fs::remove_file(home.path("it.tb")).unwrap();
    }
}
