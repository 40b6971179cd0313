//! The reachable positions, found and labelled by several processes.
//!
//! Codes of positions look random, so each process has an even share of every level if it has those in one range of codes: process
//! `p` of `n` those from `p/n` to `(p + 1)/n` of all. A level is then the shares of all processes, one after the other, in the order of a
//! table.
//!
//! ```text
//! for each level, the lowest first, in rounds:
//!     each: find what some of its positions lead to, and send it to those whose share it is
//! for each level, the highest first, in rounds:
//!     each: ask those whose share it is for the labels of what some of its positions lead to; answer; label
//! ```
//!
//! A round has so many positions of each process that what is sent takes little memory. The first process gets the keys and the
//! labels of each level when they are known, and has the table in the end. It may keep them meanwhile ([`LevelStore`]), so that later
//! processes, as many as there are then, go on with what is known.
//!
//! - `flood`: which positions there are. `label`: their labels. `parts`: what is sent. `kept`: what is known from before.

mod flood;
mod kept;
mod label;
mod parts;

use std::time::Instant;

use super::cost::{MemoryWatch, passes, span};
use super::exchange::Exchange;
use super::kept::{LevelStore, expect};
use super::moves::Moves;
use super::ordered::reverse;
use super::{averaged, check_symmetries, finished, levels, roots};
use crate::label::{Counts, LabelKind, Nimber, Remoteness};
use crate::reachable::{Codes, LevelSize, Word};
use crate::rules::{Outcome, Potential, Rules};
use crate::solve::{Options, Solution, SolveError};
use crate::symmetry::Group;

/// Positions of a round, at least and at most.
const ROUND: (u64, u64) = (1 << 8, 1 << 16);

/// Whether several processes can solve the reachable positions of `rules` together: they have levels.
#[must_use]
pub fn is_shared(rules: &Rules) -> bool {
    rules.potential().is_some()
}

/// Solves the reachable positions of `rules`, which have levels, together with other processes: all of them with the same rules and
/// options, but for memory and progress. The first process gets the solution; it keeps what is found in `store`, if it has one, and
/// goes on with what is there.
///
/// # Errors
/// As [`solve`](crate::solve::solve()), and if one of the processes does not go on.
pub fn solve_shared(
    rules: &Rules,
    options: &Options<'_>,
    others: &dyn Exchange,
    store: Option<&dyn LevelStore>,
) -> Result<Option<Solution>, SolveError> {
    crate::solve::check_labels(rules, options.labels)?;
    let begun = Instant::now();
    let roots = roots(rules, options)?;
    let levels = || SolveError::Levels { name: rules.name().into() };
    let mut potential = rules.potential().cloned().ok_or_else(levels)?;
    let group = options.symmetry.filter(|group| !group.is_trivial());
    if let Some(group) = group {
        check_symmetries(rules, group, &roots)?;
        potential = averaged(rules, &potential, group)?;
    }
    let solution = |(reached, counts)| Solution::of_sparse(rules, reached, counts, begun.elapsed());
    let solved = if Codes::of(rules).bits() <= u64::BITS {
        Shared::<u64>::new(rules, &potential, group, options, (others, store)).solve(&roots)
    } else {
        Shared::<u128>::new(rules, &potential, group, options, (others, store)).solve(&roots)
    }?;
    let Some((keys, sizes, columns, counts)) = solved else { return Ok(None) };
    let levels = self::levels(rules, &potential, &sizes);
    let reached = finished(rules, (levels, roots, group.cloned()), keys, columns)?;
    Ok(Some(solution((reached, counts))))
}

/// Keys, sizes of levels, labels and counts of outcomes: what the first process has in the end.
type Table = (Vec<u8>, Vec<LevelSize>, Vec<(LabelKind, Vec<u8>)>, Vec<Counts>);

/// The work of one process.
struct Shared<'a, P> {
    rules: &'a Rules,
    potential: &'a Potential,
    group: Option<&'a Group>,
    options: &'a Options<'a>,
    others: &'a dyn Exchange,
    /// Where the first process keeps what is found.
    store: Option<&'a dyn LevelStore>,
    codes: Codes,
    moves: Moves<P>,
    /// The most levels that a move rises.
    span: u32,
    /// Positions of a round.
    round: usize,
    watch: MemoryWatch,
    /// The codes of this process's share of each level, sorted.
    levels: Vec<Vec<P>>,
    found: u64,
}

impl<'a, P: Word> Shared<'a, P> {
    fn new(
        rules: &'a Rules,
        potential: &'a Potential,
        group: Option<&'a Group>,
        options: &'a Options<'a>,
        (others, store): (&'a dyn Exchange, Option<&'a dyn LevelStore>),
    ) -> Self {
        // What a round finds, sorted and sent and received, takes an eighth of the memory at most.
        let widest = (0..rules.modes().len() as u16).map(|mode| rules.moves_of(crate::rules::Mode(mode)).len());
        let a_position = widest.max().unwrap_or(1).max(1) as u64 * 4 * (size_of::<P>() as u64 + 8);
        let round = options.max_bytes.map_or(ROUND.1, |bytes| (bytes / 8 / a_position).clamp(ROUND.0, ROUND.1));
        Self {
            rules,
            potential,
            group,
            options,
            others,
            store: store.filter(|_| others.process() == 0),
            codes: Codes::of(rules),
            moves: Moves::new(rules, potential),
            span: span(rules, potential),
            round: round as usize,
            watch: MemoryWatch::new(options),
            levels: (0..=potential.most()).map(|_| Vec::new()).collect(),
            found: 0,
        }
    }

    fn solve(mut self, roots: &[crate::rules::Position]) -> Result<Option<Table>, SolveError> {
        let (keys, sizes) = self.flood(roots)?;
        let kinds = passes(self.options.labels);
        let levels = super::levels(self.rules, self.potential, &sizes);
        if let Some(store) = self.store {
            expect(store, self.rules, self.options.labels, &levels)?;
        }
        let (mut columns, mut counts, mut offset) = (Vec::new(), Vec::new(), levels.key_bytes());
        for (number, kind) in kinds.into_iter().enumerate() {
            let (mut column, of_pass) = match kind {
                LabelKind::Outcome => self.label::<Outcome>(&levels, offset),
                LabelKind::Remoteness => self.label::<Remoteness>(&levels, offset),
                LabelKind::Nimber => self.label::<Nimber>(&levels, offset),
            }?;
            offset += levels.column_bytes(kind.width(self.rules));
            reverse(&mut column);
            columns.push((kind, column));
            if number == 0 {
                counts = of_pass;
            }
        }
        Ok((self.others.process() == 0).then_some((keys, sizes, columns, counts)))
    }

    /// The process whose share has the position with `code`.
    fn owner(&self, code: P) -> usize {
        parts::owner(code, self.codes.bits(), self.others.processes())
    }

    /// The key of the position that stands for the one with `key`.
    fn standing(&self, key: P) -> P {
        self.group.map_or(key, |group| self.moves.representative(group, key))
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, SolveError> {
        self.others.exchange(parts).map_err(SolveError::Store)
    }

    /// Tells all processes some numbers, and gets those of each.
    fn numbers(&self, own: &[u64]) -> Result<Vec<Vec<u64>>, SolveError> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.exchange(vec![bytes; self.others.processes()])?;
        let of = |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
        Ok(all.into_iter().map(of).collect())
    }

    /// Gives the first process what each has.
    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, SolveError> {
        let mut parts = vec![Vec::new(); self.others.processes()];
        parts[0] = own;
        self.exchange(parts)
    }
}
