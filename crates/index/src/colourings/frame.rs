//! The address of the label of each position in a two-colour table.

use std::ops::Range;

use super::fold::SquareFold;
use super::squares::fills;
use super::{Offsets, Sets, Square, Squares, WORD, WORD_LOG, gathered, scattered};
use crate::rules::{Board, Mode, Position, Rules};
use crate::symmetry::Group;

/// Maximum number of squares. Even if few sets are possible, the tables of addresses would be too large for more.
pub const MOST_SQUARES: usize = 56;

/// The positions that have a place, and where it is.
///
/// The number of occupied squares often determines the mode: if two players take turns, it tells who is to move. Only the modes
/// that are possible with a number of occupied squares have a place, so such a game needs one bit plane for both modes. The
/// possible modes, in their order, are the *slots*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    squares: Squares,
    /// The roots: sorted and without duplicates.
    roots: Vec<Position>,
    /// The squares of two cells.
    pairs: u64,
    /// The possible modes, sorted, indexed by the number of occupied squares.
    modes: Vec<Vec<Mode>>,
    slots: u32,
    sets: Sets,
    offsets: Offsets,
    /// The number of positions of all sets of the lower squares, for one colouring of the squares above. Indexed by the number of
    /// groups of lower squares, then by the number of occupied squares above them. `None` if it exceeds a `u64`.
    ways: Vec<Vec<Option<u64>>>,
    /// For each byte of a board and each value of the byte: the squares occupied in the first colour, and in the second.
    occupied: Vec<[(u64, u64); 256]>,
    /// The stored slices, if the table is up to symmetry.
    fold: Option<SquareFold>,
}

/// The place of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The occupied squares.
    pub set: u64,
    /// The index of the mode among the possible modes.
    pub slot: u32,
    /// The colours of the occupied pairs, one bit each, the lowest pair first.
    pub colouring: u64,
}

impl Frame {
    /// The frame of `rules` with `squares`, which must be squares of the rules, in an order in which fewest sets are possible. `None` if
    /// there are too many. Reachability starts from the starts of the rules and from `roots`.
    #[must_use]
    pub fn of(rules: &Rules, squares: &Squares, roots: &[Position]) -> Option<Self> {
        let ordered = || Sets::in_order(rules, squares, &rules.starts_and(roots));
        (squares.list().len() <= MOST_SQUARES).then(ordered).and_then(|squares| Self::new(rules, squares, roots))
    }

    /// The frame of `rules` with `squares` in their order; they must be squares of the rules. `None` if there are too many.
    #[must_use]
    pub fn new(rules: &Rules, squares: Squares, roots: &[Position]) -> Option<Self> {
        let roots = rules.starts_and(roots);
        if squares.list().len() > MOST_SQUARES {
            return None;
        }
        let number = squares.list().len() as u32;
        let is_pair = |square: &Square| square.second.is_some();
        let pairs = (0..).zip(squares.list()).filter(|(_, square)| is_pair(square)).fold(0, |all, (i, _)| all | 1 << i);
        let modes = modes_by_stones(rules, &roots, number);
        let slots = modes.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let sets = Sets::of(rules, &squares, &roots);
        let offsets = Offsets::new(&sets, number, pairs)?;
        let bytes = rules.cells().div_ceil(8);
        let occupied =
            (0..bytes).map(|byte| std::array::from_fn(|value| occupied(squares.list(), byte, value as u128)));
        let occupied = occupied.collect();
        let ways = ways(&modes, &sets, pairs);
        Some(Self { squares, roots, pairs, modes, slots, sets, offsets, ways, occupied, fold: None })
    }

    /// This frame up to the symmetries of `group`, where the `top` squares with the highest numbers name a slice. `None` if the
    /// symmetries do not map slices to slices.
    #[must_use]
    pub fn folded(&self, rules: &Rules, top: u32, group: &Group) -> Option<Self> {
        let fold = SquareFold::new(self, rules, top, group)?;
        Some(Self { fold: Some(fold), ..self.clone() })
    }

    /// The frame of the same `rules` with its squares reordered: `order` lists their present numbers.
    #[must_use]
    pub fn in_order(&self, rules: &Rules, order: &[usize]) -> Option<Self> {
        Self::new(rules, self.squares.in_order(order), &self.roots)
    }

    /// The stored slices, if the table is up to symmetry.
    #[must_use]
    pub const fn fold(&self) -> Option<&SquareFold> {
        self.fold.as_ref()
    }

    /// The frame of all positions without symmetry, with the squares in the order of their lowest cells.
    pub fn every(&self) -> &Self {
        self.fold.as_ref().map_or(self, SquareFold::natural)
    }

