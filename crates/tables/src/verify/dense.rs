//! Checks of dense tables: the label of every (mode, board).

use rayon::prelude::*;

use super::marks::Marks;
use super::{Finding, Options};
use crate::compressed::Bytes;
use crate::contents::{Dense, Reach};
use crate::label::{Counts, try_step};
use crate::plane::{Layout, PlaneFault};
use crate::rules::{Board, Mode, Outcome, Position, Rules};

/// The number of indices per task.
const STRETCH: u64 = 1 << 14;

/// Recomputes labels in the numbering of the bit planes: in the same game with its cells renumbered, so that the index
/// of a successor is its board number.
pub(super) struct DenseCheck<'a> {
    dense: Dense<'a>,
    rules: Rules,
}

impl<'a> DenseCheck<'a> {
    pub(super) fn new(rules: &Rules, dense: Dense<'a>) -> Self {
        Self { dense, rules: dense.layout().apply(rules) }
    }

    /// Checks every label, and that padding is zero. Returns the counts of the labels, mode by mode.
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
        // Addition returns the first finding in order, regardless of the number of threads. Collecting would keep the
        // counts of every task.
        let add = |a: Result<Counts, Finding>, b: Result<Counts, Finding>| Ok(a? + b?);
        let stretches = positions.div_ceil(STRETCH);
        let counts = (0..stretches).into_par_iter().map(check).reduce(|| Ok(Counts::default()), add)?;
        let planes = self.dense.planes();
        let stray = |loss| {
            let plane = planes.plane(mode, loss);
            let mut padding = (positions..plane.len() as u64 * 8).map(|bit| plane.bit(bit));
            padding.try_fold(false, |stray, bit| Ok::<_, Finding>(stray | bit?))
        };
        if stray(false)? || planes.shape().draws() && stray(true)? {
            return Err(Finding::Padding { mode });
        }
        Ok(counts)
    }

    /// Checks the reachability bits. Returns the counts of the labels of reachable positions, mode by mode. The labels
    /// must have been checked before.
    ///
    /// The reachable positions are exactly the roots and the successors of reachable positions. Only one set has this
    /// property, by induction over the filled cells. So it is enough to check that the marked positions are the roots
    /// and the successors of marked positions.
    pub(super) fn reached(
        &self,
        reach: Reach<'_>,
        rules: &Rules,
        options: &Options<'_>,
    ) -> Result<Vec<Counts>, Finding> {
        let (found, layout) = (reach.marks(), self.dense.layout());
        let plane_bits = found.plane(Mode(0), false).len() as u64 * 8;
        let marks = Marks::new(found.bytes().len() as u64);
        let mark = |mode: Mode, index: u64| marks.mark(u64::from(mode.0) * plane_bits + index);
        for root in rules.start_positions().iter().chain(reach.roots()) {
            mark(root.mode, layout.index(root.board));
        }
        let of_word = |mode: Mode, number: u64, word: u64| {
            let mut counts = Counts::default();
            let mut rest = word;
            while rest != 0 {
                let index = number * 64 + u64::from(rest.trailing_zeros());
                rest &= rest - 1;
                if index >> self.rules.cells() != 0 {
                    return Err(Finding::Padding { mode });
                }
                let position = Position::new(mode, Board::from_word(index));
                self.rules.moves_from(position).for_each(|m| mark(m.next, m.play(position).board.low_word()));
                let outcome = self.dense.planes().outcome(mode, index);
                counts.add(outcome.map_err(|fault| match fault {
                    PlaneFault::Block(fault) => fault.into(),
                    PlaneFault::Conflict(_) => Finding::Conflict { position: layout_position(layout, position) },
                })?);
            }
            Ok(counts)
        };
        let add = |a: Result<Counts, Finding>, b: Result<Counts, Finding>| Ok(a? + b?);
        let of_mode = |mode: Mode| {
            let of_piece = |(number, piece): (usize, Bytes<'_>)| {
                options.tell(0)?;
                let piece = piece.all()?;
                let numbers = (number as u64 * (STRETCH / 64)..).zip(piece.as_chunks::<8>().0);
                let counts = numbers.map(|(number, word)| of_word(mode, number, u64::from_le_bytes(*word)));
                counts.fold(Ok(Counts::default()), add)
            };
            let pieces = found.plane(mode, false).par_pieces((STRETCH / 8) as usize);
            pieces.enumerate().map(of_piece).reduce(|| Ok(Counts::default()), add)
        };
        let modes = (0..self.rules.modes().len() as u16).map(Mode);
        let counts = modes.map(of_mode).collect::<Result<Vec<Counts>, Finding>>()?;
        let Some(bit) = marks.first_other(found.bytes())? else { return Ok(counts) };
        let position = Position::new(Mode((bit / plane_bits) as u16), Board::from_word(bit % plane_bits));
        let position = layout_position(layout, position);
        Err(if marks.has(bit) { Finding::Unmarked { position } } else { Finding::Unreached { position } })
    }

    /// The label at `index` in `mode`, after checking that it is right.
    pub(super) fn label(&self, mode: Mode, index: u64) -> Result<Outcome, Finding> {
        let planes = self.dense.planes();
        let label = |p: Position| planes.outcome(p.mode, p.board.low_word());
        let at = |mode, index| Position::new(mode, self.dense.layout().board(index));
        let renumbered = Position::new(mode, Board::from_word(index));
        let judge = || Ok((label(renumbered)?, try_step(&self.rules, renumbered, label)?));
        match judge() {
            Ok((found, expected)) if found == expected => Ok(found),
            Ok((found, expected)) => Err(Finding::Label { position: at(mode, index), found, expected }),
            Err(PlaneFault::Conflict(conflict)) => {
                Err(Finding::Conflict { position: at(conflict.mode, conflict.index) })
            }
            Err(PlaneFault::Block(fault)) => Err(fault.into()),
        }
    }
}

/// The position whose board has index `renumbered.board`.
fn layout_position(layout: &Layout, renumbered: Position) -> Position {
    Position::new(renumbered.mode, layout.board(renumbered.board.low_word()))
}
