//! Which windows a search asks for, to find what is wanted.
//!
//! ```text
//! outcome    win or not; if not, draw or loss. Now and then, quick wins and losses get a part of the effort.
//! plies      the outcome; then, if a player wins, "in k plies?" for k from the least number on
//! score      the outcome; then null windows at the last bound, until both bounds meet
//! ```

use super::General;
use super::descent::Ask;
use super::forms::{Forms, Numbers};
use super::prepared::{Bounded, Form};
use super::quick::Quick;
use super::scale::{Bounds, Plies, Scale};
use crate::outcome::Effort;
use crate::rules::{Outcome, Position};
use crate::threads::Threads;
use crate::turns::{Found, Turn, in_turns};

/// The positions that a search for an outcome expands before it asks for quick wins.
const FIRST: u64 = 1 << 12;
/// The part of the effort for quick wins.
const PART: u64 = 32;
/// The factor by which the search grows until it asks for them again.
const GROWTH: u64 = 4;

/// An outcome, and the plies if a quick win or loss was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decided {
    pub(super) outcome: Outcome,
    pub(super) plies: Option<u32>,
}

impl From<Outcome> for Decided {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, plies: None }
    }
}

impl General {
    /// The outcome of `position` for a player who leads by `lead` points. `None` if the search stops.
    pub(super) fn decided(&mut self, position: Position, lead: i32, ask: &mut Ask<'_>, end: Effort) -> Option<Decided> {
        if self.forms.outcomes.is_none() {
            return self.by_points(position, lead, ask, end).map(Decided::from);
        }
        if let Some((scale, form, symmetries)) = self.forms.of_plies()
            && let Some(found) = Quick::known(scale, form.bounds(position, symmetries))
        {
            return Some(found);
        }
        // At the start of a game, symmetries help most. A search that takes a while is begun again with them, and with what it knows by then of
        // the order of moves.
        let is_start = || self.forms.rules().start_positions().contains(&position);
        if ask.known.is_none() && !self.forms.symmetries.is_found() && is_start() {
            let part = self.effort.end(FIRST).least(end);
            let found = self.whole(position, ask, part);
            if found.is_some() || self.effort.reaches(end) || ask.is_stopped() {
                return found;
            }
            self.forms.symmetries.find();
        }
        self.whole(position, ask, end)
    }

