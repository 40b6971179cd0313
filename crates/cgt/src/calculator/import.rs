//! Values of other stores and of dictionaries in tables.

use rustc_hash::FxHashMap;

use super::base::Calculator;
use crate::error::Error;
use crate::store::{Store, Value};

/// Values of one other store or dictionary that a calculator has met, with their numbers there and here.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    here: FxHashMap<Value, Value>,
}

impl Calculator {
    /// The same value of another store, in this store.
    ///
    /// # Errors
    /// An error of the limits.
    ///
    /// # Panics
    /// If `from` does not hold the value.
    pub fn import(&mut self, from: &Store, value: Value) -> Result<Value, Error> {
        self.import_with(&mut Imports::default(), value, |value| {
            let (lefts, rights) = from.options(value);
            Ok([lefts.to_vec(), rights.to_vec()])
        })
    }

    /// A value of a dictionary, in this store. `options` reads the Left and the Right options of a value of the
    /// dictionary. It is asked once for each value that play reaches, unless `imports` has the value from before.
    ///
    /// Wrong options give a wrong value, but they do not harm the calculator.
    ///
    /// # Errors
    /// Any error of `options`, an error of the limits, or [`Error::Unsound`] if an option does not have a smaller
    /// number than its value.
    pub fn import_with<E: From<Error>>(
        &mut self,
        imports: &mut Imports,
        value: Value,
        mut options: impl FnMut(Value) -> Result<[Vec<Value>; 2], E>,
    ) -> Result<Value, E> {
        let mut read: FxHashMap<Value, [Vec<Value>; 2]> = FxHashMap::default();
        let mut waiting = vec![value];
        while let Some(next) = waiting.pop() {
            if imports.here.contains_key(&next) || read.contains_key(&next) {
                continue;
            }
            let lists = options(next)?;
            if lists.iter().flatten().any(|&option| option >= next) {
                return Err(Error::Unsound {
                    value: next.number(),
                    expected: "options with smaller numbers",
                    found: "an option with a larger one",
                }
                .into());
            }
            waiting.extend(lists.iter().flatten());
            read.insert(next, lists);
        }
        let mut order: Vec<Value> = read.keys().copied().collect();
        order.sort_unstable();
        self.counted(|it| {
            for next in order {
                let here = |list: &[Value]| list.iter().map(|option| imports.here[option]).collect::<Vec<_>>();
                let [lefts, rights] = &read[&next];
                let (lefts, rights) = (here(lefts), here(rights));
                imports.here.insert(next, it.simplified(&lefts, &rights)?);
            }
            Ok(imports.here[&value])
        })
        .map_err(E::from)
    }
}
