//! Prefetching: brings lists into a core's cache.

use std::hint::black_box;
use std::ops::BitXor;

/// Reads `list` once in order, if `used` random reads of it are enough to make that pay. Memory delivers a list in
/// order faster than items at random.
#[inline]
pub(crate) fn fetch<T: Copy + Default + BitXor<Output = T>>(list: &[T], used: usize) {
    lines(list, used, |&item| item);
}

/// As [`fetch`], for items of any type. `word` reads a part of an item.
#[inline]
pub(crate) fn lines<I, T: Default + BitXor<Output = T>>(list: &[I], used: usize, word: impl Fn(&I) -> T) {
    /// Bytes of a cache line.
    const LINE: usize = 64;
    let in_line = LINE / size_of::<I>();
    if used > list.len() / in_line / 4 {
        black_box(list.iter().step_by(in_line).fold(T::default(), |all, item| all ^ word(item)));
    }
}
