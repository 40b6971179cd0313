//! The word lists of Shiritori that the tests use, and the table of the hard list, which takes seconds to build.

use std::sync::OnceLock;

use super::sparse_of;
use tablegen::game::{Game, Play, Shiritori};
use tablegen::table::{SaveTable, Table};

pub(crate) const EASY: &str = include_str!("../../data/shiritori/easy.txt");
pub(crate) const MEDIUM: &str = include_str!("../../data/shiritori/medium.txt");
pub(crate) const HARD: &str = include_str!("../../data/shiritori/hard.txt");

/// The hard list and its table, built once per process, written and read again.
pub(crate) fn hard() -> (&'static Shiritori, &'static Table) {
    static SOLVED: OnceLock<(Shiritori, Table)> = OnceLock::new();
    let (game, table) = SOLVED.get_or_init(|| {
        let game = Shiritori::new(HARD, Play::Normal).expect("a list");
        let table = Table::from_bytes(sparse_of(&game).to_bytes(&game.descriptor())).expect("a table");
        (game, table)
    });
    (game, table)
}
