//! Random rules, for tests.

use crate::rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start};

/// Rules with `moves` moves and `ends` ends in two modes, whose masks have some cells each. Some moves may fill cells that
/// are filled.
pub(super) fn random_rules(draw: &mut fastrand::Rng, cells: u32, moves: usize, ends: usize) -> Rules {
    let some = |draw: &mut fastrand::Rng, most: u32| -> Board {
        (0..draw.u32(0..=most)).map(|_| Board::bit(draw.u32(..cells))).collect()
    };
    let moves = (0..moves).map(|_| {
        let one = Board::bit(draw.u32(..cells));
        let empty = some(draw, 2) | one;
        let full = some(draw, 2) & !empty;
        let fills = if draw.bool() { empty } else { some(draw, 3) | one };
        Move { mode: Mode(draw.u16(..2)), empty, full, fills, next: Mode(draw.u16(..2)) }
    });
    let moves = moves.collect();
    let ends = (0..ends).map(|_| End {
        mode: Mode(draw.u16(..2)),
        pattern: some(draw, 4) | Board::bit(draw.u32(..cells)),
        outcome: Outcome::BEST_FIRST[draw.usize(..3)],
    });
    let ends = ends.collect();
    let start = (0..draw.usize(1..4)).map(|_| Position::new(Mode(draw.u16(..2)), some(draw, 2))).collect();
    let (modes, terminal) = (vec!["a".into(), "b".into()], Outcome::BEST_FIRST[draw.usize(..3)]);
    let spec = RulesSpec { modes, moves, ends, terminal, ..RulesSpec::new("random", cells) };
    RulesSpec { start: Start::Opening(start), ..spec }.build().unwrap()
}
