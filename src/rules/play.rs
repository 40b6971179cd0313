//! Playing by the rules, one position at a time: the definition every fast path must equal.

use super::{Move, Outcome, Position, Rules};

impl Rules {
    /// The moves that may be made from `position`, in the game's own order; none if the game has ended there.
    ///
    /// # Panics
    /// If the rules have no such mode ([`has`](Self::has) tells).
    pub fn moves_from(&self, position: Position) -> impl Iterator<Item = &Move> + Clone {
        let moves = if self.ended(position).is_some() { &[] } else { self.moves_of(position.mode) };
        moves.iter().filter(move |m| m.is_legal(position))
    }

    /// The positions that the moves from `position` leave, in the game's own order, a pattern or no pattern: for those
    /// who know that none has ended the game.
    #[inline]
    pub(crate) fn successors(&self, position: Position) -> impl Iterator<Item = Position> {
        let moves = self.moves_of(position.mode).iter().filter(move |m| m.is_legal(position));
        moves.map(move |m| m.play(position))
    }

    /// The outcome that a pattern of [`ends`](Self::ends) gives `position`, if one matches.
    ///
    /// # Panics
    /// If the rules have no such mode.
    #[must_use]
    #[inline]
    pub fn ended(&self, position: Position) -> Option<Outcome> {
        let ends = self.ends_of(position.mode);
        ends.iter().find(|end| position.board.contains(end.pattern)).map(|end| end.outcome)
    }

    /// Whether play stops at `position`: a pattern ends it, or there is no move.
    #[must_use]
    pub fn is_over(&self, position: Position) -> bool {
        self.moves_from(position).next().is_none()
    }
}
