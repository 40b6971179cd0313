//! Advice in errors and notes: every option that they name exists, and every command that they name works.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::sync::{LazyLock, Mutex};

use serde_json::Value;

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

/// The arguments of a failing command, its exit status, what the error advises, and the commands to type then, which
/// succeed.
type Case = (&'static [&'static str], i32, &'static str, &'static [&'static [&'static str]]);

const CASES: &[Case] = &[
    (
        &[
            "build",
            "toads-and-frogs",
            "--set",
            "toads=2",
            "--set",
            "gap=20",
            "--set",
            "frogs=2",
            "--labels",
            "remoteness",
        ],
        2,
        "; use --labels outcome",
        &[&[
            "build",
            "toads-and-frogs",
            "--set",
            "toads=2",
            "--set",
            "gap=20",
            "--set",
            "frogs=2",
            "--labels",
            "outcome",
        ]],
    ),
    (
        &["build", "clobber", "--solver", "dense"],
        2,
        "; use --solver sparse",
        &[&["build", "clobber", "--solver", "sparse"]],
    ),
    (
        &["build", "amazons", "--solver", "two-colour"],
        2,
        "; use --solver sparse",
        &[&["build", "amazons", "--solver", "sparse"]],
    ),
    (
        &["build", "kayles", "--solver", "two-colour"],
        2,
        "; use --solver dense or --solver sparse",
        &[&["build", "kayles", "--solver", "dense"], &["build", "kayles", "--solver", "sparse"]],
    ),
    (
        &["build", "domineering", "--labels", "outcome,remoteness,nimber"],
        2,
        "; use --labels outcome,remoteness",
        &[&["build", "domineering", "--labels", "outcome,remoteness"]],
    ),
    (
        &["build", "kayles", "-o", "other.tb"],
        2,
        "; choose another file with -o, or replace it with --force",
        &[&["build", "kayles", "-o", "another.tb"], &["build", "kayles", "-o", "other.tb", "--force"]],
    ),
    (
        &["build", "kayles", "-o", "folder"],
        2,
        "; choose another place with -o",
        &[&["build", "kayles", "-o", "another.tb"]],
    ),
    (
        &["export", "tictactoe", "--format", "npy", "-o", "x.npy"],
        2,
        "; use --format csv",
        &[&["export", "tictactoe", "--format", "csv", "-o", "x.csv"]],
    ),
    (&["build", "cram", "--rows", "3"], 2, "; use --set rows=3", &[&["build", "cram", "--set", "rows=3"]]),
    (&["build", "cram", "--set", "rows", "2"], 2, "; use --set rows=2", &[&["build", "cram", "--set", "rows=2"]]),
    (&["line", "cram", "--set", "rows=", "2"], 2, "; use --set rows=2", &[&["line", "cram", "--set", "rows=2"]]),
    (&["stats", "cram", "--set=rows", "=2"], 2, "; use --set rows=2", &[&["stats", "cram", "--set", "rows=2"]]),
    (&["check", "cram", "--set", "rows:2"], 2, "; use --set rows=2", &[&["check", "cram", "--set", "rows=2"]]),
    (
        &["estimate", "cram", "--set", "rows=2,cols=3"],
        2,
        "; use --set rows=2 --set cols=3",
        &[&["estimate", "cram", "--set", "rows=2", "--set", "cols=3"]],
    ),
    (&["estimate", "cram", "rows=2"], 2, "; use --set rows=2", &[&["estimate", "cram", "--set", "rows=2"]]),
    (&["probe", "cram", "rows=2"], 2, "; use --set rows=2", &[&["check", "cram", "--set", "rows=2"]]),
    (&["probe", "tactics", "rows=3"], 2, "; use --rows 3", &[&["estimate", "tactics", "--rows", "3"]]),
    (&["build", "kayles", "--pin", "9"], 2, "is set with --set pins=9", &[&["build", "kayles", "--set", "pins=9"]]),
    (
        &["line", "hex", "--set", "rows=20"],
        2,
        "; the largest that fits is rows=13",
        &[&["check", "hex", "--set", "rows=13"]],
    ),
    (
        &["build", "kayles", "--words", "3"],
        2,
        "; use --set pins=VALUE, --set play=VALUE",
        &[&["build", "kayles", "--set", "pins=5"], &["build", "kayles", "--set", "play=misere"]],
    ),
    (
        &["build", "quixo", "--set", "size=2", "--rows", "3"],
        2,
        "; use --set size=VALUE",
        &[&["build", "quixo", "--set", "size=2"]],
    ),
    (
        &["build", "petersen-kayles", "--rows", "3"],
        2,
        "; use --set play=VALUE",
        &[&["build", "petersen-kayles", "--set", "play=misere"]],
    ),
    (
        &["build", "hex.toml", "--rows", "3"],
        2,
        "; the file has no parameters; leave out the option",
        &[&["build", "hex.toml"]],
    ),
    (
        &["build", "tactics", "--set", "rows=3"],
        2,
        "; see its options with 'tablegen list tactics'",
        &[&["list", "tactics"], &["build", "tactics", "--rows", "3"]],
    ),
    (&["info", "tictactoe", "--set", "rows=4"], 2, "", &[&["info", "tictactoe"]]),
    (
        &["verify", "tictactoe", "--level", "bytes", "--sample", "9"],
        2,
        "cannot use --sample: expected --level labels or --level oracle, found neither; leave it out",
        &[&["verify", "tictactoe", "--level", "bytes"], &["verify", "tictactoe", "--level", "labels", "--sample", "9"]],
    ),
    (
        &["verify", "tictactoe", "--level", "bytes", "--all"],
        2,
        "cannot use --all: expected --level oracle, found other levels; leave it out",
        &[&["verify", "tictactoe", "--level", "oracle", "--all"]],
    ),
    (
        &["stats", "tictactoe", "--svg", "-", "--json"],
        2,
        "; give --svg a file",
        &[&["stats", "tictactoe", "--svg", "x.svg", "--json"]],
    ),
    (&["--tables", "other.tb", "list"], 2, "; see --tables and $TABLEGEN_TABLES", &[&["--tables", "folder", "list"]]),
    (&["build", "tactics", "--labels", "outcome remoteness"], 2, "; separate labels by commas", &[]),
    (&["probe", "tactics", "XX"], 2, "; 'tablegen list tactics' shows how to write positions", &[&["list", "tactics"]]),
    (&["probe", "tatics"], 2, "; see 'tablegen list'", &[&["list"]]),
    (&["man", "--dir", "other.tb/x"], 2, "; choose another folder with --dir", &[&["man", "--dir", "folder/man"]]),
];

