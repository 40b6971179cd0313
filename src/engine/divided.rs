//! What is divided into regions, and how it is.

use super::choice::marks_boards;
use tablegen_core::colourings::Frame;
use tablegen_core::label::LabelSet;
use tablegen_core::rules::Rules;
use tablegen_core::symmetry::Fold;
use tablegen_solve::{ColouredPlan, ColouredTask, SlicePlan, SliceTask, Slicing};

/// What is divided into regions.
#[derive(Clone, Copy)]
pub(super) enum Divided<'a> {
    /// Every board; up to symmetry, if some stand for others.
    Boards(Option<&'a Fold>),
    /// Every colouring, which lie where this frame says.
    Colourings(&'a Frame),
}

/// What is solved by regions.
pub(super) enum Task<'a> {
    Boards(SliceTask<'a>),
    Colourings(ColouredTask<'a>),
}

impl<'a> Task<'a> {
    pub(super) fn new(rules: &'a Rules, divided: Divided<'a>, labels: LabelSet) -> Self {
        match divided {
            Divided::Boards(fold) => Self::Boards(SliceTask { rules, fold, labels, marks: marks_boards(rules) }),
            Divided::Colourings(frame) => Self::Colourings(ColouredTask { rules, frame, labels }),
        }
    }

    /// The regions that fit into `max_bytes` bytes of labels.
    pub(super) fn plan(&self, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(task) => SlicePlan::new(task, max_bytes).map(Slicing::Boards),
            Self::Colourings(task) => ColouredPlan::new(task, max_bytes).map(Box::new).map(Slicing::Colourings),
        }
    }

    /// As [`plan`](Self::plan), without comparing regions where that takes longer than a moment.
    pub(super) fn plan_soon(&self, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(_) => self.plan(max_bytes),
            Self::Colourings(task) => ColouredPlan::soon(task, max_bytes).map(Box::new).map(Slicing::Colourings),
        }
    }

    /// The regions that so many cells name, if they fit.
    pub(super) fn plan_with(&self, cells: u32, max_bytes: u64) -> Option<Slicing> {
        match self {
            Self::Boards(task) => SlicePlan::with_slice_cells(task, cells, max_bytes).map(Slicing::Boards),
            Self::Colourings(task) => {
                ColouredPlan::with_top_squares(task, cells, max_bytes).map(Box::new).map(Slicing::Colourings)
            }
        }
    }

    /// The regions that each number of cells up to `most` names, if they fit.
    pub(super) fn plans_up_to(&self, most: u32, max_bytes: u64) -> Box<dyn Iterator<Item = Slicing> + '_> {
        match self {
            Self::Boards(task) => Box::new(SlicePlan::each_up_to(task, most, max_bytes).map(Slicing::Boards)),
            Self::Colourings(_) => Box::new((0..=most).filter_map(move |cells| self.plan_with(cells, max_bytes))),
        }
    }

    /// The least memory for labels with which it is solved.
    pub(super) fn least_bytes(&self) -> Option<u64> {
        match self {
            Self::Boards(task) => SlicePlan::least_bytes(task),
            Self::Colourings(task) => ColouredPlan::least_bytes(task),
        }
    }
}
