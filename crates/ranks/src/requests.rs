//! The slices that a rank requests from others, and the messages about slices.
//!
//! A rank requests the slices that it will load in the order in which it will load them, ahead of time, as far as its memory allows. The rank that
//! owns a slice answers when the slice is finished.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::MessageKind;
use super::{Cluster, ClusterError};
use crate::solve::PlaneKind;
use crate::table::{Decoder, Encoder, plane_kind_numbers, plane_kind_of};

/// A part of a table: a plane kind of a slice, and the number of the slice.
pub type SliceKey = (PlaneKind, u64);

/// A message about slices. The flag of a request says that rank 0 will write the slice to the table; without it, the slice will only be read.
pub(super) enum SliceMessage<'a> {
    /// Send this slice when it is finished.
    Request(SliceKey, bool),
    /// The answer to a request: its flag, and the planes of the slice.
    Planes(SliceKey, bool, &'a [u8]),
    /// The other answer to a request: read the slice in the folder of the table.
    InFolder(SliceKey),
    /// A rank that does not see the folder has finished this slice, with these counts; rank 0 may request it.
    Offer(SliceKey, Vec<u64>),
    /// The journal record of a slice that another rank has written to the folder.
    JournalRecord(&'a [u8]),
    /// To this rank itself: it has finished this slice.
    Finished(SliceKey),
    /// To this rank itself: it has written this slice to the folder.
    Written(SliceKey),
    /// To this rank itself: its work is done.
    Stop,
}

/// Bytes of a message before the planes of a slice.
const HEAD: usize = 13;

/// Starts message `number`, about slice `key` if there is one.
fn encoder(number: u8, key: Option<SliceKey>) -> Encoder {
    let mut e = Encoder { bytes: MessageKind::Slice.message() };
    e.u8(number);
    if let Some((plane_kind, slice)) = key {
        e.bytes.extend(plane_kind_numbers(plane_kind));
        e.u64(slice);
    }
    e
}

impl<'a> SliceMessage<'a> {
    /// The bytes of the message. [`with_room`](Self::with_room) makes the message with planes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let flagged = |number, key, flag| {
            let mut e = encoder(number, Some(key));
            e.u8(u8::from(flag));
            e.bytes
        };
        match self {
            Self::Request(key, to_write) => flagged(0, *key, *to_write),
            Self::Planes(key, to_write, _) => flagged(1, *key, *to_write),
            Self::Offer(key, tally) => {
                let mut e = encoder(2, Some(*key));
                e.u32(tally.len() as u32);
                tally.iter().for_each(|&figure| e.u64(figure));
                e.bytes
            }
            Self::JournalRecord(record) => {
                let mut e = encoder(3, None);
                e.bytes.extend_from_slice(record);
                e.bytes
            }
            Self::Finished(key) => encoder(4, Some(*key)).bytes,
            Self::Written(key) => encoder(6, Some(*key)).bytes,
            Self::InFolder(key) => encoder(7, Some(*key)).bytes,
            Self::Stop => encoder(5, None).bytes,
        }
    }

    /// A [`Planes`](Self::Planes) message with room for `bytes` bytes of planes, and the offset of that room. The caller reads the planes from the file
    /// straight into the message.
    pub(super) fn with_room(key: SliceKey, to_write: bool, bytes: usize) -> (Vec<u8>, usize) {
        let mut message = Self::Planes(key, to_write, &[]).encode();
        debug_assert_eq!(message.len(), HEAD, "the length of a message without planes");
        message.resize(HEAD + bytes, 0);
        (message, HEAD)
    }

    /// Decodes a message; `None` if it makes no sense.
    pub(super) fn decode(message: &'a [u8]) -> Option<Self> {
        let mut d = Decoder::new(message.get(1..)?);
        let number = d.u8().ok()?;
        let mut key = None;
        if !matches!(number, 3 | 5) {
            key = Some((plane_kind_of(d.array().ok()?)?, d.u64().ok()?));
        }
        Some(match (number, key) {
            (0, Some(key)) => Self::Request(key, d.u8().ok()? == 1),
            (1, Some(key)) => Self::Planes(key, d.u8().ok()? == 1, d.rest()),
            (2, Some(key)) => Self::Offer(key, d.list(Decoder::u64).ok()?),
            (3, _) => Self::JournalRecord(d.rest()),
            (4, Some(key)) => Self::Finished(key),
            (6, Some(key)) => Self::Written(key),
            (7, Some(key)) => Self::InFolder(key),
            (5, _) => Self::Stop,
            _ => return None,
        })
    }
}

/// The requests of a rank for slices of other ranks.
pub(super) struct SliceRequests<'c> {
    cluster: &'c Cluster,
    state: Mutex<State>,
    changed: Condvar,
    /// Maximum number of bytes that are requested before they are loaded.
    max_bytes: u64,
    /// For each rank, whether this rank reads its slices in the folder, so that they are not sent.
    reads_in_folder: Vec<bool>,
}

#[derive(Default)]
struct State {
    /// Requested slices, each with the answer if it has arrived.
    requested: HashMap<SliceKey, Option<Vec<u8>>>,
    /// Slices to request when there is memory: their bytes, and their owners.
    later: VecDeque<(SliceKey, u64, usize)>,
    /// Bytes of `requested` that are sent.
    bytes: u64,
    /// The number of all requests so far, and the bytes of their slices.
    totals: (u64, u64),
}

