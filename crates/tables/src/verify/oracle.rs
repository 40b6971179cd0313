//! Checks that labels equal the results of an independent search.
//!
//! [`labels`](super::labels()) shows that labels follow from one another. This check shows that they agree with a
//! solver of another kind. [`Search`] reads the masks of the rules itself and shares no code with any solver, with the
//! table, or with that other check. Remoteness and nimbers are compared with [`LabelSearch`], which shares only the
//! definition of the label.
//!
//! It takes much longer per position. So only a sample of a large table is checked, with the named positions that every
//! sample holds.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::sample::{Draws, label, named};
use super::{Finding, Options, Scope, byte_labels};
use crate::contents::{Contents, LabelFault};
use crate::label::{Label, Remoteness, Score};
use crate::rules::{Node, Outcome, Position};
use crate::search::{Iteration, Known, LabelSearch, LimitReached, NoIteration, Search};
use crate::table::Table;
use tablegen_labels::with_byte_label;

/// The default maximum number of positions that a search may expand per position checked. It suffices for most draws,
/// which have about half of the cells filled. If it does not suffice, the search takes a tenth of a second.
pub const ORACLE_LIMIT: u64 = 100_000;

/// The default maximum number of positions in a game whose positions may repeat. All of them are in memory: they take about a
/// gibibyte.
pub const ORACLE_POSITIONS: u64 = 2_000_000;

/// The number of draws per task; each task has one search.
const DRAWS: u64 = 16;
/// The number of positions that the searches of all named positions of a sample may expand in total: a few seconds.
const NAMED_BUDGET: u64 = 1 << 22;
/// The number of positions per task if all are checked. Up to this many, one search remembers nearly every answer.
const STRETCH: u64 = 1 << 20;
/// The number of expanded positions after which a new search replaces the old one, which remembers each of them in
/// about 40 bytes.
const REMEMBERED: u64 = 1 << 21;

/// The number of labels checked, and the results.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OracleReport {
    /// Labels that equal the search's result.
    pub right: u64,
    /// Labels whose search reached its limit, so that they were not compared.
    pub unknown: u64,
}

impl OracleReport {
    /// Counts a label as right, or as unknown.
    fn note(&mut self, is_right: bool) {
        *(if is_right { &mut self.right } else { &mut self.unknown }) += 1;
    }
}

impl std::ops::Add for OracleReport {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { right: self.right + more.right, unknown: self.unknown + more.unknown }
    }
}

/// The maximum number of positions that the oracle may look at, given the `asked` one: for each label, or for all labels of a
/// table whose positions may repeat.
#[must_use]
pub fn oracle_limit(table: &Table, asked: Option<u64>) -> u64 {
    let default = if table.may_repeat() { ORACLE_POSITIONS } else { ORACLE_LIMIT };
    asked.unwrap_or(default)
}

/// Compares every label of the table with the result of a search that uses no table. Progress counts labels.
///
/// The result does not depend on the number of threads. Memory is bounded: each thread remembers about two million
/// positions, plus at most as many as the limit allows.
///
/// # Errors
/// The first label that differs: in the order of the draws, or, if all are checked, from the fullest board down. Or
/// [`Finding::Cancelled`].
pub fn oracle(table: &Table, options: &Options<'_>) -> Result<OracleReport, Finding> {
    let (contents, limit) = (table.contents(), oracle_limit(table, options.limit));
    if table.may_repeat() {
        return iterated(table, &contents, limit, options);
    }
    let (count, stretch) = match options.scope {
        Scope::All => (contents.count(), STRETCH),
        Scope::Sample { count, .. } => (count, DRAWS),
    };
    let choose = |number: u64| match options.scope {
        // From the end: the successors of a position are checked before it, so the search remembers them.
        Scope::All => contents.unrank(contents.count() - 1 - number),
        Scope::Sample { seed, .. } => contents.unrank(Draws::new(seed, contents.count()).rank(number)),
    };
    // Tasks after a failed one can stop: their findings would not be the first.
    let failed = AtomicU64::new(u64::MAX);
    let check = |number: u64| {
        let mut asked = OracleReport::default();
        let mut oracle = Oracle::new(table, limit);
        for n in number * stretch..count.min((number + 1) * stretch) {
            if failed.load(Ordering::Relaxed) < number {
                break;
            }
            let found = choose(n).map_err(Finding::from).and_then(|position| oracle.agrees(position));
            let found = found.and_then(|found| options.tell(found.right + found.unknown).map(|()| found));
            asked = asked + found.inspect_err(|_| _ = failed.fetch_min(number, Ordering::Relaxed))?;
        }
        Ok(asked)
    };
    // The left of two findings is kept, because it is the first in order.
    let add = |a: Result<OracleReport, Finding>, b: Result<OracleReport, Finding>| Ok(a? + b?);
    let all = || (0..count.div_ceil(stretch)).into_par_iter().map(check).reduce(|| Ok(OracleReport::default()), add);
    match options.scope {
        Scope::All => all(),
        Scope::Sample { .. } => table.at_random(|| check_named(table, limit, options).and_then(|()| all())),
    }
}

