//! The forward pass up to symmetry: finds one representative of each symmetry class.
//!
//! ```text
//! for each level, the lowest first:
//!     sort the codes found for this level and drop duplicates: these are its representatives, in the order of a table
//!     on every core: take some of them; add the representatives of their successors to higher levels
//! ```
//!
//! A representative may lie in any region, so this pass does not use regions. Codes look random, so their top bits
//! partition them evenly into shards, and one core sorts each shard in its cache. A complete level is compressed to the
//! keys of a table and dropped, so only keys, and the codes of incomplete levels, stay in memory.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Problem;
use super::checkpoint::{LevelStore, LoadedKeys, SavedLevel, load_keys};
use super::cost::{MemoryWatch, SoFar, span};
use super::exchange::{Exchange, Found};
use super::lists::Lists;
use super::moves::Moves;
use super::shard::{Shard, ShardCut};
use super::sort::SortBuffers;
use crate::parallel;
use crate::reachable::{BoardWord, Codes, KeyWord, LevelSize, MOST_IN_LEVEL, append_keys, column_bytes, key_bytes};
use crate::rules::{Mode, Position};
use crate::{Meter, Phase, PlaneKind, SolveError, UpTo, go_on};

/// Positions whose successors one task finds.
const TASK: usize = 1 << 14;
/// A shard sorts its new codes when they are this many more than the sorted ones.
const UNSORTED: usize = 1 << 12;
/// The number of recent codes, a power of two, that a task remembers, to skip duplicates.
const REMEMBERED: usize = 1 << 13;

