//! Solves only the reachable positions, for games with too many boards to label all of them.
//!
//! The solver makes two passes over the positions, level by level. The level of a position is its number of filled
//! cells, or another [`Potential`].
//! 1. *Flood* forward from the roots. Each move leads to a higher level, so a level is complete once all lower levels are expanded.
//! 2. *Label* backward. Every successor of a position lies in a higher level, and has its label already. Each label takes a
//!    pass of its own, but outcomes are derived from remoteness if the user wants both.
//!
//! Both passes work region by region. A region has the positions with equal mode and equal top cells. They lead to few
//! other regions, so look-ups stay in a core's cache. A labelled level is then sorted into the order of a table.
//!
//! Both passes use all cores of the current rayon pool. The result does not depend on the number of threads, because a
//! table has an order of its own.
//!
//! With symmetries, `orbits` finds only the representatives, in the order of codes. `distributed` solves a game on several ranks, which
//! find the positions in the same way, and `exchange` what they find.
//!
//! The solver can also add labels to a table. It checks the keys of the table as it reads them.

mod add;
mod batch;
mod blocks;
mod checkpoint;
mod classes;
pub(super) mod cost;
#[cfg(feature = "ranks")]
mod distributed;
mod exchange;
pub(super) mod fetch;
mod flood;
mod item;
mod label;
mod level_sort;
pub(super) mod lists;
pub(super) mod moves;
mod orbits;
pub(super) mod outcomes;
mod passes;
#[cfg(test)]
pub(super) mod random;
mod regions;
mod shard;
pub(super) mod sort;
mod table;
pub(super) mod word;

use std::time::Instant;

use crate::contents::Sparse;
use crate::domain::{Domain, Method};
use crate::label::{ByLabel, Counts, LabelSet, Width};
use crate::labelled::{Added, Buffer, Labelled};
use crate::reachable::{KeyWord, LevelSize, Levels};
use crate::rules::{Position, Potential, Rules, Symmetry};
use crate::symmetry::Group;
use crate::{Options, ReachableCount, Solution, SolveError};
use add::Found;
use checkpoint::LabelCheckpoints;
pub use checkpoint::{LevelStore, SavedLevel};
use classes::Classes;
use cost::SoFar;
#[cfg(feature = "ranks")]
pub use distributed::{Communicator, solve_distributed};
use exchange::Alone;
use flood::{Extent, Flooded};
use level_sort::Columns;
use moves::Moves;
use passes::{Passes, check_length};
use tablegen_labels::{with_byte_label, with_label};
use word::{with_code_word, with_key_word};

/// The positions to find: those that are reachable from `roots`, with the levels of `potential`.
#[derive(Clone, Copy)]
struct Problem<'a> {
    rules: &'a Rules,
    potential: &'a Potential,
    roots: &'a [Position],
    options: &'a Options<'a>,
}

/// Solves the reachable positions of `rules`.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    if is_one_by_one(rules, options) {
        return solve_orbits(rules, options, None);
    }
    let begun = Instant::now();
    let roots = &roots(rules, options)?;
    let potential = rules.potential().unwrap_or_else(|| unreachable!("solve() refuses rules without a potential"));
    let problem = Problem { rules, potential, roots, options };
    let (labelled, counts) = with_key_word!(rules, W => solve_as::<W>(problem))?;
    Ok(finished(rules, labelled, counts, begun))
}

/// Solves the reachable positions of `rules`, which must have levels. Resumes from the checkpoints in `store`, and writes new ones.
///
/// # Errors
/// As `solve()`.
pub fn solve_with_checkpoints(
    rules: &Rules,
    options: &Options<'_>,
    store: &dyn LevelStore,
) -> Result<Solution, SolveError> {
    crate::check_labels(rules, options.labels)?;
    crate::check_codes(rules)?;
    solve_orbits(rules, options, Some(store))
}

/// Returns whether the positions of `rules` have levels, so that several ranks can solve them together, with checkpoints.
#[must_use]
pub fn is_distributable(rules: &Rules) -> bool {
    rules.potential().is_some()
}

/// True if positions are found one by one: up to symmetry, where regions cannot tell which positions have other moves, and for labels of two
/// bytes, for which the hash tables of regions have no room.
fn is_one_by_one(rules: &Rules, options: &Options<'_>) -> bool {
    let has_words = || options.labels.widths(rules).any(|width| width == Width::Sixteen);
    !options.solver.symmetry().is_trivial() || rules.has_otherwise() || has_words()
}

/// The solution with `labelled`, which was begun at `begun`.
fn finished(rules: &Rules, labelled: Labelled, counts: Vec<Counts>, begun: Instant) -> Solution {
    Solution::of_reached(rules, Labelled { solve_time: begun.elapsed(), ..labelled }, counts)
}

