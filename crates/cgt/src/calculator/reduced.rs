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
                |it, option, _| it.sum(option, star),
                |it, follower| Ok(it.store.is_number(follower).then_some(follower)),
            )?;
            it.rebuilt(
                starred,
                |_, option, _| Ok(option),
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
    /// options, whose results are changed by `option`, which is told whether they are options of Left.
    pub(super) fn rebuilt(
        &mut self,
        value: Value,
        mut option: impl FnMut(&mut Self, Value, bool) -> Result<Value, Error>,
        mut leaf: impl FnMut(&mut Self, Value) -> Result<Option<Value>, Error>,
    ) -> Result<Value, Error> {
        let mut results: FxHashMap<Value, Value> = FxHashMap::default();
        for follower in self.store.followers(value) {
            let result = match leaf(self, follower)? {
                Some(result) => result,
                None => {
                    let changed = |it: &mut Self, found, is_left| option(it, results[&found], is_left);
                    let [lefts, rights] = self.mapped_options(follower, changed)?;
                    self.simplified(&lefts, &rights)?
                }
            };
            results.insert(follower, result);
        }
        Ok(results[&value])
    }

    /// What `option` makes of the options of a game; it is told whether they are options of Left.
    pub(super) fn mapped_options(
        &mut self,
        game: Value,
        mut option: impl FnMut(&mut Self, Value, bool) -> Result<Value, Error>,
    ) -> Result<[Vec<Value>; 2], Error> {
        let (lefts, rights) = self.store.options(game);
        let mut options = [lefts.to_vec(), rights.to_vec()];
        for (options, is_left) in options.iter_mut().zip([true, false]) {
            for place in options {
                *place = option(self, *place, is_left)?;
            }
        }
        Ok(options)
    }
}
