//! The backward pass: retrograde analysis, layer by layer of remoteness.
//!
//! ```text
//! count the moves of every position; positions without a move, or with a terminal pattern, are decided in 0 plies
//! for each number of plies d, from 0, while positions are won or lost in d:
//!     on every core: take some of these positions; undo the moves that lead there, and sort the predecessors by shard
//!     on every core: take a shard; for each predecessor that is undecided,
//!         if the move wins, it is won in d + 1
//!         if the move loses, it has one move less to try; if none is left, it is lost in d + 1
//! the same for draws by the rules: a position whose last remaining move draws is a draw in d + 1
//! each position that is still undecided is a draw by repetition
//! ```
//!
//! A win is decided by its quickest losing successor, and a loss by its slowest winning successor. So the number of
//! plies is that of best play.
//!
//! Under symmetry, each representative represents its whole class. Moves are counted from all positions of a class,
//! because only then do moves and undone moves agree in number. So the representative of a class of n positions starts
//! with n times its moves, and undoing moves from a class of m positions takes off m at once.

use std::collections::TryReserveError;
use std::ops::ControlFlow;

use super::flood::{Flooded, Game, Task, batches};
use super::shards::{Settled, Shard};
use super::undo::ReverseMoves;
use crate::label::{Counts, Label, Remoteness, Width, add_each};
use crate::parallel;
use crate::reachable::{KeyWord, append_keys};
use crate::rules::Outcome;
use crate::sparse::fetch::fetch;
use crate::sparse::lists::{ListBuilder, Lists};
use crate::sparse::sort::SortBuffers;
use crate::{Meter, Options, Phase, SolveError};

/// The state of a position. If decided, the two top bits are the outcome and the others the plies. Otherwise it is the number of
/// moves left to try.
type State = u16;
const NUMBER: State = 0x3fff;
const LOSS: State = 0x4000;
const DRAW: State = 0x8000;
const WIN: State = 0xc000;

/// Maximum number of plies of a win or loss whose remoteness is stored.
const MOST_PLIES: u16 = Remoteness::MOST_REPEATING as u16;

/// Maximum number of moves left to try.
pub(super) const MOST_LEFT: u64 = NUMBER as u64;

const fn outcome(state: State) -> Outcome {
    match state & !NUMBER {
        LOSS => Outcome::Loss,
        WIN => Outcome::Win,
        _ => Outcome::Draw,
    }
}

const fn decided(outcome: Outcome, plies: u16) -> State {
    plies
        | match outcome {
            Outcome::Loss => LOSS,
            Outcome::Draw => DRAW,
            Outcome::Win => WIN,
        }
}

/// A shard, and the states of its positions.
struct ShardStates<P> {
    shard: Settled<P>,
    states: Vec<State>,
}

/// Predecessors sorted by shard, grouped by the number of moves that they lose; group 0 has the predecessors that are
/// won.
type Before<P> = Vec<(u64, Lists<P>)>;

/// The labels of all positions.
#[cfg_attr(test, derive(PartialEq, Debug))]
pub(super) struct Labelled {
    pub(super) keys: Vec<u8>,
    /// Remoteness, in the order of the keys.
    pub(super) codes: Vec<u8>,
    pub(super) counts: Vec<Counts>,
    /// False if best play is longer than remoteness holds. Then only the outcomes in `codes` are right.
    pub(super) has_plies: bool,
}

