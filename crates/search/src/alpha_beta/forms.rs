//! The forms of a game that a search holds: one for each kind of number that it was asked for.

use std::sync::Arc;

use super::prepared::Form;
use super::scale::{Outcomes, Plies, Points};
use super::symmetries::Symmetries;
use crate::Wanted;
use crate::rules::Rules;

/// The part of the memory that a search for outcomes uses to find quick wins.
const PART_FOR_QUICK_WINS: usize = 64;

/// A game in all forms that a search holds. Their tables together take about `bytes` bytes.
pub(super) struct Forms {
    rules: Arc<Rules>,
    bytes: usize,
    /// `None` where moves gain points: outcomes do not follow from each other there.
    pub(super) outcomes: Option<Form<Outcomes>>,
    pub(super) numbers: Numbers,
    /// The scales that the game has.
    plies: Option<Plies>,
    points: Option<Points>,
    pub(super) symmetries: Symmetries,
}

/// The form for numbers other than outcomes, of which there is at most one.
pub(super) enum Numbers {
    None,
    /// Plies, in a small table: for quick wins.
    Quick(Plies, Form<Plies>),
    Plies(Plies, Form<Plies>),
    Points(Points, Form<Points>),
}

/// The form for quick wins, which is made when it is used.
pub(super) struct QuickForm<'a> {
    rules: &'a Arc<Rules>,
    bytes: usize,
    scale: Option<Plies>,
    numbers: &'a mut Numbers,
}

impl QuickForm<'_> {
    /// The form; `None` if the game has no plies, or if points are searched for.
    pub(super) fn get(&mut self) -> Option<(Plies, &mut Form<Plies>)> {
        if matches!(self.numbers, Numbers::None)
            && let Some(scale) = self.scale
            && let Some(form) = Form::new(self.rules, scale, self.bytes)
        {
            *self.numbers = Numbers::Quick(scale, form);
        }
        self.numbers.of_plies()
    }
}

impl Numbers {
    const fn of_plies(&mut self) -> Option<(Plies, &mut Form<Plies>)> {
        match self {
            Self::Quick(scale, form) | Self::Plies(scale, form) => Some((*scale, form)),
            Self::None | Self::Points(..) => None,
        }
    }
}

impl Forms {
    /// The forms of `rules`; `None` if `bytes` bytes are too few, or if no scale has the values of the game.
    pub(super) fn new(rules: &Arc<Rules>, bytes: usize) -> Option<Self> {
        let rules = Arc::clone(rules);
        let has_gains = rules.has_gains();
        let half = bytes / 2;
        let plies = Plies::of(&rules).filter(|&scale| Form::fits(&rules, scale, half));
        let room = if has_gains { bytes } else { half };
        let points = Points::new(&rules).filter(|&scale| Form::fits(&rules, scale, room));
        let (outcomes, numbers) = if has_gains {
            let scale = points?;
            (None, Numbers::Points(scale, Form::new(&rules, scale, bytes)?))
        } else {
            (Some(Form::new(&rules, Outcomes, bytes)?), Numbers::None)
        };
        let symmetries = Symmetries::new(&rules);
        Some(Self { rules, bytes, outcomes, numbers, plies, points, symmetries })
    }

    pub(super) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    pub(super) const fn offers(&self, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Outcome => true,
            Wanted::Plies => self.plies.is_some(),
            Wanted::Score => self.points.is_some(),
        }
    }

    /// Makes the form for what is `wanted`, unless it is there. It takes half of the memory, and the form for outcomes keeps the other half.
    pub(super) fn provide(&mut self, wanted: Wanted) {
        let half = self.bytes / 2;
        let is_there = match wanted {
            Wanted::Outcome => true,
            Wanted::Plies => matches!(self.numbers, Numbers::Plies(..)),
            Wanted::Score => matches!(self.numbers, Numbers::Points(..)),
        };
        if is_there {
            return;
        }
        if !matches!(self.numbers, Numbers::Plies(..) | Numbers::Points(..)) {
            self.outcomes = Form::new(&self.rules, Outcomes, half);
        }
        let rules = &self.rules;
        let numbers = match wanted {
            Wanted::Score => self.points.and_then(|scale| Some(Numbers::Points(scale, Form::new(rules, scale, half)?))),
            _ => self.plies.and_then(|scale| Some(Numbers::Plies(scale, Form::new(rules, scale, half)?))),
        };
        self.numbers = numbers.unwrap_or(Numbers::None);
    }

    /// The form for outcomes, that for quick wins, and the symmetries; `None` where there are no outcomes.
    pub(super) fn with_quick(&mut self) -> Option<(&mut Form<Outcomes>, QuickForm<'_>, &Symmetries)> {
        let Self { rules, bytes, outcomes, numbers, plies, symmetries, .. } = self;
        let bytes = *bytes / PART_FOR_QUICK_WINS;
        Some((outcomes.as_mut()?, QuickForm { rules, bytes, scale: *plies, numbers }, symmetries))
    }

    /// The form for plies, if there is one, and the symmetries.
    pub(super) const fn of_plies(&mut self) -> Option<(Plies, &mut Form<Plies>, &Symmetries)> {
        match self.numbers.of_plies() {
            Some((scale, form)) => Some((scale, form, &self.symmetries)),
            None => None,
        }
    }

    /// The form for points, if there is one, and the symmetries.
    pub(super) const fn of_points(&mut self) -> Option<(&mut Form<Points>, &Symmetries)> {
        match &mut self.numbers {
            Numbers::Points(_, form) => Some((form, &self.symmetries)),
            _ => None,
        }
    }
}
