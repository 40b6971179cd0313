//! Stores as dictionaries: numbers that depend on the values alone, and reading with checks.

use crate::compare::Comparer;
use crate::error::Error;
use crate::store::{Store, Value};

impl Store {
    /// New numbers for all values, by their present numbers: simplest first.
    ///
    /// The new order is by birthday, then by the number of options, then by the list of the Left options, then by
    /// that of the Right options, with lists compared by new numbers from their start. Stores with equal values get
    /// equal numbers, in whatever order the values were found.
    #[must_use]
    pub fn simplest_first(&self) -> Vec<Value> {
        let mut order: Vec<Value> = self.values().collect();
        order.sort_by_key(|&value| (self.birthday(value), self.options_in_all(value)));
        let mut new = vec![Value::ZERO; self.len()];
        let (mut done, mut lists) = (0, Vec::new());
        // Options have earlier birthdays, so the new numbers of all options of a group with one birthday are known.
        let mut groups: Vec<&mut [Value]> = order.chunk_by_mut(|&a, &b| self.birthday(a) == self.birthday(b)).collect();
        for group in &mut groups {
            for group in group.chunk_by_mut(|&a, &b| self.options_in_all(a) == self.options_in_all(b)) {
                lists.clear();
                lists.extend(group.iter().map(|&value| (self.renumbered_options(value, &new), value)));
                lists.sort_unstable();
                for (place, (_, value)) in group.iter_mut().zip(&lists) {
                    *place = *value;
                }
            }
            for &value in group.iter() {
                new[value.index()] = Value::from_number(done);
                done += 1;
            }
        }
        new
    }

    /// The same values with other numbers, from [`simplest_first`](Self::simplest_first).
    ///
    /// # Errors
    /// None for numbers from `simplest_first`.
    ///
    /// # Panics
    /// If `new` is not a permutation in which options have smaller numbers than their values.
    pub fn renumbered(&self, new: &[Value]) -> Result<Self, Error> {
        let mut order = vec![Value::ZERO; self.len()];
        for value in self.values() {
            order[new[value.index()].index()] = value;
        }
        let mut store = Self::new(self.limit());
        for (number, &value) in order.iter().enumerate() {
            let (lefts, rights) = self.renumbered_options(value, new);
            assert_eq!(store.add(&lefts, &rights)?.index(), number, "a permutation, options first");
        }
        Ok(store)
    }

    /// Adds the next value of a dictionary, and checks that it is a canonical form that the store does not hold yet.
    /// The first value, 0, is in every store.
    ///
    /// # Errors
    /// [`Error::Unsound`] if the lists are not the sorted options of a new canonical form, or an error of the limits.
    pub fn push(&mut self, comparer: &mut Comparer, lefts: &[Value], rights: &[Value]) -> Result<Value, Error> {
        let unsound = |expected, found| Error::Unsound { value: self.len() as u32, expected, found };
        let is_sorted = |list: &[Value]| list.is_sorted_by(|a, b| a < b);
        if !lefts.iter().chain(rights).all(|&option| self.holds(option)) {
            return Err(unsound("options with smaller numbers", "an option with a larger one"));
        }
        if !is_sorted(lefts) || !is_sorted(rights) {
            return Err(unsound("sorted options", "options out of order"));
        }
        let (mut left, mut right) = (lefts.to_vec(), rights.to_vec());
        comparer.simplify(self, &mut left, &mut right)?;
        if (left.as_slice(), right.as_slice()) != (lefts, rights) {
            return Err(unsound("a canonical form", "dominated or reversible options"));
        }
        if self.find(lefts, rights).is_some() {
            return Err(unsound("a new value", "a value that came before"));
        }
        self.add(lefts, rights)
    }

    fn options_in_all(&self, value: Value) -> usize {
        let (lefts, rights) = self.options(value);
        lefts.len() + rights.len()
    }

    /// Both lists of options in new numbers, sorted.
    fn renumbered_options(&self, value: Value, new: &[Value]) -> (Vec<Value>, Vec<Value>) {
        let all = |list: &[Value]| {
            let mut list: Vec<Value> = list.iter().map(|&option| new[option.index()]).collect();
            list.sort_unstable();
            list
        };
        let (lefts, rights) = self.options(value);
        (all(lefts), all(rights))
    }
}
