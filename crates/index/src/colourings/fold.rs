//! Two-colour tables up to symmetry, slice by slice.
//!
//! The squares with the highest numbers are the *top squares*. Sets that agree on them form a slice. If each symmetry maps top
//! squares to top squares, it maps slices to slices. Then only the smallest slice of each class is stored. A position of another
//! slice is looked up at its image in the stored slice.
//!
//! ```text
//! set:         010 | 0110      slice 2 is stored as slice 1 …
//!   its image: 001 | 1010      … and the symmetry that maps 2 to 1 maps the other squares as well,
//! colours:     a   |  ab         and each colour goes with its square
//!   its image:   a | b a
//! ```
//!
//! A slice is stored whole even if symmetries map it to itself.

use std::ops::Range;
use std::sync::Arc;

use super::{Frame, MOST_LISTED, Numbered, Place, Square, Squares, gathered, scattered};
use crate::rules::{Mode, Rules, Symmetry};
use crate::symmetry::{Group, MOST_FOLDED, SliceClasses};

/// A symmetry as a map of squares: each square goes to a square, and its two colours may be exchanged.
#[derive(Clone, Debug)]
pub struct SquareSymmetry {
    symmetry: Symmetry,
    /// The image of each square.
    squares: Vec<u8>,
    /// The images of the squares whose colours are exchanged.
    exchanged: u64,
    /// For each byte of a set and each value of the byte, the image of its squares.
    images: Vec<[u64; 256]>,
}

impl SquareSymmetry {
    /// `symmetry` as a map of `squares`; `None` if it does not map squares to squares.
    pub fn new(symmetry: &Symmetry, squares: &Squares) -> Option<Self> {
        let list = squares.list();
        let (mut to, mut exchanged) = (Vec::new(), 0);
        for square in list {
            let image = |cell: u8| symmetry.cells().get(usize::from(cell)).copied();
            let (first, second) = (image(square.first)?, square.second.map(image));
            let (straight, crossed) = match second {
                None => (Square { first, second: None }, None),
                Some(second) => {
                    let second = second?;
                    let straight = Square { first, second: Some(second) };
                    (straight, Some(Square { first: second, second: Some(first) }))
                }
            };
            let number = list.iter().position(|square| *square == straight || Some(*square) == crossed)?;
            exchanged |= u64::from(list[number] != straight) << number;
            to.push(number as u8);
        }
        let image = |byte: usize, value: usize| {
            let squares = to.iter().skip(8 * byte).take(8).enumerate();
            squares.filter(|(bit, _)| value >> bit & 1 == 1).fold(0, |all, (_, &to)| all | 1 << to)
        };
        let images = (0..to.len().div_ceil(8)).map(|byte| std::array::from_fn(|value| image(byte, value))).collect();
        Some(Self { symmetry: symmetry.clone(), squares: to, exchanged, images })
    }

    /// The image of each square.
    pub fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// The images of the squares whose colours are exchanged.
    pub const fn exchanged(&self) -> u64 {
        self.exchanged
    }

    /// The permutation of cells and modes.
    pub const fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The image of a set of squares.
    #[inline]
    pub fn of_set(&self, set: u64) -> u64 {
        let bytes = self.images.iter().enumerate();
        bytes.fold(0, |all, (byte, images)| all | images[(set >> (8 * byte) & 0xff) as usize])
    }

    /// The image of `slot`, if `stones` squares of `frame` are occupied.
    pub fn of_slot(&self, frame: &Frame, stones: u32, slot: u32) -> u32 {
        let modes = frame.modes_at(stones);
        let to = modes.get(slot as usize).map(|mode| Mode(self.symmetry.modes()[usize::from(mode.0)]));
        // A frame is only folded by symmetries that permute the modes of each number of occupied squares.
        to.and_then(|to| modes.iter().position(|&mode| mode == to)).unwrap_or(slot as usize) as u32
    }

    /// The image of a place of `frame`.
    fn of(&self, frame: &Frame, place: Place) -> Place {
        let Place { set, slot, colouring } = place;
        let second = scattered(colouring, set & frame.pairs());
        let image = self.of_set(set);
        let second = self.of_set(second) ^ self.exchanged & image;
        let slot = self.of_slot(frame, set.count_ones(), slot);
        Place { set: image, slot, colouring: gathered(second, image & frame.pairs()) }
    }
}

