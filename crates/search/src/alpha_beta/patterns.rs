//! Terminal patterns as families of translated copies, so that all copies are tested at once.
//!
//! Lines of a board are translations of a few lines: a row of four squares on a board of seven columns is the same row,
//! moved by some bits. If the board is shifted down by each offset of the line, bit `s` of every shifted board belongs to
//! the copy of the line that begins at cell `s`:
//!
//! ```text
//! line      offsets 0, 1, 2       anchors  { 0, 1, 4, 5 }  on a board of two rows of four cells
//! copy s    cells s, s+1, s+2     filled   board & board >> 1 & board >> 2 & anchors
//! ```

use rustc_hash::FxHashMap;

use super::word::Word;

/// Maximum number of cells of a pattern in a family.
const MOST_CELLS: usize = 16;
/// Maximum number of families: with more, the tests of each move are faster.
const MOST_FAMILIES: usize = 24;

/// Copies of one pattern.
struct Family<W> {
    /// The lowest cell of each copy.
    anchors: W,
    /// The cells of the pattern, counted from its lowest cell.
    offsets: Box<[u32]>,
}

/// A set of patterns.
pub(super) struct Patterns<W> {
    families: Families<W>,
    /// The cells of all patterns.
    cells: W,
    /// Cells that can no longer be filled, see [`Blockers`].
    blockers: Vec<Blockers<W>>,
}

/// Families in words of the board; or, if the cells of all patterns lie close together, in words of 64 bits, which begin at
/// cell `base`.
enum Families<W> {
    Whole(Vec<Family<W>>),
    Part { families: Vec<Family<u64>>, base: u32 },
}

/// Cells `cells`, none of which can be filled once the cell at a distance of `by` bits from it is filled. Both cells of a square that
/// two colours can mark are at a fixed distance, for instance.
pub(super) struct Blockers<W> {
    pub(super) cells: W,
    pub(super) by: i32,
}

impl<W: Word> Patterns<W> {
    /// The set of `patterns`; `None` if a pattern is empty or long, or if there are many shapes.
    pub(super) fn new(patterns: impl Iterator<Item = W>) -> Option<Self> {
        let mut families: Vec<Family<W>> = Vec::new();
        let mut numbers: FxHashMap<W, usize> = FxHashMap::default();
        let mut cells = W::ZERO;
        for pattern in patterns {
            if pattern.is_empty() || pattern.count() as usize > MOST_CELLS {
                return None;
            }
            cells |= pattern;
            let anchor = pattern.lowest();
            let number = *numbers.entry(pattern >> anchor).or_insert_with(|| {
                families.push(Family { anchors: W::ZERO, offsets: (pattern >> anchor).bits().collect() });
                families.len() - 1
            });
            if families.len() > MOST_FAMILIES {
                return None;
            }
            families[number].anchors |= W::bit(anchor);
        }
        let base = if cells.is_empty() { 0 } else { cells.lowest() };
        let is_close = (cells >> base).above(u64::BITS) == 0 && W::BITS > u64::BITS;
        let families = if is_close {
            let part = |family: Family<W>| Family { anchors: (family.anchors >> base).low(), offsets: family.offsets };
            Families::Part { families: families.into_iter().map(part).collect(), base }
        } else {
            Families::Whole(families)
        };
        Some(Self { families, cells, blockers: Vec::new() })
    }

    /// No patterns.
    pub(super) const fn none() -> Self {
        Self { families: Families::Whole(Vec::new()), cells: W::ZERO, blockers: Vec::new() }
    }

    /// The cells of all patterns.
    pub(super) const fn cells(&self) -> W {
        self.cells
    }

    /// The same patterns, where `blockers` say which cells can no longer be filled.
    pub(super) fn with_blockers(self, blockers: Vec<Blockers<W>>) -> Self {
        Self { blockers, ..self }
    }

