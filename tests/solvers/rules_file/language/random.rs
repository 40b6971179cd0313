//! Random files of a few squares, in which any keys that go together may meet.

use super::file::{
    Along, Area, At, COLOURS, Cell, CellsAs, Drawing, EndTable, File, Frame, Layout, Limits, ModeName, MoveTable,
};
use super::file::{Numbers, Part, Pattern, Span, Squares, Start, Turns, Verdict};
use super::moves::State;
use std::cell::OnceCell;

use fastrand::Rng;
use tablegen::rules::Outcome;

/// The number of random positions for each file.
const BOARDS: usize = 12;

/// A source of choices, and what the file has by now.
pub(super) struct Random {
    pub(super) rng: Rng,
    pub(super) squares: Squares,
    pub(super) two_colours: bool,
    /// True if the file has two sides and no modes.
    pub(super) sides: bool,
    /// The number of modes without squares; 0 if the file has no modes.
    pub(super) modes: usize,
    /// True if each mode has modes for the squares as well.
    pub(super) remembers: bool,
    /// True if moves may gain points.
    pub(super) points: bool,
}

/// The random file with the number `seed`, and random positions of it.
pub(super) fn random(seed: u64) -> (File, Vec<State>) {
    let mut rng = Rng::with_seed(seed);
    let squares = squares(&mut rng);
    let is_picture = matches!(squares.layout, Layout::Between(_));
    let two_colours = !is_picture && rng.u8(..5) < 3;
    let turns = match rng.u8(..7) {
        0 | 1 if !two_colours => Turns::None,
        2 if !two_colours => Turns::List(rng.usize(1..=3)),
        3 => {
            let owners = (0..rng.usize(2..=4)).map(|mode| if mode < 2 { mode } else { rng.usize(..2) }).collect();
            let names = squares.all().into_iter().map(|at| squares.name(at));
            Turns::Table(owners, if rng.bool() { names.collect() } else { Vec::new() })
        }
        4 => Turns::Swap(rng.usize(..2)),
        _ => Turns::Sides,
    };
    let modes = if matches!(turns, Turns::List(_) | Turns::Table(..)) { turns.plain() } else { 0 };
    let sides = matches!(turns, Turns::Sides | Turns::Swap(_));
    let remembers = matches!(&turns, Turns::Table(_, squares) if !squares.is_empty());
    let points = rng.u8(..3) == 0;
    let mut it = Random { rng, squares, two_colours, sides, modes, remembers, points };
    let groups = if it.one_in(2) { it.some(2, Random::group) } else { Vec::new() };
    let many = 1 + it.rng.usize(..3);
    let mut moves: Vec<MoveTable> = (0..many).map(|_| it.move_table(!groups.is_empty(), &turns)).collect();
    // Every mode has moves, or nothing is compared in it.
    for mode in 0..modes {
        if !moves.iter().any(|table| table.who.steps.iter().any(|step| step[0] == (mode, None))) {
            let table = it.rng.usize(..moves.len());
            let next = it.rng.usize(..modes);
            moves[table].who.steps.push([(mode, None), (next, None)]);
        }
    }
    let ends = if it.one_in(4) { Vec::new() } else { it.some(3, Random::end) };
    let mut starts = match it.rng.u8(..8) {
        0..4 => Vec::new(),
        4..7 => vec![it.start(false)],
        _ => vec![it.start(true), it.start(true)],
    };
    if let Turns::Swap(opener) = turns {
        if opener == 1 && starts.is_empty() {
            starts.push(it.start(true));
        }
        starts.truncate(1);
        starts.iter_mut().for_each(|start| start.mode = (opener == 1 || start.mode.is_some()).then_some(opener));
    }
    let play = it.pick(&[Outcome::Loss, Outcome::Loss, Outcome::Win, Outcome::Draw]);
    // Where moves gain points, no end decides without them.
    let play = if points { Outcome::Draw } else { play };
    let fewest = it.one_in(3);
    let count = turns.count();
    let boards = (0..BOARDS).map(|_| (it.board(true), it.rng.usize(..count))).collect();
    let cells = it.pick(&[CellsAs::Names, CellsAs::Names, CellsAs::Numbers, CellsAs::Rows, CellsAs::Board]);
    let Random { squares, two_colours, .. } = it;
    let sets = OnceCell::new();
    (File { squares, two_colours, turns, play, fewest, groups, sets, moves, ends, starts, cells }, boards)
}

