//! The interface of a store for the planes of finished slices.

use std::io;
use std::sync::Arc;

use memmap2::Mmap;

use crate::SolveError;
use crate::memory::Memory;
use crate::plane::PlaneKind;

/// The planes of one kind of one slice in memory, one after the other.
pub struct SliceBuffer(pub(crate) Memory);

impl SliceBuffer {
    /// The planes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// A buffer of `bytes` bytes. Its planes are still to be written.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(bytes: u64) -> Result<Self, SolveError> {
        Memory::new(bytes, None).map(Self)
    }

    /// The planes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }

    /// A buffer with these planes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn of(planes: &[u8]) -> Result<Self, SolveError> {
        let mut buffer = Self::new(planes.len() as u64)?;
        buffer.bytes_mut().copy_from_slice(planes);
        Ok(buffer)
    }
}

/// The planes of a finished slice, to be read.
pub enum View {
    /// A mapped part of a file that does not change.
    Mapped(Mmap),
    /// A buffer in memory.
    Buffer(Arc<SliceBuffer>),
}

impl View {
    /// The planes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Buffer(buffer) => buffer.bytes(),
        }
    }
}

/// One of several processes that share the slices of each level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The number of this process, from 0. Process 0 adds up the tallies.
    pub process: usize,
    /// The number of processes.
    pub processes: usize,
}

/// A slice cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// The kept planes were changed: the slice must be swept again.
    #[error("a kept slice was changed")]
    Damaged,
    /// The system refused to read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A store for the planes of finished slices. The rank of a slice is its place among the swept slices by number. A
/// store may be a file and outlive the process.
pub trait SliceStore: Sync {
    /// The tally of planes of one kind of a slice, if they are finished.
    fn tally(&self, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>>;

    /// True if planes of one kind of a slice need no sweep. With several processes, this means that they were finished
    /// before these processes started, on which all of them agree.
    fn is_finished(&self, plane_kind: PlaneKind, rank: u64) -> bool {
        self.tally(plane_kind, rank).is_some()
    }

    /// The share of this process, if several sweep together. The solver may then load slices that another process is
    /// still sweeping.
    fn share(&self) -> Option<Share> {
        None
    }

    /// Takes note of which process sweeps which slice, as pairs of rank and process.
    fn assign(&self, _plane_kind: PlaneKind, _dealt: &[(u64, usize)]) {}

    /// Reads planes of one kind of a finished slice into `planes`. Several threads may read at once.
    ///
    /// # Errors
    /// If the planes cannot be read, or were changed since they were saved.
    fn load(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault>;

    /// The planes of a finished slice where the store has them in memory, so that a reader needs no buffer. `None` if
    /// they must be [loaded](Self::load).
    ///
    /// # Errors
    /// As [`load`](Self::load).
    fn view(&self, _plane_kind: PlaneKind, _rank: u64) -> Result<Option<View>, StoreFault> {
        Ok(None)
    }

    /// Takes planes of one kind of a finished slice, and their tally. They may be loaded from then on. A store may
    /// return before they are on disk, and hold two buffers meanwhile.
    ///
    /// # Errors
    /// If these planes, or earlier ones, cannot be kept.
    fn save(
        &self,
        plane_kind: PlaneKind,
        rank: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault>;

    /// Announces that planes of a finished slice will be loaded soon. A store may begin to read them.
    fn expect(&self, _plane_kind: PlaneKind, _rank: u64) {}

    /// Makes planes of one kind of a slice unfinished.
    fn forget(&self, plane_kind: PlaneKind, rank: u64);

    /// Waits until all saved planes are kept, and checks the planes of earlier processes that were not loaded yet.
    /// Returns a damaged slice, if there is one.
    ///
    /// # Errors
    /// If planes cannot be kept or read.
    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault>;
}
