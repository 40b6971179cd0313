//! Scores, compared with plain recursions: of boards written here, and of random rules.

mod boxes;
mod discs;
mod lines;
mod random;

use tablegen_games::{FileGame, Game, LIBRARY, Parameters};
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::{Node, Position, Rules};
use tablegen_solvers::{Method, Options, Solution, solve};

/// The rules file of the library, with a list of parameters such as `rows=3`.
fn library(name: &str, set: &str) -> FileGame {
    let file = LIBRARY.iter().find(|game| game.name == name).unwrap();
    let set = if set.is_empty() { Parameters::new() } else { Parameters::listed(set).unwrap() };
    file.read(&set).unwrap()
}

fn solved(rules: &Rules) -> Solution {
    let labels = LabelSet::OUTCOME.with(LabelKind::Score);
    solve(rules, &Options { labels, ..Options::of(Method::Sparse) }).unwrap()
}

fn score(solution: &Solution, position: Position) -> i32 {
    solution.value(position).unwrap().score().unwrap()
}

fn at(game: &dyn Game, text: &str) -> Position {
    match game.read(text).unwrap_or_else(|error| panic!("{error}")).node {
        Node::At(position) => position,
        Node::Opening => panic!("{text} is an opening"),
    }
}
