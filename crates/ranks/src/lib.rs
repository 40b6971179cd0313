//! Several processes, usually on several machines, that solve one game together.
//!
//! The processes are the *ranks* of a job, numbered from 0. Rank 0 plans, keeps the journal and writes the table; the other ranks follow
//! its orders. All of this is written against the small trait [`Transport`]. Two types implement it: `mpi::Mpi` (with the feature `mpi`), and
//! [`ThreadRank`], a thread of one process, for tests.
//!
//! ```text
//! solver (this rank's share) ── Cluster ── transport thread ── Transport: MPI, or threads
//!        │                                 heartbeats, collective operations, messages
//!        └ DistributedSlices ── server thread: sends finished slices to others, receives theirs
//! ```
//!
//! - `transport`: the trait. `thread_ranks`, `mpi`: its implementations.
//! - `connection`: [`Cluster`], a rank's connection to the others. `collectives`: its all-to-all and all-gather.
//! - `transport_thread`: the thread that sends and receives. `inbox`: received messages. `message`: kinds of messages. `error`: why a job fails.
//! - `slices`: the slice store of a rank. `requests`: which slices it requests from others. `home`: where ranks store theirs. `spill`: the
//!   temporary file of a rank that does not see the folder of the table.

mod collectives;
mod connection;
mod error;
mod home;
mod inbox;
mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
mod requests;
mod slices;
mod spill;
mod thread_ranks;
mod transport;
mod transport_thread;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tablegen_solvers as solve;
use tablegen_tables::table;

pub use connection::{Cluster, ClusterConfig};
pub use error::ClusterError;
pub use home::{SliceHome, SliceHomes};
pub use message::MessageKind;
pub use requests::SliceKey;
pub use slices::DistributedSlices;
pub use tablegen_solvers::TrafficTotals;
pub use thread_ranks::{ThreadRank, thread_ranks};
pub use transport::Transport;

/// A panic in another thread ends the job anyway, so a poisoned lock is taken like another.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `changed`, or for a moment: the end of the job wakes no thread that waits, so it looks from time to time.
fn wait_a_moment<'g, T>(changed: &Condvar, guard: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
    changed.wait_timeout(guard, Duration::from_millis(50)).unwrap_or_else(PoisonError::into_inner).0
}