    /// The ranks of the stored positions, slice by slice.
    pub fn stored_ranks(&self) -> Vec<Range<u64>> {
        match &self.fold {
            None => std::iter::once(0..self.count().unwrap_or(0)).collect(),
            Some(fold) => fold.ranks(self),
        }
    }

    /// The number of stored positions.
    #[must_use]
    pub fn stored_positions(&self) -> u64 {
        self.fold.as_ref().map_or(self.count().unwrap_or(u64::MAX), |fold| fold.stored_positions(self))
    }

    /// Returns whether the positions of `set` are stored.
    pub(crate) fn stores(&self, set: u64) -> bool {
        self.fold.as_ref().is_none_or(|fold| fold.rank(set).is_some())
    }

    /// Calls `take` for each slot whose positions the stored positions of `set` and `slot` represent, with the number of sets.
    pub fn spread(&self, set: u64, slot: u32, mut take: impl FnMut(u32, u64)) {
        let Some(fold) = &self.fold else { return take(slot, 1) };
        let modes = self.modes_at(set.count_ones());
        let Some((rank, own)) = fold.rank(set).zip(modes.get(slot as usize)) else { return };
        for (count, to) in fold.slice_classes().shares(rank) {
            for (slot, mode) in (0..).zip(modes) {
                if to[usize::from(mode.0)] == own.0 {
                    take(slot, *count);
                }
            }
        }
    }

    /// The squares of the board.
    #[must_use]
    pub const fn squares(&self) -> &Squares {
        &self.squares
    }

    /// The roots, including the starts of the rules: sorted and without duplicates.
    #[must_use]
    pub fn roots(&self) -> &[Position] {
        &self.roots
    }

