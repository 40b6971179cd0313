//! Checking a table of reached positions: its keys, that it is closed and no larger than that, and its labels.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::reader::Reached;
use super::{Finding, Table, TableFault};
use crate::plane::{Counts, add_by_mode};
use crate::rules::{Outcome, Position};

/// Positions that one task takes at a time.
const STRETCH: u64 = 1 << 13;

/// Recomputes every label, and checks everything else that makes a table of reached positions right:
/// - every key is one, in its place, and no bit is set that belongs to none: equal sets have one form;
/// - every root, and every position that play begins from, is held; so is every reply to a position that is held, and
///   every position that is held is a root or such a reply. So just what can be reached is held;
/// - every outcome is what the replies to it make it.
pub(super) fn verify_all(table: &Table, reached: Reached<'_>, progress: &(dyn Fn(u64) + Sync)) -> Result<u64, Finding> {
    let check = Check { table, reached };
    let levels = reached.levels();
    let seen: Vec<AtomicU8> = (0..levels.count().div_ceil(8)).map(|_| AtomicU8::new(0)).collect();
    for &position in reached.roots() {
        check.mark(&seen, position).map_err(Finding::Bytes)?.ok_or(Finding::Missing { position })?;
    }
    for position in table.rules().start_positions() {
        check.index(position).map_err(Finding::Bytes)?.ok_or(Finding::Missing { position })?;
    }
    let mut counts = vec![Counts::default(); table.rules().modes().len()];
    for number in 0..levels.sizes().len() {
        let of_level = check.level(number, &seen, progress)?;
        counts = add_by_mode(counts, of_level);
    }
    for (mode, (&expected, found)) in (0..).zip(table.counts_by_mode().iter().zip(counts)) {
        if found != expected {
            return Err(Finding::Counts { mode: crate::rules::Mode(mode), expected, found });
        }
    }
    let unseen = |&index: &u64| seen[(index / 8) as usize].load(Ordering::Relaxed) >> (index % 8) & 1 == 0;
    match (0..levels.count()).into_par_iter().find_first(unseen) {
        None => Ok(levels.count()),
        Some(index) => {
            Err(check.position(index).map_or_else(Finding::Bytes, |position| Finding::Unreached { position }))
        }
    }
}

/// Recomputes `count` labels drawn with `seed`.
pub(super) fn verify_sample(
    table: &Table,
    reached: Reached<'_>,
    count: u64,
    seed: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<u64, Finding> {
    let check = Check { table, reached };
    let positions = reached.levels().count();
    let recompute = |n| {
        let index = fastrand::Rng::with_seed(seed.wrapping_add(n)).u64(..positions);
        let finding = check.position(index).map_err(Finding::Bytes).and_then(|p| check.label(p, |_| Ok(()))).err();
        progress(1);
        finding
    };
    (0..count).into_par_iter().find_map_any(recompute).map_or(Ok(count), Err)
}

struct Check<'a> {
    table: &'a Table,
    reached: Reached<'a>,
}

impl Check<'_> {
    /// The number of `position` over all levels, and its outcome; `None` where it is not held.
    fn index(&self, position: Position) -> Result<Option<(u64, Outcome)>, TableFault> {
        let levels = self.reached.levels();
        let Some(number) = levels.of_filled(position.board.count()) else { return Ok(None) };
        let Some(level) = self.reached.level(number) else { return Ok(None) };
        let Some(index) = level.find(position)? else { return Ok(None) };
        let outcome = level.outcome(index).ok_or(TableFault::NoOutcome { position })?;
        Ok(levels.number(number, index).map(|index| (index, outcome)))
    }

    /// The position numbered `index` over all levels.
    fn position(&self, index: u64) -> Result<Position, TableFault> {
        let found = self.reached.levels().at(index).and_then(|(number, at)| Some((self.reached.level(number)?, at)));
        let (level, at) = found.ok_or(TableFault::Malformed("its levels hold fewer positions than they count"))?;
        Ok(level.position(at)?)
    }

    /// Notes that play reaches `position`, and gives its outcome; `None` where it is not held.
    fn mark(&self, seen: &[AtomicU8], position: Position) -> Result<Option<Outcome>, TableFault> {
        let found = self.index(position)?;
        if let Some((index, _)) = found {
            let (byte, bit) = (&seen[(index / 8) as usize], 1 << (index % 8));
            if byte.load(Ordering::Relaxed) & bit == 0 {
                byte.fetch_or(bit, Ordering::Relaxed);
            }
        }
        Ok(found.map(|(_, outcome)| outcome))
    }

    /// Checks the keys and labels of level `number`, and marks the replies to its positions.
    fn level(&self, number: usize, seen: &[AtomicU8], progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<Counts>, Finding> {
        let malformed = || Finding::Bytes(TableFault::Malformed("its sections are shorter than its levels"));
        let level = self.reached.level(number).ok_or_else(malformed)?;
        level.check().map_err(|misplaced| Finding::Bytes(misplaced.into()))?;
        let count = level.size().count;
        let modes = self.table.rules().modes().len();
        let stretch = |stretch: u64| {
            let mut counts = vec![Counts::default(); modes];
            // One position of the stretch before is read again: its code must be smaller than the first of this.
            let first = (stretch * STRETCH).saturating_sub(1);
            let end = count.min((stretch + 1) * STRETCH);
            progress(end - stretch * STRETCH);
            for found in level.positions(first, end) {
                let (index, position) = found.map_err(|misplaced| Finding::Bytes(misplaced.into()))?;
                if index >= stretch * STRETCH {
                    let mark = |reply| self.mark(seen, reply).map(|_| ());
                    counts[usize::from(position.mode.0)].add(self.label(position, mark)?);
                }
            }
            Ok(counts)
        };
        let none = || Ok(vec![Counts::default(); modes]);
        (0..count.div_ceil(STRETCH)).into_par_iter().map(stretch).reduce(none, |a, b| Ok(add_by_mode(a?, b?)))
    }

    /// The label of `position`, where it is what the replies make it; `reply` is told of each of them.
    fn label(
        &self,
        position: Position,
        mut reply: impl FnMut(Position) -> Result<(), TableFault>,
    ) -> Result<Outcome, Finding> {
        let rules = self.table.rules();
        let held = |position| match self.index(position) {
            Ok(Some((_, outcome))) => Ok(outcome),
            Ok(None) => Err(Finding::Missing { position }),
            Err(fault) => Err(Finding::Bytes(fault)),
        };
        let found = held(position)?;
        // All replies, not only those up to the first that decides.
        for m in rules.moves_from(position) {
            held(m.play(position))?;
            reply(m.play(position)).map_err(Finding::Bytes)?;
        }
        let expected = rules.try_step(position, held)?;
        if found == expected { Ok(found) } else { Err(Finding::Label { position, found, expected }) }
    }
}
