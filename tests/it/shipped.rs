//! The shipped tables, embedded or not, equal what a build writes, byte for byte, and the manifest has their hashes.
//!
//! If you change the layout or the format on purpose:
//!
//! ```text
//! cargo test --test it shipped -- --ignored   # builds the tables and the manifest again; commit what it wrote
//! cargo test --test it shipped
//! ```

use std::path::{Path, PathBuf};

use tablegen::engine::{BuildOptions, Engine, TableDirs};
use tablegen::game::{self, Parameters};
use tablegen::shipped::{LABELS, MOST_EMBEDDED, Shipped, TABLES, embedded};
use tablegen::table::Table;
use tablegen::verify;

const REMEDY: &str = "if that was meant: cargo test --test it shipped -- --ignored, and commit tables/";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

fn built(family: &str, parameters: &Parameters) -> (String, Vec<u8>) {
    let game = game::family(family).unwrap().make(parameters).unwrap();
    let file = format!("{}.tb", game.rules().name());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(&file);
    let engine = Engine::new(TableDirs::none());
    let options = BuildOptions { output: Some(path.clone()), labels: LABELS, ..BuildOptions::default() };
    engine.plan(game, &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap();
    (file, std::fs::read(path).unwrap())
}

fn named(shipped: &Shipped) -> (String, Vec<u8>) {
    let parameters: Vec<_> = shipped.parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    built(shipped.family, &Parameters::from(parameters))
}

/// A manifest in the format of `b3sum`.
fn manifest(files: impl Iterator<Item = (String, Vec<u8>)>) -> String {
    files.map(|(file, bytes)| format!("{}  {file}\n", blake3::hash(&bytes))).collect()
}

/// The bytes of a shipped table in `tables/`.
fn on_disk(shipped: &Shipped) -> Vec<u8> {
    std::fs::read(folder().join(shipped.file)).unwrap_or_else(|e| panic!("{}: {e}; {REMEDY}", shipped.file))
}

#[test]
fn shipped_tables_equal_a_build() {
    for shipped in TABLES {
        let (file, bytes) = named(shipped);
        assert_eq!(file, shipped.file);
        assert!(bytes == on_disk(shipped), "{file} differs from what a build gives; {REMEDY}");
    }
}

#[test]
fn embedded_tables_equal_their_files_and_are_small() {
    for (shipped, bytes) in embedded() {
        assert!(bytes == on_disk(shipped), "{} changed since the library was compiled", shipped.file);
    }
    let total: usize = embedded().map(|(_, bytes)| bytes.len()).sum();
    assert!((1..MOST_EMBEDDED).contains(&total), "{total} bytes are embedded, {MOST_EMBEDDED} is the limit");
}

#[test]
fn every_table_is_rebuilt_from_its_own_descriptor() {
    for shipped in TABLES {
        let on_disk = on_disk(shipped);
        let table = Table::from_bytes(on_disk.clone()).unwrap_or_else(|e| panic!("{}: {e}; {REMEDY}", shipped.file));
        let descriptor = table.descriptor();
        let (file, bytes) = built(&descriptor.family, &Parameters::from(descriptor.parameters.clone()));
        assert_eq!(file, shipped.file);
        assert!(bytes == on_disk, "{file} differs from what its descriptor gives; {REMEDY}");
        verify::bytes(&table, &verify::Options::default()).unwrap();
        verify::labels(&table, &verify::Options::default()).unwrap();
    }
}

#[test]
fn the_manifest_has_the_hash_of_every_table() {
    let expected = manifest(TABLES.iter().map(|shipped| (shipped.file.to_owned(), on_disk(shipped))));
    assert_eq!(std::fs::read_to_string(folder().join("B3SUMS")).unwrap(), expected, "{REMEDY}");
}

/// A build in the source folder writes into `tables/` too. Tables that users build are neither committed nor packaged.
#[test]
fn only_shipped_tables_are_packaged() {
    let text = |path| std::fs::read_to_string(folder().join("..").join(path)).unwrap_or_default();
    let [package, ignored] = ["Cargo.toml", ".gitignore"].map(text);
    assert!(!package.contains("\"/tables/*"), "the package takes tables by name");
    for file in TABLES.iter().map(|shipped| shipped.file).chain(["B3SUMS"]) {
        assert!(package.contains(&format!("\"/tables/{file}\"")), "{file} is missing from the package");
        // The packaged crate has no .gitignore.
        assert!(ignored.is_empty() || ignored.contains(&format!("!/tables/{file}\n")), "git ignores {file}");
    }
}

#[test]
#[ignore = "writes into tables/: run it if the bytes are meant to change"]
fn write_the_tables_and_the_manifest_again() {
    for (file, bytes) in TABLES.iter().map(named) {
        std::fs::write(folder().join(file), bytes).unwrap();
    }
    std::fs::write(folder().join("B3SUMS"), manifest(TABLES.iter().map(named))).unwrap();
}