/// Solves `problem`, whose keys fit into `W`.
fn solve_as<W: KeyWord>(problem: Problem<'_>) -> Result<(Labelled, Vec<Counts>), SolveError> {
    let Problem { rules, potential, roots, options } = problem;
    let roots = roots.to_vec();
    if let Some(layout) = blocks::layout::<W>(problem) {
        let (levels, columns, counts) = blocks::solve(problem, &layout)?;
        let (keys, outcomes) = columns.into_parts();
        let keys = keys.unwrap_or_default();
        let domain = Domain::Sparse { levels, starts: roots, group: Group::trivial().clone() };
        return Ok((Labelled::sparse(domain, keys, outcomes, ByLabel::NONE), counts));
    }
    let moves = Moves::new(rules, potential);
    let Flooded::<W> { levels: mut positions, low_bits, sizes, .. } = flood::flood(problem, &moves, Extent::All)?;
    let levels = levels(rules, potential, &sizes);
    let classes = Classes::new(rules, potential, &moves, low_bits);
    let found = label::Found { rules, moves: &moves, classes: &classes, low_bits, levels: &levels };
    let mut keys = None;
    let passes = Passes::run(options.labels, |kind, is_last| {
        let mut columns = empty_columns(rules, &levels, kind.width(rules), keys.is_none())?;
        let pass = with_label!(kind, L => label::pass::<W, L>);
        let counts = pass(&found, &mut positions, &mut columns, is_last, options)?;
        let (of_pass, labels) = columns.into_parts();
        keys.get_or_insert(of_pass.unwrap_or_default());
        Ok((labels, counts))
    })?;
    passes.labelled(rules, levels, keys.unwrap_or_default(), roots, Group::trivial())
}

/// Columns for labels of `width` of all `levels`, and for their keys if they are to be written.
fn empty_columns(rules: &Rules, levels: &Levels, width: Width, with_keys: bool) -> Result<Columns, SolveError> {
    let keys = with_keys.then(|| levels.key_bytes());
    Columns::new(keys, width, levels.column_bytes(width)).map_err(|_| SoFar::all(rules, levels).refused())
}

/// Solves the representatives of all symmetry classes of the reachable positions of `rules`. The counts are of representatives.
fn solve_orbits(rules: &Rules, options: &Options<'_>, store: Option<&dyn LevelStore>) -> Result<Solution, SolveError> {
    let begun = Instant::now();
    let roots = roots(rules, options)?;
    let group = options.solver.symmetry();
    let potential = &symmetric_potential(rules, &roots, group)?;
    let problem = Problem { rules, potential, roots: &roots, options };
    let flooded = with_code_word!(rules, P => orbits::flood::<P, _>(problem, &mut Alone, store, false))?;
    let orbits::Flooded { keys, sizes, .. } = flooded;
    let levels = levels(rules, potential, &sizes);
    if let Some(store) = store {
        LabelCheckpoints { store, rules, labels: options.labels, levels: &levels }.expect()?;
    }
    let found = Found { levels: &levels, keys: &keys, group, store };
    let pass = |kind, _| with_label!(kind, L => add::column::<L>(rules, found, options));
    let (labelled, counts) = Passes::run(options.labels, pass)?.labelled(rules, levels, keys, roots, group)?;
    Ok(finished(rules, labelled, counts, begun))
}

/// Checks that the elements of `group` are symmetries of `rules` with `roots`.
pub(super) fn check_symmetries(rules: &Rules, group: &Group, roots: &[Position]) -> Result<(), SolveError> {
    if group.is_trivial() {
        return Ok(());
    }
    let checked = rules.symmetry_check(roots);
    let failing = |(index, symmetry): (usize, &Symmetry)| Some((index, symmetry.check(&checked).err()?));
    match group.generators().iter().enumerate().find_map(failing) {
        Some((index, reason)) => Err(SolveError::Symmetry { name: rules.name().into(), index, reason }),
        None => Ok(()),
    }
}

/// The potential of `rules`, averaged over each orbit of cells and modes, so that the symmetries of `group` preserve levels. Checks that
/// they are symmetries of `rules` with `roots`.
fn symmetric_potential(rules: &Rules, roots: &[Position], group: &Group) -> Result<Potential, SolveError> {
    check_symmetries(rules, group, roots)?;
    let no_levels = || SolveError::Levels { name: rules.name().into() };
    let potential = rules.potential().ok_or_else(no_levels)?;
    if potential.is_filled() || group.is_trivial() {
        return Ok(potential.clone());
    }
    let modes = group.orbits_of_modes(rules.modes().len());
    let modes: Vec<Vec<usize>> = modes.iter().map(|orbit| orbit.iter().map(|mode| mode.0.into()).collect()).collect();
    potential.averaged(&group.orbits_of_cells(rules.cells()), &modes).ok_or_else(no_levels)
}

