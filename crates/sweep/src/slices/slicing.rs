//! The slices of a game, of boards or of colourings, behind one type.

use super::{PlaneKind, SliceOptions, SliceStore, Swept, TransferEstimate, makespan};
use crate::coloured::colouring_transfers;
use crate::dense::board_transfers;
use crate::rules::Rules;
use crate::{ColouredPlan, SlicePlan, SolveError, solve_by_slices, solve_colourings_by_slices};

/// The slicing of a game.
#[derive(Clone, Debug)]
pub enum Slicing {
    /// Every board in every mode.
    Boards(SlicePlan),
    /// Every colouring.
    Colourings(Box<ColouredPlan>),
}

impl Slicing {
    /// The number of slices that are swept.
    #[must_use]
    pub fn slices(&self) -> u64 {
        match self {
            Self::Boards(plan) => plan.slices(),
            Self::Colourings(plan) => plan.slices(),
        }
    }

    /// The time of a sweep by `processes` processes, in positions that one process sweeps in that time. Each slice
    /// costs `beside` positions more than it has.
    #[must_use]
    pub fn makespan(&self, rules: &Rules, beside: u64, processes: usize) -> u128 {
        match self {
            Self::Boards(plan) => {
                let positions = (rules.positions() >> plan.slice_cells()) as u64;
                makespan(plan.swept().map(|slice| (slice, positions)), beside, processes)
            }
            Self::Colourings(plan) => {
                makespan(plan.swept().iter().map(|&slice| (slice, plan.positions_of(slice))), beside, processes)
            }
        }
    }

    /// The transfers of each of `processes` processes that sweep `rules` together, if no slice is finished before.
    ///
    /// # Errors
    /// If the rules are not swept.
    pub fn transfers(&self, rules: &Rules, processes: usize) -> Result<Vec<TransferEstimate>, SolveError> {
        match self {
            Self::Boards(plan) => board_transfers(rules, plan, processes),
            Self::Colourings(plan) => colouring_transfers(rules, plan, processes),
        }
    }

    /// The number of slice cells or slice squares.
    #[must_use]
    pub const fn slice_cells(&self) -> u32 {
        match self {
            Self::Boards(plan) => plan.slice_cells(),
            Self::Colourings(plan) => plan.top_squares(),
        }
    }

    /// The plane kinds to sweep, in this order.
    #[must_use]
    pub fn plane_kinds(&self) -> &[PlaneKind] {
        match self {
            Self::Boards(plan) => plan.plane_kinds(),
            Self::Colourings(plan) => plan.plane_kinds(),
        }
    }

    /// The most bytes of memory that solving takes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        match self {
            Self::Boards(plan) => plan.memory_bytes(),
            Self::Colourings(plan) => plan.memory_bytes(),
        }
    }

    /// The number of planes of one kind.
    #[must_use]
    pub fn planes(&self, rules: &Rules, plane_kind: PlaneKind) -> u64 {
        match self {
            Self::Boards(plan) => plan.shape(rules, plane_kind).planes(),
            Self::Colourings(plan) => plan.planes(plane_kind),
        }
    }

    /// The byte at which each slice begins in a plane of one kind, and the end of the last one.
    #[must_use]
    pub fn starts(&self, rules: &Rules, plane_kind: PlaneKind) -> Vec<u64> {
        match self {
            Self::Boards(plan) => {
                // One slice is the whole board, whose planes may be padded.
                let bytes = plan.shape(rules, plane_kind).plane_bytes();
                let bytes = bytes.unwrap_or_else(|| unreachable!("a plan has sizes"));
                (0..=plan.slices()).map(|rank| rank * bytes).collect()
            }
            Self::Colourings(plan) => plan.starts(plane_kind).collect(),
        }
    }

    /// Solves `rules`, whose slices these are, on all cores of the current rayon pool. Slices that `store` has finished
    /// are skipped.
    ///
    /// # Errors
    /// As [`solve_by_slices`].
    pub fn solve(
        &self,
        rules: &Rules,
        options: &SliceOptions<'_>,
        store: &dyn SliceStore,
    ) -> Result<Swept, SolveError> {
        match self {
            Self::Boards(plan) => solve_by_slices(rules, plan, options, store),
            Self::Colourings(plan) => solve_colourings_by_slices(rules, plan, options, store),
        }
    }
}
