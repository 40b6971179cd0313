//! An independent model of the language of rules files: plain characters on a board, written from the documentation alone.
//! Random files of a few squares cross the keys with each other. Game and model agree on the starts, on the moves and the end
//! of every position, and on its outcome.

mod acts;
mod board;
mod compare;
mod ends;
mod file;
mod moves;
mod random;
mod random_moves;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The number of random files of an ordinary run.
const FILES: u64 = 2_000;
/// How many times as many files the long form has.
const TIMES: u64 = 100;
/// A file with more positions is compared only where play from a few random boards leads.
const MOST: usize = 600;

/// What a run compared.
#[derive(Default)]
struct Run {
    /// The number of files that the reader took.
    accepted: usize,
    positions: usize,
    /// Positions whose outcome a solver gave as well.
    solved: usize,
    /// For each key, the keys that some accepted file has beside it.
    beside: BTreeMap<String, BTreeSet<String>>,
    different: Vec<String>,
}

impl Run {
    fn of(seeds: Range<u64>) -> Self {
        let mut run = Self::default();
        for seed in seeds {
            let (file, boards) = random::random(seed);
            let Ok(game) = compare::read(&file) else { continue };
            run.accepted += 1;
            let tables = file.tables();
            let keys =
                tables.iter().flat_map(|(table, entries)| entries.iter().map(move |(key, _)| format!("{table}.{key}")));
            let keys: BTreeSet<String> = keys.collect();
            for key in &keys {
                run.beside.entry(key.clone()).or_default().extend(keys.iter().cloned());
            }
            match compare::compare(&file, &game, &boards, MOST) {
                Ok(compared) => {
                    run.positions += compared.positions;
                    run.solved += compared.solved;
                }
                Err(text) => run.different.push(format!("file {seed}\n{text}")),
            }
        }
        run
    }

    /// Panics with the first files on which game and model differ, and if the files do not cross the keys.
    fn check(&self, files: u64) {
        println!(
            "{files} files, {} accepted; {} positions, {} of them solved; {} files differ",
            self.accepted,
            self.positions,
            self.solved,
            self.different.len()
        );
        let (count, first) = (self.different.len(), self.different.iter().take(3));
        assert!(count == 0, "{count} files differ\n\n{}", first.cloned().collect::<Vec<_>>().join("\n\n"));
        assert!(3 * self.accepted > 2 * files as usize, "{} of {files} files accepted", self.accepted);
        assert!(self.solved * 2 > self.positions, "{} of {} positions solved", self.solved, self.positions);
        // A graph, and lines that fall, go with few other keys.
        let keys = self.beside.len();
        let crossed = self.beside.values().filter(|beside| 5 * beside.len() > 4 * keys).count();
        assert!(keys >= 78 && 10 * crossed > 9 * keys, "{crossed} of {keys} keys stand beside most others");
        for (key, beside) in &self.beside {
            assert!(5 * beside.len() > 2 * keys, "{key} stands beside {} of {keys} keys", beside.len());
        }
    }
}

#[test]
fn random_files() {
    Run::of(0..FILES).check(FILES);
}

#[test]
#[ignore = "198,000 files: minutes"]
fn many_random_files() {
    Run::of(FILES..TIMES * FILES).check((TIMES - 1) * FILES);
}
