//! What a rank asks others for, and how much of that is in memory at once.
//!
//! Regions that will be loaded are asked for while others are swept, in the order in which they will be, as many as there is memory
//! for. Whoever has a region answers when it is finished.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::post::Mail;
use super::{Cluster, Lost};
use crate::solve::PlaneKind;
use crate::table::{Decoder, Encoder, VERSION, sheet_numbers, sheet_of};

/// A sheet of a region, by its rank among regions.
pub(super) type Key = (PlaneKind, u64);

/// What is said about regions.
pub(super) enum Word<'a> {
    /// Send it when it is finished; and whether that is to be kept, or only to be read.
    Ask(Key, bool),
    /// Its planes, which were asked for.
    Planes(Key, bool, &'a [u8]),
    /// It is finished, and whoever keeps the table may ask for it; and what was counted in it.
    Offer(Key, Vec<u64>),
    /// What the journal says of a region that is on disk.
    Record(&'a [u8]),
    /// This rank has finished it.
    Saved(Key),
    /// This rank has written it into the folder of the table.
    Written(Key),
    /// It is in the folder of the table, where whoever asked for it reads it.
    There(Key),
    /// This rank is done.
    Stop,
}

/// Bytes of a letter with planes before them.
const HEAD: usize = 13;

fn begun(number: u8, key: Option<Key>) -> Encoder {
    let mut e = Encoder::new(VERSION);
    e.bytes = Mail::Regions.letter();
    e.u8(number);
    if let Some((sheet, rank)) = key {
        e.bytes.extend(sheet_numbers(sheet));
        e.u64(rank);
    }
    e
}

impl<'a> Word<'a> {
    /// The letter that says it; planes are written behind it by whoever has them.
    pub(super) fn letter(&self) -> Vec<u8> {
        let flagged = |number, key, flag| {
            let mut e = begun(number, Some(key));
            e.u8(u8::from(flag));
            e.bytes
        };
        match self {
            Self::Ask(key, keep) => flagged(0, *key, *keep),
            Self::Planes(key, keep, _) => flagged(1, *key, *keep),
            Self::Offer(key, tally) => {
                let mut e = begun(2, Some(*key));
                e.u32(tally.len() as u32);
                tally.iter().for_each(|&figure| e.u64(figure));
                e.bytes
            }
            Self::Record(record) => {
                let mut e = begun(3, None);
                e.bytes.extend_from_slice(record);
                e.bytes
            }
            Self::Saved(key) => begun(4, Some(*key)).bytes,
            Self::Written(key) => begun(6, Some(*key)).bytes,
            Self::There(key) => begun(7, Some(*key)).bytes,
            Self::Stop => begun(5, None).bytes,
        }
    }

    /// The letter with the planes of a region, `bytes` of them, and where they are to be written.
    pub(super) fn planes(key: Key, keep: bool, bytes: usize) -> (Vec<u8>, usize) {
        let mut letter = Self::Planes(key, keep, &[]).letter();
        debug_assert_eq!(letter.len(), HEAD, "as long as it says");
        letter.resize(HEAD + bytes, 0);
        (letter, HEAD)
    }

    /// What a letter says; `None` if it makes no sense.
    pub(super) fn of(letter: &'a [u8]) -> Option<Self> {
        let mut d = Decoder::new(letter.get(1..)?, VERSION);
        let number = d.u8().ok()?;
        let mut key = None;
        if !matches!(number, 3 | 5) {
            key = Some((sheet_of(d.array().ok()?)?, d.u64().ok()?));
        }
        Some(match (number, key) {
            (0, Some(key)) => Self::Ask(key, d.u8().ok()? == 1),
            (1, Some(key)) => Self::Planes(key, d.u8().ok()? == 1, d.rest()),
            (2, Some(key)) => Self::Offer(key, d.list(Decoder::u64).ok()?),
            (3, _) => Self::Record(d.rest()),
            (4, Some(key)) => Self::Saved(key),
            (6, Some(key)) => Self::Written(key),
            (7, Some(key)) => Self::There(key),
            (5, _) => Self::Stop,
            _ => return None,
        })
    }
}

/// What is asked for.
pub(super) struct Traffic<'c> {
    cluster: &'c Cluster,
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes of memory for what is asked for before it is loaded.
    limit: u64,
    /// For each rank, whether it sends nothing of what it has written, because this one reads it in the same file.
    beside: Vec<bool>,
}

#[derive(Default)]
struct State {
    /// What was asked for; and the letter with it, if it has come.
    asked: HashMap<Key, Option<Vec<u8>>>,
    /// What will be: with its bytes, and whom to ask.
    later: VecDeque<(Key, u64, usize)>,
    /// Bytes of what was asked for and is sent.
    bytes: u64,
    /// How many regions were asked for in all, and their bytes.
    all: (u64, u64),
}

