//! Random rules that have everything that rules may have.

use fastrand::Rng;

use crate::rules::{Board, Count, CountEnd, End, Line, Mode, Move, Outcome, Player, RulesSpec, Take, Terminal};

pub(super) const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

/// Up to `most` of the lowest `cells` cells.
pub(super) fn some(rng: &mut Rng, cells: u32, most: u32) -> Board {
    (0..rng.u32(0..=most)).map(|_| Board::bit(rng.u32(..cells))).collect()
}

/// Up to three lists of lines. A line that takes effect fills the upper half of the board and empties cells of the lower half, fewer than a
/// move with lines fills, so that there is a potential.
fn lists(rng: &mut Rng, cells: u32) -> Vec<Vec<Line>> {
    let line = |rng: &mut Rng| {
        let clears = Board::bit(rng.u32(..cells / 2));
        let fills = Board::bit(cells / 2 + rng.u32(..cells.div_ceil(2)));
        Line { empty: fills, full: clears | some(rng, cells / 2, 1), fills, clears }
    };
    (0..rng.u32(0..=3)).map(|_| (0..rng.u32(0..4)).map(|_| line(rng)).collect()).collect()
}

/// A number of pieces among some cells.
fn count(rng: &mut Rng, cells: u32) -> Count {
    let of = Board::bit(rng.u32(..cells)) | some(rng, cells, 4);
    let bounds = [0; 2].map(|_| rng.u8(0..=of.count() as u8));
    Count { cells: of, least: bounds[0].min(bounds[1]), most: bounds[0].max(bounds[1]) }
}

/// `rules` with conditions of moves and with numbers of pieces that end the game.
fn counting(rng: &mut Rng, rules: RulesSpec) -> RulesSpec {
    let counts: Vec<Count> = (0..rng.u16(0..=3)).map(|_| count(rng, rules.cells)).collect();
    let when =
        |rng: &mut Rng| rng.bool().then(|| rng.usize(..=counts.len()) as u16).filter(|&it| it < counts.len() as u16);
    let moves = rules.moves.iter().map(|m| Move { when: when(rng), ..*m }).collect();
    let end = |rng: &mut Rng| CountEnd {
        mode: Mode(rng.u16(..rules.modes.len() as u16)),
        count: count(rng, rules.cells),
        outcome: OUTCOMES[rng.usize(..3)],
    };
    let count_ends = (0..rng.u8(0..=2)).map(|_| end(rng)).collect();
    RulesSpec { moves, counts, count_ends, ..rules }
}

/// `rules` with moves that take pieces. Most of these moves fill several cells, so that there often is a potential.
fn taking(rng: &mut Rng, mut rules: RulesSpec) -> RulesSpec {
    let cells = rules.cells;
    for m in &mut rules.moves {
        let (new, of) = (m.fills & m.empty, (Board::bit(0) | some(rng, cells, 4)) & !(m.fills | m.clears | m.full));
        let Some(first) = new.lowest().filter(|_| !of.is_empty() && m.lines.is_none()) else { continue };
        if new.count() == 1 && rng.u8(..3) > 0 {
            continue;
        }
        let lines = (0..rng.u32(1..3)).map(|_| Board::bit(first) | some(rng, cells, 1)).collect();
        let guards = (0..rng.u32(..3)).map(|_| some(rng, cells, 3)).collect();
        m.takes = Some(rules.takes.len() as u16);
        rules.takes.push(Take { lines, cells: of, guards });
    }
    // A copy of a move that takes otherwise leads to other positions.
    if let Some(&first) = rules.moves.iter().find(|m| m.takes.is_some()) {
        let take = rules.takes[0].clone();
        rules.moves.push(Move { takes: Some(rules.takes.len() as u16), ..first });
        rules.takes.push(Take { cells: Board::bit(take.cells.lowest().unwrap()), ..take });
    }
    rules
}

/// Rules with conditions of every kind, moves that empty cells, players who move twice, passes, moves that are legal only without
/// others, outcomes by mode and by board, numbers of pieces, and moves that take pieces.
pub(crate) fn motley(rng: &mut Rng) -> RulesSpec {
    let (cells, modes) = (rng.u32(3..=8), rng.u16(1..=3));
    let clears = rng.u8(..3) == 0;
    let ranked = rng.u8(..3) == 0;
    let turning = lists(rng, cells);
    let moves = (0..rng.u32(1..14)).map(|_| {
        let new = Board::bit(rng.u32(..cells)) | some(rng, cells, 1);
        let empty = new | some(rng, cells, 1);
        let full = some(rng, cells, 2) & !empty;
        let fills = new | if rng.bool() { some(rng, cells, 1) & !full } else { Board::EMPTY };
        // Cells that are emptied must be fewer than those that are filled, so that there is a potential.
        let emptied = full.lowest().filter(|_| clears && new.count() > 1).map_or(Board::EMPTY, Board::bit);
        let (mode, next) = (Mode(rng.u16(..modes)), Mode(rng.u16(..modes)));
        let otherwise = ranked && rng.bool();
        if mode < next && rng.u8(..6) == 0 {
            return Move { mode, empty, full, next, otherwise, ..Move::fill(Board::EMPTY) };
        }
        let m = Move { mode, empty, full, clears: emptied, next, otherwise, ..Move::fill(fills) };
        // A list that fits the move, if it may have one.
        let list = (!turning.is_empty() && !otherwise && rng.bool()).then(|| rng.usize(..turning.len()));
        let fits = |list: &usize| {
            let all = |cells: fn(&Line) -> Board| turning[*list].iter().map(cells).collect::<Board>();
            let is_possible = (all(|line| line.empty) | empty).is_disjoint(all(|line| line.full) | full);
            is_possible && (all(|line| line.clears) | emptied).is_disjoint(all(|line| line.fills) | fills)
        };
        Move { lines: list.filter(fits).map(|list| list as u16), ..m }
    });
    let moves: Vec<Move> = moves.collect();
    let one = OUTCOMES[rng.usize(..3)];
    let mixed = rng.bool();
    let ends = (0..rng.u32(..5)).map(|_| {
        let outcome = match rng.u8(..8) {
            0 => Terminal::Most { own: some(rng, cells, 4), other: some(rng, cells, 4) },
            1 => Terminal::Points(rng.i16(-2..=2)),
            _ => (if mixed { OUTCOMES[rng.usize(..3)] } else { one }).into(),
        };
        let pattern = Board::bit(rng.u32(..cells)) | some(rng, cells, 3);
        let empty = if rng.u8(..4) == 0 { some(rng, cells, 2) & !pattern } else { Board::EMPTY };
        End { mode: Mode(rng.u16(..modes)), pattern, outcome, empty }
    });
    let ends = ends.collect();
    let of_modes = rng.bool();
    let players = rng.bool();
    let spec = RulesSpec::new("motley", cells);
    let spec = RulesSpec {
        modes: (0..modes).map(|mode| format!("m{mode}")).collect(),
        moves,
        lines: turning,
        ends,
        terminal: OUTCOMES[rng.usize(..3)],
        terminals: (0..modes).filter(|_| of_modes).map(|_| terminal(rng, cells)).collect(),
        players: (0..modes)
            .filter(|_| players)
            .map(|_| if rng.bool() { Player::First } else { Player::Second })
            .collect(),
        ..spec
    };
    let spec = if rng.u8(..3) == 0 { counting(rng, spec) } else { spec };
    if rng.u8(..3) == 0 { taking(rng, spec) } else { spec }
}

