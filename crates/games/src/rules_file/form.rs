//! The forms in which a `[[move]]` draws its moves: a pattern, a push, or a move that outflanks,
//! lifts or takes.

use super::RulesFileError;
use super::expression::Values;
use super::lift::Lift;
use super::outflank::Outflank;
use super::pattern::Pattern;
use super::placement::{Budget, Placement};
use super::push::Push;
use super::source::{Item, Keys};
use super::squares::Squares;
use super::take::Taking;
use crate::rules::Line;

/// The form of the moves of a table.
pub(super) enum Form<'a> {
    Pattern(Pattern<'a>, Item<'a>),
    Push(Push<'a>),
    Outflank(Outflank<'a>),
    Lift(Lift<'a>),
    Take(Taking<'a>),
}

impl<'a> Form<'a> {
    /// Takes the keys of a form; `None` if the table has none of them, and so gives its moves cell by cell.
    pub(super) fn take(
        keys: &mut Keys<'a>,
        squares: &Squares,
        values: &Values,
    ) -> Result<Option<Self>, RulesFileError> {
        if let Some(push) = Push::take(keys, squares, values)? {
            return Ok(Some(Self::Push(push)));
        }
        if let Some(outflank) = Outflank::take(keys, squares, values)? {
            return Ok(Some(Self::Outflank(outflank)));
        }
        if let Some(lift) = Lift::take(keys, squares, values)? {
            return Ok(Some(Self::Lift(lift)));
        }
        if let Some(take) = Taking::take(keys, squares, values)? {
            return Ok(Some(Self::Take(take)));
        }
        Ok(Pattern::take(keys, squares, values, false)?.map(|(pattern, item)| Self::Pattern(pattern, item)))
    }

    /// The moves of the player with the colour `mover`. Lists of lines are added to `lists`.
    pub(super) fn placements(
        &self,
        squares: &Squares,
        mover: u32,
        lists: &mut Vec<Vec<Line>>,
        budget: &mut Budget,
    ) -> Result<Vec<Placement>, RulesFileError> {
        match self {
            Self::Pattern(pattern, item) => pattern.placements(squares, mover, *item, budget),
            Self::Push(push) => push.placements(squares, mover, budget),
            Self::Outflank(outflank) => outflank.placements(squares, mover, lists, budget),
            Self::Lift(lift) => lift.placements(squares, mover, budget),
            Self::Take(take) => take.placements(squares, budget),
        }
    }

    /// The heaps from which the moves take.
    pub(super) fn heaps(&self, squares: &Squares) -> Vec<Vec<usize>> {
        if let Self::Take(take) = self { take.heaps(squares) } else { Vec::new() }
    }

    /// Returns whether the moves must lie in an area that has no square, such as an empty range.
    pub(super) fn is_nowhere(&self) -> bool {
        matches!(self, Self::Pattern(pattern, _) if pattern.is_nowhere())
    }
}
