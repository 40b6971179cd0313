//! The forward pass: each rank finds the successors of its positions, and sends each to its owner.

use super::Distributed;
use super::open_level::{OpenLevel, Sharding};
use super::partition::{read_codes, read_levels, write_codes};
use super::successors::TaskSuccessors;
use crate::reachable::{KeyWord, LevelSize, MOST_IN_LEVEL, append_keys};
use crate::rules::Position;
use crate::sparse::checkpoint::{LoadedKeys, SavedLevel};
use crate::sparse::communicator::malformed_message;
use crate::{Meter, Phase, PlaneKind, SolveError, UpTo};

/// Keys of a level are written in parallel by this number of top bits of their codes.
const SHARD_BITS: u32 = 8;

impl<P: KeyWord> Distributed<'_, P> {
    /// Finds all positions. Returns their keys as in a table (empty unless this is rank 0), and the sizes of all levels.
    pub(super) fn flood(&mut self, roots: &[Position]) -> Result<(Vec<u8>, Vec<LevelSize>), SolveError> {
        let mut meter = Meter::new(self.options.progress, Phase::Find, None);
        let LoadedKeys { mut keys, mut sizes, end } = self.resume()?;
        let own = self.ranks.rank();
        let sharding = Sharding::new(self.codes.bits(), own, self.ranks.size());
        let mut open: Vec<OpenLevel<P>> = self.levels.iter().map(|_| OpenLevel::new(sharding)).collect();
        for &root in roots {
            let root = self.group.representative(root);
            let (level, code) = (self.potential.level(root), P::of(self.codes.code(root)));
            if level >= end && self.owner(code) == own {
                open[level as usize].add([code].into_iter()).map_err(|_| self.refused())?;
            }
        }
        let levels = open.len() as u32;
        for level in 0..levels {
            let of_level = std::mem::replace(&mut open[level as usize], OpenLevel::new(sharding));
            let codes = if level < end {
                let codes = std::mem::take(&mut self.levels[level as usize]);
                if end == levels || level + self.span < end {
                    // All successors of this level were loaded too.
                    if meter.add(codes.len() as u64).is_break() {
                        return Err(SolveError::Cancelled);
                    }
                    self.levels[level as usize] = codes;
                    continue;
                }
                codes
            } else {
                of_level.into_sorted().map_err(|_| self.refused())?
            };
            let rounds = codes.len().div_ceil(self.round) as u64;
            let all = self.all_gather(&[codes.len() as u64, rounds])?;
            let count: u64 = all.iter().map(|of| of[0]).sum();
            if count > MOST_IN_LEVEL {
                return Err(SolveError::Level { up_to: self.up_to(level), positions: count });
            }
            if count == 0 {
                continue;
            }
            let before = keys.len();
            if level >= end {
                self.gather_keys(&codes, &mut keys)?;
                let saved = || SavedLevel { bytes: keys[before..].to_vec(), tally: vec![count, self.found] };
                self.save(PlaneKind::Reached, level, before as u64, saved)?;
                sizes.push(LevelSize { filled: level, count });
                self.found += count;
            }
            // The store may hold a copy of the level until it is on disk.
            let unwritten = if self.store.is_some() { keys.len() - before } else { 0 };
            let rounds = all.iter().map(|of| of[1]).max().unwrap_or(0);
            let mut rest = codes.as_slice();
            for _ in 0..rounds {
                let (round, after) = rest.split_at(rest.len().min(self.round));
                rest = after;
                if meter.add(round.len() as u64).is_break() {
                    return Err(SolveError::Cancelled);
                }
                let found = self.successors(round);
                let successors: usize = found.iter().map(TaskSuccessors::count).sum();
                // A successor is held in a task with its move, then in a message, then in a received message.
                let step = (successors * (3 * size_of::<P>() + size_of::<(u32, bool)>())) as u64;
                let messages = self.messages(level, &found);
                drop(found);
                for part in self.all_to_all(messages)? {
                    for (to, codes) in read_levels::<P>(&part).ok_or_else(malformed_message)? {
                        let open = open.get_mut(to as usize).ok_or_else(malformed_message)?;
                        if to >= end {
                            open.add(read_codes(codes)).map_err(|_| self.refused())?;
                        }
                    }
                }
                let of_open: usize = open.iter().map(OpenLevel::capacity).sum();
                let of_levels: usize = self.levels.iter().map(Vec::capacity).sum::<usize>() + codes.len();
                let held = ((of_open + of_levels) * size_of::<P>() + keys.capacity() + unwritten) as u64;
                let at = (self.found, self.up_to(level.saturating_sub(1)));
                self.watch.check(self.options, held, held + step, at)?;
            }
            self.levels[level as usize] = codes;
        }
        if end < levels {
            // An empty level above the highest one says that the flood is complete.
            let saved = || SavedLevel { bytes: Vec::new(), tally: vec![0, self.found] };
            self.save(PlaneKind::Reached, levels, keys.len() as u64, saved)?;
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok((keys, sizes)) }
    }

    pub(super) fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.rules, self.potential, level)
    }

    /// On rank 0, appends the keys of a level to `keys`. This rank owns `codes` in the level.
    fn gather_keys(&self, codes: &[P], keys: &mut Vec<u8>) -> Result<(), SolveError> {
        let mut bytes = Vec::with_capacity(size_of_val(codes));
        write_codes(&mut bytes, codes.iter().copied());
        let parts = self.gather(bytes)?;
        if self.ranks.rank() > 0 {
            return Ok(());
        }
        let below = self.codes.bits() - SHARD_BITS.min(self.codes.bits());
        let mut shards = vec![Vec::new(); 1 << (self.codes.bits() - below)];
        // The shares of the ranks follow each other in the order of codes.
        parts.iter().flat_map(|part| read_codes::<P>(part)).for_each(|code| shards[code.above(below)].push(code));
        drop(parts);
        append_keys(keys, &self.codes, &shards, |_, code| code).map_err(|_| self.refused())
    }

    /// The error if the system has no more memory.
    pub(super) fn refused(&self) -> SolveError {
        SolveError::Refused { positions: self.found, up_to: UpTo::all(self.rules, self.potential) }
    }
}
