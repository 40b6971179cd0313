//! Undoing moves: from the arrivals that a layer has decided to the positions before them.
//!
//! A *row* has the arrivals that share the squares of the plane that comes first. A move changes these squares in the same way at all of
//! them, so what it does to a number is found once for the row. Usually it does not change them at all, and the positions before lie in
//! one row, too.

use super::cells::Cells;
use super::filters::RowFilters;
use super::group::{Chunk, Group, Room};
use super::sets::{Arrivals, words_of};
use super::steps::{Step, Steps, Tested};
use crate::index::{Content, Last, Regions};
use crate::rules::Outcome;
use crate::simd::{Unit, Work};

/// What happens to the positions before the arrivals of a set.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    /// The arrivals that were decided last.
    pub(super) from: &'a Arrivals<'a>,
    /// True if moves are undone after which the same player moves again, false if the others are.
    pub(super) again: bool,
    /// True if positions are decided at once; false if each has one move less to try.
    pub(super) at_once: bool,
    /// The label of positions that are decided.
    pub(super) outcome: Outcome,
    pub(super) plies: u16,
    /// The arrivals that are decided.
    pub(super) to: &'a Arrivals<'a>,
}

/// What all tasks of a pass read and write.
#[derive(Clone, Copy)]
pub(super) struct Board<'a> {
    pub(super) index: &'a Regions,
    pub(super) steps: &'a Steps,
    pub(super) group: &'a Group,
    pub(super) cells: &'a Cells<'a>,
}

impl Board<'_> {
    /// Returns whether the position with `number` has a move that is legal beside others.
    #[cold]
    fn has_other<U: Unit>(&self, unit: U, number: u32) -> bool {
        let room = self.group.room_of(number);
        let content = self.index.content(unit, &room.rows.shape, number - room.base, &mut Last::new());
        let mode = &self.steps.modes[usize::from(room.mode)];
        mode.as_ref().is_some_and(|mode| mode.moves.has_other(&room.asked, content))
    }
}

/// Undoes the moves that lead to the arrivals of a chunk. Returns the number of positions that are decided.
pub(super) struct Undo<'a, const IS_EXCLUSIVE: bool> {
    pub(super) board: Board<'a>,
    pub(super) pass: Pass<'a>,
    pub(super) chunk: Chunk,
}

impl<const IS_EXCLUSIVE: bool> Work for Undo<'_, IS_EXCLUSIVE> {
    type Output = u64;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u64 {
        let Self { board, pass, chunk } = self;
        let Board { index, steps, group, .. } = board;
        let room = &group.rooms[chunk.room];
        let Some(mode) = &steps.modes[usize::from(room.mode)] else { return 0 };
        let moves = &mode.back[usize::from(pass.again)];
        let (asked, has_otherwise) = (&room.asked_back[usize::from(pass.again)], moves.has_otherwise());
        let mut tests = RowFilters::new(&moves.tests, asked);
        let mut closings: Vec<RowFilters<'_>> =
            moves.closings.iter().map(|closing| RowFilters::new(closing, asked)).collect();
        let mut ways = Ways::new(index, group, room, moves);
        let mut before = Before::<IS_EXCLUSIVE>::new(board, pass);
        let mut last = Last::new();
        let row = room.rows.arrival.row;
        for choice in chunk.choices.0..chunk.choices.1 {
            let from = room.arrival_base + choice * row;
            let mut is_new = true;
            for (word, inside) in words_of(from, from + row) {
                let mut set = pass.from.word(word) & inside;
                while set != 0 {
                    let number = (word as u32) << 6 | set.trailing_zeros();
                    set &= set - 1;
                    let content = index.content(unit, &room.rows.arrival, number - room.arrival_base, &mut last);
                    if is_new {
                        is_new = false;
                        tests.begin(content.first);
                        closings.iter_mut().for_each(|closing| closing.begin(content.first));
                        ways.begin(content.first, choice);
                    }
                    for word in 0..tests.words() {
                        let mut passed = tests.passed(word, content);
                        if passed == 0 {
                            continue;
                        }
                        let mut closed = 0;
                        for closing in &closings {
                            closed |= closing.passed(word, content);
                        }
                        closed &= passed;
                        while closed != 0 {
                            // A move that fills a line takes a piece if there is one, and so does not lead here.
                            let at = closed.trailing_zeros();
                            closed &= closed - 1;
                            let take = moves.steps[64 * word + at as usize].take;
                            if take.is_some_and(|take| mode.takes_back[usize::from(take)].has_any(content)) {
                                passed &= !(1 << at);
                            }
                        }
                        while passed != 0 {
                            let at = 64 * word + passed.trailing_zeros() as usize;
                            passed &= passed - 1;
                            let is_otherwise = has_otherwise && moves.is_otherwise(at);
                            ways.each(
                                unit,
                                at,
                                content,
                                #[inline(always)]
                                |number| {
                                    if !is_otherwise || !board.has_other(unit, number) {
                                        before.add(unit, number);
                                    }
                                },
                            );
                        }
                    }
                }
            }
        }
        before.flush(unit);
        before.decided
    }
}

