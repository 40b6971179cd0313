//! The forward pass: finds the reachable positions.
//!
//! ```text
//! until nothing new is found:
//!     on every core: take some of the new positions; sort their successors by shard
//!     on every core: take a shard; insert the successors that it lacks, and keep them as new
//! ```

use std::collections::TryReserveError;
use std::ops::ControlFlow;

use super::shards::{Cut, Shard};
use crate::parallel;
use crate::reachable::{BoardWord, KeyWord, MOST_IN_LEVEL, key_bytes};
use crate::rules::{Position, Rules};
use crate::sparse::cost::{Budget, Full, MemoryWatch, SoFar};
use crate::sparse::fetch::fetch;
use crate::sparse::lists::{ListBuilder, Lists};
use crate::sparse::moves::Moves;
use crate::symmetry::Group;
use crate::{Meter, Options, Phase, SolveError, UpTo};

/// Number of positions in a task.
const TASK: usize = 1 << 13;
/// A batch is expanded before its successors are inserted into shards. It has at most one in `BATCHES` times `bytes` of the
/// positions found, where a stored code has `bytes` bytes, so that the successors take little memory.
const BATCHES: usize = 4;
/// Minimum number of positions in a batch, so that a shard that was loaded into the cache is used often.
const BATCH: usize = 1 << 15;

/// The rules in the form that both passes read.
pub(super) struct Game<'a, K: KeyWord> {
    pub(super) rules: &'a Rules,
    /// The symmetries up to which positions are found.
    pub(super) group: &'a Group,
    pub(super) moves: Moves<K>,
    pub(super) cut: Cut,
}

impl<K: KeyWord> Game<'_, K> {
    /// The code of the representative of the position with `key`.
    #[inline(always)]
    pub(super) fn code(&self, key: K) -> K {
        self.cut.codes.code_of_key(self.moves.representative(self.group, key))
    }

    /// A builder of lists of codes, one for each shard.
    pub(super) fn deal(&self) -> Result<ListBuilder<K>, TryReserveError> {
        ListBuilder::new(self.cut.shards(), self.cut.below)
    }

    /// The size of the symmetry class of the position with `board` in mode number `mode`.
    #[inline(always)]
    pub(super) fn weight(&self, mode: usize, board: K::Board) -> u64 {
        use crate::rules::Mode;
        self.group.orbit(Position::new(Mode(mode as u16), board.board()))
    }

    pub(super) fn refused(&self, positions: u64) -> impl Fn(TryReserveError) -> SolveError + use<K> {
        move |_| SolveError::Refused { positions, up_to: UpTo::Unordered }
    }
}

/// Some items of several shards, each list with the number of its shard.
pub(super) type Task<'a, T> = Vec<(usize, &'a [T])>;

/// All items, shard by shard, cut into tasks of about equal size and the tasks into batches. `count` positions are known, whose
/// codes take `bytes` bytes each.
pub(super) fn batches<T>(shards: &[Vec<T>], count: u64, bytes: usize) -> Vec<Vec<Task<'_, T>>> {
    let most = (count as usize / (BATCHES * bytes)).max(BATCH);
    let (mut batches, mut tasks, mut task) = (Vec::new(), Vec::new(), Task::new());
    let (mut in_task, mut in_batch) = (0, 0);
    for (number, part) in shards.iter().enumerate().flat_map(|(n, items)| items.chunks(TASK).map(move |part| (n, part)))
    {
        task.push((number, part));
        in_task += part.len();
        if in_task >= TASK {
            in_batch += std::mem::take(&mut in_task);
            tasks.push(std::mem::take(&mut task));
            if in_batch >= most {
                in_batch = 0;
                batches.push(std::mem::take(&mut tasks));
            }
        }
    }
    if !task.is_empty() {
        tasks.push(task);
    }
    if !tasks.is_empty() {
        batches.push(tasks);
    }
    batches
}

/// The positions that a flood has found.
pub(super) struct Flooded<P> {
    pub(super) shards: Vec<Shard<P>>,
    pub(super) count: u64,
    pub(super) watch: MemoryWatch,
}

