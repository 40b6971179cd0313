//! Solves games with one call, and lists positions.

use tablegen::game::Game;
use tablegen::label::LabelSet;
use tablegen::rules::{Board, Mode, Position, Rules};
use tablegen::solve::{Method, Options, Solution, solve};

/// Solves with the best kernel.
pub(crate) fn dense(rules: &Rules) -> Solution {
    let labels = LabelSet::OUTCOME.needed_by(rules);
    solve(rules, &Options { labels, ..Options::default() }).expect("the rules are small")
}

/// Solves the reachable positions of `game`, from its roots.
pub(crate) fn sparse_of(game: &dyn Game) -> Solution {
    let options = Options::of(Method::of_reachable(game.rules()));
    let options = Options { roots: &game.roots(), labels: options.labels.needed_by(game.rules()), ..options };
    solve(game.rules(), &options).expect("the rules are small")
}

/// Every position of `rules`, ordered by mode, then by board number.
pub(crate) fn positions(rules: &Rules) -> impl Iterator<Item = Position> + use<> {
    let boards = 1u64 << rules.cells();
    (0..rules.modes().len() as u16)
        .flat_map(move |mode| (0..boards).map(move |b| Position::new(Mode(mode), Board::from_word(b))))
}
