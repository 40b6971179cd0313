//! Events: when the moves out of a group are decided, for each position that has some.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// What becomes of a position in the layer of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum EventKind {
    /// The position is won.
    Win,
    /// Its moves out of the group are lost, so there is one move less to try.
    Loss,
    /// The best of its moves out of the group is a draw that ends.
    Draw,
}

/// The events that one task finds.
#[derive(Default)]
pub(super) struct LocalEvents(BTreeMap<(EventKind, u32), Vec<u32>>);

impl LocalEvents {
    /// The position with `number` has an event of `kind` in `layer`.
    #[inline]
    pub(super) fn add(&mut self, layer: u32, kind: EventKind, number: u32) {
        self.0.entry((kind, layer)).or_default().push(number);
    }
}

/// Numbers that have an event of one kind in one layer: a list from each task.
pub(super) type Lists = Vec<Box<[u32]>>;

/// The events of a group.
#[derive(Default)]
pub(super) struct Events(Mutex<BTreeMap<(EventKind, u32), Lists>>);

impl Events {
    /// Adds the events of a task.
    pub(super) fn join(&self, local: LocalEvents) {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (key, list) in local.0 {
            all.entry(key).or_default().push(list.into_boxed_slice());
        }
    }

    /// Removes the events of `kind` in `layer`.
    pub(super) fn take(&self, kind: EventKind, layer: u32) -> Lists {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&(kind, layer)).unwrap_or_default()
    }

    /// Returns whether there are events of a kind in `kinds`.
    pub(super) fn has(&self, kinds: &[EventKind]) -> bool {
        let all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.keys().any(|(kind, _)| kinds.contains(kind))
    }
}
