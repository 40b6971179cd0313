//! The plies to the end of play, computed from outcomes alone, in games whose positions may repeat.
//!
//! A table lacks plies if best play is longer than remoteness holds ([`Table::lacks_plies`](crate::table::Table::lacks_plies)).
//! Its outcomes say who wins, but a player who only keeps the outcome may move in a circle for ever. Whoever needs progress
//! computes the plies of all positions in memory: the check of labels, a line of best play, and certificates.
//!
//! A move *keeps* the outcome of a position if its player has the same outcome after it. The keeping moves are looked up
//! once and stored by the position that they lead to. No move is undone, so the computation shares no code with the solvers:
//!
//! ```text
//! round 0: positions without a move, or with a terminal pattern
//! round d: wins with a keeping move to round d - 1; losses and draws whose last keeping move leads to round d - 1
//! ```
//!
//! Wins and losses that no round reaches are wrong: they follow from one another around a cycle. Draws that no round reaches
//! are draws by repetition.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::contents::{LabelFault, Sparse};
use crate::label::Value;
use crate::rules::{Outcome, Position, Rules};
use crate::table::{Table, TableError};
use crate::verify::Finding;

/// The plies of a position that no round has reached.
const NONE: u32 = u32::MAX;
/// The number of positions per task, and between two calls of the watching function.
const STRETCH: u64 = 1 << 12;
const BATCH: u64 = 1 << 20;

/// Called now and then; stops the work by returning an error.
pub type Watch<'a> = &'a dyn Fn() -> Result<(), Finding>;

/// The plies of all positions of a table, by rank: 4 bytes of memory per stored position.
pub struct Plies(Vec<u32>);

/// The reason why the plies of a table are not known.
#[derive(Debug)]
pub enum NoPlies {
    /// The caller stopped the work.
    Stopped,
    /// The table is damaged.
    Table(TableError),
    /// The labels of the table contradict each other.
    Contradiction,
}

impl Plies {
    /// The plies of `table` if it lacks them, and `None` if it does not. `watch` is called now and then.
    ///
    /// # Errors
    /// If the table is damaged or `watch` stops the work.
    pub fn of_table(table: &Table, watch: &dyn Fn() -> ControlFlow<()>) -> Result<Option<Self>, NoPlies> {
        let Some(sparse) = table.contents().only_reachable().filter(|_| table.lacks_plies()) else { return Ok(None) };
        let tell = || if watch().is_break() { Err(Finding::Cancelled) } else { Ok(()) };
        Self::of(table.rules(), sparse, &tell).map(Some).map_err(|finding| match finding {
            Finding::Cancelled => NoPlies::Stopped,
            Finding::Bytes(fault) => NoPlies::Table(table.error(fault)),
            _ => NoPlies::Contradiction,
        })
    }

    /// The plies of all positions of `sparse`, which are positions of `rules`. Meanwhile it takes some 20 bytes of memory for
    /// each stored position, and 8 bytes for each move that keeps the outcome.
    ///
    /// # Errors
    /// If the table is damaged or lacks a reachable position, memory is insufficient, or `watch` stops the work.
    pub fn of(rules: &Rules, sparse: Sparse<'_>, watch: Watch<'_>) -> Result<Self, Finding> {
        let too_large = || Finding::TooLarge { positions: sparse.count() };
        if u32::try_from(sparse.count()).is_err() {
            return Err(too_large());
        }
        let moves = KeepingMoves::of(rules, sparse, watch)?.ok_or_else(too_large)?;
        moves.plies(watch).map(Self)
    }

    /// The plies of the position of rank `rank`; `None` if play there has no end.
    #[must_use]
    pub fn of_rank(&self, rank: u64) -> Option<u32> {
        Some(self.0[rank as usize]).filter(|&plies| plies != NONE)
    }

    /// `value`, which is that of `position` in `sparse`, with its plies.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn added_to(&self, value: Value, sparse: Sparse<'_>, position: Position) -> Result<Value, LabelFault> {
        let remoteness = sparse.find(position)?.and_then(|(rank, _)| self.of_rank(rank));
        let repetition = remoteness.is_none() && value.outcome == Outcome::Draw;
        Ok(Value { repetition, ..value }.with_remoteness(remoteness))
    }

    /// The first win or loss of `sparse` that is not forced, which is wrong.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn unforced(&self, sparse: Sparse<'_>) -> Result<Option<(Position, Outcome)>, LabelFault> {
        let ranks = (0u64..).zip(&self.0).filter(|&(_, &plies)| plies == NONE).map(|(rank, _)| rank);
        for rank in ranks {
            let position = sparse.unrank(rank)?;
            match sparse.outcome_of_stored(position)? {
                Some(Outcome::Draw) => {}
                outcome => return Ok(Some((position, outcome.ok_or(LabelFault::NoOutcome { position })?))),
            }
        }
        Ok(None)
    }
}

