//! The scalar twin: the obvious program, one position at a time. What every fast path must equal bit for bit.

use std::time::Instant;

use super::memory::Memory;
use super::{Solution, SolveError};
use crate::plane::{Layout, Planes, Shape};
use crate::rules::{Board, Mode, Outcome, Position, Rules};

/// Solves `rules` one position at a time, from the full board down, in safe and plain Rust.
///
/// # Errors
/// Where the rules are not sound or there is not enough memory.
pub fn solve(rules: &Rules) -> Result<Solution, SolveError> {
    solve_in(rules, Layout::reading_order(rules.cells()))
}

/// As [`solve`], with the planes in the order of `layout`.
///
/// # Errors
/// As [`solve`].
pub fn solve_in(rules: &Rules, layout: Layout) -> Result<Solution, SolveError> {
    let shape = Shape::of(rules);
    let mut memory = Memory::new(shape)?;
    let plane_bytes = shape.plane_bytes().unwrap_or_default() as usize;
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
    Ok(Solution { shape, layout, memory, kernel: "scalar", sweep_time: begin.elapsed() })
}
