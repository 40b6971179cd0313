//! Rules files: what is published of the games in `games/`, and what must hold of any file.

#[path = "../common/mod.rs"]
mod common;
mod docs;
mod fuzz;
mod known;
mod models;
mod notation;
mod refusals;
mod same;

use tablegen::game::{Game, Parameters, Written, library};
use tablegen::rules::{Outcome, Place, Position};
use tablegen::solve::{self, sparse};

/// The game of the library that is called `name`, with `set` written as on a command line: `rows=5 play=misere`.
fn game(name: &str, set: &str) -> Written {
    let file = library().iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name} in games/"));
    read(file.text, set).unwrap_or_else(|e| panic!("games/{name}.toml: {e}"))
}

/// `text` read with `set`; a refusal in words.
fn read(text: &str, set: &str) -> Result<Written, String> {
    let pairs = set.split_whitespace().map(|pair| pair.split_once('=').expect("KEY=VALUE"));
    let set = pairs.fold(Parameters::new(), |set, (key, value)| set.with(key, value));
    Written::read(text, &set).map_err(|e| e.to_string())
}

/// Every position that play reaches, labelled.
fn reached(game: &Written) -> sparse::Solution {
    let roots = game.roots();
    let options = sparse::Options { roots: &roots, ..sparse::Options::default() };
    solve::sparse(game.rules(), &options).expect("the rules are sound and small")
}

/// What the player finds who moves first.
fn at_start(game: &Written) -> Outcome {
    let Place::At(start) = game.rules().first_place() else { panic!("no opening") };
    reached(game).outcome(start).expect("the start is reached")
}

/// The outcome class, by the letters N, P, L and R.
fn class(game: &Written) -> String {
    let solution = reached(game);
    let mut look_up = |position: Position| solution.outcome(position);
    game.outcome_class(&mut look_up).map_or("none".into(), |class| class.to_string())
}