/// The keeping moves of the positions of one task, in order of ranks.
struct Kept {
    /// The rank of the first position.
    first: u64,
    /// The number of keeping moves of each position, and the number of them that must lead to known plies: 1 for a win.
    counts: Vec<u16>,
    needs: Vec<u16>,
    /// The ranks after the moves of all positions.
    to: Vec<u32>,
}

impl Kept {
    /// The keeping moves of the positions of `sparse` from rank `first` on.
    fn of(rules: &Rules, sparse: Sparse<'_>, first: u64) -> Result<Self, Finding> {
        let mut kept = Self { first, counts: Vec::new(), needs: Vec::new(), to: Vec::new() };
        for rank in first..sparse.count().min(first + STRETCH) {
            let position = sparse.unrank(rank)?;
            let outcome = sparse.outcome_of_stored(position)?.ok_or(Finding::Missing { position })?;
            let before = kept.to.len();
            for m in rules.moves_from(position) {
                let after = m.play(position);
                let (to, of_next) = sparse.find(after)?.ok_or(Finding::Missing { position: after })?;
                let for_mover = if rules.hands_over(&m) { of_next.flip() } else { of_next };
                if for_mover == outcome {
                    kept.to.push(to as u32);
                }
            }
            // No round reaches a wrong position that no move keeps.
            if kept.to.len() == before && !rules.is_over(position) {
                kept.to.push(rank as u32);
            }
            let count = (kept.to.len() - before).try_into().unwrap_or(u16::MAX);
            kept.counts.push(count);
            kept.needs.push(if outcome == Outcome::Win { count.min(1) } else { count });
        }
        Ok(kept)
    }

    /// Calls `with` with the ranks before and after each move.
    fn each(&self, mut with: impl FnMut(u32, u32)) {
        let mut to = self.to.iter();
        for (rank, &count) in (self.first as u32..).zip(&self.counts) {
            to.by_ref().take(count.into()).for_each(|&to| with(rank, to));
        }
    }
}

/// The keeping moves, by the position that they lead to.
struct KeepingMoves {
    /// The number of keeping moves from each position that must lead to known plies. 0 if the game is over.
    needs: Vec<u16>,
    /// The end of each position's entries in `from`.
    ends: Vec<u64>,
    /// The ranks that the moves come from.
    from: Vec<u32>,
}

impl KeepingMoves {
    /// The keeping moves of all positions of `sparse`; `None` if memory is insufficient.
    fn of(rules: &Rules, sparse: Sparse<'_>, watch: Watch<'_>) -> Result<Option<Self>, Finding> {
        let count = sparse.count();
        let mut all: Vec<Kept> = Vec::new();
        for batch in (0..count).step_by(BATCH as usize) {
            watch()?;
            let tasks: Vec<u64> = (batch..count.min(batch + BATCH)).step_by(STRETCH as usize).collect();
            let kept = tasks.into_par_iter().map(|first| Kept::of(rules, sparse, first));
            all.extend(kept.collect::<Result<Vec<_>, _>>()?);
        }
        let entries: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
        all.par_iter().for_each(|kept| kept.each(|_, to| _ = entries[to as usize].fetch_add(1, Relaxed)));
        let mut total = 0;
        let end = |entries: &AtomicU32| {
            total += u64::from(entries.load(Relaxed));
            total
        };
        let ends: Vec<u64> = entries.iter().map(end).collect();
        let mut from: Vec<AtomicU32> = Vec::new();
        if from.try_reserve_exact(total as usize).is_err() {
            return Ok(None);
        }
        from.resize_with(total as usize, AtomicU32::default);
        let enter = |rank: u32, to: u32| {
            let left = entries[to as usize].fetch_sub(1, Relaxed);
            from[(ends[to as usize] - u64::from(left)) as usize].store(rank, Relaxed);
        };
        all.par_iter().for_each(|kept| kept.each(enter));
        let needs = all.into_iter().flat_map(|kept| kept.needs).collect();
        let from = from.into_iter().map(AtomicU32::into_inner).collect();
        Ok(Some(Self { needs, ends, from }))
    }

