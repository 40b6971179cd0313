//! The index by regions: every board with given numbers of pieces has a number that is computed, not stored.
//!
//! A *region* is a mode and a number of pieces of each kind: squares of the first colour, squares of the second, and other filled cells
//! (`planes`). Within a region the boards are numbered without gaps, in mixed radix: the rank of one colour's squares among all choices
//! of that size (`subsets`), the rank of the other colour's squares among the squares left, and the rank of the other cells. Up to
//! symmetry, one choice of the first squares in each class of choices has numbers (`folds`). `orders` says which colour comes first.
//!
//! Moves lead from region to region: a *kind* of moves changes the mode and the counts in one way (`kinds`). The regions are those that
//! kinds lead to from the regions of the starts. Regions that lead to each other are a *group*, and the groups have an order in which
//! each leads only to earlier ones. Play need not reach every board of a region.
//!
//! If exchanging the colours and the modes of two sides changes nothing, one of two such modes is stored (`swap`).

mod entries;
mod folds;
mod gather;
mod images;
mod kinds;
mod list;
mod orders;
mod planes;
mod subsets;
mod swap;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::rules::{Board, Mode, Outcome, Position, Rules};
use crate::symmetry::Group;

pub use entries::entries;
pub use folds::{Folds, StoredChoice};
pub use gather::{Gather, Portable};
pub use kinds::{Kind, Kinds, MoveKinds, NoKinds};
pub use list::{Lead, Region, RegionList};
pub use orders::Orders;
pub use planes::{Content, Planes};
pub use subsets::{Choices, Subsets};

/// Why positions have no index by regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoRegions {
    /// The board has more than 64 cells or 32 squares of two colours, or cells whose order does not fit.
    #[error("its board has more than 64 cells (32 squares of two colours), or its colours are in different orders")]
    Planes,
    /// A condition counts some pieces of one colour, and not all.
    #[error("it counts the pieces of one colour, and on some squares only pieces of one colour can stand")]
    Condition,
    /// A move that takes a piece may also fill cells that are filled already.
    #[error("a move takes a piece and fills cells that may be filled already")]
    OpenTake,
    /// A piece that a filled line takes can come back.
    #[error("a piece that a filled line takes can come back")]
    Returns,
    /// There are too many regions, or more numbers than 64 bits hold, or a region has 2^32 numbers or more.
    #[error("it has too many regions, or regions with too many boards")]
    TooMany,
}

/// The sizes of an index of boards with given counts of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The number of pieces in the plane that comes first, in the other plane of squares, and outside of squares.
    pub counts: [u32; 3],
    /// The numbers that share the squares of the first plane.
    pub row: u32,
    /// The numbers that also share the squares of the second.
    pub single: u32,
    /// The count of numbers.
    pub size: u32,
    /// The table that ranks the second plane's squares ([`Subsets::rank`]).
    pub top: u32,
}

/// Where the label of a position lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At a number.
    At(u64),
    /// Nowhere: a number of pieces ends the game, with this outcome for the player to move.
    Ended(Outcome),
}

/// The index of the positions of some rules by regions.
#[derive(Debug)]
pub struct Regions {
    planes: Planes,
    kinds: Kinds,
    /// For each mode, the mode that is stored in its place with the colours exchanged.
    swap: Vec<Option<u16>>,
    orders: Orders,
    folds: Option<Folds>,
    subsets: Subsets,
    list: RegionList,
}

/// Indexes are equal if each position lies at the same place.
impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        let folds = |of: &Self| of.folds.as_ref().map_or(1, Folds::order);
        (&self.planes, &self.swap, &self.orders) == (&other.planes, &other.swap, &other.orders)
            && self.list.regions == other.list.regions
            && folds(self) == folds(other)
    }
}

impl Eq for Regions {}

