//! Squares of two cells that exclude each other, found from the rules alone.

use super::fold::SquareSymmetry;
use crate::rules::{Board, Move, Position, Rules};
use crate::symmetry::{Group, orbits};

/// A place on the drawn board: one cell, or two cells that no line of play fills together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Square {
    /// The cell that is filled in the first colour, or the only cell.
    pub first: u8,
    /// The cell that is filled in the second colour.
    pub second: Option<u8>,
}

/// The squares of a board; each cell belongs to one of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Squares(Vec<Square>);

/// The error that squares do not fit the rules: a cell is missing or named twice, or a line of play may fill both cells of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the squares do not fit the rules: each cell needs one square, and play must not fill both cells of a square")]
pub struct Unpaired;

impl Squares {
    /// The squares of `rules`: as many squares of two cells as a greedy search finds, and the other cells alone. They are sorted by their
    /// lowest cell.
    ///
    /// Two cells may share a square under two conditions. Each move that fills one of them needs both empty and leaves the other
    /// empty. No start of the rules and none of `roots` has both filled. Then, by induction, no line of play fills both.
    #[must_use]
    pub fn of(rules: &Rules, roots: &[Position]) -> Self {
        Self::matched(rules, exclusions(rules, roots, false))
    }

    /// Like [`of`](Self::of), for rules whose moves empty cells: a move that fills one cell of a square may also empty the other. After
    /// such a move too, one of the two cells is empty.
    #[must_use]
    pub fn of_moving(rules: &Rules, roots: &[Position]) -> Self {
        Self::matched(rules, exclusions(rules, roots, true))
    }

    /// Matches cells with their `partners`.
    fn matched(rules: &Rules, mut partners: Vec<Board>) -> Self {
        let mut squares = Vec::new();
        let mut free = Board::full(rules.cells());
        // The cell with the fewest partners left comes first: a cell with one partner left must get that partner.
        while let Some(cell) = scarcest(&partners, free) {
            let open = (partners[cell] & free).bits().map(|other| other as usize);
            let partner = open.min_by_key(|&other| (partners[other] & free).count());
            let Some(partner) = partner else { break };
            squares.push(Square { first: cell.min(partner) as u8, second: Some(cell.max(partner) as u8) });
            for taken in [cell, partner] {
                free &= !Board::bit(taken as u32);
                partners[taken] = Board::EMPTY;
            }
        }
        squares.extend(free.bits().map(|cell| Square { first: cell as u8, second: None }));
        squares.sort_unstable_by_key(|square| square.first);
        Self(squares)
    }

    /// Like [`of`](Self::of), but `group` maps the squares to squares. If a cell has several possible partners, [`of`](Self::of) does not
    /// ensure that. `group` has symmetries of `rules` that map `roots` to each other.
    #[must_use]
    pub fn symmetric(rules: &Rules, roots: &[Position], group: &Group) -> Self {
        let mut partners = exclusions(rules, roots, false);
        let (mut squares, mut free) = (Vec::new(), Board::full(rules.cells()));
        while let Some(cell) = scarcest(&partners, free) {
            let mut open: Vec<usize> = (partners[cell] & free).bits().map(|cell| cell as usize).collect();
            open.sort_by_key(|&other| (partners[other] & free).count());
            let found = open.into_iter().find_map(|other| images_of_pair(group, cell, other, free));
            // A cell without such a partner becomes a square of one cell.
            let Some(pairs) = found else {
                partners[cell] = Board::EMPTY;
                continue;
            };
            for pair in pairs {
                free &= !pair;
                let cells: Vec<u8> = pair.bits().map(|cell| cell as u8).collect();
                cells.iter().for_each(|&taken| partners[usize::from(taken)] = Board::EMPTY);
                squares.push(Square { first: cells[0], second: cells.get(1).copied() });
            }
        }
        squares.extend(free.bits().map(|cell| Square { first: cell as u8, second: None }));
        squares.sort_unstable_by_key(|square| square.first);
        Self(squares)
    }

