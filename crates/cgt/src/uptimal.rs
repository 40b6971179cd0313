//! Uptimals: sums of a number, multiples of powers of up, and a nimber.

use std::cmp::Ordering;

use crate::dyadic::{Dyadic, Overflow};

/// The game `number + ups[0] * ^<1> + ups[1] * ^<2> + ... + *nim`.
///
/// Every game is such a sum in at most one way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Uptimal {
    /// The number.
    pub number: Dyadic,
    /// How many of each power of up there are. The last one is not 0.
    pub ups: Vec<i64>,
    /// The size of the nimber.
    pub nim: u32,
}

impl Uptimal {
    /// A number.
    pub(crate) const fn of_number(number: Dyadic) -> Self {
        Self { number, ups: Vec::new(), nim: 0 }
    }

    /// True for nimbers other than 0.
    #[must_use]
    pub fn is_nimber(&self) -> bool {
        self.number == Dyadic::ZERO && self.ups.is_empty() && self.nim > 0
    }

    /// True for numbers.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        self.ups.is_empty() && self.nim == 0
    }

    /// This sum, plus the powers 1 to `power` of up, plus `*`. With `sign` -1 the ups become downs.
    pub(crate) fn raised(&self, power: usize, sign: i64) -> Result<Self, Overflow> {
        let mut raised = self.clone();
        raised.nim ^= 1;
        raised.ups.resize(power.max(raised.ups.len()), 0);
        for count in &mut raised.ups[..power] {
            *count = count.checked_add(sign).ok_or(Overflow)?;
        }
        while raised.ups.last() == Some(&0) {
            raised.ups.pop();
        }
        Ok(raised)
    }

    /// The name, if CGSuite has a short one: with at most ups of power 1, with one power of up or down, or with one of
    /// each of the first powers.
    pub(crate) fn name(&self) -> Option<String> {
        let powers = self.ups.len();
        let ups = match self.ups.as_slice() {
            [] => String::new(),
            [1] => "^".into(),
            [2] => "^^".into(),
            [-1] => "v".into(),
            [-2] => "vv".into(),
            [count] => format!("{}{}", symbol(*count), count.unsigned_abs()),
            [lower @ .., last @ (1 | -1)] if lower.iter().all(|&count| count == 0) => {
                format!("{}<{powers}>", symbol(*last))
            }
            [lower @ .., last @ (1 | -1)] if lower.iter().all(|count| count == last) => {
                format!("{}[{powers}]", symbol(*last))
            }
            _ => return None,
        };
        let star = match self.nim {
            0 => String::new(),
            1 => "*".into(),
            size => format!("*{size}"),
        };
        let number = if self.number == Dyadic::ZERO && !(ups.is_empty() && star.is_empty()) {
            String::new()
        } else {
            self.number.to_string()
        };
        Some(number + &ups + &star)
    }

    /// True if the name is one word: a number, a nimber or ups.
    pub(crate) fn is_compact(&self) -> bool {
        let parts = [self.number != Dyadic::ZERO, !self.ups.is_empty(), self.nim > 0];
        parts.into_iter().filter(|&part| part).count() <= 1
    }
}

impl Ord for Uptimal {
    /// The order in which CGSuite lists options: numbers, then nimbers, then the rest by number, ups and nimber.
    fn cmp(&self, other: &Self) -> Ordering {
        let class = |it: &Self| (!it.is_number(), !it.is_number() && !it.is_nimber());
        class(self)
            .cmp(&class(other))
            .then_with(|| self.number.cmp(&other.number))
            .then_with(|| self.ups.cmp(&other.ups))
            .then_with(|| self.nim.cmp(&other.nim))
    }
}

impl PartialOrd for Uptimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Up for positive counts, down for negative ones.
const fn symbol(count: i64) -> char {
    if count > 0 { '^' } else { 'v' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |number: i32, ups: &[i64], nim| Uptimal { number: number.into(), ups: ups.to_vec(), nim }.name();
        let rows: [(i32, &[i64], u32, Option<&str>); 12] = [
            (0, &[], 0, Some("0")),
            (0, &[], 2, Some("*2")),
            (-1, &[], 1, Some("-1*")),
            (0, &[2], 1, Some("^^*")),
            (1, &[-3], 2, Some("1v3*2")),
            (0, &[0, 1], 0, Some("^<2>")),
            (0, &[0, 0, -1], 1, Some("v<3>*")),
            (2, &[1, 1], 0, Some("2^[2]")),
            (0, &[-1, -1, -1], 0, Some("v[3]")),
            (0, &[1, 2], 0, None),
            (0, &[1, 0, 1], 0, None),
            (0, &[0, 2], 0, None),
        ];
        for (number, ups, nim, expected) in rows {
            assert_eq!(name(number, ups, nim).as_deref(), expected, "{number} {ups:?} {nim}");
        }
    }
}
