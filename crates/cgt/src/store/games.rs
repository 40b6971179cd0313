//! The store: canonical forms, each once.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::hints::Hints;
use super::pairs::{Pairs, hash_of};
use super::value::Value;
use crate::dyadic::{Dyadic, Overflow};
use crate::error::{Error, MOST_OPTIONS, MOST_VALUES};

/// Canonical forms of short games, each stored once and named by its number.
///
/// Options have smaller numbers than the games that have them, and lists of options are sorted by number. 0 is number
/// 0. A store only grows, so threads can read it side by side while nobody adds to it. A value takes 22 bytes beside
/// its options: 6 for its place and 16 for hints that settle most comparisons. The hash table that finds equal forms
/// takes 8 to 16 bytes more, and each number about 48.
#[derive(Clone, Debug)]
pub struct Store {
    forms: Pairs,
    hints: Vec<Hints>,
    numbers: FxHashMap<Value, Dyadic>,
    places: FxHashMap<Dyadic, Value>,
    limit: u32,
}

impl Default for Store {
    fn default() -> Self {
        Self::new(MOST_VALUES)
    }
}

impl Store {
    /// A store that holds 0, for at most `limit` values.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        let mut store = Self {
            forms: Pairs::default(),
            hints: Vec::new(),
            numbers: FxHashMap::default(),
            places: FxHashMap::default(),
            limit: limit.clamp(1, MOST_VALUES),
        };
        _ = store.add(&[], &[]);
        store
    }

    /// The number of values.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a store always holds 0")]
    pub const fn len(&self) -> usize {
        self.hints.len()
    }

    /// True if the store holds a value with this number.
    #[must_use]
    pub const fn holds(&self, value: Value) -> bool {
        value.index() < self.len()
    }

    /// Every value, options first.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + use<> {
        (0..self.len() as u32).map(Value::from_number)
    }

    /// The Left options and the Right options.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    #[inline]
    pub fn options(&self, value: Value) -> (&[Value], &[Value]) {
        self.forms.get(value.number())
    }

    /// The Left options.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    #[inline]
    pub fn lefts(&self, value: Value) -> &[Value] {
        self.options(value).0
    }

    /// The Right options.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    #[inline]
    pub fn rights(&self, value: Value) -> &[Value] {
        self.options(value).1
    }

    /// The number of moves in the longest play of the canonical form.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    pub fn birthday(&self, value: Value) -> u32 {
        self.hints(value).birthday.into()
    }

    /// The number that the value is, if it is one.
    #[must_use]
    pub fn number(&self, value: Value) -> Option<Dyadic> {
        self.numbers.get(&value).copied()
    }

    /// True for numbers. Faster than [`number`](Self::number).
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    #[inline]
    pub fn is_number(&self, value: Value) -> bool {
        self.hints(value).number
    }

    /// The value of a number, if the store holds it.
    #[must_use]
    pub fn find_number(&self, number: Dyadic) -> Option<Value> {
        self.places.get(&number).copied()
    }

    /// True if in every position of the canonical form both players have a move or neither has one.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    pub fn is_all_small(&self, value: Value) -> bool {
        self.hints(value).all_small
    }

    /// The value compared with 0; `None` if it is confused with 0.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    pub fn sign(&self, value: Value) -> Option<Ordering> {
        match self.hints(value).signs() {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }

    /// The value with a canonical form, if the store holds it. The lists are sorted.
    #[must_use]
    pub fn find(&self, lefts: &[Value], rights: &[Value]) -> Option<Value> {
        self.forms.find(hash_of(lefts, rights), lefts, rights).map(Value::from_number)
    }

    /// The value and everything that play reaches from it, options first.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    pub fn followers(&self, value: Value) -> Vec<Value> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut waiting = vec![value];
        seen.insert(value);
        let mut all = Vec::new();
        while let Some(value) = waiting.pop() {
            all.push(value);
            let (lefts, rights) = self.options(value);
            waiting.extend(lefts.iter().chain(rights).filter(|&&option| seen.insert(option)));
        }
        all.sort_unstable();
        all
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.forms.bytes() + self.hints.capacity() * size_of::<Hints>() + self.numbers.capacity() * 48
    }

    /// Most values that the store may hold.
    pub(crate) const fn limit(&self) -> u32 {
        self.limit
    }

    #[inline]
    pub(crate) fn hints(&self, value: Value) -> &Hints {
        &self.hints[value.index()]
    }

    /// Finds or adds a canonical form. The lists are sorted, without duplicates, and hold values of this store.
    pub(crate) fn add(&mut self, lefts: &[Value], rights: &[Value]) -> Result<Value, Error> {
        let hash = hash_of(lefts, rights);
        if let Some(found) = self.forms.find(hash, lefts, rights) {
            return Ok(Value::from_number(found));
        }
        if self.len() >= self.limit as usize {
            return Err(Error::Values { limit: self.limit });
        }
        let number = self.number_between(lefts, rights)?;
        let hints = Hints::of(self.all(lefts), self.all(rights), number);
        if self.all(lefts).chain(self.all(rights)).any(|option| usize::from(option.birthday) == MOST_OPTIONS) {
            return Err(Error::Birthday);
        }
        let value = Value::from_number(self.forms.add(hash, lefts, rights)?);
        self.hints.push(hints);
        if let Some(number) = number {
            self.numbers.insert(value, number);
            self.places.insert(number, value);
        }
        Ok(value)
    }

    /// The hints of each value of a list.
    #[inline]
    pub(crate) fn all<'a>(&'a self, list: &'a [Value]) -> impl ExactSizeIterator<Item = &'a Hints> {
        list.iter().map(|&value| self.hints(value))
    }

    /// The number that a canonical form is, if it is one: its options are numbers, and Left's is smaller than Right's.
    fn number_between(&self, lefts: &[Value], rights: &[Value]) -> Result<Option<Dyadic>, Overflow> {
        let one = |list: &[Value]| list.first().and_then(|&option| self.number(option));
        Ok(match (lefts, rights) {
            ([], []) => Some(Dyadic::ZERO),
            ([_], []) => one(lefts).map(|left| left.plus(Dyadic::ONE)).transpose()?,
            ([], [_]) => one(rights).map(|right| right.minus(Dyadic::ONE)).transpose()?,
            ([_], [_]) => match (one(lefts), one(rights)) {
                (Some(left), Some(right)) if left < right => Some(left.plus(right)?.half()?),
                _ => None,
            },
            _ => None,
        })
    }
}
