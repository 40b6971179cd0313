//! The forward pass: finds which positions there are.
//!
//! ```text
//! for each number of filled cells, the fewest first:
//!     the pending set of that level is complete: sort it, store its keys
//!     for each group of its positions:
//!         on every core: expand a share of the group, its replies sorted by level and shard
//!         on every core: take a shard of a level, and put every share's replies for it into its set
//! ```
//!
//! A shard is the set of codes with the same top bits, so no two threads write to the same set, and the shards in
//! order form the whole level in order. Working in groups bounds the number of replies that are held before
//! duplicates among them are found.

use std::collections::TryReserveError;

use rayon::prelude::*;

use super::pending::{Set, Word};
use crate::label::Width;
use crate::reachable::{Codes, LevelSize, Levels, MOST_IN_LEVEL, append_keys, column_bytes, key_bytes};
use crate::rules::{Mode, Position, Rules};
use crate::solve::{Meter, Options, Phase, Progress, SolveError, Watch};

/// The number of top bits of a code that choose its shard: enough shards for many cores, each small enough for a
/// core's cache.
const SHARD_BITS: u32 = 6;
/// Maximum number of replies of a group: 8 MiB of them.
const GROUP: usize = 1 << 20;
/// The number of shares into which a group is split.
const SHARES: usize = 32;

/// The parts in which a position is reported as found. A watcher should see both storing and expanding a large level move.
/// Storing takes far less time, so it counts less.
const PARTS: u64 = 8;
/// A vector of up to this many bytes may be copied to grow; a larger one is moved by the system, page by page.
const MOST_COPIED: u64 = 32 << 20;
/// One part in this many is lost to the allocator, as measured.
const SLACK: u64 = 8;

/// All reachable positions, without outcomes.
pub(super) struct Flooded {
    pub(super) levels: Levels,
    /// The keys of all levels, one after the other.
    pub(super) keys: Vec<u8>,
    /// Peak number of bytes held, either while finding the positions or while labelling them.
    pub(super) peak: u64,
}

struct Flood<'a, W> {
    rules: &'a Rules,
    /// The widths of the labels that positions will have.
    widths: Vec<Width>,
    /// The maximum number of moves of any mode, at least one.
    widest: usize,
    /// The maximum number of cells that a move fills, at least one.
    span: u32,
    codes: Codes,
    shard_bits: u32,
    /// The sets of the levels not yet expanded, by filled cells, one set for each shard; no sets if nothing was
    /// found.
    pending: Vec<Vec<Set<W>>>,
    sizes: Vec<LevelSize>,
    keys: Vec<u8>,
    /// Bytes of the data that is kept: the keys, and the labels that they will have.
    stored: u64,
    found: u64,
    /// Counts [`PARTS`] of positions: one when a position is stored, the others when its successors are found.
    meter: Meter<'a>,
    /// What the system had left at first, if it says.
    left: Option<u64>,
    /// The largest amount that [`Flood::check_memory`] has counted, or the system.
    peak: u64,
}

