//! Games that gain points: Dots and Boxes, and random ones.

use fastrand::Rng;
use tablegen_rules::{Board, End, Mode, Move, Outcome, Rules, RulesSpec, Terminal};

/// The lines of a grid of dots with `rows` by `cols` boxes, and the lines of each box.
fn boxes(rows: u32, cols: u32) -> (u32, Vec<Vec<u32>>) {
    let across = (rows + 1) * cols;
    let of_box = |row: u32, col: u32| {
        let down = across + row * (cols + 1) + col;
        vec![row * cols + col, (row + 1) * cols + col, down, down + 1]
    };
    let all = (0..rows).flat_map(|row| (0..cols).map(move |col| of_box(row, col))).collect();
    (across + rows * (cols + 1), all)
}

/// Dots and Boxes by lines alone: a player who closes boxes gains a point for each and moves again.
pub(crate) fn dots_and_boxes(rows: u32, cols: u32) -> Rules {
    let (lines, boxes) = boxes(rows, cols);
    let mut moves = Vec::new();
    for line in 0..lines {
        let mut cases = vec![(Board::EMPTY, Board::EMPTY, 0)];
        for of_box in boxes.iter().filter(|of_box| of_box.contains(&line)) {
            let others: Vec<Board> = of_box.iter().filter(|&&other| other != line).map(|&l| Board::bit(l)).collect();
            let all: Board = others.iter().copied().collect();
            // The box is closed, or one of its other lines is the first that is missing.
            let first = |n: usize| (others[n], others[..n].iter().copied().collect::<Board>(), 0);
            let of_box: Vec<_> = (0..others.len()).map(first).chain([(Board::EMPTY, all, 1)]).collect();
            let with =
                |a: &(Board, Board, i16)| of_box.iter().map(|b| (a.0 | b.0, a.1 | b.1, a.2 + b.2)).collect::<Vec<_>>();
            cases = cases.iter().flat_map(with).filter(|case| case.0.is_disjoint(case.1)).collect();
        }
        let fill = Move::fill(Board::bit(line));
        let of = |(empty, full, gain)| Move { empty: fill.empty | empty, full, gain, again: gain > 0, ..fill };
        moves.extend(cases.into_iter().map(of));
    }
    RulesSpec { moves, terminal: Outcome::Draw, ..RulesSpec::new("dots-and-boxes", lines) }.build().unwrap()
}

/// A factor of all points of the game with this seed. Two of three games have scores of one byte, and of the others most need two.
fn times(seed: u64) -> i16 {
    if seed % 3 == 2 { 20 + (seed % 94) as i16 } else { 1 }
}

/// Rules with gains, moves again and points at the end, on boards of 1 to `most` cells. Some cells are in the same block, others not.
pub(crate) fn random_boards(seed: u64, most: u32) -> Rules {
    let (mut random, times) = (Rng::with_seed(seed), times(seed));
    let (cells, modes) =
        (if random.u8(..4) == 0 { random.u32(1..=8) } else { random.u32(9..=most) }, random.u16(1..=3));
    let board = |random: &mut Rng, most: usize, region: u8| -> Board {
        let place = |random: &mut Rng| match region {
            0 => random.u32(..cells),
            1 => random.u32(..cells.min(9)),
            _ => cells - 1 - random.u32(..cells.saturating_sub(9).max(1)),
        };
        (0..random.usize(..=most)).map(|_| Board::bit(place(random))).collect()
    };
    let moves = (0..random.usize(1..=40)).map(|_| {
        let region = random.u8(..3);
        let new = Board::bit(random.u32(..cells)) | board(&mut random, 1, region);
        let (more, asked) = if random.bool() { (1, 2) } else { (0, 0) };
        let empty = new | board(&mut random, asked, region);
        let full = board(&mut random, asked, region) & !empty;
        Move {
            mode: Mode(random.u16(..modes)),
            next: Mode(random.u16(..modes)),
            empty,
            full,
            gain: if random.bool() { times * random.i16(-4..=5) } else { 0 },
            again: random.u8(..3) == 0,
            ..Move::fill(new | board(&mut random, more, region))
        }
    });
    let mut moves: Vec<Move> = moves.collect();
    // Six moves that fill one cell each within a line have a loop of their own.
    if random.u8(..4) == 0 {
        moves.retain(|m| m.fills.low_word() >> 6 != 0);
        let alike = Move { gain: times * random.i16(-2..=2), again: random.bool(), ..Move::fill(Board::EMPTY) };
        let single = |cell| Move { empty: Board::bit(cell), fills: Board::bit(cell), ..alike };
        moves.extend((0..cells.min(6)).map(single));
    }
    moves.push(Move { gain: times, ..Move::fill(Board::bit(random.u32(..cells))) });
    let end = |random: &mut Rng| End {
        mode: Mode(random.u16(..modes)),
        pattern: Board::bit(random.u32(..cells)) | board(random, 3, 0),
        outcome: if random.bool() { Terminal::Points(times * random.i16(-9..=9)) } else { Outcome::Draw.into() },
        empty: Board::EMPTY,
    };
    let ends = (0..random.usize(..4)).map(|_| end(&mut random)).collect();
    let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
    RulesSpec { moves, ends, modes, terminal: Outcome::Draw, ..RulesSpec::new("random", cells) }.build().unwrap()
}

