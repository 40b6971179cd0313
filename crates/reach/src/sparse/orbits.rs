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

use super::cost::MemoryWatch;
use super::lists::Lists;
use super::moves::Moves;
use super::shard::Shard;
use super::sort::SortBuffers;
use crate::parallel;
use crate::reachable::{
    BoardWord, Codes, KeyWord, LevelSize, MOST_IN_LEVEL, WideKey, append_keys, column_bytes, key_bytes,
};
use crate::rules::{Mode, Position, Potential, Rules};
use crate::symmetry::Group;
use crate::{Meter, Options, Phase, SolveError, UpTo};

/// The number of top bits of a code that choose its shard.
const SHARD_BITS: u32 = 8;
/// Positions whose successors one task finds.
const TASK: usize = 1 << 14;
/// Positions whose successors are found before they are added to their levels.
const BATCH: usize = 1 << 20;
/// A shard sorts its new codes when they are this many more than the sorted ones.
const UNSORTED: usize = 1 << 12;
/// The number of recent codes, a power of two, that a task remembers, to skip duplicates.
const REMEMBERED: usize = 1 << 13;

/// The representatives of all symmetry classes, as in a table.
pub(super) struct Flooded {
    /// The keys of all levels; empty for a count.
    pub(super) keys: Vec<u8>,
    pub(super) sizes: Vec<LevelSize>,
    /// For a count: the number of positions in all symmetry classes.
    pub(super) positions: u64,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, P: KeyWord> {
    rules: &'a Rules,
    potential: &'a Potential,
    group: &'a Group,
    options: &'a Options<'a>,
    codes: Codes,
    moves: Moves<P>,
    /// The number of bits of a code that do not choose its shard.
    below: u32,
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

/// Finds the representatives of all positions reachable from `roots`. The symmetries of `group` must map roots to roots.
pub(super) fn flood(
    rules: &Rules,
    potential: &Potential,
    group: &Group,
    roots: &[Position],
    options: &Options<'_>,
    counts_only: bool,
) -> Result<Flooded, SolveError> {
    if Codes::of(rules).bits() <= u64::BITS {
        flood_as::<u64>(rules, potential, group, roots, options, counts_only)
    } else if rules.cells() <= u64::BITS {
        flood_as::<u128>(rules, potential, group, roots, options, counts_only)
    } else {
        flood_as::<WideKey>(rules, potential, group, roots, options, counts_only)
    }
}

fn flood_as<P: KeyWord>(
    rules: &Rules,
    potential: &Potential,
    group: &Group,
    roots: &[Position],
    options: &Options<'_>,
    counts_only: bool,
) -> Result<Flooded, SolveError> {
    let codes = Codes::of(rules);
    let mut flood = Flood::<P> {
        rules,
        potential,
        group,
        options,
        codes,
        moves: Moves::new(rules, potential),
        below: codes.bits() - SHARD_BITS.min(codes.bits()),
        levels: (0..=potential.most()).map(|_| Vec::new()).collect(),
        keys: Vec::new(),
        dropped: 0,
        sizes: Vec::new(),
        found: 0,
        positions: 0,
        meter: Meter::new(options.progress, Phase::Find, None),
        watch: MemoryWatch::new(options),
    };
    for &root in roots {
        let code = P::of(codes.code(group.representative(root)));
        let shards = flood.shards();
        let level = &mut flood.levels[potential.level(root) as usize];
        level.resize_with(shards, Shard::default);
        level[code.above(flood.below)].codes.push(code.below(flood.below));
    }
    for filled in 0..=potential.most() {
        flood.level(filled, counts_only)?;
    }
    if flood.meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let Flood { keys, sizes, positions, watch, .. } = flood;
    Ok(Flooded { keys, sizes, positions, peak: watch.peak() })
}

impl<P: KeyWord> Flood<'_, P> {
    fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.rules, self.potential, level)
    }

    const fn shards(&self) -> usize {
        1 << (self.codes.bits() - self.below)
    }

    /// Completes level `filled`, and adds the successors of its positions to the levels above.
    fn level(&mut self, filled: u32, counts_only: bool) -> Result<(), SolveError> {
        let mut shards = std::mem::take(&mut self.levels[filled as usize]);
        let below = self.below;
        let refused = |flood: &Self| {
            let (positions, up_to) = (flood.found, flood.up_to(filled.saturating_sub(1)));
            move |_: TryReserveError| SolveError::Refused { positions, up_to }
        };
        let sort = |buffers: &mut SortBuffers<P>, shard: &mut Shard<P>| shard.sort(below, buffers);
        parallel::try_map_with(&mut shards, SortBuffers::new, sort).map_err(refused(self))?;
        let shards: Vec<Vec<P>> = shards.into_iter().map(|shard| shard.codes).collect();
        let count: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        if count == 0 {
            return if self.meter.add(0).is_break() { Err(SolveError::Cancelled) } else { Ok(()) };
        }
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { up_to: self.up_to(filled), positions: count });
        }
        self.sizes.push(LevelSize { filled, count });
        self.found += count;
        if counts_only {
            self.dropped += key_bytes(&self.codes, count);
            let sizes = parallel::map(shards.iter().enumerate(), |(number, shard)| self.class_sizes(number, shard));
            self.positions += sizes.into_iter().sum::<u64>();
        } else {
            let code = |shard: usize, low: P| P::raised(shard, below) | low;
            append_keys(&mut self.keys, &self.codes, &shards, code).map_err(refused(self))?;
        }
        self.check(filled, &shards, 0)?;
        // Batches bound the memory for successors: each batch is added to its levels before the next one starts.
        let parts: Vec<(usize, &[P])> = shards
            .iter()
            .enumerate()
            .flat_map(|(number, shard)| shard.chunks(TASK).map(move |part| (number, part)))
            .collect();
        let mut rest = &parts[..];
        while !rest.is_empty() {
            let mut positions = 0;
            let end = rest.iter().position(|(_, part)| {
                positions += part.len();
                positions > BATCH
            });
            let (batch, after) = rest.split_at(end.unwrap_or(rest.len()).max(1));
            rest = after;
            let taken = AtomicU64::new(0);
            let expand = |memory: &mut Vec<P>, &(shard, part): &(usize, &[P])| {
                if self.meter.add(part.len() as u64).is_break() {
                    return Err(SolveError::Cancelled);
                }
                let found = self.successors(shard, part, memory).map_err(refused(self))?;
                taken.fetch_add(found.iter().map(Lists::bytes).sum(), Ordering::Relaxed);
                Ok(found)
            };
            // Each entry starts with a code that belongs to another entry, so that it matches none.
            let memory = || (0..REMEMBERED as u128).map(|place| P::of(place ^ 1)).collect();
            let found: Vec<Vec<Lists<P>>> = parallel::try_map_with(batch, memory, expand)?;
            self.add(filled, &found).map_err(refused(self))?;
            drop(found);
            self.check(filled + 1, &shards, taken.into_inner())?;
        }
        Ok(())
    }

    /// The number of positions in the symmetry classes of the codes `part` of a shard.
    fn class_sizes(&self, shard: usize, part: &[P]) -> u64 {
        let of = |&low: &P| {
            let (mode, board) = self.moves.split(self.codes.key(P::raised(shard, self.below) | low));
            self.group.orbit(Position::new(Mode(mode as u16), board.board()))
        };
        part.iter().map(of).sum()
    }

    /// The representatives of the successors of the positions `part` of a shard, by the number of levels that the move rises.
    /// `memory` holds recently found codes, each at the index of its lowest bits.
    fn successors(&self, shard: usize, part: &[P], memory: &mut [P]) -> Result<Vec<Lists<P>>, TryReserveError> {
        let mut found: Vec<(Vec<P>, Vec<u16>)> = Vec::new();
        for &low in part {
            let key = self.codes.key(P::raised(shard, self.below) | low);
            let (mode, board) = self.moves.split(key);
            let of_mode = self.moves.of(mode);
            if of_mode.ended(board).is_some() {
                continue;
            }
            for word in 0..of_mode.words() {
                let mut legal = of_mode.legal(word, board);
                while legal != 0 {
                    let number = 64 * word + legal.trailing_zeros() as usize;
                    legal &= legal - 1;
                    let (key, fills) = of_mode.play(number, board);
                    let code = self.codes.code_of_key(self.moves.representative(self.group, key));
                    let place = &mut memory[code.low() as usize & (REMEMBERED - 1)];
                    if *place == code {
                        continue;
                    }
                    *place = code;
                    let fills = fills as usize;
                    if found.len() <= fills {
                        found.resize_with(fills + 1, Default::default);
                    }
                    let (lows, shards) = &mut found[fills];
                    lows.push(code.below(self.below));
                    shards.push(code.above(self.below) as u16);
                }
            }
        }
        found.iter().map(|(lows, shards)| Lists::new(lows, shards, self.shards())).collect()
    }

    /// Adds the successors that tasks have `found` from level `filled` to their levels.
    fn add(&mut self, filled: u32, found: &[Vec<Lists<P>>]) -> Result<(), TryReserveError> {
        let (below, shards) = (self.below, self.shards());
        let most = found.iter().map(Vec::len).max().unwrap_or(0);
        for fills in 1..most {
            let level = &mut self.levels[filled as usize + fills];
            level.resize_with(shards, Shard::default);
            let add = |buffers: &mut SortBuffers<P>, (number, shard): (usize, &mut Shard<P>)| {
                for lists in found.iter().filter_map(|found| found.get(fills)) {
                    shard.codes.try_reserve(lists.of(number).len())?;
                    shard.codes.extend_from_slice(lists.of(number));
                }
                if shard.codes.len() > 2 * shard.sorted + UNSORTED { shard.sort(below, buffers) } else { Ok(()) }
            };
            parallel::try_map_with(level.iter_mut().enumerate(), SortBuffers::new, add)?;
        }
        Ok(())
    }

    /// An error if there are too many positions, or too little memory for all codes and keys, `shards` and `step` more bytes, or for the
    /// labels of the positions found so far.
    fn check(&mut self, filled: u32, shards: &[Vec<P>], step: u64) -> Result<(), SolveError> {
        let positions = self.found;
        let sorted: usize = self.levels.iter().flatten().map(|shard| shard.sorted).sum();
        if let Some(limit) = self.options.max_positions.filter(|&limit| positions + sorted as u64 > limit) {
            return Err(SolveError::MaxPositions { limit, up_to: self.up_to(filled) });
        }
        let of_shards = |capacity: usize| (capacity * size_of::<P>()) as u64;
        let held = self.dropped
            + self.keys.capacity() as u64
            + shards.iter().map(|shard| of_shards(shard.capacity())).sum::<u64>()
            + self.levels.iter().flatten().map(|shard| of_shards(shard.codes.capacity())).sum::<u64>();
        let column = |width| self.sizes.iter().map(|size| column_bytes(width, size.count)).sum::<u64>();
        let labels: u64 = self.options.labels.widths(self.rules).map(column).sum();
        let keys: u64 = self.sizes.iter().map(|size| key_bytes(&self.codes, size.count)).sum();
        let at = (positions, self.up_to(filled.saturating_sub(1)));
        self.watch.check(self.options, held, (held + step).max(keys + labels), at)
    }
}
