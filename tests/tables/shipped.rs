//! The shipped tables, embedded or not, equal the output of a build, byte for byte, and the manifest has their hashes.
//!
//! If you change the layout or the format on purpose:
//!
//! ```text
//! cargo test --test tables shipped::write -- --ignored   # builds the tables and the manifest again; commit what it wrote
//! cargo test --test tables shipped
//! ```

use std::path::{Path, PathBuf};

use tablegen::engine::{BuildOptions, Engine, TableDirs};
use tablegen::game::{self, Game, Parameters};
use tablegen::shipped::{LABELS, MOST_EMBEDDED, Shipped, TABLES, embedded};
use tablegen::table::Table;
use tablegen::verify;

const REMEDY: &str = "if that was meant: cargo test --test tables shipped::write -- --ignored, and commit tables/";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

fn made(family: &str, parameters: Parameters) -> Box<dyn Game> {
    game::family(family).unwrap().make(&parameters).unwrap()
}

fn of(shipped: &Shipped) -> Box<dyn Game> {
    let parameters: Vec<_> = shipped.parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    made(shipped.family, Parameters::from(parameters))
}

fn built(game: Box<dyn Game>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.tb");
    let engine = Engine::new(TableDirs::none());
    let options = BuildOptions { output: Some(path.clone()), labels: LABELS, ..BuildOptions::default() };
    engine.plan(game, &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap();
    std::fs::read(path).unwrap()
}

/// A manifest in the format of `b3sum`.
fn manifest(files: impl Iterator<Item = (String, Vec<u8>)>) -> String {
    files.map(|(file, bytes)| format!("{}  {file}\n", blake3::hash(&bytes))).collect()
}

/// The bytes of a shipped table in `tables/`.
fn on_disk(shipped: &Shipped) -> Vec<u8> {
    std::fs::read(folder().join(shipped.file)).unwrap_or_else(|e| panic!("{}: {e}; {REMEDY}", shipped.file))
}

/// Rebuilds a table from its own descriptor, which is that of the game in the list.
fn assert_equals_a_build(shipped: &Shipped) {
    let (file, on_disk) = (shipped.file, on_disk(shipped));
    let table = Table::from_bytes(on_disk.clone()).unwrap_or_else(|e| panic!("{file}: {e}; {REMEDY}"));
    let (descriptor, listed) = (table.descriptor(), of(shipped));
    assert_eq!((format!("{}.tb", listed.rules().name()), &listed.descriptor()), (file.to_owned(), descriptor));
    let game = made(&descriptor.family, Parameters::from(descriptor.parameters.clone()));
    assert!(built(game) == on_disk, "{file} differs from the output of a build; {REMEDY}");
    verify::bytes(&table, &verify::Options::default()).unwrap();
    verify::labels(&table, &verify::Options::default()).unwrap();
}

#[test]
fn embedded_tables_equal_a_build() {
    TABLES.iter().filter(|shipped| shipped.bytes.is_some()).for_each(assert_equals_a_build);
}

#[test]
#[ignore = "these tables are too large to be built in every run"]
fn other_shipped_tables_equal_a_build() {
    TABLES.iter().filter(|shipped| shipped.bytes.is_none()).for_each(assert_equals_a_build);
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
    for shipped in TABLES {
        std::fs::write(folder().join(shipped.file), built(of(shipped))).unwrap();
    }
    let files = TABLES.iter().map(|shipped| (shipped.file.to_owned(), on_disk(shipped)));
    std::fs::write(folder().join("B3SUMS"), manifest(files)).unwrap();
}
