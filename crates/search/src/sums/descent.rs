//! The search: is a part together with a heap of Nim lost for the player to move?
//!
//! A part is equal to a heap of Nim, whose size is its nimber (Sprague 1935, Grundy 1939). A sum of parts is lost if the nimbers of all but one of
//! them, combined by exclusive or, are the nimber of that one. So the largest part is never searched for its nimber, only for whether it is
//! this number (J. Lemoine and S. Viennot, Nimbers are inevitable, 2012).

use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::parts::{Part, after, divided, is_legal};
use crate::rules::Move;

/// What is known of the nimber of a part: at least `least`; if `is_exact`, it is that.
#[derive(Clone, Copy)]
pub(super) struct Nimber {
    least: u16,
    is_exact: bool,
}

/// The nimbers of parts, at most so many of them.
pub(super) struct Memory {
    nimbers: FxHashMap<u128, Nimber>,
    most: usize,
}

impl Memory {
    /// Bytes of an entry while the map doubles.
    const ENTRY: usize = 96;

    /// Memory of at most `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { nimbers: FxHashMap::default(), most: bytes / Self::ENTRY }
    }

    fn store(&mut self, part: &Part, nimber: Nimber) {
        // Forgetting everything is rare, and needs no further memory.
        if self.nimbers.len() >= self.most {
            self.nimbers.clear();
        }
        self.nimbers.insert(part.key, nimber);
    }
}

/// A search of one game.
pub(super) struct Descent<'a, 'b> {
    pub(super) moves: &'a [Move],
    pub(super) memory: &'a mut Memory,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Descent<'_, '_> {
    /// Returns whether a sum of `parts` and a heap of size `heap` is lost. `None` if the search stops.
    pub(super) fn is_sum_lost(&mut self, mut parts: Vec<Part>, mut heap: u16) -> Option<bool> {
        parts.sort_by_key(|part| part.moves.len());
        let Some(largest) = parts.pop() else { return Some(heap == 0) };
        for part in parts {
            heap ^= self.nimber(&part)?;
        }
        self.is_lost(&largest, heap)
    }

    fn nimber(&mut self, part: &Part) -> Option<u16> {
        for heap in 0.. {
            if self.is_lost(part, heap)? {
                return Some(heap);
            }
        }
        None
    }

    /// Returns whether `part` and a heap of size `heap` are lost together.
    fn is_lost(&mut self, part: &Part, heap: u16) -> Option<bool> {
        match self.memory.nimbers.get(&part.key) {
            Some(known) if known.is_exact => return Some(known.least == heap),
            Some(known) if heap < known.least => return Some(false),
            _ => {}
        }
        // Moves in the heap.
        for less in 0..heap {
            if self.is_lost(part, less)? {
                return Some(false);
            }
        }
        self.budget.count()?;
        let mut is_exact = true;
        for parts in self.replies(part)? {
            if self.is_sum_lost(parts, heap)? {
                is_exact = false;
                break;
            }
        }
        // All smaller heaps are won.
        let least = if is_exact { heap } else { heap + 1 };
        self.memory.store(part, Nimber { least, is_exact });
        Some(is_exact)
    }

    /// The positions after each move in `part`, those with the fewest moves left first.
    fn replies(&mut self, part: &Part) -> Option<Vec<Vec<Part>>> {
        let mut replies = Vec::new();
        for &number in &part.moves {
            let m = &self.moves[number as usize];
            if is_legal(m, part.board) {
                self.budget.work(part.moves.len())?;
                replies.push(divided(self.moves, &part.moves, after(m, part.board)));
            }
        }
        replies.sort_by_key(|parts| parts.iter().map(|part| part.moves.len()).sum::<usize>());
        Some(replies)
    }
}
