//! Several processes, mostly on several machines, that solve one game together.
//!
//! The processes are the *ranks* of a job: 0, 1, 2 … Rank 0 plans, keeps the journal and writes the table; the others do what it
//! orders. Everything that decides is written against one small trait ([`Ranks`]), with two implementations: MPI (with the feature
//! `mpi`), and threads of one process, which the tests use.
//!
//! ```text
//! solve (this rank's share) ── Cluster ── post: the thread that sends and receives ── Ranks: MPI, or threads
//!        │                                   heartbeats, collective exchanges, mail
//!        └ RegionStore ── server: gives finished regions to others, fetches theirs
//! ```
//!
//! - `ranks`: what is asked of a transport. `local`: threads of one process. `mpi`: MPI.
//! - `post`: the thread that sends and receives; who is silent for too long is taken for dead.
//! - `together`: what all ranks do at once: exchanges, broadcasts, barriers.
//! - `regions`: where each rank finds finished regions. `traffic`: what it asks others for, and how much of that is in memory.
//! - `seat`: where each rank keeps them, and who sees that. `spill`: finished regions of a rank that does not see the folder of the table.

mod local;
#[cfg(feature = "mpi")]
pub mod mpi;
mod post;
mod ranks;
mod regions;
mod seat;
mod spill;
mod together;
mod traffic;

pub use local::{Local, local};
pub(crate) use post::Mail;
pub use post::{Cluster, Lost, Manners};
pub use ranks::Ranks;
pub(crate) use regions::Regions;
pub use regions::Sent;
pub(crate) use seat::{Seat, Seats, machine};
