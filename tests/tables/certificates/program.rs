//! The checker as a program: its arguments, its input and its exit status.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use tablegen::certificate::Choice;

use super::{checker, game, of_start};

/// The status, standard output and standard error of the checker.
fn run(arguments: &[&str], input: Stdio) -> (i32, String, String) {
    let ran = Command::new(checker()).args(arguments).stdin(input).output().unwrap();
    let [out, error] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.status.code().unwrap(), out, error)
}

/// A pipe with `text`.
fn pipe(text: &[u8]) -> Stdio {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    fs::write(&path, text).unwrap();
    Command::new("cat").stdin(File::open(path).unwrap()).stdout(Stdio::piped()).spawn().unwrap().stdout.unwrap().into()
}

#[test]
fn help_goes_to_standard_output() {
    for arguments in [&["--help"][..], &["-h"], &["x.cert", "--help"]] {
        let (status, out, error) = run(arguments, Stdio::null());
        assert_eq!((status, &*error), (0, ""));
        assert!(
            out.starts_with("Check a certificate: ") && out.contains("Usage: certify-check FILE [--part N]"),
            "{out}"
        );
    }
    for arguments in [&[][..], &["--part", "1"], &["x", "--part", "0"], &["x", "--part"], &["--all", "x"], &["x", "y"]]
    {
        let (status, out, error) = run(arguments, Stdio::null());
        assert_eq!((status, &*out), (2, ""));
        assert!(error.starts_with("error: expected FILE") && error.lines().count() == 1, "{error}");
    }
}

/// A pipe cannot be read twice, so its text is kept.
#[test]
fn certificates_come_from_files_and_pipes() {
    let (_, _, text) = of_start(game("tictactoe", ""), &Choice::ALL);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &text).unwrap();
    let path = file.path().to_str().unwrap();
    let (status, proved, _) = run(&[path], Stdio::null());
    assert!(status == 0 && proved.starts_with("proved: Draw at "), "{proved}");
    for (arguments, input) in [
        (&["--part", "3", path][..], Stdio::null()),
        (&["-"], pipe(&text)),
        (&["-", "--part", "3"], pipe(&text)),
        (&["-"], File::open(path).unwrap().into()),
        (&["/dev/stdin"], pipe(&text)),
    ] {
        assert_eq!(run(arguments, input), (0, proved.clone(), String::new()), "{arguments:?}");
    }
    let (status, _, error) = run(&["-"], pipe(&text[..text.len() - 1]));
    assert!(status == 1 && error.starts_with("not proved: line "), "{error}");
    let (status, _, error) = run(&["-"], pipe(&[&text[..20], b"\xff\n"].concat()));
    assert!(status == 1 && error.starts_with("not proved: line 2: cannot read it: "), "{error}");
}

/// What is no certificate is an error, and not a proof that failed.
#[test]
fn other_files_are_no_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/tictactoe.tb");
    fs::copy(shipped, at("x.tb")).unwrap();
    fs::write(at("words"), "one two\n").unwrap();
    fs::write(at("empty"), "").unwrap();
    for (name, reason) in [
        ("x.tb", "expected a certificate, found a table; 'tablegen certify' makes a certificate from it"),
        ("words", "expected a certificate, found another text; 'tablegen certify' writes certificates"),
        ("empty", "expected a certificate, found another text"),
        ("nothing", "cannot read "),
        ("", "cannot read "),
    ] {
        let (status, out, error) = run(&[&at(name)], Stdio::null());
        assert_eq!((status, &*out), (2, ""), "{name}: {error}");
        assert!(error.starts_with("error: cannot ") && error.contains(reason), "{name}: {error}");
    }
    let (status, _, error) = run(&["-"], pipe(b"one two\n"));
    assert!(status == 2 && error.starts_with("error: cannot check standard input: "), "{error}");
}