    /// The empty cells that can no longer be filled, and possibly filled ones.
    #[inline(always)]
    fn blocked(&self, board: W) -> W {
        let of = |blockers: &Blockers<W>| {
            let moved = if blockers.by < 0 { board << blockers.by.unsigned_abs() } else { board >> blockers.by as u32 };
            moved & blockers.cells
        };
        self.blockers.iter().fold(W::ZERO, |blocked, blockers| blocked | of(blockers))
    }

    /// Returns whether a pattern can still be completed.
    #[inline(always)]
    pub(super) fn can_complete(&self, board: W) -> bool {
        self.fit_into(board | !self.blocked(board))
    }

    /// The empty cells that complete a pattern and can be filled.
    #[inline(always)]
    pub(super) fn completing(&self, board: W) -> W {
        self.missing(board) & !self.blocked(board)
    }

    /// The empty cells that complete a pattern.
    #[inline(always)]
    fn missing(&self, board: W) -> W {
        match &self.families {
            Families::Whole(families) => missing(families, board),
            Families::Part { families, base } => W::of(missing(families, (board >> *base).low()).into()) << *base,
        }
    }

    /// Returns whether a pattern lies inside `cells`.
    #[inline(always)]
    fn fit_into(&self, cells: W) -> bool {
        match &self.families {
            Families::Whole(families) => fit_into(families, cells),
            Families::Part { families, base } => fit_into(families, (cells >> *base).low()),
        }
    }

    /// For each cell, the number of patterns that contain it.
    pub(super) fn weights(&self, cells: u32) -> Vec<u32> {
        match &self.families {
            Families::Whole(families) => (0..cells).map(|cell| weight(families, cell)).collect(),
            Families::Part { families, base } => {
                let of = |cell: u32| cell.checked_sub(*base).filter(|&cell| cell < u64::BITS);
                (0..cells).map(|cell| of(cell).map_or(0, |cell| weight(families, cell))).collect()
            }
        }
    }
}

/// The empty cells that complete a pattern.
#[inline(always)]
fn missing<W: Word>(families: &[Family<W>], board: W) -> W {
    let mut found = W::ZERO;
    for family in families {
        found |= match &*family.offsets {
            &[a, b, c] => among([a, b, c], family.anchors, board),
            &[a, b, c, d] => among([a, b, c, d], family.anchors, board),
            &[a, b, c, d, e] => among([a, b, c, d, e], family.anchors, board),
            offsets => among_any(offsets, family.anchors, board),
        };
    }
    found
}

/// Returns whether a pattern lies inside `cells`.
#[inline(always)]
fn fit_into<W: Word>(families: &[Family<W>], cells: W) -> bool {
    families.iter().any(|family| {
        let copies = family.offsets.iter().fold(family.anchors, |copies, &offset| copies & cells >> offset);
        !copies.is_empty()
    })
}

/// The number of patterns that contain `cell`.
fn weight<W: Word>(families: &[Family<W>], cell: u32) -> u32 {
    let copies = |family: &Family<W>| {
        let has = |&&offset: &&u32| offset <= cell && !(family.anchors & W::bit(cell - offset)).is_empty();
        family.offsets.iter().filter(has).count() as u32
    };
    families.iter().map(copies).sum()
}

/// The empty cells that complete a copy of the pattern with these `offsets`.
#[inline(always)]
fn among<W: Word, const CELLS: usize>(offsets: [u32; CELLS], anchors: W, board: W) -> W {
    // Copies of which all cells seen so far are filled, and copies of which all but one are: cell by cell for each.
    let filled = offsets.map(|offset| board >> offset);
    let mut after = [W::ones(); CELLS];
    for at in (1..CELLS).rev() {
        after[at - 1] = after[at] & filled[at];
    }
    let (mut before, mut found) = (anchors, W::ZERO);
    for at in 0..CELLS {
        found |= (before & after[at]) << offsets[at];
        before &= filled[at];
    }
    found & !board
}

