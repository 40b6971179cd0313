//! Negatives, sums, multiples, ordinal sums and incentives.

use rustc_hash::FxHashMap;

use super::base::{Calculator, sorted};
use crate::error::Error;
use crate::store::Value;

impl Calculator {
    /// The negative: the game with the players exchanged.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn negative(&mut self, value: Value) -> Result<Value, Error> {
        if let Some(&negative) = self.negatives.get(&value) {
            return Ok(negative);
        }
        self.counted(|it| {
            for follower in it.store.followers(value) {
                if it.negatives.contains_key(&follower) {
                    continue;
                }
                let (lefts, rights) = it.store.options(follower);
                let all = |list: &[Value]| sorted(list.iter().map(|option| it.negatives[option]));
                let (lefts, rights) = (all(rights), all(lefts));
                it.spend(1 + lefts.len() + rights.len())?;
                let negative = it.store.add(&lefts, &rights)?;
                it.negatives.insert(follower, negative);
                it.negatives.insert(negative, follower);
            }
            Ok(it.negatives[&value])
        })
    }

    /// The sum: a player moves in one of both games.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn sum(&mut self, g: Value, h: Value) -> Result<Value, Error> {
        if let Some(sum) = self.known_sum(g, h) {
            return Ok(sum);
        }
        self.counted(|it| {
            let mut waiting = vec![(g, h)];
            while let Some(&(g, h)) = waiting.last() {
                if it.known_sum(g, h).is_some() {
                    waiting.pop();
                    continue;
                }
                it.spend(1)?;
                let sum = match (it.store.number(g), it.store.number(h)) {
                    (Some(x), Some(y)) => Some(it.number(x.plus(y)?)?),
                    _ => it.sum_of_known(g, h, &mut waiting)?,
                };
                if let Some(sum) = sum {
                    it.sums.insert(ordered(g, h), sum);
                }
            }
            it.known_sum(g, h).ok_or(Error::Steps { limit: it.limits.steps })
        })
    }

    fn known_sum(&self, g: Value, h: Value) -> Option<Value> {
        match (g, h) {
            (Value::ZERO, other) | (other, Value::ZERO) => Some(other),
            _ => self.sums.get(&ordered(g, h)).copied(),
        }
    }

    /// The sum, if the sums that its options need are known; otherwise these join the waiting ones.
    fn sum_of_known(&mut self, g: Value, h: Value, waiting: &mut Vec<(Value, Value)>) -> Result<Option<Value>, Error> {
        let before = waiting.len();
        let mut lists = [Vec::new(), Vec::new()];
        for (here, other) in [(g, h), (h, g)] {
            // A player who can move elsewhere need not move in a number (Winning Ways, chapter 6).
            if self.store.is_number(here) {
                continue;
            }
            let (lefts, rights) = self.store.options(here);
            for (options, list) in [lefts, rights].into_iter().zip(&mut lists) {
                for &option in options {
                    match self.known_sum(option, other) {
                        Some(sum) => list.push(sum),
                        None => waiting.push((option, other)),
                    }
                }
            }
        }
        if waiting.len() > before {
            return Ok(None);
        }
        self.simplified(&lists[0], &lists[1]).map(Some)
    }

    /// `g` minus `h`.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn difference(&mut self, g: Value, h: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let negative = it.negative(h)?;
            it.sum(g, negative)
        })
    }

    /// `count` times `g`.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn multiple(&mut self, count: i64, g: Value) -> Result<Value, Error> {
        self.counted(|it| {
            if let Some(number) = it.store.number(g) {
                return it.number(number.times(count)?);
            }
            let mut doubled = if count < 0 { it.negative(g)? } else { g };
            let mut left = count.unsigned_abs();
            let mut sum = Value::ZERO;
            loop {
                if left % 2 == 1 {
                    sum = it.sum(sum, doubled)?;
                }
                left /= 2;
                if left == 0 {
                    return Ok(sum);
                }
                doubled = it.sum(doubled, doubled)?;
            }
        })
    }

    /// The ordinal sum `g:h`: a move in `g` removes `h`. It depends on the form of `g`, which is the canonical one
    /// here.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn ordinal_sum(&mut self, g: Value, h: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let mut sums: FxHashMap<Value, Value> = FxHashMap::default();
            for follower in it.store.followers(h) {
                let (above, base) = (it.store.options(follower), it.store.options(g));
                let all = |base: &[Value], above: &[Value]| {
                    base.iter().copied().chain(above.iter().map(|option| sums[option])).collect::<Vec<_>>()
                };
                let (lefts, rights) = (all(base.0, above.0), all(base.1, above.1));
                sums.insert(follower, it.simplified(&lefts, &rights)?);
            }
            Ok(sums[&h])
        })
    }

    /// What Left gains by each move, without dominated gains: Left options minus the game.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn left_incentives(&mut self, value: Value) -> Result<Vec<Value>, Error> {
        let options = self.store.lefts(value).to_vec();
        self.gains(options, |it, left| it.difference(left, value))
    }

    /// What Right gains by each move, without dominated gains: the game minus Right options.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn right_incentives(&mut self, value: Value) -> Result<Vec<Value>, Error> {
        let options = self.store.rights(value).to_vec();
        self.gains(options, |it, right| it.difference(value, right))
    }

    /// The gains by `options`, without dominated ones.
    fn gains(
        &mut self,
        options: Vec<Value>,
        gain: impl Fn(&mut Self, Value) -> Result<Value, Error>,
    ) -> Result<Vec<Value>, Error> {
        self.counted(|it| {
            let mut gains = options.into_iter().map(|option| gain(it, option)).collect::<Result<_, _>>()?;
            it.comparer.maximal(&it.store, &mut gains)?;
            Ok(gains)
        })
    }
}

/// A pair as a key: sums do not depend on the order.
fn ordered(g: Value, h: Value) -> (Value, Value) {
    (g.min(h), g.max(h))
}
