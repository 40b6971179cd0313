//! What keeps threads apart that share entries of several words.
//!
//! Such an entry is not written at once, so a reader could put two positions together to a third one. A sequence lock prevents that: a number
//! that a writer raises before and after it writes, so that it is odd meanwhile. A reader trusts what it read only if the number was even
//! before, and is the same afterwards. (H.-J. Boehm, Can seqlocks get along with programming language memory models?, 2012.)
//!
//! No thread waits. What cannot be read or written is skipped, as if the table had forgotten it.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// What keeps threads apart that share buckets of entries.
pub(crate) trait Guard: Sync {
    /// What `read` finds in the bucket with this `number`; `None` if another thread may have changed it at the same time.
    fn read<T>(&self, number: usize, read: impl FnOnce() -> T) -> Option<T>;

    /// What `write` returns, which changes the bucket with this `number`; `None` if it was not called, because another thread changes the bucket.
    fn write<T>(&self, number: usize, write: impl FnOnce() -> T) -> Option<T>;
}

/// Nothing, for a single thread, or for entries of one word.
#[derive(Default)]
pub(crate) struct Unguarded;

impl Guard for Unguarded {
    #[inline(always)]
    fn read<T>(&self, _: usize, read: impl FnOnce() -> T) -> Option<T> {
        Some(read())
    }

    #[inline(always)]
    fn write<T>(&self, _: usize, write: impl FnOnce() -> T) -> Option<T> {
        Some(write())
    }
}

/// The number of sequence locks, each of which is that of many buckets.
const LOCKS: usize = 1 << 12;

/// Sequence locks. Their numbers have 64 bits, so they do not repeat.
pub(crate) struct SequenceLocks(Box<[AtomicU64]>);

impl Default for SequenceLocks {
    fn default() -> Self {
        Self((0..LOCKS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Guard for SequenceLocks {
    #[inline(always)]
    fn read<T>(&self, number: usize, read: impl FnOnce() -> T) -> Option<T> {
        let lock = &self.0[number % LOCKS];
        let before = lock.load(Ordering::Acquire);
        let found = read();
        // If `read` saw a word that a writer stored, the next line sees that writer's number, or a later one: its fence came before the word.
        fence(Ordering::Acquire);
        (before.is_multiple_of(2) && lock.load(Ordering::Relaxed) == before).then_some(found)
    }

    #[inline(always)]
    fn write<T>(&self, number: usize, write: impl FnOnce() -> T) -> Option<T> {
        let lock = &self.0[number % LOCKS];
        let before = lock.load(Ordering::Relaxed);
        // One thread raises an even number. It sees what the last writer stored.
        let is_free = before.is_multiple_of(2)
            && lock.compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
        is_free.then(|| {
            fence(Ordering::Release);
            let written = write();
            lock.store(before + 2, Ordering::Release);
            written
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_and_writers_skip_what_is_being_written() {
        let guard = SequenceLocks::default();
        let inner = guard.write(3, || (guard.read(3, || ()), guard.write(3, || ()), guard.read(4, || ())));
        assert_eq!(inner, Some((None, None, Some(()))));
        // A write that begins and ends during the read.
        assert_eq!(guard.read(3, || guard.write(3, || ())), None);
        assert_eq!([guard.read(3, || 1), guard.write(3, || 2)], [Some(1), Some(2)]);
    }
}