fn terminal(rng: &mut Rng, cells: u32) -> Terminal {
    match rng.usize(..4) {
        3 => Terminal::Most { own: some(rng, cells, 4), other: some(rng, cells, 4) },
        outcome => OUTCOMES[outcome].into(),
    }
}

/// Squares that two players mark, or that both mark alike. Some need a mark below, and patterns are copies of a few shapes.
pub(super) fn lines(rng: &mut Rng) -> RulesSpec {
    let squares = rng.u32(3..=6);
    let colours = if rng.u8(..3) == 0 { 1 } else { 2 };
    let cell = |square: u32, colour: u32| Board::bit(square + colour * squares);
    let stacks = if rng.bool() { Some(rng.u32(1..=3)) } else { None };
    let mut moves = Vec::new();
    for square in 0..squares {
        for colour in 0..colours {
            let both: Board = (0..colours).map(|colour| cell(square, colour)).collect();
            let (mode, next) = (Mode(colour as u16), Mode((colours - 1 - colour) as u16));
            let mark = Move { mode, next, empty: both, ..Move::fill(cell(square, colour)) };
            match stacks.and_then(|stack| square.checked_sub(stack)) {
                Some(below) => moves.extend((0..colours).map(|under| Move { full: cell(below, under), ..mark })),
                None => moves.push(mark),
            }
        }
    }
    // Now and then the first player also takes a mark of the other player and makes two of its own.
    if colours == 2 && rng.u8(..3) == 0 {
        for taken in 0..squares {
            let (to, clears) = ((taken + 1) % squares, cell(taken, 1));
            let fills = cell(taken, 0) | cell(to, 0);
            let empty = fills | cell(to, 1);
            moves.push(Move { next: Mode(1), empty, full: clears, clears, ..Move::fill(fills) });
        }
    }
    let outcome = OUTCOMES[rng.usize(..3)];
    // Now and then a player completes patterns of the other colour, or of both.
    let other = if rng.u8(..4) == 0 { rng.u32(..colours) } else { 0 };
    let mut ends = Vec::new();
    for _ in 0..rng.u32(1..4) {
        let pattern = Board::bit(0) | some(rng, squares, 3);
        for by in 0..squares {
            let moved = pattern << by;
            if Board::full(squares).contains(moved) {
                for colour in 0..colours {
                    let pattern = moved << (squares * (colour ^ other));
                    ends.push(End {
                        mode: Mode((colours - 1 - colour) as u16),
                        pattern,
                        outcome: outcome.into(),
                        empty: Board::EMPTY,
                    });
                }
            }
        }
    }
    let spec = RulesSpec {
        modes: (0..colours).map(|mode| format!("m{mode}")).collect(),
        moves,
        ends,
        terminal: OUTCOMES[rng.usize(..3)],
        ..RulesSpec::new("lines", squares * colours)
    };
    if rng.u8(..4) == 0 { counting(rng, spec) } else { spec }
}

/// Two players place copies of a few pieces, and some also need other cells free. A player who cannot place one loses.
pub(crate) fn placing(rng: &mut Rng) -> RulesSpec {
    let cells = rng.u32(4..=10);
    let mut moves = Vec::new();
    for mode in 0..2 {
        for _ in 0..rng.u32(1..=2) {
            let fills = Board::bit(0) | some(rng, 5, 2);
            let empty = if rng.bool() { fills } else { Board::bit(0) | some(rng, 5, 2) };
            for by in 0..cells {
                let (fills, empty) = (fills << by, empty << by);
                if rng.u8(..8) > 0 && Board::full(cells).contains(fills | empty) {
                    moves.push(Move { mode: Mode(mode), next: Mode(1 - mode), empty, ..Move::fill(fills) });
                }
            }
        }
    }
    let modes = ["left", "right"].map(String::from).to_vec();
    let spec = RulesSpec { modes, moves, ..RulesSpec::new("placing", cells) };
    if rng.u8(..4) == 0 { counting(rng, spec) } else { spec }
}
