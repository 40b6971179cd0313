//! The kinds of messages that ranks send each other.

/// The kind of a message, which is its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MessageKind {
    /// The sender is alive.
    Heartbeat = 0,
    /// One rank's part of a collective operation.
    Collective = 1,
    /// Rank 0 gives the other ranks work.
    Order = 2,
    /// A `SliceMessage`.
    Slice = 3,
    /// The sender has failed.
    Failure = 4,
    /// Rank 0 ends the job.
    End = 5,
    /// The sender leaves the job as planned, and sends no more heartbeats.
    Leave = 6,
}

impl MessageKind {
    /// A message of this kind without contents, which the caller appends.
    pub fn message(self) -> Vec<u8> {
        vec![self as u8]
    }

    /// The kind of a message whose first byte is `byte`; `None` if no kind has this number.
    pub(super) fn of(byte: u8) -> Option<Self> {
        let all = [Self::Heartbeat, Self::Collective, Self::Order, Self::Slice, Self::Failure, Self::End, Self::Leave];
        all.into_iter().find(|&kind| kind as u8 == byte)
    }
}
