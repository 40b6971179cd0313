//! Atomic weights: how many ups an infinitesimal is worth.
//!
//! A *remote* nimber is larger than every nimber that is a follower of the games beside it. Nothing changes if another remote nimber takes
//! its place. Write `D <~ 0` if, for every game `X` and every remote `*n`, Right wins `D + X + *n` whenever Right wins `X + *n`, moving first
//! or second. `D` has the weight 0 if `D <~ 0` and `-D <~ 0`. The comparison with a remote star decides this:
//!
//! > `D <~ 0` exactly if `D < ^*n` for remote `n`.
//!
//! If `D <~ 0`, take `X = v`: as `v*n < 0`, also `D + v + *n < 0`. For the other direction, let `m` be a power of two such that `*(m/2)` is
//! remote, and `K = *m:-1 = {0,...,*(m-1) | 0,...,*m}`, which Winning Ways calls a red kite. `K + *m < 0`. Below, `^` between numbers is the
//! exclusive or.
//!
//! 1. If `Z + *i <= 0` for some `i`, Right wins `K + Z + *j` moving first. If `i^j <= m`, Right moves `K` to `*(i^j)`. If `j > i^m`,
//!    Right moves `*j` to `*(i^m)`. Otherwise `j^m < i`: Right has an answer `Y <= 0` to Left's move from `Z + *i` to `Z + *(j^m)`, and the
//!    same move leaves `K + *m + Y` here.
//! 2. Then also `K + Z + *n <= 0` for remote `n`. Left moves `*n`: 1. Left moves `K` to `*j`: Right moves `*n` to `*(i^j)`. Left moves `Z`:
//!    Right's answer in `Z + *i` leaves some `Z^L + *k <= 0`, and 1 holds, or `Z^LR + *i <= 0`, by induction.
//! 3. If `X + *n <= 0` for remote `n`, then `K + X + *j <= 0` for every `j < n`. Left moves `*j`: 1 with `i = n`. Left moves `K` to `*i`:
//!    what remains is an option of `X + *n`, which Right wins. Left moves `X`: as in 2.
//! 4. `^* + K <~ 0`. Right wins `X + *n` first: with a move in `X`, by induction; with a move to `X + *k`, Right moves `^*` to 0 here, and 2
//!    holds. Right wins it second, and Left moves here: in `X`, by induction; `*n` to `*j`, and Right moves `^*` to 0, and 3 holds; `K`
//!    to `*i`, and Right moves `^*` to 0; `^*`, and 1 holds with `i = n`.
//! 5. If `E + *n <= 0` for remote `n`, then `E - K <= 0`; if Right wins `E + *n` first, Right wins `E - K` first. Left moves `-K` to a nimber
//!    up to `*m`: this is no better than `E + *m` or an option of it. Left moves `E`: by induction. Right's move to `E + *k` becomes the move of
//!    `-K` to `*k`, or to `*(m-1)` if `k` is remote. Right's move in `E` stays.
//! 6. If `D + v + *n <= 0` for remote `n`, then `D <= ^* + K`, so `D <~ 0` by 4. Left moves in `D + v* - K`: `-K` to `*j`, as in 5; `v*`
//!    to 0: Right wins `D + * + *n` first, and 5 holds; `D` to `D^L`: Right wins `D^L + v + *n` first. A move of `*n` becomes a move of `-K`
//!    as in 5; a move of `v` to 0 becomes the move of `v*` to 0, and 5 holds; a move in `D^L` stays, by induction.

use rustc_hash::FxHashMap;

use super::base::Calculator;
use crate::compare::Comparison;
use crate::dyadic::Dyadic;
use crate::error::Error;
use crate::store::Value;

impl Calculator {
    /// The atomic weight of an infinitesimal: how many ups it is worth. `None` if the value is no infinitesimal, or if no weight is found.
    ///
    /// `W` is the atomic weight of `G` if `G + X + *n` and `W·^ + X + *n` have the same outcome for every game `X` and every large `n`. At
    /// most one `W` has this property. Every all-small game has a weight, and so have some other infinitesimals, such as tinies (Siegel,
    /// Combinatorial Game Theory, chapter II.7; Winning Ways, chapter 8).
    ///
    /// The options give a candidate. It is the weight of an all-small game. Of another game it is the weight exactly if
    /// `v*n < G - W·^ < ^*n` for a remote `n`: the comments of this file have a proof. So a weight that is returned is right. CGSuite tests
    /// the same candidate.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Option<Value>, Error> {
        if self.number_part(value) != Some(Dyadic::ZERO) {
            return Ok(None);
        }
        self.counted(|it| {
            let weight = it.candidate(value)?;
            if it.store.is_all_small(value) {
                return Ok(Some(weight));
            }
            let ups = it.times_up(weight)?;
            let difference = it.difference(value, ups)?;
            Ok(it.has_weight_zero(difference)?.then_some(weight))
        })
    }

    /// The candidate for the atomic weight of a value.
    ///
    /// The options' weights, minus 2 for Left and plus 2 for Right, give a game. It is the weight, unless it is an integer. Then the
    /// comparison of the value with a remote star decides which integer is the weight.
    fn candidate(&mut self, value: Value) -> Result<Value, Error> {
        let (two, minus_two) = (self.integer(2)?, self.integer(-2)?);
        let mut weights: FxHashMap<Value, Value> = FxHashMap::default();
        let followers = self.store.followers(value);
        let star = self.remote_star(&followers)?;
        for follower in followers {
            // A number, and a number plus ups, count as their ups.
            if let Some(ups) = self.uptimal(follower)?.and_then(|it| match it.ups[..] {
                [] => Some(0),
                [count] => Some(count),
                _ => None,
            }) {
                let weight = self.integer(ups)?;
                weights.insert(follower, weight);
                continue;
            }
            let weighed =
                |it: &mut Self, option, is_left| it.sum(weights[&option], if is_left { minus_two } else { two });
            let [lefts, rights] = self.mapped_options(follower, weighed)?;
            let mut weight = self.simplified(&lefts, &rights)?;
            if self.store.number(weight).is_some_and(Dyadic::is_integer) {
                weight = match self.compare(follower, star)? {
                    Comparison::Less => self.nearest_integer(&lefts, true)?,
                    Comparison::Greater => self.nearest_integer(&rights, false)?,
                    _ => weight,
                };
            }
            weights.insert(follower, weight);
        }
        Ok(weights[&value])
    }

    /// Norton's product of a game and up (Winning Ways, chapter 8).
    fn times_up(&mut self, game: Value) -> Result<Value, Error> {
        let (gain, loss) = (self.ups(2, 1)?, self.ups(-2, 1)?);
        self.rebuilt(
            game,
            |it, product, is_left| it.sum(product, if is_left { gain } else { loss }),
            |it, follower| match it.store.number(follower).filter(|number| number.is_integer()) {
                Some(integer) => it.ups(integer.numerator(), 0).map(Some),
                None => Ok(None),
            },
        )
    }

    /// Whether a game has the atomic weight 0: it lies between down and up, each plus a remote star.
    fn has_weight_zero(&mut self, game: Value) -> Result<bool, Error> {
        let mut largest = 0;
        for follower in self.store.followers(game) {
            largest = self.uptimal(follower)?.map_or(0, |it| it.nim).max(largest);
        }
        // No follower plus up or down is a nimber of this size.
        let star = largest + 2;
        let (low, high) = (self.ups(-1, star)?, self.ups(1, star)?);
        Ok(self.at_most(low, game)? && self.at_most(game, high)?)
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
