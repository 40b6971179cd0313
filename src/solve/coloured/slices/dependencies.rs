//! The other slices that a slice of colourings depends on.

use super::super::plan::Plan;
use super::super::set_order::Cut;

/// The dependencies between all slices, by the moves that fill top squares.
pub(super) struct Dependencies {
    /// The effects of such moves on top squares, each once.
    moves: Vec<Dependency>,
}

/// The effect of a move on top squares, and its condition on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    free: u64,
    occupied: u64,
    takes: u64,
    /// The squares of `takes` that may have been occupied before.
    maybe: u64,
}

impl Dependency {
    const fn is_legal(&self, slice: u64) -> bool {
        slice & self.free == 0 && !slice & self.occupied == 0
    }
}

impl Dependencies {
    pub(super) fn new(plan: &Plan, cut: Cut) -> Self {
        let dependencies = plan.moves.iter().flatten().map(|play| Dependency {
            free: cut.slice(play.when.free),
            occupied: cut.slice(play.when.occupied),
            takes: cut.slice(play.takes),
            maybe: cut.slice(play.maybe),
        });
        let mut moves: Vec<Dependency> = dependencies.filter(|dependency| dependency.takes != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { moves }
    }

    /// The slices that `slice` depends on, from the largest number down: those that moves lead to, or with `of_marks`
    /// those that moves come from.
    pub(super) fn needed(&self, slice: u64, of_marks: bool) -> Vec<u64> {
        let mut found = Vec::new();
        for dependency in &self.moves {
            if !of_marks {
                found.extend(dependency.is_legal(slice).then_some(slice | dependency.takes));
            } else if dependency.takes & !slice == 0 {
                // Every choice of the squares that were occupied before.
                let mut held = dependency.maybe;
                loop {
                    let before = slice & !dependency.takes | held;
                    found.extend(dependency.is_legal(before).then_some(before));
                    if held == 0 {
                        break;
                    }
                    held = (held - 1) & dependency.maybe;
                }
            }
        }
        found.retain(|&other| other != slice);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }
}
