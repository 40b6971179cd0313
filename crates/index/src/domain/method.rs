//! The methods of solving.

use crate::label::LabelSet;
use crate::rules::Rules;

/// The set of positions to solve, and the way to solve them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Every board in every mode, many at a time.
    #[default]
    Dense,
    /// Only the reachable positions of a game in which no position repeats: it has a [`Potential`](crate::rules::Potential).
    Sparse,
    /// Every colouring of every occupied set, many at a time: for games in which cells exclude each other in pairs
    /// ([`Squares`](crate::colourings::Squares)). Reachability bits mark the colourings that are reachable.
    Coloured,
    /// Only the reachable positions of a game in which positions may repeat: it has no
    /// [`Potential`](crate::rules::Potential).
    Cyclic,
    /// Every board with the numbers of pieces that play may reach, by [regions](crate::regions): for games in which pieces move, enter from
    /// a hand and are taken. Positions may repeat.
    Regions,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [Self::Dense, Self::Coloured, Self::Sparse, Self::Cyclic, Self::Regions];

    /// The method that labels the reachable positions of `rules`: [`Sparse`](Self::Sparse) or, if positions may repeat,
    /// [`Cyclic`](Self::Cyclic).
    #[must_use]
    pub fn of_reachable(rules: &Rules) -> Self {
        if rules.potential().is_some() { Self::Sparse } else { Self::Cyclic }
    }

    /// True if the method labels only reachable positions.
    #[must_use]
    pub const fn is_of_reachable(self) -> bool {
        matches!(self, Self::Sparse | Self::Cyclic)
    }

    /// True if the method solves games in which positions may repeat.
    #[must_use]
    pub const fn may_repeat(self) -> bool {
        matches!(self, Self::Cyclic | Self::Regions)
    }

    /// The labels that this method computes and its tables hold, where they are defined.
    #[must_use]
    pub const fn possible_labels(self) -> LabelSet {
        match self {
            Self::Dense | Self::Coloured | Self::Sparse | Self::Cyclic => LabelSet::ALL,
            Self::Regions => LabelSet::BEST_PLAY,
        }
    }

    /// `dense`, `two-colour`, `sparse`, `cyclic` or `regions`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
            Self::Coloured => "two-colour",
            Self::Cyclic => "cyclic",
            Self::Regions => "regions",
        }
    }
}
