//! The option `--compress`: the tables that `build` writes with it, and the commands that read them.

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
