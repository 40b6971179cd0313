//! The replies to a share of positions, sorted into lists.

use std::collections::TryReserveError;
use std::ops::Range;

use super::moves::Moves;
use crate::reachable::{Codes, Word};

/// Room to find replies in, in the order in which they come.
pub(super) struct Replies<W> {
    codes: Vec<W>,
    /// The list of each.
    lists: Vec<u16>,
}

/// The replies to a share of positions, list by list.
pub(super) struct Lists<W> {
    codes: Vec<W>,
    /// Where each list begins, and where the last one ends.
    starts: Vec<u32>,
}

impl<W: Word> Replies<W> {
    pub(super) const fn new() -> Self {
        Self { codes: Vec::new(), lists: Vec::new() }
    }

    /// The replies to the positions with the codes of `share`, which have equally many filled cells, in `lists` lists: one
    /// for each shard of the next level, then of the one after it, and so on. The top `shard_bits` bits of a code choose
    /// its shard.
    pub(super) fn of(
        &mut self,
        share: &[W],
        moves: &Moves<W>,
        codes: &Codes,
        shard_bits: u32,
        lists: usize,
    ) -> Result<Lists<W>, TryReserveError> {
        let mut starts = Vec::new();
        starts.try_reserve_exact(lists + 1)?;
        starts.resize(lists + 1, 0u32);
        self.codes.clear();
        self.lists.clear();
        let below_shard = codes.bits() - shard_bits;
        for &code in share {
            let (mode, board) = moves.split(codes.key(code));
            let moves = moves.of(mode);
            if moves.ended(board).is_some() {
                continue;
            }
            for word in 0..moves.words() {
                let mut legal = moves.legal(word, board);
                // Room for all of them at once.
                self.codes.try_reserve(u64::BITS as usize)?;
                self.lists.try_reserve(u64::BITS as usize)?;
                while legal != 0 {
                    let (key, fills) = moves.play(64 * word + legal.trailing_zeros() as usize, board);
                    legal &= legal - 1;
                    let code = codes.code_of_key(key);
                    let list = (((fills - 1) as usize) << shard_bits) + code.above(below_shard);
                    self.codes.push(code);
                    self.lists.push(list as u16);
                    starts[list + 1] += 1;
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sorted = Vec::new();
        sorted.try_reserve_exact(self.codes.len())?;
        sorted.resize(self.codes.len(), W::default());
        for (&code, &list) in self.codes.iter().zip(&self.lists) {
            let start = &mut starts[usize::from(list)];
            sorted[*start as usize] = code;
            *start += 1;
        }
        // Every start has moved to the start of the next list.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(Lists { codes: sorted, starts })
    }
}

impl<W> Lists<W> {
    /// The replies in the lists with these numbers.
    pub(super) fn lists(&self, numbers: Range<usize>) -> &[W] {
        &self.codes[self.starts[numbers.start] as usize..self.starts[numbers.end] as usize]
    }
}
