//! Random rules, for tests.

use crate::rules::{Board, End, Mode, Move, Outcome, Player, Position, Potential, Rules, RulesSpec, Start, Terminal};

/// Random rules in two modes with `moves` moves and `ends` terminal patterns. Some moves may fill filled cells.
pub(crate) fn random_rules(draw: &mut fastrand::Rng, cells: u32, moves: usize, ends: usize) -> Rules {
    let some = |draw: &mut fastrand::Rng, most: u32| -> Board {
        (0..draw.u32(0..=most)).map(|_| Board::bit(draw.u32(..cells))).collect()
    };
    let moves = (0..moves).map(|_| {
        let one = Board::bit(draw.u32(..cells));
        let empty = some(draw, 2) | one;
        let full = some(draw, 2) & !empty;
        let fills = if draw.bool() { empty } else { some(draw, 3) | one };
        Move { mode: Mode(draw.u16(..2)), empty, full, next: Mode(draw.u16(..2)), ..Move::fill(fills) }
    });
    let moves = moves.collect();
    let ends = (0..ends).map(|_| {
        let pattern = some(draw, 4) | Board::bit(draw.u32(..cells));
        let empty = if draw.u8(..4) == 0 { some(draw, 2) & !pattern } else { Board::EMPTY };
        End { mode: Mode(draw.u16(..2)), pattern, outcome: Outcome::BEST_FIRST[draw.usize(..3)].into(), empty }
    });
    let ends = ends.collect();
    let start = (0..draw.usize(1..4)).map(|_| Position::new(Mode(draw.u16(..2)), some(draw, 2))).collect();
    let (modes, terminal) = (vec!["a".into(), "b".into()], Outcome::BEST_FIRST[draw.usize(..3)]);
    let spec = RulesSpec { modes, moves, ends, terminal, ..RulesSpec::new("random", cells) };
    RulesSpec { start: Start::Opening(start), ..spec }.build().unwrap()
}

/// Random rules as from [`random_rules`], with moves that empty cells, players who move again, and modes that differ in the outcome for a player who
/// cannot move. If `bounded` is set, every move raises a random potential, and there may be passes, moves that are legal only without others, and outcomes
/// by the board.
pub(crate) fn random_moving(draw: &mut fastrand::Rng, cells: u32, moves: usize, ends: usize, bounded: bool) -> Rules {
    let mut spec = random_rules(draw, cells, moves, ends).into_spec();
    let weights = (0..cells).map(|_| draw.i32(-2..=3)).collect();
    let potential = Potential::new(weights, vec![0, draw.i32(-1..=1)]).unwrap();
    for m in &mut spec.moves {
        if draw.bool() {
            m.clears = Board::bit(draw.u32(..cells)) & !m.empty & !m.fills;
            m.full |= m.clears;
        }
        if draw.u8(..8) == 0 && !m.clears.is_empty() {
            (m.empty, m.fills) = (m.empty & !m.fills, Board::EMPTY);
        }
    }
    if bounded {
        let pass = |m: &Move| Move { mode: m.mode, next: m.next, full: m.full, ..Move::fill(Board::EMPTY) };
        let passes: Vec<Move> = spec.moves.iter().filter(|_| draw.u8(..4) == 0).map(pass).collect();
        spec.moves.extend(passes);
        spec.moves.retain(|m| potential.rises(m).0 >= 1);
        if draw.u8(..3) == 0 {
            spec.moves.iter_mut().for_each(|m| m.otherwise = draw.bool());
        }
    }
    if draw.bool() {
        spec.players = (0..2).map(|_| if draw.bool() { Player::First } else { Player::Second }).collect();
    }
    if draw.bool() {
        let mut some = || (0..cells).filter(|_| draw.bool()).map(Board::bit).collect();
        let most = Terminal::Most { own: some(), other: some() };
        let terminal = |draw: &mut fastrand::Rng| match draw.usize(..4) {
            3 if bounded => most,
            outcome => Outcome::BEST_FIRST[outcome % 3].into(),
        };
        spec.terminals = (0..2).map(|_| terminal(draw)).collect();
    }
    spec.build().unwrap()
}

/// `rules` with random points, multiples of `times`: moves gain or lose some, the same player may move again after moves of rules without
/// players, and every end is worth points.
pub(crate) fn scored(draw: &mut fastrand::Rng, rules: &Rules, times: i16) -> Rules {
    let mut spec = rules.clone().into_spec();
    let has_players = !spec.players.is_empty();
    for m in &mut spec.moves {
        m.gain = if draw.bool() { times * draw.i16(-2..=3) } else { 0 };
        m.again = !has_players && draw.u8(..4) == 0;
    }
    let some = |draw: &mut fastrand::Rng| (0..rules.cells()).filter(|_| draw.bool()).map(Board::bit).collect();
    let worth = |draw: &mut fastrand::Rng| match draw.u8(..3) {
        0 => Terminal::Points(times * draw.i16(-3..=3)),
        1 => Terminal::Most { own: some(draw), other: some(draw) },
        _ => Terminal::Always(Outcome::Draw),
    };
    spec.ends.iter_mut().for_each(|end| end.outcome = worth(draw));
    spec.terminals = spec.modes.iter().map(|_| worth(draw)).collect();
    spec.build().expect("sound rules with points")
}
