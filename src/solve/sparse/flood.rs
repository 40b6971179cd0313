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

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::classes::Classes;
use super::cost::{Cost, MemoryWatch, with_slack};
use super::crew::{Crew, Part, level_of};
use super::moves::Moves;
use super::regions::{Level, Region, top_of};
use super::shared::nonsense;
use crate::reachable::{self, Codes, LevelSize, Levels, MOST_IN_LEVEL, Word};
use crate::rules::{Board, Mode, Position, Potential, Rules};
use crate::solve::{Meter, Options, Phase, SolveError, UpTo};

/// The number of tasks of a level: enough for many cores, and for none to wait long for the last one.
const TASKS: usize = 256;

/// The binary logarithm of the number of bytes after which the system is asked again what it has left.
const ASK: u32 = 22;

/// All reachable positions, without outcomes.
pub(super) struct Flooded<W> {
    /// The levels, by filled cells; those of a census may be gone.
    pub(super) levels: Vec<Option<Level<W>>>,
    /// The low bits of the last regions, the smallest.
    pub(super) low_bits: u32,
    pub(super) sizes: Vec<LevelSize>,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, W> {
    rules: &'a Rules,
    potential: &'a Potential,
    options: &'a Options<'a>,
    crew: Option<&'a Crew<'a>>,
    moves: Moves<W>,
    classes: Classes<W>,
    cost: Cost,
    /// The roots by level and key.
    roots: Vec<(u32, W)>,
    /// The levels found so far.
    levels: Vec<Option<Level<W>>>,
    /// Bytes of the levels that a census has dropped.
    dropped: u64,
    low_bits: u32,
    sizes: Vec<LevelSize>,
    found: u64,
    /// Counts the positions found.
    meter: Meter<'a>,
    watch: MemoryWatch,
}

/// What leads to a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lead<W> {
    /// The key of each position it leads to, with the low bits zero.
    top: W,
    /// The level it comes from.
    filled: u16,
    /// The region there, and the class of moves; [`ROOT`], and the number of a root.
    class: u32,
    region: u32,
}

const ROOT: u32 = u32::MAX;

/// What a thread works in.
struct Scratch<W> {
    gathered: Vec<W>,
    /// Open addressing; zero is free.
    table: Vec<W>,
}

/// Why a task stopped.
enum Stop {
    Cancelled,
    Refused,
    /// More bytes than are allowed.
    Memory(u64),
    /// More bytes than the system has left: those, and these.
    NoRoom {
        needed: u64,
        left: u64,
    },
    /// More positions than are allowed.
    Positions,
}

impl From<TryReserveError> for Stop {
    fn from(_: TryReserveError) -> Self {
        Self::Refused
    }
}

/// Finds all positions that can be reached from `roots`, together with the other processes of `crew`, if there are any. If it is a
/// `census`, levels that no move leads from any more are dropped.
pub(super) fn flood<W: Word>(
    rules: &Rules,
    potential: &Potential,
    roots: &[Position],
    options: &Options<'_>,
    census: bool,
    crew: Option<&Crew<'_>>,
) -> Result<Flooded<W>, SolveError> {
    let codes = Codes::of(rules);
    debug_assert!(codes.bits() <= W::BITS);
    let mut roots: Vec<_> =
        roots.iter().map(|&root| (potential.level(root), codes.key(W::of(codes.code(root))))).collect();
    roots.sort_unstable();
    let mut flood = Flood::<W> {
        rules,
        potential,
        options,
        crew,
        moves: Moves::new(rules, potential),
        classes: Classes::new(rules, potential, rules.cells()),
        cost: Cost::of::<W>(rules, potential, options.labels),
        roots,
        levels: (0..=potential.most()).map(|_| None).collect(),
        dropped: 0,
        // At first a mode is a region.
        low_bits: rules.cells(),
        sizes: Vec::new(),
        found: 0,
        meter: Meter::new(options.progress, Phase::Find, None),
        watch: MemoryWatch::new(options),
    };
    let known = crew.map(|crew| crew.known(&codes, potential.most() + 1)).transpose()?;
    let (known, mut keeping) = known.unwrap_or_default();
    let known_levels = Levels::new(rules, potential, &known.sizes).ok_or_else(nonsense)?;
    for filled in 0..=potential.most() {
        if filled < known.end {
            if let Some(number) = known.sizes.iter().position(|size| size.filled == filled) {
                flood.take(&known_levels.level(number, &known.keys).ok_or_else(nonsense)?)?;
            }
            continue;
        }
        flood.level(filled)?;
        if let Some(crew) = crew {
            crew.keep_found(&codes, &flood.levels[..=filled as usize], &mut keeping, false)?;
        }
        if census && let Some(last) = filled.checked_sub(flood.cost.span()) {
            // Counted as held: what a build takes is to be told.
            flood.dropped += flood.levels[last as usize].take().map_or(0, |level| level.bytes());
        }
    }
    if flood.meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    if let Some(crew) = crew {
        crew.keep_found(&codes, &flood.levels, &mut keeping, true)?;
    }
    let Flood { levels, low_bits, sizes, watch, .. } = flood;
    Ok(Flooded { levels, low_bits, sizes, peak: watch.peak() })
}

