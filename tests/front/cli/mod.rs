//! Tests of the binary. Every run has a folder and an environment of its own.

mod abuse;
mod alternatives;
mod answers;
mod any_rules;
mod board_values;
mod building;
mod canonical;
#[cfg(unix)]
mod cut_short;
mod data_sets;
mod exports;
mod facts;
mod folded;
#[cfg(unix)]
mod folded_colours;
mod help;
mod hints;
mod locks;
#[cfg(unix)]
mod memory;
mod packed;
mod play;
#[cfg(unix)]
mod play_typed;
#[cfg(unix)]
mod reachable;
mod regions;
mod round_trips;
mod rules_files;
#[cfg(target_os = "linux")]
pub(crate) mod sessions;
#[cfg(unix)]
mod slices;
mod stats;
#[cfg(unix)]
mod stopped;
mod terminal;
#[cfg(unix)]
mod two_colour_slices;
mod values;

use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The rules name of the default game.
const NAME: &str = "tactics-4x4-run4-misere";

/// A temporary folder that serves as the user's working folder and home.
pub(crate) struct Home(TempDir);

/// The results of a run.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The default folder for tables.
    fn data(&self) -> PathBuf {
        self.path("data/tablegen/tables")
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
        command.args(arguments);
        self.isolate(&mut command);
        command
    }

    fn isolate(&self, command: &mut Command) {
        command.current_dir(self.0.path()).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.path("home")).env("XDG_DATA_HOME", self.path("data")).env("RUST_BACKTRACE", "1");
    }

    pub(crate) fn try_run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed and print nothing on stderr but notes: which labels a table lacks, and that play cannot reach a board.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let ran = self.try_run(arguments);
        let is_note = |line: &&str| line.starts_with("the table has no ") || line.starts_with("play cannot reach ");
        let noted = ran.stderr.lines().filter(|line| !is_note(line)).collect::<Vec<_>>();
        assert_eq!((ran.status, noted), (0, Vec::new()), "{:?}", ran.stdout);
        ran.stdout
    }

    /// [`run`](Self::run), for a command that prints one JSON object in one line.
    fn json<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Value {
        let text = self.run(arguments);
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Runs a command that must fail with `status`, one line on stderr and nothing on stdout. Returns the line.
    #[track_caller]
    fn fails<S: AsRef<OsStr>>(&self, status: i32, arguments: &[S]) -> String {
        let ran = self.try_run(arguments);
        assert_eq!(ran.stdout, "", "{}", ran.stderr);
        let error = ran.failed(status);
        hints::names_options_that_exist(arguments, &error);
        error
    }

    /// Runs with `input` on standard input.
    pub(crate) fn feed<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeder = std::thread::spawn(move || stdin.write_all(&input));
        let ran = ran(child.wait_with_output().unwrap());
        // A run that ends early does not read all its input.
        feeder.join().unwrap().or_else(|e| (e.kind() == ErrorKind::BrokenPipe).then_some(()).ok_or(e)).unwrap();
        ran
    }

    /// The names of all files in `folder`, sorted.
    fn files(&self, folder: impl AsRef<Path>) -> Vec<String> {
        let folder = self.0.path().join(folder);
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Sends `signal` to `child`, unless it has ended.
#[cfg(unix)]
fn send(child: &mut Child, signal: rustix::process::Signal) {
    // The number of a child that was waited for may belong to another process by now. A child that was not waited for
    // keeps its number even if it ends now.
    if child.try_wait().unwrap().is_none() {
        rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
    }
}

/// True if `line` ends like a line of progress: `, 1:20` or `, about 1:20 left`.
fn ends_with_time(line: &str) -> bool {
    let Some((_, last)) = line.trim_end().rsplit_once(", ") else { return false };
    let left = last.strip_prefix("about ").and_then(|rest| rest.strip_suffix(" left"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    left.unwrap_or(last).split_once(':').is_some_and(|(minutes, seconds)| is_number(minutes) && is_number(seconds))
}

/// The results of a run, without the lines that long work prints every ten seconds: on a slow machine any work may be long.
fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let stderr = text(output.stderr).split_inclusive('\n').filter(|line| !ends_with_time(line)).collect::<String>();
    let stdout = text(output.stdout);
    assert!(!stderr.contains("panicked"), "{stderr}");
    Ran { status: output.status.code().unwrap_or(-1), stdout, stderr }
}

impl Ran {
    /// Checks that the run failed with `status` and a one-line error, and returns the line.
    #[track_caller]
    pub(crate) fn failed(&self, status: i32) -> String {
        assert_eq!(self.status, status, "{}{}", self.stdout, self.stderr);
        assert!(self.stderr.starts_with("error: ") && self.stderr.ends_with('\n'), "{:?}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        self.stderr.trim_end().to_owned()
    }
}

/// A mounted file system of a few KiB. `mount` returns `None` if this user may not mount one.
struct Small<'a>(&'a Home);

impl<'a> Small<'a> {
    fn mount(home: &'a Home, options: &str) -> Option<Self> {
        fs::create_dir(home.path("small")).unwrap();
        let mut mount = Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(home.path("small")).output();
        if mount.is_ok_and(|output| output.status.success()) {
            Some(Self(home))
        } else {
            eprintln!("skipped: no small file system can be mounted here");
            None
        }
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path("small")).output();
    }
}

/// `shown` matches `answer`, where `[..]` in `shown` is any text.
pub(crate) fn matches(shown: &str, answer: &str) -> bool {
    let mut parts = shown.split("[..]");
    let Some(mut rest) = parts.next().and_then(|first| answer.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (number, part) in parts.iter().enumerate() {
        let at = if number + 1 == parts.len() { rest.strip_suffix(part).map(str::len) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}
