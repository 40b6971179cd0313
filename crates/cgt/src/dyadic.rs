//! Exact dyadic rationals: numbers with a power of 2 as the denominator.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// Largest exponent of a denominator: denominators are at most 2^62.
const MOST_EXPONENT: u32 = 62;

/// A dyadic rational, `numerator / 2^exponent` in lowest terms.
///
/// ```
/// use tablegen_cgt::Dyadic;
///
/// let three_quarters = Dyadic::new(6, 3)?;
/// assert_eq!(three_quarters.to_string(), "3/4");
/// assert_eq!(three_quarters.plus(Dyadic::new(1, 2)?)?, Dyadic::ONE);
/// # Ok::<(), tablegen_cgt::Overflow>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dyadic {
    /// Never `i64::MIN`, so every number has a negative.
    numerator: i64,
    /// 0 if the numerator is even.
    exponent: u8,
}

/// A number that [`Dyadic`] cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "cannot compute an exact number: expected a numerator below 2^63 and a denominator of at most 2^62, found more"
)]
pub struct Overflow;

impl Dyadic {
    /// The number 0.
    pub const ZERO: Self = Self { numerator: 0, exponent: 0 };
    /// The number 1.
    pub const ONE: Self = Self { numerator: 1, exponent: 0 };

    /// The number `numerator / 2^exponent`.
    ///
    /// # Errors
    /// [`Overflow`] if the lowest terms do not fit.
    pub fn new(numerator: i64, exponent: u32) -> Result<Self, Overflow> {
        Self::reduced(numerator.into(), exponent)
    }

    fn reduced(numerator: i128, exponent: u32) -> Result<Self, Overflow> {
        let shift = exponent.min(numerator.trailing_zeros());
        let (numerator, exponent) = (numerator >> shift, exponent - shift);
        // Zero has 128 trailing zeros, so its exponent is 0 here.
        match i64::try_from(numerator) {
            Ok(numerator) if numerator != i64::MIN && exponent <= MOST_EXPONENT => {
                Ok(Self { numerator, exponent: exponent as u8 })
            }
            _ => Err(Overflow),
        }
    }

    /// The numerator in lowest terms.
    #[must_use]
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The exponent of the denominator in lowest terms: the denominator is 2 to this power.
    #[must_use]
    pub const fn exponent(self) -> u32 {
        self.exponent as u32
    }

    /// True for integers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// The largest integer that is at most this number.
    #[must_use]
    pub const fn floor(self) -> i64 {
        self.numerator >> self.exponent
    }

    /// The smallest integer that is at least this number.
    #[must_use]
    pub const fn ceiling(self) -> i64 {
        -(-self.numerator >> self.exponent)
    }

    /// The sum.
    ///
    /// # Errors
    /// [`Overflow`] if it does not fit.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        let (a, b, exponent) = self.aligned(other);
        Self::reduced(a + b, exponent)
    }

    /// The difference.
    ///
    /// # Errors
    /// [`Overflow`] if it does not fit.
    pub fn minus(self, other: Self) -> Result<Self, Overflow> {
        self.plus(-other)
    }

    /// Half of this number.
    ///
    /// # Errors
    /// [`Overflow`] if it does not fit.
    pub fn half(self) -> Result<Self, Overflow> {
        Self::reduced(self.numerator.into(), self.exponent() + 1)
    }

    /// `count` times this number.
    ///
    /// # Errors
    /// [`Overflow`] if it does not fit.
    pub fn times(self, count: i64) -> Result<Self, Overflow> {
        Self::reduced(i128::from(self.numerator) * i128::from(count), self.exponent())
    }

    /// The floor of this number in units of `1 / 2^bits`, at most `i16::MAX` and at least `i16::MIN`. It never falls
    /// when the number rises.
    pub(crate) fn coarse(self, bits: u32) -> i16 {
        let floor = (i128::from(self.numerator) << bits) >> self.exponent;
        floor.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }

    /// Both numerators over the larger denominator, and its exponent.
    fn aligned(self, other: Self) -> (i128, i128, u32) {
        let exponent = self.exponent.max(other.exponent);
        let over = |it: Self| i128::from(it.numerator) << (exponent - it.exponent);
        (over(self), over(other), exponent.into())
    }
}

impl From<i32> for Dyadic {
    fn from(integer: i32) -> Self {
        Self { numerator: integer.into(), exponent: 0 }
    }
}

impl Neg for Dyadic {
    type Output = Self;

    fn neg(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b, _) = self.aligned(*other);
        a.cmp(&b)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    /// `3`, `-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => f.pad_integral(self.numerator >= 0, "", &self.numerator.unsigned_abs().to_string()),
            _ => f.pad(&format!("{}/{}", self.numerator, 1_u64 << self.exponent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dyadic(numerator: i64, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).expect("it fits")
    }

    #[test]
    fn lowest_terms() {
        assert_eq!(dyadic(12, 3), dyadic(3, 1));
        assert_eq!(dyadic(0, 60), Dyadic::ZERO);
        assert_eq!([dyadic(-3, 1), dyadic(8, 2), Dyadic::ZERO].map(|it| it.to_string()), ["-3/2", "2", "0"]);
    }

    #[test]
    fn floor_and_ceiling_of_negative_numbers() {
        assert_eq!((dyadic(-3, 1).floor(), dyadic(-3, 1).ceiling()), (-2, -1));
        assert_eq!((dyadic(3, 2).floor(), dyadic(3, 2).ceiling(), dyadic(4, 1).ceiling()), (0, 1, 2));
        assert_eq!((dyadic(-1, 3).coarse(2), dyadic(1 << 40, 0).coarse(5)), (-1, i16::MAX));
    }

    #[test]
    fn order_and_sums_across_denominators() {
        assert!(dyadic(1, 62) > Dyadic::ZERO && dyadic(i64::MAX, 62) > dyadic(i64::MAX - 1, 62));
        assert!(dyadic(-1, 1) < dyadic(-1, 2));
        assert_eq!(dyadic(1, 1).plus(dyadic(1, 2)), Ok(dyadic(3, 2)));
        assert_eq!(dyadic(3, 2).minus(dyadic(-1, 2)), Ok(Dyadic::ONE));
        assert_eq!(dyadic(3, 2).times(-4), Ok(Dyadic::from(-3)));
    }

    #[test]
    fn too_large_numbers_are_errors() {
        assert_eq!(dyadic(i64::MAX, 0).plus(Dyadic::ONE), Err(Overflow));
        assert_eq!(dyadic(1, 62).half(), Err(Overflow));
        assert_eq!(Dyadic::new(i64::MIN, 0), Err(Overflow));
        assert_eq!(dyadic(i64::MAX, 0).times(i64::MIN), Err(Overflow));
        assert_eq!(dyadic(2, 0).times(1 << 61), Dyadic::new(1 << 62, 0));
    }
}
