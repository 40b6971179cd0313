//! Events: when the moves out of a group are decided, for each position that has some.
//!
//! In the layer of a win, the position is won. In the layer of a loss or a draw, it has one move less to try.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::rules::Outcome;

/// The events that one task finds.
#[derive(Default)]
pub(super) struct LocalEvents(BTreeMap<(Outcome, u32), Vec<u32>>);

impl LocalEvents {
    /// The position with `number` has an event of `outcome` in `layer`: its moves out of the group are worth that.
    #[inline]
    pub(super) fn add(&mut self, layer: u32, outcome: Outcome, number: u32) {
        self.0.entry((outcome, layer)).or_default().push(number);
    }
}

/// Numbers that have an event of one outcome in one layer: a list from each task.
pub(super) type Lists = Vec<Box<[u32]>>;

/// The events of a group.
#[derive(Default)]
pub(super) struct Events(Mutex<BTreeMap<(Outcome, u32), Lists>>);

impl Events {
    /// Adds the events of a task.
    pub(super) fn join(&self, local: LocalEvents) {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (key, list) in local.0 {
            all.entry(key).or_default().push(list.into_boxed_slice());
        }
    }

    /// Removes the events of `outcome` in `layer`.
    pub(super) fn take(&self, outcome: Outcome, layer: u32) -> Lists {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&(outcome, layer)).unwrap_or_default()
    }

    /// Returns whether there are events of one of `outcomes`.
    pub(super) fn has(&self, outcomes: &[Outcome]) -> bool {
        let all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.keys().any(|(outcome, _)| outcomes.contains(outcome))
    }
}