impl Regions {
    /// The index of `rules` for the positions that play may reach from `roots`, a start position at least, in the modes of `part`; in all
    /// modes if there is no part. No move leads from a mode of the part to another mode. `group` has symmetries of the rules, which need
    /// not keep the roots; with the trivial group, the colours are not exchanged either.
    ///
    /// # Errors
    /// If the positions have no such index.
    pub fn new(rules: &Rules, roots: &[Position], part: Option<&[bool]>, group: &Group) -> Result<Self, NoRegions> {
        let planes = Planes::of(rules, roots).ok_or(NoRegions::Planes)?;
        let mut kinds = Kinds::default();
        let of_moves: Result<Vec<MoveKinds>, NoKinds> =
            rules.moves().iter().map(|m| kinds.of(rules, &planes, m)).collect();
        let of_moves = of_moves?;
        kinds::check_ends(rules, &planes)?;
        let folds = if group.is_trivial() { None } else { Folds::new(&planes, group) };
        let none = || vec![None; rules.modes().len()];
        let swap = if group.is_trivial() { None } else { swap::swap(rules, &planes) }.unwrap_or_else(none);
        let (swap, orders) = match Orders::new(rules, &planes, &swap) {
            Some(orders) => (swap, orders),
            None => {
                let swap = none();
                let orders = Orders::new(rules, &planes, &swap).ok_or(NoRegions::Planes)?;
                (swap, orders)
            }
        };
        let maker =
            list::Maker { rules, planes: &planes, kinds: &kinds, swap: &swap, orders: &orders, folds: folds.as_ref() };
        let list = maker.list(roots, part)?;
        let taking = of_moves.iter().flat_map(|of| of.taking).filter(|&kind| kind != u32::MAX);
        if list.stay(&taking.collect()) {
            return Err(NoRegions::Returns);
        }
        let pairs = planes.pairs();
        let rows = || {
            list.regions.iter().flat_map(|region| {
                let [first, second, single] = region.counts;
                [(pairs - first, second), (pairs - second, first), (planes.singles(), single)]
            })
        };
        let choices = || list.regions.iter().flat_map(|region| [0, 1].map(|plane| (pairs, region.counts[plane])));
        // With symmetry, the choices of the first plane have a list of their own.
        let unlisted = if folds.is_some() { 0 } else { usize::MAX };
        let listed = rows().chain(choices().take(unlisted));
        let subsets = Subsets::new(pairs.max(planes.singles()), rows().chain(choices()), listed);
        Ok(Self { planes, kinds, swap, orders, folds, subsets, list })
    }

    /// The count of all numbers.
    #[must_use]
    pub const fn numbers(&self) -> u64 {
        self.list.numbers
    }

