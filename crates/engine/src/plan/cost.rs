//! The work that each solver has with a game, and what its labels take.
//!
//! The unit is the time in which the dense solver labels and writes one board. Every figure was measured in whole
//! builds on two cores (Zen 4).

use crate::plan::choice::{Choice, Figures, Reachable, SolverCost};
use tablegen_games::Game;
use tablegen_index::colourings::{ColouredShape, Frame};
use tablegen_index::plane::Shape;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Method, ValuedBoards, coloured};

/// The work of finding and labelling one reachable position. The sparse solver does 12 to 15 million positions a second
/// in Connect Four, Snort, Col, Dawson's Kayles and trominoes. Where a move takes many cells (Node Kayles), it does 3
/// to 4 million. The dense solver does 4 to 7 billion boards. If less than 1 in 512 positions is reachable, the sparse
/// table is also the smaller file.
const POSITION: u64 = 1 << 9;
/// The work of one colouring, labelled, marked as reachable and written: 1 to 3 billion a second in Connect Four, Snort
/// and Col. Next, the work of one occupied set, and of starting a sweep, as measured on m,n,k 3x3 to 4x5 and on Sim.
const COLOURING: u128 = 3;
const SET: u128 = 1 << 10;
const SWEEP: u128 = 1 << 22;
/// With at most this many colourings, any sweep ends at once, and a sweep of colourings also finds the reachable ones.
const AT_ONCE: u128 = 1 << 22;
/// With at most this much work in a sweep of colourings, reachable ones are marked rather than counted, in at most 50
/// ms.
const MARKED_AT_ONCE: u128 = 1 << 29;
/// Counting may take 1/8 of the time of the sweep. If there are more positions, they are also sampled, which takes some
/// tenths of a second.
const COUNTING: u128 = 8;
/// In any game, up to this many positions are counted, which takes a few milliseconds. Next, the smaller limit for
/// games that can be swept by colourings.
const ALWAYS_COUNTED: u128 = 1 << 16;
const FEW: u128 = 1 << 14;
/// At most this many positions are counted: it takes a fraction of a second.
const MOST_COUNTED: u64 = 1 << 20;
/// The sparse solver holds every position in memory, in 4 to 20 bytes. It is not chosen for more positions than this
/// unless there is no other way. Most machines have enough memory for this many.
const MOST_HELD: u64 = 1 << 29;
/// The most bytes that it takes for a position.
const HELD_BYTES: u64 = 20;
/// By default, no game is swept whose table takes more bytes than this, however many positions are reachable. A
/// sweep that does not fit into memory goes through the disk. A bit plane of 2^42 boards took half an hour and 42 GB of
/// disk. Larger games take more time and disk than a default should use.
const MOST_FILE: u64 = DENSE.compressed_bytes(512 << 30);

/// The costs of a solver's labels, and the operations that they allow.
pub(crate) struct SolverTraits {
    /// Large tables are compressed by default. Tables of reachable positions consist mostly of keys, which do not
    /// compress.
    pub(crate) compresses: bool,
    /// The expected size of labels after compression, as a fraction.
    compressed: (u64, u64),
    /// The best compression ratio that a disk check assumes.
    pub(crate) most_compressed: u64,
    /// The boards of a table that have values: every board if the table has every board.
    pub(crate) valued: ValuedBoards,
    /// Labels can be added to an older table. They cannot where positions may repeat, because labels follow in no order.
    pub(crate) adds_labels: bool,
}

/// Outcomes of Tactics, dominoes and m,n,k shrink to 0.23 to 0.44 of their size.
const DENSE: SolverTraits = SolverTraits {
    compresses: true,
    compressed: (3, 10),
    most_compressed: 8,
    valued: ValuedBoards::Every,
    adds_labels: true,
};
/// Colourings with reachability bits shrink to 0.19 for m,n,k 4x5, to 0.04 to 0.16 for Snort, Col and Connect Four, and
/// to 0.02 for Connect Four 6x6, where many sets have a complete line.
const COLOURED: SolverTraits =
    SolverTraits { compressed: (2, 25), most_compressed: 64, valued: ValuedBoards::Reached, ..DENSE };
