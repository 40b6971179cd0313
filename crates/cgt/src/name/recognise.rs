//! Recognition of numbers, nimbers and ups.

use crate::calculator::Calculator;
use crate::error::Error;
use crate::store::Value;
use crate::uptimal::Uptimal;

impl Calculator {
    /// The value as a number plus ups plus a nimber, if it is such a sum.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn uptimal(&mut self, value: Value) -> Result<Option<&Uptimal>, Error> {
        if !self.uptimals.contains_key(&value) {
            self.counted(|it| {
                for follower in it.store().followers(value) {
                    if !it.uptimals.contains_key(&follower) {
                        let found = it.uptimal_from_options(follower)?;
                        it.uptimals.insert(follower, found);
                    }
                }
                Ok(())
            })?;
        }
        Ok(self.uptimals[&value].as_ref())
    }

    /// The value as a nimber, if it is one: `Some(0)` for 0.
    ///
    /// # Errors
    /// An error of the limits.
    pub fn nim_value(&mut self, value: Value) -> Result<Option<u32>, Error> {
        let nimber = |it: &Uptimal| it.is_nimber().then_some(it.nim);
        Ok(if value == Value::ZERO { Some(0) } else { self.uptimal(value)?.and_then(nimber) })
    }

    /// Tells whether `value` is an uptimal, if that is known of its options.
    ///
    /// Suppose that the last count of ups is positive. Then Right has one option, which has one up less of each power
    /// and a changed star (Siegel, Combinatorial Game Theory). The last power is the last one of the Right option, or
    /// one higher than those of all options. A sum decides which of these is right. The mirror image holds for Left.
    fn uptimal_from_options(&mut self, value: Value) -> Result<Option<Uptimal>, Error> {
        if let Some(number) = self.store().number(value) {
            return Ok(Some(Uptimal::of_number(number)));
        }
        let (lefts, rights) = self.store().options(value);
        let (lefts, rights) = (lefts.to_vec(), rights.to_vec());
        let parts: Option<Vec<&Uptimal>> =
            lefts.iter().chain(&rights).map(|option| self.uptimals[option].as_ref()).collect();
        let Some(parts) = parts else { return Ok(None) };
        let number = parts[0].number;
        if parts.iter().any(|part| part.number != number) {
            return Ok(None);
        }
        if lefts == rights {
            let mut sizes: Vec<u32> = parts.iter().filter(|it| it.ups.is_empty()).map(|it| it.nim).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let size = lefts.len() as u32;
            let nimber = sizes.len() == lefts.len() && sizes.last() == Some(&(size - 1));
            return Ok(nimber.then(|| Uptimal { nim: size, ..Uptimal::of_number(number) }));
        }
        let longest = parts.iter().map(|part| part.ups.len()).max().unwrap_or(0);
        for (options, sign) in [(&rights, 1), (&lefts, -1)] {
            let [option] = options[..] else { continue };
            let Some(base) = self.uptimals[&option].clone() else { continue };
            let same_sign = base.ups.last().is_some_and(|&last| last * sign > 0);
            let powers = [same_sign.then_some(base.ups.len()), Some(longest + 1)];
            for power in powers.into_iter().flatten() {
                if self.raised_value(option, power as u32, sign)? == value {
                    return Ok(Some(base.raised(power, sign)?));
                }
            }
        }
        Ok(None)
    }

    /// `base`, plus the powers 1 to `power` of up or, with `sign` -1, of down, plus `*`.
    fn raised_value(&mut self, base: Value, power: u32, sign: i64) -> Result<Value, Error> {
        let (ups, star) = (self.up_powers(power)?, self.nimber(1)?);
        let ups = if sign > 0 { ups } else { self.negative(ups)? };
        let step = self.sum(ups, star)?;
        self.sum(base, step)
    }
}
