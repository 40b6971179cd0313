//! The forward pass: finds which positions there are.
//!
//! ```text
//! for each level, the lowest first:
//!     for each region of the levels below, and each class of moves: it leads to one region of this level
//!     sort these leads by where they lead
//!     on every core: take a region; gather what its leads lead to, drop what comes twice, set apart where play has ended
//! ```
//!
//! A region is made by one thread at once, so nobody waits for anybody, and what is gathered for it stays in the core's
//! cache until it is done with. The positions are those of the rules whichever thread makes a region; their order does
//! not matter, since a table has its own.

mod leads;
mod stop;

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::leads::{Lead, ROOT};
use self::stop::Stop;
use super::classes::Classes;
use super::cost::{Cost, MemoryWatch, with_slack};
use super::item::{Item, Scratch, split};
use super::part::Part;
use super::regions::{Level, Region};
use crate::reachable::{LevelSize, MOST_IN_LEVEL};
use crate::rules::{Board, Position, Potential, Rules};
use crate::solve::{Meter, Options, Phase, SolveError, UpTo};

/// The number of tasks of a level: enough for many cores, and for none to wait long for the last one.
const TASKS: usize = 256;

/// The binary logarithm of the number of bytes after which the system is asked again what it has left.
const ASK: u32 = 22;

/// All reachable positions, without outcomes.
pub(super) struct Flooded<T: Item> {
    /// The levels, by filled cells; those of a census may be gone.
    pub(super) levels: Vec<Option<Level<T>>>,
    /// The low bits of the last regions, the smallest.
    pub(super) low_bits: u32,
    pub(super) sizes: Vec<LevelSize>,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, T: Item> {
    rules: &'a Rules,
    potential: &'a Potential,
    options: &'a Options<'a>,
    layout: &'a T::Layout,
    classes: Classes<T>,
    cost: Cost,
    /// The roots by level and key.
    roots: Vec<(u32, T)>,
    /// The levels found so far.
    levels: Vec<Option<Level<T>>>,
    /// Bytes of the levels that a census has dropped.
    dropped: u64,
    low_bits: u32,
    sizes: Vec<LevelSize>,
    found: u64,
    /// Counts the positions found.
    meter: Meter<'a>,
    watch: MemoryWatch,
}

/// How far positions are followed, and what is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// All; levels that no move leads from any more are dropped.
    Census,
    /// Up to the first level with so many items.
    UpTo(usize),
}

/// Finds all positions that can be reached from `roots`, or as many as `extent` says, and lays them out by `layout`.
pub(super) fn flood<T: Item>(
    rules: &Rules,
    potential: &Potential,
    layout: &T::Layout,
    roots: &[Position],
    options: &Options<'_>,
    extent: Extent,
) -> Result<Flooded<T>, SolveError> {
    let mut roots: Vec<_> = roots.iter().map(|&root| (potential.level(root), T::alone(layout, rules, root))).collect();
    roots.sort_unstable_by_key(|&(level, root)| (level, root.key()));
    let mut flood = Flood::<T> {
        rules,
        potential,
        options,
        layout,
        classes: Classes::new(rules, potential, layout, T::cells(layout)),
        cost: Cost::of::<T::Key>(rules, potential, options.labels),
        roots,
        levels: (0..=potential.most()).map(|_| None).collect(),
        dropped: 0,
        // At first a mode is a region.
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
        if extent == Extent::Census
            && let Some(last) = filled.checked_sub(flood.cost.span())
        {
            // Counted as held: what a build takes is to be told.
            flood.dropped += flood.levels[last as usize].take().map_or(0, |level| level.bytes());
        }
    }
    if flood.meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let Flood { levels, low_bits, sizes, watch, .. } = flood;
    Ok(Flooded { levels, low_bits, sizes, peak: watch.peak() })
}

