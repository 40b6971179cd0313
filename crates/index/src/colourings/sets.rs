//! The occupied sets that play can have, found from the rules alone.
//!
//! In many games any squares can be occupied. Where pieces fall, a column fills from the bottom: six squares have seven *contents*,
//! not 64. Moves are read here without modes and colours: which squares must be free, which must be occupied, and which are taken.
//! Squares that a move names together form a *group*. The contents of a group are those that its moves make from the contents of the
//! starts. A set is possible if each group has one of its contents, so sets are numbers of mixed radix.

use std::collections::{BTreeSet, HashSet};

use super::Squares;
use super::squares::fills;
use crate::rules::{Board, Move, Position, Rules};

/// The most contents of a group. A group with more, or with all, is taken apart: each of its squares may be free or occupied.
const MOST_CONTENTS: usize = 1 << 12;

/// The possible occupied sets of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sets {
    /// The groups, which have consecutive squares, from the lowest.
    groups: Vec<Group>,
}

/// Consecutive squares that are filled independently of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Group {
    /// The lowest square.
    first: u32,
    /// The number of squares.
    squares: u32,
    /// The possible contents in ascending order; bit 0 is the lowest square.
    contents: Vec<u64>,
}

/// A move without mode and colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    free: u64,
    occupied: u64,
    takes: u64,
}

impl Sets {
    /// The sets that play from `roots` can have, by `rules` with `squares`. A group whose squares do not have consecutive numbers is
    /// taken apart.
    pub(super) fn of(rules: &Rules, squares: &Squares, roots: &[Position]) -> Self {
        let size = squares.list().len() as u32;
        let steps = steps(rules, squares);
        let begun: Vec<u64> = roots.iter().map(|root| touched(squares, root.board)).collect();
        let mut groups = Vec::new();
        for mut members in groups_of(size, &steps) {
            let first = members.trailing_zeros();
            let is_consecutive = members >> first & (members >> first).wrapping_add(1) == 0;
            let found = is_consecutive.then(|| contents(members, &steps, &begun)).flatten();
            if let Some(contents) = found.filter(|contents| contents.len() as u128 != 1 << members.count_ones()) {
                groups.push(Group { first, squares: members.count_ones(), contents });
                continue;
            }
            while members != 0 {
                groups.push(Group { first: members.trailing_zeros(), squares: 1, contents: vec![0, 1] });
                members &= members - 1;
            }
        }
        groups.sort_unstable_by_key(|group| group.first);
        Self { groups }
    }

    /// The `squares` in an order in which fewest sets are possible: group by group, or as they are if all sets are possible.
    pub(super) fn in_order(rules: &Rules, squares: &Squares, roots: &[Position]) -> Squares {
        let groups = groups_of(squares.list().len() as u32, &steps(rules, squares)).into_iter();
        let order: Vec<usize> = groups.flat_map(bits).collect();
        let grouped = squares.in_order(&order);
        if Self::of(rules, &grouped, roots).are_all() { squares.clone() } else { grouped }
    }

    /// Returns whether every set of squares is possible.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.are_any(0, u32::MAX)
    }

    /// Returns whether the squares from `low` up to `high`, which lie between groups, can have any content.
    pub(super) fn are_any(&self, low: u32, high: u32) -> bool {
        self.between(low, high).all(|group| group.contents.len() as u128 == 1 << group.squares)
    }

    /// The groups as ranges of squares, from the lowest.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = std::ops::Range<u32>> {
        self.groups.iter().map(|group| group.first..group.first + group.squares)
    }

    /// The number of the group that begins with `square`, or the number of groups if the board ends there; `None` if `square` lies
    /// inside a group.
    pub(super) fn group_at(&self, square: u32) -> Option<usize> {
        let number = self.groups.partition_point(|group| group.first < square);
        let end = number.checked_sub(1).map_or(0, |before| self.groups[before].end());
        (end == square).then_some(number)
    }

    /// Returns whether sets can be cut below `square`: no group has squares on both sides.
    #[must_use]
    pub fn splits_at(&self, square: u32) -> bool {
        self.group_at(square).is_some()
    }

    /// The contents of each group, from the lowest: in ascending order, at the places that they have in a set.
    pub(super) fn contents(&self) -> impl DoubleEndedIterator<Item = impl Iterator<Item = u64>> + ExactSizeIterator {
        self.groups.iter().map(|group| group.contents.iter().map(|content| content << group.first))
    }

    /// The number of possible contents of the squares from `low` up to `high`, which lie between groups.
    #[must_use]
    pub fn count(&self, low: u32, high: u32) -> u128 {
        self.between(low, high).map(|group| group.contents.len() as u128).product()
    }

    /// Every possible content of the squares from `low` up to `high`, which lie between groups: in ascending order, at the places that
    /// they have in a set.
    #[must_use]
    pub fn all(&self, low: u32, high: u32) -> Vec<u64> {
        self.between(low, high).fold(vec![0], |below, group| {
            let contents = group.contents.iter().map(|content| content << group.first);
            contents.flat_map(|content| below.iter().map(move |set| content | set)).collect()
        })
    }

    fn between(&self, low: u32, high: u32) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| (low..high).contains(&group.first))
    }
}

