//! Every kind of bad input ends in one line of error and the exit status of its kind.

use std::fs;

use super::{Home, NAME};

#[test]
fn wrong_usage_is_refused() {
    let home = Home::new();
    home.run(&["build", "tactics", "-o", "mine.tb"]);
    fs::write(home.path("binary"), [0xff, 0xfe, 0]).unwrap();
    fs::write(home.path("huge"), vec![b'.'; (1 << 20) + 1]).unwrap();
    fs::write(home.path("rules.toml"), "name = \"g\"").unwrap();
    let key = "name = \"key\"\nbaord = { row = 4 }\nboard = { row = 4 }\nmove = [{ shape = \"X\" }]\n";
    fs::write(home.path("key.toml"), key).unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["bild", "tactics"], "see 'tablegen --help'"),
        (&["build"], "see 'tablegen build --help'"),
        (
            &["build", "tactics", "--forc"],
            "unexpected argument '--forc' found (did you mean --force?); see 'tablegen build",
        ),
        (&["probe", "quux"], "no game called \"quux\"; see 'tablegen list'"),
        (&["probe", "chess"], "no game called \"chess\": a square of a rules file has one of two colours, which"),
        (&["probe", "tatcics"], "no game called \"tatcics\" (did you mean tactics?); see 'tablegen list'"),
        (&["probe", "connect4"], "no game called \"connect4\" (did you mean connect-four?); see 'tablegen list'"),
        (&["check", "oware"], "found \"oware\": if positions repeat, each player takes the seeds on their side"),
        (&["probe", "mancala"], "no game called \"mancala\" (did you mean kalah?); see 'tablegen list'"),
        (
            &["build", "kalah", "--houses", "6", "--seeds", "4"],
            "has 672 cells: the limit is 128 cells; houses=5 with seeds=1 fits",
        ),
        (&["probe", "kalah", "2,2,2:0/2,2,2:1"], "expected 12 seeds in all, found 13"),
        (&["build", "Kayles"], "(did you mean kayles?)"),
        (&["check", "cramm"], "(did you mean cram?)"),
        (&["list", "--jsno"], "(did you mean --json?)"),
        (&["value", "--jsno", "1"], "'--jsno' found (did you mean --json?)"),
        (&["probe", "tactics", "-json"], "(did you mean --json?)"),
        (&["build", "--", "tactics", "--json"], "unexpected argument '--json' found; write it before --"),
        (&["--brief", "probe", "tactics"], "unexpected argument '--brief' found; write it after probe"),
        (&["build", "tactics", "--runs", "3"], "(did you mean --run?)"),
        (&["build", "dominoes", "--runs", "3"], "; see its options with 'tablegen list dominoes'"),
        (&["build", "nim", "--part", "x"], "'--part' found; see its parameters with 'tablegen list nim'"),
        (&["build", "cram", "--set", "rosw=5"], "--set rosw (did you mean rows?): the rules file has "),
        (&["check", "key.toml"], "found \"baord\" (did you mean board?)"),
        (&["probe", "-", "@-"], "cannot read standard input twice"),
        (&["build", "chess"], "see 'tablegen list'"),
        (&["estimate", "chess"], "see 'tablegen list'"),
        (&["probe", ""], "no game called"),
        (&["build", "mine.tb"], "not a table"),
        (&["probe", "rules.toml"], "rules.toml: line 1, column 1: "),
        (&["build", "rules.toml"], "'tablegen help rules-keys' lists all keys"),
        (&["check", "rules.toml"], "rules.toml: line 1, column 1: "),
        (&["check", "nowhere.toml"], "cannot read nowhere.toml: "),
        (&["check", "tactics"], "built-in"),
        (&["check", "mine.tb"], "expected a library game or *.toml, found \"mine.tb\""),
        (&["check"], "see 'tablegen check --help'"),
        (&["build", "tactics", "--set", "rows=5"], "expected a rules file, found the built-in game tactics"),
        (&["build", "cram", "--rows", "5"], "; use --set rows=5"),
        (&["build", "cram", "--set"], "expected KEY=VALUE, found none; see its parameters with 'tablegen list cram'"),
        (&["build", "cram", "--set", "rows"], "expected KEY=VALUE, found rows; see its parameters with 'tablegen list"),
        (&["build", "cram", "--set", "=5"], "expected KEY=VALUE, found =5; see its parameters with 'tablegen list"),
        (&["build", "cram", "--rows="], "; use --set rows=VALUE"),
        (&["build", "cram", "--set", "rows=0"], "a whole number"),
        (&["build", "cram", "--set", "rows=x"], "found \"x\""),
        (&["build", "cram", "--set", "beauty=5"], "--set beauty"),
        (&["build", "cram", "--set", "rows=64", "--set", "cols=64"], "cram: "),
        (&["line", "hex", "--set", "rows=20"], "error: hex: expected a board with at most 32768 minimal paths"),
        (&["info", "mine.tb", "--set", "rows=4"], "leave out the options"),
        (&["probe", "cram", "XX../XX../....", "--set", "rows=4"], "4 rows"),
        (&["build", "tactics", "--solver", "oracle"], "see 'tablegen build --help'"),
        (&["probe", "tactics", "--limit", "-1"], "see 'tablegen probe --help'"),
        (&["probe", "mine.tb", "--rows", "4"], "leave out the options"),
        (&["info", "mine.tb", "--play", "normal"], "leave out the options"),
        (&["build", "tactics", "--rows", "0"], "--rows: expected a whole number"),
        (&["build", "tactics", "--rows", "-1"], "--rows: expected a whole number"),
        (&["build", "tactics", "--rows", "four"], "--rows: expected a whole number"),
        (&["build", "tactics", "--rows", "99999999999999999999"], "--rows: expected a whole number"),
        (&["build", "tactics", "--rows", "4294967295", "--cols", "4294967295"], "49 squares"),
        (&["build", "tactics", "--rows", "7", "--cols", "8"], "has 56 squares"),
        (&["build", "tactics", "--play", "both"], "normal or misere"),
        (&["build", "tactics", "--labels", "nimber"], "the player who cannot move wins; use --labels outcome"),
        (&["estimate", "tactics", "--labels", "remoteness,nimber"], "; use --labels outcome,remoteness"),
        (&["build", "tactics", "--labels", "beauty"], "found \"beauty\""),
        (&["build", "tactics", "--labels", "outcome,"], "found \"\""),
        (&["build", "tactics", "--threads", "0"], "--threads: expected 1 to 1024, found 0"),
        (&["build", "tactics", "--symmetry", "both"], "see 'tablegen build --help'"),
        (&["build", "kayles", "--pins", "9"], "a parameter of a rules file is set with --set pins=9"),
        (&["build", "shiritori"], "expected --words, found none; see its options with 'tablegen list shiritori'"),
        (&["serve", "--listen", "99"], "--listen: expected ADDRESS:PORT such as 127.0.0.1:8686, found 99"),
        (&["serve", "--solves", "0"], "--solves: expected at least 1, found 0"),
        (&["probe", "nim", "--limit", "18446744073709551616"], "--limit: expected a smaller whole number, found "),
        (&["value", "nim(a):"], "error: a: expected a whole number from 1 to 128, found \"\""),
        (&["value", "nim(5):"], "error: 5: the rules file has the parameters a, b, c, d, play"),
        (&["value", "snort:XX"], "error: \"XX\" is not a position: "),
        (&["serve", "--solves", "-1"], "--solves: expected a whole number, found -1"),
        (&["value", "1", "--limit", "-1"], "--limit: expected a whole number, found -1"),
        (&["certify", "nim", "--limit", "-1"], "--limit: expected a whole number, found -1"),
        (&["serve", "rules.toml"], "rules.toml: line 1, column 1: "),
        (&["value", "nim(q=1):"], "error: q: the rules file has the parameters a, b, c, d, play; see 'tablegen list"),
        (&["serve", "--memory", "5B"], "--memory: expected at least 16MiB, found 5 bytes"),
        (&["build", "tactics", "--memory", "10"], "--memory: expected a number with a unit, such as 10MiB, found 10"),
        (&["estimate", "tactics", "--memory", "1.5"], "such as 1.5MiB, found 1.5"),
        (&["serve", "--memory", "1000000000"], "such as 1000000000MiB"),
        (&["check", "crom.toml"], "(did you mean cram?)"),
        (&["export", "tictactoe", "--format", "npy", "-o", "-"], "cannot export tictactoe: expected a dense table"),
        (&["export", "tactics", "--orbits", "--format", "npy", "-o", "-"], "cannot use --orbits with npy"),
        (&["build", "tactics", "--threads", "1025"], "see 'tablegen build --help'"),
        (&["build", "tactics", "--memory", "lots"], "4GiB"),
        (&["build", "tactics", "--tables"], "--tables"),
        (&["--tables", "mine.tb", "list"], "cannot search mine.tb for tables: expected a folder"),
        (&["probe", "tactics", "0b0011"], "each of the 16 squares, found 4 digits"),
        (&["probe", "tactics", "0b00110011111111112"], "found '2'"),
        (&["probe", "tactics", "65536"], "0xffff"),
        (&["probe", "tactics", "0x1ffff"], "0xffff"),
        (&["probe", "tactics", "0xfffffffffffffffffffffffffff"], "0xffff"),
        (&["probe", "tactics", "-1"], "is not a position"),
        (&["probe", "tactics", ""], "4 rows"),
        (&["probe", "tactics", "XXXX/XXXX/XXXX"], "4 rows"),
        (&["probe", "tactics", "XXXX/XXXX/XXXX/XXXY"], "'Y' at d4"),
        (&["probe", "tactics", "a\nb\u{1b}[2J"], "is not a position"),
        (&["probe", "tactics", "--", "-X"], "\"-X\" is not a position"),
        (&["probe", "tactics", "-X../....", "--brief"], "\"-X../....\" is not a position"),
        (&["line", "tactics", "-o"], "unexpected argument '-o' found"),
        (&["probe", "tactics", "@"], "expected the name of a file after @, found none; @- reads standard input"),
        (&["probe", "tactics", "@nowhere"], "cannot read nowhere: "),
        (&["probe", "tactics", "@."], "found a folder"),
        (&["probe", "tactics", "@binary"], "UTF-8"),
        (&["probe", "tactics", "@huge"], "1 MiB"),
        (&["probe", "tactics", "@mine.tb"], "mine.tb"),
        (&["probe", "tactics", "0", "--batch"], "--batch"),
        (&["probe", "tactics", "--brief", "--json"], "--json"),
        (&["verify", "tactics", "--level", "faith"], "see 'tablegen verify --help'"),
        (&["verify", "tactics", "--sample", "0"], "--sample"),
        (&["verify", "tactics", "--seed", "1"], "--sample"),
        (
            &["verify", "tactics", "--level", "bytes", "--sample", "9"],
            "cannot use --sample: expected --level labels or --level oracle",
        ),
        (
            &["export", "dominoes", "--n", "5", "--label", "nimber", "--format", "csv", "-o", "-"],
            "found one with outcome",
        ),
        (&["export", "tactics", "--label", "beauty", "--format", "csv", "-o", "-"], "see 'tablegen export --help'"),
        (&["export", "tactics", "--format", "xls", "-o", "-"], "npy, csv"),
        (&["export", "tactics", "--format", "npy", "-o", "."], "found a folder"),
        (&["export", "tactics", "--format", "npy", "-o", "mine.tb/x"], "mine.tb/x"),
        (&["export", "tactics", "--format", "npy", "-o", "no/such/x"], "no/such"),
        (&["completions", "tcsh"], "bash, zsh, fish"),
        (&["man", "--dir", "mine.tb/x"], "mine.tb/x"),
    ];
    let before = home.files("");
    for (arguments, says) in cases {
        let error = home.fails(2, arguments);
        assert!(error.contains(says), "{arguments:?} says {error}");
    }
    assert_eq!(home.files(""), before, "nothing is left behind");
}

