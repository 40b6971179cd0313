//! The cases of a move: what its moves ask of a board, if they differ in nothing else.
//!
//! A mask cannot say *or*. So rules list a move several times if it is legal in several cases, and the same move may be cut into cases in
//! different ways:
//!
//! ```text
//!     a is filled, or a is empty and b is filled    =    b is filled, or b is empty and a is filled
//! ```

use std::sync::OnceLock;

use super::{Board, Move};

/// The most cases that are compared with each other, of which NoGo on 3 by 4 squares has 1,270 for a move: more are compared as a list, as if they overlapped.
const MOST: usize = 1 << 12;

/// The boards on which a move is legal, as a list of cases.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The cells that must be empty, and those that must be filled, of each case. They are sorted and distinct.
    all: Vec<[Board; 2]>,
    is_disjoint: OnceLock<bool>,
}

impl FromIterator<[Board; 2]> for Cases {
    fn from_iter<I: IntoIterator<Item = [Board; 2]>>(cases: I) -> Self {
        let mut all: Vec<_> = cases.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        Self { all, is_disjoint: OnceLock::new() }
    }
}

impl Cases {
    /// The part of `m` that its cases share.
    #[must_use]
    pub fn shared(m: &Move) -> Move {
        Move { empty: Board::EMPTY, full: Board::EMPTY, ..*m }
    }

    /// The cases after moving each set of cells by `to`.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        self.all.iter().map(|case| case.map(&to)).collect()
    }

    /// Returns whether both allow the same boards. Cases that overlap are only compared as a list.
    #[must_use]
    pub fn are_alike(&self, other: &Self) -> bool {
        if self.all == other.all {
            return true;
        }
        let cells = self.cells();
        // As many boards as a number can count.
        if cells != other.cells() || cells.count() >= u128::BITS || !self.is_disjoint() || !other.is_disjoint() {
            return false;
        }
        let size = |case: [Board; 2]| 1u128 << (cells.count() - (case[0] | case[1]).count());
        let all = |cases: &Self| cases.all.iter().map(|&case| size(case)).sum::<u128>();
        let both = self.all.iter().flat_map(|&a| other.all.iter().filter_map(move |&b| both(a, b)));
        all(self) == all(other) && both.map(size).sum::<u128>() == all(self)
    }

    /// Returns whether no board meets two cases, as far as it is worth finding out.
    #[must_use]
    pub fn is_disjoint(&self) -> bool {
        let find = || {
            self.all.len() <= MOST
                && (1..).zip(&self.all).all(|(at, &a)| self.all[at..].iter().all(|&b| both(a, b).is_none()))
        };
        *self.is_disjoint.get_or_init(find)
    }

    /// The cells that some case depends on.
    #[must_use]
    pub fn cells(&self) -> Board {
        self.all.iter().fold(Board::EMPTY, |all, case| all | case[0] | case[1])
    }

    /// A number that says on how many boards a case is met and `cell` is filled, whatever the cases are if no two overlap.
    #[must_use]
    pub fn weight(&self, cell: u32) -> u128 {
        let cells = self.cells().count();
        let of_case = |&[empty, full]: &[Board; 2]| match (empty.has(cell), full.has(cell)) {
            (true, _) => 0,
            (_, is_full) => {
                let half = 1u128.wrapping_shl(cells - (empty | full).count());
                if is_full { half.wrapping_mul(2) } else { half }
            }
        };
        self.all.iter().map(of_case).fold(0, u128::wrapping_add)
    }
}

/// The case that both are met; `None` if no board meets both.
fn both(a: [Board; 2], b: [Board; 2]) -> Option<[Board; 2]> {
    let [empty, full] = [a[0] | b[0], a[1] | b[1]];
    empty.is_disjoint(full).then_some([empty, full])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(all: &[[u64; 2]]) -> Cases {
        all.iter().map(|case| case.map(Board::from_word)).collect()
    }

    /// Equal lists of cases allow equal sets of boards, as trying every board shows.
    #[test]
    fn cases_are_alike_if_they_allow_the_same_boards() {
        let lists = [
            cases(&[[0, 0b01], [0b01, 0b10]]),
            cases(&[[0, 0b10], [0b10, 0b01]]),
            cases(&[[0b10, 0b01], [0b01, 0b10], [0, 0b11]]),
            cases(&[[0b10, 0b01], [0b01, 0b10]]),
            cases(&[[0, 0b01]]),
            cases(&[[0b10, 0b01], [0, 0b11]]),
        ];
        let boards = |cases: &Cases| {
            let allows = |board: &u64| {
                cases
                    .all
                    .iter()
                    .any(|[empty, full]| board & empty.low_word() == 0 && board & full.low_word() == full.low_word())
            };
            (0..4).filter(allows).collect::<Vec<u64>>()
        };
        for (a, b) in lists.iter().flat_map(|a| lists.iter().map(move |b| (a, b))) {
            // The last two lists depend on different cells.
            let is_known = a.cells() == b.cells();
            assert_eq!(a.are_alike(b), is_known && boards(a) == boards(b), "{a:?} {b:?}");
            if a.are_alike(b) {
                assert_eq!([0, 1].map(|cell| a.weight(cell)), [0, 1].map(|cell| b.weight(cell)));
            }
        }
        let overlapping = cases(&[[0, 0b01], [0, 0b10]]);
        assert!(!overlapping.is_disjoint() && !overlapping.are_alike(&lists[0]) && overlapping.are_alike(&overlapping));
    }
}
