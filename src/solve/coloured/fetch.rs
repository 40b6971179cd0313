//! Where the blocks of a successor's labels come from, and those of a predecessor's marks.

use std::marker::PhantomData;

use super::lanes::{Lanes, left_out, put_in};

/// A pair that a move occupies: its place among the occupied pairs afterwards, and its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stone {
    /// How many occupied pairs lie below.
    pub(super) place: u32,
    /// Whether it has the second colour.
    pub(super) second: bool,
}

/// Reads block `number` of labels or marks, moved by the stones of a move.
pub(super) trait Fetch<L: Lanes> {
    /// The block. `from` is the first word of the set that is read.
    ///
    /// # Safety
    /// The words of that set are valid for reads, and no thread writes them meanwhile.
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L;
}

/// The first word of block `number`.
#[inline(always)]
const fn at<L: Lanes>(from: *const u64, number: usize) -> *const u64 {
    from.wrapping_add(number << (L::LOG - 6))
}

/// The two blocks that hold the successors of block `number`: what a stone inside a block leaves of both is one. The second
/// is empty unless the set that asks `is_whole`, a block at least.
///
/// # Safety
/// As [`Fetch::block`]; a set with a stone more has twice the blocks, or the same one.
#[inline(always)]
unsafe fn both<L: Lanes>(token: L::Token, from: *const u64, number: usize, is_whole: bool) -> (L, L) {
    // SAFETY: the caller's promise.
    unsafe {
        let here = L::load(token, at::<L>(from, number * 2));
        let next = if is_whole { L::load(token, at::<L>(from, number * 2 + 1)) } else { L::none(token) };
        (here, next)
    }
}

/// The block that block `number` comes from by a stone inside a block, and whether from its upper half: there are two such
/// blocks if `is_whole`.
#[inline(always)]
const fn back(number: usize, is_whole: bool) -> (usize, bool) {
    if is_whole { (number >> 1, number & 1 == 1) } else { (number, false) }
}

/// A move that occupies no pair: colourings stay as they are.
pub(super) struct Same;

impl<L: Lanes> Fetch<L> for Same {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; the set has as many blocks as the one that asks.
        unsafe { L::load(token, at::<L>(from, number)) }
    }
}

/// Successors: a stone inside a block. `is_whole` unless the successors are fewer than a block and a half.
pub(super) struct Near<const P: u32> {
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Lanes, const P: u32> Fetch<L> for Near<P> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        let (here, next) = unsafe { both::<L>(token, from, number, self.is_whole) };
        here.closed::<P>(next, self.second)
    }
}

/// As [`Near`], at a place that is known when it is read.
pub(super) struct NearAt {
    pub(super) place: u32,
    pub(super) second: bool,
    pub(super) is_whole: bool,
}

impl<L: Lanes> Fetch<L> for NearAt {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        let (here, next) = unsafe { both::<L>(token, from, number, self.is_whole) };
        here.closed_at(next, self.place, self.second)
    }
}

/// Successors: a stone above what a block holds.
pub(super) struct Far {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
    pub(super) second: bool,
}

impl<L: Lanes> Fetch<L> for Far {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; a set with a stone more has twice the blocks.
        unsafe { L::load(token, at::<L>(from, put_in(number, self.place, self.second))) }
    }
}

/// Successors: any stones, the lowest first. `coloured` is the number of occupied pairs before the move.
pub(super) struct Many<'a, L> {
    pub(super) stones: &'a [Stone],
    pub(super) coloured: u32,
    pub(super) lanes: PhantomData<L>,
}

impl<L: Lanes> Many<'_, L> {
    /// The block as it is before the stones from `first` on are put in.
    ///
    /// # Safety
    /// As [`Fetch::block`].
    unsafe fn before(&self, first: usize, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; each stone doubles the blocks, or there is one before and after.
        unsafe {
            let Some(&Stone { place, second }) = self.stones.get(first) else {
                return L::load(token, at::<L>(from, number));
            };
            if place >= L::LOG {
                return self.before(first + 1, token, from, put_in(number, place - L::LOG, second));
            }
            let is_whole = self.coloured + first as u32 >= L::LOG;
            let here = self.before(first + 1, token, from, number * 2);
            let next = if is_whole { self.before(first + 1, token, from, number * 2 + 1) } else { L::none(token) };
            here.closed_at(next, place, second)
        }
    }
}

impl<L: Lanes> Fetch<L> for Many<'_, L> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.before(0, token, from, number) }
    }
}

/// Predecessors: a stone inside a block. The set that asks has more than one block if `is_whole`.
pub(super) struct NearBack<const P: u32> {
    pub(super) is_whole: bool,
}

impl<L: Lanes, const P: u32> Fetch<L> for NearBack<P> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // SAFETY: the caller's promise; a set with a stone less has half the blocks, or the same one.
        unsafe { L::load(token, at::<L>(from, block)) }.opened::<P>(upper)
    }
}

/// As [`NearBack`], at a place that is known when it is read.
pub(super) struct NearBackAt {
    pub(super) place: u32,
    pub(super) is_whole: bool,
}

impl<L: Lanes> Fetch<L> for NearBackAt {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        let (block, upper) = back(number, self.is_whole);
        // SAFETY: as for `NearBack`.
        unsafe { L::load(token, at::<L>(from, block)) }.opened_at(self.place, upper)
    }
}

/// Predecessors: a stone above what a block holds.
pub(super) struct FarBack {
    /// Its place among the numbers of blocks.
    pub(super) place: u32,
}

impl<L: Lanes> Fetch<L> for FarBack {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; a set with a stone less has half the blocks.
        unsafe { L::load(token, at::<L>(from, left_out(number, self.place))) }
    }
}

/// Predecessors: any stones, the lowest first. `coloured` is the number of occupied pairs before the move.
pub(super) struct ManyBack<'a, L> {
    pub(super) stones: &'a [Stone],
    pub(super) coloured: u32,
    pub(super) lanes: PhantomData<L>,
}

impl<L: Lanes> ManyBack<'_, L> {
    /// The block as it is after the first `count` stones were put in.
    ///
    /// # Safety
    /// As [`Fetch::block`].
    unsafe fn after(&self, count: usize, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise; each stone doubles the blocks, or there is one before and after.
        unsafe {
            let Some(last) = count.checked_sub(1) else { return L::load(token, at::<L>(from, number)) };
            let place = self.stones[last].place;
            if place >= L::LOG {
                return self.after(last, token, from, left_out(number, place - L::LOG));
            }
            let is_whole = self.coloured + last as u32 >= L::LOG;
            let (block, upper) = back(number, is_whole);
            let before = self.after(last, token, from, block);
            before.opened_at(place, upper)
        }
    }
}

impl<L: Lanes> Fetch<L> for ManyBack<'_, L> {
    #[inline(always)]
    unsafe fn block(&self, token: L::Token, from: *const u64, number: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.after(self.stones.len(), token, from, number) }
    }
}
