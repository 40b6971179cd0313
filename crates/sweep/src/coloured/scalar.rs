//! The reference implementation: the obvious program, one position at a time. Every fast path must equal it bit for bit.

use std::time::Instant;

use super::starts;
use crate::colourings::{ColouredShape, Frame, Place};
use crate::contents::{ByteLabels, Coloured};
use crate::dense::decoded;
use crate::domain::Domain;
use crate::label::{Label, LabelSet, Score, step};
use crate::labelled::{Buffer, Labelled};
use crate::memory::Memory;
use crate::reachable::write_number;
use crate::rules::{Outcome, Position, Rules};
use crate::{NotColoured, SolveError};
use tablegen_labels::with_byte_label;

/// Solves `rules` one position at a time, in safe and plain Rust.
pub(super) fn solve(rules: &Rules, frame: Frame, labels: LabelSet) -> Result<Labelled, SolveError> {
    let begun = Instant::now();
    let outcomes = match rules.has_gains() {
        true => outcomes_of_scores(rules, &frame)?,
        false => outcomes(rules, &frame)?,
    };
    let reached = reached(rules, &frame)?;
    let of = |kind| Ok::<_, SolveError>((kind, Buffer::Pages(with_byte_label!(kind, L => bytes::<L>(rules, &frame))?)));
    let others = labels.others().map(of).collect::<Result<_, _>>()?;
    Ok(Labelled::swept(Domain::Coloured(frame), outcomes, Some(reached), others, "scalar", begun.elapsed()))
}

/// Memory of `bytes` bytes.
fn memory(rules: &Rules, bytes: Option<u64>) -> Result<Memory, SolveError> {
    Memory::new(bytes.ok_or_else(|| NotColoured::TooLarge.error(rules))?, None)
}

/// Every position, predecessors before successors.
fn upwards(frame: &Frame) -> impl DoubleEndedIterator<Item = (Place, Position)> {
    let place = |rank| frame.unrank(rank).unwrap_or_else(|| unreachable!("a rank below the number of positions"));
    let position = |place| frame.position(place).unwrap_or_else(|| unreachable!("a place that exists"));
    (0..frame.count().unwrap_or(0)).map(place).map(move |place| (place, position(place)))
}

/// The outcomes, in planes of bits.
fn outcomes(rules: &Rules, frame: &Frame) -> Result<Memory, SolveError> {
    let mut memory = memory(rules, ColouredShape::new(frame, rules).outcome_bytes())?;
    for (place, position) in upwards(frame).rev() {
        let coloured = Coloured::new(frame, rules.can_draw(), memory.bytes(), &[], ByteLabels::default());
        let label = |p: Position| match coloured.outcome(p) {
            Ok(Some(outcome)) => outcome,
            Ok(None) | Err(_) => unreachable!("a successor has a place, and no position is labelled twice"),
        };
        let marks = coloured.marks(place);
        let outcome = step(rules, position, label);
        set_outcome(&mut memory, marks, rules.can_draw(), outcome);
    }
    Ok(memory)
}

/// Sets the bit of a win or of a loss, whose places are `marks`.
fn set_outcome(memory: &mut Memory, (win, loss): (u64, u64), draws: bool, outcome: Outcome) {
    let bit = match outcome {
        Outcome::Win => win,
        Outcome::Loss if draws => loss,
        Outcome::Loss | Outcome::Draw => return,
    };
    memory.bytes_mut()[(bit / 8) as usize] |= 1 << (bit % 8);
}

/// The outcomes of rules in which moves gain points, in planes of bits: the signs of the scores.
fn outcomes_of_scores(rules: &Rules, frame: &Frame) -> Result<Memory, SolveError> {
    let (scores, width) = (bytes::<Score>(rules, frame)?, Score::width(rules));
    let mut memory = memory(rules, ColouredShape::new(frame, rules).outcome_bytes())?;
    for (place, _) in upwards(frame) {
        let marks = Coloured::new(frame, rules.can_draw(), memory.bytes(), &[], ByteLabels::default()).marks(place);
        let score: Score = decoded(scores.bytes(), frame.bit(place) as usize, width);
        set_outcome(&mut memory, marks, rules.can_draw(), score.into());
    }
    Ok(memory)
}

/// The reachability bits.
fn reached(rules: &Rules, frame: &Frame) -> Result<Memory, SolveError> {
    let mut memory = memory(rules, ColouredShape::new(frame, rules).reached_bytes())?;
    let mark = |memory: &mut Memory, place| {
        let bit = frame.bit(place);
        memory.bytes_mut()[(bit / 8) as usize] |= 1 << (bit % 8);
    };
    starts(frame).into_iter().for_each(|start| mark(&mut memory, start));
    for (place, position) in upwards(frame) {
        let bit = frame.bit(place);
        if memory.bytes()[(bit / 8) as usize] >> (bit % 8) & 1 == 1 {
            let next = rules.moves_from(position).filter_map(|m| frame.place(m.play(position)));
            next.for_each(|next| mark(&mut memory, next));
        }
    }
    Ok(memory)
}

/// The labels `L`, in planes of bytes or of words of two bytes.
fn bytes<L: Label>(rules: &Rules, frame: &Frame) -> Result<Memory, SolveError> {
    let width = L::width(rules);
    let mut memory = memory(rules, ColouredShape::new(frame, rules).label_bytes(width))?;
    for (place, position) in upwards(frame).rev() {
        let labels = memory.bytes();
        let label: L = step(rules, position, |p| {
            let at = frame.place(p).unwrap_or_else(|| unreachable!("a successor has a place"));
            decoded(labels, frame.bit(at) as usize, width)
        });
        write_number(memory.bytes_mut(), width, frame.bit(place), label.code(width));
    }
    Ok(memory)
}
