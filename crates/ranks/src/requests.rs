//! The slices that a rank requests from others, and the messages about slices.
//!
//! A rank requests the slices that it will load in the order in which it will load them, ahead of time, as far as its memory allows. The rank that
//! owns a slice answers when the slice is finished.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};

use super::message::MessageKind;
use super::{Cluster, ClusterError, lock, wait_a_moment};
use crate::solve::PlaneKind;
use crate::table::{Decoder, Encoder, plane_kind_numbers, plane_kind_of};

/// A part of a table: a plane kind of a slice, and the number of the slice.
pub type SliceKey = (PlaneKind, u64);

/// What a message about slices says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SliceNews {
    /// Send this slice when it is finished.
    Request,
    /// The answer to a request: the rest has the planes of the slice.
    Planes,
    /// The other answer to a request: read the slice in the folder of the table.
    InFolder,
    /// A rank that does not see the folder has finished this slice, with the counts in the rest; rank 0 may request it.
    Offer,
    /// The rest is the journal record of a slice that another rank has written to the folder.
    JournalRecord,
    /// To this rank itself: it has finished this slice.
    Finished,
    /// To this rank itself: it has written this slice to the folder.
    Written,
    /// To this rank itself: its work is done.
    Stop,
}

/// A message about a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SliceMessage<'a> {
    pub(super) news: SliceNews,
    /// The slice, if the message is about one.
    pub(super) key: SliceKey,
    /// In a request and its answer: rank 0 will write the slice to the table. Otherwise the slice will only be read.
    pub(super) to_write: bool,
    pub(super) rest: &'a [u8],
}

/// Bytes of a message before the rest.
const HEAD: usize = 13;

impl<'a> SliceMessage<'a> {
    /// The message `news` about a slice.
    pub(super) const fn new(news: SliceNews, key: SliceKey) -> Self {
        Self { news, key, to_write: false, rest: &[] }
    }

    /// The message `news` about no slice.
    pub(super) const fn of_rest(news: SliceNews, rest: &'a [u8]) -> Self {
        Self { rest, ..Self::new(news, (PlaneKind::Reached, 0)) }
    }

    /// The bytes of the message. [`with_room`](Self::with_room) makes the message with planes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let (plane_kind, slice) = self.key;
        let mut e = Encoder { bytes: MessageKind::Slice.message() };
        e.u8(self.news as u8);
        e.bytes.extend(plane_kind_numbers(plane_kind));
        e.u64(slice);
        e.u8(self.to_write.into());
        e.bytes.extend_from_slice(self.rest);
        e.bytes
    }

    /// A message with room for `bytes` bytes of the planes of a slice, and the offset of that room. The caller reads the planes from the
    /// file straight into the message.
    pub(super) fn with_room(key: SliceKey, to_write: bool, bytes: usize) -> (Vec<u8>, usize) {
        let mut message = Self { to_write, ..Self::new(SliceNews::Planes, key) }.encode();
        message.resize(HEAD + bytes, 0);
        (message, HEAD)
    }

    /// Decodes a message; `None` if it makes no sense.
    pub(super) fn decode(message: &'a [u8]) -> Option<Self> {
        use SliceNews::{Finished, InFolder, JournalRecord, Offer, Planes, Request, Stop, Written};
        let all = [Request, Planes, InFolder, Offer, JournalRecord, Finished, Written, Stop];
        let mut d = Decoder::new(message.get(1..)?);
        let number = d.u8().ok()?;
        let news = all.into_iter().find(|&news| news as u8 == number)?;
        let key = (plane_kind_of(d.array().ok()?)?, d.u64().ok()?);
        Some(Self { news, key, to_write: d.u8().ok()? == 1, rest: d.rest() })
    }

    /// The counts in an offer.
    pub(super) fn tally(&self) -> Vec<u64> {
        self.rest.as_chunks().0.iter().map(|figure| u64::from_le_bytes(*figure)).collect()
    }
}