impl<'c> Traffic<'c> {
    pub(super) fn new(cluster: &'c Cluster, limit: u64, beside: Vec<bool>) -> Self {
        Self { cluster, state: Mutex::default(), changed: Condvar::new(), limit, beside }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A region of so many bytes will be loaded soon, which `from` has or will have.
    pub(super) fn expect(&self, key: Key, bytes: u64, from: usize) {
        let mut state = self.state();
        if !state.asked.contains_key(&key) && state.later.iter().all(|(later, ..)| *later != key) {
            state.later.push_back((key, bytes, from));
            self.go_on(&mut state);
        }
    }

    /// Asks for what there is memory for.
    fn go_on(&self, state: &mut State) {
        while let Some(&(key, bytes, from)) = state.later.front()
            && (state.bytes + self.sent(bytes, from) <= self.limit || state.asked.is_empty())
        {
            state.later.pop_front();
            self.ask(state, key, bytes, from);
        }
    }

    /// How many of the bytes of a region that `from` has are sent.
    fn sent(&self, bytes: u64, from: usize) -> u64 {
        if self.beside[from] { 0 } else { bytes }
    }

    fn ask(&self, state: &mut State, key: Key, bytes: u64, from: usize) {
        state.asked.insert(key, None);
        state.bytes += self.sent(bytes, from);
        state.all = (state.all.0 + 1, state.all.1 + bytes);
        self.cluster.send(from, Word::Ask(key, false).letter());
    }

    /// Waits for a region of so many bytes, which `from` has or will have. `None` if it is not sent, and in the folder.
    pub(super) fn fetch(&self, key: Key, bytes: u64, from: usize) -> Result<Option<Fetched>, Lost> {
        let mut state = self.state();
        if !state.asked.contains_key(&key) {
            state.later.retain(|(later, ..)| *later != key);
            self.ask(&mut state, key, bytes, from);
        }
        let letter = loop {
            if let Some(letter) = state.asked.get_mut(&key).and_then(Option::take) {
                break letter;
            }
            if let Some(lost) = self.cluster.lost() {
                return Err(lost);
            }
            // Now and then it looks whether the others are still there.
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        state.asked.remove(&key);
        state.bytes -= self.sent(bytes, from);
        self.go_on(&mut state);
        drop(state);
        Ok((!matches!(Word::of(&letter), Some(Word::There(_)))).then_some(Fetched(letter)))
    }

    /// Takes the letter with a region, or that says that it is in the folder.
    pub(super) fn arrived(&self, key: Key, letter: Vec<u8>) {
        self.state().asked.insert(key, Some(letter));
        self.changed.notify_all();
    }

    /// How many regions were asked for, and their bytes.
    pub(super) fn all(&self) -> (u64, u64) {
        self.state().all
    }
}

/// The letter with a region that was sent.
pub(super) struct Fetched(Vec<u8>);

impl Fetched {
    /// Writes its planes to `planes`.
    pub(super) fn copy_to(&self, planes: &mut [u8]) -> Result<(), Lost> {
        match Word::of(&self.0) {
            Some(Word::Planes(_, _, found)) if found.len() == planes.len() => planes.copy_from_slice(found),
            _ => return Err(Lost::Transport("a region of another size has come".into())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::LabelKind;

    #[test]
    fn words_come_back() {
        let key = (PlaneKind::Label(LabelKind::Nimber), 1 << 40);
        for keep in [false, true] {
            assert!(matches!(Word::of(&Word::Ask(key, keep).letter()), Some(Word::Ask(k, f)) if (k, f) == (key, keep)));
            let (mut letter, at) = Word::planes(key, keep, 3);
            letter[at..].copy_from_slice(b"abc");
            assert!(
                matches!(Word::of(&letter), Some(Word::Planes(k, f, planes)) if (k, f, planes) == (key, keep, b"abc"))
            );
        }
        let tally = vec![1, 2, u64::MAX];
        assert!(
            matches!(Word::of(&Word::Offer(key, tally.clone()).letter()), Some(Word::Offer(k, t)) if (k, &t) == (key, &tally))
        );
        assert!(matches!(Word::of(&Word::Record(b"r").letter()), Some(Word::Record(b"r"))));
        assert!(matches!(Word::of(&Word::Saved(key).letter()), Some(Word::Saved(k)) if k == key));
        assert!(matches!(Word::of(&Word::Written(key).letter()), Some(Word::Written(k)) if k == key));
        assert!(matches!(Word::of(&Word::There(key).letter()), Some(Word::There(k)) if k == key));
        assert!(matches!(Word::of(&Word::Stop.letter()), Some(Word::Stop)));
        let whole = Word::Offer(key, tally).letter();
        (0..whole.len()).for_each(|length| assert!(Word::of(&whole[..length]).is_none(), "{length}"));
    }
}
