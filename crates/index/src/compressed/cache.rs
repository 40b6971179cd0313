//! A cache of recently read blocks.

use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of blocks that an open table caches: enough for the blocks of the successors of neighbouring positions.
const ROOM: usize = 8 << 20;
/// Number of shards with a lock each, so that threads rarely wait for each other.
const SHARDS: usize = 16;

/// The number of a section, and the number of a block in it.
pub(crate) type Key = (u32, u64);

/// The recently read blocks of a table, decompressed. Threads share the cache.
#[derive(Default)]
pub struct Cache {
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    clock: u64,
    kept: Vec<Kept>,
    bytes: usize,
}

struct Kept {
    key: Key,
    used: u64,
    block: Arc<Vec<u8>>,
}

impl Cache {
    /// The most bytes that the cache holds of blocks of `block` bytes.
    #[must_use]
    pub const fn most_bytes(block: usize) -> usize {
        // A block that is larger than a shard may be is kept alone.
        SHARDS * if block > ROOM / SHARDS { block } else { ROOM / SHARDS }
    }

    fn shard(&self, key: Key) -> std::sync::MutexGuard<'_, Shard> {
        let (section, block) = key;
        // A hash chooses the shard, because blocks that are read together are often a power of two apart.
        let mixed = (block ^ u64::from(section) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Poisoning can be ignored: no code panics while it holds the lock, and the contents are always consistent.
        self.shards[(mixed >> 60) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `read` with the block, if it is cached.
    #[inline]
    pub fn with<T>(&self, key: Key, read: impl FnOnce(&Arc<Vec<u8>>) -> T) -> Option<T> {
        let mut shard = self.shard(key);
        shard.clock += 1;
        let now = shard.clock;
        let found = shard.kept.iter_mut().find(|kept| kept.key == key)?;
        found.used = now;
        Some(read(&found.block))
    }

    /// Adds `block`, and drops the least recently used blocks.
    pub fn keep(&self, key: Key, block: &Arc<Vec<u8>>) {
        let mut shard = self.shard(key);
        let shard = &mut *shard;
        if shard.kept.iter().any(|kept| kept.key == key) {
            // Another thread has decompressed the block too.
            return;
        }
        shard.clock += 1;
        shard.bytes += block.len();
        shard.kept.push(Kept { key, used: shard.clock, block: block.clone() });
        while shard.bytes > ROOM / SHARDS && shard.kept.len() > 1 {
            let oldest = (0..shard.kept.len()).min_by_key(|&at| shard.kept[at].used).unwrap_or(0);
            shard.bytes -= shard.kept.swap_remove(oldest).block.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recently_read_blocks_stay_within_the_size_limit() {
        // Eight blocks fill a shard exactly. Of larger blocks, seven fit.
        for (size, fit) in [(1 << 16, 8), ((1 << 16) + 1, 7)] {
            let cache = Cache::default();
            for number in 0..1000 {
                cache.keep((1, number), &Arc::new(vec![number as u8; size]));
                // Block 0 is read again each time, so it stays.
                assert_eq!(cache.with((1, 0), |block| block[0]), Some(0), "{number}");
            }
            let is_kept = |&number: &u64| cache.with((1, number), |block| block[5]) == Some(number as u8);
            assert_eq!((0..1000).filter(is_kept).count(), SHARDS * fit, "{size}");
            assert!(cache.with((2, 0), |_| ()).is_none());
        }
        // A block that is larger than a shard may be is kept alone.
        let cache = Cache::default();
        cache.keep((1, 0), &Arc::new(vec![7; ROOM / SHARDS + 1]));
        assert_eq!(cache.with((1, 0), |block| block[5]), Some(7));
        assert_eq!([1 << 16, 1 << 20].map(Cache::most_bytes), [ROOM, SHARDS << 20]);
    }
}
