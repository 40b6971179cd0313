//! The layers of a group: which positions are decided in 0 plies, in 1 ply and so on; and the order of the groups.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::ahead::{Ahead, Found};
use super::back::{Board, Happen, Pass, Undo};
use super::cells::{Cells, LEFT, MOST_PLIES};
use super::events::Events;
use super::group::{Chunk, Group, Room};
use super::layout::Rows;
use super::sets::{Arrivals, SetMemory};
use super::steps::Steps;
use super::store::{Arrange, Code, Known, Labels, Loaded, REPETITION, RegionLabels, RegionStore, are_short};
use crate::index::Regions;
use crate::memory::Memory;
use crate::parallel;
use crate::rules::{Outcome, Rules};
use crate::simd::VectorUnit;
use crate::{Meter, Options, Phase, SolveError, go_on};

/// Numbers in the rows that one task of the forward pass works on.
const ROWS: u32 = 1 << 15;
/// Positions of an event that one task handles.
const EVENT: usize = 1 << 14;

/// Solves the regions of `index` group by group, and gives each region to `store` when it is finished.
///
/// # Errors
/// If memory does not suffice, a position has too many moves, or the work is cancelled; and the errors of `store`.
pub(super) fn solve_groups(
    rules: &Rules,
    index: &Regions,
    options: &Options<'_>,
    unit: VectorUnit,
    store: &mut dyn RegionStore,
) -> Result<(), SolveError> {
    let steps = Steps::new(rules, index).map_err(|_| SolveError::Counts { name: rules.name().into() })?;
    let mut meter = Meter::new(options.progress, Phase::Label, Some(index.numbers()));
    let mut known = Known::new(index.regions().len());
    for list in index.list().groups() {
        let group = Group::new(index, &steps, list)?;
        let size = group.rooms.iter().map(|room| u64::from(room.rows.shape.size)).sum();
        if group.rooms.iter().all(|room| store.is_finished(room.region)) {
            go_on(meter.add(size))?;
            continue;
        }
        let needed = group.outside();
        known.keep_only(|region| needed.contains(&region));
        for &region in needed.iter().filter(|&&region| !known.has(region)).collect::<Vec<_>>() {
            known.put(region, arranged(index, region, &*store.load(region)?, unit)?);
        }
        let solver = Solver { rules, index, steps: &steps, group: &group, known: &known, unit, meter: &meter };
        solver.solve(size, store)?;
        store.group_is_finished()?;
    }
    if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok(()) }
}

/// The labels of a region in the order of arrivals.
fn arranged(index: &Regions, region: usize, from: &RegionLabels, unit: VectorUnit) -> Result<Loaded, SolveError> {
    fn codes<C: Code>(index: &Regions, rows: &Rows, from: &RegionLabels, unit: VectorUnit) -> Box<[C]> {
        let mut codes = vec![C::default(); rows.arrival.size as usize];
        let choices = (ROWS / rows.arrival.row).max(1);
        let parts = codes.chunks_mut((choices * rows.arrival.row) as usize).zip((0..).step_by(choices as usize));
        parallel::for_each(parts, |(to, first): (&mut [C], u32)| {
            let choices = first..first + to.len() as u32 / rows.arrival.row;
            unit.run_on_words(Arrange { index, rows, from, choices, to });
        });
        codes.into_boxed_slice()
    }
    let rows = Rows::new(index, region)?;
    let labels = match are_short(from.longest) {
        true => Labels::Short(codes(index, &rows, from, unit)),
        false => Labels::Long(codes(index, &rows, from, unit)),
    };
    Ok(Loaded { arrival: rows.arrival, labels })
}

/// The work on one group.
struct Solver<'a> {
    rules: &'a Rules,
    index: &'a Regions,
    steps: &'a Steps,
    group: &'a Group,
    known: &'a Known,
    unit: VectorUnit,
    meter: &'a Meter<'a>,
}

