//! A cache of values that take time to make, limited in entries and in bytes. It drops failed attempts first, and then the
//! least recently used value.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::once::Once;

/// A cache.
pub(super) struct Cache<T> {
    kept: Mutex<Kept<T>>,
    most: usize,
    most_bytes: u64,
    bytes: fn(&T) -> u64,
}

struct Kept<T> {
    by_key: HashMap<String, Slot<T>>,
    /// The number of uses so far, which orders the entries by their last use.
    clock: u64,
}

struct Slot<T> {
    cell: Arc<Once<T>>,
    used: u64,
}

impl<T: Clone + Send + Sync + 'static> Cache<T> {
    /// A cache of at most `most` values, which together take at most `most_bytes` bytes by the measure `bytes`. A single
    /// value may take more. The value used last is always kept.
    pub(super) fn new(most: usize, most_bytes: u64, bytes: fn(&T) -> u64) -> Self {
        Self { kept: Mutex::new(Kept { by_key: HashMap::new(), clock: 0 }), most, most_bytes, bytes }
    }

    fn kept(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cell for the value called `key`, which may be empty.
    pub(super) fn cell(&self, key: &str) -> Arc<Once<T>> {
        let mut kept = self.kept();
        kept.clock += 1;
        let used = kept.clock;
        if let Some(slot) = kept.by_key.get_mut(key) {
            slot.used = used;
            return Arc::clone(&slot.cell);
        }
        let cell = Arc::<Once<T>>::default();
        kept.by_key.insert(key.to_owned(), Slot { cell: Arc::clone(&cell), used });
        self.shrink(&mut kept);
        cell
    }

    /// Shrinks the cache after a value was made.
    pub(super) fn settle(&self) {
        self.shrink(&mut self.kept());
    }

    /// Removes every value.
    pub(super) fn clear(&self) {
        self.kept().by_key.clear();
    }

    fn shrink(&self, kept: &mut Kept<T>) {
        let bytes = |slot: &Slot<T>| slot.cell.get().map_or(0, |value| (self.bytes)(&value));
        let mut all: u64 = kept.by_key.values().map(bytes).sum();
        while kept.by_key.len() > self.most || all > self.most_bytes {
            let others = kept.by_key.iter().filter(|(_, slot)| slot.used != kept.clock);
            let oldest = others.min_by_key(|(_, slot)| (!slot.cell.is_empty(), slot.used)).map(|(key, _)| key.clone());
            let Some(slot) = oldest.and_then(|key| kept.by_key.remove(&key)) else { return };
            all -= bytes(&slot);
        }
    }

    #[cfg(test)]
    pub(super) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.kept().by_key.keys().cloned().collect();
        keys.sort();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_limited_and_drops_the_oldest_first() {
        let cache: Cache<u64> = Cache::new(3, 10, |&value| value);
        for key in ["a", "b", "a", "c", "a", "d"] {
            cache.cell(key).set(0);
        }
        assert_eq!(cache.keys(), ["a", "c", "d"]);
        cache.clear();
        for (key, value) in [("c", 5), ("d", 5), ("a", 1)] {
            cache.cell(key).set(value);
            cache.settle();
        }
        assert_eq!(cache.keys(), ["a", "d"]);
        // A failed attempt takes the place of no value.
        for key in ["x", "y", "z"] {
            cache.cell(key);
        }
        assert_eq!(cache.keys(), ["a", "d", "z"]);
        // A value that is larger than the cache is kept alone.
        cache.cell("e").set(11);
        cache.settle();
        assert_eq!(cache.keys(), ["e"]);
        cache.clear();
        assert!(cache.cell("e").get().is_none());
    }
}
