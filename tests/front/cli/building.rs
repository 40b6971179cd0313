//! The command `build`: the files that it writes, replaces and leaves behind when it cannot finish.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::send;
use super::{Home, NAME, Small, ran};

/// A build of 2^25 positions.
pub(super) const SLOW: [&str; 6] = ["build", "tactics", "--rows", "5", "--cols", "5"];
pub(super) const SLOW_NAME: &str = "tactics-5x5-run4-misere";

#[test]
fn json_has_the_keys_of_info_and_the_timings() {
    let home = Home::new();
    // `--force` leaves out the labels of the embedded table, for which `info` would add histograms.
    let object = home.json(&["build", "tactics", "--force", "--json", "--threads", "2"]);
    let info = home.json(&["info", "tactics", "--json"]);
    for (key, value) in info.as_object().unwrap() {
        assert_eq!(object[key], *value, "{key}");
    }
    assert_eq!(object["threads"], 2);
    assert!(object["kernel"].is_string());
    for key in ["seconds", "sweep_seconds", "positions_per_second", "peak_bytes"] {
        assert!(object[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert!(object["seconds"].as_f64() >= object["sweep_seconds"].as_f64());
}

/// The environment variables with which several launchers mark the processes that they start. A scheduler's batch
/// script is one process, so a build in it is allowed.
#[cfg(not(feature = "mpi"))]
#[test]
fn several_processes_without_mpi_are_refused_with_one_error() {
    let home = Home::new();
    let with = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = home.command(arguments);
        ran(command.envs(variables.iter().copied()).output().unwrap())
    };
    for (size, rank) in
        [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"), ("SLURM_NTASKS", "PMIX_RANK")]
    {
        let first = with(&[(size, "2"), (rank, "0")], &["build", "tactics"]);
        assert_eq!((first.status, first.stdout.as_str()), (2, ""));
        assert!(
            first.stderr.starts_with("error: several processes were started, and this tablegen was built without MPI")
        );
        let second = with(&[(size, "2"), (rank, "1")], &["build", "tactics"]);
        assert_eq!((second.status, second.stdout.as_str(), second.stderr.as_str()), (2, "", ""));
        assert!(with(&[(size, "2"), (rank, "0")], &["list"]).stderr.contains("only 'build' runs in several"));
        assert_eq!(with(&[(size, "1"), (rank, "0")], &["build", "tactics"]).status, 0);
    }
    assert_eq!(with(&[("SLURM_NTASKS", "2"), ("SLURM_PROCID", "0")], &["build", "tactics"]).status, 0);
}

/// A limit above the machine's memory does not count as available memory.
#[test]
#[cfg(target_os = "linux")]
fn an_estimate_fits_into_the_memory_of_the_machine() {
    let machine = fs::read_to_string("/proc/meminfo").unwrap();
    let total = machine.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap() << 10;
    let five = ["mnk", "--rows", "5", "--cols", "5", "--k", "5", "--memory", "99TiB", "--json"];
    let needed = Home::new().json(&[&["estimate"], &five[..]].concat())["memory_bytes"].as_u64().unwrap();
    assert!(needed < total, "{needed} of {total}");
}

#[test]
fn a_full_disk_is_found_before_the_build() {
    let home = Home::new();
    let Some(_small) = Small::mount(&home, "size=12k") else { return };
    let error = home.fails(4, &["build", "tactics", "-o", "small/it.tb"]);
    assert!(error.contains("not enough disk") && error.contains("8.00 KiB free"), "{error}");
    assert!(home.files("small").is_empty());
    home.fails(4, &["export", "tactics", "--format", "npy", "-o", "small/o.npy"]);
    assert!(home.files("small").is_empty());
}

/// The disk has room for the outcomes but not for the labels added to them. The build finds this before it solves them.
#[test]
fn a_disk_without_room_for_labels_is_found_before_the_build() {
    let home = Home::new();
    let Some(_small) = Small::mount(&home, "size=52k") else { return };
    let build = |labels| ["build", "tactics", "--rows", "3", "--cols", "5", "--labels", labels, "-o", "small/it.tb"];
    home.run(&build("outcome"));
    let before = fs::read(home.path("small/it.tb")).unwrap();
    let error = home.fails(4, &build("remoteness"));
    assert!(error.contains("not enough disk: tactics-3x5-run4-misere needs at least 44."), "{error}");
    assert!(home.files("small") == ["it.tb"] && fs::read(home.path("small/it.tb")).unwrap() == before);
}

#[test]
fn a_disk_without_free_inodes() {
    let home = Home::new();
    let Some(_small) = Small::mount(&home, "size=1m,nr_inodes=1") else { return };
    let error = home.fails(4, &["build", "tactics", "-o", "small/it.tb"]);
    assert!(error.contains("No space left"), "{error}");
}

#[test]
fn a_disk_that_fills_up_during_an_export() {
    let home = Home::new();
    // The disk has room for the smallest possible output, but not for the actual one.
    let Some(_small) = Small::mount(&home, "size=1900k") else { return };
    fs::write(home.path("small/old.csv"), "old").unwrap();
    let error = home.fails(4, &["export", "tactics", "--format", "csv", "-o", "small/old.csv"]);
    assert!(error.contains("No space left"), "{error}");
    assert_eq!(home.files("small"), ["old.csv"], "nothing is left behind");
    assert_eq!(fs::read_to_string(home.path("small/old.csv")).unwrap(), "old");
}

pub(super) fn start(home: &Home, arguments: &[&str]) -> Child {
    home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts a slow build into `folder`.
pub(super) fn start_slow(home: &Home, folder: &str) -> Child {
    fs::create_dir_all(home.path(folder)).unwrap();
    start(home, &[&["--tables", folder][..], &SLOW].concat())
}

/// This process ignores `signal`, and so do the processes that it starts.
#[cfg(unix)]
fn is_ignored(signal: rustix::process::Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(ignored.trim(), 16).is_ok_and(|ignored| ignored >> (signal.as_raw() - 1) & 1 == 1)
}

/// Waits until `child` has installed a handler for `signal`, or has ended. Before that, the signal would kill it
/// silently.
#[cfg(unix)]
fn await_handler(child: &mut Child, signal: rustix::process::Signal) {
    if !cfg!(target_os = "linux") {
        std::thread::sleep(Duration::from_millis(300));
        return;
    }
    let handles = |child: &Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught >> (signal.as_raw() - 1) & 1 == 1)
    };
    while !handles(child) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_build_leaves_nothing() {
    use rustix::process::Signal;
    let home = Home::new();
    for (signal, says) in [
        (Signal::INT, "interrupted"),
        (Signal::TERM, "ended by SIGTERM"),
        (Signal::HUP, "ended by SIGHUP"),
        (Signal::QUIT, "ended by SIGQUIT"),
        (Signal::USR1, "ended by SIGUSR1"),
        (Signal::XCPU, "ended by SIGXCPU"),
    ] {
        let folder = &format!("{:?}", signal.as_raw());
        let mut child = start_slow(&home, folder);
        await_handler(&mut child, signal);
        send(&mut child, signal);
        left_by(&home, child, 128 + signal.as_raw(), says, folder);
    }
}

#[test]
#[cfg(unix)]
fn a_build_interrupted_while_it_writes_leaves_nothing() {
    let home = Home::new();
    for attempt in 0..3 {
        let folder = &format!("writing{attempt}");
        let mut child = start_slow(&home, folder);
        // Interrupt the build as soon as it has created any file.
        while home.files(folder).is_empty() && child.try_wait().unwrap().is_none() {}
        send(&mut child, rustix::process::Signal::INT);
        left_by(&home, child, 130, "interrupted", folder);
    }
}

/// Checks what an interrupted build left: no file and a message that says so; or the whole table, if the build ended
/// before the signal arrived.
#[cfg(unix)]
fn left_by(home: &Home, child: Child, expected: i32, says: &str, folder: &str) {
    let output = child.wait_with_output().unwrap();
    let status = output.status.code();
    let left = home.files(folder);
    if status == Some(expected) {
        let line = ran(output).failed(expected);
        assert!(line.starts_with(&format!("error: {says}")), "{line}");
        let outcome = if left.is_empty() { "no files were left behind" } else { "the file was already complete" };
        assert!(line.ends_with(outcome), "{line}");
    }
    match status {
        Some(status) if status == expected && left.is_empty() => {}
        Some(status) if status == expected || status == 0 => {
            eprintln!("the build was done before the signal came");
            assert_eq!(left, [format!("{SLOW_NAME}.tb")]);
            home.run(&["verify", &format!("{folder}/{SLOW_NAME}.tb"), "--level", "bytes"]);
        }
        _ => panic!("ended with {status:?} and left {left:?}"),
    }
}

#[test]
#[cfg(unix)]
fn a_killed_build_leaves_no_table() {
    let home = Home::new();
    for delay in [5, 50, 200] {
        let mut child = start_slow(&home, "killed");
        std::thread::sleep(Duration::from_millis(delay));
        send(&mut child, rustix::process::Signal::KILL);
        child.wait().unwrap();
        let table = home.path("killed").join(format!("{SLOW_NAME}.tb"));
        if table.exists() {
            eprintln!("the build was done after {delay} ms");
            home.run(&["verify", table.to_str().unwrap(), "--level", "bytes"]);
            fs::remove_file(table).unwrap();
        }
    }
}

/// Builds that are killed while they write leave temporary files. The next build in the folder removes them, however
/// new they are, but not files that another build is still writing.
#[test]
#[cfg(unix)]
fn the_next_build_removes_files_of_killed_builds() {
    let home = Home::new();
    let temporary = |home: &Home| home.files("killed").into_iter().filter(|name| name.ends_with(".tmp")).count();
    let mut left = 0;
    for _ in 0..5 {
        let mut child = start_slow(&home, "killed");
        let before = temporary(&home);
        while temporary(&home) == before && child.try_wait().unwrap().is_none() {}
        send(&mut child, rustix::process::Signal::KILL);
        child.wait().unwrap();
        left = left.max(temporary(&home));
    }
    if left == 0 {
        eprintln!("every build was done before it was killed");
    }
    let mut living = start_slow(&home, "killed");
    while temporary(&home) == 0 && living.try_wait().unwrap().is_none() {}
    home.run(&["--tables", "killed", "build", "tactics"]);
    assert_eq!(ran(living.wait_with_output().unwrap()).status, 0, "the living is not touched");
    assert_eq!(home.files("killed"), [format!("{NAME}.tb"), format!("{SLOW_NAME}.tb")]);
}

/// Every long command reports an interrupt, also when its output is a pipe.
#[test]
#[cfg(unix)]
fn every_long_command_reports_an_interrupt() {
    if is_ignored(rustix::process::Signal::INT) {
        eprintln!("skipped: interrupts are ignored here, as in a background job of a script");
        return;
    }
    let home = Home::new();
    home.run(&["build", "tactics", "--cols", "5", "-o", "it.tb"]);
    // `verify` of this table takes minutes. A sample of at least all labels would be a full check instead.
    home.run(&["build", "tactics", "--rows", "5", "--cols", "5", "-o", "large.tb"]);
    home.run(&["build", "six-mens-morris", "--set", "rings=3", "-o", "mills.tb"]);
    for (arguments, says) in [
        ("verify large.tb --sample 30000000", "error: interrupted; no files were left behind"),
        ("certify mills.tb -o proof/it.cert", "error: interrupted; no files were left behind"),
        ("estimate mnk --rows 4 --cols 4 --k 4 --solver sparse", "error: interrupted; no files were left behind"),
        ("probe connect-four --set rows=4 --set cols=6", "error: interrupted; no files were left behind"),
        ("build mnk --rows 4 --cols 4 --k 4 --solver sparse", "error: interrupted; no files were left behind"),
        ("build mnk --rows 4 --cols 5 --k 4", "error: interrupted; no files were left behind"),
        ("probe it.tb --batch", "error: interrupted; the output is incomplete, and no other files were left behind"),
    ] {
        let mut command = home.command(&arguments.split(' ').collect::<Vec<_>>());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        await_handler(&mut child, rustix::process::Signal::INT);
        // Give the command time to start the work that the message names.
        std::thread::sleep(Duration::from_millis(100));
        send(&mut child, rustix::process::Signal::INT);
        let input = child.stdin.take();
        let ran = ran(child.wait_with_output().unwrap());
        drop(input);
        assert_eq!(ran.failed(130), says, "{arguments}");
    }
    assert!(!home.path("proof").exists());
}

/// A board of 2^38 positions: a table of 32 GiB.
const LARGE: [&str; 7] = ["tactics", "--rows", "2", "--cols", "19", "--symmetry", "none"];

#[test]
fn a_large_table_needs_force() {
    let home = Home::new();
    let estimate = home.json(&[&["estimate"], &LARGE[..], &["--json"]].concat());
    let bytes = |key: &str| estimate[key].as_u64().unwrap();
    assert!(bytes("file_bytes") > 1 << 35 && bytes("compressed_bytes") > 8 << 30, "{estimate}");
    assert_eq!(estimate["may_fill_disk"], bytes("file_bytes") > bytes("disk_free_bytes"));
    let text = home.run(&[&["estimate"], &LARGE[..]].concat());
    assert!(text.contains(" before compression\n  disk       about "), "{text}");
    // Compression saves at most seven eighths. With less disk than an eighth, `estimate` says that the table does not
    // fit.
    if bytes("disk_free_bytes") < bytes("file_bytes") / 8 {
        assert!(text.contains("fits here  no"), "{text}");
        return;
    }
    assert_eq!(text.contains("fits here  may not fit"), estimate["may_fill_disk"] == true, "{text}");
    let refused = home.try_run(&[&["build"], &LARGE[..]].concat());
    let error = refused.stderr.lines().last().unwrap();
    assert!(refused.status == 2 && error.starts_with("error: cannot build tactics-2x19"), "{}", refused.stderr);
    assert!(error.contains("found no --yes and no terminal; try --yes"), "{error}");
    assert_eq!(refused.stderr.contains("warning: "), estimate["may_fill_disk"] == true, "{}", refused.stderr);
    assert!(home.files(home.data()).is_empty());
}

/// Games whose slices take long to plan and are too large to time by sweeping a sample of them.
#[test]
fn an_estimate_is_quick() {
    let home = Home::new();
    let begun = Instant::now();
    for game in [
        &["domineering", "--set", "rows=6", "--set", "cols=6"][..],
        &["connect-four", "--set", "rows=5", "--set", "cols=6", "--solver", "two-colour"],
        &["cram", "--set", "rows=8", "--set", "cols=8", "--solver", "sparse"],
    ] {
        home.json(&[&["estimate"], game, &["--json"]].concat());
    }
    // Each takes two seconds on an idle machine. A regression once made them take minutes.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}
