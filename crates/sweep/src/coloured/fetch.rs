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
    /// Block `number` of the set that reads. `from` is the first word of the set that is read.
    ///
    /// # Safety
    /// The words of that set are valid for reads, and no thread writes them meanwhile.
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L;
}

/// Block `number` of the set whose first word is at `from`.
///
/// # Safety
/// As [`Fetch::block`], and the set has this block.
#[inline(always)]
unsafe fn read<L: Colourings>(token: L::Token, from: *const u64, number: usize) -> L {
    // SAFETY: the caller promises words that are there and that no thread writes.
    L::load(token, unsafe { &*from.cast::<L::Words>().wrapping_add(number) })
}

/// The two blocks with the successors of block `number`, which compress to one block. The second is empty unless the
/// set that reads has a whole block (`is_whole`).
///
/// # Safety
/// As [`Fetch::block`]; a set with a piece more has twice the blocks, or the same one.
#[inline(always)]
unsafe fn both<L: Colourings>(token: L::Token, from: *const u64, number: usize, is_whole: bool) -> (L, L) {
    // SAFETY: the caller's promise.
    unsafe {
        let here = read::<L>(token, from, number * 2);
        let next = if is_whole { read(token, from, number * 2 + 1) } else { L::none(token) };
        (here, next)
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
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; both sets have equally many blocks.
        unsafe { read(token, from, number) }
    }
}

/// Successors by one piece at a place inside a block. `is_whole` if the set that reads has a block at least.
pub(super) struct Near<const P: u32> {
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Colourings, const P: u32> Fetch<L> for Near<P> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        let (here, next) = unsafe { both::<L>(token, from, number, self.is_whole) };
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
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        let (here, next) = unsafe { both::<L>(token, from, number, self.is_whole) };
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
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; a set with a piece more has twice the blocks.
        unsafe { read(token, from, insert_bit(number, self.place, self.second)) }
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
    ///
    /// # Safety
    /// As [`Fetch::block`].
    unsafe fn before(&self, first: usize, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; each piece doubles the blocks, or there is one before and after.
        unsafe {
            let Some(&Piece { place, second }) = self.pieces.get(first) else {
                return read(token, from, number);
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
}

impl<L: Colourings> Fetch<L> for Many<'_, L> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.before(0, token, from, number) }
    }
}

/// Predecessors by one piece at a place inside a block. `is_whole` if the set that reads has two blocks at least.
pub(super) struct NearBack<const P: u32> {
    pub(super) is_whole: bool,
}

impl<L: Colourings, const P: u32> Fetch<L> for NearBack<P> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // SAFETY: the caller's promise; a set with a piece less has half the blocks, or the same one.
        unsafe { read::<L>(token, from, block) }.expand::<P>(upper)
    }
}

/// As [`NearBack`], with the place as a variable.
pub(super) struct NearBackAt {
    pub(super) place: u32,
    pub(super) is_whole: bool,
}

impl<L: Colourings> Fetch<L> for NearBackAt {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // SAFETY: as for `NearBack`.
        unsafe { read::<L>(token, from, block) }.expand_at(self.place, upper)
    }
}

/// Predecessors by one piece at a place above a block.
pub(super) struct FarBack {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
}

impl<L: Colourings> Fetch<L> for FarBack {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; a set with a piece less has half the blocks.
        unsafe { read(token, from, remove_bit(number, self.place)) }
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
    ///
    /// # Safety
    /// As [`Fetch::block`].
    unsafe fn after(&self, count: usize, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; each piece doubles the blocks, or there is one before and after.
        unsafe {
            let Some(last) = count.checked_sub(1) else { return read(token, from, number) };
            let place = self.pieces[last].place;
            if place >= L::LOG {
                return self.after(last, token, from, remove_bit(number, place - L::LOG));
            }
            let is_whole = self.coloured + last as u32 >= L::LOG;
            let (block, upper) = back(number, is_whole);
            let before = self.after(last, token, from, block);
            before.expand_at(place, upper)
        }
    }
}

impl<L: Colourings> Fetch<L> for ManyBack<'_, L> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.after(self.pieces.len(), token, from, number) }
    }
}
