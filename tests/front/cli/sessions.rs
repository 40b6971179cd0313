//! Sessions in `tests/data/sessions/`: commands, and all that they print.
//!
//! A line that begins with two spaces belongs to a session in a shell: `$ ` begins a command, and `> ` continues it. The
//! output follows, with `! ` before lines on standard error, and `[2]` for an exit status other than 0. Other lines say
//! what the commands show. In an output, `[..]` stands for any text, `...` for any lines, and `~` for the folder of the
//! session. `$ROOT` is the source folder. At the end of a command, `| get KEYS` prints values of a JSON object; in a key,
//! `*` stands for every item of a list, and `#` for their number.
//!
//! `TABLEGEN_WRITE_SESSIONS=1 cargo test --test front cli::sessions` writes the current output into the files, where it
//! differs. Review the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::hints::names_options_that_exist;
use super::{Home, matches, ran};

/// The file called `name` in a folder of `tests/data`.
pub(crate) fn file(folder: &str, name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/data", folder, &format!("{name}.txt")].iter().collect()
}

/// Checks that `source` has a test for each file in a folder of `tests/data`.
pub(crate) fn assert_tested(folder: &str, source: &str) {
    for entry in fs::read_dir(file(folder, "").parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let test = format!("    check(\"{}\");\n", path.file_stem().unwrap().display());
        assert!(source.contains(&test), "{} has no test", path.display());
    }
}

#[test]
fn every_session_has_a_test() {
    assert_tested("sessions", include_str!("sessions.rs"));
}

#[test]
fn added_labels() {
    check("added_labels");
}

#[test]
fn advice() {
    check("advice");
}

#[test]
fn answers() {
    check("answers");
}

#[test]
fn builds() {
    check("builds");
}

#[test]
fn certificates() {
    check("certificates");
}

#[test]
fn checked() {
    check("checked");
}

#[test]
fn compression() {
    check("compression");
}

#[test]
fn exports() {
    check("exports");
}

#[test]
fn labels() {
    check("labels");
}

#[test]
fn language() {
    check("language");
}

#[test]
fn lines() {
    check("lines");
}

#[test]
fn moving() {
    check("moving");
}

#[test]
fn regions() {
    check("regions");
}

#[test]
fn names() {
    check("names");
}

#[test]
fn other_notations() {
    check("other_notations");
}

#[test]
fn out_of_reach() {
    check("out_of_reach");
}

#[test]
fn notation() {
    check("notation");
}

#[test]
fn parameters() {
    check("parameters");
}

#[test]
fn play() {
    check("play");
}

#[test]
fn published() {
    check("published");
}

#[test]
fn rules_files() {
    check("rules_files");
}

#[test]
fn scores() {
    check("scores");
}

#[test]
fn sparse() {
    check("sparse");
}

#[test]
fn statistics() {
    check("statistics");
}

#[test]
fn symmetry() {
    check("symmetry");
}

#[test]
fn system() {
    check("system");
}

#[test]
fn tables() {
    check("tables");
}

#[test]
fn unusable_tables() {
    check("unusable_tables");
}

#[test]
fn values() {
    check("values");
}

#[test]
fn wrong_usage() {
    check("wrong_usage");
}

/// Runs the session called `name`.
#[track_caller]
fn check(name: &str) {
    let home = Home::new();
    compare(&file("sessions", name), |command| output(&home, command));
}

