//! Checking a table against a solver that is none of its own: plain search.
//!
//! [`verify_labels`](crate::table::verify_labels) shows that labels follow from one another. This shows that they are
//! what looking ahead finds: [`Search`] reads the masks of the rules itself and shares no code with either solver, with
//! the table, or with that other check. It costs much more a position, so of a large table a sample is asked.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::rules::{Board, Mode, Node, Position};
use crate::solve::{Search, Unknown};
use crate::table::{Finding, Labels, Table, TableFault};

/// Positions that a search may expand for one question, where nobody says otherwise: enough for the positions that are
/// drawn, with half of the cells filled or so, and a tenth of a second for one that is not.
pub const LIMIT: u64 = 100_000;

/// Draws that one task takes at a time, with one search.
const DRAWS: u64 = 16;
/// Positions that one task takes at a time where all are asked: up to so many, one search remembers nearly every answer.
const STRETCH: u64 = 1 << 20;
/// Positions that a search may have expanded before a new one takes over: it remembers each, in some 40 bytes.
const REMEMBERED: u64 = 1 << 21;

/// How many positions were asked, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Positions whose label is the outcome that the search found.
    pub right: u64,
    /// Positions whose search reached its limit: nothing is known of their labels.
    pub unknown: u64,
}

/// Compares labels with the outcomes that a [`Search`] without any table finds, expanding at most `limit` positions for
/// each. A sample is drawn evenly from the positions that the table holds: of a table of every position, from every
/// mode and board. `progress` is told of positions as they are done.
///
/// What is found does not depend on the number of threads. Memory is bounded: each thread remembers some two million
/// positions, and `limit` more.
///
/// # Errors
/// The first label that differs: in the order of the draws, or, where all are asked, from the fullest board down.
pub fn verify_oracle(
    table: &Table,
    labels: Labels,
    limit: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Checked, Finding> {
    let positions = Positions::of(table);
    let (count, stretch) = match labels {
        Labels::All => (positions.count, STRETCH),
        Labels::Sample { .. } if positions.count == 0 => return Ok(Checked::default()),
        Labels::Sample { count, .. } => (count, DRAWS),
    };
    let choose = |n: u64| match labels {
        // From the end: what a position leads to was asked before it, and is remembered.
        Labels::All => positions.at(positions.count - 1 - n),
        Labels::Sample { seed, .. } => {
            positions.at(fastrand::Rng::with_seed(seed.wrapping_add(n)).u64(..positions.count))
        }
    };
    // Stretches behind one that has failed need not be looked at: what they find is not the first.
    let failed = AtomicU64::new(u64::MAX);
    let check = |number: u64| {
        let mut asked = Checked::default();
        let mut oracle = Oracle::new(table, limit)?;
        for n in number * stretch..count.min((number + 1) * stretch) {
            if failed.load(Ordering::Relaxed) < number {
                break;
            }
            let right = choose(n).and_then(|position| oracle.agrees(position));
            match right.inspect_err(|_| _ = failed.fetch_min(number, Ordering::Relaxed))? {
                true => asked.right += 1,
                false => asked.unknown += 1,
            }
            progress(1);
        }
        Ok(asked)
    };
    // Of two findings the one to the left stands: the first in order.
    let add = |a: Result<Checked, Finding>, b: Result<Checked, Finding>| {
        let (a, b) = (a?, b?);
        Ok(Checked { right: a.right + b.right, unknown: a.unknown + b.unknown })
    };
    (0..count.div_ceil(stretch)).into_par_iter().map(check).reduce(|| Ok(Checked::default()), add)
}

/// The positions that a table holds, numbered so that moves lead to larger numbers.
struct Positions<'a> {
    table: &'a Table,
    count: u64,
}

impl<'a> Positions<'a> {
    fn of(table: &'a Table) -> Self {
        let every = table.rules().positions() as u64;
        Self { table, count: table.reached().map_or(every, |reached| reached.levels().count()) }
    }

    fn at(&self, number: u64) -> Result<Position, Finding> {
        let Some(reached) = self.table.reached() else {
            let modes = self.table.rules().modes().len() as u64;
            return Ok(Position::new(Mode((number % modes) as u16), Board(number / modes)));
        };
        let found = reached.levels().at(number).and_then(|(level, index)| Some((reached.level(level)?, index)));
        let malformed = TableFault::Malformed("its levels hold fewer positions than they count");
        let (level, index) = found.ok_or(Finding::Bytes(malformed))?;
        level.position(index).map_err(|misplaced| Finding::Bytes(misplaced.into()))
    }
}

/// A search that is asked of one position after the other.
struct Oracle<'a> {
    table: &'a Table,
    limit: u64,
    search: Search,
}

impl<'a> Oracle<'a> {
    fn new(table: &'a Table, limit: u64) -> Result<Self, Finding> {
        let search = Search::new(table.rules()).limit(limit);
        Ok(Self { table, limit, search })
    }

    /// Whether the label of `position` is the outcome found; `false` where none was found within the limit.
    fn agrees(&mut self, position: Position) -> Result<bool, Finding> {
        let found = self.table.outcome(position).map_err(|error| match error.fault {
            TableFault::Conflict(_) => Finding::Conflict { position },
            fault => Finding::Bytes(fault),
        })?;
        if self.search.expanded() > REMEMBERED {
            *self = Self::new(self.table, self.limit)?;
        }
        match self.search.outcome(Node::At(position)) {
            Ok(expected) if expected == found => Ok(true),
            Ok(expected) => Err(Finding::Oracle { position, found, expected }),
            Err(Unknown { .. }) => Ok(false),
        }
    }
}
