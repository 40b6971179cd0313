//! How far a piece of work is, told while it goes on.

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The system hands out memory, counted in bytes.
    Allocate,
    /// Every board is labelled, counted in positions.
    Sweep,
    /// The positions that play can reach are found.
    Find,
    /// The positions found are labelled.
    Label,
    /// A file is written, counted in bytes.
    Write,
}

/// How far the current phase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The phase.
    pub phase: Phase,
    /// How much of it is done, from its beginning.
    pub done: u64,
    /// How much there is to do, if that is known.
    pub total: Option<u64>,
}
