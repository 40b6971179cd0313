//! A solver for reachable positions that several ranks run together, each with a share of the positions.
//!
//! The code of a position looks random, so equal ranges of codes are even shares of every level. Rank `r` of `n` ranks
//! owns the codes from `r/n` to `(r + 1)/n` of all codes. The shares of all ranks, one after the other, are a level in
//! the order of a table.
//!
//! ```text
//! for each level, the lowest first, in rounds:
//!     each rank: find the successors of some of its positions; send each successor to its owner
//! for each level, the highest first, in rounds:
//!     each rank: ask the owners for the labels of the successors of some of its positions; answer; label
//! ```
//!
//! The size of a round bounds the memory for messages. Rank 0 gathers the keys and the labels of each level as soon as they are known, and
//! builds the table. It can save them in a [`LevelStore`], from which a later build with any number of ranks resumes.
//!
//! - `flood`: finds the positions. `label`: labels them. `successors`: the moves of a round, grouped by rank.
//! - `partition`: owners and messages. `open_level`: the codes of an incomplete level. `resume`: starts from checkpoints.

mod flood;
mod label;
mod open_level;
mod partition;
mod resume;
mod successors;

use std::time::Instant;

use super::checkpoint::{LevelStore, expect};
use super::communicator::Communicator;
use super::cost::{MemoryWatch, span};
use super::level_sort::reverse;
use super::moves::Moves;
use super::passes::Passes;
use super::{averaged, check_symmetries, finished, levels, roots};
use crate::reachable::{Codes, KeyWord, LevelSize, WideKey};
use crate::rules::{Potential, Rules};
use crate::symmetry::Group;
use crate::{Options, Solution, SolveError};
use tablegen_labels::with_label;

/// Minimum and maximum number of positions of a rank in a round.
const ROUND: (u64, u64) = (1 << 8, 1 << 16);

/// Returns whether several ranks can solve `rules` together: the positions must have levels.
#[must_use]
pub fn is_distributable(rules: &Rules) -> bool {
    rules.potential().is_some()
}

/// Solves the reachable positions of `rules`, which must have levels, together with other `ranks`. All ranks pass the
/// same rules and options, except for memory and progress. Rank 0 gets the solution. If it has a `store`, it resumes
/// from the checkpoints there, and writes new ones.
///
/// # Errors
/// As `solve()`, and if a rank fails.
pub fn solve_distributed(
    rules: &Rules,
    options: &Options<'_>,
    ranks: &dyn Communicator,
    store: Option<&dyn LevelStore>,
) -> Result<Option<Solution>, SolveError> {
    crate::check_labels(rules, options.labels)?;
    crate::check_codes(rules)?;
    let begun = Instant::now();
    let roots = roots(rules, options)?;
    let levels = || SolveError::Levels { name: rules.name().into() };
    let group = options.solver.symmetry();
    check_symmetries(rules, group, &roots)?;
    let potential = averaged(rules, rules.potential().ok_or_else(levels)?, group)?;
    let solved = if Codes::of(rules).bits() <= u64::BITS {
        Distributed::<u64>::new(rules, &potential, group, options, (ranks, store)).solve(&roots)
    } else if rules.cells() <= u64::BITS {
        Distributed::<u128>::new(rules, &potential, group, options, (ranks, store)).solve(&roots)
    } else {
        Distributed::<WideKey>::new(rules, &potential, group, options, (ranks, store)).solve(&roots)
    }?;
    let Some(RankZero { keys, sizes, mut passes }) = solved else { return Ok(None) };
    let levels = self::levels(rules, &potential, &sizes);
    let counts = std::mem::take(&mut passes.counts);
    let labelled = passes.labelled(rules, levels, keys, roots, group)?;
    Ok(Some(finished(rules, labelled, counts, begun)))
}

/// The result of rank 0.
struct RankZero {
    keys: Vec<u8>,
    sizes: Vec<LevelSize>,
    passes: Passes,
}

