//! Reads of successors' labels, and of predecessors' reachability bits, block by block.
//!
//! The successor's set has the pieces of the move in addition to the pieces of the set that reads. So the labels of one
//! block's successors come from several blocks, compressed (see [`Colourings`]); predecessors come from a part of one
//! block, expanded.

use std::marker::PhantomData;

use crate::simd::{Colourings, insert_bit, remove_bit};

/// A piece that a move puts on a two-colour square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Its place among the occupied two-colour squares after the move, from the lowest.
    pub(super) place: u32,
    /// `true` if it has the second colour.
    pub(super) second: bool,
}

/// A way to read blocks of another set, by the pieces of a move.
pub(super) trait Fetch<L: Colourings> {
    /// Block `number` of the set that reads. `from` are the blocks of the set that is read.
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L;
}

/// The blocks of a set in a plane, to be read.
#[derive(Clone, Copy)]
pub(super) struct SetBlocks(*const u64);

impl SetBlocks {
    /// The blocks of the set whose first word is at `first`.
    ///
    /// # Safety
    /// As long as copies of this are used:
    /// - Bytes: the words of the set lie in one plane from `first` on. [`Fetch::block`] is asked for blocks of the set that
    ///   reads only, and knows the pieces by which the sets differ, so it reads blocks that the set has.
    /// - Alignment: `first` is aligned to a word, and blocks are arrays of words.
    /// - Threads: no thread writes these words.
    #[inline(always)]
    pub(super) const unsafe fn new(first: *const u64) -> Self {
        Self(first)
    }

    /// Block `number`.
    #[inline(always)]
    fn block<L: Colourings>(self, token: L::Token, number: usize) -> L {
        // SAFETY: the caller of `new` promised that the block is inside the set, aligned, and not written.
        L::load(token, unsafe { &*self.0.cast::<L::Words>().wrapping_add(number) })
    }

    /// The two blocks with the successors of block `number`, which compress to one block: a set with a piece more has
    /// twice the blocks, or the same one. The second is empty unless the set that reads has a whole block (`is_whole`).
    #[inline(always)]
    fn both<L: Colourings>(self, token: L::Token, number: usize, is_whole: bool) -> (L, L) {
        let here = self.block::<L>(token, number * 2);
        let next = if is_whole { self.block(token, number * 2 + 1) } else { L::none(token) };
        (here, next)
    }
}

/// The blocks of a set in a plane that this thread writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OwnBlocks(*mut u64);

impl OwnBlocks {
    /// The blocks of the set whose first word is at `first`.
    ///
    /// # Safety
    /// As long as copies of this are used:
    /// - Bytes: the words of the set lie in one plane from `first` on, and [`words`](Self::words) is asked for blocks of
    ///   this thread's part of the set only.
    /// - Alignment: as [`SetBlocks::new`].
    /// - Threads: no other thread reads or writes this part.
    #[inline(always)]
    pub(super) const unsafe fn new(first: *mut u64) -> Self {
        Self(first)
    }

    /// The blocks `words` words on: of the plane of losses that follows a plane of wins.
    #[inline(always)]
    pub(super) const fn further(self, words: usize) -> Self {
        Self(self.0.wrapping_add(words))
    }

    /// The words of block `number`.
    #[inline(always)]
    pub(super) fn words<L: Colourings>(&mut self, number: usize) -> &mut L::Words {
        // SAFETY: the caller of `new` promised that the block is inside the part, aligned, and this thread's. The reference
        // borrows this handle, and references from its copies are used one at a time.
        unsafe { &mut *self.0.cast::<L::Words>().wrapping_add(number) }
    }
}

/// The block whose half expands to block `number`, and whether it is the upper half. A set that reads without
/// `is_whole` has one block, which comes from the lower half.
#[inline(always)]
const fn back(number: usize, is_whole: bool) -> (usize, bool) {
    if is_whole { (number >> 1, number & 1 == 1) } else { (number, false) }
}

/// A move without pieces on two-colour squares: colourings stay as they are.
pub(super) struct Same;

impl<L: Colourings> Fetch<L> for Same {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        // Both sets have equally many blocks.
        from.block(token, number)
    }
}

