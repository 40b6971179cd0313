//! The backward pass: each rank asks the owners of its positions' successors for their labels.

use rayon::prelude::*;

use super::Distributed;
use super::communicator::malformed_message;
use super::partition::{LabelDirectory, code_bytes, label_bytes, read_codes, read_levels, write_level};
use crate::label::{Counts, Label, Width, add_each};
use crate::label::{by_mode, figures};
use crate::parallel;
use crate::reachable::{Column, KeyWord, LevelSize, Levels, column_bytes};
use crate::sparse::add::empty;
use crate::sparse::checkpoint::{COUNTS_PER_MODE, LabelCheckpoints, LevelLabels};
use crate::sparse::level_sort::write_labels;
use crate::sparse::moves::Turn;
use crate::{Meter, Phase, SolveError, go_on};

/// Minimum number of positions that one task labels, and the number of tasks of a round for each thread.
const POSITIONS: usize = 1 << 10;
const TASKS_PER_THREAD: usize = 4;
/// Queries that one task answers.
const TASK: usize = 1 << 14;

/// Successors in one level that one rank owns.
#[derive(Clone, Default)]
struct Group<P> {
    /// Their codes, with duplicates. In a large level, few positions of a round have a common successor.
    codes: Vec<P>,
    /// The move to each successor: the index of the position in its task, and what the move means for its label.
    moves: Vec<(u32, Turn)>,
}

/// The successors of a task's positions. For a rise by one level, a group for each rank; then for a rise by two levels; and so on.
type TaskSuccessors<P> = Vec<Group<P>>;

