//! Decides whether weights exist that make several sums positive: the simplex method on fractions, so the answer is exact.
//!
//! Either there are weights x with `a x >= 1` for every row a, or there are numbers y >= 0, not all 0, with `sum of y a = 0`
//! (Gordan 1873, a case of Farkas's lemma). The first phase of the simplex method looks for the y with sum 1, from a basis of
//! artificial variables. If it ends without one, its prices are the x. Bland's rule keeps it from going round in circles.

/// Fractions that are looked at before the search is given up: it takes some tenths of a second. Of the games
/// known to us, Six Men's Morris takes most: a little more than half of it.
const MOST_WORK: usize = 1 << 24;

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fraction {
    over: i128,
    under: i128,
}

impl Fraction {
    const ZERO: Self = Self { over: 0, under: 1 };
    const ONE: Self = Self { over: 1, under: 1 };

    fn new(over: i128, under: i128) -> Self {
        if over == 0 {
            return Self::ZERO;
        }
        let divisor = gcd(over, under) * under.signum();
        Self { over: over / divisor, under: under / divisor }
    }

    fn plus(self, other: Self) -> Option<Self> {
        if other.over == 0 {
            return Some(self);
        }
        let over = self.over.checked_mul(other.under)?.checked_add(other.over.checked_mul(self.under)?)?;
        Some(Self::new(over, self.under.checked_mul(other.under)?))
    }

    fn times(self, other: Self) -> Option<Self> {
        Some(Self::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?))
    }

    fn negative(self) -> Self {
        Self { over: -self.over, ..self }
    }

    fn by(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.under, other.over))
    }

    fn is_less(self, other: Self) -> Option<bool> {
        Some(self.plus(other.negative())?.over < 0)
    }
}

const fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Integer weights of `size` variables that make the sum of each of `rows` positive: a row lists variables and what they
/// are multiplied by. `None` if there are none, if numbers grow too large to tell, or if it would be too much work.
pub(super) fn positive(rows: &[Vec<(usize, i8)>], size: usize) -> Option<Vec<i64>> {
    // The inverse of the basis, row by row. The last equation says that the sum of all y is 1.
    let dimension = size + 1;
    let mut inverse = vec![vec![Fraction::ZERO; dimension]; dimension];
    (0..dimension).for_each(|at| inverse[at][at] = Fraction::ONE);
    // The variable of each basis row (the number of an input row, or `None` for an artificial variable), and their values.
    let mut basis: Vec<Option<usize>> = vec![None; dimension];
    let mut values = vec![Fraction::ZERO; dimension];
    values[size] = Fraction::ONE;
    let mut work = 0;
    while work < MOST_WORK {
        let mut prices = vec![Fraction::ZERO; dimension];
        for (row, _) in inverse.iter().zip(&basis).filter(|(_, variable)| variable.is_none()) {
            for (price, &entry) in prices.iter_mut().zip(row) {
                *price = price.plus(entry)?;
            }
        }
        let worth = |row: &Vec<(usize, i8)>| {
            row.iter().try_fold(prices[size], |sum, &(at, factor)| {
                sum.plus(Fraction { over: prices[at].over * i128::from(factor), ..prices[at] })
            })
        };
        let mut entering = None;
        for (number, row) in rows.iter().enumerate() {
            work += row.len();
            if worth(row)?.over > 0 {
                entering = Some((number, row));
                break;
            }
        }
        work += dimension * dimension;
        let Some((number, row)) = entering else {
            return if prices[size].over > 0 { whole(&prices[..size]) } else { None };
        };
        // The column of the entering variable in terms of the basis.
        let mut column = Vec::with_capacity(dimension);
        for inverse in &inverse {
            let sum = row.iter().try_fold(inverse[size], |sum, &(at, factor)| {
                sum.plus(Fraction { over: inverse[at].over * i128::from(factor), ..inverse[at] })
            });
            column.push(sum?);
        }
        // The variable that reaches 0 first leaves the basis. Ties go to artificial variables, then to the first.
        let mut leaving: Option<(usize, Fraction)> = None;
        for at in (0..dimension).filter(|&at| column[at].over > 0) {
            let ratio = values[at].by(column[at])?;
            let is_first = match leaving {
                None => true,
                Some((best, least)) => ratio.is_less(least)? || (ratio == least && basis[at] < basis[best]),
            };
            if is_first {
                leaving = Some((at, ratio));
            }
        }
        let (leaving, _) = leaving?;
        let pivot = column[leaving];
        let (mut pivoted, mut value) = (std::mem::take(&mut inverse[leaving]), values[leaving]);
        for entry in pivoted.iter_mut().filter(|entry| entry.over != 0) {
            *entry = entry.by(pivot)?;
        }
        value = value.by(pivot)?;
        for at in (0..dimension).filter(|&at| at != leaving && column[at].over != 0) {
            let factor = column[at].negative();
            for (entry, &by) in inverse[at].iter_mut().zip(&pivoted).filter(|(_, by)| by.over != 0) {
                *entry = entry.plus(by.times(factor)?)?;
            }
            values[at] = values[at].plus(value.times(factor)?)?;
        }
        (inverse[leaving], values[leaving], basis[leaving]) = (pivoted, value, Some(number));
    }
    None
}

