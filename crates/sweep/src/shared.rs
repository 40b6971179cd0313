//! Addresses of the planes that the threads of a sweep share.

/// The address of values that the threads of a sweep share: `*mut T` if they are written, `*const T` if they are only read.
///
/// The values are divided into parts. One thread writes a part, and other threads read it only after that thread has
/// finished it: the schedule of the sweep sees to that. This type computes addresses; each access argues for itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<P>(P);

// SAFETY: an address reads and writes nothing. Threads that use it share `T`s and send them to each other.
unsafe impl<T: Send + Sync> Sync for Shared<*mut T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Send for Shared<*mut T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<*const T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Send for Shared<*const T> {}

impl<T> Shared<*mut T> {
    /// The address of values to be read and written.
    pub(super) const fn new(values: &mut [T]) -> Self {
        Self(values.as_mut_ptr())
    }

    /// The same values, to be read where they are finished.
    pub(super) const fn finished(self) -> Shared<*const T> {
        Shared(self.0.cast_const())
    }

    /// The address of the value with this number.
    #[inline(always)]
    pub(super) const fn at(self, number: usize) -> *mut T {
        self.0.wrapping_add(number)
    }
}

impl<T> Shared<*const T> {
    /// The address of values that are only read.
    pub(super) const fn of(values: &[T]) -> Self {
        Self(values.as_ptr())
    }

    /// The address of the value with this number.
    #[inline(always)]
    pub(super) const fn at(self, number: usize) -> *const T {
        self.0.wrapping_add(number)
    }

    /// The address of the same values as values of another type.
    pub(super) const fn cast<U>(self) -> Shared<*const U> {
        Shared(self.0.cast())
    }

    /// The values from number `first` on.
    pub(super) const fn from(self, first: usize) -> Self {
        Self(self.at(first))
    }
}
