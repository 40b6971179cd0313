//! Thermographs: mean, temperature, and who gains how much from moving first.
//!
//! The scaffold of Left at temperature `t` is the largest Right wall of a Left option at `t`, minus `t`. The scaffold
//! of Right is the smallest Left wall of a Right option, plus `t`. The walls are the scaffolds up to the temperature at
//! which they meet. Above, both walls are the mast, whose value is the mean (Winning Ways, chapter 6; Siegel,
//! Combinatorial Game Theory, chapter II.5).

use rustc_hash::FxHashMap;

use super::wall::Wall;
use crate::dyadic::{Dyadic, Overflow};
use crate::store::{Store, Value};

/// The thermograph of a game, from temperature -1 up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thermograph {
    /// The wall of Left: the larger one.
    pub left: Wall,
    /// The wall of Right.
    pub right: Wall,
    /// The value of the mast.
    pub mean: Dyadic,
    /// Where the mast begins. The temperature of the number `x / 2^k` in lowest terms is `-1 / 2^k`, that of an integer
    /// -1.
    pub temperature: Dyadic,
}

impl Thermograph {
    fn of_integer(integer: Dyadic) -> Self {
        let wall = Wall::constant(integer);
        Self { left: wall.clone(), right: wall, mean: integer, temperature: -Dyadic::ONE }
    }

    /// The thermograph of a game with options that have the given thermographs; `None` if a player has no option.
    fn from_options<'a>(
        lefts: impl Iterator<Item = &'a Self>,
        rights: impl Iterator<Item = &'a Self>,
    ) -> Result<Option<Self>, Overflow> {
        let (mut left, mut right): (Option<Wall>, Option<Wall>) = (None, None);
        for option in lefts {
            left = Some(left.map_or_else(|| Ok(option.right.clone()), |wall| wall.max(&option.right))?);
        }
        for option in rights {
            right = Some(right.map_or_else(|| Ok(option.left.clone()), |wall| wall.min(&option.left))?);
        }
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let (left, right) = (left.tilted(-1)?, right.tilted(1)?);
        let temperature = meeting(&left, &right)?;
        let mean = left.at(temperature)?;
        let (left, right) = (left.capped(temperature)?, right.capped(temperature)?);
        Ok(Some(Self { left, right, mean, temperature }))
    }
}

/// The lowest temperature from -1 on at which `left` no longer exceeds `right`. The gap never grows, and shrinks in the
/// end.
fn meeting(left: &Wall, right: &Wall) -> Result<Dyadic, Overflow> {
    let mut temperatures: Vec<Dyadic> =
        left.points().iter().chain(right.points()).map(|point| point.temperature).collect();
    temperatures.sort_unstable();
    temperatures.dedup();
    for (i, &start) in temperatures.iter().enumerate() {
        if left.at(start)? <= right.at(start)? {
            return Ok(start);
        }
        if let Some(crossing) = left.crossing(right, start)?
            && temperatures.get(i + 1).is_none_or(|&end| crossing < end)
        {
            return Ok(crossing);
        }
    }
    // The scaffolds of a game with options on both sides end with different slopes, so they meet above.
    Ok(temperatures[temperatures.len() - 1])
}

/// Computes thermographs, and remembers them. It must not move from one store to another.
#[derive(Clone, Debug, Default)]
pub struct Thermographs {
    known: FxHashMap<Value, Thermograph>,
}

impl Thermographs {
    /// The thermograph of a value.
    ///
    /// # Errors
    /// [`Overflow`] if a corner is not a number that [`Dyadic`] holds.
    ///
    /// # Panics
    /// If the store does not hold the value.
    pub fn of(&mut self, store: &Store, value: Value) -> Result<&Thermograph, Overflow> {
        if !self.known.contains_key(&value) {
            for follower in store.followers(value) {
                if !self.known.contains_key(&follower) {
                    let graph = self.one_level_up(store, follower)?;
                    self.known.insert(follower, graph);
                }
            }
        }
        Ok(&self.known[&value])
    }

    fn one_level_up(&self, store: &Store, value: Value) -> Result<Thermograph, Overflow> {
        let (lefts, rights) = store.options(value);
        let graphs = |list: &'_ [Value]| list.iter().map(|option| &self.known[option]).collect::<Vec<_>>();
        let graph = Thermograph::from_options(graphs(lefts).into_iter(), graphs(rights).into_iter())?;
        // Only integers lack options of a player.
        Ok(graph.unwrap_or_else(|| Thermograph::of_integer(store.number(value).unwrap_or_default())))
    }
}
