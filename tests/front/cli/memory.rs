//! Memory limits: the peak memory of a build, and how a build fails when the system limits the process.

use std::process::Command;

use super::stopped::least_memory;
use super::{Home, ran};

/// A game with 910,634 reachable positions of 2^26.
const GAME: [&str; 5] = ["domineering", "--set", "rows=5", "--set", "cols=5"];
/// Runs a program and prints its status, its peak memory in KiB, and its stderr. Only a parent process can learn the
/// peak.
const MEASURE: &str = "
import resource, subprocess, sys
ran = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(ran.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(ran.stderr, end='')
";

/// The status of a run, its peak memory in KiB, and what it wrote to stderr.
fn measured(home: &Home, arguments: &[&str]) -> (i32, u64, String) {
    let mut command = Command::new("python3");
    command.args(["-c", MEASURE, env!("CARGO_BIN_EXE_tablegen")]).args(arguments);
    home.isolate(&mut command);
    let ran = ran(command.output().unwrap());
    let (first, error) = ran.stdout.split_once('\n').expect(&ran.stderr);
    let (status, peak) = first.split_once(' ').expect("two numbers");
    (status.parse().unwrap(), peak.parse().unwrap(), error.to_owned())
}

/// MiB of the program itself, measured with a build that is refused before it solves anything. How many pages of a program
/// are loaded is the system's choice, so one more MiB may be loaded in another run.
fn base(home: &Home, build: &[&str]) -> u64 {
    let (status, peak, error) = measured(home, &[build, &["--memory", "1B"]].concat());
    assert_eq!(status, 4, "{error}");
    peak.div_ceil(1 << 10) + 1
}

/// A game too small for slices says how much memory it needs, not that no machine has so much.
#[test]
fn a_small_game_needs_little_memory() {
    let error = Home::new().fails(4, &["build", "kayles", "--memory", "1B"]);
    assert!(error.contains(" MiB, --memory allows 1 B") && !error.contains("any machine"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_takes_no_more_than_it_is_allowed() {
    let home = Home::new();
    let solve = |labels| [&["build"], &GAME[..], &["--solver", "sparse", "--labels", labels]].concat();
    let base = base(&home, &solve("outcome"));
    // Outcomes; outcomes with remoteness; remoteness added to a table of outcomes.
    for (labels, older) in [("outcome", None), ("remoteness", None), ("remoteness", Some("outcome"))] {
        let mut statuses = Vec::new();
        for mib in [1, 16, 20, 22, 24, 26, 28, 32, 64] {
            let memory = format!("{mib}MiB");
            if let Some(older) = older {
                home.run(&[&solve(older)[..], &["--force"]].concat());
            }
            let force: &[&str] = if older.is_some() { &[] } else { &["--force"] };
            let build = [&solve(labels)[..], &["--memory", &memory], force].concat();
            let (status, peak, error) = measured(&home, &build);
            assert!(peak <= mib.max(base) << 10, "{labels}, {mib} MiB: {peak} KiB");
            let refused = status == 4 && error.starts_with("error: not enough memory: ") && error.lines().count() == 1;
            // A slow build prints its progress.
            assert!(refused || status == 0, "{labels}, {mib} MiB: {status} {error}");
            statuses.push(status);
        }
        assert!(statuses.is_sorted_by(|a, b| a >= b) && statuses.contains(&0) && statuses.contains(&4), "{statuses:?}");
    }
}

/// The smallest boards have no slices.
#[test]
fn a_shortage_on_a_tiny_board_names_the_memory_that_suffices() {
    let home = Home::new();
    let error = home.fails(4, &["build", "tactics", "--rows", "2", "--cols", "2", "--memory", "12MiB"]);
    let (_, needed) = error.split_once("tactics-2x2-run2-misere needs ").unwrap_or_else(|| panic!("{error}"));
    let needed: f64 = needed.split_once(" MiB, --memory allows 12.00 MiB").unwrap().0.parse().unwrap();
    home.run(&["build", "tactics", "--rows", "2", "--cols", "2", "--memory", &format!("{}MiB", needed + 4.0)]);
}

/// Games with repeating positions and with many moves to one position: each step's memory is counted before the step.
#[test]
#[cfg(target_os = "linux")]
fn a_build_of_moving_pieces_takes_no_more_than_it_is_allowed() {
    let home = Home::new();
    for game in [&["quixo", "--set", "size=4"][..], &["clobber", "--set", "rows=4", "--set", "cols=5"]] {
        let mut statuses = Vec::new();
        let build = [&["build"], game, &["--force"]].concat();
        let base = base(&home, &build);
        for more in [0, 4, 8, 12, 16, 20, 24] {
            let mib = base + more;
            let memory = format!("{mib}MiB");
            let build = [&build[..], &["--memory", &memory]].concat();
            let (status, peak, error) = measured(&home, &build);
            assert!(peak <= mib << 10, "{game:?}, {mib} MiB: {peak} KiB");
            let is_refused = status == 4 && error.starts_with("error: not enough memory: ");
            // A build by regions keeps what is finished on disk. A slow build prints its progress.
            assert!(is_refused || status == 0, "{game:?}, {mib} MiB: {error}");
            statuses.push(status);
        }
        assert!(statuses.is_sorted_by(|a, b| a >= b) && statuses[1] == 4, "{game:?}: {statuses:?}");
        assert!(game[0] != "quixo" || statuses.ends_with(&[0]), "{statuses:?}");
    }
}

/// A build with the estimated memory succeeds, and takes at least a quarter of it.
#[test]
#[cfg(target_os = "linux")]
fn an_estimate_is_an_upper_bound() {
    let home = Home::new();
    for (solver, labels) in
        [("sparse", "outcome"), ("sparse", "remoteness"), ("dense", "outcome"), ("dense", "remoteness")]
    {
        let options = ["--solver", solver, "--labels", labels];
        let estimate = home.json(&[&["estimate"], &GAME[..], &options, &["--json"]].concat());
        let needed = estimate["memory_bytes"].as_u64().unwrap();
        // A dense build needs spare memory beyond the estimate.
        let free = if solver == "dense" { needed } else { 1 << 20 };
        let memory = format!("{}B", needed + free);
        let build = [&["build"], &GAME[..], &options, &["--force", "--memory", &memory]].concat();
        let (status, peak, error) = measured(&home, &build);
        assert_eq!(status, 0, "{solver}, {labels}, {needed}: {error}");
        let taken = needed / 4..=needed;
        assert!(taken.contains(&(peak << 10)), "{solver}, {labels}: {needed} bytes estimated, {peak} KiB taken");
    }
}

/// Rules of thousands of moves take memory at every step of a build. A build with the estimated memory succeeds, and one with three quarters
/// of it does not.
#[test]
#[cfg(target_os = "linux")]
fn an_estimate_counts_the_memory_of_many_moves() {
    let home = Home::new();
    for game in [
        &["kalah"][..],
        &["kalah", "--houses", "2", "--seeds", "5"],
        &["kalah", "--houses", "1", "--seeds", "15"],
        &["nogo", "--set", "rows=3", "--set", "cols=3"],
    ] {
        let estimate = home.json(&[&["estimate"], game, &["--solver", "sparse", "--json"]].concat());
        let needed = estimate["memory_bytes"].as_u64().unwrap();
        // The part of the program that is in memory varies from run to run.
        for (allowed, is_enough) in [(needed + (1 << 20), true), (needed / 4 * 3, false)] {
            let memory = format!("{allowed}B");
            let build = [&["build"], game, &["--solver", "sparse", "--force", "--memory", &memory]].concat();
            let (status, peak, error) = measured(&home, &build);
            assert_eq!(status, if is_enough { 0 } else { 4 }, "{game:?}, {needed}: {error}");
            assert!(!is_enough || peak << 10 <= allowed, "{game:?}: {needed} bytes estimated, {peak} KiB taken");
        }
    }
}

/// A shortage of memory for positions names what the whole build needs at least, and more memory comes further.
#[test]
fn a_shortage_of_positions_names_the_memory_of_the_build() {
    let home = Home::new();
    for game in ["hex", "kalah"] {
        let mut allowed = 1.0;
        for tries in 1.. {
            let ran = home.try_run(&["build", game, "--solver", "sparse", "--memory", &format!("{allowed}MiB")]);
            if ran.status == 0 {
                assert!(tries > 1);
                break;
            }
            let error = ran.failed(4);
            let (_, needed) = error.split_once(" needs at least ").unwrap_or_else(|| panic!("{error}"));
            let (needed, rest) = needed.split_once(" MiB, --memory allows ").unwrap_or_else(|| panic!("{error}"));
            let needed: f64 = needed.parse().unwrap();
            assert!(needed > allowed && tries < 8 && !rest.contains("level"), "{tries} {allowed} {error}");
            allowed = needed.ceil() + 1.0;
        }
    }
}

/// Under a limit of the address space under which the program starts, a run succeeds or says in one line that memory was not enough.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_the_address_space_gives_an_error() {
    let home = Home::new();
    let under = |kib: u64, arguments: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {kib} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_tablegen")]);
        home.isolate(shell.args(arguments));
        ran(shell.output().unwrap())
    };
    let of = |command: &'static str| [&[command], &GAME[..]].concat();
    let sparse = [of("build"), vec!["--solver", "sparse", "--force"]].concat();
    let least = (20_000..).step_by(1000).find(|&kib| under(kib, &["--version"]).status == 0).unwrap();
    for arguments in [sparse, of("probe"), [of("estimate"), vec!["--solver", "sparse"]].concat()] {
        for more in [1_000, 3_000, 6_000, 36_000, 72_000, 73_500, 76_000, 116_000, 156_000, 196_000, 236_000, 376_000] {
            let ran = under(least + more, &arguments);
            if ran.status != 0 {
                ran.failed(4);
            }
        }
        let ran = under(4_000_000, &arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
    }
    assert!(home.files(home.data()).iter().all(|name| name.ends_with(".tb")), "no part of a table is left");
}

#[test]
#[cfg(target_os = "linux")]
fn the_error_names_the_source_of_the_limit() {
    let home = Home::new();
    let build = |more: &str| {
        let limited = format!("ulimit -v 2000000 && exec \"$0\" build tactics --rows 6 --cols 6 {more}");
        let mut shell = Command::new("sh");
        home.isolate(shell.args(["-c", &limited, env!("CARGO_BIN_EXE_tablegen")]));
        ran(shell.output().unwrap()).failed(4)
    };
    assert!(build("--memory 1GiB").contains(", --memory allows 1.00 GiB"), "{}", build("--memory 1GiB"));
    for more in ["", "--memory 4GiB"] {
        let error = build(more);
        assert!(error.contains(", this machine has ") && error.contains("; choose a smaller game, or "), "{error}");
        assert!(!error.contains("--memory"), "{error}");
    }
}

/// A dense build in slices, of a game that does not fit into memory.
#[test]
#[cfg(target_os = "linux")]
fn a_build_in_slices_takes_no_more_than_it_is_allowed() {
    let home = Home::new();
    for labels in ["outcome", "remoteness"] {
        let build = ["build", "tactics", "--rows", "5", "--cols", "5", "--labels", labels, "--force"];
        let least = least_memory(&build);
        for more in [0, 1, 5, 15, 40] {
            let mib = least + more;
            let memory = format!("{mib}MiB");
            let (status, peak, error) = measured(&home, &[&build[..], &["--memory", &memory]].concat());
            assert_eq!((status, &*error), (0, ""), "{labels}, {mib} MiB");
            assert!(peak <= mib << 10, "{labels}, {mib} MiB: {peak} KiB");
        }
    }
}
