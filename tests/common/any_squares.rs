//! Random two-colour rules: gravity, neighbours, holes, single cells, modes, draws, starts.

use fastrand::Rng;
use tablegen::rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start};

/// Random two-colour rules on `squares` squares, some of which have one cell. Equal seeds give equal rules.
pub(crate) fn rules(seed: u64, squares: std::ops::RangeInclusive<u32>) -> Rules {
    let mut draw = Rng::with_seed(seed);
    let squares = draw.u32(squares);
    let pairs = if draw.bool() { squares } else { draw.u32(1..=squares) };
    let cells = squares + pairs;
    // Shuffle the cells, so that the two cells of a square are anywhere.
    let mut order: Vec<u32> = (0..cells).collect();
    draw.shuffle(&mut order);
    let game = Squares { pairs, order, modes: draw.u16(1..=3), alternate: draw.bool(), draw_ends: draw.bool() };
    let moves: Vec<Move> = (0..draw.usize(1..=4 * squares as usize)).filter_map(|_| game.a_move(&mut draw)).collect();
    let ends = (0..draw.usize(0..=5)).map(|_| game.an_end(&mut draw)).collect();
    let outcomes = [Outcome::Loss, Outcome::Win, Outcome::Draw];
    let start = if draw.bool() { Start::At(Position::default()) } else { game.a_start(&mut draw) };
    RulesSpec {
        modes: (0..game.modes).map(|mode| format!("m{mode}")).collect(),
        moves,
        ends,
        terminal: outcomes[draw.usize(..if game.draw_ends { 3 } else { 2 })],
        start,
        ..RulesSpec::new(format!("squares-{seed:x}"), cells)
    }
    .build()
    .expect("sound rules")
}

struct Squares {
    /// The number of squares with two cells, which come first.
    pairs: u32,
    order: Vec<u32>,
    modes: u16,
    /// Modes alternate. If each move places one piece, the number of pieces then determines the mode.
    alternate: bool,
    draw_ends: bool,
}

impl Squares {
    fn squares(&self) -> u32 {
        self.order.len() as u32 - self.pairs
    }

    /// The cell of `square` for one of its two colours.
    fn cell(&self, square: u32, second: bool) -> Board {
        let squares = self.squares();
        let at = if second && square < self.pairs { squares + square } else { square };
        Board::bit(self.order[at as usize])
    }

    fn both(&self, square: u32) -> Board {
        self.cell(square, false) | self.cell(square, true)
    }

    fn a_move(&self, draw: &mut Rng) -> Option<Move> {
        let mode = draw.u16(..self.modes);
        let next = if self.alternate { (mode + 1) % self.modes } else { draw.u16(..self.modes) };
        let (mut empty, mut full, mut fills) = (Board::EMPTY, Board::EMPTY, Board::EMPTY);
        let stones = if draw.u8(..4) == 0 { 2 } else { 1 };
        for number in 0..stones {
            let square = draw.u32(..self.squares());
            if !fills.is_disjoint(self.both(square)) {
                continue;
            }
            fills |= self.cell(square, draw.bool());
            // A single cell may be filled whether it is empty or not, as long as the move fills another cell that is
            // empty.
            if number == 0 || square < self.pairs || draw.bool() {
                empty |= self.both(square);
            }
        }
        // Conditions on neighbours: own piece, no opposing piece, or free.
        for _ in 0..draw.usize(..3) {
            let square = draw.u32(..self.squares());
            let cell = self.cell(square, draw.bool());
            if (empty | full | fills).is_disjoint(self.both(square)) {
                match draw.u8(..3) {
                    0 => full |= cell,
                    1 => empty |= cell,
                    _ => empty |= self.both(square),
                }
            }
        }
        let m = Move { mode: Mode(mode), next: Mode(next), empty, full, ..Move::fill(fills) };
        (!fills.is_disjoint(empty)).then_some(m)
    }

    fn an_end(&self, draw: &mut Rng) -> End {
        let squares = (0..draw.u32(1..=3)).map(|_| (draw.u32(..self.squares()), draw.bool())).collect::<Vec<_>>();
        let pattern = squares.into_iter().map(|(square, second)| self.cell(square, second)).collect();
        let outcomes = [Outcome::Loss, Outcome::Win, Outcome::Draw];
        let outcome = outcomes[draw.usize(..if self.draw_ends { 3 } else { 2 })];
        End { mode: Mode(draw.u16(..self.modes)), pattern, outcome: outcome.into(), empty: Board::EMPTY }
    }

    fn a_start(&self, draw: &mut Rng) -> Start {
        let mut position = || {
            let mut board = Board::EMPTY;
            for square in 0..self.squares() {
                if draw.u8(..5) == 0 {
                    board |= self.cell(square, draw.bool());
                }
            }
            Position::new(Mode(draw.u16(..self.modes)), board)
        };
        let first = position();
        let choices = vec![first, position(), first];
        if draw.bool() { Start::At(first) } else { Start::Opening(choices) }
    }
}
