//! Sources of the keys of a level.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::{Deref, Range};

use super::Misplaced;
use crate::compressed::{BlockFault, Bytes};

/// The error that a key cannot be read because the bytes are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// The keys contradict each other.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// A block of the keys cannot be read.
    #[error(transparent)]
    Block(#[from] BlockFault),
}

impl From<Infallible> for Misplaced {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Bytes of keys: a slice in memory, which the solvers use, or a section of a table, which may be in a file.
#[expect(clippy::len_without_is_empty, reason = "nobody asks whether there are keys: a level has some")]
pub trait KeyBytes: Copy {
    /// The error of reading bytes; impossible for a slice.
    type ReadFault;
    /// The error of reading a key: its bytes cannot be read, or are invalid.
    type Fault: From<Misplaced> + From<Self::ReadFault>;
    /// A range of the bytes, in memory.
    type Stretch: Deref<Target = [u8]>;

    /// The keys in `range`; `None` if there are fewer bytes.
    fn get_part(self, range: Range<usize>) -> Option<Self>;

    /// The `N` bytes from `at` on; `None` if there are fewer.
    fn array<const N: usize>(self, at: usize) -> Result<Option<[u8; N]>, Self::ReadFault>;

    /// The bytes of `range`, in memory; `None` if there are fewer.
    fn stretch(self, range: Range<usize>) -> Result<Option<Self::Stretch>, Self::ReadFault>;

    /// The number of bytes.
    fn len(self) -> usize;
}

impl<'a> KeyBytes for &'a [u8] {
    type ReadFault = Infallible;
    type Fault = Misplaced;
    type Stretch = &'a [u8];

    #[inline(always)]
    fn get_part(self, range: Range<usize>) -> Option<Self> {
        self.get(range)
    }

    #[inline(always)]
    fn array<const N: usize>(self, at: usize) -> Result<Option<[u8; N]>, Infallible> {
        Ok(self.get(at..).and_then(<[u8]>::first_chunk).copied())
    }

    #[inline(always)]
    fn stretch(self, range: Range<usize>) -> Result<Option<&'a [u8]>, Infallible> {
        Ok(self.get(range))
    }

    #[inline(always)]
    fn len(self) -> usize {
        <[u8]>::len(self)
    }
}

impl<'a> KeyBytes for Bytes<'a> {
    type ReadFault = BlockFault;
    type Fault = KeyFault;
    type Stretch = Cow<'a, [u8]>;

    #[inline]
    fn get_part(self, range: Range<usize>) -> Option<Self> {
        let is_there = range.start <= range.end && range.end <= Bytes::len(&self);
        is_there.then(|| self.part(range))
    }

    #[inline]
    fn array<const N: usize>(self, at: usize) -> Result<Option<[u8; N]>, BlockFault> {
        Bytes::array(&self, at)
    }

    #[inline]
    fn stretch(self, range: Range<usize>) -> Result<Option<Cow<'a, [u8]>>, BlockFault> {
        self.get_part(range).map(|part| part.all()).transpose()
    }

    #[inline]
    fn len(self) -> usize {
        Bytes::len(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: KeyBytes>(keys: K) {
        assert_eq!(keys.len(), 5);
        let array = |at| keys.array::<2>(at).ok().unwrap();
        assert_eq!([0, 3, 4, 9].map(array), [Some([1, 2]), Some([4, 5]), None, None]);
        let part = keys.get_part(1..4).unwrap();
        assert_eq!((part.len(), part.array::<3>(0).ok().unwrap()), (3, Some([2, 3, 4])));
        assert!(keys.get_part(2..6).is_none() && keys.get_part(5..5).is_some());
        let stretch = |range| keys.stretch(range).ok().unwrap().map(|bytes| bytes.to_vec());
        assert_eq!([stretch(0..5), stretch(2..4), stretch(3..6)], [Some(vec![1, 2, 3, 4, 5]), Some(vec![3, 4]), None]);
    }

    #[test]
    fn parts_of_keys_are_read_from_either_source() {
        let bytes = [1, 2, 3, 4, 5];
        check(&bytes[..]);
        check(Bytes::Plain(&bytes));
    }
}
