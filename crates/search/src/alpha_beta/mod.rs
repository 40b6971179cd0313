//! The strong search of any game: alpha-beta with a transposition table.
//!
//! It answers any two-player game in which positions cannot repeat, and other games as long as they cannot: positions of phases in which they
//! may ([`Phases`](crate::rules::Phases)) must be known, for instance from a table. It looks only at positions that can change the
//! value, finds moves and wins at once with masks, tries promising moves first, and remembers bounds in tables of fixed size, which it
//! keeps across calls.

mod absent;
mod best;
mod children;
mod compiled;
mod descent;
mod draws;
mod ending;
mod forms;
mod number;
mod order;
mod patterns;
mod prepared;
mod quick;
mod race;
mod scale;
mod shape;
mod soonest;
mod symmetries;
mod table;
mod taking;
#[cfg(test)]
pub(super) mod tests;
mod turning;
mod windows;
mod word;

use std::sync::Arc;

use tablegen_labels::Value;

use draws::{Draws, Length};
use forms::Forms;
pub(crate) use scale::{Bounds, Outcomes, Scale};
pub(crate) use table::{Access, Table};
use windows::{Decided, Of};
pub(crate) use word::Word;

pub(crate) use descent::Ask;

use super::Wanted;
use super::outcome::Effort;
use super::threads::Threads;
use crate::rules::{Outcome, Position, Rules};

/// Maximum number of levels of play, which bounds the depth of the recursion.
const MOST_LEVELS: u32 = 1 << 10;

/// A search of one game.
pub(crate) struct General {
    forms: Forms,
    /// True if play can end in a draw.
    can_draw: bool,
    draws: Draws,
    pub(crate) effort: Effort,
    pub(crate) threads: Threads,
}

impl General {
    /// A search of `rules` with tables of at most `bytes` bytes; quick wins take a sixty-fourth part more. `None` if positions may repeat in
    /// every mode, if play can be very long, if moves gain points where a search cannot count them, or if the tables are too small for the
    /// board.
    pub(crate) fn new(rules: &Arc<Rules>, bytes: usize) -> Option<Self> {
        let phases = rules.phases();
        if phases.all_repeat() || phases.longest() > MOST_LEVELS {
            return None;
        }
        // Endless play is a draw.
        let can_draw = rules.can_draw() || rules.potential().is_none();
        let (forms, draws) = (Forms::new(rules, bytes)?, Draws::new(rules));
        Some(Self { forms, can_draw, draws, effort: Effort::default(), threads: Threads::ONE })
    }

    #[cfg(test)]
    pub(crate) fn knows_symmetries(&self) -> bool {
        self.forms.symmetries.group().is_some()
    }

    #[cfg(test)]
    pub(crate) fn find_symmetries(&self) {
        self.forms.symmetries.find();
    }

    /// Returns whether the search can find what is `wanted`.
    pub(crate) const fn offers(&self, wanted: Wanted) -> bool {
        self.forms.offers(wanted)
    }

    /// The outcome of `position` for a player who leads by `lead` points; `None` if the search stops.
    pub(crate) fn outcome(&mut self, position: Position, lead: i32, ask: &mut Ask<'_>, end: Effort) -> Option<Outcome> {
        self.decided(position, lead, ask, end).map(|found| found.outcome)
    }

    /// The value of `position`: its outcome, and what is `wanted`. `None` if the search stops.
    pub(crate) fn value(
        &mut self,
        position: Position,
        wanted: Wanted,
        ask: &mut Ask<'_>,
        end: Effort,
    ) -> Option<Value> {
        self.forms.provide(wanted);
        match wanted {
            Wanted::Outcome => self.decided(position, 0, ask, end).map(|found| found.outcome.into()),
            Wanted::Score => {
                let score = self.score(position, ask, end)?;
                Some(Value::from(Outcome::of_points(score)).with_score(score))
            }
            Wanted::Plies => {
                let Decided { outcome, plies } = self.plies(position, ask, end)?;
                if outcome == Outcome::Draw {
                    return Some(self.length_of_draw(position, ask, end).map_or(outcome.into(), Length::value));
                }
                Some(Value::from(outcome).with_remoteness(plies))
            }
        }
    }

    /// The best move of `position`, which has this `value`: the position that it leads to. `None` if there is no move, or if the search stops.
    pub(crate) fn best(
        &mut self,
        position: Position,
        value: Value,
        ask: &mut Ask<'_>,
        end: Effort,
    ) -> Option<Position> {
        let sign = ending::sign_of(value.outcome);
        if let Some(score) = value.score() {
            return self.best_move(position, Of::Points, score, ask, end);
        }
        if let Some(length) = Length::of(value) {
            return self.best_of_draw(position, length, ask, end);
        }
        match value.remoteness() {
            Some(plies) => {
                let number = self.of_plies(value.outcome, plies)?;
                self.best_move(position, Of::Plies, number, ask, end)
            }
            // The least score with this outcome. Every move of a lost position is as good as the others.
            None if sign >= 0 && self.forms.outcomes.is_none() => self.best_move(position, Of::Points, sign, ask, end),
            None => self.best_move(position, Of::Outcome, sign, ask, end),
        }
    }
}
