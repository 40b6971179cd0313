//! Without the feature `ranks`, there is no team of ranks.

use std::time::Duration;

use crate::build::slices::{Fitting, SliceRun, Slices};
use crate::plan::memory_budget::Shortage;
use crate::plan::options::SolverRun;
use crate::plan::sweep::SweepPlan;
use crate::{Advice, EngineError, ErrorKind, RankFacts};
use tablegen_solvers::{LevelStore, Solution, Swept};
use tablegen_tables::table::SliceCheckpoints;

/// No ranks.
#[derive(Clone, Debug)]
pub(crate) enum Team {}

/// No ranks.
pub(crate) type Together = Team;

/// No error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TeamError {}

impl TeamError {
    pub(crate) const fn kind(&self) -> ErrorKind {
        match *self {}
    }

    pub(crate) const fn advice(&self) -> Option<Advice> {
        match *self {}
    }
}

impl Team {
    pub(crate) const fn say(&self, _: &str) {
        match *self {}
    }

    pub(crate) const fn checkpoint_delay(&self) -> Duration {
        match *self {}
    }

    pub(crate) const fn fitting(&self, _: &SweepPlan<'_>, _: Option<u64>) -> Result<Fitting, Shortage> {
        match *self {}
    }

    pub(crate) const fn together(&self, _: &SweepPlan<'_>, _: u64) -> Together {
        match *self {}
    }

    pub(crate) fn sweep(
        &self,
        _: &Slices,
        _: SliceCheckpoints,
        _: SliceRun<'_>,
    ) -> Result<(SliceCheckpoints, Swept, RankFacts), EngineError> {
        match *self {}
    }

    pub(crate) const fn solve_positions(
        &self,
        _: &SolverRun<'_>,
        _: Option<&dyn LevelStore>,
    ) -> Result<Option<(Solution, RankFacts)>, EngineError> {
        match *self {}
    }
}
