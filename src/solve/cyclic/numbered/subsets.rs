//! Subsets of one size as numbers, one after the other: the combinatorial number system.
//!
//! The subset whose members are `c1 < c2 < … < ck` has the number C(c1, 1) + C(c2, 2) + … + C(ck, k), which is the number of
//! subsets of that size that come before it when the largest members are compared first (Lehmer, 1964). The sum is looked up by chunks
//! of the set's bits: what a chunk adds depends on its content and on how many members there are up to its end.

/// Bits of a chunk: the tables of a game with one or two chunks stay in a core's first cache.
const CHUNK: u32 = 11;
const IN_CHUNK: usize = 1 << CHUNK;
/// Up to so many subsets of a size are kept in a list, in order.
const LISTED: u64 = 1 << 16;
/// The largest set: the bits of a word.
const MOST: usize = 64;

/// The numbers of ways to choose.
pub(super) struct Choices(Vec<[u64; MOST + 1]>);

impl Choices {
    pub(super) fn new() -> Self {
        let mut rows = vec![[0u64; MOST + 1]; MOST + 1];
        for n in 0..=MOST {
            rows[n][0] = 1;
            for k in 1..=n {
                rows[n][k] = rows[n - 1][k - 1].saturating_add(rows[n - 1][k]);
            }
        }
        Self(rows)
    }

    /// The number of subsets with `size` members of a set with `of`, both at most 64.
    #[inline]
    pub(super) fn of(&self, of: u32, size: u32) -> u64 {
        self.0[of as usize][size as usize]
    }
}

/// The numbers of subsets.
pub(super) struct Subsets {
    choices: Choices,
    /// What the lowest chunk adds.
    low: Vec<u32>,
    /// What each chunk above it adds, for each number of members up to its end, for each content.
    high: Vec<Vec<u32>>,
    /// The subsets of each size in order, where they are few.
    lists: Vec<Vec<u32>>,
}

impl Subsets {
    /// For subsets of sets of up to `members`, of each of `uses` a set and a size; there are less than 2^32 of each.
    pub(super) fn new(members: u32, uses: impl Iterator<Item = (u32, u32)>) -> Self {
        let choices = Choices::new();
        let mut lengths = vec![0u64; MOST + 1];
        for (of, size) in uses {
            let length = &mut lengths[size as usize];
            *length = choices.of(of, size).max(*length);
        }
        let most = lengths.iter().rposition(|&length| length > 0).unwrap_or(0);
        let adds = |chunk: u32, end: usize, content: usize| -> u32 {
            let mut index = (end as u32).wrapping_sub(content.count_ones());
            let mut sum = 0u64;
            for bit in (0..CHUNK).filter(|bit| content >> bit & 1 == 1) {
                index = index.wrapping_add(1);
                let place = (chunk * CHUNK + bit).min(MOST as u32);
                // What cannot be is never looked up.
                sum = sum.saturating_add(if index as usize <= MOST { choices.of(place, index) } else { 0 });
            }
            sum as u32
        };
        let chunks = members.div_ceil(CHUNK).max(1);
        let low = (0..IN_CHUNK).map(|content| adds(0, content.count_ones() as usize, content)).collect();
        let row = |chunk: u32, end: usize| (0..IN_CHUNK).map(move |content| adds(chunk, end, content));
        let high = (1..chunks).map(|chunk| (0..=most).flat_map(|end| row(chunk, end)).collect()).collect();
        let listed = |(size, &length): (usize, &u64)| {
            let length = if length <= LISTED { length } else { 0 };
            let mut subset = (1u64 << size.min(63)) - 1;
            let mut list = Vec::with_capacity(length as usize);
            for _ in 0..length {
                let Ok(short) = u32::try_from(subset) else { return Vec::new() };
                list.push(short);
                // The next one with as many members (Gosper).
                let lowest = subset & subset.wrapping_neg();
                let up = subset + lowest;
                subset = ((up ^ subset) >> 2).checked_div(lowest).map_or(0, |low| low | up);
            }
            list
        };
        let lists = lengths.iter().enumerate().map(listed).collect();
        Self { choices, low, high, lists }
    }

    /// The number of `subset` among those with as many members.
    #[inline(always)]
    pub(super) fn number(&self, subset: u64) -> u32 {
        let mut number = self.low[subset as usize % IN_CHUNK];
        // No iterators: where one is not inlined, it is not compiled for the same instructions.
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

    /// What [`rank`](Self::rank) looks at for subsets with `size` members.
    pub(super) const fn top(size: u32) -> u32 {
        size << CHUNK
    }

    /// As [`number`](Self::number); where sets have two chunks, the members up to the end of the upper one are all that there
    /// are.
    #[inline(always)]
    pub(super) fn rank(&self, subset: u32, top: u32) -> u32 {
        if subset >> (2 * CHUNK) != 0 || self.high.is_empty() {
            return self.number(subset.into());
        }
        let upper = subset as usize >> CHUNK;
        self.low[subset as usize % IN_CHUNK] + self.high[0][top as usize + upper]
    }

    /// The subset with `size` members that has `number`.
    #[inline(always)]
    pub(super) fn subset(&self, size: u32, number: u32) -> u64 {
        match self.lists[size as usize].get(number as usize) {
            Some(&subset) => subset.into(),
            None => self.composed(size, number),
        }
    }

    /// The same without a list: the largest members first.
    #[cold]
    fn composed(&self, size: u32, number: u32) -> u64 {
        let (mut rest, mut subset) = (u64::from(number), 0);
        for index in (1..=size).rev() {
            // The largest place up to which so many subsets come.
            let places = &self.choices.0[..MOST];
            let place = places.partition_point(|row| row[index as usize] <= rest).saturating_sub(1);
            subset |= 1u64 << place;
            rest -= self.choices.of(place as u32, index).min(rest);
        }
        subset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_one_another() {
        for (of, size) in
            [(0, 0), (5, 0), (5, 2), (5, 5), (11, 6), (12, 4), (21, 4), (23, 5), (34, 3), (64, 2), (64, 63)]
        {
            let subsets = Subsets::new(of, [(of, size)].into_iter());
            let count = subsets.choices.of(of, size);
            let mut last = None;
            for number in 0..count as u32 {
                let subset = subsets.subset(size, number);
                assert_eq!((subset.count_ones(), subsets.number(subset)), (size, number));
                if let Ok(short) = u32::try_from(subset) {
                    assert_eq!(subsets.rank(short, Subsets::top(size)), number);
                }
                assert!(last < Some(subset) && (of == 64 || subset >> of == 0), "{of} {size} {subset:#x}");
                assert_eq!(subset, subsets.composed(size, number));
                last = Some(subset);
            }
        }
    }

    #[test]
    fn subsets_too_many_for_a_list() {
        let subsets = Subsets::new(32, [(32, 16), (30, 7)].into_iter());
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
