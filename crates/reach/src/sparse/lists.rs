//! Numbers partitioned into lists.

use std::collections::TryReserveError;

use super::cost::{Budget, Full};
use crate::reachable::KeyWord;

/// Collects codes, to partition them into lists by their top bits.
pub(crate) struct ListBuilder<K> {
    codes: Vec<K>,
    /// A zero, then the number of codes for each list.
    counts: Vec<u32>,
    below: u32,
}

impl<K: KeyWord> ListBuilder<K> {
    /// A builder of `count` lists. The bits from `below` up choose the list of a code.
    pub(crate) fn new(count: usize, below: u32) -> Result<Self, TryReserveError> {
        let mut counts = Vec::new();
        counts.try_reserve_exact(count + 1)?;
        counts.resize(count + 1, 0);
        Ok(Self { codes: Vec::new(), counts, below })
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, code: K) {
        self.counts[code.above(self.below) + 1] += 1;
        self.codes.push(code);
    }

    /// Makes room for `more` codes.
    #[inline(always)]
    pub(crate) fn make_room(&mut self, more: usize, budget: &Budget<'_>) -> Result<(), Full> {
        if self.codes.capacity() - self.codes.len() < more {
            let more = more.max(self.codes.len() / 2);
            budget.grow(&mut self.codes, more)?;
        }
        Ok(())
    }

    /// As [`lists`](Self::lists), with room that was made by [`make_room`](Self::make_room) alone.
    pub(crate) fn counted_lists<P: KeyWord>(self, budget: &Budget<'_>) -> Result<Lists<P>, Full> {
        let own = (self.codes.capacity() * size_of::<K>()) as u64;
        budget.take((self.codes.len() * size_of::<P>() + self.counts.len() * size_of::<u32>()) as u64)?;
        let lists = self.lists()?;
        budget.give(own);
        Ok(lists)
    }

    /// The lists: the low bits of each code, in the order of [`push`](Self::push).
    pub(crate) fn lists<P: KeyWord>(self) -> Result<Lists<P>, TryReserveError> {
        let Self { codes, counts, below } = self;
        let count = codes.len();
        Lists::partition(
            counts,
            count,
            codes.into_iter().map(|code| (code.above(below), P::of(code.below(below).number()))),
        )
    }
}

/// Numbers, list by list.
pub(crate) struct Lists<P> {
    numbers: Vec<P>,
    /// The start of each list, and the end of the last one.
    starts: Vec<u32>,
}

impl<P: KeyWord> Lists<P> {
    /// Partitions `numbers` into `count` lists. `of` has the list of each number. The order within a list stays.
    pub(crate) fn new(numbers: &[P], of: &[u16], count: usize) -> Result<Self, TryReserveError> {
        let mut starts = Vec::new();
        starts.try_reserve_exact(count + 1)?;
        starts.resize(count + 1, 0u32);
        of.iter().for_each(|&list| starts[usize::from(list) + 1] += 1);
        let pairs = of.iter().map(|&list| usize::from(list)).zip(numbers.iter().copied());
        Self::partition(starts, numbers.len(), pairs)
    }

    /// Partitions `all`, which are `count` numbers, each with its list. `starts[list + 1]` is the number of numbers of `list`.
    #[inline(always)]
    fn partition(
        mut starts: Vec<u32>,
        count: usize,
        all: impl Iterator<Item = (usize, P)>,
    ) -> Result<Self, TryReserveError> {
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count)?;
        numbers.resize(count, P::default());
        for (list, number) in all {
            let start = &mut starts[list];
            numbers[*start as usize] = number;
            *start += 1;
        }
        // Each start has advanced to the end of its list, which is the start of the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(Self { numbers, starts })
    }

    /// The number of bytes it holds.
    pub(crate) fn bytes(&self) -> u64 {
        (self.numbers.capacity() * size_of::<P>() + self.starts.capacity() * size_of::<u32>()) as u64
    }

    /// Returns whether all lists are empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// List `number`.
    pub(crate) fn of(&self, number: usize) -> &[P] {
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_its_list() {
        let lists = Lists::<u32>::new(&[5, 6, 7, 8, 9], &[2, 0, 2, 3, 0], 5).unwrap();
        let of = [0, 1, 2, 3, 4].map(|number| lists.of(number).to_vec());
        assert_eq!(of, [vec![6, 9], vec![], vec![5, 7], vec![8], vec![]]);
    }

    #[test]
    fn every_code_is_in_the_list_of_its_top_bits() {
        let mut builder = ListBuilder::<u64>::new(5, 8).unwrap();
        [0x205, 0x006, 0x207, 0x308, 0x009].into_iter().for_each(|code| builder.push(code));
        let lists = builder.lists::<u32>().unwrap();
        let of = [0, 1, 2, 3, 4].map(|number| lists.of(number).to_vec());
        assert_eq!(of, [vec![6, 9], vec![], vec![5, 7], vec![8], vec![]]);
    }
}
