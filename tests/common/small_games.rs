//! The games defined as rules that every test program needs.

use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start};

/// The labels of impartial games.
pub(crate) const IMPARTIAL: LabelSet = LabelSet::ALL.without(LabelKind::Score);

/// Node Kayles on a path: a player marks a free vertex and its neighbours. A move may mark cells that are filled
/// already.
pub(crate) fn node_kayles(vertices: u32, terminal: Outcome) -> Rules {
    let near = |v: u32| (v.saturating_sub(1)..=(v + 1).min(vertices - 1)).map(Board::bit);
    let mark = |v| Move { fills: near(v).collect(), ..Move::fill(Board::bit(v)) };
    let name = format!("node-kayles-path-{vertices}-{}", terminal.name());
    RulesSpec { moves: (0..vertices).map(mark).collect(), terminal, ..RulesSpec::new(name, vertices) }
        .build()
        .expect("sound rules")
}

/// Node Kayles on a path with three outcomes. Three filled vertices from the first third on are a draw, three from the
/// middle on a loss for the player to move, and two filled ends a win. The first pattern that matches decides.
pub(crate) fn drawn_kayles(vertices: u32) -> Rules {
    let end = |pattern, outcome: Outcome| End { mode: Mode(0), pattern, outcome: outcome.into(), empty: Board::EMPTY };
    let ends = vec![
        end(Board::from_word(0b111 << (vertices / 3)), Outcome::Draw),
        end(Board::from_word(0b111 << (vertices / 2)), Outcome::Loss),
        end(Board::bit(0) | Board::bit(vertices - 1), Outcome::Win),
    ];
    RulesSpec { name: format!("drawn-kayles-{vertices}"), ends, ..node_kayles(vertices, Outcome::Loss).into_spec() }
        .build()
        .expect("sound rules")
}

/// Tic-tac-toe on two planes: X has the cells 0 to 8, O the cells 9 to 17. It has two modes, terminal patterns, draws,
/// and squares that must be empty and stay empty.
pub(crate) fn tictactoe() -> Rules {
    let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mark = |square: u32, mode: u16| {
        let both = Board::from_word(1 << square | 1 << (square + 9));
        let own = Board::bit(square + 9 * u32::from(mode));
        Move { mode: Mode(mode), next: Mode(1 - mode), empty: both, ..Move::fill(own) }
    };
    // A player to move who faces a completed line has lost.
    let lost = |line: u64, mode: u16| End {
        mode: Mode(mode),
        pattern: Board::from_word(if mode == 0 { line << 9 } else { line }),
        outcome: Outcome::Loss.into(),
        empty: Board::EMPTY,
    };
    RulesSpec {
        modes: vec!["x".into(), "o".into()],
        moves: (0..2).flat_map(|mode| (0..9).map(move |square| mark(square, mode))).collect(),
        ends: lines.iter().flat_map(|&line| (0..2).map(move |mode| lost(line, mode))).collect(),
        terminal: Outcome::Draw,
        ..RulesSpec::new("tictactoe-by-hand", 18)
    }
    .build()
    .expect("sound rules")
}

/// Dominoes laid in one line that grows at its tail. Modes are the pips at the tail, cells are tiles, and the first
/// player may begin with any tile in either direction.
pub(crate) fn dominoes(pips: u16) -> Rules {
    let tiles: Vec<(u16, u16)> = (0..pips).flat_map(|a| (a..pips).map(move |b| (a, b))).collect();
    let mut moves = Vec::new();
    let mut first = Vec::new();
    for (cell, &(a, b)) in (0..).zip(&tiles) {
        let tile = Board::bit(cell);
        let turns = if a == b { vec![(a, b)] } else { vec![(a, b), (b, a)] };
        for (from, to) in turns {
            moves.push(Move { mode: Mode(from), next: Mode(to), ..Move::fill(tile) });
            first.push(Position::new(Mode(to), tile));
        }
    }
    let modes = (0..pips).map(|pip| pip.to_string()).collect();
    let start = Start::Opening(first);
    RulesSpec { modes, moves, start, ..RulesSpec::new(format!("dominoes-{pips}-by-hand"), tiles.len() as u32) }
        .build()
        .expect("sound rules")
}

/// Two modes, overlapping terminal patterns, draws, an opening, conditions of every kind, and fewer cells than a byte
/// has bits.
pub(crate) fn motley() -> Rules {
    let end = |mode, pattern, outcome: Outcome| End {
        mode: Mode(mode),
        pattern: Board::from_word(pattern),
        outcome: outcome.into(),
        empty: Board::EMPTY,
    };
    let step = |mode, next, empty, full, fills| Move {
        mode: Mode(mode),
        next: Mode(next),
        empty: Board::from_word(empty),
        full: Board::from_word(full),
        ..Move::fill(Board::from_word(fills))
    };
    RulesSpec {
        modes: vec!["left".into(), "richtig rechts ß".into()],
        moves: vec![
            step(0, 1, 0b00001, 0, 0b00001),
            step(0, 0, 0b00110, 0, 0b00110),
            step(1, 0, 0b01000, 0b00001, 0b01001),
            step(1, 1, 0b10100, 0, 0b00100),
            step(1, 0, 0b10000, 0, 0b11000),
            step(0, 1, 0b10000, 0b00010, 0b10000),
        ],
        ends: vec![end(1, 0b00111, Outcome::Draw), end(1, 0b00011, Outcome::Win), end(0, 0b11100, Outcome::Draw)],
        terminal: Outcome::Loss,
        start: Start::Opening(vec![
            Position::new(Mode(1), Board::from_word(0b00001)),
            Position::new(Mode(0), Board::from_word(0b01000)),
        ]),
        ..RulesSpec::new("motley", 5)
    }
    .build()
    .expect("sound rules")
}