/// Compares labels of a game with repeating positions with the results of value iteration. It needs all positions of the table at
/// once, and then knows every label. If there are more than `limit`, every label stays unknown. A table by regions has positions that are
/// not reachable from the starts, so iteration begins at all stored positions.
fn iterated(
    table: &Table,
    contents: &Contents<'_>,
    limit: u64,
    options: &Options<'_>,
) -> Result<OracleReport, Finding> {
    let count = match options.scope {
        Scope::All => contents.count(),
        Scope::Sample { count, .. } => count,
    };
    // Without plies, the table has outcomes alone.
    let has_plies = table.labels().contains(Remoteness::KIND);
    let kinds = 1 + u64::from(has_plies);
    let unknown = || {
        options.tell(kinds * count)?;
        Ok(OracleReport { right: 0, unknown: kinds * count })
    };
    if table.counts().total() > limit {
        return unknown();
    }
    let told = || options.tell(0).is_ok();
    let roots = match contents {
        Contents::Regions(regions) => {
            (0..regions.count()).map(|number| regions.position(number)).collect::<Result<Vec<_>, LabelFault>>()?
        }
        _ => table.domain().starts().to_vec(),
    };
    let found = match Iteration::new(table.rules(), &roots, limit, told) {
        Ok(found) => found,
        // The header counts too few, or there are many positions where a number of pieces ends the game, which it does not count.
        Err(NoIteration::Limit) => return unknown(),
        Err(NoIteration::Stopped) => return Err(Finding::Cancelled),
    };
    let check = |position: Position| {
        let expected = found.label(position).ok_or(Finding::Unreached { position })?;
        let outcome = label(table, position)?;
        if outcome != expected.outcome {
            return Err(Finding::Search { position, found: outcome, expected: expected.outcome });
        }
        if has_plies {
            compare(position, byte_labels::label::<Remoteness>(&table.contents(), position)?, expected)?;
        }
        Ok(())
    };
    let each = |number: u64| {
        let rank = match options.scope {
            Scope::All => number,
            Scope::Sample { seed, .. } => Draws::new(seed, contents.count()).rank(number),
        };
        check(contents.unrank(rank)?)?;
        options.tell(kinds)?;
        Ok(OracleReport { right: kinds, unknown: 0 })
    };
    let add = |a: Result<OracleReport, Finding>, b: Result<OracleReport, Finding>| Ok(a? + b?);
    let all = || (0..count).into_par_iter().map(each).reduce(|| Ok(OracleReport::default()), add);
    match options.scope {
        Scope::All => all(),
        Scope::Sample { .. } => table.at_random(|| {
            named(table)?.into_iter().try_for_each(check)?;
            all()
        }),
    }
}

/// Checks the named positions of a sample. The start of a large game is too far from the end for a search. So each
/// named position is first expanded once, and its label is compared with the labels of its replies. Then it is searched
/// within its share of [`NAMED_BUDGET`].
fn check_named(table: &Table, limit: u64, options: &Options<'_>) -> Result<(), Finding> {
    let named = named(table)?;
    let share = (NAMED_BUDGET / named.len().max(1) as u64).clamp(1, limit.max(1));
    let check = |positions: &[Position]| {
        let mut oracle = Oracle::new(table, share);
        // This search learns from labels, so it must be separate from the independent one.
        let mut step = Search::new(table.rules()).limit(1);
        let check = |&position: &Position| {
            options.tell(0)?;
            oracle.follows(position, &mut step)?;
            // A label that the search does not decide has still been compared with its replies.
            oracle.agrees(position).map(drop)
        };
        positions.iter().map(check).find_map(Result::err)
    };
    named.par_chunks(DRAWS as usize).find_map_first(check).map_or(Ok(()), Err)
}

/// The searches for outcomes and for each other label of the contents, reused from position to position.
struct Oracle<'a> {
    table: &'a Table,
    limit: u64,
    search: Search,
    others: Vec<Box<dyn ByteOracle>>,
}