const SPARSE: SolverTraits = SolverTraits {
    compresses: false,
    compressed: (1, 1),
    most_compressed: 1,
    valued: ValuedBoards::Reached,
    adds_labels: true,
};
const CYCLIC: SolverTraits = SolverTraits { adds_labels: false, ..SPARSE };
/// Outcomes and remoteness of men that move shrink to 0.3 to 0.5 of their size. There are no keys.
const REGIONS: SolverTraits = SolverTraits {
    compresses: true,
    compressed: (1, 2),
    most_compressed: 8,
    valued: ValuedBoards::Reached,
    adds_labels: false,
};

impl SolverTraits {
    pub(crate) const fn of(method: Method) -> &'static Self {
        match method {
            Method::Dense => &DENSE,
            Method::Coloured => &COLOURED,
            Method::Sparse => &SPARSE,
            Method::Cyclic => &CYCLIC,
            Method::Regions => &REGIONS,
        }
    }

    /// The expected size of `bytes` bytes of labels after compression.
    pub(crate) const fn compressed_bytes(&self, bytes: u64) -> u64 {
        bytes / self.compressed.1 * self.compressed.0
    }
}

/// The solver with less work, given the number of reachable positions `reached`.
pub(crate) fn of_less_work(game: &dyn Game, reached: Reachable) -> Choice {
    SweepCosts::of(game).choice(reached)
}

/// The sweep that can solve `game` while the user waits; `None` if none can.
pub(crate) fn swept_on_demand(game: &dyn Game) -> Option<Method> {
    /// Boards that the dense solver labels in that time; also the largest game that counts as small.
    const BOARDS: u128 = 1 << 24;
    /// Colourings that are labelled in that time: 0.1 s on one core.
    const COLOURINGS: u128 = 1 << 26;
    if game.rules().sweep_obstacle().is_some() {
        return None;
    }
    let work = SweepCosts::of(game);
    match (work.sweep().0, &work.colourings) {
        (Method::Coloured, Some(colourings)) if colourings.positions <= COLOURINGS => Some(Method::Coloured),
        _ => (work.every <= BOARDS).then_some(Method::Dense),
    }
}

/// The work of the two sweeps, in boards that the dense sweep labels in the same time.
pub(crate) struct SweepCosts {
    every: u128,
    every_bytes: Option<u64>,
    colourings: Option<Colourings>,
}

/// The sweep of colourings, for a game of two colours.
struct Colourings {
    frame: Frame,
    positions: u128,
    work: u128,
    bytes: u64,
}

impl SweepCosts {
    pub(crate) fn of(game: &dyn Game) -> Self {
        let rules = game.rules();
        let colourings = coloured(rules, &game.roots()).ok().and_then(|frame| {
            let positions = u128::from(frame.count()?);
            let work = positions * COLOURING + SET * u128::from(frame.offsets().sets()) + SWEEP;
            let bytes = ColouredShape::new(&frame, rules).bytes(LabelSet::OUTCOME, rules)?;
            Some(Colourings { frame, positions, work, bytes })
        });
        Self { every: rules.positions(), every_bytes: Shape::of(rules).bytes(), colourings }
    }

    /// The solver with less work, given the number of reachable positions `reached`.
    pub(crate) fn choice(&self, reached: Reachable) -> Choice {
        let (sweep, planes) = self.sweep();
        let count = reached.likely();
        let few = u128::from(count) * u128::from(POSITION) <= self.of_sweep();
        let fits = planes.is_some_and(|bytes| SolverTraits::of(sweep).compressed_bytes(bytes) <= MOST_FILE);
        // A lower bound alone does not show that few positions are reachable.
        let is_known = reached.known().is_some();
        let (method, reason) = if few && is_known && count <= MOST_HELD {
            (Method::Sparse, "few positions are reachable")
        } else if !fits && reached == Reachable::Unknown {
            (Method::Sparse, "no table can hold its positions, so they are searched")
        } else if !fits {
            (Method::Sparse, "a table of all positions is too large for most disks")
        } else if few && is_known {
            (sweep, "the reachable positions are too many for most memories")
        } else if few && sweep == Method::Dense {
            (sweep, "the reachable positions are too many to count")
        } else {
            (sweep, "less work than finding the reachable positions")
        };
        let colourings = self.colourings.as_ref().map(|colourings| colourings.positions);
        let figures = || Figures { all: self.every, colourings, reached, costs: self.costs(count) };
        Choice { method, reason: reason.into(), figures: (reached != Reachable::Unknown).then(figures) }
    }