impl<P: KeyWord> Distributed<'_, P> {
    /// Labels all positions with `L`, level by level from the highest. Loads labels from `checkpoints` and saves others there, if this
    /// is rank 0. Returns on rank 0 the labels of all levels, and the counts of outcomes, mode by mode.
    pub(super) fn label<L: Label>(
        &self,
        levels: &Levels,
        checkpoints: Option<LabelCheckpoints<'_>>,
    ) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let phase = Phase::of_label(L::KIND);
        let total = self.levels.iter().map(|level| level.len() as u64).sum();
        let mut meter = Meter::new(self.problem.options.progress, phase, Some(total));
        let width = L::width(self.problem.rules);
        let of_label = label_bytes(width);
        let modes = self.problem.rules.modes().len();
        let mut all_counts = vec![0; COUNTS_PER_MODE * modes];
        let mut column = if self.ranks.rank() == 0 { empty(self.problem.rules, levels, width)? } else { Vec::new() };
        let mut above: Vec<Option<LabelDirectory<'_, P>>> = self.levels.iter().map(|_| None).collect();
        let sizes: Vec<LevelSize> = levels.sizes().collect();
        for (number, size) in sizes.iter().enumerate().rev() {
            let level = size.filled as usize;
            above.iter_mut().skip(level + self.span as usize + 1).for_each(|far| *far = None);
            let codes = &self.levels[level];
            let loaded = checkpoints.map(|checkpoints| checkpoints.load::<L>(number)).transpose()?.flatten();
            let rounds = codes.len().div_ceil(self.round) as u64;
            let all = self.all_gather(&[codes.len() as u64, rounds, u64::from(loaded.is_some())])?;
            let is_loaded = all[0][2] == 1;
            let (of_level, gathered) = if is_loaded {
                let lengths: Vec<usize> = all.iter().map(|of| of[0] as usize * of_label).collect();
                let column = loaded.as_ref().map(|loaded| levels.standalone_column(number, width, &loaded.bytes));
                let of_level = self.scatter_labels(column.map(|column| unpacked(column, width)), &lengths)?;
                go_on(meter.add(codes.len() as u64))?;
                (of_level, loaded)
            } else {
                let (mut rest, mut of_level) = (codes.as_slice(), Vec::with_capacity(codes.len() * of_label));
                let mut counts = vec![Counts::default(); modes];
                for _ in 0..all.iter().map(|of| of[1]).max().unwrap_or(0) {
                    let (round, after) = rest.split_at(rest.len().min(self.round));
                    rest = after;
                    self.round::<L>(size.filled, round, &above, &mut of_level, &mut counts)?;
                    go_on(meter.add(round.len() as u64))?;
                }
                let gathered = self.gather_labels(width, &of_level, &figures(counts))?;
                (of_level, gathered)
            };
            above[level] = Some(LabelDirectory::new(codes, of_level, of_label, self.codes.bits(), self.ranks.size()));
            if let Some(LevelLabels { bytes, counts }) = gathered {
                let range = levels.column_range(number, width).unwrap_or_default();
                column[range.start as usize..range.end as usize].copy_from_slice(&bytes);
                if let Some(checkpoints) = checkpoints.filter(|_| !is_loaded) {
                    checkpoints.save::<L>(number, bytes, counts.clone())?;
                }
                all_counts = add_each(all_counts, counts);
            }
        }
        go_on(meter.finish())?;
        Ok((column, by_mode(&all_counts)))
    }

    /// This rank's share of the labels of a level, which only rank 0 has `loaded`. `lengths` has the bytes of each rank's share.
    fn scatter_labels(&self, loaded: Option<Vec<u8>>, lengths: &[usize]) -> Result<Vec<u8>, SolveError> {
        let mut parts = vec![Vec::new(); lengths.len()];
        if let Some(loaded) = loaded {
            let mut rest = loaded.as_slice();
            for (part, &length) in parts.iter_mut().zip(lengths) {
                part.extend_from_slice(rest.split_off(..length).ok_or_else(malformed_message)?);
            }
        }
        let own = self.all_to_all(parts)?.into_iter().next();
        own.filter(|own| own.len() == lengths[self.ranks.rank()]).ok_or_else(malformed_message)
    }

    /// Returns on rank 0 the labels of `width` of a level, of which this rank has `own`, and the sums of all ranks' `counts`.
    fn gather_labels(&self, width: Width, own: &[u8], counts: &[u64]) -> Result<Option<LevelLabels>, SolveError> {
        let parts = self.gather_bytes(encode_labels(counts, own))?;
        if self.ranks.rank() > 0 {
            return Ok(None);
        }
        let (mut all, mut sums) = (Vec::new(), vec![0; counts.len()]);
        for part in &parts {
            let (of_part, labels) = decode_labels(part, self.problem.rules.modes().len())?;
            sums = add_each(sums, of_part);
            // The shares of the ranks follow each other in the order of codes.
            all.extend_from_slice(labels);
        }
        Ok(Some(LevelLabels { bytes: packed(width, all), counts: sums }))
    }

    /// Appends the labels of the positions in `round`, which are in `level`, to `of_level`, and adds their outcomes to
    /// `counts`. Answers the other ranks, which call this at the same time, from the labels `above`.
    fn round<L: Label>(
        &self,
        level: u32,
        round: &[P],
        above: &[Option<LabelDirectory<'_, P>>],
        of_level: &mut Vec<u8>,
        counts: &mut [Counts],
    ) -> Result<(), SolveError> {
        let size = round.len().div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()).max(POSITIONS);
        let tasks = parallel::map(round.chunks(size), |codes| self.successors(codes));
        let queries = self.all_to_all(self.messages(level, &tasks))?;
        let of_label = label_bytes(L::width(self.problem.rules));
        let answers = queries.iter().map(|queries| answer(queries, of_label, above)).collect::<Option<_>>();
        drop(queries);
        let answers = self.all_to_all(answers.ok_or_else(malformed_message)?)?;
        // Each rank answers its queries in their order: by rise, then by task.
        let mut unread: Vec<&[u8]> = answers.iter().map(Vec::as_slice).collect();
        let mut of_tasks: Vec<Vec<&[u8]>> = vec![Vec::new(); tasks.len()];
        for group in 0..self.span as usize * self.ranks.size() {
            let unread = &mut unread[group % self.ranks.size()];
            for (task, of_task) in tasks.iter().zip(&mut of_tasks) {
                let count = task[group].codes.len();
                of_task.push(unread.split_off(..count * of_label).ok_or_else(malformed_message)?);
            }
        }
        let parts = round.chunks(size).zip(&tasks).zip(&of_tasks);
        let label = |((codes, task), answers): ((_, _), &Vec<_>)| self.label_task::<L>(codes, task, answers);
        for (labels, of_task) in parallel::try_map(parts, label)? {
            of_level.extend(labels);
            counts.iter_mut().zip(of_task).for_each(|(all, counts)| *all = *all + counts);
        }
        Ok(())
    }

    /// The successors of the positions with `codes`.
    fn successors(&self, codes: &[P]) -> TaskSuccessors<P> {
        let ranks = self.ranks.size();
        let mut groups: TaskSuccessors<P> = vec![Group::default(); self.span as usize * ranks];
        for (index, &code) in (0..).zip(codes) {
            let (mode, board) = self.moves.split(self.codes.key(code));
            let of_mode = self.moves.of(mode);
            if of_mode.ended(board).is_some() {
                continue;
            }
            of_mode.each_legal(board, |number| {
                let (key, rise) = of_mode.play(number, board);
                let key = self.moves.representative(self.problem.options.solver.symmetry(), key);
                let successor = self.codes.code_of_key(key);
                let group = &mut groups[(rise as usize - 1) * ranks + self.owner(successor)];
                group.codes.push(successor);
                group.moves.push((index, of_mode.turn(number)));
            });
        }
        groups
    }

    /// A message for each rank with the successors that it owns, found from `level`. Within a level they are in the order of `tasks`.
    fn messages(&self, level: u32, tasks: &[TaskSuccessors<P>]) -> Vec<Vec<u8>> {
        let ranks = self.ranks.size();
        let message = |rank: usize| {
            let mut message = Vec::new();
            for rise in 1..=self.span {
                let group = (rise as usize - 1) * ranks + rank;
                let codes = tasks.iter().flat_map(|task| &task[group].codes);
                write_level(&mut message, level + rise, codes.copied());
            }
            message
        };
        parallel::map(0..ranks, message)
    }

    /// The labels of the positions with `codes`, and the counts of outcomes, mode by mode. `answers` has the labels of
    /// the successors in each group of `task`.
    fn label_task<L: Label>(
        &self,
        codes: &[P],
        task: &TaskSuccessors<P>,
        answers: &[&[u8]],
    ) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let width = L::width(self.problem.rules);
        let of_label = label_bytes(width);
        let (mut partial, mut decided) = (vec![L::none(); codes.len()], vec![false; codes.len()]);
        for (group, answers) in task.iter().zip(answers) {
            for (&(index, turn), number) in group.moves.iter().zip(answers.chunks(of_label)) {
                let number = u16::from_le_bytes([number[0], number.get(1).copied().unwrap_or(0)]);
                let label = L::of_code(number, width).ok_or_else(malformed_message)?;
                let index = index as usize;
                decided[index] = decided[index] || L::absorb(&mut partial[index], turn.label(label)).is_break();
            }
        }
        let mut counts = vec![Counts::default(); self.problem.rules.modes().len()];
        let label = |(&code, partial)| {
            let (mode, board) = self.moves.split(self.codes.key(code));
            let of_mode = self.moves.of(mode);
            let label = of_mode.ended(board).map_or_else(|| L::finish(partial, of_mode.terminal(board)), L::ended);
            counts[mode].add(label.into());
            label.code(width).to_le_bytes().into_iter().take(of_label)
        };
        let labels = codes.iter().zip(partial).flat_map(label).collect();
        Ok((labels, counts))
    }
}