fn squares(rng: &mut Rng) -> Squares {
    let (rows, cols) = [(1, 3), (1, 4), (1, 5), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2), (3, 3)][rng.usize(..9)];
    let mut all = vec![vec![true; cols]; rows];
    let layout = match rng.u8(..12) {
        0 if rows == 1 => Layout::Row,
        1 => {
            for row in &mut all {
                row[rng.usize(1..=cols)..].fill(false);
            }
            // The longest row is as long as the board is wide.
            all[rng.usize(..rows)].fill(true);
            Layout::Lengths
        }
        kind @ (2 | 3) => {
            all[rng.usize(..rows)][rng.usize(..cols)] = false;
            if kind == 2 { Layout::Holes } else { Layout::Drawn }
        }
        4 => {
            let vertices = rng.usize(3..=5);
            all = vec![vec![true; vertices]];
            let mut lines: Vec<Vec<i32>> = Vec::new();
            for a in 0..vertices as i32 {
                lines.extend((a + 1..vertices as i32).filter(|_| rng.bool()).map(|b| vec![a, b]));
            }
            for _ in 0..rng.usize(..3) {
                let mut line: Vec<i32> = (0..vertices as i32).collect();
                rng.shuffle(&mut line);
                lines.push(line[..3].to_vec());
            }
            if lines.is_empty() {
                lines.push(vec![0, 1]);
            }
            Layout::Graph(lines)
        }
        5 | 6 => {
            let lines = rng.usize(2..=5);
            all = vec![vec![true; lines]];
            let line = |_| {
                let first = rng.i32(1..=3);
                [first, rng.i32(first + 1..=4)]
            };
            Layout::Between((0..lines).map(line).collect())
        }
        _ => Layout::Grid,
    };
    let hexagons = !matches!(layout, Layout::Graph(_) | Layout::Between(_)) && rng.u8(..8) == 0;
    Squares { rows: all, layout, hexagons }
}

