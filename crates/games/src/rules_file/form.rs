//! The forms in which a `[[move]]` draws its moves: a pattern, a push, or a move that outflanks,
//! lifts or takes.

use super::error::Read;
use super::lift::Lift;
use super::outflank::Outflank;
use super::pattern::Pattern;
use super::placement::{Budget, Pieces, Placement};
use super::push::Push;
use super::source::Keys;
use super::squares::{Setup, Squares};
use super::take::Taking;
use crate::rules::Line;

/// The keys of the forms, besides those of a drawn shape, of a line and of an area.
pub(super) const KEYS: [&str; 11] =
    ["slide", "furthest", "shoot", "neighbours", "also", "push", "enters", "outflanks", "lifts", "take", "from"];

/// The form of the moves of a table.
pub(super) enum MoveForm<'a> {
    Pattern(Pattern<'a>),
    Push(Push<'a>),
    Outflank(Outflank<'a>),
    Lift(Lift<'a>),
    Take(Taking<'a>),
}

impl<'a> MoveForm<'a> {
    /// Takes the keys of a form; `None` if the table has none of them, and so gives its moves cell by cell.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>) -> Read<Option<Self>> {
        if let Some(push) = Push::take(keys, setup)? {
            return Ok(Some(Self::Push(push)));
        }
        if let Some(outflank) = Outflank::take(keys, setup)? {
            return Ok(Some(Self::Outflank(outflank)));
        }
        if let Some(lift) = Lift::take(keys, setup)? {
            return Ok(Some(Self::Lift(lift)));
        }
        if let Some(take) = Taking::take(keys, setup)? {
            return Ok(Some(Self::Take(take)));
        }
        Ok(Pattern::take(keys, setup, false)?.map(Self::Pattern))
    }

    /// The moves of the player with the pieces `mover`. Lists of lines are added to `lists`.
    pub(super) fn placements(
        &self,
        mover: Pieces<'_>,
        lists: &mut Vec<Vec<Line>>,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        match self {
            Self::Pattern(pattern) => pattern.placements(mover, budget),
            Self::Push(push) => push.placements(mover, budget),
            Self::Outflank(outflank) => outflank.placements(mover, lists, budget),
            Self::Lift(lift) => lift.placements(mover, budget),
            Self::Take(take) => take.placements(mover.squares, budget),
        }
    }

    /// The heaps from which the moves take.
    pub(super) fn heaps(&self, squares: &Squares) -> Vec<Vec<usize>> {
        if let Self::Take(take) = self { take.heaps(squares) } else { Vec::new() }
    }

    /// Returns whether the moves must lie in an area that has no square, such as an empty range.
    pub(super) fn is_nowhere(&self) -> bool {
        matches!(self, Self::Pattern(pattern) if pattern.is_nowhere())
    }
}
