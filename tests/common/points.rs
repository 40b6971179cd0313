//! Random points for rules: what moves gain, and what ends are worth.

use proptest::prelude::*;
use tablegen::rules::{Board, End, Move, Outcome, Rules, RulesSpec, Terminal};

/// A factor of points: with 1, scores usually take one byte, otherwise two.
pub(crate) fn times() -> impl Strategy<Value = i16> {
    prop_oneof![Just(1), 10i16..=300]
}

/// The rules with points, multiples of `times`, that a sweep solves: moves gain some, some let the same player move again, and ends are
/// worth some or none.
pub(crate) fn gaining(rules: Rules, seed: u64, times: i16) -> Rules {
    let mut rng = fastrand::Rng::with_seed(seed);
    let spec = rules.into_spec();
    let ends = spec.ends.iter().map(|end| End { outcome: Terminal::Points(times * rng.i16(-3..=3)), ..*end }).collect();
    let gain = |m: &Move| Move { gain: times * rng.i16(-3..=3), again: rng.u32(..3) == 0, ..*m };
    let moves = spec.moves.iter().map(gain).collect();
    RulesSpec { ends, moves, terminal: Outcome::Draw, symmetries: Vec::new(), ..spec }.build().unwrap()
}

/// The rules with points, multiples of `times`: moves gain some, some let the same player move again, and all ends are counted.
pub(crate) fn counting(rules: Rules, seed: u64, times: i16) -> Rules {
    let mut rng = fastrand::Rng::with_seed(seed);
    let spec = rules.into_spec();
    let cells = spec.cells;
    let mut worth = || match rng.u32(..3) {
        0 => Terminal::from(Outcome::Draw),
        1 => Terminal::Points(times * rng.i16(-3..=3)),
        _ => {
            let mut some = || Board::from_word(rng.u64(..)) & Board::full(cells);
            Terminal::Most { own: some(), other: some() }
        }
    };
    let ends = spec.ends.iter().map(|end| End { outcome: worth(), ..*end }).collect();
    let terminals = spec.modes.iter().map(|_| worth()).collect();
    let takes_turns = spec.players.is_empty();
    let moves = spec.moves.iter().map(|m| {
        let gain = if rng.bool() { times * rng.i16(-3..=3) } else { 0 };
        Move { gain, again: takes_turns && rng.u32(..3) == 0, ..*m }
    });
    let moves = moves.collect();
    RulesSpec { ends, terminals, moves, symmetries: Vec::new(), ..spec }.build().unwrap()
}
