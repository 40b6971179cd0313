//! The domain of a solution or a table: which positions have labels, and where each label lies.
//!
//! Solvers produce a domain with their labels, a table stores it, and every reader gets it from there. A new index of
//! positions is a variant of [`Domain`], a view in [`contents`](crate::contents) and an encoding in the file.

mod method;

use crate::colourings::{ColouredShape, Frame, SquareFold};
use crate::label::{LabelKind, Width};
use crate::plane::{Layout, Shape};
use crate::reachable::Levels;
use crate::rules::{Position, Rules};
use crate::symmetry::{Fold, Group};

pub use method::Method;

/// Which positions have labels, and where each lies.
///
/// The starts of a domain are the positions that reachability was computed from, sorted and without duplicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Every (mode, board).
    Dense {
        /// The assignment of boards to bits of the bit planes.
        layout: Layout,
        /// The starts; empty without reachability bits.
        starts: Vec<Position>,
    },
    /// Every (mode, board), but only one slice of each symmetry class of slices.
    Folded {
        /// The choice of stored slices.
        fold: Fold,
        /// The starts; empty without reachability bits.
        starts: Vec<Position>,
    },
    /// Every colouring of every occupied set; under symmetry, one slice of each symmetry class of slices.
    Coloured(Frame),
    /// The positions that are reachable from the starts.
    Sparse {
        /// The number of positions on each level.
        levels: Levels,
        /// The starts, at least one.
        starts: Vec<Position>,
        /// The symmetries up to which positions are stored.
        group: Group,
    },
}

impl Domain {
    /// Every board of `rules` in reading order, without reachability bits.
    #[must_use]
    pub fn every_board(rules: &Rules) -> Self {
        Self::Dense { layout: Layout::reading_order(rules.cells()), starts: Vec::new() }
    }

    /// The solver that labels these positions.
    #[must_use]
    pub fn method(&self) -> Method {
        match self {
            Self::Dense { .. } | Self::Folded { .. } => Method::Dense,
            Self::Coloured(_) => Method::Coloured,
            Self::Sparse { levels, .. } if levels.potential().is_flat() => Method::Cyclic,
            Self::Sparse { .. } => Method::Sparse,
        }
    }

    /// The positions that reachability was computed from; empty for a dense table without reachability bits.
    #[must_use]
    pub fn starts(&self) -> &[Position] {
        match self {
            Self::Dense { starts, .. } | Self::Folded { starts, .. } | Self::Sparse { starts, .. } => starts,
            Self::Coloured(frame) => frame.roots(),
        }
    }

    /// The symmetries up to which positions or slices are stored.
    #[must_use]
    pub fn group(&self) -> &Group {
        match self {
            Self::Dense { .. } => Group::trivial(),
            Self::Folded { fold, .. } => fold.group(),
            Self::Coloured(frame) => frame.fold().map_or(Group::trivial(), SquareFold::group),
            Self::Sparse { group, .. } => group,
        }
    }

    /// True if reachability bits tell which of these positions are reachable.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        !matches!(self, Self::Sparse { .. }) && !self.starts().is_empty()
    }

    /// True if it is known which positions are reachable.
    #[must_use]
    pub fn knows_reachable(&self) -> bool {
        !self.starts().is_empty()
    }

    /// True if the stored positions are representatives of symmetry classes of positions.
    #[must_use]
    pub fn has_representatives(&self) -> bool {
        matches!(self, Self::Sparse { group, .. } if !group.is_trivial())
    }

    /// The number of stored positions. In a dense or two-colour table up to symmetry, whole slices are stored.
    #[must_use]
    pub fn stored_positions(&self, rules: &Rules) -> u64 {
        match self {
            Self::Dense { .. } => u64::try_from(rules.positions()).unwrap_or(u64::MAX),
            Self::Folded { fold, .. } => fold.stored_positions(),
            Self::Coloured(frame) => frame.stored_positions(),
            Self::Sparse { levels, .. } => levels.count(),
        }
    }

    /// Bytes of the keys that name the stored positions; `None` if their places follow from the rules.
    #[must_use]
    pub fn key_bytes(&self) -> Option<u64> {
        match self {
            Self::Sparse { levels, .. } => Some(levels.key_bytes()),
            Self::Dense { .. } | Self::Folded { .. } | Self::Coloured(_) => None,
        }
    }

    /// Bytes of `label` for all stored positions of `rules`; `None` if the number exceeds a `u64`.
    #[must_use]
    pub fn label_bytes(&self, rules: &Rules, label: LabelKind) -> Option<u64> {
        let width = label.width(rules);
        match self {
            Self::Dense { .. } => Shape::of_label(rules, label).bytes(),
            Self::Folded { fold, .. } => fold.bytes(width),
            Self::Sparse { levels, .. } => Some(levels.column_bytes(width)),
            Self::Coloured(frame) => match width {
                Width::One | Width::Two => ColouredShape::new(frame, rules).outcome_bytes(),
                Width::Eight => ColouredShape::new(frame, rules).byte_bytes(),
            },
        }
    }

    /// Bytes of the reachability bits of `rules`; `None` if the number exceeds a `u64`. A sparse domain has none.
    #[must_use]
    pub fn reachability_bytes(&self, rules: &Rules) -> Option<u64> {
        match self {
            Self::Dense { .. } => Shape::new(rules.cells(), rules.modes().len() as u32, Width::One).bytes(),
            Self::Folded { fold, .. } => fold.bytes(Width::One),
            Self::Coloured(frame) => ColouredShape::new(frame, rules).reached_bytes(),
            Self::Sparse { .. } => Some(0),
        }
    }
}
