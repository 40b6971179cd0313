//! Potentials with one weight for several cells: few unknowns, and few different inequalities, however many moves there are.
//!
//! Games that count (Kalah) have tens of thousands of moves, too many for weights of single cells. The cells of a count are named
//! together by each move, so they get one weight.

use super::{Potential, simplex};
use crate::{Board, Move, Rules};

/// Smallest rises of a level that are tried to make weights smaller. Rounding changes a sum of `n` weights by at most `n / 2`, and a
/// move names at most 128 cells.
const MOST_ROUNDING: i128 = 64;
/// Rounds in which each weight is made smaller.
const MOST_ROUNDS: usize = 16;

impl Potential {
    /// A potential with one weight for all cells, if some move is a pass: then only the modes need weights of their own.
    pub(super) fn with_passes(rules: &Rules) -> Option<Self> {
        let has_passes = rules.moves().iter().any(Move::is_pass);
        if has_passes { Self::by_groups(rules, &[Board::full(rules.cells())]) } else { None }
    }

    /// A potential with the same weight for cells that the same moves name, if there are such cells. The cells of a row that
    /// counts something are an example.
    pub(super) fn of_named_together(rules: &Rules) -> Option<Self> {
        let groups = named_together(rules);
        if groups.len() < rules.cells() as usize { Self::by_groups(rules, &groups) } else { None }
    }

    /// A potential with one weight for the cells of each group. There are few different inequalities, however many moves there
    /// are.
    fn by_groups(rules: &Rules, groups: &[Board]) -> Option<Self> {
        let first_mode = groups.len();
        let mut rows: Vec<Vec<(usize, i8)>> = Vec::new();
        for m in rules.moves().iter().flat_map(|m| rules.each_line(m)) {
            let new = m.fills & m.empty;
            let mut row = Vec::new();
            for (number, &group) in groups.iter().enumerate() {
                let more = (new & group).count() as i32 - (m.clears & group).count() as i32;
                row.push((number, i8::try_from(more).ok()?));
            }
            row.retain(|&(_, factor)| factor != 0);
            if m.mode != m.next {
                row.extend([(first_mode + usize::from(m.next.0), 1), (first_mode + usize::from(m.mode.0), -1)]);
            }
            row.sort_unstable();
            rows.push(row);
        }
        rows.sort_unstable();
        rows.dedup();
        let weights = smaller(&rows, simplex::positive(&rows, first_mode + rules.modes().len())?);
        let mut cells = vec![0; rules.cells() as usize];
        for (group, &weight) in groups.iter().zip(&weights) {
            group.bits().for_each(|bit| cells[bit as usize] = weight);
        }
        let found = Self::reduced(&cells, &weights[first_mode..])?;
        found.is_raised_by(rules).then_some(found)
    }
}

/// Smaller weights that make the sum of each of `rows` positive, given `weights` that do. The simplex method multiplies fractions by
/// their common denominator, which may give many more levels than necessary. So the weights are rounded to a coarser scale, and then
/// each of them moves toward 0 while every sum stays positive.
fn smaller(rows: &[Vec<(usize, i8)>], weights: Vec<i64>) -> Vec<i64> {
    let sum = |weights: &[i64], row: &[(usize, i8)]| {
        row.iter().map(|&(at, factor)| i128::from(weights[at]) * i128::from(factor)).sum::<i128>()
    };
    let fits = |weights: &Vec<i64>| rows.iter().all(|row| sum(weights, row) > 0);
    let Some(least) = rows.iter().map(|row| sum(&weights, row)).min() else { return weights };
    let rounded = |least_after: i128| -> Option<Vec<i64>> {
        let round = |&weight: &i64| {
            let twice = 2 * i128::from(weight) * least_after;
            i64::try_from((twice + least).div_euclid(2 * least)).ok()
        };
        weights.iter().map(round).collect()
    };
    let mut found = (1..least.min(MOST_ROUNDING)).filter_map(rounded).find(fits).unwrap_or(weights);
    for _ in 0..MOST_ROUNDS {
        let before = found.clone();
        for at in 0..found.len() {
            // The change is halved until it keeps every sum positive.
            let mut less = found[at];
            while less != 0 {
                found[at] -= less;
                if !fits(&found) {
                    found[at] += less;
                    less /= 2;
                }
                less = less.clamp(-found[at].abs(), found[at].abs());
            }
        }
        if found == before {
            break;
        }
    }
    found
}

