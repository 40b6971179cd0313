//! Games that are solved by regions.

use tablegen::label::LabelSet;
use tablegen::rules::{Board, Move, Position, Rules, RulesSpec, Start};
use tablegen::solve::{Options, Solution, Solver, solve};
use tablegen::symmetry::Group;
use tablegen_rules::samples::{Grid, men, mills};

/// `rules` solved by regions, up to all their symmetries or without.
pub(crate) fn by_regions(rules: &Rules, has_symmetry: bool) -> Solution {
    let group = if has_symmetry { Group::of_rules(rules, &[]).expect("symmetries") } else { Group::trivial().clone() };
    let options = Options { labels: LabelSet::BEST_PLAY, ..Options::of(Solver::Regions { symmetry: &group }) };
    solve(rules, &options).expect("small rules")
}

/// A binary counter of `cells` cells: each move adds 1, and a player who cannot has lost. Play lasts 2^cells - 1 plies.
pub(crate) fn counter(cells: u32) -> Rules {
    let add = |cell: u32| {
        let below = Board::full(cell);
        Move { full: below, clears: below, ..Move::fill(Board::bit(cell)) }
    };
    let start = Start::At(Position::default());
    RulesSpec { moves: (0..cells).map(add).collect(), start, ..RulesSpec::new("counter", cells) }
        .build()
        .expect("sound rules")
}

/// Small games: men that step, with colours that can be exchanged; men that enter and are taken, with ends by numbers of men; and long
/// play.
pub(crate) fn games_by_regions() -> [Rules; 3] {
    let grid = Grid { rows: 3, cols: 2 };
    let [men, mills] = [men(grid, 2), mills(grid, 3)].map(|spec| spec.build().expect("sound rules"));
    [men, mills, counter(7)]
}