#[test]
fn a_missing_command_prints_the_help() {
    let ran = Home::new().try_run::<&str>(&[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: tablegen") && ran.stderr.contains("Examples:"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    let odd = OsStr::from_bytes(b"\xff\xfe");
    home.fails(2, &[OsStr::new("probe"), odd]);
    home.fails(2, &[OsStr::new("build"), odd]);
    home.fails(2, &[OsStr::new("probe"), OsStr::new("tactics"), odd]);
    home.fails(2, &[OsStr::new("build"), OsStr::new("tactics"), OsStr::new("--rows"), odd]);
    home.fails(3, &[OsStr::new("probe"), OsStr::from_bytes(b"\xff.tb")]);
}

#[test]
fn unusable_tables_are_refused() {
    let home = Home::new();
    home.run(&["build", "tactics", "-o", "good.tb"]);
    let good = fs::read(home.path("good.tb")).unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(home.path(name), bytes).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    put("empty.tb", b"");
    put("other.tb", b"This is a text and no table, and it is long enough to be one if it only began as one does.");
    put("magic.tb", &good[..8]);
    put("cut.tb", &good[..good.len() - 1]);
    put("header.tb", &good[..4096]);
    put("longer.tb", &[&good[..], b"x"].concat());
    put("version.tb", &flipped(9));
    put("flipped.tb", &flipped(100));
    fs::create_dir(home.path("folder.tb")).unwrap();
    let cases = [
        ("missing.tb", "found none"),
        ("no/such/folder.tb", "found none"),
        ("empty.tb", "shorter than any table"),
        ("other.tb", "another kind of file; a table is a *.tb file"),
        ("magic.tb", "shorter than any table"),
        ("cut.tb", " bytes, found "),
        ("header.tb", " bytes, found "),
        ("longer.tb", " bytes, found "),
        ("version.tb", "; rebuild it with 'tablegen build GAME --force'"),
        ("flipped.tb", "checksum of its header"),
        ("folder.tb", "found a folder"),
        (".", "found a folder"),
        ("/dev/null", "a device"),
    ];
    for (file, says) in cases {
        for arguments in [
            &["probe", file][..],
            &["info", file, "--json"],
            &["verify", file],
            &["export", file, "--format", "csv", "-o", "out"],
        ] {
            let error = home.fails(3, arguments);
            assert!(error.contains(says) && error.contains(file), "{arguments:?} says {error}");
        }
    }
}

#[test]
fn a_changed_label_is_found_and_never_shown() {
    let home = Home::new();
    home.run(&["build", "tactics", "-o", "mine.tb"]);
    let mut bytes = fs::read(home.path("mine.tb")).unwrap();
    bytes[4096 + 77] ^= 0x10;
    fs::write(home.path("mine.tb"), bytes).unwrap();

    home.run(&["info", "mine.tb"]);
    assert!(home.fails(3, &["probe", "mine.tb", "0"]).contains("build it again"));
    assert!(home.fails(3, &["export", "mine.tb", "--format", "csv", "-o", "-"]).contains("build it again"));
    for level in ["bytes", "labels"] {
        let ran = home.try_run(&["verify", "mine.tb", "--level", level]);
        assert!(ran.failed(1).contains("build it again"), "{}", ran.stderr);
    }
    let ran = home.try_run(&["verify", "mine.tb", "--json"]);
    ran.failed(1);
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&object["ok"], &object["checks"][0]["ok"]), (&false.into(), &false.into()));
    assert!(object["checks"][0]["finding"].is_string());
    let ran = home.feed(&["probe", "mine.tb", "--batch"], b"0\n1\n");
    ran.failed(3);
}