/// Successors by one piece at a place inside a block. `is_whole` if the set that reads has a block at least.
pub(super) struct Near<const P: u32> {
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Colourings, const P: u32> Fetch<L> for Near<P> {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (here, next) = from.both::<L>(token, number, self.is_whole);
        here.compress::<P>(next, self.second)
    }
}

/// As [`Near`], with the place as a variable.
pub(super) struct NearAt {
    pub(super) place: u32,
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Colourings> Fetch<L> for NearAt {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (here, next) = from.both::<L>(token, number, self.is_whole);
        here.compress_at(next, self.place, self.second)
    }
}

/// Successors by one piece at a place above a block.
pub(super) struct Far {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
    pub(super) second: bool,
}

impl<L: Colourings> Fetch<L> for Far {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        // A set with a piece more has twice the blocks.
        from.block(token, insert_bit(number, self.place, self.second))
    }
}

/// Successors by any pieces, the lowest first. `coloured` is the number of occupied two-colour squares before the move.
pub(super) struct Many<'a, L> {
    pub(super) pieces: &'a [Piece],
    pub(super) coloured: u32,
    pub(super) lanes: PhantomData<L>,
}

impl<L: Colourings> Many<'_, L> {
    /// The block as it is before the pieces from `first` on are put in.
    /// Each piece doubles the blocks, or there is one before and after.
    fn before(&self, first: usize, token: L::Token, from: SetBlocks, number: usize) -> L {
        let Some(&Piece { place, second }) = self.pieces.get(first) else {
            return from.block(token, number);
        };
        if place >= L::LOG {
            return self.before(first + 1, token, from, insert_bit(number, place - L::LOG, second));
        }
        let is_whole = self.coloured + first as u32 >= L::LOG;
        let here = self.before(first + 1, token, from, number * 2);
        let next = if is_whole { self.before(first + 1, token, from, number * 2 + 1) } else { L::none(token) };
        here.compress_at(next, place, second)
    }
}

impl<L: Colourings> Fetch<L> for Many<'_, L> {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        self.before(0, token, from, number)
    }
}

/// Predecessors by one piece at a place inside a block. `is_whole` if the set that reads has two blocks at least.
pub(super) struct NearBack<const P: u32> {
    pub(super) is_whole: bool,
}

impl<L: Colourings, const P: u32> Fetch<L> for NearBack<P> {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // A set with a piece less has half the blocks, or the same one.
        from.block::<L>(token, block).expand::<P>(upper)
    }
}

/// As [`NearBack`], with the place as a variable.
pub(super) struct NearBackAt {
    pub(super) place: u32,
    pub(super) is_whole: bool,
}

impl<L: Colourings> Fetch<L> for NearBackAt {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        from.block::<L>(token, block).expand_at(self.place, upper)
    }
}

/// Predecessors by one piece at a place above a block.
pub(super) struct FarBack {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
}

impl<L: Colourings> Fetch<L> for FarBack {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        // A set with a piece less has half the blocks.
        from.block(token, remove_bit(number, self.place))
    }
}

/// Predecessors by any pieces, the lowest first. `coloured` is the number of occupied two-colour squares before the move.
pub(super) struct ManyBack<'a, L> {
    pub(super) pieces: &'a [Piece],
    pub(super) coloured: u32,
    pub(super) lanes: PhantomData<L>,
}

impl<L: Colourings> ManyBack<'_, L> {
    /// The block as it is after the first `count` pieces were put in.
    /// Each piece doubles the blocks, or there is one before and after.
    fn after(&self, count: usize, token: L::Token, from: SetBlocks, number: usize) -> L {
        let Some(last) = count.checked_sub(1) else { return from.block(token, number) };
        let place = self.pieces[last].place;
        if place >= L::LOG {
            return self.after(last, token, from, remove_bit(number, place - L::LOG));
        }
        let is_whole = self.coloured + last as u32 >= L::LOG;
        let (block, upper) = back(number, is_whole);
        self.after(last, token, from, block).expand_at(place, upper)
    }
}

impl<L: Colourings> Fetch<L> for ManyBack<'_, L> {
    #[inline(always)]
    fn block(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        self.after(self.pieces.len(), token, from, number)
    }
}
