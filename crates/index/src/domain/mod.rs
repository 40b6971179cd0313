//! The domain of a solution or a table: which positions have labels, and where each label lies.
//!
//! Solvers produce a domain with their labels, a table stores it, and every reader gets it from there. A new index of
//! positions is a variant of [`Domain`], a view in [`contents`](crate::contents) and an encoding in the file.

mod method;

use std::sync::Arc;

use crate::colourings::{ColouredShape, Frame, SquareFold};
use crate::label::{LabelKind, Remoteness, Width};
use crate::plane::{Layout, Shape};
use crate::reachable::{Levels, column_bytes};
use crate::regions::Regions;
use crate::rules::{Position, Rules};
use crate::symmetry::{Fold, Group};

pub use method::Method;

/// Which positions have labels, and where each lies.
///
/// The starts of a domain are the positions that reachability was computed from, sorted and without duplicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Every (mode, board); under symmetry, one slice of each symmetry class of slices.
    Dense {
        /// The assignment of boards to bits of the bit planes.
        layout: Layout,
        /// The choice of stored slices of this layout, if not all are stored.
        fold: Option<Fold>,
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
    /// Every board with the numbers of pieces that play may reach.
    Regions {
        /// The numbers of the boards.
        regions: Arc<Regions>,
        /// The starts, at least one.
        starts: Vec<Position>,
        /// Symmetries of the rules under which labels are equal. They need not keep the starts.
        group: Group,
        /// The most plies of a label of remoteness, without draws by repetition; 0 without such labels.
        longest: u16,
    },
}

impl Domain {
    /// Every board of `rules` in reading order, without reachability bits.
    #[must_use]
    pub fn every_board(rules: &Rules) -> Self {
        Self::dense(Layout::reading_order(rules.cells()), Vec::new())
    }

    /// Every board in `layout`, with `starts`, which are empty without reachability bits.
    #[must_use]
    pub const fn dense(layout: Layout, starts: Vec<Position>) -> Self {
        Self::Dense { layout, fold: None, starts }
    }

    /// The slices that `fold` stores, with `starts`, which are empty without reachability bits.
    #[must_use]
    pub fn folded(fold: Fold, starts: Vec<Position>) -> Self {
        Self::Dense { layout: fold.layout().clone(), fold: Some(fold), starts }
    }

    /// The solver that labels these positions.
    #[must_use]
    pub fn method(&self) -> Method {
        match self {
            Self::Dense { .. } => Method::Dense,
            Self::Coloured(_) => Method::Coloured,
            Self::Sparse { levels, .. } if levels.potential().is_flat() => Method::Cyclic,
            Self::Sparse { .. } => Method::Sparse,
            Self::Regions { .. } => Method::Regions,
        }
    }

    /// The positions that reachability was computed from; empty for a dense table without reachability bits.
    #[must_use]
    pub fn starts(&self) -> &[Position] {
        match self {
            Self::Dense { starts, .. } | Self::Sparse { starts, .. } | Self::Regions { starts, .. } => starts,
            Self::Coloured(frame) => frame.roots(),
        }
    }

    /// The symmetries up to which positions or slices are stored.
    #[must_use]
    pub fn group(&self) -> &Group {
        match self {
            Self::Dense { fold, .. } => fold.as_ref().map_or(Group::trivial(), Fold::group),
            Self::Coloured(frame) => frame.fold().map_or(Group::trivial(), SquareFold::group),
            Self::Sparse { group, .. } | Self::Regions { group, .. } => group,
        }
    }

    /// True if reachability bits tell which of these positions are reachable.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        matches!(self, Self::Dense { .. } | Self::Coloured(_)) && !self.starts().is_empty()
    }

    /// True if it is known which positions are reachable.
    #[must_use]
    pub fn knows_reachable(&self) -> bool {
        !self.starts().is_empty() && !matches!(self, Self::Regions { .. })
    }

    /// True if the stored positions are representatives of symmetry classes of positions.
    #[must_use]
    pub fn has_representatives(&self) -> bool {
        match self {
            Self::Sparse { group, .. } => !group.is_trivial(),
            Self::Regions { regions, .. } => regions.has_classes(),
            Self::Dense { .. } | Self::Coloured(_) => false,
        }
    }

    /// The number of stored positions. In a dense or two-colour table up to symmetry, whole slices are stored.
    #[must_use]
    pub fn stored_positions(&self, rules: &Rules) -> u64 {
        match self {
            Self::Dense { fold: Some(fold), .. } => fold.stored_positions(),
            Self::Dense { .. } => u64::try_from(rules.positions()).unwrap_or(u64::MAX),
            Self::Coloured(frame) => frame.stored_positions(),
            Self::Sparse { levels, .. } => levels.count(),
            Self::Regions { regions, .. } => regions.numbers(),
        }
    }

    /// The number of bits of a label of `kind`. It is a function of the rules, except for remoteness by regions.
    #[must_use]
    pub fn width(&self, rules: &Rules, kind: LabelKind) -> Width {
        match (self, kind) {
            (Self::Regions { .. }, LabelKind::Outcome) => Width::Two,
            (Self::Regions { longest, .. }, _) => Remoteness::width_of(*longest),
            _ => kind.width(rules),
        }
    }

    /// The number of counts of labels of `kind`, which is not the outcome: one for each number that a label may have.
    #[must_use]
    pub fn label_places(&self, rules: &Rules, kind: LabelKind) -> usize {
        match self {
            Self::Regions { longest, .. } => Remoteness::places(*longest),
            _ => kind.places(rules),
        }
    }

    /// Bytes of the keys that name the stored positions; `None` if their places follow from the rules.
    #[must_use]
    pub fn key_bytes(&self) -> Option<u64> {
        match self {
            Self::Sparse { levels, .. } => Some(levels.key_bytes()),
            Self::Dense { .. } | Self::Coloured(_) | Self::Regions { .. } => None,
        }
    }

    /// Bytes of a label of `width` for all stored positions of `rules`; `None` if the number exceeds a `u64`.
    #[must_use]
    pub fn label_bytes(&self, rules: &Rules, width: Width) -> Option<u64> {
        match self {
            Self::Dense { fold: Some(fold), .. } => fold.bytes(width),
            Self::Dense { .. } => Shape::of_width(rules, width).bytes(),
            Self::Sparse { levels, .. } => Some(levels.column_bytes(width)),
            Self::Coloured(frame) => match width {
                Width::One | Width::Two => ColouredShape::new(frame, rules).outcome_bytes(),
                width => ColouredShape::new(frame, rules).label_bytes(width),
            },
            Self::Regions { regions, .. } => Some(column_bytes(width, regions.numbers())),
        }
    }

    /// Bytes of the reachability bits of `rules`; `None` if the number exceeds a `u64`. Sparse domains and domains by regions have none.
    #[must_use]
    pub fn reachability_bytes(&self, rules: &Rules) -> Option<u64> {
        match self {
            Self::Dense { fold: Some(fold), .. } => fold.bytes(Width::One),
            Self::Dense { .. } => Shape::of_width(rules, Width::One).bytes(),
            Self::Coloured(frame) => ColouredShape::new(frame, rules).reached_bytes(),
            Self::Sparse { .. } | Self::Regions { .. } => Some(0),
        }
    }
}
