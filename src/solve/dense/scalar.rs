//! The scalar twin: the obvious program, one position at a time. What every fast path must equal bit for bit.

use std::time::Instant;

use super::memory::Memory;
use super::solution::Planar;
use crate::plane::{Layout, Planes, Shape};
use crate::rules::{Board, Mode, Outcome, Position, Rules};
use crate::solve::SolveError;

/// Solves `rules` one position at a time, from the full board down, in safe and plain Rust, with the planes in the order
/// of `layout`.
pub(super) fn solve(rules: &Rules, layout: Layout) -> Result<Planar, SolveError> {
    let shape = Shape::of(rules);
    let mut memory = Memory::new(shape, None)?;
    let plane_bytes = memory.bytes().len() / shape.planes() as usize;
    let renumbered = layout.apply(rules);
    let begin = Instant::now();
    for index in (0..1u64 << rules.cells()).rev() {
        for mode in (0..rules.modes().len() as u16).map(Mode) {
            let planes = Planes::new(shape, memory.bytes()).unwrap_or_else(|| unreachable!("made for this shape"));
            let label = |p: Position| {
                planes.outcome(p.mode, p.board.0).unwrap_or_else(|_| unreachable!("no position is labelled twice"))
            };
            let outcome = renumbered.step(Position::new(mode, Board(index)), label);
            let loss = match outcome {
                Outcome::Win => false,
                Outcome::Loss if shape.draws() => true,
                Outcome::Loss | Outcome::Draw => continue,
            };
            let byte = shape.plane(mode, loss) as usize * plane_bytes + (index >> 3) as usize;
            memory.bytes_mut()[byte] |= 1 << (index & 7);
        }
    }
    Ok(Planar { shape, layout, memory, others: Vec::new(), kernel: "scalar", sweep_time: begin.elapsed() })
}
