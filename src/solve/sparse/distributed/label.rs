//! The backward pass: each rank asks the owners of its positions' successors for their labels.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::super::level_sort::append_labels;
use super::Distributed;
use super::partition::{Directory, LevelCode, by_owner, partition, read, read_codes};
use crate::label::{Counts, Label, LabelKind, Width, add_each};
use crate::reachable::{LevelSize, Levels, Word};
use crate::rules::Outcome;
use crate::solve::regions::{by_mode, figures};
use crate::solve::sparse::checkpoint::{
    COUNTS_PER_MODE, LevelLabels, SavedLevel, decode_labels, encode_labels, load_labels,
};
use crate::solve::sparse::communicator::malformed_message;
use crate::solve::{Meter, Phase, Sheet, SolveError, UpTo};

/// Positions whose successors one task finds.
const TASK: usize = 1 << 10;
/// A move: the successor, the index of the position in its round, and whether the same player moves again.
type Step<P> = (LevelCode<P>, u32, bool);

impl<P: Word> Distributed<'_, P> {
    /// Labels all positions with `L`, level by level from the highest, and saves the labels of a level at its place from `offset` on. Returns on
    /// rank 0 the labels of all levels in reverse order, and the counts of outcomes, mode by mode.
    pub(super) fn label<L: Label + Into<Outcome>>(
        &self,
        levels: &Levels,
        offset: u64,
    ) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let phase = if L::KIND == LabelKind::Outcome { Phase::Label } else { Phase::LabelWith(L::KIND) };
        let total = self.levels.iter().map(|level| level.len() as u64).sum();
        let mut meter = Meter::new(self.options.progress, phase, Some(total));
        let width = L::KIND.width(self.rules);
        let modes = self.rules.modes().len();
        let (mut column, mut all_counts) = (Vec::new(), vec![0; COUNTS_PER_MODE * modes]);
        let mut labels: Vec<Vec<u8>> = self.levels.iter().map(|_| Vec::new()).collect();
        let mut directories: Vec<Option<Directory<'_, P>>> = self.levels.iter().map(|_| None).collect();
        let sizes: Vec<LevelSize> = levels.sizes().collect();
        for (number, size) in sizes.iter().enumerate().rev() {
            let level = size.filled as usize;
            let far = (level + self.span as usize + 1).min(labels.len());
            labels[far..].iter_mut().for_each(|labels| *labels = Vec::new());
            directories[far..].iter_mut().for_each(|directory| *directory = None);
            let codes = &self.levels[level];
            let load = |store| load_labels(store, self.rules, L::KIND, levels, number);
            let loaded = self.store.map(load).transpose()?.flatten();
            let rounds = codes.len().div_ceil(self.round) as u64;
            let all = self.all_gather(&[codes.len() as u64, rounds, u64::from(loaded.is_some())])?;
            let is_loaded = all[0][2] == 1;
            let (of_level, gathered) = if is_loaded {
                let lengths: Vec<usize> = all.iter().map(|of| of[0] as usize).collect();
                let of_level = self.scatter_labels(loaded.as_ref(), &lengths)?;
                if meter.add(of_level.len() as u64).is_break() {
                    return Err(SolveError::Cancelled);
                }
                (of_level, loaded)
            } else {
                let (mut rest, mut of_level) = (codes.as_slice(), Vec::with_capacity(codes.len()));
                let mut counts = vec![Counts::default(); modes];
                for _ in 0..all.iter().map(|of| of[1]).max().unwrap_or(0) {
                    let (round, after) = rest.split_at(rest.len().min(self.round));
                    rest = after;
                    self.round::<L>(size.filled, round, (&labels, &directories), &mut of_level, &mut counts)?;
                    if meter.add(round.len() as u64).is_break() {
                        return Err(SolveError::Cancelled);
                    }
                }
                let gathered = self.gather_labels(&of_level, &figures(counts))?;
                (of_level, gathered)
            };
            directories[level] = Some(Directory::new(codes, self.codes.bits(), self.ranks.size()));
            labels[level] = of_level;
            if let Some(LevelLabels { labels, counts }) = gathered {
                let (before, positions) = (column.len(), self.found);
                let refused = |_| SolveError::Refused { positions, up_to: UpTo::all(self.rules, self.potential) };
                append_labels(&mut column, width, &labels).map_err(refused)?;
                if !is_loaded {
                    let start = levels.column_range(number, width).map_or(0, |range| range.start);
                    // `column` is in reverse order.
                    let bytes = || column[before..].iter().rev().copied().collect();
                    let saved = || SavedLevel { bytes: bytes(), tally: counts.clone() };
                    self.save(Sheet::Label(L::KIND), size.filled, offset + start, saved)?;
                }
                all_counts = add_each(all_counts, counts);
            }
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok((column, by_mode(&all_counts))) }
    }

    /// Returns on rank 0 the labels of a level, of which this rank has `own`, and the sums of all ranks' `counts`.
    fn gather_labels(&self, own: &[u8], counts: &[u64]) -> Result<Option<LevelLabels>, SolveError> {
        let parts = self.gather(encode_labels(counts, own))?;
        if self.ranks.rank() > 0 {
            return Ok(None);
        }
        let mut all = LevelLabels { labels: Vec::new(), counts: vec![0; counts.len()] };
        for part in &parts {
            let (of_part, labels) = decode_labels(part, self.rules.modes().len())?;
            all.counts = add_each(all.counts, of_part);
            // The shares of the ranks follow each other in the order of codes.
            all.labels.extend_from_slice(labels);
        }
        Ok(Some(all))
    }

    /// Appends the labels of the positions in `round`, which are in `level`, to `of_level`, and adds their outcomes to `counts`. Answers the other
    /// ranks, which call this at the same time, from the labels `above`.
    fn round<L: Label + Into<Outcome>>(
        &self,
        level: u32,
        round: &[P],
        above: (&[Vec<u8>], &[Option<Directory<'_, P>>]),
        of_level: &mut Vec<u8>,
        counts: &mut [Counts],
    ) -> Result<(), SolveError> {
        let (width, bits, ranks) = (L::KIND.width(self.rules), self.codes.bits(), self.ranks.size());
        let of_task = |(task, codes): (usize, &[P])| {
            let mut steps: Vec<Step<P>> = Vec::new();
            for (at, &code) in (task * TASK..).zip(codes) {
                self.each_successor(level, code, |successor, again| steps.push((successor, at as u32, again)));
            }
            steps
        };
        let mut steps: Vec<Step<P>> = round.par_chunks(TASK).enumerate().flat_map_iter(of_task).collect();
        steps.par_sort_unstable();
        let mut queries: Vec<LevelCode<P>> = steps.iter().map(|&(successor, ..)| successor).collect();
        queries.dedup();
        let queries_of_others = self.all_to_all(partition(&queries, bits, ranks))?;
        let answers = queries_of_others.iter().map(|queries| answer(queries, above)).collect::<Option<_>>();
        let answers = self.all_to_all(answers.ok_or_else(malformed_message)?)?;
        // Each rank answers its queries in their order.
        let mut unread: Vec<&[u8]> = answers.iter().map(Vec::as_slice).collect();
        let mut numbers = Vec::with_capacity(queries.len());
        for of_level in queries.chunk_by(|a, b| a.0 == b.0) {
            for (rank, part) in by_owner(of_level, bits, ranks) {
                numbers.extend_from_slice(unread[rank].split_off(..part.len()).ok_or_else(malformed_message)?);
            }
        }
        let decode = |number: u8, width: Width| L::decode(number, width).ok_or_else(malformed_message);
        let (mut partial, mut decided) = (vec![L::none(); round.len()], vec![false; round.len()]);
        let mut rest = queries.iter().zip(&numbers);
        let mut current = rest.next();
        for &(successor, at, again) in &steps {
            // Both lists are sorted by successor.
            while let Some((query, _)) = current
                && *query != successor
            {
                current = rest.next();
            }
            let Some((_, &number)) = current else { return Err(malformed_message()) };
            let label = decode(number, width)?;
            let label = if again { label.turned() } else { label };
            let at = at as usize;
            if !decided[at] && L::absorb(&mut partial[at], label) == ControlFlow::Break(()) {
                decided[at] = true;
            }
        }
        for (&code, partial) in round.iter().zip(partial) {
            let (mode, board) = self.moves.split(self.codes.key(code));
            let of_mode = self.moves.of(mode);
            let label = of_mode.ended(board).map_or_else(|| L::finish(partial, of_mode.terminal()), L::ended);
            counts[mode].add(label.into());
            of_level.push(label.encode(width));
        }
        Ok(())
    }
}

/// The labels of the positions in `queries`, a message of another rank; `None` if this rank does not have them all.
fn answer<P: Word>(
    queries: &[u8],
    (labels, directories): (&[Vec<u8>], &[Option<Directory<'_, P>>]),
) -> Option<Vec<u8>> {
    let mut answers = Vec::new();
    for (level, codes) in read::<P>(queries)? {
        let directory = directories.get(level as usize)?.as_ref()?;
        let labels = &labels[level as usize];
        let before = answers.len();
        for code in read_codes::<P>(codes) {
            answers.push(*labels.get(directory.index(code)?)?);
        }
        debug_assert!(answers.len() > before, "no rank sends an empty query");
    }
    Some(answers)
}
