//! The list of unsafe code, with the argument for each place.
//!
//! `TABLEGEN_WRITE_UNSAFE=1 cargo test --test tables unsafe_code` writes it again.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/contributors/unsafe.md";
const HEAD: &str = "# Unsafe code

A test generates this page from the comments `SAFETY` of the sources. The lints refuse unsafe code without such a comment. *Places* counts
blocks, functions and implementations; one argument may cover several places.

";

/// The files of Rust in `folder`, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let inner = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.into_iter().flat_map(inner).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// The number of places with unsafe code, and the different arguments for them.
fn arguments(text: &str) -> (usize, Vec<String>) {
    let (mut places, mut arguments) = (0, Vec::new());
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let code = line.split("//").next().unwrap_or_default();
        places += ["unsafe {", "unsafe impl", "unsafe fn", "unsafe extern"]
            .map(|what| code.matches(what).count())
            .iter()
            .sum::<usize>();
        let Some(first) = line.strip_prefix("// SAFETY: ") else { continue };
        let mut argument = first.to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with("// ")) {
            argument = format!("{argument} {}", &more[3..]);
        }
        if !arguments.contains(&argument) {
            arguments.push(argument);
        }
    }
    (places, arguments)
}

#[test]
fn the_list_of_unsafe_code_is_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut page = HEAD.to_owned();
    for folder in ["crates", "python/src", "src"] {
        for path in files(&root.join(folder)) {
            let (places, arguments) = arguments(&fs::read_to_string(&path).unwrap());
            if places == 0 {
                continue;
            }
            let name = path.strip_prefix(root).unwrap().display().to_string();
            writeln!(page, "## {name}\n\n{places} {}:\n", if places == 1 { "place" } else { "places" }).unwrap();
            assert!(!arguments.is_empty(), "{name} has unsafe code without a comment SAFETY");
            arguments.iter().for_each(|argument| writeln!(page, "- {argument}").unwrap());
            page.push('\n');
        }
    }
    let page = page.trim_end().to_owned() + "\n";
    if std::env::var_os("TABLEGEN_WRITE_UNSAFE").is_some() {
        fs::write(root.join(PAGE), &page).unwrap();
    }
    assert!(fs::read_to_string(root.join(PAGE)).unwrap() == page, "write {PAGE} again, see the top of this file");
}
