//! Games that are not built in, defined as rules. Each has a feature that Tactics lacks.

use tablegen::rules::{Board, Mode, Move, Outcome, Rules, RulesSpec};
use tablegen::solve::{Method, Options, coloured, solve};

pub(crate) use super::small_games::*;

/// Small games with draws, terminal patterns, conditions, cells that are filled twice, several modes, openings.
pub(crate) fn of_every_kind() -> Vec<Rules> {
    let kayles = [Outcome::Loss, Outcome::Win].map(|terminal| node_kayles(12, terminal));
    let others = [motley(), chomp(3, 4), domineering(3, 4), dominoes(4), drawn_kayles(13)];
    kayles.into_iter().chain(others).collect()
}

/// Chomp: a player bites off a square with all squares to the right of it and below. The player who eats the top left
/// square loses. A bite may include squares that are gone already.
///
/// The top left square is not a cell of the board: a player who could only eat that square cannot move, and loses.
pub(crate) fn chomp(rows: u32, cols: u32) -> Rules {
    let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).filter(|&at| at != (0, 0));
    let bit = |(row, col): (u32, u32)| Board::bit(row * cols + col - 1);
    let bite = |(row, col): (u32, u32)| {
        let gone = (row..rows).flat_map(|r| (col..cols).map(move |c| (r, c))).map(bit);
        Move { fills: gone.collect(), ..Move::fill(bit((row, col))) }
    };
    RulesSpec { moves: squares.map(bite).collect(), ..RulesSpec::new(format!("chomp-{rows}x{cols}"), rows * cols - 1) }
        .build()
        .expect("sound rules")
}

/// Domineering: Left fills two squares one above the other, Right two side by side. Two modes, no draws.
pub(crate) fn domineering(rows: u32, cols: u32) -> Rules {
    let bit = |row, col| Board::bit(row * cols + col);
    let mut moves = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (mode, r, c) in [(0, row + 1, col), (1, row, col + 1)] {
            if r < rows && c < cols {
                let fill = Move::fill(bit(row, col) | bit(r, c));
                moves.push(Move { mode: Mode(mode), next: Mode(1 - mode), ..fill });
            }
        }
    }
    let modes = vec!["left".into(), "right".into()];
    RulesSpec { modes, moves, ..RulesSpec::new(format!("domineering-{rows}x{cols}"), rows * cols) }
        .build()
        .expect("sound rules")
}

/// Three pairs of cells and two single cells, two modes for one occupied set, draws, a terminal pattern
/// and a start that is not empty.
pub(crate) fn squares() -> Rules {
    let fits = |rules: &Rules| {
        let frame = coloured(rules, &[]).ok()?;
        let shape = (frame.squares().pairs(), frame.squares().singles(), frame.slots());
        let solution = solve(rules, &Options::of(Method::Coloured)).ok()?;
        let is_rich = rules.can_draw() && !rules.ends().is_empty() && solution.counts().total() > 40;
        (shape == (3, 2, 2) && is_rich && solution.counts().draw > 0).then_some(())
    };
    let mut seeds = (0..).map(|seed| super::squares::rules(seed, 5..=5));
    seeds.find(|rules| fits(rules).is_some()).expect("some seed")
}
