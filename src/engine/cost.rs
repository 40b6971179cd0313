//! How much work each solver has with a game, and which has least.
//!
//! Work is counted in boards that the dense solver labels and writes in the same time. Every figure was measured in whole builds on two
//! cores (Zen 4).

use super::choice::{Choice, Figures, Reachable};
use tablegen_core::colourings::Frame;
use tablegen_core::contents::ColouredShape;
use tablegen_core::label::LabelSet;
use tablegen_core::plane::Shape;
use tablegen_games::Game;
use tablegen_solve::{Method, coloured};

/// The work of finding and labelling a position that play can reach. The sparse solver takes 12 to 15 million of them a second in Connect
/// Four, Snort, Col, Dawson's Kayles and trominoes, and 3 to 4 million where a move takes many cells (Node Kayles); the dense one 4 to 7
/// billion boards. A sparse table of a game in which play reaches fewer than one position in this many is also the smaller file.
const POSITION: u64 = 1 << 9;
/// The work of labelling a colouring, marking what play reaches and writing both: 1 to 3 billion a second in Connect Four, Snort and
/// Col. The work of a set of squares, and of beginning at all, as measured on m,n,k 3x3 to 4x5 and on Sim.
const COLOURING: u128 = 3;
const SET: u128 = 1 << 10;
const SWEEP: u128 = 1 << 22;
/// Up to this many colourings, any sweep is over at once, and that of colourings tells what play reaches.
const AT_ONCE: u128 = 1 << 22;
/// Up to this much work of the sweep of colourings, they are marked rather than counted: it takes 50 milliseconds.
const MARKED_AT_ONCE: u128 = 1 << 29;
/// Counting takes at most this part of the time that the sweep takes.
const COUNTING: u128 = 32;
/// Up to this many positions are counted of any game, which takes a few milliseconds; if colourings are the alternative, up to fewer.
const ALWAYS_COUNTED: u128 = 1 << 16;
const FEW: u128 = 1 << 14;
/// At most this many are counted: it takes a fraction of a second.
const MOST_COUNTED: u64 = 1 << 20;
/// The sparse solver holds every position in memory, in 4 to 20 bytes each. It is not chosen for more positions than this unless
/// there is no other way: most machines have the memory for them.
const MOST_HELD: u64 = 1 << 29;
/// The planes of a game larger than this are not made without being asked for, however many positions play reaches. What does not
/// fit into memory goes through the disk: a sketch did so with a plane of 2^42 boards, in half an hour and 42 GB of disk. What is
/// larger takes more of both than is spent unasked.
const MOST_PLANES: u64 = 512 << 30;

/// The solver with less work, if play reaches `reached` positions.
pub(super) fn of_less_work(game: &dyn Game, reached: Reachable) -> Choice {
    Work::of(game).choice(reached)
}

/// The sweep that solves `game` while someone waits; `None` if none does.
pub(super) fn swept_on_the_spot(game: &dyn Game) -> Option<Method> {
    /// Boards that the dense solver labels meanwhile; it is also the largest game that is small by the contract.
    const BOARDS: u128 = 1 << 24;
    /// Colourings: 0.1 seconds on one core.
    const COLOURINGS: u128 = 1 << 26;
    if game.rules().sweep_obstacle().is_some() {
        return None;
    }
    let work = Work::of(game);
    match (work.sweep().0, &work.colourings) {
        (Method::Coloured, Some(colourings)) if colourings.positions <= COLOURINGS => Some(Method::Coloured),
        _ => (work.every <= BOARDS).then_some(Method::Dense),
    }
}

/// How much work the two sweeps are, in boards that the dense one labels in the same time.
pub(super) struct Work {
    every: u128,
    every_bytes: Option<u64>,
    colourings: Option<Colourings>,
}

/// The sweep of colourings of a game that has it.
pub(super) struct Colourings {
    pub(super) frame: Frame,
    positions: u128,
    work: u128,
    bytes: u64,
}

