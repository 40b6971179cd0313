//! The calculator: a store with everything that arithmetic remembers.

use rustc_hash::FxHashMap;

use crate::compare::{Comparer, Comparison};
use crate::dyadic::{Dyadic, Overflow};
use crate::error::{Error, Limits};
use crate::shape::Shape;
use crate::stops::{StopFinder, Stops};
use crate::store::{Store, Value};
use crate::thermograph::{Thermograph, Thermographs};
use crate::uptimal::Uptimal;

/// Most memory for remembered comparisons.
const COMPARISONS: usize = 1 << 26;

/// Arithmetic of values. Results are values of the calculator's own store.
///
/// ```
/// use tablegen_cgt::Calculator;
///
/// let mut calculator = Calculator::default();
/// let sum = calculator.parse("{3|1} + ^ + 2*{1|-1}")?;
/// assert_eq!(calculator.name(sum)?, "{3^|1^}");
/// assert_eq!(calculator.thermograph(sum)?.temperature.to_string(), "1");
/// # Ok::<(), tablegen_cgt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Calculator {
    pub(super) store: Store,
    pub(super) comparer: Comparer,
    pub(super) limits: Limits,
    /// Sums, the smaller number first.
    pub(super) sums: FxHashMap<(Value, Value), Value>,
    pub(super) negatives: FxHashMap<Value, Value>,
    /// Values as uptimals, those that are not as `None`.
    pub(crate) uptimals: FxHashMap<Value, Option<Uptimal>>,
    /// Left and Right options in the order in which they are written.
    pub(crate) in_order: FxHashMap<Value, [Vec<Value>; 2]>,
    pub(crate) shapes: FxHashMap<Value, Shape>,
    stops: StopFinder,
    thermographs: Thermographs,
    /// True while an operation counts its steps.
    counting: bool,
    /// The steps of all operations so far.
    steps: u64,
}

impl Default for Calculator {
    /// A calculator with the default [`Limits`].
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Calculator {
    /// A calculator that knows only 0.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_comparisons(limits, COMPARISONS)
    }

    /// A calculator that knows only 0, and remembers comparisons in at most `bytes` bytes, but at least 16 KiB.
    #[must_use]
    pub fn with_comparisons(limits: Limits, bytes: usize) -> Self {
        Self {
            store: Store::new(limits.values),
            comparer: Comparer::new(bytes),
            limits,
            sums: FxHashMap::default(),
            negatives: FxHashMap::default(),
            uptimals: FxHashMap::default(),
            in_order: FxHashMap::default(),
            shapes: FxHashMap::default(),
            stops: StopFinder::default(),
            thermographs: Thermographs::default(),
            counting: false,
            steps: 0,
        }
    }

    /// The values that the calculator has met.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The limits of each operation.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The value of a game with any options.
    ///
    /// # Errors
    /// [`Error::Steps`], or an error of the store's limits.
    pub fn simplified(&mut self, lefts: &[Value], rights: &[Value]) -> Result<Value, Error> {
        self.counted(|it| it.store.simplified(&mut it.comparer, lefts, rights))
    }

    /// The steps of all operations so far.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Forgets all sums if there are more than `most`. They are found again when they are needed.
    pub fn keep_sums(&mut self, most: usize) {
        if self.sums.len() > most {
            self.sums.clear();
        }
    }

    /// Whether `g <= h`.
    ///
    /// # Errors
    /// [`Error::Steps`].
    pub fn at_most(&mut self, g: Value, h: Value) -> Result<bool, Error> {
        self.counted(|it| it.comparer.at_most(&it.store, g, h))
    }

    /// How `g` compares with `h`.
    ///
    /// # Errors
    /// [`Error::Steps`].
    pub fn compare(&mut self, g: Value, h: Value) -> Result<Comparison, Error> {
        self.counted(|it| it.comparer.compare(&it.store, g, h))
    }

    /// The stops of a value.
    pub fn stops(&mut self, value: Value) -> Stops {
        self.stops.stops(&self.store, value)
    }

    /// The number that the value is infinitely close to, if it is: its stops are equal.
    pub fn number_part(&mut self, value: Value) -> Option<Dyadic> {
        let stops = self.stops(value);
        (stops.left == stops.right).then_some(stops.left)
    }

    /// The thermograph of a value, which has its mean and its temperature.
    ///
    /// # Errors
    /// [`Overflow`] if a corner is not a number that [`Dyadic`] holds.
    pub fn thermograph(&mut self, value: Value) -> Result<&Thermograph, Overflow> {
        self.thermographs.of(&self.store, value)
    }

    /// The mean: the value of a large multiple, divided by the factor.
    ///
    /// # Errors
    /// [`Overflow`] if a corner of the thermograph is not a number that [`Dyadic`] holds.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic, Overflow> {
        Ok(self.thermograph(value)?.mean)
    }

    /// The temperature.
    ///
    /// # Errors
    /// [`Overflow`] if a corner of the thermograph is not a number that [`Dyadic`] holds.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic, Overflow> {
        Ok(self.thermograph(value)?.temperature)
    }

    /// Runs an operation with the steps that the limits allow. An operation inside another one shares its steps.
    pub(crate) fn counted<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.counting {
            return run(self);
        }
        self.comparer.allow(self.limits.steps);
        self.counting = true;
        let result = run(self);
        self.counting = false;
        self.steps += self.limits.steps - self.comparer.steps_left();
        result
    }

    /// Counts steps of the running operation.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Error> {
        self.comparer.spend(steps as u64)
    }
}

/// A sorted list.
pub(super) fn sorted(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut list: Vec<Value> = values.collect();
    list.sort_unstable();
    list
}
