//! How ranks find the positions together: each finds the successors of its positions, and sends each to its owner.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Distributed;
use super::communicator::malformed_message;
use super::partition::{read_codes, read_levels, write_codes, write_level};
use crate::SolveError;
use crate::parallel;
use crate::reachable::{KeyWord, LevelSize};
use crate::sparse::checkpoint::LoadedKeys;
use crate::sparse::exchange::{Exchange, Found};
use crate::sparse::lists::{ListBuilder, Lists};

impl<P: KeyWord> Exchange<P> for Distributed<'_, P> {
    fn size(&self) -> usize {
        self.ranks.size()
    }

    fn owns(&self, shard: usize) -> bool {
        self.cut.owner(shard, self.ranks.size()) == self.ranks.rank()
    }

    fn batch(&self) -> usize {
        self.round
    }

    fn loaded(&self, LoadedKeys { keys, sizes, end }: LoadedKeys) -> Result<LoadedKeys, SolveError> {
        let sizes: Vec<u64> = sizes.iter().flat_map(|size| [size.filled.into(), size.count]).collect();
        let all = self.all_gather(&[&[end.into()], sizes.as_slice()].concat())?;
        let (&end, sizes) = all[0].split_first().ok_or_else(malformed_message)?;
        let of = |&[filled, count]: &[u64; 2]| LevelSize { filled: filled as u32, count };
        Ok(LoadedKeys { keys, sizes: sizes.as_chunks().0.iter().map(of).collect(), end: end as u32 })
    }

    fn share(&self, codes: Vec<P>) -> Result<Vec<P>, SolveError> {
        let mut parts = vec![Vec::new(); self.ranks.size()];
        codes.chunk_by(|&a, &b| self.owner(a) == self.owner(b)).for_each(|share| {
            write_codes(&mut parts[self.owner(share[0])], share.iter().copied());
        });
        let parts = self.all_to_all(parts)?;
        Ok(read_codes(parts.first().ok_or_else(malformed_message)?).collect())
    }

    fn totals(&mut self, count: u64, batches: usize) -> Result<(u64, usize), SolveError> {
        let all = self.all_gather(&[count, batches as u64])?;
        let count = all.iter().map(|of| of[0]).sum();
        self.found += count;
        Ok((count, all.iter().map(|of| of[1]).max().unwrap_or(0) as usize))
    }

    fn gather<'s>(&self, shards: &'s [Vec<P>]) -> Result<Option<Cow<'s, [Vec<P>]>>, SolveError> {
        let mut bytes = Vec::new();
        write_codes(&mut bytes, self.cut.codes(shards));
        // The shares of the ranks follow each other in the order of codes.
        let parts = self.gather_bytes(bytes)?;
        let codes = parts.iter().flat_map(|part| read_codes(part));
        Ok((self.ranks.rank() == 0).then(|| Cow::Owned(self.cut.partition(codes))))
    }

    fn deliver(&self, level: u32, found: Found<P>, taken: &AtomicU64) -> Result<Found<P>, SolveError> {
        let shards = self.cut.shards();
        let message = |rank: usize| {
            let mut message = Vec::new();
            let own = || (0..shards).filter(|&shard| self.cut.owner(shard, self.ranks.size()) == rank);
            for rise in 1..=self.span {
                let lists = found.iter().filter_map(|found| found.get(rise as usize));
                let lists = lists.flat_map(|lists| own().map(|shard| (shard, lists.of(shard))));
                let codes = lists.flat_map(|(shard, lows)| lows.iter().map(move |&low| self.cut.code(shard, low)));
                write_level(&mut message, level + rise, codes);
            }
            message
        };
        let messages = parallel::map(0..self.ranks.size(), message);
        drop(found);
        taken.fetch_add(messages.iter().map(|message| message.len() as u64).sum(), Ordering::Relaxed);
        let received = self.all_to_all(messages)?;
        let lists = |message: Vec<u8>| {
            let builder = |_| ListBuilder::<P>::new(shards, self.cut.below).map_err(|_| self.refused());
            let mut by_rise = (0..=self.span).map(builder).collect::<Result<Vec<_>, _>>()?;
            for (to, codes) in read_levels::<P>(&message).ok_or_else(malformed_message)? {
                let rise = to.checked_sub(level).ok_or_else(malformed_message)?;
                let builder = by_rise.get_mut(rise as usize).ok_or_else(malformed_message)?;
                read_codes(codes).for_each(|code| builder.push(code));
            }
            let lists = by_rise.into_iter().map(|builder| builder.lists().map_err(|_| self.refused()));
            let lists = lists.collect::<Result<Vec<Lists<P>>, _>>()?;
            taken.fetch_add(lists.iter().map(Lists::bytes).sum(), Ordering::Relaxed);
            Ok(lists)
        };
        parallel::try_map(received, lists)
    }

    fn keep(&mut self, level: u32, shards: Vec<Vec<P>>) {
        self.levels[level as usize] = self.cut.codes(&shards).collect();
    }

    fn kept_bytes(&self) -> u64 {
        (self.levels.iter().map(Vec::capacity).sum::<usize>() * size_of::<P>()) as u64
    }
}