/// The effect of undoing a move from the current row.
#[derive(Clone, Copy)]
struct Way {
    /// The sequence number of the row that this was computed for.
    row: u32,
    /// The part of a number that the room and the first plane determine; `u32::MAX` if there is no room.
    base: u32,
    /// The second plane's squares that change, and the squares that are free for it.
    change: u32,
    free: u32,
    /// The factor of the second plane's rank in a number, and the table that ranks it.
    factor: u32,
    top: u32,
    /// The cells outside of squares that change.
    single: u64,
    /// The symmetry that maps the position before the move to one with a number, and the range of further ones in `turns`.
    turn: u8,
    others: (u32, u32),
}

/// The ways of all moves from the current row.
struct Ways<'a> {
    index: &'a Regions,
    group: &'a Group,
    room: &'a Room,
    moves: &'a Tested,
    row: u32,
    first: u32,
    /// The number of the choice `first`.
    choice: u32,
    ways: Vec<Way>,
    /// The symmetries that map positions before a move to positions with numbers, for all ways.
    turns: Vec<u8>,
    has_singles: bool,
}

impl<'a> Ways<'a> {
    fn new(index: &'a Regions, group: &'a Group, room: &'a Room, moves: &'a Tested) -> Self {
        let none = Way { row: 0, base: 0, change: 0, free: 0, factor: 0, top: 0, single: 0, turn: 0, others: (0, 0) };
        let has_singles = index.planes().singles() > 0;
        let ways = vec![none; moves.steps.len()];
        Self { index, group, room, moves, row: 0, first: 0, choice: 0, ways, turns: Vec::new(), has_singles }
    }

    /// Begins the row of `first`, the representative with number `choice`.
    #[inline(always)]
    fn begin(&mut self, first: u32, choice: u32) {
        self.row += 1;
        (self.first, self.choice) = (first, choice);
        self.turns.clear();
    }

    /// Calls `before` with the number of each position from which move number `at` leads to `content`.
    #[inline(always)]
    fn each<U: Unit>(&mut self, unit: U, at: usize, content: Content, mut before: impl FnMut(u32)) {
        if self.ways[at].row != self.row {
            let step = &self.moves.steps[at];
            if step.open != 0 {
                self.each_open(unit, step, content, before);
                return;
            }
            self.ways[at] = self.way(step, step.kinds.plain);
        }
        let way = &self.ways[at];
        if way.base == u32::MAX {
            return;
        }
        let (second, single) = (content.second ^ way.change, content.single ^ way.single);
        let Some(folds) = self.index.folds() else {
            before(self.number(unit, way, second, single));
            return;
        };
        before(self.number(unit, way, folds.image(way.turn, second), single));
        let mut turn = way.others.0;
        while turn < way.others.1 {
            before(self.number(unit, way, folds.image(self.turns[turn as usize], second), single));
            turn += 1;
        }
    }

    /// The number of the position of a way with the squares `second`.
    #[inline(always)]
    fn number<U: Unit>(&self, unit: U, way: &Way, second: u32, single: u64) -> u32 {
        let left = unit.extract(second.into(), way.free.into());
        let number = way.base + self.index.subsets().rank(left as u32, way.top) * way.factor;
        if self.has_singles { number + self.index.subsets().number(single) } else { number }
    }

    /// As [`each`](Self::each), for a move that fills cells which may have been filled before.
    #[cold]
    fn each_open<U: Unit>(&mut self, unit: U, step: &Step, content: Content, mut before: impl FnMut(u32)) {
        let without = content.single & !step.open;
        let mut part = step.open;
        loop {
            let kind = step.kinds.plain + (step.open & !part).count_ones();
            let way = self.way(step, kind);
            if way.base != u32::MAX {
                let others = (way.others.0..way.others.1).map(|turn| self.turns[turn as usize]);
                for turn in std::iter::once(way.turn).chain(others) {
                    let second = content.second ^ way.change;
                    let second = self.index.folds().map_or(second, |folds| folds.image(turn, second));
                    before(self.number(unit, &way, second, (without | part) ^ way.single));
                }
            }
            if part == 0 {
                return;
            }
            part = (part - 1) & step.open;
        }
    }

