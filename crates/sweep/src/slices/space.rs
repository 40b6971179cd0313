//! The slices of a game as a plan sees them: which there are, which depend on which, and how large they are.

use std::fmt::Debug;

use super::PlaneKind;
use crate::symmetry::SliceClasses;

/// The slices of a game, each with a number.
pub(crate) trait SliceSpace: Debug {
    /// The number of slice cells or slice squares.
    fn cells(&self) -> u32;

    /// The number of slices to sweep: up to symmetry, of representatives.
    fn slices(&self) -> u64;

    /// The slices to sweep, in ascending order.
    fn swept(&self) -> Vec<u64>;

    /// The slices that `slice` depends on for planes of `plane_kind`.
    fn needed(&self, slice: u64, plane_kind: PlaneKind) -> Vec<u64>;

    /// A bound on [`needed`](Self::needed) for planes of any kind, if there are too many slices to look at each.
    fn most_needed(&self) -> Option<u64> {
        None
    }

    /// The representative of `slice`, which is swept and stored in its place.
    fn stored(&self, slice: u64) -> u64;

    /// True if the planes of `slice` are the planes of its representative.
    fn is_as_stored(&self, slice: u64) -> bool {
        self.stored(slice) == slice
    }

    /// The rank of `slice`, a representative: how many representatives have smaller numbers.
    fn rank_of(&self, slice: u64) -> u64;

    /// The symmetry classes, if only representatives are swept.
    fn folding(&self) -> Option<Folding<'_>>;

    /// The number of positions in the slices to sweep.
    fn positions(&self) -> u64;

    /// The number of positions in `slice`.
    fn positions_of(&self, slice: u64) -> u64;

    /// The number of planes of one kind.
    fn planes(&self, plane_kind: PlaneKind) -> u64;

    /// Bytes of one plane of one kind of `slice`.
    fn plane_bytes(&self, plane_kind: PlaneKind, slice: u64) -> u64;

    /// Bytes of the planes of one kind of `slice`.
    fn bytes(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        self.planes(plane_kind) * self.plane_bytes(plane_kind, slice)
    }

    /// True if all slices have one size. Then they share buffers, and are loaded several at once.
    fn are_equal(&self) -> bool {
        false
    }

    /// Bytes of the buffer for the planes of one kind of `slice`, as a plan counts them.
    fn room(&self, plane_kind: PlaneKind, slice: u64) -> u64 {
        self.bytes(plane_kind, slice)
    }

    /// Bytes of memory besides the buffers of other slices while `slice`, which depends on `needed`, is swept after
    /// `before`.
    fn beside(&self, plane_kind: PlaneKind, slice: u64, before: Option<u64>, needed: &[u64]) -> u64;

    /// The slice with the most positions.
    fn largest(&self) -> u64;

    /// Bytes of the buffers of other slices with which nothing is loaded twice.
    fn all_bytes(&self, plane_kind: PlaneKind) -> u64;

    /// The part of `max_bytes` bytes that whole buffers fill.
    fn of_whole_buffers(&self, max_bytes: u64) -> u64 {
        max_bytes
    }

    /// Bytes of bookkeeping for `plane_kinds` plane kinds.
    fn bookkeeping(&self, plane_kinds: u64) -> u64;

    /// How long it takes to count the loads of a sweep.
    fn counting_time(&self) -> CountingTime;
}

/// How long it takes to count the loads of a sweep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountingTime {
    Moment,
    /// Too long for an estimate.
    Long,
    /// Too long for a build.
    TooLong,
}

/// The symmetry classes of slices.
pub(crate) struct Folding<'a> {
    pub(crate) classes: &'a SliceClasses,
    /// The representatives of the classes, in ascending order.
    pub(crate) stored: &'a [u64],
    /// Each slice of a class is cut into 2^`more` slices.
    pub(crate) more: u32,
}
