//! Pairs of sorted lists of values, numbered from 0: a player's options for each player.
//!
//! All lists lie in one array. A pair takes 6 bytes beside its options, and 8 to 16 bytes in the hash table that finds
//! its number.

use super::value::Value;
use crate::error::{Error, MOST_OPTIONS};

/// Most options of all pairs together.
const MOST_IN_ALL: usize = u32::MAX as usize;

/// Numbered pairs of lists.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// Where the Left list of each pair starts, and the end of all lists.
    starts: Vec<u32>,
    /// The length of the Left list of each pair. The Right list follows it.
    lefts: Vec<u16>,
    options: Vec<Value>,
    /// An open hash table: the upper half of the hash, then the number plus 1; 0 is empty.
    slots: Vec<u64>,
}

impl Default for Pairs {
    fn default() -> Self {
        Self { starts: vec![0], lefts: Vec::new(), options: Vec::new(), slots: vec![0; 16] }
    }
}

impl Pairs {
    /// The number of pairs.
    pub(crate) const fn len(&self) -> usize {
        self.lefts.len()
    }

    /// The Left and the Right list of pair `number`.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> (&[Value], &[Value]) {
        let number = number as usize;
        let (start, end) = (self.starts[number] as usize, self.starts[number + 1] as usize);
        self.options[start..end].split_at(self.lefts[number].into())
    }

    /// The number of a pair.
    #[inline]
    pub(crate) fn find(&self, hash: u64, lefts: &[Value], rights: &[Value]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 {
                let number = slot as u32 - 1;
                if self.get(number) == (lefts, rights) {
                    return Some(number);
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a pair that [`find`](Self::find) does not find, and returns its number.
    pub(crate) fn add(&mut self, hash: u64, lefts: &[Value], rights: &[Value]) -> Result<u32, Error> {
        let count = u16::try_from(lefts.len()).ok().filter(|_| rights.len() <= MOST_OPTIONS);
        let Some(count) = count else {
            return Err(Error::Options { limit: MOST_OPTIONS, of: "of one player" });
        };
        let end = u32::try_from(self.options.len() + lefts.len() + rights.len());
        // The number plus 1 must fit into half a slot.
        let (Ok(end), Ok(number)) = (end, u32::try_from(self.len() + 1)) else {
            return Err(Error::Options { limit: MOST_IN_ALL, of: "of all games" });
        };
        self.options.extend_from_slice(lefts);
        self.options.extend_from_slice(rights);
        self.starts.push(end);
        self.lefts.push(count);
        if self.len() * 4 > self.slots.len() * 3 {
            self.grow();
        } else {
            Self::enter(&mut self.slots, hash, number);
        }
        Ok(number - 1)
    }

    /// Bytes of memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.starts.capacity() * 4 + self.lefts.capacity() * 2 + self.options.capacity() * 4 + self.slots.capacity() * 8
    }

    fn enter(slots: &mut [u64], hash: u64, number: u32) {
        let mask = slots.len() - 1;
        let mut place = hash as usize & mask;
        while slots[place] != 0 {
            place = (place + 1) & mask;
        }
        slots[place] = hash >> 32 << 32 | u64::from(number);
    }

    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        for number in 0..self.len() as u32 {
            let (lefts, rights) = self.get(number);
            Self::enter(&mut slots, hash_of(lefts, rights), number + 1);
        }
        self.slots = slots;
    }
}

/// A hash of two lists of distinct values.
///
/// It adds up hashes of the values, which the processor computes side by side. That is enough, because the lists are
/// sorted.
#[inline]
pub(crate) fn hash_of(lefts: &[Value], rights: &[Value]) -> u64 {
    let sum = |list: &[Value]| {
        list.iter().fold(0_u64, |sum, value| {
            let mixed = (u64::from(value.number()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            sum.wrapping_add((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93))
        })
    };
    let mixed = (sum(lefts) ^ sum(rights).rotate_left(32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ mixed >> 32).wrapping_add(sum(rights)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_it_added() {
        let values: Vec<Value> = (0..40).map(Value::from_number).collect();
        let mut pairs = Pairs::default();
        let mut keys = Vec::new();
        for start in 0..40 {
            for middle in start..40 {
                keys.push((&values[start..middle], &values[middle..40.min(middle + start % 3)]));
            }
        }
        let mut count = 0;
        for &(lefts, rights) in &keys {
            let hash = hash_of(lefts, rights);
            if pairs.find(hash, lefts, rights).is_none() {
                assert_eq!(pairs.add(hash, lefts, rights), Ok(count));
                count += 1;
            }
        }
        for &(lefts, rights) in &keys {
            let number = pairs.find(hash_of(lefts, rights), lefts, rights).expect("it was added");
            assert_eq!(pairs.get(number), (lefts, rights));
        }
        assert!(pairs.find(hash_of(&values, &values), &values, &values).is_none());
    }
}
