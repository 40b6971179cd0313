//! Advice in errors and notes: every option that they name exists, and every command that they name works.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::{LazyLock, Mutex};

use super::{Home, Small};

/// The help of each command looked up so far. The key of the program's own help is empty.
static HELP: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// The names of the options in `text`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("--").filter(|&(at, _)| at == 0 || text[..at].ends_with([' ', '(']));
    let option = |at: usize| text[at..].split(|c: char| c != '-' && !c.is_ascii_alphanumeric()).next();
    starts.filter_map(move |(at, _)| option(at)).filter(|option| option.len() > 2)
}

/// Panics unless `command` has every option in `text`.
#[track_caller]
fn has_options(command: &str, text: &str) {
    for option in options(text) {
        let mut all = HELP.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let asked: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = all.entry(command.to_owned()).or_insert_with(|| Home::new().try_run(&asked).stdout);
        let of_game = || help.contains("Game options: ") && is_of_game(option);
        let known = options(help).any(|known| known == option) || of_game();
        drop(all);
        assert!(known, "'tablegen {command}' has no {option}: {text}");
    }
}

/// Returns whether `option` is an option of a game.
fn is_of_game(option: &str) -> bool {
    let mut names =
        tablegen::game::FAMILIES.iter().flat_map(|family| family.parameters).map(|parameter| parameter.name);
    option == "--set" || names.any(|name| option.strip_prefix("--") == Some(name))
}

/// Panics if `error` names an option that the command in `arguments` lacks, unless the user typed that option. Options
/// in a quoted command must belong to the quoted command, or to its part of a pipe.
#[track_caller]
pub(super) fn names_options_that_exist<S: AsRef<OsStr>>(arguments: &[S], error: &str) {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
    let words = || arguments.iter().map(|argument| &**argument);
    let Some(command) = command_of(words()) else { return };
    let mut parts = error.split("'tablegen ");
    let outside = |part: &str| {
        let advised: Vec<&str> = options(part).filter(|option| words().all(|word| word != *option)).collect();
        has_options(command, &advised.join(" "));
    };
    outside(parts.next().unwrap_or_default());
    for part in parts {
        let (line, after) = part.split_once('\'').expect("a quote ends a command");
        for line in line.split("| tablegen ") {
            has_options(command_of(line.split(' ')).unwrap_or_default(), line);
        }
        outside(after);
    }
}

/// The command among the words of a command line.
fn command_of<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    loop {
        match words.next()? {
            "--tables" => drop(words.next()),
            word if !word.starts_with('-') => return Some(word),
            _ => {}
        }
    }
}

/// The error names the option that this command has for its output file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_option_of_the_command() {
    let home = Home::new();
    let Some(_small) = Small::mount(&home, "size=4k") else { return };
    let cases: [(&[&str], &str); 2] = [
        (&["stats", "tactics", "--svg", "small/x.svg"], "--svg"),
        (&["export", "tactics", "--format", "csv", "-o", "small/x.csv"], "-o"),
    ];
    for (typed, option) in cases {
        let error = home.fails(4, typed);
        assert!(error.ends_with(&format!("; free some space, or choose another place with {option}")), "{error}");
    }
}
