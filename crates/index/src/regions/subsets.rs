//! The combinatorial number system: subsets of one size have consecutive numbers.
//!
//! The subset with members `c1 < c2 < … < ck` has the number C(c1, 1) + C(c2, 2) + … + C(ck, k). It counts the subsets of that size
//! that come before, if the largest members are compared first (Lehmer, 1964). The sum is looked up by chunks of the set's bits.
//! The part of a chunk depends on its content and on the number of members up to its end.

/// Bits of a chunk. The tables for one or two chunks stay in a core's first-level cache.
const CHUNK: u32 = 11;
const IN_CHUNK: usize = 1 << CHUNK;
/// Maximum number of subsets of one size that are listed.
const LISTED: u64 = 1 << 18;
/// Maximum size of a set: the bits of a word.
const MOST: usize = 64;

/// Binomial coefficients.
#[derive(Debug)]
pub struct Choices(Vec<[u64; MOST + 1]>);

impl Default for Choices {
    fn default() -> Self {
        let mut rows = vec![[0u64; MOST + 1]; MOST + 1];
        for n in 0..=MOST {
            rows[n][0] = 1;
            for k in 1..=n {
                rows[n][k] = rows[n - 1][k - 1].saturating_add(rows[n - 1][k]);
            }
        }
        Self(rows)
    }
}

impl Choices {
    /// The number of subsets with `size` members of a set with `of` members, both at most 64.
    #[inline]
    pub fn of(&self, of: u32, size: u32) -> u64 {
        self.0[of as usize][size as usize]
    }
}

/// The numbers of subsets.
#[derive(Debug)]
pub struct Subsets {
    choices: Choices,
    /// The part of the lowest chunk, for each content.
    low: Vec<u32>,
    /// The part of each higher chunk, for each number of members up to its end and each content.
    high: Vec<Vec<u32>>,
    /// The first subsets of each size that are looked up by number, in the order of their numbers.
    lists: Vec<Vec<u32>>,
}

impl Subsets {
    /// Tables for subsets of up to `members` members. `uses` lists pairs of the size of a set and of its subsets, each with fewer than
    /// 2^32 subsets; `listed` lists those of them that are often looked up by number.
    pub fn new(members: u32, uses: impl Iterator<Item = (u32, u32)>, listed: impl Iterator<Item = (u32, u32)>) -> Self {
        let choices = Choices::default();
        let mut lengths = vec![0u64; MOST + 1];
        for (of, size) in listed {
            let length = &mut lengths[size as usize];
            *length = choices.of(of, size).max(*length);
        }
        let most = uses.map(|(_, size)| size).max().unwrap_or(0) as usize;
        let adds = |chunk: u32, end: usize, content: usize| -> u32 {
            let mut index = (end as u32).wrapping_sub(content.count_ones());
            let mut sum = 0u64;
            for bit in (0..CHUNK).filter(|bit| content >> bit & 1 == 1) {
                index = index.wrapping_add(1);
                let place = (chunk * CHUNK + bit).min(MOST as u32);
                // Impossible combinations are never looked up.
                sum = sum.saturating_add(if index as usize <= MOST { choices.of(place, index) } else { 0 });
            }
            sum as u32
        };
        let chunks = members.div_ceil(CHUNK).max(1);
        let low = (0..IN_CHUNK).map(|content| adds(0, content.count_ones() as usize, content)).collect();
        let row = |chunk: u32, end: usize| (0..IN_CHUNK).map(move |content| adds(chunk, end, content));
        let high = (1..chunks).map(|chunk| (0..=most).flat_map(|end| row(chunk, end)).collect()).collect();
        let listed = |(size, &length): (u32, &u64)| -> Vec<u32> {
            let short = in_order(size).map_while(|subset| u32::try_from(subset).ok());
            short.take(length.min(LISTED) as usize).collect()
        };
        let lists = (0..).zip(&lengths).map(listed).collect();
        Self { choices, low, high, lists }
    }