impl Work {
    pub(super) fn of(game: &dyn Game) -> Self {
        let rules = game.rules();
        let colourings = coloured(rules, &game.roots()).ok().and_then(|frame| {
            let positions = u128::from(frame.count()?);
            let work = positions * COLOURING + (SET << frame.size()) + SWEEP;
            let bytes = ColouredShape::new(&frame, rules).bytes(LabelSet::OUTCOME)?;
            Some(Colourings { frame, positions, work, bytes })
        });
        Self { every: rules.positions(), every_bytes: Shape::of(rules).bytes(), colourings }
    }

    /// The solver with less work, if play reaches `reached` positions.
    pub(super) fn choice(&self, reached: Reachable) -> Choice {
        let (sweep, planes) = self.sweep();
        let count = reached.likely();
        let few = u128::from(count) * u128::from(POSITION) <= self.of_sweep();
        let fits = planes.is_some_and(|bytes| bytes <= MOST_PLANES);
        // Nothing but a lower bound may be known.
        let is_known = reached.positions.or(reached.about).is_some();
        let (method, reason) = if few && is_known && count <= MOST_HELD {
            (Method::Sparse, "play reaches few positions")
        } else if !fits {
            (Method::Sparse, "it has more positions than most disks hold")
        } else if few && is_known {
            (sweep, "play reaches more positions than most memories hold")
        } else if few && sweep == Method::Dense {
            (sweep, "play reaches too many positions to count")
        } else {
            (sweep, "less work than finding those that play reaches")
        };
        let colourings = self.colourings.as_ref().map(|colourings| colourings.positions);
        Choice { method, reason: reason.into(), figures: Some(Figures { all: self.every, colourings, reached }) }
    }

    /// The sweep with less work, and the bytes of its planes.
    fn sweep(&self) -> (Method, Option<u64>) {
        match &self.colourings {
            Some(colourings) if colourings.work < self.every || colourings.positions <= AT_ONCE => {
                (Method::Coloured, Some(colourings.bytes))
            }
            _ => (Method::Dense, self.every_bytes),
        }
    }

    /// The colourings, if they are marked in less time than counting takes that is worth it otherwise.
    pub(super) fn marked_at_once(&self) -> Option<&Colourings> {
        self.colourings.as_ref().filter(|colourings| colourings.work <= MARKED_AT_ONCE)
    }

    fn of_sweep(&self) -> u128 {
        match (self.sweep(), &self.colourings) {
            ((Method::Coloured, _), Some(colourings)) => colourings.work,
            _ => self.every,
        }
    }

    /// How many positions are counted before their number is estimated.
    pub(super) fn worth_counting(&self) -> u64 {
        let always = if self.sweep().0 == Method::Coloured { FEW } else { ALWAYS_COUNTED };
        let most = (self.of_sweep() / (u128::from(POSITION) * COUNTING)).max(always);
        u64::try_from(most).unwrap_or(u64::MAX).min(MOST_COUNTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_core::rules::{Descriptor, RulesSpec};
    use tablegen_games::Plain;

    #[test]
    fn the_solver_with_less_work() {
        let method = |cells, reached| {
            let game = Plain::new(RulesSpec::new("r", cells).build().unwrap(), Descriptor::default());
            of_less_work(&game, reached).method
        };
        assert_eq!(method(30, Reachable::exactly(1 << 21)), Method::Sparse);
        assert_eq!(method(30, Reachable::exactly((1 << 21) + 1)), Method::Dense);
        assert_eq!(method(16, Reachable::more_than(1 << 16)), Method::Dense);
        // Estimated: as long as most memories hold them.
        assert_eq!(method(40, Reachable::estimated(MOST_COUNTED, Some(1 << 29))), Method::Sparse);
        assert_eq!(method(40, Reachable::estimated(MOST_COUNTED, Some((1 << 29) + 1))), Method::Dense);
        assert_eq!(method(30, Reachable::estimated(MOST_COUNTED, Some(1 << 29))), Method::Dense);
        // Nothing is known but that there are many: planes of up to 512 GiB are made, larger ones are not.
        assert_eq!(method(42, Reachable::more_than(MOST_COUNTED)), Method::Dense);
        assert_eq!(method(43, Reachable::more_than(MOST_COUNTED)), Method::Sparse);
        assert_eq!(method(64, Reachable::more_than(MOST_COUNTED)), Method::Sparse);
    }
}