#[test]
fn a_table_in_the_wrong_place() {
    let home = Home::new();
    let there = format!("tables/{NAME}.tb");
    fs::create_dir(home.path("tables")).unwrap();
    home.run(&["build", "tactics", "--rows", "3", "-o", &there]);
    let error = home.fails(3, &["probe", "tactics"]);
    assert!(error.contains("found one of tactics-3x4-run4-misere"), "{error}");
    let error = home.fails(2, &["build", "tactics"]);
    assert!(error.contains("--force"), "{error}");
    home.run(&["build", "tactics", "--force"]);
    home.run(&["probe", "tactics", "--brief"]);

    fs::remove_file(home.path(&there)).unwrap();
    fs::create_dir(home.path(&there)).unwrap();
    assert!(home.fails(3, &["probe", "tactics"]).contains("found a folder"));
    assert!(home.fails(2, &["build", "tactics", "--force"]).contains("found a folder"));
}

#[test]
fn a_large_game_without_a_table_says_how_to_build_it() {
    let home = Home::new();
    let large = ["tactics", "--cols", "6", "--rows", "5"];
    for command in ["probe", "info", "verify"] {
        let error = home.fails(3, &[&[command][..], &large].concat());
        assert!(error.contains("'tablegen build tactics --rows 5 --cols 6'"), "{error}");
    }
}