/// Compares each output in the file `path` with the output that `run` returns for its command, or writes it.
#[track_caller]
pub(crate) fn compare(path: &Path, mut run: impl FnMut(&str) -> Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let (mut written, mut wrong) = (Vec::new(), Vec::new());
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        written.push(line.to_owned());
        let Some(command) = line.strip_prefix("  $ ") else { continue };
        let mut command = command.to_owned();
        while let Some((_, more)) = lines.next_if(|(_, line)| line.starts_with("  > ")) {
            written.push(more.to_owned());
            command = format!("{command}\n{}", &more[4..]);
        }
        let mut shown = Vec::new();
        while let Some((_, line)) =
            lines.next_if(|(_, line)| line.is_empty() || line.starts_with("  ") && !line.starts_with("  $ "))
        {
            shown.push(line);
        }
        // Empty lines at the end separate the output from what follows.
        let blanks = shown.iter().rev().take_while(|line| line.is_empty()).count();
        shown.truncate(shown.len() - blanks);
        let found = run(&command);
        let is_same = fits(&shown, &found);
        if !is_same {
            wrong.push(format!(
                "line {}: $ {command}\nexpected\n{}\nfound\n{}",
                number + 1,
                shown.join("\n"),
                found.join("\n")
            ));
        }
        let is_aligned = shown.len() == found.len();
        let kept = |(at, line): (usize, &String)| {
            if is_aligned && matches(shown[at], line) { shown[at].to_owned() } else { line.clone() }
        };
        match is_same {
            true => written.extend(shown.iter().map(|&line| line.to_owned())),
            false => written.extend(found.iter().enumerate().map(kept)),
        }
        written.extend(vec![String::new(); blanks]);
    }
    if std::env::var_os("TABLEGEN_WRITE_SESSIONS").is_some() {
        fs::write(path, written.join("\n") + "\n").unwrap();
    } else {
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n\n"));
    }
}

/// What `command` prints, as lines of a session.
pub(crate) fn output(home: &Home, command: &str) -> Vec<String> {
    let (typed, keys) = command.split_once(" | get ").map_or((command, None), |(typed, keys)| (typed, Some(keys)));
    let mut shell = Command::new("sh");
    home.isolate(shell.args(["-c", &format!("tablegen() {{ \"$TABLEGEN\" \"$@\"; }}; {typed}")]));
    shell.env("TABLEGEN", env!("CARGO_BIN_EXE_tablegen")).env("ROOT", env!("CARGO_MANIFEST_DIR"));
    let ran = ran(shell.output().unwrap());
    let words: Vec<&str> = typed.rsplit("tablegen ").next().unwrap().split_whitespace().collect();
    for error in ran.stderr.lines().filter(|line| line.starts_with("error: ")) {
        names_options_that_exist(&words, error);
    }
    let printed = keys.map_or_else(|| ran.stdout.clone(), |keys| picked(&ran.stdout, keys));
    let mut lines: Vec<String> = printed.lines().map(|line| format!("  {}", plain(home, line))).collect();
    lines.iter_mut().filter(|line| line.trim().is_empty()).for_each(String::clear);
    lines.truncate(lines.len() - lines.iter().rev().take_while(|line| line.is_empty()).count());
    lines.extend(ran.stderr.lines().map(|line| format!("  ! {}", plain(home, line)).trim_end().to_owned()));
    lines.extend((ran.status != 0).then(|| format!("  [{}]", ran.status)));
    lines
}

/// `line` with `~` for the folder of the session.
pub(crate) fn plain(home: &Home, line: &str) -> String {
    line.replace(home.path("").to_str().unwrap().trim_end_matches('/'), "~")
}

/// The values under `keys` in the JSON object `text`, one a line. Another text stays.
pub(crate) fn picked(text: &str, keys: &str) -> String {
    let Ok(object) = serde_json::from_str(text) else { return text.to_owned() };
    keys.split(' ').map(|key| format!("{key} {}\n", item(&object, key))).collect()
}

fn item(of: &Value, key: &str) -> Value {
    let (first, rest) = key.split_once('.').unwrap_or((key, ""));
    match (first, of) {
        ("", _) => of.clone(),
        ("#", Value::Array(items)) => items.len().into(),
        ("*", Value::Array(items)) => items.iter().map(|found| item(found, rest)).collect(),
        (_, Value::Array(items)) => {
            first.parse().ok().and_then(|at: usize| items.get(at)).map_or(Value::Null, |found| item(found, rest))
        }
        _ => of.get(first).map_or(Value::from("absent"), |found| item(found, rest)),
    }
}

/// Whether the lines `found` are those that a session shows.
fn fits(shown: &[&str], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((&"  ...", rest)) => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, others)| matches(line, first) && fits(rest, others))
        }
    }
}