    /// The number of squares.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.squares.list().len() as u32
    }

    /// The squares of two cells, as a set.
    #[must_use]
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The number of occupied pairs of `set`, which is the number of bits of a colouring.
    #[must_use]
    #[inline]
    pub const fn coloured(&self, set: u64) -> u32 {
        (set & self.pairs).count_ones()
    }

    /// The modes that are possible with `stones` occupied squares.
    #[must_use]
    #[inline]
    pub fn modes_at(&self, stones: u32) -> &[Mode] {
        self.modes.get(stones as usize).map_or(&[], Vec::as_slice)
    }

    /// The largest number of modes that are possible with any one number of occupied squares.
    #[must_use]
    pub const fn slots(&self) -> u32 {
        self.slots
    }

    /// The possible sets.
    pub const fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The first word of the colourings of each possible set.
    pub const fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// Words of the possible sets below `set`, in one slot's bit plane without symmetry. `set` may be the number after the last set.
    #[must_use]
    pub fn words_before(&self, set: u64) -> u64 {
        if set >> self.size() == 0 { self.offsets.start(set) } else { self.offsets.words() }
    }

    /// Words of one slot's bit plane over the stored sets.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.fold.as_ref().map_or(self.offsets.words(), SquareFold::words)
    }

    /// Words of the bit planes of all slots over the stored sets.
    #[must_use]
    pub fn all_words(&self) -> Option<u64> {
        self.words().checked_mul(self.slots.into())
    }

    /// The number of positions that have a place; `None` if it exceeds a `u64`.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        self.ways.last().and_then(|ways| ways[0])
    }

    /// The number of positions whose squares above the `below` lowest are occupied as in `top`. 0 if it exceeds a `u64`, if no possible
    /// set has that top, or if a group has squares on both sides.
    pub fn count_with(&self, below: u32, top: u64) -> u64 {
        let held = top << below;
        let is_possible = self.words_before(held) < self.words_before(held + (1 << below));
        let Some(groups) = self.sets.group_at(below).filter(|_| is_possible) else { return 0 };
        self.ways[groups][top.count_ones() as usize].unwrap_or(0) << self.coloured(held)
    }

    /// The place of rank `rank`, which must be below [`count`](Self::count). Places are ordered by set, then by slot, then by
    /// colouring. So moves lead to larger ranks.
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Option<Place> {
        let (mut set, mut rank) = (0u64, rank);
        let groups = self.sets.contents();
        for (below, mut contents) in self.ways[..groups.len()].iter().zip(groups).rev() {
            // The number of positions in which the squares above and this group are occupied as in `with`.
            let of = |with: u64| below[with.count_ones() as usize]?.checked_shl(self.coloured(with));
            set |= contents.find(|content| match of(set | content) {
                Some(positions) if positions <= rank => {
                    rank -= positions;
                    false
                }
                _ => true,
            })?;
        }
        let pairs = self.coloured(set);
        let place = Place { set, slot: (rank >> pairs) as u32, colouring: rank & ((1 << pairs) - 1) };
        ((place.slot as usize) < self.modes_at(set.count_ones()).len()).then_some(place)
    }

    /// The place of `position`. `None` if both cells of a square are filled, if no line of play occupies these squares, or if the mode
    /// is impossible with this number of occupied squares.
    #[must_use]
    #[inline]
    pub fn place(&self, position: Position) -> Option<Place> {
        let mut board = position.board.number();
        let (mut first, mut second) = (0, 0);
        for byte in &self.occupied {
            if board == 0 {
                break;
            }
            let (a, b) = byte[(board & 0xff) as usize];
            // This catches a square whose two cells lie in different bytes.
            if first & b != 0 || second & a != 0 {
                return None;
            }
            (first, second) = (first | a, second | b);
            board >>= 8;
        }
        if first & second != 0 {
            return None;
        }
        let set = first | second;
        if !self.offsets.has(set) {
            return None;
        }
        let slot = self.modes_at(set.count_ones()).iter().position(|&mode| mode == position.mode)?;
        Some(Place { set, slot: slot as u32, colouring: gathered(second, set & self.pairs) })
    }

    /// The position at `place`; `None` if there is none.
    #[must_use]
    pub fn position(&self, place: Place) -> Option<Position> {
        let Place { set, slot, colouring } = place;
        let mode = *self.modes_at(set.count_ones()).get(slot as usize)?;
        Some(Position::new(mode, self.board(set, colouring)))
    }

    /// The board with the squares of `set` occupied, in the colours of `colouring`.
    #[must_use]
    pub fn board(&self, set: u64, colouring: u64) -> Board {
        let second = scattered(colouring, set & self.pairs);
        let mut board = Board::EMPTY;
        let mut rest = set;
        while rest != 0 {
            let number = rest.trailing_zeros();
            let square = self.squares.list()[number as usize];
            let cell = if second >> number & 1 == 1 { square.second.unwrap_or(square.first) } else { square.first };
            board |= Board::bit(cell.into());
            rest &= rest - 1;
        }
        board
    }

    /// The bit at which the label of `place` is stored, counted through the bit planes of all slots.
    #[inline]
    pub fn bit(&self, place: Place) -> u64 {
        let (place, start) = match &self.fold {
            None => (place, self.offsets.start(place.set)),
            Some(fold) => {
                let stored = fold.place(self, place);
                (stored, fold.start(self, stored.set))
            }
        };
        let word = u64::from(place.slot) * self.words() + start;
        (word << WORD_LOG) + place.colouring
    }

    /// The place whose label is stored at `bit`, the inverse of [`bit`](Self::bit). `None` if no label is stored there.
    pub fn place_at(&self, bit: u64) -> Option<Place> {
        let (word, colour) = (bit / WORD, bit % WORD);
        let slot = u32::try_from(word / self.words()).ok().filter(|&slot| slot < self.slots)?;
        let word = word % self.words();
        let word = self.fold.as_ref().map_or(word, |fold| fold.whole_word(word));
        let set = self.offsets.set_at(word);
        let colouring = ((word - self.offsets.start(set)) << WORD_LOG) + colour;
        let exists = colouring >> self.coloured(set) == 0 && (slot as usize) < self.modes_at(set.count_ones()).len();
        exists.then_some(Place { set, slot, colouring })
    }
}

/// The squares that are occupied in the first and in the second colour if byte number `byte` of a board is `value`.
fn occupied(squares: &[Square], byte: u32, value: u128) -> (u64, u64) {
    let cells = value << (8 * byte);
    let of = |cell: Option<u8>| cell.map_or(0, |cell| (cells >> cell & 1) as u64);
    let both = (0..)
        .zip(squares)
        .map(|(number, square): (u32, _)| (of(Some(square.first)) << number, of(square.second) << number));
    both.fold((0, 0), |(first, second), (a, b)| (first | a, second | b))
}

/// The table [`Frame::ways`].
fn ways(modes: &[Vec<Mode>], sets: &Sets, pairs: u64) -> Vec<Vec<Option<u64>>> {
    let mut ways = vec![modes.iter().map(|modes| Some(modes.len() as u64)).collect::<Vec<_>>()];
    for (number, (group, contents)) in sets.groups().zip(sets.contents()).enumerate() {
        let contents: Vec<u64> = contents.collect();
        let with = |stones: usize| {
            contents.iter().try_fold(0u64, |all, content| {
                let below = ways[number][stones + content.count_ones() as usize]?;
                all.checked_add(below.checked_mul(1 << (content & pairs).count_ones())?)
            })
        };
        let above = modes.len() - group.end as usize;
        ways.push((0..above).map(with).collect());
    }
    ways
}