/// The requests of a rank for slices of other ranks.
pub(super) struct SliceRequests<'c> {
    cluster: &'c Cluster,
    state: Mutex<State>,
    changed: Condvar,
    /// Maximum number of bytes that are requested before they are loaded.
    max_bytes: u64,
    /// For each rank, whether it and this one read each other's slices in the folder, so that they are not sent.
    pub(super) reads_in_folder: Vec<bool>,
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

    /// Requests a slice of `bytes` bytes from its `owner` as soon as there is memory: it will be fetched soon.
    pub(super) fn expect(&self, key: SliceKey, bytes: u64, owner: usize) {
        let mut state = lock(&self.state);
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
        self.cluster.send(owner, SliceMessage::new(SliceNews::Request, key).encode());
    }

    /// Waits for a slice of `bytes` bytes from its `owner`. Returns `None` if the slice is in the folder, to be read there.
    pub(super) fn fetch(&self, key: SliceKey, bytes: u64, owner: usize) -> Result<Option<FetchedSlice>, ClusterError> {
        let mut state = lock(&self.state);
        if !state.requested.contains_key(&key) {
            state.later.retain(|(later, ..)| *later != key);
            self.request(&mut state, key, bytes, owner);
        }
        let answer = loop {
            if let Some(answer) = state.requested.get_mut(&key).and_then(Option::take) {
                break answer;
            }
            self.cluster.check()?;
            state = wait_a_moment(&self.changed, state);
        };
        state.requested.remove(&key);
        state.bytes -= self.sent_bytes(bytes, owner);
        self.request_next(&mut state);
        drop(state);
        let is_in_folder = SliceMessage::decode(&answer).is_some_and(|message| message.news == SliceNews::InFolder);
        Ok((!is_in_folder).then_some(FetchedSlice(answer)))
    }

    /// Takes the answer to a request.
    pub(super) fn answered(&self, key: SliceKey, answer: Vec<u8>) {
        lock(&self.state).requested.insert(key, Some(answer));
        self.changed.notify_all();
    }

    /// The number of all requests so far, and the bytes of their slices.
    pub(super) fn totals(&self) -> (u64, u64) {
        lock(&self.state).totals
    }
}

/// A slice that another rank has sent: the message with its planes.
pub(super) struct FetchedSlice(Vec<u8>);

impl FetchedSlice {
    /// Copies the planes to `planes`. The lengths must agree.
    pub(super) fn copy_to(&self, planes: &mut [u8]) -> Result<(), ClusterError> {
        match SliceMessage::decode(&self.0) {
            Some(SliceMessage { rest, .. }) if rest.len() == planes.len() => {
                planes.copy_from_slice(rest);
                Ok(())
            }
            _ => Err(ClusterError::Transport("a slice of another size has come".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_labels::LabelKind;

    #[test]
    fn slice_messages_survive_encoding() {
        let key = (PlaneKind::Label(LabelKind::Nimber), 1 << 40);
        for to_write in [false, true] {
            let message = SliceMessage { news: SliceNews::Request, key, to_write, rest: b"" };
            assert_eq!(SliceMessage::decode(&message.encode()), Some(message));
            let (mut message, at) = SliceMessage::with_room(key, to_write, 3);
            message[at..].copy_from_slice(b"abc");
            let expected = SliceMessage { news: SliceNews::Planes, key, to_write, rest: b"abc" };
            assert_eq!(SliceMessage::decode(&message), Some(expected));
        }
        let tally: Vec<u8> = [1, 2, u64::MAX].into_iter().flat_map(u64::to_le_bytes).collect();
        let offer = SliceMessage { rest: &tally, ..SliceMessage::new(SliceNews::Offer, key) };
        assert_eq!((SliceMessage::decode(&offer.encode()), offer.tally()), (Some(offer), vec![1, 2, u64::MAX]));
        for news in [SliceNews::Finished, SliceNews::Written, SliceNews::InFolder] {
            let message = SliceMessage::new(news, key);
            assert_eq!(SliceMessage::decode(&message.encode()), Some(message));
        }
        for message in
            [SliceMessage::of_rest(SliceNews::JournalRecord, b"r"), SliceMessage::of_rest(SliceNews::Stop, b"")]
        {
            assert_eq!(SliceMessage::decode(&message.encode()), Some(message));
        }
        (0..HEAD).for_each(|length| assert!(SliceMessage::decode(&offer.encode()[..length]).is_none(), "{length}"));
    }
}
