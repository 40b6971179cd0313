//! `play`: whole games through a pipe.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::Home;
use tablegen::game::LIBRARY;

/// The fields of a line.
type Record = Vec<String>;

/// A game in progress through a pipe.
struct Game {
    child: Child,
    ask: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Game {
    fn begin(home: &Home, arguments: &[&str]) -> (Self, Vec<Record>) {
        let mut command = home.command(&[&["play"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (ask, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
        let mut game = Self { child, ask, answers };
        let begun = game.answer();
        (game, begun)
    }

    /// The records up to the next empty line.
    fn answer(&mut self) -> Vec<Record> {
        let lines = self.answers.by_ref().map(Result::unwrap).take_while(|line| !line.is_empty());
        lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }

    fn ask(&mut self, line: &str) -> Vec<Record> {
        writeln!(self.ask, "{line}").unwrap();
        self.answer()
    }

    /// Closes the input and returns the exit status.
    fn end(mut self) -> i32 {
        drop(self.ask);
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

/// The fields after the name in the first record called `name`.
fn field<'a>(records: &'a [Record], name: &str) -> Option<Vec<&'a str>> {
    let record = records.iter().find(|record| record[0] == name)?;
    Some(record[1..].iter().map(String::as_str).collect())
}

/// Small games of every family, as arguments.
fn games(home: &Home) -> Vec<Vec<String>> {
    let source = |path: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string();
    std::fs::write(home.path("words.txt"), "tower\nrat\ntar\nrug\ngnat\ntent\n").unwrap();
    let (square, rules) = (source("docs/examples/square.txt"), source("docs/examples/cram.toml"));
    let medium = source("tests/data/shiritori/medium.txt");
    let mut games = vec![
        vec!["tactics"],
        vec!["tactics", "--rows", "3", "--cols", "3", "--play", "normal"],
        vec!["dominoes", "--n", "4"],
        vec!["dominoes", "--n", "4", "--play", "misere"],
        vec!["tictactoe"],
        vec!["mnk", "--k", "2"],
        vec!["kalah", "--houses", "2", "--seeds", "3"],
        vec!["kalah", "--houses", "3", "--seeds", "1"],
        vec!["trail", "--graph", &square],
        vec!["trail", "--graph", &square, "--start", "a"],
        vec!["shiritori", "--words", "words.txt"],
        vec!["shiritori", "--words", &medium],
        vec![&rules, "--set", "cols=3"],
        vec!["domineering", "..../..../..../.... right"],
    ];
    // All games of the library except `sim`, which takes a second to solve, and the mills of many men.
    let slow = ["lasker-morris", "morabaraba", "nine-mens-morris", "sim"];
    games.extend(LIBRARY.iter().filter(|game| !slow.contains(&game.name)).map(|game| vec![game.name]));
    games.into_iter().map(|arguments| arguments.into_iter().map(str::to_owned).collect()).collect()
}

/// A player who follows the hints wins every won game, from both sides, in the number of plies that they name, and
/// holds every draw.
#[test]
fn a_player_who_follows_the_hints_keeps_the_value() {
    let home = Home::new();
    let mut won = 0;
    for game in games(&home) {
        for side in ["first", "second"] {
            let arguments: Vec<&str> = game.iter().map(String::as_str).chain(["--side", side]).collect();
            let (mut play, begun) = Game::begin(&home, &arguments);
            let me = field(&begun, "game").expect("a game")[1].to_owned();
            assert_eq!(field(&begun, "move").is_some(), side == "second", "{game:?}");
            let mut at = begun.clone();
            let mut count = at.iter().filter(|record| record[0] == "move").count();
            let standing = field(&at, "position").expect("a position").join(" ");
            // In games whose positions repeat, a drawn game may never end.
            while field(&at, "over").is_none() && count < 60 {
                let position = field(&at, "position").expect("a position");
                assert_eq!(position[1], me, "{game:?}");
                let hint = play.ask("hint");
                let hint = field(&hint, "hint").expect("a hint");
                let (best, outcome) = (hint[0], hint[1]);
                // In games that count points, the last field is the score, and players play for it instead of the plies.
                let last = hint.len() - 1;
                assert_eq!(
                    [outcome, hint[last]],
                    [position[2], position[last + 1]],
                    "{game:?}: a best move keeps the value"
                );
                at = play.ask(best);
                let made: Vec<&Record> = at.iter().filter(|record| record[0] == "move").collect();
                assert_eq!((&made[0][2], &made[0][3]), (&me, &best.to_owned()), "{game:?}");
                count += made.len();
            }
            let Some(over) = field(&at, "over") else {
                assert_eq!(field(&at, "position").expect("a position")[2], "draw", "{game:?} as {side}");
                assert_eq!(play.end(), 0);
                continue;
            };
            let position = field(&begun, "position").expect("a position");
            let winner = match position[2] {
                "win" => Some(&*me),
                "draw" => None,
                _ => Some(over[0]).filter(|&winner| winner != me && winner != "-"),
            };
            assert_eq!(over[0], winner.unwrap_or("-"), "{game:?} as {side} from {standing}");
            // In games that count points, players play for the score and not for the plies.
            if position.len() == 4
                && let Ok(plies) = position[3].parse::<usize>()
            {
                let opened = begun.iter().filter(|record| record[0] == "move").count();
                assert_eq!(opened > 0, side == "second", "{game:?}");
                assert_eq!(count, plies + opened, "{game:?} as {side}");
            }
            won += usize::from(over[0] == me);
            assert_eq!(play.end(), 0);
        }
    }
    assert!(won >= 20, "{won} games were won");
}

/// Perfect play wins after the opponent's mistake: a lost game stays lost to its end.
#[test]
fn a_player_who_blunders_loses() {
    let home = Home::new();
    let mut lost = 0;
    for game in games(&home) {
        for side in ["first", "second"] {
            let arguments: Vec<&str> = game.iter().map(String::as_str).chain(["--side", side]).collect();
            let (mut play, mut at) = Game::begin(&home, &arguments);
            let me = field(&at, "game").expect("a game")[1].to_owned();
            let (mut is_lost, mut turns) = (false, 0);
            // In games whose positions repeat, a drawn game may never end.
            while field(&at, "over").is_none() && turns < 60 {
                turns += 1;
                let position = field(&at, "position").expect("a position");
                assert!(!is_lost || position[2] == "loss", "{game:?}: a lost game stays lost");
                is_lost = position[2] == "loss";
                // Play the worst move: the quickest loss, if there is one.
                let moves = play.ask("moves");
                let worst = moves.last().expect("a move")[1].clone();
                at = play.ask(&worst);
            }
            let Some(over) = field(&at, "over") else {
                assert!(!is_lost, "{game:?} as {side}: a lost game ends");
                assert_eq!(play.end(), 0);
                continue;
            };
            assert!(!is_lost || over[0] != me, "{game:?} as {side}");
            lost += usize::from(is_lost);
            assert_eq!(play.end(), 0);
        }
    }
    assert!(lost >= 40, "{lost} games were lost");
}

/// A search that reaches its limit answers `unknown`, and the game still goes on to its end.
#[test]
fn a_search_at_its_limit_is_unknown() {
    let home = Home::new();
    home.run(&["build", "cram", "--solver", "sparse", "-o", "it.tb"]);
    // No domino fills a single square, so the table holds no position from here on.
    let (mut play, mut at) = Game::begin(&home, &["it.tb", "X.../..../..../....", "--limit", "1"]);
    assert_eq!(field(&at, "position"), Some(vec!["X.../..../..../....", "first", "unknown", "-"]));
    while field(&at, "over").is_none() {
        let hint = play.ask("hint");
        at = play.ask(&hint[0][1]);
    }
    assert_eq!((field(&at, "position").expect("a position")[2], play.end()), ("loss", 0));
}

/// The game that docs/reference/json.md shows.
#[test]
fn the_game_of_the_page() {
    let page = include_str!("../../../docs/reference/json.md");
    let (_, rest) = page.split_once("printf '").expect("a game");
    let (input, rest) = rest.split_once("' | tablegen play tactics \"").expect("a command");
    let (position, rest) = rest.split_once("\"\n```\n\n```text\n").expect("a position");
    let (shown, _) = rest.split_once("```\n").expect("an end");
    let ran = Home::new().feed(&["play", "tactics", position], input.replace("\\n", "\n").as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, shown, ""));
}

/// Ctrl-C while a program plays.
#[test]
#[cfg(unix)]
fn an_interrupt_is_reported_in_one_line() {
    let home = Home::new();
    let mut command = home.command(&["play", "tactics"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Keep the input open: its end would also end the game.
    let input = child.stdin.take();
    // Wait until the game has begun.
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    super::send(&mut child, rustix::process::Signal::INT);
    let error = super::ran(child.wait_with_output().unwrap()).failed(130);
    drop(input);
    assert!(error.contains("interrupted; the output is incomplete"), "{error}");
}

#[test]
fn a_reader_that_goes_away_ends_the_game() {
    let home = Home::new();
    let (mut play, _) = Game::begin(&home, &["tactics"]);
    drop(play.answers);
    // The pipe may buffer the first lines.
    let _ = (0..1000).try_for_each(|_| writeln!(play.ask, "moves"));
    drop(play.ask);
    assert_eq!(play.child.wait().unwrap().code(), Some(0));
}
