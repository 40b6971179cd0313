//! Checks of dense tables that store slices up to symmetry.

use rayon::prelude::*;

use super::marks::is_reached;
use super::{Finding, Options, sample};
use crate::contents::{Contents, Dense};
use crate::label::{Counts, try_step};
use crate::rules::{Mode, Outcome, Position, Rules};
use crate::symmetry::Fold;

/// The number of indices per task, unless a slice has fewer.
const STRETCH: u64 = 1 << 13;

/// Recomputes labels in the stored slices. Opening the table has checked that its symmetries are symmetries of the
/// rules. So labels that are right in a stored slice are right in its images too.
pub(super) struct FoldedCheck<'a> {
    rules: &'a Rules,
    dense: Dense<'a>,
    fold: &'a Fold,
}

impl<'a> FoldedCheck<'a> {
    pub(super) const fn new(rules: &'a Rules, dense: Dense<'a>, fold: &'a Fold) -> Self {
        Self { rules, dense, fold }
    }

    /// Checks every stored label and the reachability bits. Returns two lists of counts by mode: one for all positions,
    /// one for the positions that the table's counts cover.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<[Vec<Counts>; 2], Finding> {
        let (fold, modes) = (self.fold, self.rules.modes().len() as u64);
        let of_slice = fold.stored_positions() / modes / fold.stored().len() as u64;
        let none = || Ok([Counts::default(); 2]);
        let add = |a: Result<[Counts; 2], Finding>, b: Result<[Counts; 2], Finding>| Ok(sum(a?, b?));
        let in_stretch = |(mode, first): (u64, u64)| {
            let mut counts = [Counts::default(); 2];
            let end = first + STRETCH.min(of_slice);
            options.tell(end - first)?;
            for index in first..end {
                let position = fold.position(Mode(mode as u16), index);
                let one = Counts::of(self.label(position)?, 1);
                let is_counted = self.is_counted(position)?;
                counts = sum(counts, [one, if is_counted { one } else { Counts::default() }]);
            }
            Ok(counts)
        };
        // The counts of each stored slice, in each mode.
        let mut of_stored = Vec::new();
        for rank in 0..fold.stored().len() as u64 {
            let of_mode = |mode| {
                let firsts = (0..of_slice.div_ceil(STRETCH)).into_par_iter();
                let at = |number| (mode, rank * of_slice + number * STRETCH);
                firsts.map(|number| in_stretch(at(number))).reduce(none, add)
            };
            of_stored.push((0..modes).map(of_mode).collect::<Result<Vec<_>, Finding>>()?);
        }
        let of =
            |which: usize| fold.expand_counts(|rank| of_stored[rank as usize].iter().map(|both| both[which]).collect());
        Ok([of(0), of(1)])
    }

    /// The label of `position`, after checking that it is right.
    pub(super) fn label(&self, position: Position) -> Result<Outcome, Finding> {
        let label = |at: Position| sample::label(Contents::Dense(self.dense), at);
        let (found, expected) = (label(position)?, try_step(self.rules, position, label)?);
        if found == expected { Ok(found) } else { Err(Finding::Label { position, found, expected }) }
    }

    /// True if the table's counts cover `position`, after checking its reachability bit.
    fn is_counted(&self, position: Position) -> Result<bool, Finding> {
        let Some(reach) = self.dense.reach() else { return Ok(true) };
        is_reached(self.rules, reach.roots(), position, |position| self.dense.is_counted(position))
    }
}

fn sum([every, counted]: [Counts; 2], more: [Counts; 2]) -> [Counts; 2] {
    [every + more[0], counted + more[1]]
}
