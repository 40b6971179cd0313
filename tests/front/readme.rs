//! The documentation shows what the program prints. Every ```` ```console ```` block is run and compared. Every row of
//! the tables of results is built and verified. The README's program equals the one in the crate documentation.
//!
//! Commands run as a reader would run them, in a folder with `tables/` and `docs/examples/` of the source.
//! `TRYCMD=overwrite cargo test --test front readme` writes the current output into the pages. Review the difference, and
//! restore `[..]` for text that varies.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tablegen::shipped::TABLES;
use tempfile::TempDir;

/// System programs that the pages use.
const PROGRAMS: [&str; 3] = ["cat", "dd", "head"];

/// The README and every page of the book, as paths in the source folder.
fn pages() -> Vec<String> {
    let book = fs::read_dir(source("docs")).unwrap().map(|entry| entry.unwrap().path());
    let folders = book.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = folders.map(|entry| entry.unwrap().path()).chain([source("docs/index.md")]);
    let mut pages: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    let top = source("");
    let name = |path: &PathBuf| path.strip_prefix(&top).unwrap().to_str().unwrap().to_owned();
    ["README.md".into(), "CONTRIBUTING.md".into()].into_iter().chain(pages.iter().map(name)).collect()
}

/// The pages that show commands with their output.
fn pages_with_commands() -> Vec<String> {
    let pages: Vec<String> = pages().into_iter().filter(|path| page(path).contains("```console\n")).collect();
    assert!(pages.len() >= 10, "{pages:?}");
    pages
}