/// The stored slices of a game's colourings, and the map from every place to its stored image. It is cheap to clone.
#[derive(Clone)]
pub struct SquareFold(Arc<Inner>);

struct Inner {
    group: Group,
    top: u32,
    /// The number of squares below the top squares.
    below: u32,
    generators: Vec<SquareSymmetry>,
    /// The slices: the possible contents of the top squares.
    tops: Numbered,
    /// The classes of the slices, by their numbers in `tops`.
    classes: SliceClasses,
    /// The contents of the top squares in the stored slices, in ascending order.
    stored: Vec<u64>,
    /// The elements of `classes` as maps of squares.
    maps: Vec<SquareSymmetry>,
    /// The first word of each stored slice in a stored bit plane, indexed by rank; last, the end of the plane.
    starts: Vec<u64>,
    /// The first word of each stored slice in a bit plane of all sets, indexed by rank.
    firsts: Vec<u64>,
    /// The frame of all positions, in an order that does not depend on the stored slices.
    natural: Frame,
}

impl SquareFold {
    /// Sets of `frame`, a frame of `rules`, up to the symmetries of `group`, with the `top` highest squares as top squares. `None` if
    /// `top` is 0 or too large, or if a symmetry does not map squares to squares and top squares to top squares.
    pub(super) fn new(frame: &Frame, rules: &Rules, top: u32, group: &Group) -> Option<Self> {
        let is_possible = (1..=MOST_LISTED.min(frame.size())).contains(&top) && frame.fold().is_none();
        if !is_possible {
            return None;
        }
        let below = frame.size() - top;
        if !frame.sets().splits_at(below) || frame.sets().count(below, frame.size()) > 1 << MOST_FOLDED {
            return None;
        }
        let natural = Frame::of(rules, &frame.squares().sorted(), frame.roots())?;
        // Squares in an order that takes groups apart may have more sets.
        if natural.count() != frame.count() {
            return None;
        }
        let of = |symmetry: &Symmetry| SquareSymmetry::new(symmetry, frame.squares());
        let generators = group.generators().iter().map(of).collect::<Option<Vec<SquareSymmetry>>>()?;
        if !generators.iter().all(|map| keeps_top(map, below) && keeps_modes(map, frame)) {
            return None;
        }
        let tops = Numbered::new(frame.sets(), below, frame.size());
        let image_of = |map: &SquareSymmetry, number: usize| map.of_set(tops.content(number) << below) >> below;
        if !generators.iter().all(|map| (0..tops.count()).all(|number| tops.has(image_of(map, number)))) {
            return None;
        }
        let image =
            |generator: usize, number: u64| tops.number(image_of(&generators[generator], number as usize)) as u64;
        let identity = Symmetry::identity(rules.cells(), rules.modes().len());
        let classes = SliceClasses::new(tops.count(), &identity, group.generators(), image)?;
        let maps = classes.elements().iter().map(of).collect::<Option<Vec<SquareSymmetry>>>()?;
        let start = |slice: u64| frame.words_before(slice << below);
        let stored: Vec<u64> = classes.stored().iter().map(|&number| tops.content(number as usize)).collect();
        let (mut starts, mut firsts) = (vec![0], Vec::new());
        for &slice in &stored {
            let (first, end) = (start(slice), start(slice + 1));
            firsts.push(first);
            starts.push(starts[starts.len() - 1] + end - first);
        }
        let group = group.clone();
        let inner = Inner { group, top, below, generators, tops, classes, stored, maps, starts, firsts, natural };
        Some(Self(Arc::new(inner)))
    }

