//! Reads of successors' labels, and of predecessors' reachability bits, block by block.
//!
//! The successor's set has the pieces of the move in addition to the pieces of the set that reads. So the labels of one
//! block's successors come from several blocks, compressed (see [`Colourings`]); predecessors come from a part of one
//! block, expanded.

use crate::simd::{Colourings, insert_bit, remove_bit};

/// A piece that a move puts on a two-colour square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Its place among the occupied two-colour squares after the move, from the lowest.
    pub(super) place: u32,
    /// `true` if it has the second colour.
    pub(super) second: bool,
}

/// A way to read blocks of another set, by the pieces of a move. `number` is a block of the set that reads, and `from` are the blocks of
/// the set that is read.
pub(super) trait Fetch<L: Colourings> {
    /// The successors: `from` has the pieces in addition.
    fn successors(&self, token: L::Token, from: SetBlocks, number: usize) -> L;

    /// The predecessors: `from` lacks the pieces.
    fn predecessors(&self, token: L::Token, from: SetBlocks, number: usize) -> L;
}

/// The blocks of a set in a plane, to be read.
#[derive(Clone, Copy)]
pub(super) struct SetBlocks(*const u64);

impl SetBlocks {
    /// The blocks of the set whose first word is at `first`.
    ///
    /// # Safety
    /// As long as copies of this are used:
    /// - Bytes: the words of the set lie in one plane from `first` on. [`Fetch`] is asked for blocks of the set that
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

/// A move without pieces on two-colour squares: colourings stay as they are, and both sets have equally many blocks.
pub(super) struct Same;

impl<L: Colourings> Fetch<L> for Same {
    #[inline(always)]
    fn successors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        from.block(token, number)
    }

    #[inline(always)]
    fn predecessors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        from.block(token, number)
    }
}

/// A place inside a block, at which a piece is put in or taken out.
pub(super) trait PlaceInside {
    /// [`Colourings::compress`] at this place.
    fn compress<L: Colourings>(&self, here: L, next: L, second: bool) -> L;

    /// [`Colourings::expand`] at this place.
    fn expand<L: Colourings>(&self, block: L, upper: bool) -> L;
}

/// A place that is known when the program is compiled.
pub(super) struct Place<const P: u32>;

impl<const P: u32> PlaceInside for Place<P> {
    #[inline(always)]
    fn compress<L: Colourings>(&self, here: L, next: L, second: bool) -> L {
        here.compress::<P>(next, second)
    }

    #[inline(always)]
    fn expand<L: Colourings>(&self, block: L, upper: bool) -> L {
        block.expand::<P>(upper)
    }
}

/// Any place.
pub(super) struct AnyPlace(pub(super) u32);

impl PlaceInside for AnyPlace {
    #[inline(always)]
    fn compress<L: Colourings>(&self, here: L, next: L, second: bool) -> L {
        here.compress_at(next, self.0, second)
    }

    #[inline(always)]
    fn expand<L: Colourings>(&self, block: L, upper: bool) -> L {
        block.expand_at(self.0, upper)
    }
}

/// One piece at a place inside a block. `is_whole` if the set without the piece has a block at least.
pub(super) struct Near<P> {
    pub(super) place: P,
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Colourings, P: PlaceInside> Fetch<L> for Near<P> {
    #[inline(always)]
    fn successors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (here, next) = from.both::<L>(token, number, self.is_whole);
        self.place.compress(here, next, self.second)
    }

    #[inline(always)]
    fn predecessors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // A set with a piece less has half the blocks, or the same one.
        self.place.expand(from.block::<L>(token, block), upper)
    }
}

/// One piece at a place above a block.
pub(super) struct Far {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
    pub(super) second: bool,
}

impl<L: Colourings> Fetch<L> for Far {
    #[inline(always)]
    fn successors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        // A set with a piece more has twice the blocks.
        from.block(token, insert_bit(number, self.place, self.second))
    }

    #[inline(always)]
    fn predecessors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        // A set with a piece less has half the blocks.
        from.block(token, remove_bit(number, self.place))
    }
}

/// Any pieces, the lowest first. `coloured` is the number of occupied two-colour squares without them. Each piece doubles the blocks, or there
/// is one block with and without it.
pub(super) struct Many<'a> {
    pub(super) pieces: &'a [Piece],
    pub(super) coloured: u32,
}

impl Many<'_> {
    /// The block as it is before the pieces from `first` on are put in.
    fn before<L: Colourings>(&self, first: usize, token: L::Token, from: SetBlocks, number: usize) -> L {
        let Some(&Piece { place, second }) = self.pieces.get(first) else {
            return from.block(token, number);
        };
        if place >= L::LOG {
            return self.before(first + 1, token, from, insert_bit(number, place - L::LOG, second));
        }
        let is_whole = self.coloured + first as u32 >= L::LOG;
        let here: L = self.before(first + 1, token, from, number * 2);
        let next = if is_whole { self.before(first + 1, token, from, number * 2 + 1) } else { L::none(token) };
        here.compress_at(next, place, second)
    }

    /// The block as it is after the first `count` pieces were put in.
    fn after<L: Colourings>(&self, count: usize, token: L::Token, from: SetBlocks, number: usize) -> L {
        let Some(last) = count.checked_sub(1) else { return from.block(token, number) };
        let place = self.pieces[last].place;
        if place >= L::LOG {
            return self.after(last, token, from, remove_bit(number, place - L::LOG));
        }
        let is_whole = self.coloured + last as u32 >= L::LOG;
        let (block, upper) = back(number, is_whole);
        self.after::<L>(last, token, from, block).expand_at(place, upper)
    }
}

impl<L: Colourings> Fetch<L> for Many<'_> {
    #[inline(always)]
    fn successors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        self.before(0, token, from, number)
    }

    #[inline(always)]
    fn predecessors(&self, token: L::Token, from: SetBlocks, number: usize) -> L {
        self.after(self.pieces.len(), token, from, number)
    }
}