fn levels(rules: &Rules, potential: &Potential, sizes: &[LevelSize]) -> Levels {
    Levels::new(rules, potential, sizes).unwrap_or_else(|| unreachable!("levels come in order"))
}

/// Labels the positions of `sparse`, which belong to `rules`, with each of `labels` but the outcome.
pub fn add(rules: &Rules, sparse: &Sparse<'_>, labels: LabelSet, options: &Options<'_>) -> Result<Added, SolveError> {
    let begun = Instant::now();
    let bytes = labels.others().map(|kind| sparse.levels().column_bytes(kind.width(rules))).sum();
    match options.max_bytes {
        Some(allowed) if bytes > allowed => return Err(SolveError::LabelMemory { needed: bytes, allowed }),
        _ => {}
    }
    let keys = sparse.keys().all().map_err(|_| SolveError::Keys)?;
    let found = Found { levels: sparse.levels(), keys: &keys, group: sparse.group(), store: None };
    let of = |kind| {
        let (column, _) = with_byte_label!(kind, L => add::column::<L>(rules, found, options))?;
        check_length(rules, kind, &column)?;
        Ok((kind, column))
    };
    let columns: ByLabel<Vec<u8>> = labels.others().map(of).collect::<Result<_, SolveError>>()?;
    Ok(Added {
        columns: columns.map(Buffer::List),
        program: Method::of_reachable(rules).name(),
        solve_time: begun.elapsed(),
    })
}

/// Counts the reachable positions of `rules`, which must have levels.
pub(super) fn count_reachable(rules: &Rules, options: &Options<'_>) -> Result<ReachableCount, SolveError> {
    let roots = roots(rules, options)?;
    let group = options.solver.symmetry();
    let potential = &symmetric_potential(rules, &roots, group)?;
    let problem = Problem { rules, potential, roots: &roots, options };
    let (sizes, of_classes, peak) = if is_one_by_one(rules, options) {
        let flooded = with_code_word!(rules, P => orbits::flood::<P, _>(problem, &mut Alone, None, true))?;
        (flooded.sizes, Some(flooded.positions), flooded.peak)
    } else {
        with_key_word!(rules, W => {
            let flooded = flood::flood::<W>(problem, &Moves::new(rules, potential), Extent::Count)?;
            (flooded.sizes, None, flooded.peak)
        })
    };
    let levels = levels(rules, potential, &sizes);
    let positions = of_classes.unwrap_or_else(|| levels.count());
    let domain = Domain::Sparse { levels, starts: roots, group: group.clone() };
    Ok(ReachableCount { domain, positions, peak_bytes: peak })
}

/// The roots of the flood: sorted and distinct.
pub(super) fn roots(rules: &Rules, options: &Options<'_>) -> Result<Vec<Position>, SolveError> {
    let roots = if options.roots.is_empty() { rules.start_positions() } else { sorted(options.roots) };
    tablegen_solve::check_roots(rules, &roots)?;
    Ok(roots)
}

fn sorted(positions: &[Position]) -> Vec<Position> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions.dedup();
    positions
}

#[cfg(test)]
mod tests {
    use super::random::{random_moving, random_rules, scored};
    use super::*;
    use crate::PlaneKind;
    use crate::label::{Label, LabelSet, Remoteness, Score, step};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The label of every reachable position, by definition.
    fn plain<L: Label>(rules: &Rules) -> BTreeMap<Position, L> {
        let mut reached: BTreeSet<Position> = rules.start_positions().into_iter().collect();
        let mut new: Vec<Position> = reached.iter().copied().collect();
        while let Some(position) = new.pop() {
            new.extend(rules.moves_from(position).map(|m| m.play(position)).filter(|&next| reached.insert(next)));
        }
        let mut order: Vec<Position> = reached.into_iter().collect();
        let potential = rules.potential().unwrap();
        order.sort_unstable_by_key(|&position| std::cmp::Reverse(potential.level(position)));
        let mut labels = BTreeMap::new();
        for position in order {
            labels.insert(position, step(rules, position, |next| labels[&next]));
        }
        labels
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// Positions and labels agree with the definition, for regions of every size, two modes, terminal patterns, and moves that fill
        /// several cells or filled ones.
        #[test]
        fn positions_and_labels_follow_the_definition(seed: u64, cells in 2u32..=13, moves in 1usize..40, ends in 0usize..6) {
            let mut draw = fastrand::Rng::with_seed(seed);
            compare(&random_rules(&mut draw, cells, moves, ends));
        }

        /// The same with moves that empty cells, which needs other potentials, and with players who move again.
        #[test]
        fn positions_and_labels_follow_the_definition_if_pieces_move(seed: u64, cells in 2u32..=13, moves in 1usize..60, ends in 0usize..6) {
            let mut draw = fastrand::Rng::with_seed(seed);
            compare(&random_moving(&mut draw, cells, moves, ends, true));
        }
    }

