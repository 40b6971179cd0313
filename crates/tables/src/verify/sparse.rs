//! Checks of sparse tables: their keys, their completeness, and their labels.

use std::cell::RefCell;

use rayon::prelude::*;

use super::marks::Marks;
use super::{Finding, Options, byte_labels};
use crate::contents::{Contents, LabelFault, Sparse, spread};
use crate::label::{Counts, LabelKind, Remoteness, add_each, step};
use crate::plies::Plies;
use crate::reachable::{KeyFault, Misplaced};
use crate::rules::{Outcome, Position, Rules};

/// The number of positions per task.
const STRETCH: u64 = 1 << 13;

/// Recomputes labels of reachable positions.
pub(super) struct SparseCheck<'a> {
    rules: &'a Rules,
    sparse: Sparse<'a>,
}

impl<'a> SparseCheck<'a> {
    pub(super) const fn new(rules: &'a Rules, sparse: Sparse<'a>) -> Self {
        Self { rules, sparse }
    }

    /// Recomputes every label, and checks everything else that makes a sparse table right:
    ///
    /// - Every key is valid and in its place, and no unused bit is set, so that equal sets have one encoding.
    /// - Every root, every start position and every successor of a stored position is stored. Conversely, every stored
    ///   position is a root or such a successor. So exactly the reachable positions are stored.
    /// - Every outcome follows from the successors. If positions may repeat, it equals the outcome of the remoteness; in a
    ///   table without remoteness, [`all_forced`](Self::all_forced) checks wins and losses.
    /// - Under symmetry, every stored position is the representative of its class. Opening the table has checked that its
    ///   symmetries are symmetries of the rules.
    ///
    /// Returns two lists of counts by mode: one for the stored positions, one for all positions that they represent.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<[Vec<Counts>; 2], Finding> {
        let positions = self.sparse.count();
        // One bit per position, by rank, which is set for roots and for successors of stored positions.
        let reached = Marks::new(positions.div_ceil(8));
        for &root in self.sparse.roots() {
            reached.mark(self.held(root)?.0);
        }
        for start in self.rules.start_positions() {
            self.held(start)?;
        }
        let none = || vec![Counts::default(); self.rules.modes().len()];
        let (mut stored, mut all) = (none(), none());
        for number in 0..self.sparse.levels().sizes().len() {
            let [of_stored, of_all] = self.level(number, &reached, options)?;
            (stored, all) = (add_each(stored, of_stored), add_each(all, of_all));
        }
        all = spread(self.sparse.group(), &all);
        match (0..positions).into_par_iter().find_first(|&rank| !reached.has(rank)) {
            None => Ok([stored, all]),
            Some(rank) => {
                let position = self.sparse.unrank(rank)?;
                Err(Finding::Unreached { position })
            }
        }
    }

    /// Checks that every win and loss is forced within finitely many plies. Outcomes that follow from one another around a
    /// cycle are not. A position whose outcome follows from its successors and is neither is then a draw.
    pub(super) fn all_forced(&self, options: &Options<'_>) -> Result<(), Finding> {
        let plies = Plies::of(self.rules, self.sparse, &|| options.tell(0))?;
        let unforced = plies.unforced(self.sparse)?;
        unforced.map_or(Ok(()), |(position, found)| Err(Finding::Unforced { position, found }))
    }

    /// The rank and the outcome of `position`, which must be stored.
    fn held(&self, position: Position) -> Result<(u64, Outcome), Finding> {
        self.sparse.find(position)?.ok_or(Finding::Missing { position })
    }

    /// Checks the keys and labels of level `number`, and marks the successors of its positions. Returns the counts of
    /// the stored positions, and of all positions that they represent.
    fn level(&self, number: usize, reached: &Marks, options: &Options<'_>) -> Result<[Vec<Counts>; 2], Finding> {
        let misplaced = |misplaced: Misplaced| Finding::from(LabelFault::from(misplaced));
        let fault = |fault: KeyFault| Finding::from(LabelFault::from(fault));
        let none = Misplaced { filled: number as u32, index: 0 };
        let (level, outcomes) = self.sparse.level(number).ok_or_else(|| misplaced(none))?;
        level.check().map_err(fault)?;
        let (count, modes) = (level.size().count, self.rules.modes().len());
        if !outcomes.is_padded()? {
            return Err(misplaced(Misplaced { filled: level.size().filled, index: count }));
        }
        let stretch = |stretch: u64| {
            let mut counts = [vec![Counts::default(); modes], vec![Counts::default(); modes]];
            // Reads the last position of the previous task again, to check that its code is smaller than the first code
            // of this task.
            let first = (stretch * STRETCH).saturating_sub(1);
            let end = count.min((stretch + 1) * STRETCH);
            options.tell(end - stretch * STRETCH)?;
            for found in level.positions(first, end) {
                let (index, position) = found.map_err(fault)?;
                if index >= stretch * STRETCH {
                    if self.sparse.stored(position) != position {
                        return Err(Finding::NotRepresentative { position });
                    }
                    let label = self.label(position, |rank| reached.mark(rank))?;
                    let [stored, all] = counts.each_mut().map(|counts| &mut counts[usize::from(position.mode.0)]);
                    stored.add(label);
                    *all = *all + Counts::of(label, self.sparse.weight(position));
                }
            }
            Ok(counts)
        };
        let none = || Ok([vec![Counts::default(); modes], vec![Counts::default(); modes]]);
        let add = |a: Result<[Vec<Counts>; 2], Finding>, b: Result<[Vec<Counts>; 2], Finding>| {
            let ([a, all_a], [b, all_b]) = (a?, b?);
            Ok([add_each(a, b), add_each(all_a, all_b)])
        };
        (0..count.div_ceil(STRETCH)).into_par_iter().map(stretch).reduce(none, add)
    }

    /// The label of `position`, after checking that it follows from the successors. `successor` is called with the rank
    /// of each successor.
    pub(super) fn label(&self, position: Position, mut successor: impl FnMut(u64)) -> Result<Outcome, Finding> {
        thread_local! {
            static OUTCOMES: RefCell<Vec<Outcome>> = const { RefCell::new(Vec::new()) };
        }
        let (_, found) = self.held(position)?;
        OUTCOMES.with_borrow_mut(|outcomes| {
            outcomes.clear();
            // Look up every successor once, including those after the first that decides the outcome: all must be
            // stored and marked.
            for m in self.rules.moves_from(position) {
                let (rank, outcome) = self.held(m.play(position))?;
                successor(rank);
                outcomes.push(outcome);
            }
            let mut known = outcomes.iter();
            let never = || unreachable!("a step asks for the successors in their order");
            let expected = step(self.rules, position, |_| *known.next().unwrap_or_else(never));
            if found != expected {
                return Err(Finding::Label { position, found, expected });
            }
            // If positions may repeat, outcomes could follow from one another around a cycle and all be wrong. Outcomes
            // of remoteness cannot: each win and loss follows from one that is a ply shorter.
            if self.sparse.levels().potential().is_flat() && self.sparse.bytes().of(LabelKind::Remoteness).is_some() {
                let expected = byte_labels::label::<Remoteness>(&Contents::Sparse(self.sparse), position)?.outcome;
                if found != expected {
                    return Err(Finding::Label { position, found, expected });
                }
            }
            Ok(found)
        })
    }
}
