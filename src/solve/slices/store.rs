//! Where the planes of finished slices are kept: what the solver asks of it.

use std::io;
use std::sync::Arc;

use memmap2::Mmap;

use crate::label::{LabelKind, LabelSet, Width};
use crate::plane::Shape;
use crate::rules::Rules;
use crate::solve::SolveError;
use crate::solve::memory::Memory;

/// What is swept on its own: a label of every board, or what play reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaneKind {
    /// A label.
    Label(LabelKind),
    /// Which boards play reaches.
    Reached,
}

impl PlaneKind {
    /// The plane_kinds of a table with `labels`, in the order in which they are swept and stored; with what play reaches if `marks` is
    /// set.
    pub fn all(labels: LabelSet, marks: bool) -> impl Iterator<Item = Self> {
        let first = [Self::Label(LabelKind::Outcome)].into_iter().chain(marks.then_some(Self::Reached));
        first.chain(labels.others().map(Self::Label))
    }

    /// Its planes on boards of `cells` cells.
    #[must_use]
    pub fn shape(self, rules: &Rules, cells: u32) -> Shape {
        let width = match self {
            Self::Label(kind) => kind.width(rules),
            Self::Reached => Width::One,
        };
        Shape::new(cells, rules.modes().len() as u32, width)
    }
}

/// A plane_kind of one slice in memory: its planes, one after the other.
pub struct SliceBuffer(pub(in crate::solve) Memory);

impl SliceBuffer {
    /// The planes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl SliceBuffer {
    /// A buffer of `bytes` bytes, whose planes are still to be written.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new(bytes: u64) -> Result<Self, SolveError> {
        Memory::new(bytes, None).map(Self)
    }

    /// The planes, to be written.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }

    /// A buffer with these planes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn of(planes: &[u8]) -> Result<Self, SolveError> {
        let mut buffer = Self::new(planes.len() as u64)?;
        buffer.bytes_mut().copy_from_slice(planes);
        Ok(buffer)
    }
}

/// The planes of a finished slice to be read, one after the other.
pub enum View {
    /// Where they lie in a file. Nobody changes them.
    Mapped(Mmap),
    /// In memory.
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

/// One of several processes that sweep together, each a share of the slices of each level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Its number, counted from 0. What is counted in all slices, the first one is told.
    pub process: usize,
    /// How many there are.
    pub processes: usize,
}

/// Why a slice cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// What was kept of it was changed: it has to be swept again.
    #[error("what was kept of a slice was changed")]
    Damaged,
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Where the planes of finished slices are kept. A slice is named by its rank: how many of those that are swept have smaller
/// numbers. The solver sweeps one slice after the other, and reads those that moves lead
/// to; a store may be a file, and outlive the process.
pub trait SliceStore: Sync {
    /// What was counted in a slice, if that plane_kind of it is finished.
    fn tally(&self, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>>;

    /// Whether that plane_kind of a slice is not to be swept any more. Where several processes sweep: whether it was finished before they
    /// began, which all of them know.
    fn is_finished(&self, plane_kind: PlaneKind, rank: u64) -> bool {
        self.tally(plane_kind, rank).is_some()
    }

    /// Which process this is, if several sweep together; then slices are loaded that another one has not finished yet.
    fn share(&self) -> Option<Share> {
        None
    }

    /// That plane_kind of these slices, by rank, is swept by these processes.
    fn assign(&self, _sheet: PlaneKind, _dealt: &[(u64, usize)]) {}

    /// Reads that plane_kind of a finished slice into `planes`. Several threads may read at once.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was saved.
    fn load(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault>;

    /// That plane_kind of a finished slice where the store has it in memory, so that whoever only reads it needs no memory of his own. `None`
    /// if it is to be [loaded](Self::load).
    ///
    /// # Errors
    /// As [`load`](Self::load).
    fn view(&self, _sheet: PlaneKind, _rank: u64) -> Result<Option<View>, StoreFault> {
        Ok(None)
    }

    /// Takes that plane_kind of a slice, which is finished, and what was counted in it. It may be loaded from then on. A store may
    /// return before it is on disk, and hold two buffers meanwhile.
    ///
    /// # Errors
    /// If this one, or one before it, cannot be kept.
    fn save(
        &self,
        plane_kind: PlaneKind,
        rank: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault>;

    /// That plane_kind of a finished slice will be loaded soon: a store may begin to read it.
    fn expect(&self, _sheet: PlaneKind, _rank: u64) {}

    /// From now on that plane_kind of a slice is not finished.
    fn forget(&self, plane_kind: PlaneKind, rank: u64);

    /// Waits until all that was saved is kept, and checks what an earlier process has saved and nobody has loaded yet. Returns
    /// one that is damaged.
    ///
    /// # Errors
    /// If something cannot be kept or read.
    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault>;
}