fn among_any<W: Word>(offsets: &[u32], anchors: W, board: W) -> W {
    let mut after = [W::ones(); MOST_CELLS];
    let last = offsets.len() - 1;
    for at in (1..=last).rev() {
        after[at - 1] = after[at] & board >> offsets[at];
    }
    let (mut before, mut found) = (anchors, W::ZERO);
    for (&offset, &after) in offsets.iter().zip(&after) {
        found |= (before & after) << offset;
        before &= board >> offset;
    }
    found & !board
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn families_equal_single_patterns(
            patterns in prop::collection::vec(prop::collection::vec(0u32..20, 1..7), 1..10),
            moved in prop::collection::vec((0usize..10, 0u32..20), 0..10),
            board in 0u64..1 << 40,
        ) {
            let mut list: Vec<u64> =
                patterns.iter().map(|cells| cells.iter().fold(0, |pattern, cell| pattern | 1u64 << cell)).collect();
            for (number, by) in moved {
                list.push(list[number % list.len()] << (by % 20));
            }
            let list: Vec<u64> = list.into_iter().map(|pattern| pattern & ((1 << 40) - 1)).filter(|&it| it != 0).collect();
            prop_assume!(!list.is_empty());
            let set = Patterns::new(list.iter().copied()).unwrap();
            let one_missing = list.iter().filter(|&&pattern| (pattern & !board).count_ones() == 1);
            let expected = one_missing.fold(0, |cells, pattern| cells | pattern & !board);
            prop_assert_eq!(set.completing(board), expected);
            prop_assert_eq!(set.fit_into(board), list.iter().any(|&pattern| pattern & !board == 0));
            let wide = Patterns::new(list.iter().map(|&pattern| u128::from(pattern) << 50)).unwrap();
            prop_assert_eq!(wide.completing(u128::from(board) << 50), u128::from(expected) << 50);
            // Patterns that are far apart.
            let spread = |cells: u64| (0..40).filter(|bit| cells >> bit & 1 == 1).fold(0, |all, bit| all | 1u128 << (3 * bit));
            let far = Patterns::new(list.iter().map(|&pattern| spread(pattern))).unwrap();
            prop_assert_eq!(far.completing(spread(board)), spread(expected));
            let of_cell = |cell: u32| list.iter().filter(|&&pattern| pattern >> cell & 1 == 1).count() as u32;
            let distinct = list.iter().collect::<std::collections::HashSet<_>>().len() == list.len();
            prop_assert!(!distinct || set.weights(40) == (0..40).map(of_cell).collect::<Vec<_>>());
        }

        #[test]
        fn blocked_cells_complete_no_pattern(
            patterns in prop::collection::vec(prop::collection::vec(0u32..12, 1..4), 1..6),
            blockers in prop::collection::vec((0u64..1 << 12, -12i32..=12), 0..3),
            board in 0u64..1 << 12,
        ) {
            let word = |cells: &Vec<u32>| cells.iter().fold(0, |pattern, cell| pattern | 1u64 << cell);
            let list: Vec<u64> = patterns.iter().map(word).collect();
            let set = Patterns::new(list.iter().copied()).unwrap();
            let set = set.with_blockers(blockers.iter().map(|&(cells, by)| Blockers { cells, by }).collect());
            let is_filled = |cell: i32| (0..12).contains(&cell) && board >> cell & 1 == 1;
            let is_open = |&cell: &i32| !blockers.iter().any(|&(cells, by)| cells >> cell & 1 == 1 && is_filled(cell + by));
            let open = (0..12).filter(is_open).fold(0, |open, cell| open | 1u64 << cell);
            let one_missing = list.iter().filter(|&&pattern| (pattern & !board).count_ones() == 1);
            prop_assert_eq!(set.completing(board), one_missing.fold(0, |cells, pattern| cells | pattern & !board & open));
            prop_assert_eq!(set.can_complete(board), list.iter().any(|&pattern| pattern & !board & !open == 0));
        }
    }
}