    /// The way of `step` from the current row, if it is a move of `kind`.
    #[inline]
    fn way(&mut self, step: &Step, kind: u32) -> Way {
        let first = self.first ^ step.change.first;
        let mut way = Way {
            row: self.row,
            base: u32::MAX,
            change: step.change.second,
            free: !first,
            factor: 0,
            top: 0,
            single: step.change.single,
            turn: 0,
            others: (0, 0),
        };
        let Some(room) = self.room.from[kind as usize] else { return way };
        let room = &self.group.rooms[room as usize];
        if step.change.first == 0 {
            // The position before the move lies in the same row, which is that of a representative.
            (way.factor, way.top) = (room.rows.shape.single, room.rows.shape.top);
            way.base = room.base + self.choice * room.rows.shape.row;
            return way;
        }
        let start = self.turns.len();
        let choice = match self.index.folds() {
            None => self.index.subsets().number(first.into()),
            Some(folds) => {
                folds.turns_back(first, self.first, &mut self.turns);
                let Some(&turn) = self.turns.get(start) else { return way };
                (way.turn, way.free) = (turn, !folds.image(turn, first));
                way.others = (start as u32 + 1, self.turns.len() as u32);
                folds.place(first).choice
            }
        };
        (way.factor, way.top) = (room.rows.shape.single, room.rows.shape.top);
        way.base = room.base + choice * room.rows.shape.row;
        way
    }
}

/// Capacity of the buffer of numbers.
const MOST: usize = 32;

/// Numbers whose cells are being fetched into the core's cache.
struct Pending {
    numbers: [u32; MOST],
    count: usize,
}

impl Pending {
    const fn new() -> Self {
        Self { numbers: [0; MOST], count: 0 }
    }
}

/// The positions before the arrivals.
struct Before<'a, const IS_EXCLUSIVE: bool> {
    index: &'a Regions,
    group: &'a Group,
    cells: &'a Cells<'a>,
    pass: Pass<'a>,
    last: Last,
    /// The first number of the room that `last` belongs to.
    room: u32,
    pending: Pending,
    decided: u64,
}

impl<'a, const IS_EXCLUSIVE: bool> Before<'a, IS_EXCLUSIVE> {
    #[inline(always)]
    const fn new(board: Board<'a>, pass: Pass<'a>) -> Self {
        let Board { index, group, cells, .. } = board;
        Self { index, group, cells, pass, last: Last::new(), room: 0, pending: Pending::new(), decided: 0 }
    }

    #[inline(always)]
    fn add<U: Unit>(&mut self, unit: U, number: u32) {
        unit.prefetch(self.cells.cell(number));
        self.pending.numbers[self.pending.count % MOST] = number;
        self.pending.count += 1;
        if self.pending.count >= MOST {
            self.flush(unit);
        }
    }

    /// Handles the pending numbers. Those that still need work are first separated from the others without a branch, which the processor
    /// could not predict.
    #[inline(always)]
    fn flush<U: Unit>(&mut self, unit: U) {
        let (mut some, mut at) = (0, 0);
        while at < self.pending.count.min(MOST) {
            let number = self.pending.numbers[at];
            self.pending.numbers[some % MOST] = number;
            some += usize::from(self.cells.is_undecided(number));
            at += 1;
        }
        self.pending.count = 0;
        let mut at = 0;
        while at < some.min(MOST) {
            let number = self.pending.numbers[at];
            at += 1;
            let Pass { at_once, outcome, plies, .. } = self.pass;
            let is_decided = if at_once {
                self.cells.decide::<IS_EXCLUSIVE>(number, outcome, plies)
            } else {
                self.cells.take_off::<IS_EXCLUSIVE>(number, outcome, plies)
            };
            if is_decided {
                self.arrive(unit, number);
            }
        }
    }

    /// Adds the position with `number`, which is decided now, to the arrivals of the layer.
    #[inline(always)]
    fn arrive<U: Unit>(&mut self, unit: U, number: u32) {
        let room = self.group.room_of(number);
        if self.room != room.base {
            (self.room, self.last) = (room.base, Last::new());
        }
        self.decided += 1;
        let content = self.index.content(unit, &room.rows.shape, number - room.base, &mut self.last);
        let to = self.pass.to;
        self.group.arrivals(self.index, unit, room, content, |arrival, chunk| to.insert(arrival, chunk));
    }
}

/// Handles the positions of an event: each is decided at once, or has one move less to try. Returns the number of positions that are
/// decided.
pub(super) struct Happen<'a> {
    pub(super) board: Board<'a>,
    /// The source is not read.
    pub(super) pass: Pass<'a>,
    pub(super) numbers: &'a [u32],
}

impl Work for Happen<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u64 {
        let Self { board, pass, numbers } = self;
        let mut before = Before::<true>::new(board, pass);
        for &number in numbers {
            before.add(unit, number);
        }
        before.flush(unit);
        before.decided
    }
}