/// The negated prices, multiplied by their common denominator.
fn whole(prices: &[Fraction]) -> Option<Vec<i64>> {
    let common = prices.iter().try_fold(1i128, |all, price| (all / gcd(all, price.under)).checked_mul(price.under))?;
    prices.iter().map(|price| i64::try_from(-price.over.checked_mul(common / price.under)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_compare_and_get_a_common_denominator() {
        let of = |over, under| Fraction::new(over, under);
        let half = of(1, 2);
        assert_eq!([of(2, 3), half, of(2, 5)].map(|other| half.is_less(other)), [true, false, false].map(Some));
        assert_eq!(whole(&[of(-1, 4), of(1, 6), of(0, 5), of(-2, 1)]), Some(vec![3, -2, 0, 24]));
    }

    /// Two systems with weights, in which the search without Bland's rule comes back to an earlier basis: the first if the first of
    /// the rows that tie leaves the basis, the second if the variable with the largest number does.
    #[test]
    fn the_search_does_not_go_round_in_circles() {
        let by_first_row: [&[(usize, i8)]; 7] = [
            &[(0, 2)],
            &[(0, 1), (1, -2), (2, 1)],
            &[(0, 1), (1, 1)],
            &[(2, 1), (3, 1), (4, -2)],
            &[(2, -2), (3, -1), (4, -1)],
            &[(0, -2), (2, 1), (3, -1), (4, -1)],
            &[(1, 1), (3, 2)],
        ];
        let by_largest: [&[(usize, i8)]; 7] = [
            &[(1, -1), (2, 1), (3, 1)],
            &[(0, 1), (2, -1), (3, 1)],
            &[(0, 1), (2, -1)],
            &[(0, 2)],
            &[(1, 1), (3, 2)],
            &[(1, -1)],
            &[(2, 1)],
        ];
        for rows in [by_first_row, by_largest].map(|rows| rows.map(<[_]>::to_vec)) {
            let weights = positive(&rows, 5).expect("weights");
            let sum = |row: &Vec<(usize, i8)>| row.iter().map(|&(at, by)| weights[at] * i64::from(by)).sum::<i64>();
            assert!(rows.iter().all(|row| sum(row) > 0), "{weights:?}");
        }
    }

    #[test]
    fn weights_are_found_exactly_if_there_are_some() {
        let mut draw = fastrand::Rng::with_seed(7);
        let (mut found, mut none) = (0, 0);
        for _ in 0..400 {
            let size = draw.usize(1..7);
            let rows: Vec<Vec<(usize, i8)>> = (0..draw.usize(1..9))
                .map(|_| (0..size).filter_map(|at| Some((at, draw.i8(-1..=1))).filter(|&(_, by)| by != 0)).collect())
                .collect();
            let sum = |row: &[(usize, i8)], x: &[i64]| row.iter().map(|&(at, by)| x[at] * i64::from(by)).sum::<i64>();
            match positive(&rows, size) {
                Some(x) => {
                    found += 1;
                    assert!(rows.iter().all(|row| sum(row, &x) > 0), "{rows:?} {x:?}");
                }
                None => {
                    none += 1;
                    // If a small system has a solution, it has a small one.
                    let mut x = vec![-3i64; size];
                    let is_solved = loop {
                        if rows.iter().all(|row| sum(row, &x) > 0) {
                            break true;
                        }
                        let Some(at) = x.iter().position(|&value| value < 3) else { break false };
                        x[at] += 1;
                        x[..at].fill(-3);
                    };
                    assert!(!is_solved, "{rows:?} {x:?}");
                }
            }
        }
        assert!(found > 50 && none > 50, "{found} {none}");
    }
}
