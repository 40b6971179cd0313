//! The reader of tables in Python, which is written from docs/reference/format.md.

use std::path::Path;
use std::process::{Command, Output};

/// Runs `tests/read_table.py` with `arguments`.
pub(crate) fn read_table(arguments: &[&Path]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_table.py");
    let run = Command::new("python3").arg(script).args(arguments).output();
    run.unwrap_or_else(|e| panic!("cannot run tests/read_table.py, which needs python3: {e}"))
}

/// Runs the script on `table`; it prints the labels of every position.
pub(crate) fn labels_of(table: &[u8]) -> Output {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("table.tb");
    std::fs::write(&path, table).expect("a new file");
    read_table(&[Path::new("--labels"), &path])
}
