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

use super::moves::Moves;
use super::pending::{Room, Set};
use super::replies::Replies;
use crate::label::Width;
use crate::reachable::{Codes, LevelSize, Levels, MOST_IN_LEVEL, Word, append_keys, column_bytes, key_bytes};
use crate::rules::{Mode, Position, Rules};
use crate::solve::{Meter, Options, Phase, Progress, SolveError, Watch};

/// The number of top bits of a code that choose its shard: enough shards for many cores, each small enough for a
/// core's cache.
const SHARD_BITS: u32 = 8;
/// The number of replies of a group, as far as it can be foretold: 8 MiB of them.
const GROUP: u64 = 1 << 20;
/// The number of shares into which a group is split, and the positions of a share at least.
const SHARES: u64 = 32;
const LEAST_SHARE: usize = 256;
/// A level of up to this many positions is expanded as one list and not by shards.
const SMALL: u64 = 1 << 16;

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
    /// What of that is left beside the keys and the labels.
    pub(super) to_spare: u64,
}

struct Flood<'a, W> {
    rules: &'a Rules,
    moves: Moves<W>,
    /// The widths of the labels that positions will have.
    widths: Vec<Width>,
    /// The maximum number of moves of any mode, at least one.
    widest: u64,
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
        moves: Moves::new(rules),
        widths: options.labels.iter().map(|label| label.width(rules)).collect(),
        widest: (0..rules.modes().len()).map(|mode| rules.moves_of(Mode(mode as u16)).len()).max().unwrap_or(0).max(1) as u64,
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
        let set = &mut flood.sets(root.board.count())[shard];
        set.extend(&[code], &mut Room::new()).map_err(|_| flood.out_of_memory(0))?;
    }
    for filled in 0..=rules.cells() {
        flood.level(filled, options)?;
    }
    if flood.meter.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let levels = Levels::new(rules, &flood.sizes).unwrap_or_else(|| unreachable!("levels come in order"));
    let to_spare = flood.peak.saturating_sub(with_slack(flood.stored));
    Ok(Flooded { levels, keys: flood.keys, peak: flood.peak, to_spare })
}

