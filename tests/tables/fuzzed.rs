//! Replays the committed inputs of the fuzz targets: no input breaks a promise that was kept before.
//!
//! The modules are those of `fuzz/`, which calls them with new inputs. So a replay needs no fuzzer.

mod seeds;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::forge;

#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/certificate.rs"]
pub(crate) mod certificate;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/checkpoint.rs"]
mod checkpoint;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/notation.rs"]
mod notation;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/request.rs"]
mod request;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/rules.rs"]
mod rules;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/table.rs"]
mod table;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/values.rs"]
mod values;
#[allow(unreachable_pub, reason = "the module is part of a library as well")]
#[path = "../../fuzz/src/walk.rs"]
mod walk;

/// The folder with the inputs of `target`.
fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target)
}

/// Runs every input of `target`, in the order of names.
fn replay(target: &str, run: fn(&[u8])) {
    let entries = fs::read_dir(corpus(target)).expect("a corpus").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no inputs");
    for path in paths {
        // The output of a failed test ends with the name of the input.
        println!("{}", path.display());
        run(&fs::read(path).expect("an input"));
    }
}

#[test]
fn certificates() {
    replay("certificate", certificate::run);
}

#[test]
fn checkpoints() {
    replay("checkpoint", checkpoint::run);
}

#[test]
fn notations() {
    replay("notation", notation::run);
}

#[test]
fn requests() {
    replay("request", request::run);
}

#[test]
fn rules_files() {
    replay("rules", rules::run);
}

#[test]
fn tables() {
    replay("table", table::run);
}

#[test]
fn values_of_games() {
    replay("values", values::run);
}
