//! The time of look-ups in a table that is loaded into memory, memory-mapped, or read from its file block by block.
//!
//! Positions are drawn at random, so the first look-up of each finds its block unread; a second look-up of the same
//! position finds it read. `cargo bench --bench by_block`.

mod look_ups;

use std::path::Path;
use std::time::{Duration, Instant};

use tablegen::compressed::Compression;
use tablegen::game::{Game, Play, Tactics};
use tablegen::rules::Rules;
use tablegen::solve::{Method, Options, solve};
use tablegen::table::{SaveTable, Table};

use look_ups::look_ups;

fn measure(name: &str, rules: &Rules, method: Method, packing: Option<Compression>, file: &Path) {
    let solution = solve(rules, &Options::of(method)).expect("rules that fit");
    let bytes = solution.to_packed_bytes(&Default::default(), packing);
    std::fs::write(file, &bytes).expect("room for a table");
    let ways: [(&str, &dyn Fn() -> Table); 3] = [
        ("in memory", &|| Table::open(file).expect("a sound table")),
        // SAFETY: no other program writes to a file in the temporary folder of this one.
        ("mapped", &|| unsafe { Table::map(file) }.expect("a sound table")),
        ("by block", &|| Table::open_by_block(file).expect("a sound table")),
    ];
    println!("{name}, {} bytes", bytes.len());
    for (way, open) in ways {
        let begun = Instant::now();
        let table = open();
        let opened = begun.elapsed();
        let rounds: Vec<[Duration; 2]> = (0..3).map(|seed| look_ups(&table, seed)).collect();
        let [first, again] = [0, 1].map(|at| rounds.iter().map(|round| round[at]).min().unwrap_or_default());
        println!("  {way:<10} opened in {opened:.2?}; a look-up {first:.2?}, again {again:.2?}");
    }
}

fn main() {
    let folder = std::env::temp_dir().join(format!("tablegen-by-block-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a table");
    let file = folder.join("it.tb");
    let large = Tactics::new(5, 6, 6, Play::Misere).expect("a board of ordinary size");
    let small = Tactics::new(4, 6, 4, Play::Misere).expect("a board of ordinary size");
    measure("dense", large.rules(), Method::Dense, None, &file);
    measure("dense, compressed", large.rules(), Method::Dense, Some(Compression::default()), &file);
    measure("sparse", small.rules(), Method::Sparse, None, &file);
    let _ = std::fs::remove_dir_all(folder);
}