#[test]
fn the_advice_of_errors_works() {
    let home = Home::new();
    fs::create_dir(home.path("folder")).unwrap();
    fs::write(home.path("hex.toml"), "name = \"row\"\nboard = { row = 4 }\nmove = [{ shape = \"X\" }]\n").unwrap();
    for (typed, status, advice, then) in CASES {
        let _ = fs::remove_file(home.path("other.tb"));
        home.run(&["build", "nim", "-o", "other.tb"]);
        let error = home.fails(*status, typed);
        assert!(error.contains(advice), "{typed:?}: {error}");
        for next in *then {
            let ran = home.try_run(next);
            assert_eq!(ran.status, 0, "{typed:?}, then {next:?}: {}", ran.stderr);
        }
    }
}

/// A note beside an answer names a command that gives what the answer lacks.
#[cfg(unix)]
#[test]
fn the_advice_of_notes_works() {
    let home = Home::new();
    let runs = |text: &str| {
        let command = super::round_trips::hint(text);
        let ran = super::round_trips::shell(&home, command);
        assert_eq!(ran.status, 0, "{command}: {}", ran.stderr);
    };
    let note = |arguments: &[&str]| {
        let ran = home.try_run(arguments);
        assert_eq!((ran.status, ran.stderr.lines().count()), (0, 1), "{}", ran.stderr);
        ran.stderr
    };
    let game = ["kayles", "--set", "pins=5"];
    runs(&note(&[&["probe"], &game[..]].concat()));
    let line = [&["line"], &game[..]].concat();
    runs(&note(&line));
    home.run(&line);
    let stats = [&["stats"], &game[..]].concat();
    runs(home.run(&stats).lines().last().unwrap());
    assert!(!home.run(&stats).contains("tablegen build"));
}

/// A game longer than remoteness can encode is answered by outcomes, and no hint advises to solve its remoteness.
#[test]
fn a_long_game_is_answered_without_remoteness() {
    let home = Home::new();
    let game = ["toads-and-frogs", "--set", "toads=2", "--set", "gap=20", "--set", "frogs=2"];
    for command in ["probe", "line", "stats"] {
        let ran = home.try_run(&[&[command], &game[..], &["--json"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(object["remoteness"], Value::Null, "{command}");
        assert!(!ran.stderr.contains("--labels") && !ran.stdout.contains("--labels"), "{}{}", ran.stdout, ran.stderr);
    }
}

/// A batch without a table is answered by search if the game is too large for a table, like a single position.
#[test]
fn a_batch_without_a_table_is_searched_and_names_the_limit() {
    let home = Home::new();
    let game = ["probe", "tactics", "--rows", "5", "--cols", "8"];
    let late = "XXXXXXXX/XXXXXXXX/XXXXXXXX/X...XXXX/X...X.XX";
    let batch = |limit: &str, more: &[&str]| {
        let ran =
            home.feed(&[&game[..], &["--batch", "--limit", limit], more].concat(), format!("{late}\nX\n").as_bytes());
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        ran
    };
    let ran = batch("1", &[]);
    assert!(ran.stdout.starts_with(&format!("{late}\tunknown\nerror: ")), "{}", ran.stdout);
    let says = "1 of 2 positions are unknown: a search of up to 1 positions did not find the outcome; raise --limit\n";
    assert!(ran.stderr.starts_with(says), "{}", ran.stderr);
    let ran = batch("10000", &["--json"]);
    assert!(!ran.stderr.contains("unknown"), "{}", ran.stderr);
    let alone = home.run(&[&game[..], &[late, "--json"]].concat());
    assert_eq!(ran.stdout.lines().next(), alone.lines().next());
    let object: Value = serde_json::from_str(&alone).unwrap();
    assert_eq!((object["source"].as_str(), object["outcome"] != "unknown"), (Some("search"), true));
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

/// `probe` has no `--memory`. If a solve on the spot does not fit, the error advises to build a table.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_for_a_probe_advises_a_build() {
    let home = Home::new();
    let line = "ulimit -v 150000 && tablegen probe clobber --set rows=4 --set cols=5";
    let error = super::round_trips::shell(&home, line).failed(4);
    assert!(
        error.ends_with("; 'tablegen build clobber --set rows=4 --set cols=5' needs about half as much memory"),
        "{error}"
    );
    names_options_that_exist(&["probe"], &error);
}
