//! Random rules for the solvers alone: more cells, more moves.

use proptest::prelude::Strategy;
use tablegen::rules::Rules;

pub(crate) use super::small_random::*;

/// Rules of 16 to 19 cells.
pub(crate) fn wide() -> impl Strategy<Value = Rules> {
    rules(16u32..=19, 10..=60)
}

/// Rules with hundreds of moves.
pub(crate) fn crowded() -> impl Strategy<Value = Rules> {
    rules(9u32..=12, 60..=600)
}
