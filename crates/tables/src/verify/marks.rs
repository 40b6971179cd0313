//! Recomputation of reachability: as bits that several threads set, or for one position at a time.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::Finding;
use crate::compressed::{BlockFault, Bytes};
use crate::rules::{Position, Rules};

/// Reachability bits in the byte order of a table, initially all zero.
pub(super) struct Marks(Vec<AtomicU8>);

impl Marks {
    /// Bits for `bytes` bytes, all zero.
    pub(super) fn new(bytes: u64) -> Self {
        Self((0..bytes).map(|_| AtomicU8::new(0)).collect())
    }

    /// Sets a bit.
    pub(super) fn mark(&self, bit: u64) {
        let (byte, mask) = (&self.0[(bit / 8) as usize], 1 << (bit % 8));
        // Most positions are reached many times, and a load is cheaper than a store that other threads wait for.
        if byte.load(Ordering::Relaxed) & mask == 0 {
            byte.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// True if a bit is set.
    pub(super) fn has(&self, bit: u64) -> bool {
        self.0[(bit / 8) as usize].load(Ordering::Relaxed) >> (bit % 8) & 1 == 1
    }

    /// The first bit that differs from `found`, which must have the same number of bytes; `None` if all are equal.
    ///
    /// # Errors
    /// If a compressed block before that bit cannot be decompressed.
    pub(super) fn first_other(&self, found: Bytes<'_>) -> Result<Option<u64>, BlockFault> {
        /// Bytes per task.
        const PIECE: usize = 1 << 20;
        let in_piece = |(number, piece): (usize, Bytes<'_>)| {
            let found = match piece.all() {
                Ok(found) => found,
                Err(fault) => return Some(Err(fault)),
            };
            let others =
                found.iter().zip(&self.0[number * PIECE..]).map(|(found, own)| found ^ own.load(Ordering::Relaxed));
            let (at, other) = others.enumerate().find(|&(_, other)| other != 0)?;
            Some(Ok((number * PIECE + at) as u64 * 8 + u64::from(other.trailing_zeros())))
        };
        found.par_pieces(PIECE).enumerate().find_map_first(in_piece).transpose()
    }
}

/// True if `position` is marked as reachable, according to `is_marked`, after checking that the mark is right for play
/// from `roots`.
///
/// The reachable positions are exactly the roots and the successors of reachable positions. Only one set has this
/// property, by induction over the filled cells. So it is enough to check that a position is marked exactly if it is a
/// root or a successor of a marked position.
pub(super) fn is_reached(
    rules: &Rules,
    roots: &[Position],
    position: Position,
    is_marked: impl Fn(Position) -> Result<bool, BlockFault>,
) -> Result<bool, Finding> {
    let found = is_marked(position)?;
    let mut expected = roots.contains(&position);
    for before in before(rules, position) {
        if expected {
            break;
        }
        expected = is_marked(before)?;
    }
    match (found, expected) {
        (true, false) => Err(Finding::Unreached { position }),
        (false, true) => Err(Finding::Unmarked { position }),
        _ => Ok(found),
    }
}

/// The predecessors of `position`.
fn before(rules: &Rules, position: Position) -> impl Iterator<Item = Position> {
    let undone = rules.moves().iter().filter(move |m| m.next == position.mode && position.board.contains(m.fills));
    undone.flat_map(move |m| {
        // Some of the cells that the move fills may have been filled before.
        let fills = m.fills & !m.full;
        let free = fills & !m.empty;
        let from = free.subsets().map(move |held| Position::new(m.mode, (position.board & !fills) | held));
        from.filter(move |&before| rules.leads(m, before, position))
    })
}