impl<'c> SliceRequests<'c> {
    pub(super) fn new(cluster: &'c Cluster, max_bytes: u64, reads_in_folder: Vec<bool>) -> Self {
        Self { cluster, state: Mutex::default(), changed: Condvar::new(), max_bytes, reads_in_folder }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests a slice of `bytes` bytes from its `owner` as soon as there is memory: it will be fetched soon.
    pub(super) fn expect(&self, key: SliceKey, bytes: u64, owner: usize) {
        let mut state = self.state();
        if !state.requested.contains_key(&key) && state.later.iter().all(|(later, ..)| *later != key) {
            state.later.push_back((key, bytes, owner));
            self.request_next(&mut state);
        }
    }

    /// Requests waiting slices while there is memory; at least one, so that a slice larger than the limit is requested too.
    fn request_next(&self, state: &mut State) {
        while let Some(&(key, bytes, owner)) = state.later.front()
            && (state.bytes + self.sent_bytes(bytes, owner) <= self.max_bytes || state.requested.is_empty())
        {
            state.later.pop_front();
            self.request(state, key, bytes, owner);
        }
    }

    /// How many of the `bytes` bytes of a slice its `owner` sends.
    fn sent_bytes(&self, bytes: u64, owner: usize) -> u64 {
        if self.reads_in_folder[owner] { 0 } else { bytes }
    }

    fn request(&self, state: &mut State, key: SliceKey, bytes: u64, owner: usize) {
        state.requested.insert(key, None);
        state.bytes += self.sent_bytes(bytes, owner);
        state.totals = (state.totals.0 + 1, state.totals.1 + bytes);
        self.cluster.send(owner, SliceMessage::Request(key, false).encode());
    }

    /// Waits for a slice of `bytes` bytes from its `owner`. Returns `None` if the slice is in the folder, to be read there.
    pub(super) fn fetch(&self, key: SliceKey, bytes: u64, owner: usize) -> Result<Option<FetchedSlice>, ClusterError> {
        let mut state = self.state();
        if !state.requested.contains_key(&key) {
            state.later.retain(|(later, ..)| *later != key);
            self.request(&mut state, key, bytes, owner);
        }
        let answer = loop {
            if let Some(answer) = state.requested.get_mut(&key).and_then(Option::take) {
                break answer;
            }
            if let Some(error) = self.cluster.error() {
                return Err(error);
            }
            // The end of the job does not wake this thread, so it looks from time to time.
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        state.requested.remove(&key);
        state.bytes -= self.sent_bytes(bytes, owner);
        self.request_next(&mut state);
        drop(state);
        let is_in_folder = matches!(SliceMessage::decode(&answer), Some(SliceMessage::InFolder(_)));
        Ok((!is_in_folder).then_some(FetchedSlice(answer)))
    }

    /// Takes the answer to a request.
    pub(super) fn answered(&self, key: SliceKey, answer: Vec<u8>) {
        self.state().requested.insert(key, Some(answer));
        self.changed.notify_all();
    }

    /// The number of all requests so far, and the bytes of their slices.
    pub(super) fn totals(&self) -> (u64, u64) {
        self.state().totals
    }
}

/// A slice that another rank has sent: the message with its planes.
pub(super) struct FetchedSlice(Vec<u8>);

impl FetchedSlice {
    /// Copies the planes to `planes`. The lengths must agree.
    pub(super) fn copy_to(&self, planes: &mut [u8]) -> Result<(), ClusterError> {
        match SliceMessage::decode(&self.0) {
            Some(SliceMessage::Planes(_, _, found)) if found.len() == planes.len() => planes.copy_from_slice(found),
            _ => return Err(ClusterError::Transport("a slice of another size has come".into())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_labels::LabelKind;

    #[test]
    fn slice_messages_survive_encoding() {
        use SliceMessage::*;
        let key = (PlaneKind::Label(LabelKind::Nimber), 1 << 40);
        let decoded = |message: &[u8], is_equal: fn(&SliceMessage<'_>, SliceKey) -> bool| {
            SliceMessage::decode(message).is_some_and(|message| is_equal(&message, key))
        };
        assert!(decoded(&Request(key, false).encode(), |m, key| matches!(m, Request(k, false) if *k == key)));
        assert!(decoded(&Request(key, true).encode(), |m, key| matches!(m, Request(k, true) if *k == key)));
        for to_write in [false, true] {
            let (mut message, at) = SliceMessage::with_room(key, to_write, 3);
            message[at..].copy_from_slice(b"abc");
            let found = SliceMessage::decode(&message);
            assert!(matches!(found, Some(Planes(k, flag, b"abc")) if (k, flag) == (key, to_write)));
        }
        let offer = Offer(key, vec![1, 2, u64::MAX]).encode();
        assert!(decoded(&offer, |m, key| matches!(m, Offer(k, tally) if *k == key && *tally == [1, 2, u64::MAX])));
        assert!(decoded(&JournalRecord(b"r").encode(), |m, _| matches!(m, JournalRecord(b"r"))));
        assert!(decoded(&Finished(key).encode(), |m, key| matches!(m, Finished(k) if *k == key)));
        assert!(decoded(&Written(key).encode(), |m, key| matches!(m, Written(k) if *k == key)));
        assert!(decoded(&InFolder(key).encode(), |m, key| matches!(m, InFolder(k) if *k == key)));
        assert!(decoded(&Stop.encode(), |m, _| matches!(m, Stop)));
        (0..offer.len()).for_each(|length| assert!(SliceMessage::decode(&offer[..length]).is_none(), "{length}"));
    }
}
