//! Option sets that wait for simplification.

use std::ops::Range;

use crate::compare::Comparer;
use crate::error::Error;
use crate::option_sets::{Key, OptionSets};
use crate::store::{Pairs, Store, Value, hash_of};

/// Pairs of option sets that wait for simplification. [`KnownOptions`](crate::KnownOptions) says how threads work with them.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pairs: Pairs,
    keys: Vec<Key>,
    /// The order of the pairs, once it is sorted.
    order: Vec<u32>,
    /// The pair that is being added.
    lefts: Vec<Value>,
    rights: Vec<Value>,
}

impl Batch {
    /// The number of distinct pairs.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if nothing waits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds the options of a game, once.
    ///
    /// # Errors
    /// [`Error::Options`] if there are more options than the store can number.
    pub fn push(&mut self, options: &OptionSets) -> Result<(), Error> {
        let (mut lefts, mut rights) = (std::mem::take(&mut self.lefts), std::mem::take(&mut self.rights));
        for (list, options) in [(&mut lefts, options.lefts()), (&mut rights, options.rights())] {
            list.clear();
            list.extend_from_slice(options);
            list.sort_unstable();
        }
        let added = self.enter(options.key(), &lefts, &rights);
        (self.lefts, self.rights) = (lefts, rights);
        added
    }

    /// One batch with the pairs of all batches, sorted by the numbers of the options. The order of the batches does not
    /// matter.
    ///
    /// # Errors
    /// [`Error::Options`] if there are more options than the store can number.
    pub fn merged(batches: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let mut batches = batches.into_iter();
        let mut merged = batches.next().unwrap_or_default();
        for batch in batches {
            for (number, &key) in (0..).zip(&batch.keys) {
                let (lefts, rights) = batch.pairs.get(number);
                merged.enter(key, lefts, rights)?;
            }
        }
        let pairs = &merged.pairs;
        merged.order.sort_unstable_by(|&a, &b| pairs.get(a).cmp(&pairs.get(b)));
        Ok(merged)
    }

    /// Simplifies the pairs of a part of the batch.
    ///
    /// # Errors
    /// Any error of [`Comparer::simplify`].
    ///
    /// # Panics
    /// If `part` exceeds the batch.
    pub fn simplify(&self, part: Range<usize>, store: &Store, comparer: &mut Comparer) -> Result<Forms, Error> {
        let mut forms = Forms::default();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &number in &self.order[part] {
            let (lefts, rights) = self.pairs.get(number);
            left.clear();
            left.extend_from_slice(lefts);
            right.clear();
            right.extend_from_slice(rights);
            comparer.simplify(store, &mut left, &mut right)?;
            forms.push(&left, &right);
        }
        Ok(forms)
    }

    /// The keys, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> {
        self.order.iter().map(|&number| self.keys[number as usize])
    }

    fn enter(&mut self, key: Key, lefts: &[Value], rights: &[Value]) -> Result<(), Error> {
        let hash = hash_of(lefts, rights);
        if self.pairs.find(hash, lefts, rights).is_none() {
            let number = self.pairs.add(hash, lefts, rights)?;
            self.order.push(number);
            self.keys.push(key);
        }
        Ok(())
    }
}

/// Canonical forms of a part of a [`Batch`], in its order.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// All lists, Left before Right.
    options: Vec<Value>,
    /// The lengths of the lists.
    lengths: Vec<(u32, u32)>,
}

impl Forms {
    fn push(&mut self, lefts: &[Value], rights: &[Value]) {
        self.options.extend_from_slice(lefts);
        self.options.extend_from_slice(rights);
        self.lengths.push((lefts.len() as u32, rights.len() as u32));
    }

    /// The Left and Right lists.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[Value], &[Value])> {
        let mut rest = self.options.as_slice();
        self.lengths.iter().map(move |&(lefts, rights)| {
            let (form, after) = rest.split_at((lefts + rights) as usize);
            rest = after;
            form.split_at(lefts as usize)
        })
    }
}
