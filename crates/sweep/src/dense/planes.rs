//! The planes of a dense game while they are swept.

use std::marker::PhantomData;

use crate::shared::Shared;

/// The planes of a part of a dense game, equally many for each mode, with `Block`s of bits or `Line`s of bytes; and the planes of other
/// slices, which are finished.
///
/// One thread writes a tile. Other threads read it only after it is finished. All `unsafe` code of `dense` relies on that;
/// `schedule` ensures it.
pub(super) struct SharedPlanes<'a, T> {
    own: Shared<*mut T>,
    /// Values from the planes of one mode to the planes of the next.
    step: usize,
    /// The planes of each mode here, then of each mode in each other slice.
    bases: Vec<Shared<*const T>>,
    memory: PhantomData<&'a mut [T]>,
}

impl<'a, T> SharedPlanes<'a, T> {
    /// The planes of `modes` modes in `memory`. `others` are the planes of other slices.
    pub(super) fn new(modes: usize, memory: &'a mut [T], others: &[&'a [T]]) -> Self {
        let (own, step) = (Shared::new(memory), memory.len() / modes);
        let of = |first: Shared<*const T>, step| (0..modes).map(move |mode| first.from(mode * step));
        let others = others.iter().flat_map(|other| of(Shared::of(other), other.len() / modes));
        let bases = of(own.finished(), step).chain(others).collect();
        Self { own, step, bases, memory: PhantomData }
    }

    /// The address of these planes.
    pub(super) const fn own(&self) -> Shared<*mut T> {
        self.own
    }

    /// Value `number` of the planes of `mode`. It is among them if `number` is below the number of their values.
    #[inline(always)]
    pub(super) const fn at(&self, mode: usize, number: usize) -> *mut T {
        debug_assert!(number < self.step);
        self.own.at(mode * self.step + number)
    }

    /// Value `number` of the planes with number `base`: first of each mode here, then of each mode in each other slice.
    #[inline(always)]
    pub(super) fn finished(&self, base: usize, number: usize) -> *const T {
        debug_assert!(number < self.step);
        self.bases[base].at(number)
    }
}