/// The cells of the board in groups: two cells are in the same group if each move names both or neither of them.
fn named_together(rules: &Rules) -> Vec<Board> {
    let mut groups = vec![Board::full(rules.cells())];
    for m in rules.moves().iter().flat_map(|m| rules.each_line(m)) {
        let named = m.empty | m.full | m.fills | m.clears;
        if groups.len() == rules.cells() as usize {
            break;
        }
        groups =
            groups.iter().flat_map(|&group| [group & named, group & !named]).filter(|part| !part.is_empty()).collect();
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::tests::{rules, step};
    use super::*;
    use crate::Mode;

    #[test]
    fn cells_that_the_same_moves_name_have_one_weight() {
        // Two rows of three cells that are filled from the left. A move adds one to the first row, or takes one from it and adds one
        // to the second row.
        let row = |from: u32, to: u32| (from..to).map(Board::bit).collect::<Board>();
        let change = |m: Move, first: u32, before: u32, after: u32| {
            let cells = |from, to| row(first + from, first + to);
            let (full, empty) = (m.full | cells(0, before), m.empty | cells(before, 3));
            Move { full, empty, fills: m.fills | cells(before, after), clears: m.clears | cells(after, before), ..m }
        };
        let nothing = Move::fill(Board::EMPTY);
        let add = (0..3).map(|before| change(nothing, 0, before, before + 1));
        let pairs = (1..4).flat_map(|first| (0..3).map(move |second| (first, second)));
        let pass_on = pairs.map(|(first, second)| change(change(nothing, 0, first, first - 1), 3, second, second + 1));
        let counts = rules(6, 1, add.chain(pass_on).collect());
        assert_eq!(named_together(&counts), [row(0, 3), row(3, 6)]);
        let found = Potential::of_named_together(&counts).unwrap();
        assert!(found.is_raised_by(&counts));
        assert_eq!((found.cells(), found.most()), (&[1, 1, 1, 2, 2, 2][..], 9));
        // If each cell has a group of its own, this search is left out.
        let steps = rules(2, 1, vec![step(0, 1), Move::fill(Board::bit(0))]);
        assert_eq!(Potential::of_named_together(&steps), None);
    }

    #[test]
    fn each_mask_of_a_move_names_cells() {
        let cells = Board::from_word;
        let groups =
            |m: Move| named_together(&rules(3, 1, vec![m])).into_iter().map(Board::low_word).collect::<Vec<_>>();
        let put = Move::fill(cells(0b001));
        assert_eq!(groups(Move { fills: cells(0b011), ..put }), [0b011, 0b100]);
        assert_eq!(groups(Move { fills: cells(0b011), full: cells(0b010), ..put }), [0b011, 0b100]);
        assert_eq!(groups(Move { full: cells(0b010), ..put }), [0b011, 0b100]);
        assert_eq!(groups(Move { empty: cells(0b011), ..put }), [0b011, 0b100]);
    }

    #[test]
    fn games_with_a_pass_have_one_weight_for_all_cells() {
        let pass = Move { next: Mode(1), ..Move::fill(Board::EMPTY) };
        let in_both = |m: Move| [m, Move { mode: Mode(1), ..m }];
        let weights = |cells, moves: Vec<Move>| {
            let found = Potential::with_passes(&rules(cells, 2, [moves, vec![pass]].concat())).unwrap();
            (found.cells().to_vec(), found.modes().to_vec())
        };
        // A bite takes a cell and what is left of the cells above it.
        let bite = |bit: u32| Move { empty: Board::bit(bit), ..Move::fill(Board::full(8) & !Board::full(bit)) };
        assert_eq!(weights(8, (0..8).map(bite).flat_map(in_both).collect()), (vec![2; 8], vec![0, 1]));
        // A piece is taken while another cell is empty, which stays empty.
        let take =
            Move { empty: Board::bit(0), full: Board::bit(1), clears: Board::bit(1), ..Move::fill(Board::EMPTY) };
        assert_eq!(weights(3, in_both(take).to_vec()), (vec![-2; 3], vec![0, 1]));
        assert_eq!(Potential::with_passes(&rules(3, 2, in_both(take).to_vec())), None);
    }

    #[test]
    fn weights_are_made_smaller_while_every_sum_is_positive() {
        let rows = [vec![(0, -1), (1, 1)], vec![(1, -2), (2, 1)]];
        assert_eq!(smaller(&rows, vec![-1, 10, 41]), [0, 1, 3]);
        assert_eq!(smaller(&rows, vec![0, 1, 3]), [0, 1, 3]);
        assert_eq!(smaller(&rows, vec![-400, -1, 0]), [-2, -1, 0]);
        assert_eq!(smaller(&[], vec![7]), [7]);
        // The first weight can only become smaller after the second.
        assert_eq!(smaller(&[vec![(0, 1), (1, -1)], vec![(1, 1), (2, -2)], vec![(2, 1)]], vec![10, 9, 1]), [4, 3, 1]);
    }
}
