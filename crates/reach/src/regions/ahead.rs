//! The forward pass over a group: finds the ends of play, counts the moves that stay in the group, and finds what the others are worth.
//!
//! All moves that leave the group count as one more move, because it is known when it is decided: the group's layers come to it at an
//! [event](super::events).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::cells::{Cells, LEFT};
use super::events::LocalEvents;
use super::filters::RowFilters;
use super::group::{Chunk, Group, Target};
use super::sets::Arrivals;
use super::steps::{OfMode, Step, Steps, is_empty, without};
use super::store::{Firsts, Known, Worth};
use crate::index::{Content, Last, Regions};
use crate::rules::{Board, Outcome};
use crate::simd::{Unit, Work};

/// Where a task puts what it finds.
pub(super) struct Found<'a> {
    pub(super) cells: &'a Cells<'a>,
    /// The positions that have ended: won, lost and drawn.
    pub(super) ended: [&'a Arrivals<'a>; 3],
    /// Set if a position has more moves than a cell can count.
    pub(super) too_many: &'a AtomicBool,
}

/// The forward pass over some rows of a room.
pub(super) struct Ahead<'a> {
    pub(super) index: &'a Regions,
    pub(super) steps: &'a Steps,
    pub(super) group: &'a Group,
    pub(super) known: &'a Known,
    pub(super) found: Found<'a>,
    /// Rows of the index of positions.
    pub(super) chunk: Chunk,
}

impl Work for Ahead<'_> {
    /// The events of the positions.
    type Output = LocalEvents;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> LocalEvents {
        let Self { index, steps, group, known, found, chunk } = self;
        let room = &group.rooms[chunk.room];
        let mut events = LocalEvents::default();
        let Some(mode) = &steps.modes[usize::from(room.mode)] else { return events };
        let all = vec![u64::MAX; mode.ends.words()];
        let mut ends = RowFilters::new(&mode.ends, &all);
        let mut moves = RowFilters::new(&mode.moves.tests, &room.asked);
        let mut closings: Vec<RowFilters<'_>> =
            mode.moves.closings.iter().map(|closing| RowFilters::new(closing, &room.asked)).collect();
        let out = Out { index, known, mode, to: &room.to, again: &steps.again };
        let (mut last, mut firsts) = (Last::new(), Firsts::new());
        let row = room.rows.shape.row;
        for choice in chunk.choices.0..chunk.choices.1 {
            let mut is_new = true;
            for rank in choice * row..(choice + 1) * row {
                let content = index.content(unit, &room.rows.shape, rank, &mut last);
                if is_new {
                    is_new = false;
                    ends.begin(content.first);
                    moves.begin(content.first);
                    closings.iter_mut().for_each(|closing| closing.begin(content.first));
                }
                let number = room.base + rank;
                let mut ended = None;
                for word in 0..ends.words() {
                    let met = ends.passed(word, content);
                    if met != 0 {
                        ended = Some(mode.outcomes[64 * word + met.trailing_zeros() as usize]);
                        break;
                    }
                }
                let (mut left, mut outside) = (0, Worth::NONE);
                if ended.is_none() {
                    let mut has_moves = false;
                    let tested = &mode.moves;
                    let has_other = tested.has_otherwise() && tested.has_other(&room.asked, content);
                    'words: for word in 0..moves.words() {
                        let legal = tested.legal(word, moves.passed(word, content), has_other);
                        if legal == 0 {
                            continue;
                        }
                        has_moves = true;
                        let mut closed = 0;
                        for closing in &closings {
                            closed |= closing.passed(word, content);
                        }
                        let inside = legal & room.inside[word];
                        left += (inside & !(closed & legal)).count_ones();
                        let mut others = legal & (closed | !inside);
                        while others != 0 {
                            let at = 64 * word + others.trailing_zeros() as usize;
                            let is_closed = closed >> (at % 64) & 1 == 1;
                            others &= others - 1;
                            left +=
                                out.step(unit, &mode.moves.steps[at], is_closed, content, &mut firsts, &mut outside);
                            // A move that wins at once decides the position before any of its moves is counted down.
                            if outside == Worth::BEST {
                                break 'words;
                            }
                        }
                    }
                    if !has_moves {
                        ended = Some(mode.terminal);
                    }
                }
                if let Some(ended) = ended {
                    let board = || index.planes().join(unit, content.turned(index.orders().is_turned(room.mode)));
                    let outcome = ended.fixed().unwrap_or_else(|| ended.on(Board::from_word(board())));
                    let set = match outcome {
                        Outcome::Win => 0,
                        Outcome::Loss => 1,
                        Outcome::Draw => 2,
                    };
                    found.cells.end(number, outcome);
                    let insert = |arrival, chunk| found.ended[set].insert(arrival, chunk);
                    group.arrivals(index, unit, room, content, insert);
                    continue;
                }
                left += u32::from(outside != Worth::NONE);
                if left > LEFT {
                    found.too_many.store(true, Relaxed);
                }
                found.cells.begin(number, left.min(LEFT));
                if outside != Worth::NONE
                    && let Some((outcome, layer)) = outside.before()
                {
                    events.add(layer, outcome, number);
                }
            }
        }
        events
    }
}

