//! Terminals and pipes: colour, width, closed pipes and full disks.

use crate::common::games::IMPARTIAL;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use super::{Home, Ran};
use tablegen::game::library;

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

/// A pseudo-terminal of `columns` columns: our end and the program's end; `None` if the system has no free one.
pub(super) fn pty(columns: u16) -> Option<(File, File)> {
    pty_of(40, columns)
}

/// [`pty`] with `rows` rows; 0 means unknown.
fn pty_of(rows: u16, columns: u16) -> Option<(File, File)> {
    use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};
    let pair = || -> std::io::Result<(File, File)> {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        unlockpt(&ours)?;
        let name = ptsname(&ours, Vec::new())?;
        let theirs = File::options().read(true).write(true).open(OsStr::from_bytes(name.as_bytes()))?;
        tcsetwinsize(&theirs, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
        Ok((ours.into(), theirs))
    };
    let pair = pair().ok();
    if pair.is_none() {
        eprintln!("skipped: no terminal is available here");
    }
    pair
}

/// Runs the program with its output in a terminal of `columns` columns; `None` if the system has no free one.
fn in_terminal(home: &Home, columns: u16, arguments: &str, variables: &[(&str, &str)]) -> Option<Ran> {
    run_in(pty(columns)?, home, arguments, variables)
}

/// [`in_terminal`] for a terminal with unknown rows, as 'stty cols' sets it; 0 columns are unknown too.
fn in_terminal_without_rows(home: &Home, columns: u16, arguments: &str, variables: &[(&str, &str)]) -> Option<Ran> {
    run_in(pty_of(0, columns)?, home, arguments, variables)
}

fn run_in((mut ours, theirs): (File, File), home: &Home, arguments: &str, variables: &[(&str, &str)]) -> Option<Ran> {
    let mut command = home.command(&arguments.split(' ').collect::<Vec<_>>());
    command.env("TERM", "xterm-256color").envs(variables.iter().copied());
    let mut child = command.stdout(theirs.try_clone().unwrap()).stderr(theirs).spawn().unwrap();
    // The command holds copies of the program's end.
    drop(command);
    let mut shown = Vec::new();
    // Reading ends with an error when the last copy of the program's end is closed.
    let _ = ours.read_to_end(&mut shown);
    let status = child.wait().unwrap().code().unwrap_or(-1);
    let stdout = String::from_utf8(shown).unwrap().replace("\r\n", "\n");
    assert!(!stdout.contains("panicked"), "{stdout}");
    Some(Ran { status, stdout, stderr: String::new() })
}

#[test]
fn colour_is_for_terminals_and_never_with_no_color() {
    let home = Home::new();
    let Some(coloured) = in_terminal(&home, 80, "probe tactics 0xcc00", &[]) else { return };
    assert!(coloured.stdout.contains("\u{1b}[1m\u{1b}[32mWIN\u{1b}[0m: the player to move"), "{:?}", coloured.stdout);
    let plain = in_terminal(&home, 80, "probe tactics 0xcc00", &[("NO_COLOR", "1")]).unwrap();
    assert!(!plain.stdout.contains('\u{1b}'), "{:?}", plain.stdout);
    let error = in_terminal(&home, 80, "probe chess", &[("NO_COLOR", "1")]).unwrap();
    assert!(error.stdout.starts_with("error: ") && error.status == 2, "{:?}", error.stdout);
}

