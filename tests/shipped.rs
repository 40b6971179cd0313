//! The tables inside the library are what a build gives, byte for byte, and the manifest names their hashes.
//!
//! Where a change of the layout or the format is meant to change them:
//!
//! ```text
//! cargo test --test shipped -- --ignored      # builds the tables and the manifest anew; commit what it wrote
//! cargo test --test shipped
//! ```

use std::path::{Path, PathBuf};

use tablegen::game::{self, Parameters};
use tablegen::shipped::{Shipped, TABLES};
use tablegen::solve::{self, Options};
use tablegen::table::{Draft, Labels, Table, verify_bytes, verify_labels};

const REMEDY: &str = "where that was meant: cargo test --test shipped -- --ignored, and commit tables/";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

fn built(family: &str, parameters: &Parameters) -> (String, Vec<u8>) {
    let game = game::family(family).unwrap().make(parameters).unwrap();
    let solution = solve::dense(game.rules(), &Options::default()).unwrap();
    let (rules, descriptor) = (game.rules(), &game.descriptor());
    let draft = Draft { rules, descriptor, layout: solution.layout(), planes: solution.planes() };
    (format!("{}.tb", rules.name), draft.to_bytes())
}

fn named(shipped: &Shipped) -> (String, Vec<u8>) {
    let parameters: Vec<_> = shipped.parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    built(shipped.family, &Parameters::from(parameters))
}

/// As `b3sum` writes it.
fn manifest(files: impl Iterator<Item = (String, Vec<u8>)>) -> String {
    files.map(|(file, bytes)| format!("{}  {file}\n", blake3::hash(&bytes))).collect()
}

#[test]
fn every_byte_is_what_a_build_gives() {
    for shipped in TABLES {
        let (file, bytes) = named(shipped);
        assert_eq!(file, shipped.file);
        assert!(bytes == shipped.bytes, "{file} differs from what a build gives; {REMEDY}");
        let on_disk = std::fs::read(folder().join(&file)).unwrap();
        assert!(on_disk == shipped.bytes, "{file} changed since the library was compiled");
    }
}

#[test]
fn every_table_is_rebuilt_from_its_own_descriptor() {
    for shipped in TABLES {
        let table = Table::from_bytes(shipped.bytes).unwrap_or_else(|e| panic!("{}: {e}; {REMEDY}", shipped.file));
        let descriptor = table.descriptor();
        let (file, bytes) = built(&descriptor.family, &Parameters::from(descriptor.parameters.clone()));
        assert_eq!(file, shipped.file);
        assert!(bytes == shipped.bytes, "{file} differs from what its descriptor gives; {REMEDY}");
        verify_bytes(&table, &|_| {}).unwrap();
        verify_labels(&table, Labels::All, &|_| {}).unwrap();
    }
}

#[test]
fn the_manifest_has_the_hash_of_every_table() {
    let expected = manifest(TABLES.iter().map(|shipped| (shipped.file.to_owned(), shipped.bytes.to_vec())));
    assert_eq!(std::fs::read_to_string(folder().join("B3SUMS")).unwrap(), expected, "{REMEDY}");
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.retain(|name| name != "B3SUMS");
    files.sort();
    let mut shipped: Vec<_> = TABLES.iter().map(|shipped| shipped.file).collect();
    shipped.sort_unstable();
    assert_eq!(files, shipped, "tables/ holds the shipped tables, their manifest and nothing else");
}

#[test]
#[ignore = "writes into tables/: run it where the bytes are meant to change"]
fn write_the_tables_and_the_manifest_anew() {
    for (file, bytes) in TABLES.iter().map(named) {
        std::fs::write(folder().join(file), bytes).unwrap();
    }
    std::fs::write(folder().join("B3SUMS"), manifest(TABLES.iter().map(named))).unwrap();
}
