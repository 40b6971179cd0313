//! The strong search for games in which the first player to complete a pattern of own pieces wins.
//!
//! Connect Four, tic-tac-toe and their relatives are of this kind, which [`Kind`] recognises from the masks of rules. A position
//! is two words, the squares that complete a pattern take a few shifts for the whole board, and values tell how long play lasts.

mod bounds;
mod descent;
mod game;
mod kind;
mod layout;
mod narrow;
mod symmetry;
mod table;
#[cfg(test)]
mod tests;
mod threats;

use game::Game;
use kind::Kind;
use narrow::{Means, Solver};

use crate::Wanted;
use crate::outcome::Effort;
use crate::rules::{Outcome, Position, Rules};
use tablegen_labels::Value;

/// A search of one game.
pub(crate) struct Lines {
    rules: Rules,
    form: Form,
    threads: usize,
}

/// A search with keys of one width.
enum Form {
    Narrow(Solver<u64>),
    Wide(Solver<u128>),
}

impl Lines {
    /// A search of `rules` with a transposition table of at most `bytes` bytes. `None` if the rules are of another kind, or if the table is
    /// too small for the board.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let kind = Kind::of(rules)?;
        let narrow = || Solver::new(&kind, bytes).map(Form::Narrow);
        let form = narrow().or_else(|| Solver::new(&kind, bytes).map(Form::Wide))?;
        Some(Self { rules: rules.clone(), form, threads: 1 })
    }

    /// Sets the number of threads to `threads`.
    pub(crate) const fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Returns whether the search can find what is `wanted`.
    pub(crate) const fn offers(&self, wanted: Wanted) -> bool {
        !matches!(wanted, Wanted::Score)
    }

    const fn game(&self) -> &Game {
        match &self.form {
            Form::Narrow(solver) => &solver.game,
            Form::Wide(solver) => &solver.game,
        }
    }

    /// Returns whether the search can answer `position`: each square has at most one piece, and each piece has its support.
    pub(crate) fn has(&self, position: Position) -> bool {
        self.game().layout.sides(position).is_some()
    }

    /// The value of `position`. `continues` is told the number of positions expanded now and then, and says whether to continue. `None` if
    /// `effort` reaches `end` first, if the search was stopped, or if it does not [have](Self::has) the position.
    pub(crate) fn value(
        &mut self,
        position: Position,
        wanted: Wanted,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Value> {
        let with = |outcome: Outcome, plies: u32| {
            Value::from(outcome).with_remoteness((wanted == Wanted::Plies).then_some(plies))
        };
        if let Some(outcome) = self.rules.ended(position) {
            return Some(with(outcome, 0));
        }
        let sides = self.game().layout.sides(position)?;
        let mut means = self.means(continues, *effort, end);
        let exact = wanted == Wanted::Plies;
        let found = match &mut self.form {
            Form::Narrow(solver) => solver.value(sides, exact, &mut means),
            Form::Wide(solver) => solver.value(sides, exact, &mut means),
        };
        effort.expanded = means.expanded;
        let (value, squares) = (found?, self.game().layout.squares);
        let end = if value == 0 { squares } else { squares + 1 - value.unsigned_abs() };
        Some(with(outcome_of(value), end - sides.filled()))
    }

    /// The position after a best move from `position`, whose value is `value`: after a move that keeps its outcome, and its plies if they are
    /// given. `None` if the game is over, or as for [`value`](Self::value). Most of the work was done when the value was found.
    pub(crate) fn best(
        &mut self,
        position: Position,
        value: Value,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Position> {
        if self.rules.is_over(position) {
            return None;
        }
        let layout = &self.game().layout;
        let sides = layout.sides(position)?;
        let size = match value.remoteness() {
            Some(plies) => (layout.squares + 1).saturating_sub(sides.filled() + plies).cast_signed(),
            None => 1,
        };
        let least = match (value.outcome, value.remoteness()) {
            (Outcome::Win, _) => size,
            (Outcome::Draw, _) => 0,
            (Outcome::Loss, Some(_)) => -size,
            // All moves are as bad.
            (Outcome::Loss, None) => -layout.squares.cast_signed(),
        };
        let mut means = self.means(continues, *effort, end);
        let found = match &mut self.form {
            Form::Narrow(solver) => solver.best(sides, least, &mut means),
            Form::Wide(solver) => solver.best(sides, least, &mut means),
        };
        effort.expanded = means.expanded;
        self.game().layout.after(position, found?)
    }

    /// What a call may use until `effort` is `end`.
    fn means<'a>(&self, continues: Option<&'a mut dyn FnMut(u64) -> bool>, effort: Effort, end: Effort) -> Means<'a> {
        let left = end.expanded.saturating_sub(effort.expanded);
        Means { left, threads: self.threads, continues, expanded: effort.expanded }
    }
}

const fn outcome_of(value: i32) -> Outcome {
    match value {
        0 => Outcome::Draw,
        1.. => Outcome::Win,
        _ => Outcome::Loss,
    }
}