    /// The given squares, checked against `rules` and `roots`.
    ///
    /// # Errors
    /// If they do not fit the rules.
    pub fn new(squares: Vec<Square>, rules: &Rules, roots: &[Position]) -> Result<Self, Unpaired> {
        let partners = exclusions(rules, roots, false);
        let mut seen = Board::EMPTY;
        for square in &squares {
            let exclude = square.second.is_none_or(|second| {
                let second = u32::from(second);
                partners
                    .get(usize::from(square.first))
                    .is_some_and(|partners| second < rules.cells() && partners.has(second))
            });
            for cell in [Some(square.first), square.second].into_iter().flatten() {
                let is_new = u32::from(cell) < rules.cells() && !seen.contains(Board::bit(cell.into()));
                if !is_new || !exclude {
                    return Err(Unpaired);
                }
                seen |= Board::bit(cell.into());
            }
        }
        if seen == Board::full(rules.cells()) { Ok(Self(squares)) } else { Err(Unpaired) }
    }

    /// The squares; the number of a square is its index in this list.
    #[must_use]
    pub fn list(&self) -> &[Square] {
        &self.0
    }

    /// The same squares, by their lowest cell.
    #[must_use]
    pub(crate) fn sorted(&self) -> Self {
        let mut squares = self.clone();
        squares.0.sort_unstable_by_key(|square| square.first.min(square.second.unwrap_or(square.first)));
        squares
    }

    /// The same squares, reordered: `order` lists their present numbers.
    #[must_use]
    pub(crate) fn in_order(&self, order: &[usize]) -> Self {
        Self(order.iter().map(|&number| self.0[number]).collect())
    }

    /// The orbits of the squares' numbers, the smallest orbits last; `None` if `group` does not map squares to squares.
    #[must_use]
    pub fn orbits(&self, group: &Group) -> Option<Vec<Vec<usize>>> {
        let turns = group.generators().iter().map(|symmetry| SquareSymmetry::new(symmetry, self));
        let turns = turns.collect::<Option<Vec<SquareSymmetry>>>()?;
        let to = || turns.iter().map(|turn| turn.squares().iter().map(|&to| usize::from(to)));
        let mut orbits = orbits(self.0.len(), to);
        orbits.sort_unstable_by_key(|orbit| (std::cmp::Reverse(orbit.len()), orbit[0]));
        orbits.dedup();
        Some(orbits)
    }

    /// The squares of `list`, which must be squares of the rules.
    pub(super) const fn from_list(list: Vec<Square>) -> Self {
        Self(list)
    }

    /// The squares that meet `condition`, as a set.
    pub(super) fn set_of(&self, condition: impl Fn(&Square) -> bool) -> u64 {
        (0..).zip(&self.0).filter(|(_, square)| condition(square)).fold(0, |all, (number, _)| all | 1 << number)
    }

    /// The number of squares of two cells.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.0.iter().filter(|square| square.second.is_some()).count() as u32
    }

    /// The number of squares of one cell.
    #[must_use]
    pub fn singles(&self) -> u32 {
        self.0.len() as u32 - self.pairs()
    }

    /// The number of positions of one mode: 3 for each pair times 2 for each single.
    #[must_use]
    pub fn positions(&self) -> u128 {
        3u128.pow(self.pairs()) << self.singles()
    }
}

/// The cells that `m` fills and that may be empty before: the move does not need them filled.
pub(super) fn fills(m: &Move) -> Board {
    m.fills & !m.full
}