/// The possible modes for each number of occupied squares, from 0 to `squares`, as far as counting cells tells.
///
/// A root has a known number of filled cells. A move adds at least the cells that it fills and needs empty, and at most all cells
/// that it fills.
fn modes_by_stones(rules: &Rules, roots: &[Position], squares: u32) -> Vec<Vec<Mode>> {
    let mut modes = vec![vec![false; rules.modes().len()]; squares as usize + 1];
    for start in roots {
        modes[(start.board.count() as usize).min(squares as usize)][usize::from(start.mode.0)] = true;
    }
    for stones in 0..squares as usize {
        for m in rules.moves() {
            if modes[stones][usize::from(m.mode.0)] {
                let (sure, most) = ((m.fills & m.empty).count() as usize, fills(m).count() as usize);
                for reached in modes.iter_mut().take(stones + most + 1).skip(stones + sure) {
                    reached[usize::from(m.next.0)] = true;
                }
            }
        }
    }
    let numbers = |flags: Vec<bool>| (0..).map(Mode).zip(flags).filter(|(_, is)| *is).map(|(mode, _)| mode).collect();
    modes.into_iter().map(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, RulesSpec};

    /// Two players take turns on three squares of two cells. Either player may also fill a further cell.
    fn turns() -> Rules {
        let mut moves = Vec::new();
        for square in 0..3 {
            for (mode, cell) in [(0, square), (1, square + 3)] {
                let both = Board::bit(square) | Board::bit(square + 3);
                moves.push(Move {
                    mode: Mode(mode),
                    next: Mode(1 - mode),
                    empty: both,
                    ..Move::fill(Board::bit(cell))
                });
            }
        }
        for mode in 0..2 {
            moves.push(Move { mode: Mode(mode), next: Mode(1 - mode), ..Move::fill(Board::bit(6)) });
        }
        RulesSpec { modes: vec!["a".into(), "b".into()], moves, ..RulesSpec::new("turns", 7) }.build().unwrap()
    }

    fn frame_of(rules: &Rules) -> Frame {
        Frame::of(rules, &Squares::of(rules, &[]), &[]).unwrap()
    }

    #[test]
    fn the_number_of_stones_decides_the_mode() {
        let frame = frame_of(&turns());
        assert_eq!((frame.slots(), frame.size(), frame.count()), (1, 4, Some(54)));
        for stones in 0..=4 {
            assert_eq!(frame.modes_at(stones), [Mode(stones as u16 % 2)]);
        }
        // A player may move twice, so both modes are possible from then on.
        let mut spec = turns().into_spec();
        spec.moves.push(Move::fill(Board::bit(6)));
        let frame = frame_of(&spec.build().unwrap());
        assert_eq!((frame.slots(), frame.modes_at(0).len(), frame.modes_at(1).len()), (2, 1, 2));
        let stored = (0..frame.all_words().unwrap() * WORD).filter(|&bit| frame.place_at(bit).is_some()).count();
        assert_eq!((frame.count(), stored), (Some(54 * 2 - 1), 54 * 2 - 1));
    }

    #[test]
    fn every_position_has_its_own_place() {
        let frame = frame_of(&turns());
        let mut seen = std::collections::HashSet::new();
        for mode in 0..2 {
            for board in 0..1u64 << 7 {
                let position = Position::new(Mode(mode), Board::from_word(board));
                let is_both = board & board >> 3 & 0b111 != 0;
                let turn = board.count_ones() % 2 == u32::from(mode);
                let place = frame.place(position);
                assert_eq!(place.is_some(), !is_both && turn, "{position:?}");
                if let Some(place) = place {
                    assert_eq!(frame.position(place), Some(position));
                    assert_eq!(frame.place_at(frame.bit(place)), Some(place));
                    assert!(seen.insert(frame.bit(place)));
                }
            }
        }
        assert_eq!(Some(seen.len() as u64), frame.count());
        let ranked: Vec<Place> = (0..seen.len() as u64).map(|rank| frame.unrank(rank).unwrap()).collect();
        assert!(ranked.is_sorted() && ranked.iter().all(|&place| seen.contains(&frame.bit(place))));
        assert_eq!(frame.unrank(seen.len() as u64), None);
        let bits = frame.all_words().unwrap() * WORD;
        assert!((0..bits + 64).all(|bit| frame.place_at(bit).is_some() == seen.contains(&bit)));
    }
}
