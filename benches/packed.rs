//! Compressed tables for each block size: their size, the time to write them, and the time of a first and a second
//! look-up in a block, each next to the uncompressed table. `cargo bench --bench packed`.

mod look_ups;

use std::time::{Duration, Instant};

use tablegen::compressed::Compression;
use tablegen::game::{Game, Play, Tactics};
use tablegen::solve::{Options, solve};
use tablegen::table::{SaveTable, Table};

use look_ups::look_ups;

fn main() {
    let game = Tactics::new(5, 6, 6, Play::Misere).expect("a board of ordinary size");
    let solution = solve(game.rules(), &Options::default()).expect("rules that fit");
    let write = |packing| {
        let begun = Instant::now();
        let bytes = solution.to_packed_bytes(&game.descriptor(), packing);
        (begun.elapsed(), bytes)
    };
    let (took, plain) = write(None);
    println!("{}: {} bytes, written to memory in {took:.2?}", game.rules().name(), plain.len());
    let plain_bytes = plain.len();
    let plain = Table::from_bytes(plain).expect("a table").checked().expect("a sound list");
    for level in [1, 3, 6] {
        for bits in [14, 15, 16, 17, 18] {
            let (took, bytes) = write(Some(Compression { block: 1 << bits, level }));
            let part = bytes.len() as f64 / plain_bytes as f64;
            let packed = Table::from_bytes(bytes).expect("a table").checked().expect("a sound index");
            // The tables take turns, so that other load on the machine slows both.
            let [mut ours, mut theirs] = [[Duration::MAX; 2]; 2];
            for round in 0..3 {
                ours = [ours, look_ups(&packed, round)].into_iter().min().unwrap_or(ours);
                theirs = [theirs, look_ups(&plain, round)].into_iter().min().unwrap_or(theirs);
            }
            let [[cold, warm], [plain_cold, plain_warm]] = [ours, theirs];
            println!(
                "level {level}, {:>3} KiB: {part:.4} of the size, {took:.2?} to write; cold {cold:.2?}, warm {warm:.2?}; uncompressed {plain_cold:.2?}, {plain_warm:.2?}",
                (1u64 << bits) / 1024
            );
        }
    }
}
