//! Dense tables up to symmetry, slice by slice.
//!
//! The cells at the highest places of a layout are the *slice cells*. Their contents select a slice: the boards that
//! agree on them. If each symmetry maps slice cells to slice cells, it maps slices to slices. Then only the smallest
//! slice of each symmetry class of slices is stored. A board of another slice is looked up at its image in the stored
//! slice.
//!
//! ```text
//! index of a board:   0100 | 0110        slice 4 is represented by slice 1 …
//!   its image:        0001 | 1010        … and the symmetry that maps 4 to 1 also permutes the places in the slice
//! ```
//!
//! A slice is stored whole even if symmetries map it to itself. So a table is slightly larger than one position per
//! symmetry class. In exchange, the bit planes of a slice are laid out like the bit planes of a whole board.

use std::sync::Arc;

use super::Group;
use super::slices::SliceClasses;
use crate::label::Width;
use crate::plane::{Layout, Shape};
use crate::rules::{Board, Mode, Position, Rules, Symmetry};

/// Maximum number of slice cells: opening a table enumerates the 2^n slices of n slice cells.
pub const MOST_FOLDED: u32 = 16;
/// Minimum number of other cells. It makes every slice a whole number of words, without padding.
const LEAST_LOWER: u32 = 9;

/// The stored slices of a game's boards, and the map from every board to its stored image. It is cheap to clone.
#[derive(Clone)]
pub struct Fold(Arc<Inner>);

struct Inner {
    layout: Layout,
    group: Group,
    upper: u32,
    modes: u32,
    /// The symmetry classes of slices. Their elements permute bits of indices.
    classes: SliceClasses,
    /// The action of each element within a slice.
    elements: Vec<Element>,
}

/// A symmetry that maps a slice to the stored slice of its class.
#[derive(Debug)]
pub struct Element {
    lower: Layout,
    modes: Vec<u16>,
    moves_nothing: bool,
}

impl Element {
    /// The image of each bit of an index within a slice.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        self.lower.permutation()
    }

    /// The image of `mode`.
    #[must_use]
    pub fn mode(&self, mode: Mode) -> Mode {
        Mode(self.modes[usize::from(mode.0)])
    }

    /// True if it changes neither modes nor places within a slice.
    #[must_use]
    pub const fn moves_nothing(&self) -> bool {
        self.moves_nothing
    }
}

impl Fold {
    /// The fold of boards of `rules` in `layout` under the symmetries of `group`, with the cells at the `upper` highest
    /// places as slice cells. `None` if a symmetry maps a slice cell to another cell, or if `upper` is 0 or too large.
    #[must_use]
    pub fn new(rules: &Rules, layout: Layout, upper: u32, group: Group) -> Option<Self> {
        let cells = rules.cells();
        let is_possible = (1..=MOST_FOLDED).contains(&upper) && cells >= upper + LEAST_LOWER && layout.cells() == cells;
        if !is_possible || !is_kept(&layout, upper, &group) {
            return None;
        }
        let generators: Vec<Symmetry> = group.generators().iter().map(|it| of_indices(it, &layout)).collect();
        let low = cells - upper;
        let image =
            |number: usize, slice: u64| generators[number].of_board(Board::from_word(slice << low)).low_word() >> low;
        let classes =
            SliceClasses::new(1 << upper, &Symmetry::identity(cells, rules.modes().len()), &generators, image)?;
        let elements = classes.elements().iter().map(|element| Element::new(element, low)).collect();
        let modes = rules.modes().len() as u32;
        Some(Self(Arc::new(Inner { layout, group, upper, modes, classes, elements })))
    }

