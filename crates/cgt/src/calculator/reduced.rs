//! Reduced canonical forms.

use rustc_hash::FxHashMap;

use super::base::Calculator;
use crate::error::Error;
use crate::store::Value;

impl Calculator {
    /// The reduced canonical form: the simplest game that differs from the value by an infinitesimal.
    ///
    /// It is found in two passes (Grossman and Siegel, Reductions of partizan games, 2009). The first adds `*` to every
    /// option of every position that is not a number. The second replaces every number plus `*` by the number.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn reduced(&mut self, value: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let star = it.nimber(1)?;
            let starred = it.rebuilt(
                value,
                |it, options| it.sum(options, star),
                |it, follower| Ok(it.store.is_number(follower).then_some(follower)),
            )?;
            it.rebuilt(
                starred,
                |_, option| Ok(option),
                |it, follower| {
                    if it.store.is_number(follower) {
                        return Ok(Some(follower));
                    }
                    let other = it.sum(follower, star)?;
                    Ok(it.store.is_number(other).then_some(other))
                },
            )
        })
    }

    /// Rebuilds a game from below: `leaf` gives the result for a position, or `None` if it follows from its
    /// options, whose results are changed by `option`.
    fn rebuilt(
        &mut self,
        value: Value,
        mut option: impl FnMut(&mut Self, Value) -> Result<Value, Error>,
        mut leaf: impl FnMut(&mut Self, Value) -> Result<Option<Value>, Error>,
    ) -> Result<Value, Error> {
        let mut results: FxHashMap<Value, Value> = FxHashMap::default();
        for follower in self.store.followers(value) {
            let result = match leaf(self, follower)? {
                Some(result) => result,
                None => {
                    let (lefts, rights) = self.store.options(follower);
                    let (mut lefts, mut rights) = (lefts.to_vec(), rights.to_vec());
                    for place in lefts.iter_mut().chain(&mut rights) {
                        *place = option(self, results[place])?;
                    }
                    self.simplified(&lefts, &rights)?
                }
            };
            results.insert(follower, result);
        }
        Ok(results[&value])
    }
}
