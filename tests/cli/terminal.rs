//! Terminals and pipes: colour, width, readers that go away, places that are full.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::{Home, Ran, ran};

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::new();
    for arguments in [
        &["list"][..],
        &["probe", "tactics"],
        &["--help"],
        &["completions", "bash"],
        &["man"],
        &["export", "tactics", "--format", "csv", "-o", "-"],
        &["info", "tactics", "--json"],
    ] {
        let mut child = home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_one_error() {
    let home = Home::new();
    for arguments in [
        &["list"][..],
        &["probe", "tactics", "--json"],
        &["--help"],
        &["completions", "zsh"],
        &["export", "tactics", "--format", "npy", "-o", "-"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let error = ran(home.command(arguments).stdout(full).output().unwrap()).failed(4);
        assert!(error.contains("standard output"), "{error}");
    }
    // Nobody can be told where stderr is full as well; the status says it.
    let full = || std::fs::File::create("/dev/full").unwrap();
    let status = home.command(&["probe", "chess"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn pipes_get_no_colour() {
    let home = Home::new();
    let text = home.run(&["probe", "tactics", "0xcc00"]);
    assert!(!text.contains('\u{1b}'));
    assert!(!home.fails(2, &["probe", "chess"]).contains('\u{1b}'));
}

/// Runs the program in a terminal of `columns` columns; `None` where there is no `script` to make one.
fn in_terminal(home: &Home, columns: usize, arguments: &str, variables: &[(&str, &str)]) -> Option<Ran> {
    let line = format!("stty cols {columns} rows 40; '{}' {arguments}", env!("CARGO_BIN_EXE_tablegen"));
    let mut command = Command::new("script");
    home.isolate(command.args(["-qec", &line, "/dev/null"]));
    command.env("TERM", "xterm-256color").envs(variables.iter().copied());
    let Ok(output) = command.output() else {
        eprintln!("skipped: there is no script(1) here");
        return None;
    };
    let mut ran = ran(output);
    ran.stdout = ran.stdout.replace("\r\n", "\n");
    Some(ran)
}

#[test]
fn colour_is_for_terminals_and_never_with_no_color() {
    let home = Home::new();
    let Some(coloured) = in_terminal(&home, 80, "probe tactics 0xcc00", &[]) else { return };
    assert!(coloured.stdout.contains("\u{1b}[1m\u{1b}[32mWIN\u{1b}[0m: whoever"), "{:?}", coloured.stdout);
    let plain = in_terminal(&home, 80, "probe tactics 0xcc00", &[("NO_COLOR", "1")]).unwrap();
    assert!(!plain.stdout.contains('\u{1b}'), "{:?}", plain.stdout);
    let error = in_terminal(&home, 80, "probe chess", &[("NO_COLOR", "1")]).unwrap();
    assert!(error.stdout.starts_with("error: ") && error.status == 2, "{:?}", error.stdout);
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let home = Home::new();
    for columns in [9, 20, 24, 30, 57, 80, 200] {
        for position in ["0xcc00", "0x0", "0x8000"] {
            let arguments = format!("probe tactics {position}");
            let Some(ran) = in_terminal(&home, columns, &arguments, &[("NO_COLOR", "1")]) else { return };
            assert_eq!(ran.status, 0);
            // The heading and the sentence are as long as they are; drawings and lists fit.
            let body = ran.stdout.split("\n\n").skip(3).collect::<Vec<_>>().join("\n\n");
            for line in body.lines().filter(|line| !line.contains("winning, ") && !line.contains("every move")) {
                assert!(line.chars().count() <= columns.max(9), "{columns}: {line:?}");
            }
            assert!(body.contains("every move loses:") || body.contains("  a b c d"), "{}", ran.stdout);
        }
    }
    let wide = in_terminal(&home, 200, "probe tactics 0x8000", &[("NO_COLOR", "1")]).unwrap().stdout;
    let narrow = in_terminal(&home, 20, "probe tactics 0x8000", &[("NO_COLOR", "1")]).unwrap().stdout;
    assert!(narrow.lines().count() > wide.lines().count());
}

#[test]
fn a_bar_is_shown_for_long_work_and_gone_after() {
    let home = Home::new();
    let Some(long) = in_terminal(&home, 80, "build tactics --rows 5 --cols 5", &[]) else { return };
    assert_eq!(long.status, 0, "{}", long.stdout);
    let short = in_terminal(&home, 80, "build tactics", &[]).unwrap();
    assert!(!short.stdout.contains('%'), "{:?}", short.stdout);
}
