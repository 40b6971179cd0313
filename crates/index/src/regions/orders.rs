//! Which colour comes first in each mode.
//!
//! In the index of a region, the colour that comes first makes the rows: consecutive numbers share its squares. Positions just after a
//! move have a second index, that of *arrivals*, in which the same colour comes first as in the mode before the move. So if moves of a
//! mode leave that colour alone, such as the pieces of the side that is not to move, a move and its undoing stay within one row.

use super::Planes;
use crate::rules::{Move, Rules};

/// For each mode, whether the second colour comes first: in the index of the positions, and in the index of arrivals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orders {
    positions: Vec<bool>,
    arrivals: Vec<bool>,
    /// True if no move, without what it takes, changes the colour that comes first in its mode.
    keeps_rows: bool,
}

impl Orders {
    /// The orders of `rules`, where `swap` has for each mode the mode that is stored in its place with the colours exchanged. `None` if moves
    /// ask for both orders of arrivals in one mode.
    pub(super) fn new(rules: &Rules, planes: &Planes, swap: &[Option<u16>]) -> Option<Self> {
        let modes = rules.modes().len();
        let mut classes = Classes::new(2 * modes);
        let is_stored = |m: &&Move| swap[usize::from(m.mode.0)].is_none();
        let stored = || rules.moves().iter().filter(is_stored);
        for m in stored() {
            let (from, next) = (usize::from(m.mode.0), usize::from(m.next.0));
            let (to, is_turned) = swap[next].map_or((next, false), |stored| (usize::from(stored), true));
            if !classes.join(from, modes + to, is_turned) {
                return None;
            }
        }
        // Each move that changes one colour only votes for the other to come first.
        let mut votes = vec![0i64; 2 * modes];
        let changed = |m: &Move| {
            let cells = (m.fills | m.clears).low_word();
            let [first, second, _] = planes.masks();
            (cells & first != 0, cells & second != 0)
        };
        for m in stored() {
            let (class, is_turned) = classes.of(m.mode.0.into());
            let vote = match changed(m) {
                (true, false) => 1,
                (false, true) => -1,
                _ => 0,
            };
            votes[class] += if is_turned { -vote } else { vote };
        }
        let turned = |classes: &mut Classes, at: usize| {
            let (class, is_turned) = classes.of(at);
            (votes[class] > 0) != is_turned
        };
        let positions: Vec<bool> = (0..modes).map(|mode| turned(&mut classes, mode)).collect();
        let arrivals = (0..modes).map(|mode| turned(&mut classes, modes + mode)).collect();
        let keeps = |m: &Move| match (changed(m), positions[usize::from(m.mode.0)]) {
            ((first, _), false) => !first,
            ((_, second), true) => !second,
        };
        let keeps_rows = stored().all(keeps);
        Some(Self { positions, arrivals, keeps_rows })
    }

    /// Returns whether the second colour comes first in the index of the positions in `mode`.
    #[inline]
    #[must_use]
    pub fn is_turned(&self, mode: u16) -> bool {
        self.positions[usize::from(mode)]
    }

    /// Returns whether the second colour comes first in the index of arrivals in `mode`.
    #[inline]
    #[must_use]
    pub fn is_turned_on_arrival(&self, mode: u16) -> bool {
        self.arrivals[usize::from(mode)]
    }

    /// Returns whether no move, without what it takes, changes the colour that comes first.
    #[must_use]
    pub const fn keeps_rows(&self) -> bool {
        self.keeps_rows
    }
}

/// Classes of things that have the same order, or opposite orders: disjoint sets with a parity.
struct Classes(Vec<(usize, bool)>);

impl Classes {
    fn new(count: usize) -> Self {
        Self((0..count).map(|thing| (thing, false)).collect())
    }

    /// The representative of the class of `thing`, and whether their orders are opposite.
    fn of(&mut self, thing: usize) -> (usize, bool) {
        let (parent, is_opposite) = self.0[thing];
        if parent == thing {
            return (thing, false);
        }
        let (root, more) = self.of(parent);
        self.0[thing] = (root, is_opposite != more);
        self.0[thing]
    }

    /// Joins two classes; returns `false` if that is a contradiction.
    fn join(&mut self, a: usize, b: usize, is_opposite: bool) -> bool {
        let ((a, a_turned), (b, b_turned)) = (self.of(a), self.of(b));
        let is_opposite = is_opposite != (a_turned != b_turned);
        if a == b {
            return !is_opposite;
        }
        self.0[b] = (a, is_opposite);
        true
    }
}
