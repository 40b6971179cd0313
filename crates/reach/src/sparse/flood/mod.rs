//! The forward pass: finds all reachable positions.
//!
//! ```text
//! for each level, the lowest first:
//!     collect leads: each region of a lower level, with each class of moves, leads to one region of this level
//!     sort the leads by the region that they lead to
//!     on every core: take a region; gather the successors by its leads, drop duplicates, move ended positions behind ongoing ones
//! ```
//!
//! One thread makes a region, so threads do not wait for each other, and the gathered positions stay in a core's cache.
//! The order of positions depends on the threads, but a table has an order of its own.

mod leads;

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::leads::{Lead, ROOT};
use super::Problem;
use super::classes::Classes;
use super::cost::{Cost, MemoryWatch, SoFar, with_slack};
use super::item::{Item, Scratch, split};
use super::regions::{Level, Region};
use crate::reachable::{LevelSize, MOST_IN_LEVEL};
use crate::{Meter, Phase, SolveError, UpTo, go_on};

/// The number of tasks of a level: enough to keep many cores busy until the end.
const TASKS: usize = 256;

/// The flood asks the system for its available memory each time it has taken another 2^`ASK` bytes.
const ASK: u32 = 22;

/// All reachable positions, without outcomes.
pub(super) struct Flooded<T: Item> {
    /// The levels. A count drops some.
    pub(super) levels: Vec<Option<Level<T>>>,
    /// The low bits of the smallest regions.
    pub(super) low_bits: u32,
    pub(super) sizes: Vec<LevelSize>,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, T: Item> {
    problem: Problem<'a>,
    layout: &'a T::Layout,
    classes: Classes<T>,
    cost: Cost,
    /// The roots by level and key.
    roots: Vec<(u32, T)>,
    /// The levels found so far.
    levels: Vec<Option<Level<T>>>,
    /// Bytes of the levels that a count has dropped.
    dropped: u64,
    low_bits: u32,
    sizes: Vec<LevelSize>,
    found: u64,
    /// Counts the positions found.
    meter: Meter<'a>,
    watch: MemoryWatch,
}

/// The extent of a flood.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All levels, which stay in memory.
    All,
    /// All levels. Each is dropped once the levels that its moves lead to are complete.
    Count,
    /// The levels up to the first one with at least this many items.
    UpTo(usize),
}

/// Finds the positions of `problem`, as far as `extent` says. Items are laid out by `layout`.
pub(super) fn flood<T: Item>(
    problem: Problem<'_>,
    layout: &T::Layout,
    extent: Extent,
) -> Result<Flooded<T>, SolveError> {
    let Problem { rules, potential, roots, options } = problem;
    let mut roots: Vec<_> =
        roots.iter().map(|&root| (potential.level(root), T::of_position(layout, rules, root))).collect();
    roots.sort_unstable_by_key(|&(level, root)| (level, root.key()));
    let mut flood = Flood::<T> {
        problem,
        layout,
        classes: Classes::new(rules, potential, layout, T::cells(layout)),
        cost: Cost::of::<T::Key>(rules, potential, options.labels),
        roots,
        levels: (0..=potential.most()).map(|_| None).collect(),
        dropped: 0,
        // At first, all positions of a mode are one region.
        low_bits: T::cells(layout),
        sizes: Vec::new(),
        found: 0,
        meter: Meter::new(options.progress, Phase::Find, None),
        watch: MemoryWatch::new(options),
    };
    for filled in 0..=potential.most() {
        flood.level(filled)?;
        if let Extent::UpTo(count) = extent
            && flood.levels[filled as usize].as_ref().is_some_and(|level| level.items.len() >= count)
        {
            break;
        }
        if extent == Extent::Count
            && let Some(last) = filled.checked_sub(flood.cost.span())
        {
            // The count estimates the memory of a build, which does not drop the level.
            flood.dropped += flood.levels[last as usize].take().map_or(0, |level| level.bytes());
        }
    }
    go_on(flood.meter.finish())?;
    let Flood { levels, low_bits, sizes, watch, .. } = flood;
    Ok(Flooded { levels, low_bits, sizes, peak: watch.peak() })
}

