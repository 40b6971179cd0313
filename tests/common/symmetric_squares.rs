//! Random two-colour rules with a symmetry.

use fastrand::Rng;
use tablegen::colourings::Square;
use tablegen::rules::{End, Mode, Move, Rules, RulesSpec, Start, Symmetry};
use tablegen::solve::coloured;
use tablegen::symmetry::Group;

pub(crate) use super::any_squares::*;

/// Random two-colour rules with a symmetry. It exchanges squares, and may exchange the colours of some squares and two
/// modes.
pub(crate) fn symmetric(seed: u64, squares: std::ops::RangeInclusive<u32>) -> Option<(Rules, Symmetry)> {
    let rules = rules(seed, squares);
    let mut draw = Rng::with_seed(seed ^ 0x5e5e);
    let frame = coloured(&rules, &[]).ok()?;
    let (mut cells, mut modes): (Vec<u8>, Vec<u16>) =
        ((0..rules.cells() as u8).collect(), (0..rules.modes().len() as u16).collect());
    let mut list = frame.squares().list().to_vec();
    draw.shuffle(&mut list);
    let crosses = draw.bool();
    let mut rest = list.as_slice();
    while let [first, others @ ..] = rest {
        let pairs = |square: &Square| square.second.is_some();
        let other = others.first().filter(|other| pairs(other) == pairs(first) && draw.u8(..4) > 0);
        let of = |square: &Square| [square.first, square.second.unwrap_or(square.first)];
        let (a, mut b) = (of(first), of(other.unwrap_or(first)));
        if crosses && draw.bool() {
            b.reverse();
        }
        for (from, to) in a.into_iter().zip(b) {
            (cells[usize::from(from)], cells[usize::from(to)]) = (to, from);
        }
        rest = if other.is_some() { &others[1..] } else { others };
    }
    if modes.len() > 1 && draw.bool() {
        modes.swap(0, 1);
    }
    let symmetry = Symmetry::new(cells, modes).expect("a permutation");
    let of_mode = |mode: Mode| Mode(symmetry.modes()[usize::from(mode.0)]);
    let of_move = |m: &Move| Move {
        mode: of_mode(m.mode),
        next: of_mode(m.next),
        empty: symmetry.of_board(m.empty),
        full: symmetry.of_board(m.full),
        ..Move::fill(symmetry.of_board(m.fills))
    };
    let of_end = |end: &End| End { mode: of_mode(end.mode), pattern: symmetry.of_board(end.pattern), ..*end };
    let starts = rules.start_positions();
    let spec = rules.clone().into_spec();
    let with_image = RulesSpec {
        moves: spec.moves.iter().flat_map(|m| [*m, of_move(m)]).collect(),
        ends: spec.ends.iter().flat_map(|end| [*end, of_end(end)]).collect(),
        start: Start::Opening(starts.iter().flat_map(|&start| [start, symmetry.of(start)]).collect()),
        ..spec
    };
    let rules = with_image.build().ok()?;
    let is_one = Group::new(&rules, &rules.start_positions(), std::slice::from_ref(&symmetry)).is_ok();
    is_one.then_some((rules, symmetry))
}
