//! Dense and two-colour games as tasks that are split into slices.

use tablegen_index::domain::Domain;
use tablegen_labels::LabelSet;
use tablegen_rules::Rules;
use tablegen_solve::{ColouredPlan, ColouredTask, SlicePlan, SliceTask, Slicing};

/// A game to be solved slice by slice.
pub(super) enum Task<'a> {
    Boards(SliceTask<'a>),
    Colourings(ColouredTask<'a>),
}

impl<'a> Task<'a> {
    /// The task of solving `labels` of `domain`, the positions of a sweep of `rules`.
    pub(super) fn new(rules: &'a Rules, domain: &'a Domain, labels: LabelSet) -> Self {
        let marks = domain.is_marked();
        match domain {
            Domain::Dense { fold, .. } => Self::Boards(SliceTask { rules, fold: fold.as_ref(), labels, marks }),
            Domain::Coloured(frame) => Self::Colourings(ColouredTask { rules, frame, labels }),
            Domain::Sparse { .. } => unreachable!("reachable positions are not swept"),
        }
    }

    /// The slices that fit into `max_bytes` bytes of labels.
    pub(super) fn plan(&self, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(task) => SlicePlan::new(task, max_bytes).map(Slicing::Boards),
            Self::Colourings(task) => ColouredPlan::new(task, max_bytes).map(Box::new).map(Slicing::Colourings),
        }
    }

    /// Like [`plan`](Self::plan), but takes the first slicing that fits if a comparison would take too long.
    pub(super) fn plan_soon(&self, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(_) => self.plan(max_bytes),
            Self::Colourings(task) => ColouredPlan::soon(task, max_bytes).map(Box::new).map(Slicing::Colourings),
        }
    }

    /// The slices selected by `cells` cells, if they fit into `max_bytes` bytes.
    pub(super) fn plan_with(&self, cells: u32, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(task) => SlicePlan::with_slice_cells(task, cells, max_bytes).map(Slicing::Boards),
            Self::Colourings(task) => {
                ColouredPlan::with_top_squares(task, cells, max_bytes).map(Box::new).map(Slicing::Colourings)
            }
        }
    }

    /// The slices for each number of cells up to `most`, as far as they fit into `max_bytes` bytes.
    pub(super) fn plans_up_to(&self, most: u32, max_bytes: u64) -> Box<dyn Iterator<Item = Slicing> + '_> {
        match self {
            Self::Boards(task) => Box::new(SlicePlan::each_up_to(task, most, max_bytes).map(Slicing::Boards)),
            Self::Colourings(_) => Box::new((0..=most).filter_map(move |cells| self.plan_with(cells, max_bytes))),
        }
    }

    /// The least memory for labels that any slicing needs.
    pub(super) fn least_bytes(&self) -> Option<u64> {
        match self {
            Self::Boards(task) => SlicePlan::least_bytes(task),
            Self::Colourings(task) => ColouredPlan::least_bytes(task),
        }
    }
}
