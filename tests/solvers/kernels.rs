//! `TABLEGEN_KERNEL`: each kernel of this machine writes the same file, and an unavailable kernel is refused.

use std::path::Path;
use std::process::{Command, Output};

use tablegen::solve::Kernel;

/// Builds 4x5 into `folder` with `kernel`.
fn build(folder: &Path, kernel: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
    command.args(["build", "tactics", "--cols", "5", "--json", "-o"]).arg(folder.join(kernel));
    command.env("TABLEGEN_KERNEL", kernel).env("HOME", folder).current_dir(folder).output().expect("tablegen runs")
}

#[test]
fn every_kernel_writes_the_same_file_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for kernel in Kernel::available() {
        let output = build(folder.path(), kernel.name());
        assert!(output.status.success(), "{kernel}: {}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(&format!("\"kernel\":\"{kernel}\"")), "{said}");
        files.push(std::fs::read(folder.path().join(kernel.name())).unwrap());
    }
    assert!(files.len() >= 2 || cfg!(not(target_arch = "x86_64")), "only one kernel to compare");
    assert!(files.iter().all(|file| file == &files[0]));
}

#[test]
fn a_kernel_that_is_not_available_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let absent = Kernel::ALL.into_iter().filter(|kernel| !kernel.is_available()).map(|kernel| kernel.name());
    for name in absent.chain(["sse9", "AVX2 "]) {
        let output = build(folder.path(), name);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(said.starts_with("error: TABLEGEN_KERNEL: ") && said.lines().count() == 1, "{said}");
        assert!(!folder.path().join(name).exists());
    }
}
