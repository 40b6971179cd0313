//! The options of a board, gathered move by move, with a key that identifies them.

use crate::store::Value;

/// The values that each player's moves lead to, each once.
#[derive(Clone, Debug, Default)]
pub struct OptionSets {
    lefts: OptionSet,
    rights: OptionSet,
}

impl OptionSets {
    /// Removes all options.
    #[inline]
    pub fn clear(&mut self) {
        self.lefts.clear();
        self.rights.clear();
    }

    /// Adds a Left option, unless it is there.
    #[inline]
    pub fn push_left(&mut self, option: Value) {
        self.lefts.push(option);
    }

    /// Adds a Right option, unless it is there.
    #[inline]
    pub fn push_right(&mut self, option: Value) {
        self.rights.push(option);
    }

    /// The Left options, in the order in which they came.
    #[must_use]
    pub fn lefts(&self) -> &[Value] {
        &self.lefts.list
    }

    /// The Right options, in the order in which they came.
    #[must_use]
    pub fn rights(&self) -> &[Value] {
        &self.rights.list
    }

    /// The key of both sets.
    #[inline]
    pub(crate) const fn key(&self) -> Key {
        const fn mix(left: u64, right: u64, factors: [u64; 2]) -> u64 {
            let sum = left.wrapping_mul(factors[0]).wrapping_add(right.wrapping_mul(factors[1]));
            (sum ^ sum >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd)
        }
        let Self { lefts, rights } = self;
        let low = mix(lefts.low, rights.low, [0x2545_f491_4f6c_dd1d, 0xd134_2543_de82_ef95]);
        let high = mix(lefts.high, rights.high, [0xa24b_aed4_963e_e407, 0x9fb2_1c65_1e98_df25]);
        Key { low: low ^ low >> 32, high: high ^ high >> 32 }
    }
}

/// 128 bits that identify two sets of values. They do not depend on the order of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// Distinct values, and two sums of their hashes.
#[derive(Clone, Debug, Default)]
struct OptionSet {
    list: Vec<Value>,
    /// A bit for the hash of each value: a value whose bit is not set is new.
    seen: u64,
    low: u64,
    high: u64,
}

impl OptionSet {
    #[inline]
    fn clear(&mut self) {
        self.list.clear();
        (self.seen, self.low, self.high) = (0, 0, 0);
    }

    #[inline]
    fn push(&mut self, value: Value) {
        let number = u64::from(value.number()) + 1;
        let low = hashed(number, [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93]);
        let bit = 1 << (low >> 58);
        if self.seen & bit != 0 && self.list.contains(&value) {
            return;
        }
        self.seen |= bit;
        self.low = self.low.wrapping_add(low);
        self.high = self.high.wrapping_add(hashed(number, [0xe703_7ed1_a0b4_28db, 0xc4ce_b9fe_1a85_ec53]));
        self.list.push(value);
    }
}

/// A hash of a number that is not linear, so sums of hashes of different sets differ.
#[inline]
const fn hashed(number: u64, factors: [u64; 2]) -> u64 {
    let mixed = number.wrapping_mul(factors[0]);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(factors[1]);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(lefts: &[u32], rights: &[u32]) -> OptionSets {
        let mut sets = OptionSets::default();
        lefts.iter().for_each(|&it| sets.push_left(Value::from_number(it)));
        rights.iter().for_each(|&it| sets.push_right(Value::from_number(it)));
        sets
    }

    #[test]
    fn keys_of_sets() {
        assert_eq!(sets(&[1, 2, 1, 3], &[]).key(), sets(&[3, 2, 1], &[]).key());
        assert_eq!(sets(&[7, 2, 7, 2], &[0]).lefts().len(), 2);
        let mut keys = rustc_hash::FxHashSet::default();
        let mut add = |lefts: &[u32], rights: &[u32]| {
            let key = sets(lefts, rights).key();
            assert!(keys.insert((key.low, key.high)), "{lefts:?} {rights:?}");
        };
        for a in 0..30 {
            add(&[a], &[]);
            add(&[], &[a]);
            for b in a + 1..30 {
                add(&[a, b], &[]);
                add(&[], &[a, b]);
                add(&[a], &[b]);
                add(&[b], &[a]);
                (b + 1..30).for_each(|c| add(&[a, b], &[c]));
            }
        }
        add(&[], &[]);
    }
}