impl<'a> Oracle<'a> {
    fn new(table: &'a Table, limit: u64) -> Self {
        let rules = table.rules();
        let of =
            |kind| with_byte_label!(kind, L => Box::new(LabelSearch::<L>::new(rules, limit)) as Box<dyn ByteOracle>);
        Self {
            table,
            limit,
            search: Search::new(rules).limit(limit),
            others: table.labels().others().map(of).collect(),
        }
    }

    /// Checks that the labels of `position` follow from the labels of its replies, according to the search's reading of
    /// the rules. `step` is a search used only for this.
    fn follows(&self, position: Position, step: &mut Search) -> Result<(), Finding> {
        let found = label(self.table, position)?;
        if self.table.rules().has_gains() {
            check_sign(self.table, position, found)?;
            return self.others.iter().try_for_each(|search| search.follows(self.table, position));
        }
        let mut fault = None;
        let mut known = Known(|reply| {
            // The position itself must be expanded; its replies are known.
            let of_reply = (reply != position).then(|| label(self.table, reply));
            of_reply?.map_err(|finding| _ = fault.get_or_insert(finding)).ok()
        });
        let expected = step.outcome_with(Node::At(position), &mut known);
        match (fault, expected) {
            (Some(fault), _) => return Err(fault),
            (None, Ok(expected)) if expected != found => return Err(Finding::Search { position, found, expected }),
            (None, _) => {}
        }
        self.others.iter().try_for_each(|search| search.follows(self.table, position))
    }

    /// Compares each label of `position` with the result of a search.
    fn agrees(&mut self, position: Position) -> Result<OracleReport, Finding> {
        let expanded = self.others.iter().map(|search| search.positions());
        if expanded.fold(self.search.expanded(), u64::max) > REMEMBERED {
            *self = Self::new(self.table, self.limit);
        }
        let mut report = OracleReport::default();
        let found = label(self.table, position)?;
        self.search.set_limit(self.limit);
        if self.table.rules().has_gains() {
            // An outcome is right if the score is.
            check_sign(self.table, position, found)?;
            for search in &mut self.others {
                let is_right = search.agrees(&mut self.search, self.table, position)?;
                report.note(is_right);
                report.note(is_right);
            }
            return Ok(report);
        }
        match self.search.outcome(Node::At(position)) {
            Ok(expected) if expected == found => report.note(true),
            Ok(expected) => return Err(Finding::Search { position, found, expected }),
            Err(LimitReached { .. }) => {
                // If a search does not find the outcome, it will not find labels that take longer either.
                return Ok(OracleReport { right: 0, unknown: self.table.labels().iter().count() as u64 });
            }
        }
        for search in &mut self.others {
            report.note(search.agrees(&mut self.search, self.table, position)?);
        }
        Ok(report)
    }
}

/// Checks that `found`, the outcome of `position` where moves gain points, is the sign of the score.
fn check_sign(table: &Table, position: Position, found: Outcome) -> Result<(), Finding> {
    let expected = byte_labels::label::<Score>(&table.contents(), position)?.into();
    if found == expected { Ok(()) } else { Err(Finding::Search { position, found, expected }) }
}

/// A search for a label of one byte.
trait ByteOracle {
    /// The number of positions expanded in all calls so far.
    fn positions(&self) -> u64;

    /// Checks that the label of `position` follows from the labels of its replies, according to the search's reading of the
    /// rules.
    fn follows(&self, table: &Table, position: Position) -> Result<(), Finding>;

    /// True if the label of `position` equals the search's result; false if the search reached its limit.
    fn agrees(&mut self, outcomes: &mut Search, table: &Table, position: Position) -> Result<bool, Finding>;
}

impl<L: Label> ByteOracle for LabelSearch<L> {
    fn positions(&self) -> u64 {
        self.expanded()
    }

    fn follows(&self, table: &Table, position: Position) -> Result<(), Finding> {
        let label = |position| byte_labels::label::<L>(&table.contents(), position);
        compare(position, label(position)?, self.step(position, label)?)
    }

    fn agrees(&mut self, outcomes: &mut Search, table: &Table, position: Position) -> Result<bool, Finding> {
        let found = byte_labels::label::<L>(&table.contents(), position)?;
        match self.label(position, outcomes) {
            Ok(expected) => compare(position, found, expected).map(|()| true),
            Err(LimitReached { .. }) => Ok(false),
        }
    }
}

fn compare<L: Label>(position: Position, found: L, expected: L) -> Result<(), Finding> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(Finding::SearchNumber { label: L::KIND, position, found, expected })
}