/// Labels the positions of `flooded`.
pub(super) fn label<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    flooded: Flooded<P>,
    options: &Options<'_>,
) -> Result<Labelled, SolveError> {
    let Flooded { shards, count, .. } = flooded;
    let refused = game.refused(count);
    let undo = ReverseMoves::<K>::new(game.rules);
    let mut meter = Meter::new(options.progress, Phase::Label, Some(count));
    let begin = |room: &mut SortBuffers<P>, (number, shard)| begin(game, number, shard, room);
    let begun =
        parallel::try_map_with(shards.into_iter().enumerate(), SortBuffers::default, begin).map_err(&refused)?;
    let (mut all_states, mut last, mut draws) = (Vec::new(), Vec::new(), Vec::new());
    for (board, ended, drawn) in begun {
        all_states.push(board);
        last.push(ended);
        draws.push(drawn);
    }
    let mut has_plies = true;
    for (mut last, without) in [(last, Outcome::Loss), (draws, Outcome::Draw)] {
        let mut plies = 0;
        while last.iter().any(|last| !last.is_empty()) {
            has_plies &= plies <= MOST_PLIES;
            let done = last.iter().map(Vec::len).sum::<usize>() as u64;
            if meter.add(done).is_break() {
                return Err(SolveError::Cancelled);
            }
            // From then on, all plies are the same: only outcomes will be read.
            plies = plies.min(MOST_PLIES) + 1;
            last = layer(game, &undo, &mut all_states, &last, without, plies).map_err(&refused)?;
        }
    }
    let labelled = finish(game, all_states, count, has_plies).map_err(&refused)?;
    match meter.finish() {
        ControlFlow::Continue(()) => Ok(labelled),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// The states of a shard, the indices of its positions that are won or lost in 0 plies, and the indices of drawn ones.
type Begun<P> = (ShardStates<P>, Vec<u32>, Vec<u32>);

/// Counts the moves of the positions of a shard.
fn begin<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    number: usize,
    shard: Shard<P>,
    room: &mut SortBuffers<P>,
) -> Result<Begun<P>, TryReserveError> {
    let shard = shard.settle(game.cut.below, room)?;
    let (mut states, mut ended, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
    states.try_reserve_exact(shard.codes().len())?;
    for (at, &low) in (0u32..).zip(shard.codes()) {
        let (mode, board) = game.moves.split(game.cut.key(number, low));
        let of_mode = game.moves.of(mode);
        let moves = || (0..of_mode.words()).map(|word| of_mode.legal(word, board).count_ones()).sum::<u32>();
        let outcome = of_mode.ended(board).map(|ending| ending.outcome);
        let left = if outcome.is_some() { 0 } else { u64::from(moves()) * game.weight(mode, board) };
        if left == 0 {
            let outcome = outcome.unwrap_or_else(|| of_mode.terminal(board).outcome);
            states.push(decided(outcome, 0));
            if outcome == Outcome::Draw { drawn.push(at) } else { ended.push(at) }
        } else {
            // The solver checks before it starts that no position has more moves.
            states.push(left.min(MOST_LEFT) as State);
        }
    }
    Ok((ShardStates { shard, states }, ended, drawn))
}

/// Undoes the moves that lead to the positions at the indices `last`, and returns the indices of the positions that this decides in
/// `plies`. A position without a move left to try gets the outcome `without`.
fn layer<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    undo: &ReverseMoves<K>,
    all_states: &mut [ShardStates<P>],
    last: &[Vec<u32>],
    without: Outcome,
    plies: u16,
) -> Result<Vec<Vec<u32>>, TryReserveError> {
    let count = all_states.iter().map(|board| board.states.len() as u64).sum();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); all_states.len()];
    for tasks in batches(last, count, size_of::<P>()) {
        let found: Vec<Before<P>> = parallel::try_map(&tasks, |task| before(game, undo, all_states, task))?;
        let decide = |(number, (board, next)): (usize, (&mut ShardStates<P>, &mut Vec<u32>))| {
            let ShardStates { shard, states } = board;
            let used = found.iter().flatten().map(|(_, lists)| lists.of(number).len()).sum();
            fetch(shard.codes(), used);
            fetch(states, used);
            for (takes, lists) in found.iter().flatten() {
                let after = |state: State| match takes {
                    0 => decided(Outcome::Win, plies),
                    _ if u64::from(state) == *takes => decided(without, plies),
                    _ => (u64::from(state).wrapping_sub(*takes)) as State,
                };
                for &low in lists.of(number) {
                    // A predecessor that the shard lacks is not reachable.
                    let Some(at) = shard.find(low) else { continue };
                    let before = states[at];
                    let state = if before > NUMBER { before } else { after(before) };
                    states[at] = state;
                    if state > NUMBER && before <= NUMBER {
                        next.try_reserve(1)?;
                        next.push(at as u32);
                    }
                }
            }
            Ok::<_, TryReserveError>(())
        };
        parallel::try_map(all_states.iter_mut().zip(&mut next).enumerate(), decide)?;
    }
    Ok(next)
}

/// The predecessors of the positions of a task.
fn before<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    undo: &ReverseMoves<K>,
    all_states: &[ShardStates<P>],
    task: &Task<'_, u32>,
) -> Result<Before<P>, TryReserveError> {
    // For each number that is taken off.
    let mut found: Vec<(u64, ListBuilder<K>)> = vec![(0, game.deal()?)];
    for &(number, places) in task {
        let ShardStates { shard, states } = &all_states[number];
        for &at in places {
            let (mode, board) = game.moves.split(game.cut.key(number, shard.codes()[at as usize]));
            let outcome = outcome(states[at as usize]);
            let weight = game.weight(mode, board);
            let of_weight = match found.iter().position(|&(takes, _)| takes == weight) {
                Some(of_weight) => of_weight,
                None => {
                    found.push((weight, game.deal()?));
                    found.len() - 1
                }
            };
            // The lists for moves after which the same player moves again, and for the others.
            let list = |for_mover: Outcome| if for_mover == Outcome::Win { 0 } else { of_weight };
            let (again, turned) = (list(outcome), list(outcome.flip()));
            undo.each(mode, board, |key, is_again| {
                found[if is_again { again } else { turned }].1.push(game.code(key));
            });
        }
    }
    found.into_iter().map(|(takes, deal)| Ok((takes, deal.lists()?))).collect()
}

/// The labels in the order of a table.
fn finish<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    all_states: Vec<ShardStates<P>>,
    count: u64,
    has_plies: bool,
) -> Result<Labelled, TryReserveError> {
    let modes = game.rules.modes().len();
    let sorted = |(number, ShardStates { shard, states }): (usize, ShardStates<P>)| {
        let mut labels: Vec<u8> = Vec::new();
        labels.try_reserve_exact(states.len())?;
        let mut counts = vec![Counts::default(); modes];
        for (&low, &state) in shard.codes().iter().zip(&states) {
            let label = if state > NUMBER {
                // At most one ply more than the most, which a label holds.
                Remoteness { outcome: outcome(state), plies: state & NUMBER }
            } else {
                Remoteness::REPETITION
            };
            let (mode, _) = game.moves.split(game.cut.key::<K, P>(number, low));
            counts[mode].add(label.outcome);
            labels.push(label.encode(Width::Eight));
        }
        Ok::<_, TryReserveError>((shard.into_codes(), labels, counts))
    };
    let sorted = parallel::try_map(all_states.into_iter().enumerate(), sorted)?;
    let (mut shards, mut codes, mut counts) = (Vec::new(), Vec::new(), vec![Counts::default(); modes]);
    codes.try_reserve_exact(count as usize)?;
    for (lows, of_shard, of_modes) in sorted {
        shards.push(lows);
        codes.extend(of_shard);
        counts = add_each(counts, of_modes);
    }
    let (mut keys, below) = (Vec::new(), game.cut.below);
    append_keys(&mut keys, &game.cut.codes, &shards, |shard, low: P| K::raised(shard, below) | K::of(low.number()))?;
    Ok(Labelled { keys, codes, counts, has_plies })
}