impl<W: Word> Flood<'_, W> {
    /// Finds the positions with `filled` filled cells; all with fewer are known.
    fn level(&mut self, filled: u32) -> Result<(), SolveError> {
        let leads = self.leads(filled);
        if leads.is_empty() {
            return if self.meter.add(0).is_break() { Err(SolveError::Cancelled) } else { Ok(()) };
        }
        let lead_bytes = (leads.capacity() * size_of::<Lead<W>>()) as u64;
        let groups: Vec<&[Lead<W>]> = leads.chunk_by(|a, b| a.top == b.top).collect();
        let share =
            self.crew.and_then(|crew| Some((crew, crew.share(groups.iter().map(|leads| self.gathered(leads)))?)));
        let own = share.as_ref().map_or(&groups[..], |(_, own)| &groups[own.clone()]);
        let enough = self.check_memory(filled, lead_bytes);
        match &share {
            Some((crew, _)) => _ = crew.agree(enough, |()| 0)?,
            None => enough?,
        }
        let (taken, found, scratch) = (AtomicU64::new(0), AtomicU64::new(self.found), AtomicU64::new(0));
        let part = |room: &mut Scratch<W>, groups: &[&[Lead<W>]]| -> Result<Part<W>, Stop> {
            let part = self.part(filled, groups, room)?;
            let count = part.keys.len() as u64;
            if self.meter.add(count).is_break() {
                return Err(Stop::Cancelled);
            }
            let found = found.fetch_add(count, Ordering::Relaxed) + count;
            if self.options.max_positions.is_some_and(|limit| found > limit) {
                return Err(Stop::Positions);
            }
            scratch.fetch_max(room.bytes(), Ordering::Relaxed);
            let before = taken.fetch_add(part.bytes(), Ordering::Relaxed);
            let taken = before + part.bytes();
            // What was made will be copied. The system is asked again each time that it has given some more.
            if before >> ASK != taken >> ASK
                && let Some(left) = self.options.room.and_then(|room| room())
                && left < taken
            {
                return Err(Stop::NoRoom { needed: taken, left });
            }
            let needed = with_slack(self.held() + lead_bytes + 2 * taken);
            match self.options.max_bytes {
                Some(allowed) if needed > allowed => Err(Stop::Memory(needed)),
                _ => Ok(part),
            }
        };
        let size = own.len().div_ceil(TASKS).max(1);
        let parts: Result<Vec<_>, Stop> = own.par_chunks(size).map_init(Scratch::new, part).collect();
        let mut parts = parts.map_err(|stop| self.stopped(filled, stop));
        // Each part is copied and dropped.
        let scratch = scratch.into_inner() * rayon::current_num_threads() as u64;
        let is_shared = share.is_some();
        if let Some((crew, _)) = share {
            let bytes = |parts: &Vec<Part<W>>| parts.iter().map(Part::bytes).sum();
            let (own, all) = crew.agree(parts, bytes)?;
            // What is told and what comes is held beside the parts.
            let enough = self.check_memory(filled, lead_bytes + scratch + 3 * all);
            crew.agree(enough, |()| 0)?;
            let before: u64 = own.iter().map(|part| part.keys.len() as u64).sum();
            let made = crew.parts(own, self.low_bits)?;
            let count: u64 = made.iter().map(|part| part.keys.len() as u64).sum();
            if self.meter.add(count - before).is_break() {
                return Err(SolveError::Cancelled);
            }
            parts = Ok(made);
        }
        let parts = parts?;
        let count: u64 = parts.iter().map(|part| part.keys.len() as u64).sum();
        if count == 0 {
            // What leads here is legal in the top cells alone.
            return Ok(());
        }
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { up_to: self.up_to(filled), positions: count });
        }
        self.sizes.push(LevelSize { filled, count });
        if !is_shared {
            self.check_memory(filled, lead_bytes + scratch + 2 * taken.into_inner())?;
        }
        drop(leads);
        self.found += count;
        let stop = |stop: TryReserveError| self.stopped(filled, stop.into());
        self.levels[filled as usize] = Some(Part::join(parts, filled, self.low_bits).map_err(stop)?);
        self.refine(filled).map_err(|stop| self.stopped(filled, stop.into()))
    }

    /// Takes a level that is known from before; all below it were taken.
    fn take(&mut self, level: &reachable::Level<'_>) -> Result<(), SolveError> {
        let LevelSize { filled, count } = level.size();
        self.check_memory(filled, 2 * count * size_of::<W>() as u64)?;
        let stop = |stop: TryReserveError| self.stopped(filled, stop.into());
        let mut keys = level_of::<W>(&Codes::of(self.rules), level).map_err(stop)?;
        keys.par_sort_unstable();
        // As in the first level, a mode is a region.
        let cells = self.rules.cells();
        let lengths: Vec<usize> =
            keys.chunk_by(|&a, &b| top_of(a, cells) == top_of(b, cells)).map(<[W]>::len).collect();
        let (mut regions, mut ended, mut start) = (Vec::new(), Vec::new(), 0);
        for length in lengths {
            let end = start + length;
            let top = top_of(keys[start], cells);
            let live = self.set_apart(&mut keys[..end], start, &mut ended);
            regions.push(Region { top, start, live, end });
            start = end;
        }
        let mut level = Level { filled, low_bits: cells, keys, regions };
        level.cut(self.low_bits).map_err(stop)?;
        self.sizes.push(LevelSize { filled, count });
        self.found += count;
        if self.meter.add(count).is_break() {
            return Err(SolveError::Cancelled);
        }
        self.levels[filled as usize] = Some(level);
        self.refine(filled).map_err(|stop| self.stopped(filled, stop.into()))
    }

    /// How many positions `leads` are followed from.
    fn gathered(&self, leads: &[Lead<W>]) -> u64 {
        let of = |lead: &Lead<W>| match &self.levels[usize::from(lead.filled)] {
            Some(level) if lead.class != ROOT => {
                let region = level.regions[lead.region as usize];
                (region.live - region.start) as u64
            }
            _ => 1,
        };
        leads.iter().map(of).sum()
    }

    /// What leads to regions of the level with `filled` filled cells, by where it leads.
    fn leads(&self, filled: u32) -> Vec<Lead<W>> {
        let roots = self.roots.iter().enumerate().filter(|(_, root)| root.0 == filled);
        let root = |(number, &(_, key)): (usize, &(u32, W))| Lead {
            top: top_of(key, self.low_bits),
            filled: 0,
            class: ROOT,
            region: number as u32,
        };
        let mut leads: Vec<_> = roots.map(root).collect();
        for below in filled.saturating_sub(self.cost.span())..filled {
            let Some(level) = &self.levels[below as usize] else { continue };
            let of_region = |(number, region): (usize, &Region<W>)| {
                let (mode, board) = self.moves.split(region.top);
                let is_live = region.live > region.start;
                let classes = self.classes.of_mode(mode).iter().enumerate();
                let lead = move |(class, moves): (usize, &super::classes::Class<W>)| {
                    let (least, most) = moves.rises(board);
                    let top = moves.region(board).filter(|_| (least..=most).contains(&(filled - below)))?;
                    Some(Lead { top, filled: below as u16, class: class as u32, region: number as u32 })
                };
                classes.filter(move |_| is_live).filter_map(lead)
            };
            leads.par_extend(level.regions.par_iter().enumerate().flat_map_iter(of_region));
        }
        leads.par_sort_unstable();
        leads
    }

    /// The regions that `groups` of leads lead to, in the level with `filled` filled cells.
    fn part(&self, filled: u32, groups: &[&[Lead<W>]], room: &mut Scratch<W>) -> Result<Part<W>, Stop> {
        let mut part = Part { keys: Vec::new(), regions: Vec::with_capacity(groups.len()) };
        let cells = Board::full(self.rules.cells());
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
                let (mode, board) = self.moves.split(region.top);
                let class = &self.classes.of_mode(mode)[lead.class as usize];
                let (least, most) = class.rises(board);
                let keys = &level.keys[region.start..region.live];
                let is_there = |key: W| {
                    let (mode, board) = self.moves.split(key);
                    self.potential.level(Position::new(Mode(mode as u16), Board(board))) == filled
                };
                class.gather(keys, cells, (least < most).then_some(&is_there), &mut room.gathered);
            }
            let start = part.keys.len();
            room.drop_duplicates(&mut part.keys)?;
            // Zero is taken for a free place; a move may lead there if it empties cells.
            let is_zero = |key: &W| *key == W::default();
            if is_zero(&leads[0].top) && room.gathered.len() > 1 && room.gathered.iter().any(is_zero) {
                part.keys.push(W::default());
            }
            if part.keys.len() == start {
                continue;
            }
            let live = self.set_apart(&mut part.keys, start, &mut room.gathered);
            let (top, end) = (leads[0].top, part.keys.len());
            part.regions.push(Region { top, start, live, end });
        }
        Ok(part)
    }

    /// Moves those of the positions from `start` on at which a pattern has ended the game behind the others. Returns
    /// where they begin.
    fn set_apart(&self, keys: &mut [W], start: usize, ended: &mut Vec<W>) -> usize {
        if self.rules.ends().is_empty() {
            return keys.len();
        }
        ended.clear();
        let mut live = start;
        for at in start..keys.len() {
            let key = keys[at];
            let (mode, board) = self.moves.split(key);
            if self.moves.of(mode).ended(board).is_some() {
                ended.push(key);
            } else {
                keys[live] = key;
                live += 1;
            }
        }
        keys[live..].copy_from_slice(ended);
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
        self.classes = Classes::new(self.rules, self.potential, self.low_bits);
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

    /// The error for a step towards the level with `filled` filled cells that stopped.
    fn stopped(&self, filled: u32, stop: Stop) -> SolveError {
        let (positions, up_to) = (self.found, self.up_to(filled.saturating_sub(1)));
        match stop {
            Stop::Cancelled => SolveError::Cancelled,
            Stop::Refused => SolveError::Refused { positions, up_to },
            Stop::Memory(needed) => {
                let allowed = self.options.max_bytes.unwrap_or_default();
                SolveError::SparseMemory { allowed, needed, positions, up_to }
            }
            Stop::NoRoom { needed, left } => SolveError::NoRoom { needed, left, positions, up_to },
            Stop::Positions => {
                let limit = self.options.max_positions.unwrap_or_default();
                SolveError::MaxPositions { limit, up_to: self.up_to(filled) }
            }
        }
    }
}

