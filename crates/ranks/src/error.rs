//! Errors that end the work of all ranks.

/// The reason why a job has ended before its work was done, or has been ended by rank 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClusterError {
    /// A rank has sent nothing for longer than the [timeout](super::ClusterConfig::timeout).
    #[error("rank {rank} has sent nothing for {seconds} seconds: its process or its machine has probably ended")]
    Silent {
        /// The silent rank.
        rank: usize,
        /// Seconds since its last message.
        seconds: u64,
    },
    /// A rank has failed and said why.
    #[error("rank {rank}: {message}")]
    Failed {
        /// The rank that failed.
        rank: usize,
        /// The exit status for this kind of failure.
        status: u8,
        /// The error message of the rank.
        message: String,
    },
    /// The transport can no longer send or receive.
    #[error("the ranks cannot reach each other: {0}")]
    Transport(String),
    /// Rank 0 has ended the job.
    #[error("rank 0 has ended the job")]
    Ended {
        /// The exit status for all ranks.
        status: u8,
    },
}