impl Group {
    const fn end(&self) -> u32 {
        self.first + self.squares
    }
}

/// The numbers of the squares of `set`.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    Board::from_word(set).bits().map(|square| square as usize)
}

/// The squares of which `board` has a cell.
pub(super) fn touched(squares: &Squares, board: Board) -> u64 {
    squares
        .set_of(|square| [Some(square.first), square.second].into_iter().flatten().any(|cell| board.has(cell.into())))
}

/// The moves of `rules` by squares.
pub(super) fn steps(rules: &Rules, squares: &Squares) -> Vec<Step> {
    let step = |m: &Move| Step {
        free: squares.set_of(|square| {
            m.empty.has(square.first.into()) && square.second.is_none_or(|second| m.empty.has(second.into()))
        }),
        occupied: touched(squares, m.full),
        takes: touched(squares, fills(m)),
    };
    let all: BTreeSet<[u64; 3]> = rules.moves().iter().map(step).map(|s| [s.takes, s.free, s.occupied]).collect();
    all.into_iter().map(|[takes, free, occupied]| Step { free, occupied, takes }).collect()
}

/// The squares of each group, in the order of their lowest squares. All squares that a move names are in one group.
pub(super) fn groups_of(size: u32, steps: &[Step]) -> Vec<u64> {
    let mut groups: Vec<u64> = (0..size).map(|square| 1 << square).collect();
    for step in steps {
        let named = step.free | step.occupied | step.takes;
        let (with, mut without): (Vec<u64>, Vec<u64>) = groups.iter().partition(|&&group| group & named != 0);
        without.extend((!with.is_empty()).then(|| with.into_iter().fold(0, |all, group| all | group)));
        groups = without;
    }
    groups.sort_unstable_by_key(|group| group.trailing_zeros());
    groups
}