    /// The number of `subset` among the subsets of its size.
    #[inline(always)]
    pub fn number(&self, subset: u64) -> u32 {
        let mut number = self.low[subset as usize % IN_CHUNK];
        // A closure that is not inlined would lack the caller's instruction set, so this uses no iterators.
        let (mut chunk, mut above, mut end) = (0, subset >> CHUNK, (subset % IN_CHUNK as u64).count_ones());
        while chunk < self.high.len() {
            let content = above as usize % IN_CHUNK;
            end += content.count_ones();
            number += self.high[chunk][end as usize * IN_CHUNK + content];
            above >>= CHUNK;
            chunk += 1;
        }
        number
    }

    /// The argument `top` of [`rank`](Self::rank) for subsets with `size` members.
    pub const fn top(size: u32) -> u32 {
        size << CHUNK
    }

    /// Like [`number`](Self::number), for sets of at most two chunks: all members lie below the end of the upper chunk.
    #[inline(always)]
    pub fn rank(&self, subset: u32, top: u32) -> u32 {
        if subset >> (2 * CHUNK) != 0 || self.high.is_empty() {
            return self.number(subset.into());
        }
        let upper = subset as usize >> CHUNK;
        self.low[subset as usize % IN_CHUNK] + self.high[0][top as usize + upper]
    }

    /// The subset with `size` members and number `number`.
    #[inline(always)]
    pub fn subset(&self, size: u32, number: u32) -> u64 {
        match self.lists[size as usize].get(number as usize) {
            Some(&subset) => subset.into(),
            None => self.composed(size, number),
        }
    }

    /// The subset with this number, computed without a list from the largest member down.
    #[cold]
    fn composed(&self, size: u32, number: u32) -> u64 {
        let (mut rest, mut subset) = (u64::from(number), 0);
        for index in (1..=size).rev() {
            // The largest place whose binomial coefficient does not exceed the number.
            let places = &self.choices.0[..MOST];
            let place = places.partition_point(|row| row[index as usize] <= rest).saturating_sub(1);
            subset |= 1u64 << place;
            rest -= self.choices.of(place as u32, index).min(rest);
        }
        subset
    }
}

/// The subsets of a set of 64 with `size` members, fewer than 64, in the order of their numbers: Gosper's steps.
pub(super) fn in_order(size: u32) -> impl Iterator<Item = u64> {
    std::iter::successors(Some((1u64 << size.min(63)) - 1), |&subset| {
        let lowest = subset & subset.wrapping_neg();
        let up = subset.checked_add(lowest)?;
        Some((((up ^ subset) >> 2).checked_div(lowest)?) | up)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_have_consecutive_numbers() {
        for (of, size) in
            [(0, 0), (5, 0), (5, 2), (5, 5), (11, 6), (12, 4), (21, 4), (23, 5), (34, 3), (64, 2), (64, 63)]
        {
            let uses = || [(of, size)].into_iter();
            // With a list, and without.
            let (subsets, unlisted) = (Subsets::new(of, uses(), uses()), Subsets::new(of, uses(), std::iter::empty()));
            let count = subsets.choices.of(of, size);
            let mut last = None;
            for number in 0..count as u32 {
                let subset = subsets.subset(size, number);
                assert_eq!((subset.count_ones(), subsets.number(subset)), (size, number));
                if let Ok(short) = u32::try_from(subset) {
                    assert_eq!(subsets.rank(short, Subsets::top(size)), number);
                }
                assert!(last < Some(subset) && (of == 64 || subset >> of == 0), "{of} {size} {subset:#x}");
                assert_eq!(subset, unlisted.subset(size, number));
                last = Some(subset);
            }
        }
    }

    #[test]
    fn subsets_too_many_for_a_list() {
        let uses = || [(32, 16), (30, 7)].into_iter();
        let subsets = Subsets::new(32, uses(), uses());
        // Composing a subset takes many times as long as looking it up: a solver by regions turns numbers of up to 20 points into subsets.
        let rows = Subsets::new(24, [(20, 9)].into_iter(), [(20, 9)].into_iter());
        assert_eq!([&subsets.lists[16], &rows.lists[9]].map(Vec::len), [LISTED as usize, 167_960]);
        let mut draw = fastrand::Rng::with_seed(1);
        for (of, size) in [(32, 16), (30, 7)] {
            for _ in 0..10_000 {
                let number = draw.u32(..subsets.choices.of(of, size) as u32);
                let subset = subsets.subset(size, number);
                assert_eq!((subset.count_ones(), subsets.number(subset)), (size, number));
            }
        }
    }
}
