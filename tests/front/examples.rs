//! The programs in `examples/`, run as in their documentation.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The path of the built example `name`, which cargo puts next to the folder of this test program.
fn built(name: &str) -> PathBuf {
    let program = std::env::current_exe().expect("this program has a path");
    let folder = program.ancestors().nth(2).expect("target/PROFILE/deps").join("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let missing = format!("{} is missing: `cargo build --examples` makes it, and so does `cargo test`", path.display());
    assert!(path.is_file(), "{missing}, unless it is asked for one program of tests alone (--test front)");
    path
}

fn run(name: &str, arguments: &[&str]) -> Output {
    // The source folder has `tables/` and `docs/examples/`.
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(built(name)).args(arguments).current_dir(source).output().expect("an example that runs")
}

fn prints(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{name} {arguments:?}: {stderr}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs an example that must fail, and returns its error message.
fn refuses(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{name} {arguments:?}");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(!stderr.contains("panicked"), "{name} {arguments:?}: {stderr}");
    stderr
}

#[test]
fn best_move() {
    let best = |arguments: &[&str]| prints("best_move", arguments);
    assert_eq!(best(&["tactics", "XX../XX../..../...."]), "XX../XX../..../....: win, best move c3\n");
    assert_eq!(best(&["tactics", "0xffff"]), "XXXX/XXXX/XXXX/XXXX: win, best move none: the game is over\n");
    // A game without a table, with parameters; a game of the library.
    assert_eq!(best(&["tactics", "../..", "rows=2", "cols=2"]), "../..: loss, best move a1\n");
    assert_eq!(best(&["kayles", ".......", "pins=7"]), ".......: win, best move b1-c1\n");
    assert!(refuses("best_move", &["tactics", "nonsense"]).contains("nonsense"));
    assert!(refuses("best_move", &["chess", "e4"]).contains("chess"));
    assert!(refuses("best_move", &["tactics"]).contains("GAME POSITION"));
}

#[test]
fn rules_file() {
    let text = prints("rules_file", &["docs/examples/cram.toml"]);
    assert_eq!(text, "  a b c d\n1 . . . .\n2 . . . .\n3 . . . .\n4 . . . .\nloss: a1-b1 is best of 24 moves\n");
    assert!(refuses("rules_file", &[]).contains("expected the path of a rules file"));
    assert!(refuses("rules_file", &["nowhere.toml"]).contains("No such file"));
}

#[test]
fn own_rules() {
    assert_eq!(prints("own_rules", &[]), "30 losses among 128 positions\nXX..... is a win: best is e1\n");
}