/// Random rules with their images under the exchange of the lowest cells with the highest ones.
pub(crate) fn random_symmetric_boards(seed: u64) -> Rules {
    let mut spec = random_boards(seed, 15).into_spec();
    let cells = spec.cells;
    let turned = |board: Board| board.bits().map(|bit| Board::bit(cells - 1 - bit)).collect::<Board>();
    let image = |m: &Move| Move { empty: turned(m.empty), full: turned(m.full), fills: turned(m.fills), ..*m };
    let images: Vec<Move> = spec.moves.iter().map(image).collect();
    spec.moves.extend(images);
    spec.ends.clear();
    spec.build().unwrap()
}

/// A game of pieces of two colours on `squares` squares. Pieces may need neighbours, and gain points with them.
pub(crate) fn random_colours(seed: u64, squares: u32) -> Rules {
    let (mut random, times) = (Rng::with_seed(seed), times(seed));
    let cell = |square: u32, colour: u32| Board::bit(square + squares * colour);
    let both = |square: u32| cell(square, 0) | cell(square, 1);
    let mut moves = Vec::new();
    for square in 0..squares {
        for colour in 0..2 {
            for _ in 0..random.u32(1..=3) {
                let put = Move { empty: both(square), ..Move::fill(cell(square, colour)) };
                let near = random.u32(..squares);
                let full = if near == square || random.bool() { Board::EMPTY } else { cell(near, random.u32(..2)) };
                let modes = if random.bool() { (0, 1) } else { (1, 0) };
                let (gain, again) = (if full.is_empty() { 0 } else { times * random.i16(-2..=4) }, random.u8(..4) == 0);
                let next = Mode(if again { modes.0 } else { modes.1 });
                moves.push(Move { full, gain, again, mode: Mode(modes.0), next, ..put });
            }
        }
        if square + 1 < squares && random.bool() {
            // Two pieces at once.
            let two =
                Move { empty: both(square) | both(square + 1), ..Move::fill(cell(square, 0) | cell(square + 1, 1)) };
            moves.push(Move { gain: 2 * times, again: true, ..two });
        }
    }
    let single = Board::bit(2 * squares);
    moves.extend([
        Move { gain: times, next: Mode(1), ..Move::fill(single) },
        Move { mode: Mode(1), ..Move::fill(single) },
    ]);
    let end = |random: &mut Rng| End {
        mode: Mode(random.u16(..2)),
        pattern: cell(random.u32(..squares), random.u32(..2)) | cell(random.u32(..squares), 0),
        outcome: Terminal::Points(times * random.i16(-9..=9)),
        empty: Board::EMPTY,
    };
    let ends: Vec<End> = (0..random.usize(..4)).map(|_| end(&mut random)).collect();
    let ends = ends.into_iter().filter(|end| (0..squares).all(|s| !end.pattern.contains(both(s)))).collect();
    let modes = ["a", "b"].map(String::from).to_vec();
    RulesSpec { moves, ends, modes, terminal: Outcome::Draw, ..RulesSpec::new("colours", 2 * squares + 1) }
        .build()
        .unwrap()
}
