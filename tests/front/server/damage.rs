//! Tables that change while a server runs: truncated, overwritten or replaced. The server answers 503 for such a table
//! until it is whole again, still answers for other tables, and gives no wrong answer.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{PATIENCE, Reply, Served};

/// A table in the folder of the server, with two requests about it and their answers.
struct Asked {
    file: PathBuf,
    whole: Vec<u8>,
    paths: [String; 2],
    answers: [String; 2],
}

impl Asked {
    /// Builds the table of `game`, whose name is `name`, and stores its answers.
    fn new(served: &Served, game: &[&str], name: &str) -> Self {
        let built = served.home.try_run(&[&["--tables", "tables", "build"], game].concat());
        assert_eq!(built.status, 0, "{}", built.stderr);
        let file = served.home.path(&format!("tables/{name}.tb"));
        let whole = std::fs::read(&file).unwrap();
        let paths = ["probe", "stats"].map(|what| format!("/api/v1/{what}?game={name}"));
        let answers = ["probe", "stats"].map(|what| served.home.run(&["--tables", "tables", what, name, "--json"]));
        Self { file, whole, paths, answers }
    }

    /// Repeats the requests until each answer is right or, with `is_damaged`, an error. No other answer may come.
    fn becomes(&self, served: &Served, is_damaged: bool) {
        let begun = Instant::now();
        for (path, right) in self.paths.iter().zip(&self.answers) {
            loop {
                let Reply { status, body, .. } = served.get(path);
                match status {
                    200 => assert_eq!(body, *right, "{path}"),
                    503 => assert!(body.contains(".tb: ") && body.contains("; build it again"), "{body}"),
                    _ => panic!("{status}: {body}"),
                }
                if (status == 503) == is_damaged {
                    break;
                }
                assert!(begun.elapsed() < PATIENCE, "{path}: {status}: {body}");
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        }
    }
}

/// Overwrites a file in place, as `truncate` and `cp` do.
fn overwrite(file: &Path, bytes: &[u8]) {
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn a_table_that_is_cut_or_overwritten_answers_503_until_it_is_whole() {
    let served = Served::with(&["--tables", "tables"]);
    let tables = [
        Asked::new(&served, &["tactics", "--rows", "4", "--cols", "5"], "tactics-4x5-run4-misere"),
        Asked::new(&served, &["tactics", "--rows", "3", "--cols", "5", "--compress", "on"], "tactics-3x5-run4-misere"),
        Asked::new(&served, &["dominoes", "--n", "4"], "dominoes-4-normal"),
        Asked::new(&served, &["mnk", "--labels", "outcome,remoteness"], "tictactoe"),
    ];
    tables.iter().for_each(|table| table.becomes(&served, false));
    for (number, table) in tables.iter().enumerate() {
        // The first damage truncates the table to its header.
        let header = u32::from_le_bytes(table.whole[12..16].try_into().unwrap()) as usize;
        let cut = &table.whole[..header];
        let mut other = table.whole.clone();
        other[header..].iter_mut().for_each(|byte| *byte ^= 0x55);
        for damaged in [cut, &other] {
            overwrite(&table.file, damaged);
            table.becomes(&served, true);
            let others = tables.iter().enumerate().filter(|(other, _)| *other != number);
            others.for_each(|(_, other)| other.becomes(&served, false));
            // Restore the table, once in place and once by renaming another file.
            if damaged.len() < table.whole.len() {
                overwrite(&table.file, &table.whole);
            } else {
                let next = served.home.path("next");
                overwrite(&next, &table.whole);
                std::fs::rename(next, &table.file).unwrap();
            }
            table.becomes(&served, false);
        }
    }
}
