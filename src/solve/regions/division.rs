//! How a game is divided into regions, whatever is labelled of it.

use super::{Asked, RegionOptions, RegionStore, Sheet, Swept, makespan};
use crate::rules::Rules;
use crate::solve::coloured::asked_by_colourings;
use crate::solve::dense::asked_by_regions;
use crate::solve::{ColouredPlan, RegionPlan, SolveError, solve_by_regions, solve_colourings_by_regions};

/// How a game is divided into regions.
#[derive(Clone, Debug)]
pub enum Division {
    /// Every board in every mode.
    Boards(RegionPlan),
    /// Every colouring.
    Colourings(Box<ColouredPlan>),
}

impl Division {
    /// The number of regions that are swept.
    #[must_use]
    pub fn regions(&self) -> u64 {
        match self {
            Self::Boards(plan) => plan.regions(),
            Self::Colourings(plan) => plan.regions(),
        }
    }

    /// How long a sweep by so many processes takes, in positions that one of them sweeps meanwhile, if each region takes `beside`
    /// besides its positions.
    #[must_use]
    pub fn makespan(&self, rules: &Rules, beside: u64, processes: usize) -> u128 {
        match self {
            Self::Boards(plan) => {
                let positions = (rules.positions() >> plan.region_cells()) as u64;
                makespan(plan.swept().map(|region| (region, positions)), beside, processes)
            }
            Self::Colourings(plan) => {
                makespan(plan.swept().map(|region| (region, plan.positions_of(region))), beside, processes)
            }
        }
    }

    /// What each of so many processes asks others for, if they sweep `rules` together and nothing is finished before.
    ///
    /// # Errors
    /// If the rules are not swept.
    pub fn asked(&self, rules: &Rules, processes: usize) -> Result<Vec<Asked>, SolveError> {
        match self {
            Self::Boards(plan) => asked_by_regions(rules, plan, processes),
            Self::Colourings(plan) => asked_by_colourings(rules, plan, processes),
        }
    }

    /// How many cells or squares name a region.
    #[must_use]
    pub const fn region_cells(&self) -> u32 {
        match self {
            Self::Boards(plan) => plan.region_cells(),
            Self::Colourings(plan) => plan.top_squares(),
        }
    }

    /// What is swept, in this order.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        match self {
            Self::Boards(plan) => plan.sheets(),
            Self::Colourings(plan) => plan.sheets(),
        }
    }

    /// Bytes of memory that solving takes at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        match self {
            Self::Boards(plan) => plan.memory_bytes(),
            Self::Colourings(plan) => plan.memory_bytes(),
        }
    }

    /// The number of planes of a sheet of `rules`, which are divided.
    #[must_use]
    pub fn planes(&self, rules: &Rules, sheet: Sheet) -> u64 {
        match self {
            Self::Boards(plan) => plan.shape(rules, sheet).planes(),
            Self::Colourings(plan) => plan.planes(sheet),
        }
    }

    /// Where each region begins in a plane of a sheet of `rules`, in bytes, and where the last one ends.
    #[must_use]
    pub fn starts(&self, rules: &Rules, sheet: Sheet) -> Vec<u64> {
        match self {
            Self::Boards(plan) => {
                // One region is the whole board, whose planes may be padded.
                let bytes = plan.shape(rules, sheet).plane_bytes();
                let bytes = bytes.unwrap_or_else(|| unreachable!("a plan has sizes"));
                (0..=plan.regions()).map(|rank| rank * bytes).collect()
            }
            Self::Colourings(plan) => plan.starts(sheet).collect(),
        }
    }

    /// Solves `rules`, which are divided, on all cores of the current rayon pool. What `store` has finished is not swept again.
    ///
    /// # Errors
    /// As [`solve_by_regions`].
    pub fn solve(
        &self,
        rules: &Rules,
        options: &RegionOptions<'_>,
        store: &dyn RegionStore,
    ) -> Result<Swept, SolveError> {
        match self {
            Self::Boards(plan) => solve_by_regions(rules, plan, options, store),
            Self::Colourings(plan) => solve_colourings_by_regions(rules, plan, options, store),
        }
    }
}
