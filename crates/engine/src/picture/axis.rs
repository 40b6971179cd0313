//! The scale of an axis: its range and its ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;

/// A scale: its first and last number, and its ticks with their labels.
#[derive(Clone)]
pub(super) struct Axis {
    range: (f64, f64),
    ticks: Vec<(f64, String)>,
    /// The numbers are logarithms to base ten.
    is_log: bool,
}

/// The largest ratio of the largest to the smallest count on a linear scale, where smaller bars would be invisible.
const LARGEST_RATIO: u64 = 1000;
/// The lower end of bars on a logarithmic scale: below zero, the logarithm of one, so that a bar for one is visible.
const FLOOR: f64 = -0.35;

impl Axis {
    /// Whole numbers from `first` to `last`, each in the middle of a unit, with at most `most` ticks.
    pub(super) fn whole(first: i32, last: i32, most: i32) -> Self {
        let steps = [1, 2, 5, 10, 20, 50];
        let step = steps.into_iter().find(|step| (last - first) / step < most).unwrap_or(100);
        let ticks = (first..=last).filter(|number| number % step == 0).map(|n| (f64::from(n), n.to_string()));
        Self { range: (f64::from(first) - 0.5, f64::from(last) + 0.5), ticks: ticks.collect(), is_log: false }
    }

    /// Percents from 0 to 100.
    pub(super) fn percent() -> Self {
        let ticks = [0, 25, 50, 75, 100].map(|n| (f64::from(n), n.to_string())).to_vec();
        Self { range: (0.0, 100.0), ticks, is_log: false }
    }

    /// A scale for the `counts` that are not zero: logarithmic if they differ by orders of magnitude.
    pub(super) fn counts(counts: impl Iterator<Item = u64> + Clone) -> Self {
        let some = counts.filter(|&count| count > 0);
        let (least, most) = (some.clone().min().unwrap_or(1), some.max().unwrap_or(1));
        if most / least > LARGEST_RATIO { Self::logarithmic(most) } else { Self::linear(most) }
    }

    fn logarithmic(most: u64) -> Self {
        let top = (most as f64).log10();
        let decades = top.floor() as u32;
        let step = decades.div_ceil(7).max(1);
        let ticks = (0..=decades).step_by(step as usize).map(|d| (f64::from(d), with_commas(10u64.pow(d))));
        Self { range: (FLOOR, top + 0.15), ticks: ticks.collect(), is_log: true }
    }

    fn linear(most: u64) -> Self {
        // Ticks at multiples of 1, 2 or 5 times a power of ten: three to six of them above zero.
        let mut step = 1u64;
        for factor in [2, 5, 10].into_iter().cycle() {
            if most / step < 6 {
                break;
            }
            let base = 10u64.pow(step.ilog10());
            step = base.saturating_mul(factor);
        }
        let ticks = (0..=most / step).map(|n| ((n * step) as f64, with_commas(n * step)));
        Self { range: (0.0, most as f64 * 1.04), ticks: ticks.collect(), is_log: false }
    }

    /// The lower end of bars.
    pub(super) const fn floor(&self) -> f64 {
        self.range.0
    }

    /// The place of `count` on the scale.
    pub(super) fn at(&self, count: f64) -> f64 {
        if self.is_log { count.log10() } else { count }
    }

    /// The suffix of the axis title.
    pub(super) const fn note(&self) -> &'static str {
        if self.is_log { " (log scale)" } else { "" }
    }

    /// The length of the longest label.
    pub(super) fn letters(&self) -> usize {
        self.ticks.iter().map(|(_, label)| label.len()).max().unwrap_or(0)
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.0..self.range.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(at, _)| at == value);
        tick.map(|(_, label)| label.clone()).unwrap_or_default()
    }
}

/// `number` with commas: `1,234,567`.
pub(super) fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_and_few() {
        assert_eq!(labels(&Axis::whole(0, 6, 20)), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(
            labels(&Axis::whole(3, 64, 20)),
            ["5", "10", "15", "20", "25", "30", "35", "40", "45", "50", "55", "60"]
        );
        assert_eq!(labels(&Axis::linear(46)), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(&Axis::linear(1)), ["0", "1"]);
        assert_eq!(labels(&Axis::linear(117_535)), ["0", "20,000", "40,000", "60,000", "80,000", "100,000"]);
        assert_eq!(labels(&Axis::logarithmic(32_726)), ["1", "10", "100", "1,000", "10,000"]);
        for most in (0..64).flat_map(|bits| [1u64 << bits, u64::MAX >> bits]) {
            for axis in [Axis::linear(most), Axis::logarithmic(most)] {
                assert!((1..=8).contains(&axis.ticks.len()), "{most}: {:?}", axis.ticks);
                assert!(axis.ticks.iter().all(|&(at, _)| axis.range.0 <= at && at <= axis.range.1), "{most}");
                assert!(axis.ticks.iter().all(|(at, label)| axis.format_ext(at) == *label));
            }
        }
    }

    #[test]
    fn counts_of_many_magnitudes_are_on_a_logarithmic_scale() {
        let is_log = |counts: &[u64]| Axis::counts(counts.iter().copied()).is_log;
        assert!(is_log(&[0, 1, 1_001_000]) && !is_log(&[0, 1, 1000]) && !is_log(&[]) && !is_log(&[0]));
        let axis = Axis::counts([1, 1_000_000].into_iter());
        assert!(axis.at(1.0) > axis.floor() && axis.note() == " (log scale)");
    }

    #[test]
    fn numbers_are_grouped_with_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
