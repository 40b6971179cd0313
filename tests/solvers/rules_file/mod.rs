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

use crate::common::library::{game, read};
use crate::common::sparse_of;
use tablegen::game::{FileGame, Game};
use tablegen::rules::Position;

/// The outcome class, as one of the letters N, P, L and R.
fn class(game: &FileGame) -> String {
    let solution = sparse_of(game);
    let mut look_up = |position: Position| solution.outcome(position);
    game.outcome_class(&mut look_up).map_or("none".into(), |class| class.to_string())
}