impl<W: Word> Flood<'_, W> {
    fn shard(&self, code: W) -> usize {
        code.above(self.codes.bits() - self.shard_bits)
    }

    fn sets(&mut self, filled: u32) -> &mut [Set<W>] {
        let sets = &mut self.pending[filled as usize];
        if sets.is_empty() {
            let bits = self.codes.bits() - self.shard_bits;
            sets.extend((0..1 << self.shard_bits).map(|_| Set::new(bits)));
        }
        sets
    }

    /// Stores the level with `filled` filled cells and expands it.
    fn level(&mut self, filled: u32, options: &Options<'_>) -> Result<(), SolveError> {
        if self.pending[filled as usize].is_empty() {
            return Ok(());
        }
        // Sorting merges what is new: all shards at once, at worst.
        let sorting: u64 = self.pending[filled as usize].iter().map(Set::merge_bytes).sum();
        self.check_memory(filled, 0, sorting + self.room_bytes(), options)?;
        let sets = std::mem::take(&mut self.pending[filled as usize]);
        let sort = |room: &mut Room<W>, set: Set<W>| {
            let codes = set.into_sorted(room)?;
            let _ = self.meter.add(codes.len() as u64);
            Ok(codes)
        };
        let shards: Result<Vec<Vec<W>>, TryReserveError> = sets.into_par_iter().map_init(Room::new, sort).collect();
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
        append_keys(&mut self.keys, &self.codes, &shards).map_err(|_| self.out_of_memory(filled))?;
        self.expand_all(filled, &shards, held, options)
    }

    /// Expands a level, whose codes take `held` bytes, group by group.
    fn expand_all(
        &mut self,
        filled: u32,
        shards: &[Vec<W>],
        held: u64,
        options: &Options<'_>,
    ) -> Result<(), SolveError> {
        let count: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        let whole = if count <= SMALL { shards.concat() } else { Vec::new() };
        let pieces = if whole.is_empty() { shards.iter().map(Vec::as_slice).collect() } else { vec![&whole[..]] };
        // Replies to a position, at most; then as many as there were, and a quarter more: codes are in no order that
        // anything depends on, so that the groups of a level are alike.
        let mut branching = self.widest;
        let mut pieces = pieces.into_iter();
        let mut rest: &[W] = &[];
        loop {
            let group = (GROUP / branching).max(1);
            let share = ((group / SHARES) as usize).max(LEAST_SHARE);
            let (mut shares, mut positions) = (Vec::new(), 0);
            while positions < group {
                if rest.is_empty() {
                    let Some(next) = pieces.next() else { break };
                    rest = next;
                }
                let (here, after) = rest.split_at(share.min(rest.len()).min((group - positions) as usize));
                rest = after;
                positions += here.len() as u64;
                shares.push(here);
            }
            if positions == 0 {
                return Ok(());
            }
            self.check_memory(filled, held, self.expand_bytes(positions, branching), options)?;
            let replies = self.expand(filled, &shares).map_err(|_| self.out_of_memory(filled))?;
            branching = (replies * 5 / (positions * 4) + 1).min(self.widest);
            self.check_count(filled, options)?;
            if self.meter.add(0).is_break() {
                return Err(SolveError::Cancelled);
            }
        }
    }

    /// Puts the replies to the positions of `shares`, all with `filled` filled cells, into the pending sets. Returns how
    /// many there are.
    fn expand(&mut self, filled: u32, shares: &[&[W]]) -> Result<u64, TryReserveError> {
        let (lists, bits) = ((self.span as usize) << self.shard_bits, self.shard_bits);
        let of_share = |replies: &mut Replies<W>, share: &&[W]| {
            let found = replies.of(share, &self.moves, &self.codes, bits, lists)?;
            let _ = self.meter.add(share.len() as u64 * (PARTS - 1));
            Ok(found)
        };
        let replies: Result<Vec<_>, TryReserveError> =
            shares.par_iter().map_init(Replies::new, of_share).collect();
        let replies = replies?;
        for level in 0..self.span as usize {
            let of_level = level << bits..(level + 1) << bits;
            if replies.iter().all(|replies| replies.lists(of_level.clone()).is_empty()) {
                continue;
            }
            let sets = self.sets(filled + 1 + level as u32);
            sets.par_iter_mut().enumerate().try_for_each_init(Room::new, |room, (shard, set)| {
                let list = (level << bits) + shard;
                replies.iter().try_for_each(|replies| set.extend(replies.lists(list..list + 1), room))
            })?;
        }
        Ok(replies.iter().map(|replies| replies.lists(0..lists).len() as u64).sum())
    }

    /// Bytes that expanding `positions` positions takes at most, each with up to `branching` replies: the replies, first in
    /// vectors of every thread that grow by doubling, then in lists, and what the sets grow by to hold them.
    fn expand_bytes(&self, positions: u64, branching: u64) -> u64 {
        let (word, threads) = (size_of::<W>() as u64, rayon::current_num_threads() as u64);
        let replies = positions * branching;
        let share = (positions / SHARES).max(LEAST_SHARE as u64).min(positions) * branching;
        let shares = (positions / (positions / SHARES).max(1)).min(positions);
        let lists = ((self.span as u64) << self.shard_bits) * shares.min(SHARES) * size_of::<u32>() as u64;
        // Of each level that replies may be in, every thread may be merging the largest set.
        let merging = self.pending.iter().filter_map(|sets| sets.iter().map(Set::merge_bytes).max()).max();
        let sorting = merging.unwrap_or(0) * threads + self.room_bytes();
        replies * word * 9 / 4 + threads * share * 2 * (word + size_of::<u16>() as u64) + lists + sorting
    }

    /// Bytes of the room that every thread takes to sort new codes in.
    fn room_bytes(&self) -> u64 {
        let largest = self.pending.iter().flatten().map(Set::room_bytes).max();
        rayon::current_num_threads() as u64 * largest.unwrap_or(0)
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