/// Moves out of the group, and moves of which it depends on the board whether they leave it.
struct Out<'a> {
    index: &'a Regions,
    known: &'a Known,
    mode: &'a OfMode,
    /// For each kind, where its moves lead, and whether the same player moves again.
    to: &'a [Target],
    again: &'a [bool],
}

impl Out<'_> {
    /// Adds what `step` leads to from the position with `content`, and returns the number of its moves that stay in the group.
    #[inline(always)]
    fn step<U: Unit>(
        &self,
        unit: U,
        step: &Step,
        is_closed: bool,
        content: Content,
        firsts: &mut Firsts,
        outside: &mut Worth,
    ) -> u32 {
        let Content { first, second, single } = content;
        let change = step.change;
        let mut after =
            Content { first: first ^ change.first, second: second ^ change.second, single: single ^ change.single };
        let filled = (step.open & !content.single).count_ones();
        after.single |= step.open;
        if let (true, Some(take)) = (is_closed, step.take) {
            let mut taken = self.mode.takes[usize::from(take)].from(after);
            if !is_empty(taken) {
                while !is_empty(taken) {
                    let one = Content {
                        first: taken.first & taken.first.wrapping_neg(),
                        second: if taken.first == 0 { taken.second & taken.second.wrapping_neg() } else { 0 },
                        single: if taken.first | taken.second == 0 {
                            taken.single & taken.single.wrapping_neg()
                        } else {
                            0
                        },
                    };
                    taken = without(taken, one);
                    let plane = if one.first != 0 { 0 } else { usize::from(one.second == 0) + 1 };
                    self.out(unit, self.taking(step, plane), without(after, one), firsts, outside);
                }
                return 0;
            }
        }
        let kind = step.kinds.plain + filled;
        if matches!(self.to[kind as usize], Target::Inside) {
            return 1;
        }
        self.out(unit, kind, after, firsts, outside);
        0
    }

    /// The kind of `step` if it takes a piece of plane number `plane` of its mode.
    #[inline(always)]
    fn taking(&self, step: &Step, plane: usize) -> u32 {
        let kind = self.index.kinds().list[step.kinds.plain as usize];
        let is_turned = self.index.orders().is_turned(kind.mode);
        step.kinds.taking[if plane < 2 && is_turned { 1 - plane } else { plane }]
    }

    /// Adds a move of `kind` to the position with `content`, which is outside of the group.
    #[inline(always)]
    fn out<U: Unit>(&self, unit: U, kind: u32, content: Content, firsts: &mut Firsts, outside: &mut Worth) {
        let worth = match self.to[kind as usize] {
            Target::Outside(region) => self.known.worth(self.index, unit, region, content, firsts),
            Target::Ended(outcome) => Worth::ended(outcome),
            Target::Inside | Target::Nowhere => return,
        };
        let worth = if self.again[kind as usize] { worth.turned() } else { worth };
        *outside = (*outside).min(worth);
    }
}
