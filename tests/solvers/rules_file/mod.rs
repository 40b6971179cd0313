//! Rules files: properties of every file. The session `published` has published results of the games in `games/`.

mod areas;
mod blocked;
mod connection;
mod constructs;
mod docs;
mod frozen;
mod fuzz;
mod hackenbush;
mod heaps;
mod language;
mod marks;
mod models;
mod moving;
mod notation;
mod phases;
mod pieces;
mod points;
mod refusals;
mod same;
mod slides_and_swaps;
mod statements;
mod turning;

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::common::library::{game, read};
use crate::common::sparse_of;
use tablegen::game::{FileGame, Game, Parameters, RulesFileError};
use tablegen::rules::Position;

/// The outcome class, as one of the letters N, P, L and R.
fn class(game: &FileGame) -> String {
    let solution = sparse_of(game);
    let mut look_up = |position: Position| solution.outcome(position);
    game.outcome_class(&mut look_up).map_or("none".into(), |class| class.to_string())
}

/// Far longer than reading any text takes, even in a test build.
const LONG: Duration = Duration::from_secs(5);

/// The processor time of this thread, which does not grow while other programs run; where the system does not tell it, the time that passed.
fn spent() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let tells = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = tells.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGUN.elapsed(), Duration::from_nanos)
}

/// Reads `text`. Panics if that takes long.
fn read_quickly(text: &str, set: &Parameters) -> Result<FileGame, RulesFileError> {
    let begun = spent();
    let read = FileGame::read(text, set);
    let taken = spent() - begun;
    assert!(taken < LONG, "{taken:?} for {} bytes: {}", text.len(), text.chars().take(60).collect::<String>());
    read
}