/// Finds all positions that are reachable from `roots`; up to symmetry, one of each class.
pub(super) fn flood<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    roots: &[Position],
    options: &Options<'_>,
) -> Result<Flooded<P>, SolveError> {
    let Cut { codes, below } = game.cut;
    let mut shards = vec![Shard::<P>::new(); game.cut.shards()];
    let mut new: Vec<Vec<P>> = vec![Vec::new(); shards.len()];
    let budget = Budget::new(options);
    let full = |count: u64| {
        let budget = &budget;
        move |full| budget.error(full, SoFar { positions: count, up_to: UpTo::Unordered })
    };
    budget.take(shards.iter().map(Shard::bytes).sum()).map_err(full(0))?;
    for &root in roots {
        let (shard, low) = game.cut.split(game.code(codes.key(K::of(codes.code(root)))));
        if shards[usize::from(shard)].insert(low, below, &budget).map_err(full(0))? {
            budget.push(&mut new[usize::from(shard)], low).map_err(full(0))?;
        }
    }
    let (mut meter, mut watch) = (Meter::new(options.progress, Phase::Find, None), MemoryWatch::new(options));
    let mut count = new.iter().map(Vec::len).sum::<usize>() as u64;
    let flow = meter.add(count);
    while new.iter().any(|new| !new.is_empty()) && flow.is_continue() {
        let last = std::mem::replace(&mut new, vec![Vec::new(); shards.len()]);
        for tasks in batches(&last, count, size_of::<P>()) {
            let found: Vec<Lists<P>> =
                parallel::try_map(&tasks, |task| successors(game, task, &budget)).map_err(full(count))?;
            let put = |(number, (shard, new)): (usize, (&mut Shard<P>, &mut Vec<P>))| -> Result<(), Full> {
                fetch(shard.places(), found.iter().map(|lists| lists.of(number).len()).sum());
                for &low in found.iter().flat_map(|lists| lists.of(number)) {
                    if shard.insert(low, below, &budget)? {
                        budget.push(new, low)?;
                    }
                }
                Ok(())
            };
            parallel::try_map(shards.iter_mut().zip(&mut new).enumerate(), put).map_err(full(count))?;
            let before = std::mem::replace(&mut count, shards.iter().map(|shard| shard.count() as u64).sum());
            if meter.add(count - before).is_break() {
                return Err(SolveError::Cancelled);
            }
            if let Some(limit) = options.max_positions.filter(|&limit| count > limit) {
                return Err(SolveError::MaxPositions { limit, up_to: UpTo::Unordered });
            }
            if count > MOST_IN_LEVEL {
                return Err(SolveError::Level { up_to: UpTo::Unordered, positions: count });
            }
            let held = budget.held();
            budget.give(found.iter().map(Lists::bytes).sum());
            // The backward pass holds codes, their directory, states and the last layer; the result has keys and labels.
            let needed = held.max(count * (size_of::<P>() as u64 + 6) + key_bytes(&codes, count));
            watch.check(options, held, needed, SoFar { positions: count, up_to: UpTo::Unordered })?;
        }
        budget.give(last.iter().map(|last| (last.capacity() * size_of::<P>()) as u64).sum());
    }
    let frontier = new.iter().map(|new| (new.capacity() * size_of::<P>()) as u64).sum::<u64>();
    debug_assert_eq!(
        budget.held(),
        shards.iter().map(Shard::bytes).sum::<u64>() + frontier,
        "all that is held is counted"
    );
    match (flow, meter.finish()) {
        (ControlFlow::Continue(()), ControlFlow::Continue(())) => Ok(Flooded { shards, count, watch }),
        _ => Err(SolveError::Cancelled),
    }
}

/// The successors of the positions of a task, sorted by shard.
fn successors<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    task: &Task<'_, P>,
    budget: &Budget<'_>,
) -> Result<Lists<P>, Full> {
    let mut found = game.deal()?;
    for &(shard, part) in task {
        for &low in part {
            let (mode, board) = game.moves.split(game.cut.key(shard, low));
            let of_mode = game.moves.of(mode);
            if of_mode.ended(board).is_some() {
                continue;
            }
            found.make_room(64 * of_mode.words(), budget)?;
            for word in 0..of_mode.words() {
                let mut legal = of_mode.legal(word, board);
                while legal != 0 {
                    let number = 64 * word + legal.trailing_zeros() as usize;
                    legal &= legal - 1;
                    found.push(game.code(of_mode.key(number, board)));
                }
            }
        }
    }
    found.counted_lists(budget)
}