    /// The cost of each solver if `count` positions are reachable, the least work first.
    fn costs(&self, count: u64) -> Vec<SolverCost> {
        let sparse = u128::from(count) * u128::from(POSITION);
        let of = |colourings: &Colourings| (Method::Coloured, colourings.work, Some(colourings.bytes));
        let sweeps = [Some((Method::Dense, self.every, self.every_bytes)), self.colourings.as_ref().map(of)];
        let all = sweeps.into_iter().flatten().chain([(Method::Sparse, sparse, count.checked_mul(HELD_BYTES))]);
        let mut costs: Vec<_> = all.map(|(method, work, bytes)| SolverCost { method, work, bytes }).collect();
        costs.sort_by_key(|cost| cost.work);
        costs
    }

    /// The sweep with less work, and the bytes of its bit planes.
    fn sweep(&self) -> (Method, Option<u64>) {
        match &self.colourings {
            Some(colourings) if colourings.work < self.every || colourings.positions <= AT_ONCE => {
                (Method::Coloured, Some(colourings.bytes))
            }
            _ => (Method::Dense, self.every_bytes),
        }
    }

    /// The frame of the colourings, if marking the reachable ones is quick enough to replace counting.
    pub(crate) fn marked_at_once(&self) -> Option<&Frame> {
        let colourings = self.colourings.as_ref().filter(|colourings| colourings.work <= MARKED_AT_ONCE);
        colourings.map(|colourings| &colourings.frame)
    }

    /// The frame of a two-colour game.
    pub(crate) fn frame(self) -> Option<Frame> {
        self.colourings.map(|colourings| colourings.frame)
    }

    fn of_sweep(&self) -> u128 {
        match (self.sweep(), &self.colourings) {
            ((Method::Coloured, _), Some(colourings)) => colourings.work,
            _ => self.every,
        }
    }

    /// The number of positions to count before estimating instead.
    pub(crate) fn worth_counting(&self) -> u64 {
        let always = if self.sweep().0 == Method::Coloured { FEW } else { ALWAYS_COUNTED };
        let most = (self.of_sweep() / (u128::from(POSITION) * COUNTING)).max(always);
        u64::try_from(most).unwrap_or(u64::MAX).min(MOST_COUNTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_games::Plain;
    use tablegen_rules::{Descriptor, RulesSpec};

    #[test]
    fn the_solver_with_less_work_is_chosen() {
        let method = |cells, reached| {
            let game = Plain::new(RulesSpec::new("r", cells).build().unwrap(), Descriptor::default());
            of_less_work(&game, reached).method
        };
        assert_eq!(method(30, Reachable::Exactly(1 << 21)), Method::Sparse);
        assert_eq!(method(30, Reachable::Exactly((1 << 21) + 1)), Method::Dense);
        assert_eq!(method(16, Reachable::more_than(1 << 16, None)), Method::Dense);
        // Estimated numbers: sparse if most memories hold them.
        assert_eq!(method(40, Reachable::more_than(MOST_COUNTED, Some(1 << 29))), Method::Sparse);
        assert_eq!(method(40, Reachable::more_than(MOST_COUNTED, Some((1 << 29) + 1))), Method::Dense);
        assert_eq!(method(30, Reachable::more_than(MOST_COUNTED, Some(1 << 29))), Method::Dense);
        // Only a lower bound: bit planes of up to 512 GiB are made, larger ones are not.
        assert_eq!(method(42, Reachable::more_than(MOST_COUNTED, None)), Method::Dense);
        assert_eq!(method(43, Reachable::more_than(MOST_COUNTED, None)), Method::Sparse);
        assert_eq!(method(64, Reachable::more_than(MOST_COUNTED, None)), Method::Sparse);
    }
}