    /// The regions, in the order of their numbers.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.list.regions
    }

    /// The regions with the moves between them.
    #[must_use]
    pub const fn list(&self) -> &RegionList {
        &self.list
    }

    /// The planes of the board.
    #[must_use]
    pub const fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The kinds of moves.
    #[must_use]
    pub const fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// For each mode, the mode that is stored in its place with the colours exchanged.
    #[must_use]
    pub fn swap(&self) -> &[Option<u16>] {
        &self.swap
    }

    /// Which colour comes first in each mode.
    #[must_use]
    pub const fn orders(&self) -> &Orders {
        &self.orders
    }

    /// The choices of the first squares up to symmetry.
    #[must_use]
    pub const fn folds(&self) -> Option<&Folds> {
        self.folds.as_ref()
    }

    /// The ranks of subsets.
    #[must_use]
    pub const fn subsets(&self) -> &Subsets {
        &self.subsets
    }

    /// The region, as an index into [`regions`](Self::regions), of the boards with `counts` pieces in the order of colours, in `mode`, a
    /// mode that is stored.
    #[must_use]
    pub fn region(&self, mode: u16, counts: [u32; 3]) -> Option<usize> {
        self.list.find(mode, counts)
    }

    /// The region with `number`.
    #[must_use]
    pub fn region_of(&self, number: u64) -> Option<&Region> {
        let at = self.list.regions.partition_point(|region| region.base <= number).checked_sub(1)?;
        let region = &self.list.regions[at];
        (number - region.base < u64::from(region.shape.size)).then_some(region)
    }

    /// Where the label of `position` lies; `None` if it belongs to no region.
    #[must_use]
    pub fn find(&self, position: Position) -> Option<Place> {
        if !self.planes.has(position.board) {
            return None;
        }
        let content = self.planes.split(Portable, position.board.low_word());
        let (mode, content) = match self.swap.get(usize::from(position.mode.0))? {
            Some(stored) => (*stored, content.turned(true)),
            None => (position.mode.0, content),
        };
        let region = &self.list.regions[self.list.find(mode, content.counts())?];
        if let Some(outcome) = region.ended {
            return Some(Place::Ended(outcome));
        }
        let rank = self.rank(Portable, &region.shape, content.turned(self.orders.is_turned(mode)));
        Some(Place::At(region.base + u64::from(rank)))
    }

    /// A position with `number`; `None` if no position has it. Of the positions that share the number, this is always the same.
    #[must_use]
    pub fn position(&self, number: u64) -> Option<Position> {
        let region = self.region_of(number)?;
        let mut last = Last::new();
        let content = self.content(Portable, &region.shape, (number - region.base) as u32, &mut last);
        let content = content.turned(self.orders.is_turned(region.mode));
        Some(Position::new(Mode(region.mode), Board::from_word(self.planes.join(Portable, content))))
    }

    /// The number of positions with `number`, in all modes.
    #[must_use]
    pub fn weight(&self, number: u64) -> u64 {
        let Some(region) = self.region_of(number) else { return 0 };
        let choice = (number - region.base) as u32 / region.shape.row;
        self.row_weight(region, choice)
    }

    /// The number of positions with each number of row `choice` of `region`, in all modes.
    #[must_use]
    pub fn row_weight(&self, region: &Region, choice: u32) -> u64 {
        let orbit = self.folds.as_ref().map_or(1, |folds| folds.orbit(region.shape.counts[0], choice));
        if self.swap.contains(&Some(region.mode)) { 2 * orbit } else { orbit }
    }

    /// The rank of the board with `content`, in the order of `shape`.
    #[inline(always)]
    pub fn rank<G: Gather>(&self, unit: G, shape: &Shape, content: Content) -> u32 {
        let Content { first, second, single } = content;
        let (first, second, choice) = match &self.folds {
            None => (first, second, self.subsets.number(first.into())),
            Some(folds) => {
                let place = folds.place(first);
                (folds.image(place.element, first), folds.image(place.element, second), place.choice)
            }
        };
        choice * shape.row + self.rest(unit, shape, Content { first, second, single })
    }

    /// The rank of the board with `content` among the boards with the same first squares, which have a number themselves.
    #[inline(always)]
    pub fn rest<G: Gather>(&self, unit: G, shape: &Shape, content: Content) -> u32 {
        let left = unit.extract(content.second.into(), !u64::from(content.first));
        let of_single = if content.single == 0 { 0 } else { self.subsets.number(content.single) };
        self.subsets.rank(left as u32, shape.top) * shape.single + of_single
    }

    /// The sizes of an index of boards with `counts` pieces, the plane that comes first, the other and the cells outside of squares; `None` if
    /// it has 2^32 numbers or more.
    #[must_use]
    pub fn shape(&self, counts: [u32; 3]) -> Option<Shape> {
        list::shape(&self.planes, self.folds.as_ref(), &Choices::default(), counts)
    }

    /// The first plane's squares of row `choice` of `shape`.
    #[inline(always)]
    pub fn first(&self, shape: &Shape, choice: u32) -> u32 {
        match &self.folds {
            None => self.subsets.subset(shape.counts[0], choice) as u32,
            Some(folds) => folds.least(shape.counts[0], choice),
        }
    }

    /// The content of the board with `rank`, in the order of `shape`. Consecutive ranks share the first plane's squares, which `last` keeps.
    #[inline(always)]
    pub fn content<G: Gather>(&self, unit: G, shape: &Shape, rank: u32, last: &mut Last) -> Content {
        if !last.ranks.contains(&rank) {
            let choice = rank / shape.row;
            let from = choice * shape.row;
            *last = Last { ranks: from..from + shape.row, first: self.first(shape, choice) };
        }
        let (rest, first) = (rank - last.ranks.start, last.first);
        let (second, single) = if shape.single == 1 { (rest, 0) } else { (rest / shape.single, rest % shape.single) };
        let second = self.subsets.subset(shape.counts[1], second);
        Content {
            first,
            second: unit.deposit(second, !u64::from(first)) as u32,
            single: self.subsets.subset(shape.counts[2], single),
        }
    }
}

/// A cache of the last choice of the first plane's squares, and of the ranks that share it.
#[derive(Clone, Debug, Default)]
pub struct Last {
    ranks: Range<u32>,
    first: u32,
}

impl Last {
    /// An empty cache.
    #[must_use]
    pub const fn new() -> Self {
        Self { ranks: 0..0, first: 0 }
    }
}
