//! Checks the labels of every colouring, and of what is marked as reached.

use rayon::prelude::*;

use super::marks::Marks;
use super::{Finding, Options};
use crate::contents::{Coloured, LabelFault, Tally};
use crate::label::{Counts, add_each};
use crate::packed::{BlockFault, Bytes};
use crate::rules::{Outcome, Position, Rules};

/// The number of positions that one task takes at a time.
const STRETCH: u64 = 1 << 13;
/// The number of bytes that one task takes at a time: whole words.
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

    /// Recomputes every label, and what play reaches; checks that bits of no position are zero; counts the labels, mode by
    /// mode.
    ///
    /// Play reaches exactly the roots and the successors of what it reaches. So it is enough that the marks are those of
    /// the roots and of the successors of marked positions: by induction over the filled cells there is one such set.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<Vec<Tally>, Finding> {
        let marks = Marks::new(self.coloured.sections()[1].len() as u64);
        let mark = |position: Position| {
            let place = self.coloured.frame().place(position).ok_or(Finding::Missing { position })?;
            marks.mark(self.coloured.frame().bit(place));
            Ok::<_, Finding>(())
        };
        let roots = self.coloured.frame().roots().iter().copied();
        self.rules.start_positions().into_iter().chain(roots).try_for_each(mark)?;
        let none = || Ok::<_, Finding>(vec![Tally::default(); self.rules.modes().len()]);
        let add = |a: Result<_, _>, b: Result<_, _>| Ok(add_each(a?, b?));
        let stretch = |number: u64| {
            let mut tallies = none()?;
            let ranks = number * STRETCH..self.coloured.count().min((number + 1) * STRETCH);
            options.tell(ranks.end - ranks.start)?;
            for rank in ranks {
                let position = self.coloured.unrank(rank).unwrap_or_default();
                let found = self.label(position)?;
                let is_reached = self.coloured.is_reached(position)?;
                if is_reached {
                    self.rules.moves_from(position).try_for_each(|m| mark(m.play(position)))?;
                }
                let one = Counts::of(found, 1);
                let reached = if is_reached { one } else { Counts::default() };
                let tally = &mut tallies[usize::from(position.mode.0)];
                *tally = *tally + Tally { reached, every: one };
            }
            Ok(tallies)
        };
        let stretches = self.coloured.count().div_ceil(STRETCH);
        let tallies = (0..stretches).into_par_iter().map(stretch).reduce(none, add)?;
        self.reached(&marks)?;
        self.padding(&tallies)?;
        Ok(tallies)
    }

    /// Checks that `marks` are those of the table.
    fn reached(&self, marks: &Marks) -> Result<(), Finding> {
        let Some(bit) = marks.first_other(self.coloured.sections()[1])? else { return Ok(()) };
        let place = self.coloured.frame().place_at(bit).and_then(|place| self.coloured.frame().position(place));
        match place {
            None => Err(Finding::Stray),
            Some(position) if marks.has(bit) => Err(Finding::Unmarked { position }),
            Some(position) => Err(Finding::Unreached { position }),
        }
    }

    /// Checks that no bit of the outcomes is set, and no byte of another label, where no position lies. Wins and losses
    /// exclude each other, so that as many bits are set as there are wins and losses.
    fn padding(&self, tallies: &[Tally]) -> Result<(), Finding> {
        let of_piece = |piece: Bytes<'_>| Ok(piece.all()?.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>());
        let pieces = self.coloured.sections()[0].par_pieces(PIECE).map(of_piece);
        let ones = pieces.try_reduce(|| 0, |a, b| Ok::<_, BlockFault>(a + b))?;
        let marks = |every: Counts| every.win + if self.coloured.draws() { every.loss } else { 0 };
        let marked: u64 = tallies.iter().map(|tally| marks(tally.every)).sum();
        if ones == marked { Ok(()) } else { Err(Finding::Stray) }
    }

    /// The label of `position`, if it follows from the successors.
    pub(super) fn label(&self, position: Position) -> Result<Outcome, Finding> {
        let label = |position| {
            let found = self.coloured.outcome(position).map_err(|fault| match fault {
                LabelFault::NoOutcome { position } => Finding::Conflict { position },
                fault => fault.into(),
            });
            found?.ok_or(Finding::Missing { position })
        };
        let (found, expected) = (label(position)?, self.rules.try_step(position, label)?);
        if found == expected { Ok(found) } else { Err(Finding::Label { position, found, expected }) }
    }
}

/// Whether `bytes`, labels of one byte, are zero where no position of `coloured` lies.
pub(super) fn is_padded(coloured: Coloured<'_>, bytes: Bytes<'_>) -> Result<bool, BlockFault> {
    let frame = coloured.frame();
    let of_piece = |(number, piece): (usize, Bytes<'_>)| {
        let first = (number * PIECE) as u64;
        let is_right = |(at, &byte): (usize, &u8)| byte == 0 || frame.place_at(first + at as u64).is_some();
        Ok(piece.all()?.iter().enumerate().all(is_right))
    };
    bytes.par_pieces(PIECE).enumerate().map(of_piece).try_reduce(|| true, |a, b| Ok(a && b))
}
