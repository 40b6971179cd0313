//! A table's file is truncated while the program has it mapped. The run ends with one line of error and the status of
//! an unusable table, never by a signal.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::{Home, ran};

/// A table with one page of header, then 32 pages of labels in two blocks.
fn home() -> Home {
    let home = Home::new();
    home.run(&["build", "tactics", "--cols", "5", "-o", "it.tb"]);
    home
}

fn start(home: &Home, arguments: &[&str]) -> Child {
    let mut command = home.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Truncates `file` to its header, so that no later page can be read.
fn cut(home: &Home, file: &str) {
    File::options().write(true).open(home.path(file)).unwrap().set_len(4096).unwrap();
}

/// Waits for a run that must fail because its file was cut, and returns its error line.
fn ended(mut child: Child) -> String {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    ran(child.wait_with_output().unwrap()).failed(3)
}

/// Asks `child` for the start, which is in the first block, truncates `file`, and asks for `last`, which is in another
/// block.
fn ask_and_cut(home: &Home, mut child: Child, file: &str, last: &str) -> String {
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    writeln!(ask, "0x0").unwrap();
    assert!(["win", "loss"].contains(&answers.next().unwrap().unwrap().as_str()));
    cut(home, file);
    writeln!(ask, "{last}").unwrap();
    assert!(answers.next().is_none(), "no answer comes from what is not there");
    ended(child)
}

#[test]
fn probes_of_a_dense_table() {
    let home = home();
    let child = start(&home, &["probe", "it.tb", "--batch", "--brief"]);
    let error = ask_and_cut(&home, child, "it.tb", "0xfffff");
    assert!(error.contains("cannot read it.tb: the file was truncated") && error.contains("build it again"), "{error}");
}

#[test]
fn probes_of_a_sparse_table() {
    let home = Home::new();
    // The keys fill several blocks.
    home.run(&["build", "tactics", "--rows", "3", "--cols", "6", "--solver", "sparse", "-o", "it.tb"]);
    let child = start(&home, &["probe", "it.tb", "--batch", "--brief"]);
    let error = ask_and_cut(&home, child, "it.tb", "0x3ffff");
    assert!(error.contains("cannot read it.tb: the file was truncated"), "{error}");
}

/// The table is found by the game's name.
#[test]
fn probes_by_name() {
    let home = Home::new();
    std::fs::create_dir(home.path("tables")).unwrap();
    home.run(&["build", "tactics", "--cols", "5"]);
    let child = start(&home, &["probe", "tactics", "--cols", "5", "--batch", "--brief"]);
    let error = ask_and_cut(&home, child, "tables/tactics-4x5-run4-misere.tb", "0xfffff");
    assert!(error.contains("cannot read tables/tactics-4x5-run4-misere.tb: the file was truncated"), "{error}");
}

/// An export waits for its reader: it has verified the checksums and written few of its lines.
#[test]
fn an_export() {
    // The array is exported in eight parts, of which two are read before the first is written.
    let home = Home::new();
    home.run(&["build", "tactics", "--rows", "5", "--cols", "5", "-o", "it.tb"]);
    let mut child = start(&home, &["export", "it.tb", "--format", "npy", "-o", "-"]);
    let mut array = child.stdout.take().unwrap();
    let mut magic = [0; 6];
    array.read_exact(&mut magic).unwrap();
    assert_eq!(&magic, b"\x93NUMPY");
    cut(&home, "it.tb");
    let mut rest = Vec::new();
    array.read_to_end(&mut rest).unwrap();
    assert!(ended(child).contains("cannot read it.tb: the file was truncated"));
}

/// `verify` takes seconds on every core. Several threads may hit the missing pages at once, and still only one line is
/// written.
#[test]
#[cfg(target_os = "linux")]
fn a_check() {
    let home = Home::new();
    home.run(&["build", "tactics", "--rows", "5", "--cols", "5", "-o", "it.tb"]);
    let whole = std::fs::read(home.path("it.tb")).unwrap();
    for _ in 0..20 {
        std::fs::write(home.path("it.tb"), &whole).unwrap();
        let child = start(&home, &["verify", "it.tb", "--level", "labels"]);
        let maps = format!("/proc/{}/maps", child.id());
        while !std::fs::read_to_string(&maps).unwrap().contains("it.tb") {
            std::thread::sleep(Duration::from_millis(1));
        }
        cut(&home, "it.tb");
        assert!(ended(child).contains("cannot read it.tb: the file was truncated"));
    }
}