/// The representatives of all symmetry classes, as in a table.
pub(super) struct Flooded {
    /// The keys of all levels; empty for a count, and on ranks other than rank 0.
    pub(super) keys: Vec<u8>,
    pub(super) sizes: Vec<LevelSize>,
    /// For a count: the number of positions in all symmetry classes.
    pub(super) positions: u64,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, P: KeyWord, E> {
    problem: Problem<'a>,
    exchange: &'a mut E,
    /// On rank 0: the place for checkpoints.
    store: Option<&'a dyn LevelStore>,
    counts_only: bool,
    codes: Codes,
    moves: Moves<P>,
    cut: ShardCut,
    /// Maximum number of levels that a move rises.
    span: u32,
    /// The levels below this one were loaded.
    end: u32,
    /// The shards of each level; empty for complete levels.
    levels: Vec<Vec<Shard<P>>>,
    keys: Vec<u8>,
    /// Bytes of keys that a count adds up but does not store.
    dropped: u64,
    sizes: Vec<LevelSize>,
    found: u64,
    positions: u64,
    meter: Meter<'a>,
    watch: MemoryWatch,
}

/// Finds the representatives of all positions of `problem`, or counts them. If this is rank 0 and has a `store`, the flood resumes from
/// the levels there, and saves others.
pub(super) fn flood<P: KeyWord, E: Exchange<P>>(
    problem: Problem<'_>,
    exchange: &mut E,
    store: Option<&dyn LevelStore>,
    counts_only: bool,
) -> Result<Flooded, SolveError> {
    let Problem { rules, potential, roots, options } = problem;
    let codes = Codes::of(rules);
    let most = potential.most();
    let loaded = store.map(|store| load_keys(store, &codes, most + 1)).transpose()?;
    let LoadedKeys { keys, sizes, end } = exchange.loaded(loaded.unwrap_or_default())?;
    let mut flood = Flood::<P, E> {
        problem,
        store,
        counts_only,
        codes,
        moves: Moves::new(rules, potential),
        cut: ShardCut::new(codes.bits(), exchange.size()),
        exchange,
        span: span(rules, potential),
        end,
        levels: (0..=most).map(|_| Vec::new()).collect(),
        keys,
        dropped: 0,
        sizes,
        found: 0,
        positions: 0,
        meter: Meter::new(options.progress, Phase::Find, None),
        watch: MemoryWatch::new(options),
    };
    for &root in roots {
        let (level, code) = (potential.level(root), P::of(codes.code(options.solver.symmetry().representative(root))));
        let shard = code.above(flood.cut.below);
        if level >= end && flood.exchange.owns(shard) {
            let level = &mut flood.levels[level as usize];
            level.resize_with(flood.cut.shards(), Shard::default);
            level[shard].codes.push(code.below(flood.cut.below));
        }
    }
    for filled in 0..=most {
        flood.level(filled)?;
    }
    let Flood { keys, sizes, positions, mut meter, watch, found, .. } = flood;
    if let Some(store) = store.filter(|_| end <= most) {
        // An empty level above the highest one says that the flood is complete.
        let saved = SavedLevel { bytes: Vec::new(), tally: vec![0, found] };
        store.save(PlaneKind::Reached, most + 1, keys.len() as u64, saved).map_err(SolveError::Store)?;
    }
    go_on(meter.finish())?;
    Ok(Flooded { keys, sizes, positions, peak: watch.peak() })
}

impl<P: KeyWord, E: Exchange<P>> Flood<'_, P, E> {
    fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.problem.rules, self.problem.potential, level)
    }

    /// How far the flood has come when level `filled` is not complete.
    fn before(&self, filled: u32) -> SoFar {
        SoFar { positions: self.found, up_to: self.up_to(filled.saturating_sub(1)) }
    }

    /// Completes level `filled`, and adds the successors of its positions to the levels above.
    fn level(&mut self, filled: u32) -> Result<(), SolveError> {
        let is_loaded = filled < self.end;
        // True if all successors of the level were loaded too.
        let is_expanded = self.end as usize == self.levels.len() || filled + self.span < self.end;
        let shards = if is_loaded { self.loaded(filled)? } else { self.sorted(filled)? };
        let own: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        // Batches bound the memory for successors: each batch is added to its levels before the next one starts.
        let task = TASK.min(self.exchange.batch());
        let parts: Vec<(usize, &[P])> = shards
            .iter()
            .enumerate()
            .flat_map(|(number, shard)| shard.chunks(task).map(move |part| (number, part)))
            .collect();
        let mut batches = batches(&parts, self.exchange.batch());
        let (count, rounds) = self.exchange.totals(own, batches.len())?;
        if count == 0 {
            return go_on(self.meter.add(0));
        }
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { up_to: self.up_to(filled), positions: count });
        }
        if !is_loaded {
            self.sizes.push(LevelSize { filled, count });
        }
        self.found += count;
        if !is_loaded {
            self.add_keys(filled, count, &shards)?;
        }
        self.check(filled, &shards, 0)?;
        if is_expanded {
            go_on(self.meter.add(own))?;
        } else {
            batches.resize(rounds, &[]);
            for batch in batches {
                self.expand(filled, &shards, batch)?;
            }
        }
        self.exchange.keep(filled, shards);
        Ok(())
    }

    /// The codes of this rank in level `filled`, by shard: sorted and distinct.
    fn sorted(&mut self, filled: u32) -> Result<Vec<Vec<P>>, SolveError> {
        let mut shards = std::mem::take(&mut self.levels[filled as usize]);
        let below = self.cut.below;
        let sort = |buffers: &mut SortBuffers<P>, shard: &mut Shard<P>| shard.sort(below, buffers);
        parallel::try_map_with(&mut shards, SortBuffers::default, sort).map_err(|_| self.before(filled).refused())?;
        Ok(shards.into_iter().map(|shard| shard.codes).collect())
    }

    /// The codes of this rank in level `filled`, which rank 0 has loaded, by shard.
    fn loaded(&self, filled: u32) -> Result<Vec<Vec<P>>, SolveError> {
        let levels = super::levels(self.problem.rules, self.problem.potential, &self.sizes);
        let mut codes = Vec::new();
        if let Some(level) = levels.of_level(filled).and_then(|number| levels.level(number, self.keys.as_slice())) {
            let count = level.size().count;
            level.read::<P>(&mut level.cursor(0), count, count as usize, &mut codes);
        }
        Ok(self.cut.partition(self.exchange.share(codes)?.into_iter()))
    }

    /// Adds the keys of level `filled`, which has `count` positions, and saves them.
    fn add_keys(&mut self, filled: u32, count: u64, shards: &[Vec<P>]) -> Result<(), SolveError> {
        if self.counts_only {
            self.dropped += key_bytes(&self.codes, count);
            let sizes = parallel::map(shards.iter().enumerate(), |(number, shard)| self.class_sizes(number, shard));
            self.positions += sizes.into_iter().sum::<u64>();
            return Ok(());
        }
        let before = self.keys.len();
        if let Some(shards) = self.exchange.gather(shards)? {
            let (cut, so_far) = (self.cut, self.before(filled));
            append_keys(&mut self.keys, &self.codes, &shards, |shard, low| cut.code(shard, low))
                .map_err(|_| so_far.refused())?;
        }
        let Some(store) = self.store else { return Ok(()) };
        let saved = SavedLevel { bytes: self.keys[before..].to_vec(), tally: vec![count, self.found - count] };
        store.save(PlaneKind::Reached, filled, before as u64, saved).map_err(SolveError::Store)
    }

    /// Adds the successors of the positions in `batch`, which are in level `filled`, to their levels.
    fn expand(&mut self, filled: u32, shards: &[Vec<P>], batch: &[(usize, &[P])]) -> Result<(), SolveError> {
        let so_far = self.before(filled);
        let taken = AtomicU64::new(0);
        let expand = |memory: &mut Vec<P>, &(shard, part): &(usize, &[P])| {
            go_on(self.meter.add(part.len() as u64))?;
            let found = self.successors(shard, part, memory).map_err(|_| so_far.refused())?;
            taken.fetch_add(found.iter().map(Lists::bytes).sum(), Ordering::Relaxed);
            Ok::<_, SolveError>(found)
        };
        // Each entry starts with a code that belongs to another entry, so that it matches none.
        let memory = || (0..REMEMBERED as u128).map(|place| P::of(place ^ 1)).collect();
        let found: Found<P> = parallel::try_map_with(batch, memory, expand)?;
        let found = self.exchange.deliver(filled, found, &taken)?;
        // Loaded positions may be wrong, and then lead to levels that do not exist.
        let above = self.levels.len() - filled as usize;
        if found.iter().any(|found| found.iter().skip(above).any(|lists| !lists.is_empty())) {
            return Err(SolveError::Keys);
        }
        self.add(filled, &found).map_err(|_| so_far.refused())?;
        drop(found);
        self.check(filled + 1, shards, taken.into_inner())
    }

    /// The number of positions in the symmetry classes of the codes `part` of a shard.
    fn class_sizes(&self, shard: usize, part: &[P]) -> u64 {
        let of = |&low: &P| {
            let (mode, board) = self.moves.split(self.codes.key(self.cut.code(shard, low)));
            self.problem.options.solver.symmetry().orbit(Position::new(Mode(mode as u16), board.board()))
        };
        part.iter().map(of).sum()
    }

    /// The representatives of the successors of the positions `part` of a shard, by the number of levels that the move rises.
    /// `memory` holds recently found codes, each at the index of its lowest bits.
    fn successors(&self, shard: usize, part: &[P], memory: &mut [P]) -> Result<Vec<Lists<P>>, TryReserveError> {
        let mut found: Vec<(Vec<P>, Vec<u16>)> = Vec::new();
        for &low in part {
            let key = self.codes.key(self.cut.code(shard, low));
            let (mode, board) = self.moves.split(key);
            let of_mode = self.moves.of(mode);
            if of_mode.ended(board).is_some() {
                continue;
            }
            of_mode.each_legal(board, |number| {
                let (key, fills) = of_mode.play(number, board);
                let code =
                    self.codes.code_of_key(self.moves.representative(self.problem.options.solver.symmetry(), key));
                let place = &mut memory[code.low() as usize & (REMEMBERED - 1)];
                if *place == code {
                    return;
                }
                *place = code;
                let fills = fills as usize;
                if found.len() <= fills {
                    found.resize_with(fills + 1, Default::default);
                }
                let (lows, shards) = &mut found[fills];
                lows.push(code.below(self.cut.below));
                shards.push(code.above(self.cut.below) as u16);
            });
        }
        found.iter().map(|(lows, shards)| Lists::new(lows, shards, self.cut.shards())).collect()
    }

    /// Adds the successors that tasks have `found` from level `filled` to their levels.
    fn add(&mut self, filled: u32, found: &Found<P>) -> Result<(), TryReserveError> {
        let (below, shards) = (self.cut.below, self.cut.shards());
        let most = found.iter().map(Vec::len).max().unwrap_or(0).min(self.levels.len() - filled as usize);
        // The levels below `end` are loaded already.
        let first = self.end.saturating_sub(filled).max(1) as usize;
        for fills in first..most {
            let level = &mut self.levels[filled as usize + fills];
            level.resize_with(shards, Shard::default);
            let add = |buffers: &mut SortBuffers<P>, (number, shard): (usize, &mut Shard<P>)| {
                for lists in found.iter().filter_map(|found| found.get(fills)) {
                    shard.codes.try_reserve(lists.of(number).len())?;
                    shard.codes.extend_from_slice(lists.of(number));
                }
                if shard.codes.len() > 2 * shard.sorted + UNSORTED { shard.sort(below, buffers) } else { Ok(()) }
            };
            parallel::try_map_with(level.iter_mut().enumerate(), SortBuffers::default, add)?;
        }
        Ok(())
    }

    /// An error if there are too many positions, or too little memory for all codes and keys, `shards` and `step` more bytes, or for the
    /// labels of the positions found so far.
    fn check(&mut self, filled: u32, shards: &[Vec<P>], step: u64) -> Result<(), SolveError> {
        let sorted: usize = self.levels.iter().flatten().map(|shard| shard.sorted).sum();
        if let Some(limit) = self.problem.options.max_positions.filter(|&limit| self.found + sorted as u64 > limit) {
            return Err(SolveError::MaxPositions { limit, up_to: self.up_to(filled) });
        }
        let of_shards = |capacity: usize| (capacity * size_of::<P>()) as u64;
        // The store may hold a copy of the level until it is on disk.
        let unwritten = self.store.and(self.sizes.last()).map_or(0, |size| key_bytes(&self.codes, size.count));
        let held = self.dropped
            + unwritten
            + self.exchange.kept_bytes()
            + self.keys.capacity() as u64
            + shards.iter().map(|shard| of_shards(shard.capacity())).sum::<u64>()
            + self.levels.iter().flatten().map(|shard| of_shards(shard.codes.capacity())).sum::<u64>();
        let column = |width| self.sizes.iter().map(|size| column_bytes(width, size.count)).sum::<u64>();
        let labels: u64 = self.problem.options.labels.widths(self.problem.rules).map(column).sum();
        let keys: u64 = self.sizes.iter().map(|size| key_bytes(&self.codes, size.count)).sum();
        // Ranks other than rank 0 have no keys, and only their own labels.
        let labelled = if self.keys.is_empty() && self.dropped == 0 { 0 } else { keys + labels };
        let so_far = self.before(filled);
        self.watch.check(self.problem.options, held, (held + step).max(labelled), so_far)
    }
}

/// Divides the `parts` of a level into batches of up to `most` positions.
fn batches<'p, 's, P>(parts: &'p [(usize, &'s [P])], most: usize) -> Vec<&'p [(usize, &'s [P])]> {
    let (mut all, mut rest) = (Vec::new(), parts);
    while !rest.is_empty() {
        let mut positions = 0;
        let end = rest.iter().position(|(_, part)| {
            positions += part.len();
            positions > most
        });
        let (batch, after) = rest.split_at(end.unwrap_or(rest.len()).max(1));
        rest = after;
        all.push(batch);
    }
    all
}