impl<T: Item> Flood<'_, T> {
    /// Finds the positions of level `filled`, after all lower levels.
    fn level(&mut self, filled: u32) -> Result<(), SolveError> {
        let leads = self.leads(filled);
        if leads.is_empty() {
            return go_on(self.meter.add(0));
        }
        let lead_bytes = (leads.capacity() * size_of::<Lead<T::Key>>()) as u64;
        self.check_memory(filled, lead_bytes)?;
        let (parts, part_bytes) = self.parts(filled, &leads, lead_bytes)?;
        let count: u64 = parts.iter().map(Level::count).sum();
        if count == 0 {
            // The moves of all leads are legal for the top cells only.
            return Ok(());
        }
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { up_to: self.up_to(filled), positions: count });
        }
        self.sizes.push(LevelSize { filled, count });
        self.check_memory(filled, lead_bytes + part_bytes)?;
        drop(leads);
        self.found += count;
        let so_far = self.before(filled);
        let level = Level::join(parts).map_err(|_| so_far.refused())?;
        self.levels[filled as usize] = Some(level);
        self.refine(filled).map_err(|_| so_far.refused())
    }

    /// Finds the regions of level `filled` that `leads` lead to. Returns them in parts, and the number of bytes for
    /// making and joining the parts.
    fn parts(&self, filled: u32, leads: &[Lead<T::Key>], lead_bytes: u64) -> Result<(Vec<Level<T>>, u64), SolveError> {
        let so_far = self.before(filled);
        let groups: Vec<&[Lead<T::Key>]> = leads.chunk_by(|a, b| a.top == b.top).collect();
        let threads = rayon::current_num_threads() as u64;
        // The parts of several threads are copied into one level.
        let copies = if threads == 1 { 1 } else { 2 };
        let (taken, found, scratch) = (AtomicU64::new(0), AtomicU64::new(self.found), AtomicU64::new(0));
        let before = self.held() + lead_bytes;
        // Before a thread works in `own` bytes, and all have made parts of `parts` bytes.
        let enough_for = |own: u64, parts: u64| {
            let scratch = scratch.fetch_max(own, Ordering::Relaxed).max(own);
            let needed = with_slack(before + threads * scratch + copies * parts);
            match self.problem.options.max_bytes {
                Some(allowed) if needed > allowed => Err(so_far.over(allowed, needed)),
                _ => Ok(()),
            }
        };
        let count = |items: &[T]| {
            let count = items.iter().map(|item| item.count()).sum();
            go_on(self.meter.add(count))?;
            let found = found.fetch_add(count, Ordering::Relaxed) + count;
            match self.problem.options.max_positions {
                Some(limit) if found > limit => Err(SolveError::MaxPositions { limit, up_to: self.up_to(filled) }),
                _ => Ok(()),
            }
        };
        let extend =
            |room: &mut Scratch<T>, part: &mut Level<T>, groups: &[&[Lead<T::Key>]]| -> Result<(), SolveError> {
                let bytes = part.bytes();
                let others = taken.load(Ordering::Relaxed);
                self.extend(filled, groups, room, part, &|own, part| enough_for(own, others + part - bytes), &count)?;
                let bytes = part.bytes() - bytes;
                let before = taken.fetch_add(bytes, Ordering::Relaxed);
                let taken = before + bytes;
                // Asking the system is slow, so it is asked only after each 2^`ASK` bytes.
                if before >> ASK != taken >> ASK
                    && let Some(left) = self.problem.options.room.and_then(|room| room())
                    && left < taken
                {
                    return Err(so_far.no_room(taken, left));
                }
                enough_for(room.bytes(), taken)
            };
        let size = groups.len().div_ceil(TASKS).max(1);
        let parts = if threads == 1 {
            let (mut room, mut part) = (Scratch::default(), Level::new(filled, self.low_bits));
            groups.chunks(size).try_for_each(|groups| extend(&mut room, &mut part, groups))?;
            vec![part]
        } else {
            let part = |room: &mut Scratch<T>, groups: &[&[Lead<T::Key>]]| {
                let mut part = Level::new(filled, self.low_bits);
                extend(room, &mut part, groups).map(|()| part)
            };
            // Not by `parallel`: memory that goes from task to task grows in another order each time, and with it the memory needed.
            groups.par_chunks(size).map_init(Scratch::default, part).collect::<Result<Vec<_>, SolveError>>()?
        };
        Ok((parts, scratch.into_inner() * threads + copies * taken.into_inner()))
    }

    /// Appends to `part` the regions of level `filled` that `groups` lead to. Each group has all leads to one region. `enough_for` is
    /// called with the bytes of the buffers and of the part before these grow, as far as that is known, and `count` with the positions of each
    /// region, before all terminal patterns are compared with them.
    fn extend(
        &self,
        filled: u32,
        groups: &[&[Lead<T::Key>]],
        room: &mut Scratch<T>,
        part: &mut Level<T>,
        enough_for: &dyn Fn(u64, u64) -> Result<(), SolveError>,
        count: &dyn Fn(&[T]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let cells = T::all(self.layout);
        for leads in groups {
            room.gathered.clear();
            for lead in *leads {
                if lead.class == ROOT {
                    room.gathered.push(self.roots[lead.region as usize].1);
                    continue;
                }
                let level = self.levels[usize::from(lead.filled)].as_ref();
                let level = level.unwrap_or_else(|| unreachable!("a flood keeps the levels that lead here"));
                let region = level.regions[lead.region as usize];
                let (mode, board) = split::<T>(self.layout, region.top);
                let class = &self.classes.of_mode(mode)[lead.class as usize];
                let (least, most) = class.rises(board);
                let items = &level.items[region.start..region.ongoing];
                let is_there = |item: T| item.is_on(self.layout, self.problem.potential, filled);
                let capacity = room.gathered.capacity();
                class.gather(items, cells, (least < most).then_some(&is_there), &mut room.gathered);
                if room.gathered.capacity() > capacity {
                    enough_for(room.bytes(), part.bytes())?;
                }
            }
            if room.gathered.is_empty() {
                continue;
            }
            let (top, start) = (leads[0].top, part.items.len());
            enough_for(room.bytes_with_table(), part.bytes())?;
            T::drop_duplicates(room, top, &mut part.items).map_err(|_| self.before(filled).refused())?;
            count(&part.items[start..])?;
            let ongoing = self.split_ended(&mut part.items, start, &mut room.gathered);
            let end = part.items.len();
            part.regions.push(Region { top, start, ongoing, end });
        }
        Ok(())
    }

    /// Moves the items from `start` on at which a terminal pattern has ended the game behind the others. Returns the
    /// index of the first ended one.
    fn split_ended(&self, items: &mut Vec<T>, start: usize, ended: &mut Vec<T>) -> usize {
        if self.problem.rules.ends().is_empty() {
            return items.len();
        }
        ended.clear();
        let mut ongoing = start;
        for at in start..items.len() {
            let (is_ongoing, has_ended) = items[at].split_ended(self.layout);
            ended.extend(has_ended);
            if let Some(item) = is_ongoing {
                items[ongoing] = item;
                ongoing += 1;
            }
        }
        items.truncate(ongoing);
        items.extend_from_slice(ended);
        ongoing
    }

    /// If the regions of level `filled` are too large, cuts the regions of this level, and of all levels that moves still lead from.
    fn refine(&mut self, filled: u32) -> Result<(), TryReserveError> {
        let Some(level) = self.levels[filled as usize].as_mut().filter(|level| level.is_coarse()) else {
            return Ok(());
        };
        level.refine()?;
        self.low_bits = level.low_bits;
        self.classes = Classes::new(self.problem.rules, self.problem.potential, self.layout, self.low_bits);
        for below in (filled + 1).saturating_sub(self.cost.span())..filled {
            if let Some(level) = &mut self.levels[below as usize] {
                level.cut(self.low_bits)?;
            }
        }
        Ok(())
    }

    fn held(&self) -> u64 {
        self.dropped + self.levels.iter().flatten().map(Level::bytes).sum::<u64>()
    }

    /// An error if there is too little memory for the next step, which takes `step` bytes beside the levels, or for
    /// labelling the positions found so far.
    fn check_memory(&mut self, filled: u32, step: u64) -> Result<(), SolveError> {
        let held = self.held();
        let needed = (held + step).max(self.cost.of_labelling(&self.sizes));
        let so_far = self.before(filled);
        self.watch.check(self.problem.options, held, needed, so_far)
    }

    /// How far the flood has come when level `filled` is not complete.
    fn before(&self, filled: u32) -> SoFar {
        SoFar { positions: self.found, up_to: self.up_to(filled.saturating_sub(1)) }
    }

    fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.problem.rules, self.problem.potential, level)
    }
}
