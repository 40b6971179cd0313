//! A plain solver by regions: value iteration over all numbers. It is the reference that a fast solver must equal.

use rayon::prelude::*;

use crate::label::{Remoteness, Width};
use crate::rules::{Outcome, Position, Rules};
use crate::{Meter, Phase, SolveError, Watch};
use tablegen_index::regions::{Place, Regions};

/// Labels by number.
pub(super) struct Labels {
    /// Two bits a number, the lowest bits first ([`Width::Two`]).
    pub(super) outcomes: Vec<u8>,
    /// The plies to the end; 65,535 in a draw by repetition.
    pub(super) plies: Vec<u16>,
    /// The most plies, without draws by repetition.
    pub(super) longest: u16,
}

/// An outcome, and the plies to the end.
type Value = (Outcome, u16);

/// Labels all numbers of `index`, an index of `rules`. Each position is compared with its successors until nothing changes: first wins and
/// losses are found, then draws by the rules. What is left is a draw by repetition.
///
/// # Errors
/// If `watch` stops the work. If play lasts too long for a label, [`Labels::longest`] says so.
pub(super) fn solve(rules: &Rules, index: &Regions, watch: Option<Watch<'_>>) -> Result<Labels, SolveError> {
    let numbers = index.numbers();
    let meter = Meter::new(watch, Phase::Label, Some(numbers));
    let mut values: Vec<Option<Value>> = vec![None; numbers as usize];
    let mut open: Vec<u64> = (0..numbers).collect();
    // Wins and losses do not depend on draws.
    for draws in [false, true] {
        loop {
            if meter.add(0).is_break() {
                return Err(SolveError::Cancelled);
            }
            let value = |&number: &u64| {
                let position = index.position(number).unwrap_or_default();
                let value = value(rules, position, |at| known(index, &values, at))?;
                (draws || value.0 != Outcome::Draw).then_some((number, value))
            };
            let found: Vec<(u64, Value)> = open.par_iter().filter_map(value).collect();
            if found.is_empty() {
                break;
            }
            found.iter().for_each(|&(number, value)| values[number as usize] = Some(value));
            open.retain(|&number| values[number as usize].is_none());
            if meter.add(found.len() as u64).is_break() {
                return Err(SolveError::Cancelled);
            }
        }
    }
    if { meter }.finish().is_break() {
        return Err(SolveError::Cancelled);
    }
    let mut labels = Labels { outcomes: vec![0; numbers.div_ceil(4) as usize], plies: Vec::new(), longest: 0 };
    labels.longest = values.iter().flatten().map(|value| value.1).max().unwrap_or(0);
    for (number, value) in values.into_iter().enumerate() {
        let (outcome, plies) = value.unwrap_or((Outcome::Draw, Remoteness::REPETITION.word()));
        labels.outcomes[number / 4] |= Width::Two.of_outcome(outcome) << (2 * (number % 4));
        labels.plies.push(plies);
    }
    Ok(labels)
}

/// The value of `position` in `values`, if it is known.
fn known(index: &Regions, values: &[Option<Value>], position: Position) -> Option<Value> {
    match index.find(position) {
        Some(Place::At(number)) => values[number as usize],
        Some(Place::Ended(outcome)) => Some((outcome, 0)),
        None => unreachable!("moves lead to regions"),
    }
}

/// The value of `position`, if those values of its successors that are known decide it.
fn value(rules: &Rules, position: Position, known: impl Fn(Position) -> Option<Value>) -> Option<Value> {
    if let Some(outcome) = rules.ended(position) {
        return Some((outcome, 0));
    }
    let mut replies = Vec::new();
    for step in rules.steps(position) {
        // A number of plies that no label has stays one.
        let of = |(outcome, plies): Value| {
            (if step.again { outcome } else { outcome.flip() }, plies.min(Remoteness::MOST_IN_WORD) + 1)
        };
        replies.push(known(step.to).map(of));
    }
    if replies.is_empty() {
        return Some((rules.terminal_in(position.mode).on(position.board), 0));
    }
    let wins = replies.iter().flatten().filter(|(outcome, _)| *outcome == Outcome::Win);
    if let Some(plies) = wins.map(|&(_, plies)| plies).min() {
        return Some((Outcome::Win, plies));
    }
    let replies = replies.into_iter().collect::<Option<Vec<Value>>>()?;
    let best = replies.iter().map(|&(outcome, _)| outcome).max()?;
    let longest = replies.iter().filter(|(outcome, _)| *outcome == best).map(|&(_, plies)| plies).max()?;
    Some((best, longest))
}
