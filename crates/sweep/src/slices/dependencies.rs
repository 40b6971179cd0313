//! The other slices that a slice depends on.
//!
//! Labels need the slices that moves lead to; marking needs the slices that moves come from. Slices are filled sets of
//! slice cells (or squares), so both follow from the conditions and effects of moves on these.

/// The condition of a move on slice cells, and its effect on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SliceMove {
    /// Cells that must be empty.
    pub(crate) empty: u64,
    /// Cells that must be filled.
    pub(crate) full: u64,
    /// Cells that the move fills.
    pub(crate) fills: u64,
    /// The cells of `fills` that may have been filled before.
    pub(crate) maybe: u64,
}

impl SliceMove {
    const fn is_legal(&self, slice: u64) -> bool {
        slice & self.empty == 0 && !slice & self.full == 0
    }
}

/// The dependencies between all slices of a game.
#[derive(Clone, Debug)]
pub(crate) struct Dependencies {
    /// The moves that fill slice cells, each once.
    moves: Vec<SliceMove>,
}

impl Dependencies {
    /// The dependencies by `moves`.
    pub(crate) fn new(moves: impl Iterator<Item = SliceMove>) -> Self {
        let mut moves: Vec<SliceMove> = moves.filter(|m| m.fills != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { moves }
    }

    /// The slices that `slice` depends on, each once, from the largest number down: the slices that moves lead to, or with
    /// `of_marks` the slices that moves come from.
    pub(crate) fn needed(&self, slice: u64, of_marks: bool) -> Vec<u64> {
        let mut found = Vec::new();
        for m in &self.moves {
            if !of_marks {
                found.extend(m.is_legal(slice).then_some(slice | m.fills));
            } else if m.fills & !slice == 0 {
                // Every choice of the cells that were filled before.
                let mut before = m.maybe;
                loop {
                    let from = slice & !m.fills | before;
                    found.extend(m.is_legal(from).then_some(from));
                    if before == 0 {
                        break;
                    }
                    before = (before - 1) & m.maybe;
                }
            }
        }
        found.retain(|&other| other != slice);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }

    /// An upper bound on the number of slices that a slice depends on, in both directions if `of_marks` is set.
    pub(crate) fn bound(&self, of_marks: bool) -> usize {
        let choices = |m: &SliceMove| if of_marks { 1 << m.maybe.count_ones().min(32) } else { 1 };
        self.moves.iter().map(choices).sum()
    }
}