    /// The plies of each position.
    fn plies(self, watch: Watch<'_>) -> Result<Vec<u32>, Finding> {
        let Self { mut needs, ends, from } = self;
        let mut plies = vec![NONE; needs.len()];
        let mut last: Vec<u32> = (0..needs.len() as u32).filter(|&rank| needs[rank as usize] == 0).collect();
        let mut round = 0;
        while !last.is_empty() {
            watch()?;
            last.iter().for_each(|&rank| plies[rank as usize] = round);
            let mut next = Vec::new();
            for &rank in &last {
                let begin = (rank as usize).checked_sub(1).map_or(0, |before| ends[before]);
                for &before in &from[begin as usize..ends[rank as usize] as usize] {
                    let needs = &mut needs[before as usize];
                    // A win has more keeping moves than it needs.
                    if *needs > 0 {
                        *needs -= 1;
                        if *needs == 0 {
                            next.push(before);
                        }
                    }
                }
            }
            (last, round) = (next, round + 1);
        }
        Ok(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compressed::Bytes;
    use crate::contents::{ByteLabels, Contents};
    use crate::label::{Label, Width};
    use crate::rules::samples::{Grid, men};
    use crate::rules::{Board, Mode, Move, RulesSpec, Start};
    use crate::solve::{Method, Options, Solution, solve};

    fn solved(rules: &Rules) -> Solution {
        solve(rules, &Options::of(Method::Cyclic)).unwrap()
    }

    fn contents(solution: &Solution) -> Sparse<'_> {
        let Contents::Sparse(sparse) = solution.contents() else { panic!("positions repeat") };
        sparse
    }

    fn plies(rules: &Rules, sparse: Sparse<'_>) -> Plies {
        Plies::of(rules, sparse, &|| Ok(())).unwrap()
    }

    #[test]
    fn plies_equal_remoteness() {
        for (rows, cols, count) in [(3, 3, 3), (3, 4, 2)] {
            let rules = men(Grid { rows, cols }, count).build().unwrap();
            let solution = solved(&rules);
            let sparse = contents(&solution);
            let found = plies(&rules, sparse);
            let mut kinds = [0; 4];
            for rank in 0..sparse.count() {
                let position = sparse.unrank(rank).unwrap();
                let value = solution.value(position).unwrap();
                assert_eq!(found.of_rank(rank), value.remoteness(), "{position:?}");
                assert_eq!(found.added_to(value.outcome.into(), sparse, position).unwrap(), value);
                kinds[if value.repetition { 3 } else { value.outcome as usize }] += 1;
            }
            assert!(kinds[3] > 0, "{kinds:?}");
            assert_eq!(found.unforced(sparse).unwrap(), None);
        }
    }

    /// Wins and losses that follow from one another around a cycle.
    #[test]
    fn outcomes_without_progress_are_found() {
        let step = |mode: u16, from: u32, to: u32| Move {
            mode: Mode(mode),
            next: Mode(1 - mode),
            empty: Board::bit(to),
            full: Board::bit(from),
            clears: Board::bit(from),
            ..Move::fill(Board::bit(to))
        };
        let moves = (0..2).flat_map(|mode| [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(from, to)| step(mode, from, to)));
        let start = Start::At(Position::of(Board::bit(0)));
        let modes = vec!["a".into(), "b".into()];
        let spec = RulesSpec { moves: moves.collect(), modes, start, ..RulesSpec::new("back-and-forth", 3) };
        let rules = spec.build().unwrap();
        let solution = solved(&rules);
        let sparse = contents(&solution);
        let packed = |outcome: &dyn Fn(Position) -> Outcome| {
            let mut bytes = vec![0; sparse.outcomes().all().unwrap().len()];
            for rank in 0..sparse.count() {
                let code = outcome(sparse.unrank(rank).unwrap()).encode(Width::Two);
                bytes[(rank / 4) as usize] |= code << (2 * (rank % 4));
            }
            bytes
        };
        assert_eq!(packed(&|_| Outcome::Draw)[..], sparse.outcomes().all().unwrap()[..]);
        let forged = packed(&|position| if position.mode.0 == 0 { Outcome::Win } else { Outcome::Loss });
        let none = ByteLabels::new(|_| None);
        let (levels, roots) = (sparse.levels(), sparse.roots());
        let forged = Sparse::new(levels, roots, sparse.keys(), Width::Two, Bytes::Plain(&forged), none);
        let found = plies(&rules, forged).unforced(forged).unwrap();
        assert!(matches!(found, Some((position, Outcome::Win)) if position.mode.0 == 0), "{found:?}");
    }
}
