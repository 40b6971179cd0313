//! The backward pass: each process asks those whose share they are for the labels of what its positions lead to.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::super::ordered::append_labels;
use super::Shared;
use super::parts::{Directory, Place, dealt, of_owners, read, read_codes};
use crate::label::{Counts, Label, LabelKind, Width, add_each};
use crate::reachable::{KeyWord, LevelSize, Levels};
use crate::rules::Outcome;
use crate::solve::regions::{by_mode, figures};
use crate::solve::sparse::exchange::nonsense;
use crate::solve::sparse::kept::{FIGURES, KeptLevel, LabelsOfLevel, heard_labels, kept_labels, told_labels};
use crate::solve::{Meter, Phase, Sheet, SolveError, UpTo};

/// Positions whose successors one task finds.
const TASK: usize = 1 << 10;
/// What a move leads to, from which position of a round, and whether the same player moves there.
type Step<P> = (Place<P>, u32, bool);

impl<P: KeyWord> Shared<'_, P> {
    /// Labels all positions with `L`, level by level from the highest, and keeps them behind `offset`. Returns the labels if this is
    /// the first process, as columns have them before they are turned; and the counts of outcomes, mode by mode.
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
        let (mut column, mut figures_of_all) = (Vec::new(), vec![0; FIGURES * modes]);
        let mut labels: Vec<Vec<u8>> = self.levels.iter().map(|_| Vec::new()).collect();
        let mut directories: Vec<Option<Directory<'_, P>>> = self.levels.iter().map(|_| None).collect();
        let sizes: Vec<LevelSize> = levels.sizes().collect();
        for (number, size) in sizes.iter().enumerate().rev() {
            let level = size.filled as usize;
            let far = (level + self.span as usize + 1).min(labels.len());
            labels[far..].iter_mut().for_each(|labels| *labels = Vec::new());
            directories[far..].iter_mut().for_each(|directory| *directory = None);
            let codes = &self.levels[level];
            let kept =
                self.store.map(|store| kept_labels(store, self.rules, L::KIND, levels, number)).transpose()?.flatten();
            let rounds = codes.len().div_ceil(self.round) as u64;
            let all = self.numbers(&[codes.len() as u64, rounds, u64::from(kept.is_some())])?;
            let is_kept = all[0][2] == 1;
            let (of_level, gathered) = if is_kept {
                let lengths: Vec<usize> = all.iter().map(|of| of[0] as usize).collect();
                let of_level = self.dealt_labels(kept.as_ref(), &lengths)?;
                if meter.add(of_level.len() as u64).is_break() {
                    return Err(SolveError::Cancelled);
                }
                (of_level, kept)
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
            directories[level] = Some(Directory::new(codes, self.codes.bits(), self.others.processes()));
            labels[level] = of_level;
            if let Some(LabelsOfLevel { labels, figures }) = gathered {
                let (before, positions) = (column.len(), self.found);
                let refused = |_| SolveError::Refused { positions, up_to: UpTo::all(self.rules, self.potential) };
                append_labels(&mut column, width, &labels).map_err(refused)?;
                if !is_kept {
                    let start = levels.column_range(number, width).map_or(0, |range| range.start);
                    // In the column it lies backward.
                    let bytes = || column[before..].iter().rev().copied().collect();
                    let kept = || KeptLevel { bytes: bytes(), tally: figures.clone() };
                    self.keep(Sheet::Label(L::KIND), size.filled, offset + start, kept)?;
                }
                figures_of_all = add_each(figures_of_all, figures);
            }
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok((column, by_mode(&figures_of_all))) }
    }

    /// Gives the first process the labels of a level, and what was counted in it.
    fn gather_labels(&self, own: &[u8], figures: &[u64]) -> Result<Option<LabelsOfLevel>, SolveError> {
        let parts = self.gather(told_labels(figures, own))?;
        if self.others.process() > 0 {
            return Ok(None);
        }
        let mut all = LabelsOfLevel { labels: Vec::new(), figures: vec![0; figures.len()] };
        for part in &parts {
            let (of_part, labels) = heard_labels(part, self.rules.modes().len())?;
            all.figures = add_each(all.figures, of_part);
            // The shares follow each other in the order of codes.
            all.labels.extend_from_slice(labels);
        }
        Ok(Some(all))
    }

    /// Labels some positions of a level, and takes part in a round in which all processes do.
    fn round<L: Label + Into<Outcome>>(
        &self,
        level: u32,
        round: &[P],
        above: (&[Vec<u8>], &[Option<Directory<'_, P>>]),
        of_level: &mut Vec<u8>,
        counts: &mut [Counts],
    ) -> Result<(), SolveError> {
        let (width, bits, processes) = (L::KIND.width(self.rules), self.codes.bits(), self.others.processes());
        let of_task = |(task, codes): (usize, &[P])| {
            let mut steps: Vec<Step<P>> = Vec::new();
            for (at, &code) in (task * TASK..).zip(codes) {
                self.each_successor(level, code, |place, again| steps.push((place, at as u32, again)));
            }
            steps
        };
        let mut steps: Vec<Step<P>> = round.par_chunks(TASK).enumerate().flat_map_iter(of_task).collect();
        steps.par_sort_unstable();
        let mut asked: Vec<Place<P>> = steps.iter().map(|&(place, ..)| place).collect();
        asked.dedup();
        let questions = self.exchange(dealt(&asked, bits, processes))?;
        let answers = questions.iter().map(|questions| answer(questions, above)).collect::<Option<_>>();
        let answers = self.exchange(answers.ok_or_else(nonsense)?)?;
        // Each has answered in the order in which it was asked.
        let mut left: Vec<&[u8]> = answers.iter().map(Vec::as_slice).collect();
        let mut numbers = Vec::with_capacity(asked.len());
        for of_one in asked.chunk_by(|a, b| a.0 == b.0) {
            for (process, part) in of_owners(of_one, bits, processes) {
                numbers.extend_from_slice(left[process].split_off(..part.len()).ok_or_else(nonsense)?);
            }
        }
        let decode = |number: u8, width: Width| L::decode(number, width).ok_or_else(nonsense);
        let (mut partial, mut decided) = (vec![L::none(); round.len()], vec![false; round.len()]);
        let mut next = asked.iter().zip(&numbers);
        let mut now = next.next();
        for &(place, at, again) in &steps {
            while let Some((asked, _)) = now
                && *asked != place
            {
                now = next.next();
            }
            let Some((_, &number)) = now else { return Err(nonsense()) };
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

/// The labels of the positions that another process asks for; `None` if some are not there.
fn answer<P: KeyWord>(
    questions: &[u8],
    (labels, directories): (&[Vec<u8>], &[Option<Directory<'_, P>>]),
) -> Option<Vec<u8>> {
    let mut answers = Vec::new();
    for (level, codes) in read::<P>(questions)? {
        let directory = directories.get(level as usize)?.as_ref()?;
        let labels = &labels[level as usize];
        let before = answers.len();
        for code in read_codes::<P>(codes) {
            answers.push(*labels.get(directory.index(code)?)?);
        }
        debug_assert!(answers.len() > before, "nobody asks for nothing");
    }
    Some(answers)
}
