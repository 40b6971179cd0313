//! Which other slices a slice of colourings needs.

use super::super::plan::Plan;
use super::super::set_order::Cut;

/// What moves do with top squares.
pub(super) struct Dependencies {
    /// Each once, none that takes no top square.
    moves: Vec<Dependency>,
}

/// What a move asks of the top squares, and what it takes of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    free: u64,
    occupied: u64,
    takes: u64,
    /// Those that it takes and that may have been occupied before.
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

    /// The other slices that moves lead to from `slice`, or come from to it if it is marked what play reaches: from the
    /// largest number down, each once.
    pub(super) fn needed(&self, slice: u64, of_marks: bool) -> Vec<u64> {
        let mut found = Vec::new();
        for dependency in &self.moves {
            if !of_marks {
                found.extend(dependency.is_legal(slice).then_some(slice | dependency.takes));
            } else if dependency.takes & !slice == 0 {
                // Each choice of those that were occupied before.
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