impl<T: Item> Flood<'_, T> {
    /// Finds the positions with `filled` filled cells; all with fewer are known.
    fn level(&mut self, filled: u32) -> Result<(), SolveError> {
        let leads = self.leads(filled);
        if leads.is_empty() {
            return if self.meter.add(0).is_break() { Err(SolveError::Cancelled) } else { Ok(()) };
        }
        let lead_bytes = (leads.capacity() * size_of::<Lead<T::Key>>()) as u64;
        self.check_memory(filled, lead_bytes)?;
        let (parts, part_bytes) = self.parts(filled, &leads, lead_bytes).map_err(|stop| self.stopped(filled, stop))?;
        let count: u64 = parts.iter().map(Part::count).sum();
        if count == 0 {
            // What leads here is legal in the top cells alone.
            return Ok(());
        }
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { up_to: self.up_to(filled), positions: count });
        }
        self.sizes.push(LevelSize { filled, count });
        self.check_memory(filled, lead_bytes + part_bytes)?;
        drop(leads);
        self.found += count;
        let stop = |stop: TryReserveError| self.stopped(filled, stop.into());
        self.levels[filled as usize] = Some(Part::join(parts, filled, self.low_bits).map_err(stop)?);
        self.refine(filled).map_err(|stop| self.stopped(filled, stop.into()))
    }

    /// Finds the regions that `leads` lead to, in the level with `filled` filled cells. Returns them in parts, and the bytes that finding and joining
    /// them takes.
    fn parts(&self, filled: u32, leads: &[Lead<T::Key>], lead_bytes: u64) -> Result<(Vec<Part<T>>, u64), Stop> {
        let groups: Vec<&[Lead<T::Key>]> = leads.chunk_by(|a, b| a.top == b.top).collect();
        let threads = rayon::current_num_threads();
        // The parts of several threads are copied into one level.
        let copies = if threads == 1 { 1 } else { 2 };
        let (taken, found, scratch) = (AtomicU64::new(0), AtomicU64::new(self.found), AtomicU64::new(0));
        let extend = |room: &mut Scratch<T>, part: &mut Part<T>, groups: &[&[Lead<T::Key>]]| -> Result<(), Stop> {
            let (items, bytes) = (part.items.len(), part.bytes());
            self.extend(filled, groups, room, part)?;
            let count = part.items[items..].iter().map(|item| item.count()).sum();
            if self.meter.add(count).is_break() {
                return Err(Stop::Cancelled);
            }
            let found = found.fetch_add(count, Ordering::Relaxed) + count;
            if self.options.max_positions.is_some_and(|limit| found > limit) {
                return Err(Stop::Positions);
            }
            scratch.fetch_max(room.bytes(), Ordering::Relaxed);
            let bytes = part.bytes() - bytes;
            let before = taken.fetch_add(bytes, Ordering::Relaxed);
            let taken = before + bytes;
            // The system is asked again each time that it has given some more.
            if before >> ASK != taken >> ASK
                && let Some(left) = self.options.room.and_then(|room| room())
                && left < taken
            {
                return Err(Stop::NoRoom { needed: taken, left });
            }
            let needed = with_slack(self.held() + lead_bytes + copies * taken);
            match self.options.max_bytes {
                Some(allowed) if needed > allowed => Err(Stop::Memory(needed)),
                _ => Ok(()),
            }
        };
        let size = groups.len().div_ceil(TASKS).max(1);
        let parts = if threads == 1 {
            let (mut room, mut part) = (Scratch::new(), Part::new());
            groups.chunks(size).try_for_each(|groups| extend(&mut room, &mut part, groups))?;
            vec![part]
        } else {
            let part = |room: &mut Scratch<T>, groups: &[&[Lead<T::Key>]]| {
                let mut part = Part::new();
                extend(room, &mut part, groups).map(|()| part)
            };
            groups.par_chunks(size).map_init(Scratch::new, part).collect::<Result<Vec<_>, Stop>>()?
        };
        Ok((parts, scratch.into_inner() * threads as u64 + copies * taken.into_inner()))
    }

    /// Appends the regions that `groups` of leads lead to, in the level with `filled` filled cells.
    fn extend(
        &self,
        filled: u32,
        groups: &[&[Lead<T::Key>]],
        room: &mut Scratch<T>,
        part: &mut Part<T>,
    ) -> Result<(), Stop> {
        let cells = Board::full(T::cells(self.layout));
        for leads in groups {
            room.gathered.clear();
            for lead in *leads {
                if lead.class == ROOT {
                    room.gathered.push(self.roots[lead.region as usize].1);
                    continue;
                }
                let level = self.levels[usize::from(lead.filled)].as_ref();
                let level = level.unwrap_or_else(|| unreachable!("a level that leads here is kept"));
                let region = level.regions[lead.region as usize];
                let (mode, board) = split::<T>(self.layout, region.top);
                let class = &self.classes.of_mode(mode)[lead.class as usize];
                let (least, most) = class.rises(board);
                let items = &level.items[region.start..region.live];
                let is_there = |item: T| item.is_on(self.layout, self.potential, filled);
                class.gather(items, cells, (least < most).then_some(&is_there), &mut room.gathered);
            }
            if room.gathered.is_empty() {
                continue;
            }
            let (top, start) = (leads[0].top, part.items.len());
            T::drop_duplicates(room, top, &mut part.items)?;
            let live = self.set_apart(&mut part.items, start, &mut room.gathered);
            let end = part.items.len();
            part.regions.push(Region { top, start, live, end });
        }
        Ok(())
    }

    /// Moves those of the positions from `start` on at which a pattern has ended the game behind the others. Returns
    /// where they begin.
    fn set_apart(&self, items: &mut Vec<T>, start: usize, ended: &mut Vec<T>) -> usize {
        if self.rules.ends().is_empty() {
            return items.len();
        }
        ended.clear();
        let mut live = start;
        for at in start..items.len() {
            let (goes_on, has_ended) = items[at].apart(self.layout);
            ended.extend(has_ended);
            if let Some(item) = goes_on {
                items[live] = item;
                live += 1;
            }
        }
        items.truncate(live);
        items.extend_from_slice(ended);
        live
    }

    /// Makes the regions smaller if those of the level with `filled` filled cells have grown too large, in all levels that
    /// moves still lead from.
    fn refine(&mut self, filled: u32) -> Result<(), TryReserveError> {
        let Some(level) = self.levels[filled as usize].as_mut().filter(|level| level.is_coarse()) else {
            return Ok(());
        };
        level.refine()?;
        self.low_bits = level.low_bits;
        self.classes = Classes::new(self.rules, self.potential, self.layout, self.low_bits);
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

    /// Stops if the next step might need more memory than is allowed, or than the system has left: besides the levels, it
    /// takes `step` bytes. So it does if labelling what is known will need more.
    fn check_memory(&mut self, filled: u32, step: u64) -> Result<(), SolveError> {
        let held = self.held();
        let needed = (held + step).max(self.cost.of_labelling(&self.sizes));
        let at = (self.found, self.up_to(filled.saturating_sub(1)));
        self.watch.check(self.options, held, needed, at)
    }

    fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.rules, self.potential, level)
    }
}
