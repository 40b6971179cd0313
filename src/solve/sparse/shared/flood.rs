//! The forward pass: each process finds what its positions lead to, and sends it to those whose share it is.

use rayon::prelude::*;

use super::Shared;
use super::parts::{Place, dealt, read, read_codes, write_codes};
use crate::reachable::{KeyWord, LevelSize, MOST_IN_LEVEL, append_keys};
use crate::rules::Position;
use crate::solve::sparse::exchange::nonsense;
use crate::solve::sparse::kept::{KeptLevel, Known};
use crate::solve::{Meter, Phase, Sheet, SolveError, UpTo};

/// Positions whose successors one task finds.
const TASK: usize = 1 << 10;
/// Codes that are kept unsorted, besides as many as are sorted.
const UNSORTED: usize = 1 << 16;
/// The number of top bits of a code by which the keys of a level are written side by side.
const SHARD_BITS: u32 = 8;

/// Codes of a level that is not complete.
struct Open<P> {
    codes: Vec<P>,
    /// So many of them are sorted, and each is there once.
    sorted: usize,
}

impl<P: KeyWord> Open<P> {
    const fn new() -> Self {
        Self { codes: Vec::new(), sorted: 0 }
    }

    fn add(&mut self, codes: impl Iterator<Item = P>) {
        self.codes.extend(codes);
        if self.codes.len() > 2 * self.sorted + UNSORTED {
            self.settle();
        }
    }

    fn settle(&mut self) {
        if self.codes.len() > self.sorted {
            self.codes.par_sort_unstable();
            self.codes.dedup();
            self.sorted = self.codes.len();
        }
    }

    /// All of them, sorted.
    fn settled(mut self) -> Vec<P> {
        self.settle();
        self.codes.shrink_to_fit();
        self.codes
    }
}

impl<P: KeyWord> Shared<'_, P> {
    /// Finds all positions. Returns the keys, as a table has them, if this is the first process; and how many are in each level.
    pub(super) fn flood(&mut self, roots: &[Position]) -> Result<(Vec<u8>, Vec<LevelSize>), SolveError> {
        let mut meter = Meter::new(self.options.progress, Phase::Find, None);
        let Known { mut keys, mut sizes, end } = self.resume()?;
        let mut open: Vec<Open<P>> = self.levels.iter().map(|_| Open::new()).collect();
        let own = self.others.process();
        for &root in roots {
            let root = self.group.map_or(root, |group| group.representative(root));
            let (level, code) = (self.potential.level(root), P::of(self.codes.code(root)));
            if level >= end && self.owner(code) == own {
                open[level as usize].add([code].into_iter());
            }
        }
        let levels = open.len() as u32;
        for level in 0..levels {
            let of_level = std::mem::replace(&mut open[level as usize], Open::new());
            let codes = if level < end {
                let codes = std::mem::take(&mut self.levels[level as usize]);
                if end == levels || level + self.span < end {
                    // All that it leads to is known.
                    if meter.add(codes.len() as u64).is_break() {
                        return Err(SolveError::Cancelled);
                    }
                    self.levels[level as usize] = codes;
                    continue;
                }
                codes
            } else {
                of_level.settled()
            };
            let rounds = codes.len().div_ceil(self.round) as u64;
            let all = self.numbers(&[codes.len() as u64, rounds])?;
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
                let kept = || KeptLevel { bytes: keys[before..].to_vec(), tally: vec![count, self.found] };
                self.keep(Sheet::Reached, level, before as u64, kept)?;
                sizes.push(LevelSize { filled: level, count });
                self.found += count;
            }
            // What is kept waits to be written.
            let kept = if self.store.is_some() { keys.len() - before } else { 0 };
            let rounds = all.iter().map(|of| of[1]).max().unwrap_or(0);
            let mut rest = codes.as_slice();
            for _ in 0..rounds {
                let (round, after) = rest.split_at(rest.len().min(self.round));
                rest = after;
                if meter.add(round.len() as u64).is_break() {
                    return Err(SolveError::Cancelled);
                }
                let found = self.successors(level, round);
                let step = (found.len() * size_of::<Place<P>>()) as u64;
                for part in self.exchange(dealt(&found, self.codes.bits(), self.others.processes()))? {
                    for (to, codes) in read::<P>(&part).ok_or_else(nonsense)? {
                        let open = open.get_mut(to as usize).ok_or_else(nonsense)?;
                        if to >= end {
                            open.add(read_codes(codes));
                        }
                    }
                }
                let of_open: usize = open.iter().map(|open| open.codes.capacity()).sum();
                let of_levels: usize = self.levels.iter().map(Vec::capacity).sum::<usize>() + codes.len();
                let held = ((of_open + of_levels) * size_of::<P>() + keys.capacity() + kept) as u64;
                let at = (self.found, self.up_to(level.saturating_sub(1)));
                self.watch.check(self.options, held, held + 4 * step, at)?;
            }
            self.levels[level as usize] = codes;
        }
        if end < levels {
            // There are no more.
            let kept = || KeptLevel { bytes: Vec::new(), tally: vec![0, self.found] };
            self.keep(Sheet::Reached, levels, keys.len() as u64, kept)?;
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok((keys, sizes)) }
    }

    pub(super) fn up_to(&self, level: u32) -> UpTo {
        UpTo::level(self.rules, self.potential, level)
    }

    /// What some positions of a level lead to: sorted, each once.
    fn successors(&self, level: u32, round: &[P]) -> Vec<Place<P>> {
        let of_task = |codes: &[P]| {
            let mut found = Vec::new();
            codes.iter().for_each(|&code| self.each_successor(level, code, |place, _| found.push(place)));
            found.sort_unstable();
            found.dedup();
            found
        };
        let mut found: Vec<Place<P>> = round.par_chunks(TASK).flat_map_iter(of_task).collect();
        found.par_sort_unstable();
        found.dedup();
        found
    }

    /// Calls `each` with what each move leads to from the position with `code`, and whether the same player moves there.
    pub(super) fn each_successor(&self, level: u32, code: P, mut each: impl FnMut(Place<P>, bool)) {
        let (mode, board) = self.moves.split(self.codes.key(code));
        let of_mode = self.moves.of(mode);
        if of_mode.ended(board).is_some() {
            return;
        }
        for word in 0..of_mode.words() {
            let mut legal = of_mode.legal(word, board);
            while legal != 0 {
                let number = 64 * word + legal.trailing_zeros() as usize;
                legal &= legal - 1;
                let (key, rises) = of_mode.play(number, board);
                each((level + rises, self.codes.code_of_key(self.standing(key))), of_mode.is_again(number));
            }
        }
    }

    /// Appends the keys of a level, of which this process has `codes`, if it is the first one.
    fn gather_keys(&self, codes: &[P], keys: &mut Vec<u8>) -> Result<(), SolveError> {
        let mut bytes = Vec::with_capacity(size_of_val(codes));
        write_codes(&mut bytes, codes.iter().copied());
        let parts = self.gather(bytes)?;
        if self.others.process() > 0 {
            return Ok(());
        }
        let below = self.codes.bits() - SHARD_BITS.min(self.codes.bits());
        let mut shards = vec![Vec::new(); 1 << (self.codes.bits() - below)];
        // The shares follow each other in the order of codes.
        parts.iter().flat_map(|part| read_codes::<P>(part)).for_each(|code| shards[code.above(below)].push(code));
        drop(parts);
        let refused = |_| SolveError::Refused { positions: self.found, up_to: UpTo::all(self.rules, self.potential) };
        append_keys(keys, &self.codes, &shards, |_, code| code).map_err(refused)
    }
}
