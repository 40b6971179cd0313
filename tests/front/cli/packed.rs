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
