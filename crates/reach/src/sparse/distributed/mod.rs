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
//! - `exchange`: how ranks find the positions together. `label`: labels them.
//! - `communicator`: what connects ranks. `partition`: messages, and the index of a rank's codes.

mod communicator;
mod exchange;
mod label;
mod partition;

use std::time::Instant;

use super::checkpoint::{LabelCheckpoints, LevelStore};
use super::cost::{SoFar, span};
use super::moves::Moves;
use super::passes::Passes;
use super::shard::ShardCut;
use super::word::with_code_word;
use super::{Problem, finished, levels, orbits, roots, symmetric_potential};
use crate::reachable::{Codes, KeyWord};
use crate::rules::{Mode, Rules};
use crate::{Options, Solution, SolveError, UpTo};
pub use communicator::Communicator;
use tablegen_labels::with_label;

/// Minimum and maximum number of positions of a rank in a round.
const ROUND: (u64, u64) = (1 << 8, 1 << 16);

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
    let potential = &symmetric_potential(rules, &roots, options.solver.symmetry())?;
    let problem = Problem { rules, potential, roots: &roots, options };
    let store = store.filter(|_| ranks.rank() == 0);
    let (flooded, passes) = with_code_word!(rules, P => Distributed::<P>::new(problem, ranks).solve(store))?;
    if ranks.rank() > 0 {
        return Ok(None);
    }
    let levels = levels(rules, potential, &flooded.sizes);
    let (labelled, counts) = passes.labelled(rules, levels, flooded.keys, roots, options.solver.symmetry())?;
    Ok(Some(finished(rules, labelled, counts, begun)))
}

/// The solver as one rank runs it. `P` holds a code.
struct Distributed<'a, P: KeyWord> {
    problem: Problem<'a>,
    ranks: &'a dyn Communicator,
    codes: Codes,
    cut: ShardCut,
    moves: Moves<P>,
    /// Maximum number of levels that a move rises.
    span: u32,
    /// Maximum number of positions of this rank in a round.
    round: usize,
    /// The codes of the positions that this rank owns, by level, sorted.
    levels: Vec<Vec<P>>,
    /// The number of positions of all ranks found so far.
    found: u64,
}

impl<'a, P: KeyWord> Distributed<'a, P> {
    fn new(problem: Problem<'a>, ranks: &'a dyn Communicator) -> Self {
        let Problem { rules, potential, options, .. } = problem;
        // The successors of a round, found, sent and received, take at most an eighth of the memory.
        let widest = (0..rules.modes().len() as u16).map(|mode| rules.moves_of(Mode(mode)).len());
        let bytes_per_position = widest.max().unwrap_or(1).max(1) as u64 * 4 * (size_of::<P>() as u64 + 8);
        let round = options.max_bytes.map_or(ROUND.1, |bytes| (bytes / 8 / bytes_per_position).clamp(ROUND.0, ROUND.1));
        let codes = Codes::of(rules);
        Self {
            problem,
            ranks,
            codes,
            cut: ShardCut::new(codes.bits(), ranks.size()),
            moves: Moves::new(rules, potential),
            span: span(rules, potential),
            round: round as usize,
            levels: vec![Vec::new(); potential.most() as usize + 1],
            found: 0,
        }
    }

    /// Finds and labels the positions. The results are complete on rank 0, which may have a `store`.
    fn solve(mut self, store: Option<&dyn LevelStore>) -> Result<(orbits::Flooded, Passes), SolveError> {
        let Problem { rules, potential, options, .. } = self.problem;
        let flooded = orbits::flood(self.problem, &mut self, store, false)?;
        let levels = &levels(rules, potential, &flooded.sizes);
        let checkpoints = store.map(|store| LabelCheckpoints { store, rules, labels: options.labels, levels });
        checkpoints.map_or(Ok(()), |checkpoints| checkpoints.expect())?;
        let pass = |kind, _| with_label!(kind, L => self.label::<L>(levels, checkpoints));
        let passes = Passes::run(options.labels, pass)?;
        Ok((flooded, passes))
    }

    /// The rank that owns the position with `code`.
    fn owner(&self, code: P) -> usize {
        self.cut.owner(code.above(self.cut.below), self.ranks.size())
    }

    /// The error if the system has no more memory.
    fn refused(&self) -> SolveError {
        let Problem { rules, potential, .. } = self.problem;
        SoFar { positions: self.found, up_to: UpTo::all(rules, potential) }.refused()
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
    fn gather_bytes(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, SolveError> {
        let mut parts = vec![Vec::new(); self.ranks.size()];
        parts[0] = own;
        self.all_to_all(parts)
    }
}
