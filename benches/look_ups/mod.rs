//! The time of look-ups in a table, for benchmarks that compare ways to store and read a table.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tablegen::rules::{Board, Position};
use tablegen::table::Table;

/// The number of positions that are looked up, each twice.
const ASKED: usize = 4000;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The median times of a first look-up of a random position and of a second look-up of the same position.
pub(crate) fn look_ups(table: &Table, seed: u64) -> [Duration; 2] {
    let mut random = fastrand::Rng::with_seed(seed);
    let boards = 1u64 << table.rules().cells();
    let ask = |board: u64| {
        let begun = Instant::now();
        black_box(table.find(Position::of(Board::from_word(board))).expect("a sound table"));
        begun.elapsed()
    };
    let both = (0..ASKED).map(|_| random.u64(..boards)).map(|board| (ask(board), ask(board)));
    let (first, again) = both.unzip();
    [median(first), median(again)]
}