    /// A store that keeps levels in memory, and fails after some of them.
    struct Kept {
        levels: Mutex<BTreeMap<(PlaneKind, u32), SavedLevel>>,
        left: AtomicU32,
    }

    impl LevelStore for Kept {
        fn load(&self, plane_kind: PlaneKind, level: u32) -> std::io::Result<Option<SavedLevel>> {
            Ok(self.levels.lock().unwrap().get(&(plane_kind, level)).cloned())
        }

        fn save(&self, plane_kind: PlaneKind, level: u32, _: u64, saved: SavedLevel) -> std::io::Result<()> {
            if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err() {
                return Err(std::io::Error::other("the disk is full"));
            }
            self.levels.lock().unwrap().insert((plane_kind, level), saved);
            Ok(())
        }

        fn expect(&self, _: u64, _: u64) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// Scores and the outcomes that follow from them agree with the definition, with one and with two bytes, with and without symmetry, for
    /// any number of threads, and after an interruption.
    #[test]
    fn scores_follow_the_definition() {
        let mut draw = fastrand::Rng::with_seed(67);
        let (mut solved, mut refused, mut wide) = (0, 0, 0);
        for number in 0..1500 {
            let times = if number % 3 == 0 { draw.i16(20..=300) } else { 1 };
            let (cells, moves, ends) = (draw.u32(2..=9), draw.usize(1..40), draw.usize(0..5));
            let plain_rules = random_moving(&mut draw, cells, moves, ends, true);
            let rules = scored(&mut draw, &plain_rules, times);
            let group = Group::of_rules(&rules, &rules.start_positions()).unwrap();
            let group = if draw.bool() { &group } else { Group::trivial() };
            let labels = LabelSet::OUTCOME.with(Score::KIND);
            let options = Options { labels, ..Options::of(tablegen_solve::Solver::of_reachable(&rules, group)) };
            if let Err(error) = crate::check_labels(&rules, labels) {
                assert!(matches!(error, SolveError::Undefined { .. }), "{error}");
                refused += 1;
                continue;
            }
            let solution = in_threads([1, 2, 7][number % 3], || solve(&rules, &options)).unwrap();
            if Score::width(&rules) == Width::Sixteen {
                wide += 1;
                assert!(
                    [1, 2, 7]
                        .into_iter()
                        .all(|threads| in_threads(threads, || solve(&rules, &options)).unwrap() == solution)
                );
                let store = Kept { levels: Mutex::default(), left: AtomicU32::new(draw.u32(0..8)) };
                // Killed again and again, each time after a few more levels.
                let resumed = (0..100).find_map(|_| {
                    let done = solve_with_checkpoints(&rules, &options, &store);
                    store.left.store(3, Ordering::Relaxed);
                    done.ok()
                });
                assert!(resumed.unwrap() == solution, "{rules:?}");
            }
            for (position, score) in plain::<Score>(&rules) {
                let value = solution.value(position).unwrap();
                assert_eq!((value.score(), value.outcome), (score.number(), score.into()), "{position:?} of {rules:?}");
            }
            if rules.has_gains() {
                let alone = crate::check_labels(&rules, LabelSet::OUTCOME);
                assert!(matches!(alone, Err(SolveError::NeedsScore { .. })));
            }
            solved += 1;
        }
        assert!(solved > 1000 && refused > 0 && wide > 300, "{solved} {refused} {wide}");
    }

    fn compare(rules: &Rules) {
        let expected = plain::<Remoteness>(rules);
        let with = |labels| Options { labels, ..Options::of(crate::domain::Method::Sparse) };
        let both = solve(rules, &with(LabelSet::BEST_PLAY)).unwrap();
        let outcomes = solve(rules, &with(LabelSet::OUTCOME)).unwrap();
        assert_eq!(both.count(), expected.len() as u64);
        for (&position, label) in &expected {
            let value = both.value(position).unwrap();
            assert_eq!((value.outcome, value.remoteness()), (label.outcome, Some(label.plies.into())));
            assert_eq!(outcomes.outcome(position), Some(label.outcome));
        }
        assert_eq!(both.counts_by_mode(), outcomes.counts_by_mode());
        assert_eq!(
            both.counts(),
            expected.values().map(|label| label.outcome).fold(Counts::default(), |mut counts, outcome| {
                counts.add(outcome);
                counts
            })
        );
        let counted = crate::count_reachable(rules, &Options::default()).unwrap();
        assert_eq!(counted.stored(), expected.len() as u64);
    }
}