#[test]
fn an_export_without_a_file_goes_to_standard_output() {
    let home = Home::new();
    for format in ["csv", "npy"] {
        let export = ["export", "tactics", "--format", format];
        home.run(&[&export[..], &["-o", "it"]].concat());
        let file = std::fs::read(home.path("it")).unwrap();
        for to_stdout in [&[][..], &["-o", "-"]] {
            let piped = home.command(&[&export[..], to_stdout].concat()).output().unwrap();
            assert!(piped.status.success() && piped.stdout == file && piped.stderr.is_empty(), "{format}");
        }
    }
    let Some(array) = in_terminal(&home, 200, "export tactics --format npy", &[("NO_COLOR", "1")]) else { return };
    let error = "error: cannot write npy to a terminal: expected a file or a pipe, found a terminal; choose a file with -o, or use --format csv\n";
    assert_eq!((array.status, array.stdout.as_str()), (2, error));
    let lines = in_terminal(&home, 120, "export tictactoe --format csv", &[]).unwrap();
    assert!(lines.stdout.starts_with("mode,board,position,outcome\n") && lines.status == 0, "{:?}", lines.stdout);
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let home = Home::new();
    for columns in [10, 20, 24, 30, 57, 80, 200] {
        for position in ["0xcc00", "0x0", "0x8000"] {
            let arguments = format!("probe tactics {position}");
            let Some(ran) = in_terminal(&home, columns, &arguments, &[("NO_COLOR", "1")]) else { return };
            assert_eq!(ran.status, 0);
            // The heading and the sentence may be longer; drawings and lists fit.
            let body = ran.stdout.split("\n\n").skip(3).collect::<Vec<_>>().join("\n\n");
            for line in body.lines().filter(|line| !line.contains("winning, ") && !line.contains("every move")) {
                assert!(line.chars().count() <= usize::from(columns), "{columns}: {line:?}");
            }
            let words = body.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains("every move loses:") || body.contains("  a b c d"), "{}", ran.stdout);
        }
    }
    let wide = in_terminal(&home, 200, "probe tactics 0x8000", &[("NO_COLOR", "1")]).unwrap().stdout;
    let narrow = in_terminal(&home, 20, "probe tactics 0x8000", &[("NO_COLOR", "1")]).unwrap().stdout;
    assert!(narrow.lines().count() > wide.lines().count());
}

/// If the terminal does not know its size, its width is COLUMNS, or 80.
#[test]
fn the_width_may_be_unknown() {
    let home = Home::new();
    for (variables, columns) in [(&[("NO_COLOR", "1"), ("COLUMNS", "44")][..], 44), (&[("NO_COLOR", "1")], 80)] {
        for arguments in ["list", "stats tictactoe"] {
            let Some(ran) = in_terminal_without_rows(&home, 0, arguments, variables) else { return };
            let widest = ran.stdout.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(columns - 8 < widest && widest <= columns, "{arguments}: {widest} of {columns}");
        }
    }
}

/// Only a single word may be wider than the terminal. A pipe gets every text in one line.
#[test]
fn texts_are_broken_between_words() {
    let home = Home::new();
    for arguments in [
        "list",
        "info tactics",
        "info dominoes --n 5",
        "build tactics",
        "probe tictactoe",
        "probe tactics 0xcc00",
        "estimate dominoes --n 8 --solver dense",
        "check domineering",
        "verify tactics",
        "stats tictactoe",
        "stats dominoes --n 5",
        "check hex",
        "probe cram",
        "probe --help",
        "export --help",
        "help solvers",
        "list cram",
        "list --find othello",
    ] {
        for columns in [25, 44, 100] {
            let Some(ran) = in_terminal_without_rows(&home, columns, arguments, &[("NO_COLOR", "1")]) else { return };
            assert_eq!(ran.status, 0, "{}", ran.stdout);
            // Only the last text of each line counts: on a busy machine, a progress bar was there before.
            for line in ran.stdout.lines().filter_map(|line| line.rsplit("\u{1b}[2K").next()) {
                let is_word = !line.trim_start().contains(' ');
                assert!(line.chars().count() <= usize::from(columns) || is_word, "{arguments} {columns}: {line:?}");
            }
        }
    }
    assert!(home.run(&["estimate", "dominoes", "--n", "8", "--solver", "dense"]).lines().count() < 12);
    assert!(home.run(&["list"]).lines().any(|line| line.chars().count() > 110));
}