impl Solver<'_> {
    /// Solves the group, which has `size` positions.
    fn solve(&self, size: u64, store: &mut dyn RegionStore) -> Result<(), SolveError> {
        let group = self.group;
        let mut cells = Memory::untouched(u64::from(group.numbers) * 2)?;
        let mut outcomes = Memory::untouched(u64::from(group.numbers).div_ceil(32) * 8)?;
        let cells = Cells::new(cells.values_mut(), outcomes.values_mut());
        let mut memory = Vec::with_capacity(5);
        for _ in 0..5 {
            memory.push(SetMemory::new(group.arrivals)?);
        }
        {
            let mut sets = memory.iter_mut().map(|memory| memory.set(group));
            let mut set = || sets.next().unwrap_or_else(|| unreachable!("as many sets as memory was made for"));
            let (won, lost, drawn, more, most) = (set(), set(), set(), set(), set());
            let events = self.ahead(&cells, [&won, &lost, &drawn])?;
            let board = Board { index: self.index, steps: self.steps, group, cells: &cells };
            let decided = self.decide(board, &events, [won, lost, more, most], drawn)?;
            go_on(self.meter.add(size - decided))?;
        }
        drop(memory);
        for room in &group.rooms {
            let labels = finished(room, &cells);
            if labels.longest >= MOST_PLIES {
                return Err(SolveError::TooLong { name: self.rules.name().into(), most: MOST_PLIES - 1 });
            }
            store.keep(room.region, labels)?;
        }
        Ok(())
    }

    /// The forward pass.
    fn ahead(&self, cells: &Cells<'_>, ended: [&Arrivals<'_>; 3]) -> Result<Events, SolveError> {
        let (events, too_many) = (Events::default(), AtomicBool::new(false));
        let tasks = self.group.rooms.iter().enumerate().flat_map(|(number, room)| {
            let (choices, rows) =
                (room.rows.shape.size / room.rows.shape.row.max(1), (ROWS / room.rows.shape.row.max(1)).max(1));
            let to = move |from: u32| Chunk { room: number, choices: (from, choices.min(from.saturating_add(rows))) };
            (0..choices).step_by(rows as usize).map(to)
        });
        parallel::try_map(tasks.collect::<Vec<_>>(), |chunk| {
            let found = Found { cells, ended, too_many: &too_many };
            let Self { index, steps, group, known, .. } = *self;
            events.join(self.unit.run_on_words(Ahead { index, steps, group, known, found, chunk }));
            go_on(self.meter.add(0))
        })?;
        if too_many.load(Relaxed) {
            let found = self.rules.moves().len() as u64;
            return Err(SolveError::TooManyMoves { name: self.rules.name().into(), found, most: LEFT.into() });
        }
        Ok(events)
    }

    /// Decides the positions layer by layer, and returns their number. `sets` are the positions that are won and lost in 0 plies, and two
    /// empty sets.
    fn decide<'a>(
        &self,
        board: Board<'a>,
        events: &Events,
        sets: [Arrivals<'a>; 4],
        mut drawn: Arrivals<'a>,
    ) -> Result<u64, SolveError> {
        let [mut won, mut lost, mut won_next, mut lost_next] = sets;
        let mut decided = 0;
        for of_draws in [false, true] {
            let mut plies = 0;
            loop {
                let is_empty = |set: &Arrivals<'_>| set.chunks().is_empty();
                let outcomes: &[Outcome] = if of_draws { &[Outcome::Draw] } else { &[Outcome::Win, Outcome::Loss] };
                let is_over = if of_draws { is_empty(&drawn) } else { is_empty(&won) && is_empty(&lost) };
                if is_over && !events.has(outcomes) {
                    break;
                }
                // Beyond the most plies that a cell holds, all plies are the same.
                let next = (plies + 1).min(u32::from(MOST_PLIES)) as u16;
                let pass = |from, again, at_once, outcome, to| Pass { from, again, at_once, outcome, plies: next, to };
                if of_draws {
                    for again in [false, true] {
                        decided += self.undo(board, pass(&drawn, again, false, Outcome::Draw, &lost_next))?;
                    }
                    let happening = pass(&drawn, false, false, Outcome::Draw, &lost_next);
                    decided += self.happen(board, happening, events.take(Outcome::Draw, plies + 1))?;
                    self.clear(&drawn);
                    std::mem::swap(&mut drawn, &mut lost_next);
                } else {
                    decided += self.undo(board, pass(&lost, false, true, Outcome::Win, &won_next))?;
                    decided += self.undo(board, pass(&won, true, true, Outcome::Win, &won_next))?;
                    let happening = pass(&lost, false, true, Outcome::Win, &won_next);
                    decided += self.happen(board, happening, events.take(Outcome::Win, plies + 1))?;
                    decided += self.undo(board, pass(&won, false, false, Outcome::Loss, &lost_next))?;
                    decided += self.undo(board, pass(&lost, true, false, Outcome::Loss, &lost_next))?;
                    let happening = pass(&won, false, false, Outcome::Loss, &lost_next);
                    decided += self.happen(board, happening, events.take(Outcome::Loss, plies + 1))?;
                    self.clear(&won);
                    self.clear(&lost);
                    std::mem::swap(&mut won, &mut won_next);
                    std::mem::swap(&mut lost, &mut lost_next);
                }
                plies += 1;
            }
        }
        Ok(decided)
    }

    /// Undoes the moves that lead to the arrivals of a set.
    fn undo(&self, board: Board<'_>, pass: Pass<'_>) -> Result<u64, SolveError> {
        if pass.again && !self.steps.has_again {
            return Ok(0);
        }
        let decided = parallel::try_map(pass.from.chunks(), |chunk| {
            let chunk = self.group.chunks[chunk];
            let decided = if self.group.is_exclusive {
                self.unit.run_on_words(Undo::<true> { board, pass, chunk })
            } else {
                self.unit.run_on_words(Undo::<false> { board, pass, chunk })
            };
            go_on(self.meter.add(decided))?;
            Ok::<_, SolveError>(decided)
        })?;
        Ok(decided.into_iter().sum())
    }

    /// Handles the events of a layer. Each position has one event, so no two tasks change one cell.
    fn happen(&self, board: Board<'_>, pass: Pass<'_>, lists: Vec<Box<[u32]>>) -> Result<u64, SolveError> {
        let tasks: Vec<&[u32]> = lists.iter().flat_map(|list| list.chunks(EVENT)).collect();
        let decided = parallel::try_map(tasks, |numbers| {
            let decided = self.unit.run_on_words(Happen { board, pass, numbers });
            go_on(self.meter.add(decided))?;
            Ok::<_, SolveError>(decided)
        })?;
        Ok(decided.into_iter().sum())
    }

    fn clear(&self, set: &Arrivals<'_>) {
        parallel::for_each(set.chunks(), |number| {
            let Chunk { room, choices: (from, to) } = self.group.chunks[number];
            let room = &self.group.rooms[room];
            let at = |choice: u32| room.arrival_base + choice * room.rows.arrival.row;
            set.clear(number, at(from), at(to));
        });
    }
}

/// The labels of a room, all of whose positions are decided or stay undecided.
fn finished(room: &Room, cells: &Cells<'_>) -> RegionLabels {
    let size = room.rows.shape.size;
    let mut outcomes: Box<[u64]> = cells.outcomes(room.base, size).collect();
    // Numbers that align rooms have no outcome.
    if let (Some(last), rest @ 1..) = (outcomes.last_mut(), size % 32) {
        *last &= u64::MAX >> (64 - 2 * rest);
    }
    let mut plies = vec![0; size as usize].into_boxed_slice();
    let (part, of_part) = (1 << 16, |(at, to): (usize, &mut [u16])| {
        let found = cells.plies(room.base + at as u32, to.len() as u32, REPETITION);
        to.iter_mut().zip(found).fold(0, |longest, (to, plies)| {
            *to = plies;
            if plies == REPETITION { longest } else { longest.max(plies) }
        })
    });
    let parts = (0..).step_by(part).zip(plies.chunks_mut(part));
    let longest = parallel::map(parts.collect::<Vec<_>>(), of_part).into_iter().max().unwrap_or(0);
    RegionLabels { outcomes, plies, longest }
}
