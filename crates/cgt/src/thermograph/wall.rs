//! Walls: how much a player keeps of a game, by temperature.

use std::iter;

use crate::dyadic::{Dyadic, Overflow};

/// A corner of a wall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The temperature.
    pub temperature: Dyadic,
    /// The wall's value there.
    pub value: Dyadic,
}

/// A continuous function of the temperature, from -1 up. Its pieces are linear with slope -1, 0 or 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Wall {
    /// The first point is at temperature -1. Temperatures rise.
    points: Vec<Point>,
    /// The slope after the last point.
    slope: i8,
}

impl Wall {
    /// A wall with the same value at all temperatures.
    pub(super) fn constant(value: Dyadic) -> Self {
        Self { points: vec![Point { temperature: -Dyadic::ONE, value }], slope: 0 }
    }

    /// The corners of the wall, from temperature -1 up. After the last corner the wall keeps its value.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The value at a temperature of at least -1.
    ///
    /// # Errors
    /// [`Overflow`] if it does not fit.
    pub fn at(&self, temperature: Dyadic) -> Result<Dyadic, Overflow> {
        let place = self.points.partition_point(|point| point.temperature <= temperature).max(1);
        self.along(place - 1, temperature)
    }

    /// The value at `temperature` on the piece that begins at point `place`.
    fn along(&self, place: usize, temperature: Dyadic) -> Result<Dyadic, Overflow> {
        let start = self.points[place];
        let slope = self.slope_after(place);
        temperature.minus(start.temperature)?.times(slope)?.plus(start.value)
    }

    fn slope_after(&self, place: usize) -> i64 {
        match self.points.get(place + 1) {
            Some(end) => end.value.cmp(&self.points[place].value) as i64,
            None => self.slope.into(),
        }
    }

    /// The larger of both walls at each temperature.
    pub(super) fn max(&self, other: &Self) -> Result<Self, Overflow> {
        self.envelope(other, Ord::max)
    }

    /// The smaller of both walls at each temperature.
    pub(super) fn min(&self, other: &Self) -> Result<Self, Overflow> {
        self.envelope(other, Ord::min)
    }

    fn envelope(&self, other: &Self, choose: fn(Dyadic, Dyadic) -> Dyadic) -> Result<Self, Overflow> {
        let mut temperatures: Vec<Dyadic> =
            self.points.iter().chain(&other.points).map(|point| point.temperature).collect();
        temperatures.sort_unstable();
        temperatures.dedup();
        let mut with_crossings = Vec::with_capacity(2 * temperatures.len());
        for (i, &start) in temperatures.iter().enumerate() {
            with_crossings.push(start);
            let crossing = self.crossing(other, start)?;
            with_crossings.extend(crossing.filter(|&it| temperatures.get(i + 1).is_none_or(|&end| it < end)));
        }
        let mut wall = Self { points: Vec::new(), slope: 0 };
        for temperature in with_crossings {
            let value = choose(self.at(temperature)?, other.at(temperature)?);
            wall.points.push(Point { temperature, value });
        }
        // After the last point the walls no longer cross, so the chosen wall stays the same.
        let last = wall.points[wall.points.len() - 1];
        let later = last.temperature.plus(Dyadic::ONE)?;
        wall.slope = choose(self.at(later)?, other.at(later)?).cmp(&last.value) as i8;
        wall.straighten();
        Ok(wall)
    }

    /// The temperature above `start` at which the pieces of both walls that hold `start` meet, if they do.
    pub(super) fn crossing(&self, other: &Self, start: Dyadic) -> Result<Option<Dyadic>, Overflow> {
        let place = |wall: &Self| wall.points.partition_point(|point| point.temperature <= start).max(1) - 1;
        let gap = self.at(start)?.minus(other.at(start)?)?;
        let closing = other.slope_after(place(other)) - self.slope_after(place(self));
        // The gap shrinks by `closing` for each unit of temperature.
        let wait = match closing {
            1 | -1 => gap.times(closing)?,
            2 | -2 => gap.times(closing / 2)?.half()?,
            _ => return Ok(None),
        };
        Ok(if wait > Dyadic::ZERO { Some(start.plus(wait)?) } else { None })
    }

    /// The wall plus `slope` times the temperature.
    pub(super) fn tilted(&self, slope: i8) -> Result<Self, Overflow> {
        let tilt = |point: &Point| {
            let value = point.temperature.times(slope.into())?.plus(point.value)?;
            Ok(Point { value, ..*point })
        };
        let points = self.points.iter().map(tilt).collect::<Result<_, Overflow>>()?;
        let mut wall = Self { points, slope: self.slope + slope };
        wall.straighten();
        Ok(wall)
    }

    /// The wall up to a temperature, and constant from there on.
    pub(super) fn capped(&self, temperature: Dyadic) -> Result<Self, Overflow> {
        let value = self.at(temperature)?;
        let below = self.points.iter().copied().take_while(|point| point.temperature < temperature);
        let points = below.chain(iter::once(Point { temperature, value })).collect();
        let mut wall = Self { points, slope: 0 };
        wall.straighten();
        Ok(wall)
    }

    /// Removes points at which the slope does not change.
    fn straighten(&mut self) {
        let mut corners = vec![self.points[0]];
        let mut slope = self.slope_after(0);
        for place in 1..self.points.len() {
            let next = self.slope_after(place);
            if next != slope {
                corners.push(self.points[place]);
            }
            slope = next;
        }
        self.points = corners;
    }
}