fn source(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn page(path: &str) -> String {
    fs::read_to_string(source(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A copy of the page, next to the folder in which its commands run.
fn staged(path: &str, folder: &TempDir) -> PathBuf {
    // The name of a page may occur in several folders.
    let copy = folder.path().join(path.replace('/', "-"));
    fs::copy(source(path), &copy).unwrap();
    let cwd = copy.with_extension("in");
    let examples = fs::read_dir(source("docs/examples")).unwrap();
    let examples = examples.map(|entry| Path::new("docs/examples").join(entry.unwrap().file_name()));
    let list = [PathBuf::from("tests/data/shiritori/hard.txt")];
    // Copy the shipped tables only, not tables that the user has built.
    for file in examples.chain(list).chain(TABLES.iter().map(|shipped| Path::new("tables").join(shipped.file))) {
        let to = cwd.join(&file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(source(&file), to).unwrap();
    }
    copy
}

/// Environment variables for folders and output, set to what a user without settings has.
fn environment(home: &Path) -> [(&'static str, String); 8] {
    let home = home.to_str().expect("a temporary folder whose name is text");
    [
        ("HOME", home.into()),
        ("XDG_DATA_HOME", format!("{home}/data")),
        ("TABLEGEN_TABLES", String::new()),
        ("TABLEGEN_KERNEL", String::new()),
        ("COLUMNS", "80".into()),
        ("NO_COLOR", "1".into()),
        ("CLICOLOR_FORCE", "0".into()),
        ("LC_ALL", "C.UTF-8".into()),
    ]
}

/// The path of `program` on this system.
fn found(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(program));
    places.find(|place| place.is_file()).unwrap_or_else(|| panic!("{program} is needed, see the pages"))
}

#[test]
fn every_command_prints_the_text_on_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    let pages = pages_with_commands();
    let copies: Vec<PathBuf> = pages.iter().map(|path| staged(path, &folder)).collect();
    let cases = trycmd::TestCases::new();
    cases.register_bin("tablegen", Path::new(env!("CARGO_BIN_EXE_tablegen")));
    for program in PROGRAMS {
        cases.register_bin(program, found(program));
    }
    for (key, value) in environment(home.path()) {
        cases.env(key, value);
    }
    for copy in &copies {
        // The test harness would silently skip commands of programs that are not registered.
        let text = fs::read_to_string(copy).unwrap();
        let blocks = text.split("```console\n").skip(1).filter_map(|block| block.split("```").next());
        let mut programs = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ ")?.split(' ').next());
        let foreign = programs.find(|program| *program != "tablegen" && !PROGRAMS.contains(program));
        assert_eq!(foreign, None, "in {}", copy.display());
        cases.case(copy);
    }
    cases.run();
    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        for (path, copy) in pages.iter().zip(&copies) {
            fs::copy(copy, source(path)).unwrap();
        }
    }
}

/// Runs `tablegen` with `--json` and returns the object that it prints.
fn json(arguments: &[&str], cwd: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
    let output = command.args(arguments).arg("--json").current_dir(cwd).envs(environment(cwd)).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Builds every row of the tables of results and verifies it. For a large table, `verify` checks a sample of the
/// labels, and `large` has the options of the independent search.
fn assert_results(large: &[&str]) {
    let text = page("docs/explanation/results.md");
    let (text, _) = text.split_once("\n## Larger").expect("a section of what is too large to be run here");
    let folder = tempfile::tempdir().unwrap();
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| `tablegen build ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [command, wins, losses, start, _] = cells[..] else { panic!("five columns: {line}") };
        let arguments: Vec<&str> = command.trim_matches('`').split(' ').skip(1).chain(["-o", "table.tb"]).collect();
        let built = json(&[&arguments[..], &["--force"]].concat(), folder.path());
        let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
        // The build reports all boards apart from the reachable ones, and the page shows all boards.
        let counts = built.get("boards").unwrap_or(&built["counts"]);
        assert_eq!((&counts["win"], &counts["loss"]), (&number(wins).into(), &number(losses).into()), "{line}");
        assert_eq!(built["start"]["outcome"], start, "{line}");
        // A full check of a large table takes long, and an independent search from a large board takes longer.
        let is_large = built["positions"].as_u64() > Some(1 << 20);
        let (sample, large): (&[&str], _) = if is_large { (&["--sample", "100000"], large) } else { (&[], &[][..]) };
        let labels = [&["verify", "table.tb", "--level", "bytes", "--level", "labels"], sample].concat();
        let oracle = [&["verify", "table.tb", "--level", "oracle"], large].concat();
        for levels in [labels, oracle] {
            assert_eq!(json(&levels, folder.path())["ok"], true, "{line}");
        }
        rows += 1;
    }
    assert_eq!(rows, 41);
}

#[test]
fn every_row_of_the_results_is_correct() {
    assert_results(&["--sample", "20"]);
}

/// The same check with the default sample of `verify` for large boards.
#[test]
#[ignore = "half a minute"]
fn every_row_of_the_results_is_correct_in_a_larger_sample() {
    assert_results(&[]);
}

/// The words of a command; text in double quotes is one word.
fn words(command: &str) -> Vec<&str> {
    let quoted = command.split('"').enumerate();
    quoted.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// The command in each row of the published figures gives the figure of that row.
#[test]
fn every_published_figure_is_found() {
    let text = page("docs/explanation/results.md");
    let folder = tempfile::tempdir().unwrap();
    let mut rows = 0;
    let commands = ["probe", "value", "estimate"].map(|command| format!("| `tablegen {command} "));
    let shown = |line: &&str| commands.iter().any(|command| line.starts_with(command));
    for line in text.lines().filter(shown) {
        let cells: Vec<&str> = line.trim_matches('|').splitn(3, " | ").map(str::trim).collect();
        let [command, figure, source] = cells[..] else { panic!("three columns: {line}") };
        assert!(!source.is_empty(), "{line}");
        let mut program = Command::new(env!("CARGO_BIN_EXE_tablegen"));
        let arguments = words(command.trim_matches('`')).into_iter().skip(1);
        let output =
            program.args(arguments).current_dir(folder.path()).envs(environment(folder.path())).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && told.contains(figure), "{line}\n{told}");
        rows += 1;
    }
    assert!(rows >= 185, "{rows} rows");
}

/// The text between `open` and the next `close`.
fn block<'a>(text: &'a str, open: &str, close: &str) -> &'a str {
    let (_, rest) = text.split_once(open).unwrap_or_else(|| panic!("no {open:?}"));
    rest.split_once(close).expect("a fence that closes").0
}

#[test]
fn the_program_is_that_of_the_crate_documentation() {
    let documented: String = block(&page("src/lib.rs"), "//! ```\n", "//! ```\n")
        .lines()
        .map(|line| line.strip_prefix("//!").unwrap().strip_prefix(' ').unwrap_or_default())
        .filter(|line| !line.starts_with("# "))
        .fold(String::new(), |text, line| text + line + "\n");
    assert_eq!(block(&page("README.md"), "```rust\n", "```\n"), documented);
}

#[test]
fn the_graph_on_the_page_is_the_example() {
    assert_eq!(block(&page("docs/reference/games.md"), "```text\n", "```\n"), page("docs/examples/square.txt"));
}

/// The text of a page without its code blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

#[test]
fn every_file_that_a_page_names_exists() {
    for path in pages() {
        let text = prose(&page(&path));
        let named = text.split(['`', '(', ')', '|', ' ', '\n']).filter(|word| {
            let folders = ["tests/", "src/", "docs/", "crates/", "benches/"];
            folders.iter().any(|folder| word.starts_with(folder)) && word.contains('.')
        });
        for word in named.filter(|word| !word.contains(['*', ']', ';', '{']) && !word.contains("NAME")) {
            let word = word.trim_end_matches([',', '.', ':', '\'']).split('#').next().unwrap();
            assert!(source(word).exists(), "{path} names {word}");
        }
    }
}

/// Every link of a page leads to a file, and every page is in the summary of the book.
#[test]
fn links_lead_to_pages_and_the_book_has_every_page() {
    let summary = page("docs/SUMMARY.md");
    for path in pages().into_iter().chain(["docs/SUMMARY.md".into()]) {
        let text = prose(&page(&path));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(source(&path).parent().unwrap().join(link).exists(), "{path} links to {link}");
        }
        if let Some(name) = path.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md") {
            assert!(summary.contains(&format!("({name})")), "{name} is not in the book");
        }
    }
}