    /// The layout of the boards.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.0.layout
    }

    /// The symmetries.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.0.group
    }

    /// The number of slice cells.
    #[must_use]
    pub fn slice_cells(&self) -> u32 {
        self.0.upper
    }

    /// Cells of the board.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.0.layout.cells()
    }

    /// The numbers of the stored slices, in ascending order. Each is the smallest of its class.
    #[must_use]
    pub fn stored(&self) -> &[u64] {
        self.0.classes.stored()
    }

    /// The number of stored pairs of a mode and a board.
    #[must_use]
    pub fn stored_positions(&self) -> u64 {
        (self.stored().len() as u64 * u64::from(self.0.modes)) << self.lower()
    }

    /// The number of cells that are not slice cells.
    fn lower(&self) -> u32 {
        self.cells() - self.0.upper
    }

    /// The mode and the index at which the label of `position` is stored. The index counts through the stored slices of
    /// one bit plane, one slice after the other.
    #[inline]
    #[must_use]
    pub fn place(&self, position: Position) -> (Mode, u64) {
        self.place_of(position.mode, self.0.layout.index(position.board))
    }

    /// As [`place`](Self::place), of the board with `index` in the layout of all boards.
    #[inline]
    pub(crate) fn place_of(&self, mode: Mode, index: u64) -> (Mode, u64) {
        let low = self.lower();
        let (rank, element) = self.0.classes.place(index >> low);
        let element = &self.0.elements[element];
        let lower = index & ((1 << low) - 1);
        (element.mode(mode), rank << low | element.lower.index(Board::from_word(lower)))
    }

    /// The position whose label is stored at `index` in a bit plane of `mode`.
    #[must_use]
    pub fn position(&self, mode: Mode, index: u64) -> Position {
        let low = self.lower();
        let slice = self.stored()[(index >> low) as usize];
        Position::new(mode, self.0.layout.board(slice << low | index & ((1 << low) - 1)))
    }

    /// Bytes of a bit plane with labels of `width` for all stored slices; `None` if they exceed a `u64`.
    #[must_use]
    pub fn plane_bytes(&self, width: Width) -> Option<u64> {
        Shape::new(self.lower(), 1, width).plane_bytes()?.checked_mul(self.stored().len() as u64)
    }

    /// Bytes of all bit planes with labels of `width`; `None` if they exceed a `u64`.
    #[must_use]
    pub fn bytes(&self, width: Width) -> Option<u64> {
        self.plane_bytes(width)?.checked_mul(Shape::new(self.lower(), self.0.modes, width).planes())
    }

    /// True if boards may be sliced by `upper` slice cells: these must include the slice cells of the fold, and
    /// symmetries must map them to each other.
    #[must_use]
    pub fn allows(&self, upper: u32) -> bool {
        upper >= self.0.upper && is_kept(&self.0.layout, upper, &self.0.group)
    }

    /// The rank of `slice` among the stored slices, for a slicing by `upper` slice cells. `None` if another slice of
    /// its class is stored.
    #[must_use]
    pub fn rank(&self, upper: u32, slice: u64) -> Option<u64> {
        self.0.classes.rank(upper - self.0.upper, slice)
    }

    /// The stored slice in the class of `slice`, for a slicing by `upper` slice cells, and the element that maps
    /// `slice` to it.
    #[must_use]
    pub fn image(&self, upper: u32, slice: u64) -> (u64, &Element) {
        let (more, low) = (upper - self.0.upper, self.cells() - upper);
        let (rank, element) = self.0.classes.place(slice >> more);
        let element = &self.0.elements[element];
        let fine = element.lower.index(Board::from_word((slice & ((1 << more) - 1)) << low)) >> low;
        (self.stored()[rank as usize] << more | fine, element)
    }

    /// The symmetry classes of slices.
    pub fn slice_classes(&self) -> &SliceClasses {
        &self.0.classes
    }
}

impl Element {
    /// The action of `symmetry`, which permutes bits of indices, within slices of `low` cells.
    fn new(symmetry: &Symmetry, low: u32) -> Self {
        let lower = Layout::new(symmetry.cells()[..low as usize].to_vec());
        let lower = lower.unwrap_or_else(|_| unreachable!("slice cells are mapped to slice cells"));
        let is_still = |(from, &to): (u8, &u8)| from == to;
        let moves_nothing = (0..).zip(lower.permutation()).all(is_still)
            && (0..).zip(symmetry.modes()).all(|(from, &to): (u16, _)| from == to);
        Self { lower, modes: symmetry.modes().to_vec(), moves_nothing }
    }
}

/// `symmetry` as a permutation of the bits of `layout`'s indices.
fn of_indices(symmetry: &Symmetry, layout: &Layout) -> Symmetry {
    let place = |cell: u8| layout.permutation()[usize::from(cell)];
    let mut cells = vec![0; symmetry.cells().len()];
    for (cell, &to) in (0..).zip(symmetry.cells()) {
        cells[usize::from(place(cell))] = place(to);
    }
    let symmetry = Symmetry::new(cells, symmetry.modes().to_vec());
    symmetry.unwrap_or_else(|_| unreachable!("it permutes places as it permutes cells"))
}

/// True if `group` maps the cells at the `upper` highest places of `layout` to each other.
fn is_kept(layout: &Layout, upper: u32, group: &Group) -> bool {
    let low = layout.cells().saturating_sub(upper);
    let is_upper = |cell: usize| u32::from(layout.permutation()[cell]) >= low;
    let is_kept =
        |it: &Symmetry| it.cells().iter().enumerate().all(|(cell, &to)| is_upper(cell) == is_upper(to.into()));
    group.generators().iter().all(is_kept)
}

