//! `play` in a terminal: typing, completion, history and output.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::Home;
use super::terminal::pty;

const TAB: &str = "\t";
const ENTER: &str = "\r";
const UP: &str = "\u{1b}[A";
/// The escape sequence that the editor writes when a line is finished.
const EDITED: &str = "\u{1b}[?2004l\n";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

/// The program in a terminal, with the test in place of the user.
struct Typed {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// Output that the test has not consumed yet.
    text: String,
    terminal: File,
}

impl Typed {
    /// Starts the program; `None` if the system has no free terminal.
    fn begin(home: &Home, columns: u16, arguments: &[&str], variables: &[(&str, &str)]) -> Option<Self> {
        let (ours, theirs) = pty(columns)?;
        let mut command = home.command(&[&["play"], arguments].concat());
        command.env("TERM", "xterm-256color").envs(variables.iter().copied());
        let end = || Stdio::from(theirs.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let (send, shown) = channel();
        let mut screen = ours.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Some(Self { child, keys: ours, shown, text: String::new(), terminal: theirs })
    }

    /// Consumes the output up to `text`, which must appear, and returns it.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            if let Some(end) = self.text.find(text) {
                let rest = self.text.split_off(end + text.len());
                return std::mem::replace(&mut self.text, rest);
            }
            let left = Duration::from_secs(30).checked_sub(begun.elapsed()).unwrap_or_default();
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.text += &String::from_utf8(bytes).expect("plain text").replace("\r\n", "\n"),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("{text:?} is expected, found {:?}", self.text)
                }
            }
        }
    }

    fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// The terminal echoes input and reads it by lines, as for a shell.
    fn is_as_before(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let modes = tcgetattr(&self.terminal).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    fn status(&mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

#[test]
fn moves_are_typed_completed_and_recalled() {
    let home = Home::new();
    let Some(mut game) = Typed::begin(&home, 80, &["tactics", "XX../XX../..../...."], &[("NO_COLOR", "1")]) else {
        return;
    };
    let begun = game.until("first> ");
    assert!(begun.contains("  a b c d\n1 X X . .\n"), "{begun:?}");
    assert!(begun.contains("you move first, and perfect play moves second; type a move"), "{begun:?}");
    assert!(begun.contains("\nyou win in 10 plies\n"), "{begun:?}");
    game.keys("c9\r");
    let refused = game.until("commands\n");
    assert!(refused.contains("error: cannot play \"c9\": expected one of 40 moves; 'moves'"), "{refused:?}");
    game.keys("hnit\r");
    let refused = game.until("commands\n");
    assert!(
        refused.contains("error: cannot play \"hnit\": expected one of 40 moves (did you mean hint?)"),
        "{refused:?}"
    );
    // Two tabs list the completions; one tab completes a unique prefix.
    game.keys("hi");
    game.keys(TAB);
    game.until("hint");
    game.keys(ENTER);
    game.until("c3: you win in 10 plies; 2 of 40 moves win\n");
    game.until("first> ");
    game.keys("c3-");
    game.keys(TAB);
    game.keys(TAB);
    let listed = game.until("c3-d3");
    assert!(listed.contains("c3-c4"), "{listed:?}");
    // Delete the hyphen: the line is `c3` again.
    game.keys("\u{7f}\r");
    let played = game.until("you win in 8 plies\n");
    assert!(played.contains("1. you: c3            2. perfect play: d1\n"), "{played:?}");
    assert!(played.contains("\n3 . .(X).             3 . . X .\n"), "{played:?}");
    game.until("first> ");
    game.keys(UP);
    game.keys(UP);
    game.until("hint");
    game.keys(ENTER);
    game.until("a4: you win in 8 plies; 2 of 24 moves win\n");
    game.until("first> ");
    game.keys("c4\r");
    let blunder = game.until("a win for perfect play in 7 plies\n");
    assert!(blunder.contains("\nc4 gives the win away; a4 keeps it\n"), "{blunder:?}");
    game.until("first> ");
    game.keys("undo\rquit\r");
    let undone = game.until("you win in 8 plies\n");
    assert!(undone.contains("2 moves taken back\n") && undone.contains("so far: 1. c3, 2. d1\n"), "{undone:?}");
    assert_eq!((game.status(), game.is_as_before()), (0, true));
    assert!(!game.text.contains("panicked"));
}

/// The game that docs/tutorial/first-game.md shows.
#[test]
fn the_game_of_the_page() {
    let home = Home::new();
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial/first-game.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("$ tablegen play ").expect("a game");
    let (arguments, rest) = rest.split_once('\n').expect("arguments");
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let (shown, _) = rest.split_once("```\n").expect("an end");
    // The page has built the table. Without it, the program would say that it solves the game.
    home.run(&[&["build"][..], &arguments[..], &["--labels", "remoteness"][..]].concat());
    let Some(mut game) = Typed::begin(&home, 80, &arguments, &[("NO_COLOR", "1")]) else { return };
    for part in shown.split("first> ") {
        let (typed, answer) = part.split_once('\n').expect("lines");
        // The first part begins with output, the others with input.
        let is_typed = !typed.starts_with("tactics");
        if is_typed {
            game.keys(typed);
            game.keys(ENTER);
            game.until(EDITED);
        }
        let answer = if is_typed { answer } else { part };
        if answer.is_empty() {
            break;
        }
        assert_eq!(game.until(answer), answer);
        game.until("first> ");
    }
    assert_eq!(game.status(), 0);
}

/// Keys that leave the game restore the terminal and exit with success.
#[test]
fn control_c_and_control_d_leave() {
    let home = Home::new();
    for keys in [CTRL_C, CTRL_D, "a1\u{3}", "quit\r", ":quit\r"] {
        let Some(mut game) = Typed::begin(&home, 80, &["tictactoe"], &[]) else { return };
        game.until("X> ");
        assert!(!game.is_as_before());
        game.keys(keys);
        assert_eq!((game.status(), game.is_as_before()), (0, true), "{keys:?}");
    }
}

/// A signal restores the terminal too.
#[test]
fn a_signal_restores_the_terminal() {
    let home = Home::new();
    let Some(mut game) = Typed::begin(&home, 80, &["tictactoe"], &[("NO_COLOR", "1")]) else { return };
    game.until("X> ");
    super::send(&mut game.child, rustix::process::Signal::TERM);
    game.until("error: ended by SIGTERM; no files were left behind\n");
    assert_eq!((game.status(), game.is_as_before()), (128 + 15, true));
}

/// The last moves of a game and what the program offers after its end.
#[test]
fn a_game_to_its_end() {
    let home = Home::new();
    let Some(mut game) = Typed::begin(&home, 80, &["tictactoe", "XX./OO./..."], &[("NO_COLOR", "1")]) else { return };
    game.until("X> ");
    game.keys("c1\r");
    let over = game.until("over> ");
    assert!(
        over.contains("1. you: c1\n") && over.contains("X has 3 in a line: the game is over: you win; 'new'"),
        "{over:?}"
    );
    game.keys("a3\r");
    game.until("error: cannot play \"a3\": the game is over");
    game.keys("new\r");
    game.until("you win in 1 ply\n");
    game.keys("new .../.../...\r");
    game.until("a draw in 9 plies\n");
    game.until("X> ");
    // Several lines pasted at once.
    game.keys("\u{1b}[200~b2\nmoves\u{1b}[201~\r");
    game.until("drawing, ");
    game.until("X> ");
    game.keys(CTRL_D);
    assert_eq!(game.status(), 0);
}

#[test]
fn colour_and_width() {
    let home = Home::new();
    let Some(mut game) = Typed::begin(&home, 80, &["tictactoe", "--side", "second"], &[]) else { return };
    let begun = game.until("O> ");
    assert!(
        begun.contains("\u{1b}[1m\u{1b}[33ma draw in 8 plies\u{1b}[0m") && begun.contains("\u{1b}[32m("),
        "{begun:?}"
    );
    game.keys(CTRL_D);
    assert_eq!(game.status(), 0);
    for columns in [24, 40] {
        for arguments in [&["tactics", "XX../XX../..../...."][..], &["dominoes", "--n", "4"], &["domineering", "--two"]]
        {
            let mut game = Typed::begin(&home, columns, arguments, &[("NO_COLOR", "1")]).expect("a terminal");
            let mut shown = game.until("> ");
            shown = shown.rsplit("writes a table").next().unwrap().to_owned();
            for line in ["hint", "moves", "help", "show", "line"] {
                game.keys(line);
                game.keys(ENTER);
                game.until(EDITED);
                shown += &game.until("> ");
            }
            game.keys(CTRL_D);
            assert_eq!(game.status(), 0);
            for line in shown.lines().filter(|line| !line.contains('\u{1b}') && line.contains(' ')) {
                assert!(line.chars().count() <= usize::from(columns), "{columns}: {line:?}");
            }
        }
    }
}

/// A terminal that cannot move its cursor still accepts lines.
#[test]
fn a_dumb_terminal() {
    let home = Home::new();
    let Some(mut game) = Typed::begin(&home, 80, &["tictactoe"], &[("TERM", "dumb")]) else { return };
    game.until("X> ");
    game.keys("b2\n");
    game.until("a draw in 7 plies");
    game.keys("quit\n");
    assert_eq!((game.status(), game.is_as_before()), (0, true));
}