    /// The symmetries.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.0.group
    }

    /// The number of top squares.
    #[must_use]
    pub fn top_squares(&self) -> u32 {
        self.0.top
    }

    /// The stored slices in ascending order: the contents of their top squares. Each is the smallest of its class.
    #[must_use]
    pub fn stored(&self) -> &[u64] {
        &self.0.stored
    }

    /// The symmetry classes of the slices, which are numbered as the possible contents of the top squares.
    pub fn slice_classes(&self) -> &SliceClasses {
        &self.0.classes
    }

    /// Words of a bit plane of the stored slices.
    pub(super) fn words(&self) -> u64 {
        self.0.starts[self.0.starts.len() - 1]
    }

    /// The frame of all positions, in an order that does not depend on the stored slices.
    pub(super) fn natural(&self) -> &Frame {
        &self.0.natural
    }

    /// The rank of the slice of `set`, if it is stored.
    pub(super) fn rank(&self, set: u64) -> Option<u64> {
        self.0.stored.binary_search(&(set >> self.0.below)).ok().map(|rank| rank as u64)
    }

    /// Returns whether the slice of `slice` is stored, if `slice` is a slice of a cut by `top` top squares.
    #[must_use]
    pub fn stores(&self, top: u32, slice: u64) -> bool {
        self.0.stored.binary_search(&(slice >> (top - self.0.top))).is_ok()
    }

    /// The rank of the stored slice in the class of the possible content `top` of the top squares, and the index of an
    /// element that maps it there.
    #[inline]
    fn class(&self, top: u64) -> (u64, usize) {
        self.0.classes.place(self.0.tops.number(top) as u64)
    }

    /// The place at which the label of `place` is stored.
    #[inline]
    pub(super) fn place(&self, frame: &Frame, place: Place) -> Place {
        let (_, element) = self.class(place.set >> self.0.below);
        let map = &self.0.maps[element];
        if map.symmetry.is_identity() { place } else { map.of(frame, place) }
    }

    /// The first word of `set`, whose slice is stored, in a stored bit plane.
    #[inline]
    pub(super) fn start(&self, frame: &Frame, set: u64) -> u64 {
        let (rank, _) = self.class(set >> self.0.below);
        self.0.starts[rank as usize] + frame.offsets().start(set) - self.0.firsts[rank as usize]
    }

    /// The word in a bit plane of all sets that is stored as `word`.
    pub(super) fn whole_word(&self, word: u64) -> u64 {
        let rank = self.0.starts.partition_point(|&start| start <= word) - 1;
        self.0.firsts[rank] + word - self.0.starts[rank]
    }

    /// The ranks of the positions of each stored slice.
    pub(super) fn ranks(&self, frame: &Frame) -> Vec<Range<u64>> {
        let (mut ranks, mut before, mut stored) = (Vec::new(), 0, self.stored().iter().peekable());
        for slice in (0..self.0.tops.count()).map(|number| self.0.tops.content(number)) {
            let end = before + frame.count_with(self.0.below, slice);
            if stored.next_if_eq(&&slice).is_some() {
                ranks.push(before..end);
            }
            before = end;
        }
        ranks
    }

    /// The number of stored positions of `frame`.
    pub(crate) fn stored_positions(&self, frame: &Frame) -> u64 {
        self.stored().iter().map(|&slice| frame.count_with(self.0.below, slice)).sum()
    }

    /// Returns whether sets may be cut by `top` top squares: they must include the fold's, and symmetries must map them to each other.
    pub fn allows(&self, top: u32) -> bool {
        let size = self.0.top + self.0.below;
        (self.0.top..=size).contains(&top) && self.0.generators.iter().all(|map| keeps_top(map, size - top))
    }

    /// The stored slice in the class of `slice`, for a cut by `top` top squares, and the symmetry that maps `slice` to it.
    pub fn image(&self, top: u32, slice: u64) -> (u64, &SquareSymmetry) {
        let (more, below) = (top - self.0.top, self.0.top + self.0.below - top);
        let (_, element) = self.class(slice >> more);
        let map = &self.0.maps[element];
        (map.of_set(slice << below) >> below, map)
    }
}

/// Returns whether `map` maps the squares above the `below` lowest to each other.
fn keeps_top(map: &SquareSymmetry, below: u32) -> bool {
    (0..).zip(map.squares()).all(|(from, &to): (u32, _)| (from < below) == (u32::from(to) < below))
}

/// Returns whether `map` permutes the possible modes of each number of occupied squares.
fn keeps_modes(map: &SquareSymmetry, frame: &Frame) -> bool {
    (0..=frame.size()).all(|stones| {
        let modes = frame.modes_at(stones);
        modes.iter().all(|mode| modes.contains(&Mode(map.symmetry.modes()[usize::from(mode.0)])))
    })
}