/// The labels of a level, each with as many bytes as in a message.
fn unpacked(column: Column<'_>, width: Width) -> Vec<u8> {
    // A column in memory is not compressed, so reading it cannot fail.
    let numbers = (0..).map_while(|index| column.number(index).ok().flatten());
    numbers.flat_map(|number| number.to_le_bytes().into_iter().take(label_bytes(width))).collect()
}

/// The bytes that a level has in a table, for labels that have as many bytes as in a message.
fn packed(width: Width, labels: Vec<u8>) -> Vec<u8> {
    if width == Width::Sixteen {
        return labels;
    }
    let mut column = vec![0; column_bytes(width, labels.len() as u64) as usize];
    write_labels(&mut column, width, &labels);
    column
}

/// The labels of the positions in `queries`, a message of another rank; `None` if this rank does not have them all. A label has `of_label`
/// bytes.
fn answer<P: KeyWord>(queries: &[u8], of_label: usize, above: &[Option<LabelDirectory<'_, P>>]) -> Option<Vec<u8>> {
    let mut answers = Vec::new();
    for (level, codes) in read_levels::<P>(queries)? {
        let directory = above.get(level as usize)?.as_ref()?;
        let before = answers.len();
        answers.resize(before + codes.len() / code_bytes::<P>() * of_label, 0);
        let tasks = answers[before..].par_chunks_mut(TASK * of_label).zip(codes.par_chunks(TASK * code_bytes::<P>()));
        tasks.try_for_each(|(answers, codes)| {
            for (answer, code) in answers.chunks_mut(of_label).zip(read_codes::<P>(codes)) {
                answer.copy_from_slice(directory.label(code)?);
            }
            Some(())
        })?;
    }
    Some(answers)
}

/// A message with labels and the counts of their outcomes.
fn encode_labels(counts: &[u64], labels: &[u8]) -> Vec<u8> {
    let mut message = Vec::with_capacity(size_of_val(counts) + labels.len());
    message.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    message.extend_from_slice(labels);
    message
}

/// Decodes a message from [`encode_labels`] for a game with `modes` modes: counts, then labels.
fn decode_labels(message: &[u8], modes: usize) -> Result<(Vec<u64>, &[u8]), SolveError> {
    let length = size_of::<u64>() * COUNTS_PER_MODE * modes;
    let (counts, labels) = message.split_at_checked(length).ok_or_else(malformed_message)?;
    let counts = counts.as_chunks().0.iter().map(|count| u64::from_le_bytes(*count)).collect();
    Ok((counts, labels))
}