impl<W: Word> Part<W> {
    /// The level whose regions `parts` are, one after the other.
    fn join(parts: Vec<Self>, filled: u32, low_bits: u32) -> Result<Level<W>, TryReserveError> {
        let (mut keys, mut regions) = (Vec::new(), Vec::new());
        keys.try_reserve_exact(parts.iter().map(|part| part.keys.len()).sum())?;
        regions.try_reserve_exact(parts.iter().map(|part| part.regions.len()).sum())?;
        for part in parts {
            let first = keys.len();
            regions.extend(part.regions.iter().map(|&Region { top, start, live, end }| Region {
                top,
                start: first + start,
                live: first + live,
                end: first + end,
            }));
            keys.extend_from_slice(&part.keys);
        }
        Ok(Level { filled, low_bits, keys, regions })
    }
}

impl<W: Word> Scratch<W> {
    const fn new() -> Self {
        Self { gathered: Vec::new(), table: Vec::new() }
    }

    fn bytes(&self) -> u64 {
        ((self.gathered.capacity() + self.table.capacity()) * size_of::<W>()) as u64
    }

    /// Appends what was gathered to `keys`, each key once.
    fn drop_duplicates(&mut self, keys: &mut Vec<W>) -> Result<(), TryReserveError> {
        /// An odd number near 2^64 divided by the golden ratio: its products spread numbers that are alike.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        keys.try_reserve(self.gathered.len())?;
        if let [only] = self.gathered[..] {
            keys.push(only);
            return Ok(());
        }
        // At most four of five places are taken, and mostly far fewer: most positions are reached in several ways.
        let bits = (self.gathered.len() + self.gathered.len() / 4 + 1).next_power_of_two().ilog2();
        self.table.clear();
        self.table.try_reserve(1 << bits)?;
        self.table.resize(1 << bits, W::default());
        let table = &mut self.table[..1 << bits];
        for &key in &self.gathered {
            let mut at = (key.low().wrapping_mul(FACTOR) >> (u64::BITS - bits)) as usize;
            loop {
                let place = &mut table[at];
                if *place == key {
                    break;
                }
                if *place == W::default() {
                    *place = key;
                    keys.push(key);
                    break;
                }
                at = (at + 1) & ((1 << bits) - 1);
            }
        }
        Ok(())
    }
}