impl Random {
    pub(super) fn one_in(&mut self, many: u8) -> bool {
        self.rng.u8(..many) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.usize(..all.len())]
    }

    pub(super) fn some<T>(&mut self, most: usize, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.rng.usize(1..=most)).map(|_| make(self)).collect()
    }

    pub(super) fn span(&mut self, least: i32, most: i32) -> Span {
        let first = self.rng.i32(least..=most);
        [first, if self.rng.bool() { first } else { self.rng.i32(first..=most) }]
    }

    /// Each square with a probability of a half, at least one of them.
    fn places(&mut self) -> Vec<At> {
        let all = self.squares.all();
        let one = self.pick(&all);
        all.into_iter().filter(|&at| at == one || self.rng.bool()).collect()
    }

    fn numbers(&mut self, most: i32) -> Numbers {
        match self.rng.u8(..4) {
            0 => Numbers::One(self.rng.i32(1..=most)),
            3 => Numbers::Formula(self.rng.i32(1..=most)),
            1 => Numbers::List((1..=most).filter(|_| self.rng.u8(..3) > 0).collect()),
            _ => Numbers::Range(self.rng.i32(1..=2), most, self.rng.i32(1..=2)),
        }
    }

    pub(super) fn size(&self) -> (i32, i32) {
        (self.squares.rows.len() as i32, self.squares.rows[0].len() as i32)
    }

    fn area(&mut self) -> Area {
        let (rows, cols) = self.size();
        match self.rng.u8(..5) {
            _ if self.squares.is_graph() => Area::List(self.places()),
            0 => Area::Dark,
            1 => Area::Light,
            2 => Area::Table(Some(self.numbers(rows)), self.rng.bool().then_some(Numbers::One(cols))),
            3 => Area::Drawing(self.places()),
            _ => Area::List(self.places()),
        }
    }

    pub(super) fn limits(&mut self) -> Limits {
        let mut limits = Limits::default();
        if self.squares.is_graph() {
            limits.on = self.one_in(4).then(|| self.area());
            return limits;
        }
        let (rows, cols) = self.size();
        match self.rng.u8(..12) {
            0 | 1 => limits.on = Some(self.area()),
            2 => limits.rows = Some(self.numbers(rows)),
            3 => limits.cols = Some(self.numbers(cols)),
            4 => limits.first_on = Some(self.area()),
            5 => {
                let of_rows = self.rng.bool();
                limits.each = Some((self.numbers(if of_rows { rows } else { cols }), of_rows));
            }
            6 => (limits.on, limits.cols) = (Some(self.area()), Some(self.numbers(cols))),
            _ => {}
        }
        limits
    }

    pub(super) fn along(&mut self) -> Option<Vec<Along>> {
        let one = |it: &mut Self| match it.rng.u8(..5) {
            0 | 1 => Along::Diagonals,
            2 => Along::Rows,
            3 => Along::Columns,
            _ => Along::Step(it.rng.i32(-1..=1), it.pick(&[-2, -1, 1, 2])),
        };
        self.rng.bool().then(|| self.some(2, one))
    }

    pub(super) fn turned(&mut self) -> Frame {
        let turns = !self.squares.is_graph() && self.rng.bool();
        let flips = if self.squares.is_graph() || !self.one_in(3) {
            None
        } else {
            Some(self.pick(&["true", "false", "\"left-right\"", "\"top-bottom\"", "\"both\""]))
        };
        Frame { turns, flips, limits: self.limits(), ..Frame::default() }
    }

    /// A drawing with signs among `signs`, one of them in `needed`.
    pub(super) fn drawing(&mut self, signs: &str, needed: &str) -> Drawing {
        let signs: Vec<char> = signs.chars().collect();
        let needed: Vec<char> = needed.chars().collect();
        let (rows, cols) = self.pick(&[(1, 1), (1, 2), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
        let mut shape: Drawing = (0..rows).map(|_| (0..cols).map(|_| self.pick(&signs)).collect()).collect();
        shape[self.rng.usize(..rows)][self.rng.usize(..cols)] = self.pick(&needed);
        shape
    }

    /// A pattern of a group or of an end.
    fn pattern(&mut self) -> (Pattern, Frame) {
        if self.squares.is_graph() || self.one_in(2) {
            let mut frame = self.turned();
            let shape = if self.squares.is_graph() {
                vec![self.pick(&[&['X'][..], &['X', 'X'], &['X', 'X', 'X']]).to_vec()]
            } else {
                self.drawing("XXX.#", "X")
            };
            frame.turns |= !self.squares.is_graph() && self.one_in(2);
            return (Pattern::Shape(shape), frame);
        }
        (Pattern::Line(self.span(2, 3)), Frame { along: self.along(), limits: self.limits(), ..Frame::default() })
    }

    fn group(&mut self) -> (Pattern, Frame) {
        if self.one_in(3) { (Pattern::Squares(Area::List(self.places())), Frame::default()) } else { self.pattern() }
    }

    pub(super) fn cells(&mut self, most: usize) -> Vec<Cell> {
        let all = self.squares.all();
        let mut cells: Vec<Cell> = Vec::new();
        for _ in 0..self.rng.usize(1..=most) {
            let cell = (if self.two_colours { self.pick(&COLOURS) } else { 'X' }, self.pick(&all));
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }

    fn end(&mut self) -> EndTable {
        let named = ["left", "right", "top", "bottom"];
        let is_full = matches!(self.squares.layout, Layout::Grid | Layout::Row);
        let part = |it: &mut Self| {
            if is_full && it.rng.bool() { Part::Named(it.pick(&named)) } else { Part::Area(Area::List(it.places())) }
        };
        let (pattern, frame) = match self.rng.u8(..10) {
            0 | 1 => (Pattern::Connects([part(self), part(self)]), Frame::default()),
            2 | 3 if self.two_colours => (Pattern::Surrounded, Frame::default()),
            4 => {
                let cells = self.cells(3).into_iter();
                let two = self.two_colours;
                let cells = cells.map(|(colour, at)| ((two && self.one_in(3)).then_some(colour), at)).collect();
                (Pattern::Full(cells), Frame::default())
            }
            5 | 6 => (Pattern::Stuck, Frame::default()),
            _ => self.pattern(),
        };
        let outcome = self.pick(&[Outcome::Win, Outcome::Loss, Outcome::Draw]);
        let outcome = if self.points { Outcome::Draw } else { outcome };
        let is_stuck = matches!(pattern, Pattern::Stuck);
        let verdict = match self.rng.u8(..if self.points { 4 } else { 6 }) {
            0 if self.two_colours => Verdict::Most,
            1 if self.points || self.one_in(2) => Verdict::Points(self.rng.i32(-5..=5)),
            _ if is_stuck => Verdict::ToMove(outcome),
            2 => Verdict::ToMove(outcome),
            3 | 4 => Verdict::Completer(outcome),
            _ => Verdict::Default,
        };
        let of_mover = (self.two_colours && !is_stuck && self.one_in(2)).then(|| self.rng.bool());
        let side = (self.sides && self.one_in(3)).then(|| self.rng.usize(..2));
        let letters = if self.remembers { &[None, Some('X')][..] } else { &[None] };
        let names = letters.iter().flat_map(|&letter| (0..self.modes).map(move |mode| (mode, letter)));
        let mut modes: Vec<ModeName> = names.filter(|_| self.rng.u8(..3) > 0).collect();
        if modes.is_empty() && self.modes > 0 {
            modes.push((0, None));
        }
        let exactly = matches!(pattern, Pattern::Line(_)) && self.rng.bool();
        EndTable { pattern, frame, exactly, verdict, of_mover, side, modes }
    }

    /// A random board; a few squares are blocked if `blocked` and there are two colours.
    fn board(&mut self, blocked: bool) -> Vec<Vec<char>> {
        let fullness = self.rng.u8(1..=4);
        let mut board = self.squares.free();
        for sign in board.iter_mut().flatten().filter(|sign| **sign == '.') {
            if self.rng.u8(..5) < fullness {
                *sign = match self.rng.u8(..6) {
                    0 if self.two_colours && blocked => '*',
                    0..4 if self.two_colours => 'O',
                    _ => 'X',
                };
            }
        }
        board
    }

    fn start(&mut self, with_mode: bool) -> Start {
        let blocked = self.one_in(4);
        let board = self.board(blocked);
        let modes = if self.sides { 2 } else { self.modes };
        let mode = (modes > 0 && (with_mode || self.rng.bool())).then(|| self.rng.usize(..modes));
        let filled = self.rng.bool() && board.iter().flatten().any(|&sign| COLOURS.contains(&sign));
        Start { board, filled, mode }
    }
}
