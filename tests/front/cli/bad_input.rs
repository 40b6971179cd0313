//! Every kind of bad input ends in one line of error and the exit status of its kind.

use std::fs;

use super::Home;

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
