//! The kinds of planes of a table.

use super::Shape;
use crate::label::{LabelKind, LabelSet, Width};
use crate::rules::Rules;

/// A kind of planes, swept on its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaneKind {
    /// The outcomes.
    Outcomes,
    /// Another label, of one byte or two.
    Label(LabelKind),
    /// The reachability bits.
    Reached,
}

impl PlaneKind {
    /// The plane kinds of a table with `labels`, in the order in which they are swept and stored. `marks` adds
    /// reachability bits.
    pub fn all(labels: LabelSet, marks: bool) -> impl Iterator<Item = Self> {
        let first = [Self::Outcomes].into_iter().chain(marks.then_some(Self::Reached));
        first.chain(labels.others().map(Self::Label))
    }

    /// The planes of the label `kind`.
    #[must_use]
    pub const fn of(kind: LabelKind) -> Self {
        match kind {
            LabelKind::Outcome => Self::Outcomes,
            kind => Self::Label(kind),
        }
    }

    /// The label; `None` for reachability bits.
    #[must_use]
    pub const fn label(self) -> Option<LabelKind> {
        match self {
            Self::Outcomes => Some(LabelKind::Outcome),
            Self::Label(kind) => Some(kind),
            Self::Reached => None,
        }
    }

    /// The shape of these planes on boards of `cells` cells.
    #[must_use]
    pub fn shape(self, rules: &Rules, cells: u32) -> Shape {
        let width = self.label().map_or(Width::One, |kind| kind.width(rules));
        Shape::new(cells, rules.modes().len() as u32, width)
    }
}
