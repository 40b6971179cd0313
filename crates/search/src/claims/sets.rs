//! Families of sets of free squares that a player wants to fill, and proofs that the other player can prevent it.
//!
//! A family has, for each set that a player can still fill, the squares that are missing. The player who wants to fill a set is called
//! Maker, the other one Breaker (J. Beck, Combinatorial Games: Tic-Tac-Toe Theory, 2008). Two theorems say that Breaker can prevent it:
//!
//! - *Weights* (P. Erdős and J. Selfridge, On a combinatorial game, 1973): let a set of n squares weigh 2^-n. Breaker prevents all sets if they weigh
//!   less than 1 together and Breaker moves first, or less than 1/2 and Maker moves first.
//! - *Pairs*: if there are disjoint pairs of squares such that each set contains a pair, Breaker answers each move in a pair by the other square of
//!   it. It does not matter who moves first.

/// The weight 1, in the units of [`weight`].
pub(super) const ONE: u64 = 1 << 40;

/// The weight of a set of missing squares, rounded up.
pub(super) const fn weight(set: u64) -> u64 {
    let count = set.count_ones();
    if count > 40 { 1 } else { ONE >> count }
}

/// The weight of all `sets` together.
pub(super) fn total(sets: &[u64]) -> u64 {
    sets.iter().map(|&set| weight(set)).sum()
}

/// The weight of those `sets` that contain `square`.
fn total_with(sets: &[u64], square: u64) -> u64 {
    sets.iter().filter(|&set| set & square != 0).map(|&set| weight(set)).sum()
}

/// The squares that fill a set at once.
pub(super) fn singles(sets: &[u64]) -> u64 {
    sets.iter().filter(|set| set.is_power_of_two()).fold(0, |all, set| all | set)
}

/// Sorts `sets` by their numbers of squares, and removes sets that contain others: who fills them has filled the others.
pub(super) fn reduce(sets: &mut Vec<u64>) {
    /// Up to this many sets, all are compared; beyond it, only small ones with all.
    const FEW: usize = 96;
    /// The number of squares of a small set.
    const SMALL: u32 = 3;
    sets.sort_unstable_by_key(|&set| (set.count_ones(), set));
    sets.dedup();
    let is_few = sets.len() <= FEW;
    let mut kept = 0;
    for at in 0..sets.len() {
        let set = sets[at];
        let smaller = sets[..kept].iter().take_while(|it| is_few || it.count_ones() <= SMALL);
        if smaller.copied().all(|it| it & !set != 0) {
            sets[kept] = set;
            kept += 1;
        }
    }
    sets.truncate(kept);
}

/// Returns whether Breaker can prevent all `sets` by pairs, as far as a greedy choice of pairs shows.
pub(super) fn are_paired(sets: &[u64], open: &mut Vec<u64>) -> bool {
    open.clear();
    open.extend_from_slice(sets);
    while let Some(&next) = open.iter().min_by_key(|set| set.count_ones()) {
        if next.count_ones() < 2 {
            return false;
        }
        // The pair that most sets contain: first the square of the set that most contain, then its best partner.
        let best = |candidates: u64, within: u64| {
            let count = |square: u64| open.iter().filter(|&&set| set & within == within && set & square != 0).count();
            squares(candidates).max_by_key(|&square| count(square)).unwrap_or(0)
        };
        let first = best(next, 0);
        let pair = first | best(next & !first, first);
        // A square belongs to one pair, so the other sets can no longer use it.
        open.retain_mut(|set| {
            let is_open = *set & pair != pair;
            *set &= !pair;
            is_open
        });
    }
    true
}

/// The squares of a set, each as a set.
pub(super) fn squares(set: u64) -> impl Iterator<Item = u64> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let square = rest & rest.wrapping_neg();
        rest ^= square;
        (square != 0).then_some(square)
    })
}

/// Returns whether each way to fill the board completes a set of one of two families. `goes_on` is called at each step with the number of sets
/// there; if it returns `false`, nothing is shown.
///
/// Then a player who prevents all sets of the other one fills a set. Hex is the best known case.
pub(super) fn one_is_filled(first: &[u64], second: &[u64], goes_on: &mut dyn FnMut(usize) -> bool) -> bool {
    let shortest = first.iter().chain(second).min_by_key(|set| set.count_ones());
    let Some(&shortest) = shortest.filter(|_| goes_on(first.len() + second.len())) else { return false };
    if shortest == 0 {
        return true;
    }
    // The heaviest square of the shortest set, in both colours.
    let of_square = |square: u64| total_with(first, square) + total_with(second, square);
    let square = squares(shortest).max_by_key(|&square| of_square(square)).unwrap_or(shortest);
    let mut is_filled = |gains: &[u64], loses: &[u64]| {
        let mut gains: Vec<u64> = gains.iter().map(|set| set & !square).collect();
        reduce(&mut gains);
        let loses: Vec<u64> = loses.iter().copied().filter(|set| set & square == 0).collect();
        one_is_filled(&gains, &loses, goes_on)
    };
    is_filled(first, second) && is_filled(second, first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns whether Maker can fill a set of `sets`, whoever moves first.
    fn maker_fills(sets: &[u64], free: u64, is_maker: bool) -> bool {
        if sets.contains(&0) {
            return true;
        }
        let filled = |square: u64| sets.iter().map(|set| set & !square).collect::<Vec<_>>();
        let blocked = |square: u64| sets.iter().copied().filter(|set| set & square == 0).collect::<Vec<_>>();
        if is_maker {
            squares(free).any(|square| maker_fills(&filled(square), free & !square, false))
        } else {
            free != 0 && squares(free).all(|square| maker_fills(&blocked(square), free & !square, true))
        }
    }

    proptest! {
        #[test]
        fn breaker_prevents_what_is_light_or_paired(family in prop::collection::vec(1u64..1 << 6, 0..12)) {
            let mut sets = family.clone();
            reduce(&mut sets);
            let fills = |is_maker| maker_fills(&sets, (1 << 6) - 1, is_maker);
            prop_assert_eq!(maker_fills(&family, (1 << 6) - 1, true), fills(true));
            prop_assert!(total(&sets) >= ONE || !fills(false));
            prop_assert!(total(&sets) >= ONE / 2 || !fills(true));
            prop_assert!(!are_paired(&sets, &mut Vec::new()) || !fills(true));
            prop_assert_eq!(singles(&sets), squares(63).filter(|square| family.contains(square)).sum::<u64>());
        }

        #[test]
        fn full_boards_have_a_set(families in prop::array::uniform2(prop::collection::vec(1u64..1 << 5, 1..20))) {
            let has = |board: u64| [board, 31 & !board].iter().zip(&families).any(|(own, sets)| sets.iter().any(|set| set & !own == 0));
            let expected = (0..32).all(has);
            prop_assert_eq!(one_is_filled(&families[0], &families[1], &mut |_| true), expected);
            prop_assert!(!one_is_filled(&families[0], &families[1], &mut |_| false));
        }
    }

    #[test]
    fn lines_of_five_squares_are_prevented_by_pairs() {
        // Rows of five on a board of five rows: each row is a set. Two squares of each make a pair.
        let rows: Vec<u64> = (0..5).map(|row| 31 << (5 * row)).collect();
        assert!(are_paired(&rows, &mut Vec::new()));
        assert!(!are_paired(&[0b011, 0b101, 0b110], &mut Vec::new()));
    }
}
