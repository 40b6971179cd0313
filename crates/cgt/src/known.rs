//! Options that were simplified before, for boards that share values.
//!
//! Most boards of a game have the same options as an earlier board. [`KnownOptions`] finds their value with one look-up. A
//! solver works in phases, such as the levels of a game:
//!
//! 1. Many threads call [`KnownOptions::get`] for each board, with a shared reference. A thread puts options that are not
//!    known into its own [`Batch`].
//! 2. [`Batch::merged`] sorts the batches of all threads into one, so the threads no longer matter.
//! 3. Many threads call [`Batch::simplify`] for parts of the batch, each with its own [`Comparer`].
//! 4. One thread calls [`KnownOptions::learn`] with the results, in order. New values are numbered in the order of the batch.
//! 5. Many threads call [`KnownOptions::get`] again for the boards that are still open.
//!
//! Values are then numbered in the same way for every number of threads.

use crate::batch::{Batch, Forms};
use crate::compare::Comparer;
use crate::error::Error;
use crate::option_sets::{Key, OptionSets};
use crate::store::{Store, Value};

/// A place of the hash table: 96 bits of the key, and the number of the value plus 1, which is 0 in an empty place.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    low: u64,
    high: u32,
    value: u32,
}

/// The values of options that were simplified before.
///
/// An entry takes 21 to 43 bytes, because only 96 bits of a hash of the options are kept. Two different pairs of sets
/// are mistaken for each other if these bits agree. With a million entries, that happens in 2^30 look-ups with a
/// probability of 2^-46. The hash has no random seed, so results are the same in every run.
#[derive(Clone, Debug)]
pub struct KnownOptions {
    slots: Vec<Slot>,
    len: usize,
}

impl Default for KnownOptions {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); 16], len: 0 }
    }
}

impl KnownOptions {
    /// The number of pairs of option sets.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a game with these options.
    #[must_use]
    #[inline]
    pub fn get(&self, options: &OptionSets) -> Option<Value> {
        self.find(options.key())
    }

    /// The value of a game with these options, which is simplified and stored if it is not known.
    ///
    /// # Errors
    /// Any error of [`Comparer::simplify`] and of the store's limits.
    #[inline]
    pub fn get_or_learn(
        &mut self,
        store: &mut Store,
        comparer: &mut Comparer,
        options: &OptionSets,
    ) -> Result<Value, Error> {
        let key = options.key();
        if let Some(value) = self.find(key) {
            return Ok(value);
        }
        let (mut lefts, mut rights) = (options.lefts().to_vec(), options.rights().to_vec());
        comparer.simplify(store, &mut lefts, &mut rights)?;
        let value = store.add(&lefts, &rights)?;
        self.enter(key, value);
        Ok(value)
    }

    /// Learns the values of a batch. `forms` are the results of [`Batch::simplify`] for consecutive parts of the batch,
    /// which cover it.
    ///
    /// # Errors
    /// Any error of the store's limits.
    ///
    /// # Panics
    /// If `forms` do not cover the batch.
    pub fn learn(
        &mut self,
        store: &mut Store,
        batch: &Batch,
        forms: impl IntoIterator<Item = Forms>,
    ) -> Result<(), Error> {
        let mut keys = batch.keys();
        for forms in forms {
            for (lefts, rights) in forms.iter() {
                let value = store.add(lefts, rights)?;
                let key = keys.next().expect("a pair for each form");
                if self.find(key).is_none() {
                    self.enter(key, value);
                }
            }
        }
        assert!(keys.next().is_none(), "a form for each pair");
        Ok(())
    }

    /// Forgets everything and frees the memory. Values stay in the store.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Bytes of memory in use.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    #[inline]
    fn find(&self, key: Key) -> Option<Value> {
        let mask = self.slots.len() - 1;
        let mut place = key.low as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot.value == 0 {
                return None;
            }
            if slot.low == key.low && slot.high == key.high as u32 {
                return Some(Value::from_number(slot.value - 1));
            }
            place = (place + 1) & mask;
        }
    }

    /// Enters a key that is not there.
    fn enter(&mut self, key: Key, value: Value) {
        if self.len * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let slot = Slot { low: key.low, high: key.high as u32, value: value.number() + 1 };
        put(&mut self.slots, slot);
        self.len += 1;
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let mut slots = vec![Slot::default(); self.slots.len() * 2];
        self.slots.iter().filter(|slot| slot.value != 0).for_each(|&slot| put(&mut slots, slot));
        self.slots = slots;
    }
}

/// Puts a slot into the first empty place for its key.
fn put(slots: &mut [Slot], slot: Slot) {
    let mask = slots.len() - 1;
    let mut place = slot.low as usize & mask;
    while slots[place].value != 0 {
        place = (place + 1) & mask;
    }
    slots[place] = slot;
}
