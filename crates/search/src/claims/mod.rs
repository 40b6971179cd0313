//! A strong search for the outcome of games in which each side completes sets of squares of its own.

mod descent;
mod kind;
mod proof;
mod root;
mod sets;
#[cfg(test)]
mod tests;

use descent::{Numbers, Player, moves, played};
use kind::Kind;
use proof::Proof;
use root::Root;
use sets::{singles, squares};

use crate::alpha_beta::{Outcomes, Table};
use crate::outcome_search::{Bounded, OutcomeSearch};
use crate::rules::{Outcome, Position, Rules};
use crate::threads::{Means, Threads};

/// A search of one game of this kind.
pub(crate) struct Claims {
    kind: Kind,
    numbers: Numbers,
    form: Form,
    /// The last attempt to prove that no full board lacks a set of either side. The moves of a position share it.
    proof: Option<Proof>,
    threads: Threads,
}

/// The table, in the narrowest words that hold a position.
enum Form {
    Narrow(Table<u64, Outcomes>),
    Wide(Table<u128, Outcomes>),
}

impl Form {
    fn new(bits: u32, bytes: usize) -> Option<Self> {
        let narrow = || Table::new(Outcomes, bits, 2, bytes).map(Self::Narrow);
        narrow().or_else(|| Table::new(Outcomes, bits, 2, bytes).map(Self::Wide))
    }
}

/// A position: the player to move, and the other one.
struct At {
    own: Player,
    other: Player,
    /// True if the player to move is the player of mode 0.
    is_first: bool,
}

impl At {
    /// The position after a move to `square`.
    fn after(&self, square: u64) -> Self {
        let (own, other) = played(&self.own, &self.other, square);
        Self { own, other, is_first: !self.is_first }
    }
}

impl Claims {
    /// A search of `rules` with a transposition table of at most `bytes` bytes; `None` if the rules are of another kind, or the table is too small.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let kind = Kind::of(rules)?;
        let numbers = Numbers::new(kind.squares());
        let form = Form::new(numbers.bits(), bytes)?;
        Some(Self { kind, numbers, form, proof: None, threads: Threads::ONE })
    }

    /// The players at `position`; `None` if a square has two colours.
    fn at(&self, position: Position) -> Option<At> {
        let [own, other] = self.kind.pieces(position.mode, position.board)?;
        let mode = usize::from(position.mode.0);
        let [of_own, of_other] = [&self.kind.sets[mode], &self.kind.sets[1 - mode]];
        let [own, other] = [Player::new(of_own, own, other), Player::new(of_other, other, own)];
        Some(At { own, other, is_first: mode == 0 })
    }

    /// True unless it is proved that no game that comes to `at` is drawn.
    fn can_draw(&mut self, at: &At, by: &mut Bounded<'_, '_>) -> bool {
        let [first, second] = if at.is_first { [&at.own, &at.other] } else { [&at.other, &at.own] };
        !by.spend(|budget| Proof::renewed(&mut self.proof, first, second, budget))
    }

    /// The value of a position: exact if it lies in the window, otherwise a bound on the same side. `None` if the search is stopped.
    fn value(&mut self, at: &At, window: (i32, i32), can_draw: bool, by: &mut Bounded<'_, '_>) -> Option<i32> {
        let root = Root { at, window, can_draw, numbers: &self.numbers };
        let (threads, end) = (self.threads, by.end);
        let continues = by.continues.as_mut().map(|it| &mut **it as _);
        let means = Means { threads, continues, effort: by.effort, end };
        match &mut self.form {
            Form::Narrow(table) => means.find(&root, table, &mut Vec::new()),
            Form::Wide(table) => means.find(&root, table, &mut Vec::new()),
        }
    }
}

impl OutcomeSearch for Claims {
    fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// Returns whether no square has two colours, and the player to move has not filled a set.
    fn has(&self, position: Position) -> bool {
        let sets = &self.kind.sets[usize::from(position.mode.0)];
        let pieces = self.kind.pieces(position.mode, position.board);
        pieces.is_some_and(|[own, _]| sets.iter().all(|set| set & !own != 0))
    }

    fn outcome(&mut self, position: Position, by: &mut Bounded<'_, '_>) -> Option<Outcome> {
        let at = self.at(position)?;
        match [&at.own, &at.other].map(|player| player.sets.first() == Some(&0)) {
            [_, true] => return Some(Outcome::Loss),
            [true, false] => return None,
            [false, false] => {}
        }
        let can_draw = self.can_draw(&at, by);
        let is_won = self.value(&at, (0, 1), can_draw, by)? > 0;
        if is_won {
            return Some(Outcome::Win);
        }
        let is_lost = !can_draw || self.value(&at, (-1, 0), can_draw, by)? < 0;
        Some(if is_lost { Outcome::Loss } else { Outcome::Draw })
    }

    fn best(&mut self, position: Position, outcome: Outcome, by: &mut Bounded<'_, '_>) -> Option<Position> {
        let at = self.at(position)?;
        if at.other.sets.first() == Some(&0) {
            return None;
        }
        let least = match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            // All moves are as bad.
            Outcome::Loss => -1,
        };
        let wins = singles(&at.own.sets);
        if wins != 0 {
            return squares(wins).next().map(|square| self.kind.after(position, square));
        }
        let can_draw = self.can_draw(&at, by);
        for square in moves(&at.own, &at.other, singles(&at.other.sets), &[]) {
            if -self.value(&at.after(square), (-least, 1 - least), can_draw, by)? >= least {
                return Some(self.kind.after(position, square));
            }
        }
        None
    }
}
