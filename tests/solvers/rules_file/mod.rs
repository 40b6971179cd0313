//! Rules files: published results of the games in `games/`, and properties of every file.

mod areas;
mod blocked;
mod connection;
mod constructs;
mod docs;
mod fuzz;
mod hackenbush;
mod heaps;
mod known;
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
mod statements;
mod turning;

use crate::common::library::{game, read};
use crate::common::{dense, outcome, sparse_of};
use tablegen::game::{FileGame, Game};
use tablegen::rules::{Node, Outcome, Position};

/// The outcome for the player who moves first, by the dense solver; small games are solved by the sparse solver as
/// well.
fn at_start(game: &FileGame) -> Outcome {
    let Node::At(start) = game.rules().start_node() else { panic!("no opening") };
    let found = outcome(&dense(game.rules()), start);
    if game.rules().positions() <= 1 << 18 {
        assert_eq!(sparse_of(game).outcome(start), Some(found), "{}", game.rules().name());
    }
    found
}

/// The outcome class, as one of the letters N, P, L and R.
fn class(game: &FileGame) -> String {
    let solution = sparse_of(game);
    let mut look_up = |position: Position| solution.outcome(position);
    game.outcome_class(&mut look_up).map_or("none".into(), |class| class.to_string())
}
