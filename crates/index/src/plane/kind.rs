//! The kinds of planes of a table.

use super::Shape;
use crate::label::{LabelKind, LabelSet, Width};
use crate::rules::Rules;

/// A kind of planes, swept on its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaneKind {
    /// A label.
    Label(LabelKind),
    /// The reachability bits.
    Reached,
}

impl PlaneKind {
    /// The plane kinds of a table with `labels`, in the order in which they are swept and stored. `marks` adds
    /// reachability bits.
    pub fn all(labels: LabelSet, marks: bool) -> impl Iterator<Item = Self> {
        let first = [Self::Label(LabelKind::Outcome)].into_iter().chain(marks.then_some(Self::Reached));
        first.chain(labels.others().map(Self::Label))
    }

    /// The shape of these planes on boards of `cells` cells.
    #[must_use]
    pub fn shape(self, rules: &Rules, cells: u32) -> Shape {
        let width = match self {
            Self::Label(kind) => kind.width(rules),
            Self::Reached => Width::One,
        };
        Shape::new(cells, rules.modes().len() as u32, width)
    }
}