impl PartialEq for Fold {
    fn eq(&self, other: &Self) -> bool {
        fn parts(fold: &Fold) -> (u32, u32, &Layout, &Group) {
            (fold.0.upper, fold.0.modes, fold.layout(), fold.group())
        }
        parts(self) == parts(other)
    }
}

impl Eq for Fold {}

impl std::fmt::Debug for Fold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stored = (self.stored().len(), self.0.classes.len());
        f.debug_struct("Fold").field("group", self.group()).field("slices", &stored).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Counts;
    use crate::rules::samples::{Grid, pairs, runs};

    /// In a finer slicing, the image of a slice and the element that maps it there agree with the places of positions.
    fn check_images(fold: &Fold, finer: u32) {
        let low = fold.cells() - finer;
        for slice in 0..1u64 << finer {
            let (to, element) = fold.image(finer, slice);
            let rank = fold.rank(finer, to).unwrap();
            assert_eq!(fold.rank(finer, slice).is_some(), to == slice);
            let lower = (5 * slice) & ((1 << low) - 1);
            let moved = Board::from_word(lower).bits().map(|bit| 1 << element.places()[bit as usize]).sum::<u64>();
            let mut is_still = element.places().iter().copied().eq(0..element.places().len() as u8);
            for mode in (0..fold.0.modes as u16).map(Mode) {
                let position = Position::new(mode, fold.layout().board(slice << low | lower));
                assert_eq!(fold.place(position), (element.mode(mode), rank << low | moved));
                is_still &= element.mode(mode) == mode;
            }
            assert_eq!(element.moves_nothing(), is_still);
        }
    }

    /// Each position is stored at one of its images, and each stored position at its own place. Counts are multiplied
    /// by class sizes.
    #[test]
    fn positions_are_stored_at_one_of_their_images() {
        let mut folds: Vec<Fold> = Vec::new();
        for spec in [runs(Grid { rows: 3, cols: 4 }, 3), pairs(5)] {
            let rules = &spec.build().unwrap();
            let group = Group::of_rules(rules, &rules.start_positions()).unwrap();
            // Place the classes of cells one after the other, from the highest place down.
            let mut places = vec![0; rules.cells() as usize];
            let mut orbits = group.orbits_of_cells(rules.cells());
            orbits.sort_by_key(|orbit| (orbit.len(), orbit[0]));
            orbits.dedup();
            let order = orbits.concat();
            (0..).zip(order.iter().rev()).for_each(|(place, &cell)| places[cell] = place);
            let layout = Layout::new(places).unwrap();
            let before = folds.len();
            for upper in 1..=rules.cells() {
                let Some(fold) = Fold::new(rules, layout.clone(), upper, group.clone()) else { continue };
                // Folds are equal only if they are of the same rules and cut at the same place.
                assert!(!folds.contains(&fold));
                let mut seen = 0;
                for board in 0..1u64 << rules.cells() {
                    for mode in (0..rules.modes().len() as u16).map(Mode) {
                        let position = Position::new(mode, Board::from_word(board));
                        let (at, index) = fold.place(position);
                        let stored = fold.position(at, index);
                        assert_eq!(group.representative(stored), group.representative(position), "{position:?}");
                        assert_eq!(fold.place(stored), (at, index));
                        seen += u64::from(stored == position);
                    }
                }
                assert_eq!(seen, fold.stored_positions());
                (upper..=rules.cells())
                    .filter(|&finer| fold.allows(finer))
                    .for_each(|finer| check_images(&fold, finer));
                let one = |_| vec![Counts { win: 1 << fold.lower(), ..Counts::default() }; rules.modes().len()];
                let counts = fold.slice_classes().expand_counts(one);
                assert_eq!(counts.len(), rules.modes().len());
                assert!(counts.iter().all(|counts| counts.win == 1 << rules.cells()));
                assert!(!fold.allows(upper - 1) && fold.allows(upper));
                folds.push(fold);
            }
            assert!(folds.len() > before, "{}", rules.name());
        }
        // The first fold has two slice cells, which its symmetries exchange. So three of four slices are stored.
        let text = "Fold { group: Group { name: \"C2xC2\", order: 4, .. }, slices: (3, 4), .. }";
        assert_eq!(format!("{:?}", folds[0]), text);
    }
}
