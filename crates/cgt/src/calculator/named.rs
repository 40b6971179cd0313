//! Games with names: numbers, nimbers, ups, tinies and switches.

use super::base::Calculator;
use crate::dyadic::Dyadic;
use crate::error::{Error, MOST_OPTIONS};
use crate::store::Value;

impl Calculator {
    /// The value of an integer.
    ///
    /// # Errors
    /// [`Error::Birthday`] if it exceeds 65,535, or an error of the limits.
    pub fn integer(&mut self, integer: i64) -> Result<Value, Error> {
        self.number(Dyadic::new(integer, 0)?)
    }

    /// The value of a number.
    ///
    /// # Errors
    /// [`Error::Birthday`] if it exceeds 65,535, or an error of the limits.
    pub fn number(&mut self, number: Dyadic) -> Result<Value, Error> {
        if let Some(value) = self.store.find_number(number) {
            return Ok(value);
        }
        self.counted(|it| {
            // The numbers that the canonical form needs, latest first: an integer needs the one before it, another
            // number `x / 2^k` the numbers `(x - 1) / 2^k` and `(x + 1) / 2^k`.
            let mut waiting = vec![number];
            while let Some(&number) = waiting.last() {
                it.spend(1)?;
                if waiting.len() > MOST_OPTIONS + 1 || number.floor().unsigned_abs() > MOST_OPTIONS as u64 {
                    return Err(Error::Birthday);
                }
                let step = Dyadic::new(1, number.exponent())?;
                let positive = number > Dyadic::ZERO;
                let needs = |left: bool| !number.is_integer() || number != Dyadic::ZERO && positive == left;
                let options = [needs(true).then(|| number.minus(step)), needs(false).then(|| number.plus(step))];
                let mut values = [Vec::new(), Vec::new()];
                let missing = waiting.len();
                for (option, values) in options.into_iter().zip(&mut values) {
                    if let Some(option) = option.transpose()? {
                        match it.store.find_number(option) {
                            Some(value) => values.push(value),
                            None => waiting.push(option),
                        }
                    }
                }
                if waiting.len() == missing {
                    it.store.add(&values[0], &values[1])?;
                    waiting.pop();
                }
            }
            it.store.find_number(number).ok_or(Error::Birthday)
        })
    }

    /// `*size`: the heap of Nim with `size` tokens.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn nimber(&mut self, size: u32) -> Result<Value, Error> {
        self.counted(|it| {
            let mut smaller = Vec::new();
            for _ in 0..size {
                it.spend(1 + smaller.len())?;
                smaller.push(it.store.add(&smaller, &smaller)?);
                smaller.sort_unstable();
            }
            it.spend(1 + smaller.len())?;
            it.store.add(&smaller, &smaller)
        })
    }

    /// `count` times up, plus the nimber of `nim`. A negative `count` counts downs.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn ups(&mut self, count: i64, nim: u32) -> Result<Value, Error> {
        self.counted(|it| {
            let star = it.nimber(1)?;
            // Right's only option has one up less and a changed star, so the star alternates.
            let count_up = count.unsigned_abs();
            let mut value = it.nimber(if count_up.is_multiple_of(2) { nim } else { nim ^ 1 })?;
            // Only up plus star has a second Left option.
            let from_zero = value == Value::ZERO;
            for made in 0..count_up {
                it.spend(1)?;
                let both = [Value::ZERO, star];
                let lefts = if made == 0 && from_zero { &both[..] } else { &both[..1] };
                value = it.simplified(lefts, &[value])?;
            }
            if count < 0 { it.negative(value) } else { Ok(value) }
        })
    }

    /// The sum of the powers 1 to `power` of up, which CGSuite writes `^[power]`.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn up_powers(&mut self, power: u32) -> Result<Value, Error> {
        self.counted(|it| {
            let star = it.nimber(1)?;
            (0..power).try_fold(Value::ZERO, |sum, _| it.simplified(&[sum], &[star]))
        })
    }

    /// A power of up, which CGSuite writes `^<power>`. Power 1 is up.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn up_power(&mut self, power: u32) -> Result<Value, Error> {
        self.counted(|it| {
            let (star, lower) = (it.nimber(1)?, it.up_powers(power.saturating_sub(1))?);
            let right = it.difference(star, lower)?;
            it.simplified(&[Value::ZERO], &[right])
        })
    }

    /// Tiny: `{0||0|-g}`.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn tiny(&mut self, g: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let threat = it.negative(g)?;
            let right = it.simplified(&[Value::ZERO], &[threat])?;
            it.simplified(&[Value::ZERO], &[right])
        })
    }

    /// Miny: `{g|0||0}`, the negative of tiny.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn miny(&mut self, g: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let left = it.simplified(&[g], &[Value::ZERO])?;
            it.simplified(&[left], &[Value::ZERO])
        })
    }

    /// The switch `{g|-g}`.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn plus_minus(&mut self, g: Value) -> Result<Value, Error> {
        self.counted(|it| {
            let right = it.negative(g)?;
            it.simplified(&[g], &[right])
        })
    }
}