/// The first page stays short: everything else is a link.
#[test]
fn the_readme_is_short() {
    assert!(include_str!("../../README.md").lines().count() <= 120);
}

/// The version in a file, after `key`.
fn version_after(path: &str, key: &str) -> String {
    let text = page(path);
    let (_, rest) = text.split_once(key).unwrap_or_else(|| panic!("{path} has {key:?}"));
    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || ".-".contains(*c)).collect()
}

#[test]
fn citations_have_the_version_of_the_program() {
    for (path, key) in [
        ("CITATION.cff", "\nversion: "),
        ("docs/how-to/cite.md", "version = {"),
        ("docs/how-to/cite.md", "*, version "),
    ] {
        let version = version_after(path, key);
        assert_eq!(version.trim_end_matches('.'), env!("CARGO_PKG_VERSION"), "{path}");
    }
}

/// Without such a file, `cargo` uses the compiler that is there.
#[test]
fn no_file_makes_rustup_fetch_a_compiler() {
    for file in ["rust-toolchain", "rust-toolchain.toml", "fuzz/rust-toolchain.toml", "python/rust-toolchain.toml"] {
        assert!(!source(file).exists(), "{file}");
    }
}

/// The text of the release page has the changes, and each file with its size and checksum. Every kind of file has a description.
#[test]
fn the_page_of_a_release_lists_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "tablegen-0-x86_64-linux.tar.gz",
        "tablegen-0-source.tar.gz",
        "tablegen_0_amd64.deb",
        "tablegen-0-cp39-abi3.whl",
        "tablegen-0.cdx.json",
        "tablegen-python-0.cdx.json",
    ];
    let sums: String = names.iter().map(|name| format!("{:064x}  {name}\n", name.len())).collect();
    names.iter().for_each(|name| fs::write(folder.path().join(name), name).unwrap());
    fs::write(folder.path().join("SHA256SUMS"), sums).unwrap();
    let run = || Command::new("bash").arg(source(".ci/notes")).arg(folder.path()).output().unwrap();
    let output = run();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("# tablegen ") && text.contains("\n- Commands: "), "{text}");
    for name in names {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{name}` | "))).unwrap();
        assert!(row.ends_with(&format!(" | {0} | `{0:064x}` |", name.len())), "{row}");
    }
    fs::write(folder.path().join("SHA256SUMS"), "0  other.zip\n").unwrap();
    assert!(!run().status.success());
}
