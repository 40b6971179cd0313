//! Checks the labels of every (mode, board).

use rayon::prelude::*;

use super::{Finding, Options};
use crate::contents::Dense;
use crate::label::Counts;
use crate::plane::Conflict;
use crate::rules::{Board, Mode, Outcome, Position, Rules};

/// The number of indices that one task takes at a time.
const STRETCH: u64 = 1 << 14;

/// Recomputes labels in the numbering of the planes: the same game with its cells renumbered, so that the index of a
/// successor is its board number.
pub(super) struct DenseCheck<'a> {
    dense: Dense<'a>,
    rules: Rules,
}

impl<'a> DenseCheck<'a> {
    pub(super) fn new(rules: &Rules, dense: Dense<'a>) -> Self {
        Self { dense, rules: dense.layout().apply(rules) }
    }

    /// Checks every label, and that padding is zero; counts the labels, mode by mode.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<Vec<Counts>, Finding> {
        (0..self.rules.modes().len() as u16).map(|mode| self.mode(Mode(mode), options)).collect()
    }

    fn mode(&self, mode: Mode, options: &Options<'_>) -> Result<Counts, Finding> {
        let positions = 1u64 << self.rules.cells();
        let check = |stretch: u64| {
            let mut counts = Counts::default();
            let indices = stretch * STRETCH..positions.min((stretch + 1) * STRETCH);
            options.tell(indices.end - indices.start)?;
            for index in indices {
                counts.add(self.label(mode, index)?);
            }
            Ok(counts)
        };
        // Returns the first finding in order, regardless of the number of threads. Collecting would keep the counts
        // of every stretch.
        let add = |a: Result<Counts, Finding>, b: Result<Counts, Finding>| Ok(a? + b?);
        let stretches = positions.div_ceil(STRETCH);
        let counts = (0..stretches).into_par_iter().map(check).reduce(|| Ok(Counts::default()), add)?;
        let planes = self.dense.planes();
        let stray = |loss| {
            let plane = planes.plane(mode, loss);
            (positions..plane.len() as u64 * 8).any(|bit| plane[(bit / 8) as usize] >> (bit % 8) & 1 == 1)
        };
        if stray(false) || planes.shape().draws() && stray(true) {
            return Err(Finding::Padding { mode });
        }
        Ok(counts)
    }

    /// The label at `index` in `mode`, if it is right.
    pub(super) fn label(&self, mode: Mode, index: u64) -> Result<Outcome, Finding> {
        let planes = self.dense.planes();
        let label = |p: Position| planes.outcome(p.mode, p.board.0);
        let at = |mode, index| Position::new(mode, self.dense.layout().board(index));
        let renumbered = Position::new(mode, Board(index));
        let judge = || Ok((label(renumbered)?, self.rules.try_step(renumbered, label)?));
        match judge() {
            Ok((found, expected)) if found == expected => Ok(found),
            Ok((found, expected)) => Err(Finding::Label { position: at(mode, index), found, expected }),
            Err(Conflict { mode, index }) => Err(Finding::Conflict { position: at(mode, index) }),
        }
    }
}