/// Finds all positions that can be reached from `roots`.
pub(super) fn flood<W: Word>(rules: &Rules, roots: &[Position], options: &Options<'_>) -> Result<Flooded, SolveError> {
    let codes = Codes::of(rules);
    debug_assert!(codes.bits() <= W::BITS);
    let whole = options.progress.map(|watch| move |told: Progress| watch(Progress { done: told.done / PARTS, ..told }));
    let watch = whole.as_ref().map(|whole| whole as Watch<'_>);
    let mut flood = Flood::<W> {
        rules,
        widths: options.labels.iter().map(|label| label.width(rules)).collect(),
        widest: (0..rules.modes().len()).map(|mode| rules.moves_of(Mode(mode as u16)).len()).max().unwrap_or(0).max(1),
        span: rules.moves().iter().map(|m| m.fills.count()).max().unwrap_or(0).max(1),
        codes,
        shard_bits: SHARD_BITS.min(codes.bits()),
        pending: (0..=rules.cells()).map(|_| Vec::new()).collect(),
        sizes: Vec::new(),
        keys: Vec::new(),
        stored: 0,
        found: 0,
        meter: Meter::new(watch, Phase::Find, None),
        left: options.room.and_then(|room| room()),
        peak: 0,
    };
    for &root in roots {
        let code = W::of(codes.code(root));
        let shard = flood.shard(code);
        flood.sets(root.board.count())[shard].extend(&[code]).map_err(|_| flood.out_of_memory(0))?;
    }
    for filled in 0..=rules.cells() {
        flood.level(filled, options)?;
    }
    if flood.meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let levels = Levels::new(rules, &flood.sizes).unwrap_or_else(|| unreachable!("levels come in order"));
    Ok(Flooded { levels, keys: flood.keys, peak: flood.peak })
}

impl<W: Word> Flood<'_, W> {
    fn shard(&self, code: W) -> usize {
        (code.code() >> (self.codes.bits() - self.shard_bits)) as usize
    }

    fn sets(&mut self, filled: u32) -> &mut [Set<W>] {
        let sets = &mut self.pending[filled as usize];
        if sets.is_empty() {
            sets.extend((0..1 << self.shard_bits).map(|_| Set::new()));
        }
        sets
    }

    /// Stores the level with `filled` filled cells and expands it.
    fn level(&mut self, filled: u32, options: &Options<'_>) -> Result<(), SolveError> {
        if self.pending[filled as usize].is_empty() {
            return Ok(());
        }
        // Sorting merges what is new: all shards at once, at worst.
        let sorting = self.pending[filled as usize].iter().map(Set::merge_bytes).sum();
        self.check_memory(filled, 0, sorting, options)?;
        let sets = std::mem::take(&mut self.pending[filled as usize]);
        let sort = |set: Set<W>| {
            let codes = set.into_sorted()?;
            let _ = self.meter.add(codes.len() as u64);
            Ok(codes)
        };
        let shards: Result<Vec<Vec<W>>, TryReserveError> = sets.into_par_iter().map(sort).collect();
        let shards = shards.map_err(|_| self.out_of_memory(filled))?;
        let count: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        let held: u64 = shards.iter().map(|shard| (shard.capacity() * size_of::<W>()) as u64).sum();
        if count > MOST_IN_LEVEL {
            return Err(SolveError::Level { filled, positions: count });
        }
        let labels: u64 = self.widths.iter().map(|&width| column_bytes(width, count)).sum();
        self.stored += key_bytes(&self.codes, count) + labels;
        self.found += count;
        self.check_count(filled, options)?;
        // The keys of all levels are one vector, which may have to be copied to grow.
        self.check_memory(filled, held, (self.keys.len() as u64).min(MOST_COPIED), options)?;
        self.sizes.push(LevelSize { filled, count });
        append_keys(&mut self.keys, &self.codes, count, shards.iter().flatten().map(|code| code.code()))
            .map_err(|_| self.out_of_memory(filled))?;

        let group = (GROUP / self.widest).max(SHARES);
        let shares: Vec<&[W]> = shards.iter().flat_map(|shard| shard.chunks((group / SHARES).max(1))).collect();
        for group in shares.chunks(SHARES) {
            let positions: u64 = group.iter().map(|share| share.len() as u64).sum();
            self.check_memory(filled, held, self.expand_bytes(positions), options)?;
            self.expand(filled, group).map_err(|_| self.out_of_memory(filled))?;
            self.check_count(filled, options)?;
            if self.meter.add(0).is_break() {
                return Err(SolveError::Cancelled);
            }
        }
        Ok(())
    }

    /// Puts the replies to the positions of `shares`, all with `filled` filled cells, into the pending sets.
    fn expand(&mut self, filled: u32, shares: &[&[W]]) -> Result<(), TryReserveError> {
        let replies: Result<Vec<Vec<Vec<W>>>, _> = shares.par_iter().map(|share| self.replies(filled, share)).collect();
        let replies = replies?;
        let shards = 1 << self.shard_bits;
        let levels = replies.iter().map(|replies| replies.len() / shards).max().unwrap_or(0);
        for level in 0..levels {
            let of_shard = |shard| replies.iter().filter_map(move |r| r.get(level * shards + shard));
            if (0..shards).all(|shard| of_shard(shard).all(|replies| replies.is_empty())) {
                continue;
            }
            let sets = self.sets(filled + 1 + level as u32);
            sets.par_iter_mut()
                .enumerate()
                .try_for_each(|(shard, set)| of_shard(shard).try_for_each(|codes| set.extend(codes)))?;
        }
        Ok(())
    }

    /// The replies to the positions of `share`: a list for each shard of the next level, then of the one after it,
    /// and so on up to the highest level reached.
    fn replies(&self, filled: u32, share: &[W]) -> Result<Vec<Vec<W>>, TryReserveError> {
        let mut replies: Vec<Vec<W>> = Vec::new();
        for code in share {
            let position = self.codes.position(code.code()).unwrap_or_else(|| unreachable!("a code of a position"));
            if self.rules.ended(position).is_some() {
                continue;
            }
            for reply in self.rules.successors(position) {
                let code = W::of(self.codes.code(reply));
                let level = (reply.board.count() - filled - 1) as usize;
                let list = (level << self.shard_bits) + self.shard(code);
                if replies.len() <= list {
                    let lists = (level + 1) << self.shard_bits;
                    replies.try_reserve_exact(lists - replies.len())?;
                    replies.resize_with(lists, Vec::new);
                }
                replies[list].try_reserve(1)?;
                replies[list].push(code);
            }
        }
        let _ = self.meter.add(share.len() as u64 * (PARTS - 1));
        Ok(replies)
    }

    /// Bytes that expanding `positions` positions takes at most: the replies, in vectors that grow by doubling, their
    /// lists, and what the sets grow by to hold them.
    fn expand_bytes(&self, positions: u64) -> u64 {
        let replies = positions * self.widest as u64 * size_of::<W>() as u64;
        let lists = ((self.span as usize) << self.shard_bits) * SHARES * size_of::<Vec<W>>();
        // Of each level that replies may be in, every thread may be merging the largest set.
        let merging = self.pending.iter().filter_map(|sets| sets.iter().map(Set::merge_bytes).max()).max();
        4 * replies + lists as u64 + rayon::current_num_threads() as u64 * merging.unwrap_or(0)
    }

    /// Stops if there are more positions than the limit, as far as they are known by now.
    fn check_count(&self, filled: u32, options: &Options<'_>) -> Result<(), SolveError> {
        let pending: u64 = self.pending.iter().flatten().map(Set::at_least).sum();
        match options.max_positions {
            Some(limit) if self.found + pending > limit => {
                Err(SolveError::MaxPositions { limit, filled, cells: self.rules.cells() })
            }
            _ => Ok(()),
        }
    }

    /// Stops if the next step might need more memory than is allowed, or than the system has left: besides what is
    /// stored, the level being expanded, which holds `level` bytes, and the pending sets, it takes up to `step` bytes.
    fn check_memory(&mut self, filled: u32, level: u64, step: u64, options: &Options<'_>) -> Result<(), SolveError> {
        let pending: u64 = self.pending.iter().flatten().map(Set::bytes).sum();
        let lists = self.pending.iter().flatten().count() * size_of::<Set<W>>();
        let needed = with_slack(self.stored + pending + level + lists as u64 + step);
        self.peak = self.peak.max(needed);
        let (positions, cells) = (self.found, self.rules.cells());
        match options.max_bytes {
            Some(allowed) if needed > allowed => {
                return Err(SolveError::SparseMemory { allowed, needed, positions, filled, cells });
            }
            _ => {}
        }
        // What the system counts has the slack in it, and the buffers of the step before, which this one takes again. Not
        // stored yet: the keys of this level and the labels of all.
        let to_come = step / 2 + self.stored.saturating_sub(self.keys.len() as u64);
        let left = options.room.and_then(|room| room());
        // As much must be left in a build for it to come as far as this.
        let taken = self.left.zip(left).map_or(0, |(first, left)| first.saturating_sub(left) + to_come);
        self.peak = self.peak.max(taken);
        match left {
            Some(left) if to_come > left => Err(SolveError::NoRoom { needed: to_come, left, positions, filled, cells }),
            _ => Ok(()),
        }
    }

    /// The error that the system has refused memory.
    fn out_of_memory(&self, filled: u32) -> SolveError {
        let (positions, cells) = (self.found, self.rules.cells());
        SolveError::Refused { positions, filled, cells }
    }
}

/// `bytes` as the system counts them: the allocator rounds up, and keeps some of what it has been given back.
const fn with_slack(bytes: u64) -> u64 {
    bytes + bytes / SLACK
}
