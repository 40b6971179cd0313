//! Which other regions a region of colourings needs.

use super::super::area::Cut;
use super::super::plan::Plan;

/// What moves do with top squares.
pub(super) struct Crossings {
    /// Each once, none that takes no top square.
    moves: Vec<Crossing>,
}

/// What a move asks of the top squares, and what it takes of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Crossing {
    free: u64,
    occupied: u64,
    takes: u64,
    /// Those that it takes and that may have been occupied before.
    maybe: u64,
}

impl Crossing {
    const fn is_legal(&self, region: u64) -> bool {
        region & self.free == 0 && !region & self.occupied == 0
    }
}

impl Crossings {
    pub(super) fn new(plan: &Plan, cut: Cut) -> Self {
        let crossings = plan.moves.iter().flatten().map(|play| Crossing {
            free: cut.region(play.when.free),
            occupied: cut.region(play.when.occupied),
            takes: cut.region(play.takes),
            maybe: cut.region(play.maybe),
        });
        let mut moves: Vec<Crossing> = crossings.filter(|crossing| crossing.takes != 0).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { moves }
    }

    /// The other regions that moves lead to from `region`, or come from to it if it is marked what play reaches: from the
    /// largest number down, each once.
    pub(super) fn needed(&self, region: u64, of_marks: bool) -> Vec<u64> {
        let mut found = Vec::new();
        for crossing in &self.moves {
            if !of_marks {
                found.extend(crossing.is_legal(region).then_some(region | crossing.takes));
            } else if crossing.takes & !region == 0 {
                // Each choice of those that were occupied before.
                let mut held = crossing.maybe;
                loop {
                    let before = region & !crossing.takes | held;
                    found.extend(crossing.is_legal(before).then_some(before));
                    if held == 0 {
                        break;
                    }
                    held = (held - 1) & crossing.maybe;
                }
            }
        }
        found.retain(|&other| other != region);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }
}
