//! Reduced canonical forms and atomic weights.

use rustc_hash::FxHashMap;

use super::base::Calculator;
use crate::compare::Comparison;
use crate::dyadic::Dyadic;
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
                    let other = it.sum(follower, star)?;
                    Ok([follower, other].into_iter().find(|&value| it.store.is_number(value)))
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

    /// The atomic weight of an all-small game: how many ups it is worth. `None` if the game is not all-small.
    ///
    /// The options' weights, minus 2 for Left and plus 2 for Right, give a game. It is the weight, unless it is an
    /// integer. Then the comparison of the game with a remote star decides which integer is the weight (Siegel,
    /// Combinatorial Game Theory, chapter II.7; Winning Ways, chapter 8).
    ///
    /// # Errors
    /// An error of the limits.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Option<Value>, Error> {
        if !self.store.is_all_small(value) {
            return Ok(None);
        }
        self.counted(|it| {
            let (two, minus_two) = (it.integer(2)?, it.integer(-2)?);
            let mut weights: FxHashMap<Value, Value> = FxHashMap::default();
            weights.insert(Value::ZERO, Value::ZERO);
            let followers = it.store.followers(value);
            let star = it.remote_star(&followers)?;
            for follower in followers {
                if follower == Value::ZERO {
                    continue;
                }
                let (lefts, rights) = it.store.options(follower);
                let (mut lefts, mut rights) = (lefts.to_vec(), rights.to_vec());
                for place in &mut lefts {
                    *place = it.sum(weights[place], minus_two)?;
                }
                for place in &mut rights {
                    *place = it.sum(weights[place], two)?;
                }
                let mut weight = it.simplified(&lefts, &rights)?;
                if it.store.number(weight).is_some_and(Dyadic::is_integer) {
                    weight = match it.compare(follower, star)? {
                        Comparison::Less => it.nearest_integer(&lefts, true)?,
                        Comparison::Greater => it.nearest_integer(&rights, false)?,
                        _ => weight,
                    };
                }
                weights.insert(follower, weight);
            }
            Ok(Some(weights[&value]))
        })
    }

    /// The smallest nimber larger than every nimber among the values.
    fn remote_star(&mut self, values: &[Value]) -> Result<Value, Error> {
        let mut largest = 0;
        // A nimber has the smaller nimbers as the options of both players.
        let mut sizes: FxHashMap<Value, usize> = FxHashMap::default();
        sizes.insert(Value::ZERO, 0);
        for &value in values {
            let (lefts, rights) = self.store.options(value);
            if lefts == rights && lefts.iter().all(|option| sizes.contains_key(option)) {
                sizes.insert(value, lefts.len());
                largest = largest.max(lefts.len());
            }
        }
        self.nimber(largest as u32 + 1)
    }

    /// The smallest integer that is not at most any of the values or, if `above` is false, the largest that is not at
    /// least any of them.
    fn nearest_integer(&mut self, values: &[Value], above: bool) -> Result<Value, Error> {
        let mut nearest: Option<i64> = None;
        for &value in values {
            let stops = self.stops(value);
            let mut candidate = if above { stops.right.ceiling() } else { stops.left.floor() };
            loop {
                self.spend(1)?;
                let integer = self.integer(candidate)?;
                let (low, high) = if above { (integer, value) } else { (value, integer) };
                if !self.at_most(low, high)? {
                    break;
                }
                candidate += if above { 1 } else { -1 };
            }
            nearest = Some(nearest.map_or(candidate, |it| if above { it.max(candidate) } else { it.min(candidate) }));
        }
        self.integer(nearest.unwrap_or(0))
    }
}
