//! What counting moves settles is right, and it settles what it should.

use fastrand::Rng;

use super::super::compiled::Compiled;
use super::super::tests::domineering;
use super::super::tests::random::placing;
use super::*;
use crate::rules::{Board, Mode, Move, Outcome, Position, Rules, RulesSpec};
use crate::{AlphaBeta, Iteration};

/// Two players each fill `size` neighbours of their own; a player without a move loses. `own` and `other` are the numbers of moves.
fn pieces(size: u32, own: u32, other: u32) -> Rules {
    let piece = |of: u32| {
        let mode = Mode(u16::from(of >= own));
        Move { mode, next: Mode(1 - mode.0), ..Move::fill(Board::full(size) << (size * of)) }
    };
    let moves = (0..own + other).map(piece).collect();
    let modes = vec!["own".into(), "other".into()];
    RulesSpec { modes, moves, ..RulesSpec::new("pieces", size * (own + other)) }.build().unwrap()
}

#[test]
fn counting_settles_a_race_without_a_search() {
    for (own, other, outcome) in [(3, 2, Outcome::Win), (1, 1, Outcome::Loss), (2, 3, Outcome::Loss)] {
        for size in [1, 2, 3] {
            let rules = pieces(size, own, other);
            let mut search = AlphaBeta::only_general(&rules, 1 << 16).unwrap();
            assert_eq!(search.outcome(rules.start_node()), Ok(outcome));
            assert!(search.expanded() <= 1, "{size} {own} {other}: {}", search.expanded());
        }
    }
}

/// Panics unless counting is right about every position of `rules`. Returns the number of positions and of those that it settles.
fn assert_right(rules: &Rules) -> [usize; 2] {
    let compiled = Compiled::<u64>::new(rules, true, false);
    let side = |mode: usize| {
        let of = &compiled.modes[mode];
        of.race.as_ref().map(|race| Side { moves: &of.shapes, race })
    };
    let (Some(left), Some(right)) = (side(0), side(1)) else { return [0; 2] };
    let boards = 0..1u64 << rules.cells();
    let at = |mode: u16, board: u64| Position::new(Mode(mode), Board::from_word(board));
    let positions: Vec<Position> = boards.flat_map(|board| [at(0, board), at(1, board)]).collect();
    let truth = Iteration::new(rules, &positions, u64::MAX, || true).unwrap();
    let mut count = 0;
    for &position in &positions {
        let sides = if position.mode == Mode(0) { [left, right] } else { [right, left] };
        let Some(sign) = settled(sides, u64::of_board(position.board)) else { continue };
        let outcome = if sign > 0 { Outcome::Win } else { Outcome::Loss };
        assert_eq!(truth.label(position).unwrap().outcome, outcome, "{position:?} of {rules:?}");
        count += 1;
    }
    [positions.len(), count]
}

#[test]
fn counting_is_right_about_random_races() {
    let mut rng = Rng::with_seed(1);
    let mut sums = [0; 2];
    for _ in 0..3_000 {
        let counts = assert_right(&placing(&mut rng).build().expect("sound rules"));
        sums = [sums[0] + counts[0], sums[1] + counts[1]];
    }
    let [positions, settled] = sums;
    assert!(positions > 1_000_000 && settled > positions / 2, "{sums:?}");
}

/// Half of the positions of 4 by 4 squares are settled. Without doubles and the cells that chances take, it is 0.7 of them.
#[test]
fn counting_is_right_about_domineering() {
    for (rows, cols, settled) in [(2, 7, 20_000), (3, 5, 34_000), (4, 4, 67_000)] {
        let [_, found] = assert_right(&domineering(rows, cols));
        assert!(found >= settled, "{rows}x{cols}: {found}");
    }
}

#[test]
fn pairs_in_chains() {
    // Cells 0 to 6 in a row: six pairs, three of them disjoint.
    assert_eq!(disjoint_pairs(0b11_1111u64, 1), 3);
    assert_eq!(disjoint_pairs(0b1_1111u64, 1), 3);
    assert_eq!(disjoint_pairs(0b1001_0110u128, 2), 3);
    assert_eq!(disjoint_pairs(0u64, 1), 0);
}
