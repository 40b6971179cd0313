//! Remembered comparisons.
//!
//! A hash table of bounded size. An entry is one 64-bit word: two numbers of 31 bits, the result, and a bit that tells
//! an entry from an empty place. Eight entries form a bucket, which is one cache line. If a bucket is full, a new entry
//! replaces an old one, so a comparison may be computed again, with the same result.

/// Entries in a bucket.
const BUCKET: usize = 8;
/// Buckets at first: 16 KiB.
const FIRST: usize = 256;

/// Results of comparisons of pairs of values.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    entries: Vec<u64>,
    used: usize,
    /// Most entries; a power of 2.
    most: usize,
}

impl Memo {
    /// A memo of at most `bytes` bytes, but at least 16 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let first = FIRST * BUCKET;
        let most = (bytes / 8).checked_ilog2().map_or(first, |bits| first.max(1 << bits));
        Self { entries: vec![0; first], used: 0, most }
    }

    const fn key(g: u32, h: u32) -> u64 {
        (g as u64) << 33 | (h as u64) << 2 | 1
    }

    #[inline]
    fn bucket(entries: &[u64], key: u64) -> (usize, usize) {
        let hash = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let start = (hash >> 20) as usize & (entries.len() - 1) & !(BUCKET - 1);
        (start, (hash >> 61) as usize)
    }

    /// The remembered result for two numbers.
    #[inline]
    pub(super) fn get(&self, g: u32, h: u32) -> Option<bool> {
        let key = Self::key(g, h);
        let (start, _) = Self::bucket(&self.entries, key);
        let found = self.entries[start..start + BUCKET].iter().find(|&&entry| entry & !2 == key)?;
        Some(found & 2 != 0)
    }

    /// Remembers a result that is not remembered.
    pub(super) fn set(&mut self, g: u32, h: u32, result: bool) {
        if self.used * 4 > self.entries.len() * 3 && self.entries.len() < self.most {
            let old = std::mem::take(&mut self.entries);
            self.entries = vec![0; old.len() * 4.min(self.most / old.len())];
            self.used = 0;
            old.into_iter().filter(|&entry| entry != 0).for_each(|entry| self.enter(entry));
        }
        self.enter(Self::key(g, h) | u64::from(result) << 1);
    }

    fn enter(&mut self, entry: u64) {
        let (start, victim) = Self::bucket(&self.entries, entry & !2);
        let bucket = &mut self.entries[start..start + BUCKET];
        if let Some(empty) = bucket.iter_mut().find(|entry| **entry == 0) {
            *empty = entry;
            self.used += 1;
        } else {
            bucket[victim] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_latest_in_bounded_memory() {
        let mut memo = Memo::new(1 << 15);
        for g in 0..200 {
            for h in 0..100 {
                assert_eq!(memo.get(g, h), None);
                memo.set(g, h, (g ^ h) % 3 == 0);
                assert_eq!(memo.get(g, h), Some((g ^ h) % 3 == 0));
            }
        }
        assert_eq!(memo.entries.len(), 1 << 12);
        let kept = (0..200)
            .flat_map(|g| (0..100).map(move |h| (g, h)))
            .filter_map(|(g, h)| memo.get(g, h).map(|result| assert_eq!(result, (g ^ h) % 3 == 0)));
        assert!(kept.count() > 3000);
    }
}
