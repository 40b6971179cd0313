//! Checks of two-colour tables: the labels of every colouring, and the reachability bits.

use std::ops::Range;

use rayon::prelude::*;

use super::marks::{Marks, is_reached};
use super::{Finding, Options};
use crate::colourings::Frame;
use crate::compressed::{BlockFault, Bytes};
use crate::contents::{Coloured, LabelFault, Tally};
use crate::label::{Counts, add_each, try_step};
use crate::rules::{Outcome, Position, Rules};

/// The number of positions per task.
const STRETCH: u64 = 1 << 13;
/// The number of bytes per task: whole words.
const PIECE: usize = 1 << 16;

/// Recomputes labels of colourings.
pub(super) struct ColouredCheck<'a> {
    rules: &'a Rules,
    coloured: Coloured<'a>,
}

impl<'a> ColouredCheck<'a> {
    pub(super) const fn new(rules: &'a Rules, coloured: Coloured<'a>) -> Self {
        Self { rules, coloured }
    }

    /// Recomputes every stored label and the reachability bits, and checks that unused bits are zero. Returns the
    /// counts of the labels of all positions, mode by mode.
    ///
    /// The reachable positions are exactly the roots and the successors of reachable positions. Only one set has this
    /// property, by induction over the filled cells. So it is enough to check that the marked positions are the roots
    /// and the successors of marked positions. Under symmetry, predecessors of a stored position may be represented in
    /// another slice, and are looked up there.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<Vec<Tally>, Finding> {
        let frame = self.coloured.frame();
        let marks = if frame.fold().is_none() { self.coloured.reached().len() as u64 } else { 0 };
        let marks = Marks::new(marks);
        let mark = |position: Position| {
            let place = frame.place(position).ok_or(Finding::Missing { position })?;
            marks.mark(frame.bit(place));
            Ok::<_, Finding>(())
        };
        if frame.fold().is_none() {
            let roots = frame.roots().iter().copied();
            self.rules.start_positions().into_iter().chain(roots).try_for_each(mark)?;
        }
        let none = || vec![Tally::default(); self.rules.modes().len()];
        let add = |a: Result<[Vec<Tally>; 2], Finding>, b: Result<[Vec<Tally>; 2], Finding>| {
            let ([stored, all], [more_stored, more]) = (a?, b?);
            Ok([add_each(stored, more_stored), add_each(all, more)])
        };
        let stretch = |rank: usize, ranks: Range<u64>| {
            let mut tallies = none();
            options.tell(ranks.end - ranks.start)?;
            for rank in ranks {
                let position = frame.unrank(rank).and_then(|place| frame.position(place)).unwrap_or_default();
                let found = self.label(position)?;
                let is_reached = if frame.fold().is_none() {
                    self.coloured.is_reached(position)?
                } else {
                    is_reached(self.rules, frame.roots(), position, |position| self.coloured.is_reached(position))?
                };
                if is_reached && frame.fold().is_none() {
                    self.rules.moves_from(position).try_for_each(|m| mark(m.play(position)))?;
                }
                let one = Counts::of(found, 1);
                let reached = if is_reached { one } else { Counts::default() };
                let tally = &mut tallies[usize::from(position.mode.0)];
                *tally = *tally + Tally { reached, every: one };
            }
            let all = self.spread(rank, &tallies);
            Ok([tallies, all])
        };
        let stretches = stretches(frame, STRETCH);
        let [stored, all] = stretches.map(|(rank, ranks)| stretch(rank, ranks)).reduce(|| Ok([none(), none()]), add)?;
        if frame.fold().is_none() {
            self.reached(&marks)?;
        }
        self.padding(&stored)?;
        Ok(all)
    }

    /// The counts of all positions that the positions of a stored slice represent.
    fn spread(&self, rank: usize, stored: &[Tally]) -> Vec<Tally> {
        let Some(fold) = self.coloured.frame().fold() else { return stored.to_vec() };
        let mut all = vec![Tally::default(); stored.len()];
        for (count, to) in fold.shares(rank as u64) {
            for (sum, &to) in all.iter_mut().zip(to) {
                *sum = *sum + stored[usize::from(to)].times(*count);
            }
        }
        all
    }

    /// Checks that `marks` equal the reachability bits of the table.
    fn reached(&self, marks: &Marks) -> Result<(), Finding> {
        let Some(bit) = marks.first_other(self.coloured.reached())? else { return Ok(()) };
        let place = self.coloured.frame().place_at(bit).and_then(|place| self.coloured.frame().position(place));
        match place {
            None => Err(Finding::Stray),
            Some(position) if marks.has(bit) => Err(Finding::Unmarked { position }),
            Some(position) => Err(Finding::Unreached { position }),
        }
    }

    /// Checks that no unused bit of the outcomes and the reachability bits is set. Wins and losses exclude each other,
    /// so the number of set bits must equal the number of wins and losses.
    fn padding(&self, stored: &[Tally]) -> Result<(), Finding> {
        let of_piece = |piece: Bytes<'_>| Ok(piece.all()?.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>());
        let marks = |every: Counts| every.win + if self.coloured.draws() { every.loss } else { 0 };
        let outcomes: u64 = stored.iter().map(|tally| marks(tally.every)).sum();
        let reached: u64 = stored.iter().map(|tally| tally.reached.total()).sum();
        for (section, marked) in
            [self.coloured.outcomes(), self.coloured.reached()].into_iter().zip([outcomes, reached])
        {
            let pieces = section.par_pieces(PIECE).map(of_piece);
            if pieces.try_reduce(|| 0, |a, b| Ok::<_, BlockFault>(a + b))? != marked {
                return Err(Finding::Stray);
            }
        }
        Ok(())
    }

    /// The label of `position`, after checking that it follows from the successors.
    pub(super) fn label(&self, position: Position) -> Result<Outcome, Finding> {
        let label = |position| {
            let found = self.coloured.outcome(position).map_err(|fault| match fault {
                LabelFault::NoOutcome { position } => Finding::Conflict { position },
                fault => fault.into(),
            });
            found?.ok_or(Finding::Missing { position })
        };
        let (found, expected) = (label(position)?, try_step(self.rules, position, label)?);
        if found == expected { Ok(found) } else { Err(Finding::Label { position, found, expected }) }
    }
}

/// True if `bytes`, one-byte labels of `coloured`, are zero wherever there is no position.
pub(super) fn is_padded(coloured: Coloured<'_>, bytes: Bytes<'_>) -> Result<bool, BlockFault> {
    let frame = coloured.frame();
    let of_piece = |(number, piece): (usize, Bytes<'_>)| {
        let first = (number * PIECE) as u64;
        let is_right = |(at, &byte): (usize, &u8)| byte == 0 || frame.place_at(first + at as u64).is_some();
        Ok(piece.all()?.iter().enumerate().all(is_right))
    };
    bytes.par_pieces(PIECE).enumerate().map(of_piece).try_reduce(|| true, |a, b| Ok(a && b))
}

/// The ranks of the stored positions of `frame`, in ranges of at most `most`, each with the rank of its slice.
pub(super) fn stretches(frame: &Frame, most: u64) -> impl ParallelIterator<Item = (usize, Range<u64>)> {
    frame.stored_ranks().into_par_iter().enumerate().flat_map(move |(rank, all)| {
        let number = move |number: u64| all.start + number * most..all.end.min(all.start + (number + 1) * most);
        let count = (all.end - all.start).div_ceil(most);
        (0..count).into_par_iter().map(move |at| (rank, number(at)))
    })
}