impl PartialEq for SquareFold {
    fn eq(&self, other: &Self) -> bool {
        self.top_squares() == other.top_squares() && self.group() == other.group()
    }
}

impl Eq for SquareFold {}

impl std::fmt::Debug for SquareFold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stored = (self.stored().len(), self.0.classes.len());
        f.debug_struct("SquareFold").field("group", self.group()).field("slices", &stored).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, three_in_a_line};
    use crate::rules::{Board, Move, Position, RulesSpec, Start};

    /// Each position is stored at one of its images, and each stored position at itself. The ranks of stored slices are the ranks of
    /// stored positions.
    #[test]
    fn a_position_is_stored_at_an_image_of_it() {
        for (rows, cols) in [(3, 3), (2, 3)] {
            let rules = &three_in_a_line(Grid { rows, cols }).build().unwrap();
            let group = Group::of_rules(rules, &rules.start_positions()).unwrap();
            let frame = Frame::of(rules, &Squares::of(rules, &[]), &[]).unwrap();
            let orbits = frame.squares().orbits(&group).unwrap();
            let order: Vec<usize> = orbits.concat();
            let frame = Frame::new(rules, frame.squares().in_order(&order), &[]).unwrap();
            let all = || (1..=frame.size()).filter_map(|top| frame.folded(rules, top, &group));
            for (number, folded) in all().enumerate() {
                let fold = folded.fold().unwrap();
                assert!(all().enumerate().all(|(other, of)| (of.fold() == Some(fold)) == (other == number)));
                assert!(format!("{fold:?}").contains("slices"));
                let mut seen = std::collections::HashSet::new();
                let ranks = fold.ranks(&folded);
                for rank in 0..frame.count().unwrap() {
                    let place = frame.unrank(rank).unwrap();
                    let position = folded.position(place).unwrap();
                    let stored = folded.place_at(folded.bit(place)).unwrap();
                    let image = folded.position(stored).unwrap();
                    assert!(group.images(position).contains(&image), "{position:?}");
                    assert_eq!(folded.bit(stored), folded.bit(place));
                    assert_eq!(
                        stored == place && fold.rank(place.set).is_some(),
                        ranks.iter().any(|of| of.contains(&rank))
                    );
                    seen.insert(folded.bit(place));
                }
                assert_eq!(seen.len() as u64, fold.stored_positions(&folded));
                let bits = folded.all_words().unwrap() * super::super::WORD;
                assert!((0..bits + 64).all(|bit| folded.place_at(bit).is_some() == seen.contains(&bit)));
                assert!(!fold.allows(fold.top_squares() - 1) && fold.allows(fold.top_squares()));
            }
            assert!(all().next().is_some(), "{}", rules.name());
        }
    }

    /// Two players each begin in a mode of their own and continue in another one. The symmetry exchanges the players and the squares.
    #[test]
    fn symmetries_keep_the_modes_of_the_roots() {
        let fill = |mode, cell, next| Move { mode: Mode(mode), next: Mode(next), ..Move::fill(Board::bit(cell)) };
        let empty = |mode| Position::new(Mode(mode), Board::EMPTY);
        let spec = RulesSpec {
            modes: ["a", "b", "c", "d"].map(String::from).to_vec(),
            moves: vec![fill(0, 0, 2), fill(1, 1, 3), fill(2, 1, 2), fill(3, 0, 3)],
            start: Start::Opening(vec![empty(0), empty(1)]),
            ..RulesSpec::new("exchange", 2)
        };
        let rules = &spec.build().unwrap();
        let exchange = Symmetry::new(vec![1, 0], vec![1, 0, 3, 2]).unwrap();
        let group = Group::new(rules, &rules.start_positions(), &[exchange]).unwrap();
        let folded = |roots: &[Position]| Frame::of(rules, &Squares::of(rules, &[]), roots)?.folded(rules, 2, &group);
        assert!(folded(&[]).is_some() && folded(&[empty(2), empty(3)]).is_some());
        // The empty board in mode 3, the image of this root, has no place.
        assert_eq!(folded(&[empty(2)]), None);
    }
}