    /// The outcome of `position`, by a search for outcomes that is interrupted by questions for quick wins.
    fn whole(&mut self, position: Position, ask: &mut Ask<'_>, end: Effort) -> Option<Decided> {
        let can_draw = self.can_draw;
        let repeats = self.forms.rules().potential().is_none();
        let (form, mut quick_form, symmetries) = self.forms.with_quick()?;
        // Where play ends at known positions, it is short already. Where counting moves settles positions, it finds what is won soon: looking for
        // that took a twelfth of the time of Domineering.
        let has_quick = ask.known.is_none() && !repeats && !form.counts_moves();
        let mut quick = Quick::default();
        let wait = if has_quick { FIRST } else { u64::MAX };
        let plan = |done: u64| Turn { length: done / PART, next: done.saturating_mul(GROWTH) };
        let ask_quickly = |ask: &mut Ask<'_>, (effort, end): (&mut Effort, Effort)| {
            let (scale, form) = quick_form.get()?;
            quick.deepen(scale, form, position, &mut Bounded { ask, effort, symmetries, end, threads: Threads::ONE })
        };
        let (effort, threads) = (&mut self.effort, self.threads);
        let bounds = (*effort, end);
        let Found { in_turn, by_first, spent } = in_turns(ask, bounds, wait, plan, ask_quickly, |ask| {
            let by = &mut Bounded { ask, effort: &mut *effort, symmetries, end, threads };
            // Most positions are won or lost, so the first of two windows usually settles the value.
            let value = form.value(position, 0, 1, by);
            if value == Some(0) && can_draw { form.value(position, -1, 0, by) } else { value }
        });
        self.effort = self.effort.plus(spent);
        in_turn.or_else(|| by_first.map(|value| Outcome::of_points(value).into()))
    }

    /// The outcome by points: the sign of lead and score together.
    fn by_points(&mut self, position: Position, lead: i32, ask: &mut Ask<'_>, end: Effort) -> Option<Outcome> {
        let (form, symmetries) = self.forms.of_points()?;
        let by = &mut Bounded { ask, effort: &mut self.effort, symmetries, end, threads: self.threads };
        let value = form.value(position, -lead, 1 - lead, by)?;
        if value > -lead {
            return Some(Outcome::Win);
        }
        let value = form.value(position, -lead - 1, -lead, by)?;
        Some(Outcome::of_points(value + lead))
    }

    /// The outcome of `position` and the plies to the end; no plies if it is a draw. `None` if the search stops.
    pub(super) fn plies(&mut self, position: Position, ask: &mut Ask<'_>, end: Effort) -> Option<Decided> {
        let found = self.decided(position, 0, ask, end)?;
        if found.plies.is_some() || found.outcome == Outcome::Draw {
            return Some(found);
        }
        let (scale, form, symmetries) = self.forms.of_plies()?;
        let by = &mut Bounded { ask, effort: &mut self.effort, symmetries, end, threads: self.threads };
        Quick::of(found.outcome).deepen(scale, form, position, by)
    }

    /// The score of `position`. `None` if the search stops.
    pub(super) fn score(&mut self, position: Position, ask: &mut Ask<'_>, end: Effort) -> Option<i32> {
        let (form, symmetries) = self.forms.of_points()?;
        let Bounds { mut low, mut high } = form.bounds(position, symmetries);
        let by = &mut Bounded { ask, effort: &mut self.effort, symmetries, end, threads: self.threads };
        // The first window says who wins.
        let mut beta = 1.clamp(low.min(high - 1) + 1, high);
        while low < high {
            let value = form.value(position, beta - 1, beta, by)?;
            if value >= beta {
                low = value;
            } else {
                high = value;
            }
            beta = if value >= beta { value + 1 } else { value };
        }
        Some(low)
    }

    /// The lower bound that the tables hold on what a move to `position` is worth on the scale of `of`.
    pub(super) fn least(&self, position: Position, hands_over: bool, gain: i32, of: Of) -> i32 {
        let low = |bounds: Bounds| if hands_over { bounds.high } else { bounds.low };
        let symmetries = &self.forms.symmetries;
        match (of, &self.forms.numbers) {
            (Of::Points, Numbers::Points(scale, form)) => {
                scale.of_move(low(form.bounds(position, symmetries)), hands_over, gain)
            }
            (Of::Plies, Numbers::Plies(scale, form)) => {
                scale.of_move(low(form.bounds(position, symmetries)), hands_over, gain)
            }
            (_, numbers) => {
                let sign = if hands_over { -1 } else { 1 };
                let whole = self.forms.outcomes.as_ref().map(|form| sign * low(form.bounds(position, symmetries)));
                let quick = match numbers {
                    Numbers::Quick(_, form) | Numbers::Plies(_, form) => {
                        Some(sign * low(form.bounds(position, symmetries)).signum())
                    }
                    _ => None,
                };
                whole.max(quick).unwrap_or(-1)
            }
        }
    }

    /// Returns whether a move to `position` is worth `target` on the scale of `of`. `None` if the search stops.
    pub(super) fn reaches(
        &mut self,
        (position, hands_over, gain): (Position, bool, i32),
        (of, target): (Of, i32),
        ask: &mut Ask<'_>,
        end: Effort,
    ) -> Option<bool> {
        let Forms { numbers, symmetries, .. } = &mut self.forms;
        match (of, numbers) {
            (Of::Points, Numbers::Points(scale, form)) => {
                let by = &mut Bounded { ask, effort: &mut self.effort, symmetries, end, threads: self.threads };
                is_worth(*scale, form, position, (target, hands_over, gain), by)
            }
            (Of::Plies, Numbers::Plies(scale, form)) => {
                let by = &mut Bounded { ask, effort: &mut self.effort, symmetries, end, threads: self.threads };
                is_worth(*scale, form, position, (target, hands_over, gain), by)
            }
            _ => {
                let outcome = self.decided(position, 0, ask, end)?.outcome;
                let outcome = if hands_over { outcome.flip() } else { outcome };
                Some(super::ending::sign_of(outcome) >= target)
            }
        }
    }

    /// The number of a win or a loss in so many plies.
    pub(super) fn of_plies(&self, outcome: Outcome, plies: u32) -> Option<i32> {
        let Numbers::Plies(scale, _) = &self.forms.numbers else { return None };
        number_of(*scale, outcome, plies)
    }
}

/// What the value of a move is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    Outcome,
    Plies,
    Points,
}

fn number_of(scale: Plies, outcome: Outcome, plies: u32) -> Option<i32> {
    match outcome {
        Outcome::Win => Some(scale.win(plies)),
        Outcome::Draw => None,
        Outcome::Loss => Some(-scale.win(plies)),
    }
}

fn is_worth<S: Scale>(
    scale: S,
    form: &mut Form<S>,
    position: Position,
    (target, hands_over, gain): (i32, bool, i32),
    by: &mut Bounded<'_, '_>,
) -> Option<bool> {
    let (alpha, beta) = scale.window(target - 1, target, hands_over, gain);
    let value = form.value(position, alpha, beta, by)?;
    Some(scale.of_move(value, hands_over, gain) >= target)
}
