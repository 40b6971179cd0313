//! Play by the rules, one position at a time: the definition that every fast path must match.

use super::{CountEnd, Ending, Move, Node, Outcome, Position, Rules, Start, Step, Terminal};

impl Rules {
    /// The legal moves from `position`, in the game's own order, as moves without lines and takes; none if the game has ended there.
    ///
    /// # Panics
    /// If the rules lack that mode ([`has`](Self::has) checks this).
    pub fn moves_from(&self, position: Position) -> impl Iterator<Item = Move> + Clone {
        let moves = if self.ended(position).is_some() { &[] } else { self.moves_of(position.mode) };
        self.legal(moves, position)
    }

    /// The legal moves from `position` among `moves`, all moves of its mode. Terminal patterns are not tested.
    #[inline]
    fn legal<'a>(&'a self, moves: &'a [Move], position: Position) -> impl Iterator<Item = Move> + Clone + use<'a> {
        let applied = move |m: &'a Move| self.applied(m, position);
        let has_other = self.has_otherwise() && moves.iter().any(|m| !m.otherwise && applied(m).next().is_some());
        moves.iter().filter(move |m| !(has_other && m.otherwise)).flat_map(applied)
    }

    /// True if `m`, one of the moves of these rules, leads from `from` to `to`.
    pub fn leads(&self, m: &Move, from: Position, to: Position) -> bool {
        let applies = |m: &Move| self.applied(m, from).next().is_some();
        m.mode == from.mode
            && self.applied(m, from).any(|m| m.play(from) == to)
            && !(m.otherwise && self.moves_of(m.mode).iter().any(|other| !other.otherwise && applies(other)))
            && self.ended(from).is_none()
    }

    /// The positions after the legal moves from `position`, in the game's own order. The caller must know that no terminal
    /// pattern matches `position`, because this does not test them.
    #[inline]
    pub fn successors(&self, position: Position) -> impl Iterator<Item = Position> {
        self.legal(self.moves_of(position.mode), position).map(move |m| m.play(position))
    }

    /// What the legal moves from `position` lead to, in the game's own order. As for [`successors`](Self::successors), no terminal pattern
    /// may match `position`.
    #[inline]
    pub fn steps(&self, position: Position) -> impl Iterator<Item = Step> {
        let step = move |m: Move| Step { to: m.play(position), gain: m.gain, again: !self.hands_over(&m) };
        self.legal(self.moves_of(position.mode), position).map(step)
    }

    /// The outcome of `position` if a number of pieces ends the game there ([`RulesSpec::count_ends`](super::RulesSpec::count_ends)), or a
    /// pattern in [`ends`](Self::ends).
    ///
    /// # Panics
    /// If the rules lack that mode.
    #[must_use]
    #[inline]
    pub fn ended(&self, position: Position) -> Option<Outcome> {
        self.ending(position).map(|ending| ending.outcome)
    }

    /// As [`ended`](Self::ended), with the points at the end.
    ///
    /// # Panics
    /// If the rules lack that mode.
    #[must_use]
    #[inline]
    pub fn ending(&self, position: Position) -> Option<Ending> {
        self.terminal_at(position).map(|terminal| terminal.at(position.board))
    }

    /// As [`ended`](Self::ended), with what decides the outcome there.
    ///
    /// # Panics
    /// If the rules lack that mode.
    #[must_use]
    #[inline]
    pub fn terminal_at(&self, position: Position) -> Option<Terminal> {
        let fits = |end: &&CountEnd| end.mode == position.mode && end.count.fits(position.board);
        if let Some(end) = self.spec().count_ends.iter().find(fits) {
            return Some(end.outcome.into());
        }
        let ends = self.ends_of(position.mode);
        ends.iter().find(|end| end.matches(position.board)).map(|end| end.outcome)
    }

    /// The positions that can follow `node`, in the game's own order: the results of the legal moves, or the choices
    /// of the opening. If two moves lead to one position, it appears twice.
    #[must_use]
    pub fn replies(&self, node: Node) -> Vec<Position> {
        self.choices(node).into_iter().map(|step| step.to).collect()
    }

    /// As [`replies`](Self::replies), with what each move gains and whether the same player moves again. The choice of an opening hands over.
    #[must_use]
    pub fn choices(&self, node: Node) -> Vec<Step> {
        match (node, self.start()) {
            (Node::At(position), _) | (Node::Opening, &Start::At(position)) => {
                if self.ended(position).is_some() {
                    Vec::new()
                } else {
                    self.steps(position).collect()
                }
            }
            (Node::Opening, Start::Opening(choices)) => {
                choices.iter().map(|&to| Step { to, gain: 0, again: false }).collect()
            }
        }
    }

    /// Returns whether play ends at `position`: a terminal pattern matches, or there is no legal move.
    #[must_use]
    pub fn is_over(&self, position: Position) -> bool {
        self.moves_from(position).next().is_none()
    }
}
