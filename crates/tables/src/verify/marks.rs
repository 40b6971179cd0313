//! Recomputes reachability, either as bits that several threads set, or for one position at a time.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::Finding;
use crate::packed::{BlockFault, Bytes};
use crate::rules::{Position, Rules};

/// Bits, at first all zero, in bytes as a table has them.
pub(super) struct Marks(Vec<AtomicU8>);

impl Marks {
    /// Bits for `bytes` bytes, all zero.
    pub(super) fn new(bytes: u64) -> Self {
        Self((0..bytes).map(|_| AtomicU8::new(0)).collect())
    }

    /// Sets a bit.
    pub(super) fn mark(&self, bit: u64) {
        let (byte, mask) = (&self.0[(bit / 8) as usize], 1 << (bit % 8));
        // Most positions are reached many times: a load is cheaper than a store that other threads wait for.
        if byte.load(Ordering::Relaxed) & mask == 0 {
            byte.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// Returns whether a bit is set.
    pub(super) fn has(&self, bit: u64) -> bool {
        self.0[(bit / 8) as usize].load(Ordering::Relaxed) >> (bit % 8) & 1 == 1
    }

    /// The first bit that differs from `found`, which has equally many bytes; `None` if they are equal.
    ///
    /// # Errors
    /// If a packed block before it cannot be unpacked.
    pub(super) fn first_other(&self, found: Bytes<'_>) -> Result<Option<u64>, BlockFault> {
        /// Bytes that one task compares.
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

/// Returns whether `position` is marked, as `is_marked` says, if it is marked as it should be where play is followed from `roots`.
///
/// Play reaches exactly the roots and what it leads to from positions that it reaches. So it is enough that each marked position is a
/// root or follows from a marked one, and no other is: by induction over the filled cells there is one such set.
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
    let from = undone.flat_map(move |m| {
        // Some of the cells that the move fills may have been filled before.
        let fills = m.fills & !m.full;
        let free = fills & !m.empty;
        free.subsets().map(move |held| Position::new(m.mode, (position.board & !fills) | held))
    });
    from.filter(move |&before| rules.moves_from(before).any(|m| m.play(before) == position))
}
