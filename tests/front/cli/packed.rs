//! The option `--compress`: the tables that `build` writes with it, the commands that read them, and changes of
//! existing tables.

use std::fs;

use serde_json::{Value, json};

use super::Home;
use super::folded::assert_read_alike;

/// Games for each kind of table: dense with one plane, dense with two planes and reachability bits, sparse, up to
/// symmetry, and two-colour.
const KINDS: [&[&str]; 5] = [
    &["tactics", "--rows", "3", "--cols", "5"],
    &["mnk", "--k", "3", "--solver", "dense"],
    &["dominoes", "--n", "4"],
    &["mnk", "--k", "3", "--solver", "sparse"],
    &["mnk", "--k", "3", "--solver", "two-colour"],
];

#[test]
fn every_command_reads_both_kinds() {
    let home = Home::new();
    for kind in KINDS {
        for (file, compress) in [("plain.tb", "off"), ("packed.tb", "on")] {
            let options = ["-o", file, "--compress", compress, "--labels", "remoteness", "--force"];
            home.run(&[&["build"], kind, &options].concat());
        }
        assert_read_alike(&home, ("packed.tb", "plain.tb"), &["csv"]);
        home.run(&["verify", "packed.tb"]);
        let [plain, packed] = ["plain.tb", "packed.tb"].map(|file| home.json(&["info", file, "--json"]));
        assert_eq!((&plain["packed"], &plain["format_version"]), (&Value::Null, &json!(1)), "{kind:?}");
        assert_eq!((&packed["packed"]["block_bytes"], &packed["format_version"]), (&json!(32768), &json!(1)));
        assert_eq!(packed["file_bytes"], fs::metadata(home.path("packed.tb")).unwrap().len(), "{kind:?}");
    }
}

#[test]
fn an_existing_table_is_recompressed_and_keeps_its_labels() {
    let home = Home::new();
    let build = |options: &[&str]| {
        home.json(&[&["build", "tactics", "--cols", "5", "-o", "it.tb", "--json"], options].concat())
    };
    let bytes = || fs::read(home.path("it.tb")).unwrap();
    let both = ["--labels", "remoteness"];
    build(&both);
    let plain = bytes();
    // The table lacks no label, so the build only compresses it, and then only decompresses it.
    let built = build(&["--compress"]);
    assert_eq!((&built["labels_solved"], &built["labels_kept"]), (&json!([]), &json!(["outcome", "remoteness"])));
    assert_eq!(built["positions_per_second"], 0.0);
    let packed = bytes();
    assert!(built["packed"]["raw_bytes"].as_u64() > Some(packed.len() as u64) && packed.len() < plain.len() / 2);
    // Without the option, a compressed table stays compressed.
    build(&["--force", "--compress"]);
    let outcomes = bytes();
    let added = build(&both);
    assert_eq!(added["labels_solved"], json!(["remoteness"]));
    assert!(bytes() == packed && outcomes.len() < packed.len());
    let built = build(&["--compress", "off"]);
    assert_eq!(built["labels_solved"], json!([]));
    assert!(bytes() == plain);
    build(&["--force", "--labels", "remoteness", "--compress", "on", "--threads", "1"]);
    assert!(bytes() == packed);
    // In larger blocks, the same labels take fewer bytes.
    let built = build(&["--compress", "small"]);
    assert_eq!((&built["labels_solved"], &built["packed"]["block_bytes"]), (&json!([]), &json!(1 << 20)));
    let small = bytes();
    assert!(small.len() < packed.len());
    home.run(&["verify", "it.tb"]);
    build(&["--force", "--compress", "small"]);
    build(&both);
    assert!(bytes() == small);
}

#[test]
fn the_compression_of_a_table_is_reported() {
    let home = Home::new();
    for text in [home.run(&["build", "tactics", "--compress", "-o", "it.tb"]), home.run(&["info", "it.tb"])] {
        assert!(
            text.lines().any(|line| line.starts_with("  compressed ") && line.contains("blocks of 32.00 KiB")),
            "{text}"
        );
    }
    assert!(!home.run(&["build", "tactics", "-o", "other.tb"]).contains("compressed"));
    let large = ["estimate", "tactics", "--rows", "3", "--cols", "11"];
    assert!(home.run(&large).contains("before compression"));
    assert_eq!(home.json(&[&large[..], &["--json"]].concat())["packed"], json!(true));
    assert_eq!(home.json(&["estimate", "tactics", "--json"])["packed"], json!(false));
    let error = home.fails(2, &["build", "--compress", "tactics"]);
    assert!(error.contains("auto, on, small, off"), "{error}");
}

#[test]
fn commands_that_read_a_damaged_block_fail() {
    let home = Home::new();
    home.run(&["build", "tactics", "--compress", "-o", "it.tb"]);
    let mut bytes = fs::read(home.path("it.tb")).unwrap();
    let middle = 4096 + (bytes.len() - 4096) / 2;
    bytes[middle] ^= 16;
    fs::write(home.path("it.tb"), bytes).unwrap();
    let verified = home.try_run(&["verify", "it.tb"]);
    assert!(verified.status == 1 && verified.stderr.contains("checksum of bytes"), "{}", verified.stderr);
    assert!(home.fails(3, &["probe", "it.tb"]).contains("checksum"));
}
