//! The interface to whatever carries messages between ranks.

use std::num::NonZeroU8;
use std::{fs, io};

/// A rank's access to the other ranks of its job, which are numbered from 0. One thread makes all calls: the one that made the value.
///
/// Each message arrives whole and once. Messages from one rank to another arrive in the order in which they were sent.
pub trait Transport {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// A name for the machine that this rank runs on, different from the names of other machines; `None` if the system has none.
    fn machine(&self) -> Option<String> {
        fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()
    }

    /// Starts to send `message` to rank `to`, and returns at once. A message to a rank that has ended is lost.
    ///
    /// # Errors
    /// If the transport no longer works.
    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()>;

    /// The next message that has arrived and its sender; `None` if there is none yet. Sends that have started make progress as well.
    ///
    /// # Errors
    /// If the transport no longer works.
    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>>;

    /// The number of bytes that the transport holds in memory until they are sent.
    fn unsent(&self) -> u64 {
        0
    }

    /// Ends all ranks of the job with `status`, if the transport can. The type excludes 0 and multiples of 256, with which launchers would
    /// report success.
    fn abort(&mut self, _status: NonZeroU8) {}
}