/// The solver as one rank runs it. `P` holds a code.
struct Distributed<'a, P: KeyWord> {
    rules: &'a Rules,
    potential: &'a Potential,
    group: &'a Group,
    options: &'a Options<'a>,
    ranks: &'a dyn Communicator,
    /// On rank 0: the place for checkpoints.
    store: Option<&'a dyn LevelStore>,
    codes: Codes,
    moves: Moves<P>,
    /// Maximum number of levels that a move rises.
    span: u32,
    /// Maximum number of positions of this rank in a round.
    round: usize,
    watch: MemoryWatch,
    /// The codes of the positions that this rank owns, by level, sorted.
    levels: Vec<Vec<P>>,
    /// The number of positions of all ranks found so far.
    found: u64,
}

impl<'a, P: KeyWord> Distributed<'a, P> {
    fn new(
        rules: &'a Rules,
        potential: &'a Potential,
        group: &'a Group,
        options: &'a Options<'a>,
        (ranks, store): (&'a dyn Communicator, Option<&'a dyn LevelStore>),
    ) -> Self {
        // The successors of a round, found, sent and received, take at most an eighth of the memory.
        let widest = (0..rules.modes().len() as u16).map(|mode| rules.moves_of(crate::rules::Mode(mode)).len());
        let bytes_per_position = widest.max().unwrap_or(1).max(1) as u64 * 4 * (size_of::<P>() as u64 + 8);
        let round = options.max_bytes.map_or(ROUND.1, |bytes| (bytes / 8 / bytes_per_position).clamp(ROUND.0, ROUND.1));
        Self {
            rules,
            potential,
            group,
            options,
            ranks,
            store: store.filter(|_| ranks.rank() == 0),
            codes: Codes::of(rules),
            moves: Moves::new(rules, potential),
            span: span(rules, potential),
            round: round as usize,
            watch: MemoryWatch::new(options),
            levels: (0..=potential.most()).map(|_| Vec::new()).collect(),
            found: 0,
        }
    }

    /// Solves the positions of `roots`. Returns the result on rank 0.
    fn solve(mut self, roots: &[crate::rules::Position]) -> Result<Option<RankZero>, SolveError> {
        let (keys, sizes) = self.flood(roots)?;
        let levels = super::levels(self.rules, self.potential, &sizes);
        if let Some(store) = self.store {
            expect(store, self.rules, self.options.labels, &levels)?;
        }
        let mut offset = levels.key_bytes();
        let passes = Passes::run(self.options.labels, |kind, _| {
            let (mut column, counts) = with_label!(kind, L => self.label::<L>(&levels, offset))?;
            offset += levels.column_bytes(kind.width(self.rules));
            reverse(&mut column);
            Ok((column, counts))
        })?;
        Ok((self.ranks.rank() == 0).then_some(RankZero { keys, sizes, passes }))
    }

    /// The rank that owns the position with `code`.
    fn owner(&self, code: P) -> usize {
        partition::owner(code, self.codes.bits(), self.ranks.size())
    }

    /// The key of the representative of the position with `key`.
    fn representative(&self, key: P) -> P {
        self.moves.representative(self.group, key)
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, SolveError> {
        self.ranks.all_to_all(parts).map_err(SolveError::Store)
    }

    /// Sends the numbers in `own` to all ranks, and returns the numbers of each rank.
    fn all_gather(&self, own: &[u64]) -> Result<Vec<Vec<u64>>, SolveError> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.all_to_all(vec![bytes; self.ranks.size()])?;
        let of = |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
        Ok(all.into_iter().map(of).collect())
    }

    /// Sends `own` to rank 0. Returns on rank 0 what each rank sent, and empty parts on other ranks.
    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, SolveError> {
        let mut parts = vec![Vec::new(); self.ranks.size()];
        parts[0] = own;
        self.all_to_all(parts)
    }
}
