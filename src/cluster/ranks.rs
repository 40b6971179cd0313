//! What is asked of a transport between the processes of a job.

use std::io;

/// The processes of a job, as one of them sees them: numbered from 0, each able to send messages to each. One thread makes all
/// calls, the one that made the value.
///
/// Messages from one rank to another arrive in the order in which they were sent, each whole and once.
pub trait Ranks {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// Begins to send `message` to another process, and returns at once. What is sent to one that has ended is lost.
    ///
    /// # Errors
    /// If the transport does not work any more.
    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()>;

    /// The next message that has come, and from whom; `None` if there is none yet. It goes on with sending as well.
    ///
    /// # Errors
    /// If the transport does not work any more.
    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>>;

    /// Bytes that were sent and are still in this process's memory.
    fn unsent(&self) -> u64 {
        0
    }

    /// Ends all processes of the job, if the transport can.
    fn abort(&mut self, _status: i32) {}
}
