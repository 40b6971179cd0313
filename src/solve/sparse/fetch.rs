//! Lists brought into a core's cache.

use std::hint::black_box;
use std::ops::BitXor;

/// Brings `list` into the cache from its beginning to its end, if `used` of its items are about to be used here and there: to
/// wait for each of them takes longer.
#[inline]
pub(in crate::solve) fn fetch<T: Copy + Default + BitXor<Output = T>>(list: &[T], used: usize) {
    lines(list, used, |&item| item);
}

/// The same for other items, of which `word` reads a part.
#[inline]
pub(in crate::solve) fn lines<I, T: Default + BitXor<Output = T>>(list: &[I], used: usize, word: impl Fn(&I) -> T) {
    /// Bytes of a line of the cache.
    const LINE: usize = 64;
    let in_line = LINE / size_of::<I>();
    if used > list.len() / in_line / 4 {
        black_box(list.iter().step_by(in_line).fold(T::default(), |all, item| all ^ word(item)));
    }
}
