//! The page of other programs, the scripts in `findings/`, and outcomes of OpenSpiel.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "docs/reference/other-programs.md";

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs a command, which must succeed, and returns its standard output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("cannot run {command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The scripts in `findings/`: names without the extension, and texts.
fn findings() -> Vec<(String, String)> {
    let entries = fs::read_dir(source("findings")).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts = Vec::new();
    for path in entries.filter(|path| path.file_name().is_some_and(|name| name != "README.md")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".sh").unwrap_or_else(|| panic!("{name} is no script"));
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o111, 0, "{name} is not executable");
        scripts.push((name.to_owned(), fs::read_to_string(&path).unwrap()));
    }
    scripts
}

/// The names of the comments with which a script begins.
fn head(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("#!/usr/bin/env bash"));
    let comments = lines.map_while(|line| line.strip_prefix("# "));
    comments.filter(|line| !line.starts_with(' ')).map(|line| line.split(": ").next().unwrap()).collect()
}

/// The packages that a line of a script installs, or adds to a program in Rust.
fn installed(line: &str) -> impl Iterator<Item = &str> {
    let (_, packages) = line.split_once(" install ").or_else(|| line.split_once("cargo add ")).unwrap_or_default();
    let packages = packages.split(" >").next().unwrap_or_default();
    packages.split_whitespace().filter(|word| !word.starts_with('-'))
}

#[test]
fn each_finding_says_what_it_shows_and_pins_its_packages() {
    let scripts = findings();
    assert!(scripts.len() >= 25, "{}", scripts.len());
    for (name, text) in &scripts {
        let expected = |about| ["Tool", "Behaviour", about, "Output", "Who meets it"];
        let head = head(text);
        assert!(head == expected("Guess") || head == expected("Expected"), "{name}: {head:?}");
        assert!(text.contains("set -euo pipefail\nfolder=$(mktemp -d)\ntrap 'rm -rf \"$folder\"' EXIT\n"), "{name}");
        let commands = text.lines().filter(|line| !line.starts_with('#'));
        let packages: Vec<&str> = commands.clone().flat_map(installed).collect();
        assert!(!packages.is_empty(), "{name} installs nothing");
        for package in packages {
            let version = package.split_once("==").or_else(|| package.rsplit_once('@'));
            let begins = |version: &str| version.trim_start_matches('=').starts_with(|c: char| c.is_ascii_digit());
            let is_pinned = version.is_some_and(|(_, version)| begins(version));
            assert!(is_pinned, "{name}: {package} has no version");
        }
        assert!(!commands.clone().any(|line| line.contains("tablegen")), "{name} uses tablegen");
    }
}

#[test]
fn the_page_names_findings_that_exist() {
    let page = fs::read_to_string(source(PAGE)).unwrap();
    let prose = page.lines().filter(|line| !line.starts_with('|'));
    assert!(prose.flat_map(str::split_whitespace).count() <= 1500);
    let names: Vec<String> = findings().into_iter().map(|(name, _)| name).collect();
    for name in &names {
        assert!(page.contains(&format!("`{name}`")), "{PAGE} does not name {name}");
    }
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let shown = row.trim_end_matches([' ', '|']).rsplit("| ").next().unwrap().split(", ");
        let scripts = shown.filter_map(|name| name.strip_prefix('`')?.strip_suffix('`'));
        for script in scripts.filter(|name| name.matches('-').count() > 1 && !name.contains(['/', ' ', '{', '|'])) {
            assert!(names.iter().any(|name| name == script), "{PAGE}: there is no {script}: {row}");
        }
    }
}

#[test]
fn translations_and_rules_on_the_page_are_right() {
    let script = source("tests/other_programs.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(source(PAGE)).arg(env!("CARGO_BIN_EXE_tablegen"));
    assert_eq!(run(&mut command), "ok\n");
}

/// What a script prints that compares tablegen with a Python package, which is installed into a temporary folder.
fn told_with(package: &str, script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("venv/bin");
    run(Command::new("python3").args(["-m", "venv"]).arg(folder.path().join("venv")));
    run(Command::new(bin.join("pip")).args(["install", "--quiet", package]));
    run(Command::new(bin.join("python")).arg(source(script)).arg(env!("CARGO_BIN_EXE_tablegen")))
}

/// Every position of five games has the outcome that OpenSpiel's moves and results give.
#[test]
#[ignore = "installs OpenSpiel from a package index"]
fn outcomes_equal_those_of_open_spiel() {
    let expected = "tic_tac_toe: 5478 positions
connect_four(rows=4,columns=4,x_in_row=4): 161029 positions
breakthrough(rows=4,columns=3): 10689 positions
clobber(rows=3,columns=4): 13343 positions
hex(board_size=3): 5514 positions
";
    assert_eq!(told_with("open_spiel==2.0.2", "tests/open_spiel.py"), expected);
}

/// So has every position of Othello on 4x4 squares, by the moves and results of boardgamebench.
#[test]
#[ignore = "installs boardgamebench from a package index"]
fn outcomes_equal_those_of_boardgamebench() {
    let expected = "55093, 10104 and 1116 states after 0, 1 and 2 passes; 65197 outcomes\n";
    assert_eq!(told_with("boardgamebench==0.1.2", "tests/board_game_bench.py"), expected);
}
