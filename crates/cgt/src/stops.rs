//! Left and Right stops.

use rustc_hash::FxHashMap;

use crate::dyadic::Dyadic;
use crate::store::{Store, Value};

/// The numbers at which play of a game stops, if both players play well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stops {
    /// The number that is reached if Left moves first.
    pub left: Dyadic,
    /// The number that is reached if Right moves first.
    pub right: Dyadic,
}

/// Computes stops, and remembers them. It must not move from one store to another.
#[derive(Clone, Debug, Default)]
pub struct StopFinder {
    known: FxHashMap<Value, Stops>,
}

impl StopFinder {
    /// The stops of a value.
    ///
    /// # Panics
    /// If the store does not hold the value.
    pub fn stops(&mut self, store: &Store, value: Value) -> Stops {
        if let Some(&stops) = self.known.get(&value) {
            return stops;
        }
        for follower in store.followers(value) {
            if !self.known.contains_key(&follower) {
                let stops = self.one_level_up(store, follower);
                self.known.insert(follower, stops);
            }
        }
        self.known[&value]
    }

    fn one_level_up(&self, store: &Store, value: Value) -> Stops {
        if let Some(number) = store.number(value) {
            return Stops { left: number, right: number };
        }
        let (lefts, rights) = store.options(value);
        let left = lefts.iter().map(|option| self.known[option].right).max();
        let right = rights.iter().map(|option| self.known[option].left).min();
        // Only integers lack options of a player.
        let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
        Stops { left, right }
    }
}