/// For each cell, the cells that it may share a square with. If `moving` is true, a move that fills the cell may empty its partner.
fn exclusions(rules: &Rules, roots: &[Position], moving: bool) -> Vec<Board> {
    let all = Board::full(rules.cells());
    let mut partners: Vec<Board> = (0..rules.cells()).map(|cell| all & !Board::bit(cell)).collect();
    for m in rules.moves() {
        for cell in fills(m).bits() {
            // The move must need the cell and its partner empty, and leave the partner empty.
            let kept = if m.empty.has(cell) { m.empty & !fills(m) } else { Board::EMPTY };
            partners[cell as usize] &= kept | if moving { m.clears } else { Board::EMPTY };
        }
    }
    for root in rules.start_positions().iter().chain(roots) {
        root.board.bits().for_each(|cell| partners[cell as usize] &= !root.board);
    }
    // Partners must exclude each other. A cell that no move changes keeps its state, so a square with it would save nothing. Where moves empty
    // cells, a piece may leave a cell to which none comes back.
    let changed: Board =
        rules.moves().iter().map(|m| fills(m) | if moving { m.clears } else { Board::EMPTY }).collect();
    let mutual = |cell: u32| {
        let both = partners[cell as usize].bits().filter(|&other| partners[other as usize].has(cell));
        if changed.has(cell) { both.map(Board::bit).collect::<Board>() & changed } else { Board::EMPTY }
    };
    (0..rules.cells()).map(mutual).collect()
}

/// All images of a pair of cells; `None` if an image leaves `free` or two images overlap.
fn images_of_pair(group: &Group, cell: usize, other: usize, free: Board) -> Option<Vec<Board>> {
    let mut images = vec![Board::bit(cell as u32) | Board::bit(other as u32)];
    let mut next = 0;
    while let Some(&pair) = images.get(next) {
        next += 1;
        for image in group.generators().iter().map(|symmetry| symmetry.of_board(pair)) {
            if images.contains(&image) {
                continue;
            }
            if !free.contains(image) || images.iter().any(|found| !found.is_disjoint(image)) {
                return None;
            }
            images.push(image);
        }
    }
    Some(images)
}