/// An error is one line in a pipe, and lines that fit on a terminal.
#[test]
fn errors_fit_the_terminal() {
    let home = Home::new();
    for arguments in
        ["probe tactisc", "probe tactics nonsense", "build --memory x", "value domineering ..", "help nothing"]
    {
        let Some(ran) = in_terminal(&home, 40, arguments, &[("NO_COLOR", "1")]) else { return };
        assert!(ran.status == 2 && ran.stdout.starts_with("error: "), "{}", ran.stdout);
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= 40), "{}", ran.stdout);
        let in_pipe = home.try_run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(in_pipe.failed(2).split_whitespace().collect::<Vec<_>>().join(" "), words);
    }
}

#[test]
fn the_list_is_aligned_and_coloured() {
    let home = Home::new();
    let text = home.run(&["list"]);
    assert!(text.contains("\n  tactics    fill 1 to k empty squares"), "{text}");
    let one = home.run(&["list", "tactics"]);
    assert!(one.contains("\n    --rows N              rows of squares [default: 4]\n"), "{one}");
    // As wide as the longest name.
    let widest = library().iter().map(|game| game.name.len()).max().unwrap();
    assert!(text.contains(&format!("\n  {:<widest$}  lay a domino", "cram")), "{text}");
    let Some(coloured) = in_terminal(&home, 120, "list", &[]) else { return };
    assert!(coloured.stdout.contains("\u{1b}[1m\u{1b}[4mGames\u{1b}[0m\n  \u{1b}[1mtactics\u{1b}[0m"));
    let plain = in_terminal(&home, 120, "list", &[("NO_COLOR", "1")]).unwrap().stdout;
    assert!(!plain.contains('\u{1b}') && plain.starts_with("Games\n  tactics    fill"));
}

#[test]
fn two_colours_differ_in_colour() {
    let home = Home::new();
    for (arguments, signs) in [("probe tictactoe X.O/.X./..O", ['X', 'O']), ("probe col L.R/.../...", ['L', 'R'])] {
        let Some(coloured) = in_terminal(&home, 80, arguments, &[]) else { return };
        let drawn = |colour: &str, sign: char| format!("\u{1b}[1m\u{1b}[{colour}m{sign}\u{1b}[0m");
        for drawn in [drawn("36", signs[0]), drawn("35", signs[1])] {
            assert!(coloured.stdout.contains(&drawn), "{:?}", coloured.stdout);
        }
        let plain = in_terminal(&home, 80, arguments, &[("NO_COLOR", "1")]).unwrap().stdout;
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
    }
}