/// The contents of the group `members` that `steps` make from the sets `begun`, in ascending order; bit 0 is its lowest square. `None`
/// if they are too many.
fn contents(members: u64, steps: &[Step], begun: &[u64]) -> Option<Vec<u64>> {
    let steps: Vec<&Step> = steps.iter().filter(|step| step.takes & members != 0).collect();
    let mut found: HashSet<u64> = begun.iter().map(|set| set & members).collect();
    let mut open: Vec<u64> = found.iter().copied().collect();
    while let Some(set) = open.pop() {
        for step in &steps {
            let after = set | step.takes;
            let is_legal = set & step.free == 0 && !set & step.occupied == 0;
            if is_legal && found.insert(after) {
                open.push(after);
            }
        }
        if found.len() > MOST_CONTENTS {
            return None;
        }
    }
    let mut contents: Vec<u64> = found.into_iter().map(|set| set >> members.trailing_zeros()).collect();
    contents.sort_unstable();
    Some(contents)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::colourings::Frame;
    use crate::rules::{Mode, RulesSpec, Start};

    /// Every set of `squares` squares.
    pub(in crate::colourings) fn every(squares: u32) -> Sets {
        Sets { groups: (0..squares).map(|first| Group { first, squares: 1, contents: vec![0, 1] }).collect() }
    }

    /// Columns of `rows` squares that fill from the lowest square.
    pub(in crate::colourings) fn columns(columns: u32, rows: u32) -> Sets {
        let contents: Vec<u64> = (0..=rows).map(|height| (1 << height) - 1).collect();
        let group = |column| Group { first: column * rows, squares: rows, contents: contents.clone() };
        Sets { groups: (0..columns).map(group).collect() }
    }

    /// Two players drop pieces into `columns` columns of `rows` squares. The squares of a column are `columns` apart if `is_wide` is true.
    pub(in crate::colourings) fn dropping(columns: u32, rows: u32, is_wide: bool) -> RulesSpec {
        let size = columns * rows;
        let square = |column, row| if is_wide { row * columns + column } else { column * rows + row };
        let mut moves = Vec::new();
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            let both = |square: u32| [Board::bit(square), Board::bit(square + size)];
            let [first, second] = both(square(column, row));
            for (mode, fills) in [(0, first), (1, second)] {
                let to = Move { mode: Mode(mode), next: Mode(1 - mode), empty: first | second, ..Move::fill(fills) };
                let on = |full| Move { full, ..to };
                match row {
                    0 => moves.push(to),
                    _ => moves.extend(both(square(column, row - 1)).map(on)),
                }
            }
        }
        RulesSpec { modes: vec!["a".into(), "b".into()], moves, ..RulesSpec::new("dropping", 2 * size) }
    }

    fn sets(rules: &Rules) -> Sets {
        let roots = rules.start_positions();
        Sets::of(rules, &Sets::in_order(rules, &Squares::of(rules, &[]), &roots), &roots)
    }

    #[test]
    fn columns_fill_from_the_bottom() {
        for is_wide in [false, true] {
            let rules = dropping(3, 4, is_wide).build().unwrap();
            assert_eq!(sets(&rules), columns(3, 4), "{is_wide}");
        }
        // Squares that are not numbered column by column are taken apart.
        let rules = dropping(3, 4, true).build().unwrap();
        assert_eq!(Sets::of(&rules, &Squares::of(&rules, &[]), &rules.start_positions()), every(12));
    }

    #[test]
    fn starts_have_pieces_already() {
        let mut spec = dropping(2, 3, false);
        spec.start = Start::At(Position::of(Board::from_word(0b000_000_000_001)));
        let found = sets(&spec.build().unwrap());
        assert_eq!(found.all(0, 3), [0b001, 0b011, 0b111]);
        assert_eq!(found.all(3, 6).iter().map(|set| set >> 3).collect::<Vec<_>>(), [0b000, 0b001, 0b011, 0b111]);
        assert_eq!(
            (found.count(0, 6), found.are_all(), found.splits_at(3), found.splits_at(4)),
            (12, false, true, false)
        );
    }

    #[test]
    fn a_move_may_fill_a_square_that_is_occupied() {
        let fill = |cells| Move::fill(Board::from_word(cells));
        let of = |moves| sets(&RulesSpec { moves, ..RulesSpec::new("fills", 2) }.build().unwrap());
        let found = of(vec![fill(0b01), Move { empty: Board::bit(1), ..fill(0b11) }]);
        assert_eq!(found.all(0, 2), [0b00, 0b01, 0b11]);
        // A group that can have any content is taken apart.
        assert_eq!(of(vec![fill(0b01), fill(0b10), fill(0b11)]), every(2));
    }

    #[test]
    fn a_group_has_a_limited_number_of_contents() {
        let steps: Vec<Step> =
            (0..13).map(|square| Step { free: 1 << square, occupied: 0, takes: 1 << square }).collect();
        let found = |squares: usize| contents((1 << squares) - 1, &steps[..squares], &[0]).map(|found| found.len());
        assert_eq!((MOST_CONTENTS, found(12), found(13)), (1 << 12, Some(1 << 12), None));
    }

    /// The positions of a frame are those of its slices; impossible slices have none.
    #[test]
    fn impossible_sets_have_no_positions() {
        let rules = dropping(3, 4, false).build().unwrap();
        let frame = Frame::of(&rules, &Squares::of(&rules, &[]), &[]).unwrap();
        for below in [0, 4, 8, 12] {
            let slices = (0..1 << (12 - below)).map(|top| frame.count_with(below, top));
            assert_eq!(Some(slices.sum()), frame.count(), "{below}");
        }
        assert_eq!((frame.count_with(8, 0b0010), frame.count_with(6, 0)), (0, 0));
    }
}
