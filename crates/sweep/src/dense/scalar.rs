//! The reference implementation: the obvious program, one position at a time. Every fast path must equal it bit for bit.

use std::time::Instant;

use super::{marks_shape, planes_of};
use crate::SolveError;
use crate::domain::Domain;
use crate::label::{Label, LabelSet, Score, Width, step};
use crate::labelled::{Buffer, Labelled};
use crate::memory::Memory;
use crate::plane::{Layout, Planes, Shape};
use crate::reachable::write_number;
use crate::rules::{Board, Mode, Outcome, Position, Rules};
use tablegen_labels::with_byte_label;

/// Solves `rules` one position at a time, from the full board down, in safe and plain Rust. The planes are in the order
/// of `layout`. If `roots` is not `None`, positions reachable from it and from the starts are marked.
pub(super) fn solve(
    rules: &Rules,
    layout: Layout,
    roots: Option<&[Position]>,
    labels: LabelSet,
) -> Result<Labelled, SolveError> {
    let shape = Shape::of(rules);
    let renumbered = layout.apply(rules);
    let begin = Instant::now();
    let memory = match rules.has_gains() {
        true => outcomes_of_scores(&renumbered, shape)?,
        false => outcomes(&renumbered, shape)?,
    };
    let of = |kind| Ok::<_, SolveError>((kind, Buffer::Pages(with_byte_label!(kind, L => bytes::<L>(&renumbered))?)));
    let others = labels.others().map(of).collect::<Result<_, _>>()?;
    let reached = roots.map(|roots| reached(rules, &renumbered, &layout, roots)).transpose()?;
    let (starts, reached) = reached.map_or((Vec::new(), None), |(roots, marks)| (roots, Some(marks)));
    let domain = Domain::dense(layout, starts);
    Ok(Labelled::swept(domain, memory, reached, others, "scalar", begin.elapsed()))
}

/// The starts of play and the reachability bits.
fn reached(
    rules: &Rules,
    renumbered: &Rules,
    layout: &Layout,
    roots: &[Position],
) -> Result<(Vec<Position>, Memory), SolveError> {
    let shape = marks_shape(rules);
    let mut marks = planes_of(shape, None)?;
    let plane_bits = marks.bytes().len() as u64 / shape.planes() * 8;
    let bit = |p: Position| u64::from(p.mode.0) * plane_bits + p.board.low_word();
    let mark = |marks: &mut Memory, at: u64| marks.bytes_mut()[(at / 8) as usize] |= 1 << (at % 8);
    let roots = rules.starts_and(roots);
    for root in &roots {
        mark(&mut marks, bit(Position::new(root.mode, Board::from_word(layout.index(root.board)))));
    }
    // Moves lead to larger numbers.
    for index in 0..1u64 << rules.cells() {
        for mode in 0..rules.modes().len() as u16 {
            let position = Position::new(Mode(mode), Board::from_word(index));
            let at = bit(position);
            if marks.bytes()[(at / 8) as usize] >> (at % 8) & 1 == 1 {
                renumbered.moves_from(position).for_each(|m| mark(&mut marks, bit(m.play(position))));
            }
        }
    }
    Ok((roots, marks))
}

/// Every position of `rules`, successors before predecessors.
fn downwards(rules: &Rules) -> impl Iterator<Item = Position> {
    let modes = rules.modes().len() as u16;
    let boards = (0..1u64 << rules.cells()).rev();
    boards.flat_map(move |board| (0..modes).map(move |mode| Position::new(Mode(mode), Board::from_word(board))))
}

/// The outcomes, in planes of bits.
fn outcomes(rules: &Rules, shape: Shape) -> Result<Memory, SolveError> {
    let mut memory = planes_of(shape, None)?;
    let plane_bytes = memory.bytes().len() / shape.planes() as usize;
    for position in downwards(rules) {
        let planes = Planes::new(shape, memory.bytes()).unwrap_or_else(|| unreachable!("made for this shape"));
        let label = |p: Position| {
            planes.outcome(p.mode, p.board.low_word()).unwrap_or_else(|_| unreachable!("no position is labelled twice"))
        };
        let outcome = step(rules, position, label);
        set_outcome(&mut memory, shape, plane_bytes, position, outcome);
    }
    Ok(memory)
}

/// Writes the outcome of `position` to planes of `plane_bytes` bytes.
fn set_outcome(memory: &mut Memory, shape: Shape, plane_bytes: usize, position: Position, outcome: Outcome) {
    let loss = match outcome {
        Outcome::Win => false,
        Outcome::Loss if shape.draws() => true,
        Outcome::Loss | Outcome::Draw => return,
    };
    let index = position.board.low_word();
    let byte = shape.plane(position.mode, loss) as usize * plane_bytes + (index >> 3) as usize;
    memory.bytes_mut()[byte] |= 1 << (index & 7);
}

/// The outcomes of rules in which moves gain points, in planes of bits: the signs of the scores.
fn outcomes_of_scores(rules: &Rules, shape: Shape) -> Result<Memory, SolveError> {
    let (scores, mut memory, width) = (bytes::<Score>(rules)?, planes_of(shape, None)?, Score::width(rules));
    let [scores_bytes, plane_bytes] =
        [(&scores, shape.modes() as usize), (&memory, shape.planes() as usize)].map(|(all, n)| all.bytes().len() / n);
    for position in downwards(rules) {
        let plane = &scores.bytes()[usize::from(position.mode.0) * scores_bytes..];
        let score: Score = decoded(plane, position.board.low_word() as usize, width);
        set_outcome(&mut memory, shape, plane_bytes, position, score.into());
    }
    Ok(memory)
}

/// The labels `L`, in planes of bytes or of words of two bytes.
fn bytes<L: Label>(rules: &Rules) -> Result<Memory, SolveError> {
    let width = L::width(rules);
    let shape = Shape::of_width(rules, width);
    let mut memory = planes_of(shape, None)?;
    let plane_bytes = memory.bytes().len() / shape.planes() as usize;
    for position in downwards(rules) {
        let plane = |p: Position| usize::from(p.mode.0) * plane_bytes;
        let labels = memory.bytes();
        let label: L = step(rules, position, |p| decoded(&labels[plane(p)..], p.board.low_word() as usize, width));
        let labels = &mut memory.bytes_mut()[plane(position)..];
        write_number(labels, width, position.board.low_word(), label.code(width));
    }
    Ok(memory)
}

/// The label at `index` of `labels`, which have one byte or two each.
pub(crate) fn decoded<L: Label>(labels: &[u8], index: usize, width: Width) -> L {
    let code = match width {
        Width::Sixteen => u16::from_le_bytes([labels[2 * index], labels[2 * index + 1]]),
        _ => labels[index].into(),
    };
    L::of_code(code, width).unwrap_or_else(|| unreachable!("a label decodes from its own code"))
}