/// The free cell with the fewest free partners, if any free cell has a free partner.
fn scarcest(partners: &[Board], free: Board) -> Option<usize> {
    let open = |cell: usize| (partners[cell] & free).count();
    free.bits().map(|cell| cell as usize).filter(|&cell| open(cell) > 0).min_by_key(|&cell| open(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, map_colouring, three_in_a_line};
    use crate::rules::{Mode, RulesSpec, Start, Symmetry};

    fn pair(a: u8, b: u8) -> Square {
        Square { first: a, second: Some(b) }
    }

    /// Two squares that two players mark (cells 0 and 2, cells 1 and 3), and a fifth cell that either player may fill.
    fn marks() -> RulesSpec {
        let mark = |mode: u16, cell: u32, other: u32| Move {
            empty: Board::bit(cell) | Board::bit(other),
            mode: Mode(mode),
            next: Mode(1 - mode),
            ..Move::fill(Board::bit(cell))
        };
        let moves =
            vec![mark(0, 0, 2), mark(1, 2, 0), mark(0, 1, 3), mark(1, 3, 1), Move::fill(Board::from_word(0b1_0000))];
        RulesSpec { modes: vec!["x".into(), "o".into()], moves, ..RulesSpec::new("marks", 5) }
    }

    #[test]
    fn cells_that_exclude_each_other_share_a_square() {
        let rules = marks().build().unwrap();
        let squares = Squares::of(&rules, &[]);
        assert_eq!(squares.list(), [pair(0, 2), pair(1, 3), Square { first: 4, second: None }]);
        assert_eq!((squares.pairs(), squares.singles(), squares.positions()), (2, 1, 18));
        assert_eq!(Squares::new(squares.list().to_vec(), &rules, &[]), Ok(squares));
    }

    /// Even if a cell has several possible partners, symmetric squares are as many as others.
    #[test]
    fn squares_are_mapped_to_squares() {
        let grids = [(2, 3), (3, 3)].map(|(rows, cols)| Grid { rows, cols });
        for spec in [map_colouring(grids[0]), map_colouring(grids[1]), three_in_a_line(grids[1])] {
            let rules = &spec.build().unwrap();
            let (name, roots) = (rules.name(), rules.start_positions());
            let group = Group::of_rules(rules, &roots).unwrap();
            assert!(group.order() > 2, "{name}");
            let squares = Squares::symmetric(rules, &roots, &group);
            assert!(squares.orbits(&group).is_some(), "{name}: {squares:?}");
            assert_eq!(squares.pairs(), Squares::of(rules, &roots).pairs(), "{name}: {squares:?}");
            assert_eq!(Squares::new(squares.list().to_vec(), rules, &roots), Ok(squares));
        }
    }

    #[test]
    fn squares_that_rules_do_not_have_are_refused() {
        let rules = marks().build().unwrap();
        let single = |first| Square { first, second: None };
        let refused = [
            vec![pair(0, 2), pair(1, 3)],
            vec![pair(0, 1), pair(2, 3), single(4)],
            vec![pair(0, 2), pair(1, 3), single(4), single(4)],
            vec![pair(0, 2), pair(1, 3), single(5)],
            vec![pair(0, 200), single(1), single(2), single(3), single(4)],
        ];
        for squares in refused {
            assert_eq!(Squares::new(squares.clone(), &rules, &[]), Err(Unpaired), "{squares:?}");
        }
        let alone: Vec<Square> = (0..5).map(single).collect();
        assert!(Squares::new(alone, &rules, &[]).is_ok(), "cells may stand alone");
    }

    #[test]
    fn cells_that_a_start_or_a_move_fills_together_are_no_pair() {
        let start = Start::At(Position::of(Board::from_word(0b00101)));
        assert_eq!(Squares::of(&marks().build().unwrap(), &[Position::of(Board::from_word(0b00101))]).pairs(), 1);
        assert_eq!(Squares::of(&RulesSpec { start, ..marks() }.build().unwrap(), &[]).pairs(), 1);
        let mut both = marks();
        both.moves.push(Move::fill(Board::from_word(0b01010)));
        assert_eq!(Squares::of(&both.build().unwrap(), &[]).list()[0], pair(0, 2));
        let mut careless = marks();
        careless.moves.push(Move::fill(Board::from_word(0b00100)));
        assert_eq!(Squares::of(&careless.build().unwrap(), &[]).pairs(), 1);
        let mut again = marks();
        // The move needs the cell filled already, so it does not fill it.
        again.moves.push(Move { full: Board::from_word(0b001), ..Move::fill(Board::from_word(0b1_0000)) });
        assert_eq!(Squares::of(&again.build().unwrap(), &[]).pairs(), 2);
    }

    /// A move for each cell, which needs its neighbours empty as well.
    fn neighbours(cells: u32, edges: &[(u32, u32)]) -> Rules {
        let of = |cell| edges.iter().filter(move |&&(a, b)| a == cell || b == cell);
        let empty =
            |cell| of(cell).map(|&(a, b)| Board::bit(a) | Board::bit(b)).fold(Board::bit(cell), |all, it| all | it);
        let moves = (0..cells).map(|cell| Move { empty: empty(cell), ..Move::fill(Board::bit(cell)) }).collect();
        RulesSpec { moves, ..RulesSpec::new("neighbours", cells) }.build().unwrap()
    }

    /// Cells 0 and 1 as a pair would leave 2, 4 and 5 with the same only partner, 3.
    #[test]
    fn a_cell_gets_the_partner_with_the_fewest_partners() {
        let rules = neighbours(6, &[(0, 1), (0, 2), (2, 3), (3, 4), (3, 5), (4, 1), (5, 1)]);
        assert_eq!(Squares::of(&rules, &[]).pairs(), 3);
        assert_eq!(Squares::symmetric(&rules, &[], Group::trivial()).pairs(), 3);
    }

    #[test]
    fn images_of_a_pair_are_free_and_do_not_overlap() {
        let rules = neighbours(4, &[]);
        let turn = Symmetry::new(vec![1, 2, 3, 0], vec![0]).unwrap();
        let group = Group::new(&rules, &rules.start_positions(), &[turn]).unwrap();
        let images = |other, free| images_of_pair(&group, 0, other, Board::from_word(free));
        assert_eq!(images(2, 0b1111), Some([0b0101, 0b1010].map(Board::from_word).to_vec()));
        assert_eq!((images(1, 0b1111), images(2, 0b0111)), (None, None));
    }
}