/// Values, lines and histograms fit too: only a single word may be wider than the terminal.
#[test]
fn labels_fit_the_terminal() {
    let home = Home::new();
    for name in ["tactics", "tictactoe"] {
        home.table(name, &[], super::values::REMOTENESS);
    }
    home.table("kayles", &[("pins", "5")], IMPARTIAL);
    home.table("dominoes", &[("n", "4")], IMPARTIAL);
    for arguments in [
        "probe tactics",
        "probe tactics 0xcc00",
        "probe kayles --set pins=5",
        "probe dominoes --n 4",
        "line tactics 0xcc00",
        "line tictactoe XO./.../...",
        "line kayles --set pins=5",
        "line dominoes --n 4",
        "info tictactoe",
        "info kayles --set pins=5",
    ] {
        for columns in [20, 25, 40, 57, 100] {
            let Some(ran) = in_terminal(&home, columns, arguments, &[("NO_COLOR", "1")]) else { return };
            assert_eq!(ran.status, 0, "{}", ran.stdout);
            // Only the last text of each line counts: on a busy machine, a progress bar was there before.
            for line in ran.stdout.lines().filter_map(|line| line.rsplit("\u{1b}[2K").next()) {
                let is_word = !line.trim_start().contains(' ');
                assert!(line.chars().count() <= usize::from(columns) || is_word, "{arguments} {columns}: {line:?}");
            }
        }
    }
    let coloured = in_terminal(&home, 80, "line tictactoe XO./.../...", &[]).expect("a terminal").stdout;
    // The winner has the colour of the outcome, and the cells that a move fills have the colour of new cells.
    assert!(coloured.contains("\u{1b}[1m\u{1b}[32mX to move: a win for X in 5 plies\u{1b}[0m"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[1m\u{1b}[32m(\u{1b}[0m\u{1b}[1m\u{1b}[32mO\u{1b}[0m"), "{coloured:?}");
}

/// The program cannot know how long counting takes, so it announces it at once, but only on a terminal.
#[test]
fn counting_is_announced_at_once() {
    let home = Home::new();
    for command in ["estimate mnk --rows 3 --cols 4 --solver sparse", "estimate cram"] {
        let Some(shown) = in_terminal(&home, 80, command, &[("NO_COLOR", "1")]) else { return };
        let (_, rest) = shown.stdout.split_once(": counting reachable positions").expect(command);
        assert!(rest.contains("positions  "), "{rest}");
    }
    assert_eq!(home.try_run(&["estimate", "cram"]).stderr, "");
    // A table with a label for every board needs no count.
    let shown = in_terminal(&home, 80, "estimate tactics", &[("NO_COLOR", "1")]).expect("a terminal");
    assert!(!shown.stdout.contains("counting"), "{}", shown.stdout);
}

/// A search shows how far it is, within its first second, on a terminal alone.
#[test]
fn a_search_shows_its_progress() {
    let home = Home::new();
    let search = "probe hex --set rows=6 --set cols=6 --limit";
    for (limit, columns, parts) in [
        ("3s", 100, &["hex-6x6: searching ", " positions/s, 0:0", " left"][..]),
        ("3s", 40, &[", 0:0", " left"]),
        ("100000000", 60, &["searching ", "% ", " left"]),
    ] {
        let Some((mut ours, theirs)) = pty(columns) else { return };
        let mut command = home.command(&[&search.split(' ').collect::<Vec<_>>()[..], &[limit]].concat());
        command.env("TERM", "xterm-256color").env("NO_COLOR", "1");
        let mut child = command.stdout(theirs.try_clone().unwrap()).stderr(theirs).spawn().unwrap();
        drop(command);
        let mut shown = String::new();
        while !parts.iter().all(|part| shown.contains(part)) {
            let mut bytes = [0; 4096];
            let count = ours.read(&mut bytes).unwrap_or(0);
            assert!(count > 0, "{limit} {columns}: {shown:?}");
            shown += &String::from_utf8_lossy(&bytes[..count]);
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let in_pipe = home.try_run(&search.split(' ').chain(["1500ms"]).collect::<Vec<_>>());
    assert!(in_pipe.status == 0 && !in_pipe.stderr.contains("searching"), "{}", in_pipe.stderr);
}

#[test]
fn a_progress_bar_is_shown_for_long_work_and_removed() {
    let home = Home::new();
    home.run(&["build", "tactics", "--rows", "5", "--cols", "5", "-o", "it.tb"]);
    for columns in [30, 100] {
        let begun = std::time::Instant::now();
        // One core, so that the check takes long without much work.
        let arguments = "verify it.tb --level labels --sample 6000000";
        let Some(long) = in_terminal(&home, columns, arguments, &[("RAYON_NUM_THREADS", "1")]) else { return };
        assert_eq!(long.status, 0, "{}", long.stdout);
        if begun.elapsed() < std::time::Duration::from_millis(1000) {
            eprintln!("skipped: this machine is done before a bar is due");
            continue;
        }
        assert!(long.stdout.contains("% ") && long.stdout.contains(" left"), "{:?}", long.stdout);
        assert_eq!(long.stdout.contains("labels/s"), columns == 100);
        let (bar, result) = long.stdout.rsplit_once("\u{1b}[2K").expect("the line of the bar is cleared");
        assert!(result.starts_with("tactics-5x5-run4-misere\n  table   it.tb\n"), "{result:?}");
        for drawn in bar.split(['\r', '\n']).map(|line| line.trim_start_matches("\u{1b}[2K")) {
            assert!(drawn.chars().count() <= usize::from(columns), "{drawn:?}");
        }
    }
    let short = in_terminal(&home, 80, "build tactics", &[]).unwrap();
    assert!(!short.stdout.contains('%'), "{:?}", short.stdout);
}
