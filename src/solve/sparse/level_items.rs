//! The items of a level: in memory of this process, or in memory that several processes see.

use std::marker::PhantomData;
use std::ops::Deref;

use memmap2::Mmap;

use crate::solve::memory::{Plain, values};

/// The items of a level.
pub(super) enum LevelItems<T> {
    Own(Vec<T>),
    /// As several processes have written them.
    Common(Box<dyn Deref<Target = [T]> + Send + Sync>),
}

impl<T> Default for LevelItems<T> {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl<T> From<Vec<T>> for LevelItems<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Own(items)
    }
}

impl<T> Deref for LevelItems<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::Own(items) => items,
            Self::Common(items) => items,
        }
    }
}

impl<T: Plain + Send + Sync + 'static> LevelItems<T> {
    /// The items that `map` shows.
    pub(super) fn common(map: Mmap) -> Self {
        Self::Common(Box::new(Shown { map, of: PhantomData }))
    }
}

impl<T: Clone> LevelItems<T> {
    /// Bytes of memory of them.
    pub(super) fn bytes(&self) -> u64 {
        let items = match self {
            Self::Own(items) => items.capacity(),
            Self::Common(items) => items.len(),
        };
        (items * size_of::<T>()) as u64
    }

    /// Takes them out, if they are this process's own; others stay.
    pub(super) fn take_own(&mut self) -> Option<Vec<T>> {
        match self {
            Self::Own(items) => Some(std::mem::take(items)),
            Self::Common(_) => None,
        }
    }

    /// All of them, in memory of this process.
    pub(super) fn into_own(self) -> Vec<T> {
        match self {
            Self::Own(items) => items,
            Self::Common(items) => items.to_vec(),
        }
    }
}

/// Items where they lie.
struct Shown<T> {
    map: Mmap,
    of: PhantomData<T>,
}

impl<T: Plain> Deref for Shown<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        values(&self.map)
    }
}
